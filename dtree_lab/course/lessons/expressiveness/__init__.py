"""Lesson 4: what a tree can say, what it costs, and what ID3 prefers."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "expressiveness/sum-mod-2": Guess(1, "The new attribute is the answer already."),
    "expressiveness/at-the-root": Guess(
        0,
        "Of the rows with a1 = F half are odd, and so are half of those with a1 = T.",
        within=0.01,
    ),
    "expressiveness/three-values": Guess(
        512,
        "Two attributes with three values each describe 3 · 3 = 9 instances. Each of them is"
        " labelled in one of two ways, so there are 2 · 2 · … · 2 = 2^9 = 512 concepts.",
    ),
    "expressiveness/intervals": Guess(
        14,
        "Three intervals allow two changes of sign on the way from left to right. Only two of the"
        " 16 ways change three times: - + - + and + - + -.",
    ),
}


__all__ = ["GUESSES"]
