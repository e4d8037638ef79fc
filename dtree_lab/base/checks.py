"""What a number, or a tuple, that somebody hands in must be."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np


def is_whole(given: object) -> TypeGuard[int]:
    """Whether it is a whole number, Python's or numpy's; ``True`` is none."""
    return isinstance(given, int | np.integer) and not isinstance(given, bool)


def checked_whole(name: str, given: object, least: int, most: int | None = None) -> int:
    """A whole number within limits; a ValueError names the argument otherwise."""
    if is_whole(given) and given >= least and (most is None or given <= most):
        return int(given)
    limits = f", at least {least}" if most is None else f" from {least} to {most:,}"
    raise ValueError(f"{name}={given!r} must be a whole number{limits}")


def is_real(given: object) -> TypeGuard[float]:
    """Whether it is a number, whole or not, Python's or numpy's; ``True`` is none."""
    return isinstance(given, int | float | np.number) and not isinstance(given, bool)


def is_tuple_of(given: object, kind: type) -> bool:
    """Whether it is a tuple of such things; a thing without its comma is none.

    >>> is_tuple_of((1, 2), int), is_tuple_of((), int), is_tuple_of([1], int), is_tuple_of((1), int)
    (True, True, False, False)
    """
    return isinstance(given, tuple) and all(isinstance(one, kind) for one in given)
