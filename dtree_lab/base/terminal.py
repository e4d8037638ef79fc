"""Text for a terminal that cannot show every character: an old Windows console, a pipe, a log.

A text does not know where it will be written, and a program's own streams are not a library's to
change. But ``print(thing)`` asks the thing for its text, and it nearly always writes to the
standard output, whose encoding can be seen. So what has a text asks here what of it can be written
there; where all can, which is nearly everywhere, nothing changes. (Python does the same for what is
typed at its prompt.) Signs that have a twin in plain letters become that (``≥`` is ``>=``), all
others are told by their number.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

# ruff: noqa: RUF001 - signs that look like others are what this is about


T = TypeVar("T")

_TWINS = {
    **dict.fromkeys("├└", "+"),
    **dict.fromkeys("│▏▎▍▌", "|"),
    **dict.fromkeys("─−–—·•", "-"),
    **dict.fromkeys("▋▊▉█", "#"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "≈": "~",
    "±": "+/-",
    "×": "x",
    "→": "->",
    "…": "...",
    "✓": "+",
    "✗": "x",
    "○": "o",
    "●": "*",
    "½": "1/2",
    "²": "^2",
    "√": "sqrt ",
    "∞": "inf",
    "Σ": "sum ",
    "Π": "product ",
    "σ": "sigma",
    "τ": "tau",
    "θ": "theta",
    "ε": "epsilon",
    "π": "pi",
    "δ": "delta",
    "α": "alpha",
    "ρ": "rho",
    "⌈": "ceil(",
    "⌉": ")",
    "⌊": "floor(",
    "⌋": ")",
    "\u2068": "",
    "\u2069": "",
}


def for_terminal(text: str) -> str:
    """The text as the standard output can write it."""
    return _written(text, _TWINS)


def _written(text: str, twins: dict[str, str]) -> str:
    encoding = getattr(sys.stdout, "encoding", None)
    if text.isascii() or not isinstance(encoding, str):
        return str.__str__(text)

    def write(sign: str) -> str:
        try:
            sign.encode(encoding)
        except UnicodeEncodeError:
            return twins.get(sign, sign.encode("ascii", "backslashreplace").decode())
        return sign

    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(map(write, text))
    except LookupError:  # a stream of somebody's own
        pass
    return str.__str__(text)


def terminal(method: Callable[[Any], str]) -> Callable[[Any], str]:
    """Make a ``__str__`` or ``__repr__`` whose text the standard output can write."""

    @wraps(method)
    def written(self: Any) -> str:
        return for_terminal(method(self))

    return written


def written_out(cls: type[T]) -> type[T]:
    """Make the ``__repr__`` of a dataclass, with the texts that it quotes, fit for a terminal."""
    as_it_was = cls.__repr__

    @wraps(as_it_was)
    def written(self: T) -> str:
        return _written(as_it_was(self), {})

    cls.__repr__ = written  # type: ignore[method-assign, assignment]
    return cls


class Text(str):
    """A text to be read, which is the same everywhere but where ``print`` asks for it."""

    __slots__ = ()

    @terminal
    def __str__(self) -> str:
        return str.__str__(self)

    def __repr__(self) -> str:
        return _written(str.__repr__(self), {})


class Source(str):
    """The source of a program: what the standard output cannot write is told by its number only.

    Then the text in quotes still means the same.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return _written(self, {})

    __repr__ = Text.__repr__
