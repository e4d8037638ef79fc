"""Lesson 2: entropy, conditional entropy and what a question gains."""

from __future__ import annotations

from dtree_lab.course.lessons.entropy.choosing import COMPANY, TWO_TABLES
from dtree_lab.course.lessons.entropy.conditional import CONDITIONAL
from dtree_lab.course.lessons.entropy.curve import HALF_A_BIT
from dtree_lab.course.lessons.entropy.gain import GAIN
from dtree_lab.course.lessons.entropy.guesses import GUESSES
from dtree_lab.course.lessons.entropy.numbers import THREE_ANSWERS, THREE_LABELS
from dtree_lab.course.lessons.entropy.paper import PRACTICE
from dtree_lab.course.lessons.entropy.ratio import RATIO

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (
    THREE_LABELS,
    HALF_A_BIT,
    CONDITIONAL,
    GAIN,
    THREE_ANSWERS,
    PRACTICE,
    TWO_TABLES,
    RATIO,
    COMPANY,
)
