"""Arrays and data frames as the columns of a table, for fitting and for predicting.

An array becomes continuous columns without a look at single cells. A data frame becomes what
:meth:`dtree_lab.Table.from_frame` makes of it, and so does an array of objects with words in it; to
predict, its columns are put into the codes of the attributes that were fitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import listing
from dtree_lab.table.encoding import recode
from dtree_lab.table.reading import read_column
from dtree_lab.table.sources import columns_of_frame
from dtree_lab.table.table import Attribute, Kind, missing_of

Columns = tuple[NDArray[Any], ...]


def is_frame(X: Any) -> bool:  # noqa: N803 - scikit-learn's name
    """Whether this has columns of their own kinds: a data frame, or objects with words in them."""
    if hasattr(X, "columns") or hasattr(X, "__dataframe__"):
        return True
    return holds_objects(X) and any(isinstance(cell, str) for cell in X.flat)


def holds_objects(X: Any) -> bool:  # noqa: N803
    """Whether this is an array that may hold words beside numbers."""
    return isinstance(X, np.ndarray) and X.dtype == object and X.ndim == 2  # noqa: PLR2004


@dataclass(frozen=True, eq=False)
class Plain:
    """Finite numbers as they stand in an array or a data frame: nothing in them needs a look."""

    x: NDArray[np.float64]  # shape `(n_rows, n_columns)`
    names: list[str] | None  # of the columns; None for an array

    def fits(self, attributes: Sequence[Attribute]) -> bool:
        """Whether these are the columns that were fitted."""
        numbers = all(a.values is None for a in attributes)
        same = self.names is None or self.names == [a.name for a in attributes]
        return numbers and same and self.x.shape[1] == len(attributes)


def float_matrix(X: Any) -> Plain | None:  # noqa: N803 - scikit-learn's name
    """An array or a pandas frame of finite floats, the usual case; None for anything else."""
    names, x = None, X
    if type(X).__module__.partition(".")[0] == "pandas" and hasattr(X, "columns"):
        names = list(X.columns)
        usual = all(type(name) is str for name in names) and len(set(names)) == len(names)
        if not usual or any(dtype != np.float64 for dtype in X.dtypes.tolist()):
            return None
        x = X.to_numpy()
    if type(x) is not np.ndarray or x.ndim != 2 or x.dtype != np.float64 or not x.size:  # noqa: PLR2004
        return None
    return Plain(x, names) if all_finite(x) else None


def all_finite(numbers: NDArray[np.float64]) -> bool:
    """Whether all numbers are finite; of such as nearly are not, it may say that they are not."""
    with np.errstate(over="ignore", invalid="ignore"):
        return isfinite(numbers.sum())


def of_array(
    x: NDArray[np.float64], names: Sequence[str] | None = None
) -> tuple[tuple[Attribute, ...], Columns]:
    """Continuous attributes and a copy of an array's columns, each in one stretch of memory."""
    attributes = tuple(map(Attribute, names or _numbered(x.shape[1])))
    return attributes, tuple(np.array(x.T, order="C"))


def of_frame(frame: Any) -> tuple[tuple[Attribute, ...], Columns]:
    """A data frame's attributes, called x0, x1, … if its names are no text, and its columns."""
    columns, kinds = _opened(frame)
    names = list(columns) if _are_text(columns) else _numbered(len(columns))
    read = _read(*_renamed(columns, kinds, names))
    return tuple(attribute for attribute, _ in read), tuple(column for _, column in read)


def known_array(x: NDArray[np.float64], attributes: Sequence[Attribute]) -> Columns:
    """An array's columns for attributes that were fitted, none of which may be discrete."""
    for attribute in attributes:
        if attribute.values is not None:
            msg = (
                f"column {attribute.name!r} was discrete when fitting, so give a data frame with"
                " the same columns, or an array of dtype=object; other arrays hold numbers only"
            )
            raise ValueError(msg)
    return tuple(x.T)


def known_frame(frame: Any, attributes: Sequence[Attribute]) -> Columns:
    """A data frame's columns in the codes of attributes that were fitted.

    A value that was not there when fitting becomes -1, as a missing one; another kind is refused.
    """
    columns, kinds = _opened(frame)
    fitted = [a.name for a in attributes]
    # Versions of scikit-learn that cannot read the names of this frame have not compared them.
    if _are_text(columns) and fitted not in (list(columns), _numbered(len(fitted))):
        msg = (
            "the columns must be those that were fitted, in their order:"
            f" {listing(fitted)}; got {listing(columns)}"
        )
        raise ValueError(msg)
    columns, kinds = _renamed(columns, kinds, fitted)
    for attribute in attributes:
        if attribute.values and _sort(attribute) == "numbers":
            kinds.setdefault(attribute.name, "discrete")
    pairs = zip(attributes, _read(columns, kinds), strict=True)
    return tuple(_known(attribute, *read) for attribute, read in pairs)


def _numbered(n: int) -> list[str]:
    return [f"x{i}" for i in range(n)]


def _are_text(names: Iterable[Any]) -> bool:
    return all(isinstance(name, str) for name in names)


def _opened(frame: Any) -> tuple[dict[Any, Any], dict[Any, Kind]]:
    if holds_objects(frame):
        return dict(enumerate(frame.T.tolist())), {}
    columns, kinds = columns_of_frame(frame)
    if not columns:
        msg = "the data frame has no columns; at least one is needed"
        raise ValueError(msg)
    # A column without any value may hold numbers or text when predicting: it is never asked.
    return {name: _or_nothing(column) for name, column in columns.items()}, kinds


def _or_nothing(column: Any) -> Any:
    empty = isinstance(column, np.ndarray) and column.dtype.kind == "f" and np.isnan(column).all()
    return [None] * len(column) if empty else column


def _renamed(
    columns: Mapping[Any, Any], kinds: Mapping[Any, Kind], names: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Kind]]:
    new = dict(zip(columns, names, strict=True))
    renamed = {new[name]: column for name, column in columns.items()}
    return renamed, {new[name]: kind for name, kind in kinds.items()}


def _read(
    columns: Mapping[str, Any], kinds: Mapping[str, Kind]
) -> list[tuple[Attribute, NDArray[Any]]]:
    """The columns, with nothing doubted: that would be told at each call."""
    return [read_column(name, column, kinds.get(name)) for name, column in columns.items()]


def spare(name: str, taken: Mapping[str, Any] | Sequence[str]) -> str:
    """A name that is not taken: this one, or with underscores behind it."""
    while name in taken:
        name += "_"
    return name


def _sort(attribute: Attribute) -> str:
    """What the values of an attribute that has any are, in words."""
    match attribute.values:
        case (bool(), *_):
            return "truth values"
        case (str(), *_):
            return "text"
    return "numbers"


def _known(attribute: Attribute, other: Attribute, column: NDArray[Any]) -> NDArray[Any]:
    """A column in the codes of the attribute that was fitted."""
    if attribute.values == () or missing_of(column).all():
        none = np.nan if attribute.values is None else np.int32(-1)
        return np.full(len(column), none)
    if _sort(attribute) != _sort(other) or attribute.kind != other.kind:
        msg = (
            f"column {attribute.name!r} holds {_sort(other)} ({other.kind}), but held"
            f" {_sort(attribute)} ({attribute.kind}) when fitting"
        )
        raise ValueError(msg)
    return recode(attribute, other, column)
