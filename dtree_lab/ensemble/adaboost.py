"""AdaBoost: rounds of weak learners on weighted rows.

:func:`rounds` narrates with ``yield`` and builds with ``return``; :func:`adaboost` is what people
call. The weak learner is a stump, or a small tree.

A weight is a number, but a tie has to be an equality. So weights are turned into whole *ticks*,
and the costs are the exact ones of :mod:`dtree_lab.criteria.classes`: a row weighs as one that
stands in the table as often as it has ticks.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole, is_real
from dtree_lab.base.parallel import run_watched
from dtree_lab.base.types import Floats, Ints
from dtree_lab.criteria.classes import CRITERIA, ENTROPY, ERROR, GINI, ClassCriterion
from dtree_lab.ensemble.boosted import Boosted, predicted_codes
from dtree_lab.ensemble.settings import MOST_COPIES
from dtree_lab.grow.engine.columns import Columns
from dtree_lab.grow.engine.grow import grow_on
from dtree_lab.grow.prepare import check_table
from dtree_lab.grow.recipe import Recipe, Stop
from dtree_lab.grow.steps import narrates
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Branch, Leaf, Node, Tree, unflatten

_PER_ROW = 100  # ticks


def measures() -> dict[str, ClassCriterion]:
    """What a stump can be chosen by, boosting's own first: every criterion, and the error."""
    return {GINI.name: GINI, **CRITERIA, ERROR.name: ERROR}


def in_ticks(weights: Floats, criterion: ClassCriterion, times: Ints | None = None) -> Floats:
    """Weights of rows, or of their copies, as ticks, one at least: whole numbers in floats."""
    least, most = criterion.weight_ticks
    n = len(weights) if times is None else int(times.sum())
    ticks: Floats = np.maximum(np.rint(weights * min(max(_PER_ROW * n, least), most)), 1.0)
    return ticks if times is None else ticks * times


# What all the weight together is shown as at a node.
WHOLE = 1_000_000


@dataclass(frozen=True)
class WeakLearner:
    """A table made ready to be asked again and again with other weights.

    It grows what ``dt.cart`` would grow on a table in which each row stands as often as it has
    ticks: two branches everywhere; the first attribute, then the lowest cut, wins a tie.
    """

    table: Table
    recipe: Recipe
    columns: Columns

    @classmethod
    def of(cls, table: Table, criterion: ClassCriterion, max_depth: int) -> WeakLearner:
        """Make a table ready."""
        stop = Stop(max_depth=max_depth)
        asked = Recipe("weak learner", criterion, two_groups=True, stop=stop)
        return cls(table, asked, Columns.of(table))

    def grow(self, ticks: Floats) -> tuple[Node, Ints]:
        """A tree for weighted rows, its counts being ticks, and its answer to each of the rows."""
        flat = grow_on(self.columns, self.table, self.recipe, ticks, keep=True)
        root = unflatten(flat, self.table.attributes)
        columns = self.table.columns or [self.table.labels]  # as long, where nothing is asked
        return root, predicted_codes(flat, self.table.attributes, columns)


def in_millionths(node: Node, whole: int) -> Node:
    """The tree with counts that are millionths of all the weight, and the same answers."""
    match node:
        case Leaf():
            return Leaf(_rounded(np.array(node.counts), 0, whole))
        case Branch():
            children = tuple(in_millionths(child, whole) for child in node.children)
            below = np.sum([child.counts for child in children], axis=0)
            gone_on = np.sum([child.counts for child in node.children], axis=0)
            counts = tuple(below.tolist())
            if (gone_on != node.counts).any():
                counts = _rounded(np.array(node.counts), below, whole)
            return Branch(counts, node.split, children)


def _rounded(ticks: Ints, least: Ints | int, whole: int) -> tuple[int, ...]:
    """Ticks in millionths, at least what the children have; the class with most keeps most."""
    counts = np.maximum(np.rint(ticks * (WHOLE / whole)).astype(np.int64), least)
    if counts.argmax() != ticks.argmax():
        counts[ticks.argmax()] = counts.max() + 1
    return tuple(counts.tolist())


# A tree that is better than chance by less is rounding, not knowledge.
_EDGE = 1e-9
# A row that is right for a thousand rounds must not end up without any weight.
_LEAST = 1e-100
_MOST_RATE = 2


@dataclass(frozen=True, eq=False)
class Weighed:
    """A round begins."""

    round: int  # counted from 1
    weights: Floats = field(repr=False)  # of each row, shape `(n_rows,)`; their sum is 1


@dataclass(frozen=True, eq=False)
class Chose:
    """A tree was grown on the weighted rows."""

    round: int  # counted from 1
    tree: Tree = field(repr=False)  # its counts are weights: a million stands for all of it
    wrong: NDArray[np.bool_] = field(repr=False)  # which rows it gets wrong, shape `(n_rows,)`
    error: float  # their weight, between 0 and 1


