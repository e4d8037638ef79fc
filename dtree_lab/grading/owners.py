"""Whose a file is that was handed in, read from its place alone.

Part of a name is chosen by its learner, so names are read from the left: what Canvas, Moodle or the
exchange put there stands in front. Where two readings are possible, neither is taken.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePosixPath

# Some browsers add an end to what they do not know.
NOTEBOOK = re.compile(r"\.ipynb(?:\.(?:json|txt))?$", re.IGNORECASE)
# Whether a person of a name and a number is in a class's sheet.
Known = Callable[[str, str], bool]

_SAFE = re.compile(r"[^\w.@+-]+")
# Of a learner's name: more signs would not fit in a path everywhere, nor more bytes.
_LONGEST, _MOST_BYTES = 100, 200
_MOST_TOLD = 3

# nbgrader's exchange: a folder called learner+assignment+time+secret.
_EXCHANGE = re.compile(
    r"^(?P<who>[^+/]+)\+(?P<what>[^+/]+)\+"
    r"(?P<when>\d{4}-\d\d-\d\d(?: [\d:.]+)?(?: [A-Za-z]\w*)?)"
)
# Moodle: "Ada Lovelace_12345_assignsubmission_file_/…", and the same with a file's name after it;
# "…_onlinetext_" for what was typed in there.
_MOODLE = re.compile(r"_(?P<id>\d{1,20})_assignsubmission_[a-z]+_?")
# Canvas: "lovelaceada_LATE_12345_67890_file.ipynb"; a text or a link that was handed in:
# "lovelaceada_12345_text.html"; without a name "anon_x7Yz9_67890_file.ipynb". Its numbers do not
# begin with 0. One reading may begin within another, hence the lookahead.
_NUMBER = r"[1-9]\d{0,19}"
_ENDS = rf"_(?:(?P<at>{_NUMBER})_|(?:text|link)\.html$)"
_CANVAS = re.compile(rf"(?=(?P<late>_LATE)?_(?P<id>{_NUMBER}){_ENDS})")
_ANONYMOUS = re.compile(rf"(?P<late>LATE_)?anon_(?P<id>[0-9A-Za-z]{{1,9}}){_ENDS}")
# Who makes more of them has no plain name.
_MOST_READINGS = 50


@dataclass(frozen=True)
class Owner:
    """Whose a file is, and what else its place tells."""

    learner: str  # nothing where it is nobody's, or cannot be told
    doubt: str = ""  # why it cannot be told
    file: str = ""  # what the learner called it
    number: int = 0  # Canvas's number of the file: of two, the later has the higher one
    when: str = ""  # the exchange's time
    late: bool = False  # Canvas calls it late
    # It was surely handed in: in somebody's folder, or named by Canvas or Moodle.
    sure: bool = False


def owners(
    names: Iterable[str], assignment: str, known: Known | None = None
) -> tuple[dict[str, Owner], str]:
    """Whose each file is, and the folder that is taken for the class's, if there is one.

    The outermost folder owns what is in it. It is the class's, and nobody's, only if all notebooks
    are in it, and each in one of several folders there. The class's sheet (`known`), where there is
    one, decides between readings.
    """
    nobodys = ("submitted", assignment)  # as in nbgrader's folders
    bare = {name: _below(_parts(name), nobodys) for name in names}
    of_class: list[str] = []
    while shared := _shared([bare[name] for name in bare if NOTEBOOK.search(name)], nobodys):
        of_class.append(shared)
        for name, parts in bare.items():
            if len(parts) > 1 and parts[0] == shared:
                bare[name] = _below(parts[1:], nobodys)
    folders = {bare[name][:-1] for name in bare if NOTEBOOK.search(name)}
    one_folder = len(folders) == 1 and len(next(iter(folders))) == 1
    found = {name: _owner(parts, assignment, known) for name, parts in bare.items()}
    if one_folder:
        found = {name: _in_one_folder(bare[name], one) for name, one in found.items()}
    return found, "/".join(of_class)


def of_a_system(name: str) -> bool:
    """Whether Canvas, Moodle or the exchange could have given a file or a folder its name."""
    return bool(_EXCHANGE.match(name) or next(_readings(name), None))


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part for part in PurePosixPath(name).parts if part not in ("/", "..", "."))


def _below(parts: tuple[str, ...], nobodys: Sequence[str]) -> tuple[str, ...]:
    while len(parts) > 1 and parts[0] in nobodys:
        parts = parts[1:]
    return parts


def _shared(those: Sequence[tuple[str, ...]], nobodys: Sequence[str]) -> str:
    """The folder that all are in, if each is in one of several folders there."""
    first = {parts[0] for parts in those}
    if len(first) != 1 or of_a_system(next(iter(first))):
        return ""
    inner = [_below(parts[1:], nobodys) for parts in those]
    several = all(len(parts) > 1 for parts in inner) and len({parts[0] for parts in inner}) > 1
    return first.pop() if several else ""


def _owner(parts: tuple[str, ...], assignment: str, known: Known | None) -> Owner:
    if not parts:
        return Owner("")
    outermost, last = parts[0], parts[-1]
    if len(parts) == 1:
        stem = re.sub(r"\.zip$", "", NOTEBOOK.sub("", last), flags=re.IGNORECASE)
        return _read(_readings(last), known) or Owner(_clean(stem), file=last)
    if exchange := _EXCHANGE.match(outermost):
        who = _clean(exchange["who"]) if exchange["what"] == assignment else ""
        return Owner(who, file=last, when=exchange["when"], sure=True)
    read = _read(_moodle(outermost), known) or Owner(_clean(outermost), sure=True)
    return replace(read, file=last)


def _in_one_folder(parts: tuple[str, ...], owner: Owner) -> Owner:
    """Of files in one folder whose names say something: it may be the class's, or a learner's."""
    if len(parts) != 2 or of_a_system(parts[0]) or not of_a_system(parts[1]):  # noqa: PLR2004
        return owner
    said = f"it may be of {parts[0]}, or of whom its name tells: collect that folder itself"
    return Owner("", said, parts[1], sure=True)


@dataclass(frozen=True)
class _Reading:
    """One way to read a name."""

    who: str
    id: str
    file: str
    at: str = ""
    late: bool = False


def _read(readings: Iterator[_Reading], known: Known | None) -> Owner | None:
    """The one possible reading; a doubt where there are several, None where there is none."""
    those = list(islice(readings, _MOST_READINGS))
    fit = those
    if len(those) > 1 and known is not None:
        fit = [one for one in those if known(one.who, one.id)]
    if len(fit) == 1:
        (one,) = fit
        learner = _clean(one.who, one.id)
        return Owner(learner, "", one.file, int(one.at or 0), late=one.late, sure=True)
    if not those:
        return None
    named = ", ".join(f"{_clean(one.who)} ({one.id})" for one in those[:_MOST_TOLD])
    said = f"it may be of {named}{' and others' if len(those) > _MOST_TOLD else ''}"
    if known is not None:
        said += f"; {'more than one' if fit else 'none'} of them is in the class's sheet"
    return Owner("", said, sure=True)


def _readings(name: str) -> Iterator[_Reading]:
    """All ways in which Canvas or Moodle could have made a file's name."""
    if anonymous := _ANONYMOUS.match(name):  # what is in front is never the learner's
        yield _reading(anonymous, "anon")
        return
    for found in _CANVAS.finditer(name):
        who = name[: found.start()]
        if who and not who.endswith("_LATE"):
            yield _reading(found, who)
    yield from _moodle(name)


def _reading(match: re.Match[str], who: str) -> _Reading:
    at = match["at"] or ""
    file = match.string[match.end("at") + 1 :] if at else match.string
    return _Reading(who, match["id"], file, at, bool(match["late"]))


def _moodle(name: str) -> Iterator[_Reading]:
    for found in _MOODLE.finditer(name):
        if found.start():
            yield _Reading(name[: found.start()], found["id"], name[found.end() :] or name)


def _clean(name: str, number: str = "") -> str:
    """A name as a folder can be called; what is too long is cut before its number."""
    cleaned = _SAFE.sub("_", unicodedata.normalize("NFC", name)).strip("._") or "unnamed"
    end = f"_{number}" if number else ""
    if _fits(cleaned + end):
        return cleaned + end
    if not number:  # two that begin alike are two
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        end = f"-{digest[:8]}"
    while not _fits(cleaned + end):
        cleaned = cleaned[:-1]
    return cleaned + end


def _fits(name: str) -> bool:
    return len(name) <= _LONGEST and len(name.encode("utf-8", "surrogatepass")) <= _MOST_BYTES
