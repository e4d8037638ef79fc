"""What the exercises on bits share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def summed(counts: Sequence[float], term: Callable[[float], float]) -> float:
    """The sum of a term of each label's share; labels without rows are left out."""
    total = sum(counts)
    return math.fsum(term(c / total) for c in counts if c)


def entropy_of(counts: Sequence[float]) -> float:
    """The entropy, written apart from the library's, so that each checks the other."""
    return summed(counts, lambda p: p * math.log2(1 / p))


H_CHEAT = entropy_of((7, 3))
H_SIX_FOUR = entropy_of((6, 4))
NATS = (
    "That is the right sum with the wrong logarithm. ``math.log`` counts in nats; for bits the"
    " logarithm has base 2."
)
