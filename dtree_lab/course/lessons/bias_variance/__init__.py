"""Lesson 7: one tree is one draw, and its error has three parts."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "bias-variance/steadied": Guess(
        "rises",
        "Before, 7 trees of 10 were wrong there; now all 10 are. Where the main prediction is"
        " wrong, it helps to differ from it.",
        options=("falls", "stays", "rises"),
    ),
    "bias-variance/more-rows-stump": Guess(
        "variance",
        "With more rows the place of the one cut, and the two means beside it, hang less on luck."
        " But a stump is two steps, and however many rows there are, two steps are no curve: the"
        " bias does not fall. The noise is the world's.",
        options=("bias", "variance", "noise"),
    ),
    "bias-variance/rho": Guess(
        4 / 9,
        "ρ + (1 - ρ)/10 is to be 1/2. Times ten, 10ρ + 1 - ρ = 5, so 9ρ = 4."
        " Nearly all of the half that is left is the first term: a thousand trees would still leave"
        " 4/9 of σ².",
        within=0.05,
    ),
}


__all__ = ["GUESSES"]
