"""What the tasks share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtree_lab.course.calls import Outcome


def same(one: Outcome, other: Outcome, tolerance: float) -> bool:
    """Whether two outcomes are equal: numbers within a tolerance, errors of one type.

    What is neither number nor text is compared as far as it is described.
    """
    if one.kind != other.kind:
        return False
    if one.kind == "number":
        return close(one.value, other.value, tolerance)
    if one.kind == "other" and one.says != other.says:
        return False
    return bool(one.value == other.value)


def close(x: float, y: float, tolerance: float) -> bool:
    """Whether two numbers are equal within a tolerance; NaN equals NaN only."""
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    # The last figure of a rounded answer must not fall to rounding here.
    return x == y or abs(x - y) <= tolerance * (1 + 1e-9)
