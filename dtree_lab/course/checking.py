"""What a notebook calls: check an answer, ask for another hint, see the solution."""

from __future__ import annotations

import copy
import inspect
import math
import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any

from dtree_lab.base import text as escape
from dtree_lab.base.answers import is_stub
from dtree_lab.base.text import number, plural
from dtree_lab.course.asking.model import committed, is_card
from dtree_lab.course.calls import Outcome, as_output
from dtree_lab.course.cards import Card, CardLine
from dtree_lab.course.exercise import Exercise, hints
from dtree_lab.course.lessons import find, names
from dtree_lab.course.librarys import cell_of, is_taken
from dtree_lab.course.tasks import Choose, Code, Withheld
from dtree_lab.course.tasks.answers import in_words
from dtree_lab.course.tasks.code import general, remarks, unknown_names

MOST_HINTS, MOST_WRONG = 2, 4
_LIBRARY = f"{__name__.partition('.')[0]}."
# The best results since the kernel started: the solution is shown to whoever needs it no more.
_best: dict[str, Result] = {}


@dataclass(frozen=True, repr=False)
class Result(Card):
    """What came of a check: a card that knows the exercise and its points."""

    exercise: str = field(default="", kw_only=True)  # its id
    passed: bool = field(default=False, kw_only=True)  # whether every case is right
    answered: bool = field(default=True, kw_only=True)  # whether there was an answer at all
    # Earned in proportion to the behaviours of which every case is right.
    score: float = field(default=0.0, kw_only=True)
    points: int = field(default=0, kw_only=True)  # to be had


@dataclass(frozen=True, repr=False)
class CardsResult(Result):
    """The result of what a card holds that is seen in the notebook: there it is told already."""

    def _repr_html_(self) -> str:
        told = "The verdict stands in the card. This cell is for grading."
        if self.lines and not self.answered:
            told = escape.html(self.lines[0].says)
        return f'<div style="opacity:.75">{told}</div>'


def check(
    exercise: str, answer: Any, *, name: Any = "", fresh: int | None = None
) -> Result | float:
    """Check an answer; the result shows itself as the last value of a cell.

    While nbgrader runs the notebook (it sets ``NBGRADER_EXECUTION``), what comes back is what
    nbgrader reads: the points earned, as a number, with the result printed; and an answer that
    earned none raises. What is written to the standard error then becomes plain output, because
    nbgrader would take it for a failure.

    Parameters
    ----------
    exercise
        The exercise's id, such as ``"tax-fraud/entropy"``.
    answer
        What the learner wrote: a function, a number, a choice (several as a tuple), a lab, a tree;
        or the card of :func:`~dtree_lab.course.ask`, of which the answer counts that was
        committed. ``None`` and ``...`` say "not answered yet".
    name
        The learner's name, for an exercise whose data differ from learner to learner.
    fresh
        A seed from which course staff draw more cases for a function.

    Raises
    ------
    ValueError
        For an id that no exercise has.
    AssertionError
        While nbgrader runs, for an answer that earned nothing.

    Examples
    --------
    >>> check("tax-fraud/six-to-four", 0.5).verdict
    'NOT YET'
    >>> check("tax-fraud/six-to-four", ...)
    NOT ANSWERED YET  The entropy of six to four
    """
    marked = bool(os.environ.get("NBGRADER_EXECUTION"))
    if marked:
        as_output()
    asked = find(exercise, name)
    if fresh is not None and isinstance(asked.task, Code):
        asked = replace(asked, task=asked.task.with_fresh(fresh))
    result = remember_result(checked(asked, answer))
    if marked:
        result = unearned(result) if _is_librarys(asked, answer) else result
        if not result.score:
            raise AssertionError(str(result))
        print(result)  # noqa: T201 - nbgrader shows graders and learners what a cell printed
        return result.score
    is_seen = is_card(answer, exercise) and answer.is_seen
    return CardsResult(**vars(result)) if is_seen else result


def remember_result(result: Result) -> Result:
    """The result, which counts from now on if there was no better one of its exercise."""
    exercise = result.exercise
    if exercise not in _best or _best[exercise].score < result.score:
        _best[exercise] = result
    return result


def best_so_far() -> dict[str, float]:
    """The most points earned in each exercise that was checked since the kernel started."""
    return {exercise: result.score for exercise, result in _best.items()}


def checked(exercise: Exercise, answer: Any) -> Result:
    """The result of an answer to an exercise, without remembering it or raising."""
    result = resulting(exercise, outcomes_of(exercise, answer))
    if not result.answered and is_card(answer, exercise.id) and answer.standing:
        return replace(result, verdict="ANSWERED IN PART", lines=(CardLine(answer.standing),))
    if result.passed and _is_librarys(exercise, answer):
        return replace(result, lines=(*result.lines, _NOT_OWN))
    return result


