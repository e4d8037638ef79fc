"""Cards on which skills are drawn: another one and another, and an exam.

An answer is a number, or with its steps a tuple of numbers of which the last is the answer; None
says that it was shown, also of a step. A tuple that is shorter ends with a step that was not right,
or was shown. What was answered to each that was drawn, try by try, is kept in the cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import takewhile
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.base.checks import is_real
from dtree_lab.base.text import number, plural
from dtree_lab.course.asking import model
from dtree_lab.course.asking.model import Asked, AskState, OneOf, SomeNumber
from dtree_lab.course.asking.wording import worded
from dtree_lab.course.cards import Card, CardLine, Tone
from dtree_lab.course.exercise import Exercise, hints, seed_of
from dtree_lab.course.skills import (
    EXAM,
    Practised,
    exam_questions,
    instances,
    number_of,
    skill_of,
)
from dtree_lab.course.tasks.code import close
from dtree_lab.labs.kit.actions import NotPossibleError, Press
from dtree_lab.labs.kit.choices import Choices, NumberAsked, without_marks
from dtree_lab.labs.kit.keeping import literal
from dtree_lab.labs.kit.parts import Grid, View, Words

Way: TypeAlias = tuple[float | None, ...]
Try: TypeAlias = float | Way | None
_NOT_WRITTEN = (
    "answers={!r} is nothing that a card has written, such as {}. Leave it out to begin anew."
)


def blocks_of(exercise: Exercise, which: str = "given") -> list[Words | Grid]:
    """What a card tells before it asks."""
    text = worded(exercise.anew().text)
    blocks = text.page.split("\n\n")
    return [
        _block(f"{which}-{i}", one) for i, one in enumerate(blocks if text.lists else blocks[:-1])
    ]


def _block(name: str, text: str) -> Words | Grid:
    lines = text.splitlines()
    if text.startswith("| "):
        head, _, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in lines)
        return Grid(name, "What is given", head, rows)
    if text.startswith("```"):  # spaces that stay where lines begin, wherever they are shown
        return Words(name, [line.replace("    ", "\u00a0" * 4) for line in lines[1:-1]])
    return Words(name, [without_marks(line) for line in lines])


def asked_of(exercise: Exercise, judge: Callable[[Any], Card], way: Way | None = None) -> Asked:
    """What a card asks: the answer, or after some steps the next one."""
    text = worded(exercise.anew().text)
    asks: OneOf | SomeNumber = SomeNumber(text.page.split("\n\n")[-1])
    if text.lists:
        options = tuple((key, words, int(key)) for key, words in text.lists[0].options)
        asks = OneOf(text.lists[0].asks, options, frozenset({number_of(exercise).want}))
    questions: tuple[OneOf | SomeNumber, ...] = (asks,)
    if way is not None:
        steps = exercise.anew().steps[:-1]
        questions = (*(SomeNumber(words) for words, _ in steps), asks)[: len(way) + 1]
    return Asked(exercise.id, exercise.title, "NOT ANSWERED YET", questions, judge)


def is_right(exercise: Exercise, given: Try) -> bool:
    """Whether an answer is right, whatever its steps are; a step alone is none."""
    if given is None or _is_step(exercise, given):
        return False
    return _near(exercise, number_of(exercise).want, _last(given))


def _is_step(exercise: Exercise, given: Try) -> bool:
    return isinstance(given, tuple) and len(given) < len(exercise.anew().steps)


def _last(given: float | Way) -> float | None:
    return given[-1] if isinstance(given, tuple) else given


def _way(exercise: Exercise, given: Way) -> Way:
    """The steps as far as they are right, or were shown; the answer is none of them."""
    pairs = zip(given, exercise.anew().steps[:-1], strict=False)
    fits = [own is None or _near(exercise, value, own) for own, (_, value) in pairs]
    return given[: len([*takewhile(bool, fits)])]


def _near(exercise: Exercise, value: float, own: float | None) -> bool:
    return own is not None and close(own, value, number_of(exercise).tolerance)


def tries_of(given: object) -> tuple[tuple[Try, ...], ...]:
    """What a card has written into its cell; a ValueError for anything else."""
    drawn = () if given is None else given
    tries = drawn if isinstance(drawn, list | tuple) else [drawn]
    if not all(isinstance(those, list) and all(map(_is_try, those)) for those in tries):
        raise ValueError(_NOT_WRITTEN.format(given, "[[0.5, 0.811], [1]]"))
    return tuple(map(tuple, tries))


def _is_try(given: object) -> bool:
    return _is_given(given) or (
        isinstance(given, tuple) and bool(given) and all(map(_is_given, given))
    )


def _is_given(answer: object) -> bool:
    return answer is None or is_real(answer)


def _choices(state: AskState) -> Choices:
    """A card's one part, without a line about the first try."""
    (part,) = model.view(replace(state, first=state.answer)).parts
    assert isinstance(part, Choices)  # noqa: S101 - which a card is
    return part


