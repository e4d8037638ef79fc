"""Every way into a :class:`~dtree_lab.table.Table` leads here; bad input ends here, with a reason.

Nothing is coerced silently: a column is all text, all truth values or all numbers, or the message
names the row that is not. Rows are counted from 1 in messages.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from dtree_lab.shown import did_you_mean, listing
from dtree_lab.table import Attribute, Kind, Missing, Table, Value, is_missing, missing_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A float holds every whole number up to here; beyond, two different ones could become equal.
_EXACT = 2**53
_DESCRIBED = {"text": "text", "truth": "a truth value", "number": "a number"}


def read_columns(
    columns: Mapping[str, Iterable[Any]],
    target: str,
    kinds: Mapping[str, Kind] | None,
    missing: Missing,
) -> Table:
    """The one constructor: check, encode, and leave out incomplete rows if asked to."""
    kinds = kinds or {}
    if missing not in get_args(Missing):
        msg = f"missing={missing!r} is not one of {listing(get_args(Missing))}"
        raise ValueError(msg)
    if not isinstance(columns, Mapping):
        msg = f"columns must map names to values, as in {{'x': [1, 2]}}; got {type_of(columns)}"
        raise TypeError(msg)
    _check_names(list(columns), target, kinds)
    values = {name: _values(name, column) for name, column in columns.items()}
    _check_lengths(values)
    read = {name: _read(name, column, kinds.get(name)) for name, column in values.items()}
    label, labels = read.pop(target)
    unlabelled = missing_of(labels)
    if unlabelled.any():
        msg = f"row {_first(unlabelled)}, column {target!r} has no label; every row needs one"
        raise ValueError(msg)
    attributes = tuple(attribute for attribute, _ in read.values())
    table = Table(attributes, label, tuple(column for _, column in read.values()), labels)
    return table if missing == "keep" else _complete(table, missing)


def _complete(table: Table, missing: Missing) -> Table:
    incomplete = np.zeros(table.n_rows, dtype=bool)
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        gaps = missing_of(column)
        if missing == "error" and gaps.any():
            msg = (
                f"row {_first(gaps)}, column {attribute.name!r} has no value; fill it in, or say"
                " missing='drop' to leave such rows out, missing='keep' to keep them"
            )
            raise ValueError(msg)
        incomplete |= gaps
    if incomplete.all():
        msg = "every row lacks a value somewhere, so missing='drop' leaves no row"
        raise ValueError(msg)
    return table.take(~incomplete) if incomplete.any() else table


def _check_names(names: list[Any], target: str, kinds: Mapping[str, Kind]) -> None:
    for position, name in enumerate(names, start=1):
        if not isinstance(name, str):
            msg = f"column {position} is named {name!r}; names must be text, so rename it"
            raise TypeError(msg)
    for wanted, what in ((target, "target"), *((name, "kinds") for name in kinds)):
        if wanted not in names:
            hint = did_you_mean(wanted, names)
            there = f"the columns are {listing(names)}" if names else "there are no columns"
            msg = f"{what}: no column {wanted!r}; {there}.{hint}"
            raise ValueError(msg)


def check_unique(names: Sequence[Any]) -> None:
    """Raise a ValueError for a name that two columns have."""
    for name, times in Counter(names).items():
        if times > 1:
            msg = f"two columns are named {name!r}; every column needs a name of its own"
            raise ValueError(msg)


def _values(name: str, column: Any) -> Any:
    """A column as an array or a list, whatever it came as."""
    if isinstance(column, str | bytes | Mapping) or not isinstance(column, Iterable):
        msg = f"column {name!r} must be a sequence of values; got {type_of(column)}"
        raise TypeError(msg)
    if isinstance(column, set | frozenset):
        msg = f"column {name!r} is a set, whose values have no order; give a list"
        raise TypeError(msg)
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            msg = f"column {name!r} must have one dimension; its shape is {column.shape}"
            raise ValueError(msg)
        return column if column.dtype.kind in "fiubU" else column.tolist()
    return list(column)


def _check_lengths(values: Mapping[str, Any]) -> None:
    first, *others = values
    for name in others:
        if len(values[name]) != len(values[first]):
            msg = (
                f"column {name!r} has {len(values[name])} values and column {first!r} has"
                f" {len(values[first])}; every column needs one value for each row"
            )
            raise ValueError(msg)
    if not len(values[first]):
        msg = "the table is empty: it needs at least one row"
        raise ValueError(msg)


# -- one column ----------------------------------------------------------------------------------


def _read(name: str, values: Any, kind: Kind | None) -> tuple[Attribute, NDArray[Any]]:
    array, sort = _plain(name, values)
    if kind is None:
        kind = "continuous" if sort == "number" else "discrete"
    if kind == "continuous":
        if sort != "number":
            row = next(i for i, v in enumerate(array, start=1) if v is not None)
            msg = (
                f"row {row}, column {name!r} holds {_DESCRIBED[sort]}, {array[row - 1]!r}, but"
                " kinds says that the column is continuous, so it must hold numbers"
            )
            raise ValueError(msg)
        return Attribute(name), _floats(name, array)
    if kind == "discrete":
        return _discrete(name, array, None)
    if isinstance(kind, str) or not isinstance(kind, Sequence):  # any other word, or no sequence
        msg = (
            f"kinds[{name!r}] is {kind!r}; it must be 'discrete', 'continuous' or the sequence of"
            " the column's values in order"
        )
        raise ValueError(msg)  # noqa: TRY004 - one error for both
    return _discrete(name, array, tuple(kind))


def _plain(name: str, values: Any) -> tuple[Any, str]:
    """The values with None where missing, and their one sort: text, truth or number."""
    if isinstance(values, np.ndarray):
        kind = values.dtype.kind
        if kind == "f" or kind in "iu":
            return values, "number"
        return values.tolist(), "truth" if kind == "b" else "text"
    plain = [v.item() if isinstance(v, np.generic) else v for v in values]
    plain = [None if is_missing(v) else v for v in plain]
    first: tuple[int, str] | None = None
    for row, v in enumerate(plain, start=1):
        if v is None:
            continue
        sort = _sort(name, row, v)
        if first is None:
            first = (row, sort)
        elif sort != first[1]:
            odd, usual = plain[row - 1], plain[first[0] - 1]
            msg = (
                f"row {row}, column {name!r} holds {_DESCRIBED[sort]}, {odd!r}, but row {first[0]}"
                f" holds {_DESCRIBED[first[1]]}, {usual!r}; a column must be all numbers or all"
                " text"
            )
            raise ValueError(msg)
    return plain, first[1] if first else "text"


def _sort(name: str, row: int, v: Any) -> str:
    match v:
        case bool():
            return "truth"
        case int() | float():
            return "number"
        case str():
            return "text"
    msg = (
        f"row {row}, column {name!r} holds {type_of(v)}, {v!r}; a table holds text, numbers and"
        " truth values, so turn it into one of them"
    )
    raise TypeError(msg)


def _floats(name: str, values: Any) -> NDArray[np.float64]:
    if not isinstance(values, np.ndarray):
        values = [math.nan if v is None else v for v in values]
        for row, v in enumerate(values, start=1):
            if isinstance(v, int) and abs(v) > _EXACT:
                _refuse_large(name, row, v)
    elif values.dtype.kind in "iu" and values.size:
        large = (values > _EXACT) | (values < -_EXACT)
        if large.any():
            _refuse_large(name, _first(large), values[large][0])
    column = np.array(values, dtype=np.float64)
    infinite = np.isinf(column)
    if infinite.any():
        msg = f"row {_first(infinite)}, column {name!r} is infinite; a number must be finite"
        raise ValueError(msg)
    return column


def _refuse_large(name: str, row: int, v: Any) -> None:
    msg = (
        f"row {row}, column {name!r} holds {v}, too large to be held exactly (up to 2**53 is);"
        " scale the column, or give it as text if its numbers are only names"
    )
    raise ValueError(msg)


def _discrete(
    name: str, values: Any, declared: tuple[Value, ...] | None
) -> tuple[Attribute, NDArray[np.int32]]:
    if isinstance(values, np.ndarray):
        values = [None if is_missing(v) else v for v in values.tolist()]
    present = dict.fromkeys(v for v in values if v is not None)
    attribute = Attribute(name, tuple(sorted(present)) if declared is None else declared)
    if len(attribute.codes) != attribute.n_values:
        msg = f"kinds[{name!r}] names a value twice: {listing(attribute.values or ())}"
        raise ValueError(msg)
    for v in present:
        if attribute.code(v) < 0:
            msg = (
                f"row {values.index(v) + 1}, column {name!r} holds {v!r}, which is not among the"
                f" values that kinds gives: {listing(attribute.values or ())}"
            )
            raise ValueError(msg)
    of = {None: -1, **{v: attribute.code(v) for v in present}}
    return attribute, np.fromiter((of[v] for v in values), dtype=np.int32, count=len(values))


def _first(mask: NDArray[np.bool_]) -> int:
    return int(np.argmax(mask)) + 1


def type_of(v: object) -> str:
    """A value's type in words."""
    return f"a {type(v).__name__}"
