"""How many trees are enough, why a node sees few attributes, and noise learnt by heart."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Choose, Do, Goal, Question, when
from dtree_lab.datasets import penguins
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.labs.forest.growth import turned
from dtree_lab.labs.forest.model import dump, load
from dtree_lab.labs.forest.state import ForestLabSettings, State, start
from dtree_lab.table.table import Table

# The first forest and the one that *Other chance* gives; from how many trees on the error counts as
# its level; by how many wrong rows it may be off; and how many trees more than needed are right.
_SEEDS, _LEVEL_AT, _OFF, _TOO_MANY, _M = (0, 1), 200, 1, 5, 2
_LEAST_OOB, _MOST_TRAINING = 0.25, 0.05


@lru_cache(maxsize=1)
def birds() -> Table:
    """The penguins without a gap, on which the lesson's labs are."""
    return penguins("drop")


@lru_cache(maxsize=1)
def _begun() -> ForestLabSettings:
    return start(birds(), {}).asked


@lru_cache(maxsize=8)
def measured(asked: ForestLabSettings) -> tuple[tuple[float, ...], float]:
    """The out-of-bag errors of the first trees, and the training error of all; as the lab says."""
    table = turned(birds(), asked.noise, asked.seed)
    forest = random_forest(table, n_trees=asked.trees, m=asked.m, seed=asked.seed)
    return tuple(forest.oob_errors.tolist()), forest.error(table)


def lab_at(*, trees: int = 50, m: int = _M, noise: float = 0.0, seed: int = 0) -> str:
    """The state of the lab with some settings."""
    state = start(birds(), {})
    asked = replace(state.asked, trees=trees, m=m, noise=noise, seed=seed)
    return dump(replace(state, asked=asked))


def _oob(state: State) -> float:
    return measured(state.asked)[0][-1]


@lru_cache(maxsize=2)
def wrong_rows(seed: int) -> tuple[int, ...]:
    """How many rows the first tree, the first two … of a forest get wrong, out of the bag."""
    forest = random_forest(birds(), n_trees=_LEVEL_AT, m=_M, seed=seed)
    return tuple(np.rint(forest.oob_errors * len(birds())).astype(int).tolist())


def _near(seed: int) -> list[bool]:
    """Whether the error is within a row of its level, with one tree, with two, and so on."""
    wrong = wrong_rows(seed)
    return [abs(one - wrong[-1]) <= _OFF for one in wrong]


def settled(seed: int) -> int:
    """From how many trees on the error stays within one row of its level."""
    near = _near(seed)
    return max((i for i, is_ in enumerate(near, start=1) if not is_), default=0) + 1


def _enough() -> int:
    return max(map(settled, _SEEDS))


def _as_handed_out(state: State) -> bool:
    asked = state.asked
    return (asked.m, asked.noise) == (_M, 0.0) and asked.seed in _SEEDS


def _reached(state: State) -> bool:
    """Whether the trees are enough for both forests."""
    return state.asked.trees >= _enough()


def _few(state: State) -> bool:
    return state.asked.trees <= _enough() + _TOO_MANY


def _stays(state: State) -> str:
    trees = state.asked.trees
    if not _as_handed_out(state):
        return "this is another forest"
    both = [f"{'yes' if trees >= settled(seed) else 'no'} with seed {seed}" for seed in _SEEDS]
    return f"{trees} trees, and from there on near the level: {', '.join(both)}"


def _length(state: State) -> str:
    if not _reached(state):
        return "too few trees"
    return "no more trees than that takes" if _few(state) else "more trees than that takes"


def _dips(state: State) -> bool:
    """Whether the error is near its level with so many trees, and leaves it with more."""
    at = state.asked.trees
    return any(_near(seed)[at - 1] and at < settled(seed) for seed in _SEEDS)


def _short(state: State) -> bool:
    return _as_handed_out(state) and not _reached(state)


def _one_of_two(state: State) -> bool:
    return _short(state) and state.asked.trees >= min(map(settled, _SEEDS))


