"""The state of a plane lab, its words, and what is done to its points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import floor, inf, log10

import numpy as np

from dtree_lab.base.text import listing, number, plural
from dtree_lab.draw.chart import Axis
from dtree_lab.draw.style import mark
from dtree_lab.labs.kit.actions import NotPossibleError, finite
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.controls import short
from dtree_lab.labs.kit.settings import UnfitError, choice, nested, remembered
from dtree_lab.labs.kit.taking import check_few_classes, classified, empty, plain
from dtree_lab.labs.plane.data import (
    MOST_EDITS,
    PRESETS,
    STUMP,
    Edit,
    PlanePoints,
    PlaneRecipe,
    PlaneTree,
    axes,
    drawn,
    feature,
    grown,
    leaf_at,
    legend,
    of,
)
from dtree_lab.table.table import Table
from dtree_lab.tree import splits
from dtree_lab.tree.tree import Branch, Path, Tree

MOST_CLASSES = 20
# What a click does instead of adding a point of a class.
LOOK = "look"
_FARTHEST = 1e150


def _clicks(state: State) -> dict[str, str]:
    """What a click does: add a point of a class, by its code, or look."""
    classes = range(state.rows.target.n_values)
    adds = {str(k): f"adds {marked(state.rows, k)}" for k in classes}
    return {**adds, LOOK: "shows the region's leaf"}


def _place(_: object, at: Sequence[float]) -> tuple[float, float]:
    if len(at) != 2 or not all(isinstance(v, int | float) for v in at):  # noqa: PLR2004 - x and y
        raise UnfitError
    return finite(at[0]), finite(at[1])


def _node(state: State, selected: Sequence[int]) -> Path:
    path, made = tuple(selected), state.grown
    whole = all(type(branch) is int for branch in path)
    if not whole or (path and (not made or not node_at(made.tree.root, path))):
        raise UnfitError
    return path


def _point(state: State, chosen: int) -> int | None:
    if not -1 <= chosen < len(state.rows):
        raise UnfitError
    return None if chosen < 0 else chosen


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one."""

    source: Table | None  # without rows that lack a coordinate; None for points of one's own
    first: PlanePoints  # as at the beginning
    rows: PlanePoints
    names = remembered(list, key="axes", trait="axes")
    edits: tuple[Edit, ...] = remembered(list, tuple)
    recipe: PlaneRecipe = nested(PlaneRecipe)
    click: str = choice(_clicks, "A click", words="A click cannot do {value!r}.", default="0")
    # The place that is typed.
    at: tuple[float, float] = remembered(list, tuple, default=(0.5, 0.5), check=_place)
    selected: Path = remembered(list, tuple, default=(), check=_node)
    # The point that is looked at; -1 in the text for none.
    chosen: int | None = remembered(int, default=None, check=_point)
    status: str = ""

    @property
    def grown(self) -> PlaneTree | None:
        """The tree as it stands; None where there are no points."""
        return grown(self.rows, self.recipe)

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """The frame that the points are placed in."""
        return axes(self.rows)


def start(table: Table | None = None, x: str | None = None, y: str | None = None) -> State:
    """The state before anything was done: a diagonal, or the points of a table."""
    if table is None:
        if x is not None or y is not None:
            raise ValueError("x and y name two attributes of a table; give the table too")
        first = drawn("diagonal", 150, 0)
    else:
        table = plain(table)
        names = _names(table, x, y)
        table = classified(table, [table.index(name) for name in names])
        first = of(table, *names)
        _check(first)
    return begun(table, first)


def begun(source: Table | None, first: PlanePoints) -> State:
    """The state with some points, before anything was done to them."""
    at = first.middle(0), first.middle(1)
    return State(source, first, first, (), STUMP, at=at)


def _names(table: Table, x: str | None, y: str | None) -> tuple[str, str]:
    """The two attributes that span the plane."""
    found = [a.name for a in table.attributes if a.values is None]
    if len(found) < 2:  # noqa: PLR2004 - a plane has two axes
        there = f"only {found[0]!r} is" if found else "none is"
        raise ValueError(
            f"a plane needs two continuous attributes, columns of numbers; {there} continuous here."
            " Numbers that were read as names become continuous with kinds={'column':"
            " 'continuous'}"
        )
    for name in (x, y):
        if name is not None and table.attribute(name).values is not None:
            msg = f"{name!r} is discrete; the continuous attributes are {listing(found)}"
            raise ValueError(msg)
    blank = {table.names[i] for i in empty(table)}
    usual = sorted(found, key=lambda name: name in blank)  # what has values comes first
    first = x if x is not None else next(name for name in usual if name != y)
    second = y if y is not None else next(name for name in usual if name != first)
    if first == second:
        raise ValueError(f"x and y are both {first!r}; a plane needs two different attributes")
    return first, second


def _check(rows: PlanePoints) -> None:
    check_few_classes(rows.target, MOST_CLASSES)
    for axis, column in zip(rows.axes, (rows.x, rows.y), strict=True):
        if np.abs(column).max() > _FARTHEST:
            raise ValueError(f"the numbers of {axis.name!r} are too large to be drawn; divide them")


# So many points are listed, the newest first.
MOST_LISTED = 24


def class_name(rows: PlanePoints, k: int) -> str:
    """A class's name, shortened."""
    return str((legend(rows).values or ())[k])


def marked(rows: PlanePoints, k: int) -> str:
    """A class's mark and name."""
    return f"{mark(k).char} {class_name(rows, k)}"


def near(x: float) -> str:
    """A coordinate with four digits."""
    return number(float(f"{x:.4g}"))


def listed(state: State) -> list[int]:
    """The points that are listed, by their positions."""
    return list(range(len(state.rows) - 1, -1, -1))[:MOST_LISTED]


