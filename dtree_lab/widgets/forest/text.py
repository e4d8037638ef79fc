"""The forest lab's state as a short text that recreates it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from dtree_lab.widgets.forest.state import start, usable
from dtree_lab.widgets.kit.actions import node_id, path_of
from dtree_lab.widgets.kit.keeping import kept, settings
from dtree_lab.widgets.kit.taking import row_kept

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.widgets.forest.state import State

LAB = "ForestLab"
_KINDS: dict[str, type | tuple[type, ...]] = {
    "trees": int,
    "m": int,
    "noise": (int, float),
    "gaps": (int, float),
    "seed": int,
    "row": int,
    "tree": int,
    "node": (str, type(None)),
}


def dump(state: State) -> str:
    """The state as text."""
    node = None if state.node is None else node_id(state.node)
    own = {
        **asdict(state.asked),
        "row": row_kept(state.clean, state.row),
        "tree": state.tree,
        "node": node,
    }
    return kept(LAB, state.clean, own)


def load(text: str, table: Table) -> State:
    """The state of a text; its forest grows again.

    Raises
    ------
    ValueError
        For a text that is no state, or one of another table.
    """
    data = settings(text, LAB, usable(table), _KINDS)
    state = start(table, data)
    return replace(state, node=None if data["node"] is None else path_of(data["node"]))
