"""Trees as lists, and whether one fits some rows.

Small trees over binary attributes are worked out the slow and obvious way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import log2
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

Row: TypeAlias = dict[str, str]
Rows: TypeAlias = list[Row]
Names: TypeAlias = Sequence[str]
Written: TypeAlias = "str | tuple[str, Written, Written]"
Outcomes: TypeAlias = tuple[Outcome, ...]


def says(tree: Written, row: Row) -> str:
    """What a written tree answers."""
    while not isinstance(tree, str):
        name, low, high = tree
        tree = high if row[name] == "T" else low
    return tree


def consistent(tree: Written, rows: Rows) -> bool:
    """Whether a written tree fits all rows."""
    return [says(tree, row) for row in rows] == [row["y"] for row in rows]


def _pure(rows: Rows) -> bool:
    return len({row["y"] for row in rows}) <= 1


def _parted(rows: Rows, name: str) -> tuple[Rows, Rows]:
    return [r for r in rows if r[name] == "F"], [r for r in rows if r[name] == "T"]


def _without(names: Names, name: str) -> list[str]:
    return [other for other in names if other != name]


def _searched(
    rows: Rows, names: Names, joined: Callable[[int, int], int], best: Callable[[list[int]], int]
) -> int:
    """Something found by trying every attribute that parts the rows."""
    if _pure(rows):
        return 0
    found = []
    for name in names:
        low, high = _parted(rows, name)
        if low and high:
            rest = _without(names, name)
            below = [_searched(part, rest, joined, best) for part in (low, high)]
            found.append(joined(*below))
    return best(found) if found else 0


def fewest_questions(rows: Rows, names: Names) -> int:
    """The internal nodes of a smallest tree that fits."""
    return _searched(rows, names, lambda low, high: 1 + low + high, min)


def most(rows: Rows, names: Names) -> int:
    """The internal nodes of a largest tree that fits and never asks in vain."""
    return _searched(rows, names, lambda low, high: 1 + low + high, max)


def most_in_vain(rows: Rows, names: Names) -> int:
    """The same where any question may be asked, also one that parts nothing."""
    if _pure(rows) or not names:
        return 0
    return max(
        1 + sum(most_in_vain(part, _without(names, name)) for part in _parted(rows, name))
        for name in names
    )


def shallowest(rows: Rows, names: Names) -> int:
    """The least depth of a tree that fits."""
    return _searched(rows, names, lambda low, high: 1 + max(low, high), min)


def in_order(rows: Rows, names: Names) -> int:
    """The internal nodes of the tree that asks the names in their order."""
    if _pure(rows) or not names:
        return 0
    low, high = _parted(rows, names[0])
    return 1 + in_order(low, names[1:]) + in_order(high, names[1:])


def never_stops(rows: Rows, names: Names) -> int:
    """The internal nodes of the tree that asks all names wherever there is a row."""
    if not rows or not names:
        return 0
    return 1 + sum(never_stops(part, names[1:]) for part in _parted(rows, names[0]))


def asks_again(rows: Rows, names: Names) -> int:
    """What comes of a search that leaves every name to be asked again: it calls itself on."""
    if len({row["y"] for row in rows}) <= 1:
        return 0
    return min(1 + sum(asks_again(part, names) for part in _parted(rows, name)) for name in names)


def forgets_empty_heaps(rows: Rows, names: Names) -> int:
    """What comes of a search that asks on where there is no row: an error at the latest leaf."""
    if len({row["y"] for row in rows}) == 1:
        return 0
    return min(
        1 + sum(forgets_empty_heaps(part, _without(names, name)) for part in _parted(rows, name))
        for name in names
    )


def runs_out_of_names(rows: Rows, names: Names) -> int:
    """What comes of a search that hands on only the names after the one that it tries."""
    if _pure(rows):
        return 0
    return min(
        1 + sum(runs_out_of_names(part, names[i + 1 :]) for part in _parted(rows, name))
        for i, name in enumerate(names)
    )


def one_list(rows: Rows, names: list[str]) -> int:
    """Takes each name out of the list while it loops through it, and puts it back at the end."""
    if _pure(rows):
        return 0
    best = 99
    for name in names:
        names.remove(name)
        best = min(best, 1 + sum(one_list(part, names) for part in _parted(rows, name)))
        names.append(name)
    return best


def until_single(rows: Rows, names: Names) -> int:
    """The internal nodes of a smallest tree that goes on until no two rows are together."""
    if len(rows) <= 1:
        return 0
    return min(
        1 + sum(until_single(part, _without(names, name)) for part in _parted(rows, name))
        for name in names
    )


def all_added(rows: Rows, names: Names) -> int:
    """What all the names would cost together, at each node."""
    if _pure(rows):
        return 0
    return sum(
        1 + sum(all_added(part, _without(names, name)) for part in _parted(rows, name))
        for name in names
    )


def greedy(rows: Rows, names: Names, luck: Callable[[list[int]], int] = min) -> int:
    """The internal nodes that ID3 ends with, when its ties are broken with the best luck."""
    if _pure(rows):
        return 0
    asked = [name for name in names if all(_parted(rows, name))]
    if not asked:
        return 0
    left = {name: _left(rows, name) for name in asked}
    least = min(left.values())
    found = []
    for name in asked:
        if left[name] <= least + 1e-9:  # a tie, but for rounding
            rest = _without(names, name)
            found.append(1 + sum(greedy(part, rest, luck) for part in _parted(rows, name)))
    return luck(found)


def _left(rows: Rows, name: str) -> float:
    """H(y | name), times the number of rows."""
    total = 0.0
    for part in _parted(rows, name):
        trues = sum(row["y"] == "T" for row in part)
        for count in (trues, len(part) - trues):
            total += count * log2(len(part) / count) if count else 0.0
    return total


_AND: Written = ("a1", "F", ("a2", "F", "T"))
_XOR: Written = ("a2", ("a1", "F", "T"), ("a1", "T", "F"))


def table_of(labels: str, names: int = 2) -> Rows:
    """The rows of a truth table with these labels, in order; a dot leaves a row out."""
    keys = [f"a{i}" for i in range(1, names + 1)]
    given = zip(product("FT", repeat=names), labels, strict=True)
    return [dict(zip(keys, row, strict=True)) | {"y": y} for row, y in given if y != "."]


def _fits(tree: Written, rows: Rows, says: str) -> Case:
    behaviour = {_AND: "a tree for AND", _XOR: "a tree for XOR"}.get(tree, "a tree that is a leaf")
    return Case((tree, rows), (consistent(tree, rows),), says, behaviour=behaviour)


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


def _of(kind: str) -> Callable[[Outcomes], list[int]]:
    return lambda outcomes: [i for i, o in enumerate(outcomes) if o.kind == kind]


def _all_at_once(tree: Written, rows: Any) -> str:
    return says(tree, rows)


def _ended(tree: Written, rows: Rows) -> Written:
    """The leaf at which the first row ends."""
    return says(tree, rows[0])


CONSISTENT = Exercise(
    id="expressiveness/consistent",
    title="Does a tree fit some rows?",
    points=2,
    heading="does it fit?",
    text="""A tree is **consistent** with some rows if it answers every one of them with its label.
