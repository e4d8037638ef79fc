"""What a cell of a notebook needs of those before it, so that it runs without the rest."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def needed(sources: Sequence[str]) -> list[str]:
    """The cells that the last one needs, in their order, it itself at the end.

    A cell is needed for a name that it gives and a later needed one uses; what a cell only does
    to a value that another has made is not seen.

    Parameters
    ----------
    sources
        The code of a notebook's cells, as far as the one that is to be run.

    Examples
    --------
    >>> needed(["import a", "b = a.c", "d = 1", "b = a.e", "f = lambda: b", "f()"])
    ['import a', 'b = a.e', 'f = lambda: b', 'f()']
    """
    *before, last = sources
    kept, open_ = [last], _used(last)
    for source in reversed(before):
        if open_ & (given := _given(source)):
            kept.append(source)
            open_ = (open_ - given) | _used(source)
    return kept[::-1]


def _used(source: str) -> set[str]:
    names = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, ast.Load)}


def _given(source: str) -> set[str]:
    """The names that a cell leaves behind; not those inside its functions."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(ast.parse(source).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(one.asname or one.name).partition(".")[0] for one in node.names}
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        waiting += ast.iter_child_nodes(node)
    return found
