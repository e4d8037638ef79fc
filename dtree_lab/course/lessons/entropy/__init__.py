"""Lesson 2: entropy, conditional entropy and what a question gains."""

from __future__ import annotations

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.exercise import Guess

GUESSES = {
    "entropy/questions": Guess(
        entropy_of((4, 2, 1, 1)),
        'Ask "Is it A?" first: for half of the rows that is enough. Then "Is it B?": a quarter of'
        ' the rows take two questions. Then "Is it C?": the last quarter takes three. On average'
        " that is 1/2 · 1 + 1/4 · 2 + 1/4 · 3 = 1.75.",
        within=0.01,
        asks="If you ask as cleverly as can be, how many questions do you need **on average**?",
    ),
    "entropy/a-quarter": Guess(
        "more",
        "It is 1/4 · 2 + 3/4 · 0.415 = 0.811 bits. The curve is no straight line: it climbs fast"
        " at its ends and is nearly flat at its top.",
        options=("less", "half", "more"),
        asks="Half-way between, at p = ¼: is the entropy **less** than half a bit, exactly"
        " **half** a bit, or **more**?",
    ),
    "entropy/x1-or-x2": Guess(
        "X1",
        "If X1 is T, which it is in half the rows, you are certain; if it is F, you are right three"
        " times of four. No answer of X2 makes you certain, and after X2 = F you toss a coin.",
        options=("X1", "X2"),
        asks="You may ask for one attribute before you say the label. **Which one?** No"
        " arithmetic yet: look at the rows.",
    ),
    "entropy/worse": Guess(
        "more",
        "Two rows of four say T and two say F: that is 1 bit, and before it was 0.954. An answer"
        " can leave you less certain than you were.",
        options=("less", "more", "just as"),
        asks="After X2 = F, is the label **less** uncertain than before, when it was five to"
        " three? Or **more**, or **just as** uncertain?",
    ),
    "entropy/row-number": Guess(
        entropy_of((5, 3)),
        "It leaves nothing open at all, so it gains all of H(Y).",
        within=0.01,
        asks="Number the eight rows, and offer the number as a third attribute. **What is"
        " its gain**, in bits? (0.01 either way will do.)",
    ),
    "entropy/after-x1": Guess(
        "more",
        "Of the four rows with X1 = F, those with X2 = F are both F, and the other two are one of"
        " each. H(Y) is 0.811 here and X2 leaves 1/2 · 1 + 1/2 · 0 = 0.5, so it gains 0.311 bits:"
        " six times as much as among all eight.",
        options=("less", "the same", "more"),
        asks="What does X2 gain among *these four*: **less** than 0.049 bits, **the same**,"
        " or **more**?",
    ),
    "entropy/negative": Guess(
        between=(0, 1000),
        asks="**How many of the thousand gains are negative?**",
    ),
    "entropy/coin": Guess(
        options=("smaller", "larger"),
        asks="Is the **average gain of the coin** *smaller* or *larger* than the 0.049 bits of X2?",
    ),
}


__all__ = ["GUESSES"]
