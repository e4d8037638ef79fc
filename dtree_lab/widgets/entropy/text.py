"""The state of an entropy lab as a short text that recreates it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dtree_lab.datasets import tax_fraud
from dtree_lab.widgets.entropy.model import key_of, update
from dtree_lab.widgets.entropy.state import MOST_OFFERED, MOST_SHOWN, State, begun, offering, start
from dtree_lab.widgets.kit.actions import Set
from dtree_lab.widgets.kit.keeping import kept, settings

if TYPE_CHECKING:
    from dtree_lab.table import Table

LAB = "EntropyLab"
_KINDS: dict[str, type | tuple[type, ...]] = {
    "p": (int, float),
    "offered": list,
    "named": int,
    "shown": list,
    "rows": str,
    "by_gain": bool,
    "hidden": bool,
    "picked": (int, type(None)),
}


def dump(state: State) -> str:
    """The state as text."""
    own = {
        "p": state.p,
        "offered": list(state.rows.looked),
        "named": state.rows.named,
        "shown": sorted(state.shown),
        "rows": key_of(state.rows.within),
        "by_gain": state.by_gain,
        "hidden": state.hidden,
        "picked": state.picked,
    }
    return kept(LAB, state.rows.table, own)


def load(text: str, table: Table | None = None) -> State:
    """The state of a text.

    Raises
    ------
    ValueError
        For a text that is no state, one made on another table, or one that is damaged.
    """
    table = tax_fraud() if table is None else table
    start(table)  # raises for a table that no lab can show
    data = settings(text, LAB, table, _KINDS)
    n = len(table.attributes)
    offered = _positions(data, "offered", range(n), min(n, MOST_OFFERED))
    named = data["named"]
    if not 1 <= named <= MOST_SHOWN or named > len(offered):
        raise _damaged("named")
    state = begun(offering(table, offered, named))
    shown = frozenset(_positions(data, "shown", state.rows.offered, MOST_SHOWN))
    if data["picked"] is not None and data["picked"] not in shown:
        raise _damaged("picked")
    state = update(update(state, Set("rows", data["rows"])), Set("p", data["p"]))
    keys = ("by_gain", "hidden", "picked")
    return replace(state, shown=shown, status="", **{key: data[key] for key in keys})


def _positions(
    data: dict[str, Any], key: str, known: range | tuple[int, ...], most: int
) -> tuple[int, ...]:
    """Different positions of attributes, at least one."""
    given = data[key]
    right = all(type(i) is int and i in known for i in given) and len(set(given)) == len(given)
    if not right or not 1 <= len(given) <= most:
        raise _damaged(key)
    return tuple(given)


def _damaged(key: str) -> ValueError:
    return ValueError(f"the state is damaged: its {key!r} does not fit the table")
