"""Choices with a reason."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choice, Question

HIGHEST_FIRST = Exercise(
    id="pruning/highest-first",
    title="The node with the highest reduction",
    points=2,
    answer="(which, because)",
    task=Choice(
        (Question("which", ("A", "B", "C", "D"), "D"), Question("because", ("1", "2", "3"), "2"))
    ),
    mistakes=(
        Mistake(
            ("C", "2"),
            "It is the first cut, and the greedy one. How many errors remain after it, and how many"
            " would remain if both lower nodes were cut and the upper one stayed?",
        ),
        Mistake(
            ("A", "2"),
            "That is what pruning from the leaves up would do. The lecture's rule looks for the"
            " highest reduction first, wherever it stands.",
        ),
        Mistake(
            ("B", "2"),
            "A node inside one that was cut is gone; there is nothing left to cut.",
        ),
        Mistake(
            ("D", "1"),
            "There is no rule that pruning begins at the leaves. Read the recipe once more: which"
            " node does a round choose?",
        ),
        Mistake(
            ("D", "3"),
            "Smaller is not better by itself on the withheld rows: they are what is counted. Look"
            " at what each cut brings.",
        ),
    ),
    more="Count the errors that are left. Six now; the cut of the upper node removes so many, the"
    " two others together so many. And which of them does a round of the recipe choose?",
    solution='which = "D"\nbecause = 2',
    why="A round takes the highest reduction, 3, and ends with three errors. The two lower cuts"
    " bring 2 each, together 4, and would have left two errors, in a larger tree. Greedy again: one"
    " cut ahead, never back.",
)

HONEST = Exercise(
    id="pruning/honest",
    title="An error to report",
    points=2,
    answer="(on_new_rows, because)",
    task=Choice(
        (
            Question("on_new_rows", ("A", "B", "C"), "B"),
            Question("because", ("1", "2", "3", "4"), "3"),
        )
    ),
    mistakes=(
        Mistake(
            ("C", "3"),
            "Then something would have to speak against the tree on these 80 rows in particular."
            " What were they used for?",
        ),
        Mistake(
            ("A", "3"),
            "It would be so if the 80 rows had only been looked at once, at the end. They were"
            " looked at before.",
        ),
        Mistake(
            ("B", "1"),
            "True, and it is why the error of the unpruned tree on these rows was honest. What"
            " happened after that?",
        ),
        Mistake(
            ("B", "2"),
            "Few rows make a number uncertain, to either side. Asked for is why it leans to one.",
        ),
        Mistake(
            ("B", "4"),
            "The training error says nothing here: neither number is measured on training rows.",
        ),
    ),
    more="Who chose the cuts? Think of a shirt that is altered on you until it fits. Does it fit"
    " your neighbour as well?",
    solution='on_new_rows = "B"\nbecause = 3',
    why="Of all possible cuts those were made that help on these 80 rows, by skill or by luck, and"
    " the luck stays behind. Three heaps are needed: rows to grow on, rows to prune with, and rows"
    " that nobody has looked at.",
)
