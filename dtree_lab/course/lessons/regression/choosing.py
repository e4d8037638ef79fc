"""Exercises that ask to choose, with a reason."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choice, Question

_REASONS = ("1", "2", "3", "4")

ORDER = Exercise(
    id="regression/order",
    title="Which one is regression?",
    points=1,
    heading="find the regression",
    text="""Which of these is **regression**, by the sharper definition?

- **A** predicting the number on a footballer's shirt
- **B** predicting somebody's blood group
- **C** predicting how many children a family has
- **D** predicting the dialling code of a town

**Because**

- **1** the labels are written in digits
- **2** to be off by one is better than to be off by three
- **3** there is no end of possible labels
- **4** the labels are real numbers, with others in between""",
    stub="""which = ...  # "A", "B", "C" or "D"
because = ...  # 1, 2, 3 or 4""",
    answer="(which, because)",
    task=Choice((Question("which", ("A", "B", "C", "D"), "C"), Question("because", _REASONS, "2"))),
    mistakes=(
        Mistake(
            ("A", "2"),
            "A shirt number is a name in digits. Is the goalkeeper with the 1 less than the striker"
            " with the 9, and is it a smaller mistake to say 8?",
        ),
        Mistake(
            ("B", "2"),
            "Blood groups are names: none is more than another, and no wrong one is nearly right.",
        ),
        Mistake(
            ("D", "2"),
            "A dialling code is a name in digits. Who dials a code that is off by one does not"
            " reach the town nearly.",
        ),
        Mistake(
            ("C", "1"),
            "Shirt numbers and dialling codes are written in digits, too. What is different here?",
        ),
        Mistake(
            ("C", "3"),
            "How many labels there are decides nothing: five stars are few, and they have an"
            " order.",
        ),
        Mistake(
            ("C", "4"),
            "That would be the usual definition, and it would not even hold: nobody has two and a"
            " half children. The sharper one asks for something else.",
        ),
    ),
    more="Make a small mistake and a large one in each of the four. Where does the difference"
    " matter?",
    solution='which = "C"\nbecause = 2',
    why="Children are counted in whole numbers, so by the usual definition one could argue. But"
    " three is more than two, and to say three where there are four is a smaller mistake than to"
    " say none: the order means something.",
)

LEAF = Exercise(
    id="regression/leaf",
    title="The right answer for a leaf",
    points=2,
    heading="stars again",
    text="""A leaf holds films with these stars: 1, 1, 1, 5, 5. You win a prize for each new film of
that leaf whose stars you name **exactly**, and nothing for coming close. Which answer should the
leaf give?

- **A** the mean
- **B** the vote
- **C** a fitted line

**Because**

- **1** it has the smallest mean squared error
- **2** it lies between the others, so it is never far off
- **3** it is the one that is exactly right most often
- **4** it goes on beyond the labels that were seen""",
    stub="""answer = ...  # "A", "B" or "C"
because = ...  # 1, 2, 3 or 4""",
    answer="(answer, because)",
    task=Choice((Question("answer", ("A", "B", "C"), "B"), Question("because", _REASONS, "3"))),
    mistakes=(
        Mistake(
            ("A", "3"),
            "What is the mean of these stars, and how often has a film just so many?",
        ),
        Mistake(
            ("C", "3"),
            "A fitted line gives some number in between. How often is that exactly the number of"
            " stars?",
        ),
        Mistake(
            ("B", "1"),
            "That is true of the mean. And is a squared error what the prize is for?",
        ),
        Mistake(
            ("B", "2"),
            "That would describe the mean. And what would be the use of never being far off, with"
            " this prize?",
        ),
        Mistake(
            ("B", "4"),
            "That describes a line. The prize is for stars from 1 to 5, and all of them are known.",
        ),
    ),
    more="Work out each answer for the five films, and count how many of them it hits exactly.",
    solution='answer = "B"\nbecause = 3',
    why="The vote says 1 and hits three films of five. The mean says 2.6, which no film has: it"
    " never wins, though its mean squared error is the smallest. What a leaf should answer depends"
    " on what a mistake costs.",
)
