"""Which cells of a lesson have to run: those that have to do with what is checked.

The rest of a lesson takes many seconds and changes nothing about the answers. Learners' own cells,
and all answers, always run. Then what stopped an answer here, and would not have stopped it where
it was written: a package that is not installed, a newer Python, cells that were run in another
order. The points are lost all the same, and somebody should look.
"""

from __future__ import annotations

import ast
import re
import symtable
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dtree_lab.grading.rebuild import RunStep
from dtree_lab.grading.remote import Told
from dtree_lab.grading.sheets import binds

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


_HERE = sys.version_info[:2]
_QUOTED = re.compile(r"'([\w.]{1,60})'")


def not_their_fault(
    steps: Sequence[RunStep],
    exercise: str,
    errors: Iterable[tuple[str, str]],
    failed: Mapping[int, Told],
    python: str,
) -> Iterator[str]:
    """Why an exercise may have gone wrong only here, by its errors and the cells that failed."""
    at = max((i for i, step in enumerate(steps) if step.exercise == exercise), default=0)
    own = [failed[i].raised for i in failed if steps[i].exercise == exercise]
    for name, says in dict.fromkeys((*own, *errors)):
        quoted = _QUOTED.search(says)
        word = quoted[1] if quoted else ""
        if name in ("ModuleNotFoundError", "ImportError"):
            yield f"{word or 'a module'} cannot be imported here: install it, and grade anew"
        elif name == "SyntaxError" and _version(python) > _HERE:
            here, there = (".".join(map(str, one)) for one in (_HERE, _version(python)))
            yield f"a SyntaxError in Python {here}, and it was written in {there}: grade it there"
        elif name == "NameError" and word:
            for i, step in enumerate(steps):
                too_late = (i > at or i in failed) and step.learners
                if too_late and (word in names_in(step.text)[1] or binds(step.text, word)):
                    how = "stopped" if i in failed else "comes later"
                    yield f"{word} gets its value in a cell that {how}"
                    break


def _version(text: str) -> tuple[int, ...]:
    found = re.match(r"(\d{1,3})\.(\d{1,3})", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)
