"""The plane lab: its state and its words, what an action does, and its state as a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from math import floor, inf, log10
from typing import Any

import numpy as np

from dtree_lab.base.text import listing, number, plural
from dtree_lab.draw.chart import Axis
from dtree_lab.draw.style import mark
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit.cards import asked_on, node_at
from dtree_lab.labs.kit.controls import near, short_text
from dtree_lab.labs.kit.settings import Settings, UnfitError, choice, nested, remembered
from dtree_lab.labs.kit.taking import check_few_classes, classified, empty, plain_table
from dtree_lab.labs.plane.data import (
    LEAST_POINTS,
    MOST_EDITS,
    MOST_POINTS,
    NO_LIMIT,
    PRESETS,
    STUMP,
    Edit,
    PlanePoints,
    PlaneRecipe,
    PlaneTree,
    class_legend,
    drawable,
    drawn_points,
    feature,
    grown,
    of,
    plane_axes,
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
    names = class_legend(state.rows).values or ()
    adds = {str(k): f"adds {mark(k).char} {name}" for k, name in enumerate(names)}
    return {**adds, LOOK: "shows the region's leaf"}


def _place(_: object, at: Sequence[float]) -> tuple[float, float]:
    if len(at) != 2 or not all(isinstance(v, int | float) for v in at):  # noqa: PLR2004 - x and y
        raise UnfitError
    return kit.finite_number(at[0]), kit.finite_number(at[1])


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
        return plane_axes(self.rows)


def start(table: Table | None = None, x: str | None = None, y: str | None = None) -> State:
    """The state before anything was done: a diagonal, or the points of a table."""
    if table is None:
        if x is not None or y is not None:
            raise ValueError("x and y name two attributes of a table; give the table too")
        first = drawn_points("diagonal", 150, 0)
    else:
        table = plain_table(table)
        names = _names(table, x, y)
        table = classified(table, [table.index(name) for name in names])
        first = of(table, *names)
        _check(first)
    return _begun(table, first)


def _begun(source: Table | None, first: PlanePoints) -> State:
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


def class_of_points(rows: PlanePoints, k: int) -> str:
    """A class's name, shortened."""
    return str((class_legend(rows).values or ())[k])


def listed(state: State) -> list[int]:
    """The points that are listed, by their positions."""
    return list(range(len(state.rows) - 1, -1, -1))[:MOST_LISTED]


def _size(tree: Tree) -> str:
    """``3 leaves, 2 questions deep``."""
    leaves = plural(tree.n_leaves, "leaf", "leaves")
    return f"{leaves}, {plural(tree.depth, 'question')} deep"


def result(state: State) -> str:
    """The size of the tree, and how much it gets wrong: of the points, and of the plane."""
    if state.grown is None:
        return "There are no points: place one."
    unlike = state.grown.unlike_truth
    wrong = f"{state.grown.wrong:,} of {plural(len(state.rows), 'point')}"
    wrong += "" if unlike is None else f" and {100 * unlike:.1f} % of the plane"
    return f"{state.recipe.method}: {_size(state.grown.tree)}; {wrong} wrong."


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
            f"With {name} it takes {_size(made.tree)}, {made.wrong:,} wrong; without it"
            f" {_size(made.plain.tree)}, {made.plain.wrong:,} wrong."
        )
    elif state.recipe.derived == "none" and state.rows.preset != "noise":  # which has no boundary
        lines.append(
            "Each question compares one axis with a number, so every region is a rectangle: a"
            " slanting boundary costs a staircase of leaves."
        )
    return lines


def selected_node_words(state: State) -> str:
    """The selected node: its conditions, its rows and its answer."""
    made = state.grown
    if made is None:
        return ""
    node = node_at(made.tree.root, state.selected)
    if node is None:
        return ""
    rows = plural(sum(node.counts), "point")
    each = ", ".join(
        f"{n:,} {class_of_points(state.rows, k)}" for k, n in enumerate(node.counts) if n
    )
    if isinstance(node, Branch):
        attribute = made.tree.attributes[node.split.attribute]
        short = replace(attribute, name=short_text(attribute.name))
        what = f"It asks {splits.question(node.split, short)}?"
    else:
        answer = max(range(len(node.counts)), key=lambda k: node.counts[k])
        what = f"It answers {class_of_points(state.rows, answer)}."
    place = " and ".join(conditions(made.tree, state.selected)) or "The whole plane"
    return f"{place}: {rows} ({each}). {what}"


def conditions(tree: Tree, path: Path) -> list[str]:
    """What holds in the region of a node: for each attribute asked, from where to where it goes."""
    ends: dict[int, tuple[float, float]] = {}
    for node, branch in asked_on(tree.root, path):
        low, high = ends.get(node.split.attribute, (-inf, inf))
        assert isinstance(node.split, splits.Intervals)  # noqa: S101 - of continuous attributes
        cuts = (-inf, *node.split.cuts, inf)
        ends[node.split.attribute] = max(low, cuts[branch]), min(high, cuts[branch + 1])
    return [_between(tree.attributes[i].name, *ends[i]) for i in sorted(ends)]


