"""The state of an expressiveness lab as a short text that recreates it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dtree_lab.widgets.expressiveness.laws import FUNCTIONS
from dtree_lab.widgets.expressiveness.model import update
from dtree_lab.widgets.expressiveness.state import OWN, State, start
from dtree_lab.widgets.kit.actions import Pick, Select, Set, node_id, path_of
from dtree_lab.widgets.kit.keeping import kept, settings

if TYPE_CHECKING:
    from dtree_lab.table import Table

LAB = "ExpressivenessLab"
_KINDS: dict[str, type | tuple[type, ...]] = {
    "function": str,
    "n": int,
    "begun": list,
    "feature": str,
    "scale": str,
    "selected": str,
    "row": (int, type(None)),
}


def dump(state: State) -> str:
    """The state as text."""
    own = {
        "function": state.function,
        "n": state.n,
        "begun": list(state.begun),
        "feature": state.feature,
        "scale": "log" if state.logarithmic else "plain",
        "selected": node_id(state.selected),
        "row": state.row,
    }
    return kept(LAB, state.table, own)


def load(text: str, table: Table | None = None) -> State:
    """The state of a text, by doing again what makes it.

    Raises
    ------
    ValueError
        For a text that is no state, one made on another table, or one that is damaged.
    """
    data = settings(text, LAB, table, _KINDS)
    match data["begun"]:
        case [str(function), int(n)] if function in FUNCTIONS or (function == OWN and table):
            named = function if function in FUNCTIONS else "xor"
            state = start(table, n=n, function=named)
        case _:
            msg = "the state is damaged: it does not say how it began"
            raise ValueError(msg)
    # A given table and a named function both have an n, so the function comes after it.
    state = replace(state, n=start(n=data["n"]).n)
    for control in ("function", "feature", "scale"):
        state = update(state, Set(control, data[control]))
    if data["row"] is not None:
        state = update(state, Pick("rows", data["row"]))
    state = update(state, Select("tree", path_of(data["selected"])))
    return replace(state, status="")
