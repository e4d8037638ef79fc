"""Points in the plane, the tree on them, and the region of each of its nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.draw.chart import Axis
from dtree_lab.draw.chart.layers import stretches
from dtree_lab.grow.api import c45, cart, id3
from dtree_lab.labs.kit.actions import NotPossibleError
from dtree_lab.labs.kit.controls import short_text
from dtree_lab.labs.kit.settings import choice, slider
from dtree_lab.labs.kit.taking import given, row_number
from dtree_lab.populations import checkerboard, circle, diagonal, plane
from dtree_lab.populations.planes import Plane
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.subtrees import path_to
from dtree_lab.tree.tree import Branch, Path, Tree, majority, walk

Derived: TypeAlias = Literal["none", "sum", "difference"]
# What was done to the points: ("add", x, y, class), ("class", (x, y, class), …), ("remove", row),
# ("preset", name, n, seed) or ("clear",).
Edit: TypeAlias = tuple[Any, ...]
Ends: TypeAlias = tuple[float, float]

MOST_EDITS, LEAST_POINTS, MOST_POINTS = 300, 20, 300
_TARGET = Attribute("class", ("A", "B", "C"))
_AXES = (Attribute("x1"), Attribute("x2"))
_STEPS = 4


def _above_stairs(x1: Any, x2: Any) -> Any:
    """Above a boundary that is itself a staircase, of four steps."""
    return x2 > 1 - (np.floor(x1 * _STEPS) + 0.5) / _STEPS


def _everywhere(x1: Any, _: Any) -> Any:
    return np.ones(np.shape(x1), dtype=bool)


PRESETS: dict[str, tuple[str, Plane]] = {
    "diagonal": ("a diagonal", diagonal(noise=0)),
    "noisy": ("a diagonal, 10 % noise", diagonal(noise=0.1)),
    "staircase": ("a staircase", plane(_above_stairs, noise=0)),
    "xor": ("XOR", checkerboard(noise=0)),
    "circle": ("a circle", circle(noise=0)),
    "noise": ("coin tosses", plane(_everywhere, noise=0.5)),
}


@dataclass(frozen=True, eq=False)
class PlanePoints:
    """Some points, each with a class; there may be none."""

    # The two attributes, and the class.
    axes: tuple[Attribute, Attribute]
    target: Attribute
    # One entry for each point.
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    labels: NDArray[np.int32]
    # From where to where the axes go; None for the unit square.
    frame: tuple[Ends, Ends] | None = None
    preset: str = ""  # where they were drawn from; the empty text if nowhere
    # What each point is called, where some rows of a table are not among them; None for its place
    # in the list, from 1.
    numbers: tuple[int, ...] | None = None
    last: int = 0  # the last number that was given to any

    def __len__(self) -> int:
        """How many points."""
        return len(self.x)

    def number(self, point: int) -> int:
        """What a point is called: the number of its row in the table, or its place."""
        return point + 1 if self.numbers is None else self.numbers[point]

    def middle(self, axis: int) -> float:
        """The middle of an axis, as short as it can be told."""
        low, high = (0.0, 1.0) if self.frame is None else self.frame[axis]
        return float(f"{low / 2 + high / 2:.3g}")

    @cached_property
    def _table(self) -> Callable[[Derived], Table]:
        return cache(partial(self.as_table, self.x, self.y, self.labels))

    def table(self, derived: Derived = "none") -> Table | None:
        """The points as a table, with a derived feature if wanted; None where there are none."""
        return self._table(derived) if len(self) else None

    def as_table(
        self, x: NDArray[Any], y: NDArray[Any], labels: NDArray[Any], derived: Derived
    ) -> Table:
        """Other points in the same plane."""
        attributes: tuple[Attribute, ...] = self.axes
        columns: tuple[NDArray[Any], ...] = (x.copy(), y.copy())
        if derived != "none":
            attributes = (*attributes, Attribute(derived_name(self, derived)))
            columns = (*columns, x + y if derived == "sum" else x - y)
        return Table(attributes, self.target, columns, labels.copy())

    def edited(self, edit: Edit) -> PlanePoints:
        """The points after something was done to them."""
        match edit:
            case ("add", x, y, k):
                return self.edited(("class", (x, y, k)))
            case ("class", *points) if self._fit(points):
                x, y, labels = (np.array(column) for column in zip(*points, strict=True))
                last, own = self.last + len(points), self.numbers
                numbers = None if own is None else (*own, *range(self.last + 1, last + 1))
                x, y = np.append(self.x, x), np.append(self.y, y)
                labels = np.append(self.labels, labels.astype(np.int32))
                return replace(self, x=x, y=y, labels=labels, numbers=numbers, last=last)
            case ("remove", int(row)) if 0 <= row < len(self):
                kept = np.arange(len(self)) != row
                named = self.numbers
                numbers = None if named is None else (*named[:row], *named[row + 1 :])
                labels = self.labels[kept]
                return replace(self, x=self.x[kept], y=self.y[kept], labels=labels, numbers=numbers)
            case ("clear",):
                none = self.x[:0], self.y[:0], self.labels[:0]
                fresh = PlanePoints(self.axes, self.target, *none, frame=self.frame)
                numbers = None if self.numbers is None else ()
                return replace(fresh, numbers=numbers, last=self.last)
            case ("preset", str(name), int(n), int(seed)) if name in PRESETS:
                if self.frame is None and LEAST_POINTS <= n <= MOST_POINTS and 0 <= seed < 2**32:
                    return drawn_points(name, n, seed)
        msg = f"{list(edit)!r} is nothing that can be done to these {len(self)} points"
        raise NotPossibleError(msg)

    def _fit(self, points: Sequence[Any]) -> bool:
        """Whether there are some, each with two numbers and a class that there is."""
        kinds = [tuple(map(type, one)) for one in points]
        classes = range(self.target.n_values)
        return bool(points) and all(
            kind == (float, float, int) and one[2] in classes
            for kind, one in zip(kinds, points, strict=True)
        )


def drawable(rows: PlanePoints) -> int:
    """As many points as some others, or as near to it as a preset can have."""
    return min(max(len(rows), LEAST_POINTS), MOST_POINTS)


def drawn_points(preset: str, n: int, seed: int) -> PlanePoints:
    """Points of a preset, drawn at random; the same seed draws the same."""
    sample = PRESETS[preset][1].sample(n, seed=seed)
    x, y = (np.round(column, 3) for column in sample.columns)
    return PlanePoints(_AXES, _TARGET, x, y, sample.labels, preset=preset)


def of(table: Table, x: str, y: str) -> PlanePoints:
    """The points of a table, by two of its continuous attributes; each keeps its row's number."""
    i, j = table.index(x), table.index(y)
    axes = table.attributes[i], table.attributes[j]
    columns = table.columns[i], table.columns[j]
    frame = [Axis.around("", column.tolist()) for column in columns]
    ends = [(axis.low, axis.high) for axis in frame]
    numbers = None
    if given(table) is not table:
        numbers = tuple(row_number(table, row) for row in range(table.n_rows))
    found = PlanePoints(axes, table.target, *columns, table.labels, (ends[0], ends[1]))
    return replace(found, numbers=numbers, last=given(table).n_rows)


