"""How many trees are enough, why a node sees few attributes, and noise learnt by heart."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Do, Goal, when
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
