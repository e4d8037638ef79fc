"""The entropy lab: its numbers line by line as in a textbook, its state, what an action does."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.base.text import bits, plural
from dtree_lab.datasets import tax_fraud
from dtree_lab.grow.compare import Compared, Comparison, compare
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick, Press, Set, typed
from dtree_lab.labs.kit.controls import label
from dtree_lab.labs.kit.settings import Settings, UnfitError, choice, remembered, slider, toggle
from dtree_lab.labs.kit.taking import Taken, classified, plain_table
from dtree_lab.table.table import Attribute, Table

_VALUE = 20


@lru_cache(maxsize=64)
def displayed(attribute: Attribute) -> Attribute:
    """An attribute whose name and values can stand in a formula."""
    values = attribute.values
    told = None if values is None else tuple(label(v, _VALUE) for v in values)
    return Attribute(label(attribute.name), told)


# How many attributes can be chosen from, and how many stand side by side.
MOST_OFFERED, MOST_SHOWN = 24, 8
# Rows can be narrowed to one of so many values, so many of each attribute.
MOST_CONDITIONS, MOST_VALUES = 30, 6
# An attribute, by its position, and the code of one of its values.
Within: TypeAlias = tuple[int, int]


@dataclass(frozen=True, eq=False)
class ComparedRows:
    """The rows that attributes are compared on, once; `within` narrows them to a value of one."""

    table: Table
    offered: tuple[int, ...]
    named: int
    within: Within | None = None

    @property
    def looked(self) -> tuple[int, ...]:
        """The positions of what was to be offered, and of what was left out of it."""
        return self.table.looked if isinstance(self.table, Taken) else self.offered

    @cached_property
    def part(self) -> Table:
        """The rows, with the offered attributes only."""
        whole = self.table
        attributes = tuple(whole.attributes[i] for i in self.offered)
        columns = tuple(whole.columns[i] for i in self.offered)
        part = Table(attributes, whole.target, columns, whole.labels)
        if self.within is None:
            return part
        at, code = self.within
        return part.take(np.flatnonzero(whole.columns[at] == code))

    @cached_property
    def comparison(self) -> Comparison:
        """What the attributes gain on these rows."""
        return compare(self.part)

    @cached_property
    def compared(self) -> dict[int, Compared]:
        """Each offered attribute by its position, in the order of the table, with names to show."""
        found = {one.attribute.name: one for one in self.comparison.ranked}
        attributes = [(i, self.table.attributes[i]) for i in sorted(self.offered)]
        return {i: replace(found[a.name], attribute=displayed(a)) for i, a in attributes}

    @cached_property
    def conditions(self) -> tuple[Within, ...]:
        """What the rows can be narrowed to: of each discrete attribute the first few values."""
        table = self.table
        found = [
            (i, code)
            for i in sorted(self.offered)
            for code in range(min(table.attributes[i].n_values, MOST_VALUES))
            if (table.columns[i] == code).any()
        ]
        return tuple(found[:MOST_CONDITIONS])

    @property
    def share(self) -> float | None:
        """The share of the second of two classes; None when there are not two."""
        counts = self.comparison.counts
        return counts[1] / sum(counts) if len(counts) == 2 else None  # noqa: PLR2004


def _condition(table: Table, within: Within) -> str:
    """``Refund is No``."""
    shown = displayed(table.attributes[within[0]])
    return f"{shown.name} is {(shown.values or ())[within[1]]}"


EVERYTHING = "all"


def _key_of(within: Within | None) -> str:
    """How the choice of rows is written: ``all``, or ``0=2``."""
    return EVERYTHING if within is None else f"{within[0]}={within[1]}"


def _conditions(state: State) -> dict[str, str]:
    table, every = state.rows.table, state.rows.conditions
    return {EVERYTHING: "all", **{_key_of(one): _condition(table, one) for one in every}}


def _pair_of(state: State, key: object) -> Within | None:
    if not isinstance(key, str):
        raise UnfitError
    pairs = {_key_of(within): within for within in (None, *state.rows.conditions)}
    if key not in pairs:
        raise NotPossibleError(f"There are no such rows: {key[:40]!r}.")
    return pairs[key]


def _shown(state: State, given: list[object]) -> frozenset[object]:
    if not different(given, state.rows.offered, MOST_SHOWN):
        raise UnfitError
    return frozenset(given)


def different(given: list[object], known: Collection[int], most: int) -> bool:
    """Whether these are different positions of attributes, at least one."""
    right = all(type(i) is int and i in known for i in given) and len(set(given)) == len(given)
    return right and 1 <= len(given) <= most


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one.

    `p` is the point on the curve; `shown` stand side by side, by their positions, ranked or not;
    the branches of `picked` are on the curve. A text for p that is no probability is `typed`, with
    what is `wrong`.
    """

    rows: ComparedRows
    p: float = slider(
        0, 1, "p", step=0.01, words="A probability lies between 0 and 1; {value:g} does not."
    )
    offered = remembered(list)
    named = remembered(int)
    shown: frozenset[int] = remembered(list, check=_shown)
    within = choice(_conditions, "Rows", key="rows", control="rows", check=_pair_of)
    by_gain: bool = choice(
        {"gain": "gain, the largest first", "table": "the table's order"},
        "Order",
        kinds=(bool,),
        default=True,
        control="order",
        as_text=True,
    )
    hidden: bool = toggle("Hide the gains", default=False)
    picked: int | None = remembered(
        int, type(None), default=None, fits=lambda state, at: at is None or at in state.shown
    )
    typed: str | None = None
    wrong: str | None = None
    status: str = ""

    @property
    def order(self) -> tuple[int, ...]:
        """The attributes side by side, in the order in which they stand."""
        compared = self.rows.compared
        shown = [i for i in compared if i in self.shown]
        if self.by_gain and not self.hidden:
            shown.sort(key=lambda i: -ticks(compared[i]))
        return tuple(shown)


