"""The state of the forest lab, and which rows are near to one, or doubtful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from dtree_lab.base.random import checked_seed, key_of
from dtree_lab.base.text import number, value
from dtree_lab.base.types import Floats, Ints
from dtree_lab.draw.measure import shortened
from dtree_lab.ensemble.forest import Forest, Importance
from dtree_lab.labs.forest.growth import Filling, ForestGrowth, ForestMember, forest_of, near
from dtree_lab.labs.kit.actions import NotPossibleError, whole_number
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.settings import choice, nested, remembered, slider
from dtree_lab.labs.kit.taking import (
    MOST_GROWN,
    check_few_classes,
    classified,
    ends,
    given,
    numbered,
    origin,
    position,
    row_found,
)
from dtree_lab.populations.base import between, whole
from dtree_lab.table.table import Table
from dtree_lab.tree.subtrees import path_of
from dtree_lab.tree.tree import Path

MOST_TREES, MOST_ROWS, MOST_NOISE, MOST_GAPS = 200, 10_000, 0.5, 0.4
# Of very many classes a tree would take longer than a person waits: rows times classes.
MANY_CLASSES, MOST_CELLS = 100, 50_000
# What there is room for beside the wall; the others lie in drawers of these names.
BESIDE = {
    "errors": "The error as trees are added",
    "tree": "One of the trees",
    "worth": "What the attributes are worth",
}
# So many trees grow at once with an action, so that there is always something to see.
FIRST = 1


def _one_class(state: State, noise: float) -> float:
    if noise and len(state.table.classes) == 1:
        msg = "All rows have one class, so there is no other to turn a label over to."
        raise NotPossibleError(msg)
    return noise


@dataclass(frozen=True)
class ForestLabSettings:
    """What a person chooses about the forest: `m` is how many attributes a node draws."""

    trees: int = slider(1, MOST_TREES, "Trees", what="The number of trees")
    m: int = slider(
        1,
        lambda state: len(state.table.attributes),
        "Attributes drawn at a node",
        what="The number of attributes drawn",
    )
    noise: float = slider(0, MOST_NOISE, "Noise", step=0.01, also=_one_class)
    gaps: float = slider(
        0, MOST_GAPS, "Values taken away", step=0.05, what="The share of values taken away"
    )
    seed: int = remembered(int)


def _row(state: State, given_: object) -> int:
    at = whole_number(given_, 1, given(state.clean).n_rows, "The row")
    return position(state.clean, at, state.row)


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the lab is; `start` makes the first one.

    Of the `own_rows` of the table that was given those of `growth.clean` are used. `asked` and
    `first` are what is chosen now, and was in the beginning; `home` is the row of then. The row and
    the tree that are looked at count from 0; `node` is None for the one where the row stops.
    """

    own_rows: int
    first: ForestLabSettings
    growth: ForestGrowth
    asked: ForestLabSettings = nested(ForestLabSettings)
    filling: Filling | None = None
    permuted: Importance | None = None
    row: int = slider(
        lambda state: ends(state.clean)[0],
        lambda state: ends(state.clean)[1],
        "Row",
        default=0,
        check=_row,
    )
    tree: int = slider(
        1,
        lambda state: state.asked.trees,
        "Tree",
        default=0,
        trait="shown",
        check=lambda state, n: whole_number(n, 1, state.asked.trees, "The tree") - 1,
    )
    home: int = 0
    node: Path | None = remembered(str, type(None), default=None)
    beside: str = choice(
        BESIDE,
        "Beside",
        default="errors",
        optional=True,
        check=lambda _, beside: one_of(beside),
    )
    status: str = ""

    @property
    def clean(self) -> Table:
        """The rows with the labels that they came with."""
        return self.growth.clean

    @property
    def table(self) -> Table:
        """The rows that the forest is grown on, some labels turned over."""
        return self.growth.table

    @property
    def n(self) -> int:
        """How many trees there are so far, of those that are asked for."""
        return min(len(self.growth.members), self.asked.trees)

    @property
    def growing(self) -> bool:
        """Whether trees are still to be grown."""
        return len(self.growth.members) < self.asked.trees

    @property
    def forest(self) -> Forest:
        """The trees so far, as ``dt.random_forest`` gives them."""
        return forest_of(self.growth, self.n)

    @property
    def shown(self) -> int:
        """The tree that is shown: the chosen one, if it has grown."""
        return min(self.tree, self.n - 1)

    @property
    def member(self) -> ForestMember:
        """The tree that is shown, and what it says."""
        return self.growth.members[self.shown]

    @property
    def way(self) -> Path:
        """Where the row stops in the tree that is shown."""
        return path_of(self.member.tree.flat, int(self.member.nodes[self.row]))

    @property
    def looked_at(self) -> Path:
        """The chosen node, if the tree that is shown has it; else where the row stops."""
        known = self.node is not None and node_at(self.member.tree.root, self.node) is not None
        return self.node if known and self.node is not None else self.way


def whole_of(table: Table) -> Table:
    """The rows of a table that a forest can be grown on: those without gaps."""
    rows = classified(table)
    check_few_classes(rows.target, MOST_GROWN)
    if not rows.attributes:
        raise ValueError("a forest needs at least one attribute to ask about; this table has none")
    return rows


