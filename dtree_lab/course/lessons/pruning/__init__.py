"""Lesson 6: overfitting, and when less tree knows more."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES: dict[str, Guess] = {
    "pruning/noise": Guess(
        29.5,
        "Noise is paid for twice: once where the new label is wrong, and once where the tree has"
        " copied a wrong label for the place.",
        within=5,
    ),
    "pruning/xor": Guess(
        1,
        "The first question gains nothing by itself, so it is not asked, and the second one, which"
        " would gain everything, never comes up.",
    ),
    "pruning/second-round": Guess(
        "storm: Day",
        "It still brings 1. The Tide went with the node above it, which is a leaf now. And the root"
        " would make 6 errors where 3 are left: 3 more.",
        options=("Wind", "calm, fog: Tide", "storm: Day", "none"),
    ),
    "pruning/own-rows": Guess(
        0,
        "The tree gets all its own rows right, so no cut can lower that error. For the training"
        " rows the largest tree is the best one.",
    ),
}


__all__ = ["GUESSES"]
