"""The table: rows of attribute values with a label each, frozen, and checked on the way in.

A discrete column is held as integer codes into the attribute's values (labels are kept as they
came), a continuous one as floats. A missing value is the code ``-1`` or a NaN. Columns are
read-only: whatever holds a table can rely on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base import peers
from dtree_lab.base.terminal import written_out
from dtree_lab.base.text import Presentable, did_you_mean, listing
from dtree_lab.table.doubts import Settled

if TYPE_CHECKING:
    from dtree_lab.table.report import TableReport
    from dtree_lab.table.scan import Scan

Value: TypeAlias = str | int | float | bool
Kind: TypeAlias = "Literal['discrete', 'continuous'] | Sequence[Value]"
Missing: TypeAlias = Literal["error", "drop", "keep"]
TargetKind: TypeAlias = Literal["discrete", "continuous"]
Weights: TypeAlias = "str | Iterable[Any] | None"
_UNSAID = Settled()


@written_out
@dataclass(frozen=True)
class Attribute:
    """A column's name and, for a discrete one, the values it can take, in order.

    Parameters
    ----------
    name
        The column's name, kept as it is.
    values
        The values of a discrete attribute; ``None`` makes it continuous.
    """

    name: str
    values: tuple[Value, ...] | None = None

    @property
    def kind(self) -> Literal["discrete", "continuous"]:
        """``"discrete"`` or ``"continuous"``."""
        return "continuous" if self.values is None else "discrete"

    @property
    def n_values(self) -> int:
        """How many values a discrete attribute has; 0 for a continuous one."""
        return 0 if self.values is None else len(self.values)

    @cached_property
    def codes(self) -> dict[tuple[bool, Value], int]:
        """From a value to its code. ``True`` and ``1`` are told apart."""
        return {value_key(v): i for i, v in enumerate(self.values or ())}

    @cached_property
    def array(self) -> NDArray[Any]:
        """The values of a discrete attribute as an array that gives each back as it is."""
        values = [v.item() if isinstance(v, np.generic) else v for v in self.values or ()]
        array = np.array(values)
        if not (array.ndim == 1 and all(map(_alike, values, array.tolist()))):
            # Whole numbers beyond 63 bits, text that ends in "\0", several sorts in one.
            array = np.empty(len(values), dtype=object)
            array[:] = values
        array.flags.writeable = False
        return array

    @cached_property
    def spelled(self) -> dict[str, int]:
        """From a text, or a whole number in digits, to its code: ``"1"`` finds 1 as well."""
        return {
            str(v): i
            for i, v in enumerate(self.values or ())
            if isinstance(v, str | int) and not isinstance(v, bool)
        }

    def code(self, value: object) -> int:
        """The code of a value, ``-1`` for one this attribute has not seen."""
        return self.codes.get(value_key(value), -1)

    def named(self, value: object) -> int:
        """The code of a value, also of a whole number in digits, which one source has as text.

        Examples
        --------
        >>> digits = Attribute("digit", (2, 7))
        >>> digits.code("7"), digits.named("7"), digits.named("07")
        (-1, 1, -1)
        """
        code = self.code(value)
        return self.spelled.get(str(value), -1) if code < 0 and type(value) in (str, int) else code


def _alike(value: Value, kept: Value) -> bool:
    """Whether an array has kept a value; a whole number beside fractions may be a float there."""
    sorts = (type(value), type(kept))
    return value == kept and (sorts[0] is sorts[1] or sorts == (int, float))


def value_key(value: Any) -> tuple[bool, Value]:
    """What values are told apart by: ``True`` and ``1`` are not the same one."""
    return isinstance(value, bool), value


@peers.knows(peers.TABLE)
@dataclass(frozen=True, eq=False, repr=False)
class Table(Presentable):
    """Rows with attributes and a target: what a tree is learned from.

    Make one with :meth:`from_columns`, :meth:`from_rows`, :meth:`from_frame`, :meth:`read_csv` or
    :meth:`scan`.
    Text and truth values make a discrete column, numbers a continuous one, unless `kinds` says
    otherwise. In messages rows are counted from 1, as in the picture of the table.

    Where a table can be read in two ways, a :class:`~dtree_lab.TableWarning` says so.

    Attributes
    ----------
    attributes
        The attributes, in the order of the columns.
    target
        The attribute to predict: discrete for classification, continuous for regression.
    columns
        One read-only array per attribute, shape ``(n_rows,)``: int32 codes, or float64.
    labels
        The target's column, shape ``(n_rows,)``.
    weights, weight_unit, weight_name
        What each row weighs in whole ticks, shape ``(n_rows,)``, or None where each counts once;
        how many ticks a weight of 1 is; what the column was called.
    settled
        What was said of the table where it was made, for :meth:`report`.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.Table.from_columns(
    ...     {"Refund": ["Yes", "No", "No"], "Income": [125, 100, 70], "Cheat": ["No", "No", "Yes"]},
    ...     target="Cheat",
    ... )
    >>> [a.kind for a in table.attributes], table.target.values
    (['discrete', 'continuous'], ('No', 'Yes'))
    >>> table.row(1)
    {'Refund': 'No', 'Income': 100.0, 'Cheat': 'No'}
    """

    attributes: tuple[Attribute, ...]
    target: Attribute
    columns: tuple[NDArray[Any], ...]
    labels: NDArray[Any]
    weights: NDArray[np.int64] | None = None
    weight_unit: int = 1
    weight_name: str = "weights"
    settled: Settled = _UNSAID

    def __post_init__(self) -> None:
        for column in (*self.columns, self.labels, self.weights):
            if column is not None:
                column.flags.writeable = False

    @classmethod
    def from_columns(  # noqa: PLR0913
        cls,
        columns: Mapping[str, Iterable[Any]],
        target: str,
        *,
        kinds: Mapping[str, Kind] | None = None,
        target_kind: TargetKind | None = None,
        missing: Missing = "error",
        weights: Weights = None,
        drop: str | Sequence[str] = (),
    ) -> Table:
        """A table from a mapping of column name to values.

        Parameters
        ----------
        columns
            Column name to its values, every column of one length.
        target
            The column to predict.
        kinds
            For a column whose kind is not what its values suggest: ``"discrete"`` (numbers that
            are only names, such as a postcode), ``"continuous"``, or a sequence of values, which
            makes the column discrete with its values in that order.
        target_kind
            What is to be predicted: ``"discrete"``, a class; ``"continuous"``, a number; None for
            what the values suggest. Numbers suggest a number, but two different whole ones, such as
            0 and 1 or -1 and 1, classes. A target of at most ten different whole numbers, of which
            one comes twice (or that are 0, 1, 2 …), brings a :class:`~dtree_lab.TableWarning`,
            unless `target_kind` or `kinds` tells what they are.
        missing
            What to do about ``None``, NaN and what is masked: ``"error"`` names the row and column;
            ``"drop"`` leaves out rows that lack a value or their label; ``"keep"`` keeps rows that
            lack a value (not those that lack their label, which is an error). Trees, forests and
            AdaBoost grow on such rows, and predict them; what is worked out by hand
            (:func:`dtree_lab.compare`) needs every value.
        weights
            What each row weighs: a column's name (no attribute then) or a number for each row. To
            weigh n is to stand there n times; 0 leaves out. Whole numbers and fractions that make
            at most ``2**24`` parts of all are exact, others rounded to a ``2**22``-th of all.
        drop
            Columns to leave out, or one column's name.

        Raises
        ------
        ValueError
            Naming the row and column, for columns of unequal length, no rows, no such target, a
            missing label, an infinite number, or text mixed with numbers.
        TypeError
            For values that are neither text, numbers nor truth values.

        Warns
        -----
        TableWarning
            For what could be meant in two ways.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> columns = {"x": [1.5, 2, 7, 8], "y": [0, 0, 1, 1], "n": [3, 1, 1, 2]}
        >>> table = dt.Table.from_columns(columns, "y", target_kind="discrete", weights="n")
        >>> table.classes, table.counts().tolist()
        ((0, 1), [4, 3])
        """
        from dtree_lab.table.reading import ReadOptions, read_columns  # noqa: PLC0415 - it needs this module

        options = ReadOptions(target, kinds, target_kind, missing, weights, drop=drop)
        return read_columns(columns, options)

    @classmethod
    def from_rows(  # noqa: PLR0913
        cls,
        rows: Iterable[Mapping[str, Any] | Sequence[Any]],
        target: str,
        *,
        names: Sequence[str] | None = None,
        kinds: Mapping[str, Kind] | None = None,
        target_kind: TargetKind | None = None,
        missing: Missing = "error",
        weights: Weights = None,
        drop: str | Sequence[str] = (),
    ) -> Table:
        """A table from rows: mappings, or sequences together with the columns' `names`.

        Parameters, errors and warnings are those of :meth:`from_columns`; a row that lacks a column
        or has one too many is a ValueError.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> dt.Table.from_rows([("Yes", 1), ("No", 0)], target="ok", names=["ok", "x"]).n_rows
        2
        """
        from dtree_lab.table.reading import ReadOptions, read_columns  # noqa: PLC0415
        from dtree_lab.table.sources import columns_of_rows  # noqa: PLC0415

        options = ReadOptions(target, kinds, target_kind, missing, weights, drop=drop)
        return read_columns(columns_of_rows(rows, names), options)

    @classmethod
    def from_frame(  # noqa: PLR0913
        cls,
        frame: Any,
        target: str,
        *,
        kinds: Mapping[str, Kind] | None = None,
        target_kind: TargetKind | None = None,
        missing: Missing = "error",
        weights: Weights = None,
        drop: str | Sequence[str] = (),
    ) -> Table:
        """A table from a data frame: pandas, polars, Arrow, or any that narwhals knows.

        So are batches of Arrow and a query of DuckDB's, where pyarrow is installed. Categorical
        columns keep the order of their categories; an index is left out. Parameters,
        errors and warnings are those of :meth:`from_columns`.

        Examples
        --------
        >>> import dtree_lab as dt, pandas as pd
        >>> frame = pd.DataFrame({"x": [1.5, 2.5], "y": ["no", "yes"]})
        >>> dt.Table.from_frame(frame, target="y").attributes[0].kind
        'continuous'
        """
        from dtree_lab.table.reading import ReadOptions, kept_names, read_columns  # noqa: PLC0415
        from dtree_lab.table.sources import columns_of_frame  # noqa: PLC0415

        columns, own = columns_of_frame(frame, lambda names: kept_names(names, drop, target))
        return read_columns(columns, ReadOptions(target, kinds, target_kind, missing, weights, own))

    @classmethod
    def scan(  # noqa: PLR0913
        cls,
        source: Any,
        target: str,
        *,
        kinds: Mapping[str, Kind] | None = None,
        target_kind: TargetKind | None = None,
        missing: Missing = "error",
        drop: str | Sequence[str] = (),
        max_rows: int = 500_000,
    ) -> Table | Scan:
        """A table of rows that are counted where they lie: in a database, in Parquet, on a cluster.

        `source` is asked for one grouped count of all its columns. What comes back is a table of
        its *different* rows, each weighing as many as there are: trees, forests, pruning and errors
        are those of all rows. Where too many differ it is a :class:`~dtree_lab.Scan`, from which
        trees are grown by further counts. The page ``docs/big-tables.md`` has more.

        Parameters
        ----------
        source
            A lazy frame of any engine that narwhals speaks: a DuckDB relation, a polars LazyFrame,
            a frame of Dask or Spark; a data frame will do.
        target, kinds, target_kind, missing, drop
            As in :meth:`from_columns`.
        max_rows
            The most different rows that are fetched; 0 for a scan whatever there is.

        Returns
        -------
        Table or Scan
            A table's rows are in the order of their values, the first column's first, gaps last: a
            database keeps no order of rows, and so every engine gives the same table. Values are
            in order, as ever, and in that of an enumeration; of a categorical column as text.

        Raises
        ------
        TypeError
            For what is no lazy frame, and for a column of dates, lists and the like.
        ValueError
            As in :meth:`from_columns`, without a row's number; and for a scan with a continuous
            target, or with a discrete column of more than 10,000 different values.

        Warns
        -----
        TableWarning
            As in :meth:`from_columns`, for a scan of its labels only; for more than 80,000,000
            rows, which are counted in twos, threes and so on, because costs are exact up to there;
            and for attributes of which a scan is ``coarse``.

        Examples
        --------
        >>> import dtree_lab as dt, polars as pl
        >>> rows = pl.LazyFrame({"x": ["a", "b", "b"] * 1000, "y": ["no", "no", "yes"] * 1000})
        >>> table = dt.Table.scan(rows, target="y")
        >>> table.n_rows, table.weights.tolist(), table.counts().tolist()
        (3, [1000, 1000, 1000], [2000, 1000])
        """
        from dtree_lab.table.reading import ReadOptions  # noqa: PLC0415
        from dtree_lab.table.scan import scan_table  # noqa: PLC0415

        options = ReadOptions(target, kinds, target_kind, missing, drop=drop)
        return scan_table(source, options, max_rows)

    @classmethod
    def read_csv(  # noqa: PLR0913 - each is a thing a CSV file can differ in
        cls,
        path: str | PathLike[str] | IO[str] | IO[bytes],
        target: str,
        *,
        kinds: Mapping[str, Kind] | None = None,
        target_kind: TargetKind | None = None,
        missing: Missing = "error",
        weights: Weights = None,
        na: str | Sequence[str] | None = None,
        delimiter: str = ",",
        decimal: str = ".",
        thousands: str | None = None,
        strip: bool | None = None,
        drop: str | Sequence[str] = (),
        encoding: str = "utf-8-sig",
        names: Sequence[str] | None = None,
        rows: int | None = None,
        columns: str | Sequence[str] | None = None,
        sep: str | None = None,
    ) -> Table:
        r"""A table from a CSV file whose first line holds the names, or without such a line.

        A column in which every cell is a number is continuous, else discrete; a column with both
        is an error that names the first odd cell, and what to say about it. A file that German or
        French Excel writes wants ``delimiter=";", decimal=","``, and often ``encoding="cp1252"``.

        Parameters
        ----------
        path
            The file's name, or an open file. What gzip has packed is unpacked.
        target, target_kind, missing, weights
            As in :meth:`from_columns`.
        kinds
            As in :meth:`from_columns`. The cells of a discrete column become numbers, as in a data
            frame, if that keeps every cell as it is written (``0``, ``12``, ``-1.5``); else all
            stay text (``007``, ``1.0``). To have ``0`` and ``1`` as text, give the values:
            ``kinds={"y": ("0", "1")}``.
        na
            The cells that stand for a missing value, for instance ``("", "NA", "?")``, or one such
            word: in all columns, as they are written (-999 is not -999.0), but for blanks around
            them. None means empty cells. Where words such as NA are left among a column's values, a
            :class:`~dtree_lab.TableWarning` tells which; ``na=("",)`` means empty cells, and no
            warning.
        delimiter, sep
            The character between two cells; `sep` is another name for it. A first line ``sep=;``,
            as Excel has it, says it too.
        decimal, thousands
            How numbers are written: ``decimal=","`` for 3,14; ``thousands="."`` for 1.000.000,
            which must stand before groups of three digits.
        strip
            Whether blanks around names and cells are taken off. None takes off those after
            delimiters if one stands after each, as in ``age, job, pay``.
        drop, columns
            Columns to leave out, or those to read beside the target (and `weights`); or one
            column's name. What is left out is not even looked at.
        encoding
            How the file's text is coded. UTF-16 is known by its first bytes.
        names
            The columns' names, for a file that has none in its first line.
        rows
            How many rows to read, the first ones; None reads all.

        Raises
        ------
        ValueError
            As in :meth:`from_columns`; and for what is no CSV file, or for rows of another length
            than the first line's, with the line of the file.
        OSError
            For a file that cannot be opened.

        Notes
        -----
        Empty lines, lines of empty cells, empty cells behind a row's last one and columns without a
        name and without any value are left out.

        Examples
        --------
        >>> import io
        >>> import dtree_lab as dt
        >>> text = "Größe;Miete;Lage\n45,5;1.250,00;gut\n60;980,00;einfach\n"
        >>> table = dt.Table.read_csv(
        ...     io.StringIO(text), "Lage", delimiter=";", decimal=",", thousands="."
        ... )
        >>> table.column("Miete")
        [1250.0, 980.0]
        """
        from dtree_lab.table.csvcells import table_of_csv  # noqa: PLC0415
        from dtree_lab.table.csvfile import Dialect  # noqa: PLC0415
        from dtree_lab.table.reading import ReadOptions  # noqa: PLC0415

        options = ReadOptions(target, kinds, target_kind, missing, weights)
        dialect = Dialect(
            delimiter, decimal, thousands, na, strip, drop, encoding, names, rows, columns, sep
        )
        return table_of_csv(path, options, dialect)

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return len(self.labels)

    def __len__(self) -> int:
        """How many rows."""
        return self.n_rows

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The attributes' names."""
        return tuple(a.name for a in self.attributes)

    @property
    def classes(self) -> tuple[Value, ...]:
        """The classes of the target, in order.

        Raises
        ------
        ValueError
            For a table with a continuous target.
        """
        if self.target.values is None:
            raise ValueError(
                f"the target {self.target.name!r} is continuous, so this is a regression table; to"
                " classify, give it as text, or say target_kind='discrete' where the table is made"
            )
        return self.target.values

    def index(self, name: str) -> int:
        """The position of an attribute.

        Raises
        ------
        ValueError
            For a name that is no attribute of this table, saying which there are.
        """
        try:
            return self.names.index(name)
        except ValueError:
            hint = did_you_mean(name, self.names)
            if name == self.target.name:
                hint = " It is the target, the column to predict."
            msg = f"no attribute {name!r}; the attributes are {listing(self.names)}.{hint}"
            raise ValueError(msg) from None

    def attribute(self, name: str) -> Attribute:
        """The attribute of a name; raises as :meth:`index` does."""
        return self.attributes[self.index(name)]

    def column(self, name: str) -> list[Value | None]:
        """The values of an attribute or of the target, as they came in; ``None`` where missing."""
        if name == self.target.name:
            return decode(self.target, self.labels)
        i = self.index(name)
        return decode(self.attributes[i], self.columns[i])

    def row(self, i: int) -> dict[str, Value | None]:
        """Row `i`, counted from 0, as a mapping that includes the label.

        Raises
        ------
        IndexError
            For a row that the table does not have.
        """
        if not -self.n_rows <= i < self.n_rows:
            raise IndexError(f"no row {i}: the table has {self.n_rows} rows, counted from 0")
        pairs = zip((*self.attributes, self.target), (*self.columns, self.labels), strict=True)
        return {a.name: decode(a, column[[i]])[0] for a, column in pairs}

    def rows(self) -> Iterator[dict[str, Value | None]]:
        """All rows, one mapping after the other."""
        names = (*self.names, self.target.name)
        for values in zip(*(self.column(name) for name in names), strict=True):
            yield dict(zip(names, values, strict=True))

    def take(self, rows: NDArray[Any] | Sequence[int]) -> Table:
        """The table of some rows, by position or by mask. Attributes keep all their values.

        Raises
        ------
        ValueError
            For no rows at all.
        IndexError
            For a position that the table does not have.
        """
        chosen = np.asarray(rows)
        if chosen.dtype != bool and chosen.size:
            most = int(chosen.max()) if chosen.max() >= self.n_rows else int(chosen.min())
            if not -self.n_rows <= most < self.n_rows:
                raise IndexError(f"no row {most}: the table has {self.n_rows} rows, counted from 0")
        if not (chosen.any() if chosen.dtype == bool else chosen.size):
            raise ValueError("no rows to take: a table needs at least one")
        columns = tuple(column[chosen] for column in self.columns)
        weights = None if self.weights is None else self.weights[chosen]
        return replace(self, columns=columns, labels=self.labels[chosen], weights=weights)

    def report(self) -> TableReport:
        """What each column was taken for, what is suspicious about it, and what to say instead.

        Returns
        -------
        TableReport
            A table where it is shown, with a sentence and a cure for each finding.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> columns = {"x": [21, 24, -999, 20], "y": ["yes", "no", "no", "yes"]}
        >>> dt.Table.from_columns(columns, "y").report()
        4 rows, 1 attribute; class to predict: y
        column  taken for  different  gaps  values
        x       numbers            4     0  -999 to 24
        y       classes            2     0  no, yes
        x: holds -999 in 1 row, far from all other numbers.
            [None if v in (-999.0,) else v for v in column]
        """
        from dtree_lab.table.report import report_of  # noqa: PLC0415

        return report_of(self)

    def counts(self) -> NDArray[np.int64]:
        """How many rows of each class, shape ``(n_classes,)``; what they weigh, in ticks."""
        counted = np.bincount(self.labels, self.weights, len(self.classes))
        return counted.astype(np.int64)

    @property
    def n_ticks(self) -> int:
        """What all rows weigh together, in ticks; without weights, how many there are."""
        return self.n_rows if self.weights is None else int(self.weights.sum())

    @property
    def has_missing(self) -> bool:
        """Whether any attribute lacks a value in any row."""
        return any(missing_of(column).any() for column in self.columns)


def is_missing(value: Any) -> bool:
    """Whether a value stands for none: None, NaN, NaT, pandas.NA."""
    # NaN and NaT differ from themselves; pandas.NA refuses to say.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value  # noqa: PLR0124


def missing_of(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a column lacks a value."""
    return np.isnan(column) if column.dtype.kind == "f" else column < 0


def decode(attribute: Attribute, column: NDArray[Any]) -> list[Value | None]:
    """A column's values as they came in."""
    if attribute.values is None:
        return [None if np.isnan(x) else x for x in column.tolist()]
    return [None if code < 0 else attribute.values[code] for code in column.tolist()]
