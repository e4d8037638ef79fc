"""What all estimators share: data in scikit-learn's shapes, checked, and made a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import (  # type: ignore[import-untyped]
    BaseEstimator,
    ClassifierMixin,
    RegressorMixin,
)
from sklearn.utils import check_consistent_length  # type: ignore[import-untyped]
from sklearn.utils.multiclass import (  # type: ignore[import-untyped]
    check_classification_targets,
)
from sklearn.utils.validation import (  # type: ignore[import-untyped]
    _check_feature_names,
    check_is_fitted,
    validate_data,
)

from dtree_lab.sklearn import frames
from dtree_lab.table import Attribute, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    # An array of numbers has a column in each row.
    Columns = Sequence[NDArray[Any]] | NDArray[np.float64]

    Floats = NDArray[np.float64]

# ruff: noqa: N803, N806 - scikit-learn calls the rows X


class Tabular(BaseEstimator):  # type: ignore[misc]
    """An estimator that learns from a table.

    The tag ``input_tags.allow_nan`` says whether rows may lack values.
    """

    # -- what subclasses say ---------------------------------------------------------------------

    _is_regressor = False

    def _target(self, name: str, y: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
        """The target as an attribute, and its column."""
        raise NotImplementedError

    def _grown(self) -> Any:
        """What was learned: has `attributes` and `target`."""
        raise NotImplementedError

    # -- to and fro ------------------------------------------------------------------------------

    def _training(self, X: Any, y: Any) -> Table:
        """The table to learn from. Sets `n_features_in_`, and `feature_names_in_` of a data frame.

        Raises
        ------
        ValueError, TypeError
            As scikit-learn's checks do, and for a data frame as ``dt.Table.from_frame`` does.
        """
        title = getattr(y, "name", None)
        found, known = frames.plain(X), self._labels(y)
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
            attributes, columns = frames.of_frame(X, gaps=self._gaps())
        else:
            X, y = self._numbers(X, y=y, y_numeric=self._is_regressor)
            attributes, columns = frames.of_array(X)
        title = title if isinstance(title, str) and title else "y"
        target, labels = self._target(frames.spare(title, [a.name for a in attributes]), y)
        return Table(attributes, target, columns, labels)

    def _check_names(self, X: Any, found: frames.Plain, *, reset: bool) -> None:
        """The names of columns, as scikit-learn keeps and compares them."""
        if found.names is not None or hasattr(self, "feature_names_in_"):
            _check_feature_names(self, X, reset=reset)

    def _labels(self, y: Any) -> NDArray[Any] | None:
        """Labels that need no conversion; None for all that scikit-learn has to look at."""
        kinds = "f" if self._is_regressor else "iubU"
        plain = type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in kinds
        if not plain or (self._is_regressor and not (y.dtype == float and frames.finite(y))):
            return None
        labels: NDArray[Any] = y
        return labels

    def _columns(self, X: Any) -> Columns:
        """The columns to predict, in the codes of what was learned; of an array, one array.

        Raises
        ------
        ValueError, TypeError
            For columns that differ from those that were fitted.
        """
        check_is_fitted(self)
        attributes: tuple[Attribute, ...] = self._grown().attributes
        found = frames.plain(X)
        if found and found.fits(attributes):
            self._check_names(X, found, reset=False)
            return found.x.T
        if frames.is_frame(X):
            validate_data(self, X, reset=False, skip_check_array=True)
            return frames.known_frame(X, attributes, gaps=self._gaps())
        return frames.known_array(self._numbers(X, reset=False), attributes)

    def _rows(self, X: Any) -> Table:
        """Rows to predict as a table whose labels mean nothing; raises as :meth:`_columns` does."""
        columns = tuple(self._columns(X))
        attributes, target = self._grown().attributes, self._grown().target
        labels = np.zeros(len(columns[0]), dtype=np.float64 if self._is_regressor else np.int32)
        return Table(attributes, target, columns, labels)

    def _numbers(self, X: Any, **keywords: Any) -> Any:
        """An array as scikit-learn checks it."""
        gaps = "allow-nan" if self._gaps() else True
        try:
            return validate_data(self, X, dtype=np.float64, ensure_all_finite=gaps, **keywords)
        except ValueError as error:
            if "could not convert string" not in str(error):
                raise
            msg = f"{error}; to use text as it is, give X as a data frame"
            raise ValueError(msg) from None

    def _gaps(self) -> bool:
        allowed: bool = self.__sklearn_tags__().input_tags.allow_nan
        return allowed


class Classifier(ClassifierMixin, Tabular):  # type: ignore[misc]
    """What answers with a class."""

    classes_: NDArray[Any]

    def _target(self, name: str, y: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
        self.classes_, codes = np.unique(y, return_inverse=True)
        if y.dtype.kind not in "iubU" or 2 * len(self.classes_) > len(y):
            check_classification_targets(y)  # whole numbers and words that come again are classes
        self.n_classes_ = len(self.classes_)
        return Attribute(name, tuple(self.classes_.tolist())), codes.astype(np.int32)

    def predict_proba(self, X: Any) -> Floats:
        """What speaks for each class, as shares that sum up to 1."""
        raise NotImplementedError

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
