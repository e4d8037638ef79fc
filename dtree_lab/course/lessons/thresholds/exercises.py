"""Cuts of a column and where two bell curves cross; what is done in the labs, and a small tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np

from dtree_lab.base.text import number, plural
from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Goal, Grow
from dtree_lab.course.tasks.do import (
    asks_three_ways,
    at_least,
    misses,
    n_wrong,
    nodes_at_most,
    wrong_at_most,
)
from dtree_lab.datasets import penguins
from dtree_lab.grow.api import c45, id3, stump
from dtree_lab.labs.kit.actions import Point, Press, Set
from dtree_lab.labs.plane import model as plane_text
from dtree_lab.labs.plane.data import GROWERS
from dtree_lab.labs.plane.model import State, start, update
from dtree_lab.labs.threshold import model as threshold_text
from dtree_lab.labs.threshold.model import State as Cutting
from dtree_lab.labs.threshold.model import start as bells_start
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Tree

_ALIKE = 1e-9
_MIDPOINTS = page(__file__, "candidates")
midpoints = _MIDPOINTS.right()


def parted(
    values: Sequence[float], labels: Sequence[str], cut: float
) -> tuple[list[int], list[int]]:
    """How many of each label lie below a cut, and how many at or above it."""
    names = sorted(set(labels))
    pairs = list(zip(values, labels, strict=True))
    below = [label for value, label in pairs if value < cut]
    above = [label for value, label in pairs if value >= cut]
    return [below.count(n) for n in names], [above.count(n) for n in names]


def remaining(below: Sequence[int], above: Sequence[int]) -> float:
    """H(Y|X) of the two sides, in bits."""
    n = sum(below) + sum(above)
    return sum(sum(side) / n * entropy_of(side) for side in (below, above) if sum(side))


def best_cuts(
    values: Sequence[float],
    labels: Sequence[str],
    cost: Callable[[Sequence[int], Sequence[int]], float] = remaining,
) -> list[float]:
    """All midpoints with the least cost."""
    costs = {cut: cost(*parted(values, labels, cut)) for cut in midpoints(values)}
    least = min(costs.values())
    return [cut for cut, one in costs.items() if one <= least + _ALIKE]


_SHOWN = ("the order of the values", "a value that comes several times", "numbers below 0")


def _fresh_columns(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(-20, 20, size=n).tolist() for n in (5, 12, 30)]
    return tuple(map(_MIDPOINTS.case, _SHOWN, drawn))


CANDIDATES = _MIDPOINTS.function(_MIDPOINTS.case, _fresh_columns)


_BINARY = page(__file__, "binary-features")
_PLACES = (
    "what lies below and what does not",
    "a value that is exactly a threshold",
    "the order",
)


def _features_case(behaviour: str, values: list[float], thresholds: list[float]) -> Case:
    ones = _BINARY.right()(values, thresholds)
    # A truth value says the same as a 1 or a 0.
    truths = [[bool(x) for x in row] for row in ones]
    return Case((values, thresholds), (ones, truths), wanted=str(ones), behaviour=behaviour)


def _fresh_features(rng: np.random.Generator) -> Iterator[Case]:
    for (n, m), behaviour in zip(((6, 4), (5, 7), (4, 3)), _PLACES, strict=True):
        values = rng.integers(0, 20, size=n).tolist()
        thresholds = rng.integers(0, 20, size=m) + 0.5
        if behaviour == _PLACES[1]:
            thresholds[0] = values[0]
        in_order = behaviour != _PLACES[2]
        own = np.sort(thresholds) if in_order else rng.permutation(thresholds)
        yield _features_case(behaviour, values, own.tolist())


BINARY_FEATURES = _BINARY.function(_features_case, _fresh_features)


_BEST = page(__file__, "best-threshold")
_MANY, _FIRST_B = 8_000, 2_500


def _too_slow(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Only the large case hangs."""
    last = len(_BEST.cases) - 1
    hung = [i for i, o in enumerate(outcomes) if o.kind == "hung"]
    return (last,) if hung == [last] else ()


