"""Recognises what a function stops with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from dtree_lab.course.calls import Outcome


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