def _between(attribute: str, low: float, high: float) -> str:
    name = short_text(attribute)
    if low == -inf:
        return f"{name} < {near(high)}"
    return f"{name} ≥ {near(low)}" if high == inf else f"{near(low)} ≤ {name} < {near(high)}"


def edited(state: State, edit: Edit, status: str) -> State:
    """The state with an edit more; the tree is grown anew."""
    if len(state.edits) >= MOST_EDITS:
        msg = f"{MOST_EDITS} changes are the most that are kept: undo some, or start over."
        raise kit.NotPossibleError(msg)
    rows = state.rows.edited(edit)
    edits = (*state.edits, edit)
    after = replace(state, rows=rows, edits=edits, selected=(), chosen=None)
    return replace(after, status=f"{status} {result(after)}")


def added(state: State, x: float, y: float) -> State:
    """One point more, of the class that a click adds; it is looked at."""
    at = _rounded(x, state.axes[0]), _rounded(y, state.axes[1])
    after = edited(state, ("add", *at, int(state.click)), "One point more.")
    assert after.grown is not None  # noqa: S101 - there is a point
    return replace(after, selected=after.grown.leaf_at(*at), chosen=len(after.rows) - 1, at=at)


def _taking(state: State, answers: Sequence[Any]) -> State:
    """The points of a class besides."""
    try:
        edit = ("class", *map(_point_of, answers))
        return edited(state, edit, f"{plural(len(answers), 'point')} of the class.")
    except (TypeError, UnfitError):
        msg = f"An answer of the class must be a point [x, y, class]; got {answers!r:.60}."
        raise kit.NotPossibleError(msg) from None


def _rounded(v: float, axis: Axis) -> float:
    """A coordinate to a thousandth of its axis: nobody points more finely."""
    length = axis.high - axis.low
    short = round(v, 3 - floor(log10(length)))
    return min(max(short, axis.low), axis.high)


def undone(state: State) -> State:
    """The state without its last edit."""
    if not state.edits:
        raise kit.NotPossibleError("There is nothing to undo.")
    edits = state.edits[:-1]
    after = replace(state, rows=redone(state.first, edits), edits=edits, selected=(), chosen=None)
    return replace(after, status=f"Undone. {result(after)}")


def redone(first: PlanePoints, edits: tuple[Edit, ...]) -> PlanePoints:
    """Some points after some edits."""
    return reduce(PlanePoints.edited, edits, first)


def update(state: State, action: kit.Action) -> State:
    """The state after an action."""
    match action:
        case kit.Set(control, value) if control in _SET:
            return _SET[control](state, value)
        case kit.Set():
            return SETTINGS.set(state, action)
        case kit.Press(control) if control in _PRESSED:
            return _PRESSED[control](state)
        case kit.Point("plane", x, y):
            return _at(state, x, y)
        case kit.Select("tree", path):
            return _selected(state, path)
        case kit.Pick("points", row):
            return _picked(state, row)
        case kit.Take(answers):
            return _taking(state, answers)
    raise SETTINGS.refusal(action)


# -- places and points -----------------------------------------------------------------------------


def _at(state: State, x: float, y: float) -> State:
    """What a click does: a point more, or a look at the region there."""
    for axis, at in zip(state.axes, (x, y), strict=True):
        if not axis.low <= at <= axis.high:
            ends = f"{number(axis.low)} and {number(axis.high)}"
            raise kit.NotPossibleError(f"{axis.label} must lie between {ends}; got {number(at)}.")
    if state.click != LOOK:
        return added(state, x, y)
    if state.grown is None:
        raise kit.NotPossibleError("There are no points, so there is no region yet.")
    return _selected(state, state.grown.leaf_at(x, y))


def _selected(state: State, path: Path) -> State:
    if state.grown is None or node_at(state.grown.tree.root, path) is None:
        raise kit.NotPossibleError("There is no such node in the tree.")
    after = replace(state, selected=path, chosen=None)
    return replace(after, status=selected_node_words(after))


def _picked(state: State, row: int) -> State:
    rows = listed(state)
    if not 0 <= row < len(rows) or state.grown is None:
        raise kit.NotPossibleError(f"There is no line {row + 1} in the list of points.")
    chosen = rows[row]
    at = float(state.rows.x[chosen]), float(state.rows.y[chosen])
    after = replace(state, selected=state.grown.leaf_of(chosen), chosen=chosen, at=at)
    return replace(
        after, status=f"Point {state.rows.number(chosen)} is chosen. {selected_node_words(after)}"
    )


