"""What each action makes of a :class:`dtree_lab.PlaneLab`, and its state as a text."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict, replace
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
from dtree_lab.labs.kit.keeping import kept, settings_of
from dtree_lab.labs.plane.data import (
    GROWERS,
    LEAST_POINTS,
    MOST_EDITS,
    MOST_MIN_ROWS,
    MOST_POINTS,
    NO_LIMIT,
    PRESETS,
    Edit,
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
        msg = "Choose first what the points are drawn from."
        raise NotPossibleError(msg)
    return state.rows.preset


# -- the tree --------------------------------------------------------------------------------------


def _method(state: State, value: object) -> State:
    return _regrown(state, "method", _one_of(GROWERS, value))


def _depth(state: State, value: object) -> State:
    return _regrown(state, "depth", whole_number(value, 0, NO_LIMIT, "The depth"))


def _min_rows(state: State, value: object) -> State:
    return _regrown(state, "min_rows", whole_number(value, 2, MOST_MIN_ROWS, "The rows of a node"))


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


LAB = "PlaneLab"
_RECIPE: dict[str, type] = {"method": str, "depth": int, "min_rows": int, "derived": str}
_KINDS: dict[str, type | tuple[type, ...]] = {
    "axes": list,
    "edits": list,
    **_RECIPE,
    "click": str,
    "at": list,
    "selected": list,
    "chosen": int,
}


def dump(state: State) -> str:
    """The state as text; -1 stands for no chosen point."""
    own = {
        "axes": [] if state.source is None else [axis.name for axis in state.rows.axes],
        "edits": [list(edit) for edit in state.edits],
        **asdict(state.recipe),
        "click": state.click,
        "at": list(state.at),
        "selected": list(state.selected),
        "chosen": -1 if state.chosen is None else state.chosen,
    }
    return kept(LAB, state.source, own)


def load(text: str, table: Table | None = None) -> State:
    """The state of a text, by making its edits again."""
    data = settings_of(text, LAB, table, _KINDS)
    if bool(data["axes"]) != (table is not None):
        msg = "this state was made on a table: give the same table with it"
        raise ValueError(msg)
    if not all(isinstance(name, str) for name in data["axes"]) or len(data["axes"]) not in (0, 2):
        raise _damaged("axes")
    state = start(table, *data["axes"])
    edits = tuple(_edit(edit) for edit in data["edits"][:MOST_EDITS])
    state = replace(state, rows=redone(state.first, edits), edits=edits)
    for control in (*_RECIPE, "click"):
        state = update(state, Set(control, data[control]))
    return replace(_looked(state, data), status="")


def _looked(state: State, data: dict[str, Any]) -> State:
    """The state with its place, its node and its point."""
    at, selected, chosen = data["at"], data["selected"], data["chosen"]
    if len(at) != 2 or not all(isinstance(v, int | float) for v in at):  # noqa: PLR2004 - x and y
        raise _damaged("at")
    whole = all(type(branch) is int for branch in selected)
    made = state.grown
    if not whole or (selected and (not made or not node_at(made.tree.root, tuple(selected)))):
        raise _damaged("selected")
    if not -1 <= chosen < len(state.rows):
        raise _damaged("chosen")
    return replace(
        state,
        at=(finite(at[0]), finite(at[1])),
        selected=tuple(selected),
        chosen=None if chosen < 0 else chosen,
    )


def _edit(raw: Any) -> Edit:
    """An edit as it was: coordinates that were whole numbers are floats again."""
    match raw:
        case ["add", int() | float() as x, int() | float() as y, int(k)]:
            return ("add", finite(x), finite(y), k)
        case [str(), *_]:
            return tuple(raw)
    raise _damaged("edits")


def _damaged(key: str) -> NotPossibleError:
    msg = f"the state is damaged: its {key!r} cannot be read"
    return NotPossibleError(msg)
