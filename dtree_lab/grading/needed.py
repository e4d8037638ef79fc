"""Which cells of a lesson have to run: those that have to do with what is checked.

The rest of a lesson takes many seconds and changes nothing about the answers. Learners' own cells,
and all answers, always run.
"""

from __future__ import annotations

import ast
import symtable
import warnings
from collections.abc import Sequence

from dtree_lab.grading.rebuild import RunStep

# What is changed through these is a library, which every cell has in the same way.
_LIBRARIES = {"dt", "np", "math", "plt", "random"}
# Who looks names up in such ways may mean any.
_BY_TEXT = {"exec", "eval", "globals", "locals", "vars", "compile", "get_ipython", "__builtins__"}


def needed(steps: Sequence[RunStep]) -> list[bool]:
    """Whether each step has to run; those that check, and are not run, count as such that have."""
    names: set[str] = set()
    found = []
    everything = False
    for step in reversed(steps):
        text = f"({step.check.answer}, {step.check.name or 0})" if step.check else step.text
        used, made = names_in(text)
        everything = everything or not used.isdisjoint(_BY_TEXT)
        if step.check is not None or step.own or step.exercise:
            # It may fail before it has made anything: what others have made before is needed, too.
            names |= used
            found.append(True)
        elif everything or made & names:
            names = names - (made - used) | used
            found.append(True)
        else:
            found.append(False)
    return found[::-1] if not everything else [True] * len(steps)


def names_in(text: str) -> tuple[set[str], set[str]]:
    """The variables that a cell looks at, and those that it gives a value or may change."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            cell = symtable.symtable(text, "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set(_BY_TEXT), set()
    used = {one.get_name() for one in cell.get_symbols() if one.is_referenced()}
    inner = list(cell.get_children())
    for function in inner:
        used |= {one.get_name() for one in function.get_symbols() if one.is_global()}
        inner += function.get_children()
    bound = [one for one in cell.get_symbols() if one.is_assigned() or one.is_imported()]
    changed = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                changed.add(_root(node))
            case ast.Expr(value=ast.Call(func=ast.Attribute() as called)):  # as in rows.append(row)
                changed.add(_root(called))
            case ast.ImportFrom(names=[ast.alias(name="*")]):
                used |= _BY_TEXT
    return used, {one.get_name() for one in bound} | changed - _LIBRARIES


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
