"""A submission rebuilt on what was released: the release's cells, with the learner's answers.

What belongs to what is found out by nbgrader's ids, else by the cells' own ids, else by what this
course wrote on them, else by their text. So cells that were copied, moved, deleted, or stripped of
their marks cost nobody a point; what was done is told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from dtree_lab.base.text import plural
from dtree_lab.grading.sheets import Cell, Check, Handout, SubmissionError, binds, is_check

Status = Literal["graded", "repaired", "flagged", "ungraded"]
STATUSES: tuple[Status, ...] = ("graded", "repaired", "flagged", "ungraded")  # the best first
_MOST_NOTES = 12
# Of a notebook of another lesson, next to nothing is found again.
_LEAST_SHARE = 0.2


def worst(*statuses: Status) -> Status:
    """The worst of some statuses."""
    return max(statuses, key=STATUSES.index, default="graded")


@dataclass(frozen=True)
class RunStep:
    """A cell to run, or a check to make."""

    text: str  # what is run; nothing at a check
    exercise: str = ""  # what is answered or checked
    own: bool = False  # a cell that the learner added
    check: Check | None = None  # what is checked here
    learners: bool = False  # the learner wrote in it: an own cell, an answer, the name


@dataclass
class Rebuilt:
    """A submission on the release."""

    steps: list[RunStep] = field(default_factory=list)  # what is to be done, in order
    # The text of each answer cell, by its exercise.
    answers: dict[str, str] = field(default_factory=dict)
    # What was repaired or is to be looked at, by exercise; of all under none.
    notes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    statuses: dict[str, Status] = field(default_factory=dict)

    def note(self, exercise: str, status: Status, text: str) -> None:
        """Remember what was found."""
        there = self.notes[exercise]
        if text not in there and len(there) < _MOST_NOTES:
            there.append(text)
        self.statuses[exercise] = worst(status, self.statuses.get(exercise, "graded"))


@dataclass(frozen=True)
class _Place:
    """Where a cell of a submission belongs, and how that was found out."""

    release: int
    how: str


def rebuilt(sheet: Handout, handed: Sequence[Cell]) -> Rebuilt:
    """A submission's answers in the cells of the release; another lesson's is refused."""
    return _Rebuilding(sheet, handed).done()


class _Rebuilding:
    """A submission on its way to the release: where each of its cells belongs."""

    def __init__(self, sheet: Handout, handed: Sequence[Cell]) -> None:
        self.sheet, self.release, self.handed = sheet, sheet.cells, handed
        self.places = _places(sheet.cells, handed)
        self.program = Rebuilt()

    def done(self) -> Rebuilt:
        """All of it."""
        found = len({place.release for place in self.places.values()})
        by_text = sum(place.how == "text" for place in self.places.values())
        self._by_names()
        if found < _LEAST_SHARE * len(self.release) and not any(
            self.release[place.release].role == "answer" for place in self.places.values()
        ):
            said = "this is not the notebook that was released, or next to none of it"
            raise SubmissionError(said)
        if by_text > len(self.places) / 2:
            said = "the marks and ids of the cells were lost; found by their text"
            self.program.note("", "repaired", said)
        own = self._own()
        for at in range(-1, len(self.release)):
            if at >= 0:
                self.program.steps += self._of_release(at, self.release[at])
            self.program.steps += [RunStep(one, own=True, learners=True) for one in own.get(at, ())]
        self._what_is_gone()
        return self.program

    def _by_names(self) -> None:
        """Place answers in cells that belong nowhere by the name that they give a value."""
        for i, cell in enumerate(self.release):
            name = "me" if cell.role == "name" else ""
            if cell.role == "answer" and cell.exercise in self.sheet.exercises:
                name = self.sheet.exercises[cell.exercise].answer
            texts = [self.handed[j].text for j, place in self.places.items() if place.release == i]
            if not name or any(_filled(text, cell) for text in texts):
                continue
            those = [
                j
                for j, one in enumerate(self.handed)
                if one.kind == "code" and j not in self.places and binds(one.text, name)
            ]
            if those:
                self.places[those[-1]] = _Place(i, "name")

    def _own(self) -> dict[int, list[str]]:
        """The learner's own cells, by the release's cell that they stand below."""
        found: dict[int, list[str]] = defaultdict(list)
        below = -1
        for j, cell in enumerate(self.handed):
            if j in self.places:
                below = self.places[j].release
            elif cell.kind == "code" and cell.text.strip() and not is_check(cell.text):
                found[below].append(cell.text)
        return found

    def _of_release(self, at: int, cell: Cell) -> list[RunStep]:
        checks = self.sheet.checks
        if at in checks:
            return [RunStep("", checks[at].exercise, check=checks[at])]
        if cell.role not in ("answer", "name"):
            return [RunStep(cell.text)] if cell.kind == "code" else []
        text = self._chosen(at, cell)
        if cell.role == "answer":
            self.program.answers[cell.exercise] = text
        return [RunStep(text, cell.exercise, learners=True)]

    def _chosen(self, at: int, cell: Cell) -> str:
        """The text of an answer: of several, the last that is filled in."""
        handed, places, note = self.handed, self.places, partial(self.program.note, cell.exercise)
        those = sorted(j for j, place in places.items() if place.release == at)
        filled = [j for j in those if _filled(handed[j].text, cell)]
        if len(those) > 1:
            different = {handed[j].text.strip() for j in filled}
            if len(different) > 1:
                said = f"{len(different)} different answers in copies of the cell"
                note("flagged", f"{said}; the last one counts")
            elif places[those[-1]].how != "name":
                note("repaired", "the answer cell was there more than once")
        if not filled:
            return handed[those[0]].text if those else cell.text
        chosen = filled[-1]
        told = {
            "id": "nbgrader's marks were lost; found by the cell's id",
            "role": "nbgrader's marks were lost; found by what the course wrote on the cell",
            "name": "the answer stood in a cell of its own; found by its name",
        }
        if places[chosen].how in told and cell.grade_id:
            note("repaired", told[places[chosen].how])
        if handed[chosen].kind != "code":
            note("repaired", "the answer cell had been made a text cell")
            return handed[chosen].text.strip().removeprefix("```python").strip("`\n")
        return handed[chosen].text

    def _what_is_gone(self) -> None:
        there = {place.release for place in self.places.values()}
        gone = {i: cell for i, cell in enumerate(self.release) if i not in there}
        for i, cell in gone.items():
            if cell.role == "answer":
                said = "the answer cell is missing, and no cell gives its name a value"
                self.program.note(cell.exercise, "flagged", said)
            elif i in self.sheet.checks:
                said = "the check cell was missing, and was put back"
                self.program.note(self.sheet.checks[i].exercise, "repaired", said)
        n = sum(not cell.role for cell in gone.values() if cell.kind == "code")
        if n:
            self.program.note(
                "", "repaired", f"{plural(n, 'cell')} of the lesson missing, put back"
            )


def _places(release: Sequence[Cell], handed: Sequence[Cell]) -> dict[int, _Place]:
    """Where each cell that was handed in belongs; without those that belong nowhere."""
    by_grade_id = {cell.grade_id: i for i, cell in enumerate(release) if cell.grade_id}
    by_id = {cell.id: i for i, cell in enumerate(release) if cell.id}
    by_role = {(c.role, c.exercise): i for i, c in enumerate(release) if c.role}
    by_text = {c.text.strip(): i for i, c in enumerate(release) if c.text.strip()}
    found: dict[int, _Place] = {}
    for j, cell in enumerate(handed):
        places = (
            ("mark", by_grade_id.get(cell.grade_id)),
            ("id", by_id.get(cell.id)),
            ("role", by_role.get((cell.role, cell.exercise))),
        )
        known = next(((how, place) for how, place in places if place is not None), None)
        if known is not None:
            found[j] = _Place(known[1], known[0])
    taken = {place.release for place in found.values()}
    for j, cell in enumerate(handed):
        at = by_text.get(cell.text.strip())
        if j not in found and at is not None and at not in taken:
            found[j] = _Place(at, "text")
    return found


def _filled(text: str, cell: Cell) -> bool:
    """Whether something else stands in a cell than what was handed out."""
    return bool(text.strip()) and text.split() != cell.text.split()
