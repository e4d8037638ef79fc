"""The state of an entropy lab, and its numbers worked out line by line, as in a textbook."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np

from dtree_lab.base.text import bits, plural
from dtree_lab.criteria.classes import entropy
from dtree_lab.datasets import tax_fraud
from dtree_lab.grow.compare import (
    Compared,
    Comparison,
    asked,
    compare,
    entropy_text,
    equal_sign,
    terms,
)
from dtree_lab.labs.kit.actions import NotPossibleError
from dtree_lab.labs.kit.controls import label
from dtree_lab.labs.kit.settings import UnfitError, choice, remembered, slider, toggle
from dtree_lab.labs.kit.taking import Taken, classified, plain
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.splits import answer, reason

# Beyond these, branches and classes are taken together, and logarithms are not written out.
MOST_BRANCHES, MOST_CLASSES = 8, 6
_VALUE = 20


@lru_cache(maxsize=64)
def displayed(attribute: Attribute) -> Attribute:
    """An attribute whose name and values can stand in a formula."""
    values = attribute.values
    told = None if values is None else tuple(label(v, _VALUE) for v in values)
    return Attribute(label(attribute.name), told)


def worked_entropy(name: str, counts: Sequence[int]) -> str:
    """An entropy on one line; with many classes, without each of its logarithms."""
    found = terms(counts)
    if len(found) <= MOST_CLASSES:
        return entropy_text(name, counts)
    n = sum(counts)
    return f"{name} = Σ n/{n}·log2({n}/n) over {len(found)} classes = {bits(entropy(counts))} bits"


def counted(
    comparison: Comparison, one: Compared, *, hidden: bool
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """A head and rows: how often each class comes in each branch, and the entropy there."""
    classes = comparison.target.values or ()
    shown = [label(c, 12) for c in classes[:MOST_CLASSES]]
    more = len(classes) > MOST_CLASSES
    shown += [f"{len(classes) - MOST_CLASSES} others"] if more else []
    head = ["", *shown, "rows", *([] if hidden else ["H in bits"])]
    rows = [
        [name, *_classes(counts, more=more), f"{sum(counts):,}", *([] if hidden else [left])]
        for name, counts, left in _branches(one)
    ]
    before = bits(entropy(comparison.counts))
    last = ["all", *_classes(comparison.counts, more=more), f"{sum(comparison.counts):,}"]
    return head, [*rows, [*last, *([] if hidden else [before])]]


def _branches(one: Compared) -> list[tuple[str, list[int], str]]:
    """Each branch's answer, rows of each class and entropy; beyond the most, all in one line."""
    if one.candidate is None:
        return []
    found, split = one.candidate.counts, one.candidate.split
    told = [
        (answer(split, one.attribute, i), counts, bits(entropy(counts)))
        for i, counts in enumerate(found[:MOST_BRANCHES].tolist())
    ]
    rest = found[MOST_BRANCHES:]
    if len(rest):
        told.append((plural(len(rest), "more value"), rest.sum(axis=0).tolist(), "…"))
    return told


def _classes(counts: Sequence[int], *, more: bool) -> list[str]:
    named = [f"{n:,}" for n in counts[:MOST_CLASSES]]
    return [*named, *([f"{sum(counts[MOST_CLASSES:]):,}"] if more else [])]


def lines(comparison: Comparison, one: Compared) -> list[str]:
    """H(Y|X=x) of each branch, H(Y|X) as their weighted mean, and the gain."""
    target = label(comparison.target.name)
    if one.candidate is None:
        return [f"Every row here has the same {one.attribute.name}: asking changes nothing."]
    split, total = one.candidate.split, sum(comparison.counts)
    found = one.candidate.counts
    told, weights = [], []
    for branch, counts in enumerate(found[:MOST_BRANCHES].tolist()):
        why = reason(split, one.attribute, branch)
        told.append(worked_entropy(f"H({target} | {why})", counts))
        weights.append(f"{sum(counts)}/{total}·{bits(entropy(counts))}")
    if len(found) > MOST_BRANCHES:
        rest = len(found) - MOST_BRANCHES
        told.append(f"… and so on for {plural(rest, 'more value')}")
        weights.append("…")
    left = f"H({target} | {asked(one)})"
    told.append(f"{left} = {' + '.join(weights)} = {bits(one.conditional_entropy)} bits")
    difference = f"{bits(one.entropy)} - {bits(one.conditional_entropy)}"
    gain = f"{difference} {equal_sign(one)} {bits(one.gain)} bits"
    return [*told, f"gain = H({target}) - {left} = {gain}"]


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

    def said(self) -> str:
        """Which rows, in words."""
        if self.within is None:
            return "all rows"
        return f"rows where {condition(self.table.attributes[self.within[0]], self.within[1])}"


def condition(attribute: Attribute, code: int) -> str:
    """``Refund is No``."""
    shown = displayed(attribute)
    return f"{shown.name} is {(shown.values or ())[code]}"


EVERYTHING = "all"


def key_of(within: Within | None) -> str:
    """How the choice of rows is written: ``all``, or ``0=2``."""
    return EVERYTHING if within is None else f"{within[0]}={within[1]}"


def conditions(state: State) -> dict[str, str]:
    """What the rows can be narrowed to, in words."""
    attributes = state.rows.table.attributes
    pairs = [(key_of((i, k)), condition(attributes[i], k)) for i, k in state.rows.conditions]
    return {EVERYTHING: "all", **dict(pairs)}


def pair_of(state: State, key: object) -> Within | None:
    """An attribute and the code of a value, of those that are offered."""
    if not isinstance(key, str):
        raise UnfitError
    pairs = {key_of(within): within for within in (None, *state.rows.conditions)}
    if key not in pairs:
        raise NotPossibleError(f"There are no such rows: {key[:40]!r}.")
    return pairs[key]


def _beside(state: State, given: list[object]) -> frozenset[object]:
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
    shown: frozenset[int] = remembered(list, check=_beside)
    within = choice(conditions, "Rows", key="rows", control="rows", check=pair_of)
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


def ticks(one: Compared) -> int:
    """A gain for comparing: a tie is an equality."""
    return one.candidate.gain_ticks if one.candidate else 0


def start(table: Table | None = None, attributes: Sequence[str] | None = None) -> State:
    """The state before anything was done."""
    table = plain(tax_fraud() if table is None else table)
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
