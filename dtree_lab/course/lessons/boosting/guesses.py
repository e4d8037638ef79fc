"""Guesses whose answers are not computed in the notebook, or whose reasons would give them away."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "boosting/half": Guess(
        0.5,
        "The wrong rows had ε and are divided by 2ε; the right ones had 1 - ε and are divided by"
        " 2(1 - ε). Each side has one half. To the next round the old stump is a coin toss: asking"
        " the same again is of no use.",
        within=0.001,
    ),
    "boosting/bagged-stumps": Guess(
        "hardly",
        "The ten stumps of one training set mostly ask about the same cut, so their vote is hardly"
        " another stump. And what is wrong with a stump in the first place is its bias: a vote of"
        " answers that are all biased is biased.",
        options=("a lot", "hardly"),
    ),
}
