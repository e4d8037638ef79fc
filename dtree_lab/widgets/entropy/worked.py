"""An attribute's numbers worked out line by line, as in a textbook, within a stated length."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from dtree_lab.criteria import entropy
from dtree_lab.learn.arithmetic import asked, entropy_text, equal_sign, terms
from dtree_lab.shown import bits, plural
from dtree_lab.splits import answer, reason
from dtree_lab.table import Attribute
from dtree_lab.widgets.kit.names import label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.learn.compare import Compared, Comparison

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
