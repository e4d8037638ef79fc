"""The model of :class:`dtree_lab.PlaneLab`: what each action makes of a state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dtree_lab.shown import number, plural
from dtree_lab.widgets.kit.actions import (
    NotPossibleError,
    Pick,
    Point,
    Press,
    Select,
    Set,
    typed,
    whole,
)
from dtree_lab.widgets.kit.cards import node_at
from dtree_lab.widgets.plane.editing import added, edited, started_over, undone
from dtree_lab.widgets.plane.grown import GROWERS, MOST_MIN_ROWS, NO_LIMIT, grown
from dtree_lab.widgets.plane.regions import leaf_at
from dtree_lab.widgets.plane.rows import LEAST_POINTS, MOST_POINTS, PRESETS
from dtree_lab.widgets.plane.state import LOOK, State
from dtree_lab.widgets.plane.words import listed, result, where

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from dtree_lab.tree import Path
    from dtree_lab.widgets.kit.actions import Action


def update(state: State, action: Action) -> State:
    """The state after an action.

    Raises
    ------
    NotPossibleError
        For an action that cannot be done, saying why.
    """
    match action:
        case Set(control, value) if control in _SET:
            return _SET[control](state, value)
        case Press(control) if control in _PRESSED:
            return _PRESSED[control](state)
        case Point("plane", x, y):
            return _at(state, x, y)
        case Select("tree", path):
            return _selected(state, path)
        case Pick("points", row):
            return _picked(state, row)
    msg = f"The lab has nothing to do for {action}."
    raise NotPossibleError(msg)


# -- places and points -----------------------------------------------------------------------------


def _at(state: State, x: float, y: float) -> State:
    """What a click does: a point more, or a look at the region there."""
    for axis, at in zip(state.axes, (x, y), strict=True):
        if not axis.low <= at <= axis.high:
            ends = f"{number(axis.low)} and {number(axis.high)}"
            msg = f"{axis.label} must lie between {ends}; got {number(at)}."
            raise NotPossibleError(msg)
    if state.click != LOOK:
        return added(state, x, y)
    if state.grown is None:
        msg = "There are no points, so there is no region yet."
        raise NotPossibleError(msg)
    return _selected(state, leaf_at(state.grown.tree, (x, y), state.recipe.derived))


def _selected(state: State, path: Path) -> State:
    if state.grown is None or node_at(state.grown.tree.root, path) is None:
        msg = "There is no such node in the tree."
        raise NotPossibleError(msg)
    after = replace(state, selected=path, chosen=None)
    return replace(after, status=where(after))


def _picked(state: State, row: int) -> State:
    rows = listed(state)
    if not 0 <= row < len(rows) or state.grown is None:
        msg = f"There is no line {row + 1} in the list of points."
        raise NotPossibleError(msg)
    chosen = rows[row]
    x, y = float(state.rows.x[chosen]), float(state.rows.y[chosen])
    path = leaf_at(state.grown.tree, (x, y), state.recipe.derived)
    after = replace(state, selected=path, chosen=chosen, at=(x, y))
    return replace(after, status=f"Point {state.rows.number(chosen)} is chosen. {where(after)}")


def _typed_x(state: State, value: object) -> State:
    return replace(state, at=(typed(value, state.axes[0].label), state.at[1]), status="")


def _typed_y(state: State, value: object) -> State:
    return replace(state, at=(state.at[0], typed(value, state.axes[1].label)), status="")


def _place(state: State) -> State:
    return _at(state, *state.at)


def _click(state: State, value: object) -> State:
    codes = {LOOK, *map(str, range(state.rows.target.n_values))}
    if value not in codes:
        msg = f"A click cannot do {value!r}."
        raise NotPossibleError(msg)
    return replace(state, click=str(value), status="")


def _remove(state: State) -> State:
    if state.chosen is None:
        msg = "Choose a point in the list first."
        raise NotPossibleError(msg)
    return edited(state, ("remove", state.chosen), "One point less.")


def _clear(state: State) -> State:
    return edited(state, ("clear",), "All points are gone; place one.")


def _preset(state: State, value: object) -> State:
    if value not in PRESETS:
        msg = f"There is no preset {value!r}."
        raise NotPossibleError(msg)
    n = min(max(len(state.rows), LEAST_POINTS), MOST_POINTS)
    return edited(state, ("preset", value, n, 0), f"Drawn from {PRESETS[str(value)][0]}.")


def _number(state: State, value: object) -> State:
    n = whole(value, LEAST_POINTS, MOST_POINTS, "The number of points")
    return edited(state, ("preset", _known(state), n, 0), f"{n} points drawn afresh.")


def _sample(state: State) -> State:
    """Other points of the same preset."""
    seeds = [edit[3] for edit in state.edits if edit[0] == "preset"]
    n = min(max(len(state.rows), LEAST_POINTS), MOST_POINTS)
    edit = ("preset", _known(state), n, (seeds[-1] if seeds else 0) + 1)
    return edited(state, edit, "Other points of the same kind.")


def _known(state: State) -> str:
    if not state.rows.preset:
        msg = "Choose first what the points are drawn from."
        raise NotPossibleError(msg)
    return state.rows.preset


# -- the tree --------------------------------------------------------------------------------------


def _method(state: State, value: object) -> State:
    return _regrown(state, "method", _one_of(GROWERS, value))


def _depth(state: State, value: object) -> State:
    return _regrown(state, "depth", whole(value, 0, NO_LIMIT, "The depth"))


def _min_rows(state: State, value: object) -> State:
    return _regrown(state, "min_rows", whole(value, 2, MOST_MIN_ROWS, "The rows of a node"))


def _derived(state: State, value: object) -> State:
    return _regrown(state, "derived", _one_of(("none", "sum", "difference"), value))


def _one_of(options: Collection[str], value: object) -> object:
    if value not in options:
        msg = f"{value!r} is none of {', '.join(options)}."
        raise NotPossibleError(msg)
    return value


def _regrown(state: State, what: str, value: object) -> State:
    changed: Any = {what: value}
    recipe = replace(state.recipe, **changed)
    after = replace(state, recipe=recipe, selected=(), chosen=None)
    return replace(after, status=result(after))


def _deeper(state: State) -> State:
    """One question deeper; from the full tree back to one question, so that it can be watched."""
    depth = state.recipe.depth
    if depth == NO_LIMIT:
        return _depth(state, 1)
    more = grown(state.rows, replace(state.recipe, depth=depth + 1))
    if more is None:
        msg = "There are no points to grow a tree on; place one."
        raise NotPossibleError(msg)
    if more.tree.depth <= depth:
        after = _depth(state, NO_LIMIT)
        asked = plural(more.tree.depth, "question")
        return replace(after, status=f"The tree is complete: {asked} deep. {after.status}")
    return _depth(state, depth + 1)


_SET: dict[str, Callable[[State, object], State]] = {
    "x": _typed_x,
    "y": _typed_y,
    "click": _click,
    "preset": _preset,
    "number": _number,
    "method": _method,
    "depth": _depth,
    "min_rows": _min_rows,
    "derived": _derived,
}
_PRESSED: dict[str, Callable[[State], State]] = {
    "place": _place,
    "remove": _remove,
    "undo": undone,
    "clear": _clear,
    "sample": _sample,
    "deeper": _deeper,
    "next": _deeper,
    "reset": started_over,
}
