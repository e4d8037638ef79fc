"""Lesson 5: continuous attributes, their thresholds, and bell curves."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "thresholds/changes": Guess(
        2,
        "The label changes where the three Yes begin, between 75 and 85, and where they end,"
        " between 95 and 100.",
    ),
    "thresholds/features": Guess(
        11,
        "Nine midpoints between the ten incomes, and one threshold at each end: m + 1 for m"
        " different values. Only the nine can ever be asked.",
    ),
    "thresholds/times": Guess(
        100.9,
        "Ten times as many cuts, and for each of them ten times as many rows are counted.",
        within=5,
    ),
    "thresholds/wrong": Guess(
        3,
        "All ten incomes lie above the cut, so it says No to everybody. The three who cheat are"
        " wrong, and the question has asked nothing.",
    ),
    "thresholds/longest": Guess(
        63,
        "A cut in the middle gains nothing: there are as many a as b on both sides. To slice one"
        " row off the end gains a little. So the tree goes row by row.",
    ),
}


__all__ = ["GUESSES"]
