"""What learners handed in, brought into the course's folder, in whatever form it comes.

Canvas, Moodle and nbgrader's exchange each pack submissions in a way of their own, in a folder or a
zip. What is found is copied to ``submitted/LEARNER/ASSIGNMENT``; nothing of it is run, and a zip is
read only within limits.
"""

from __future__ import annotations

import re
import stat
import struct
import unicodedata
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
from dtree_lab.course.calls import short
from dtree_lab.grading.batch import REFUSED, SEVERAL, sheet_of
from dtree_lab.grading.judge import Handout
from dtree_lab.grading.rebuild import rebuilt
from dtree_lab.grading.sheets import MOST_BYTES, SubmissionError, cells_of

SUBMITTED = "submitted"
_MOST_FILES = 100_000
# What one learner may pack into a zip of their own: a small one may hold more than a disk.
_MOST_PACKED, _MOST_NOTEBOOKS = 4 * MOST_BYTES, 200
# As Canvas, Moodle and every system pack; other ways may ask for memory without end.
_PACKED_BY = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# A ValueError is a name that is no text, or a number that cannot be.
_TORN = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(EOFError, NotImplementedError, RuntimeError, ValueError, OSError),
)
_SAFE = re.compile(r"[^\w.@+-]+")

# nbgrader's exchange: learner+assignment+time+secret.
_EXCHANGE = re.compile(
    r"^(?P<who>[^+/]+)\+(?P<what>[^+/]+)\+(?P<when>\d{4}-\d\d-\d\d(?: [\d:.]+)?)"
)
# Moodle: "Ada Lovelace_12345_assignsubmission_file_/…", and the same with a file's name after it;
# "…_onlinetext_" for what was typed in there.
_MOODLE = re.compile(r"^(?P<who>.+?)_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)$")
# Canvas: "lovelaceada_LATE_12345_67890_file.ipynb", without a name "anon_x7Yz9_67890_file.ipynb";
# a text or a link that was handed in: "lovelaceada_12345_text.html". A group's name may have "_1".
_CANVAS = (
    r"^(?P<who>.+?)_(?:LATE_)?(?P<id>\d+)_(?P<at>\d+)_(?P<file>{file}.*)$",
    r"^(?:LATE_)?(?P<who>anon)_(?P<id>[0-9A-Za-z]{{1,9}})_(?P<at>\d+)_(?P<file>{file}.*)$",
    r"^(?P<who>.+?)_(?:LATE_)?(?P<id>\d+)_(?P<file>(?:text|link)\.html)(?P<at>)$",
)
# Some browsers add an end to what they do not know.
_NOTEBOOK = re.compile(r"\.ipynb(?:\.(?:json|txt))?$", re.IGNORECASE)
# "01-tax-fraud-2", as Canvas calls what is handed in again, or "01-tax-fraud (2)".
_AGAIN = re.compile(r"[-_ ]\(?(\d{1,3})\)?$")


@dataclass(frozen=True)
class Found:
    """A file that was handed in.

    Attributes
    ----------
    learner, file
        Whose it is, and what it is called.
    data
        What is in it; None where it is too large, or no notebook.
    note
        Why it is not taken.
    number, when
        Canvas's number of the file, and the exchange's time: of two, the later has the higher one.
    staged
        Where it was put meanwhile.
    """

    learner: str
    file: str
    data: bytes | None
    note: str = ""
    number: int = 0
    when: str = ""
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
    refused = "; ".join(f"{short(one.file)}: {short(one.note)}" for one in files if one.note)
    taken = [one for one in files if one.staged is not None]
    if not taken:
        names = short(", ".join(PurePosixPath(one.file).name for one in files))
        refused = refused or f"no notebook was handed in, only {names}"
        (folder / REFUSED).write_text(refused, encoding="utf-8")
        return Collected(learner, "refused", refused)
    (folder / REFUSED).unlink(missing_ok=True)
    status, chosen = _kept(folder / f"{sheet.name}.ipynb", taken)
    try:
        handed = cells_of(folder / f"{sheet.name}.ipynb")
        made = rebuilt(sheet.cells, sheet.checks, handed, sheet.exercises)
        notes = list(dict.fromkeys(text for texts in made.notes.values() for text in texts))
    except SubmissionError as problem:
        notes = [f"cannot be graded: {problem}"]
    told = (refused, chosen, _of_several_folders(taken), *notes)
    return Collected(learner, status, "; ".join(filter(None, told)))


def _of_several_folders(files: Sequence[Found]) -> str:
    """What is said where one name has files in several places: one may be another's who wrote it.

    What the exchange has of several times is in several folders, too, and no question.
    """
    folders = sorted({str(PurePosixPath(one.file).parent) for one in files if not one.when})
    said = f"found in several folders ({', '.join(folders)}): look whose they are"
    return short(said) if len(folders) > 1 else ""


