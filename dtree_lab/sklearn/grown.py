"""What the estimators of one tree share, and those of a forest."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import check_random_state  # type: ignore[import-untyped]
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from dtree_lab.learn.api import c45, cart, id3
from dtree_lab.learn.forest.api import random_forest
from dtree_lab.sklearn.keywords import limits, n_drawn, one_of, truth, whole
from dtree_lab.sklearn.tabular import Tabular

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dtree_lab.learn.forest.forest import Forest
    from dtree_lab.table import Table
    from dtree_lab.tree import Tree

    Floats = NDArray[np.float64]

# ruff: noqa: N803 - scikit-learn calls the rows X

_GROWERS = {"id3": id3, "c45": c45, "cart": cart}


class OneTree(Tabular):
    """An estimator whose answer is one tree's."""

    algorithm: str
    tree_: Tree

    def __sklearn_tags__(self) -> Any:
        """A row without a value that a node asks for is answered by that node's rows."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _grow(self, table: Table, criterion: str | None, **leaf: Any) -> None:
        one_of("algorithm", self.algorithm, tuple(_GROWERS))
        grow = _GROWERS[self.algorithm]
        where = limits(vars(self), table.n_rows)
        self.tree_ = grow(table, criterion=criterion, **where, **leaf)

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

    def get_depth(self) -> int:
        """The most questions that a row can meet."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has."""
        check_is_fitted(self)
        return self.tree_.n_leaves


class ManyTrees(Tabular):
    """An estimator whose answer is a forest's."""

    forest_: Forest

    def _grow(self, table: Table) -> Floats:
        """Grow the forest; the mean of the trees' importances."""
        given = vars(self)
        if given["oob_score"] and not given["bootstrap"]:
            msg = "oob_score needs bootstrap=True: without samples no row is out of a tree's bag"
            raise ValueError(msg)
        self.forest_ = random_forest(
            table,
            n_trees=whole("n_estimators", given["n_estimators"], 1),
            m=n_drawn(given["max_features"], len(table.attributes)),
            criterion=None if self._is_regressor else given["criterion"],
            bootstrap=truth("bootstrap", given["bootstrap"]),
            seed=_seed(given["random_state"]),
            n_jobs=given["n_jobs"],
            **limits(given, table.n_rows),
        )
        self.estimators_ = list(self.forest_.trees)
        each = [self._importances(tree) for tree in self.estimators_]
        # A tree that asks nothing has no say.
        importances: Floats = np.sum(each, axis=0) / max(np.sum(each), 1.0)
        return importances

    def _importances(self, tree: Tree) -> Floats:
        raise NotImplementedError

    def _grown(self) -> Forest:
        return self.forest_

    def _judged(self, y: Any, said: NDArray[Any], measure: Callable[..., float]) -> None:
        """Set `oob_score_` from what the trees say of the rows that they did not see."""
        chosen: Any = vars(self)["oob_score"]
        known: NDArray[np.bool_] = self.forest_.out_of_bag.votes.sum(axis=1) > 0
        if not known.all():
            warnings.warn(
                f"{np.count_nonzero(~known)} of {len(known)} rows are in every tree's sample, so"
                " they have no out-of-bag prediction; more trees would help",
                UserWarning,
                stacklevel=3,
            )
        score = chosen if callable(chosen) else measure
        self.oob_score_ = float(score(y[known], said[known])) if known.any() else float("nan")

    def apply(self, X: Any) -> NDArray[np.intp]:
        """The number of the node where each row stops in each tree.

        Returns
        -------
        numpy.ndarray
            Shape ``(n_samples, n_estimators)``; nodes are numbered breadth first in their tree.
        """
        rows = self._rows(X)
        return np.stack([tree.apply(rows) for tree in self.estimators_], axis=1)


def _seed(random_state: Any) -> int:
    """A whole number is the seed itself; anything else draws one."""
    chance = check_random_state(random_state)
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(chance.randint(np.iinfo(np.int32).max))
