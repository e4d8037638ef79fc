"""A state as a short text that recreates it, for keeping and for handing in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dtree_lab.datasets import tax_fraud
from dtree_lab.learn.ready import check_table
from dtree_lab.widgets.kit.actions import Set
from dtree_lab.widgets.kit.keeping import kept, settings
from dtree_lab.widgets.threshold.model import update
from dtree_lab.widgets.threshold.state import State, start

if TYPE_CHECKING:
    from dtree_lab.table import Table

LAB = "ThresholdLab"
_NUMBER = (int, float)
_KINDS: dict[str, type | tuple[type, ...]] = {
    "attribute": str,
    "cut": _NUMBER,
    "equal": bool,
    "priors": str,
    "tau": _NUMBER,
}


def dump(state: State) -> str:
    """The state as text."""
    own = {
        "attribute": state.curve.attribute.name,
        "cut": state.cut,
        "equal": state.equal,
        "priors": state.priors,
        "tau": state.log_tau,
    }
    return kept(LAB, state.curve.table, own)


def load(text: str, table: Table | None = None) -> State:
    """The state of a text.

    Raises
    ------
    ValueError
        For a text that is no state, one made on another table, or one that is damaged.
    """
    table = tax_fraud() if table is None else table
    check_table(table)
    data = settings(text, LAB, table, _KINDS)
    state = start(table, data["attribute"])
    for control in ("cut", "equal", "priors", *(["tau"] if data["tau"] else [])):
        state = update(state, Set(control, data[control]))
    return replace(state, status="")
