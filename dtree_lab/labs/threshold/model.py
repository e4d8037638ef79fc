"""What each action makes of a :class:`dtree_lab.ThresholdLab`, and its state as a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from dtree_lab.base.text import bits, number
from dtree_lab.datasets import tax_fraud
from dtree_lab.grow.prepare import check_table
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick, Press, Set, typed
from dtree_lab.labs.kit.keeping import kept, settings_of
from dtree_lab.labs.kit.taking import given
from dtree_lab.labs.threshold.pictures import name_of, span, told
from dtree_lab.labs.threshold.state import MOST_TAU, State, along, middle, start
from dtree_lab.table.table import Table


def update(state: State, action: Action) -> State:
    """The state after an action.

    Raises
    ------
    NotPossibleError
        For an action that cannot be done, saying why.
    """
    match action:
        case Set("cut", value):
            return _cut(state, typed(value, "A cut"))
        case Set("attribute", str(key)):
            return _attribute(state, key)
        case Set():
            return _fitted(_modelled(state, action))
        case Press(control) if control in _PRESSED:
            return _PRESSED[control](state)
        case Pick("cuts", row):
            return _pick(state, row)
    raise _unknown(action)


def _modelled(state: State, action: Set) -> State:
    """The state with something else about the bell curves."""
    match action:
        case Set("equal", bool(equal)):
            return replace(state, equal=equal)
        case Set("priors", "rows" | "equal" as priors):
            return replace(state, priors=priors)
        case Set("tau", value):
            return _tau(state, typed(value, "The logarithm of tau"))
    raise _unknown(action)


def _unknown(action: Action) -> NotPossibleError:
    msg = f"The lab has nothing to do for {action}."
    return NotPossibleError(msg)


def _cut(state: State, cut: float) -> State:
    axis = span(state.curve)
    if not axis.low <= cut <= axis.high:
        low, high = number(axis.low), number(axis.high)
        msg = f"The picture goes from {low} to {high}; type a cut between them, not {number(cut)}."
        raise NotPossibleError(msg)
    gain = bits(state.curve.at(cut).gain)
    status = f"{name_of(state.curve)} < {number(cut)} gains {gain} bits."
    return replace(state, cut=cut, status=status)


def _attribute(state: State, key: str) -> State:
    table = state.curve.table
    if not (key.isascii() and key.isdecimal() and int(key) < len(table.attributes)):
        msg = f"There is no attribute number {key[:20]}."
        raise NotPossibleError(msg)
    if table.attributes[int(key)].values is not None:
        msg = f"{table.names[int(key)]!r} is discrete, so it has no threshold."
        raise NotPossibleError(msg)
    curve = along(given(table), int(key))
    status = f"Now along {name_of(curve)}."
    return replace(state, curve=curve, cut=middle(curve), status=status)


def _tau(state: State, log_tau: float) -> State:
    if not state.binary:
        n = len(state.curve.counts)
        msg = f"Tau is what the ratio of two classes is compared with; here there are {n}."
        raise NotPossibleError(msg)
    if abs(log_tau) > MOST_TAU:
        msg = f"The logarithm of tau must lie between {-MOST_TAU:g} and {MOST_TAU:g}."
        raise NotPossibleError(msg)
    return replace(state, log_tau=log_tau)


def _fitted(state: State) -> State:
    crossings = [number(float(f"{c:.6g}")) for c in state.fit.crossings]
    if not crossings:
        return replace(state, status="The curves do not cross: one class wins everywhere.")
    where = f"at {', '.join(crossings[:8])}" + (" and beyond" if len(crossings) > 8 else "")  # noqa: PLR2004 - enough to read
    return replace(state, status=f"The winner changes {where}.")


def _best(state: State) -> State:
    best = state.curve.best
    if best is None:
        msg = f"Every row has the same {name_of(state.curve)}: there is no cut between them."
        raise NotPossibleError(msg)
    return _cut(state, best)


def _neighbour(state: State, *, up: bool) -> State:
    """The next midpoint on one side."""
    midpoints = state.curve.midpoints
    last = int(np.searchsorted(midpoints, state.cut)) - 1
    j = int(np.searchsorted(midpoints, state.cut, side="right")) if up else last
    if not 0 <= j < len(midpoints):
        msg = f"There is no midpoint {'above' if up else 'below'} {number(state.cut)}."
        raise NotPossibleError(msg)
    return _cut(state, float(midpoints[j]))


def _pick(state: State, row: int) -> State:
    rows = told(state)
    if not 0 <= row < len(rows):
        msg = f"There is no row {row + 1} in the list of cuts."
        raise NotPossibleError(msg)
    cuts = rows[row].cuts
    if len(cuts) != 1:
        msg = "These are several cuts at once: choose one of them in the rows above it."
        raise NotPossibleError(msg)
    return _cut(state, cuts[0])


def _reset(state: State) -> State:
    return State(state.curve, middle(state.curve), status="Back at the beginning.")


_PRESSED: dict[str, Callable[[State], State]] = {
    "best": _best,
    "higher": partial(_neighbour, up=True),
    "next": partial(_neighbour, up=True),
    "lower": partial(_neighbour, up=False),
    "reset": _reset,
}


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
    data = settings_of(text, LAB, table, _KINDS)
    state = start(table, data["attribute"])
    for control in ("cut", "equal", "priors", *(["tau"] if data["tau"] else [])):
        state = update(state, Set(control, data[control]))
    return replace(state, status="")
