"""Tables counted where they lie: by DuckDB, polars, Dask, Spark, whatever narwhals speaks.

To grow a tree takes counts, not rows. Where few rows are different, one grouped count is a table
with weights.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dtree_lab.base.checks import checked_whole
from dtree_lab.table.doubts import warn
from dtree_lab.table.reading import ReadOptions, check_unique, read_columns, type_of
from dtree_lab.table.sources import columns_of_frame
from dtree_lab.table.table import Kind, Table
from dtree_lab.table.ticks import MOST_TICKS

_ROWS = "dtree_lab_rows"
# So many rows for each of those asked for are looked at before all are counted.
_FIRST = 4


def lazy_frame(source: Any) -> Any:
    """A source as a lazy frame of narwhals, whose columns a table can hold."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - loaded only when a frame is given

    try:
        frame = nw.from_native(source).lazy()
    except TypeError:
        msg = (
            "source must be a lazy frame: duckdb.read_parquet('rows.parquet'),"
            " polars.scan_parquet('rows.parquet'), or one of Dask or Spark; got"
            f" {type_of(source)}"
        )
        raise TypeError(msg) from None
    check_unique(frame.columns)
    held = (nw.String, nw.Boolean, nw.Categorical, nw.Enum)
    for name, dtype in frame.collect_schema().items():
        if not (dtype.is_numeric() or isinstance(dtype, held)):
            msg = (
                f"column {name!r} holds {dtype}; a table holds text, numbers and truth values, so"
                " have the engine make one of them of it (the year of a date, for instance), or"
                " leave the column out: source.select(...)"
            )
            raise TypeError(msg)
    return frame


def group_counts(frame: Any, keys: list[str], most: int) -> Any:
    """How many rows hold each combination of values, as a frame; None where more than `most` do.

    The first rows tell that cheaply, mostly: of some there are no more combinations than of all.
    """
    import narwhals.stable.v2 as nw  # noqa: PLC0415

    for rows in (frame.head(_FIRST * most), frame):
        counted = rows.group_by(keys).agg(nw.len().alias(_ROWS)).head(most + 1).collect()
        if len(counted) > most:
            return None
    return counted


def scan_table(source: Any, options: ReadOptions, max_rows: int) -> Table:
    """The table of :meth:`Table.scan`."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415

    checked_whole("max_rows", max_rows, 1)
    frame = lazy_frame(source)
    kinds: dict[str, Kind] = {}
    for name, dtype in frame.collect_schema().items():
        if isinstance(dtype, nw.Enum):
            kinds[name] = tuple(dtype.categories)
        if isinstance(dtype, nw.Enum | nw.Categorical):  # as text: its codes are the engine's own
            frame = frame.with_columns(nw.col(name).cast(nw.String))
    names = {f"c{i}": name for i, name in enumerate(frame.columns)}
    if frame.implementation.is_spark_like():  # to which a name with a dot is a field of something
        frame = nw.from_native(frame.to_native().toDF(*names))
    frame = frame.rename(dict(zip(frame.columns, names, strict=True)))
    counted = group_counts(frame, list(names), max_rows)
    if counted is None:
        msg = (
            f"more than {max_rows:,} rows differ; leave out what tells rows apart (an id, a time)"
            " or round numbers where they lie: source.select(...); or say a larger max_rows="
        )
        raise ValueError(msg)
    return _counted_table(counted.rename(names), replace(options, frame_kinds=kinds))


def _counted_table(counted: Any, options: ReadOptions) -> Table:
    columns, _ = columns_of_frame(counted)
    times = np.array(columns.pop(_ROWS), dtype=np.int64)
    together = -(-int(times.sum()) // MOST_TICKS)
    if together > 1:
        warn(
            f"{int(times.sum()):,} rows are more than costs are exact for, so a weight of 1 stands"
            f" for {together} rows, and no row weighs less"
        )
        times = np.maximum(times // together, 1)
    weights = times.tolist()
    return in_order(read_unnumbered(columns, replace(options, weights=weights)))


def read_unnumbered(columns: Mapping[str, Any], options: ReadOptions) -> Table:
    """A table of different rows, whose numbers mean nothing to who gave the source."""
    try:
        return read_columns(columns, options)
    except (TypeError, ValueError) as error:
        raise type(error)(re.sub(r"^row \d+, ", "", str(error))) from None


def in_order(table: Table) -> Table:
    """The rows by their values, the first column's first, gaps last; equal ones as one.

    It is the same table whatever order an engine has counted in.
    """
    codes = [
        np.where(np.isnan(c), np.inf, c + 0.0) if a.values is None else c.view(np.uint32)
        for a, c in zip(
            (*table.attributes, table.target), (*table.columns, table.labels), strict=True
        )
    ]
    order = np.lexsort(codes[::-1])
    new = np.zeros(len(order), dtype=bool)
    new[0] = True
    for each in codes:
        column = each[order]
        new[1:] |= column[1:] != column[:-1]
    weights = np.ones(len(order), dtype=np.int64) if table.weights is None else table.weights
    together = np.add.reduceat(weights[order], np.flatnonzero(new))
    return replace(table.take(order[new]), weights=together)
