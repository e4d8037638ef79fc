"""Lesson 3: ID3 step by step, and the senses of words."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "word-senses/bits": Guess(
        1.95,
        "H(sense) = 3 · 2/7·log2(7/2) + 1/7·log2(7) = 1.950. Four labels can take up to log2(4) = 2"
        " bits, when all are equally frequent; here they nearly are.",
        within=0.15,
        asks="**How much is the entropy** of the seven labels, in bits? (Within 0.15 counts"
        " as right.)",
    ),
    "word-senses/questions": Guess(
        3,
        "pos first, then near(river) among the verbs, then near(race) among the three that are"
        " left. near(stockings) is never asked: it gains least at every node.",
        asks="**How many questions** will the whole tree for the seven rows contain, when"
        " ID3 is done?",
    ),
    "word-senses/adverb": Guess(
        "run1",
        "There is no branch for an adverb, so it stops at the root, and the seven rows decide."
        " run1, run3 and run4 have two rows each, and any of them may stand for such a tie; this"
        " library takes the first.",
        options=("error", "run1", "run2", "run3", "run4"),
        also=("run3", "run4"),
        asks="What does ID3's tree say of a *run* that is marked as an **adverb**?",
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
        asks="When a question turns out badly, **does ID3 go back?**",
    ),
    "word-senses/fifth-wrong": Guess(
        asks="The full tree has 4 leaves. **How many** has the one that may get 20% wrong?",
    ),
    "word-senses/large": Guess(
        because="Many of its questions are about words that only one or two training sentences"
        " have. What they say there is chance.",
        within=8,
        between=(0, 100),
        asks="**What is its error** on the 50 sentences kept for pruning, in per cent?"
        " (Within 8 counts as right.)",
    ),
    "word-senses/all-words": Guess(
        within=8,
        between=(0, 100),
        asks="With *all* words let in, **what is the error on the unseen sentences** now, in"
        " per cent? It was 44. (Within 8 counts as right.)",
    ),
}


__all__ = ["GUESSES"]
