"""What an exercise is: its text, a task, known mistakes, a second hint and a worked solution."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np

from dtree_lab.base.checks import is_real, is_tuple_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.cards import CardLine

T = TypeVar("T")
# The rarest data that an exercise looks for come once in some hundred draws.
_MOST_DRAWS = 20_000


class Task(Protocol):
    """What is asked, in one or more cases: Code, Number, Several, Choose, Do and others."""

    @property
    def kind(self) -> str:
        """``"code"``, ``"number"``, ``"choice"`` or ``"doing"``."""

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """What comes of an answer, one outcome for each case. Never raises."""

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[CardLine, ...]:
        """Whether each outcome is right, and the words for it."""

    def agree(self, first: Outcome, other: Outcome) -> bool:
        """Whether two outcomes are the same, as far as this task can tell."""


@dataclass(frozen=True)
class Mistake:
    """A mistake that was foreseen.

    It is recognised when an answer does the same as the wrong answer in the cases that the wrong
    answer gets wrong; the answer may stumble over another mistake in less than half of them. So
    two mistakes in one answer are both found, unless they touch the same cases. A function's
    mistakes must explain together all that is wrong with it: what is wrong in a case more was
    not foreseen, and likeness in the others is chance.

    Attributes
    ----------
    wrong
        An answer with just this mistake.
    hint
        What to tell who makes it: names the mistake, does not give the answer away. Blank where it
        stands on the exercise's page.
    when
        Recognises the mistake in an answer's outcomes instead, where many answers have it: the
        cases that it explains, none when it is not there. What is seen so is told in any case.
    gave
        What the wrong answer came to, where it is not there itself: in what is handed out.
    """

    wrong: Any = field(repr=False)
    hint: str = ""
    when: Callable[[tuple[Outcome, ...]], Collection[int]] | None = field(default=None, repr=False)
    gave: tuple[Outcome, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Anew:
    """An exercise as a card shows it that is drawn anew."""

    text: str = ""
    # Words, each with the number that they ask for; the last is the answer.
    steps: tuple[tuple[str, float], ...] = ()


_STUMBLED = ("raised", "hung", "refused")


@dataclass(frozen=True)
class Exercise:
    """An exercise.

    Attributes
    ----------
    id
        The lesson and a name of its own: ``"tax-fraud/entropy"``.
    title
        What it is about, in a few words.
    points
        What it is worth when every case is right.
    task
        What is asked.
    answer
        The name of the variable or function that the learner fills in.
    mistakes
        Those foreseen, each with its hint.
    more
        The second hint, for who asks.
    solution
        Python that could stand in the answer cell; it defines `answer`. Empty in what course staff
        hand out.
    why
        A sentence or two that go with the solution.
    data
        What it is about, where that differs from learner to learner.
    own
        Makes the exercise of a learner, where it differs; see :func:`personal`.
    heading
        What stands over it in the lesson, after "Exercise" and its number.
    text
        What is asked, in Markdown. The lines of a paragraph become one; a block fenced with
        ``python`` becomes a cell of its own. A line ``[[answer]]`` is the place of the answer cell
        where that is not the end.
    stub
        What stands in the answer cell at first.
    skill
        The id of the exercise that is drawn for who wants another one; empty where none is.
    taught
        The lesson that teaches it.
    anew
        What a card shows of it, where it is a skill itself.
    done_by
        The library's functions that do what is asked: who calls one has not written it.
    """

    id: str
    title: str
    points: int
    # Whoever lists the exercises is not to read the answers before the questions.
    task: Task = field(repr=False)
    answer: str
    mistakes: tuple[Mistake, ...] = field(repr=False)
    more: str = field(repr=False)
    solution: str = field(repr=False)
    why: str = field(repr=False)
    data: Any = field(default=None, repr=False)
    own: Callable[[np.random.Generator], Exercise] | None = field(default=None, repr=False)
    heading: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    stub: str = field(default="", repr=False)
    skill: str = field(default="", repr=False)
    taught: str = field(default="", repr=False)
    anew: Callable[[], Anew] = field(default=Anew, repr=False)
    done_by: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        """Say what would be right where something else was given."""
        for name in ("id", "title", "answer", "more", "solution", "why", "heading", "text", "stub"):
            if not isinstance(given := getattr(self, name), str):
                raise TypeError(f"Exercise: {name} is a text, not a {type(given).__name__}")
        if not is_real(self.points):
            raise TypeError(f"{self.id}: points is a number, such as 3, not {self.points!r}")
        if not callable(getattr(self.task, "judge", None)):
            raise TypeError(
                f"{self.id}: its task is a Code(…), a Number(…), a Choose(…) or another task, not a"
                f" {type(self.task).__name__}"
            )
        if not is_tuple_of(self.mistakes, Mistake):
            raise TypeError(
                f"{self.id}: its mistakes are one tuple, (Mistake(…), Mistake(…)), of one with a"
                " comma: (Mistake(…),)"
            )

    @property
    def lesson(self) -> str:
        """The lesson's name."""
        return self.id.partition("/")[0]

    def of(self, name: Any) -> Exercise:
        """The exercise as the learner of a name gets it; the same for all where nothing differs."""
        if self.own is None:
            return self
        return replace(self.own(np.random.default_rng(seed_of(self.id, name))), own=self.own)

    def gone_wrong(self, mistake: Mistake) -> tuple[tuple[Outcome, ...], set[int]]:
        """What the wrong answer of a mistake comes to, and the cases that it gets wrong.

        It is worked out once: it never changes, and to run every foreseen mistake takes most of the
        time of a check. What did not finish may have met a busy computer, and is tried again.
        """
        known = self._known.get(id(mistake))
        if known is None:
            outcomes = mistake.gave or self.task.run(mistake.wrong)
            judged = enumerate(self.task.judge(outcomes))
            known = outcomes, {i for i, line in judged if not line.passed}
            if all(outcome.kind != "hung" for outcome in outcomes):
                self._known[id(mistake)] = known
        return known

    @cached_property
    def _known(self) -> dict[int, tuple[tuple[Outcome, ...], set[int]]]:
        """What is known of the mistakes of this exercise, by their identity."""
        return {}


