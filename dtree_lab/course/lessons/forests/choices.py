"""Exercises with a choice: why a node sees few attributes, and which importance to believe."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choice, Question

WHY_M = Exercise(
    id="forests/why-m",
    title="Why a node sees only some of the attributes",
    points=2,
    heading="why?",
    text="""Choose what is true. When m is made **smaller** here, from 6 to 2, **the error of the
forest falls although**

- **A** each single tree gets better
- **B** each single tree grows faster
- **C** each single tree gets worse
- **D** each single tree is pruned more

**Because**

- **1** the attributes that are of no use are left out of the tree
- **2** each tree then sees other rows
- **3** two trees are then less often wrong about the same row
- **4** each node then asks a better question""",
    stub="""effect = ...  # "A", "B", "C" or "D"
because = ...  # 1, 2, 3 or 4""",
    answer="(effect, because)",
    task=Choice(
        (
            Question("effect", ("A", "B", "C", "D"), "C"),
            Question("because", ("1", "2", "3", "4"), "3"),
        )
    ),
    mistakes=(
        Mistake(
            ("A", "3"),
            "Look at the column of the single trees once more: is it smaller at m = 2 or at m = 6?",
        ),
        Mistake(
            ("B", "3"),
            "Fewer attributes at a node do save some time, but no row is predicted better because"
            " a tree was grown sooner. The forest's error was asked for.",
        ),
        Mistake(
            ("D", "3"),
            "The trees are fully grown for any m: each goes on until its leaves are pure.",
        ),
        Mistake(
            ("C", "1"),
            "An attribute that is left out at one node is drawn at another, since they are drawn"
            " afresh. None is lost to the tree.",
        ),
        Mistake(
            ("C", "2"),
            "Each tree has its bootstrap sample already, whatever m is. What does the drawing of"
            " attributes add to it?",
        ),
        Mistake(
            ("C", "4"),
            "Can a node that chooses among fewer attributes find a better question than one that"
            " may choose among all of them?",
        ),
    ),
    more="A vote mends a mistake that only some of the trees make. Which column of the table says"
    " how often two trees are wrong about the same row?",
    solution='effect = "C"\nbecause = 3',
    why="A small m takes a little from every tree and makes their mistakes more independent. The"
    " vote gains more by this than it loses, up to a point: where hardly any attribute is of use,"
    " m = 1 asks useless questions too often.",
)

WHICH_IMPORTANCE = Exercise(
    id="forests/which-importance",
    title="Which importance to believe",
    points=2,
    heading="which one would you believe?",
    text="""A bank's table has the client number among its attributes, in forty groups. **No other
column has anything to do with it.** In a forest it has an importance of 0.21 by impurity and of
0.00 by permutation; numbers drawn by lot get from -0.01 to 0.01 by permutation. How much does it
**really** help with new clients?

- **A** about a fifth of all that the forest knows
- **B** next to nothing
- **C** about half of that fifth, the mean of the two
- **D** one cannot tell

**Because**

- **1** of two numbers one should believe the smaller
- **2** the permutation is measured on rows that the tree has not seen
- **3** the impurity is counted at every question of every tree
- **4** the permutation grows a new forest without the attribute""",
    stub="""helps = ...  # "A", "B", "C" or "D"
because = ...  # 1, 2, 3 or 4""",
    answer="(helps, because)",
    task=Choice(
        (
            Question("helps", ("A", "B", "C", "D"), "B"),
            Question("because", ("1", "2", "3", "4"), "2"),
        )
    ),
    mistakes=(
        Mistake(
            ("A", "2"),
            "That number comes from the impurity, counted on the very rows that the trees were"
            " grown on. Which attribute had so many values that it could part them by luck?",
        ),
        Mistake(
            ("C", "2"),
            "Two numbers that disagree are not made right by their mean: one of them has a known"
            " fault here.",
        ),
        Mistake(
            ("D", "2"),
            "It could not be told if another column said the same, for the trees would fall back on"
            " that one when the number is shuffled. But none does, and one of the two was measured"
            " on rows out of the bag, where luck is of no use.",
        ),
        Mistake(
            ("B", "1"),
            "A small number is no reason to believe it. How was it measured, and on which rows?",
        ),
        Mistake(
            ("B", "3"),
            "So it is, but that makes it no better and no worse. What matters is on *which rows* a"
            " number is measured.",
        ),
        Mistake(
            ("B", "4"),
            "Neither of them needs a new forest: both ask the trees that are there.",
        ),
    ),
    more="Which of the two is measured on rows that the tree has not seen? To have learnt a row by"
    " heart is worth nothing there.",
    solution='helps = "B"\nbecause = 2',
    why="Out of the bag the client number says nothing, and the permutation shows it: what it gives"
    " lies well among what numbers drawn by lot get, and no other column could stand in for it. The"
    " impurity counts how well an attribute parts the rows that the tree was grown on, and forty"
    " values part any rows well.",
)
