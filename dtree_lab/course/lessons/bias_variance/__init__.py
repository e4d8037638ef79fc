"""Lesson 7: one tree is one draw, and its error has three parts."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "bias-variance/steadied": Guess(
        "rises",
        "Before, 7 trees of 10 were wrong there; now all 10 are. Where the main prediction is"
        " wrong, it helps to differ from it.",
        options=("falls", "stays", "rises"),
        asks="What happens to the error on **row 2**?",
    ),
    "bias-variance/more-rows-stump": Guess(
        "variance",
        "With more rows the place of the one cut, and the two means beside it, hang less on luck."
        " But a stump is two steps, and however many rows there are, two steps are no curve: the"
        " bias does not fall. The noise is the world's.",
        options=("bias", "variance", "noise"),
        asks="Which of the three parts of a stump's error **will fall** with more rows?",
    ),
    "bias-variance/rho": Guess(
        4 / 9,
        "ρ + (1 - ρ)/10 is to be 1/2. Times ten, 10ρ + 1 - ρ = 5, so 9ρ = 4."
        " Nearly all of the half that is left is the first term: a thousand trees would still leave"
        " 4/9 of σ².",
        within=0.05,
        asks="Ten trees have left about half of σ². **How large must ρ be** for that? (0.05"
        " either way.)",
        between=(0, 1),
    ),
    "bias-variance/scattered": Guess(
        options=("stump", "deep"),
        asks="A hundred training sets, and on each a stump and a deep tree. Which kind has"
        " the more **scattered** answers at x = 0.25?",
    ),
    "bias-variance/leaf-or-tree": Guess(
        options=("leaf", "tree"),
        asks="Which has the **smaller** expected squared error, the leaf or the tree?",
    ),
    "bias-variance/best-depth": Guess(
        because="The table and the picture below show why.",
        within=1,
        between=(1, 8),
        asks="At which depth, from 1 to 8, will the expected error be **least**? (One level"
        " off counts as right.)",
    ),
    "bias-variance/ten-bagged": Guess(
        options=("a tenth", "about a half", "not at all"),
        asks="What becomes of the variance of deep trees when ten of them are bagged,"
        " instead of one: does it fall to **a tenth**, to **about a half**, or **not at"
        " all**?",
    ),
}


__all__ = ["GUESSES"]
