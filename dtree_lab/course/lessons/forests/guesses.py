"""Guesses whose answers are not computed in the notebook, or whose reasons would give them away."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "forests/best-trees": Guess(
        "no",
        "With m = 6 the trees are the best and the most alike: where one is wrong, so are the"
        " others, and no vote can mend what all get wrong. With a smaller m each tree is a little"
        " worse, and the mistakes lie in different places.",
        options=("yes", "no"),
    ),
    "forests/shuffled-back": Guess(
        "next to nothing",
        "Shuffling the ring's values among rows that the tree has not seen changes nothing, because"
        " to those rows they never meant anything. What the trees learnt from the ring, they learnt"
        " by heart.",
        options=("about as much", "next to nothing"),
    ),
}
