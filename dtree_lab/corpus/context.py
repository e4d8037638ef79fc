"""From sentences to a table: the part of speech, and which words stand near."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from dtree_lab.base.checks import is_whole
from dtree_lab.corpus.reading import PARTS_OF_SPEECH, STOP_WORDS, Sentence, file, words, words_of
from dtree_lab.table.table import Table

_NO_YES = ("no", "yes")


def context_words(
    sentences: Iterable[Sentence], most: int = 60, window: int = 5
) -> tuple[str, ...]:
    """The words to look for: those that stand near in the most sentences.

    A word counts once for each sentence that has it within the window, however often it stands
    there. Left out are :data:`~dtree_lab.corpus.STOP_WORDS`, the ambiguous word itself in all its
    forms, and what stands near in a single sentence only. Of equally frequent words, the first in
    the alphabet comes first.

    Parameters
    ----------
    sentences
        Those to choose from: the training sentences, never those to test with.
    most
        How many words at most.
    window
        How many words on either side are near.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> context_words(dt.corpus.sentences("run"), most=3)
    ('river', 'race', 'stockings')
    """
    given = _checked(sentences)
    if not is_whole(most) or most < 1:
        raise ValueError(f"most={most!r} must be a whole number, 1 or more")
    forms = (file(word).forms if word in words() else {word} for word in {o.word for o in given})
    left_out = STOP_WORDS.union({one.words[one.at] for one in given}, *forms)
    found = Counter(word for one in given for word in set(one.window(window)) - left_out)
    frequent = [(-n, word) for word, n in found.items() if n > 1]
    return tuple(word for _, word in sorted(frequent)[:most])


def context(sentence: Sentence, words: Iterable[str], window: int = 5) -> dict[str, str]:
    """The features of one sentence, as a row that a tree can be asked about.

    Parameters
    ----------
    sentence
        The sentence; its sense need not be known.
    words
        The words to look for.
    window
        How many words on either side of the ambiguous one are near.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> context(dt.corpus.sentence("The river *ran* dry.", pos="verb"), ["race", "river"])
    {'pos': 'verb', 'near(race)': 'no', 'near(river)': 'yes'}
    """
    (one,) = _checked([sentence])
    return _row(one, _looked_for(words), window)


def features(
    sentences: Iterable[Sentence], words: Iterable[str] | None = None, window: int = 5
) -> Table:
    """A table with a row for each sentence: pos, near(word) for each of some words, and the sense.

    Parameters
    ----------
    sentences
        At least one; all with their sense.
    words
        The words to look for; without any, the :func:`context_words` of these sentences. Give test
        sentences the words of the training sentences: then their table has the same columns.
    window
        How many words on either side of the ambiguous one are near.

    Raises
    ------
    ValueError
        For no sentences, a sentence without its sense, a word that is not one word or is given
        twice, or a window that is not a whole number of words.
    TypeError
        For what is no sentence.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = features(dt.corpus.sentences("run"), words=["river", "race"])
    >>> table.row(0)
    {'pos': 'verb', 'near(river)': 'no', 'near(race)': 'no', 'sense': 'run1'}
    """
    given = _checked(sentences)
    for number, one in enumerate(given, start=1):
        if not one.sense:
            hint = "to ask a tree about it, use dt.corpus.context"
            raise ValueError(f"sentence {number} has no sense ({one.marked}); {hint}")
    looked_for = _looked_for(context_words(given, window=window) if words is None else words)
    rows = [{**_row(one, looked_for, window), "sense": one.sense} for one in given]
    kinds: dict[str, Any] = {f"near({word})": _NO_YES for word in looked_for}
    kinds |= {"pos": _parts_of_speech(given), "sense": _senses(given)}
    return Table.from_rows(rows, target="sense", kinds=kinds)


def _row(sentence: Sentence, words: tuple[str, ...], window: int) -> dict[str, str]:
    near = set(sentence.window(window))
    return {"pos": sentence.pos} | {f"near({word})": _NO_YES[word in near] for word in words}


def _checked(sentences: Iterable[Sentence]) -> list[Sentence]:
    if isinstance(sentences, str | Sentence):
        raise TypeError("sentences must be several, in a list or a tuple; this is a single one")
    given = list(sentences)
    for one in given:
        if not isinstance(one, Sentence):
            got = type(one).__name__
            raise TypeError(f"sentences are made by dt.corpus.sentence(…); this is a {got}")
    if not given:
        raise ValueError("no sentences: at least one is needed")
    return given


def _looked_for(given: Iterable[str]) -> tuple[str, ...]:
    if isinstance(given, str):
        raise TypeError(f"words={given!r} is one text; give a list of words, such as [{given!r}]")
    found: list[str] = []
    for word in given:
        if not isinstance(word, str) or len(words_of(word)) != 1:
            raise ValueError(f"{word!r} in words is not one word")
        if word.lower() in found:
            raise ValueError(f"{word!r} is given twice in words")
        found.append(word.lower())
    return tuple(found)


def _parts_of_speech(sentences: list[Sentence]) -> tuple[str, ...]:
    """Those that the words have in the corpus, so that a training and a test set have the same."""
    known = {one.pos for word in _known(sentences) for one in file(word).sentences}
    return tuple(p for p in PARTS_OF_SPEECH if p in known | {one.pos for one in sentences})


def _senses(sentences: list[Sentence]) -> tuple[str, ...]:
    known = [sense for word in _known(sentences) for sense in file(word).glosses]
    return tuple(dict.fromkeys([*known, *(one.sense for one in sentences)]))


def _known(sentences: list[Sentence]) -> list[str]:
    named = {one.word for one in sentences}
    return [word for word in words() if word in named]
