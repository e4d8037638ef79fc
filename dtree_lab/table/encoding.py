"""Rows to predict, turned into a tree's own codes.

A row must name every attribute; ``None`` says that a value is unknown. A value never seen in
training has no code and becomes ``-1``, as a missing one does: a tree answers such a row from the
node where it can go no further. A value of the wrong sort (text for a number) is an error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import did_you_mean, listing
from dtree_lab.table.coded import Coded
from dtree_lab.table.reading import coded_of, python_value, sort_of, type_of
from dtree_lab.table.table import Attribute, Table


def encode(attributes: Sequence[Attribute], data: Any) -> list[NDArray[Any]]:
    """Columns of codes and floats, one per attribute, for a row, a table, rows or a data frame.

    A row or table that lacks an attribute and a value of the wrong sort are refused by name.
    """
    if isinstance(data, Table):
        if data.attributes == tuple(attributes):  # such as that of a tree's own rows
            return list(data.columns)
        return [_recoded(a, data) for a in attributes]
    if isinstance(data, Mapping):
        return _encode_rows(attributes, [data])
    if hasattr(data, "columns") or hasattr(data, "__dataframe__"):
        from dtree_lab.table.sources import columns_of_frame  # noqa: PLC0415 - only for data frames

        needed = {a.name for a in attributes}
        # Where one is missing, all are read, so that the message can name one like it.
        columns, _ = columns_of_frame(data, lambda names: needed if needed <= {*names} else names)
        return [_encode_column(a, _wanted(a, columns, "the data frame")) for a in attributes]
    if hasattr(data, "to_frame"):  # a data frame's row, or column: what it holds, it tells not
        raise TypeError(
            f"got {type_of(data)}; a row is a mapping of names to values (of a data frame:"
            " dict(frame.iloc[0])), and rows are a data frame or a list of mappings"
        )
    if isinstance(data, Iterable) and not isinstance(data, str):
        return _encode_rows(attributes, list(data))
    raise TypeError(f"give a row (a mapping), rows, a Table or a data frame; got {type_of(data)}")


def _encode_rows(attributes: Sequence[Attribute], rows: list[Any]) -> list[NDArray[Any]]:
    for i, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise TypeError(
                f"row {i} is {type_of(row)}; a row is a mapping of names to values, such as"
                f" {{{attributes[0].name!r}: …}} (of a data frame: dict(frame.iloc[0]))"
            )
    names = ["the row"] if len(rows) == 1 else [f"row {i}" for i in range(1, len(rows) + 1)]
    return [
        _encode_column(a, [_wanted(a, r, n) for r, n in zip(rows, names, strict=True)])
        for a in attributes
    ]


def _wanted(attribute: Attribute, where: Mapping[str, Any], what: str) -> Any:
    if attribute.name not in where:
        hint = did_you_mean(attribute.name, [k for k in where if isinstance(k, str)])
        raise ValueError(f"{what} has no {attribute.name!r}; give None if it is not known.{hint}")
    return where[attribute.name]


# Of one type, equal values are the same one; True and 1.0 are not.
_PLAIN: tuple[set[type], ...] = ({str}, {int}, {bool})


def _encode_column(attribute: Attribute, values: Any) -> NDArray[Any]:
    if isinstance(values, np.ndarray) and attribute.values is None and values.dtype.kind != "b":
        numbers = values.astype(np.float64, copy=False)
        if not np.isinf(numbers).any():  # else the first is named below
            return numbers
    several = values
    if isinstance(values, np.ndarray):
        several = coded_of(values)
    elif isinstance(values, list) and set(map(type, values)) - {type(None)} in _PLAIN:
        several = Coded.of(values, lambda v: v is None)
    if isinstance(several, Coded):
        with suppress(TypeError, ValueError):  # of which the first is named below
            return several.taken(_one_by_one(attribute, [*several.values, None]))
    return _one_by_one(attribute, values if isinstance(values, list) else values.tolist())


def _one_by_one(attribute: Attribute, values: Sequence[Any]) -> NDArray[Any]:
    column = np.empty(len(values), dtype=np.float64 if attribute.values is None else np.int32)
    for i, v in enumerate(values):
        column[i] = _encode_value(attribute, python_value(v), i + 1)
    return column


def _encode_value(attribute: Attribute, v: Any, row: int) -> float | int:
    if attribute.values is None:
        if v is None:
            return math.nan
        if isinstance(v, bool) or not isinstance(v, int | float):
            raise TypeError(f"row {row}: {attribute.name!r} takes a number; got {v!r}")
        x = _float(v)
        if math.isinf(x):
            said = "is infinite" if isinstance(v, float) else "is beyond the largest float"
            raise ValueError(f"row {row}: {attribute.name!r} {said}; a number must be finite")
        return x
    if v is None:
        return -1
    code = attribute.named(v) if isinstance(v, str | int | float) else -1
    if code < 0 and attribute.values and sort_of(v) not in map(sort_of, attribute.values):
        usual = attribute.values[0]
        raise TypeError(f"row {row}: {attribute.name!r} takes a value such as {usual!r}; got {v!r}")
    return code


def _float(v: float) -> float:
    """A number as a float, infinite if it is a whole number that no float can hold."""
    try:
        return float(v)
    except OverflowError:
        return math.inf


def _recoded(attribute: Attribute, table: Table) -> NDArray[Any]:
    if attribute.name not in table.names:
        hint = did_you_mean(attribute.name, table.names)
        msg = f"the table has no {attribute.name!r}; it has {listing(table.names)}.{hint}"
        raise ValueError(msg)
    i = table.names.index(attribute.name)
    other = table.attributes[i]
    if other.kind != attribute.kind:
        raise ValueError(
            f"{attribute.name!r} is {attribute.kind} in the tree but {other.kind} in the table;"
            " say kinds= where the table is made"
        )
    return recode(attribute, other, table.columns[i])


def labels_for(target: Attribute, table: Any, who: str, name: str = "the table") -> NDArray[Any]:
    """The labels of a table as codes of a target, -1 for a class it does not have; or as numbers.

    Messages say `who` predicts, such as ``"the tree"``, and what the rows are called (`name`).
    """
    if not isinstance(table, Table):
        raise TypeError(f"{name} must be a dt.Table, with labels; got {type_of(table)}")
    if table.target.name != target.name or table.target.kind != target.kind:
        raise ValueError(
            f"{who} predicts {target.name!r} ({target.kind}), but the target of {name} is"
            f" {table.target.name!r} ({table.target.kind})"
        )
    return recode(target, table.target, table.labels)


def recode(attribute: Attribute, other: Attribute, column: NDArray[Any]) -> NDArray[Any]:
    """A column of `other`'s codes as codes of `attribute`; -1 for a value it does not have."""
    if attribute.values is None or attribute.values == other.values:
        return column
    known = np.array([*(attribute.named(v) for v in other.values or ()), -1], dtype=np.int32)
    recoded: NDArray[np.int32] = known[column]  # the code -1 finds the last entry
    return recoded
