"""Lesson 5: continuous attributes, their thresholds, and bell curves."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "thresholds/changes": Guess(
        2,
        "The label changes where the three Yes begin, between 75 and 85, and where they end,"
        " between 95 and 100.",
        asks="Of the nine midpoints, how many lie between neighbours of **different**"
        " classes? Count them in the line above.",
        between=(0, 9),
    ),
    "thresholds/features": Guess(
        11,
        "Nine midpoints between the ten incomes, and one threshold at each end: m + 1 for m"
        " different values. Only the nine can ever be asked.",
        asks="Ten different incomes. **How many features** are that, the two at the ends included?",
    ),
    "thresholds/times": Guess(
        100.9,
        "Ten times as many cuts, and for each of them ten times as many rows are counted.",
        within=5,
        asks="From 100 rows to 1,000: how many **times** as many operations will the naive search"
        " need? (Within 5 counts as right.)",
    ),
    "thresholds/wrong": Guess(
        3,
        "All ten incomes lie above the cut, so it says No to everybody. The three who cheat are"
        " wrong, and the question has asked nothing.",
        asks="Of the ten returns, how many does this cut get **wrong**?",
        between=(0, 10),
    ),
    "thresholds/longest": Guess(
        63,
        "A cut in the middle gains nothing: there are as many a as b on both sides. To slice one"
        " row off the end gains a little. So the tree goes row by row.",
        asks="How many questions will the **longest** way in ID3's tree have?",
    ),
    "thresholds/unmeasured": Guess(
        options=("Adelie", "Chinstrap", "Gentoo"),
        asks="Row 272 has not a single measurement. **What will the tree say?**",
    ),
}


__all__ = ["GUESSES"]
