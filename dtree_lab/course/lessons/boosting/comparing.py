"""What one question can do, where bagging pays, and whether bagging or boosting helps."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choose, Do, Goal, Question, when
from dtree_lab.labs.biasvariance.model import State as Measured
from dtree_lab.labs.biasvariance.model import dump, load, start, work

ONE_QUESTION = Exercise(
    id="boosting/one-question",
    title="What one question can do",
    points=2,
    heading="what one question can do",
    text="""Each table has two attributes, x1 and x2, and two classes, + and −. **Which one** does a
stump get entirely right?

- **A** + inside a square in the middle, − around it
- **B** + where x2 is larger than x1
- **C** + where x1 lies between 2 and 5
- **D** + where x2 is at least 3, whatever x1 is

And **because**?

- **1** its two classes have the same number of rows
- **2** it has few rows
- **3** it has only two classes
- **4** its boundary is one threshold along one dimension""",
    stub="""one_question = dt.course.ask("boosting/one-question")
one_question""",
    answer="one_question",
    task=Choose(
        (
            Question("table", ("A", "B", "C", "D"), "D"),
            Question("because", ("1", "2", "3", "4"), "4"),
        )
    ),
    mistakes=(
        Mistake(
            ("A", "4"),
            "Draw the square and one straight cut. A square has four sides; how many of them can a"
            " single cut be?",
        ),
        Mistake(
            ("B", "4"),
            "The boundary there is straight, but it leans. A stump looks at one dimension alone;"
            " to know on which side of a slanting line a point lies takes both.",
        ),
        Mistake(
            ("C", "4"),
            "An interval has two ends. At which of them would you put the only cut, and what"
            " becomes of the other?",
        ),
        Mistake(
            ("D", "1"),
            "Equal numbers do not make a table easy: the ten points above had five of each class,"
            " and no stump got them right.",
        ),
        Mistake(
            ("D", "3"),
            "All four tables have two classes, so this cannot tell one of them from the others.",
        ),
        Mistake(
            ("D", "2"),
            "A stump cannot tell how many rows there are: it would part a million of them by the"
            " same rule. Look at the shape of the boundary.",
        ),
    ),
    more="A stump compares one attribute with one number. Which of the four tables is described by"
    " just one comparison?",
    solution='one_question = dt.course.ask("boosting/one-question", answer=("D", 4))',
    why='"x2 at least 3" is one threshold along one dimension, and that is all a stump is. The'
    " square needs four cuts, the interval two, and the diagonal a whole staircase.",
)

WHICH_HELP = Exercise(
    id="boosting/which-help",
    title="Bagging or boosting?",
    points=2,
    heading="bagging or boosting?",
    text="""Somebody measures stumps as we did: bias² 0.08 and variance 0.08. Ten of them vote:
still 0.08 and 0.07. **What** should they try, so that the loss goes down?

- **A** boost them
- **B** let a hundred of them vote, each grown on a bootstrap sample
- **C** draw a bootstrap sample, and grow a single stump on it
- **D** keep the stump that happens to do best

**Because**

- **1** voting leaves most of both parts, and here each new stump is made to mend what the vote gets
  wrong
- **2** the variance is as large as the bias, and more votes take it away
- **3** all members can be grown at the same time, so it is quicker
- **4** it cannot overfit""",
    stub="""which_help = dt.course.ask("boosting/which-help")
