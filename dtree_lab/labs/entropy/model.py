"""What can be done in an entropy lab, and its state as a text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dtree_lab.base.text import bits, plural
from dtree_lab.datasets import tax_fraud
from dtree_lab.labs.entropy.state import (
    MOST_OFFERED,
    MOST_SHOWN,
    ComparedRows,
    State,
    Within,
    begun,
    offering,
    start,
    ticks,
)
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick, Press, Set, finite, typed
from dtree_lab.labs.kit.controls import label
from dtree_lab.labs.kit.keeping import kept, settings_of
from dtree_lab.table.table import Table

WITH = "with "  # and the position of an attribute: the control that has it beside the others
EVERYTHING = "all"


def update(state: State, action: Action) -> State:
    """The state after an action; a `NotPossibleError` says why it cannot be done."""
    match action:
        case Set(control, given):
            return _set(state, control, given)
        case Pick("bars", row):
            return _picked(state, row)
        case Press("share"):
            return _shared(state)
        case Press("next"):
            return _next(state)
        case Press("reset"):
            return replace(begun(replace(state.rows, within=None)), status="Started over.")
    raise _unknown(action)


def _set(state: State, control: str, given: float | str | bool) -> State:  # noqa: FBT001 - a value
    match control, given:
        case "hidden", bool(hidden):
            return replace(state, hidden=hidden, picked=None, status="")
        case _, bool(wanted) if control.startswith(WITH):
            return _beside(state, control.removeprefix(WITH), wanted=wanted)
        case "p", float() | int() if not isinstance(given, bool):
            return _at(state, given)
        case "typed", str(text):
            return _typed(state, text)
        case "rows", str(key):
            return _within(state, key)
        case "order", "gain" | "table":
            return replace(state, by_gain=given == "gain", status="")
    raise _unknown(Set(control, given))


def _unknown(action: Action) -> NotPossibleError:
    return NotPossibleError(f"Nothing here does this: {str(action)[:80]}")


# -- the curve -------------------------------------------------------------------------------------


def _at(state: State, p: float) -> State:
    if not 0 <= p <= 1:
        msg = f"A probability lies between 0 and 1; {finite(p):g} does not."
        raise NotPossibleError(msg)
    return replace(state, p=float(p), typed=None, wrong=None, status="")


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
        msg = "Type a number from 0 to 1, such as 0.3, 3/10 or 30 %."
        raise NotPossibleError(msg) from None
    if not 0 <= number <= 1:
        msg = f"A probability lies between 0 and 1; {plain[:40]} does not."
        raise NotPossibleError(msg)
    return number


def _shared(state: State) -> State:
    share = state.rows.share
    if share is None:
        msg = "The target has not two classes, so no one number is their share."
        raise NotPossibleError(msg)
    return _at(state, share)


# -- the attributes --------------------------------------------------------------------------------


def _within(state: State, key: str) -> State:
    rows = state.rows
    within = None if key == EVERYTHING else _pair(rows, key)
    if within == rows.within:
        return state
    chosen = replace(rows, within=within)
    of = plural(sum(chosen.comparison.counts), "row")
    left = bits(chosen.comparison.entropy)
    said = "" if within is None else f", {chosen.said()}"
    status = f"{of}{said}: H({label(rows.table.target.name)}) = {left} bits."
    return replace(state, rows=chosen, status=status)


def _pair(rows: ComparedRows, key: str) -> Within:
    """An attribute and the code of a value, of those that are offered."""
    found = next((within for within in rows.conditions if key == key_of(within)), None)
    if found is None:
        msg = f"There are no such rows: {key[:40]!r}."
        raise NotPossibleError(msg)
    return found


def key_of(within: Within | None) -> str:
    """How the choice of rows is written: ``all``, or ``0=2``."""
    return EVERYTHING if within is None else f"{within[0]}={within[1]}"


def _beside(state: State, which: str, *, wanted: bool) -> State:
    names = {str(i): i for i in state.rows.offered}
    if which not in names:
        msg = f"There is no attribute {which[:40]!r} to choose."
        raise NotPossibleError(msg)
    shown = state.shown | {names[which]} if wanted else state.shown - {names[which]}
    if not shown:
        msg = "One attribute has to stay; choose another one first."
        raise NotPossibleError(msg)
    if len(shown) > MOST_SHOWN:
        msg = f"At most {MOST_SHOWN} attributes stand side by side; take one away first."
        raise NotPossibleError(msg)
    picked = state.picked if state.picked in shown else None
    return replace(state, shown=shown, picked=picked, status="")


def _picked(state: State, row: int) -> State:
    """An attribute's branches on the curve; where gains are hidden, the learner's choice."""
    if not 0 <= row < len(state.order):
        msg = f"There is no attribute number {row + 1} here."
        raise NotPossibleError(msg)
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
    data = settings_of(text, LAB, table, _KINDS)
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
