"""Trees that fit some rows: whether one does, the smallest of all, and ID3's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Goal, Grow, when
from dtree_lab.course.tasks.code import Recogniser, stops, where
from dtree_lab.course.tasks.do import n_wrong, nodes_at_most, wrong_at_most
from dtree_lab.grow.api import by_hand, id3, stump
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Branch, Tree

Rows: TypeAlias = list[dict[str, str]]
Names: TypeAlias = Sequence[str]
Written: TypeAlias = "str | tuple[str, Written, Written]"
Heaps: TypeAlias = dict[str, list[Rows]]


# First of all, for a page of this module's imports them.
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


_CONSISTENT = page(__file__, "consistent")
_AND: Written = ("a1", "F", ("a2", "F", "T"))
_XOR: Written = ("a2", ("a1", "F", "T"), ("a1", "T", "F"))


def table_of(labels: str, names: int = 2) -> Rows:
    """The rows of a truth table with these labels, in order; a dot leaves a row out."""
    keys = [f"a{i}" for i in range(1, names + 1)]
    given = zip(product("FT", repeat=names), labels, strict=True)
    return [dict(zip(keys, row, strict=True)) | {"y": y} for row, y in given if y != "."]


_TREES = {"a tree for AND": _AND, "a tree for XOR": _XOR, "a tree that is a leaf": "F"}


def _fits(behaviour: str, labels: str, says: str) -> Case:
    tree, rows = _TREES[behaviour], table_of(labels)
    return Case((tree, rows), (_CONSISTENT.right()(tree, rows),), says, behaviour=behaviour)


def _fresh_fits(rng: np.random.Generator) -> tuple[Case, ...]:
    found = []
    for _ in range(6):
        labels = list("FFFT" if rng.random() < 0.5 else "FTTF")  # noqa: PLR2004 - half of them
        if rng.random() < 0.5:  # noqa: PLR2004
            at = int(rng.integers(4))
            labels[at] = "F" if labels[at] == "T" else "T"
        shown = "".join(labels)
        is_and = rng.random() < 0.5  # noqa: PLR2004
        name = "and_tree" if is_and else "a tree for XOR"
        behaviour = "a tree for AND" if is_and else name
        found.append(_fits(behaviour, shown, f"{name}, the rows {shown}"))
    return tuple(found)


CONSISTENT = _CONSISTENT.function(_fits, _fresh_fits)


Outcomes: TypeAlias = tuple[Outcome, ...]

_FEWEST = page(__file__, "fewest")
_EVERY, _FIRST = "OR and XOR", "which attribute is asked first"
_FEW = "rows that are few, or agree"


def _needs(behaviour: str, labels: str, says: str, names: int = 3) -> Case:
    rows, keys = table_of(labels, names), [f"a{i}" for i in range(1, names + 1)]
    return Case(
        (rows, keys), (_FEWEST.right()(rows, keys),), f"{says}, {keys}", behaviour=behaviour
    )


def _fresh_needs(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = ["".join(rng.choice(list("FT."), size=8, p=[0.4, 0.4, 0.2])) for _ in range(5)]
    return tuple(_needs(_FEW, labels, f"the rows {labels}") for labels in drawn)


def _of_heaps(*, mixed: bool) -> Recogniser:
    """Recognises the cases that stop with a ValueError, by whether all rows that there are do."""

    def recognise(outcomes: Outcomes) -> list[int]:
        found = stops("ValueError")(outcomes)
        # With all rows that there are no heap is empty on the way.
        full = any("." not in _FEWEST.cases[i][1] for i in found if i < len(_FEWEST.cases))
        return found if full == mixed else []

    return recognise


def _none_left(outcome: Outcome) -> bool:
    """Whether the names that are left are None."""
    told = outcome.kind == "raised" and outcome.value == "TypeError" and "NoneType" in outcome.says
    return told and "not supported between" not in outcome.says


# No faulty count of three attributes comes as far; a search for a least begins at 99, or higher.
_BEGUN = 80

FEWEST = _FEWEST.function(
    _needs,
    _fresh_needs,
    {
        "empty heaps": _of_heaps(mixed=False),
        "no name left": _of_heaps(mixed=True),
        "none left": where(_none_left),
        "beyond": where(lambda o: o.kind == "number" and o.value > _BEGUN),
    },
)


MOST_NODES = 7


def switch() -> Table:
    """All eight rows of: if a1 is true, a2, otherwise a3."""
    return Table.from_rows(table_of("FTFTFFTT", 3), target="y")


def _wrong(tree: Tree) -> int:
    return n_wrong(tree, switch())


def _when(holds: Callable[[Tree], bool], *goals: int) -> Callable[[Outcomes], tuple[int, ...]]:
    return when(lambda handed: holds(handed.tree), *goals)


def _large(tree: Tree) -> bool:
    return tree.n_nodes > MOST_NODES


def _misled(tree: Tree) -> bool:
    """Whether the root asks one of the two attributes with the longest bars."""
    return isinstance(tree.root, Branch) and tree.root.split.attribute != 0


# Every attribute on every path, the right one first.
_FULL: dict[tuple[int, ...], str] = {(): "a1", (0,): "a2", (1,): "a3"}
_FULL |= {(i, j): _FULL[1 - i,] for i in (0, 1) for j in (0, 1)}


SWITCH = page(__file__, "switch").exercise(
    Grow(switch, (wrong_at_most(0, switch), nodes_at_most(MOST_NODES))),
    seen={
        "longest bar": Mistake(
            id3(switch()), when=_when(lambda tree: _large(tree) and _misled(tree), 1)
        ),
        "mixed": Mistake(
            stump(switch()),
            when=_when(lambda tree: _wrong(tree) > 0 and tree.n_nodes < MOST_NODES, 0),
        ),
        "on the wrong side": Mistake(
            by_hand(switch(), {(): "a1", (0,): "a2", (1,): "a2"}),
            when=_when(lambda tree: _wrong(tree) > 0 and tree.n_nodes == MOST_NODES, 0),
        ),
        "in vain": Mistake(
            by_hand(switch(), _FULL), when=_when(lambda tree: _large(tree) and not _misled(tree), 1)
        ),
    },
)


NAMES = ("a1", "a2", "a3")
MOST_ROWS = 6
_LONGEST = 2_000


def rows_of(text: str) -> Rows:
    """The rows of a text, one on each line, none of which contradicts another."""
    lines = [line.split("#")[0].replace(",", " ") for line in text[:_LONGEST].splitlines()]
    rows = [_row(line) for line in lines if line.strip()]
    if not rows:
        raise ValueError("there is no row in it")
    if len(rows) > MOST_ROWS:
        raise ValueError(f"these are {len(rows)} rows; at most {MOST_ROWS} are asked for")
    labels: dict[tuple[str, ...], str] = {}
    for row in rows:
        at = tuple(row[name] for name in NAMES)
        if labels.setdefault(at, row["y"]) != row["y"]:
            raise ValueError(f"two rows {' '.join(at)} have different labels; no tree fits both")
    return rows


def _row(line: str) -> dict[str, str]:
    values = list("".join(line.split()).upper())
    if len(values) != len(NAMES) + 1 or not set(values) <= {"F", "T"}:
        raise ValueError(
            f"{line.strip()[:40]!r} is no row: give three values and the label, F or T"
        )
    return dict(zip((*NAMES, "y"), values, strict=True))


def _least(rows: Rows) -> int:
    return 2 * int(_FEWEST.right()(rows, NAMES)) + 1


def _most(rows: Rows) -> int:
    return 2 * most(rows, NAMES) + 1


def _id3(rows: Rows) -> int:
    """How many nodes ID3's tree has when its ties are broken in the best way."""
    return 2 * greedy(rows, NAMES) + 1


