"""The rounds of AdaBoost as a generator: it narrates with ``yield`` and builds with ``return``."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dtree_lab.criteria import CRITERIA
from dtree_lab.learn.boost.boosted import Boosted
from dtree_lab.learn.boost.measure import MEASURES
from dtree_lab.learn.boost.weak import WeakLearner, in_millionths
from dtree_lab.tree import Tree

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Table

    Floats = NDArray[np.float64]

# A tree that is better than chance by less is rounding, not knowledge.
_EDGE = 1e-9
# A row that is right for a thousand rounds must not end up without any weight.
_LEAST = 1e-100
_MOST_RATE = 2


@dataclass(frozen=True, eq=False)
class Weighed:
    """A round begins.

    Attributes
    ----------
    round
        Counted from 1.
    weights
        Of each row, shape ``(n_rows,)``; they sum up to 1.
    """

    round: int
    weights: Floats = field(repr=False)


@dataclass(frozen=True, eq=False)
class Chose:
    """A tree was grown on the weighted rows.

    Attributes
    ----------
    round
        Counted from 1.
    tree
        Its counts are weights: a million stands for all of it.
    wrong
        Which rows it gets wrong, shape ``(n_rows,)``.
    error
        Their weight, between 0 and 1.
    """

    round: int
    tree: Tree = field(repr=False)
    wrong: NDArray[np.bool_] = field(repr=False)
    error: float


@dataclass(frozen=True, eq=False)
class Reweighted:
    """The tree got its vote, and the rows that it gets wrong got heavier.

    Attributes
    ----------
    round
        Counted from 1.
    alpha
        The weight of the tree's vote.
    factor
        What the weights of the wrong rows were multiplied by, before all were divided by their sum.
    weights
        Of each row for the next round.
    """

    round: int
    alpha: float
    factor: float
    weights: Floats = field(repr=False)


@dataclass(frozen=True)
class Finished:
    """Boosting ended: how many trees vote, and why there are no more."""

    n_stumps: int
    reason: str


Event: TypeAlias = Weighed | Chose | Reweighted | Finished
Rounds: TypeAlias = Generator[Event, None, Boosted]
Vote: TypeAlias = tuple[Tree, float, float]

ENOUGH = "all rounds are done"
PERFECT = "the last tree makes no mistake, so it decides alone"
CHANCE = "the last tree is no better than chance, so it is left out"
ONLY = "the first tree is no better than chance; it is kept, because there is no other"


@dataclass(frozen=True)
class Plan:
    """The keywords of boosting, checked. See :func:`dtree_lab.learn.boost.api.adaboost`."""

    n_stumps: int = 50
    criterion: str = "gini"
    max_depth: int = 1
    learning_rate: float = 1.0

    def __post_init__(self) -> None:
        for name in ("n_stumps", "max_depth"):
            given = getattr(self, name)
            if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < 1:
                msg = f"{name}={given!r} must be a whole number, at least 1"
                raise ValueError(msg)
        if self.criterion not in MEASURES:
            msg = f"criterion={self.criterion!r} must be one of {', '.join(map(repr, MEASURES))}"
            raise ValueError(msg)
        rate: Any = self.learning_rate
        number = isinstance(rate, int | float | np.number) and not isinstance(rate, bool)
        if not number or not 0 < rate <= _MOST_RATE:
            msg = f"learning_rate={rate!r} must be a number above 0, up to 2; 1 is AdaBoost"
            raise ValueError(msg)


def rounds(table: Table, weights: Floats, plan: Plan) -> Rounds:
    """Boost round by round.

    Parameters
    ----------
    table
        Rows with classes and no missing values.
    weights
        Of each row, above 0; their sum does not matter.
    plan
        The keywords.
    """
    learner = WeakLearner.of(table, MEASURES[plan.criterion], plan.max_depth)
    k = int(np.count_nonzero(table.counts()))  # a class that no row has is no rival
    votes: list[Vote] = []
    weights = _shares(weights)
    for number in range(1, plan.n_stumps + 1):
        yield Weighed(number, _kept(weights))
        tree, answers = _grown(learner, weights)
        wrong = answers != table.labels
        error = min(float(weights[wrong].sum()), 1.0)
        yield Chose(number, tree, _kept(wrong), error)
        if not wrong.any():
            votes = [(tree, 1.0, error)]
            yield Finished(1, PERFECT)
            break
        if error >= 1 - 1 / k - _EDGE:
            reason = CHANCE if votes else ONLY
            votes = votes or [(tree, 1.0, error)]
            yield Finished(len(votes), reason)
            break
        alpha = plan.learning_rate * (log((1 - error) / error) + log(k - 1))
        factor = ((1 - error) / error * (k - 1)) ** plan.learning_rate
        weights = _shares(np.where(wrong, weights * factor, weights))
        votes.append((tree, alpha, error))
        yield Reweighted(number, alpha, factor, _kept(weights))
    else:
        yield Finished(len(votes), ENOUGH)
    return Boosted(table.attributes, table.target, k, *zip(*votes, strict=True))


def _grown(learner: WeakLearner, weights: Floats) -> tuple[Tree, NDArray[Any]]:
    ticks = learner.measure.ticks(weights)
    root, answers = learner.grow(ticks)
    name = learner.measure.name
    by = name if name in CRITERIA else "entropy"  # stumps by error are told as others are
    return Tree.of(learner.table, in_millionths(root, int(ticks.sum())), by), answers


def _shares(weights: Floats) -> Floats:
    """Weights as shares of their sum, none of them nothing."""
    shares: Floats = np.maximum(weights / weights.sum(), _LEAST)
    return shares


def _kept(array: NDArray[Any]) -> NDArray[Any]:
    """The array, which nobody can change from now on."""
    array.flags.writeable = False
    return array