def derived_name(rows: PlanePoints, derived: Derived) -> str:
    """``x1 + x2`` or ``x1 - x2``."""
    x, y = (axis.name for axis in rows.axes)
    return f"{x} {'+' if derived == 'sum' else '-'} {y}"


_ROUND = np.linspace(0.0, 2.0 * np.pi, 73)
_RADIUS = 1.0 / np.sqrt(2.0 * np.pi)
_STAIRS = [
    ((i + side) / _STEPS, 1.0 - (i + 0.5) / _STEPS) for i in range(_STEPS) for side in (0, 1)
]
# The lines between the classes in the square that each preset is drawn from.
_BOUNDARIES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "diagonal": (((0.0, 1.0), (1.0, 0.0)),),
    "noisy": (((0.0, 1.0), (1.0, 0.0)),),
    "staircase": (tuple(_STAIRS),),
    "xor": (((0.5, 0.0), (0.5, 1.0)), ((0.0, 0.5), (1.0, 0.5))),
    "circle": (
        tuple((0.5 + float(_RADIUS * np.cos(a)), 0.5 + float(_RADIUS * np.sin(a))) for a in _ROUND),
    ),
}


def boundary(rows: PlanePoints) -> tuple[tuple[tuple[float, float], ...], ...]:
    """The lines between the classes where the points were drawn from; none where none are known."""
    return _BOUNDARIES.get(rows.preset, ())


