"""Lesson 9: stumps, the bootstrap and boosting."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "boosting/wrong-rows": Guess(
        0.5,
        "Here the wrong rows come to 0.2 · 2 = 0.4 and the right ones to 0.8 / 2 = 0.4. And for any"
        " ε: the wrong ones to ε · √((1 - ε)/ε) = √(ε(1 - ε)), the right ones to (1 - ε) · √(ε/(1 -"
        " ε)), which is the same. So each side has one half. In the next round the old stump is a"
        " coin toss: asking the same again is of no use.",
        within=0.001,
        asks="After that, how much of **all** the weight do the wrong rows have together?"
        " Try it with these numbers, then for any ε.",
        between=(0, 1),
    ),
    "boosting/vote-of-two": Guess(
        3,
        "The second stump has the larger alpha. Wherever the two disagree it decides alone, so the"
        " vote of two is just the second stump. It takes a third to break the tie.",
        asks="One stump gets 2 of the ten wrong. How many do the **first two** get wrong together?",
        between=(0, 10),
    ),
    "boosting/bagged-stumps": Guess(
        "hardly",
        "The stump's bias, several times that of the full tree, stays: a vote of answers that lean"
        " one way leans that way. And of its variance, too, voting takes little. Why not more,"
        " is measured below.",
        options=("a lot", "hardly"),
        asks="If bagging helps a full tree so much, how much does it help a **stump**?",
    ),
    "boosting/best-stump": Guess(
        because="Every cut has been tried.",
        between=(0, 10),
        asks="How many of the ten points will even the **best** stump get wrong?",
    ),
    "boosting/all-ten": Guess(
        because="The first stump takes many others for faces. Each new one looks at what the"
        " vote so far gets wrong, and asks about another part of the picture.",
        within=15,
        between=(0, 600),
        asks="How many of the 600 do **all ten together** get wrong? (Within 15 counts as right.)",
    ),
    "boosting/at-least-once": Guess(
        within=0.03,
        between=(0, 1),
        asks="You draw 1,000 times from 1,000 rows. What share of the rows is in your sample"
        " **at least once**? (Within 0.03.)",
    ),
}


__all__ = ["GUESSES"]
