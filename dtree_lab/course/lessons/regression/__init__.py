"""Lesson 8: regression trees."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess
from dtree_lab.course.lessons.regression.variance import RENTS, left_of, mean_of, variance_of

_TAKEN = 1 - left_of((RENTS[:4], RENTS[4:])) / variance_of(RENTS)

GUESSES = {
    "regression/stars": Guess(
        "regression",
        "Four stars are more than three, and to say four where five is right is a smaller mistake"
        " than to say one. The order means something, though the labels are discrete: by the usual"
        " definition it would be classification. (The steps need not be equal, though.)",
        options=("classification", "regression"),
    ),
    "regression/one-answer": Guess(
        mean_of(RENTS),
        "It is the mean, (3 + 4 + 5 + 6 + 9 + 10 + 12 + 15) / 8 = 64 / 8; and that is no accident.",
        within=0.05,
    ),
    "regression/taken-away": Guess(
        100 * _TAKEN,
        "Of 15.5 it takes 12.25 and leaves 3.25: all cheap flats are on one side, and all dear"
        " ones on the other.",
        within=8,
    ),
    "regression/fully-grown": Guess(
        "well above",
        "Here it is 0.155. Each leaf repeats the label of one row, with all its noise; and the new"
        " row has noise of its own. The two add up: over many training sets it comes to about"
        " 0.18, twice the noise.",
        options=("about 0", "about 0.09", "well above"),
    ),
}


__all__ = ["GUESSES"]
