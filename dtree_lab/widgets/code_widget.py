"""The widgets' browser code as models of their own: a notebook with ten widgets holds it once.

Each file of code is a model. A lab names the models of the files it needs, those that others import
first, and its own module, a small loader, links them in the page.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

import ipywidgets
import traitlets

from dtree_lab.widgets import assets


class Code(ipywidgets.Widget):  # type: ignore[misc]
    """A file of code; `key` changes with its text, so that a page keeps what it has loaded."""

    name = traitlets.Unicode().tag(sync=True)
    key = traitlets.Unicode().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)


_MADE: dict[str, Code] = {}


def models(view: str) -> list[str]:
    """The models of the files that a view needs, in the order in which they are loaded."""
    return [f"IPY_MODEL_{_model(name).model_id}" for name in assets.needed(view)]


def _model(name: str) -> Code:
    made = _MADE.get(name)
    if made is None or made.comm is None:  # closed with all widgets of the kernel
        made = _MADE[name] = Code(name=name, key=_key(name), text=assets.text(name))
    return made


@cache
def _key(name: str) -> str:
    return f"{name}-{sha256(assets.text(name).encode()).hexdigest()[:12]}"
