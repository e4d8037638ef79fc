"""The state of a plane lab: everything that the widget is, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.shown import listing
from dtree_lab.widgets.kit.taking import check_few_classes, classified, empty, plain
from dtree_lab.widgets.plane.grown import STUMP, Grown, Recipe, axes, grown
from dtree_lab.widgets.plane.rows import Edit, Rows, drawn, of

if TYPE_CHECKING:
    from dtree_lab.draw.chart import Axis
    from dtree_lab.table import Table
    from dtree_lab.tree import Path

MOST_CLASSES = 20
# What a click does instead of adding a point of a class.
LOOK = "look"
_FARTHEST = 1e150


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one.

    Attributes
    ----------
    source
        The table that was given, without rows that lack a coordinate; None for points of one's own.
    first, rows
        The points at the beginning, and as they are now.
    edits
        What was done to them, in order.
    recipe
        How the tree is grown.
    click
        The code of the class that a click adds, as text, or :data:`LOOK`.
    at
        The place that is typed.
    selected, chosen
        The node of the tree and the point that are looked at; None for no point.
    status
        What to say of the last action.
    """

    source: Table | None
    first: Rows
    rows: Rows
    at: tuple[float, float]
    edits: tuple[Edit, ...] = ()
    recipe: Recipe = STUMP
    click: str = "0"
    selected: Path = ()
    chosen: int | None = None
    status: str = ""

    @property
    def grown(self) -> Grown | None:
        """The tree as it stands; None where there are no points."""
        return grown(self.rows, self.recipe)

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """The frame that the points are placed in."""
        return axes(self.rows)


def start(table: Table | None = None, x: str | None = None, y: str | None = None) -> State:
    """The state before anything was done: a diagonal, or the points of a table.

    Raises
    ------
    ValueError
        For a table without classes or with too many, one without two continuous attributes, one
        without a row that has both, and names that are not two continuous attributes.
    """
    if table is None:
        if x is not None or y is not None:
            msg = "x and y name two attributes of a table; give the table too"
            raise ValueError(msg)
        first = drawn("diagonal", 150, 0)
    else:
        table = plain(table)
        names = _names(table, x, y)
        table = classified(table, [table.index(name) for name in names])
        first = of(table, *names)
        _check(first)
    at = (first.middle(0), first.middle(1))
    return State(table, first, first, at)


def _names(table: Table, x: str | None, y: str | None) -> tuple[str, str]:
    """The two attributes that span the plane."""
    found = [a.name for a in table.attributes if a.values is None]
    if len(found) < 2:  # noqa: PLR2004 - a plane has two axes
        there = f"only {found[0]!r} is" if found else "none is"
        msg = (
            f"a plane needs two continuous attributes, columns of numbers; {there} continuous here."
            " Numbers that were read as names become continuous with kinds={'column':"
            " 'continuous'}"
        )
        raise ValueError(msg)
    for name in (x, y):
        if name is not None and table.attribute(name).values is not None:
            msg = f"{name!r} is discrete; the continuous attributes are {listing(found)}"
            raise ValueError(msg)
    blank = {table.names[i] for i in empty(table)}
    usual = sorted(found, key=lambda name: name in blank)  # what has values comes first
    first = x if x is not None else next(name for name in usual if name != y)
    second = y if y is not None else next(name for name in usual if name != first)
    if first == second:
        msg = f"x and y are both {first!r}; a plane needs two different attributes"
        raise ValueError(msg)
    return first, second


def _check(rows: Rows) -> None:
    check_few_classes(rows.target, MOST_CLASSES)
    for axis, column in zip(rows.axes, (rows.x, rows.y), strict=True):
        if np.abs(column).max() > _FARTHEST:
            msg = f"the numbers of {axis.name!r} are too large to be drawn; divide them"
            raise ValueError(msg)
