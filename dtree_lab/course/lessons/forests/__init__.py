"""Lesson 10: random forests."""

from __future__ import annotations

from dtree_lab.course.lessons.forests.bags import OOB_VOTES
from dtree_lab.course.lessons.forests.choices import WHICH_IMPORTANCE, WHY_M
from dtree_lab.course.lessons.forests.counted import COUNTED
from dtree_lab.course.lessons.forests.drawing import DRAW
from dtree_lab.course.lessons.forests.errors import OOB_ERROR
from dtree_lab.course.lessons.forests.growing import BY_HEART, FEWEST_TREES
from dtree_lab.course.lessons.forests.guesses import GUESSES
from dtree_lab.course.lessons.forests.voting import MAJORITY, PROXIMITY
from dtree_lab.course.lessons.forests.worth import PERMUTED

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (
    DRAW,
    MAJORITY,
    OOB_VOTES,
    OOB_ERROR,
    COUNTED,
    FEWEST_TREES,
    WHY_M,
    PERMUTED,
    WHICH_IMPORTANCE,
    PROXIMITY,
    BY_HEART,
)