def _step(words: str, value: float) -> str:
    return f"{words}: {number(_short(value))}"


def _short(value: float) -> float:
    return float(f"{value:.4g}")


# -- one skill, as often as one likes --------------------------------------------------------------


@dataclass(frozen=True)
class SkillState:
    """Where a card stands on which one skill is drawn as often as one likes."""

    skill: str
    name: object
    call: tuple[str, str]  # what makes it in a notebook, and its first argument
    tries: tuple[tuple[Try, ...], ...] = ()  # for each that was drawn; the last is on the card
    series: str = ""  # what tells its draws from those of other cards
    kept: tuple[tuple[str, str], ...] = ()  # arguments that are kept beside the answers
    way: Way | None = None  # the steps so far, where these are asked
    ask: AskState | None = field(default=None, repr=False)  # None for one that was just made

    @property
    def exercise(self) -> Exercise:
        """The one on the card."""
        return self._drawn[-1]

    @cached_property
    def _drawn(self) -> tuple[Exercise, ...]:
        name = self.name if isinstance(self.name, str) else ""
        return instances(self.skill, name, self.series, max(len(self.tries), 1))

    @cached_property
    def asks(self) -> AskState:
        """What is asked, chosen and judged."""
        if self.ask is not None:
            return self.ask
        sheet = asked_of(self.exercise, lambda answer: self._verdict(self._given(answer)), self.way)
        pairs = zip(self.way or (), self.exercise.anew().steps, strict=False)
        behind = [_short(value) if own is None else own for own, (_, value) in pairs]
        if (last := self._typed) is not None:
            state = model.begin(sheet, (*behind, last) if behind else last)
        else:
            state = replace(model.begin(sheet), chosen=(*map(number, behind), ""))
        is_judged = last is not None or self.done
        return replace(state, card=self._verdict(self._now[-1]) if is_judged else None)

    @property
    def _typed(self) -> float | None:
        """What was committed last to what is asked now."""
        given = [one for one in self._now if one is not None]
        if self.way is None:
            whole = [one for one in given if not _is_step(self.exercise, one)]
            return _last(whole[-1]) if whole else None
        last = given[-1] if given else None
        if not isinstance(last, tuple) or last[: len(self.way)] != self.way:
            return None
        return next(iter(last[len(self.way) :]), None)

    def _given(self, answer: Any) -> Try:
        """What was committed, after the steps so far."""
        return answer if self.way is None else (*self.way, _last(answer))

    @property
    def _now(self) -> tuple[Try, ...]:
        return self.tries[-1] if self.tries else (None,)

    @property
    def done(self) -> bool:
        """Whether there is nothing more to try: it is right, or was shown."""
        return bool(self._now) and (self._now[-1] is None or is_right(self.exercise, self._now[-1]))

    @property
    def marks(self) -> tuple[bool, ...]:
        """Whether each was right at the first try."""
        pairs = zip(self._drawn, self.tries, strict=False)
        return tuple(is_right(exercise, those[0]) for exercise, those in pairs if those)

    def after(self, action: Any) -> SkillState:
        """Draw another, ask for the steps, have it shown; choose, or commit."""
        if self.done:
            if action == Press("another"):
                return replace(self, tries=(*self.tries, ()), way=None, ask=None)
            raise NotPossibleError("This one is done: ask for another one.")
        before = self.asks
        match action:
            case Press("steps") if self._has_steps:
                return replace(self, way=(), ask=None)
            case Press("step") if self._has_step_to_show:
                way = (*(self.way or ()), None)
                return replace(self, tries=self._with(way), way=way, ask=None)
            case Press("show"):
                shown = replace(before, card=self._verdict(None))
                return replace(self, tries=self._with(None), ask=shown)
        ask = model.update(before, action)
        if ask.commits == before.commits:
            return replace(self, ask=ask)
        given = self._given(ask.answer)
        if isinstance(given, tuple) and len(_way(self.exercise, given)) == len(given):
            return replace(self, way=given, ask=None)  # a step that is right leads on
        return replace(self, tries=self._with(given), ask=ask)

    def _with(self, given: Try) -> tuple[tuple[Try, ...], ...]:
        return (*self.tries[:-1], (*self._now, given))

    @property
    def _has_steps(self) -> bool:
        return len(self.exercise.anew().steps) > 1 and self.way is None

    @property
    def _has_step_to_show(self) -> bool:
        return self.way is not None and len(self.way) + 1 < len(self.exercise.anew().steps)

    def seen(self) -> View:
        """What is to be seen."""
        if not self.tries:
            part = Choices("card", (), locked=True, more=[("another", "Another one")])
            return View(f"Other numbers: {self.exercise.title}", [part])
        steps = [("steps", "Step by step")] if self._has_steps else []
        steps += [("step", "Show this step")] if self._has_step_to_show else []
        part = _choices(self.asks)
        pairs = zip(part.groups, self.way or (), strict=False)
        behind = [
            replace(one, sign="shown" if own is None else "✓")
            for one, own in pairs
            if isinstance(one, NumberAsked)
        ]
        part = replace(
            part,
            groups=(*behind, *part.groups[len(behind) :]),
            which=f"{len(self.tries)} {self.way is None}",
            commits=sum(map(len, self.tries)),
            locked=self.done,
            note=self._note(),
            more=[("another", "Another one")] if self.done else [*steps, ("show", "Show me")],
        )
        return View(self.exercise.title, [*blocks_of(self.exercise), part])

    def _note(self) -> str:
        done = Practised(self.skill, self.marks)
        if self._has_step_to_show and not self.done:
            return "A step that is shown leads on, and does not count as right."
        if not done.marks:
            return ""
        if self._has_steps and not self.done and len({*self._now}) > 1:
            return "Step by step asks for the way, a number at a time."
        said = f"Right at the first try, in a row: {done.in_a_row}."
        return f"{said} {'Mastered.' if done.mastered else 'At 3 you have mastered it.'}"

    def _verdict(self, given: Try) -> Card:
        """The verdict on an answer; once it is done, the steps, beside one's own."""
        exercise = self.exercise
        steps = exercise.anew().steps
        if given is None or is_right(exercise, given):
            own = given if isinstance(given, tuple) else ()
            told = [f"It is {number(number_of(exercise).want)}. {exercise.why}"]
            lines = [CardLine(one) for one in [_step(*one) for one in steps] or told]
            for i, (mine, (words, value)) in enumerate(zip(own, steps, strict=False)):
                yours = "shown" if mine is None else f"yours: {number(mine)}"
                right = None if mine is None else _near(exercise, value, mine)
                lines[i] = CardLine(f"{_step(words, value)}; {yours}", passed=right)
            tone: Tone = "blank" if given is None else "good"
            return Card(tone, "SHOWN" if given is None else "RIGHT", "", tuple(lines))
        last = _last(given)
        lines = [CardLine(f"{number(last or 0)} is not it", passed=False)]
        known = [] if _is_step(exercise, given) else hints(exercise, exercise.task.run(last))[:1]
        lines += [CardLine(one, label="Hint") for one in known]
        return Card("open", "NOT YET", "", tuple(lines))

    def arguments(self) -> dict[str, str]:
        """What the call says of the answers, as code."""
        tries = [list(those) for those in self.tries if those]
        return {**dict(self.kept), "answers": repr(tries)} if tries else {}


