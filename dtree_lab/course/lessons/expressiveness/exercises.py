"""Trees that fit some rows and the smallest of all, how many concepts there are, XOR and votes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Goal, Grow
from dtree_lab.course.tasks.code import provided, stops, where
from dtree_lab.course.tasks.do import misses, n_wrong, nodes_at_most, wrong_at_most
from dtree_lab.grow.api import by_hand, id3, stump
from dtree_lab.labs.expressiveness.model import State, dump, load, start, update
from dtree_lab.labs.kit.actions import Set
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
    return _CONSISTENT.case(behaviour, tree, rows, says=says)


def _fresh_fits(rng: np.random.Generator) -> Iterator[Case]:
    for _ in range(6):
        labels = list("FFFT" if rng.random() < 0.5 else "FTTF")  # noqa: PLR2004 - half of them
        if rng.random() < 0.5:  # noqa: PLR2004
            at = int(rng.integers(4))
            labels[at] = "F" if labels[at] == "T" else "T"
        shown = "".join(labels)
        is_and = rng.random() < 0.5  # noqa: PLR2004
        name = "and_tree" if is_and else "a tree for XOR"
        behaviour = "a tree for AND" if is_and else name
        yield _fits(behaviour, shown, f"{name}, the rows {shown}")


CONSISTENT = _CONSISTENT.function(_fits, _fresh_fits)


_FEWEST = page(__file__, "fewest")
_FEW = "rows that are few, or agree"


def _needs(behaviour: str, labels: str, says: str, names: int = 3) -> Case:
    rows, keys = table_of(labels, names), [f"a{i}" for i in range(1, names + 1)]
    return _FEWEST.case(behaviour, rows, keys, says=f"{says}, {keys}")


def _fresh_needs(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = ["".join(rng.choice(list("FT."), size=8, p=[0.4, 0.4, 0.2])) for _ in range(5)]
    return tuple(_needs(_FEW, labels, f"the rows {labels}") for labels in drawn)


def _full(cases: list[int]) -> bool:
    """Whether some case has all rows that there are: no heap is empty on the way."""
    return any("." not in _FEWEST.cases[i][1] for i in cases if i < len(_FEWEST.cases))


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
        "empty heaps": provided(stops("ValueError"), lambda cases: not _full(cases)),
        "no name left": provided(stops("ValueError"), _full),
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
        "longest bar": misses(id3(switch()), lambda h: _large(h.tree) and _misled(h.tree), 1),
        "mixed": misses(
            stump(switch()), lambda h: _wrong(h.tree) > 0 and h.tree.n_nodes < MOST_NODES, 0
        ),
        "on the wrong side": misses(
            by_hand(switch(), {(): "a1", (0,): "a2", (1,): "a2"}),
            lambda h: _wrong(h.tree) > 0 and h.tree.n_nodes == MOST_NODES,
            0,
        ),
        "in vain": misses(
            by_hand(switch(), _FULL), lambda h: _large(h.tree) and not _misled(h.tree), 1
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
        "pure": misses("FFF T\nTTT T", lambda rows: _most(rows) == 1, 0, 1),
        "all alike": misses(
            "FFF F\nFTF T\nTFF T\nTTF F", lambda rows: not _choice(rows) and _most(rows) > 1, 0, 1
        ),
        "not missed": misses(
            "FFF F\nFFT F\nFTF F\nTTF T",
            lambda rows: _choice(rows) and _unlucky(rows) == _least(rows),
            1,
        ),
        "by ties": misses(
            "FFF F\nFFT F\nFTF T\nTFF T",
            lambda rows: not _missed(rows) and _unlucky(rows) > _least(rows),
            1,
        ),
    },
)


_COUNT = page(__file__, "count-concepts")
# The bits of numpy's whole numbers: of so many instances they cannot count the concepts.
_VERY_MANY = 64


def _count_case(values: list[int], labels: int) -> Case:
    return _COUNT.case(_behaviour(values, labels), values, labels)


def _behaviour(values: list[int], labels: int) -> str:
    if prod(values) >= _VERY_MANY:
        return "very many concepts"
    if labels > 2:  # noqa: PLR2004
        return "more labels than two"
    two = set(values) == {2}
    return "attributes with two values" if two else "attributes with more values"


def _fresh_counts(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(2, 5 if n < 3 else 4, size=n) for n in (1, 2, 3, 2)]  # noqa: PLR2004
    cases = [_count_case([int(v) for v in values], int(rng.integers(2, 4))) for values in drawn]
    return (*cases, _count_case([4, 4, int(rng.integers(4, 7))], 2))


COUNT_CONCEPTS = _COUNT.function(_count_case, _fresh_counts)


_XOR_PAGE = page(__file__, "xor")


def _xor_case(values: str) -> Case:
    row = {f"a{i}": value for i, value in enumerate(values, start=1)}
    behaviour = "two values" if len(values) == 2 else "any other number of values"  # noqa: PLR2004
    return _XOR_PAGE.case(behaviour, row)


def _fresh_xor(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(2, 9, size=6)
    return tuple(_xor_case("".join(rng.choice(["F", "T"], size=n))) for n in sizes)


XOR = _XOR_PAGE.function(_xor_case, _fresh_xor)


_VOTERS = 5


def vote_of(n: int, feature: str = "none", function: str = "majority") -> str:
    """The lab's state when n, the function and the derived attribute have been set."""
    state = start(n=3, function="majority")
    for control, given in (("function", function), ("n", n), ("feature", feature)):
        state = update(state, Set(control, given))
    return dump(state)


def _votes(state: State) -> bool:
    return state.function == "majority" and state.n >= _VOTERS


def _one(state: State) -> bool:
    return state.grown.internal == 1


VOTE = page(__file__, "vote").exercise(
    Do(
        load,
        (
            Goal(
                _votes,
                lambda state: f"the function: {state.function} of {state.n}",
                f"majority of at least {_VOTERS}",
            ),
            Goal(_one, lambda state: f"internal nodes: {state.grown.internal}", "1"),
        ),
        blank=lambda state: (state.function, state.n, state.feature) == (*state.begun, "none"),
    ),
    seen={
        "odd": misses(vote_of(5, "parity"), lambda s: _votes(s) and s.feature == "parity", 1),
        "votes alone": misses(
            vote_of(5), lambda s: _votes(s) and s.feature == "none" and not _one(s), 1
        ),
        "another function": misses(
            vote_of(5, "parity", "xor"), lambda s: s.function != "majority" and _one(s), 0
        ),
        "many questions": misses(
            vote_of(5, "none", "xor"), lambda s: s.function != "majority" and not _one(s), 0, 1
        ),
        "too few": misses(
            vote_of(3, "sum"), lambda s: s.function == "majority" and s.n < _VOTERS and _one(s), 0
        ),
    },
)