Write `is_consistent(tree, rows)`, which returns `True` or `False`. The tree is written as above; a
row also holds its label, as `"y"`: `{"a1": "T", "a2": "F", "y": "T"}`. You may use `says`.""",
    stub="""def is_consistent(tree, rows):
    # your lines, in place of the dots
    ...""",
    answer="is_consistent",
    task=Code(
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
    mistakes=(
        Mistake(
            lambda tree, rows: says(tree, rows[0]) == rows[0]["y"],
            "It looks at the first row only. A ``return`` in the loop ends the function at once:"
            " when may it say True, and when False?",
        ),
        Mistake(
            lambda tree, rows: says(tree, rows[-1]) == rows[-1]["y"],
            "Only the last row counts: each turn of the loop overwrites what the rows before have"
            " shown.",
        ),
        Mistake(
            lambda tree, rows: any(says(tree, row) == row["y"] for row in rows),
            "One row that is right is enough for it. Every one of them must be.",
        ),
        Mistake(
            lambda tree, rows: not consistent(tree, rows),
            "It is the wrong way round: it says True where the tree does not fit.",
        ),
        Mistake(
            lambda tree, rows: sum(says(tree, row) != row["y"] for row in rows),
            "It gives a number. Asked for is whether the tree fits: a truth value.",
            when=_of("number"),
        ),
        Mistake(
            lambda tree, rows: [says(tree, row) == row["y"] for row in rows],
            "It gives one answer for each row. Asked for is a single one, about all of them"
            " together.",
            when=_of("values"),
        ),
        Mistake(
            lambda tree, rows: consistent(_ended(tree, rows), rows),
            "From the second row on it has no tree left: on the way down the first row the name"
            " ``tree`` was given to the leaf. Walk with a name of its own for each row.",
        ),
        Mistake(
            lambda tree, rows: bool(tree and not rows),
            "It says False of everything. What a tree says is a text, ``T`` or ``F``, and never"
            " equal to ``True``; nor is a tree to be found among the rows.",
        ),
        Mistake(
            lambda _, rows: rows[0]["label"],
            "A row has no such name. Its label is kept under ``y``.",
            when=stops("KeyError"),
        ),
        Mistake(
            _all_at_once,
            "``says`` answers for *one* row at a time. Is it given all of them, or the two things"
            " in another order?",
            when=stops(("TypeError", "ValueError")),
        ),
        Mistake(
            lambda tree, rows: str(consistent(tree, rows)),
            "It gives a text. ``True`` and ``False`` are written without quotes.",
            when=_of("text"),
        ),
        Mistake(
            lambda tree, rows: any(says(tree, row) != row["y"] for row in rows[:1]),
            "It says True if the first row is wrong. Which way round is it, and what about the"
            " other rows?",
        ),
        Mistake(
            lambda tree, rows: all(says(tree, row) == "T" for row in rows if row["y"] == "T"),
            "It checks the rows labelled T and no others. A tree can be wrong about the F rows,"
            " too.",
        ),
    ),
    more="Go through the rows. The first one whose label is not what ``says(tree, row)`` gives"
    " settles it. What if there was none such when the loop has ended?",
    solution="""def is_consistent(tree, rows):
    for row in rows:
        if says(tree, row) != row["y"]:
            return False
    return True
""",
    why="One wrong row settles it; only after the last row is it sure that there was none. The same"
    ' in one line: all(says(tree, row) == row["y"] for row in rows).',
)
