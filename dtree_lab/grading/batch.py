"""All submissions of an assignment graded, some at once; what is done stays done.

A submission is graded anew only if it has changed, or what it is held against has.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from dtree_lab.base.parallel import parallel_map
from dtree_lab.base.text import plural
from dtree_lab.course.assignment import SOURCE, AssignmentError, known, no_assignment, own_exercises
from dtree_lab.course.calls import short
from dtree_lab.course.own import OWN
from dtree_lab.grading.judge import JudgeError, judged_submission
from dtree_lab.grading.rebuild import Status, worst
from dtree_lab.grading.records import (
    LATE,
    TIMESTAMP,
    GradeRecord,
    Records,
    handing_in,
    learners,
    record_of,
)
from dtree_lab.grading.releasing import RELEASE, checked_in, handout_in, released, with_handout
from dtree_lab.grading.sandbox import Allowance, Kind, secrets
from dtree_lab.grading.sheets import (
    Handout,
    SubmissionError,
    cells_in,
    checks_of,
    notebook_text,
    python_of,
)
from dtree_lab.grading.worker import EndedError, apart, end_hosts

# One at which grading has ended so often is left alone.
_MOST_TRIES = 3
# What a judge may take beyond what its submission may, which is asked twice.
_MORE = 180
# In place of a submission that was not taken: why.
REFUSED = "REFUSED.txt"
# Beside a submission that was one of several: which one counts.
SEVERAL = "SEVERAL.txt"


@dataclass(frozen=True)
class Batch:
    """What grading an assignment came to."""

    records: tuple[GradeRecord, ...]  # all, by learner
    done: int  # how many of them were made now
    # Those whose points were others before, with the points of then.
    changed: tuple[tuple[GradeRecord, float], ...]


def sheet_of(course: Path, assignment: str) -> Handout:
    """What an assignment is graded by: its source version, in the course's folder."""
    source = course / SOURCE / assignment / f"{assignment}.ipynb"
    if not source.is_file():
        raise no_assignment(course, assignment)
    text, own = source.read_text(encoding="utf-8"), own_exercises(source.parent)
    notebook = json.loads(text)
    if checked_in(notebook, own):
        learners_copy = course / RELEASE / assignment / source.name
        notebook = with_handout(notebook, handout_in(learners_copy))
    checks = checks_of(notebook, source.name)
    if not checks:
        raise AssignmentError(f"{source} has no checks")
    cells = tuple(cells_in(json.dumps(released(notebook))))
    exercises = {one.exercise: known(one.exercise, own) for one in checks.values()}
    made_of = text.encode() + ((source.parent / OWN).read_bytes() if own else b"")
    version = hashlib.sha256(made_of).hexdigest()[:20]
    return Handout(assignment, cells, checks, exercises, version)


def graded(  # noqa: PLR0913 - what is graded, and how
    course: Path,
    assignment: str,
    kind: Kind,
    limits: Allowance,
    *,
    n_jobs: int | None = None,
    again: bool = False,
    only: Sequence[str] = (),
) -> Batch:
    """Grade what was handed in, by those in `only`, or by all if there are none.

    What is graded already is graded only `again`. `kind` isolates each learner's process, which may
    use `limits`. `n_jobs` are done at once; None leaves it to ``joblib.parallel_config``.
    """
    sheet = sheet_of(course, assignment)
    records = Records(course, assignment)
    before = {one.learner: one for one in records.all()}
    there = list(learners(course, assignment))
    _somebody(assignment, [learner for learner, _ in there], only)
    todo = []
    for learner, folder in there:
        if only and learner not in only:
            continue
        known = before.get(learner)
        summed = _sum_of(folder)
        same = known is not None and (known.file, known.sheet) == (summed, sheet.version)
        if only:
            records.tried(learner)
        if again or not same:
            todo.append((learner, folder, summed))
    common = (course, assignment, kind, limits, sheet.version)
    made = _all_of(todo, common, n_jobs, records)
    changed = [
        (one, before[one.learner].points)
        for one in made
        if one.learner in before and before[one.learner].points != one.points
    ]
    return Batch(tuple(records.all()), len(made), tuple(changed))


def _somebody(assignment: str, there: Sequence[str], only: Sequence[str]) -> None:
    """An error where nobody has handed in, or not those who are asked for."""
    if not there:
        said = f"dtree-lab assignment collect {assignment} PATH"
        raise AssignmentError(f"nobody's {assignment} is in submitted/ yet: {said}")
    for who in only:
        if who not in there:
            near = get_close_matches(who, there, n=3, cutoff=0.5)
            meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise AssignmentError(f"nobody called {who!r} has handed in {assignment}{meant}")


def _all_of(
    todo: Sequence[tuple[str, Path, str]],
    common: tuple[Any, ...],
    n_jobs: int | None,
    records: Records,
) -> list[GradeRecord]:
    """Grade them; where a judge is ended by force, go on with those that are left."""
    left = list(todo)
    for _ in range(_MOST_TRIES + 1):
        try:
            parallel_map(_graded, left, what="grading", n_jobs=n_jobs, common=common)
        except BrokenExecutor:
            left = [one for one in left if not _is_done(records, *one)]
        except KeyboardInterrupt:  # which ended the judges of those, too, that others had
            for learner, *_ in left:
                records.tried(learner)
            raise
        else:
            break
        finally:
            end_hosts()
    done = (records.read(learner) for learner, *_ in todo)
    return [one for one in done if one is not None]


