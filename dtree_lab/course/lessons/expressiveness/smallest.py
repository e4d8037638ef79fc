"""The smallest tree of all, where ID3 finds a larger one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.lessons.expressiveness.fitting import Rows, greedy, most, table_of
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code, Do, Goal, Grow, when
from dtree_lab.course.tasks.code import stops
from dtree_lab.grow.api import by_hand, id3, stump
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Branch, Tree

Outcomes: TypeAlias = tuple[Outcome, ...]

_PAGE = page(__file__, "fewest")
_EVERY, _FIRST = "OR and XOR", "which attribute is asked first"
_FEW = "rows that are few, or agree"


def _needs(behaviour: str, labels: str, says: str, names: int = 3) -> Case:
    rows, keys = table_of(labels, names), [f"a{i}" for i in range(1, names + 1)]
    return Case((rows, keys), (_PAGE.right()(rows, keys),), f"{says}, {keys}", behaviour=behaviour)


def _fresh_needs(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = ["".join(rng.choice(list("FT."), size=8, p=[0.4, 0.4, 0.2])) for _ in range(5)]
    return tuple(_needs(_FEW, labels, f"the rows {labels}") for labels in drawn)


def _full_table(i: int) -> bool:
    """Whether a case has all the rows that there are: then no heap is empty on the way."""
    return i < len(_CASES) and len(_CASES[i].args[0]) == 2 ** len(_CASES[i].args[1])


def _of_empty_heaps(outcomes: Outcomes) -> list[int]:
    found = stops("ValueError")(outcomes)
    return [] if any(map(_full_table, found)) else found


def _of_mixed_heaps(outcomes: Outcomes) -> list[int]:
    found = stops("ValueError")(outcomes)
    return found if any(map(_full_table, found)) else []


def _none_left(outcomes: Outcomes) -> list[int]:
    """The cases in which the names that are left are None."""
    none = stops("TypeError", "NoneType")(outcomes)
    return [i for i in none if "not supported between" not in outcomes[i].says]


def _beyond(outcomes: Outcomes) -> list[int]:
    """The cases that got the number with which a search for the least begins."""
    return [i for i, o in enumerate(outcomes) if o.kind == "number" and o.value > _BEGUN]


_CASES = (
    _needs(_EVERY, "FTTT", "OR", 2),
    _needs(_EVERY, "FTTF", "XOR", 2),
    _needs(_EVERY, "FTTTTTTT", "OR"),
    _needs(_EVERY, "FTTFTFFT", "XOR"),
    _needs(_FIRST, "FTFTFTFT", "the label is a3"),
    _needs(_FIRST, "FTFTFFTT", "if a1 then a2, else a3"),
    _needs(_FEW, "TTTTTTTT", "always T"),
    _needs(_FEW, "FT......", "two rows that differ in a3"),
)
# No faulty count of three attributes comes as far; who looks for a least begins at 99, or higher.
_BEGUN = 80

FEWEST = _PAGE.exercise(
    Code("fewest", _CASES, fresh=_fresh_needs),
    seen={
        "empty heaps": _of_empty_heaps,
        "no name left": _of_mixed_heaps,
        "none left": _none_left,
        "least of none": stops("TypeError", "'NoneType' and 'int'", "'int' and 'NoneType'"),
        "asks again": stops("RecursionError"),
        "beyond": _beyond,
    },
)


MOST_NODES = 7


def switch() -> Table:
    """All eight rows of: if a1 is true, a2, otherwise a3."""
    return Table.from_rows(table_of("FTFTFFTT", 3), target="y")


def _wrong_rows(tree: Tree) -> int:
    table = switch()
    return round(tree.error(table) * table.n_rows)


def _when(holds: Callable[[Tree], bool], *goals: int) -> Callable[[Outcomes], tuple[int, ...]]:
    return when(lambda handed: holds(handed.tree), *goals)


def _large(tree: Tree) -> bool:
    return tree.n_nodes > MOST_NODES


def _misled(tree: Tree) -> bool:
    """Whether the root asks one of the two attributes with the longest bars."""
    return isinstance(tree.root, Branch) and tree.root.split.attribute != 0


def _full() -> Tree:
    """Every attribute on every path, the right one first."""
    asked: dict[tuple[int, ...], str] = {(): "a1", (0,): "a2", (1,): "a3"}
    asked |= {(i, j): asked[1 - i,] for i in (0, 1) for j in (0, 1)}
    return by_hand(switch(), asked)


def _unfinished() -> Tree:
    return by_hand(switch(), {(): "a1", (0,): "a2", (1,): "a2"})


SWITCH = page(__file__, "switch").exercise(
    Grow(
        switch,
        (
            Goal(
                lambda handed: _wrong_rows(handed.tree) == 0,
                lambda handed: f"rows wrong: {_wrong_rows(handed.tree)} of 8",
                "0",
            ),
            Goal(
                lambda handed: not _large(handed.tree),
                lambda handed: f"nodes, leaves included: {handed.tree.n_nodes}",
                f"at most {MOST_NODES}",
            ),
        ),
    ),
    seen={
        "longest bar": Mistake(
            id3(switch()), when=_when(lambda tree: _large(tree) and _misled(tree), 1)
        ),
        "mixed": Mistake(
            stump(switch()),
            when=_when(lambda tree: _wrong_rows(tree) > 0 and tree.n_nodes < MOST_NODES, 0),
        ),
        "on the wrong side": Mistake(
            _unfinished(),
            when=_when(lambda tree: _wrong_rows(tree) > 0 and tree.n_nodes == MOST_NODES, 0),
        ),
        "in vain": Mistake(_full(), when=_when(lambda tree: _large(tree) and not _misled(tree), 1)),
    },
)


NAMES = ("a1", "a2", "a3")
MOST_ROWS = 6
_LONGEST = 2_000


def rows_of(text: str) -> Rows:
    """The rows of a text, one on each line.

    Raises
    ------
    ValueError
        For a line that is no row, too many rows, none, or two that contradict each other.
    """
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
    return 2 * int(_PAGE.right()(rows, NAMES)) + 1


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
