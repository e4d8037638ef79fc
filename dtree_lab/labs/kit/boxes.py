"""The plane of two attributes: which boxes a tree makes of it, and where rows lie in it.

A continuous attribute is an axis, a discrete one has a lane for each value. A box is where the tree
gives one answer, whatever else holds for a row; where it asks for a third attribute, the plane
cannot show what it answers, and the box says so. ``planes.py`` draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import number
from dtree_lab.base.types import Floats
from dtree_lab.draw.chart import Axis
from dtree_lab.labs.kit.controls import label
from dtree_lab.table.encoding import encode
from dtree_lab.table.table import Attribute, Table, missing_of
from dtree_lab.tree.splits import ByValue, Intervals, Split
from dtree_lab.tree.tree import Branch, Leaf, Node, Path, Tree, majority

# An attribute of more values has no lanes; a box says so many of its values by name.
MOST_LANES, _NAMED = 12, 4
# How much of a lane its rows are spread over.
_SPREAD = 0.72

# Of a continuous attribute, from where to below where; of a discrete one, codes of its values.
Extent: TypeAlias = tuple[float, float] | frozenset[int]
Stretch: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class PlaneSide:
    """One of the two attributes."""

    # Which it is, by its position in the table.
    index: int
    attribute: Attribute
    axis: Axis  # lane 0 lies around 0, lane 1 around 1
    # The codes of the values that have lanes, in their order; empty for a continuous attribute.
    lanes: tuple[int, ...] = ()

    @property
    def whole(self) -> Extent:
        """All of it."""
        return (-np.inf, np.inf) if self.attribute.values is None else frozenset(self.lanes)

    def within(self, extent: Extent, split: Split, branch: int | None) -> Extent:
        """The part of an extent that takes a branch of a question, or has none and stops there."""
        match split, extent:
            case Intervals(cuts=cuts), (float(low), float(high)) if branch is not None:
                ends = (-np.inf, *cuts, np.inf)
                return max(low, ends[branch]), min(high, ends[branch + 1])
            case ByValue(groups=groups), frozenset(codes) if branch is not None:
                return codes & frozenset(groups[branch])
            case ByValue(groups=groups), frozenset(codes):
                return codes.difference(*groups)
        return np.inf, -np.inf  # to either side of a cut there is a branch

    def stretches(self, extent: Extent) -> list[Stretch]:
        """The extent along the axis; lanes that are neighbours make one stretch."""
        if isinstance(extent, tuple):
            return [(max(extent[0], self.axis.low), min(extent[1], self.axis.high))]
        found: list[Stretch] = []
        for lane, code in enumerate(self.lanes):
            if code not in extent:
                continue
            low = found.pop()[0] if found and found[-1][1] == lane - 0.5 else lane - 0.5
            found.append((low, lane + 0.5))
        return found

    def between(self, extent: Extent, split: Split) -> list[float]:
        """Where on the axis an extent is parted by a question about this attribute."""
        if isinstance(split, Intervals):
            low, high = self.stretches(extent)[0]
            return [cut for cut in split.cuts if low < cut < high]
        routes = split.routes(self.attribute.n_values)
        codes = extent if isinstance(extent, frozenset) else ()
        here = [int(routes[code]) if code in codes else None for code in self.lanes]
        pairs = enumerate(pairwise(here))
        return [i + 0.5 for i, (a, b) in pairs if a != b and a is not None and b is not None]

    def holds(self, extent: Extent, v: float) -> bool:
        """Whether a place on the axis lies in an extent."""
        if isinstance(extent, tuple):
            return extent[0] <= v < extent[1]
        return 0 <= round(v) < len(self.lanes) and self.lanes[round(v)] in extent

    def words(self, extent: Extent) -> str:
        """What holds in an extent; nothing of the whole."""
        name = label(self.attribute.name)
        if extent == self.whole:
            return ""
        if isinstance(extent, tuple):
            low, high = extent
            if np.isinf(low):
                return f"{name} < {number(high)}"
            to = f"{name} {number(low)} to {number(high)}"
            return to if np.isfinite(high) else f"{name} ≥ {number(low)}"
        values = self.attribute.values or ()
        said = [label(values[code], 16) for code in self.lanes if code in extent]
        more = f" or {len(said) - _NAMED} more" if len(said) > _NAMED else ""
        return f"{name} is {' or '.join(said[:_NAMED])}{more}"


@dataclass(frozen=True)
class PlaneBox:
    """A part of the plane."""

    path: Path  # the node whose box it is
    x: Extent
    y: Extent
    # What the tree answers there, whatever else holds for a row; None where that depends.
    cls: int | None
    rows: int  # how many training rows there are at the node
    # On what it depends: the third attribute that the node asks for, by its position.
    asks: int | None = None


Sides: TypeAlias = tuple[PlaneSide, PlaneSide]


def boxes(tree: Tree, sides: Sides) -> list[PlaneBox]:
    """What a tree makes of the plane: boxes that cover it, none over another."""
    found = []
    waiting: list[tuple[Path, Node, Extent, Extent]] = [((), tree.root, *_whole(sides))]
    while waiting:
        path, node, x, y = waiting.pop()
        rows = sum(node.counts)
        if isinstance(node, Leaf):
            found.append(PlaneBox(path, x, y, majority(node.counts), rows))
            continue
        if side_of(node.split, sides) is None:
            found.append(PlaneBox(path, x, y, None, rows, node.split.attribute))
            continue
        rest = _narrowed((x, y), node.split, sides, None)
        if _is_there(rest):
            found.append(PlaneBox(path, *rest, majority(node.counts), 0))
        for branch in reversed(range(len(node.children))):
            part = _narrowed((x, y), node.split, sides, branch)
            if _is_there(part):
                waiting.append(((*path, branch), node.children[branch], *part))
    return found


def _whole(sides: Sides) -> tuple[Extent, Extent]:
    return sides[0].whole, sides[1].whole


def side_of(split: Split, sides: Sides) -> int | None:
    """Which side a question is about, 0 or 1; None where it is about neither."""
    indices = [side.index for side in sides]
    return indices.index(split.attribute) if split.attribute in indices else None


def _narrowed(
    at: tuple[Extent, Extent], split: Split, sides: Sides, branch: int | None
) -> tuple[Extent, Extent]:
    """The part of a box that takes a branch, or has none."""
    parts = list(at)
    which = side_of(split, sides)
    if which is not None:
        parts[which] = sides[which].within(at[which], split, branch)
    return parts[0], parts[1]


def _is_there(at: tuple[Extent, Extent]) -> bool:
    return all(one[0] < one[1] if isinstance(one, tuple) else bool(one) for one in at)


@dataclass(frozen=True)
class NodePlace:
    """Where a node lies in the plane."""

    # The node, or the one above it whose question the plane does not show.
    path: Path
    node: Node
    x: Extent
    y: Extent


def place_of(tree: Tree, sides: Sides, path: Path) -> NodePlace:
    """The box of a node, or of the node above it that asks what the plane does not show."""
    node, at = tree.root, _whole(sides)
    for depth, branch in enumerate(path):
        if not isinstance(node, Branch) or side_of(node.split, sides) is None:
            return NodePlace(path[:depth], node, *at)
        at = _narrowed(at, node.split, sides, branch)
        node = node.children[branch]
    return NodePlace(path, node, *at)


def box_at(tree: Tree, sides: Sides, x: float, y: float) -> PlaneBox | None:
    """The box at a place of the plane; None beside all lanes."""
    there = (b for b in boxes(tree, sides) if sides[0].holds(b.x, x) and sides[1].holds(b.y, y))
    return next(there, None)


def rectangles(box: PlaneBox | NodePlace, sides: Sides) -> Iterator[tuple[Stretch, Stretch]]:
    """The parts of a box in the plane: one, or several where its lanes are no neighbours."""
    across, up = sides[0].stretches(box.x), sides[1].stretches(box.y)
    for x, y in product(across, up):
        if x[0] < x[1] and y[0] < y[1]:
            yield x, y


# -- which two attributes --------------------------------------------------------------------------


@lru_cache(maxsize=8)
def spanning(table: Table) -> tuple[int, ...]:
    """The attributes that can span a plane: those that vary, and have not too many values."""
    return tuple(i for i, column in enumerate(table.columns) if _spans(table.attributes[i], column))


def _spans(attribute: Attribute, column: NDArray[Any]) -> bool:
    if attribute.values is None:
        return len(column) > 0 and bool(column.min() < column.max())
    return 1 < len(np.unique(column)) <= MOST_LANES


def asked_in(tree: Tree) -> tuple[int, ...]:
    """The attributes that a tree asks for, from the root on."""
    return tuple(dict.fromkeys(int(i) for i in tree.flat.attr if i >= 0))


def chosen_pair(table: Table, ranked: Sequence[int]) -> tuple[int, int] | None:
    """The two attributes that a plane shows when nobody has chosen: beside a number, a number."""
    there = spanning(table)
    if ranked and table.attributes[ranked[0]].values is None:
        ranked = sorted(ranked, key=lambda i: table.attributes[i].values is not None)
    found = [i for i in dict.fromkeys([*ranked, *there]) if i in there][:2]
    if len(found) < 2:  # noqa: PLR2004 - across and up
        return None
    across, up = sorted(found, key=lambda i: (table.attributes[i].values is not None, i))
    return across, up


@lru_cache(maxsize=32)
def side(table: Table, i: int, test: Table | None = None) -> PlaneSide:
    """An attribute of a table as a side, with room for test rows."""
    attribute = table.attributes[i]
    found = [table.columns[i]] if test is None else [table.columns[i], _encoded(table, test)[i]]
    values = np.concatenate([column[~missing_of(column)] for column in found])
    name = label(attribute.name)
    if attribute.values is None:
        return PlaneSide(i, attribute, Axis.around(name, values.tolist()))
    lanes = tuple(np.unique(values).astype(int).tolist())
    names = [label(attribute.values[code], 12) for code in lanes]
    ticks = tuple((float(lane), said) for lane, said in enumerate(names))
    return PlaneSide(i, attribute, Axis(name, -0.5, len(lanes) - 0.5, ticks), lanes)


def sides(table: Table, pair: tuple[int, int], test: Table | None = None) -> Sides:
    """Two attributes of a table, across and up."""
    return side(table, pair[0], test), side(table, pair[1], test)


@lru_cache(maxsize=4)
def _encoded(table: Table, test: Table) -> list[NDArray[Any]]:
    """The columns of test rows in the codes of the table."""
    return encode(table.attributes, test)


# -- where rows lie --------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def placed(table: Table, test: Table | None, x: int, y: int) -> tuple[Floats, Floats]:
    """Where the rows of a table lie in the plane of two attributes, and after them test rows.

    On an axis a row lies at its value. In a lane rows are spread: beside an axis each lies at
    another height than its neighbours on the axis, and where two lanes cross they make a grid. A
    row lies where it lies whatever the tree is; at NaN if it lacks a value, or has one without a
    lane.
    """
    two = sides(table, (x, y), test)
    at = [_lanes_or_values(one, table, test) for one in two]
    return _spread(at[0], at[1], two)


def _lanes_or_values(side: PlaneSide, table: Table, test: Table | None) -> Floats:
    columns = [table.columns[side.index]]
    if test is not None:
        columns.append(_encoded(table, test)[side.index])
    column = np.concatenate(columns).astype(float)
    if not side.lanes:
        return column
    lane = np.full(side.attribute.n_values + 1, np.nan)  # the last is that of a missing value
    lane[list(side.lanes)] = np.arange(len(side.lanes))
    places: Floats = lane[column.astype(int)]
    return places


def _spread(x: Floats, y: Floats, sides: Sides) -> tuple[Floats, Floats]:
    x, y = x.copy(), y.copy()
    match [bool(one.lanes) for one in sides]:
        case [False, True]:
            for lane in range(len(sides[1].lanes)):
                _apart(y, x, y == lane)
        case [True, False]:
            for lane in range(len(sides[0].lanes)):
                _apart(x, y, x == lane)
        case [True, True]:
            lanes = x.copy(), y.copy()
            for across, up in product(range(len(sides[0].lanes)), range(len(sides[1].lanes))):
                _gridded(x, y, (lanes[0] == across) & (lanes[1] == up))
    return x, y


def _apart(moved: Floats, along: Floats, rows: NDArray[np.bool_]) -> None:
    """Spread the rows of a lane evenly, neighbours far apart: van der Corput's sequence."""
    some = np.flatnonzero(rows)
    order = some[np.argsort(along[some], kind="stable")]
    moved[order] += _SPREAD * (_corput(len(order)) - 0.5)


def _corput(n: int) -> Floats:
    """The first numbers of van der Corput's sequence, in the middles of their parts."""
    bits = max(1, int(n - 1).bit_length())
    found: Floats = np.full(n, 0.5 / 2**bits)
    for bit in range(bits):
        found += ((np.arange(n) >> bit) & 1) / 2.0 ** (bit + 1)
    return found


def _gridded(x: Floats, y: Floats, rows: NDArray[np.bool_]) -> None:
    """Lay the rows of a crossing of two lanes out as a grid, line by line."""
    some = np.flatnonzero(rows)
    wide = max(1, int(np.ceil(np.sqrt(len(some)))))
    tall = max(1, -(-len(some) // wide))
    i = np.arange(len(some))
    x[some] += _SPREAD * ((i % wide + 0.5) / wide - 0.5)
    y[some] -= _SPREAD * ((i // wide + 0.5) / tall - 0.5)
