"""The labs' browser code: the files of ``browser/``, and the colours, which Python writes.

Each file is a module like any other, and imports others ``from "./name.mjs"``. A page has nothing
to resolve such an import against: the loader (``browser/loader.mjs``) puts the address of the file
in place of its name.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from dtree_lab.draw.style import FIGURE_RULES, css_variables

LOADER = "loader.mjs"
# Written by Python rather than found in a file: the colours, and the rules of figures.
STYLE = "style.css"


@cache
def names() -> tuple[str, ...]:
    """All files but the loader, style sheets first."""
    found = (file.name for file in (files(__package__) / "browser").iterdir())
    code = sorted(name for name in found if name.endswith((".css", ".mjs")) and name != LOADER)
    return (STYLE, *sorted(code, key=lambda name: name.endswith(".mjs")))


@cache
def text(name: str) -> str:
    """A file, such as ``"lab.mjs"``."""
    if name == STYLE:
        return f"{css_variables()}\n{FIGURE_RULES}"
    return (files(__package__) / "browser" / name).read_text(encoding="utf-8")
