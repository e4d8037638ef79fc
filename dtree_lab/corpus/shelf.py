"""The corpus that comes with the library: one file for each word."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from dtree_lab.corpus.reader import WordFile, parsed
from dtree_lab.corpus.sentence import Sentence, unmarked
from dtree_lab.shown import did_you_mean, listing

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
