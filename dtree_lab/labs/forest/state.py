"""The state of the forest lab, and one row before the forest: its votes and its neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from dtree_lab.base.random import checked_seed, key_of
from dtree_lab.base.text import bits, number, plural, value
from dtree_lab.draw.measure import shortened
from dtree_lab.ensemble.forest import Forest, Importance
from dtree_lab.labs.forest.growth import (
    Filling,
    ForestGrowth,
    ForestMember,
    forest_of,
    near,
    votes_for,
)
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.controls import Slider
from dtree_lab.labs.kit.parts import BarItem, Bars, Controls, Grid, Part, Words
from dtree_lab.labs.kit.taking import (
    MOST_GROWN,
    check_few_classes,
    classified,
    ends,
    numbered,
    origin,
    row_found,
    row_number,
)
from dtree_lab.populations.base import between, whole
from dtree_lab.table.table import Table
from dtree_lab.tree.subtrees import path_of
from dtree_lab.tree.tree import Path

MOST_TREES, MOST_ROWS, MOST_NOISE, MOST_GAPS = 200, 10_000, 0.5, 0.4
# Of very many classes a tree would take longer than a person waits: rows times classes.
MANY_CLASSES, MOST_CELLS = 100, 50_000
# So many trees grow at once with an action, so that there is always something to see.
FIRST = 1


@dataclass(frozen=True)
class ForestLabSettings:
    """What a person chooses about the forest.

    Attributes
    ----------
    trees, m
        How many trees, and how many attributes a node draws.
    noise, gaps
        The share of labels turned over, and that of values taken away to be estimated.
    seed
        Where all chance comes from.
    """

    trees: int
    m: int
    noise: float
    gaps: float
    seed: int


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the lab is; `start` makes the first one.

    Attributes
    ----------
    own_rows
        How many rows the table had that was given; those of `growth.clean` are used.
    asked, first
        What is chosen now, and what was in the beginning.
    growth
        The trees so far.
    filling
        The estimates of values taken away; None if none were.
    permuted
        The importance by permutation; None as long as it is not worked out.
    row, tree
        The row and the tree that are looked at, from 0.
    node
        The node that is looked at in the tree; None for the one where the row stops.
    status
        What the last action changed.
    """

    own_rows: int
    asked: ForestLabSettings
    first: ForestLabSettings
    growth: ForestGrowth
    filling: Filling | None = None
    permuted: Importance | None = None
    row: int = 0
    tree: int = 0
    node: Path | None = None
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
    """The rows of a table that a forest can be grown on: those without gaps.

    Raises
    ------
    TypeError, ValueError
        For what is no table, a continuous target, too many classes, or no attribute.
    """
    rows = classified(table)
    check_few_classes(rows.target, MOST_GROWN)
    if not rows.attributes:
        msg = "a forest needs at least one attribute to ask about; this table has none"
        raise ValueError(msg)
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
    """The state before anything was done.

    Parameters
    ----------
    table
        The rows.
    asked
        `trees`, `m`, `noise`, `gaps` and `seed`, any of them left out or None; and the `row` and
        `tree` to look at.

    Raises
    ------
    TypeError, ValueError
        As :func:`usable` does, and for a setting out of range, naming it.
    """
    rows = usable(table)
    said = {name: value for name, value in asked.items() if value is not None}
    settings = _checked(rows, said)
    row = row_found(rows, _within("row", said.get("row", 0), 0, origin(rows).n_rows - 1))
    tree = _within("tree", said.get("tree", 0), 0, MOST_TREES - 1)
    growth, filling = begun(rows, settings)
    return State(whole_of(table).n_rows, settings, settings, growth, filling, row=row, tree=tree)


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


def _within(name: str, given: Any, low: int, high: int) -> int:
    n = whole(name, given, low)
    if n > high:
        msg = f"{name}={given!r} must be at most {high}"
        raise ValueError(msg)
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


MOST_NEAR, MOST_SHOWN, MOST_CLASSES, WIDE = 6, 4, 8, 40


def row_parts(state: State) -> list[Part]:
    """All that is shown of the chosen row."""
    slider = Slider("row", "Row", row_number(state.clean, state.row), *ends(state.clean))
    return [
        Controls(
            area="side",
            stage=1,
            id="row-choice",
            label="The row that votes are counted for",
            controls=[slider],
            heading="Votes for one row",
        ),
        Words(area="side", stage=1, id="row", lines=_about(state)),
        _votes(state),
        Words(area="side", stage=1, id="margin", lines=_margin(state)),
        _near(state),
    ]