def _is_done(records: Records, learner: str, _: Path, summed: str) -> bool:
    known = records.read(learner)
    return known is not None and known.file == summed and not records.is_begun(learner)


def _graded(  # noqa: PLR0913, PLR0917 - called with what repeated() sends
    course: Path,
    assignment: str,
    kind: Kind,
    limits: Allowance,
    version: str,
    learner: str,
    folder: Path,
    summed: str,
) -> GradeRecord:
    """Have one graded, and keep what came of it at once."""
    records = Records(course, assignment)
    tries = records.begin(learner)
    whole = int(limits.whole)
    try:
        if tries >= _MOST_TRIES:
            raise JudgeError(  # noqa: TRY301 - told as what else keeps it from being judged
                f"grading it was broken off {plural(tries, 'time')}; say --only with its name to"
                " try again"
            )
        given = (course, assignment, kind, limits, learner, folder)
        text = apart(_judged, given, 2 * whole + _MORE, whole // 2 + 60, _loaded)
        record = record_of(json.loads(text))
    except (JudgeError, EndedError) as why:
        note = str(why)
        if isinstance(why, EndedError):
            note = f"its judge was ended: {why}; grade it by hand, or say --only with its name"
        record = GradeRecord(learner, assignment, "ungraded", note, sheet=version)
    late, handed_in = handing_in(folder)
    record = replace(record, file=summed, late=late, handed_in=handed_in)
    records.write(record)
    return record


def _loaded(course: Path, assignment: str, *_: Any) -> None:
    """Have loaded what every judge needs; staff's own exercises are for each judge to run."""
    _loaded_once(course, assignment)


@lru_cache(maxsize=8)
def _loaded_once(course: Path, assignment: str) -> None:
    secrets()
    if not (course / SOURCE / assignment / OWN).exists():
        with suppress(AssignmentError):  # which the judge tells
            sheet_of(course, assignment)


def _judged(  # noqa: PLR0913, PLR0917 - all that is known of it
    course: Path, assignment: str, kind: Kind, limits: Allowance, learner: str, folder: Path
) -> str:
    """The record of one, as JSON: nothing of what was handed in is read by another process."""
    sheet = sheet_of(course, assignment)
    try:
        path, note = notebook_in(folder, assignment)
        text = notebook_text(path)
        cells, python = cells_in(text), python_of(text)
        record = judged_submission(sheet, learner, cells, kind, limits, (course,), python)
        several = folder / SEVERAL
        if several.is_file():  # which of them was meant, somebody may want to see
            record = _noted(record, "flagged", several.read_text(encoding="utf-8"))
        if note:
            record = _noted(record, "repaired", note)
    except (SubmissionError, JudgeError) as problem:
        record = GradeRecord(learner, assignment, "ungraded", str(problem), sheet=sheet.version)
    except Exception as problem:  # noqa: BLE001 - it is told, and no submission ends those after it
        said = f"grading stopped with {type(problem).__name__}: {short(str(problem))}"
        note = f"{said}; grade it by hand"
        record = GradeRecord(learner, assignment, "ungraded", note, sheet=sheet.version)
    return json.dumps(asdict(record))


def _noted(record: GradeRecord, status: Status, note: str) -> GradeRecord:
    note = "; ".join(filter(None, (note, record.note)))
    return replace(record, note=note, status=worst(status, record.status))


def notebook_in(folder: Path, assignment: str) -> tuple[Path, str]:
    """The notebook that counts in a folder that was handed in, and what is to be said of it."""
    wanted = folder / f"{assignment}.ipynb"
    found = notebooks(folder)
    if wanted in found:
        return wanted, ""
    if not found:
        refused = folder / REFUSED
        if refused.is_file():
            raise SubmissionError(refused.read_text(encoding="utf-8"))
        raise SubmissionError("no notebook was handed in")
    if len(found) > 1:
        names = short(", ".join(one.name for one in found))
        newest = max(found, key=lambda path: path.stat().st_mtime)
        said = f"several notebooks ({names}), none of the right name"
        return newest, f"{said}; {short(newest.name)} counts"
    return found[0], f"the file is called {short(found[0].name)}"


def notebooks(folder: Path) -> list[Path]:
    """The files in a folder that may be notebooks; a link could lead to anybody's."""
    there = sorted(folder.glob("*.ipynb"))
    return [one for one in there if one.is_file() and not one.is_symlink()]


def _sum_of(folder: Path) -> str:
    """What changes when the notebooks of a folder do; large ones are known by their size alone."""
    made = hashlib.sha256()
    beside = (folder / name for name in (SEVERAL, LATE, TIMESTAMP))
    for one in (*notebooks(folder), *filter(Path.is_file, beside)):
        size = one.stat().st_size
        made.update(f"{one.name} {size}\n".encode("utf-8", "replace"))
        with suppress(OSError), one.open("rb") as file:  # who grades it says what is wrong
            made.update(file.read(64 << 20))
    return made.hexdigest()[:20]
