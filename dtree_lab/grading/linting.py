"""Exercises that staff wrote, looked over before they are handed out: what points would go for.

What is found is told with its cure. The worked solutions are handed in, and so is the learners'
copy untouched, in the way of any submission: the one has to earn all points, the other none.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dtree_lab.base.text import number, plural
from dtree_lab.course.asking.api import of_exercise
from dtree_lab.course.assignment import SOURCE, own_exercises
from dtree_lab.course.calls import short
from dtree_lab.course.checking import behaviours
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.handout import HandedOut, NotPlainDataError, handed_out, to_plain
from dtree_lab.course.lessons import names
from dtree_lab.course.own import OWN
from dtree_lab.course.tasks import Case, Choose, Code, Number
from dtree_lab.grading.batch import sheet_of
from dtree_lab.grading.judge import JudgeError, judged_submission
from dtree_lab.grading.records import Grade
from dtree_lab.grading.sandbox import Allowance, Kind
from dtree_lab.grading.sheets import Cell, Check, Handout

_MOST_TOLD = 3
_SEED = 1


@dataclass(frozen=True)
class Doubt:
    """Something about an exercise that should be mended."""

    exercise: str  # nothing where it is about the whole assignment
    says: str  # what is found
    cure: str  # what would mend it
    grave: bool = False  # nothing should be handed out before

    def __str__(self) -> str:
        stops = "Stops release: " if self.grave else ""
        where = "" if self.exercise.partition("/")[0] in names() else f"{OWN}: "
        about = f"{where}{self.exercise}: " if self.exercise else ""
        return f"{stops}{about}{self.says}. {self.cure}."


def doubts(course: Path, assignment: str, kind: Kind) -> list[Doubt]:
    """What to mend in an assignment; `kind` isolates where worked solutions are tried."""
    own = own_exercises(course / SOURCE / assignment)
    sheet = sheet_of(course, assignment)
    checks = [one for one in sheet.checks.values() if one.exercise in own]
    found = [doubt for check in checks for doubt in _of_exercise(own[check.exercise], check, sheet)]
    if not any(doubt.grave for doubt in found):
        found += _tried(sheet, kind, (course,))
    unused = [one for one in own if one not in sheet.exercises]
    found += [
        Doubt(one, "no cell of the notebook checks it", f'Add dt.course.check("{one}", …)')
        for one in unused
    ]
    return found


def kept_back(course: Path, assignment: str) -> list[str]:
    """What of staff's exercises is not in the learners' notebook, a line for each."""
    own, sheet = own_exercises(course / SOURCE / assignment), sheet_of(course, assignment)
    given = [handed_out(one) for name, one in sheet.exercises.items() if name in own]
    return [f"{one.exercise.id}: {why}" for one in given for why in one.kept]


def _of_exercise(exercise: Exercise, check: Check, sheet: Handout) -> Iterator[Doubt]:
    try:
        given = handed_out(exercise)
    except NotPlainDataError as problem:
        said = str(problem).removeprefix(f"{exercise.id}").lstrip(": ")
        cure = "docs/own-exercise.md tells what can be handed out"
        yield Doubt(exercise.id, said, cure, grave=True)
        return
    match exercise.task:
        case Code() as task:
            yield from _of_function(exercise, task, given, check)
        case Number() as task:
            for value in USUAL:
                if task.judge(task.run(value))[0].passed:
                    said = f"who answers {value} without a thought has all points"
                    yield Doubt(exercise.id, said, "Choose data with another answer")
                    break
        case Choose() as task:
            yield from _of_choice(exercise, task, sheet)
    yield from _of_mistakes(exercise)


def _of_choice(exercise: Exercise, task: Choose, sheet: Handout) -> Iterator[Doubt]:
    ways = math.prod(len(question.options) for question in task.questions)
    if ways * MOST_SHARE < 1:
        said = f"a guess is right once in {ways} times"
        reason = "Ask for the reason as well, by a second question"
        cure = reason if len(task.questions) == 1 else "Offer more options"
        yield Doubt(exercise.id, said, cure)
    if any(f'ask("{exercise.id}"' in cell.text for cell in sheet.cells):
        try:
            of_exercise(exercise)
        except ValueError as problem:
            cure = "End its text with the list of options below the question"
            said = str(problem).removeprefix(exercise.id).lstrip()  # which it begins with
            yield Doubt(exercise.id, said, cure, grave=True)


def _of_mistakes(exercise: Exercise) -> Iterator[Doubt]:
    for mistake in exercise.mistakes:
        if not exercise.gone_wrong(mistake)[1]:
            said = f"the mistake with the hint {short(mistake.hint)[:60]!r} is right in all that is"
            cure = "Add a case in which it is wrong, or leave the mistake out"
            yield Doubt(exercise.id, f"{said} visible", cure)


# -- functions -------------------------------------------------------------------------------------


def _of_function(exercise: Exercise, task: Code, given: HandedOut, check: Check) -> Iterator[Doubt]:
    seed = _SEED if check.fresh is None else check.fresh
    try:
        whole = task.with_fresh(seed)
        same = [*map(_given, whole.cases)] == [*map(_given, task.with_fresh(seed).cases)]
    except Exception as error:  # noqa: BLE001 - staff's own code, which may raise anything
        said = f"what draws its unseen cases stops with {type(error).__name__}: {error}"
        yield Doubt(exercise.id, said, f"Mend its {_name(task)}", grave=True)
        return
    if not same:
        said = "its unseen cases are others each time, so marks would be, too"
        yield Doubt(exercise.id, said, "Draw all from the generator that it is given", grave=True)
    unseen = whole.cases[len(task.cases) :]
    yield from _of_cases(exercise, task, unseen)
    yield from _of_heart(exercise, task, given, unseen)
    yield from _of_no_thought(exercise, whole)


def _name(task: Code) -> str:
    name: str = getattr(task.fresh, "__name__", "")
    return name if name.isidentifier() else "fresh"


def _of_cases(exercise: Exercise, task: Code, unseen: tuple[Case, ...]) -> Iterator[Doubt]:
    for i, case in enumerate(task.cases):
        if not case.behaviour:
            said = f"case {i + 1} ({_call(task, case)}) shows no behaviour"
            yield Doubt(exercise.id, said, "Give it a behaviour, such as behaviour='a tie'")
    alone, whole = _alone((*task.cases, *unseen))
    for behaviour in alone:
        earns = f"always returning its answer earns {_share(1, whole)}"
        said = f"the behaviour {behaviour!r} has one case only: {earns}"
        yield Doubt(exercise.id, said, _ANOTHER)
    yield from _of_unseen(exercise, task, unseen)


_ANOTHER = "Give it a case with another answer, or let its cases show another behaviour"


def _alone(cases: Sequence[Case]) -> tuple[list[str], int]:
    """The behaviours that one case shows alone, and how many behaviours there are."""
    many = Counter(case.behaviour or str(i) for i, case in enumerate(cases))
    return [one for one, count in many.items() if count == 1 and not one.isdigit()], len(many)


def _of_unseen(exercise: Exercise, task: Code, unseen: tuple[Case, ...]) -> Iterator[Doubt]:
    visible = set(map(_given, task.cases)) - {""}
    for twin in {_given(case): case for case in unseen if _given(case) in visible}.values():
        said = f"an unseen case is the same as a visible one, {_call(task, twin)}"
        yield Doubt(exercise.id, said, f"Let {_name(task)} draw others")
    shown = {case.behaviour for case in task.cases}
    for behaviour in dict.fromkeys(case.behaviour for case in unseen):
        if behaviour not in shown:
            said = f"unseen cases show the behaviour {behaviour!r}, and no visible one does"
            yield Doubt(exercise.id, said, "Let learners see a case of it, too")


def _given(case: Case) -> str:
    """What tells a case's arguments from others; nothing where they are no plain data."""
    try:
        return repr(to_plain(case.args))
    except NotPlainDataError:
        return ""


