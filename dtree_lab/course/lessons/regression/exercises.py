"""The variance, the cut that takes most of it away, a tree that answers, and trees in the lab."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from statistics import pvariance
from typing import Any

import numpy as np

from dtree_lab.continuous.grouping import Regrouping, grouped
from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.bias_variance.exercises import as_given, at, load
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Goal, Grow, Handed
from dtree_lab.course.tasks.do import (
    GROWN_BY_HAND,
    asks_three_ways,
    grown_by,
    misses,
    nodes_at_most,
)
from dtree_lab.datasets import penguins
from dtree_lab.evaluate import holdout
from dtree_lab.grow.api import by_hand, id3
from dtree_lab.labs.biasvariance.model import State
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Tree

# The eight flats of the lesson: area in square metres, and rent in hundreds a month.
_FLATS: tuple[list[float], list[float]] = (
    [20, 25, 30, 40, 55, 60, 75, 110],
    [3, 4, 5, 6, 9, 10, 12, 15],
)

_VARIANCE = page(__file__, "variance")


def _variance_case(numbers: list[float]) -> Case:
    if len(set(numbers)) < len(numbers) or len(numbers) <= 2:  # noqa: PLR2004 - one or two
        shows = "numbers that repeat, and very few of them"
    elif min(numbers) < 0 or any(y != round(y) for y in numbers):
        shows = "numbers below 0, or not whole"
    else:
        shows = "whole numbers, all different"
    return _VARIANCE.case(shows, numbers)


def _fresh_numbers(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(3, 12, 4).tolist()
    drawn = [[round(y, 2) for y in rng.normal(10, 20, n).tolist()] for n in sizes]
    whole = [rng.permutation(40)[:n].tolist() for n in (5, 9)]
    repeated = [rng.choice([3, 8, 14], n).tolist() for n in (7, 1)]
    return tuple(map(_variance_case, (*drawn, *whole, *repeated)))


VARIANCE = _VARIANCE.function(_variance_case, _fresh_numbers)


def _best_cuts(x: Sequence[float], y: Sequence[float]) -> tuple[float, ...]:
    """All cuts that leave the least variance, compared in fractions: a tie is an equality."""

    def cost(cut: float) -> Fraction:
        rows = list(zip(x, y, strict=True))
        below, above = ([Fraction(b) for a, b in rows if (a < cut) is is_] for is_ in (True, False))
        return len(below) * pvariance(below) + len(above) * pvariance(above)

    costs = {(low + high) / 2: cost((low + high) / 2) for low, high in pairwise(sorted(set(x)))}
    return tuple(cut for cut, cost in costs.items() if cost == min(costs.values()))


def _fresh_rows(rng: np.random.Generator) -> tuple[Case, ...]:
    given = []
    for n in rng.integers(2, 14, 6).tolist():
        x = rng.integers(0, 12, n).tolist()
        x[:2] = [0, 11]  # two values at least
        given.append(x)
    # And each kind for certain.
    ordered, other = sorted(rng.permutation(30)[:9].tolist()), rng.permutation(9).tolist()
    given += [ordered, [a + 5 for a in ordered], [30, *other], [40, 3, *other]]
    return tuple(_cut_case(x, rng.integers(0, 30, len(x)).tolist()) for x in given)


def _cut_case(x: list[float], y: list[float]) -> Case:
    shows = "rows in the order of x"
    if x != sorted(x):
        twice = len(set(x)) < len(x)
        shows = f"rows in no order, {'some with the same x' if twice else 'all x different'}"
    return Case((x, y), _best_cuts(x, y), behaviour=shows)


BEST_CUT = page(__file__, "best-cut").function(_cut_case, _fresh_rows)


_PREDICT = page(__file__, "predict")
_GIVEN: dict[str, tuple[list[float], list[float]]] = {
    "flats": _FLATS,
    "mixed": ([4, 1, 4, 2, 9, 6], [7, 1, 9, 2, 30, 14]),
    "the same x": ([3, 3, 3], [1, 2, 9]),
    "a level": ([1, 2, 3], [4, 4, 4]),
}
_DEEP = 3
# Those where the rows that are left cannot be told apart.
_ALIKE = [6, 7]


def _no_cut_to_be_had(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases with rows alike, where these fail and the first ones do not."""
    fails = [o.kind == "raised" and o.value != "RecursionError" for o in outcomes]
    return _ALIKE if all(fails[i] for i in _ALIKE) and not any(fails[:5]) else []


def _fresh_trees(rng: np.random.Generator) -> tuple[Case, ...]:
    """Rows by chance, with labels so fine that no two cuts are equally good."""
    cases: list[Case] = []
    for n, depth in zip(rng.integers(4, 14, 9).tolist(), (0, 1, 2, 3, 1, 2, 1, 9, 9), strict=True):
        x, y = rng.integers(0, 10, n).tolist(), rng.normal(0, 9, n).round(6).tolist()
        x[:2] = [0, 9]  # two values at least
        new = float(rng.integers(-2, 24) / 2)
        if len(cases) in (4, 5, 6):
            new = _best_cuts(x, y)[0]
        cases.append(_tree_case(x, y, depth, new, f"{n} values of x, their labels"))
    return tuple(cases)


