"""The exercise on inductive bias."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choice, Question

TURNED = Exercise(
    id="expressiveness/turned",
    title="ID3 turned round",
    points=2,
    heading="turned round",
    text="""You change a single line of ID3: at each node it now asks the attribute that gains
**least**, among those that split the rows at all. It still goes on until the rows agree. What have
you changed?

- **A** its restriction bias
- **B** its restriction bias and its preference bias
- **C** neither of them
- **D** its preference bias

**Because**

- **1** there are now concepts that it cannot say any more
- **2** it chooses from the same trees as before, and takes another
- **3** it now makes mistakes on the training rows
- **4** the order of the questions does not matter to a tree""",
    stub="""changed = ...  # "A", "B", "C" or "D"
because = ...  # 1, 2, 3 or 4""",
    answer="(changed, because)",
    task=Choice(
        (
            Question("changed", ("A", "B", "C", "D"), "D"),
            Question("because", ("1", "2", "3", "4"), "2"),
        )
    ),
    mistakes=(
        Mistake(
            ("A", "2"),
            "Restriction is about what can be said at all. Is there a tree that it could choose"
            " before and cannot choose any more?",
        ),
        Mistake(
            ("B", "2"),
            "One of the two has changed. Go through them: what can it say at all, and what does it"
            " take among what fits?",
        ),
        Mistake(
            ("C", "2"),
            "For most tables another tree comes out. Then something in how it chooses has changed.",
        ),
        Mistake(
            ("D", "1"),
            "Its trees ask the same attributes as before. Which concept could it not say?",
        ),
        Mistake(
            ("D", "3"),
            "It still goes on until the rows agree: does it fit the training rows any worse?",
        ),
        Mistake(
            ("D", "4"),
            "The order matters a great deal: to the size of the tree, and to what it answers where"
            " it has seen no row.",
        ),
    ),
    more="Ask two things. Which trees could come out at all, before and after the change? And which"
    " of them does come out?",
    solution='changed = "D"\nbecause = 2',
    why="The hypothesis class is the same: all trees over these attributes. It takes another one of"
    " them, as a rule a larger one, with the bad splits near the root.",
)
