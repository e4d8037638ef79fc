"""Tables counted where they lie: by DuckDB, polars, Dask, Spark, whatever narwhals speaks.

To grow a tree takes counts, not rows. Where few rows are different, one grouped count is a table
with weights. Else there is a :class:`Scan`, which counts the rows at the nodes of a tree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.text import listing, plural
from dtree_lab.base.types import Floats, Ints
from dtree_lab.table.doubts import Settled, warn
from dtree_lab.table.reading import (
    ReadOptions,
    check_there,
    check_unique,
    kept_names,
    python_value,
    read_columns,
    type_of,
)
from dtree_lab.table.sources import columns_of_frame
from dtree_lab.table.table import Attribute, Kind, Table, Value
from dtree_lab.table.ticks import MOST_TICKS

# Names that an engine is given: of the count, the place of a row, its class, its cell.
_ROWS, _PLACE, _LABEL, _CELL, _LEAST, _MOST = "n_rows", "place", "label", "cell", "least", "most"
# So many rows for each of those asked for are looked at before all are counted.
_FIRST = 4
# A column of so many different values is exact.
MOST_VALUES = 10_000
# Numbers of more are counted in stretches between quantiles, each of so many cells.
_STRETCHES, _CELLS = (0.02, 0.12, 0.3, 0.5, 0.7, 0.88, 0.98), 64
# To find the quantiles, so many cells are counted at first, and again in at most so many passes,
# as long as one has a larger share of the rows.
_CELLS_AT_FIRST, _PASSES, _NARROW = 1 << 12, 6, 1 / 50
# So many combinations of a place, a class and values of columns are counted in one pass.
_TOGETHER = 1 << 14


ONLY_COUNTS = (
    "a dt.Scan only counts them, for dt.id3, c45, cart and stump, tree.error and"
    " dt.prune.reduced_error. Have fewer rows differ where they lie, so that dt.Table.scan gives a"
    " Table, or read a sample"
)


def _narwhals() -> Any:
    """What speaks to the engines, loaded only when a source is given."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415

    return nw


class Fork(NamedTuple):
    """What sends rows down a tree: a question, and where each of its answers leads."""

    column: int
    # Below a cut (the last one: anywhere), or being one of some values; then where.
    answers: tuple[tuple[float | list[Value] | None, Way], ...]
    rest: Way  # of a row without a value, and of any other value


Way: TypeAlias = "Fork | int"  # in the end a place, -1 for rows that are not counted


class Counted(NamedTuple):
    """Rows counted by place, class and the values of some columns; all arrays of one length."""

    place: Ints
    labels: Ints
    times: Ints  # how many rows
    ranks: dict[int, Ints]  # of each column, its values' codes or ranks, -1 where there is none
    ends: list[Floats]  # of a coarse column, the least and the largest number of each


