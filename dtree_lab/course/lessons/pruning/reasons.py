"""Choices with a reason."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choice, Question

HIGHEST_FIRST = Exercise(
    id="pruning/highest-first",
    title="The node with the highest reduction",
    points=2,
    heading="highest first",
    text="""A node N has two children that ask, A and B. On the validation rows the subtree of N
makes 6 errors, 3 of them below A and 3 below B. As a leaf, A would make 1 error, B would make 1,
and N would make 3.

**Which** is true of reduced-error pruning as above?

- **A** it cuts A and B, and N stays
- **B** it cuts A, B and then N
- **C** it cuts N, and no other choice of cuts leaves fewer errors
- **D** it cuts N, and another choice of cuts would leave fewer errors

**Because**

- **1** cutting begins at the leaves
- **2** a round takes the highest reduction and does not look further ahead
- **3** a smaller tree is always better on the validation rows""",
    stub="""which = ...  # "A", "B", "C" or "D"
because = ...  # 1, 2 or 3""",
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
    heading="an error to report",
    text="""Ada grows a tree on 160 rows, prunes it with 80 others and reports its error on these
80: 16%. On new rows, what is to be expected?

- **A** about 16%
- **B** an error higher than 16%
- **C** an error lower than 16%

**Because**

- **1** the tree was not grown on these 80 rows
- **2** 80 rows are few, and any error on them is uncertain
- **3** the cuts were chosen for looking good on these 80 rows
- **4** pruning raises the training error""",
    stub="""on_new_rows = ...  # "A", "B" or "C"
because = ...  # 1, 2, 3 or 4""",
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