def truth(rows: PlanePoints, derived: Derived, side: int = 50) -> Table | None:
    """The best answers at the middles of small squares; None where no boundary is known."""
    if rows.preset in ("", "noise"):
        return None
    grid = PRESETS[rows.preset][1].grid(side)
    return rows.as_table(grid.columns[0], grid.columns[1], grid.labels, derived)


Point: TypeAlias = tuple[float, float]
Area: TypeAlias = tuple[Point, ...]
# What an attribute of the tree makes of a point: the sum of its coordinates times these.
Weights: TypeAlias = tuple[float, float]

_WEIGHTS: dict[Derived, Weights] = {
    "none": (0.0, 0.0),
    "sum": (1.0, 1.0),
    "difference": (1.0, -1.0),
}


def weights(derived: Derived) -> tuple[Weights, Weights, Weights]:
    """Of x, of y and of what is derived from them."""
    return (1.0, 0.0), (0.0, 1.0), _WEIGHTS[derived]


def areas(tree: Tree, corners: Area, derived: Derived) -> dict[Path, Area]:
    """The area of every node, breadth first; without those that have none within the frame."""
    found: dict[Path, Area] = {(): corners}
    of = weights(derived)
    for path, node in walk(tree.root):
        if path not in found or not isinstance(node, Branch):
            continue
        area, along = found[path], of[node.split.attribute]
        ends = (-np.inf, *getattr(node.split, "cuts", ()), np.inf)
        for i in range(len(node.children)):
            above = clipped(area, along, ends[i], above=True)
            if part := clipped(above, along, ends[i + 1], above=False):
                found[*path, i] = part
    return found


def clipped(area: Area, along: Weights, cut: float, *, above: bool) -> Area:
    """The part of a convex area on one side of the line ``along[0] * x + along[1] * y == cut``."""
    if np.isinf(cut):
        return area
    sign = 1.0 if above else -1.0
    sides = [sign * (along[0] * x + along[1] * y - cut) for x, y in area]
    if all(side >= 0 for side in sides):
        return area
    kept: list[Point] = []
    for i, (side, after) in enumerate(zip(sides, [*sides[1:], *sides[:1]], strict=True)):
        (x0, y0), (x1, y1) = area[i], area[(i + 1) % len(area)]
        if side >= 0:
            kept.append((x0, y0))
        if side * after < 0:
            share = side / (side - after)
            x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
            # On a line along an axis one coordinate is known without rounding.
            kept.append((x if along[1] else cut, y if along[0] else cut))
    return tuple(kept) if len(kept) > 2 and size(kept) > 0 else ()  # noqa: PLR2004 - a triangle


def size(area: Sequence[Point]) -> float:
    """How large an area is, in the units of the axes."""
    x0, y0 = area[0]
    moved = [(x - x0, y - y0) for x, y in area]
    pairs = zip(moved, [*moved[1:], *moved[:1]], strict=True)
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairs)) / 2


GrowerName: TypeAlias = Literal["ID3", "CART", "C4.5"]
GROWERS = {"ID3": id3, "CART": cart, "C4.5": c45}
# The end of the slider for the depth stands for no limit.
NO_LIMIT, MOST_MIN_ROWS = 12, 40
# A place where tree and truth differ is looked for in so many steps, and hatched by so many lines.
_HATCHED, _LINES = 120, 40
# So many points have a second tree grown beside the first, for comparison.
_MOST_COMPARED = 5_000


def feature(rows: PlanePoints, derived: Derived) -> str:
    """The derived feature's name, shortened."""
    return short_text(derived_name(rows, derived))


def _features(state: Any) -> dict[str, str]:
    some: tuple[Derived, ...] = ("sum", "difference")
    return {"none": "none", **{derived: feature(state.rows, derived) for derived in some}}


_NONE_OF = "{value!r} is none of {known}."


@dataclass(frozen=True)
class PlaneRecipe:
    """How a tree is grown."""

    method: GrowerName = choice(
        dict(zip(GROWERS, GROWERS, strict=True)), "Grown by", words=_NONE_OF, default="CART"
    )
    depth: int = slider(0, NO_LIMIT, "Most questions deep", what="The depth", default=1)
    min_rows: int = slider(
        2, MOST_MIN_ROWS, "Fewest points to split", what="The rows of a node", default=2
    )
    derived: Derived = choice(_features, "Derived feature", words=_NONE_OF, default="none")


