"""Answers that need no thought: what always returns the same, or gives back what it was given.

No function's points should go to one of these; the course's own exercises are held to it by their
tests, those of course staff by ``dtree-lab assignment check``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

# More than a tenth of the points is too much for no thought.
MOST_SHARE = 0.1
USUAL: tuple[Any, ...] = (
    *(None, 0, 1, -1, 2, 0.5, True, False, "", "Yes", "No"),
    *([], (), {}, (None, 0), (None, 0.0), ([], [])),
)
_COPIES: dict[str, Callable[..., Any]] = {
    "its first argument": lambda *args: args[0],
    "its second argument": lambda *args: args[1],
    "its last argument": lambda *args: args[-1],
    "the length of its first argument": lambda *args: len(args[0]),
    "the length of its last argument": lambda *args: len(args[-1]),
    "the first of its first argument": lambda *args: next(iter(args[0])),
    "the last of its first argument": lambda *args: list(args[0])[-1],
    "the first of its last argument": lambda *args: next(iter(args[-1])),
    "the last of its last argument": lambda *args: list(args[-1])[-1],
    "the least of its first argument": lambda *args: min(args[0]),
    "the largest of its first argument": lambda *args: max(args[0]),
    "the sum of its first argument": lambda *args: sum(args[0]),
    "its first argument as a list": lambda *args: list(args[0]),
    "its first argument, sorted": lambda *args: sorted(args[0]),
    "its first argument's values, once each": lambda *args: sorted(set(args[0])),
    "its first argument and nothing": lambda *args: (args[0], None),
    "its first argument and 0": lambda *args: (args[0], 0),
}
_MOST = 60


def thoughtless_answers(wanted: Iterable[Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions that need no thought, each with what it returns in words.

    Each of what is right in some case is a constant that is tried, too.
    """
    seen = {repr(value): value for value in (*USUAL, *list(wanted)[:_MOST])}
    for shown, value in seen.items():
        yield f"always {shown[:_MOST]}", lambda *_, value=value: value
    yield from _COPIES.items()
