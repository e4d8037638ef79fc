"""Rows put on heaps by an attribute, what that gains, and what mistakes make of it."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any, TypeAlias

from dtree_lab.course.bits import entropy_of
from dtree_lab.criteria import entropy

Rows: TypeAlias = list[dict[str, Any]]


def entropy_in(labels: list[Any]) -> float:
    """The entropy of labels, in bits."""
    return entropy_of(list(Counter(labels).values()))


def heaps_of(rows: Rows, attribute: str, target: str) -> dict[Any, list[Any]]:
    """The labels, heap by heap."""
    heaps = defaultdict(list)
    for row in rows:
        heaps[row[attribute]].append(row[target])
    return heaps


def left_in(rows: Rows, attribute: str, target: str) -> float:
    """H(Y|X) in bits."""
    heaps = heaps_of(rows, attribute, target).values()
    return math.fsum(len(heap) / len(rows) * entropy_in(heap) for heap in heaps)


def before_in(rows: Rows, target: str) -> float:
    """H(Y) in bits."""
    return entropy_in([row[target] for row in rows])


def gain_in(rows: Rows, attribute: str, target: str) -> float:
    """What the attribute gains, in bits."""
    return before_in(rows, target) - left_in(rows, attribute, target)


def plain_mean(rows: Rows, attribute: str, target: str) -> float:
    """Averages the heaps without weights."""
    heaps = list(heaps_of(rows, attribute, target).values())
    return before_in(rows, target) - sum(map(entropy_in, heaps)) / len(heaps)


def t_and_f(rows: Rows, attribute: str, target: str) -> float:
    """Knows no values and labels but T and F."""

    def two(labels: list[Any]) -> float:
        counts = [labels.count("T"), labels.count("F")]
        return entropy_of(counts) if sum(counts) else 0.0

    heaps = [heaps_of(rows, attribute, target)[value] for value in ("T", "F")]
    before = two([row[target] for row in rows])
    return before - sum(len(heap) / len(rows) * two(heap) for heap in heaps if heap)


def t_and_f_counted(rows: Rows, attribute: str, target: str) -> float:
    """The same, with counts handed to the library: which takes no heap of nothing."""
    heaps = [heaps_of(rows, attribute, target)[value] for value in ("T", "F")]
    counts = [[heap.count(label) for label in ("T", "F")] for heap in heaps]
    before = entropy([sum(both) for both in zip(*counts, strict=True)])
    return before - sum(sum(c) / len(rows) * entropy(c) for c in counts)


def row_by_row(rows: Rows, attribute: str, target: str) -> float:
    """Goes through the rows where it should go through the values: each heap counts often."""
    heaps = heaps_of(rows, attribute, target).values()
    left = sum(len(heap) * len(heap) / len(rows) * entropy_in(heap) for heap in heaps)
    return before_in(rows, target) - left


def half_each(rows: Rows, attribute: str, target: str) -> float:
    """Weighs as if there were two heaps of one size."""
    heaps = heaps_of(rows, attribute, target).values()
    return before_in(rows, target) - sum(map(entropy_in, heaps)) / 2


def no_weights(rows: Rows, attribute: str, target: str) -> float:
    """Takes off the heaps' entropies as they are."""
    heaps = heaps_of(rows, attribute, target).values()
    return before_in(rows, target) - sum(map(entropy_in, heaps))


def gain_ratio(rows: Rows, attribute: str, target: str) -> float:
    """Divides by the split information."""
    split = entropy_in([row[attribute] for row in rows])
    return gain_in(rows, attribute, target) / split if split else 0.0


def together_in(rows: Rows, attribute: str, target: str) -> float:
    """H(X, Y) in bits."""
    return entropy_in([(row[attribute], row[target]) for row in rows])


def first_heap(rows: Rows, attribute: str, target: str) -> float:
    """Takes off one heap only."""
    heap = next(reversed(heaps_of(rows, attribute, target).values()))
    return before_in(rows, target) - len(heap) / len(rows) * entropy_in(heap)
