"""What the estimators share: parameters and data checked, and turned into what the growers take.

:class:`Tabular` makes a table of data in scikit-learn's shapes; :class:`ManyTrees` is what the
estimators of a forest have in common.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, isqrt, log2
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (  # type: ignore[import-untyped]
    BaseEstimator,
    ClassifierMixin,
    RegressorMixin,
)
from sklearn.utils import (  # type: ignore[import-untyped]
    check_consistent_length,
    check_random_state,
    compute_class_weight,
)
from sklearn.utils.multiclass import (  # type: ignore[import-untyped]
    check_classification_targets,
)
from sklearn.utils.validation import (  # type: ignore[import-untyped]
    _check_feature_names,
    _check_sample_weight,
    check_is_fitted,
    validate_data,
)

from dtree_lab.base.checks import checked_whole, is_real, is_whole
from dtree_lab.base.text import listing
from dtree_lab.base.types import Floats
from dtree_lab.criteria.classes import CRITERIA
from dtree_lab.ensemble.forest import Forest
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.sklearn import frames
from dtree_lab.table.table import Attribute, Table
from dtree_lab.table.ticks import class_weighted, ticks_from

Columns = Sequence[NDArray[Any]] | NDArray[np.float64]


def _is_whole(given: Any, least: int) -> bool:
    whole = is_whole(given)
    return whole and bool(given >= least)


def _is_share(given: Any) -> bool:
    return isinstance(given, float | np.floating) and bool(0 < given <= 1)


def checked_choice(name: str, given: Any, known: tuple[Any, ...]) -> Any:
    """One of some values; raises a ValueError for any other."""
    if not any(type(given) is type(one) and given == one for one in known):
        raise ValueError(f"{name}={given!r} must be one of {listing(known)}")
    return given


def class_criterion(given: Any, *others: Any) -> Any:
    """The criterion of classes that is called so here or in scikit-learn, or one of `others`."""
    checked_choice("criterion", given, (*others, *CRITERIA, "log_loss"))
    return "entropy" if given == "log_loss" else given


def checked_truth(name: str, given: Any) -> bool:
    """True or False; raises a ValueError for anything else."""
    if not isinstance(given, bool | np.bool_):
        msg = f"{name}={given!r} must be True or False"
        raise ValueError(msg)  # noqa: TRY004 - one error for all parameters
    return bool(given)


def limits(given: Mapping[str, Any], n_rows: Fraction) -> dict[str, Any]:
    """The growers' keywords for where to stop, from parameters with scikit-learn's names."""
    depth, leaves = given["max_depth"], given["max_leaf_nodes"]
    same = {name: given[name] for name in ("min_gain", "max_error") if name in given}
    least = least_rows("min_samples_leaf", given["min_samples_leaf"], 1, n_rows)
    share = given.get("min_weight_fraction_leaf", 0.0)
    if not is_real(share) or not 0 <= share <= 0.5:  # noqa: PLR2004
        raise ValueError(f"min_weight_fraction_leaf={share!r} must be a number from 0.0 to 0.5")
    lightest = Fraction(str(float(share))) * n_rows
    return {
        "max_depth": None if depth is None else checked_whole("max_depth", depth, 0),
        "max_leaves": None if leaves is None else checked_whole("max_leaf_nodes", leaves, 1),
        "min_rows": least_rows("min_samples_split", given["min_samples_split"], 2, n_rows),
        "min_leaf": lightest if lightest and (least == 1 or lightest > least) else least,
        **same,
    }


def least_rows(name: str, given: Any, least: int, n_rows: Fraction) -> int:
    """A number of rows, or a share of all, rounded up."""
    if _is_whole(given, least):
        return int(given)
    if _is_share(given):
        return max(least, ceil(float(given) * float(n_rows)))
    raise ValueError(
        f"{name}={given!r} must be a whole number of rows, at least {least}, or a share of"
        " all rows, above 0.0 and up to 1.0"
    )


def n_drawn(given: Any, n_features: int) -> int:
    """`max_features`: how many attributes are drawn at each node, out of so many."""
    if given is None:
        return n_features
    if isinstance(given, str) and given in ("sqrt", "log2"):
        return max(1, isqrt(n_features) if given == "sqrt" else int(log2(n_features)))
    if _is_whole(given, 1):
        return min(int(given), n_features)
    if _is_share(given):
        return max(1, int(float(given) * n_features))
    raise ValueError(
        f"max_features={given!r} must be None, 'sqrt', 'log2', a whole number of columns, at least"
        " 1, or a share of them, above 0.0 and up to 1.0"
    )


# ruff: noqa: N803, N806 - scikit-learn calls the rows X


class Tabular(BaseEstimator):  # type: ignore[misc]
    """An estimator that learns from a table, the rows of which may lack values."""

    _is_regressor = False

    def __sklearn_tags__(self) -> Any:
        """A row without a value that a node asks for is answered by that node's rows."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _target(self, name: str, y: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
        """The target as an attribute, and its column."""
        raise NotImplementedError

    def _asked(self) -> Any:
        """What is to be done, beside the rows, once it is checked."""
        raise NotImplementedError

    def _learn(self, table: Table, settings: Any) -> None:
        """Set what is learned from a table."""
        raise NotImplementedError

    def _grown(self) -> Any:
        """What was learned: has `attributes` and `target`."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows.

        Parameters
        ----------
        X
            Rows of columns, shape ``(n_samples, n_features)``.
        y
            The class, or the number, of each row; shape ``(n_samples,)``.
        sample_weight
            What each row weighs, shape ``(n_samples,)``; as often as that it counts, for limits in
            rows as well. A forest's samples are drawn by it, and AdaBoost begins with it.
        """
        settings = self._asked()
        self._learn(self._training(X, y, sample_weight), settings)
        return self

    def _training(self, X: Any, y: Any, sample_weight: Any = None) -> Table:
        """The table to learn from, rows of weight 0 left out; sets what a fit says of columns."""
        title = getattr(y, "name", None)
        found, known = frames.float_matrix(X), self._labels(y)
        if found and found.names is not None and known is None:
            known = validate_data(self, y=y, y_numeric=self._is_regressor)
        if found and known is not None and len(found.x) == len(known):
            y = known
            self.n_features_in_ = found.x.shape[1]
            self._check_names(X, found, reset=True)
            attributes, columns = frames.of_array(found.x, found.names)
        elif frames.is_frame(X):
            y = validate_data(self, y=y, y_numeric=self._is_regressor)
            validate_data(self, X, skip_check_array=True)
            check_consistent_length(X, y)
            attributes, columns = frames.of_frame(X)
        else:
            X, y = self._numbers(X, y=y, y_numeric=self._is_regressor)
            attributes, columns = frames.of_array(X)
        title = title if isinstance(title, str) and title else "y"
        target, labels = self._target(frames.spare(title, [a.name for a in attributes]), y)
        table = Table(attributes, target, columns, labels)
        if sample_weight is not None:
            checked = _check_sample_weight(sample_weight, labels, ensure_non_negative=True)
            ticks, unit = ticks_from(checked, table.n_rows, "sample_weight")
            kept = np.flatnonzero(ticks)
            table = replace(table.take(kept), weights=ticks[kept], weight_unit=unit)
        return self._balanced(table)

    def _balanced(self, table: Table) -> Table:
        """The table with what its classes weigh."""
        return table

    def _check_names(self, X: Any, matrix: frames.Plain, *, reset: bool) -> None:
        """The names of columns, as scikit-learn keeps and compares them."""
        if matrix.names is not None or hasattr(self, "feature_names_in_"):
            _check_feature_names(self, X, reset=reset)

    def _labels(self, y: Any) -> NDArray[Any] | None:
        """Labels that need no conversion; None for all that scikit-learn has to look at."""
        kinds = "f" if self._is_regressor else "iubU"
        plain = type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in kinds
        if not plain or (self._is_regressor and not (y.dtype == float and frames.all_finite(y))):
            return None
        labels: NDArray[Any] = y
        return labels

    def _columns(self, X: Any) -> Columns:
        """The columns to predict, in the codes of what was learned; of an array, one array."""
        check_is_fitted(self)
        attributes: tuple[Attribute, ...] = self._grown().attributes
        found = frames.float_matrix(X)
        if found and found.fits(attributes):
            self._check_names(X, found, reset=False)
            return found.x.T
        words = any(a.values is not None for a in attributes)
        if frames.is_frame(X) or (words and frames.holds_objects(X)):
            validate_data(self, X, reset=False, skip_check_array=True)
            return frames.known_frame(X, attributes)
        return frames.known_array(self._numbers(X, reset=False), attributes)

    def _rows(self, X: Any) -> Table:
        """Rows to predict as a table whose labels mean nothing; raises as :meth:`_columns` does."""
        columns = tuple(self._columns(X))
        attributes, target = self._grown().attributes, self._grown().target
        labels = np.zeros(len(columns[0]), dtype=np.float64 if self._is_regressor else np.int32)
        return Table(attributes, target, columns, labels)

    def _numbers(self, X: Any, **keywords: Any) -> Any:
        """An array as scikit-learn checks it."""
        try:
            return validate_data(
                self, X, dtype=np.float64, ensure_all_finite="allow-nan", **keywords
            )
        except ValueError as error:
            if "could not convert string" not in str(error):
                raise
            msg = f"{error}; to use text as it is, give X as a data frame, or with dtype=object"
            raise ValueError(msg) from None