def _kept(place: Path, files: Sequence[Found]) -> tuple[str, str]:
    """Keep what a learner handed in; of several, one of the right name, and of those the newest.

    If they differ, the others are kept beside it, and it is told which one counts. What the
    exchange has of another time was handed in again, and is no question.
    """
    newest = max(one.when for one in files)
    files = [one for one in files if one.when == newest]
    wanted = [one for one in files if _own_name(one.file, place.stem)]
    chosen = max(wanted or files, key=lambda one: (one.number, _again(one.file)))
    data = _staged(chosen)
    for before in (*place.parent.glob(f"{place.name}.other*"), place.parent / SEVERAL):
        before.unlink(missing_ok=True)
    others = [one for one in files if one is not chosen and _staged(one) != data]
    for i, one in enumerate(others, 1):
        place.with_name(f"{place.name}.other{i}").write_bytes(_staged(one))
    told = ""
    if others:
        names = ", ".join(sorted(PurePosixPath(one.file).name for one in others))
        counts = short(PurePosixPath(chosen.file).name)
        told = f"more than one notebook: {counts} counts, not {short(names)}"
        (place.parent / SEVERAL).write_text(told, encoding="utf-8")
    return _replaced(place, data), told


def _staged(one: Found) -> bytes:
    return one.staged.read_bytes() if one.staged is not None else b""


def _own_name(name: str, assignment: str) -> bool:
    """Whether a file is called like the assignment, behind what Canvas or Moodle put before it."""
    last = PurePosixPath(name).name
    found = _MOODLE.match(last) or _canvas(last, assignment)
    return ((found["file"] if found else "") or last).casefold().startswith(assignment.casefold())


def _again(name: str) -> int:
    found = _AGAIN.search(_NOTEBOOK.sub("", PurePosixPath(name).name))
    return int(found[1]) if found else 0


def _replaced(place: Path, data: bytes) -> str:
    """Write a submission, and keep the one before beside it."""
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
    elif not path.exists():
        raise AssignmentError(f"there is no {path}")
    else:
        said = (
            "put what was handed in into a folder with its learner's name, and collect the folder"
        )
        raise AssignmentError(f"{path} is neither a folder nor a zip; {said} above it")


def _in_folder(path: Path, assignment: str) -> Iterator[Found]:
    # A link could lead to anybody's file.
    there = [one for one in sorted(path.rglob("*")) if one.is_file() and not one.is_symlink()]
    names = {one.relative_to(path).as_posix(): one for one in there}
    shared, flat = _shared(names)
    for name, one in names.items():
        who = whose(name, assignment, shared, flat=flat)
        if not who or _is_hidden(name):
            continue
        if _NOTEBOOK.search(name):
            if one.stat().st_size > MOST_BYTES:
                yield Found(who, name, None, _too_large(one.stat().st_size))
            else:
                yield Found(who, name, one.read_bytes(), "", _number_of(name), _time_of(name))
        elif zipfile.is_zipfile(one):
            with one.open("rb") as file:
                if _is_somebodys(name) or not _is_of_a_class(file):
                    yield from _packed(file, who, name)
                else:
                    yield from _in_zip(file, assignment)
        elif _is_somebodys(name):
            yield Found(who, name, None)


def _in_zip(file: IO[bytes], assignment: str) -> Iterator[Found]:
    with zipfile.ZipFile(file) as packed:
        members = {_name(info): info for info in _members(packed)}
        shared, flat = _shared(members)
        for name, info in members.items():
            who = whose(name, assignment, shared, flat=flat)
            if not who:
                continue
            if _NOTEBOOK.search(name):
                data, note = _unpacked(packed, info)
                yield Found(who, name, data, note, _number_of(name), _time_of(name))
                continue
            data, _ = _unpacked(packed, info)
            if data is not None and zipfile.is_zipfile(BytesIO(data)):
                yield from _packed(BytesIO(data), who, name)
            elif _is_somebodys(name):
                yield Found(who, name, None)