def _widest(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The wrong cases, where every cut lies in a gap than which none is wider."""
    own = outcomes[: len(_BEST.cases)]
    for (_, values, _), outcome in zip(_BEST.cases, own, strict=True):
        pairs = pairwise(sorted(set(values)))
        gaps = {(low + high) / 2: high - low for low, high in pairs}
        if gaps.get(outcome.value) != max(gaps.values()):
            return []
    lines = BEST_THRESHOLD.task.judge(own)
    return [i for i, line in enumerate(lines) if not line.passed]


_USUAL, _SHARED, _SWIFT = (
    "the least entropy, weighed",
    "a value that several rows share",
    "many rows in little time",
)


def _search_case(behaviour: str, values: list[float], labels: str) -> Case:
    many = len(values) == _MANY  # out of order, with one best cut that can be told without counting
    wants = (_FIRST_B - 0.5,) if many else tuple(best_cuts(values, list(labels)))
    says = f"{_MANY:,} rows" if many else ""
    return Case((values, list(labels)), wants, says, behaviour=behaviour)


def _fresh_searches(rng: np.random.Generator) -> Iterator[Case]:
    for n, k, behaviour in ((8, 2, _USUAL), (20, 2, _SWIFT), (40, 3, _USUAL)):
        values = [float(x) for x in rng.permutation(3 * n)[:n]]
        labels = "".join("abc"[c] for c in rng.integers(0, k, n))
        yield _search_case(behaviour, values, labels)
    often = [float(x) for x in rng.integers(0, 6, 15)]
    yield _search_case(_SHARED, often, "".join("ab"[c] for c in rng.integers(0, 2, 15)))


BEST_THRESHOLD = _BEST.function(
    _search_case, _fresh_searches, {"too slow": _too_slow, "widest": _widest}
)


_GAUSSIAN = page(__file__, "gaussian")
_PRIORS, _SIDES, _TAU = "the priors", "which class has the larger mean", "τ"


def _fresh_bells(rng: np.random.Generator) -> Iterator[Case]:
    for behaviour, taus in ((_PRIORS, [1]), (_SIDES, [1]), (_TAU, [0.5, 4]), (_TAU, [2, 3])):
        minus, plus = sorted(rng.choice(range(10, 60), 2, replace=False).tolist())
        if behaviour == _SIDES:
            minus, plus = plus, minus
        tau, p_plus = float(rng.choice(taus)), float(rng.choice([0.2, 0.6]))
        yield _GAUSSIAN.case(behaviour, plus, minus, int(rng.integers(4, 50)), p_plus, tau)


GAUSSIAN = _GAUSSIAN.function(_GAUSSIAN.case, _fresh_bells)


_NEAR = 0.1


@cache
def whole_penguins() -> Table:
    """The penguins without a gap."""
    return penguins("drop")


def two_species() -> Table:
    """The bill lengths of the Adelie and Chinstrap penguins without a gap."""
    rows = [row for row in whole_penguins().rows() if row["species"] != "Gentoo"]
    columns = {name: [row[name] for row in rows] for name in ("bill_length_mm", "species")}
    return Table.from_columns(columns, target="species")


@cache
def _begun() -> Cutting:
    return bells_start(two_species())


def _off(state: Cutting) -> float:
    """How far the cut is from the nearest crossing."""
    return min((abs(state.cut - place) for place in state.fit.crossings), default=float("inf"))


def _beside(state: Cutting) -> bool:
    """Whether the cut is all that is wrong with τ = 1."""
    return state.log_tau == 0 and _off(state) > _NEAR


def _at(*, equal: bool, priors: str, cut: float | None = None, log_tau: float = 0.0) -> str:
    """The lab's text with some settings, and the cut where the curves then cross."""
    state = replace(_begun(), equal=equal, priors=priors, log_tau=log_tau)  # type: ignore[arg-type] # texts both
    return threshold_text.dump(replace(state, cut=state.fit.crossings[-1] if cut is None else cut))


def _best() -> float:
    best = _begun().curve.best
    assert best is not None  # noqa: S101 - penguins differ
    return best


HALF_WAY = page(__file__, "half-way").exercise(
    Do(
        lambda text: threshold_text.load(text, _begun().curve.table),
        (
            Goal(
                lambda state: state.equal,
                lambda state: "one variance" if state.equal else "a variance for each class",
                "one variance for all classes",
            ),
            Goal(
                lambda state: state.priors == "equal",
                lambda state: (
                    "the same prior for each class"
                    if state.priors == "equal"
                    else "the shares of the rows as priors"
                ),
                "the same prior for each class",
            ),
            Goal(
                lambda state: state.log_tau == 0 and _off(state) <= _NEAR,
                lambda state: (
                    f"cut at {number(round(state.cut, 3))}, τ = {number(2**state.log_tau)}"
                ),
                "with τ = 1, a cut where these curves cross",
            ),
        ),
        lambda state: threshold_text.dump(state) == threshold_text.dump(_begun()),
    ),
    seen={
        "variances": misses(_at(equal=False, priors="equal"), lambda state: not state.equal, 0),
        "priors": misses(_at(equal=True, priors="rows"), lambda state: state.priors != "equal", 1),
        "highest gain": misses(
            _at(equal=True, priors="equal", cut=_best()),
            lambda state: _beside(state) and abs(state.cut - _best()) < _NEAR,
            2,
        ),
        "elsewhere": misses(
            _at(equal=True, priors="equal", cut=_begun().cut),
            lambda state: _beside(state) and abs(state.cut - _best()) >= _NEAR,
            2,
        ),
        "tau": misses(
            _at(equal=True, priors="equal", log_tau=2.0), lambda state: state.log_tau != 0, 2
        ),
    },
)


Place = tuple[float, float, int]


MOST_POINTS, LEAST_LEAVES = 10, 5
# As many as the lab draws at least; whoever places so many by hand has not read the exercise.
_DRAWN = 20


def leaves(state: State) -> int:
    """The leaves of the tree on x1 and x2, grown to the end by the recipe that is set."""
    table = state.rows.table()
    return 0 if table is None else GROWERS[state.recipe.method](table).n_leaves


def _classes(state: State) -> int:
    return len(set(state.rows.labels.tolist()))


def slanted(state: State) -> bool:
    """Whether one cut of x1 + x2, or of x1 - x2, parts two classes without a mistake."""
    rows = state.rows
    if _classes(state) != 2:  # noqa: PLR2004 - a cut has two sides
        return False
    first = rows.labels == rows.labels[0]
    for along in (rows.x + rows.y, rows.x - rows.y):
        here, there = along[first], along[~first]
        if here.max() < there.min() - _ALIKE or there.max() < here.min() - _ALIKE:
            return True
    return False


def lab_with_points(points: Sequence[Place]) -> str:
    """The lab's text after all points were cleared and these placed."""
    state = update(start(), Press("clear"))
    for x, y, k in points:
        state = update(update(state, Set("click", str(k))), Point("plane", x, y))
    return plane_text.dump(state)


def _crowded(state: State) -> bool:
    return len(state.rows) > MOST_POINTS


_FAR = [(0.2, 0.2, 0), (0.3, 0.1, 0), (0.8, 0.9, 1), (0.7, 0.8, 1)]
_SHORT = [(0.1, 0.8, 0), (0.2, 0.9, 1), (0.3, 0.6, 0), (0.4, 0.7, 1)]
_COLUMN = [(0.1, 0), (0.2, 0), (0.8, 1), (0.9, 1)]
_MIXED = [
    (x / 10, y / 10, (x + y) % 2) for x, y in [(2, 2), (2, 5), (5, 2), (5, 5), (8, 2), (8, 5)]
]

STAIRCASE = page(__file__, "staircase").exercise(
    Do(
        plane_text.load,
        (
            Goal(
                lambda state: len(state.rows) <= MOST_POINTS and _classes(state) == 2,  # noqa: PLR2004
                lambda state: (
                    f"{plural(len(state.rows), 'point')}, different classes: {_classes(state)}"
                ),
                f"at most {MOST_POINTS} points of two classes",
            ),
            Goal(
                slanted,
                lambda state: (
                    "one question about a sum or a difference "
                    + ("is enough" if slanted(state) else "is not enough")
                ),
                "a slanting line between the classes",
            ),
            at_least(LEAST_LEAVES, leaves, "leaves of the tree on x1 and x2: {}"),
        ),
        lambda state: not state.edits,
    ),
    seen={
        "old points": misses(  # the 150 that the lab starts with, and one more
            plane_text.dump(update(start(), Point("plane", 0.1, 0.1))),
            lambda s: len(s.rows) >= _DRAWN,
            0,
        ),
        "too many": misses(
            lab_with_points([(x, y, k) for x in (0.1, 0.2, 0.3) for y, k in _COLUMN]),
            lambda s: _crowded(s) and len(s.rows) < _DRAWN,
            0,
        ),
        "apart": misses(
            lab_with_points(_FAR),
            lambda s: not _crowded(s) and slanted(s) and leaves(s) == 2,  # noqa: PLR2004
            2,
        ),
        "short": misses(
            lab_with_points(_SHORT),
            lambda s: not _crowded(s) and slanted(s) and 2 < leaves(s) < LEAST_LEAVES,  # noqa: PLR2004
            2,
        ),
        "mixed": misses(
            lab_with_points(_MIXED),
            lambda s: not _crowded(s) and _classes(s) == 2 and not slanted(s),  # noqa: PLR2004
            1,
        ),
        "one class": misses(
            lab_with_points([(0.2, 0.8, 0), (0.5, 0.5, 0)]),
            lambda s: not _crowded(s) and _classes(s) != 2,  # noqa: PLR2004
            0,
        ),
    },
)


MOST_NODES, MOST_WRONG = 9, 10


def _large(tree: Tree) -> bool:
    return tree.n_nodes > MOST_NODES


def _careless(tree: Tree) -> bool:
    return n_wrong(tree, whole_penguins()) > MOST_WRONG


def _spent(tree: Tree) -> bool:
    return _careless(tree) and MOST_NODES - 1 <= tree.n_nodes <= MOST_NODES


SMALL_TREE = page(__file__, "small-tree").exercise(
    Grow(whole_penguins, (nodes_at_most(MOST_NODES), wrong_at_most(MOST_WRONG, whole_penguins))),
    seen={
        "too large": misses(
            id3(whole_penguins()), lambda h: _large(h.tree) and not _careless(h.tree), 0
        ),
        "too small": misses(
            stump(whole_penguins()),
            lambda h: _careless(h.tree) and h.tree.n_nodes + 2 <= MOST_NODES,
            1,
        ),
        "islands": misses(
            id3(whole_penguins(), max_leaves=5),
            lambda h: _spent(h.tree) and asks_three_ways(h.tree),
            1,
        ),
        "spent": misses(
            c45(whole_penguins(), max_leaves=5),
            lambda h: _spent(h.tree) and not asks_three_ways(h.tree),
            1,
        ),
        "careless": misses(
            id3(whole_penguins(), max_leaves=6),
            lambda h: _careless(h.tree) and _large(h.tree),
            0,
            1,
        ),
    },
)