def nearest(state: State) -> list[int]:
    """The chosen row, and those that share a leaf with it in most trees; the first win a tie."""
    proximity = near(state.growth, state.n, state.row).copy()
    proximity[state.row] = np.inf
    order: list[int] = np.argsort(-proximity, kind="stable")[: MOST_NEAR + 1].tolist()
    return order


def short(v: object) -> str:
    """A class or a name, cut where it is long."""
    return shortened(value(v), WIDE)


def cell(v: object) -> str:
    """A value of an attribute; a number with six digits."""
    return number(float(f"{v:.6g}")) if isinstance(v, float) else short(v)


def _about(state: State) -> list[str]:
    row, table = state.table.row(state.row), state.table
    names = [attribute.name for attribute in table.attributes]
    said = ", ".join(f"{short(name)} = {cell(row[name])}" for name in names[:MOST_SHOWN])
    more = len(names) - MOST_SHOWN
    if more > 0:
        said += f" and {plural(more, 'other attribute')}"
    label = short(row[table.target.name])
    came = short(state.clean.classes[state.clean.labels[state.row]])
    turned = (
        ""
        if state.clean.labels[state.row] == table.labels[state.row]
        else (f", turned over by noise from {came}")
    )
    return [f"{said}. Its label: {label}{turned}."]


def _votes(state: State) -> Bars:
    every, out = votes_for(state.growth, state.n, state.row)
    order = np.argsort(-every, kind="stable")[:MOST_CLASSES].tolist()
    n, free = int(every.sum()), int(out.sum())
    bars = [
        BarItem(
            short(state.table.classes[k]),
            every[k] / n,
            f"{every[k]} of {plural(n, 'tree')}",
            f"out of bag {out[k]} of {free}",
        )
        for k in (sorted(order) if len(every) <= MOST_CLASSES else order)
    ]
    return Bars(area="side", stage=1, id="votes", label="Votes for each class", bars=bars)


def _margin(state: State) -> list[str]:
    every, out = votes_for(state.growth, state.n, state.row)
    label = int(state.table.labels[state.row])
    says = f"The forest says {_winner(state, every)}. Margin {bits(margin(every, label))}:"
    lines = [f"{says} the share of votes for its label less the largest share of another class."]
    if out.sum():
        lines.append(
            f"By the {plural(int(out.sum()), 'tree')} that did not see this row it is"
            f" {_winner(state, out)}: margin {bits(margin(out, label))}."
        )
    else:
        lines.append("Every tree saw this row, so none can judge it without prejudice.")
    if len(every) > MOST_CLASSES:
        rest = plural(len(every) - MOST_CLASSES, "class", "classes")
        lines.append(f"{rest} with fewer votes not shown.")
    return lines


def _winner(state: State, votes: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    """The class with most votes."""
    tied = ", the first class in a tie" if (votes == votes.max()).sum() > 1 else ""
    return short(state.table.classes[int(votes.argmax())]) + tied


def margin(votes: np.ndarray[tuple[int], np.dtype[np.int64]], label: int) -> float:
    """The share of votes for the label less the largest share of another class (Breiman 2001)."""
    others = np.delete(votes, label)
    return float((votes[label] - others.max(initial=0)) / votes.sum())


def _near(state: State) -> Grid:
    rows, table = nearest(state), state.table
    proximity = near(state.growth, state.n, state.row)
    names = [attribute.name for attribute in table.attributes[: MOST_SHOWN - 1]]
    lines = []
    for i in rows:
        row = table.row(i)
        own = "chosen" if i == state.row else f"{proximity[i]:.2f}"
        values = [cell(row[name]) for name in names]
        lines.append([str(row_number(state.clean, i)), own, short(row[table.target.name]), *values])
    hidden = len(table.attributes) - len(names)
    return Grid(
        drawer="The nearest rows",
        stage=2,
        id="near",
        label="Rows near to the chosen one; choose one to look at it",
        head=["row", "proximity", *map(short, (table.target.name, *names))],
        rows=lines,
        classes=2,
        pick=True,
        current=0,
        keys=rows,
        more="Proximity: the share of the trees in which two rows stop in the same leaf."
        + (f" {plural(hidden, 'other attribute')} not shown." if hidden else ""),
    )
