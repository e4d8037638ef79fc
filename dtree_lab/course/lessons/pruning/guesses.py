"""Guesses whose answers are not computed in the notebook, or whose reasons would give them away."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES: dict[str, Guess] = {
    "pruning/training-error": Guess(
        "higher",
        "A cut puts one answer in place of several that fitted the training rows as well as they"
        " could. On those rows it can only lose; what pruning lowers, where it does, is the error"
        " on rows that the tree was not grown on.",
        options=("lower", "the same", "higher"),
    ),
}
