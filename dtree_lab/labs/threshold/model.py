"""What each action makes of a :class:`dtree_lab.ThresholdLab`, and its state as a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from dtree_lab.base.text import bits, number
from dtree_lab.datasets import tax_fraud
from dtree_lab.grow.prepare import check_table
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick, Press, Set
from dtree_lab.labs.kit.settings import Settings
from dtree_lab.labs.kit.taking import given
from dtree_lab.labs.threshold.pictures import told
from dtree_lab.labs.threshold.state import (
    GainCurve,
    State,
    cut_of,
    log_tau_of,
    middle,
    name_of,
    start,
)
from dtree_lab.table.table import Table


def update(state: State, action: Action) -> State:
    """The state after an action; a `NotPossibleError` says why it cannot be done."""
    match action:
        case Set():
            return SETTINGS.set(state, action)
        case Press(control) if control in _PRESSED:
            return _PRESSED[control](state)
        case Pick("cuts", row):
            return _pick(state, row)
    raise SETTINGS.refusal(action)


def _cut(state: State, cut: float) -> State:
    gain = bits(state.curve.at(cut).gain)
    status = f"{name_of(state.curve)} < {number(cut)} gains {gain} bits."
    return replace(state, cut=cut, status=status)


def _to(state: State, curve: GainCurve) -> State:
    status = f"Now along {name_of(curve)}."
    return replace(state, curve=curve, cut=middle(curve), status=status)


def _named(state: State, name: str) -> State:
    """The state along the attribute of a name."""
    if name == state.curve.attribute.name:
        return state
    return _to(state, start(given(state.curve.table), name).curve)


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
    return _cut(state, cut_of(state, best))


def _neighbour(state: State, *, up: bool) -> State:
    """The next midpoint on one side."""
    midpoints = state.curve.midpoints
    last = int(np.searchsorted(midpoints, state.cut)) - 1
    j = int(np.searchsorted(midpoints, state.cut, side="right")) if up else last
    if not 0 <= j < len(midpoints):
        msg = f"There is no midpoint {'above' if up else 'below'} {number(state.cut)}."
        raise NotPossibleError(msg)
    return _cut(state, cut_of(state, float(midpoints[j])))


def _pick(state: State, row: int) -> State:
    rows = told(state)
    if not 0 <= row < len(rows):
        raise NotPossibleError(f"There is no row {row + 1} in the list of cuts.")
    cuts = rows[row].cuts
    if len(cuts) != 1:
        msg = "These are several cuts at once: choose one of them in the rows above it."
        raise NotPossibleError(msg)
    return _cut(state, cut_of(state, cuts[0]))


def _reset(state: State) -> State:
    return State(state.curve, middle(state.curve), status="Back at the beginning.")


_PRESSED: dict[str, Callable[[State], State]] = {
    "best": _best,
    "higher": partial(_neighbour, up=True),
    "next": partial(_neighbour, up=True),
    "lower": partial(_neighbour, up=False),
    "reset": _reset,
}


SETTINGS = Settings(
    "ThresholdLab",
    State,
    sets={
        "attribute": _to,
        "cut": _cut,
        "equal": lambda state, equal: _fitted(replace(state, equal=equal)),
        "priors": lambda state, priors: _fitted(replace(state, priors=priors)),
        "log_tau": lambda state, log_tau: _fitted(replace(state, log_tau=log_tau)),
    },
    shows={"attribute": lambda state: str(state.curve.index)},
    tells={"attribute": lambda state: state.curve.attribute.name},
    loads={
        "attribute": _named,
        # Where it is 0 there need not be two classes.
        "log_tau": lambda state, x: replace(state, log_tau=log_tau_of(state, x)) if x else state,
    },
    table=lambda state: state.curve.table,
    unknown="The lab has nothing to do for {action}.",
)

dump = SETTINGS.dump


def load(text: str, table: Table | None = None) -> State:
    """The state of a text; a ValueError says why it is none."""
    table = tax_fraud() if table is None else table
    check_table(table)
    return SETTINGS.load(text, table, lambda data: start(table, data["attribute"]))
