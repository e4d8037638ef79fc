"""The widgets' browser code as models of their own: a notebook with ten widgets holds it once.

Each file of code is a model. A lab names these models, and its own module, a small
loader, links them in the page.
"""

from __future__ import annotations

import ipywidgets
import traitlets

from dtree_lab.widgets import assets


class CodeFile(ipywidgets.Widget):  # type: ignore[misc]
    """A file of code."""

    name = traitlets.Unicode().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)


_MADE: dict[str, CodeFile] = {}


def models() -> list[str]:
    """The models of all files."""
    return [f"IPY_MODEL_{_model(name).model_id}" for name in assets.names()]


def _model(name: str) -> CodeFile:
    made = _MADE.get(name)
    if made is None or made.comm is None:  # closed with all widgets of the kernel
        made = _MADE[name] = CodeFile(name=name, text=assets.text(name))
    return made
