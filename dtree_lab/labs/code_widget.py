"""The labs' browser code as models of their own: a notebook with ten labs holds it once.

Each file is a model. A lab names these models, and its own module, a small loader, links them in
the page. One joined module in each lab would be simpler: a lab's message then has some 220 KB,
where 64 KB are allowed (``tests/labs/test_messages.py`` measures what each lab sends), and a saved
notebook keeps a copy for each. They are shown as fast either way, one lab in some 2 s after its
cell is run, thirty in some 10, on a busy machine.
"""

from __future__ import annotations

import ipywidgets
import traitlets

from dtree_lab.labs import assets


class CodeFile(ipywidgets.Widget):  # type: ignore[misc]
    """A file of code."""

    name = traitlets.Unicode().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)


_MADE: dict[str, CodeFile] = {}


def models() -> list[str]:
    """The models of all files."""
    return [f"IPY_MODEL_{_model(name).model_id}" for name in assets.asset_names()]


def _model(name: str) -> CodeFile:
    made = _MADE.get(name)
    if made is None or made.comm is None:  # closed with all widgets of the kernel
        made = _MADE[name] = CodeFile(name=name, text=assets.asset_text(name))
    return made
