"""Lesson 6: overfitting, and when less tree knows more."""

from __future__ import annotations

from dtree_lab.course.lessons.pruning.counting import LEAF_ERRORS
from dtree_lab.course.lessons.pruning.doing import IN_THE_LAB, SMALL_TREE
from dtree_lab.course.lessons.pruning.ending import PRUNE
from dtree_lab.course.lessons.pruning.guesses import GUESSES
from dtree_lab.course.lessons.pruning.paper import REDUCTION
from dtree_lab.course.lessons.pruning.prices import LINK
from dtree_lab.course.lessons.pruning.reasons import HIGHEST_FIRST, HONEST
from dtree_lab.course.lessons.pruning.rounds import PRUNE_ONCE
from dtree_lab.course.lessons.pruning.withheld import WITHHOLD

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (
    SMALL_TREE,
    WITHHOLD,
    LEAF_ERRORS,
    REDUCTION,
    PRUNE_ONCE,
    PRUNE,
    HIGHEST_FIRST,
    IN_THE_LAB,
    LINK,
    HONEST,
)
