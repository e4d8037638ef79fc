"""The corpus: sentences with one word marked, read from one file for each word.

How a file is written stands at the top of ``run.txt``. :data:`STOP_WORDS` are the words that are in
every text, whatever it is about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from dtree_lab.base.checks import is_whole
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import did_you_mean, listing

PARTS_OF_SPEECH = ("noun", "verb", "adjective", "adverb")

# Letters and digits, held together by apostrophes and hyphens: don't, well-known.
_WORD = re.compile(r"[^\W_]+(?:['\u2019\-][^\W_]+)*")
_MARK = re.compile(r"\*([^*]*)\*")
Span: TypeAlias = tuple[int, int]


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in order, in small letters and without punctuation.

    >>> words_of("Don't run, Kim!")
    ("don't", 'run', 'kim')
    """
    return tuple(text[i:j].lower().replace("\u2019", "'") for i, j in _spans(text))


def _spans(text: str) -> list[Span]:
    return [match.span() for match in _WORD.finditer(text)]


@dataclass(frozen=True, repr=False)
class Sentence:
    """A sentence, and which of its words is meant.

    Make your own with :func:`dtree_lab.corpus.sentence`.

    Attributes
    ----------
    text
        The sentence.
    word
        The ambiguous word as a dictionary has it, such as ``"run"`` for *ran*.
    at
        Where it stands among :attr:`words`, counted from 0.
    pos
        Its part of speech here: ``"noun"``, ``"verb"``, ``"adjective"`` or ``"adverb"``.
    sense
        Its sense here, such as ``"run3"``; empty where nobody has said.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> one = dt.corpus.sentence("The river *ran* past the mill.", pos="verb")
    >>> one.word, one.at, one.words[one.at], one.near("mill", window=3)
    ('run', 2, 'ran', True)
    """

    text: str
    word: str
    at: int
    pos: str
    sense: str = ""

    def __post_init__(self) -> None:
        if self.pos not in PARTS_OF_SPEECH:
            known = ", ".join(PARTS_OF_SPEECH)
            raise ValueError(f"pos={self.pos!r} is no part of speech; there are {known}")
        if not 0 <= self.at < len(self.words):
            raise ValueError(f"at={self.at!r}: the sentence has {len(self.words)} words, from 0 on")

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words in order, in small letters and without punctuation."""
        return words_of(self.text)

    @property
    def marked(self) -> str:
        """Its text with stars around the ambiguous word."""
        i, j = _spans(self.text)[self.at]
        return f"{self.text[:i]}*{self.text[i:j]}*{self.text[j:]}"

    def window(self, size: int) -> tuple[str, ...]:
        """The words that stand at most `size` words before or after the ambiguous one.

        Examples
        --------
        >>> Sentence("We ran home in the rain.", "run", 1, "verb").window(2)
        ('we', 'home', 'in')
        """
        check_window(size)
        start = max(self.at - size, 0)
        return self.words[start : self.at] + self.words[self.at + 1 : self.at + 1 + size]

    def near(self, word: str, window: int = 5) -> bool:
        """Whether a word stands at most so many words before or after the ambiguous one."""
        return word.lower() in self.window(window)

    @terminal
    def __str__(self) -> str:
        return self.marked

    @terminal
    def __repr__(self) -> str:
        return f"{self.sense or '?'}, {self.pos}: {self.marked}"


def check_window(size: object) -> None:
    """Raise a ValueError unless a window is a whole number of words, 1 or more."""
    if not is_whole(size) or size < 1:
        raise ValueError(f"window={size!r} must be a whole number of words, 1 or more")


def unmarked(marked: str) -> tuple[str, int]:
    """The text without its two stars, and where the one whole word between them stands."""
    found = list(_MARK.finditer(marked))
    if len(found) != 1 or marked.count("*") != 2:  # noqa: PLR2004 - two stars make a mark
        raise ValueError("mark one word, with a star on either side: We *ran* home.")
    start, end = found[0].span()
    text = marked[:start] + found[0][1] + marked[end:]
    span = (start, end - 2)
    if span not in _spans(text):
        raise ValueError(f"between the stars stands {found[0][1]!r}, which is not one whole word")
    return text, _spans(text).index(span)


_TEXT = """
a an the this that these those such some any each every all both half no nobody nothing none
somebody someone something anybody anything everyone everybody everything either neither other
others another same own enough few more most many much less least only just even also too very
so quite rather almost hardly still yet already again ever never always often once soon then
now there here when where while whenever wherever why how however what which who whom whose
i me my mine myself you your yours yourself he him his himself she her hers herself it its
itself we us our ours ourselves they them their theirs themselves one
am is are was were be been being do does did doing done don't have has had having can cannot
can't could may might must shall should will would going
and or but nor if unless until because since although though as than whether not
about above across after against along among around at before behind below beneath beside
between beyond by down during for from in inside into like near of off on onto out outside over
past round through to towards under up upon with within without
two three four five six seven eight nine ten eleven twelve
"""
STOP_WORDS = frozenset(_TEXT.split())


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


_WORDS = ("run", "bank", "spring", "light")


def words() -> tuple[str, ...]:
    """The ambiguous words that there are sentences with.

    Examples
    --------
    >>> words()
    ('run', 'bank', 'spring', 'light')
    """
    return _WORDS


def sentences(word: str | None = None) -> tuple[Sentence, ...]:
    """The sentences with an ambiguous word, sense by sense; of all words without one.

    Raises
    ------
    ValueError
        For a word that there are no sentences with.

    Examples
    --------
    >>> len(sentences()) >= 300
    True
    >>> sentences("bank")[0]
    bank1, noun: The *bank* closes at four on Fridays.
    """
    return tuple(one for w in (_WORDS if word is None else (word,)) for one in file(w).sentences)


def senses(word: str) -> dict[str, str]:
    """The senses of a word, each with its gloss, in order; raises as :func:`sentences` does.

    Examples
    --------
    >>> senses("light")["light3"]
    'pale in colour'
    """
    return dict(file(word).glosses)


def sentence(marked: str, pos: str, sense: str = "") -> Sentence:
    """A sentence of your own.

    Parameters
    ----------
    marked
        The sentence, with a star on either side of the ambiguous word.
    pos
        The word's part of speech: ``"noun"``, ``"verb"``, ``"adjective"`` or ``"adverb"``.
    sense
        The word's sense, if you want to say it.

    Raises
    ------
    ValueError
        Unless one word is marked, and for another part of speech.

    Examples
    --------
    >>> sentence("The tap *ran* all night.", pos="verb").word
    'run'
    """
    text, at = unmarked(marked)
    found = Sentence(text, "", at, pos, sense)
    form = found.words[at]
    word = next((w for w in _WORDS if form in file(w).forms), form)
    return Sentence(text, word, at, pos, sense)


@cache
def file(word: str) -> WordFile:
    """What the file of a word says."""
    if word not in _WORDS:
        raise ValueError(
            f"no sentences with {word!r}; there are some with {listing(_WORDS)}."
            f"{did_you_mean(word, _WORDS)}"
        )
    name = f"{word}.txt"
    return parsed((files(__package__) / name).read_text(encoding="utf-8"), name)
