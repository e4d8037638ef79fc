"""Guesses whose answers are not computed in the notebook."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "bias-variance/more-rows-stump": Guess(
        "variance",
        "With more rows the place of the one cut, and the two means beside it, hang less on luck."
        " But a stump is two steps, and however many rows there are, two steps are no curve: the"
        " bias does not fall. The noise is the world's.",
        options=("bias", "variance", "noise"),
    ),
}