@dataclass(frozen=True, eq=False)
class Reweighted:
    """The tree got its vote, and the rows that it gets wrong got heavier."""

    round: int  # counted from 1
    alpha: float  # the weight of the tree's vote
    factor: float  # of the weights of wrong rows, before all were divided by their sum
    weights: Floats = field(repr=False)  # of each row for the next round


@dataclass(frozen=True)
class BoostingFinished:
    """Boosting ended: how many trees vote, and why there are no more."""

    n_stumps: int
    reason: str


Event: TypeAlias = Weighed | Chose | Reweighted | BoostingFinished
Rounds: TypeAlias = Generator[Event, None, Boosted]
Vote: TypeAlias = tuple[Tree, float, float]

ENOUGH = "all rounds are done"
PERFECT = "the last tree makes no mistake, so it decides alone"
CHANCE = "the last tree is no better than chance, so it is left out"
ONLY = "the first tree is no better than chance; it is kept, because there is no other"


@dataclass(frozen=True)
class BoostSettings:
    """The keywords of boosting, checked. See :func:`dtree_lab.adaboost`."""

    n_stumps: int = 50
    criterion: str = "gini"
    max_depth: int = 1
    learning_rate: float = 1.0

    def __post_init__(self) -> None:
        for name in ("n_stumps", "max_depth"):
            checked_whole(name, getattr(self, name), 1)
        if self.criterion not in measures():
            msg = f"criterion={self.criterion!r} must be one of {', '.join(map(repr, measures()))}"
            raise ValueError(msg)
        rate = self.learning_rate
        if not is_real(rate) or not 0 < rate <= _MOST_RATE:
            msg = f"learning_rate={rate!r} must be a number above 0, up to 2; 1 is AdaBoost"
            raise ValueError(msg)


def rounds(table: Table, weights: Floats, plan: BoostSettings, times: Ints | None = None) -> Rounds:
    """Boost round by round, from weights above 0 of rows with classes, each there `times`."""
    criterion = measures()[plan.criterion]
    learner = WeakLearner.of(table, criterion, plan.max_depth)
    k = int(np.count_nonzero(table.counts()))  # a class that no row has is no rival
    votes: list[Vote] = []
    copies = np.array(1) if times is None else times
    weights = _shares(weights, copies)
    for number in range(1, plan.n_stumps + 1):
        yield Weighed(number, _kept(weights * copies))
        tree, answers = _grown(learner, in_ticks(weights, criterion, times))
        wrong = answers != table.labels
        error = min(float(np.repeat(weights, copies)[np.repeat(wrong, copies)].sum()), 1.0)
        yield Chose(number, tree, _kept(wrong), error)
        if not wrong.any():
            votes = [(tree, 1.0, error)]
            yield BoostingFinished(1, PERFECT)
            break
        if error >= 1 - 1 / k - _EDGE:
            reason = CHANCE if votes else ONLY
            votes = votes or [(tree, 1.0, error)]
            yield BoostingFinished(len(votes), reason)
            break
        alpha = plan.learning_rate * (log((1 - error) / error) + log(k - 1))
        factor = ((1 - error) / error * (k - 1)) ** plan.learning_rate
        weights = _shares(np.where(wrong, weights * factor, weights), copies)
        votes.append((tree, alpha, error))
        yield Reweighted(number, alpha, factor, _kept(weights * copies))
    else:
        yield BoostingFinished(len(votes), ENOUGH)
    return Boosted(table.attributes, table.target, k, *zip(*votes, strict=True))


def _grown(learner: WeakLearner, ticks: Floats) -> tuple[Tree, NDArray[Any]]:
    root, answers = learner.grow(ticks)
    name = learner.recipe.criterion.name
    by = name if name in CRITERIA else ENTROPY.name  # stumps by error are told as others are
    return Tree.of(learner.table, in_millionths(root, int(ticks.sum())), by), answers


def _shares(weights: Floats, copies: Ints) -> Floats:
    """Weights as shares of the sum of all copies, added one by one; none of them nothing."""
    shares: Floats = np.maximum(weights / np.repeat(weights, copies).sum(), _LEAST)
    return shares


def _kept(array: NDArray[Any]) -> NDArray[Any]:
    """The array, which nobody can change from now on."""
    array.flags.writeable = False
    return array


