"""Entropy as the exercises check it: the textbook's sum, written apart from the library's.

So each checks the other; lessons share this one.
"""

from __future__ import annotations

import math
from collections.abc import Collection


def entropy_of(counts: Collection[float]) -> float:
    """The entropy of counts, in bits; labels without rows are left out."""
    total = sum(counts)
    shares = [c / total for c in counts if c]
    return math.fsum(p * math.log2(1 / p) for p in shares)