@dataclass(frozen=True, eq=False)
class Scan:
    """Rows that stay where they are: trees are grown from counts of them, a level at a time.

    :meth:`Table.scan` makes one where more rows differ than it is to fetch. :func:`dtree_lab.id3`,
    :func:`~dtree_lab.c45`, :func:`~dtree_lab.cart` and :func:`~dtree_lab.stump` grow from it what
    they grow from its rows; :meth:`dtree_lab.Tree.error` and :func:`dtree_lab.prune.reduced_error`
    count by it.

    Attributes
    ----------
    attributes, target, n_rows, weight_unit
        As of a :class:`Table`; the target is discrete, and each row weighs 1.
    coarse
        The names of attributes with so many different numbers that they are cut only between cells
        of them, some 500, narrow where there are many rows.
    frame, numbers
        The rows, as a lazy frame of narwhals; of each continuous attribute its different values,
        or where stretches of them end.

    Examples
    --------
    >>> import dtree_lab as dt, polars as pl
    >>> rows = pl.LazyFrame({"x": range(1000), "y": ["no"] * 600 + ["yes"] * 400})
    >>> scan = dt.Table.scan(rows, target="y", max_rows=500)
    >>> scan
    Scan of 1,000 rows: y (no, yes) by x
    >>> dt.cart(scan).root.split.cuts
    (599.5,)
    """

    attributes: tuple[Attribute, ...]
    target: Attribute
    n_rows: int
    coarse: tuple[str, ...]
    frame: Any
    numbers: tuple[Floats, ...]
    weight_unit: ClassVar[int] = 1

    def __repr__(self) -> str:
        classes = ", ".join(map(str, self.target.values or ()))
        names = ", ".join(a.name for a in self.attributes)
        return f"Scan of {plural(self.n_rows, 'row')}: {self.target.name} ({classes}) by {names}"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{name!r} needs rows, and {ONLY_COUNTS}")

    def is_coarse(self, i: int) -> bool:
        """Whether a column is counted in cells."""
        return self.attributes[i].name in self.coarse

    def n_ranks(self, i: int) -> int:
        """How many codes or ranks a column has."""
        values = self.attributes[i].n_values or len(self.numbers[i])
        return values * _CELLS if self.is_coarse(i) else values

    def together(self, n_places: int) -> list[list[int]]:
        """The columns in groups, each counted in one pass, if it has few combinations."""
        groups: list[list[int]] = []
        cells = 0
        for i in range(len(self.attributes)):
            size = self.n_ranks(i) + 1
            cells *= size
            if not 0 < cells <= _TOGETHER or self.is_coarse(i):
                groups.append([])
                cells = _TOGETHER if self.is_coarse(i) else n_places * self.target.n_values * size
            groups[-1].append(i)
        return groups

    def count(self, way: Way, columns: Sequence[int] = ()) -> Counted:
        """How many rows of each class come to each place, by the values of some columns.

        A coarse column stands alone.
        """
        nw = _narwhals()
        frame = self.frame.with_columns(_place(way).alias(_PLACE)).filter(nw.col(_PLACE) >= 0)
        keys = {i: f"c{i}" for i in columns}
        ends: tuple[Any, ...] = ()
        if columns and self.is_coarse(columns[0]):
            column, numbers = nw.col(f"c{columns[0]}"), self.numbers[columns[0]]
            keys, ends = {columns[0]: _CELL}, _ends_of(column)
            frame = frame.with_columns(_cell(column, numbers, _CELLS).alias(_CELL))
        counted = frame.group_by(_PLACE, _LABEL, *keys.values()).agg(nw.len().alias(_ROWS), *ends)
        cells = {name: one.to_list() for name, one in counted.collect().to_dict().items()}
        place, times = (np.array(cells[name], dtype=np.int64) for name in (_PLACE, _ROWS))
        ranks = {i: self._ranks(i, cells[key]) for i, key in keys.items()}
        floats = [np.array(cells[name], dtype=np.float64) for name in (_LEAST, _MOST) if ends]
        return Counted(place, _codes(self.target, cells[_LABEL]), times, ranks, floats)

    def _ranks(self, i: int, cells: list[Any]) -> Ints:
        if self.attributes[i].values is not None:
            return _codes(self.attributes[i], cells)
        x = np.array(cells, dtype=np.float64)
        rank = x if self.is_coarse(i) else np.searchsorted(self.numbers[i], x)
        return np.where(np.isnan(x), -1, rank).astype(np.int64)


def _codes(attribute: Attribute, cells: list[Any]) -> Ints:
    code = {v: attribute.code(python_value(v)) for v in set(cells)}
    return np.array([code[v] for v in cells], dtype=np.int64)


# -- what an engine is asked ---------------------------------------------------------------------


def _place(way: Way) -> Any:
    """The place of each row, as nested questions."""
    nw = _narwhals()
    if not isinstance(way, Fork):
        return nw.lit(way)
    column = nw.col(f"c{way.column}")
    case = nw.when(column.is_null()).then(_place(way.rest))
    for answer, onwards in way.answers:
        if answer is None:
            return case.otherwise(_place(onwards))
        here = column.is_in(answer) if isinstance(answer, list) else column < answer
        case = case.when(here).then(_place(onwards))
    return case.otherwise(_place(way.rest))


def _cell(column: Any, ends: Floats, n: int) -> Any:
    """The cell of each number, which only grows with it: `n` between two neighbouring ends."""
    if len(ends) == 2:  # noqa: PLR2004
        least, most = (float(end) / 2 for end in ends)  # no float holds all widths
        return ((column * 0.5 - least) * (n / (most - least))).floor()
    half = len(ends) // 2
    case = _narwhals().when(column < float(ends[half])).then(_cell(column, ends[: half + 1], n))
    return case.otherwise(_cell(column, ends[half:], n) + float(half * n))


def _ends_of(column: Any) -> tuple[Any, Any]:
    return column.min().alias(_LEAST), column.max().alias(_MOST)


