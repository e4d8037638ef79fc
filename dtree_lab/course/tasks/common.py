"""What the tasks share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dtree_lab.course.calls import Outcome


def same(one: Outcome, other: Outcome, tolerance: float) -> bool:
    """Whether two outcomes are equal: numbers within a tolerance, errors of one type.

    What is none of the plain kinds is compared as far as it is described.
    """
    if one.kind != other.kind:
        return False
    if one.kind == "other":
        return one.says == other.says
    return alike(one.value, other.value, tolerance)


def alike(x: Any, y: Any, tolerance: float) -> bool:
    """Whether two plain values are equal, numbers within a tolerance; True is not 1.

    Examples
    --------
    >>> alike({"a": (0.5, "x")}, {"a": (0.5000001, "x")}, 1e-6), alike((1, 2), (1,), 0.1)
    (True, False)
    """
    if isinstance(x, bool) or isinstance(y, bool):
        return x is y
    if isinstance(x, int | float) and isinstance(y, int | float):
        return close(x, y, tolerance)
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(alike(a, b, tolerance) for a, b in zip(x, y, strict=True))
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(alike(one, y[key], tolerance) for key, one in x.items())
    return type(x) is type(y) and bool(x == y)


def close(x: float, y: float, tolerance: float) -> bool:
    """Whether two numbers are equal within a tolerance; NaN equals NaN only."""
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    # The last figure of a rounded answer must not fall to rounding here.
    return x == y or abs(x - y) <= tolerance * (1 + 1e-9)
