"""The labs' browser code: the files of ``browser/``, and the colours, which Python writes.

Each file is a module like any other, and imports others ``from "./name.mjs"``. A page has nothing
to resolve such an import against: ``browser/linking.mjs`` puts the address of the file in place of
its name. The loader of a notebook's labs and the player of recorded ones begin with it.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from dtree_lab.draw.style import FIGURE_RULES, css_variables

LOADER, PLAYER = "loader.mjs", "player.mjs"
LINKING = "linking.mjs"
# Comments on lines of their own, and indentation: a fifth of the code, and for those who read it.
_COMMENTS = re.compile(r"^ *(?:(?://[^\n]*|/\*.*?\*/) *\n)?", re.MULTILINE | re.DOTALL)
_LINKED = re.compile(rf'import {{[\w, ]+}} from "\./{re.escape(LINKING)}";\n')
# Written by Python rather than found in a file: the colours, and the rules of figures.
STYLE = "style.css"


@cache
def asset_names() -> tuple[str, ...]:
    """All files but those that link them, style sheets first."""
    own = (LOADER, PLAYER, LINKING)
    found = (file.name for file in (files(__package__) / "browser").iterdir())
    code = sorted(name for name in found if name.endswith((".css", ".mjs")) and name not in own)
    return (STYLE, *sorted(code, key=lambda name: name.endswith(".mjs")))


@cache
def asset_text(name: str) -> str:
    """A file, such as ``"lab.mjs"``, as it reaches the page: without comments and indentation."""
    if name == STYLE:
        return f"{css_variables()}\n{FIGURE_RULES}"
    found = (files(__package__) / "browser" / name).read_text(encoding="utf-8")
    if name in (LOADER, PLAYER):
        linking = asset_text(LINKING).replace("export ", "")
        found = _LINKED.sub(lambda _: linking, found)
    return _COMMENTS.sub("", found)
