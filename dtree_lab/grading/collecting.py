"""What learners handed in, brought into the course's folder, in whatever form it comes.

Canvas, Moodle and nbgrader's exchange each pack submissions in a way of their own, in a folder or a
zip. What is found is copied to ``submitted/LEARNER/ASSIGNMENT``; nothing of it is run, and a zip is
read only within limits.
"""

from __future__ import annotations

import re
import stat
import struct
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
from dtree_lab.grading.lmssheets import people_of
from dtree_lab.grading.owners import NOTEBOOK, Known, Owner, of_a_system, owners
from dtree_lab.grading.rebuild import rebuilt
from dtree_lab.grading.records import LATE, TIMESTAMP, handing_in
from dtree_lab.grading.sheets import MOST_BYTES, Handout, SubmissionError, cells_of

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
# As Canvas calls what it packs of a class, and browsers what they download again.
_OF_A_CLASS = re.compile(r"submissions ?(?:\(\d+\))?\.zip$", re.IGNORECASE)
# "01-tax-fraud-2", as Canvas calls what is handed in again, or "01-tax-fraud (2)".
_AGAIN = re.compile(r"[-_ ]\(?(\d{1,3})\)?$")


@dataclass(frozen=True)
class Found:
    """A file that was handed in."""

    owner: Owner
    file: str
    data: bytes | None = None  # what is in it; None where it is too large, or no notebook
    note: str = ""  # why it is not taken
    staged: Path | None = None  # where it was put meanwhile


@dataclass(frozen=True)
class Collected:
    """What was collected of a learner."""

    learner: str  # whose it is; of what is nobody's, its place
    # "unclear" may be of several, and is nobody's then; "shared" is a folder not a learner's.
    status: str
    note: str = ""  # what will be repaired, or why it was not taken