which_help""",
    answer="which_help",
    task=Choose(
        (
            Question("method", ("A", "B", "C", "D"), "A"),
            Question("because", ("1", "2", "3", "4"), "1"),
        )
    ),
    mistakes=(
        Mistake(
            ("B", "1"),
            "Ten votes have been tried. Of an average, more members can only take what is left of"
            " the part that shrinks with their number; and the bias does not shrink with it at"
            " all. What would make the members ask something *else*?",
        ),
        Mistake(
            ("C", "1"),
            "A bootstrap sample repeats some rows and leaves out others. Nothing has been learnt"
            " that the table did not say before.",
        ),
        Mistake(
            ("D", "1"),
            "A lucky stump is still one question: to pick it out cures neither of the two parts.",
        ),
        Mistake(
            ("A", "2"),
            "What the variance is does not say what can be taken from it. Ten votes took"
            " 0.01 of 0.08; and boosting is not a matter of more votes on the same weights.",
        ),
        Mistake(
            ("A", "3"),
            "That is true of bagging only: in boosting each round waits for the weights of the one"
            " before. And a method that is quick need not mend what is wrong with these stumps.",
        ),
        Mistake(
            ("A", "4"),
            "There is no such promise: with labels that were turned over it can overfit, as the"
            " next section shows. And what is wrong with these stumps is something else.",
        ),
    ),
    more="Compare the numbers before the vote and after it: how much has it taken of either part?"
    " And which method changes what its members *ask*, instead of asking the same again?",
    solution='which_help = dt.course.ask("boosting/which-help", answer=("A", 1))',
    why="Which part is larger does not decide: voting has been tried and has left both. In boosting"
    " each new stump is made to look where the vote so far is wrong; above, ten of them had about"
    " half of the bias² of one, and a loss well below that of ten that voted on equal terms.",
)


_TAKES_AWAY, _SETS = 0.3, 20
# From this depth on bagging takes away enough, with the settings that the lesson hands out.
_DEEP = 5


def measure_at(
    *, depth: int = 8, bagging: bool = True, resamples: int = _SETS, noise: float = 0.1
) -> str:
    """The state of the lab with some settings."""
    asked = {"source": "wave", "depth": depth, "resamples": resamples, "noise": noise}
    state = start(None, asked)
    return dump(replace(state, asked=replace(state.asked, bagging=bagging)))


@lru_cache(maxsize=1)
def _begun() -> Measured:
    """The lab as the lesson hands it out."""
    return start(None, {"source": "wave", "depth": 1, "resamples": _SETS})


@lru_cache(maxsize=4)
def _variances(state: Measured) -> tuple[float, float]:
    """The variance of single trees and of bagged ones, at the depth that is looked at."""
    for after, _ in work(replace(state, asked=replace(state.asked, bagging=True))) or ():
        state = after
    at = state.asked.depth - 1
    return state.points(state.single)[at].variance, state.points(state.bag)[at].variance


def _saved(state: Measured) -> float:
    """The share of the variance that bagging takes away; 0 while it is switched off."""
    single, bagged = _variances(state) if state.asked.bagging else (1.0, 1.0)
    return 1 - bagged / single if single else 0.0


def _short(state: Measured) -> bool:
    return _saved(state) < _TAKES_AWAY


BAGGING_PAYS = Exercise(
    id="boosting/bagging-pays",
    title="Where bagging pays",
    points=3,
    heading="where bagging pays",
    text="""In the lab, find a setting where bagging takes away **at least 30%** of the variance,
measured over at least 20 training sets. Leave bagging switched on.

**Look at that:** the variance with bagging and without it, as the depth changes. And the bias: does
it move at all?""",
    stub="""lab = dt.BiasVarianceLab(population="wave", depth=1, resamples=20)
lab""",
    answer="lab",
    task=Do(
        lambda text: load(text, None),
        (
            Goal(
                lambda s: s.asked.bagging,
                lambda s: f"bagging is {'on' if s.asked.bagging else 'off'}",
                "on",
            ),
            Goal(
                lambda s: s.asked.resamples >= _SETS,
                lambda s: f"training sets: {s.asked.resamples}",
                f"at least {_SETS}",
            ),
            Goal(
                lambda s: _saved(s) >= _TAKES_AWAY,
                lambda s: f"depth {s.asked.depth}: {_saved(s):.0%} less variance",
                f"at least {_TAKES_AWAY:.0%} less",
            ),
        ),
        blank=lambda s: s.asked == _begun().asked,
    ),
    mistakes=(
        Mistake(
            measure_at(bagging=False),
            "Bagging is switched off, so there is nothing to compare a single tree with.",
            when=when(lambda s: not s.asked.bagging, 0, 2),
        ),
        Mistake(
            measure_at(depth=1),
            "Stumps are wrong where they are divided: there a vote makes a small lead into all, and"
            " steadies next to nothing. Which kind of tree goes astray at single rows, each time at"
            " others, where most of the ten can put it right?",
            when=when(lambda s: s.asked.bagging and s.asked.depth == 1 and _short(s), 2),
        ),
        Mistake(
            measure_at(depth=2),
            "Some of the variance goes here, and too little of it. A vote gains most where each"
            " tree errs alone, at rows of its own: what lets a tree follow single rows?",
            when=when(lambda s: s.asked.bagging and 1 < s.asked.depth < _DEEP and _short(s), 2),
        ),
        Mistake(
            measure_at(depth=8, noise=0.3),
            "The trees are deep enough, but something else has been changed, the noise or the"
            " number of rows, and bagging takes away a smaller share there. Set it back as it was"
            " at first.",
            when=when(lambda s: s.asked.bagging and s.asked.depth >= _DEEP and _short(s), 2),
        ),
        Mistake(
            measure_at(resamples=4),
            "With so few training sets the variance itself is a matter of luck. Draw more of them.",
            when=when(lambda s: s.asked.resamples < _SETS, 1),
        ),
    ),
    more="Bagging averages away what chance has put into a tree. Move the depth, and watch the"
    " variance with bagging on and off.",
    solution="""lab = dt.BiasVarianceLab(population="wave", depth=8, resamples=20)
lab = lab.state.replace('"bagging":false', '"bagging":true')
""",
    why="A deep tree follows single rows, so the ten trees of one training set differ, and their"
    " vote takes a third of the variance away. At depth 1 the stumps are divided where the cut"
    " wanders, a vote there is as uncertain as its members, and it is about a tenth. The bias"
    " hardly moves at any depth. (Where numbers are averaged, with the sine, it pays for a stump,"
    " too.)",
)
