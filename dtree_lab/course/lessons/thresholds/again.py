"""The exercise on asking an attribute once more."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choice, Question

ASK_AGAIN = Exercise(
    id="thresholds/ask-again",
    title="What is left to ask",
    points=2,
    heading="what is left to ask?",
    text="""On its way down a row has answered *island = Dream*, and then *bill_length_mm < 47*.
Which question can still tell rows apart **here**?

- **A** bill_length_mm < 44.65?
- **B** bill_length_mm < 47?
- **C** bill_length_mm < 49?
- **D** island?

**Because**

- **1** what has come down this path still lies on both sides of it
- **2** a continuous attribute may be asked as often as one likes, with any cut
- **3** the attribute has more than two values
- **4** it lies between two rows of the table""",
    stub="""again_useful = ...  # "A", "B", "C" or "D"
because_again = ...  # 1, 2, 3 or 4""",
    answer="(again_useful, because_again)",
    task=Choice(
        (
            Question("again_useful", ("A", "B", "C", "D"), "A"),
            Question("because_again", ("1", "2", "3", "4"), "1"),
        )
    ),
    mistakes=(
        Mistake(
            ("D", "1"),
            "Every row that comes here has already said on which island it lives. All would give"
            " the same answer.",
        ),
        Mistake(
            ("B", "1"),
            "That very question was asked a moment ago, and only one of its answers leads here.",
        ),
        Mistake(
            ("C", "1"),
            "What has come here is shorter than 47. How many of these are 49 or longer?",
        ),
        Mistake(
            ("A", "2"),
            "As often as one likes, yes; but not with *any* cut: some would get the same answer"
            " from every row that is still here.",
        ),
        Mistake(
            ("A", "3"),
            "An attribute can have many values in the table, and all rows here the same one."
            " What matters is what has come down this path.",
        ),
        Mistake(
            ("A", "4"),
            "Another of the cuts lies between two rows of the table too, and tells nothing here."
            " Which rows are still here?",
        ),
    ),
    more="Write down what is known of a row that has come here: its island, and between which"
    " bounds its bill length lies. Which question has two possible answers for such a row?",
    solution='again_useful = "A"\nbecause_again = 1',
    why="A bill below 47 mm can be below 44.65 or not. The island is known, the same question has"
    " its answer, and all that is below 47 is below 49.",
)
