"""What learners handed in, brought into the course's folder, in whatever form it comes.

Canvas, Moodle and nbgrader's exchange each pack submissions in a way of their own, in a folder or a
zip. What is found is copied to ``submitted/LEARNER/ASSIGNMENT``; nothing of it is run, and a zip is
read only within limits.
"""

from __future__ import annotations

import re
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

from dtree_lab.base.text import number
from dtree_lab.course.assignment import AssignmentError
from dtree_lab.grading.batch import REFUSED, sheet_of
from dtree_lab.grading.judge import Handout
from dtree_lab.grading.rebuild import rebuilt
from dtree_lab.grading.sheets import MOST_BYTES, SubmissionError, cells_of

SUBMITTED = "submitted"
_MOST_FILES = 100_000
_TORN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
_SAFE = re.compile(r"[^\w.@+-]+")

# nbgrader's exchange: learner+assignment+time+secret.
_EXCHANGE = re.compile(r"^(?P<who>[^+/]+)\+(?P<what>[^+/]+)\+\d{4}-\d\d-\d\d")
# Moodle: "Ada Lovelace_12345_assignsubmission_file_/…", and the same with a file's name after it.
_MOODLE = re.compile(r"^(?P<who>.+?)_(?P<id>\d+)_assignsubmission_file")
# Canvas: "lovelaceada_LATE_12345_67890_file.ipynb".
_CANVAS = re.compile(r"^(?P<who>[^_/]+)_(?:LATE_)?(?P<id>\d+)_\d+_(?P<file>.+)$")


@dataclass(frozen=True)
class Found:
    """A file that was handed in.

    Attributes
    ----------
    learner, file
        Whose it is, and what it is called.
    data
        What is in it; None where it is too large.
    note
        Why it is not taken.
    staged
        Where it was put meanwhile.
    """

    learner: str
    file: str
    data: bytes | None
    note: str = ""
    staged: Path | None = None


@dataclass(frozen=True)
class Collected:
    """What was collected of a learner.

    Attributes
    ----------
    learner
        Whose it is.
    status
        ``"new"``, ``"replaced"``, ``"same"`` or ``"refused"``.
    note
        What will be repaired, or why it was not taken.
    """

    learner: str
    status: str
    note: str = ""


def collect(path: Path, course: Path, assignment: str) -> list[Collected]:
    """Bring submissions into a course's folder.

    What was there before of the same learner is kept beside it, with a number.

    Parameters
    ----------
    path
        A folder or a zip.
    course, assignment
        The course's folder, and the assignment's name.

    Raises
    ------
    AssignmentError
        When there is nothing that could be a submission.
    """
    sheet = sheet_of(course, assignment)
    by_learner: dict[str, list[Found]] = {}
    with TemporaryDirectory(prefix="dtree-lab-collect-") as folder:
        for i, one in enumerate(found_in(path, assignment)):
            kept = one
            if one.data is not None:  # not all of a class at once in memory
                staged = Path(folder, str(i))
                staged.write_bytes(one.data)
                kept = replace(one, data=None, staged=staged)
            by_learner.setdefault(one.learner, []).append(kept)
        if not by_learner:
            raise AssignmentError(f"no submission is found in {path}")
        return [
            _collected(sheet, course, learner, files)
            for learner, files in sorted(by_learner.items())
        ]


def _collected(sheet: Handout, course: Path, learner: str, files: Sequence[Found]) -> Collected:
    folder = course / SUBMITTED / learner / sheet.name
    folder.mkdir(parents=True, exist_ok=True)
    refused = "; ".join(f"{one.file}: {one.note}" for one in files if one.note)
    taken = [one for one in files if one.staged is not None]
    if not taken:
        (folder / REFUSED).write_text(refused, encoding="utf-8")
        return Collected(learner, "refused", refused)
    (folder / REFUSED).unlink(missing_ok=True)
    status = _kept(folder / f"{sheet.name}.ipynb", taken)
    try:
        handed = cells_of(folder / f"{sheet.name}.ipynb")
        made = rebuilt(sheet.cells, sheet.checks, handed, sheet.exercises)
        notes = list(dict.fromkeys(text for texts in made.notes.values() for text in texts))
    except SubmissionError as problem:
        notes = [f"cannot be graded: {problem}"]
    return Collected(learner, status, "; ".join(filter(None, (refused, *notes))))


def _kept(place: Path, files: Sequence[Found]) -> str:
    """Keep what a learner handed in; the last one of the right name counts, else the last."""
    wanted = [one for one in files if PurePosixPath(one.file).stem.startswith(place.stem)]
    staged = (wanted or list(files))[-1].staged
    data = staged.read_bytes() if staged is not None else b""
    status = "new"
    if place.exists():
        if place.read_bytes() == data:
            return "same"
        n = 1
        while (before := place.with_name(f"{place.name}.before{n}")).exists():
            n += 1
        place.rename(before)
        status = "replaced"
    place.write_bytes(data)
    return status


