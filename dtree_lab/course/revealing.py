"""Commit to a guess, and only then see."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dtree_lab.course.calls import Outcome, call
from dtree_lab.course.cards import Card, CardLine
from dtree_lab.course.lessons import guess as kept_guess
from dtree_lab.course.tasks.code import close

UNDECIDED = "Commit first: write your guess in place of the three dots, then run this cell again."


def reveal(  # noqa: PLR0913 - only the first three are ever given by position
    guess: Any,
    answer: Any = None,
    because: object = "",
    *,
    within: float = 0.0,
    options: Sequence[str] = (),
    also: Sequence[str] = (),
    about: str = "",
) -> Card:
    """Show an answer to whoever has made a guess.

    Parameters
    ----------
    guess
        The learner's guess; ``None`` or ``...`` shows nothing but an invitation, and so does what
        cannot be an answer: a text where a number is asked for, or none of the options.
    answer
        What it turned out to be, as a rule computed on the spot.
    because
        Why: anything with a text, shown as it is.
    within
        How far a number may be off and still count as right.
    options
        The texts to choose from, where there are some.
    also
        Other texts that are as right as the answer.
    about
        The name of a guess of the lesson, which brings its own answer, reason and options.

    Raises
    ------
    ValueError
        For a name that no guess has.

    Examples
    --------
    >>> reveal(..., "Yes").verdict
    'YOUR GUESS?'
    >>> reveal("no", "Yes", "Refund is No")
    NOT THIS TIME  You said no. It is Yes.
    Refund is No
    >>> reveal("nein", "Yes", "Refund is No", options=("Yes", "No"))
    ONCE MORE  'nein' cannot be it: choose "Yes" or "No" (in quotes).
    """
    if about:
        kept = kept_guess(about)
        answer, because, within = kept.answer, kept.because, kept.within
        options, also = kept.options, kept.also
    guessed, is_ = call(lambda: guess), call(lambda: answer)
    if guessed.kind == "nothing":
        return Card("blank", "YOUR GUESS?", UNDECIDED)
    asked = _asked(guessed, is_, options)
    if asked:
        return Card("blank", "ONCE MORE", f"{guessed.says} cannot be it: {asked}.")
    tied = guessed.kind == "text" and _folded(guessed.value) in map(_folded, also)
    right = tied or _right(guessed, is_, within)
    # One line is a sentence; several are something that explains itself, such as a row's way.
    lines = (CardLine(str(because), code="\n" in str(because)),) if str(because) else ()
    said = f"You said {_plain(guessed)}. It is {_plain(is_)}."
    if also:
        said = f"{said[:-1]} or, as good, {' or '.join(also)}."
    return Card(
        "good" if right else "open", "AS YOU SAID" if right else "NOT THIS TIME", said, lines
    )


def _asked(guess: Outcome, answer: Outcome, options: Sequence[str]) -> str:
    """What is asked for, when the guess is nothing of the kind."""
    if options:
        known = guess.kind == "text" and _folded(guess.value) in map(_folded, options)
        *others, last = (f'"{option}"' for option in options)
        return "" if known else f"choose {', '.join(others)} or {last} (in quotes)"
    if answer.kind == "number" and (guess.kind != "number" or math.isnan(guess.value)):
        return "give a number, without quotes"
    if answer.kind == "text" and guess.kind != "text":
        return "give a text, in quotes"
    return ""


def _folded(text: str) -> str:
    return text.strip().casefold()


def _right(guess: Outcome, answer: Outcome, within: float) -> bool:
    if answer.kind == "number" and guess.kind == "number":
        return close(guess.value, answer.value, within)
    if answer.kind == "text" and guess.kind == "text":
        return _folded(guess.value) == _folded(answer.value)
    return bool(answer.kind == guess.kind and answer.value == guess.value)


def _plain(outcome: Outcome) -> str:
    return outcome.value if outcome.kind == "text" else outcome.says
