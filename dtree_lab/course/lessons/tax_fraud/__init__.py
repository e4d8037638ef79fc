"""Lesson 1: from a table to a tree grown by hand."""

from __future__ import annotations

from dtree_lab.course.lessons.tax_fraud.entropy import ENTROPY, SIX_TO_FOUR
from dtree_lab.course.lessons.tax_fraud.gain import AFTER_REFUND, COST
from dtree_lab.course.lessons.tax_fraud.guesses import GUESSES
from dtree_lab.course.lessons.tax_fraud.leaves import MAJORITY
from dtree_lab.course.lessons.tax_fraud.reading import FOLLOW, PARTS
from dtree_lab.course.lessons.tax_fraud.trees import SMALL_TREE, WHICH_TREE

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (
    PARTS,
    FOLLOW,
    MAJORITY,
    SMALL_TREE,
    WHICH_TREE,
    SIX_TO_FOUR,
    ENTROPY,
    AFTER_REFUND,
    COST,
)