def found_in(path: Path, assignment: str) -> Iterator[Found]:
    """What was handed in, in a folder or a zip, with the names as they come.

    Raises
    ------
    AssignmentError
        For what is neither, or a zip that cannot be read.
    """
    if path.is_dir():
        yield from _in_folder(path, assignment)
    elif zipfile.is_zipfile(path):
        with path.open("rb") as file:
            try:
                yield from _in_zip(file, assignment)
            except _TORN as problem:
                raise AssignmentError(f"{path} cannot be read: {problem}") from None
    else:
        raise AssignmentError(f"{path} is neither a folder nor a zip")


def _in_folder(path: Path, assignment: str) -> Iterator[Found]:
    for one in sorted(path.rglob("*")):
        if one.is_symlink() or not one.is_file():
            continue  # a link could lead to anybody's file
        name = one.relative_to(path).as_posix()
        who = whose(name, assignment)
        if who and name.endswith(".ipynb"):
            if one.stat().st_size > MOST_BYTES:
                yield Found(who, name, None, _too_large(one.stat().st_size))
            else:
                yield Found(who, name, one.read_bytes())
        elif who and zipfile.is_zipfile(one):
            with one.open("rb") as file:
                yield from _packed(file, who, name)


def _in_zip(file: IO[bytes], assignment: str) -> Iterator[Found]:
    with zipfile.ZipFile(file) as packed:
        for info in _members(packed):
            who = whose(info.filename, assignment)
            if not who:
                continue
            data, note = _unpacked(packed, info)
            if info.filename.endswith(".ipynb"):
                yield Found(who, info.filename, data, note)
            elif data is not None and zipfile.is_zipfile(BytesIO(data)):
                yield from _packed(BytesIO(data), who, info.filename)


def _packed(file: IO[bytes], who: str, name: str) -> Iterator[Found]:
    """What a learner handed in as a zip; zips within it are not looked into."""
    try:
        with zipfile.ZipFile(file) as packed:
            for info in _members(packed):
                if info.filename.endswith(".ipynb"):
                    data, note = _unpacked(packed, info)
                    yield Found(who, f"{name}/{info.filename}", data, note)
    except (
        zipfile.BadZipFile,
        EOFError,
        NotImplementedError,
        RuntimeError,
        AssignmentError,
    ) as bad:
        yield Found(who, name, None, f"the zip cannot be read: {bad}")


def _members(packed: zipfile.ZipFile) -> Iterable[zipfile.ZipInfo]:
    infos = packed.infolist()
    if len(infos) > _MOST_FILES:
        raise AssignmentError(f"a zip of {len(infos):,} files is not read")
    for info in infos:
        parts = PurePosixPath(info.filename).parts
        is_link = stat.S_ISLNK(info.external_attr >> 16)
        hidden = any(part.startswith((".", "__MACOSX")) for part in parts)
        if not (info.is_dir() or is_link or hidden):
            yield info


def _unpacked(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[bytes | None, str]:
    """A file of a zip; None and why where it is too large, however small it is packed."""
    if info.file_size > MOST_BYTES:
        return None, _too_large(info.file_size)
    try:
        with packed.open(info) as file:  # what is said of its size may be a lie
            data = file.read(MOST_BYTES + 1)
    except _TORN as problem:
        return None, f"it cannot be unpacked: {problem}"
    return (data, "") if len(data) <= MOST_BYTES else (None, _too_large(len(data)))


def _too_large(size: int) -> str:
    return f"{number(round(size / (1 << 20)))} MB are too large: ask for it with outputs cleared"


def whose(name: str, assignment: str) -> str:
    """Who handed a file in, by its place; nothing for what is not of this assignment.

    Examples
    --------
    >>> whose("ada/01-tax-fraud/01-tax-fraud.ipynb", "01-tax-fraud")
    'ada'
    >>> whose("lovelaceada_LATE_12_34_01-tax-fraud-1.ipynb", "01-tax-fraud")
    'lovelaceada_12'
    >>> whose("Ada Lovelace_12_assignsubmission_file_/01-tax-fraud.ipynb", "01-tax-fraud")
    'Ada_Lovelace_12'
    """
    parts = [part for part in PurePosixPath(name).parts if part not in ("/", "..", ".")]
    if not parts:
        return ""
    for part in parts:
        exchange = _EXCHANGE.match(part)
        if exchange:
            return _clean(exchange["who"]) if exchange["what"] == assignment else ""
        moodle = _MOODLE.match(part)
        if moodle:
            return _clean(f"{moodle['who']}_{moodle['id']}")
    canvas = _CANVAS.match(parts[-1])
    if canvas:
        return _clean(f"{canvas['who']}_{canvas['id']}")
    folders = parts[:-1]
    if assignment in folders:
        at = folders.index(assignment)
        return _clean(folders[at - 1]) if at else ""
    return _clean(folders[-1] if folders else PurePosixPath(parts[-1]).stem)


def _clean(name: str) -> str:
    cleaned = _SAFE.sub("_", name).strip("._")[:100]
    return cleaned or "unnamed"
