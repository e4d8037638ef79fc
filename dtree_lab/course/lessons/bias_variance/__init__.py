"""Lesson 7: one tree is one draw, and its error has three parts."""

from __future__ import annotations

from dtree_lab.course.lessons.bias_variance.choosing import MORE_ROWS, WHICH_PART
from dtree_lab.course.lessons.bias_variance.doing import BAG_BEST, DEEP_BEST
from dtree_lab.course.lessons.bias_variance.guesses import GUESSES
from dtree_lab.course.lessons.bias_variance.noise import NOISY_ROW
from dtree_lab.course.lessons.bias_variance.numbers import FIVE_TREES, THREE_DAYS
from dtree_lab.course.lessons.bias_variance.parts import SQUARED
from dtree_lab.course.lessons.bias_variance.resampling import RESAMPLE
from dtree_lab.course.lessons.bias_variance.right_or_wrong import ZERO_ONE

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (
    WHICH_PART,
    FIVE_TREES,
    THREE_DAYS,
    SQUARED,
    RESAMPLE,
    MORE_ROWS,
    DEEP_BEST,
    ZERO_ONE,
    NOISY_ROW,
    BAG_BEST,
)
