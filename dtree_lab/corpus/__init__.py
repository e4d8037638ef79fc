"""Sentences with an ambiguous word, and the way from a sentence to a row of a table.

>>> import dtree_lab as dt
>>> dt.corpus.sentences("run")[0]
run1, verb: The children *ran* across the playground as soon as the bell rang.
>>> dt.corpus.senses("run")["run2"]
'to compete, in a race or an election'
>>> table = dt.corpus.features(dt.corpus.sentences("run"), words=["race", "river", "stockings"])
>>> table.names
('pos', 'near(race)', 'near(river)', 'near(stockings)')

The sentences lie beside this file, one text file for each word, in a form that is easy to read and
to add to. They were written for this project and are under its licence (BSD-3-Clause).
"""

from __future__ import annotations

from dtree_lab.corpus.context import context, context_words, features
from dtree_lab.corpus.reading import STOP_WORDS, Sentence, read, senses, sentence, sentences, words

__all__ = [
    "STOP_WORDS",
    "Sentence",
    "context",
    "context_words",
    "features",
    "read",
    "senses",
    "sentence",
    "sentences",
    "words",
]
__dir__ = __all__.copy  # what is public, and nothing else