_NOT_OWN = CardLine(
    "This one is the library's. The exercise is to write your own. Where it is graded, the library"
    " earns no points.",
    label="Note",
)


def _is_librarys(exercise: Exercise, answer: Any) -> bool:
    """Whether it is a function of this library, or comes of the one that does what is asked."""
    # By its type, for a strange object may answer for its class, or raise when asked.
    if type(answer) is not FunctionType:
        return is_taken(exercise.done_by, cell_of(exercise.answer), exercise.answer)
    if (answer.__module__ or "").startswith(_LIBRARY):  # one that `exec` made may know none
        return True
    try:
        code = textwrap.dedent(inspect.getsource(answer))
    except (OSError, TypeError):  # typed nowhere that could be read
        return False
    names = exercise.answer, answer.__name__
    return any(is_taken(exercise.done_by, code, name) for name in names)


def unearned(result: Result) -> Result:
    """The result where points count, of what the library has done: none."""
    title = f"{result.title.rpartition(' (')[0]} (0 of {plural(result.points, 'point')})"
    return replace(
        result,
        tone="open",
        verdict="NOT YOUR OWN",
        title=title,
        passed=False,
        score=0.0,
        lines=(_NOT_OWN, *(line for line in result.lines if line.passed is not None)),
    )


def outcomes_of(exercise: Exercise, answer: Any) -> tuple[Outcome, ...] | None:
    """What comes of an answer; None where there is none yet."""
    answer = committed(answer, exercise.id)
    outcomes = () if is_stub(answer) else exercise.task.run(answer)
    return None if _blank(answer, outcomes) else outcomes


def resulting(
    exercise: Exercise, outcomes: tuple[Outcome, ...] | None, unseen: Sequence[CardLine] = ()
) -> Result:
    """The result of what came of an answer; lines that are `unseen` count, and are not shown."""
    if outcomes is None:
        return Result(
            "blank",
            "NOT ANSWERED YET",
            exercise.title,
            exercise=exercise.id,
            answered=False,
            points=exercise.points,
        )
    task = exercise.task
    if isinstance(task, Withheld):
        return awaiting(exercise, outcomes)
    lines = task.judge(outcomes)
    shown = task.lines(outcomes) if isinstance(task, Choose) else lines
    earned = behaviours((*lines, *unseen))
    passed = all(earned.values())
    score = exercise.points * sum(earned.values()) / len(earned)
    helps = _praise(exercise) if passed else _helps(exercise, outcomes)
    noted = [CardLine(text, label="Note") for text in remarks(outcomes)]
    wrong = sum(not line.passed for line in unseen)
    if wrong:
        said = f"not right in {wrong} of {plural(len(unseen), 'unseen case')}"
        noted.insert(0, CardLine(said, passed=False))
    return Result(
        "good" if passed else "open",
        "PASS" if passed else "NOT YET",
        f"{exercise.title} ({tenths(score)} of {plural(exercise.points, 'point')})",
        (*_few(shown), *noted, *_shares(earned), *helps),
        exercise=exercise.id,
        passed=passed,
        score=score,
        points=exercise.points,
    )


def unseen_lines(exercise: Exercise, answer: Any, seed: int) -> tuple[CardLine, ...]:
    """Whether each case that is drawn from a seed is right, and of which behaviour it is.

    Nothing else of what came of it: who has seen the case may have put it there. An answer of three
    dots is one that cannot be asked, and is right in none.
    """
    task = exercise.task
    if not isinstance(task, Code):
        return ()
    drawn = replace(task, cases=task.with_fresh(seed).cases[len(task.cases) :], fresh=None)
    lines = drawn.judge(drawn.run(answer))
    return tuple(CardLine("", line.passed, behaviour=line.behaviour) for line in lines)


def may_earn(exercise: Exercise, outcomes: tuple[Outcome, ...], seed: int) -> bool:
    """Whether cases drawn from a seed matter: some behaviour is not yet known to be wrong."""
    task = exercise.task
    if not isinstance(task, Code) or task.fresh is None:
        return False
    wrong = {line.behaviour for line in task.judge(outcomes) if not line.passed}
    return any(
        not case.behaviour or case.behaviour not in wrong for case in task.with_fresh(seed).cases
    )


def awaiting(exercise: Exercise, outcomes: tuple[Outcome, ...]) -> Result:
    """The result of an answer whose right one only course staff know."""
    lines, told = exercise.task.judge(outcomes), hints(exercise, outcomes)
    helps = _helps(exercise, outcomes)
    wrong = bool(told) or any(line.passed is False for line in lines)
    if told:
        lines = tuple(replace(line, passed=False) for line in lines)
    noted = [] if wrong else [CardLine("Whether it is right is told when it is graded.")]
    return Result(
        "open" if wrong else "blank",
        "NOT YET" if wrong else "TO BE GRADED",
        f"{exercise.title} ({plural(exercise.points, 'point')})",
        (*lines, *noted, *helps),
        exercise=exercise.id,
        points=exercise.points,
    )