def _group_counts(frame: Any, keys: list[str], most: int) -> Any:
    """How many rows hold each combination of values, as a frame; None where more than `most` do.

    The first rows tell that cheaply, mostly: of some there are no more combinations than of all.
    """
    for rows in (frame.head(_FIRST * most), frame):
        counted = rows.group_by(keys).agg(_narwhals().len().alias(_ROWS)).head(most + 1).collect()
        if len(counted) > most:
            return None
    return counted


# -- a source is opened --------------------------------------------------------------------------


def scan_table(source: Any, options: ReadOptions, max_rows: int) -> Table | Scan:
    """The table of :meth:`Table.scan`, or the scan where more rows differ."""
    nw = _narwhals()
    checked_whole("max_rows", max_rows, 0)
    try:
        frame = nw.from_native(source).lazy()
    except TypeError:
        raise TypeError(
            "source must be a lazy frame: duckdb.read_parquet('rows.parquet'),"
            " polars.scan_parquet('rows.parquet'), or one of Dask or Spark; got"
            f" {type_of(source)}"
        ) from None
    check_unique(columns := frame.columns)
    check_there(options.target, "target", columns)
    kept = kept_names(columns, options.drop, options.target)
    given = options.given_kinds()
    for name in given:
        check_there(name, "kinds", kept)
    attributes = [name for name in kept if name != options.target]
    plain_of = {options.target: _LABEL} | {name: f"c{i}" for i, name in enumerate(attributes)}
    plain = [plain_of.get(name, f"dropped{i}") for i, name in enumerate(columns)]
    names = {plain_of[name]: name for name in kept}
    if frame.implementation.is_spark_like():  # to which a name with a dot is a field of something
        frame = nw.from_native(frame.to_native().toDF(*plain))
    frame = frame.rename(dict(zip(frame.columns, plain, strict=True))).select(*names)
    frame, kinds = _plain_values(frame, names, given)
    if options.missing == "drop":
        frame = frame.drop_nulls()
    options = replace(options, frame_kinds=kinds, drop=())
    cells = _group_counts(frame, list(names), max_rows) if max_rows else None
    if cells is None:
        return _scan_of(frame, names, options)
    return _counted_table(cells.rename(names), options)


def _plain_values(
    frame: Any, names: dict[str, str], given: dict[str, Kind]
) -> tuple[Any, dict[str, Kind]]:
    """Categories as text, whose codes are the engine's own, NaN as missing; and the kinds."""
    nw = _narwhals()
    kinds: dict[str, Kind] = {}
    for plain, dtype in frame.collect_schema().items():
        column, name = nw.col(plain), names[plain]
        if isinstance(dtype, nw.Enum):
            kinds[name] = tuple(dtype.categories)
        if isinstance(dtype, nw.Enum | nw.Categorical):
            frame = frame.with_columns(column.cast(nw.String))
        elif dtype.is_float():
            frame = frame.with_columns(column.fill_nan(None))
        elif not (dtype.is_numeric() or isinstance(dtype, nw.String | nw.Boolean)):
            raise TypeError(
                f"column {name!r} holds {dtype}; a table holds text, numbers and truth values, so"
                " have the engine make one of them of it (the year of a date, for instance), or"
                f" leave the column out: drop={name!r}"
            )
        if dtype.is_numeric() and given.get(name) in (None, "continuous") and plain != _LABEL:
            kinds[name] = "continuous"
    return frame, kinds


# -- few different rows: a table -----------------------------------------------------------------


