"""What an answer holds, as plain values: copies that no method of the learner's can change."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

_MOST_VALUES, _DEEPEST = 20_000, 60


class NotPlainError(ValueError):
    """What holds more than numbers, texts and truths, or too much of them."""


def plain(value: Any) -> Any:
    """Lists, tuples and arrays as tuples, sets as sorted tuples, dicts as dicts, all the way down.

    Whole numbers stay whole; other real numbers become floats.

    Raises
    ------
    NotPlainError
        For an object of another kind, nesting without end, or more than 20,000 values.

    Examples
    --------
    >>> import numpy as np
    >>> plain({"a": [np.float64(0.5), (1, True)], "b": {3, 2}})
    {'a': (0.5, (1, True)), 'b': (2, 3)}
    """
    return _Copier().copy(value, 0)


class _Copier:
    """Copies, and counts what it has copied."""

    def __init__(self) -> None:
        self.left = _MOST_VALUES

    def copy(self, value: Any, depth: int) -> Any:
        self.left -= 1
        if self.left < 0 or depth > _DEEPEST:
            raise NotPlainError
        if isinstance(value, np.ndarray):
            if value.size > self.left:
                raise NotPlainError
            value = value.tolist()
        elif isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str(value)
        if isinstance(value, numbers.Real):
            return _number(value)
        return self._many(value, depth + 1)

    def _many(self, value: Any, depth: int) -> Any:
        if isinstance(value, list | tuple):
            return tuple(self.copy(one, depth) for one in value)
        if isinstance(value, set | frozenset):
            return tuple(sorted((self.copy(one, depth) for one in value), key=_order))
        if isinstance(value, dict):
            return {self._key(key, depth): self.copy(one, depth) for key, one in value.items()}
        raise NotPlainError

    def _key(self, key: Any, depth: int) -> Any:
        copied = self.copy(key, depth)
        if isinstance(copied, dict):
            raise NotPlainError
        return copied


def _number(value: numbers.Real) -> int | float:
    try:
        return int(value) if isinstance(value, numbers.Integral) else float(value) + 0.0
    except OverflowError:
        raise NotPlainError from None


def _order(value: Any) -> tuple[str, Any]:
    """Values of several kinds in one order: by kind, then by value."""
    kind = "number" if isinstance(value, int | float) else type(value).__name__
    return kind, value if kind in ("number", "str") else repr(value)
