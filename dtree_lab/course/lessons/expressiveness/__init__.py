"""Lesson 4: what a tree can say, what it costs, and what ID3 prefers."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "expressiveness/sum-mod-2": Guess(
        1,
        "The new attribute is the answer already.",
        asks="XOR over six attributes needs 63 internal nodes. With the sum mod 2 as a"
        " seventh attribute: **how many?**",
    ),
    "expressiveness/at-the-root": Guess(
        0,
        "Of the rows with a1 = F half are odd, and so are half of those with a1 = T.",
        within=0.01,
        asks="**How many bits** does a1 gain at the root?",
    ),
    "expressiveness/three-values": Guess(
        512,
        "Two attributes with three values each describe 3 · 3 = 9 instances. Each of them is"
        " labelled in one of two ways, so there are 2 · 2 · … · 2 = 2^9 = 512 concepts.",
        asks="Now two attributes with **three** values each, and still two labels. How many"
        " concepts? (Follow the three steps.)",
    ),
    "expressiveness/intervals": Guess(
        14,
        "Three intervals allow two changes of sign on the way from left to right. Only two of the"
        " 16 ways change three times: - + - + and + - + -.",
        asks="In **how many of the 16 ways** can a tree with 3 leaves label the four points?",
        between=(0, 16),
    ),
    "expressiveness/or-five": Guess(
        because="One true value settles it. Only F leads further.",
        asks="A tree for OR over *five* attributes: **how many internal nodes** does it need?",
    ),
    "expressiveness/xor-three": Guess(
        because="Nothing settles it before the last value is known.",
        asks="And XOR over three attributes, **how many internal nodes**?",
    ),
    "expressiveness/fewer-nodes": Guess(
        within=2,
        asks="How many of the other correct trees have **fewer nodes** than ID3's? (Within 2"
        " counts as right.)",
    ),
}


__all__ = ["GUESSES"]
