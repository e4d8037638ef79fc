"""Lesson 6: overfitting, and when less tree knows more."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES: dict[str, Guess] = {
    "pruning/noise": Guess(
        29.5,
        "Noise is paid for twice: once where the new label is wrong, and once where the tree has"
        " copied a wrong label for the place.",
        within=5,
        asks="**What will this tree's error** on the 2,000 new rows be, in per cent? (Within"
        " 5 counts as right.)",
        between=(0, 100),
    ),
    "pruning/xor": Guess(
        1,
        "The first question gains nothing by itself, so it is not asked, and the second one, which"
        " would gain everything, never comes up.",
        asks="**How many nodes** does the tree have if a question must gain at least 0.01 bits?",
    ),
    "pruning/second-round": Guess(
        "storm: Day",
        "It still brings 1. The Tide went with the node above it, which is a leaf now. And the root"
        " would make 6 errors where 3 are left: 3 more.",
        options=("Wind", "calm, fog: Tide", "storm: Day", "none"),
        asks="Which node will be cut in the **second round**?",
    ),
    "pruning/own-rows": Guess(
        0,
        "The tree gets all its own rows right, so no cut can lower that error. For the training"
        " rows the largest tree is the best one.",
        asks="**How many cuts** does reduced-error pruning make on the rows that the tree"
        " was grown on?",
    ),
    "pruning/how-large": Guess(
        within=20,
        between=(1, 139),
        asks="At **how many nodes**, leaves included, will the error on new rows be least?"
        " (Within 20 counts as right. The full tree has 139.)",
    ),
    "pruning/few-rows": Guess(
        because="And with more rows?",
        within=2,
        between=(0, 20),
        asks="How often of twenty is the pruned tree **worse** on the 2,000 new rows than it"
        " was before? (Within 2 counts as right.)",
    ),
}


__all__ = ["GUESSES"]