def _of_heart(
    exercise: Exercise, task: Code, given: HandedOut, unseen: tuple[Case, ...]
) -> Iterator[Doubt]:
    """Behaviours that are right for who has copied the visible cases from the notebook."""
    shown = given.exercise.task.cases if isinstance(given.exercise.task, Code) else ()
    seen = set(map(id, shown))
    kept = {case.behaviour for case in (*task.cases, *unseen) if id(case) not in seen}
    known = list(dict.fromkeys(case.behaviour for case in shown if case.behaviour not in kept))
    if known:
        every = {case.behaviour for case in (*task.cases, *unseen)}
        which = ", ".join(map(repr, known))
        said = f"who has learnt the visible cases by heart is right about {which}"
        has = f"Let {_name(task)} draw cases of it" if task.fresh else "Give its Code fresh=…"
        yield Doubt(exercise.id, f"{said}: {_share(len(known), len(every))}", has)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%} of the points"


def _of_no_thought(exercise: Exercise, task: Code) -> Iterator[Doubt]:
    """The best of the answers that need no thought, for each set of behaviours that they get."""
    wanted = [want for case in task.cases for want in case.wants]
    best: dict[tuple[str | int, ...], tuple[str, str]] = {}
    for shown, answer in thoughtless_answers(wanted):
        earned = behaviours(task.judge(task.run(answer)))
        right = tuple(name for name, is_ in earned.items() if is_)
        if len(right) >= MOST_SHARE * len(earned):
            best.setdefault(right, (shown, _share(len(right), len(earned))))
    alone = set(_alone(task.cases)[0])  # of which it is said already
    told = sorted((right for right in best if not alone.issuperset(right)), key=len, reverse=True)
    for right in told[:_MOST_TOLD]:
        which = ", ".join(repr(one) if isinstance(one, str) else f"case {one + 1}" for one in right)
        said = "what returns {} earns {}, for {}".format(*best[right], which)
        yield Doubt(exercise.id, said, _ANOTHER)