def _counted_table(cells: Any, options: ReadOptions) -> Table:
    columns, _ = columns_of_frame(cells)
    times = np.array(columns.pop(_ROWS), dtype=np.int64)
    if (each := -(-int(times.sum()) // MOST_TICKS)) > 1:
        warn(
            f"{int(times.sum()):,} rows are more than costs are exact for, so a weight of 1 stands"
            f" for {each} rows, and no row weighs less"
        )
        times = np.maximum(times // each, 1)
    return _in_order(_read(columns, replace(options, weights=times.tolist())))


def _read(
    columns: Mapping[str, Any], options: ReadOptions, settled: Settled | None = None
) -> Table:
    """A table of different rows, whose numbers mean nothing to who gave the source."""
    try:
        return read_columns(columns, options, settled)
    except (TypeError, ValueError) as error:
        raise type(error)(re.sub(r"^row \d+, ", "", str(error))) from None


def _in_order(table: Table) -> Table:
    """The rows by their values, the first column's first, gaps last."""
    columns = (*table.columns, table.labels)  # a missing code is the largest there is without sign
    codes = [c.view(np.uint32) if c.dtype == np.int32 else c for c in columns]
    return table.take(np.lexsort(codes[::-1]))


# -- many: a scan, each column of which is counted for itself -------------------------------------


def _scan_of(frame: Any, names: dict[str, str], options: ReadOptions) -> Scan:
    """The scan of a frame with plain names, whose own ones are in `names`."""
    nw = _narwhals()
    holds: dict[str, list[Any]] = {}
    coarse = []
    for plain, name in names.items():
        cells = _group_counts(frame, [plain], MOST_VALUES)
        is_cut = options.frame_kinds.get(name) == "continuous"
        if cells is not None:
            holds[plain] = cells[plain].to_list()
        elif is_cut:
            coarse.append(name)
            holds[plain] = _outermost(frame, plain)
        else:
            raise _too_many(name, names[_LABEL])
        if is_cut:
            frame = frame.with_columns(nw.col(plain).cast(nw.Float64))
    # What the doors rule of columns, they rule of these, once they are of one length; but of how
    # many rows have a value they know nothing, so doubts are told about the labels alone.
    settled = Settled(kinds={name for plain, name in names.items() if plain != _LABEL})
    longest = max(map(len, holds.values()))
    filled = {names[c]: [*held, *held[:1] * (longest - len(held))] for c, held in holds.items()}
    table = _read(filled, options, settled)
    if table.target.values is None:
        raise _too_many(options.target, options.target)
    numbers = [np.unique(x[~np.isnan(x)]) for x in table.columns]
    if coarse:
        warn(
            f"{listing(coarse)}: more than {MOST_VALUES:,} different numbers, so trees are cut only"
            f" between cells of them, some {_CELLS * (len(_STRETCHES) + 1)} of each; round them"
            " where they lie to have every cut looked at"
        )
    for i in map(table.index, coarse):
        numbers[i] = _stretches(frame, f"c{i}", numbers[i])
    n_rows = frame.select(nw.len().alias(_ROWS)).collect().item()
    return Scan(table.attributes, table.target, n_rows, tuple(coarse), frame, tuple(numbers))


def _too_many(name: str, target: str) -> ValueError:
    """The error for a column that cannot be counted value by value."""
    if name == target:
        return ValueError(
            f"the target {name!r} holds numbers to predict, or very many different values, and a"
            " scan counts classes; say target_kind='discrete' if they are classes, else have fewer"
            " rows differ (docs/big-tables.md) or read a sample"
        )
    return ValueError(
        f"column {name!r} has more than {MOST_VALUES:,} different values, and a scan counts each:"
        f" say drop={name!r} to leave it out, or have rare ones become one: source.select(...)"
    )


def _outermost(frame: Any, plain: str) -> list[Any]:
    """The least and the largest number, and a gap if there is one."""
    column = _narwhals().col(plain)
    ends = frame.select(*_ends_of(column)).collect()
    gap = frame.filter(column.is_null()).head(1).select(plain).collect()
    return [ends[_LEAST].to_list()[0], ends[_MOST].to_list()[0], *gap[plain].to_list()]


def _stretches(frame: Any, plain: str, ends: Floats) -> Floats:
    """Where stretches of a column's numbers end, at quantiles, about.

    Cells of equal width are counted, then narrower ones where the quantiles fall, until none of
    them holds many rows.
    """
    nw = _narwhals()
    column, outer, n = nw.col(plain), ends, _CELLS_AT_FIRST
    frame = frame.filter(~column.is_null())
    for _ in range(_PASSES):
        counted = frame.with_columns(_cell(column, ends, n).alias(_CELL)).group_by(_CELL)
        cells = counted.agg(nw.len().alias(_ROWS), *_ends_of(column)).sort(_CELL).collect()
        rows, least, most = (np.array(cells[c].to_list()) for c in (_ROWS, _LEAST, _MOST))
        wide = (rows > _NARROW * rows.sum()) & (least < most)
        if n == _CELLS and not wide.any():
            break
        at = np.searchsorted(rows.cumsum() / rows.sum(), _STRETCHES)
        ends, n = np.unique([*outer, *most[at], *least[wide], *most[wide]]), _CELLS
    return ends
