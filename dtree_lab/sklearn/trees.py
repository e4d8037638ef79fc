"""A single tree as an estimator: how it is grown, cut back and asked.

A tree of theirs is a grower's. Where columns are drawn at each node (`max_features`) it is grown as
a tree of a forest is, on all rows. Then it is cut back, as scikit-learn says it (`ccp_alpha`), by a
method of :mod:`dtree_lab.prune`, or both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
from sklearn.base import clone  # type: ignore[import-untyped]
from sklearn.utils import Bunch  # type: ignore[import-untyped]
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from dtree_lab.base.checks import is_real
from dtree_lab.base.types import Floats
from dtree_lab.criteria.classes import CRITERIA, ENTROPY
from dtree_lab.evaluate import holdout
from dtree_lab.grow.api import c45, cart, id3
from dtree_lab.grow.engine.grow import Drawing, grow_trees
from dtree_lab.grow.engine.packed import PackedColumns
from dtree_lab.grow.engine.sampling import root_key
from dtree_lab.grow.leaf_values import Answer, answered
from dtree_lab.grow.prepare import ready
from dtree_lab.grow.recipe import Kind, Stop
from dtree_lab.prune import METHODS, choose_alpha, grow_until
from dtree_lab.prune.pruned import pruned
from dtree_lab.prune.reduced import SubtreeErrors
from dtree_lab.prune.weakest_link import Links, cost_complexity, weakest_first
from dtree_lab.sklearn.shared import (
    Classifier,
    Regressor,
    Tabular,
    checked_choice,
    class_criterion,
    limits,
    n_drawn,
    state_seed,
)
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import trimmed
from dtree_lab.tree.importance import question_gains
from dtree_lab.tree.subtrees import resting
from dtree_lab.tree.tree import Tree

# ruff: noqa: N803 - scikit-learn calls the rows X

_GROWERS: dict[Kind, Callable[..., Tree]] = {"id3": id3, "c45": c45, "cart": cart}
_FOLDS = 10  # by which a price of leaves is chosen


@dataclass(kw_only=True, eq=False, repr=False)
class OneTree(Tabular):
    """An estimator whose answer is one tree's."""

    algorithm: str = "cart"
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_gain: float = 0.0
    max_error: float | None = None
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_features: str | float | None = None
    random_state: Any = None
    ccp_alpha: float = 0.0
    prune: Callable[..., Tree] | str | None = None
    tree_: Tree = field(init=False)

    def _learn(self, table: Table, settings: Any) -> None:
        kind: Any = checked_choice("algorithm", self.algorithm, tuple(_GROWERS))
        for name in ("ccp_alpha", "min_impurity_decrease"):
            given = getattr(self, name)
            if not is_real(given) or not given >= 0:
                raise ValueError(f"{name}={given!r} must be a number, at least 0.0")
        keywords = settings | limits(vars(self), Fraction(table.n_ticks, table.weight_unit))
        self.max_features_ = n_drawn(self.max_features, len(table.attributes))
        grow: Callable[..., Tree] = partial(_GROWERS[kind], **keywords)
        if self.max_features_ < len(table.attributes):
            seed = state_seed(self.random_state)
            grow = partial(_grown_by_drawing, kind, self.max_features_, seed, **keywords)
        self.tree_ = self._pruned(partial(self._cut_back, grow), table)
        self.feature_importances_ = self.tree_.importance().values

    def _cut_back(self, grow: Callable[..., Tree], table: Table) -> Tree:
        """The tree without questions that gain too little, and pruned by the price of a leaf.

        The questions with the largest gains come first where the whole tree is limited, so it does
        not matter that those that gain too little are taken out afterwards.
        """
        tree = grow(table)
        if self.min_impurity_decrease:
            gains, opened = _decreases(tree), tree.flat.attr >= 0
            opened[opened] = gains + np.finfo(float).eps >= self.min_impurity_decrease
            n_values = [a.n_values for a in tree.attributes]
            tree = tree.with_nodes(trimmed(tree.flat, opened, n_values))
        if self.ccp_alpha:
            links, prices, _ = _weakest(tree)
            n = int(np.searchsorted(prices, self.ccp_alpha, side="right"))
            return pruned(tree, links.first(n).cuts)
        return tree

    def _pruned(self, grow: Callable[[Table], Tree], table: Table) -> Tree:
        """The tree, pruned as `prune` says."""
        named = {name: method for name, method in METHODS.items() if method.needs}
        known = {"cost_complexity": cost_complexity, "grow_until": grow_until}
        known |= {name: method.prune for name, method in named.items()}
        how = next((name for name, prune in known.items() if prune is self.prune), self.prune)
        if how is None:
            return grow(table)
        if callable(how):
            tree = how(grow(table))
            if not isinstance(tree, Tree):
                msg = f"prune={how!r} must give a dt.Tree; it gave a {type(tree).__name__}"
                raise TypeError(msg)
            return tree
        checked_choice("prune", how, (None, *known))
        if how == "cost_complexity":
            seed, folds = state_seed(self.random_state), min(_FOLDS, len(table))
            alpha = choose_alpha(grow, table, folds=folds, seed=seed).value
            return cost_complexity(grow(table), alpha)
        rest = held = table
        if how == "grow_until" or "validation" in named[how].needs:
            rest, held = holdout(table, seed=state_seed(self.random_state))
        if how == "grow_until":
            return grow_until(grow, rest, held)
        return named[how].prune(grow(rest), *named[how].arguments(held))

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The prices of a leaf (`ccp_alpha`) at which the tree becomes smaller, by impurity.

        :func:`dtree_lab.prune.cost_complexity_path` has the same by wrong answers, and the trees.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`.

        Returns
        -------
        sklearn.utils.Bunch
            ``ccp_alphas``, increasing from 0, one for each cut; ``impurities``, those of all
            leaves after it, weighted by their shares of the rows.
        """
        grown = clone(self).set_params(ccp_alpha=0.0, prune=None).fit(X, y, sample_weight)
        _, prices, impurities = _weakest(grown.tree_)
        return Bunch(ccp_alphas=np.append(0.0, prices), impurities=impurities)

    def _grown(self) -> Tree:
        return self.tree_

    def apply(self, X: Any) -> NDArray[np.intp]:
        """The number of the node of ``tree_`` where each row stops; shape ``(n_samples,)``.

        Nodes are numbered breadth first, the root is 0. A row stops above a leaf where its value
        is missing, or was in no training row at that node.
        """
        columns = self._columns(X)
        stops: NDArray[np.intp] = self.tree_.flat.apply(columns, self.tree_.attributes)
        return stops

    def decision_path(self, X: Any) -> csr_matrix:
        """Which nodes each row comes by, from the root to where it stops.

        Returns
        -------
        scipy.sparse.csr_matrix
            Shape ``(n_samples, n_nodes)``, 1 where a row comes by; nodes are numbered as in
            :meth:`apply`.
        """
        node: NDArray[Any] = self.apply(X)
        row: NDArray[Any] = np.arange(len(node))
        nodes, rows = list[Any](), list[Any]()
        shape = len(node), self.tree_.n_nodes
        while node.size:
            nodes, rows = [node, *nodes], [row, *rows]
            above = self.tree_.flat.parent[node]
            node, row = above[above >= 0], row[above >= 0]
        at = np.concatenate(rows), np.concatenate(nodes)
        return csr_matrix((np.ones(len(at[0]), dtype=np.int64), at), shape=shape)

    def get_depth(self) -> int:
        """The most questions that a row can meet."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has."""
        check_is_fitted(self)
        return self.tree_.n_leaves


def _grown_by_drawing(  # noqa: PLR0913 - a grower and its keywords
    kind: Kind,
    m: int,
    seed: int,
    table: Table,
    *,
    criterion: str | None = None,
    leaf: Answer = "mean",
    **where: Any,
) -> Tree:
    """A tree on all rows, each node of which draws `m` columns, as those of a forest do."""
    in_ticks, recipe = ready(kind, table, criterion, Stop(**where))
    times = np.ones(table.n_rows, dtype=np.int64) if table.weights is None else table.weights
    places, drawing = PackedColumns.of(in_ticks), Drawing(m, root_key(seed, [0]))
    flat = grow_trees(in_ticks, places, recipe, times[None], drawing)[0]
    return answered(table, flat, leaf, recipe.criterion.name)


def _decreases(tree: Tree) -> Floats:
    """How much each question lowers the impurity of the whole tree."""
    rows, criterion = float(tree.flat.counts[0].sum()), CRITERIA.get(tree.criterion)
    if criterion is None:  # numbers
        return question_gains(tree.flat, ENTROPY) / rows
    each: Floats = criterion.per_row(question_gains(tree.flat, criterion), rows)
    return each


def _weakest(tree: Tree) -> tuple[Links, Floats, Floats]:
    """The links, weakest first, their prices, told in floats, and the impurity after each cut."""
    links, flat, criterion = weakest_first(tree, tree.criterion), tree.flat, tree.criterion
    costs, per = links.standing, float(flat.counts[0].sum())
    if criterion in CRITERIA:
        each = []
        for counts in (flat.counts, resting(flat)):
            rows = counts.sum(axis=1, keepdims=True)
            each.append(rows[:, 0] * CRITERIA[criterion].impurity(counts / np.maximum(rows, 1)))
        costs = SubtreeErrors(flat, each[0], each[1], per)
    rise = links.changes(costs) / per
    prices = np.maximum.accumulate(np.append(0.0, rise / links.fewer))[1:]
    return links, prices, costs.cost + np.append(0.0, np.cumsum(rise))


@dataclass(kw_only=True, eq=False, repr=False)
class TreeClassifier(OneTree, Classifier):
    """A decision tree that answers with a class, as a scikit-learn estimator.

    Parameters
    ----------
    algorithm
        ``"cart"``: two branches everywhere. ``"id3"``: a branch for each value of a discrete
        column. ``"c45"``: the same, attributes compared by gain ratio. Numbers are cut in two by
        all of them, so on an array ID3 and CART differ by their criterion only.
    criterion
        ``"entropy"``, which may be called ``"log_loss"``, or ``"gini"``; None for the algorithm's
        own: Gini for CART, else entropy.
    max_depth
        The most questions on any path.
    max_leaf_nodes
        The most leaves; the tree is grown best first.
    min_samples_split
        The fewest rows at which a node is still split: a number, or a share of all rows.
    min_samples_leaf
        The fewest rows in each branch of a split that is made: a number, or a share of all rows.
    min_gain
        The least gain of a split that is made, at its node, in bits or Gini.
    max_error
        The share of training rows that may stay wrong: growing stops, best first, when the whole
        tree is that good.
    min_weight_fraction_leaf
        The least that each branch of a split weighs, as a share of what all rows weigh.
    class_weight
        What rows of a class weigh, times their own weights: a dict of class to weight;
        ``"balanced"``, so that all classes weigh the same; None for 1.
    min_impurity_decrease
        The least gain of a split that is made, times the share of all rows that are at its node.
    max_features
        How many columns each node draws to choose from: a number, a share of all, ``"sqrt"``,
        ``"log2"``, or None for all of them. If none of these can split the node, more are drawn.
    random_state
        Where chance comes from: the columns that are drawn, and the rows that `prune` withholds.
        It is used for nothing else.
    ccp_alpha
        The price of a leaf in impurity, as scikit-learn has it: the tree is pruned to the one
        with the least impurity plus `ccp_alpha` for each leaf. (``dt.prune.cost_complexity``, and
        `prune`, count wrong answers unless told otherwise.)
    prune
        What prunes the tree after that: a function of a tree that gives a tree, such as
        ``partial(dt.prune.cost_complexity, alpha=0.01)``, or one of the methods of ``dt.prune``,
        or its name. ``"pessimistic"`` prunes on the training rows. ``"cost_complexity"`` counts
        wrong answers, and chooses the price by cross-validation. ``"reduced_error"`` and
        ``"grow_until"`` withhold a third of the rows, by `random_state`.

    Attributes
    ----------
    classes_
        The labels, sorted; shape ``(n_classes,)``.
    n_classes_
        How many.
    tree_
        The :class:`dtree_lab.Tree`: it is drawn where it is shown, and ``tree_.explain(row)``
        tells why.
    feature_importances_
        Each column's share of the decrease in impurity; shape ``(n_features_in_,)``.
    n_features_in_, feature_names_in_
        The number of columns, and the names of a data frame's.

    Raises
    ------
    ValueError, TypeError
        By ``fit``, for a parameter out of range and for data that no tree can be grown on; by what
        predicts, for columns that differ from those that were fitted.

    Notes
    -----
    `X` is a 2-D array of numbers or a data frame (pandas, polars, Arrow). Missing values (NaN,
    None) are allowed. No chance decides a tie: the first column, then the lowest cut, wins it.
    :func:`dtree_lab.id3`, :func:`~dtree_lab.c45` and :func:`~dtree_lab.cart` have the sources.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TreeClassifier(max_leaf_nodes=3).fit(X, y)
    >>> print(model.tree_.explain(dict(X.loc[0])))
    petal length (cm) is 1.4, < 2.45
    so target = 0 (50 of 50 training rows here)
    >>> model.predict_proba(X[:1])
    array([[1., 0., 0.]])
    """

    criterion: str | None = None
    class_weight: Mapping[Any, float] | str | None = None

    def _asked(self) -> dict[str, Any]:
        return {"criterion": class_criterion(self.criterion, None)}

    def predict(self, X: Any) -> NDArray[Any]:
        """The majority class where each row stops; shape ``(n_samples,)``."""
        stops = self.apply(X)
        answers = self.classes_[self.tree_.flat.majority]
        predicted: NDArray[Any] = answers.take(stops)
        return predicted

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The share of each class where a row stops; shape ``(n_samples, n_classes)``."""
        stops = self.apply(X)
        return self.tree_.shares_at(stops)


@dataclass(kw_only=True, eq=False, repr=False)
class TreeRegressor(OneTree, Regressor):
    """A decision tree that answers with a number, as a scikit-learn estimator.

    Parameters
    ----------
    algorithm, max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf
        As for :class:`TreeClassifier`.
    criterion
        ``"squared_error"``, scikit-learn's name, or ``"variance"``: the same.
    min_gain
        The least gain of a split that is made, at its node, in the target's unit squared.
    max_error
        The mean squared error at which growing stops, best first.
    leaf
        What a leaf answers: ``"mean"``; ``"vote"``, its most frequent number; or ``"line"``, a
        linear function of the continuous columns.
    min_weight_fraction_leaf, min_impurity_decrease, max_features, random_state, ccp_alpha, prune
        As for :class:`TreeClassifier`.

    Attributes
    ----------
    tree_, feature_importances_, n_features_in_, feature_names_in_
        As of :class:`TreeClassifier`.

    Raises
    ------
    ValueError, TypeError
        As :class:`TreeClassifier` does.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(6.0).reshape(-1, 1)
    >>> TreeRegressor(max_depth=1).fit(X, [1, 1, 1, 5, 6, 7]).predict([[0], [9]])
    array([1., 6.])
    """

    criterion: str = "squared_error"
    leaf: str = "mean"

    def _asked(self) -> dict[str, Any]:
        checked_choice("criterion", self.criterion, ("squared_error", "variance"))
        return {"leaf": self.leaf}

    def predict(self, X: Any) -> NDArray[np.float64]:
        """What the leaf where a row stops answers; shape ``(n_samples,)``."""
        check_is_fitted(self)
        values = self.tree_.flat.values
        if values.shape[1] > len(("answer", "variance")):  # leaves answer with lines
            answers: NDArray[np.float64] = self.tree_.predict(self._rows(X))
            return answers
        means: NDArray[np.float64] = values[:, 0].take(self.apply(X))
        return means
