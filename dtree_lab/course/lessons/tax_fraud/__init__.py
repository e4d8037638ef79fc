"""Lesson 1: from a table to a tree grown by hand."""

from __future__ import annotations

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.exercise import Guess

GUESSES = {
    # On the map of the course, before the first lesson.
    "tax-fraud/umbrella": Guess(
        options=("yes", "no"),
        asks="Today the sky is cloudy and the wind is strong. **What does the tree say** about the"
        " umbrella?",
    ),
    "tax-fraud/postcode": Guess(
        "classification",
        "A postcode is written in digits, but it is a name. To be off by one is as wrong as to be"
        " off by ten thousand: the order means nothing. Had we asked for the weight of the letter,"
        " the order would mean something, and it would be regression.",
        options=("classification", "regression"),
        asks="The post office photographs envelopes and wants to predict the **postcode**: 10115,"
        " 60313, 80331. Which is it?",
    ),
    "tax-fraud/person": Guess(
        options=("Yes", "No"),
        asks="No refund, single, an income of 85. **What does the tree say** about this person?",
    ),
    "tax-fraud/widow": Guess(
        options=("error", "Yes", "No"),
        asks="No row of the training set is widowed, and the tree has no branch for her. **What"
        " will the tree do?**",
    ),
    "tax-fraud/lane": Guess(
        "Married",
        "All four married people are No, so their box gets none of them wrong, and nothing is left"
        " to ask there. Of the single, two are Yes and two No; of the divorced, one and one.",
        options=("Single", "Married", "Divorced"),
        asks="If the tree asks for *Marital Status*, each lane becomes a box of its own. **In which"
        " lane will no row have a ring?**",
    ),
    "tax-fraud/disagree": Guess(
        within=20,
        asks="About **how many of the 1,200** do the two trees disagree on? (Within 20 counts as"
        " right.)",
        between=(0, 1200),
    ),
    "tax-fraud/leave-one-out": Guess(
        because="Each of the ten trees gets all nine of its own rows right.",
        asks="How many of the ten will it get **wrong**?",
        between=(0, 10),
    ),
    "tax-fraud/five-to-five": Guess(
        entropy_of((5, 5)),
        "Each label has probability 1/2 and surprises by log2(2) = 1 bit. On average that is"
        " 1/2 · 1 + 1/2 · 1: as much as one toss of a coin.",
        within=0.01,
        asks="Two labels, five rows of each. What is the **entropy**, in bits?",
    ),
    "tax-fraud/less-uncertain": Guess(
        "Marital Status",
        "Four rows, the married, are certain, and six are a coin toss. Refund makes only three rows"
        " certain, and the other seven, 4 to 3, are nearly a coin toss.",
        options=("Refund", "Marital Status"),
        asks="Before any arithmetic: after which of the two are you **less uncertain**, on average"
        " over the ten rows?",
    ),
}


__all__ = ["GUESSES"]