def usable(table: Table) -> Table:
    """Those that are used: of a very large table, some drawn at random. Raises as above."""
    rows = whole_of(table)
    many = len(rows.classes) > MANY_CLASSES
    most = MOST_CELLS // len(rows.classes) if many else MOST_ROWS
    if rows.n_rows <= most:
        return rows
    rng = np.random.default_rng(int(key_of(0, rows.n_rows)[0]))
    return numbered(rows).take(np.sort(rng.choice(rows.n_rows, size=most, replace=False)))


def start(table: Table, asked: Mapping[str, Any]) -> State:
    """The state before anything was done."""
    rows = usable(table)
    said = {name: value for name, value in asked.items() if value is not None}
    settings = _checked(rows, said)
    row = row_found(rows, _within("row", said.get("row", 0), 0, origin(rows).n_rows - 1))
    tree = _within("tree", said.get("tree", 0), 0, MOST_TREES - 1)
    beside = one_of(said.get("beside", "errors"))
    growth, filling = begun(rows, settings)
    return State(
        whole_of(table).n_rows,
        settings,
        growth,
        settings,
        filling,
        row=row,
        tree=tree,
        home=row,
        beside=beside,
    )


def one_of(beside: object) -> str:
    """A key of :data:`BESIDE`, checked."""
    if not isinstance(beside, str) or beside not in BESIDE:
        msg = f"beside the wall can stand {', '.join(map(repr, BESIDE))}; got {beside!r}"
        raise ValueError(msg)
    return beside


def usual_m(table: Table) -> int:
    """Breiman's: the square root of the number of attributes."""
    return max(1, round(sqrt(len(table.attributes))))


def _checked(table: Table, said: Mapping[str, Any]) -> ForestLabSettings:
    noise = between("noise", said.get("noise", 0.0), 0, MOST_NOISE)
    if noise and len(table.classes) == 1:
        msg = "noise turns labels over to other classes, but the target has a single class"
        raise ValueError(msg)
    return ForestLabSettings(
        _within("trees", said.get("trees", 50), 1, MOST_TREES),
        _within("m", said.get("m", usual_m(table)), 1, len(table.attributes)),
        noise,
        between("gaps", said.get("gaps", 0.0), 0, MOST_GAPS),
        int(checked_seed(said.get("seed", 0))),
    )


def _within(name: str, wanted: Any, low: int, high: int) -> int:
    n = whole(name, wanted, low)
    if n > high:
        raise ValueError(f"{name}={wanted!r} must be at most {high}")
    return n


def begun(clean: Table, asked: ForestLabSettings) -> tuple[ForestGrowth, Filling | None]:
    """The first trees of a forest, and gaps that nothing has been put into."""
    growth = ForestGrowth.of(clean, asked.m, asked.noise, asked.seed).more(min(FIRST, asked.trees))
    return growth, emptied(growth.table, asked)


def emptied(table: Table, asked: ForestLabSettings) -> Filling | None:
    """The table with the gaps that are asked for, if there are any."""
    return Filling.of(table, asked.gaps, asked.m, asked.seed) if asked.gaps else None


def asking(state: State, asked: ForestLabSettings) -> State:
    """The state with other settings; what was worked out is kept where it still holds."""
    if asked == state.asked:
        return state
    now = replace(state, asked=asked, permuted=None, status="")
    if (asked.m, asked.noise, asked.seed) != (state.asked.m, state.asked.noise, state.asked.seed):
        growth, filling = begun(state.clean, asked)
        return replace(now, growth=growth, filling=filling, node=None)
    if asked.gaps != state.asked.gaps:
        kept = state.permuted if asked.trees == state.asked.trees else None
        return replace(now, filling=emptied(state.table, asked), permuted=kept)
    tree = min(state.tree, asked.trees - 1)
    return replace(now, tree=tree, node=state.node if tree == state.tree else None)


MOST_NEAR, WIDE = 6, 40


def nearest(state: State) -> list[int]:
    """The chosen row, and those that share a leaf with it in most trees; the first win a tie."""
    proximity = near(state.growth, state.n, state.row).copy()
    proximity[state.row] = np.inf
    order: list[int] = np.argsort(-proximity, kind="stable")[: MOST_NEAR + 1].tolist()
    return order


def doubtful(state: State) -> list[int]:
    """The rows, those that the forest doubts most first: by their margin, out of bag."""
    found = forest_of(state.growth, state.n).oob_votes
    margins = margins_of(found, state.table.labels)
    order: list[int] = np.argsort(margins, kind="stable")[:MOST_DOUBTFUL].tolist()
    return order


MOST_DOUBTFUL = 30


def margins_of(votes: Ints, labels: Ints) -> Floats:
    """The margin of each row: 1 where nobody voted, so that such rows come last."""
    own = votes[np.arange(len(labels)), labels]
    others = votes.copy()
    others[np.arange(len(labels)), labels] = -1
    most = others.max(axis=1, initial=0)
    n = votes.sum(axis=1)
    found: Floats = np.where(n > 0, (own - most) / np.maximum(n, 1), np.inf)
    return found


def short(v: object) -> str:
    """A class or a name, cut where it is long."""
    return shortened(value(v), WIDE)


def cell(v: object) -> str:
    """A value of an attribute; a number with six digits."""
    return number(float(f"{v:.6g}")) if isinstance(v, float) else short(v)


def margin(votes: np.ndarray[tuple[int], np.dtype[np.int64]], label: int) -> float:
    """The share of votes for the label less the largest share of another class (Breiman 2001)."""
    others = np.delete(votes, label)
    return float((votes[label] - others.max(initial=0)) / votes.sum())
