"""Gradient boosting: each tree is grown on what the trees before it have left over.

:func:`boost` narrates with ``yield`` and builds with ``return``; :func:`gradient_boosting` is what
people call. What is left over are floats, but a tree's questions are chosen in whole ticks, in
which each round measures it anew: on these the engine grows just what the textbook's grower does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole, is_real
from dtree_lab.base.parallel import run_watched
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import listing, plural
from dtree_lab.base.types import Bools, Floats
from dtree_lab.ensemble.boosted import first_questions
from dtree_lab.grow.engine.columns import Columns
from dtree_lab.grow.engine.grow import grow_on
from dtree_lab.grow.leaf_values import answered
from dtree_lab.grow.prepare import check_spread, check_table, measured
from dtree_lab.grow.recipe import Recipe, Stop, recipe
from dtree_lab.grow.steps import narrates
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Attribute, Table, Value
from dtree_lab.table.ticks import averaged, weighted_sums
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.saved import (
    columns_data,
    columns_of_data,
    is_finite,
    need,
    read_saved,
    tree_data,
    trees_of_data,
)
from dtree_lab.tree.tree import Tree, own_columns

FORMAT = "dtree_lab.ensemble.gradient/1"
_WHAT = "sum of boosted trees"
_CLASSES = 2
# Where so small a part of the numbers' range is left over, the rest is rounding.
_NOTHING = 2.0**-40
_LEAST = 1e-150  # of what Newton's step divides by


def residual_of(target: Attribute) -> Attribute:
    """What the trees predict: what is left over of a target."""
    return Attribute(f"{target.name}, what is left")


@dataclass(frozen=True, repr=False)
class GradientBoosted:
    """A first answer and small trees, each of which corrects the sum of those before it.

    Made by :func:`dtree_lab.gradient_boosting`.

    Attributes
    ----------
    attributes, target
        Those of the table that it was boosted on.
    start
        The score of every row before the first tree: the mean of the numbers, or the logarithm of
        the odds of the second class.
    rate
        What part of each tree's answer is added.
    trees
        Regression trees, in the order of the rounds, of what was left over; each can be drawn,
        asked and explained.
    """

    attributes: tuple[Attribute, ...]
    target: Attribute
    start: float
    rate: float
    trees: tuple[Tree, ...]

    @terminal
    def __repr__(self) -> str:
        begun = f"{plural(self.n_trees, 'tree')} for {self.target.name}"
        begun += f", {self.rate:g} of what each says added to {self.start:.4g}:"
        return first_questions(begun, self.trees, [f"{i:8}" for i in range(1, self.n_trees + 1)])

    @property
    def n_trees(self) -> int:
        """How many trees are added up."""
        return len(self.trees)

    @property
    def classes(self) -> tuple[Value, ...]:
        """The target's two classes, in order; none where numbers are predicted."""
        return self.target.values or ()

    def after(self, n_trees: int) -> GradientBoosted:
        """The sum of the first `n_trees`, as it was after so many rounds.

        Raises
        ------
        ValueError
            For a number that is not from 0 to the number of trees.
        """
        return replace(self, trees=self.trees[: checked_whole("n_trees", n_trees, 0, self.n_trees)])

    def to_json(self) -> str:
        """The boosted trees as JSON, which :meth:`from_json` reads back."""
        data = {
            "format": FORMAT,
            **columns_data(self.attributes, self.target),
            "start": self.start,
            "rate": self.rate,
            "trees": [tree_data(tree) for tree in self.trees],
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> GradientBoosted:
        """The boosted trees of a text from :meth:`to_json`.

        Raises
        ------
        ValueError
            For a text that holds none, saying what is wrong with it.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> boosted = dt.gradient_boosting(dt.datasets.tax_fraud(), rounds=3)
        >>> GradientBoosted.from_json(boosted.to_json()) == boosted
        True
        """
        return read_saved(text, (FORMAT,), _WHAT, _load)

    def staged(self, columns: Sequence[NDArray[Any]]) -> Iterator[Floats]:
        """The scores of rows before the first tree, after one, after two, and so on.

        `columns` are arrays of codes and floats, one for each attribute, as a table holds them.
        """
        scores = np.full(len(columns[0]), self.start)
        yield scores
        for tree in self.trees:
            scores = scores + self.part(tree, columns)
            yield scores

    def part(self, tree: Tree, columns: Sequence[NDArray[Any]]) -> Floats:
        """What a tree adds to the score of each row; `columns` as in :meth:`staged`."""
        answers: Floats = tree.flat.values[tree.flat.apply(columns, self.attributes), 0]
        return self.rate * answers

    def scores(self, data: Any) -> Floats:
        """The first answer and the trees' parts, added up; shape ``(n_rows,)``.

        For classes it is the logarithm of the odds of the second one. `data` and errors are those
        of :meth:`predict`.
        """
        *_, scores = self.staged(own_columns(self.attributes, data))
        return scores

    def shares(self, data: Any) -> Floats:
        """The chance of each of the two classes; shape ``(n_rows, 2)``.

        Raises
        ------
        ValueError
            Where numbers are predicted, and as :meth:`predict` does.
        """
        if self.target.values is None:
            raise ValueError(f"{self.target.name!r} is continuous: it has no classes to share")
        second = chances(self.scores(data))
        return np.stack([1 - second, second], axis=1)

    def predict(self, data: Any) -> Any:
        """The predicted number, or class, of a row, or of each row of a table.

        Of two classes whose odds are even the first is predicted. Takes, returns and raises what
        :meth:`dtree_lab.Tree.predict` does.
        """
        scores = self.scores(data)
        answers = scores if self.target.values is None else self.target.array[np.intp(scores > 0)]
        return answers.tolist()[0] if isinstance(data, Mapping) else answers

    def error(self, table: Table) -> float:
        """The mean squared error, or the share of wrong rows; raises as a tree's error does."""
        return float(self._staged(table, error_of)[-1])

    def staged_error(self, table: Table) -> Floats:
        """The error after one tree, after two, and so on; shape ``(n_trees,)``.

        Raises
        ------
        ValueError
            When the table lacks an attribute or has another target.
        TypeError
            For what is no table.
        """
        return self._staged(table, error_of)[1:]

    def staged_loss(self, table: Table) -> Floats:
        """What each tree is to lower, after one, after two, and so on; shape ``(n_trees,)``.

        For numbers it is the mean squared error. For classes it is the mean logarithmic loss, the
        logarithm of 1 by the chance that the row's own class was given: to be sure and wrong is
        dear. Raises as :meth:`staged_error` does.
        """
        return self._staged(table, loss_of)[1:]

    def _staged(self, table: Table, measure: Callable[[Floats, Any, Table], float]) -> Floats:
        right = labels_for(self.target, table, "the sum of trees")
        staged = self.staged(own_columns(self.attributes, table))
        return np.array([measure(scores, right, table) for scores in staged])


def chances(scores: Floats) -> Floats:
    """The chance of the second class, from the logarithm of its odds."""
    chance: Floats = (1 + np.tanh(scores / 2)) / 2
    return chance


def error_of(scores: Floats, right: NDArray[Any], table: Table) -> float:
    """The mean squared error, or the share of wrong rows."""
    numbers = table.target.values is None
    off: Bools | Floats = np.square(scores - right) if numbers else (scores > 0) != right
    return averaged(off, table.weights)


def loss_of(scores: Floats, right: NDArray[Any], table: Table) -> float:
    """The mean squared error, or logarithmic loss; a class never seen is the less likely one."""
    if table.target.values is None:
        return error_of(scores, right, table)
    against = np.select([right == 1, right == 0], [-scores, scores], np.abs(scores))
    return averaged(np.logaddexp(0, against), table.weights)


def _load(data: dict[str, Any]) -> GradientBoosted:
    attributes, target = columns_of_data(data)
    two = target.values is None or target.n_values == _CLASSES
    need(two, _WHAT, "target", "continuous, or have two classes")
    trees = trees_of_data(data, _WHAT, attributes, residual_of(target)) if data["trees"] else ()
    start, rate = data["start"], data["rate"]
    need(is_finite(start), _WHAT, "start", "a number")
    need(is_finite(rate) and 0 < rate <= 1, _WHAT, "rate", "a number above 0, up to 1")
    return GradientBoosted(attributes, target, float(start), float(rate), trees)


# -- the rounds ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LeftOver:
    """A round begins: what the trees so far have left over of each row."""

    round: int  # counted from 1
    residuals: Floats = field(repr=False)  # shape `(n_rows,)`


@dataclass(frozen=True, eq=False)
class Corrected:
    """A tree was grown on it, and a part of its answers was added to the scores."""

    round: int  # counted from 1
    tree: Tree = field(repr=False)
    scores: Floats = field(repr=False)  # of each row from now on, shape `(n_rows,)`
    loss: float  # of the training rows
    withheld: float | None  # that of the withheld rows, if there are any


@dataclass(frozen=True)
class GradientFinished:
    """Boosting ended: how many trees are kept, and why there are no more."""

    n_trees: int
    reason: str


Event: TypeAlias = LeftOver | Corrected | GradientFinished
Rounds: TypeAlias = Generator[Event, None, GradientBoosted]
# From rows with what is left of them, in ticks, to the nodes of a tree.
Grower: TypeAlias = Callable[[Table, Recipe], Flat]

ENOUGH = "all rounds are done"
NOTHING_LEFT = "nothing is left over that a question could lower"
WORSE = "the withheld rows got no better any more"


@dataclass(frozen=True)
class GradientSettings:
    """The keywords of gradient boosting, checked. See :func:`dtree_lab.gradient_boosting`."""

    rounds: int = 100
    rate: float = 0.1
    max_depth: int = 3
    min_leaf: int = 1
    patience: int = 10

    def __post_init__(self) -> None:
        for name in ("rounds", "max_depth", "min_leaf", "patience"):
            checked_whole(name, getattr(self, name), 1)
        if not is_real(self.rate) or not 0 < self.rate <= 1:
            raise ValueError(f"rate={self.rate!r} must be a number above 0, up to 1")


class _Scored:
    """Rows with labels, and their scores after the trees so far."""

    def __init__(self, first: GradientBoosted, table: Table, name: str) -> None:
        self.first, self.table = first, table
        self.right = labels_for(first.target, table, "boosting", name)
        self.columns = own_columns(first.attributes, table)
        self.scores = np.full(table.n_rows, first.start)

    def add(self, tree: Tree) -> None:
        """Add what a tree adds."""
        self.scores = self.scores + self.first.part(tree, self.columns)
        self.scores.flags.writeable = False

    def loss(self) -> float:
        """What is to be lowered."""
        return loss_of(self.scores, self.right, self.table)


def boost(table: Table, withheld: Table | None, plan: GradientSettings, grower: Grower) -> Rounds:
    """Boost round by round, on rows with numbers or with two classes."""
    y, classes = table.labels.astype(np.float64), table.target.values is not None
    asked = recipe("cart", None, Stop(max_depth=plan.max_depth, min_leaf=plan.min_leaf))
    mean = averaged(y, table.weights)
    start = log(mean / (1 - mean)) if classes else mean
    first = GradientBoosted(table.attributes, table.target, start, float(plan.rate), ())
    rows = _Scored(first, table, "the table")
    held = rows if withheld is None else _Scored(first, withheld, "withheld")
    trees, best, least = list[Tree](), 0, held.loss()
    reason = ENOUGH
    for number in range(1, plan.rounds + 1):
        chance = chances(rows.scores) if classes else rows.scores
        left = replace(table, target=residual_of(table.target), labels=y - chance)
        left.labels.flags.writeable = False
        yield LeftOver(number, left.labels)
        tree = answered(left, grower(*measured(left, asked)))
        if tree.n_nodes == 1 or np.ptp(left.labels) <= _NOTHING * np.ptp(y):
            reason = NOTHING_LEFT
            break
        if classes:
            tree = _by_newton(tree, left, chance * (1 - chance))
        trees.append(tree)
        for some in (rows,) if held is rows else (rows, held):
            some.add(tree)
        loss = held.loss()
        yield Corrected(number, tree, rows.scores, rows.loss(), None if withheld is None else loss)
        if withheld is None or loss < least:
            best, least = number, loss
        elif number - best >= plan.patience:
            reason = WORSE
            break
    yield GradientFinished(best, reason)
    return replace(first, trees=tuple(trees[:best]))


def _by_newton(tree: Tree, left: Table, curved: Floats) -> Tree:
    """The tree with the sum of what is left by that of the loss's curvature at each node."""
    flat = tree.flat
    stop = flat.apply(left.columns, left.attributes)
    parts = (left.labels, curved)
    sums = np.stack([weighted_sums(stop, part, flat.n_nodes, left.weights) for part in parts])
    for depth in range(tree.depth, 0, -1):
        below = np.flatnonzero(flat.depth == depth)
        np.add.at(sums.T, flat.parent[below], sums.T[below])
    values = flat.values.copy()
    values[:, 0] = sums[0] / np.maximum(sums[1], _LEAST)
    return tree.with_nodes(replace(flat, values=values))


def gradient_boosting(  # noqa: PLR0913 - keywords are a contract
    table: Table,
    *,
    rounds: int = 100,
    rate: float = 0.1,
    max_depth: int = 3,
    min_leaf: int = 1,
    withheld: Table | None = None,
    patience: int = 10,
) -> GradientBoosted:
    r"""Boost by gradients: grow each tree on what is left over, and add a part of what it says.

    For numbers the first answer is their mean. In each round a regression tree is grown on the
    residuals, what is true less what is answered so far; `rate` times its answer is added.

    For two classes the sum is the logarithm of the odds of the second one, and begins with that of
    all rows. A row's residual is 1 or 0, as it is of the second class or not, less the chance p
    that it is given so far. A node answers

    .. math:: \frac{\sum r}{\sum p (1 - p)},

    one step of Newton's towards the least logarithmic loss.

    Parameters
    ----------
    table
        Rows with numbers to predict, or with two classes. A row that lacks the value a tree asks
        for rests, and is answered as all rows at its node.
    rounds
        The most trees.
    rate
        What part of each tree's answer is added, above 0 and up to 1.
    max_depth
        The most questions on any path; 1 makes stumps.
    min_leaf
        The fewest rows in each branch of a question.
    withheld
        Rows that no tree is grown on. When their loss, as in `staged_loss`, has not fallen for
        `patience` rounds, boosting ends. The trees up to its least are kept.
    patience
        For how many rounds.

    Returns
    -------
    GradientBoosted
        The first answer, the rate and the trees.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For more than two classes, a class without rows, withheld rows that do not fit, or a
        keyword out of range.

    Notes
    -----
    Friedman (2001), Greedy function approximation: a gradient boosting machine, Annals of
    Statistics 29, 1189-1232, algorithms 2 and 5; his score for classes is half of this one.

    Trees have two branches everywhere. No chance enters; the first attribute, then the lowest cut,
    wins a tie. Questions are chosen by residuals in whole ticks, some millions of them to their
    range: a tie among residuals such as a third may be decided by a rounding. Leaves answer from
    the residuals as they are.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> flats = dt.Table.from_columns({"m2": [30, 40, 70, 90], "rent": [6, 8, 13, 17]}, "rent")
    >>> boosted = gradient_boosting(flats, rounds=2, rate=0.5, max_depth=1)
    >>> boosted.start, boosted.staged_error(flats).round(3).tolist()
    (11.0, [6.5, 2.5])
    >>> boosted.predict({"m2": 80})
    15.0
    """
    keywords = {"rate": rate, "max_depth": max_depth, "min_leaf": min_leaf, "patience": patience}
    events = gradient_rounds(table, rounds=rounds, withheld=withheld, **keywords)
    return run_watched(events, Corrected, what="boosting", total=rounds)


@narrates(gradient_boosting)
def gradient_rounds(table: Table, *, withheld: Table | None = None, **keywords: Any) -> Rounds:
    """The rounds of :func:`gradient_boosting`, one after the other, as a generator of events."""
    plan = GradientSettings(**keywords)
    check_table(table)
    target = table.target
    if target.values is None:
        check_spread(table)
    elif target.n_values != _CLASSES:
        msg = f"gradient boosting tells two classes apart; {target.name!r} has {target.n_values}:"
        raise ValueError(f"{msg} {listing(target.values)}. dt.adaboost takes any number")
    elif not table.counts().all():
        msg = f"no row is {target.values[int(table.counts().argmin())]!r}; both classes need rows"
        raise ValueError(msg)
    columns = Columns.of(table)

    def grower(in_ticks: Table, how: Recipe) -> Flat:
        return grow_on(columns, in_ticks, how, keep=True)

    return boost(table, withheld, plan, grower)
