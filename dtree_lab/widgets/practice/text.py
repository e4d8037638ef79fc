"""A typed practice as a short text that recreates it, with all that was typed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dtree_lab.widgets.kit.keeping import kept, settings
from dtree_lab.widgets.practice.choosing import named
from dtree_lab.widgets.practice.state import start

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.widgets.practice.state import State

LAB = "Practice"
_KINDS = {
    "at": list,
    "attribute": str,
    "seed": int,
    "number": int,
    "typed": dict,
    "shown": list,
}


def dump(state: State) -> str:
    """The state as text."""
    own = {
        "at": named(state.exercise.node),
        "attribute": state.exercise.attribute,
        "seed": state.seed,
        "number": state.number,
        "typed": dict(state.typed),
        "shown": [key for key in state.exercise.fields if key in state.shown],
    }
    return kept(LAB, state.table, own)


def load(text: str, table: Table) -> State:
    """The state of a text.

    Raises
    ------
    ValueError
        For a text that is no state of this lab, one made on another table, or one that is damaged.
    """
    data = settings(text, LAB, table, _KINDS)
    state = start(table, data["attribute"], at=data["at"], seed=data["seed"])
    fields, typed, shown = state.exercise.fields, data["typed"], data["shown"]
    if not all(key in fields and isinstance(typed[key], str) and typed[key] for key in typed):
        raise _damaged("typed")
    if not all(isinstance(key, str) and key in fields and key not in typed for key in shown):
        raise _damaged("shown")
    if data["number"] < 0:
        raise _damaged("number")
    return replace(state, number=data["number"], typed=typed, shown=frozenset(shown))


def _damaged(key: Any) -> ValueError:
    return ValueError(f"the state is damaged: its {key!r} does not fit the exercise")
