"""The plane beside a tree: its boxes, the rows in them, and which rows it gets wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import ceil, floor
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import plural
from dtree_lab.base.types import Floats
from dtree_lab.draw.chart import Axis, Dots, Figure, Layer, Line, Note, Plot, Point, Shapes, figure
from dtree_lab.draw.chart.layers import lines_as_one
from dtree_lab.draw.measure import fit, width
from dtree_lab.draw.style import DETAIL, LABEL, mark
from dtree_lab.labs.kit.actions import NotPossibleError
from dtree_lab.labs.kit.boxes import (
    NodePlace,
    PlaneBox,
    Sides,
    Stretch,
    box_at,
    boxes,
    place_of,
    placed,
    rectangles,
    side_of,
    sides,
    spanning,
)
from dtree_lab.labs.kit.controls import Control, Dropdown, label
from dtree_lab.labs.kit.parts import Controls, Part, Picture, Words
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Branch, Path, Tree

# The plane, its menus, and what shows or hides it.
PLANE, ACROSS, UP, SHOWN = "plane", "across", "up", "plane-shown"
# So many rows and boxes are drawn, and so many boxes told in words; all rows are counted.
MOST_ROWS, MOST_BOXES, MOST_TOLD = 600, 80, 12
WIDTH, HEIGHT = 340.0, 340.0
# How far apart hatching lines are, as a share of the plane.
_HATCH = 0.05
_SMALL_FROM = 150


@dataclass(frozen=True)
class PlaneSight:
    """What is looked at in a plane, beside its tree and its rows."""

    selected: Path = ()  # a node whose box has a frame, with its cuts in it
    # Cuts that are tried at this node: the attribute's position, and where.
    trying: Sequence[tuple[int, float]] = ()
    most: int = MOST_ROWS  # so many rows are drawn


def plane_parts(
    tree: Tree, table: Table, pair: tuple[int, int], sight: PlaneSight, test: Table | None = None
) -> list[Part]:
    """The plane of two attributes, with what a tree makes of it, and a word on what is seen."""
    drawn = _Drawn.of(tree, table, pair, sight, test)
    shown = Picture(PLANE, drawn.figure(), click=True, text=drawn.text(), area="beside")
    notes = drawn.notes()
    return [shown, Words("plane-note", [" ".join(notes)], area="beside")] if notes else [shown]


def axis_menus(table: Table, pair: tuple[int, int], most: int = 30) -> list[Part]:
    """Two menus for the attributes of a plane; of very many attributes the first are offered."""
    options = spanning(table)
    if len(options) == len(pair):
        return []  # there is nothing to choose
    listed = sorted({*options[:most], *pair})
    named = [(str(i), label(table.attributes[i].name)) for i in listed]
    menus: list[Control] = [
        Dropdown(ACROSS, "Across", str(pair[0]), named),
        Dropdown(UP, "Up", str(pair[1]), named),
    ]
    return [Controls("plane-of", "The plane's attributes", menus, area="beside")]


def turned(
    pair: tuple[int, int] | None, control: str, given: object, table: Table
) -> tuple[int, int]:
    """The two attributes after a choice in a menu; the one of the other side turns the plane."""
    i = int(given) if isinstance(given, str) and given.isascii() and given.isdecimal() else -1
    if pair is None or i not in spanning(table):
        raise NotPossibleError(f"There is no plane with {given!r}.")
    across, up = pair
    if control == ACROSS:
        return i, across if i == up else up
    return up if i == across else across, i


def pointed_at(tree: Tree, two: Sides | None, x: float, y: float) -> Path:
    """The node whose box lies at a place of a plane, if there is a plane."""
    box = None if two is None else box_at(tree, two, x, y)
    if box is None:
        raise NotPossibleError("There is no box at this place.")
    return box.path


@dataclass(frozen=True, eq=False)
class _Drawn:
    """What is drawn: the boxes, where rows lie, and which of them are wrong."""

    tree: Tree
    table: Table
    test: Table | None
    sight: PlaneSight
    sides: Sides
    boxes: Sequence[PlaneBox]
    at: tuple[Floats, Floats]
    classes: NDArray[np.intp]
    wrong: NDArray[np.bool_]

    @classmethod
    def of(
        cls, tree: Tree, table: Table, pair: tuple[int, int], sight: PlaneSight, test: Table | None
    ) -> _Drawn:
        two = sides(table, pair, test)
        labels, wrong = table.labels, _missed(tree, table)
        if test is not None:
            labels = np.concatenate([labels, labels_for(tree.target, test, "the plane")])
            wrong = np.concatenate([wrong, _missed(tree, test)])
        rows = placed(table, test, *pair)
        return cls(tree, table, test, sight, two, boxes(tree, two), rows, labels, wrong)

    # -- the rows ----------------------------------------------------------------------------------

    @cached_property
    def there(self) -> NDArray[np.intp]:
        """The rows that have a place and a class, test rows counted on behind the others."""
        places = np.isfinite(self.at[0]) & np.isfinite(self.at[1])
        return np.flatnonzero(places & (self.classes >= 0))

    @cached_property
    def some(self) -> NDArray[np.intp]:
        """Those that are drawn: all, or so many, evenly picked."""
        n, most = len(self.there), self.sight.most
        if n <= most:
            return self.there
        few = max(most // 2, 1)  # where not all are drawn, half as many show as much, and sooner
        return self.there[np.arange(few) * n // few]

    def dots(self) -> list[Dots]:
        """Rows of the table, and hollow ones for test rows; the wrong ones have a ring."""
        n = self.table.n_rows
        size = 4.5 if len(self.some) <= _SMALL_FROM else 3.0
        found = []
        for rows in (self.some[self.some >= n], self.some[self.some < n]):
            is_test = bool(len(rows)) and bool(rows[0] >= n)
            places = zip(*(v[rows].tolist() for v in self.at), strict=True)
            ringed = frozenset(np.flatnonzero(self.wrong[rows]).tolist())
            keys = (n - 1 - rows if is_test else rows).tolist()
            classes = self.classes[rows].tolist()
            found.append(Dots(list(places), classes, size, is_test, ringed, keys=keys))
        return [dots for dots in found if dots.points]

    # -- the figure --------------------------------------------------------------------------------

    def figure(self) -> Figure:
        """All of it."""
        x, y = (one.axis for one in self.sides)
        count = plural(len(self.boxes), "box", "boxes")
        title = f"The plane of {x.label} and {y.label}, with {count}."
        bare = Plot(" ".join([title, *self._wrong()]), x, y, [], WIDTH, HEIGHT)
        frame = figure(bare).frame
        wide, tall = frame.right - frame.left, frame.bottom - frame.top
        if self.sides[0].lanes:  # names that stand side by side have the room of their lanes
            room = wide / len(self.sides[0].lanes) - _APART
            ticks = tuple((at, fit(said, room, DETAIL)) for at, said in x.marked())
            bare = replace(bare, x=replace(x, ticks=ticks))
        boxes: list[Layer] = [*self._tinted(), *self._hatched()]
        layers = [*boxes, *self._lines(), *self._names(wide, tall), *self.dots()]
        return figure(replace(bare, layers=layers))

    @cached_property
    def _shown(self) -> list[PlaneBox]:
        """The boxes that are drawn: those with most rows."""
        return sorted(self.boxes, key=lambda box: -box.rows)[:MOST_BOXES]

    @cached_property
    def _parts(self) -> list[tuple[PlaneBox, list[Rectangle]]]:
        """Each of these, with its rectangles."""
        return [(box, list(rectangles(box, self.sides))) for box in self._shown]

    def _tinted(self) -> list[Shapes]:
        """The boxes in which the tree gives one answer."""
        found: dict[int, list[Sequence[Point]]] = {}
        for box, parts in self._parts:
            if box.cls is not None:
                found.setdefault(box.cls, []).extend(map(_corners, parts))
        return [Shapes(areas, cls, signed=False) for cls, areas in sorted(found.items())]

    def _hatched(self) -> list[Line]:
        """The boxes whose answers the plane does not show."""
        parts = [part for box, each in self._parts if box.cls is None for part in each]
        lines = [points for part in parts for points in self._hatching(part)]
        return [Line(lines_as_one([*lines, *_outline(parts)]), faint=True)] if parts else []

    def _hatching(self, part: Rectangle) -> Iterator[list[Point]]:
        """Parallel lines over a part of the plane, aslant."""
        x, y = (one.axis for one in self.sides)
        (left, right), (low, high) = part
        wide, tall = x.high - x.low, y.high - y.low
        u, v = (x.share(left), x.share(right)), (y.share(low), y.share(high))
        for n in range(ceil((u[0] - v[1]) / _HATCH), floor((u[1] - v[0]) / _HATCH) + 1):
            ends = max(u[0], v[0] + n * _HATCH), min(u[1], v[1] + n * _HATCH)
            if ends[0] < ends[1]:
                yield [(x.low + s * wide, y.low + (s - n * _HATCH) * tall) for s in ends]

    def _lines(self) -> list[Line]:
        """The frame of the selected node's box, the cuts in it, and those that are tried there."""
        place = place_of(self.tree, self.sides, self.sight.selected)
        parts = list(rectangles(place, self.sides))
        frame = _outline(parts)
        inside = place.path != self.sight.selected
        whole = (place.x, place.y) == tuple(one.whole for one in self.sides)
        line = Line(lines_as_one(frame), accent=True, dash="short" if inside else "")
        found = [] if whole else [line]
        if inside:
            return found
        cuts = self._cuts(place, parts)
        tried = [
            (i, cut)
            for at, cut in self.sight.trying
            for i, one in enumerate(self.sides)
            if one.index == at
        ]
        trying = [line for i, cut in tried for part in parts for line in _across(part, i, [cut])]
        found += [Line(lines_as_one(cuts))] if cuts else []
        return [*found, Line(lines_as_one(trying), accent=True, dash="long")] if trying else found

    def _cuts(self, place: NodePlace, parts: Sequence[Rectangle]) -> list[list[Point]]:
        """Where the question of the selected node parts its box."""
        split = place.node.split if isinstance(place.node, Branch) else None
        i = None if split is None else side_of(split, self.sides)
        if split is None or i is None:
            return []
        at = self.sides[i].between((place.x, place.y)[i], split)
        return [line for part in parts for line in _across(part, i, at)]

    def _names(self, wide: float, tall: float) -> list[Note]:
        """What the tree answers in each box, or asks that the plane does not show."""
        size = wide, tall
        each = ((part, self._said(box)) for box, parts in self._parts for part in parts)
        return [note for part, names in each for note in self._note(part, names, size)]

    def _said(self, box: PlaneBox) -> tuple[str, ...]:
        """What stands in a box, and what does where there is no room for that."""
        if box.cls is None:
            name = self._name(box.asks or 0)
            return f"asks {name}", f"{name}?", "?"
        sign = mark(box.cls).char
        return f"{sign} {label((self.tree.target.values or ())[box.cls], 16)}", sign

    def _note(
        self, part: Rectangle, names: Sequence[str], size: tuple[float, float]
    ) -> Iterator[Note]:
        """A name in the corner of a rectangle in which it covers the fewest rows."""
        axes = [one.axis for one in self.sides]
        (left, right), (low, high) = (
            [axis.share(v) * length for v in stretch]
            for axis, stretch, length in zip(axes, part, size, strict=True)
        )
        fitting = [s for s in names if width(s, LABEL) + 2 * _APART <= right - left]
        if not fitting or high - low < _LINE:
            return
        wide = width(fitting[0], LABEL) + _APART
        at = [
            (v[self.some] - axis.low) / (axis.high - axis.low) * length
            for v, axis, length in zip(self.at, axes, size, strict=True)
        ]
        # From the upper left on, as one reads.
        corners = list(product((high - _LINE, low), (left, right - wide)))
        covered = [
            int(((at[0] > x) & (at[0] < x + wide) & (at[1] > y) & (at[1] < y + _LINE)).sum())
            for y, x in corners
        ]
        y, x = corners[covered.index(min(covered))]
        place = _at(axes[0], (x + _APART) / size[0]), _at(axes[1], (y + _APART) / size[1])
        yield Note(*place, fitting[0], "start")

    def _name(self, i: int) -> str:
        return label(self.table.attributes[i].name)

    # -- in words ----------------------------------------------------------------------------------

    def _wrong(self) -> list[str]:
        """How many rows are wrong, of the table and of the test rows."""
        n = self.table.n_rows
        found = []
        for wrong, rows in ((self.wrong[:n], "row"), (self.wrong[n:], "validation row")):
            if len(wrong):
                said = f"{wrong.sum():,} of {plural(len(wrong), rows)}"
                found.append(f"{said} wrong, in rings." if wrong.any() else f"{said} wrong.")
        return found

    def notes(self) -> list[str]:
        """What hollow marks are, and what is not drawn."""
        found = [] if self.test is None else ["Hollow: validation rows."]
        if len(self.some) < len(self.there):
            rows = plural(len(self.there), "row")
            found.append(f"{len(self.some):,} of {rows} are drawn, evenly picked; all are counted.")
        if left := len(self.classes) - len(self.there):
            found.append(f"{plural(left, 'row')} without a place in this plane not drawn.")
        if left := len(self.boxes) - len(self._shown):
            found.append(f"{plural(left, 'box', 'boxes')} with few rows not drawn.")
        return found

    def text(self) -> list[str]:
        """All in words."""
        x, y = (one.axis.label for one in self.sides)
        told = sorted(self.boxes, key=lambda box: -box.rows)
        more = len(told) - MOST_TOLD
        return [
            f"{x} across, {y} up.",
            *self._wrong(),
            *map(self._told, told[:MOST_TOLD]),
            *([f"… and {plural(more, 'more box', 'more boxes')}."] if more > 0 else []),
            *self.notes(),
        ]

    def _told(self, box: PlaneBox) -> str:
        one, other = self.sides
        said = filter(None, [one.words(box.x), other.words(box.y)])
        conditions = " and ".join(said)
        there = f"where {conditions}" if conditions else "everywhere"
        rows = f"{plural(box.rows, 'row')} {there}"
        if box.asks is not None:
            return f"{rows}: the answer depends on {self._name(box.asks)}, which is asked there."
        assert box.cls is not None  # noqa: S101 - a box that asks nothing answers
        target = self.tree.target
        answer = label((target.values or ())[box.cls])
        return f"{rows}: {label(target.name)} = {answer}."


Rectangle: TypeAlias = tuple[Stretch, Stretch]
# Between names that stand side by side, and the height of a name, in pixels.
_APART, _LINE = 6.0, 20.0


def _missed(tree: Tree, rows: Table) -> NDArray[np.bool_]:
    right = labels_for(tree.target, rows, "the tree")
    wrong: NDArray[np.bool_] = tree.flat.majority[tree.apply(rows)] != right
    return wrong


def _corners(part: Rectangle) -> list[Point]:
    (left, right), (low, high) = part
    return [(left, low), (right, low), (right, high), (left, high)]


def _outline(parts: Sequence[Rectangle]) -> list[list[Point]]:
    return [[*_corners(part), _corners(part)[0]] for part in parts]


def _across(part: Rectangle, i: int, cuts: Sequence[float]) -> list[list[Point]]:
    """Lines through a part of the plane at some values of one side."""
    ends, (low, high) = part[1 - i], part[i]
    lines = [[(cut, end) for end in ends] for cut in cuts if low < cut < high]
    return lines if i == 0 else [[(end, cut) for cut, end in line] for line in lines]


def _at(axis: Axis, share: float) -> float:
    """The value so far along an axis."""
    return axis.low + share * (axis.high - axis.low)