def _typed(state: State, value: object, *, axis: int) -> State:
    (x, y), v = state.at, kit.typed(value, state.axes[axis].label)
    return replace(state, at=(x, v) if axis else (v, y), status="")


def _remove(state: State) -> State:
    if state.chosen is None:
        raise kit.NotPossibleError("Choose a point in the list first.")
    return edited(state, ("remove", state.chosen), "One point less.")


def _preset(state: State, value: object) -> State:
    if value not in PRESETS:
        raise kit.NotPossibleError(f"There is no preset {value!r}.")
    edit = ("preset", value, drawable(state.rows), 0)
    return edited(state, edit, f"Drawn from {PRESETS[str(value)][0]}.")


def _number(state: State, value: object) -> State:
    n = kit.whole_number(value, LEAST_POINTS, MOST_POINTS, "The number of points")
    return edited(state, ("preset", _known(state), n, 0), f"{n} points drawn afresh.")


def _sample(state: State) -> State:
    """Other points of the same preset."""
    seeds = [edit[3] for edit in state.edits if edit[0] == "preset"]
    edit = ("preset", _known(state), drawable(state.rows), (seeds[-1] if seeds else 0) + 1)
    return edited(state, edit, "Other points of the same kind.")


def _known(state: State) -> str:
    if not state.rows.preset:
        raise kit.NotPossibleError("Choose first what the points are drawn from.")
    return state.rows.preset


# -- the tree --------------------------------------------------------------------------------------


def _regrown(state: State, recipe: PlaneRecipe) -> State:
    after = replace(state, recipe=recipe, selected=(), chosen=None)
    return replace(after, status=result(after))


def _as_deep(state: State, depth: int) -> State:
    return _regrown(state, replace(state.recipe, depth=depth))


def _deeper(state: State) -> State:
    """One question deeper; from the full tree back to one question, so that it can be watched."""
    depth = state.recipe.depth
    if depth == NO_LIMIT:
        return _as_deep(state, 1)
    more = grown(state.rows, replace(state.recipe, depth=depth + 1))
    if more is None:
        raise kit.NotPossibleError("There are no points to grow a tree on; place one.")
    if more.tree.depth <= depth:
        after = _as_deep(state, NO_LIMIT)
        asked = plural(more.tree.depth, "question")
        return replace(after, status=f"The tree is complete: {asked} deep. {after.status}")
    return _as_deep(state, depth + 1)


# What is set, but stands otherwise in the text: as a place, or as what was done to the points.
_SET: dict[str, Callable[[State, object], State]] = {
    "x": partial(_typed, axis=0),
    "y": partial(_typed, axis=1),
    "preset": _preset,
    "number": _number,
}
_PRESSED: dict[str, Callable[[State], State]] = {
    "place": lambda state: _at(state, *state.at),
    "remove": _remove,
    "undo": undone,
    "clear": lambda state: edited(state, ("clear",), "All points are gone; place one."),
    "sample": _sample,
    "deeper": _deeper,
    "next": _deeper,
    "reset": lambda state: replace(
        _begun(state.source, state.first), status="Back at the beginning."
    ),
}


def _made_again(state: State, raw: Sequence[Any]) -> State:
    edits = tuple(_edit(edit) for edit in raw[:MOST_EDITS])
    rows = redone(state.first, edits)
    return replace(state, rows=rows, edits=edits, selected=(), chosen=None)


def _point_of(raw: Any) -> tuple[float, float, int]:
    match raw:
        case [int() | float() as x, int() | float() as y, int(k)]:
            return kit.finite_number(x), kit.finite_number(y), k
    raise UnfitError


def _edit(raw: Any) -> Edit:
    """An edit as it was: coordinates that were whole numbers are floats again."""
    match raw:
        case ["add", *point]:
            return ("add", *_point_of(point))
        case ["class", *points]:
            return ("class", *map(_point_of, points))
        case [str(), *_]:
            return tuple(raw)
    raise UnfitError


SETTINGS = Settings(
    "PlaneLab",
    State,
    sets={"recipe": _regrown},
    tells={
        "names": lambda state: [] if state.source is None else [a.name for a in state.rows.axes],
        "chosen": lambda state: -1 if state.chosen is None else state.chosen,
    },
    loads={"edits": _made_again},
    table=lambda state: state.source,
    unknown="The lab has nothing to do for {action}.",
    damaged="cannot be read",
)
dump = SETTINGS.dump


def load(text: str, table: Table | None = None) -> State:
    """The state of a text, by making its edits again."""

    def begin(data: dict[str, Any]) -> State:
        names = data["names"]
        if bool(names) != (table is not None):
            raise ValueError("this state was made on a table: give the same table with it")
        if not all(isinstance(name, str) for name in names) or len(names) not in (0, 2):
            raise SETTINGS.damage("names")
        return start(table, *names)

    return SETTINGS.load(text, table, begin)
