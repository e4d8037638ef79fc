"""Which problem is regression, what a leaf answers, and the best depth."""

from __future__ import annotations

from typing import Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choose, Do, Goal, Question, when
from dtree_lab.labs.biasvariance.model import State, dump, load, start

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
    stub="""order = dt.course.ask("regression/order")
order""",
    answer="order",
    task=Choose((Question("which", ("A", "B", "C", "D"), "C"), Question("because", _REASONS, "2"))),
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
    solution='order = dt.course.ask("regression/order", answer=("C", 2))',
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
    stub="""prize = dt.course.ask("regression/leaf")
prize""",
    answer="prize",
    task=Choose((Question("answer", ("A", "B", "C"), "B"), Question("because", _REASONS, "3"))),
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
    solution='prize = dt.course.ask("regression/leaf", answer=("B", 3))',
    why="The vote says 1 and hits three films of five. The mean says 2.6, which no film has: it"
    " never wins, though its mean squared error is the smallest. What a leaf should answer depends"
    " on what a mistake costs.",
)


NOISE, ROWS = 0.1, 200
# With this noise and so many rows, those at most 8 % above the smallest error, for any seed.
BEST_DEPTHS = (5, 6, 7)


def _begun(**asked: Any) -> State:
    return start(None, {"source": "sine", **asked})


def _set(state: State) -> bool:
    asked = state.asked
    return (
        asked.source == "sine"
        and asked.noise is not None
        and abs(asked.noise - NOISE) < 1e-6  # noqa: PLR2004 - as near as a slider gets
        and asked.n_rows == ROWS
        and not asked.bagging
    )


def _settings(state: State) -> str:
    asked = state.asked
    bagging = ", bagged trees" if asked.bagging else ""
    return f"source {asked.source}, noise {asked.noise:g}, {asked.n_rows} rows{bagging}"


def _noise_is_off(state: State) -> bool:
    return state.asked.noise is None or abs(state.asked.noise - NOISE) >= 1e-6  # noqa: PLR2004


DEPTH = Exercise(
    id="regression/depth",
    title="The best depth for little noise",
    points=2,
    heading="less noise, more questions",
    text="""Set the **noise to 0.1** and the **rows to 200**. Then choose the **depth** with the
smallest error (one at most 8 % above the smallest will do), and leave it so. (*Keep in this cell*
writes it into the cell, so that it is still there tomorrow.)""",
    stub="""curves = dt.BiasVarianceLab(population="sine")
curves""",
    answer="curves",
    task=Do(
        lambda text: load(text, None),
        (
            Goal(_set, _settings, f"sine, noise {NOISE}, {ROWS} rows, single trees"),
            Goal(
                lambda state: _set(state) and state.asked.depth in BEST_DEPTHS,
                lambda state: f"depth {state.asked.depth}",
                "with these settings, the depth with the smallest error",
            ),
        ),
        blank=lambda state: state.asked == _begun().asked,
    ),
    mistakes=(
        Mistake(
            dump(_begun(noise=NOISE, n_rows=ROWS, depth=6, bagging=True)),
            "Bagging is switched on. What is asked for is the best depth of a single tree.",
            when=when(lambda state: state.asked.bagging, 0),
        ),
        Mistake(
            dump(start(None, {"source": "wave", "noise": NOISE, "n_rows": ROWS, "depth": 6})),
            "That is another population, one with classes. Choose the numbers again, the sine.",
            when=when(lambda state: state.asked.source != "sine", 0),
        ),
        Mistake(
            dump(_begun(n_rows=ROWS, depth=6)),
            "The noise is not the one asked for. It decides how deep a tree may go: set it first.",
            when=when(lambda state: state.asked.source == "sine" and _noise_is_off(state), 0),
        ),
        Mistake(
            dump(_begun(noise=NOISE, depth=6)),
            "The number of rows is not the one asked for.",
            when=when(lambda state: state.asked.n_rows != ROWS, 0),
        ),
        Mistake(
            dump(_begun(noise=NOISE, n_rows=ROWS, depth=4)),
            "Too shallow: the steps of the staircase are still too wide for the curve. With more"
            " noise this would have been deep enough.",
            when=when(lambda state: _set(state) and state.asked.depth < BEST_DEPTHS[0], 1),
        ),
        Mistake(
            dump(_begun(noise=NOISE, n_rows=ROWS, depth=10)),
            "Too deep: the error has passed its lowest point. From there on each further question"
            " only follows the noise.",
            when=when(lambda state: _set(state) and state.asked.depth > BEST_DEPTHS[-1], 1),
        ),
    ),
    more="Let the lab finish drawing its training sets, and read the curve of the whole error, not"
    " that of one of its parts. Where is its lowest point?",
    solution='curves = dt.BiasVarianceLab(population="sine", noise=0.1, n=200, depth=6)\ncurves',
    why="With a noise of 0.3 and 100 rows the best depth was 3 or 4. With less noise and more rows"
    " a leaf can be smaller before it follows the noise, and so the tree may be deeper: 5 to 7.",
)
