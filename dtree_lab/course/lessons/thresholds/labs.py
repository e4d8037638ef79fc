"""What is done in the labs: two bell curves, a staircase, and a small tree for real birds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from dtree_lab.base.text import number, plural
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Do, Goal, Grow, Handed, when
from dtree_lab.course.tasks.do import asks_three_ways, n_wrong, nodes_at_most, wrong_at_most
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


def _untouched(state: Cutting) -> bool:
    return threshold_text.dump(state) == threshold_text.dump(_begun())


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
        _untouched,
    ),
    seen={
        "variances": Mistake(
            _at(equal=False, priors="equal"), when=when(lambda state: not state.equal, 0)
        ),
        "priors": Mistake(
            _at(equal=True, priors="rows"), when=when(lambda state: state.priors != "equal", 1)
        ),
        "highest gain": Mistake(
            _at(equal=True, priors="equal", cut=_best()),
            when=when(lambda state: _beside(state) and abs(state.cut - _best()) < _NEAR, 2),
        ),
        "elsewhere": Mistake(
            _at(equal=True, priors="equal", cut=_begun().cut),
            when=when(lambda state: _beside(state) and abs(state.cut - _best()) >= _NEAR, 2),
        ),
        "tau": Mistake(
            _at(equal=True, priors="equal", log_tau=2.0),
            when=when(lambda state: state.log_tau != 0, 2),
        ),
    },
)


Place = tuple[float, float, int]
Hinted = Callable[[tuple[Outcome, ...]], tuple[int, ...]]


MOST_POINTS, LEAST_LEAVES = 10, 5
# As many as the lab draws at least; whoever places so many by hand has not read the exercise.
_DRAWN = 20
_ALIKE = 1e-9


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


def _touched() -> str:
    """The 150 points that the lab starts with, and one more."""
    return plane_text.dump(update(start(), Point("plane", 0.1, 0.1)))


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
            Goal(
                lambda state: leaves(state) >= LEAST_LEAVES,
                lambda state: f"leaves of the tree on x1 and x2: {leaves(state)}",
                f"at least {LEAST_LEAVES}",
            ),
        ),
        lambda state: not state.edits,
    ),
    seen={
        "old points": Mistake(_touched(), when=when(lambda s: len(s.rows) >= _DRAWN, 0)),
        "too many": Mistake(
            lab_with_points([(x, y, k) for x in (0.1, 0.2, 0.3) for y, k in _COLUMN]),
            when=when(lambda s: _crowded(s) and len(s.rows) < _DRAWN, 0),
        ),
        "apart": Mistake(
            lab_with_points(_FAR),
            when=when(lambda s: not _crowded(s) and slanted(s) and leaves(s) == 2, 2),  # noqa: PLR2004
        ),
        "short": Mistake(
            lab_with_points(_SHORT),
            when=when(
                lambda s: not _crowded(s) and slanted(s) and 2 < leaves(s) < LEAST_LEAVES,  # noqa: PLR2004
                2,
            ),
        ),
        "mixed": Mistake(
            lab_with_points(_MIXED),
            when=when(lambda s: not _crowded(s) and _classes(s) == 2 and not slanted(s), 1),  # noqa: PLR2004
        ),
        "one class": Mistake(
            lab_with_points([(0.2, 0.8, 0), (0.5, 0.5, 0)]),
            when=when(lambda s: not _crowded(s) and _classes(s) != 2, 0),  # noqa: PLR2004
        ),
    },
)


MOST_NODES, MOST_WRONG = 9, 10


def _grown(holds: Callable[[Tree], bool], *goals: int) -> Hinted:
    return when(lambda handed: isinstance(handed, Handed) and holds(handed.tree), *goals)


def _large(tree: Tree) -> bool:
    return tree.n_nodes > MOST_NODES


def _careless(tree: Tree) -> bool:
    return n_wrong(tree, whole_penguins()) > MOST_WRONG


def _spent(tree: Tree) -> bool:
    return _careless(tree) and MOST_NODES - 1 <= tree.n_nodes <= MOST_NODES


SMALL_TREE = page(__file__, "small-tree").exercise(
    Grow(whole_penguins, (nodes_at_most(MOST_NODES), wrong_at_most(MOST_WRONG, whole_penguins))),
    seen={
        "too large": Mistake(
            id3(whole_penguins()), when=_grown(lambda tree: _large(tree) and not _careless(tree), 0)
        ),
        "too small": Mistake(
            stump(whole_penguins()),
            when=_grown(lambda tree: _careless(tree) and tree.n_nodes + 2 <= MOST_NODES, 1),
        ),
        "islands": Mistake(
            id3(whole_penguins(), max_leaves=5),
            when=_grown(lambda tree: _spent(tree) and asks_three_ways(tree), 1),
        ),
        "spent": Mistake(
            c45(whole_penguins(), max_leaves=5),
            when=_grown(lambda tree: _spent(tree) and not asks_three_ways(tree), 1),
        ),
        "careless": Mistake(
            id3(whole_penguins(), max_leaves=6),
            when=_grown(lambda tree: _careless(tree) and _large(tree), 0, 1),
        ),
    },
)