def collect(
    path: Path, course: Path, assignment: str, sheet: Path | None = None
) -> list[Collected]:
    """Bring submissions, a folder or a zip, into a course's folder.

    What was there before of the same learner is kept beside it, with a number. The `sheet` that
    Canvas or Moodle exported of the class tells whose a file is where its name can be read in two
    ways.
    """
    handout = sheet_of(course, assignment)
    known = people_of(sheet) if sheet is not None else None
    by_learner: dict[str, list[Found]] = {}
    nobodys = []
    with TemporaryDirectory(prefix="dtree-lab-collect-") as folder:
        for i, one in enumerate(found_in(path, assignment, known)):
            if not one.owner.learner:
                status = "unclear" if one.owner.doubt else "shared"
                nobodys.append(Collected(one.file, status, one.owner.doubt or one.note))
                continue
            kept = one
            if one.data is not None:  # not all of a class at once in memory
                staged = Path(folder, str(i))
                staged.write_bytes(one.data)
                kept = replace(one, data=None, staged=staged)
            by_learner.setdefault(one.owner.learner, []).append(kept)
        if not by_learner and not nobodys:
            raise AssignmentError(f"no submission is found in {path}")
        return nobodys + [
            _collected(handout, course, learner, files)
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
        if not (folder / f"{sheet.name}.ipynb").exists():
            _remember(folder, files[0].owner, again=False)
        return Collected(learner, "refused", refused)
    (folder / REFUSED).unlink(missing_ok=True)
    status, chosen = _kept(folder / f"{sheet.name}.ipynb", taken)
    try:
        handed = cells_of(folder / f"{sheet.name}.ipynb")
        made = rebuilt(sheet, handed)
        notes = list(dict.fromkeys(text for texts in made.notes.values() for text in texts))
    except SubmissionError as problem:
        notes = [f"cannot be graded: {problem}"]
    told = (refused, chosen, _of_several_folders(taken), *notes)
    return Collected(learner, status, "; ".join(filter(None, told)))


def _of_several_folders(files: Sequence[Found]) -> str:
    """What is said where a name has files in several places, other than the exchange's."""
    folders = sorted({str(PurePosixPath(one.file).parent) for one in files if not one.owner.when})
    said = f"found in several folders ({', '.join(folders)}): look whose they are"
    return short(said) if len(folders) > 1 else ""


def _kept(place: Path, files: Sequence[Found]) -> tuple[str, str]:
    """Keep what a learner handed in; of several, one of the right name, and of those the newest.

    If they differ, the others are kept beside it, and it is told which one counts. What the
    exchange has of another time was handed in again, and is no question.
    """
    newest = max(one.owner.when for one in files)
    files = [one for one in files if one.owner.when == newest]
    begins = place.stem.casefold()
    wanted = [one for one in files if one.owner.file.casefold().startswith(begins)]
    chosen = max(wanted or files, key=lambda file: (file.owner.number, _again(file.owner.file)))
    data = _staged(chosen)
    for before in (*place.parent.glob(f"{place.name}.other*"), place.parent / SEVERAL):
        before.unlink(missing_ok=True)
    others = [one for one in files if one is not chosen and _staged(one) != data]
    for i, one in enumerate(others, 1):
        place.with_name(f"{place.name}.other{i}").write_bytes(_staged(one))
    told = ""
    if others:
        counts = PurePosixPath(chosen.file).name
        names = sorted(PurePosixPath(one.file).name for one in others)
        those = ", ".join("another called so" if one == counts else one for one in names)
        told = f"more than one notebook: {short(counts)} counts, not {short(those)}"
        (place.parent / SEVERAL).write_text(told, encoding="utf-8")
    status = _replaced(place, data)
    _remember(place.parent, chosen.owner, again=status == "same")
    return status, told


def _remember(folder: Path, owner: Owner, *, again: bool) -> None:
    """Keep whether it is late and when it came; of the same once more, when it came first."""
    late, when = owner.late, owner.when
    if again:
        was_late, before = handing_in(folder)
        late, when = late and was_late, min(filter(None, (when, before)), default="")
    for name, text in ((LATE, "late, says Canvas" if late else ""), (TIMESTAMP, when)):
        if text:
            (folder / name).write_text(text, encoding="utf-8")
        else:
            (folder / name).unlink(missing_ok=True)


def _staged(submission: Found) -> bytes:
    return submission.staged.read_bytes() if submission.staged is not None else b""


def _again(name: str) -> int:
    found = _AGAIN.search(NOTEBOOK.sub("", name))
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


def found_in(path: Path, assignment: str, known: Known | None = None) -> Iterator[Found]:
    """What was handed in, in a folder or a zip, with the names as they come."""
    if path.is_dir():
        yield from _in_folder(path, assignment, known)
    elif zipfile.is_zipfile(path):
        with path.open("rb") as file:
            try:
                yield from _in_zip(file, assignment, known)
            except _TORN as problem:
                raise AssignmentError(f"{path} cannot be read: {problem}") from None
    elif not path.exists():
        raise AssignmentError(f"there is no {path}")
    else:
        said = (
            "put what was handed in into a folder with its learner's name, and collect the folder"
        )
        raise AssignmentError(f"{path} is neither a folder nor a zip; {said} above it")


def _in_folder(path: Path, assignment: str, known: Known | None) -> Iterator[Found]:
    # A link could lead to anybody's file.
    there = [one for one in sorted(path.rglob("*")) if one.is_file() and not one.is_symlink()]
    names = {one.relative_to(path).as_posix(): one for one in there}
    visible = {name: one for name, one in names.items() if not _is_hidden(name)}
    whose, shared = owners(visible, assignment, known)
    yield from _of_the_class(shared)
    for name, one in visible.items():
        owner = whose[name]
        if owner.doubt:
            yield Found(owner, name)
        elif not owner.learner:
            continue
        elif NOTEBOOK.search(name):
            size = one.stat().st_size
            note = _too_large(size) if size > MOST_BYTES else ""
            yield Found(owner, name, None if note else one.read_bytes(), note)
        elif zipfile.is_zipfile(one):
            yield from _zip_in_folder(one, owner, name, assignment, known)
        elif owner.sure:
            yield Found(owner, name)


def _zip_in_folder(
    path: Path, owner: Owner, name: str, assignment: str, known: Known | None
) -> Iterator[Found]:
    with path.open("rb") as file:
        if owner.sure or not _is_of_a_class(file):
            yield from _packed(file, owner, name)
        elif _OF_A_CLASS.search(path.name):
            yield from _in_zip(file, assignment, known)
        else:
            said = f"it may be of {owner.learner}, or of a class: collect that zip itself"
            yield Found(Owner("", said), name)


def _of_the_class(shared: str) -> Iterator[Found]:
    if shared:
        said = "all that was handed in is in it, so each folder in it is taken for a learner's"
        yield Found(Owner(""), f"{shared}/", None, said)


def _in_zip(file: IO[bytes], assignment: str, known: Known | None) -> Iterator[Found]:
    with zipfile.ZipFile(file) as packed:
        members = [(_name(info), info) for info in _members(packed)]  # a name may be there twice
        whose, shared = owners((name for name, _ in members), assignment, known)
        yield from _of_the_class(shared)
        for name, info in members:
            owner = whose[name]
            if owner.doubt:
                yield Found(owner, name)
            if not owner.learner:
                continue
            data, note = _unpacked(packed, info)
            if NOTEBOOK.search(name):
                yield Found(owner, name, data, note)
            elif data is not None and zipfile.is_zipfile(BytesIO(data)):
                yield from _packed(BytesIO(data), owner, name)
            else:  # a notebook whose name is damaged cannot be unpacked; a film is only large
                damage = note if info.file_size <= MOST_BYTES else ""
                if damage or owner.sure:
                    yield Found(owner, name, None, damage)


def _name(info: zipfile.ZipInfo) -> str:
    """A file's name in a zip: some programs write UTF-8 and do not say so."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def _is_of_a_class(file: IO[bytes]) -> bool:
    """Whether a zip that lies in a folder is itself what Canvas, Moodle or the exchange packed."""
    try:
        with zipfile.ZipFile(file) as packed:
            parts = [part for info in packed.infolist() for part in info.filename.split("/")]
    except _TORN:
        return False
    return any(map(of_a_system, parts))


def _packed(file: IO[bytes], owner: Owner, name: str) -> Iterator[Found]:
    """What a learner handed in as a zip; zips within it are not looked into."""
    try:
        with zipfile.ZipFile(file) as packed:
            members = [(_name(info), info) for info in _members(packed)]
            those = [(inner, info) for inner, info in members if NOTEBOOK.search(inner)]
            left = _MOST_PACKED
            for inner, info in those:
                data, note = _unpacked(packed, info)
                left -= len(data or b"")
                if left < 0 or len(those) > _MOST_NOTEBOOKS:
                    yield Found(owner, name, None, "the zip holds too much to be a submission")
                    return
                its = replace(owner, file=PurePosixPath(inner).name)
                yield Found(its, f"{name}/{inner}", data, note)
            if not those:
                yield Found(owner, name)
    except _TORN as bad:
        yield Found(owner, name, None, f"the zip cannot be read: {bad}")


def _members(packed: zipfile.ZipFile) -> Iterable[zipfile.ZipInfo]:
    infos = packed.infolist()
    if len(infos) > _MOST_FILES:
        raise AssignmentError(f"a zip of {len(infos):,} files is not read")
    for info in filter(lambda info: info.filename, infos):
        is_folder = info.is_dir() and not info.file_size
        other_link = _is_link(info) and not NOTEBOOK.search(info.filename)
        if not (is_folder or other_link or _is_hidden(info.filename)):
            yield info


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(info.external_attr >> 16)


def _unpacked(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[bytes | None, str]:
    """A file of a zip; None and why where it is too large, however small it is packed."""
    if info.file_size > MOST_BYTES:
        return None, _too_large(info.file_size)
    if info.compress_type not in _PACKED_BY:
        return None, "it is packed in a way that is not read: ask for an ordinary zip"
    if _is_link(info):
        return None, "it is a link, and not the file itself"
    try:
        with packed.open(info) as file:  # what is said of its size may be a lie
            data = file.read(MOST_BYTES + 1)
    except _TORN as problem:
        return None, f"it cannot be unpacked: {problem}"
    return (data, "") if len(data) <= MOST_BYTES else (None, _too_large(len(data)))


def _too_large(size: int) -> str:
    return f"{number(round(size / (1 << 20)))} MB are too large: ask for it with outputs cleared"
