"""Whether a written tree fits some rows, and how large the trees are that do.

Small trees over binary attributes are worked out the slow and obvious way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import gives, stops

Rows: TypeAlias = list[dict[str, str]]
Names: TypeAlias = Sequence[str]
Written: TypeAlias = "str | tuple[str, Written, Written]"
Heaps: TypeAlias = dict[str, list[Rows]]


def most(rows: Rows, names: Names) -> int:
    """The internal nodes of a largest tree that fits and never asks in vain."""
    return _searched(rows, names, list, max)


def greedy(rows: Rows, names: Names, luck: Callable[[list[int]], int] = min) -> int:
    """The internal nodes that ID3 ends with, when its ties are broken with the best luck."""
    return _searched(rows, names, _gain_most, luck)


def _searched(
    rows: Rows,
    names: Names,
    choose: Callable[[Heaps], Iterable[str]],
    best: Callable[[list[int]], int],
) -> int:
    """The internal nodes that come of trying some of the attributes that part the rows."""
    heaps = {name: [[r for r in rows if r[name] == value] for value in "FT"] for name in names}
    heaps = {name: parts for name, parts in heaps.items() if all(parts)}
    if len({row["y"] for row in rows}) <= 1 or not heaps:
        return 0
    sizes = []
    for name in choose(heaps):
        rest = [other for other in names if other != name]
        sizes.append(1 + sum(_searched(part, rest, choose, best) for part in heaps[name]))
    return best(sizes)


def _gain_most(heaps: Heaps) -> list[str]:
    left = {name: sum(map(_bits, parts)) for name, parts in heaps.items()}
    # A tie, but for rounding.
    return [name for name in heaps if left[name] <= min(left.values()) + 1e-9]


def _bits(rows: Rows) -> float:
    trues = sum(row["y"] == "T" for row in rows)
    return len(rows) * entropy_of([trues, len(rows) - trues])


_PAGE = page(__file__, "consistent")
_AND: Written = ("a1", "F", ("a2", "F", "T"))
_XOR: Written = ("a2", ("a1", "F", "T"), ("a1", "T", "F"))


def table_of(labels: str, names: int = 2) -> Rows:
    """The rows of a truth table with these labels, in order; a dot leaves a row out."""
    keys = [f"a{i}" for i in range(1, names + 1)]
    given = zip(product("FT", repeat=names), labels, strict=True)
    return [dict(zip(keys, row, strict=True)) | {"y": y} for row, y in given if y != "."]


def _fits(tree: Written, rows: Rows, says: str) -> Case:
    behaviour = {_AND: "a tree for AND", _XOR: "a tree for XOR"}.get(tree, "a tree that is a leaf")
    return Case((tree, rows), (_PAGE.right()(tree, rows),), says, behaviour=behaviour)


def _fresh_fits(rng: np.random.Generator) -> tuple[Case, ...]:
    found = []
    for _ in range(6):
        labels = list("FFFT" if rng.random() < 0.5 else "FTTF")  # noqa: PLR2004 - half of them
        if rng.random() < 0.5:  # noqa: PLR2004
            at = int(rng.integers(4))
            labels[at] = "F" if labels[at] == "T" else "T"
        shown = "".join(labels)
        tree = _AND if rng.random() < 0.5 else _XOR  # noqa: PLR2004
        found.append(_fits(tree, table_of(shown), f"{_name(tree)}, the rows {shown}"))
    return tuple(found)


def _name(tree: Written) -> str:
    return "and_tree" if tree == _AND else "a tree for XOR"


CONSISTENT = _PAGE.exercise(
    Code(
        "is_consistent",
        (
            _fits(_AND, table_of("FFFT"), "and_tree, the four rows of AND"),
            _fits(_AND, table_of("FFFF"), "and_tree, four rows labelled F: the last is wrong"),
            _fits(_AND, table_of("TFFT"), "and_tree, the rows of AND, but the first labelled T"),
            _fits(_AND, table_of("TTTF"), "and_tree, the rows of AND with all labels turned over"),
            _fits(_XOR, table_of("FTTF"), "a tree for XOR, the four rows of XOR"),
            _fits(_XOR, table_of("FFFT"), "a tree for XOR, the four rows of AND"),
            _fits("F", table_of("FFF."), '"F", three rows labelled F'),
            _fits("F", table_of("F.FT"), '"F", two rows labelled F and one T'),
            _fits(_XOR, table_of("TTTF"), "a tree for XOR, its rows, but the first labelled T"),
            _fits("F", table_of("TFF."), '"F", a row labelled T and two F'),
        ),
        fresh=_fresh_fits,
    ),
    seen={
        "number": gives("number"),
        "values": gives("values"),
        "text": gives("text"),
        "no label": stops("KeyError"),
        "all at once": stops(("TypeError", "ValueError")),
    },
)
