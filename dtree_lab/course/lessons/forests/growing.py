"""Exercises done in the forest lab."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.datasets import penguins
from dtree_lab.learn.forest.api import random_forest
from dtree_lab.widgets.forest.growth import turned
from dtree_lab.widgets.forest.state import start
from dtree_lab.widgets.forest.text import dump, load

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.widgets.forest.state import Settings, State


_LIMIT, _M = 0.01, 2
_LEAST_OOB, _MOST_TRAINING = 0.25, 0.05


@lru_cache(maxsize=1)
def birds() -> Table:
    """The penguins without a gap, on which the lesson's labs are."""
    return penguins("drop")


@lru_cache(maxsize=1)
def _begun() -> Settings:
    return start(birds(), {}).asked


@lru_cache(maxsize=8)
def measured(asked: Settings) -> tuple[tuple[float, ...], float]:
    """The out-of-bag errors of the first trees, and the training error of all; as the lab says."""
    table = turned(birds(), asked.noise, asked.seed)
    forest = random_forest(table, n_trees=asked.trees, m=asked.m, seed=asked.seed)
    return tuple(forest.oob_errors.tolist()), forest.error(table)


def lab_at(*, trees: int = 50, m: int = _M, noise: float = 0.0) -> str:
    """The state of the lab with some settings."""
    state = start(birds(), {})
    return dump(replace(state, asked=replace(state.asked, trees=trees, m=m, noise=noise)))


def _oob(state: State) -> float:
    return measured(state.asked)[0][-1]


def _as_handed_out(state: State) -> bool:
    return (state.asked.m, state.asked.noise, state.asked.seed) == (_M, 0.0, _begun().seed)


def _low(state: State) -> bool:
    return _as_handed_out(state) and _oob(state) <= _LIMIT


def _sooner(state: State) -> bool:
    """Whether fewer trees had so small an error already."""
    return bool(np.any(np.array(measured(state.asked)[0][:-1]) <= _LIMIT))


def _first(state: State) -> bool:
    return _low(state) and not _sooner(state)


FEWEST_TREES = Exercise(
    id="forests/fewest-trees",
    title="The fewest trees that will do",
    points=3,
    answer="lab",
    task=Do(
        lambda text: load(text, birds()),
        (
            Goal(
                _as_handed_out,
                lambda s: f"m is {s.asked.m}, noise {s.asked.noise:g}, seed {s.asked.seed}",
                f"m = {_M} without noise, and the seed that the lab began with",
            ),
            Goal(
                _low,
                lambda s: f"{s.asked.trees} trees: out-of-bag error {_oob(s):.4f}",
                f"at most {_LIMIT}, with m = {_M} and no noise",
            ),
            Goal(
                _first,
                lambda s: "and no smaller number does" if _first(s) else "not the smallest number",
                "the smallest number of trees",
            ),
        ),
        blank=lambda s: s.asked == _begun(),
    ),
    mistakes=(
        Mistake(
            lab_at(trees=10),
            "The error is still larger than that. Add trees, and watch the curve.",
            when=when(lambda s: _as_handed_out(s) and not _low(s) and not _sooner(s), 1, 2),
        ),
        Mistake(
            lab_at(trees=150),
            "The error is small enough, but it was so with fewer trees. Follow the curve back to"
            " the left, to where it first comes down so far.",
            when=when(lambda s: _low(s) and _sooner(s), 2),
        ),
        Mistake(
            lab_at(trees=60, m=6),
            "m, the noise or the seed is not as it was handed out. The number of trees alone is to"
            " be moved here.",
            when=when(lambda s: not _as_handed_out(s), 0, 1, 2),
        ),
        Mistake(
            lab_at(trees=24),
            "The curve has been low enough before, and has come up again. Go to the left.",
            when=when(lambda s: _as_handed_out(s) and not _low(s) and _sooner(s), 1, 2),
        ),
    ),
    more="333 rows, so 0.01 is three of them. Move the number of trees one by one in the region"
    " where the curve comes down to three rows.",
    solution="""lab = dt.ForestLab(penguins, trees=22).state
""",
    why="With 22 trees three of 333 rows are wrong for the first time. That is luck as much as"
    " number: the curve jumps by a row at a time, and only its level means something. It is why one"
    " grows a few hundred trees and looks at the end of the curve.",
)


# -- noise, learnt by heart -----------------------------------------------------------------------


def _training(state: State) -> float:
    return measured(state.asked)[1]


BY_HEART = Exercise(
    id="forests/by-heart",
    title="Noise learnt by heart",
    points=3,
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
