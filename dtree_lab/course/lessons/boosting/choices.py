"""Exercises with a choice: what one question can do, and which kind of voting helps whom."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choice, Question

ONE_QUESTION = Exercise(
    id="boosting/one-question",
    title="What one question can do",
    points=2,
    answer="(table, because)",
    task=Choice(
        (
            Question("table", ("A", "B", "C", "D"), "C"),
            Question("because", ("1", "2", "3", "4"), "2"),
        )
    ),
    mistakes=(
        Mistake(
            ("A", "2"),
            "Draw the square and one straight cut. A square has four sides; how many of them can a"
            " single cut be?",
        ),
        Mistake(
            ("B", "2"),
            "The boundary there is straight, but it leans. A stump looks at one dimension alone;"
            " to know on which side of a slanting line a point lies takes both.",
        ),
        Mistake(
            ("D", "2"),
            "An interval has two ends. At which of them would you put the only cut, and what"
            " becomes of the other?",
        ),
        Mistake(
            ("C", "1"),
            "Equal numbers do not make a table easy: the ten points above had five of each class,"
            " and no stump got them right.",
        ),
        Mistake(
            ("C", "3"),
            "All four tables have two classes, so this cannot tell one of them from the others.",
        ),
        Mistake(
            ("C", "4"),
            "A stump cannot tell how many rows there are: it would part a million of them by the"
            " same rule. Look at the shape of the boundary.",
        ),
    ),
    more="A stump compares one attribute with one number. Which of the four tables is described by"
    " just one comparison?",
    solution='table = "C"\nbecause = 2',
    why='"x2 at least 3" is one threshold along one dimension, and that is all a stump is. The'
    " square needs four cuts, the interval two, and the diagonal a whole staircase.",
)

WHICH_HELP = Exercise(
    id="boosting/which-help",
    title="Bagging or boosting?",
    points=2,
    answer="(method, because)",
    task=Choice(
        (
            Question("method", ("A", "B", "C", "D"), "B"),
            Question("because", ("1", "2", "3", "4"), "3"),
        )
    ),
    mistakes=(
        Mistake(
            ("A", "3"),
            "Bagging leaves the bias of its members as it is: the average of answers that all lean"
            " one way leans that way. Is it bias or variance that makes these stumps wrong?",
        ),
        Mistake(
            ("C", "3"),
            "A bootstrap sample repeats some rows and leaves out others. Nothing has been learnt"
            " that the table did not say before.",
        ),
        Mistake(
            ("D", "3"),
            "A lucky stump is still one question: to pick it out cures neither of the two parts.",
        ),
        Mistake(
            ("B", "1"),
            "Look at the two numbers again. Which is the larger one for these stumps, and which of"
            " the two methods is made against it?",
        ),
        Mistake(
            ("B", "2"),
            "That is true of bagging only: in boosting each round waits for the weights of the one"
            " before. And a method that is quick need not mend what is wrong with these stumps.",
        ),
        Mistake(
            ("B", "4"),
            "There is no such promise: with labels that were turned over it does overfit, as the"
            " next section shows. And what is wrong with these stumps is something else.",
        ),
    ),
    more="Two numbers are given, bias² and variance. Which of them is large here? And which method"
    " changes what its members *ask*, instead of averaging the same question?",
    solution='method = "B"\nbecause = 3',
    why="The bias is what makes these stumps wrong, and only boosting changes it: each new stump is"
    " made to look where the vote so far is wrong. Bagging takes away variance, of which they have"
    " little.",
)
