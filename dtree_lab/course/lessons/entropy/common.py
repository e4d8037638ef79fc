"""What the exercises share; written apart from the library's, so that each checks the other."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from dtree_lab.course.bits import entropy_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np

Heaps: TypeAlias = "Sequence[Sequence[int]]"

UNWEIGHTED = (
    "You averaged the heaps as if they were equally large. Each counts by its share of all rows."
)
NO_WEIGHTS = (
    "You added the heaps' entropies as they are. An average counts each heap by its share of all"
    " rows."
)
APART = (
    "You counted each label of each heap apart: that is what heap and label leave open *together*."
    " How uncertain is the label when the heap is known?"
)
# How far apart two wrong numbers must be, so that each gets its own hint.
_APART = 0.004


def together(heaps: Heaps) -> list[int]:
    """The counts of the labels in all heaps together."""
    return [sum(column) for column in zip(*heaps, strict=True)]


def left_of(heaps: Heaps) -> float:
    """H(Y|X) in bits."""
    rows = sum(map(sum, heaps))
    return math.fsum(sum(heap) / rows * entropy_of(heap) for heap in heaps)


def gain_of(heaps: Heaps) -> float:
    """I(Y, X) in bits."""
    return entropy_of(together(heaps)) - left_of(heaps)


def split_of(heaps: Heaps) -> float:
    """The entropy of the heaps' sizes, in bits."""
    return entropy_of([sum(heap) for heap in heaps])


def apart(numbers: Iterable[float]) -> bool:
    """Whether no two of some numbers could be taken for each other."""
    return all(abs(x - y) > _APART for x, y in combinations(numbers, 2))


def drawn_heaps(rng: np.random.Generator, n_heaps: int, n_labels: int) -> list[list[int]]:
    """Heaps by chance, none of them empty."""
    heaps = rng.integers(0, 9, (n_heaps, n_labels))
    heaps[:, 0] += heaps.sum(axis=1) == 0
    found: list[list[int]] = heaps.tolist()
    return found