def _tree_case(x: list[float], y: list[float], depth: int, new: float, rows: str = "") -> Case:
    rows = "area, rent" if (x, y) == _FLATS else rows or f"{x}, {y}"
    shows = "a number of questions that is given"
    if depth and len(set(x)) > 1 and new in _best_cuts(x, y):
        shows = "a value exactly at a cut"
    elif depth > _DEEP or len(set(x)) == 1 or len(set(y)) == 1:
        shows = "rows that cannot be parted any further"
    return _PREDICT.case(shows, x, y, depth, new, says=f"{rows}, {depth}, {new}")


PREDICT = _PREDICT.function(
    lambda rows, depth, new: _tree_case(*_GIVEN[rows], depth, new),
    _fresh_trees,
    {"alike": _no_cut_to_be_had},
)


NOISE, ROWS = 0.1, 200
# With this noise and so many rows, those at most 8 % above the smallest error, for any seed.
BEST_DEPTHS = (5, 6, 7)


_at = partial(at, source="sine")


def _noise_is_off(state: State) -> bool:
    noise = state.settings.noise
    return noise is None or abs(noise - NOISE) >= 1e-6  # noqa: PLR2004 - as near as a slider gets


def _set(state: State) -> bool:
    asked = state.settings
    right = asked.source == "sine" and asked.n_rows == ROWS and not asked.bagging
    return right and not _noise_is_off(state)


def _settings(state: State) -> str:
    asked = state.settings
    bagging = ", bagged trees" if asked.bagging else ""
    return f"source {asked.source}, noise {asked.noise:g}, {asked.n_rows} rows{bagging}"


DEPTH = page(__file__, "depth").exercise(
    Do(
        load,
        (
            Goal(_set, _settings, f"sine, noise {NOISE}, {ROWS} rows, single trees"),
            Goal(
                lambda state: _set(state) and state.settings.depth in BEST_DEPTHS,
                lambda state: f"depth {state.settings.depth}",
                "with these settings, the depth with the smallest error",
            ),
        ),
        blank=as_given(source="sine"),
    ),
    seen={
        "bagging": misses(
            _at(noise=NOISE, n_rows=ROWS, depth=6, bagging=True),
            lambda state: state.settings.bagging,
            0,
        ),
        "another population": misses(
            _at(source="wave", noise=NOISE, n_rows=ROWS, depth=6),
            lambda state: state.settings.source != "sine",
            0,
        ),
        "noise": misses(
            _at(n_rows=ROWS, depth=6),
            lambda state: state.settings.source == "sine" and _noise_is_off(state),
            0,
        ),
        "rows": misses(_at(noise=NOISE, depth=6), lambda state: state.settings.n_rows != ROWS, 0),
        "too shallow": misses(
            _at(noise=NOISE, n_rows=ROWS, depth=4),
            lambda state: _set(state) and state.settings.depth < BEST_DEPTHS[0],
            1,
        ),
        "too deep": misses(
            _at(noise=NOISE, n_rows=ROWS, depth=10),
            lambda state: _set(state) and state.settings.depth > BEST_DEPTHS[-1],
            1,
        ),
    },
)


MOST_NODES, MOST_OFF = 7, 340
_PAIR = [["Adelie", "Chinstrap"], ["Gentoo"]]


@cache
def _rows() -> tuple[Regrouping, Table]:
    """The known penguins, in groups and as they are; made as in the lesson."""
    measured = penguins("drop")
    birds = {name: measured.column(name) for name in (*measured.names, "species")}
    whole = Table.from_columns(birds, target="body_mass_g")
    known, _ = holdout(whole, seed=1)
    return grouped(known, width=500), known


def _table() -> Table:
    return _rows()[0].table


def _off(handed: Handed) -> float:
    """The root mean squared error on the known penguins, in grams."""
    groups, known = _rows()
    return math.sqrt(groups.error(handed.tree, known))


def _far(handed: Handed) -> bool:
    return _off(handed) > MOST_OFF


def _by_hand(questions: Mapping[tuple[int, ...], Any]) -> Tree:
    return by_hand(_table(), questions)


GROUPED = page(__file__, "grouped").exercise(
    Grow(
        _table,
        (
            Goal(
                lambda handed: not _far(handed),
                lambda handed: f"off by {_off(handed):.0f} g on the known penguins",
                f"at most {MOST_OFF} g",
            ),
            nodes_at_most(MOST_NODES),
            GROWN_BY_HAND,
        ),
    ),
    seen={
        "finished": misses(grown_by("ID3", _table()), lambda handed: bool(handed.finished), 2),
        "too many nodes": misses(
            id3(_table(), max_leaves=12), lambda h: h.tree.n_nodes > MOST_NODES, 1
        ),
        "three ways": misses(
            _by_hand({(): "species", (0,): "sex"}),
            lambda h: _far(h) and h.tree.n_nodes <= MOST_NODES and asks_three_ways(h.tree),
            0,
        ),
        "nodes left": misses(
            _by_hand({(): ("species", _PAIR)}),
            lambda h: _far(h) and h.tree.n_nodes < MOST_NODES - 1 and not asks_three_ways(h.tree),
            0,
        ),
        "nodes spent": misses(
            _by_hand(
                {
                    (): ("flipper_length_mm", 206),
                    (0,): ("bill_length_mm", 40),
                    (1,): ("bill_length_mm", 49),
                }
            ),
            lambda h: (
                _far(h)
                and MOST_NODES - 1 <= h.tree.n_nodes <= MOST_NODES
                and not asks_three_ways(h.tree)
            ),
            0,
        ),
    },
)
