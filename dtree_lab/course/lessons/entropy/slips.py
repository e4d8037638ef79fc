"""What mistakes make of the conditional entropy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.lessons.entropy.common import left_of

if TYPE_CHECKING:
    from dtree_lab.course.lessons.entropy.common import Heaps


def first_heap(heaps: Heaps) -> float:
    """Ends the loop in its first round."""
    return sum(heaps[0]) / sum(map(sum, heaps)) * entropy_of(heaps[0])


def last_heap(heaps: Heaps) -> float:
    """Replaces where it should add."""
    return sum(heaps[-1]) / sum(map(sum, heaps)) * entropy_of(heaps[-1])


def of_eight(heaps: Heaps) -> float:
    """Takes it that there are always eight rows."""
    return sum(sum(heap) / 8 * entropy_of(heap) for heap in heaps)


def by_first_label(heaps: Heaps) -> float:
    """Has weights that count the first label only."""
    whole = sum(heap[0] for heap in heaps)
    return sum(heap[0] / whole * entropy_of(heap) for heap in heaps)


def two_heaps(heaps: Heaps) -> float:
    """Looks at two heaps, however many there are."""
    rows = sum(map(sum, heaps))
    return sum(sum(heap) / rows * entropy_of(heap) for heap in heaps[:2])


def two_labels(heaps: Heaps) -> float:
    """Has one share where there may be more than two labels."""
    rows = sum(map(sum, heaps))
    each = [(sum(heap), heap[0] / sum(heap)) for heap in heaps]
    return sum(n / rows * entropy_of([p, 1 - p]) for n, p in each)


def trips(heaps: Heaps) -> float:
    """Does not skip a label that is missing."""
    rows, left = sum(map(sum, heaps)), 0.0
    for heap in heaps:
        n = sum(heap)
        left -= n / rows * sum(c / n * math.log2(c / n) for c in heap)
    return left


def in_the_whole(heaps: Heaps) -> float:
    """Each heap with shares of all rows where its own belong."""
    rows = sum(map(sum, heaps))
    return sum(sum(heap) * _term(n, rows) for heap in heaps for n in heap if n) / rows


def _term(n: int, rows: int) -> float:
    return n / rows * math.log2(rows / n)


def weighed_by_labels(heaps: Heaps) -> float:
    """Weighs by the number of labels."""
    rows = sum(map(sum, heaps))
    return sum(len(heap) / rows * entropy_of(heap) for heap in heaps)


def weighed_by_heaps(heaps: Heaps) -> float:
    """Divides by the number of heaps."""
    return sum(sum(heap) / len(heaps) * entropy_of(heap) for heap in heaps)


def turned(heaps: Heaps) -> float:
    """Takes the labels' columns for the heaps."""
    return left_of([column for column in zip(*heaps, strict=True) if sum(column)])


def first_two(heaps: Heaps) -> float:
    """Takes the first heap and the second for all there are."""
    return left_of([heaps[0], heaps[1]])


def for_two_labels(heaps: Heaps) -> float:
    """Unpacks two labels."""
    return left_of([(one, other) for one, other in heaps])


def for_two(heaps: Heaps) -> float:
    """Unpacks two heaps."""
    one, other = heaps
    return left_of([one, other])
