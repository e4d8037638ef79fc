"""A state as a short text that recreates it, for keeping and for handing in."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from dtree_lab.widgets.kit.actions import NotPossibleError, Set, finite
from dtree_lab.widgets.kit.cards import node_at
from dtree_lab.widgets.kit.keeping import kept, settings
from dtree_lab.widgets.plane.editing import redone
from dtree_lab.widgets.plane.model import update
from dtree_lab.widgets.plane.rows import MOST_EDITS
from dtree_lab.widgets.plane.state import State, start

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.widgets.plane.rows import Edit

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
    """The state of a text, by making its edits again.

    Raises
    ------
    ValueError
        For a text that is no state, one made on another table, or one that is damaged.
    """
    data = settings(text, LAB, table, _KINDS)
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