def _name(info: zipfile.ZipInfo) -> str:
    """A file's name in a zip: some programs write UTF-8 and do not say so."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _shared(names: Iterable[str]) -> tuple[int, bool]:
    """How many folders at the front are the same for all notebooks, and so are nobody's name.

    And whether all lie in one folder, as Canvas packs them.
    """
    those = [PurePosixPath(name).parts for name in names if _NOTEBOOK.search(name)]
    most = min((len(parts) - 2 for parts in those), default=0)
    same = next((i for i in range(most) if len({parts[i] for parts in those}) > 1), max(most, 0))
    return same, len({parts[:-1] for parts in those}) < 2  # noqa: PLR2004


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def _is_somebodys(name: str) -> bool:
    """Whether a file that is no notebook was surely handed in, and does not only lie about."""
    parts = PurePosixPath(name).parts
    return (
        len(parts) > 1 or _canvas(parts[-1], "") is not None or _MOODLE.match(parts[-1]) is not None
    )


def _time_of(name: str) -> str:
    found = next(filter(None, map(_EXCHANGE.match, PurePosixPath(name).parts)), None)
    return found["when"] if found else ""


def _is_of_a_class(file: IO[bytes]) -> bool:
    """Whether a zip that lies in a folder is itself what Canvas, Moodle or the exchange packed."""
    try:
        with zipfile.ZipFile(file) as packed:
            parts = [part for info in packed.infolist() for part in info.filename.split("/")]
    except _TORN:
        return False
    return any(_MOODLE.match(one) or _EXCHANGE.match(one) or _canvas(one, "") for one in parts)


def _number_of(name: str) -> int:
    found = _canvas(PurePosixPath(name).name, "")
    return int(found["at"] or 0) if found else 0


def _packed(file: IO[bytes], who: str, name: str) -> Iterator[Found]:
    """What a learner handed in as a zip; zips within it are not looked into."""
    try:
        with zipfile.ZipFile(file) as packed:
            members = {_name(info): info for info in _members(packed)}
            those = [inner for inner in members if _NOTEBOOK.search(inner)]
            left = _MOST_PACKED
            for inner in those:
                data, note = _unpacked(packed, members[inner])
                left -= len(data or b"")
                if left < 0 or len(those) > _MOST_NOTEBOOKS:
                    yield Found(who, name, None, "the zip holds too much to be a submission")
                    return
                yield Found(who, f"{name}/{inner}", data, note, _number_of(name))
            if not those:
                yield Found(who, name, None)
    except _TORN as bad:
        yield Found(who, name, None, f"the zip cannot be read: {bad}")


def _members(packed: zipfile.ZipFile) -> Iterable[zipfile.ZipInfo]:
    infos = packed.infolist()
    if len(infos) > _MOST_FILES:
        raise AssignmentError(f"a zip of {len(infos):,} files is not read")
    for info in filter(lambda one: one.filename, infos):
        is_link = stat.S_ISLNK(info.external_attr >> 16)
        if not (info.is_dir() or is_link or _is_hidden(info.filename)):
            yield info


def _unpacked(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[bytes | None, str]:
    """A file of a zip; None and why where it is too large, however small it is packed."""
    if info.file_size > MOST_BYTES:
        return None, _too_large(info.file_size)
    if info.compress_type not in _PACKED_BY:
        return None, "it is packed in a way that is not read: ask for an ordinary zip"
    try:
        with packed.open(info) as file:  # what is said of its size may be a lie
            data = file.read(MOST_BYTES + 1)
    except _TORN as problem:
        return None, f"it cannot be unpacked: {problem}"
    return (data, "") if len(data) <= MOST_BYTES else (None, _too_large(len(data)))


def _too_large(size: int) -> str:
    return f"{number(round(size / (1 << 20)))} MB are too large: ask for it with outputs cleared"


def whose(name: str, assignment: str, shared: int = 0, *, flat: bool = True) -> str:
    """Who handed a file in, by its place; nothing for what is not of this assignment.

    Parameters
    ----------
    name, assignment
        The file's place, and the assignment's name.
    shared
        How many folders at the front are nobody's name.
    flat
        Whether all files lie in one folder. Where learners have folders, a file's own name says
        nothing: it is theirs to choose, and could be as Canvas would call another's.

    Examples
    --------
    >>> whose("ada/01-tax-fraud/01-tax-fraud.ipynb", "01-tax-fraud")
    'ada'
    >>> whose("lovelaceada_LATE_12_34_01-tax-fraud-1.ipynb", "01-tax-fraud")
    'lovelaceada_12'
    >>> whose("eve/lovelaceada_12_34_01-tax-fraud.ipynb", "01-tax-fraud", flat=False)
    'eve'
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
    canvas = _canvas(parts[-1], assignment)
    if canvas and flat:
        return _clean(f"{canvas['who']}_{canvas['id']}")
    folders = parts[:-1]
    if assignment in folders:
        at = folders.index(assignment)
        return _clean(folders[at - 1]) if at else ""
    if folders:
        return _clean(folders[min(shared, len(folders) - 1)])
    return _clean(re.sub(r"\.zip$", "", _NOTEBOOK.sub("", parts[-1]), flags=re.IGNORECASE))


def _canvas(name: str, assignment: str) -> re.Match[str] | None:
    """What Canvas's name of a file says.

    Where several numbers stand in it, those are Canvas's before which stands a person, and behind
    which the assignment's name; else the first.
    """
    for file in dict.fromkeys((re.escape(assignment), "")):
        for form in _CANVAS:
            found = re.match(form.format(file=file), name)
            if found:
                return found
    return None


def _clean(name: str) -> str:
    cleaned = _SAFE.sub("_", unicodedata.normalize("NFC", name)).strip("._")[:100]
    return cleaned or "unnamed"
