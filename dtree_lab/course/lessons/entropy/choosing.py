"""Exercises that ask to choose, with a reason."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choice, Question

_REASONS = ("1", "2", "3", "4")

TWO_TABLES = Exercise(
    id="entropy/two-tables",
    title="The least left, in two tables",
    points=2,
    heading="two tables",
    text=r"""In table 1, attribute X leaves $H(Y \mid X) = 0.6$ bits. In table 2, which has other
rows, attribute Z leaves $H(Y \mid Z) = 0.5$ bits. **Which of them gains more?**

- **A** the attribute X
- **B** one cannot tell
- **C** the attribute Z

**Because**

- **1** the smallest conditional entropy always has the largest gain
- **2** a larger conditional entropy means that more was there to gain
- **3** conditional entropies of different attributes can never be compared
- **4** each is measured against the $H(Y)$ of its own table""",
    stub="""more = ...  # "A", "B" or "C"
because = ...  # 1, 2, 3 or 4""",
    answer="(more, because)",
    task=Choice((Question("more", ("A", "B", "C"), "B"), Question("because", _REASONS, "4"))),
    mistakes=(
        Mistake(
            ("A", "4"),
            "More left does not mean more gained. How much was open in that table to begin with?",
        ),
        Mistake(
            ("C", "4"),
            "Less left does not mean more gained: perhaps there was hardly anything open in that"
            " table to begin with.",
        ),
        Mistake(
            ("B", "1"),
            "That rule holds for attributes that are asked of the same rows. What is the same"
            " there, and is it the same here?",
        ),
        Mistake(
            ("B", "2"),
            "What is left says nothing about what there was. An attribute that leaves much may have"
            " gained much or nothing at all.",
        ),
        Mistake(
            ("B", "3"),
            "Never? ID3 compares just those, attribute by attribute, at every node. What do the"
            " attributes at one node share?",
        ),
    ),
    more="A gain is a difference. Of each difference you know one number. And the other one?",
    solution='more = "B"\nbecause = 4',
    why="The gain is H(Y) - H(Y|X), and the two tables may have any H(Y). With 1 bit in table 1 and"
    " 0.5 in table 2, X gains 0.4 and Z nothing; with 0.6 and 1, X gains nothing and Z 0.5. Only"
    " at the same rows does the least left mean the most gained.",
)

COMPANY = Exercise(
    id="entropy/company",
    title="Useless alone",
    points=2,
    heading="leave it out?",
    text="""A friend computes the gains of all attributes once, on the whole table. One of them
gains exactly 0 bits. "Independent of the label", she says, "I drop it **before growing the tree**.
The tree cannot become any worse." **Is she right?**

- **A** no
- **B** yes

**Because**

- **1** an attribute that is independent of the label cannot help to predict it
- **2** in some heap of another question it may gain a great deal
- **3** chance makes its true gain larger than 0
- **4** the gain ratio would have shown that it is useful""",
    stub="""right = ...  # "A" or "B"
because = ...  # 1, 2, 3 or 4""",
    answer="(right, because)",
    task=Choice((Question("right", ("A", "B"), "A"), Question("because", _REASONS, "2"))),
    mistakes=(
        Mistake(
            ("B", "2"),
            "Does what holds for the whole table hold in every heap as well? Think of the table of"
            " XOR: could a tree do without either of its attributes?",
        ),
        Mistake(
            ("A", "1"),
            "That is what the friend believes. Look at the two attributes of XOR: each is"
            " independent of the label. Do they help to predict it?",
        ),
        Mistake(
            ("A", "3"),
            "Chance makes gains on few rows too *large*: an attribute that means nothing still"
            " gains a little. And nothing here was said about chance.",
        ),
        Mistake(
            ("A", "4"),
            "The gain ratio is the gain divided by something. What is it when the gain is 0?",
        ),
    ),
    more="Think of the tree for XOR: after a1 has been asked, what does a2 gain in either heap?",
    solution='right = "A"\nbecause = 2',
    why="A gain belongs to the rows at which it is computed. In XOR, a2 gains nothing among all"
    " four rows, and a whole bit in each of the two heaps that a1 makes. No tree is right without"
    " it.",
)