def personal(make: Callable[[np.random.Generator], Exercise]) -> Exercise:
    """An exercise whose data differ from learner to learner, and its difficulty does not.

    `make` makes it, with `data` and all that follows from them, from what chance gives. What is
    returned is that of a learner without a name; its ``of(name)`` is each other's.
    """
    first = replace(make(np.random.default_rng(0)), own=make)
    return first.of("")


def drawn_until(exercise: str, draw: Callable[[], T], good: Callable[[T], bool]) -> T:
    """The first of what is drawn that is good enough for an exercise (its id is for the message).

    That is mostly: no foreseen mistake comes to the right answer. Where nothing will do, the
    formulas of the exercise are wrong, or `good` is too strict.
    """
    for _ in range(_MOST_DRAWS):
        found = draw()
        if good(found):
            return found
    raise RuntimeError(f"{exercise}: none of {_MOST_DRAWS:,} draws is fit for it")


def seed_of(exercise: str, name: Any) -> int:
    """The seed of a learner's data: from the name, however it is capitalised and spaced.

    What is no text (``None``, the three dots of a cell that is not filled in) is no name.
    """
    text = name if isinstance(name, str) else ""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    digest = hashlib.sha256(f"{exercise}\n{folded}".encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:8], "big")


@dataclass(frozen=True)
class Guess:
    """A question to guess at before reading on."""

    # None where the notebook works it out.
    answer: str | float | None = field(default=None, repr=False)
    because: str = field(default="", repr=False)  # why it is so
    # How far a number may be off and still count as right.
    within: float = field(default=0.0, repr=False)
    options: tuple[str, ...] = ()  # the texts to choose from, where there are some
    # Other texts that are as right as the answer: those that tie with it.
    also: tuple[str, ...] = field(default=(), repr=False)
    # The question, as its card shows it: with Markdown's signs for bold, italic and code.
    asks: str = ""
    # Of a number, the least and the largest that it can be, for a slider.
    between: tuple[float, float] | None = None


def hints(exercise: Exercise, outcomes: tuple[Outcome, ...]) -> list[str]:
    """The hints for an answer that is not right; the mistake that explains most comes first.

    Of a choice and its reason, that of the reason does.
    """
    task = exercise.task
    found = [
        (cases, mistake)
        for mistake in exercise.mistakes
        if (cases := _explained(exercise, mistake, outcomes))
    ]
    explained = {i for cases, _ in found for i in cases}
    if task.kind == "code" and not _all_wrong(task, outcomes) <= explained:
        found = [(cases, mistake) for cases, mistake in found if mistake.when is not None]
    of_reasons = task.kind == "choice"
    found.sort(key=lambda seen: (-len(seen[0]), -max(seen[0]) if of_reasons else 0))
    kept: list[tuple[set[int], str]] = []
    for cases, mistake in found:
        if not any(cases <= earlier or mistake.hint == hint for earlier, hint in kept):
            kept.append((cases, mistake.hint))
    return [hint for _, hint in kept]


def _all_wrong(task: Task, outcomes: tuple[Outcome, ...]) -> set[int]:
    """The cases in which something came back, and not what was wanted."""
    lines = task.judge(outcomes)
    return {i for i, o in enumerate(outcomes) if not lines[i].passed and o.kind not in _STUMBLED}


def _explained(exercise: Exercise, mistake: Mistake, outcomes: tuple[Outcome, ...]) -> set[int]:
    """The cases that a mistake explains; none when it is not the mistake that was made."""
    if mistake.when is not None:
        return set(mistake.when(outcomes))
    wrong, failed = exercise.gone_wrong(mistake)
    agreeing = {i for i in failed if exercise.task.agree(outcomes[i], wrong[i])}
    stumbled = all(outcomes[i].kind in _STUMBLED for i in failed - agreeing)
    return agreeing if stumbled and 2 * len(agreeing) > len(failed) else set()