def size(tree: Tree) -> str:
    """``3 leaves, 2 questions deep``."""
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    return f"{leaves}, {plural(tree.depth, 'question')} deep"


def result(state: State) -> str:
    """The size of the tree, and how much it gets wrong: of the points, and of the plane."""
    if state.grown is None:
        return "There are no points: place one."
    unlike = state.grown.unlike_truth
    wrong = f"{state.grown.wrong:,} of {plural(len(state.rows), 'point')}"
    wrong += "" if unlike is None else f" and {100 * unlike:.1f} % of the plane"
    return f"{state.recipe.method}: {size(state.grown.tree)}; {wrong} wrong."


def costs(state: State) -> list[str]:
    """What the boundary costs: leaves and errors, with and without the derived feature."""
    made = state.grown
    if made is None:
        return ["A tree needs rows: place a point, or choose what to draw points from."]
    lines = []
    if made.unlike_truth is not None:
        form, _ = PRESETS[state.rows.preset]
        lines.append(
            f"The points come from {form}. On {100 * made.unlike_truth:.1f} % of the plane the tree"
            " answers unlike that boundary (measured at 2,500 places)."
        )
    elif state.rows.preset == "noise":
        lines.append(
            "The classes are tossed coins: whatever the tree finds is chance, and on new points it"
            " is wrong half the time."
        )
    if made.plain is not None:
        name = feature(state.rows, state.recipe.derived)
        lines.append(
            f"With {name} it takes {size(made.tree)}, {made.wrong:,} wrong; without it"
            f" {size(made.plain.tree)}, {made.plain.wrong:,} wrong."
        )
    elif state.recipe.derived == "none":
        lines.append(
            "Each question compares one axis with a number, so every region is a rectangle: a"
            " slanting boundary costs a staircase of leaves."
        )
    return lines


def where(state: State) -> str:
    """The selected node: its conditions, its rows and its answer."""
    made = state.grown
    if made is None:
        return ""
    node = node_at(made.tree.root, state.selected)
    if node is None:
        return ""
    rows = plural(sum(node.counts), "point")
    each = ", ".join(f"{n:,} {class_name(state.rows, k)}" for k, n in enumerate(node.counts) if n)
    if isinstance(node, Branch):
        what = f"It asks {_question(made.tree, node)}?"
    else:
        answer = max(range(len(node.counts)), key=lambda k: node.counts[k])
        what = f"It answers {class_name(state.rows, answer)}."
    place = " and ".join(conditions(made.tree, state.selected)) or "The whole plane"
    return f"{place}: {rows} ({each}). {what}"


def conditions(tree: Tree, path: Path) -> list[str]:
    """What holds in the region of a node: for each attribute asked, from where to where it goes."""
    ends: dict[int, tuple[float, float]] = {}
    node = tree.root
    for branch in path:
        assert isinstance(node, Branch)  # noqa: S101 - the path is one of the tree's
        low, high = ends.get(node.split.attribute, (-inf, inf))
        assert isinstance(node.split, splits.Intervals)  # noqa: S101 - of continuous attributes
        cuts = (-inf, *node.split.cuts, inf)
        ends[node.split.attribute] = max(low, cuts[branch]), min(high, cuts[branch + 1])
        node = node.children[branch]
    return [_between(tree.attributes[i].name, *ends[i]) for i in sorted(ends)]


def _between(attribute: str, low: float, high: float) -> str:
    name = short(attribute)
    if low == -inf:
        return f"{name} < {near(high)}"
    return f"{name} ≥ {near(low)}" if high == inf else f"{near(low)} ≤ {name} < {near(high)}"


def _question(tree: Tree, node: Branch) -> str:
    attribute = tree.attributes[node.split.attribute]
    return splits.question(node.split, replace(attribute, name=short(attribute.name)))


def edited(state: State, edit: Edit, status: str) -> State:
    """The state with an edit more; the tree is grown anew."""
    if len(state.edits) >= MOST_EDITS:
        msg = f"{MOST_EDITS} changes are the most that are kept: undo some, or start over."
        raise NotPossibleError(msg)
    rows = state.rows.edited(edit)
    edits = (*state.edits, edit)
    after = replace(state, rows=rows, edits=edits, selected=(), chosen=None)
    return replace(after, status=f"{status} {result(after)}")


def added(state: State, x: float, y: float) -> State:
    """One point more, of the class that a click adds; it is looked at."""
    at = _rounded(x, state.axes[0]), _rounded(y, state.axes[1])
    after = edited(state, ("add", *at, int(state.click)), "One point more.")
    assert after.grown is not None  # noqa: S101 - there is a point
    selected = leaf_at(after.grown.tree, at, after.recipe.derived)
    return replace(after, selected=selected, chosen=len(after.rows) - 1, at=at)


def _rounded(v: float, axis: Axis) -> float:
    """A coordinate to a thousandth of its axis: nobody points more finely."""
    length = axis.high - axis.low
    short = round(v, 3 - floor(log10(length)))
    return min(max(short, axis.low), axis.high)


def undone(state: State) -> State:
    """The state without its last edit."""
    if not state.edits:
        raise NotPossibleError("There is nothing to undo.")
    edits = state.edits[:-1]
    after = replace(state, rows=redone(state.first, edits), edits=edits, selected=(), chosen=None)
    return replace(after, status=f"Undone. {result(after)}")


def redone(first: PlanePoints, edits: tuple[Edit, ...]) -> PlanePoints:
    """Some points after some edits."""
    return reduce(PlanePoints.edited, edits, first)


def started_over(state: State) -> State:
    """The state at the beginning, with the same table."""
    return replace(begun(state.source, state.first), status="Back at the beginning.")