def _unlucky(rows: Rows) -> int:
    """How many nodes ID3's tree has when its ties are broken in the worst way."""
    return 2 * greedy(rows, NAMES, max) + 1


def _choice(rows: Rows) -> bool:
    return _most(rows) > _least(rows)


def _missed(rows: Rows) -> bool:
    return _id3(rows) > _least(rows)


def _by_ties(rows: Rows) -> bool:
    return not _missed(rows) and _unlucky(rows) > _least(rows)


TRAP = page(__file__, "trap").exercise(
    Do(
        rows_of,
        (
            Goal(
                _choice,
                lambda rows: f"trees that fit have from {_least(rows)} to {_most(rows)} nodes",
                "some that are larger than others",
            ),
            Goal(
                _missed,
                lambda rows: f"the smallest tree has {_least(rows)} nodes, ID3's {_id3(rows)}",
                "more for ID3, however its ties are broken",
            ),
        ),
        form="the rows as one text, between three quotes, one row on each line",
    ),
    seen={
        "pure": Mistake("FFF T\nTTT T", when=when(lambda rows: _most(rows) == 1, 0, 1)),
        "all alike": Mistake(
            "FFF F\nFTF T\nTFF T\nTTF F",
            when=when(lambda rows: not _choice(rows) and _most(rows) > 1, 0, 1),
        ),
        "not missed": Mistake(
            "FFF F\nFFT F\nFTF F\nTTF T",
            when=when(lambda rows: _choice(rows) and _unlucky(rows) == _least(rows), 1),
        ),
        "by ties": Mistake("FFF F\nFFT F\nFTF T\nTFF T", when=when(_by_ties, 1)),
    },
)
