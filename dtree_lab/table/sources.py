"""Rows and data frames, turned into columns for :mod:`dtree_lab.table.reading` to check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dtree_lab.base.text import listing, plural
from dtree_lab.table.reading import check_unique, type_of
from dtree_lab.table.table import Kind, Value


def columns_of_rows(
    rows: Iterable[Mapping[str, Any] | Sequence[Any]], names: Sequence[str] | None
) -> dict[str, list[Any]]:
    """Rows turned into columns; every row must have the same ones."""
    listed = list(rows)
    if not listed:
        msg = "the table is empty: it needs at least one row"
        raise ValueError(msg)
    first = listed[0]
    if names is None:
        if not isinstance(first, Mapping):
            msg = "rows that are not mappings need names=[...], one for each column"
            raise TypeError(msg)
        names = list(first)
    check_unique(names)
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for number, row in enumerate(listed, start=1):
        for name, v in zip(names, _cells(row, names, number), strict=True):
            columns[name].append(v)
    return columns


def _cells(row: Mapping[str, Any] | Sequence[Any], names: Sequence[str], number: int) -> list[Any]:
    if isinstance(row, Mapping):
        for name in names:
            if name not in row:
                msg = f"row {number} has no {name!r}; give None where a value is missing"
                raise ValueError(msg)
        for name in row:
            if name not in names:
                msg = f"row {number} has {name!r}, which is not among {listing(names)}"
                raise ValueError(msg)
        return [row[name] for name in names]
    if isinstance(row, str) or not isinstance(row, Iterable):
        msg = f"row {number} is {type_of(row)}; a row is a mapping or a sequence of values"
        raise TypeError(msg)
    cells = list(row)
    if len(cells) != len(names):
        msg = (
            f"row {number} has {plural(len(cells), 'value')} for {plural(len(names), 'column')}"
            f" ({listing(names)})"
        )
        raise ValueError(msg)
    return cells


def columns_of_frame(frame: Any) -> tuple[dict[str, Any], dict[str, Kind]]:
    """A data frame's columns, and the order of values of its categorical ones."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - loaded only when a frame is given

    try:
        native = nw.from_native(frame, eager_only=True)
    except TypeError:
        lazy = "; say .collect() first" if hasattr(frame, "collect") else ""
        msg = f"frame must be a pandas, polars or Arrow data frame; got {type_of(frame)}{lazy}"
        raise TypeError(msg) from None
    except ValueError:
        check_unique(list(frame.columns))  # as in all other tables, if that is why
        raise
    check_unique(native.columns)
    columns: dict[str, Any] = {}
    kinds: dict[str, Kind] = {}
    for series in native.iter_columns():
        name = series.name
        if isinstance(series.dtype, nw.Categorical | nw.Enum):
            order = _order(series)
            if order is not None:
                kinds[name] = order
        # NumPy has no numbers of 128 bits, and decimal ones are read one by one.
        numeric = series.dtype.is_numeric() and not isinstance(
            series.dtype, nw.Int128 | nw.UInt128 | nw.Decimal
        )
        gaps = series.is_null()
        if numeric and not gaps.any():
            columns[name] = series.to_numpy()
        elif series.dtype.is_numeric() and gaps.all():
            columns[name] = np.full(len(series), np.nan)
        else:
            pairs = zip(series.to_list(), gaps.to_list(), strict=True)
            columns[name] = [None if gap else v for v, gap in pairs]
    return columns, kinds


def _order(series: Any) -> tuple[Value, ...] | None:
    """The categories of a categorical column, in order; None if it will not tell."""
    try:
        categories = series.cat.get_categories().to_list()
    except AttributeError:  # pandas has no categories for what Arrow keeps as a dictionary
        return None
    return tuple(dict.fromkeys(v for v in categories if v is not None))