def practice(call: str, about: str, name: object, answers: object, skill: str = "") -> SkillState:
    """The card that a call makes: ``another`` of a skill, or what opens or closes a lesson."""
    tries = tries_of(answers)
    state = SkillState(skill_of(skill or about), name, (call, about), tries)
    if call != "another":
        kept = (("skill", literal(skill)),)
        state = replace(state, tries=tries or ((),), series=f"{call} {about} ", kept=kept)
    last = tries[-1][-1] if tries and tries[-1] else None
    if not isinstance(last, tuple) or state.done:
        return state
    return replace(state, way=_way(state.exercise, last))


# -- an exam ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExamState:
    """Where an exam stands: its answers are judged when all of it is handed in."""

    questions: tuple[Exercise, ...]
    answers: tuple[float | None, ...]
    minutes: float | None = None  # how long it may take
    begun: datetime | None = None
    handed: bool = False  # whether it is handed in
    at: int = 0  # the question on the card
    ask: AskState | None = field(default=None, repr=False)
    commits: int = 0
    sure: bool = False  # whether to hand in once more leaves questions open

    call = ("exam", "")

    @property
    def open(self) -> list[int]:
        """The questions without an answer."""
        return [i for i, one in enumerate(self.answers) if one is None]

    @property
    def standing(self) -> str:
        """What is answered of an exam that is not handed in."""
        if self.handed or len(self.open) == len(self.answers):
            return ""
        return f"{model.answered_of(self.answers)} It counts once it is handed in on its card."

    @property
    def until(self) -> datetime:
        """When the time is up: never, where there is no limit or it has not begun."""
        if self.minutes is None or self.begun is None:
            return datetime.max  # noqa: DTZ901 - as below
        return self.begun + timedelta(minutes=self.minutes)

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return datetime.now() > self.until  # noqa: DTZ005 - as clocks on walls

    @cached_property
    def asks(self) -> AskState:
        """What is asked, and chosen."""
        if self.ask is not None:
            return self.ask
        exercise, answer = self.questions[self.at], self.answers[self.at]
        return model.begin(asked_of(exercise, self._verdict), answer)

    def _verdict(self, given: float) -> Card:
        exercise = self.questions[self.at]
        if not self.handed:
            return Card("blank", "KEPT", "")
        lines = [CardLine(_step(*one)) for one in exercise.anew().steps]
        right = is_right(exercise, given)
        return Card("good" if right else "open", "RIGHT" if right else "NOT IT", "", tuple(lines))

    def after(self, action: Any) -> ExamState:
        """Begin, go to another question, choose, commit, or hand in."""
        many = len(self.questions)
        match action:
            case Press("begin") if self._waits:
                begun = datetime.now().replace(microsecond=0)  # noqa: DTZ005
                return replace(self, begun=begun, commits=self.commits + 1)
            case Press("on" | "back" as way) if not self._waits:
                step = 1 if way == "on" else -1
                return replace(self, at=(self.at + step) % many, ask=None, sure=False)
            case Press("hand") if self._may_hand_in and self._asks_first:
                return replace(self, sure=True)
            case Press("hand") if self._may_hand_in:
                return replace(self, handed=True, ask=None, commits=self.commits + 1)
        if self.handed or self.is_over or self._waits:
            raise NotPossibleError("The time is over: hand it in." if self.is_over else "Not now.")
        ask = model.update(self.asks, action)
        if ask.commits == self.asks.commits:
            return replace(self, ask=ask, sure=False)
        answers = (*self.answers[: self.at], ask.answer, *self.answers[self.at + 1 :])
        after = replace(self, answers=answers, ask=None, sure=False, commits=self.commits + 1)
        return replace(
            after, at=min(after.open, key=lambda i: (i - self.at) % many, default=self.at)
        )

    @property
    def _waits(self) -> bool:
        return self.minutes is not None and self.begun is None

    @property
    def _may_hand_in(self) -> bool:
        return not self.handed and not self._waits

    @property
    def _asks_first(self) -> bool:
        return bool(self.open) and not self.is_over and not self.sure

    def seen(self) -> View:
        """What is to be seen."""
        many = len(self.questions)
        if self._waits:
            part = Choices("card", (), commits=self.commits, locked=True, more=[("begin", "Begin")])
            return View(f"Exam: {many} questions, {number(self.minutes or 0)} minutes", [part])
        exercise = self.questions[self.at]
        hand = [("hand", "Hand in")] if self._may_hand_in else []
        part = replace(
            _choices(self.asks),
            which=f"{self.at} {self.handed}",
            commits=self.commits,
            locked=self.handed or self.is_over,
            note=self._note(),
            more=[("back", "Back"), ("on", "Next"), *hand],
        )
        title = f"Exam: question {self.at + 1} of {many} · {exercise.title}"
        # Each question's words are other parts, which leave no room of theirs behind.
        return View(title, [*blocks_of(exercise, f"given-{self.at}"), part])

    def _note(self) -> str:
        pairs = zip(self.questions, self.answers, strict=True)
        if self.handed:
            wrong = [str(i) for i, pair in enumerate(pairs, 1) if not is_right(*pair)]
            right = len(self.questions) - len(wrong)
            missed = f" Not right: {', '.join(wrong)}." if wrong else ""
            said = f"{right} of {plural(len(self.questions), 'question')} right.{missed}"
            return f"{said} Run the next cell for your points."
        left = [str(i + 1) for i in self.open]
        more = "Hand in once more, and they stay so." if self.sure else "A guess may be right."
        said = f"Still open: {', '.join(left)}. {more}" if left else "All are answered: hand it in."
        if self.is_over:
            return "The time is over: hand it in."
        return said if self.minutes is None else f"{said} Until {self.until:%H:%M}."

    def arguments(self) -> dict[str, str]:
        """What the call says of the answers, as code."""
        told = {} if self.begun is None else {"begun": f'"{self.begun.isoformat(" ")}"'}
        if len(self.open) < len(self.answers):
            told["answers"] = repr([*self.answers])
        return told | ({"handed_in": "True"} if self.handed else {})


def begin_exam(
    name: object, minutes: object, answers: object, begun: object, *, handed_in: bool
) -> ExamState:
    """The exam of a name, as a cell says that it stands."""
    if minutes is not None and (not is_real(minutes) or minutes <= 0):
        raise ValueError(f"minutes={minutes!r} is a number of minutes, such as 40, or left out")
    questions = exam_questions(np.random.default_rng(seed_of(EXAM, name)))
    given = [None] * len(questions) if answers is None else answers
    if not isinstance(given, list | tuple) or [*map(_is_given, given)] != [True] * len(questions):
        raise ValueError(_NOT_WRITTEN.format(given, "a list of twelve numbers, or None in it"))
    try:
        since = datetime.fromisoformat(begun) if isinstance(begun, str) and begun else None
    except ValueError:
        raise ValueError(f'begun={begun!r} is no time such as "2026-11-25 14:03:00"') from None
    at = next((i for i, one in enumerate(given) if one is None), 0)
    return ExamState(questions, tuple(given), minutes, since, bool(handed_in), at)