def adaboost(  # noqa: PLR0913 - keywords are a contract
    table: Table,
    *,
    n_stumps: int = 50,
    criterion: str = "gini",
    max_depth: int = 1,
    learning_rate: float = 1.0,
    weights: Sequence[float] | NDArray[Any] | None = None,
) -> Boosted:
    r"""Boost stumps: grow one, make the rows that it gets wrong heavier, grow the next.

    In each round a stump is grown on the weighted rows. With :math:`\varepsilon` the weight of the
    rows that it gets wrong, and K classes, its vote weighs

    .. math:: \alpha = \log \frac{1 - \varepsilon}{\varepsilon} + \log (K - 1)

    and the weights of the wrong rows are multiplied by :math:`e^\alpha`. Afterwards the rows that
    were wrong have (K - 1)/K of all weight, with two classes one half: the next stump cannot do
    well by asking the same again.

    Parameters
    ----------
    table
        Rows with a discrete target. A row that lacks the value a stump asks for rests at its root
        and is answered by the class with most weight there.
    n_stumps
        The most rounds, at least 1.
    criterion
        What a stump is chosen by: ``"gini"``, ``"entropy"`` (the splits of ``dt.cart``, for
        weighted rows) or ``"error"``, the weight of the wrong rows itself, as in the textbooks.
    max_depth
        The most questions on any path; 1 is a stump.
    learning_rate
        What each alpha is multiplied by, above 0 and up to 2. Below 1 it takes more stumps, each
        trusted less; above 2 the bound on the training error would rise.
    weights
        What each row weighs at the beginning, times its weight in the table; shape ``(n_rows,)``,
        alike if not given. Rows of weight 0 are left out. A row of the table that weighs n is as n
        rows, bit for bit; but for rounding where weights are fractions, or add up to more than
        four million.

    Returns
    -------
    Boosted
        The stumps and the weights of their votes.

    Raises
    ------
    ValueError
        For a continuous target, weights that are negative or do not fit, or a
        keyword out of range.
    TypeError
        For what is no table.

    Notes
    -----
    This is SAMME (Zhu, Zou, Rosset and Hastie 2009, Multi-class AdaBoost, Statistics and Its
    Interface 2, algorithm 2); with two classes it is AdaBoost.M1 (Freund and Schapire 1997, A
    decision-theoretic generalization of on-line learning and an application to boosting, Journal
    of Computer and System Sciences 55, 119-139). Some books write half of this alpha and lower the
    weights of the right rows as well: the votes and the weights come to the same.

    A stump that makes no mistake would get an infinite weight: it decides alone and boosting ends.
    Boosting also ends at a stump that is no better than chance (an error of 1 - 1/K or more). It is
    left out, unless it is the first one: then it is kept, with weight 1, for want of another.
    K counts the classes that training rows have.

    No chance enters. The first attribute, then the lowest cut, wins a tie; for this weights are
    rounded to whole numbers while a stump is looked for (to a hundred-millionth of all weight, by
    entropy to a millionth, each row counting for at least one).

    The rounds follow one another: they cannot be spread over cores.

    Examples
    --------
    Six points on a line, which no single threshold parts:

    >>> import dtree_lab as dt
    >>> table = dt.Table.from_columns({"x": range(6), "y": list("aabbaa")}, target="y")
    >>> boosted = adaboost(table, n_stumps=3)
    >>> boosted.staged_error(table).round(3).tolist()
    [0.333, 0.333, 0.0]
    >>> boosted.predict({"x": 2.2})
    'b'
    """
    plan = BoostSettings(n_stumps, criterion, max_depth, learning_rate)
    return run_watched(_begun(table, weights, plan), Reweighted, what="boosting", total=n_stumps)


@narrates(adaboost)
def adaboost_rounds(
    table: Table, *, weights: Sequence[float] | NDArray[Any] | None = None, **keywords: Any
) -> Rounds:
    """The rounds of :func:`adaboost`, one after the other, as a generator of events."""
    return _begun(table, weights, BoostSettings(**keywords))


def _begun(table: Table, weights: Any, plan: BoostSettings) -> Rounds:
    check_table(table)
    _ = table.classes  # raises for a continuous target
    given = np.ones(table.n_rows) if weights is None else checked_weights(weights, table.n_rows)
    kept = given > 0
    table, given = table.take(kept), given[kept]
    if table.weights is None:
        return rounds(table, given, plan)
    if table.weight_unit == 1 and table.n_ticks <= MOST_COPIES:
        return rounds(table, given, plan, table.weights)
    return rounds(table, given * table.weights, plan)


def checked_weights(weights: Any, n_rows: int) -> Floats:
    """Weights of rows as floats; raises a ValueError that says what is wrong with them."""
    try:
        given = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"weights must be numbers, one for each row; got {weights!r}") from None
    if given.shape != (n_rows,):
        msg = f"weights have shape {given.shape}; the table has {n_rows} rows, so ({n_rows},)"
        raise ValueError(msg)
    bad = ~np.isfinite(given) | (given < 0)
    if bad.any():
        i = int(bad.argmax())
        msg = f"the weight of row {i + 1} is {given[i]:g}; a weight is finite and at least 0"
        raise ValueError(msg)
    if not given.any():
        raise ValueError("all weights are 0; at least one row must have a weight above 0")
    return given
