"""Lesson 10: random forests."""

from __future__ import annotations

from dtree_lab.course.exercise import Guess

GUESSES = {
    "forests/best-trees": Guess(
        "no",
        "With m = 6 the trees are better, and more alike: where one is wrong, another is mostly"
        " wrong, too, and no vote can mend what most get wrong. With m = 2 each tree is a little"
        " worse, and the mistakes lie in different places.",
        options=("yes", "no"),
        asks="At m = 2 the single trees are worse than at m = 6. Is their **forest** worse, too?",
    ),
    "forests/shuffled-back": Guess(
        "next to nothing",
        "Shuffling the ring's values among rows that the tree has not seen does next to nothing,"
        " because to those rows they never meant anything. What the trees learnt from the ring,"
        " they learnt by heart.",
        options=("about as much", "next to nothing"),
        asks="By impurity the ring is worth many times as much as the sex of the bird. **And"
        " by permutation?**",
    ),
    "forests/no-vote": Guess(
        within=1,
        between=(0, 10),
        asks="With three trees, **about how many of the ten rows** have been in all three"
        " bags, and have no vote at all? (Within 1 counts as right. The algorithm above"
        " has a number for it.)",
    ),
    "forests/new-points": Guess(
        within=0.03,
        between=(0, 1),
        asks="What will the error on the 2,000 **new** points be? (Within 0.03.)",
    ),
    "forests/rule-of-thumb": Guess(
        options=("yes", "no"),
        asks="Two attributes tell all, and 100 nothing. Will **m = 10**, about √102, be"
        " better than m = 102?",
    ),
    "forests/near-rows": Guess(
        options=("near rows", "own species"),
        asks="Which of the two is **nearer to the truth**: the values of near rows, or the"
        " median of the own species?",
    ),
    "forests/many-gaps": Guess(
        within=0.02,
        between=(0, 1),
        asks="**How often is the forest wrong** about 111 new birds of which everything is"
        " known? (Without gaps 0.01; within 0.02 counts as right.)",
    ),
}


__all__ = ["GUESSES"]
