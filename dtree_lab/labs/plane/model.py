"""What each action makes of a :class:`dtree_lab.PlaneLab`, and its state as a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from dtree_lab.base.text import number, plural
from dtree_lab.labs.kit.actions import (
    Action,
    NotPossibleError,
    Pick,
    Point,
    Press,
    Select,
    Set,
    finite,
    typed,
    whole_number,
)
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.settings import Settings, UnfitError
from dtree_lab.labs.plane.data import (
    LEAST_POINTS,
    MOST_EDITS,
    MOST_POINTS,
    NO_LIMIT,
    PRESETS,
    Edit,
    PlaneRecipe,
    grown,
    leaf_at,
)
from dtree_lab.labs.plane.state import (
    LOOK,
    State,
    added,
    edited,
    listed,
    redone,
    result,
    start,
    started_over,
    undone,
    where,
)
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Path


def update(state: State, action: Action) -> State:
    """The state after an action."""
    match action:
        case Set(control, value) if control in _SET:
            return _SET[control](state, value)
        case Set():
            return SETTINGS.set(state, action)
        case Press(control) if control in _PRESSED:
            return _PRESSED[control](state)
        case Point("plane", x, y):
            return _at(state, x, y)
        case Select("tree", path):
            return _selected(state, path)
        case Pick("points", row):
            return _picked(state, row)
    raise SETTINGS.refusal(action)


# -- places and points -----------------------------------------------------------------------------


def _at(state: State, x: float, y: float) -> State:
    """What a click does: a point more, or a look at the region there."""
    for axis, at in zip(state.axes, (x, y), strict=True):
        if not axis.low <= at <= axis.high:
            ends = f"{number(axis.low)} and {number(axis.high)}"
            raise NotPossibleError(f"{axis.label} must lie between {ends}; got {number(at)}.")
    if state.click != LOOK:
        return added(state, x, y)
    if state.grown is None:
        raise NotPossibleError("There are no points, so there is no region yet.")
    return _selected(state, leaf_at(state.grown.tree, (x, y), state.recipe.derived))


def _selected(state: State, path: Path) -> State:
    if state.grown is None or node_at(state.grown.tree.root, path) is None:
        raise NotPossibleError("There is no such node in the tree.")
    after = replace(state, selected=path, chosen=None)
    return replace(after, status=where(after))


def _picked(state: State, row: int) -> State:
    rows = listed(state)
    if not 0 <= row < len(rows) or state.grown is None:
        raise NotPossibleError(f"There is no line {row + 1} in the list of points.")
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


def _remove(state: State) -> State:
    if state.chosen is None:
        raise NotPossibleError("Choose a point in the list first.")
    return edited(state, ("remove", state.chosen), "One point less.")


def _clear(state: State) -> State:
    return edited(state, ("clear",), "All points are gone; place one.")


def _preset(state: State, value: object) -> State:
    if value not in PRESETS:
        raise NotPossibleError(f"There is no preset {value!r}.")
    n = min(max(len(state.rows), LEAST_POINTS), MOST_POINTS)
    return edited(state, ("preset", value, n, 0), f"Drawn from {PRESETS[str(value)][0]}.")


def _number(state: State, value: object) -> State:
    n = whole_number(value, LEAST_POINTS, MOST_POINTS, "The number of points")
    return edited(state, ("preset", _known(state), n, 0), f"{n} points drawn afresh.")


def _sample(state: State) -> State:
    """Other points of the same preset."""
    seeds = [edit[3] for edit in state.edits if edit[0] == "preset"]
    n = min(max(len(state.rows), LEAST_POINTS), MOST_POINTS)
    edit = ("preset", _known(state), n, (seeds[-1] if seeds else 0) + 1)
    return edited(state, edit, "Other points of the same kind.")


def _known(state: State) -> str:
    if not state.rows.preset:
        raise NotPossibleError("Choose first what the points are drawn from.")
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
        raise NotPossibleError("There are no points to grow a tree on; place one.")
    if more.tree.depth <= depth:
        after = _as_deep(state, NO_LIMIT)
        asked = plural(more.tree.depth, "question")
        return replace(after, status=f"The tree is complete: {asked} deep. {after.status}")
    return _as_deep(state, depth + 1)


# What is set, but stands otherwise in the text: as a place, or as what was done to the points.
_SET: dict[str, Callable[[State, object], State]] = {
    "x": _typed_x,
    "y": _typed_y,
    "preset": _preset,
    "number": _number,
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


def _made_again(state: State, raw: Sequence[Any]) -> State:
    edits = tuple(_edit(edit) for edit in raw[:MOST_EDITS])
    rows = redone(state.first, edits)
    return replace(state, rows=rows, edits=edits, selected=(), chosen=None)


def _edit(raw: Any) -> Edit:
    """An edit as it was: coordinates that were whole numbers are floats again."""
    match raw:
        case ["add", int() | float() as x, int() | float() as y, int(k)]:
            return ("add", finite(x), finite(y), k)
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
