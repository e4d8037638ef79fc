"""Commit to a guess, and only then see."""

from __future__ import annotations

from typing import Any

from dtree_lab.course.calls import Outcome, call
from dtree_lab.course.cards import Card, Line
from dtree_lab.course.lessons import GUESSES
from dtree_lab.course.tasks.common import close
from dtree_lab.shown import listing

UNDECIDED = "Commit first: write your guess in place of the three dots, then run this cell again."


def reveal(
    guess: Any, answer: Any = None, because: object = "", *, within: float = 0.0, about: str = ""
) -> Card:
    """Show an answer to whoever has made a guess.

    Parameters
    ----------
    guess
        The learner's guess; ``None`` or ``...`` shows nothing but an invitation.
    answer
        What it turned out to be, as a rule computed on the spot.
    because
        Why: anything with a text, shown as it is.
    within
        How far a number may be off and still count as right.
    about
        The name of a guess of the lesson, which brings its own answer and reason.

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
    """
    if about:
        answer, because, within = _kept(about)
    guessed, is_ = call(lambda: guess), call(lambda: answer)
    if guessed.kind == "nothing":
        return Card("blank", "YOUR GUESS?", UNDECIDED)
    right = _right(guessed, is_, within)
    # One line is a sentence; several are something that explains itself, such as a row's way.
    lines = (Line(str(because), code="\n" in str(because)),) if str(because) else ()
    said = f"You said {_plain(guessed)}. It is {_plain(is_)}."
    return Card(
        "good" if right else "open", "AS YOU SAID" if right else "NOT THIS TIME", said, lines
    )


def _kept(about: str) -> tuple[Any, str, float]:
    try:
        kept = GUESSES[about]
    except KeyError:
        raise ValueError(f"no guess {about!r}; there are {listing(GUESSES)}") from None
    return kept.answer, kept.because, kept.within


def _right(guess: Outcome, answer: Outcome, within: float) -> bool:
    if answer.kind == "number" and guess.kind == "number":
        return close(guess.value, answer.value, within)
    if answer.kind == "text" and guess.kind == "text":
        return bool(guess.value.strip().casefold() == answer.value.strip().casefold())
    return bool(answer.kind == guess.kind and answer.value == guess.value)


def _plain(outcome: Outcome) -> str:
    return outcome.value if outcome.kind == "text" else outcome.says
