"""A sentence with one word in it marked, and its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from dtree_lab.terminal import terminal

PARTS_OF_SPEECH = ("noun", "verb", "adjective", "adverb")

# Letters and digits, held together by apostrophes and hyphens: don't, well-known.
_WORD = re.compile(r"[^\W_]+(?:['\u2019\-][^\W_]+)*")
_MARK = re.compile(r"\*([^*]*)\*")
Span: TypeAlias = tuple[int, int]


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in order, in small letters and without punctuation.

    Examples
    --------
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
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise ValueError(f"window={size!r} must be a whole number of words, 1 or more")


def unmarked(marked: str) -> tuple[str, int]:
    """The text without its stars, and where the word between them stands.

    Raises
    ------
    ValueError
        Unless there are two stars, with one whole word between them.

    Examples
    --------
    >>> unmarked("We *ran* home.")
    ('We ran home.', 1)
    """
    found = list(_MARK.finditer(marked))
    if len(found) != 1 or marked.count("*") != 2:  # noqa: PLR2004 - two stars make a mark
        raise ValueError("mark one word, with a star on either side: We *ran* home.")
    start, end = found[0].span()
    text = marked[:start] + found[0][1] + marked[end:]
    span = (start, end - 2)
    if span not in _spans(text):
        raise ValueError(f"between the stars stands {found[0][1]!r}, which is not one whole word")
    return text, _spans(text).index(span)
