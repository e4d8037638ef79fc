"""What the numbers that describe a population must be."""

from __future__ import annotations

from math import isfinite
from sys import float_info

import numpy as np

from dtree_lab.table import Table


def whole(name: str, given: object, least: int) -> int:
    """A whole number that is large enough; a ValueError names the argument otherwise."""
    right = isinstance(given, int | np.integer) and not isinstance(given, bool)
    if not right or int(given) < least:  # type: ignore[call-overload]
        msg = f"{name}={given!r} must be a whole number, at least {least}"
        raise ValueError(msg)
    return int(given)  # type: ignore[call-overload, no-any-return]


def between(name: str, given: object, low: float, high: float) -> float:
    """A finite number in range, ends included; a ValueError names the argument otherwise."""
    right = isinstance(given, int | float | np.integer | np.floating)
    # Compared as it is: a whole number may be too large to become a float.
    if not right or isinstance(given, bool) or not low <= given <= high:  # type: ignore[operator]
        up_to = f" to {high:g}" if isfinite(high) else " up"
        msg = f"{name}={given!r} must be a number from {low:g}{up_to}"
        raise ValueError(msg)
    if not abs(given) <= float_info.max:  # type: ignore[arg-type]
        msg = f"{name}={given!r} must be finite"
        raise ValueError(msg)
    return float(given)  # type: ignore[arg-type]


def tabular(given: object) -> None:
    """Raise a TypeError for what is no table."""
    if not isinstance(given, Table):
        msg = f"a population is made from a dt.Table; got a {type(given).__name__}"
        raise TypeError(msg)
