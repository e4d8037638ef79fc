"""What is known of each submission, in a file of its own: written whole or not at all.

So grading can be interrupted anywhere, by a power cut too, and goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dtree_lab.base.files import write_whole
from dtree_lab.base.text import plural
from dtree_lab.grading.rebuild import STATUSES, Status

FOLDER = "marks"
# Beside a submission: that it was late, and when it was handed in (nbgrader's own file).
LATE, TIMESTAMP = "LATE.txt", "timestamp.txt"
_LONGEST_TIME = 40
_MOST_NAMED = 3
_SAFE = re.compile(r"[^\w.@+-]+")
# Of a file's name, in bytes: with what is put around it, no system's limit is reached.
_LONGEST = 180


@dataclass(frozen=True)
class Grade:
    """What an exercise earned."""

    exercise: str  # its id
    cell: str  # the check cell's id in nbgrader
    points: float
    max_points: float
    status: Status  # simply graded, repaired, or to be looked at
    note: str = ""  # why
    card: str = ""  # what its learner is told, without the cases that nobody has seen
    html: str = ""  # the same for a page
    mistakes: tuple[str, ...] = ()  # the hints for those that were foreseen and recognised
    given: float | None = None  # the number that was given, where one was asked for
    seconds: float = 0.0  # how long it took


@dataclass(frozen=True)
class GradeRecord:
    """What is known of a submission."""

    learner: str
    assignment: str
    status: Status  # the worst of its exercises' and its own
    note: str = ""  # why
    marks: tuple[Grade, ...] = ()  # of its exercises; none of what could not be graded
    me: str = ""  # the name that stands in it
    answers: Mapping[str, str] = field(default_factory=dict)  # the texts of its answer cells
    seconds: float = 0.0  # how long it took
    file: str = ""  # what was graded: a sum that changes when it does
    sheet: str = ""  # by what: another sum
    late: bool = False  # Canvas calls it late, which changes no mark
    handed_in: str = ""  # as nbgrader's exchange writes it; nothing where nobody says so

    @property
    def points(self) -> float:
        """All that was earned."""
        return round(sum(mark.points for mark in self.marks), 4)

    @property
    def max_points(self) -> float:
        """All that was to be had; of what could not be graded, nothing is known."""
        return sum(mark.max_points for mark in self.marks)


def noted(record: GradeRecord) -> list[str]:
    """What is to be said of a submission: of itself, and of its exercises, each thing once."""
    where: dict[str, list[str]] = {}
    for mark in record.marks:
        if mark.status != "graded":
            where.setdefault(mark.note, []).append(mark.exercise)
    told = [record.note] if record.note else []
    for note, those in where.items():
        which = ", ".join(those) if len(those) <= _MOST_NAMED else plural(len(those), "exercise")
        told.append(f"{which}: {note}")
    return told


def statuses_of(records: Iterable[GradeRecord]) -> str:
    """How many there are of each status."""
    count = Counter(one.status for one in records)
    return ", ".join(f"{count[status]} {status}" for status in STATUSES)


def by_due(record: GradeRecord, due: datetime) -> GradeRecord:
    """A record that is late also if it was handed in after a moment."""
    then = moment(record.handed_in)
    return replace(record, late=record.late or (then is not None and then > due))


def moment(text: str) -> datetime | None:
    """A time as nbgrader's exchange writes it, in UTC where no other zone is said; None for others.

    >>> moment("2026-11-02 18:00 UTC") == moment("2026-11-02 19:00+01:00"), moment("yesterday")
    (True, None)
    """
    try:
        found = datetime.fromisoformat(text.removesuffix(" UTC"))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


class Records:
    """The records of an assignment, in the course's folder."""

    def __init__(self, course: Path, assignment: str) -> None:
        self.folder = course / FOLDER / assignment

    def path(self, learner: str) -> Path:
        """Where a learner's record is; names that would look alike there are told apart."""
        safe = _SAFE.sub("_", learner)
        if safe != learner or len(safe.encode()) > _LONGEST:
            data = learner.encode(
                "utf-8", "surrogatepass"
            )  # a name from an older system is no text
            safe = f"{safe[: _LONGEST // 4]}-{hashlib.sha256(data).hexdigest()[:8]}"
        return self.folder / f"{safe}.json"

    def read(self, learner: str) -> GradeRecord | None:
        """A learner's record; None where there is none that can be read."""
        try:
            return record_of(json.loads(self.path(learner).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def write(self, record: GradeRecord) -> None:
        """Keep a record; whoever reads meanwhile finds the one before or this one."""
        write_whole(self.path(record.learner), json.dumps(asdict(record), indent=1))
        self._begun(record.learner).unlink(missing_ok=True)

    def begin(self, learner: str) -> int:
        """Remember that a submission is begun; how often it was begun before and never ended."""
        mark = self._begun(learner)
        before = len(mark.read_text(encoding="utf-8")) if mark.exists() else 0
        write_whole(mark, "." * (before + 1))
        return before

    def is_begun(self, learner: str) -> bool:
        """Whether a submission is begun and not ended."""
        return self._begun(learner).exists()

    def tried(self, learner: str) -> None:
        """Forget that a submission was begun."""
        self._begun(learner).unlink(missing_ok=True)

    def all(self) -> list[GradeRecord]:
        """All records, by learner."""
        found = map(self.read, sorted(one.stem for one in self.folder.glob("*.json")))
        return [one for one in found if one is not None]

    def _begun(self, learner: str) -> Path:
        return self.path(learner).with_suffix(".begun")


def record_of(data: Any) -> GradeRecord:
    """A record as its file tells it; a TypeError or a ValueError for what is none."""
    if not isinstance(data, dict):
        raise TypeError("a record is a dict")
    known = {one.name for one in fields(GradeRecord)}
    own = {key: value for key, value in data.items() if key in known}
    marks = tuple(Grade(**one | {"mistakes": tuple(one["mistakes"])}) for one in own.pop("marks"))
    return GradeRecord(**own, marks=marks)


def handing_in(folder: Path) -> tuple[bool, str]:
    """Whether what is in a folder was handed in late, and when, as far as it is known."""
    try:
        when = (folder / TIMESTAMP).read_text(encoding="utf-8").strip()[:_LONGEST_TIME]
    except (OSError, ValueError):
        when = ""
    return (folder / LATE).is_file(), when


def learners(course: Path, assignment: str) -> Iterator[tuple[str, Path]]:
    """Who has handed in an assignment, and the folder."""
    for folder in sorted((course / "submitted").glob(f"*/{assignment}")):
        if folder.is_dir():
            yield folder.parent.name, folder
