"""A widget's browser code as one module, because that is how it reaches the page.

A view imports what the widgets share from ``../shared/``. In the page there is nothing to resolve
such an import against, so the shared files are put in front and the import lines taken out. Every
import stands on a line of its own, and top-level names are unique among the files: node's tests
load them as they are, and the tests of this module check the sum of them.
"""

from __future__ import annotations

import re
from importlib.resources import files

_IMPORT = re.compile(r'^import \{[^}]*\} from "\.\./(?P<file>[\w/]+\.mjs)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(async )?function|const|let|class)", re.MULTILINE)


def module(view: str) -> str:
    """The self-contained module of a view, such as ``"treebuilder/view.mjs"``."""
    parts: list[str] = []
    _gather(view, set(), parts)
    return "\n".join(parts)


def _gather(name: str, seen: set[str], parts: list[str]) -> None:
    """Put a file behind those it imports, each once."""
    if name in seen:
        return
    seen.add(name)
    source = read(name)
    for match in _IMPORT.finditer(source):
        _gather(match["file"], seen, parts)
    parts.append(_EXPORT.sub("", _IMPORT.sub("", source)).strip() + "\n")


def read(name: str) -> str:
    """A file of the widgets, such as ``"treebuilder/view.css"``."""
    return (files(__package__) / name).read_text(encoding="utf-8")
