"""The random forest that people call."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import chain
from typing import Any

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.parallel import parallel_map
from dtree_lab.ensemble.forest import Forest
from dtree_lab.ensemble.out_of_bag import Votes
from dtree_lab.ensemble.predict import batches, grow_numbered
from dtree_lab.ensemble.settings import planned
from dtree_lab.ensemble.textbook import ForestEvent, forest_growth
from dtree_lab.grow.engine.packed import PackedColumns
from dtree_lab.grow.steps import narrates
from dtree_lab.table.table import Table


def random_forest(  # noqa: PLR0913 - the growers' keywords are a contract
    table: Table,
    *,
    n_trees: int = 100,
    m: int | None = None,
    criterion: str | None = None,
    bootstrap: bool = True,
    max_samples: float | None = None,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_rows: int = 2,
    min_leaf: int = 1,
    min_gain: float = 0.0,
    max_error: float | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Forest:
    """Grow a random forest: many trees, each on rows and attributes that chance has drawn.

    For each tree as many rows as the table has are drawn, with replacement. At each node `m`
    attributes are drawn, and the best split by any of them is made. The trees are fully grown and
    not pruned. The class that most of them say is predicted; of a continuous target, the mean of
    what they say. The rows that were not drawn for a tree, its out-of-bag rows, tell how good the
    forest is without a test set, if the rows are independent (:attr:`Forest.oob_error`).

    Each tree is one of :func:`dtree_lab.cart`: every question has two answers. The limits hold for
    each tree.

    Parameters
    ----------
    table
        Rows with their labels. A row that lacks a value rests, as in :func:`dtree_lab.cart`, at
        the node that asks for it, and counts neither for nor against that question.
    n_trees
        How many trees.
    m
        How many attributes a node draws, from 1 to all. Without one, Breiman's: the square root of
        the number of attributes, or for a continuous target a third of it. If none of these can
        split the node's rows, more are drawn, one by one, until one can.
    criterion
        ``"gini"`` or ``"entropy"``; ``"variance"`` for a continuous target. Without one, Gini, or
        variance.
    bootstrap
        Whether each tree has a sample of its own. Otherwise all have all rows, and nothing is out
        of bag. Rows with weights lie end to end, each as long as it weighs, and places on them are
        drawn: as many as whole weights add up to (as if rows stood there repeated), or, where
        weights are fractions, as there are rows. A row is out of bag if no part of it is drawn:
        so out-of-bag errors, and they alone, differ from those of repeated rows.
    max_samples
        How many rows a sample has, if fewer: a whole number, or a share, rounded down (0.5 is half
        of them, 1.0 all).
    max_depth, max_leaves, min_rows, min_leaf, min_gain, max_error
        As in :func:`dtree_lab.id3`, for each tree; `max_error` is that on the tree's sample.
    seed
        The same seed grows the same forest, whatever `n_jobs` is and on any machine.
    n_jobs
        How many processes grow trees at once, this one among them; None leaves it to
        ``joblib.parallel_config``, -1 takes all cores. The others are started only if what is
        left takes longer than starting them, so a small forest does not get slower by it. They
        wait a minute for more to do.

    Returns
    -------
    Forest
        Predicts, and knows its out-of-bag error, importances, proximities and margins.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a criterion that does not suit the target, or a keyword out of range.

    Notes
    -----
    Breiman (2001), Random forests, Machine Learning 45, 5-32. Among equal splits the first
    attribute, then the lowest cut wins. A row that stops above a leaf, because its value is missing
    or has no branch, gets the answer of that node's rows: among R's trees this is rpart's
    ``usesurrogate = 0``. :func:`dtree_lab.fill_by_proximity` fills gaps instead.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> forest = random_forest(dt.datasets.tax_fraud(), n_trees=25)
    >>> forest
    Forest(25 trees for 'Cheat', out-of-bag error 0.3)
    >>> row = {"Refund": "No", "Marital Status": "Single", "Taxable Income": 85}
    >>> forest.predict(row), forest.votes(row)
    ('Yes', array([[ 1, 24]]))
    """
    in_ticks, plan = planned(
        table,
        m=m,
        criterion=criterion,
        bootstrap=bootstrap,
        max_samples=max_samples,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_rows=min_rows,
        min_leaf=min_leaf,
        min_gain=min_gain,
        max_error=max_error,
        seed=seed,
    )
    n_trees = checked_whole("n_trees", n_trees, 1)
    places = PackedColumns.of(in_ticks)
    each = [(trees,) for trees in batches(n_trees, plan.n_draws(table.n_rows), n_jobs)]
    common = (table, in_ticks, places, plan)
    done = parallel_map(grow_numbered, each, what="growing trees", n_jobs=n_jobs, common=common)
    counted, trees = Votes(table, plan.row_of(table.n_rows)), []
    for tree, said in chain.from_iterable(done):
        # From another process it comes with copies of the attributes.
        trees.append(replace(tree, attributes=table.attributes, target=table.target))
        counted.add(said)
    return Forest(table.attributes, table.target, tuple(trees), plan, counted.counted())


@narrates(random_forest)
def forest_events(
    table: Table,
    *,
    n_trees: int = 100,
    n_jobs: int | None = None,  # noqa: ARG001 - a story is told by one
    **keywords: Any,
) -> Generator[ForestEvent, None, Forest]:
    """The steps of :func:`random_forest`, as the textbook tells them."""
    in_ticks, plan = planned(table, **keywords)
    trees, counted = yield from forest_growth(
        table, in_ticks, plan, checked_whole("n_trees", n_trees, 1)
    )
    return Forest(table.attributes, table.target, trees, plan, counted)
