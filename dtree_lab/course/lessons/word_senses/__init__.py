"""Lesson 3: ID3 step by step, and the senses of words."""

from __future__ import annotations

from dtree_lab.course.lessons.word_senses.best import BEST
from dtree_lab.course.lessons.word_senses.corpus import CORPUS_TREE, MISTAKE
from dtree_lab.course.lessons.word_senses.gains import BELOW, MY_GAIN, ROOT_GAIN
from dtree_lab.course.lessons.word_senses.guesses import GUESSES
from dtree_lab.course.lessons.word_senses.id3 import ID3
from dtree_lab.course.lessons.word_senses.near import NEAR
from dtree_lab.course.lessons.word_senses.rows import FEATURES
from dtree_lab.course.lessons.word_senses.steps import SEVEN_TREE

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (
    NEAR,
    ROOT_GAIN,
    MY_GAIN,
    BEST,
    BELOW,
    SEVEN_TREE,
    ID3,
    FEATURES,
    MISTAKE,
    CORPUS_TREE,
)
