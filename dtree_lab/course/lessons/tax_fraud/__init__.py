"""Lesson 1: from a table to a tree grown by hand."""

from __future__ import annotations

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.exercise import Guess

GUESSES = {
    "tax-fraud/postcode": Guess(
        "classification",
        "A postcode is written in digits, but it is a name. To be off by one is as wrong as to be"
        " off by ten thousand: the order means nothing. Had we asked for the weight of the letter,"
        " the order would mean something, and it would be regression.",
        options=("classification", "regression"),
    ),
    "tax-fraud/five-to-five": Guess(
        entropy_of((5, 5)),
        "Each label has probability 1/2 and surprises by log2(2) = 1 bit. On average that is"
        " 1/2 · 1 + 1/2 · 1: as much as one toss of a coin.",
        within=0.01,
    ),
    "tax-fraud/less-uncertain": Guess(
        "Marital Status",
        "Four rows, the married, are certain, and six are a coin toss. Refund makes only three rows"
        " certain, and the other seven, 4 to 3, are nearly a coin toss.",
        options=("Refund", "Marital Status"),
    ),
}


__all__ = ["GUESSES"]
