"""Lesson 8: regression trees."""

from __future__ import annotations

from statistics import fmean, pvariance

from dtree_lab.course.exercise import Guess
from dtree_lab.course.lessons.regression.variance import RENTS

_LEFT = (pvariance(RENTS[:4]) + pvariance(RENTS[4:])) / 2  # the two sides are equally large

GUESSES = {
    "regression/stars": Guess(
        "regression",
        "Four stars are more than three, and to say four where five is right is a smaller mistake"
        " than to say one. The order means something, though the labels are discrete: by the usual"
        " definition it would be classification. (The steps need not be equal, though.)",
        options=("classification", "regression"),
        asks="By the **sharper** definition: is it classification or regression to predict"
        " the stars?",
    ),
    "regression/one-answer": Guess(
        fmean(RENTS),
        "It is the mean, (3 + 4 + 5 + 6 + 9 + 10 + 12 + 15) / 8 = 64 / 8; and that is no accident.",
        within=0.05,
        asks="**Which one number** for all eight flats costs least on average? (0.05 either"
        " way will do.)",
    ),
    "regression/taken-away": Guess(
        100 * (1 - _LEFT / pvariance(RENTS)),
        "Of 15.5 it takes 12.25 and leaves 3.25: all cheap flats are on one side, and all dear"
        " ones on the other.",
        within=8,
        asks="What share of the variance does that question take away, in **per cent**? Look"
        " at the rents and guess. (8 either way will do.)",
        between=(0, 100),
    ),
    "regression/fully-grown": Guess(
        "well above",
        "Here it is 0.155. Each leaf repeats the label of one row, with all its noise; and the new"
        " row has noise of its own. The two add up: over many training sets it comes to about"
        " 0.18, twice the noise.",
        options=("about 0", "about 0.09", "well above"),
        asks="Where is the fully grown tree's error on new rows: at **about 0**, at **about"
        " 0.09**, or **well above 0.09**?",
    ),
    "regression/villa": Guess(
        within=0.5,
        asks="A villa of 200 square metres without a balcony: **what will the tree say**, in"
        " hundreds? (0.5 either way will do.)",
    ),
    "regression/grams": Guess(
        within=60,
        asks="By how many **grams** will a tree with four leaves be off? (60 either way will do.)",
    ),
}


__all__ = ["GUESSES"]