STUMP = PlaneRecipe()


@dataclass(frozen=True, eq=False)
class PlaneTree:
    """A tree on some points."""

    rows: PlanePoints
    recipe: PlaneRecipe
    tree: Tree

    @cached_property
    def areas(self) -> dict[Path, Area]:
        """The region of each node within the frame."""
        x, y = plane_axes(self.rows)
        frame = ((x.low, y.low), (x.high, y.low), (x.high, y.high), (x.low, y.high))
        return areas(self.tree, frame, self.recipe.derived)

    @cached_property
    def leaves(self) -> tuple[tuple[Path, int], ...]:
        """The leaves that have a region, the largest first, each with the class it answers."""
        areas = self.areas
        leaves = [
            (path, majority(node.counts))
            for path, node in walk(self.tree.root)
            if not isinstance(node, Branch) and path in areas
        ]
        return tuple(sorted(leaves, key=lambda leaf: -size(areas[leaf[0]])))

    def leaf_at(self, x: float, y: float) -> Path:
        """The leaf in whose region a place lies."""
        columns = np.array([x]), np.array([y])
        place = self.rows.as_table(*columns, np.zeros(1, np.int32), self.recipe.derived)
        return path_to(self.tree.flat, int(self.tree.apply(place)[0]))

    def leaf_of(self, point: int) -> Path:
        """The leaf of one of the points."""
        return self.leaf_at(float(self.rows.x[point]), float(self.rows.y[point]))

    @property
    def drawn(self) -> Tree:
        """The tree with its names shortened, for the picture."""
        attributes = tuple(Attribute(short_text(a.name), a.values) for a in self.tree.attributes)
        return replace(self.tree, attributes=attributes, target=class_legend(self.rows))

    @cached_property
    def wrong(self) -> int:
        """How many of the points the tree gets wrong."""
        table = self.rows.table(self.recipe.derived)
        return 0 if table is None else round(self.tree.error(table) * len(self.rows))

    @cached_property
    def unlike_truth(self) -> float | None:
        """The share of the plane where the tree answers unlike the boundary that was drawn from."""
        table = truth(self.rows, self.recipe.derived)
        return None if table is None else self.tree.error(table)

    @cached_property
    def unlike(self) -> tuple[tuple[Point, Point], ...]:
        """Where it answers unlike that boundary: level lines that hatch the place."""
        table = truth(self.rows, self.recipe.derived, _HATCHED)
        if table is None:
            return ()
        answers = self.tree.flat.majority[self.tree.apply(table)]
        differ = (answers != table.labels).reshape(_HATCHED, _HATCHED)[:: _HATCHED // _LINES]
        height = 0.5 / _HATCHED
        return tuple(
            ((a / _HATCHED, line / _LINES + height), (b / _HATCHED, line / _LINES + height))
            for line, a, b in stretches(differ)
        )

    @property
    def plain(self) -> PlaneTree | None:
        """The tree without the derived feature; None where there is none, or too many points."""
        if self.recipe.derived == "none" or len(self.rows) > _MOST_COMPARED:
            return None
        recipe = self.recipe
        return grown(self.rows, replace(recipe, derived="none"))


@lru_cache(maxsize=32)
def grown(rows: PlanePoints, recipe: PlaneRecipe) -> PlaneTree | None:
    """The tree of some points; None where there are none."""
    table = rows.table(recipe.derived)
    if table is None:
        return None
    limit = None if recipe.depth == NO_LIMIT else recipe.depth
    tree = GROWERS[recipe.method](table, max_depth=limit, min_rows=recipe.min_rows)
    return PlaneTree(rows, recipe, tree)


@lru_cache(maxsize=32)
def class_legend(rows: PlanePoints) -> Attribute:
    """The target with the names of its classes shortened."""
    names = tuple(map(short_text, rows.target.values or ()))
    return Attribute(short_text(rows.target.name), names)


@lru_cache(maxsize=32)
def plane_axes(rows: PlanePoints) -> tuple[Axis, Axis]:
    """The unit square, or what holds a table's points with a little air."""
    names = [short_text(axis.name) for axis in rows.axes]
    if rows.frame is None:
        return Axis(names[0], 0.0, 1.0), Axis(names[1], 0.0, 1.0)
    (left, right), (low, high) = rows.frame
    return Axis(names[0], left, right), Axis(names[1], low, high)
