"""Recognises what a function stops with, and what sort of thing it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from dtree_lab.course.calls import Outcome

GENERATOR = (
    "It returns a generator. Asked for is a list: square brackets, or ``return`` instead of"
    " ``yield``."
)


def stops(error: str | tuple[str, ...], *words: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises an error by its type, one of several, or any (``()``): a mistake's `when`.

    Where words are given, any of them must be in its message, too.

    Examples
    --------
    >>> from dtree_lab.course.calls import call
    >>> stops("KeyError", "says")((call(lambda: {}["says"]), call(lambda: 3)))
    [0]
    """
    errors = (error,) if isinstance(error, str) else error

    def recognise(outcomes: tuple[Outcome, ...]) -> list[int]:
        return [
            i
            for i, outcome in enumerate(outcomes)
            if outcome.kind == "raised"
            and (not errors or outcome.value in errors)
            and (not words or any(word in outcome.says for word in words))
        ]

    return recognise


def gives(*kinds: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises what sort of thing comes back, by its kind as an outcome: a mistake's `when`.

    Examples
    --------
    >>> from dtree_lab.course.calls import call
    >>> gives("text", "truth")((call(lambda: 3), call(lambda: "3")))
    [1]
    """
    return lambda outcomes: [i for i, outcome in enumerate(outcomes) if outcome.kind in kinds]


def generators(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which a generator came back: a mistake's `when`, with GENERATOR as its hint."""
    return [i for i, outcome in enumerate(outcomes) if outcome.says == "a generator"]