def behaviours(lines: Sequence[CardLine]) -> dict[str | int, bool]:
    """Whether each behaviour is right, in every case that shows it; points go by these.

    A line without one is a behaviour by itself, under its number.
    """
    found: dict[str | int, bool] = {}
    for i, line in enumerate(lines):
        name = line.behaviour or i
        found[name] = found.get(name, True) and bool(line.passed)
    return found


def _shares(earned: dict[str | int, bool]) -> list[CardLine]:
    """Which behaviours earn their points and which do not yet, where it is some of them."""
    named = {name: right for name, right in earned.items() if isinstance(name, str)}
    if not any(named.values()) or all(named.values()):
        return []
    right = "; ".join(name for name, is_ in named.items() if is_)
    wrong = "; ".join(name for name, is_ in named.items() if not is_)
    return [CardLine(right, label="Right about"), CardLine(wrong, label="Not yet about")]


def _blank(answer: Any, outcomes: tuple[Outcome, ...]) -> bool:
    """Whether nothing was answered; a function that works and forgets to return is an answer."""
    nothing = all(o.kind == "nothing" for o in outcomes)
    return nothing and (not callable(answer) or is_stub(answer))


def tenths(score: float) -> str:
    """A score with one decimal, rounded down: only who passes has all the points."""
    return number(math.floor(10 * score + 1e-9) / 10)


def _few(lines: Sequence[CardLine]) -> list[CardLine]:
    """What is right, and the first few of what is not; of lines that say the same, only one."""
    different = list({(line.says, line.passed): line for line in lines}.values())
    wrong = [line for line in different if not line.passed]
    kept = [line for line in different if line.passed or line in wrong[:MOST_WRONG]]
    more = len(wrong) - MOST_WRONG
    return [*kept, CardLine(f"and {more} more", passed=False)] if more > 0 else kept


def _praise(exercise: Exercise) -> list[CardLine]:
    if not exercise.solution:
        return [CardLine("When it is graded, there may be more cases than these.", label="Note")]
    if exercise.lesson not in names():  # staff's own: learners have no solution to look at
        return []
    return [CardLine(f'``dt.course.solution("{exercise.id}")``', label="The worked solution")]


def _helps(exercise: Exercise, outcomes: tuple[Outcome, ...]) -> list[CardLine]:
    task, told = exercise.task, hints(exercise, outcomes)
    asked = task.task if isinstance(task, Withheld) else task
    if isinstance(asked, Choose):
        # One of a pair that could be it: how many there are would tell which half is wrong.
        told = in_words(outcomes) or (told[:1] if all(asked.fit(outcomes)) else [])
    if isinstance(task, Code):
        told = unknown_names(outcomes) + told or general(task, outcomes)
    lines = [CardLine(text, label="Hint") for text in told[:MOST_HINTS]]
    label = "Another hint" if lines or exercise.solution else "A hint"
    another = CardLine(f'``dt.course.hint("{exercise.id}")``', label=label)
    return [*lines, another] if exercise.more else lines


def data(exercise: str, name: Any = "") -> Any:
    """What an exercise is about, as the learner of a name gets it; raises as :func:`check` does.

    It is the same for everybody where the exercise has no data of its own, and for a name however
    it is capitalised.
    """
    return copy.deepcopy(find(exercise, name).data)


def hint(exercise: str) -> Card:
    """The second hint of an exercise, for whoever asks; raises as :func:`check` does.

    Examples
    --------
    >>> hint("tax-fraud/majority").verdict
    'HINT'
    """
    asked = find(exercise)
    lines = [CardLine(asked.more or "There is no other hint.")]
    if asked.solution:
        then = f'``dt.course.solution("{exercise}", give_up=True)``'
        lines.append(CardLine(then, label="Still stuck"))
    return Card("blank", "HINT", asked.title, tuple(lines))


def solution(exercise: str, *, give_up: bool = False) -> Card:
    """The worked solution, after passing or giving up; raises as :func:`check` does.

    Examples
    --------
    >>> solution("tax-fraud/six-to-four").lines[0].says
    'Pass it first, or say ``dt.course.solution("tax-fraud/six-to-four", give_up=True)``.'
    """
    asked = find(exercise)
    if not asked.solution:
        kept = CardLine("It is with your course staff, and nowhere in this notebook.")
        return Card("blank", "SOLUTION", asked.title, (kept,))
    if not give_up and not (exercise in _best and _best[exercise].passed):
        ask = f'Pass it first, or say ``dt.course.solution("{exercise}", give_up=True)``.'
        return Card("blank", "SOLUTION", asked.title, (CardLine(ask),))
    lines = (CardLine(asked.solution.strip(), code=True), CardLine(asked.why))
    return Card("good", "SOLUTION", asked.title, lines)