def ticks(compared: Compared) -> int:
    """A gain for comparing: a tie is an equality."""
    return compared.candidate.gain_ticks if compared.candidate else 0


def start(table: Table | None = None, attributes: Sequence[str] | None = None) -> State:
    """The state before anything was done."""
    table = plain_table(tax_fraud() if table is None else table)
    everything = range(len(table.attributes))
    named = list(everything)[:MOST_SHOWN] if attributes is None else _named(table, attributes)
    others = (i for i in everything if i not in set(named))
    looked = (*named, *others)[:MOST_OFFERED]
    rows = offering(table, looked, len(named))
    for i in () if attributes is None else named:
        if i not in rows.offered:
            raise ValueError(
                f"with {table.names[i]!r} no row has a value of everything that is compared; name"
                " other attributes, or fill its gaps in"
            )
    return begun(rows)


def offering(table: Table, looked: Sequence[int], named: int) -> ComparedRows:
    """The rows that have all values of what is offered."""
    part = classified(table, looked, must=())
    left = part.without if isinstance(part, Taken) else ()
    return ComparedRows(part, tuple(i for i in looked if table.names[i] not in left), named)


def begun(rows: ComparedRows) -> State:
    """The state in which some rows are first seen."""
    share = rows.share
    first = [i for i in rows.looked[: rows.named] if i in rows.offered]
    shown = frozenset(first or rows.offered[:MOST_SHOWN])
    return State(rows, 0.5 if share is None else share, shown)


def _named(table: Table, attributes: Sequence[str]) -> list[int]:
    if isinstance(attributes, str):
        msg = f"attributes={attributes!r} must be a list of names, such as [{attributes!r}]"
        raise ValueError(msg)  # noqa: TRY004 - the type is right, strings being sequences
    positions = list(dict.fromkeys(table.index(name) for name in attributes))
    if not 1 <= len(positions) <= MOST_SHOWN:
        msg = f"attributes= must name 1 to {MOST_SHOWN} attributes; got {len(positions)}"
        raise ValueError(msg)
    return positions


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
    said = "" if within is None else f", rows where {_condition(rows.table, within)}"
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
        "within": lambda state: _key_of(state.rows.within),
    },
    loads={
        "within": lambda state, key: _within(state, _pair_of(state, key)),
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
