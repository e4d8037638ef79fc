"""Reading a file of sentences; how one is written stands at the top of ``run.txt``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dtree_lab.corpus.sentence import Sentence, unmarked
from dtree_lab.shown import did_you_mean, listing

if TYPE_CHECKING:
    from os import PathLike


@dataclass
class WordFile:
    """What a file says: its word, the word's forms, a gloss for each sense, the sentences."""

    word: str = ""
    forms: tuple[str, ...] = ()
    glosses: dict[str, str] = field(default_factory=dict)
    sentences: list[Sentence] = field(default_factory=list)


def read(path: str | PathLike[str]) -> tuple[Sentence, ...]:
    """The sentences of a file of your own, written as the files of this corpus are.

    Parameters
    ----------
    path
        A text file (UTF-8). Lines that begin with ``#`` are not read, nor are empty ones. Before
        the first sentence stand ``word: run``, ``forms: run runs ran running`` and, for each
        sense, ``sense run1: to move fast on foot``. A sentence is a line of three parts, ``run1 |
        verb | We *ran* home.``

    Raises
    ------
    ValueError
        For a line that cannot be read, naming the file and the line.
    OSError
        For a file that cannot be opened.
    """
    place = Path(path)
    try:
        text = place.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{place.name} is not a text in UTF-8; save it as one") from None
    return tuple(parsed(text, place.name).sentences)


def parsed(text: str, name: str) -> WordFile:
    """What the text of a file says; a ValueError names the file and the line."""
    file = WordFile()
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.strip()
        if not said or said.startswith("#"):
            continue
        try:
            _read_line(file, said)
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
    if not file.sentences:
        raise ValueError(f"{name} holds no sentence")
    return file


def _read_line(file: WordFile, line: str) -> None:
    if "|" in line:
        file.sentences.append(_sentence(file, line))
        return
    key, colon, rest = (part.strip() for part in line.partition(":"))
    if not colon or not rest:
        raise ValueError(f"{line!r} is no sentence (sense | part of speech | text) and no heading")
    match key.split():
        case ["word"] if not file.word:
            file.word = rest
        case ["forms"] if not file.forms:
            file.forms = tuple(rest.lower().split())
        case ["sense", sense] if sense not in file.glosses:
            file.glosses[sense] = rest
        case ["word"] | ["forms"] | ["sense", _]:
            raise ValueError(f"{key!r} has been said before")
        case _:
            raise ValueError(f"{key!r} is no heading; there are 'word', 'forms' and 'sense NAME'")


def _sentence(file: WordFile, line: str) -> Sentence:
    if not (file.word and file.forms and file.glosses):
        raise ValueError("before the first sentence say 'word: …', 'forms: …' and 'sense NAME: …'")
    parts = [part.strip() for part in line.split("|")]
    if len(parts) != 3:  # noqa: PLR2004
        raise ValueError(f"three parts are wanted, sense | part of speech | text; got {len(parts)}")
    sense, pos, marked = parts
    if sense not in file.glosses:
        known = f"there are {listing(file.glosses)}.{did_you_mean(sense, file.glosses)}"
        raise ValueError(f"no sense {sense!r}; {known}")
    text, at = unmarked(marked)
    found = Sentence(text, file.word, at, pos, sense)
    if found.words[at] not in file.forms:
        raise ValueError(f"{found.words[at]!r} is marked; forms are {listing(file.forms, most=20)}")
    if any(found.words == other.words and at == other.at for other in file.sentences):
        raise ValueError("this sentence is in the file already")
    return found