FEWEST_TREES = Exercise(
    id="forests/fewest-trees",
    title="From how many trees on",
    points=3,
    heading="how many trees are enough?",
    text="""A lab on the penguins. Leave m at 2 and the noise at 0. With 200 trees, the dashed line
is the **level** that the out-of-bag error has come to. From how many trees on does the curve
**stay** within one of the 333 rows (0.003) of it? Press *Other chance* **once**, and look at that
forest, too. Then set the number of trees to the **smallest that is enough for both**. (Up to five
more count as right.)

**Look at that:** where does the first curve come down to its level, and leave it again? Then choose
another row with its slider: who votes for what, which rows are near, and which way does it take
through a tree?""",
    stub="""lab = dt.ForestLab(penguins)
lab""",
    answer="lab",
    task=Do(
        lambda text: load(text, birds()),
        (
            Goal(
                _as_handed_out,
                lambda s: f"m is {s.asked.m}, noise {s.asked.noise:g}, seed {s.asked.seed}",
                f"m = {_M} without noise, and the first forest or the one after *Other chance*",
            ),
            Goal(
                lambda s: _as_handed_out(s) and _reached(s),
                _stays,
                "yes with both",
            ),
            Goal(
                lambda s: _as_handed_out(s) and _reached(s) and _few(s),
                _length,
                "the smallest number that is enough",
            ),
        ),
        blank=lambda s: s.asked == _begun(),
    ),
    mistakes=(
        Mistake(
            lab_at(trees=8),
            "With so few trees the error is still off its level. Add trees, and watch the curve.",
            when=when(lambda s: _short(s) and not _dips(s) and not _one_of_two(s), 1, 2),
        ),
        Mistake(
            lab_at(trees=22),
            "Here the curve is near its level for a moment, by luck, and leaves it again further to"
            " the right. Where does it *stay*?",
            when=when(lambda s: _short(s) and _dips(s) and not _one_of_two(s), 1, 2),
        ),
        Mistake(
            lab_at(trees=33),
            "That is enough for one of the two forests. Press *Other chance*, and look at the other"
            " one with 200 trees, too.",
            when=when(_one_of_two, 1, 2),
        ),
        Mistake(
            lab_at(trees=150),
            "That is enough, and more than enough: follow both curves back to the left, to the last"
            " place where one of them is two rows or more off its level.",
            when=when(lambda s: _as_handed_out(s) and not _few(s), 2),
        ),
        Mistake(
            lab_at(trees=60, m=6),
            "m or the noise is not as it was handed out, or chance is that of a third forest. Only"
            " the number of trees is to be moved; *Start over*, and *Other chance* once.",
            when=when(lambda s: not _as_handed_out(s), 0, 1, 2),
        ),
    ),
    more="One row of 333 is 0.003. Write down the error with 200 trees; then the number of trees at"
    " which the curve lies more than a row above or below it for the last time, and add one. Once"
    " for each forest; the larger number is enough for both. In Python,"
    " ``lab.forest.oob_errors * 333`` has the number of wrong rows after each tree.",
    solution="""first = dt.random_forest(penguins, n_trees=200, m=2, seed=0).oob_errors * 333
other = dt.random_forest(penguins, n_trees=200, m=2, seed=1).oob_errors * 333
off = (abs(first - first[-1]) > 1.5) | (abs(other - other[-1]) > 1.5)
lab = dt.ForestLab(penguins, trees=int(np.flatnonzero(off)[-1]) + 2).state
""",
    why="40: the first forest stays near its level from 31 trees on, the other from 40. The first"
    " is down there with 22 trees already, by luck, and leaves it again. With ten seeds the"
    " number lies between 12 and 188, and 3 wrong rows of 333 are themselves uncertain by about the"
    " root of 3, nearly two rows. So nobody looks for the fewest: one grows some hundred trees, and"
    " reads the end of the curve.",
)


# -- noise, learnt by heart -----------------------------------------------------------------------


def _training(state: State) -> float:
    return measured(state.asked)[1]


BY_HEART = Exercise(
    id="forests/by-heart",
    title="Noise learnt by heart",
    points=3,
    heading="noise learnt by heart",
    text="""In the lab, find a setting in which the **out-of-bag error is at least 0.25** and yet
the **training error at most 0.05**.

**Look at that:** as the noise grows, which curve tells the truth: the one out of the bag, or that
of the training rows? A third one counts the same votes against the labels *before* the noise. Then
add trees: how much does it help?""",
    stub="""noisy_lab = dt.ForestLab(penguins)
noisy_lab""",
    answer="noisy_lab",
    task=Do(
        lambda text: load(text, birds()),
        (
            Goal(
                lambda s: _oob(s) >= _LEAST_OOB,
                lambda s: f"out-of-bag error {_oob(s):.3f}",
                f"at least {_LEAST_OOB}",
            ),
            Goal(
                lambda s: _training(s) <= _MOST_TRAINING and s.asked.noise > 0,
                lambda s: f"noise {s.asked.noise:g}, training error {_training(s):.3f}",
                f"some noise, and a training error of at most {_MOST_TRAINING}",
            ),
        ),
        blank=lambda s: s.asked == _begun(),
    ),
    mistakes=(
        Mistake(
            lab_at(noise=0.1),
            "So little noise leaves the out-of-bag error too small: most rows are still predicted"
            " rightly. Turn more labels over.",
            when=when(lambda s: s.asked.noise > 0 and _oob(s) < _LEAST_OOB, 0),
        ),
        Mistake(
            lab_at(trees=3, noise=0.3),
            "The forest has not learnt the training rows by heart yet: with so few trees, many a"
            " row is in hardly any bag. Grow more of them.",
            when=when(lambda s: s.asked.noise > 0 and _training(s) > _MOST_TRAINING, 1),
        ),
        Mistake(
            lab_at(trees=20),
            "No label has been turned over yet. Move the noise.",
            when=when(lambda s: s.asked.noise == 0, 0, 1),
        ),
    ),
    more="Two things are to be moved: the noise, until the error out of the bag is large enough;"
    " and the number of trees, until the error on the training rows is next to nothing.",
    solution="""noisy_lab = dt.ForestLab(penguins, trees=100, noise=0.3).state
""",
    why="Three of ten labels are wrong, and the forest repeats nearly all of them: each fully grown"
    " tree knows its own rows by heart, and most trees have seen any given row. Out of the bag it"
    " comes to light. More trees help a little, smaller trees a good deal.",
)


