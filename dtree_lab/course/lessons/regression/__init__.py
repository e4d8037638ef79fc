"""Lesson 8: regression trees."""

from __future__ import annotations

from dtree_lab.course.lessons.regression.choosing import LEAF, ORDER
from dtree_lab.course.lessons.regression.cutting import BEST_CUT
from dtree_lab.course.lessons.regression.growing import PREDICT
from dtree_lab.course.lessons.regression.guesses import GUESSES
from dtree_lab.course.lessons.regression.lab import DEPTH
from dtree_lab.course.lessons.regression.penguins import GROUPED
from dtree_lab.course.lessons.regression.reduction import REDUCTION
from dtree_lab.course.lessons.regression.variance import VARIANCE

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (ORDER, VARIANCE, REDUCTION, BEST_CUT, PREDICT, LEAF, DEPTH, GROUPED)
