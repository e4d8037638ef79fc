"""Whether an answer takes from the library what it is asked to do itself."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator

_OURS = re.compile(r"(dt|dtree_lab)\.")


def is_taken(done_by: Collection[str], code: str, name: str) -> bool:
    """Whether what has a name in some code leads to one of these functions of the library.

    Only what the name leads to counts: who compares their own with the library's may do so.

    >>> is_taken(["entropy"], "def entropy(counts): return dt.entropy(counts)", "entropy")
    True
    >>> is_taken(["entropy"], "print(dt.entropy([3]))", "entropy")
    False
    """
    return any(_taken(part) in done_by for part in _led_to(_named(code), name))


def cell_of(name: str) -> str:
    """The notebook's cell that gave a name its value last; empty where none is known."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    cells = getattr(getattr(shell, "history_manager", None), "input_hist_parsed", [])
    return next((code for code in reversed(cells) if name in _named(code)), "")


def _named(code: str) -> dict[str, ast.AST]:
    """What stands behind each name of a cell."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError):
        return {}
    named: dict[str, ast.AST] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            named[node.name] = node
        elif isinstance(node, ast.Assign):
            named |= {to.id: node.value for to in node.targets if isinstance(to, ast.Name)}
        elif isinstance(node, ast.ImportFrom) and _OURS.match(f"{node.module}."):
            named |= {one.asname or one.name: one for one in node.names}
    return named


def _led_to(named: dict[str, ast.AST], name: str) -> Iterator[ast.AST]:
    """All parts of what stands behind a name, and behind the names that it goes on to."""
    reached, waiting = set[str](), [name]
    while waiting:
        if (at := waiting.pop()) in reached or at not in named:
            continue
        reached.add(at)
        parts = [*ast.walk(named[at])]
        yield from parts
        names = [part for part in parts if isinstance(part, ast.Name)]
        own = {part.id for part in names if isinstance(part.ctx, ast.Store)}
        own |= {part.arg for part in parts if isinstance(part, ast.arg)}
        waiting += [part.id for part in names if part.id not in own]


def _taken(part: ast.AST) -> str:
    """What a part takes from the library; nothing where it is no name of it."""
    if isinstance(part, ast.alias):
        return part.name
    if isinstance(part, ast.Attribute) and _OURS.match(ast.unparse(part)):
        return part.attr
    return ""
