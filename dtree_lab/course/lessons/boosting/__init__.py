"""Lesson 9: stumps, the bootstrap and boosting."""

from __future__ import annotations

from dtree_lab.course.lessons.boosting.asking import FEWEST_ERRORS
from dtree_lab.course.lessons.boosting.bags import BOOTSTRAP
from dtree_lab.course.lessons.boosting.choices import ONE_QUESTION, WHICH_HELP
from dtree_lab.course.lessons.boosting.guesses import GUESSES
from dtree_lab.course.lessons.boosting.leftout import LEFT_OUT
from dtree_lab.course.lessons.boosting.measuring import BAGGING_PAYS
from dtree_lab.course.lessons.boosting.outside import OUT_OF_BAG
from dtree_lab.course.lessons.boosting.rounds import ROUND
from dtree_lab.course.lessons.boosting.stumps import BEST_STUMP
from dtree_lab.course.lessons.boosting.votes import VOTE
from dtree_lab.course.lessons.boosting.walking import HEAVY_ROW
from dtree_lab.course.lessons.boosting.weights import HEAVIER

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (
    ONE_QUESTION,
    FEWEST_ERRORS,
    BEST_STUMP,
    HEAVIER,
    ROUND,
    VOTE,
    HEAVY_ROW,
    BOOTSTRAP,
    OUT_OF_BAG,
    LEFT_OUT,
    BAGGING_PAYS,
    WHICH_HELP,
)