def _call(task: Code, case: Case) -> str:
    return short(f"{task.name}({case.says or ', '.join(map(repr, case.args))})")


# -- handed in -------------------------------------------------------------------------------------


def _tried(sheet: Handout, kind: Kind, hidden: tuple[Path, ...]) -> Iterator[Doubt]:
    """What comes of the worked solutions, and of nothing at all."""
    try:
        for mark in _marks(sheet, tuple(_solved(sheet)), kind, hidden):
            if mark.points < mark.max_points:
                wrong = [line for line in mark.card.splitlines() if line.startswith("✗")]
                why = "; ".join([*wrong[:_MOST_TOLD], *filter(None, [mark.note])])
                earned = f"{number(mark.points)} of {plural(int(mark.max_points), 'point')}"
                said = f"its worked solution earns {earned} ({short(why)})"
                lacks = "The notebook lacks what its lesson has above it, such as an import"
                course_s = mark.exercise.partition("/")[0] in names()
                cure = lacks if course_s else "Mend the solution or the cases"
                yield Doubt(mark.exercise, said, cure, grave=not course_s)
        for mark in _marks(sheet, sheet.cells, kind, hidden):
            if mark.points:
                said = f"its cell, as learners get it, earns {number(mark.points)} already"
                cure = "Leave only what they begin from in the cell, in source/"
                yield Doubt(mark.exercise, said, cure, grave=True)
    except JudgeError as problem:
        said = f"the worked solutions could not be tried ({problem})"
        yield Doubt("", said, "Try them on the machine that grades")


def _marks(
    sheet: Handout, cells: tuple[Cell, ...], kind: Kind, hidden: tuple[Path, ...]
) -> tuple[Grade, ...]:
    return judged_submission(sheet, "", cells, kind, Allowance(), hidden).marks


def _solved(sheet: Handout) -> Iterator[Cell]:
    exercises: Mapping[str, Exercise] = sheet.exercises
    for cell in sheet.cells:
        if cell.role == "answer" and cell.exercise in exercises:
            yield replace(cell, text=exercises[cell.exercise].solution)
        else:
            yield replace(cell, text='me = "Ada"') if cell.role == "name" else cell


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
    """Functions that need no thought, each with what it returns; constants that fit a case."""
    seen = {repr(value): value for value in (*USUAL, *list(wanted)[:_MOST])}
    for shown, value in seen.items():
        yield f"always {shown[:_MOST]}", lambda *_, value=value: value
    yield from _COPIES.items()
