"""Bagging: many trees, each grown on rows drawn with replacement, that answer together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.random import key_of
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural
from dtree_lab.ensemble.predict import Voting
from dtree_lab.ensemble.settings import unweighted, usual_draws
from dtree_lab.grow.engine.sampling import rows_of_tree
from dtree_lab.grow.leaf_values import checked_predictions
from dtree_lab.grow.prepare import check_table
from dtree_lab.table.table import Attribute, Table


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """A bootstrap sample of a table."""

    table: Table = field(repr=False)
    rows: NDArray[np.intp]  # those drawn, by position, in increasing order; shape `(n_rows,)`

    @property
    def sample(self) -> Table:
        """The rows drawn, each as often as it was; what they weighed is in that."""
        return unweighted(self.table).take(self.rows)

    @property
    def times(self) -> NDArray[np.int64]:
        """How often each row was drawn, shape ``(n_rows,)``."""
        return np.bincount(self.rows, minlength=len(self.table))

    @property
    def out_of_bag(self) -> NDArray[np.intp]:
        """The rows that were not drawn, by position."""
        return np.flatnonzero(self.times == 0)

    @property
    def rest(self) -> Table:
        """The rows that were not drawn, to measure the error on.

        Raises
        ------
        ValueError
            When all were drawn.
        """
        return self.table.take(self.out_of_bag)

    @property
    def distinct_share(self) -> float:
        """The share of the table's rows that were drawn: about 1 - 1/e = 0.632."""
        return float(np.mean(self.times > 0))


def bootstrap(table: Table, *, seed: int = 0, tree: int = 0) -> Bootstrap:
    """Draw as many rows as the table has, with replacement.

    It is the sample on which tree number `tree` of ``dt.random_forest(table, seed=seed)`` is grown,
    which draws rows with weights by these. Where weights are whole, it is that of the rows
    repeated; a row is out of the bag if no part of it is drawn.

    Parameters
    ----------
    table
        The rows.
    seed
        The same seed draws the same rows.
    tree
        Each number has a sample of its own.

    Returns
    -------
    Bootstrap
        The sample, and which rows are out of the bag.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a seed or a number of a tree that is no whole number, 0 or above.

    Notes
    -----
    Each row is left out with probability ``(1 - 1/n)**n``, about 1/e = 0.368 (Efron and Tibshirani
    1993, An introduction to the bootstrap, section 17.7).

    Examples
    --------
    >>> import dtree_lab as dt
    >>> drawn = bootstrap(dt.datasets.tax_fraud(), seed=1)
    >>> drawn.times, drawn.out_of_bag
    (array([0, 1, 0, 1, 1, 4, 1, 1, 1, 0]), array([0, 2, 9]))
    >>> len(drawn.sample), drawn.distinct_share
    (10, 0.7)
    """
    check_table(table)
    return Bootstrap(table, _drawn(table, seed, checked_whole("tree", tree, 0)))


def _drawn(table: Table, seed: int, tree: int) -> NDArray[np.intp]:
    n, weights = table.n_rows, table.weights
    draws = usual_draws(n, weights, table.weight_unit)
    return rows_of_tree(seed, tree, n, draws, weights)


# Where a tree's own chance is keyed: beyond the places of the rows that are drawn for it.
_WITHIN = 1 << 40


@dataclass(frozen=True, repr=False)
class Committee(Voting):
    """Trees that answer together: the class with most votes, or the mean of their numbers."""

    target: Attribute  # what they predict
    trees: tuple[Any, ...]  # the trees, or whatever a grower made
    # For each tree the training rows that it was grown on, by position, in increasing order, as
    # often as each was drawn; shape `(n_trees, n_drawn)`. The others are out of its bag.
    samples: NDArray[np.intp]
    _named = "the committee"

    @terminal
    def __repr__(self) -> str:
        return f"Committee({plural(len(self.trees), 'tree')} for {self.target.name!r})"

    @property
    def n_leaves(self) -> float:
        """The leaves of all trees together; NaN for what has no leaves."""
        return sum(getattr(tree, "n_leaves", float("nan")) for tree in self.trees)

    def _said(self, data: Any) -> Iterator[NDArray[Any]]:
        rows = [data] if isinstance(data, Mapping) else data
        yield np.stack([checked_predictions(tree, rows, self.target) for tree in self.trees])


@dataclass(frozen=True)
class Bagged:
    """A grower of committees; made by :func:`bagged`."""

    grower: Callable[..., Any]
    n_trees: int

    def __call__(self, table: Table, *, seed: int = 0, **keywords: Any) -> Committee:
        """Grow the committee."""
        samples = np.stack([_drawn(table, seed, t) for t in range(self.n_trees)])
        trees, alike = [], unweighted(table)
        for t, rows in enumerate(samples):
            own = chance_of(self.grower, seed, t, _WITHIN) | keywords
            trees.append(self.grower(alike.take(rows), **own))
        return Committee(table.target, tuple(trees), samples)


def bagged(grower: Callable[..., Any], n_trees: int = 25) -> Bagged:
    """A grower that grows many trees, each on a bootstrap sample, and lets them answer together.

    Each tree is about as biased as a single one, but what chance has put into it is averaged away.
    Samples are those of :func:`bootstrap`, so rows with weights are drawn by these.

    Parameters
    ----------
    grower
        :func:`dtree_lab.id3`, or any function of a table whose result has a ``predict(table)``.
    n_trees
        How many.

    Returns
    -------
    Bagged
        To be used as the grower is: ``bagged(dt.id3, 25)(table, max_depth=4, seed=0)``. It gives a
        :class:`Committee`.

    Raises
    ------
    TypeError
        For what is no function.
    ValueError
        For a number below 1.

    Notes
    -----
    Breiman (1996), Bagging predictors, Machine Learning 24, 123-140. Ties in the vote go to the
    first class.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> committee = bagged(dt.id3, 5)(dt.datasets.tax_fraud(), seed=0)
    >>> committee
    Committee(5 trees for 'Cheat')
    >>> committee.votes(dt.datasets.tax_fraud()).sum(axis=1)
    array([5, 5, 5, 5, 5, 5, 5, 5, 5, 5])
    """
    if not callable(grower):
        raise TypeError(f"grower must be a function of a table, such as dt.id3; got {grower!r}")
    return Bagged(grower, checked_whole("n_trees", n_trees, 1))


def chance_of(grower: Callable[..., Any], seed: int, *places: int) -> dict[str, int]:
    """A seed, for a grower with a keyword `seed` that nobody has fixed before; else nothing."""
    inner = grower
    while isinstance(inner, partial):
        if "seed" in inner.keywords:
            return {}
        inner = inner.func
    try:
        takes = inspect.signature(inner).parameters
    except (TypeError, ValueError):  # some functions written in C do not tell
        return {}
    # 31 bits, because a grower may hand it to something that takes no more.
    return {"seed": int(key_of(seed, *places)[0]) >> 33} if "seed" in takes else {}
