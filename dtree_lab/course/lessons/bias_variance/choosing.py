"""Exercises on telling the parts of an error from a description."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choice, Question

_REASONS = ("1", "2", "3", "4")

WHICH_PART = Exercise(
    id="bias-variance/which-part",
    title="Which part is the trouble?",
    points=2,
    heading="which part?",
    text="""A tree is grown until every training row is right. Its training error is 0; on new rows
it is often wrong. Its owner grows another one from other rows of the same kind: it is just as often
wrong, but on *different* rows. The labels are reliable. What is the trouble?

- **A** bias
- **B** noise
- **C** variance

**Because**

- **1** the training error is 0
- **2** the labels contradict each other, so nobody could be right
- **3** trees from different training sets go wrong in the same way
- **4** trees from different training sets go wrong in different places""",
    stub="""trouble = ...  # "A", "B" or "C"
because = ...  # 1, 2, 3 or 4""",
    answer="(trouble, because)",
    task=Choice(
        (Question("trouble", ("A", "B", "C"), "C"), Question("because", _REASONS, "4")),
    ),
    mistakes=(
        Mistake(
            ("A", "4"),
            "Bias is what stays when the answers of many trees are averaged. Would the mistakes of"
            " these two trees stay, if they were averaged with many others?",
        ),
        Mistake(
            ("A", "3"),
            "That would be bias. But read again what is said about the two owners' mistakes: are"
            " they on the same rows?",
        ),
        Mistake(
            ("B", "4"),
            "Noise is in the labels of the world, whoever grows the tree. What is said about these"
            " labels?",
        ),
        Mistake(
            ("B", "2"),
            "Labels that contradict each other would be noise. Here it is said that they are"
            " reliable.",
        ),
        Mistake(
            ("C", "1"),
            "A training error of nothing is a fact about one tree and its own rows. What you look"
            " for shows only when trees from several training sets are laid side by side.",
        ),
        Mistake(
            ("C", "2"),
            "The labels are reliable, it is said: then they do not contradict each other.",
        ),
        Mistake(
            ("C", "3"),
            "If all trees went wrong in the same way, their mean would be wrong too. What is that"
            " called?",
        ),
    ),
    more="Imagine a hundred such trees, from a hundred training sets, that answer together by"
    " majority. Would their mistakes pile up on some rows, or cancel out?",
    solution='trouble = "C"\nbecause = 4',
    why="Two trees that are wrong on different rows would be right together on most of them: their"
    " mistakes are the luck of the rows, and that is variance. What all trees get wrong alike is"
    " bias; what nobody could get right is noise.",
)

MORE_ROWS = Exercise(
    id="bias-variance/more-rows",
    title="More rows, or another tree?",
    points=2,
    heading="more rows, or another tree?",
    text="""A team predicts with trees of depth 2. On the rows they were grown on the trees are
wrong by about as much as on new rows, and far more than the noise would explain. Ten times as many
rows can be had, for money. Should they buy them?

- **A** no, let the trees grow deeper
- **B** no, average ten such trees, grown on ten samples of the rows they have (*bagging*, below)
- **C** yes

**Because**

- **1** what is wrong is mostly bias, and it comes from what such a tree can say
- **2** more rows always make the error smaller by much
- **3** what is wrong is mostly variance, and averaging lowers it
- **4** what is wrong is mostly noise""",
    stub="""what = ...  # "A", "B" or "C"
because = ...  # 1, 2, 3 or 4""",
    answer="(what, because)",
    task=Choice(
        (Question("what", ("A", "B", "C"), "A"), Question("because", _REASONS, "1")),
    ),
    mistakes=(
        Mistake(
            ("C", "2"),
            "More rows lower the variance. These trees are as wrong on their own rows as on new"
            " ones: is variance what they suffer from?",
        ),
        Mistake(
            ("C", "3"),
            "If it were variance, the trees would be much better on the rows they were grown on"
            " than on new ones. Are they?",
        ),
        Mistake(
            ("C", "1"),
            "What did four and sixteen times as many rows do to the stump: which of its parts fell,"
            " and which did not? And which part is these trees' trouble?",
        ),
        Mistake(
            ("B", "3"),
            "Averaging lowers the variance, that is true. Look for a sign of much variance in the"
            " description: how do training error and error on new rows compare?",
        ),
        Mistake(
            ("B", "1"),
            "Averaging lowers one part and leaves the others. Is it the part that these trees"
            " suffer from?",
        ),
        Mistake(
            ("A", "2"),
            "Always, and by much? Look once more at the stump with 25, 100 and 400 rows.",
        ),
        Mistake(
            ("A", "4"),
            "Read once more what is said about the noise: does it explain the error?",
        ),
        Mistake(
            ("A", "3"),
            "Deeper trees have more of that, not less. And is there any sign that these have much"
            " of it?",
        ),
    ),
    more="First rule out one part after the other. Noise: it is said how much that explains."
    " Variance: it makes trees much better on their own rows than on new ones. What is left, and"
    " what changes it?",
    solution='what = "A"\nbecause = 1',
    why="Wrong on its own rows as much as on new ones, and not for noise: that is bias, two levels"
    " of questions cannot say what is true. More rows and bagging both work on the variance. A"
    " deeper tree can say more, as long as the rows suffice for it.",
)
