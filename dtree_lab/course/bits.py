"""Entropy as the exercises check it: the textbook's sum, written apart from the library's.

So each checks the other; lessons share this one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

NATS = (
    "That is the right sum with the wrong logarithm. ``math.log`` counts in nats; for bits the"
    " logarithm has base 2."
)
BASE_TEN = "That is the right sum with base 10. For bits the logarithm has base 2."


def summed(counts: Collection[float], term: Callable[[float], float]) -> float:
    """The sum of a term of each label's share; labels without rows are left out."""
    total = sum(counts)
    return math.fsum(term(c / total) for c in counts if c)


def entropy_of(counts: Collection[float]) -> float:
    """The entropy of counts, in bits."""
    return summed(counts, lambda p: p * math.log2(1 / p))
