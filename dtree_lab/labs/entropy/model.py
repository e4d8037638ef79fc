"""What can be done in an entropy lab, and its state as a text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dtree_lab.base.text import bits, plural
from dtree_lab.datasets import tax_fraud
from dtree_lab.labs.entropy.state import (
    MOST_OFFERED,
    MOST_SHOWN,
    State,
    Within,
    begun,
    different,
    key_of,
    offering,
    pair_of,
    start,
    ticks,
)
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick, Press, Set, typed
from dtree_lab.labs.kit.controls import label
from dtree_lab.labs.kit.settings import Settings
from dtree_lab.table.table import Table

WITH = "with "  # and the position of an attribute: the control that has it beside the others


def update(state: State, action: Action) -> State:
    """The state after an action; a `NotPossibleError` says why it cannot be done."""
    match action:
        case Set(control, bool(wanted)) if control.startswith(WITH):
            return _beside(state, control.removeprefix(WITH), wanted=wanted)
        case Set("typed", str(text)):
            return _typed(state, text)
        case Set():
            return SETTINGS.set(state, action)
        case Pick("bars", row):
            return _picked(state, row)
        case Press("share"):
            return _shared(state)
        case Press("next"):
            return _next(state)
        case Press("reset"):
            return replace(begun(replace(state.rows, within=None)), status="Started over.")
    raise SETTINGS.refusal(action)


# -- the curve -------------------------------------------------------------------------------------


def _at(state: State, p: float) -> State:
    return replace(state, p=p, typed=None, wrong=None, status="")


def _typed(state: State, text: str) -> State:
    """What is no probability stays in its field, with what is wrong beneath it."""
    try:
        return _at(state, probability(text))
    except NotPossibleError as error:
        return replace(state, typed=text[:40], wrong=str(error), status="")


def probability(text: str) -> float:
    """``0.3``, ``3/10``, ``30 %`` or ``0,3`` as a number from 0 to 1."""
    plain = text.strip()
    above, line, below = plain.removesuffix("%").partition("/")
    try:
        whole = typed(below, "p") if line else 1.0
        number = typed(above, "p") / whole / (100 if plain.endswith("%") else 1)
    except (NotPossibleError, ZeroDivisionError):
        raise NotPossibleError("Type a number from 0 to 1, such as 0.3, 3/10 or 30 %.") from None
    if not 0 <= number <= 1:
        raise NotPossibleError(f"A probability lies between 0 and 1; {plain[:40]} does not.")
    return number


def _shared(state: State) -> State:
    share = state.rows.share
    if share is None:
        raise NotPossibleError("The target has not two classes, so no one number is their share.")
    return _at(state, share)


# -- the attributes --------------------------------------------------------------------------------


def _within(state: State, within: Within | None) -> State:
    rows = state.rows
    if within == rows.within:
        return state
    chosen = replace(rows, within=within)
    of = plural(sum(chosen.comparison.counts), "row")
    left = bits(chosen.comparison.entropy)
    said = "" if within is None else f", {chosen.said()}"
    status = f"{of}{said}: H({label(rows.table.target.name)}) = {left} bits."
    return replace(state, rows=chosen, status=status)


def _beside(state: State, which: str, *, wanted: bool) -> State:
    names = {str(i): i for i in state.rows.offered}
    if which not in names:
        raise NotPossibleError(f"There is no attribute {which[:40]!r} to choose.")
    shown = state.shown | {names[which]} if wanted else state.shown - {names[which]}
    if not shown:
        raise NotPossibleError("One attribute has to stay; choose another one first.")
    if len(shown) > MOST_SHOWN:
        msg = f"At most {MOST_SHOWN} attributes stand side by side; take one away first."
        raise NotPossibleError(msg)
    picked = state.picked if state.picked in shown else None
    return replace(state, shown=shown, picked=picked, status="")


def _picked(state: State, row: int) -> State:
    """An attribute's branches on the curve; where gains are hidden, the learner's choice."""
    if not 0 <= row < len(state.order):
        raise NotPossibleError(f"There is no attribute number {row + 1} here.")
    at = state.order[row]
    if state.hidden:
        return replace(state, hidden=False, picked=at, status=_verdict(state, at))
    return replace(state, picked=None if at == state.picked else at, status="")


def _verdict(state: State, chosen: int) -> str:
    compared = state.rows.compared
    mine = compared[chosen]
    best = max((compared[i] for i in state.order), key=ticks)
    gain = f"{mine.question} gains {bits(mine.gain)} bits"
    if ticks(mine) == ticks(best):
        return f"{gain}: none of these gains more."
    cost = bits(best.gain - mine.gain)
    return f"{gain}. {best.question} gains {bits(best.gain)}: {cost} bits more."


# -- a lecturer's keys -----------------------------------------------------------------------------


def _next(state: State) -> State:
    """Reveal the gains, then put one attribute after the other on the curve."""
    if state.hidden:
        return replace(state, hidden=False, status="The gains, in bits.")
    order = state.order
    row = order.index(state.picked) + 1 if state.picked in order else 0
    if row == len(order):
        msg = "Each attribute has been on the curve. Choose other rows, or start over."
        raise NotPossibleError(msg)
    one = state.rows.compared[order[row]]
    status = f"{one.question}: gain {bits(one.gain)} bits."
    return replace(state, picked=order[row], status=status)


SETTINGS = Settings(
    "EntropyLab",
    State,
    sets={
        "p": _at,
        "within": _within,
        "by_gain": lambda state, order: replace(state, by_gain=order == "gain", status=""),
        "hidden": lambda state, hidden: replace(state, hidden=hidden, picked=None, status=""),
    },
    shows={"by_gain": lambda state: "gain" if state.by_gain else "table"},
    tells={
        "offered": lambda state: list(state.rows.looked),
        "named": lambda state: state.rows.named,
        "shown": lambda state: sorted(state.shown),
        "within": lambda state: key_of(state.rows.within),
    },
    loads={
        "within": lambda state, key: _within(state, pair_of(state, key)),
        "by_gain": lambda state, by_gain: replace(state, by_gain=by_gain),
    },
    table=lambda state: state.rows.table,
    unknown="Nothing here does this: {short}",
)

dump = SETTINGS.dump


def load(text: str, table: Table | None = None) -> State:
    """The state of a text; a ValueError says why it is none."""
    table = tax_fraud() if table is None else table
    start(table)  # raises for a table that no lab can show

    def begin(data: dict[str, Any]) -> State:
        n, offered, named = len(table.attributes), data["offered"], data["named"]
        if not different(offered, range(n), min(n, MOST_OFFERED)):
            raise SETTINGS.damage("offered")
        if not 1 <= named <= min(MOST_SHOWN, len(offered)):
            raise SETTINGS.damage("named")
        return begun(offering(table, tuple(offered), named))

    return SETTINGS.load(text, table, begin)
