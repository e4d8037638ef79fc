"""One submission judged: its cells run in a process of their own, its answers are judged here.

The judge never runs what was handed in. A cell or a function that ends its process, or has to be
ended, costs its own exercise: the others are run again without it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dtree_lab.course.assignment import known
from dtree_lab.course.calls import describe, patience, short
from dtree_lab.course.checking import Result, marked, tenths
from dtree_lab.course.exercise import Exercise
from dtree_lab.grading.needed import needed
from dtree_lab.grading.rebuild import Rebuilt, RunStep, Status, rebuilt, worst
from dtree_lab.grading.records import Grade, GradeRecord
from dtree_lab.grading.remote import (
    CALL,
    MOST_NAME,
    OVER,
    TOO_MUCH,
    LearnersProcess,
    LostError,
)
from dtree_lab.grading.sandbox import Allowance, Kind
from dtree_lab.grading.sheets import Cell, Check

_MOST_STARTS, _MOST_TEXT = 25, 20_000
# The judge waits longer than the learner's process, which says where it was when its time was up.
_PATIENCE = 2 * CALL + 2

# What nobody needs for an answer. It has no effect here; somebody should look at it.
_LOOKS = {
    r"course\s*\.\s*check\s*=|setattr\(\s*dt": "puts something in the place of the check",
    # From its first word on, and without going back: "dt.dt.dt.…" may be very long.
    r"(?<![\w.])(?:dt|dtree_lab|np|numpy|math|builtins|sys|os|random)(?:\.\w++)++\s*+=(?!=)"
    r"|setattr\(": "puts something into a library",
    r"give_up": "asks for a worked solution",
    r"\.solution\b|course[./]lessons|\.task\b": "looks for the worked solutions",
    r"input_transformer|get_ipython\(\)": "changes how cells are read",
    r"gradebook|nbgrader|\b(source|submitted|autograded)/": "looks for the course's own files",
    r"_getframe|currentframe|f_back|f_locals|get_objects|get_referrers": "looks into the judge",
    r"\b(socket|urllib|requests|http\.client)\b": "speaks to the network",
    r"sys\.meta_path|sys\.modules|__import__|importlib": "changes what is imported",
    r"BEGIN SOLUTION|BEGIN HIDDEN TESTS": "has the marks of the course's source version",
}


NAMELESS = "the name is missing: its numbers were those of nobody"


class JudgeError(RuntimeError):
    """Nothing can be judged, by no fault of the submission; the message says why."""


@dataclass(frozen=True)
class Handout:
    """What was released of an assignment, with what the judge knows of it.

    Attributes
    ----------
    name
        The assignment's name.
    cells, checks
        The release's cells, and the checks by the places of theirs.
    exercises
        The exercises of the checks, as who has no name gets them.
    version
        What is different if anything of it is.
    """

    name: str
    cells: tuple[Cell, ...]
    checks: Mapping[int, Check]
    exercises: Mapping[str, Exercise]
    version: str


def judged_submission(  # noqa: PLR0913, PLR0917 - what is judged, and how
    sheet: Handout,
    learner: str,
    handed: Sequence[Cell],
    kind: Kind,
    limits: Allowance,
    hidden: tuple[Path, ...] = (),
) -> GradeRecord:
    """The marks of a submission.

    Parameters
    ----------
    sheet
        What was released.
    learner
        Whose it is.
    handed
        Its cells.
    kind, limits, hidden
        What isolates its process, what that may use, and must not see.

    Raises
    ------
    SubmissionError
        For the notebook of another lesson.
    JudgeError
        When no process can be started.
    """
    begun = time.monotonic()
    made = rebuilt(sheet.cells, sheet.checks, handed, sheet.exercises)
    walk = _Walk(made, sheet.exercises, kind, limits, hidden)
    try:
        marks = tuple(walk.marks())
    finally:
        walk.close()
    _look(made)
    notes = list(made.notes.get("", ()))
    if kind == "none":
        notes.append("run without a sandbox")
    status = worst(made.statuses.get("", "graded"), *(mark.status for mark in marks))
    return GradeRecord(
        learner=learner,
        assignment=sheet.name,
        status=status,
        note="; ".join(notes),
        marks=marks,
        me=walk.me,
        answers={name: text[:_MOST_TEXT] for name, text in made.answers.items()},
        seconds=round(time.monotonic() - begun, 2),
        sheet=sheet.version,
    )


def _look(made: Rebuilt) -> None:
    """Flag what somebody should look at."""
    for step in made.steps:
        if step.own or step.exercise:
            for pattern, what in _LOOKS.items():
                if found := re.search(pattern, step.text):
                    shown = short(found[0])[:40]
                    made.note("", "flagged", f"to look at: {what} ({shown}), without effect")


# A result, the hints, and the number that was given where one is asked for.
_Found = tuple[Result, list[str], float | None]


class _Walk:
    """Goes through the cells and checks of a submission that was rebuilt."""

    def __init__(
        self,
        made: Rebuilt,
        exercises: Mapping[str, Exercise],
        kind: Kind,
        limits: Allowance,
        hidden: tuple[Path, ...],
    ) -> None:
        self.made, self.kind, self.limits, self.hidden = made, kind, limits, hidden
        self.exercises = exercises
        self.me = ""
        self._process: LearnersProcess | None = None
        self._until = time.monotonic() + limits.whole
        # Cells that are left out: for nothing depends on them, or because they end the process.
        self._bad = {i for i, runs in enumerate(needed(made.steps)) if not runs}
        self._starts = 0
        self._stopped: dict[str, str] = {}

    def close(self) -> None:
        if self._process is not None:
            self._process.close()

    def marks(self) -> list[Grade]:
        found = []
        for i, step in enumerate(self.made.steps):
            if step.check is not None:
                found.append(self._mark(i, step.check))
            elif (
                i not in self._bad
                and time.monotonic() < self._until
                and self._starts <= _MOST_STARTS
            ):
                self._cell(i, step)
        return found

    def _over(self) -> bool:
        return self._starts > _MOST_STARTS or time.monotonic() > self._until

    def _cell(self, i: int, step: RunStep) -> None:
        try:
            process = self._ready(i)
            told = process.cell(step.text, self._seconds(step)).error
        except LostError as why:
            if self._own_to_blame(i, str(why)):
                self._cell(i, step)
                return
            self._bad.add(i)
            told = str(why)
            if step.own:
                self.made.note("", "graded", f"a cell of their own was left out: {told}")
        if told and step.exercise:
            self._stopped[step.exercise] = f"the answer cell stopped: {told}"

    def _own_to_blame(self, i: int, why: str) -> bool:
        """Whether cells of their own before a place are left out now, for what they left behind.

        Whose it is that too much is held, nobody can tell: what is no answer goes first.
        """
        own = {j for j, step in enumerate(self.made.steps[:i]) if step.own} - self._bad
        if why not in TOO_MUCH.values() or not own:
            return False
        self._bad |= own
        self.made.note("", "graded", f"cells of their own were left out: {why}")
        return True

    def _seconds(self, step: RunStep) -> float:
        """An own cell gets half the time: it is no answer."""
        left = max(self._until - time.monotonic(), 1.0)
        return min(self.limits.cell / (2 if step.own else 1), left)

    def _ready(self, i: int) -> LearnersProcess:
        """A process in which all cells before a place have run, but those that end it."""
        while self._process is None or self._process.lost:
            self.close()
            self._process = None
            self._starts += 1
            if self._over():
                raise LostError(OVER)
            self._process = self._begun()
            for j, step in enumerate(self.made.steps[:i]):
                if step.check is None and j not in self._bad:
                    try:
                        self._process.cell(step.text, self._seconds(step))
                    except LostError as why:
                        self._bad.add(j)
                        if step.exercise:
                            said = f"the answer cell stopped: {why}"
                            self._stopped.setdefault(step.exercise, said)
                        break
        return self._process

    def _begun(self) -> LearnersProcess:
        try:
            return LearnersProcess(
                self.kind,
                self.limits,
                self.hidden,
                lambda about, name: known(about, self.exercises).of(name).data,
                self._until,
            )
        except (LostError, OSError) as why:
            raise JudgeError(f"no process can be started: {why}") from None

    def _mark(self, i: int, check: Check) -> Grade:
        begun = time.monotonic()
        name = check.exercise
        result, hints, given = self._judged(i, check)
        if check.name and result.answered and not self.me:
            self.made.note(name, "flagged", NAMELESS)
        why = self._process.lost if self._process is not None else ""
        if why == OVER and not result.passed:
            self.made.note(name, "flagged", f"not reached: {OVER} before it was judged")
        notes = [*self.made.notes.get(name, ())]
        if not result.passed and name in self._stopped:
            notes.append(self._stopped[name])
        if not result.passed and why not in ("", OVER, self._stopped.get(name)):
            notes.append(f"the function: {why}")
        if not result.answered and not notes:
            notes.append("not answered")
        return Grade(
            exercise=name,
            cell=check.cell,
            points=_share(result, check.points),
            max_points=check.points,
            status=self._status(name),
            note="; ".join(notes),
            card=str(result),
            html=result._repr_html_(),
            mistakes=tuple(hints),
            given=given,
            seconds=round(time.monotonic() - begun, 2),
        )

    def _judged(self, i: int, check: Check) -> _Found:
        """What came of an exercise; who is lost before the answer is there has not answered."""
        found, why = None, ""
        try:
            found, why = self._tried(i, check)
        except LostError as lost:
            why = str(lost)
            if why != OVER:
                self._stopped.setdefault(check.exercise, why)
            elif self._process is None:
                self.made.note(check.exercise, "flagged", f"not reached: {OVER} before it")
        except Exception as problem:  # noqa: BLE001 - a check that cannot read what it was given
            said = f"its check stopped with {type(problem).__name__}: {short(str(problem))}"
            self.made.note(check.exercise, "flagged", f"{said}; judge it by hand")
        if (found is None or not found[0].passed) and self._own_to_blame(i, why):
            self._stopped.pop(check.exercise, None)
            return self._judged(i, check)
        return found or (*marked(self.exercises[check.exercise], ...), None)

    def _tried(self, i: int, check: Check) -> tuple[_Found, str]:
        """What came of an exercise, and why the process was lost if it was."""
        exercise = self.exercises[check.exercise]
        process = self._ready(i)
        before = process.family()
        if check.name:
            exercise = exercise.of(self._name(process, check))
        answer = process.value(check.answer)
        with patience(_PATIENCE):
            result, hints = marked(exercise, answer, check.fresh)
        number = describe(answer) if exercise.task.kind == "number" else None
        given = number.value if number is not None and number.kind == "number" else None
        if process.family() > before:  # what is left behind is not to slow what comes next
            self.close()
            self._process = None
        return (result, hints, given), process.lost

    def _status(self, exercise: str) -> Status:
        return self.made.statuses.get(exercise, "graded")

    def _name(self, process: LearnersProcess, check: Check) -> str:
        name: Any = process.value(check.name)
        if isinstance(name, str) and name.strip():
            self.me = short(name[:MOST_NAME])
            return name[:MOST_NAME]
        return ""


def _share(result: Result, points: float) -> float:
    """The points, of as many as the check is worth in this course."""
    whole = result.points or 1
    return round(points * result.score / whole, 4)


def told(record: GradeRecord) -> str:
    """A submission's marks in one line."""
    earned, most = record.points, record.max_points
    points = f"{tenths(earned)} of {tenths(most)}, " if record.marks else ""
    said = f"{short(record.learner)}: {points}{record.status}"
    return f"{said} ({record.note})" if record.note else said
