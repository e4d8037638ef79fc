"""Rows and data frames, turned into columns for :mod:`dtree_lab.table.reading` to check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import listing, plural
from dtree_lab.table.coded import Coded
from dtree_lab.table.numerals import EXACT
from dtree_lab.table.reading import check_unique, type_of
from dtree_lab.table.table import Kind, Value


def columns_of_rows(
    rows: Iterable[Mapping[str, Any] | Sequence[Any]], names: Sequence[str] | None
) -> dict[str, list[Any]]:
    """Rows turned into columns; every row must have the same ones."""
    listed = list(rows)
    if not listed:
        raise ValueError("the table is empty: it needs at least one row")
    first = listed[0]
    if names is None:
        if not isinstance(first, Mapping):
            raise TypeError("rows that are not mappings need names=[...], one for each column")
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
                raise ValueError(f"row {number} has {name!r}, which is not among {listing(names)}")
        return [row[name] for name in names]
    if isinstance(row, str) or not isinstance(row, Iterable):
        msg = f"row {number} is {type_of(row)}; a row is a mapping or a sequence of values"
        raise TypeError(msg)
    cells = list(row)
    if len(cells) != len(names):
        raise ValueError(
            f"row {number} has {plural(len(cells), 'value')} for {plural(len(names), 'column')}"
            f" ({listing(names)})"
        )
    return cells


def columns_of_frame(
    frame: Any, kept: Callable[[list[str]], Iterable[str]] = iter
) -> tuple[dict[str, Any], dict[str, Kind]]:
    """A data frame's columns, and the order of values of its categorical ones.

    Of all names, `kept` tells those of the columns to read.
    """
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - loaded only when a frame is given

    try:
        native = nw.from_native(frame, eager_only=True, allow_series=True)
    except TypeError:
        if not hasattr(frame, "__arrow_c_stream__"):
            lazy = "; say .collect() first" if hasattr(frame, "collect") else ""
            msg = f"frame must be a pandas, polars or Arrow data frame; got {type_of(frame)}{lazy}"
            raise TypeError(msg) from None
        native = nw.from_arrow(frame, backend="pyarrow")  # batches, a query of DuckDB's
    except ValueError:
        check_unique(list(frame.columns))  # as in all other tables, if that is why
        raise
    if isinstance(native, nw.Series):
        raise TypeError(
            f"frame must be a data frame; got {type_of(frame)}, which is one column: give the frame"
            " that it is of"
        )
    check_unique(native.columns)
    columns: dict[str, Any] = {}
    kinds: dict[str, Kind] = {}
    for series in map(native.get_column, kept(native.columns)):
        dtype = series.dtype  # asked for once: of objects it is found by looking at all of them
        if isinstance(dtype, nw.Categorical | nw.Enum):
            order = _order(series)
            if order is not None:
                kinds[series.name] = order
        columns[series.name] = _column(series, dtype, nw)
    return columns, kinds


def _column(series: Any, dtype: Any, nw: Any) -> Any:
    """A frame's column: its numbers as they are, words as codes, and whatever else one by one."""
    native = series.to_native()
    if dtype == nw.Object and hasattr(native, "infer_objects"):  # pandas
        array = native.infer_objects().to_numpy()
        if _are_plain(array):
            return array
    if dtype.is_float() and (array := series.to_numpy()).dtype.kind == "f":
        return array
    words = isinstance(dtype, nw.String | nw.Categorical | nw.Enum)
    if words and (coded := _coded(series, dtype, nw)):
        return coded
    n_gaps = series.null_count()
    # NumPy has no numbers of 128 bits, and decimal ones are read one by one.
    wide = isinstance(dtype, nw.Int128 | nw.UInt128 | nw.Decimal)
    if not wide and (dtype.is_numeric() or dtype == nw.Boolean) and not n_gaps:
        return series.to_numpy()
    if dtype.is_numeric() and n_gaps == len(series):
        return np.full(len(series), np.nan)
    if dtype.is_integer() and not wide and (coded := _coded(series, dtype, nw)):
        return coded
    pairs = zip(series.to_list(), series.is_null().to_list(), strict=True)
    return [None if gap else v for v, gap in pairs]


def _are_plain(array: NDArray[Any]) -> bool:
    """Whether no number that pandas has found among objects was another one, or was written so."""
    if array.dtype.kind == "f":  # ints beside NaN stay ints
        known = array[np.isfinite(array)]
        return bool((known != np.rint(known)).any() and (abs(known) < EXACT).all())
    return array.dtype.kind == "i"


def _coded(series: Any, dtype: Any, nw: Any) -> Coded | None:
    """A column by its different values; None if they are not all text, or all whole numbers."""
    native = series.to_native()
    if hasattr(native, "factorize"):  # pandas
        codes, different = native.factorize()
        values = different.tolist()
    elif isinstance(dtype, nw.String) and hasattr(native, "dictionary_encode"):  # Arrow
        encoded = native.dictionary_encode().combine_chunks()
        codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        values = encoded.dictionary.to_pylist()
    elif not dtype.is_integer() and hasattr(native, "to_physical"):
        values, codes = _of_physical(series.cast(nw.Categorical))  # polars
    else:
        column = Coded.of(series.to_list(), lambda v: v is None)
        values, codes = list(column.values), column.codes
    plain = set(map(type, values)) in ({str}, {int})
    return Coded(values, codes.astype(np.int32, copy=False)) if plain else None


def _of_physical(series: Any) -> tuple[list[str], NDArray[np.int32]]:
    """The different words of a categorical column of polars, and each row's place among them.

    Its own codes count up, but through all words that any such column holds.
    """
    physical = series.to_native().to_physical()
    none = int(physical.max() or 0) + 1
    if series.null_count():
        physical = physical.fill_null(none)
    codes = physical.to_numpy().astype(np.intp)
    row = np.full(none + 1, -1)  # some row of each code
    row[codes] = np.arange(len(codes))
    there = np.flatnonzero(row[:none] >= 0)
    place = np.full(none + 1, -1, np.int32)
    place[there] = np.arange(len(there))
    return series[row[there].tolist()].to_list(), place[codes]


def _order(series: Any) -> tuple[Value, ...] | None:
    """The categories of a categorical column, in order; None if it will not tell."""
    try:
        categories = series.cat.get_categories().to_list()
    except AttributeError:  # pandas has no categories for what Arrow keeps as a dictionary
        return None
    return tuple(dict.fromkeys(v for v in categories if v is not None))
