"""Lesson 5: continuous attributes, their thresholds, and bell curves."""

from __future__ import annotations

from dtree_lab.course.lessons.thresholds.again import ASK_AGAIN
from dtree_lab.course.lessons.thresholds.birds import SMALL_TREE
from dtree_lab.course.lessons.thresholds.candidates import CANDIDATES
from dtree_lab.course.lessons.thresholds.crossings import CROSSING
from dtree_lab.course.lessons.thresholds.doing import HALF_WAY
from dtree_lab.course.lessons.thresholds.features import BINARY_FEATURES, WHAT_DIFFERS
from dtree_lab.course.lessons.thresholds.gaussian import GAUSSIAN
from dtree_lab.course.lessons.thresholds.guesses import GUESSES
from dtree_lab.course.lessons.thresholds.hikers import BEST_CUT
from dtree_lab.course.lessons.thresholds.plane import STAIRCASE
from dtree_lab.course.lessons.thresholds.searching import BEST_THRESHOLD

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (
    CANDIDATES,
    BEST_CUT,
    BINARY_FEATURES,
    WHAT_DIFFERS,
    BEST_THRESHOLD,
    CROSSING,
    GAUSSIAN,
    HALF_WAY,
    ASK_AGAIN,
    STAIRCASE,
    SMALL_TREE,
)
