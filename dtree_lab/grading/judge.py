"""One submission judged: its cells run in a process of their own, its answers are judged here.

The judge never runs what was handed in. A cell or a function that ends its process, or has to be
ended, costs its own exercise: the others are run again without it.

The cases that nobody has seen are asked last, in another process (:class:`_Mute`): of what is said
there only whether it is right is kept, so no feedback can tell them.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dtree_lab.course.assignment import known
from dtree_lab.course.calls import Outcome, describe, patience, short
from dtree_lab.course.cards import CardLine
from dtree_lab.course.checking import (
    Result,
    may_earn,
    outcomes_of,
    resulting,
    tenths,
    unearned,
    unseen_lines,
)
from dtree_lab.course.exercise import Exercise, hints
from dtree_lab.course.librarys import is_taken
from dtree_lab.grading.needed import needed, not_their_fault
from dtree_lab.grading.rebuild import Rebuilt, RunStep, rebuilt, worst
from dtree_lab.grading.records import Grade, GradeRecord
from dtree_lab.grading.remote import (
    CALL,
    MOST_NAME,
    OVER,
    TOO_MUCH,
    LearnersProcess,
    LostError,
    Told,
)
from dtree_lab.grading.sandbox import Allowance, Kind
from dtree_lab.grading.sheets import Cell, Check, Handout

_MOST_STARTS, _MOST_TEXT = 25, 20_000
# The judge waits longer than the learner's process, which says where it was when its time was up.
_PATIENCE = 2 * CALL + 2
# Seconds between attempts to begin: a busy machine takes its time to end a storm of processes.
PAUSES = (0.1, 0.5, 2.0, 5.0)

# What nobody needs for an answer. It has no effect here; somebody should look at it.
_LOOKS = {
    r"course\s*\.\s*check\s*=|setattr\(\s*dt": "puts something in the place of the check",
    # From its first word on, and without going back: "dt.dt.dt.…" may be very long.
    # How Python tells of errors is anybody's own business.
    r"(?<![\w.])(?!sys\.(?:unraisablehook|excepthook)\b)"
    r"(?:dt|dtree_lab|np|numpy|math|builtins|sys|os|random)(?:\.\w++)++\s*+=(?!=)"
    r"|setattr\(": "puts something into a library",
    r"give_up": "asks for a worked solution",
    r"\.solution\b|course[./]lessons|\.task\b": "looks for the worked solutions",
    r"input_transformer|get_ipython\(\)(?!\.(?:run_(?:line|cell)_magic|system|getoutput)\()": (
        "changes how cells are read"
    ),
    r"gradebook|nbgrader|\b(source|submitted|autograded)/": "looks for the course's own files",
    r"_getframe|currentframe|f_back|f_locals|get_objects|get_referrers": "looks into the judge",
    r"\b(socket|urllib|requests|http\.client)\b": "speaks to the network",
    r"sys\.meta_path|sys\.modules|__import__|importlib": "changes what is imported",
    r"BEGIN SOLUTION|BEGIN HIDDEN TESTS": "has the marks of the course's source version",
}


NAMELESS = "the name is missing: its numbers were those of nobody"


class JudgeError(RuntimeError):
    """Nothing can be judged, by no fault of the submission; the message says why."""


def judged_submission(  # noqa: PLR0913, PLR0917 - what is judged, and how
    sheet: Handout,
    learner: str,
    handed: Sequence[Cell],
    kind: Kind,
    limits: Allowance,
    hidden: tuple[Path, ...] = (),
    python: str = "",
) -> GradeRecord:
    """The marks of the cells that a learner handed in.

    `kind` isolates the process, which may use `limits` and must not see what is `hidden`; `python`
    is the version that it was written in, where it tells. The notebook of another lesson is
    refused.
    """
    begun = time.monotonic()
    program = rebuilt(sheet, handed)
    walk = _Spoken(program, sheet.exercises, kind, limits, hidden)
    try:
        walk.through()
        unseen = _unseen(walk, program)
    finally:
        walk.close()
    marks = tuple(
        _grade(judgement, unseen.get(i), walk, python) for i, judgement in walk.judgements.items()
    )
    _look(program)
    notes = list(program.notes.get("", ()))
    if kind == "none":
        notes.append("run without a sandbox")
    status = worst(program.statuses.get("", "graded"), *(mark.status for mark in marks))
    return GradeRecord(
        learner=learner,
        assignment=sheet.name,
        status=status,
        note="; ".join(notes),
        marks=marks,
        me=walk.me,
        answers={name: text[:_MOST_TEXT] for name, text in program.answers.items()},
        seconds=round(time.monotonic() - begun, 2),
        sheet=sheet.version,
    )


def _look(program: Rebuilt) -> None:
    """Flag what somebody should look at."""
    for step in program.steps:
        if step.learners:
            for pattern, what in _LOOKS.items():
                if match := re.search(pattern, step.text):
                    shown = short(match[0])[:40]
                    program.note("", "flagged", f"to look at: {what} ({shown}), without effect")


@dataclass
class _Judgement:
    """What came of a check, but for the cases that nobody has seen."""

    check: Check
    exercise: Exercise  # as its learner has it
    # Of the cases that learners see; None for what was not answered.
    outcomes: tuple[Outcome, ...] | None = None
    given: float | None = None  # the number that was given where one is asked for
    why: str = ""  # why its process was lost, if it was
    seconds: float = 0.0
    trouble: str = ""  # why unseen cases could not be judged, by no fault of the answer

    def waits(self) -> bool:
        """Whether there are unseen cases on which points still depend."""
        fresh, outcomes = self.check.fresh, self.outcomes
        return (
            fresh is not None and outcomes is not None and may_earn(self.exercise, outcomes, fresh)
        )

    def stopped(self) -> bool:
        """Whether no more can be asked of it: one call ended it all."""
        return bool(self.why) or any(one.kind == "hung" for one in self.outcomes or ())


class _Walk:
    """Goes through the cells and checks of a submission that was rebuilt."""

    def __init__(
        self,
        program: Rebuilt,
        exercises: Mapping[str, Exercise],
        kind: Kind,
        limits: Allowance,
        hidden: tuple[Path, ...],
    ) -> None:
        self.program, self.kind, self.limits, self.hidden = program, kind, limits, hidden
        self.exercises = exercises
        self.process: LearnersProcess | None = None
        self.until = time.monotonic() + limits.whole
        # Cells that are left out: for nothing depends on them, or because they end the process.
        self.bad = {i for i, runs in enumerate(needed(program.steps)) if not runs}
        # Cells that did not come to their end, which are not to take all that time again.
        self.endless: set[int] = set()
        self._starts = 0
        # Why an exercise has no answer; and how each cell that did not come to its end stopped.
        self.stopped: dict[str, str] = {}
        self.failed: dict[int, Told] = {}

    def close(self) -> None:
        if self.process is not None:
            self.process.close()
            self.process = None

    def through(self) -> None:
        for i, step in enumerate(self.program.steps):
            if step.check is not None:
                self.at(i, step.check)
            elif i not in self.bad and not self._over():
                self._cell(i, step)

    def at(self, i: int, check: Check) -> None:
        """Look what is there at a check."""
        raise NotImplementedError

    def _over(self) -> bool:
        return self._starts > _MOST_STARTS or time.monotonic() > self.until

    def _cell(self, i: int, step: RunStep) -> None:
        try:
            process = self.ready(i)
            told = process.cell(step.text, self._seconds(i))
        except LostError as why:
            if self.own_to_blame(i, str(why)):
                self._cell(i, step)
                return
            self._leave_out(i, str(why))
            told = Told(str(why))
        if told.error:
            self.failed[i] = told
            if step.exercise:
                self.stopped[step.exercise] = f"the answer cell stopped: {told.error}"

    def _leave_out(self, i: int, why: str) -> None:
        self.bad.add(i)
        if self.program.steps[i].own:
            self.program.note("", "graded", f"a cell of their own was left out: {why}")

    def own_to_blame(self, i: int, why: str) -> bool:
        """Whether own cells before a place are left out now: what is no answer goes first."""
        own = {j for j, step in enumerate(self.program.steps[:i]) if step.own} - self.bad
        if why not in TOO_MUCH.values() or not own:
            return False
        self.bad |= own
        self.program.note("", "graded", f"cells of their own were left out: {why}")
        return True

    def _seconds(self, i: int) -> float:
        """An own cell gets half the time: it is no answer."""
        most = self.limits.cell / (2 if self.program.steps[i].own else 1)
        if i in self.endless:
            most = min(most, CALL)
        return min(most, max(self.until - time.monotonic(), 1.0))

    def ready(self, i: int) -> LearnersProcess:
        """A process in which all cells before a place have run, but those that end it."""
        while self.process is None or self.process.lost:
            self.close()
            self._starts += 1
            if self._over():
                raise LostError(OVER)
            self.process = self._begun()
            for j, step in enumerate(self.program.steps[:i]):
                if step.check is None and j not in self.bad:
                    try:
                        self.process.cell(step.text, self._seconds(j))
                    except LostError as why:
                        self._leave_out(j, str(why))
                        if step.exercise:
                            said = f"the answer cell stopped: {why}"
                            self.stopped.setdefault(step.exercise, said)
                        break
        return self.process

    def _begun(self) -> LearnersProcess:
        for pause in (*PAUSES, None):
            try:
                return LearnersProcess(
                    self.kind,
                    self.limits,
                    self.hidden,
                    lambda about, name: known(about, self.exercises).of(name).data,
                    self.until,
                )
            except (LostError, OSError) as why:
                if pause is None or self._over():
                    raise JudgeError(f"no process can be started: {why}") from None
                time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def tidy(self, before: int) -> None:
        """End a process that has more to it than it had: that is not to slow what comes next."""
        if self.process is not None and self.process.family() > before:
            self.close()


class _Spoken(_Walk):
    """The cases that learners see, of which all that comes back is told."""

    me = ""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.judgements: dict[int, _Judgement] = {}

    def at(self, i: int, check: Check) -> None:
        begun = time.monotonic()
        judgement = self._judged(i, check)
        if check.name and judgement.outcomes is not None and not self.me:
            self.program.note(check.exercise, "flagged", NAMELESS)
        judgement.why = judgement.why or (self.process.lost if self.process is not None else "")
        judgement.seconds = time.monotonic() - begun
        self.judgements[i] = judgement

    def _judged(self, i: int, check: Check) -> _Judgement:
        """What came of an exercise; who is lost before the answer is there has not answered."""
        judgement = _Judgement(check, self.exercises[check.exercise])
        why = ""
        try:
            self._try(i, judgement)
            why = judgement.why
        except LostError as lost:
            why = str(lost)
            if why != OVER:
                self.stopped.setdefault(check.exercise, why)
            elif self.process is None:
                self.program.note(check.exercise, "flagged", f"not reached: {OVER} before it")
        except JudgeError:
            raise
        except Exception as problem:  # noqa: BLE001 - a check that cannot read what it was given
            judgement.outcomes = None
            said = f"its check stopped with {type(problem).__name__}: {short(str(problem))}"
            self.program.note(check.exercise, "flagged", f"{said}; judge it by hand")
        passed = resulting(judgement.exercise, judgement.outcomes).passed
        if not passed and self.own_to_blame(i, why):
            self.stopped.pop(check.exercise, None)
            return self._judged(i, check)
        return judgement

    def _try(self, i: int, judgement: _Judgement) -> None:
        process = self.ready(i)
        before = process.family()
        if judgement.check.name:
            judgement.exercise = judgement.exercise.of(self._name(process, judgement.check))
        answer = process.value(judgement.check.answer)
        with patience(_PATIENCE):
            judgement.outcomes = outcomes_of(judgement.exercise, answer)
            resulting(judgement.exercise, judgement.outcomes)  # what cannot be judged is told here
        if judgement.exercise.task.kind == "number":
            number = describe(answer)
            judgement.given = number.value if number.kind == "number" else None
        judgement.why = process.lost
        self.tidy(before)

    def _name(self, process: LearnersProcess, check: Check) -> str:
        name: Any = process.value(check.name)
        if isinstance(name, str) and name.strip():
            self.me = short(name[:MOST_NAME])
            return name[:MOST_NAME]
        return ""


class _Mute(_Walk):
    """The cases that nobody has seen: only whether they are right is kept, and no word."""

    def __init__(self, wanted: Mapping[int, _Judgement], *given: Any) -> None:
        super().__init__(*given)
        self.wanted, self.left = wanted, set(wanted)
        self.lines: dict[int, tuple[CardLine, ...]] = {}

    def at(self, i: int, check: Check) -> None:
        if i not in self.left:
            return
        exercise, seed = self.wanted[i].exercise, check.fresh or 0
        self.lines[i], why = unseen_lines(exercise, ..., seed), ""
        try:
            process = self.ready(i)
            before = process.family()
            answer = process.value(check.answer)
            with patience(_PATIENCE):
                self.lines[i] = unseen_lines(exercise, answer, seed)
            why = process.lost
            self.tidy(before)
        except LostError as lost:
            why = str(lost)
        except JudgeError:
            raise
        except Exception as problem:  # noqa: BLE001 - as above, without its words
            said = f"its check stopped with {type(problem).__name__} in an unseen case"
            self.wanted[i].trouble = f"{said}; judge it by hand"
        if why == OVER:
            self.wanted[i].why = why
        if why and self.own_to_blame(i, why):
            self.at(i, check)
        self.left.discard(i)

    def _cell(self, i: int, step: RunStep) -> None:
        if self.left:
            super()._cell(i, step)


def _unseen(walk: _Spoken, program: Rebuilt) -> dict[int, tuple[CardLine, ...]]:
    """What came of the unseen cases, in a process that ends with them."""
    waiting = {i: judgement for i, judgement in walk.judgements.items() if judgement.waits()}
    lines = {
        i: unseen_lines(judgement.exercise, ..., judgement.check.fresh or 0)
        for i, judgement in waiting.items()
        if judgement.stopped()
    }
    wanted = {i: judgement for i, judgement in waiting.items() if i not in lines}
    if not wanted:
        return lines
    unheard = replace(program, notes=defaultdict(list), statuses={})
    mute = _Mute(wanted, unheard, walk.exercises, walk.kind, walk.limits, walk.hidden)
    mute.bad |= walk.bad
    mute.endless |= {i for i, told in walk.failed.items() if not told.raised[0]}
    process = walk.process
    if process is not None and not process.left_behind():
        with suppress(LostError):
            process.afresh(mute.until)
            mute.process, walk.process = process, None
    walk.close()
    try:
        mute.through()
    finally:
        mute.close()
    return lines | mute.lines


def _grade(
    judgement: _Judgement, unseen: tuple[CardLine, ...] | None, walk: _Spoken, python: str
) -> Grade:
    check, program = judgement.check, walk.program
    name, why = check.exercise, judgement.why
    result = _result(judgement, unseen or (), program)
    if why == OVER and not result.passed:
        program.note(name, "flagged", f"not reached: {OVER} before it was judged")
    if judgement.trouble:
        program.note(name, "flagged", judgement.trouble)
    if not result.passed:
        errors = [(one.value, one.says) for one in judgement.outcomes or () if one.kind == "raised"]
        for text in not_their_fault(program.steps, name, errors, walk.failed, python):
            program.note(name, "flagged", text)
    notes = [*program.notes.get(name, ())]
    if not result.passed and name in walk.stopped:
        notes.append(walk.stopped[name])
    if not result.passed and why not in ("", OVER, walk.stopped.get(name)):
        notes.append(f"the function: {why}")
    if not result.answered and not notes:
        notes.append("not answered")
    told = result.answered and not result.passed
    return Grade(
        exercise=name,
        cell=check.cell,
        # Of as many as the check is worth in this course.
        points=round(check.points * result.score / (result.points or 1), 4),
        max_points=check.points,
        status=program.statuses.get(name, "graded"),
        note="; ".join(notes),
        card=str(result),
        html=result._repr_html_(),
        mistakes=tuple(hints(judgement.exercise, judgement.outcomes or ())) if told else (),
        given=judgement.given,
        seconds=round(judgement.seconds, 2),
    )


def _result(judgement: _Judgement, unseen: Sequence[CardLine], program: Rebuilt) -> Result:
    """What came of it; of what is the library's, nothing."""
    exercise = judgement.exercise
    result = resulting(exercise, judgement.outcomes, unseen)
    if not is_taken(exercise.done_by, program.answers.get(exercise.id, ""), exercise.answer):
        return result
    program.note(exercise.id, "graded", "it is the library's, which earns no points")
    return unearned(result)


def marks_line(record: GradeRecord) -> str:
    """A submission's marks in one line."""
    earned, most = record.points, record.max_points
    points = f"{tenths(earned)} of {tenths(most)}, " if record.marks else ""
    said = f"{short(record.learner)}: {points}{record.status}"
    return f"{said} ({record.note})" if record.note else said
