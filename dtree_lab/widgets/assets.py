"""The widgets' browser code: modules and style sheets, in the order in which a page loads them.

A view imports what the widgets share from ``../shared/``. The page has nothing to resolve such an
import against: the loader (``shared/loader.mjs``) puts the address of each file it has loaded in
place of its name. Every import stands on a line of its own.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from dtree_lab.draw.sheet import FIGURE_RULES
from dtree_lab.draw.style import css_variables

LOADER = "shared/loader.mjs"
# Written by Python rather than found in a file: the colours, and the rules of figures.
STYLE = "style.css"

_IMPORT = re.compile(r'^import \{[^}]*\} from "\.\./(?P<file>[\w/]+\.mjs)";$', re.MULTILINE)


@cache
def needed(view: str) -> tuple[str, ...]:
    """What a view such as ``"lab/view.mjs"`` needs: styles, then each module after its imports."""
    found: list[str] = []
    _gather(view, found)
    sheets = [STYLE, "shared/base.css", view.replace(".mjs", ".css")]
    return (*sheets, *found)


def _gather(name: str, found: list[str]) -> None:
    for match in _IMPORT.finditer(text(name)):
        if match["file"] not in found:
            _gather(match["file"], found)
    if name not in found:
        found.append(name)


@cache
def text(name: str) -> str:
    """A file of the widgets, such as ``"treebuilder/view.css"``."""
    if name == STYLE:
        return f"{css_variables()}\n{FIGURE_RULES}"
    return (files(__package__) / name).read_text(encoding="utf-8")
