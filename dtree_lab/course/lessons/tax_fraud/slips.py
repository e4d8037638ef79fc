"""Entropies with a slip in them: what some hints are about."""

from __future__ import annotations

import math
from itertools import takewhile
from typing import TYPE_CHECKING

from dtree_lab.course.bits import entropy_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def by_labels(counts: Sequence[float]) -> float:
    """Divides by how many labels there are."""
    n = len(counts)
    return -sum(c / n * math.log2(c / n) for c in counts if c)


def total_bits(counts: Sequence[float]) -> float:
    """Weights with counts, and not with shares."""
    return sum(counts) * entropy_of(counts)


def without_fractions(counts: Sequence[float]) -> float:
    """The share of the only label there is, or 0."""
    n = sum(counts)
    return -sum(c // n * math.log2(c / n) for c in counts if c)


def one_over_twice(counts: Sequence[float]) -> float:
    """Divides by the count, and then by the number of rows."""
    n = sum(counts)
    return sum(c / n * math.log2(1 / c / n) for c in counts if c)


def last_term(counts: Sequence[float]) -> float:
    """Sets the sum to 0 in each round."""
    last, n = counts[-1], sum(counts)
    return last / n * math.log2(n / last) if last else 0.0


def stops_at_nothing(counts: Sequence[float]) -> float:
    """Leaves the loop at the first count of 0."""
    n = sum(counts)
    return sum(c / n * math.log2(n / c) for c in takewhile(bool, counts))


def two_labels_only(counts: Sequence[float]) -> float:
    """Takes the second share for one minus the first."""
    p = counts[0] / sum(counts)
    return entropy_of([p, 1 - p])


def scaled(counts: Sequence[float]) -> float:
    """Makes 1 the most that there can be."""
    return entropy_of(counts) / math.log2(max(len(counts), 2))


def of_ten(counts: Sequence[float]) -> float:
    """Divides by 10, whatever the counts are."""
    return sum(c / 10 * math.log2(10 / c) for c in counts if c)