class Classifier(ClassifierMixin, Tabular):  # type: ignore[misc]
    """What answers with a class."""

    classes_: NDArray[Any]

    def _target(self, name: str, y: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
        self.classes_, codes = np.unique(y, return_inverse=True)
        if y.dtype.kind not in "iubU" or 2 * len(self.classes_) > len(y):
            check_classification_targets(y)  # whole numbers and words that come again are classes
        self.n_classes_ = len(self.classes_)
        return Attribute(name, tuple(self.classes_.tolist())), codes.astype(np.int32)

    def _balanced(self, table: Table) -> Table:
        given = getattr(self, "class_weight", None)
        if given is None:
            return table
        counts = table.counts().tolist()
        if isinstance(given, str) and given == "balanced":
            there = sum(n > 0 for n in counts)
            each = [Fraction(table.n_ticks, there * n) if n else Fraction(0) for n in counts]
        elif isinstance(given, Mapping):
            found = compute_class_weight(dict(given), classes=self.classes_, y=self.classes_)
            each = [Fraction(str(float(w))) for w in found]
        else:
            msg = f"class_weight={given!r} must be None, 'balanced' or a dict of class to weight"
            raise ValueError(msg)
        return class_weighted(table, each, "class_weight")

    def predict_proba(self, X: Any) -> Floats:
        """What speaks for each class, as shares that sum up to 1; ``(n_samples, n_classes)``.

        Of a forest the share of the trees that says it; of gradient boosting its chance.
        """
        rows = self._rows(X)
        shares: Floats = self._grown().shares(rows)
        return shares

    def predict_log_proba(self, X: Any) -> Floats:
        """The natural logarithms of :meth:`predict_proba`, minus infinity for a share of 0."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.predict_proba(X))
        return logs


class Regressor(RegressorMixin, Tabular):  # type: ignore[misc]
    """What answers with a number."""

    _is_regressor = True

    def _target(self, name: str, y: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
        return Attribute(name), y.astype(np.float64)


@dataclass(kw_only=True, eq=False, repr=False)
class ManyTrees(Tabular):
    """An estimator whose answer is a forest's."""

    n_estimators: int = 100
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    bootstrap: bool = True
    oob_score: bool | Callable[..., float] = False
    n_jobs: int | None = None
    random_state: Any = None
    max_samples: float | None = None
    forest_: Forest = field(init=False)

    def _judge(self, table: Table) -> None:
        """Set what the trees say of the rows that they did not see."""
        raise NotImplementedError

    def _learn(self, table: Table, settings: str | None) -> None:
        given = vars(self)
        judge = callable(self.oob_score) or checked_truth("oob_score", self.oob_score)
        if judge and not self.bootstrap:
            msg = "oob_score needs bootstrap=True: without samples no row is out of a tree's bag"
            raise ValueError(msg)
        self.forest_ = random_forest(
            table,
            n_trees=checked_whole("n_estimators", self.n_estimators, 1),
            m=n_drawn(given["max_features"], len(table.attributes)),
            criterion=settings,
            bootstrap=checked_truth("bootstrap", self.bootstrap),
            max_samples=self.max_samples,
            seed=state_seed(self.random_state),
            n_jobs=self.n_jobs,
            **limits(given, Fraction(table.n_ticks, table.weight_unit)),
        )
        self.estimators_ = list(self.forest_.trees)
        self.feature_importances_ = self.forest_.impurity_importance().values
        if judge:
            self._judge(table)

    def _grown(self) -> Forest:
        return self.forest_

    def _judged(self, y: Any, predicted: NDArray[Any], measure: Callable[..., float]) -> None:
        """Set `oob_score_` from what the trees say of the rows that they did not see."""
        known: NDArray[np.bool_] = self.forest_.out_of_bag.votes.sum(axis=1) > 0
        if not known.all():
            warnings.warn(
                f"{np.count_nonzero(~known)} of {len(known)} rows are in every tree's sample, so"
                " they have no out-of-bag prediction; more trees would help",
                UserWarning,
                stacklevel=4,
            )
        score = self.oob_score if callable(self.oob_score) else measure
        self.oob_score_ = float(score(y[known], predicted[known])) if known.any() else float("nan")

    def apply(self, X: Any) -> NDArray[np.intp]:
        """The number of the node where each row stops in each tree.

        Returns
        -------
        numpy.ndarray
            Shape ``(n_samples, n_estimators)``; nodes are numbered breadth first in their tree.
        """
        rows = self._rows(X)
        return np.stack([tree.apply(rows) for tree in self.estimators_], axis=1)


def state_seed(random_state: Any) -> int:
    """A whole number is the seed itself; anything else draws one."""
    chance = check_random_state(random_state)
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(chance.randint(np.iinfo(np.int32).max))
