"""Lesson 3: ID3 step by step, and the senses of words."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "word-senses/bits": Guess(
        1.95,
        "H(sense) = 3 · 2/7·log2(7/2) + 1/7·log2(7) = 1.950. Four labels can take up to log2(4) = 2"
        " bits, when all are equally frequent; here they nearly are.",
        within=0.15,
    ),
    "word-senses/questions": Guess(
        3,
        "pos first, then near(river) among the verbs, then near(race) among the three that are"
        " left. near(stockings) is never asked: it gains least at every node.",
    ),
    "word-senses/adverb": Guess(
        "run1",
        "There is no branch for an adverb, so it stops at the root, and the seven rows decide."
        " run1, run3 and run4 have two rows each, and any of them may stand for such a tie; this"
        " library takes the first.",
        options=("error", "run1", "run2", "run3", "run4"),
        also=("run3", "run4"),
    ),
    "word-senses/backtrack": Guess(
        "no, never",
        "There is no step in the loop that takes a question back. ID3 looks one question ahead and"
        " never behind; pruning, which comes later, can only cut questions away. In the next cell"
        " its first question is a bad one, and it stays.",
        options=(
            "yes, it takes a question back",
            "no, never",
            "only when pruning is off",
        ),
    ),
}


__all__ = ["GUESSES"]
