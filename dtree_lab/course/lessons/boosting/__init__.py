"""Lesson 9: stumps, the bootstrap and boosting."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "boosting/wrong-rows": Guess(
        0.5,
        "Here the wrong rows come to 0.2 · 2 = 0.4 and the right ones to 0.8 / 2 = 0.4. And for any"
        " ε: the wrong ones to ε · √((1 - ε)/ε) = √(ε(1 - ε)), the right ones to (1 - ε) · √(ε/(1 -"
        " ε)), which is the same. So each side has one half. In the next round the old stump is a"
        " coin toss: asking the same again is of no use.",
        within=0.001,
    ),
    "boosting/vote-of-two": Guess(
        3,
        "The second stump has the larger alpha. Wherever the two disagree it decides alone, so the"
        " vote of two is just the second stump. It takes a third to break the tie.",
    ),
    "boosting/bagged-stumps": Guess(
        "hardly",
        "The stump's bias, several times that of the full tree, stays: a vote of answers that lean"
        " one way leans that way. And of its variance, too, voting takes little. Why not more,"
        " is measured below.",
        options=("a lot", "hardly"),
    ),
}


__all__ = ["GUESSES"]
