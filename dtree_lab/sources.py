"""Rows, data frames and CSV files, turned into columns for :mod:`dtree_lab.reading` to check."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtree_lab.reading import check_unique, type_of
from dtree_lab.shown import listing

if TYPE_CHECKING:
    from os import PathLike

    from dtree_lab.table import Kind


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
        msg = f"row {number} has {len(cells)} values for {len(names)} columns ({listing(names)})"
        raise ValueError(msg)
    return cells


def columns_of_frame(frame: Any) -> tuple[dict[str, Any], dict[str, Kind]]:
    """A data frame's columns, and the order of values of its categorical ones."""
    import narwhals.stable.v2 as nw  # noqa: PLC0415 - loaded only when a frame is given

    try:
        native = nw.from_native(frame, eager_only=True)
    except TypeError:
        msg = f"frame must be a pandas, polars or Arrow data frame; got {type_of(frame)}"
        raise TypeError(msg) from None
    check_unique(native.columns)
    columns: dict[str, Any] = {}
    kinds: dict[str, Kind] = {}
    for series in native.iter_columns():
        name = series.name
        if isinstance(series.dtype, nw.Categorical | nw.Enum):
            kinds[name] = tuple(series.cat.get_categories().to_list())
        if series.dtype.is_numeric() and not series.is_null().any():
            columns[name] = series.to_numpy()
        else:
            gaps = series.is_null().to_list()
            pairs = zip(series.to_list(), gaps, strict=True)
            columns[name] = [None if gap else v for v, gap in pairs]
    return columns, kinds


def columns_of_csv(
    path: str | PathLike[str],
    kinds: Mapping[str, Kind],
    na: frozenset[str],
    delimiter: str,
    encoding: str,
) -> dict[str, list[Any]]:
    """A CSV file's columns; those in which every cell is a number become numbers."""
    try:
        with Path(path).open(newline="", encoding=encoding) as file:
            lines = [row for row in csv.reader(file, delimiter=delimiter, strict=True) if row]
    except UnicodeDecodeError as error:
        msg = f"{path}: not {encoding} text ({error.reason}); say encoding='latin-1', for instance"
        raise ValueError(msg) from None
    except csv.Error as error:
        msg = f"{path}: not a CSV file: {error}"
        raise ValueError(msg) from None
    if not lines:
        msg = f"{path}: the file is empty; its first line must hold the columns' names"
        raise ValueError(msg)
    _check_delimiter(path, lines[0])
    columns = columns_of_rows(lines[1:], lines[0])
    return {name: _cells_of_csv(name, cells, kinds, na) for name, cells in columns.items()}


def _check_delimiter(path: str | PathLike[str], names: list[str]) -> None:
    others = [c for c in ";\t|," if len(names) == 1 and c in names[0]]
    if others:
        msg = (
            f"{path}: the first line holds a single name, {names[0]!r}; if {others[0]!r} stands"
            f" between names, say delimiter={others[0]!r}"
        )
        raise ValueError(msg)


def _cells_of_csv(
    name: str, cells: list[str], kinds: Mapping[str, Kind], na: frozenset[str]
) -> list[Any]:
    kept: list[Any] = [None if cell in na else cell for cell in cells]
    kind = kinds.get(name, "continuous")
    if kind == "discrete" or (not isinstance(kind, str) and any(isinstance(v, str) for v in kind)):
        return kept
    numbers = [None if cell is None else _number(cell) for cell in kept]
    read = [n for n, cell in zip(numbers, kept, strict=True) if cell is not None]
    if read and all(n is not None for n in read):
        return numbers
    if any(n is not None for n in read):
        row, cell = next(
            (i, cell)
            for i, (n, cell) in enumerate(zip(numbers, kept, strict=True), start=1)
            if n is None and cell is not None
        )
        msg = (
            f"row {row}, column {name!r} holds {cell!r}, which is not a number, while others are;"
            f" say na=('', {cell!r}) if it stands for a missing value, or"
            f" kinds={{{name!r}: 'discrete'}} to take the whole column as text"
        )
        raise ValueError(msg)
    _check_commas(name, kept)
    return kept


def _check_commas(name: str, cells: list[str | None]) -> None:
    """A column of nothing but numbers with commas is hardly meant as text."""
    written = [cell for cell in cells if cell is not None]
    if written and all(_COMMA.fullmatch(cell) for cell in written):
        msg = (
            f"row {cells.index(written[0]) + 1}, column {name!r} holds {written[0]!r}, as do all"
            " its rows: write numbers with a point and without commas between thousands, or say"
            f" kinds={{{name!r}: 'discrete'}} to take the column as text"
        )
        raise ValueError(msg)


# A number with a decimal comma or commas between thousands.
_COMMA = re.compile(r"\s*[+-]?\d+(,\d+)+(\.\d+)?\s*")
# What only looks like a number: a postcode such as 01067, 1_000, nan.
_NO_NUMBER = re.compile(r"\s*[+-]?0\d.*|.*_.*|\s*[+-]?nan\s*", re.IGNORECASE)


def _number(cell: str) -> float | int | None:
    """The number that a cell writes, or None."""
    if _NO_NUMBER.fullmatch(cell):
        return None
    try:
        return int(cell)
    except ValueError:
        try:
            return float(cell)
        except ValueError:
            return None