WHY_M = Exercise(
    id="forests/why-m",
    title="Why a node sees only some of the attributes",
    points=2,
    heading="why?",
    text="""Choose what is true. When m is made **smaller** here, from 6 to 2, **the error of the
forest falls although**

- **A** each single tree gets better
- **B** each single tree grows faster
- **C** each single tree gets worse
- **D** each single tree is pruned more

**Because**

- **1** the attributes that are of no use are left out of the tree
- **2** each tree then sees other rows
- **3** two trees are then less often wrong about the same row
- **4** each node then asks a better question""",
    stub="""why_m = dt.course.ask("forests/why-m")
why_m""",
    answer="why_m",
    task=Choose(
        (
            Question("effect", ("A", "B", "C", "D"), "C"),
            Question("because", ("1", "2", "3", "4"), "3"),
        )
    ),
    mistakes=(
        Mistake(
            ("A", "3"),
            "Look at the column of the single trees once more: is it smaller at m = 2 or at m = 6?",
        ),
        Mistake(
            ("B", "3"),
            "Fewer attributes at a node do save some time, but no row is predicted better because"
            " a tree was grown sooner. The forest's error was asked for.",
        ),
        Mistake(
            ("D", "3"),
            "The trees are fully grown for any m: each goes on until its leaves are pure.",
        ),
        Mistake(
            ("C", "1"),
            "An attribute that is left out at one node is drawn at another, since they are drawn"
            " afresh. None is lost to the tree.",
        ),
        Mistake(
            ("C", "2"),
            "Each tree has its bootstrap sample already, whatever m is. What does the drawing of"
            " attributes add to it?",
        ),
        Mistake(
            ("C", "4"),
            "Can a node that chooses among fewer attributes find a better question than one that"
            " may choose among all of them?",
        ),
    ),
    more="A vote mends a mistake that only some of the trees make. Which column of the table says"
    " how often two trees are wrong about the same row?",
    solution='why_m = dt.course.ask("forests/why-m", answer=("C", 3))',
    why="A small m takes a little from every tree and makes their mistakes more independent. The"
    " vote gains more by this than it loses, up to a point: where hardly any attribute is of use,"
    " m = 1 asks useless questions too often.",
)

WHICH_IMPORTANCE = Exercise(
    id="forests/which-importance",
    title="Which importance to believe",
    points=2,
    heading="which one would you believe?",
    text="""A bank's table has the client number among its attributes, in forty groups. **No other
column has anything to do with it.** In a forest it has an importance of 0.21 by impurity and of
0.00 by permutation; numbers drawn by lot get from -0.01 to 0.01 by permutation. How much does it
**really** help with new clients?

- **A** about a fifth of all that the forest knows
- **B** next to nothing
- **C** about half of that fifth, the mean of the two
- **D** one cannot tell

**Because**

- **1** of two numbers one should believe the smaller
- **2** the permutation is measured on rows that the tree has not seen
- **3** the impurity is counted at every question of every tree
- **4** the permutation grows a new forest without the attribute""",
    stub="""which_importance = dt.course.ask("forests/which-importance")
which_importance""",
    answer="which_importance",
    task=Choose(
        (
            Question("helps", ("A", "B", "C", "D"), "B"),
            Question("because", ("1", "2", "3", "4"), "2"),
        )
    ),
    mistakes=(
        Mistake(
            ("A", "2"),
            "That number comes from the impurity, counted on the very rows that the trees were"
            " grown on. Which attribute had so many values that it could part them by luck?",
        ),
        Mistake(
            ("C", "2"),
            "Two numbers that disagree are not made right by their mean: one of them has a known"
            " fault here.",
        ),
        Mistake(
            ("D", "2"),
            "It could not be told if another column said the same, for the trees would fall back on"
            " that one when the number is shuffled. But none does, and one of the two was measured"
            " on rows out of the bag, where luck is of no use.",
        ),
        Mistake(
            ("B", "1"),
            "A small number is no reason to believe it. How was it measured, and on which rows?",
        ),
        Mistake(
            ("B", "3"),
            "So it is, but that makes it no better and no worse. What matters is on *which rows* a"
            " number is measured.",
        ),
        Mistake(
            ("B", "4"),
            "Neither of them needs a new forest: both ask the trees that are there.",
        ),
    ),
    more="Which of the two is measured on rows that the tree has not seen? To have learnt a row by"
    " heart is worth nothing there.",
    solution='which_importance = dt.course.ask("forests/which-importance", answer=("B", 2))',
    why="Out of the bag the client number says nothing, and the permutation shows it: what it gives"
    " lies well among what numbers drawn by lot get, and no other column could stand in for it. The"
    " impurity counts how well an attribute parts the rows that the tree was grown on, and forty"
    " values part any rows well.",
)
