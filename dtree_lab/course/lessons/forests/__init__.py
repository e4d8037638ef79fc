"""Lesson 10: random forests."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "forests/best-trees": Guess(
        "no",
        "With m = 6 the trees are better, and more alike: where one is wrong, another is mostly"
        " wrong, too, and no vote can mend what most get wrong. With m = 2 each tree is a little"
        " worse, and the mistakes lie in different places.",
        options=("yes", "no"),
    ),
    "forests/shuffled-back": Guess(
        "next to nothing",
        "Shuffling the ring's values among rows that the tree has not seen does next to nothing,"
        " because to those rows they never meant anything. What the trees learnt from the ring,"
        " they learnt by heart.",
        options=("about as much", "next to nothing"),
    ),
}


__all__ = ["GUESSES"]
