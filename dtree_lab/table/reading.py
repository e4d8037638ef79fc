"""Every way into a table leads here; bad input ends here, with a reason.

Nothing is coerced silently: a column is all text, all truth values or all numbers, or the message
names the row that is not. Rows are counted from 1 in messages.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import did_you_mean, is_encodable, listing
from dtree_lab.base.types import Ints
from dtree_lab.table.coded import Coded
from dtree_lab.table.doubts import Settled, few_whole_numbers
from dtree_lab.table.findings import warn_of_doubts
from dtree_lab.table.numerals import EXACT
from dtree_lab.table.table import (
    Attribute,
    Kind,
    Missing,
    Table,
    TargetKind,
    Value,
    Weights,
    is_missing,
    missing_of,
)
from dtree_lab.table.ticks import ticks_from

# Such as names of files give that are no UTF-8: nothing can show it, send it or save it.
_NO_TEXT = (
    "in which half of a character stands that cannot be written down; replace it, for instance by"
    " text.encode(errors='replace').decode()"
)
_DESCRIBED = {"text": "text", "truth": "a truth value", "number": "a number"}
# A truth value is a kind of int to Python, so it comes first.
_SORTS: dict[type, str] = {bool: "truth", int: "number", float: "number", str: "text"}
# A column of nothing but these needs no look at single values, NaN apart.
_PLAIN = {bool, int, float, str, type(None)}


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the caller says of a table's columns, as :meth:`Table.from_columns` describes it."""

    target: str
    kinds: Mapping[str, Kind] | None = None
    target_kind: TargetKind | None = None
    missing: Missing = "error"
    weights: Weights = None
    # The kinds that a data frame's own types tell; `kinds` come before them.
    frame_kinds: Mapping[str, Kind] = field(default_factory=dict)
    drop: str | Sequence[str] = ()

    def given_kinds(self) -> dict[str, Kind]:
        """The kinds that the caller gives, `target_kind` too; refuses two that contradict."""
        if self.kinds is not None and not isinstance(self.kinds, Mapping):
            raise TypeError(
                f"kinds must map columns to kinds, as in {{'zip': 'discrete'}}; got {self.kinds!r}"
            )
        said = dict(self.kinds or {})
        if self.target_kind is None or not isinstance(self.target, str):
            return said  # what is no text is no column, which is told elsewhere
        if self.target_kind not in get_args(TargetKind):
            msg = f"target_kind={self.target_kind!r} is not one of {listing(get_args(TargetKind))}"
            raise ValueError(msg)
        other = said.setdefault(self.target, self.target_kind)
        if (other == "continuous") != (self.target_kind == "continuous"):
            raise ValueError(
                f"target_kind={self.target_kind!r} and kinds={{{self.target!r}: {other!r}}}"
                " contradict each other; say one of them"
            )
        return said


def read_columns(
    columns: Mapping[str, Any], options: ReadOptions, settled: Settled | None = None
) -> Table:
    """The one constructor: check, encode, and leave out incomplete rows if asked to.

    `settled`, for a file, is what else the caller has said, so that there is no warning about it.
    """
    if options.missing not in get_args(Missing):
        raise ValueError(f"missing={options.missing!r} is not one of {listing(get_args(Missing))}")
    if not isinstance(columns, Mapping):
        msg = f"columns must map names to values, as in {{'x': [1, 2]}}; got {type_of(columns)}"
        raise TypeError(msg)
    if options.drop:
        kept = kept_names(list(columns), options.drop, options.target)
        columns = {name: columns[name] for name in kept}
    given = options.given_kinds()
    kinds = {**options.frame_kinds, **given}
    _check_names(list(columns), options.target, kinds)
    if given.get(options.target) == "discrete":  # in a data frame's own order, if it has one
        kinds[options.target] = options.frame_kinds.get(options.target, "discrete")
    values = {name: _values(name, column) for name, column in columns.items()}
    _check_lengths(values)
    settled = settled or Settled()
    weights = _weights(values, options)
    read = {
        name: read_column(name, column, kinds.get(name), is_own=settled.from_file)
        for name, column in values.items()
    }
    label, labels = read.pop(options.target)
    if options.target not in kinds and label.values is None and _are_two_numbers(labels):
        two = int(np.nanmin(labels)), int(np.nanmax(labels))
        label = Attribute(label.name, two)
        labels = np.where(np.isnan(labels), -1, labels == two[1]).astype(np.int32)
        settled = replace(settled, two_numbers=True)
    attributes = tuple(attribute for attribute, _ in read.values())
    settled = replace(settled, kinds=frozenset(settled.kinds) | frozenset(given))
    encoded = tuple(column for _, column in read.values())
    whole = Table(attributes, label, encoded, labels, settled=settled)
    if weights is not None:
        whole = replace(whole, **weights)
    table = _complete(whole, options.missing)
    if table.weights is not None:
        table = table.take(table.weights > 0)
    warn_of_doubts(table)
    return table


def _are_two_numbers(labels: NDArray[Any]) -> bool:
    """Whether labels are two different whole numbers, such as 0 and 1, which name classes."""
    known = labels[~np.isnan(labels)]
    ends = np.array([known.min(), known.max()]) if known.size else known
    two = known.size and ends[0] < ends[1] and np.isin(known, ends).all()
    return bool(two) and few_whole_numbers(ends, len(known))


def _weights(values: dict[str, Any], options: ReadOptions) -> dict[str, Any] | None:
    """What a table keeps of the rows' weights; a column that holds them is taken out."""
    given, name = options.weights, "weights"
    if given is None:
        return None
    if isinstance(given, str):
        name = given
        check_there(name, "weights", list(values))
        if name == options.target:
            raise ValueError(f"weights: {name!r} is the target, the column to predict")
        given = values.pop(name)
        if isinstance(given, Coded):
            gap = math.nan if float in map(type, given.values) else None
            given = given.taken(np.array([*given.values, gap], dtype=object)).tolist()
    source = "weights" if name == "weights" else f"column {name!r}"
    ticks, unit = ticks_from(given, len(values[options.target]), source)
    return {"weights": ticks, "weight_unit": unit, "weight_name": name}


def _complete(table: Table, missing: Missing) -> Table:
    incomplete = missing_of(table.labels)
    if incomplete.any() and missing != "drop":
        raise ValueError(
            f"row {_first(incomplete)}, column {table.target.name!r} has no label; every row needs"
            " one: write it in, or say missing='drop' to leave out rows that lack their label or"
            " a value"
        )
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        gaps = missing_of(column)
        if missing == "error" and gaps.any():
            raise ValueError(
                f"row {_first(gaps)}, column {attribute.name!r} has no value; fill it in, or say"
                " missing='drop' to leave such rows out, missing='keep' to keep them"
            )
        if missing == "drop":
            incomplete |= gaps
    if incomplete.all():
        raise ValueError(_no_row_left(table))
    return table.take(~incomplete) if incomplete.any() else table


def _no_row_left(table: Table) -> str:
    """Why leaving out rows leaves none: the columns with most gaps, and how to do without them."""
    n_gaps = {
        a.name: int(missing_of(c).sum())
        for a, c in zip(table.attributes, table.columns, strict=True)
    }
    most = max(n_gaps.values(), default=0)
    why = "every row lacks its label or a value, so missing='drop' leaves no row"
    if not most:
        return why
    worst = [name for name, n in n_gaps.items() if n == most]
    out = repr(worst if len(worst) > 1 else worst[0])
    return (
        f"{why}; most are missing in {listing(worst)}, {most} of {table.n_rows} rows: to do without"
        f" say drop={out}"
    )


def _check_names(names: list[Any], target: str, kinds: Mapping[str, Kind]) -> None:
    for position, name in enumerate(names, start=1):
        if not isinstance(name, str):
            msg = f"column {position} is named {name!r}; names must be text, so rename it"
            if isinstance(name, int):
                msg += "; of a pandas frame, all with .rename(columns=str)"
            raise TypeError(msg)
        if not is_encodable(name):
            raise ValueError(f"column {position} is named {name!r}, {_NO_TEXT}")
    check_there(target, "target", names)
    for name in kinds:
        check_there(name, "kinds", names)


def check_there(wanted: str, what: str, names: Sequence[str]) -> None:
    """Raise a ValueError if what an argument names is no column, saying which there are."""
    if wanted not in names:
        hint = did_you_mean(wanted, names)
        there = f"the columns are {listing(names)}" if names else "there are no columns"
        raise ValueError(f"{what}: no column {wanted!r}; {there}.{hint}")


def argument_words(argument: str, given: object) -> tuple[str, ...]:
    """An argument that is a text or several, as several."""
    if isinstance(given, str):
        return (given,)
    words = tuple(given) if isinstance(given, Sequence | set | frozenset) else (given,)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{argument}={given!r} must be a text, or a sequence of texts")
    return words


def kept_names(names: Sequence[str], drop: str | Sequence[str], target: str) -> list[str]:
    """The names without those of columns to leave out, each of which must be there."""
    dropped = argument_words("drop", drop)
    for name in dropped:
        check_there(name, "drop", names)
    if target in dropped:
        raise ValueError(f"drop: {target!r} is the target, the column to predict")
    return [name for name in names if name not in dropped]


def check_unique(names: Sequence[Any]) -> None:
    """Raise a ValueError for a name that two columns have."""
    for name, times in Counter(names).items():
        if times > 1:
            msg = f"two columns are named {name!r}; every column needs a name of its own"
            raise ValueError(msg)


def _values(name: str, column: Any) -> Any:
    """A column as an array, a list or coded, whatever it came as."""
    if isinstance(column, Coded):
        return column
    if isinstance(column, str | bytes | Mapping) or not isinstance(column, Iterable):
        raise TypeError(f"column {name!r} must be a sequence of values; got {type_of(column)}")
    if isinstance(column, set | frozenset):
        raise TypeError(f"column {name!r} is a set, whose values have no order; give a list")
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            msg = f"column {name!r} must have one dimension; its shape is {column.shape}"
            raise ValueError(msg)
        return _of_array(column)
    return list(column)


def _of_array(column: NDArray[Any]) -> Any:
    if isinstance(column, np.ma.MaskedArray):
        if np.ma.getmaskarray(column).any():
            # What is masked comes out as NaN or None.
            return column.filled(np.nan) if column.dtype.kind == "f" else column.tolist()
        column = column.data
    if column.dtype.kind in "fiubU":
        return column
    # As a list, NumPy's dates and times of nanoseconds would be whole numbers.
    return list(column) if column.dtype.kind in "mM" else column.tolist()


def _check_lengths(values: Mapping[str, Any]) -> None:
    first, *others = values
    for name in others:
        if len(values[name]) != len(values[first]):
            raise ValueError(
                f"column {name!r} has {len(values[name])} values and column {first!r} has"
                f" {len(values[first])}; every column needs one value for each row"
            )
    if not len(values[first]):
        raise ValueError("the table is empty: it needs at least one row")


def read_column(
    name: str, values: Any, kind: Kind | None, *, is_own: bool = False
) -> tuple[Attribute, NDArray[Any]]:
    """An attribute and its column, which nobody else writes to: a copy, unless it is our own."""
    array, sort = _plain(name, values)
    if kind is None:
        kind = "continuous" if sort == "number" else "discrete"
    if kind == "continuous":
        if sort not in ("number", "none"):
            row, v = coded_of(array).first(lambda _: True) or (0, None)
            raise ValueError(
                f"row {row}, column {name!r} holds {_DESCRIBED[sort]}, {v!r}, but"
                " you say that the column is continuous, so it must hold numbers"
            )
        return Attribute(name), _floats(name, array, is_own=is_own)
    if kind == "discrete":
        return _discrete(name, array, None)
    return _discrete(name, array, _declared(name, kind))


def _declared(name: str, kind: Any) -> tuple[Value, ...]:
    """The values that a caller gives for a column."""
    if isinstance(kind, str | bytes) or not isinstance(kind, Sequence):  # another word, or none
        raise ValueError(  # noqa: TRY004 - one error for both
            f"kinds[{name!r}] is {kind!r}; it must be 'discrete', 'continuous' or the sequence of"
            " the column's values in order"
        )
    values = tuple(python_value(v) for v in kind)
    sorts = set(map(sort_of, values))
    if len(sorts) > 1 or None in sorts:
        raise ValueError(
            f"kinds[{name!r}] gives {listing(values)}; values must be all text, all truth values or"
            " all numbers, without one for missing"
        )
    if not is_encodable(values):
        raise ValueError(f"kinds[{name!r}] gives {listing(values)}, {_NO_TEXT}")
    return values


def python_value(v: Any) -> Any:
    """A cell as Python's own text, number or truth value, None where it is missing; else itself."""
    if isinstance(v, np.generic):
        if isinstance(v, np.floating):
            v = float(v)  # also one that is longer than Python's
        elif not isinstance(v, np.datetime64 | np.timedelta64):
            v = v.item()
    elif isinstance(v, Decimal):
        if v.is_nan():
            return None
        v = int(v) if v.is_finite() and v == v.to_integral_value() else float(v)
    return None if v is np.ma.masked or is_missing(v) else v


def _plain(name: str, values: Any) -> tuple[Any, str]:
    """The values with None where missing, and their one sort: text, truth, number; or none."""
    if isinstance(values, np.ndarray):
        kind = values.dtype.kind
        if kind == "f" or kind in "iu":
            return values, "number"
        return values.tolist(), "truth" if kind == "b" else "text"
    if isinstance(values, Coded):
        plain, sort = _plain(name, list(values.values))
        return replace(values, values=plain), sort
    types = set(map(type, values))
    if not types <= _PLAIN:
        values = [python_value(v) for v in values]
        types = set(map(type, values))
    elif float in types:
        values = [None if v != v else v for v in values]  # noqa: PLR0124 - NaN
    sorts = {_sort_of_type(t) for t in types - {type(None)}}
    if len(sorts) <= 1 and None not in sorts:
        return values, str(next(iter(sorts), "none"))
    return values, _one_sort(name, values)


def _one_sort(name: str, values: list[Any]) -> str:
    """Raise for the first value that differs in sort from the one before, or that has none."""
    first: tuple[int, str] | None = None
    for row, v in enumerate(values, start=1):
        if v is None:
            continue
        sort = sort_of(v)
        if sort is None:
            _refuse(name, row, v)
        elif first is None:
            first = (row, sort)
        elif sort != first[1]:
            odd, usual = values[row - 1], values[first[0] - 1]
            raise ValueError(
                f"row {row}, column {name!r} holds {_DESCRIBED[sort]}, {odd!r}, but row {first[0]}"
                f" holds {_DESCRIBED[first[1]]}, {usual!r}; a column must be all numbers or all"
                " text"
            )
    return "none" if first is None else first[1]


def _sort_of_type(t: type) -> str | None:
    """What values of a type are in a table; None for what it cannot hold."""
    return next((sort for base, sort in _SORTS.items() if issubclass(t, base)), None)


def sort_of(v: Any) -> str | None:
    """What a value is in a table: text, truth or number."""
    return _sort_of_type(type(v))


def _refuse(name: str, row: int, v: Any) -> None:
    """Raise a TypeError for a value that no table holds, with what could stand in its place."""
    recipes = {
        "ordinal": "v.ordinal",  # pandas' periods
        "timestamp": "v.timestamp()",  # dates with a time
        "toordinal": "v.toordinal()",  # dates
        "total_seconds": "v.total_seconds()",
        "hour": "v.hour + v.minute / 60",
        "dtype": "v.astype(float)",  # NumPy's dates and times
    }
    known = next((r for method, r in recipes.items() if hasattr(v, method)), None)
    # What is missing equals nothing, itself included (pandas' NaT), or is None.
    made = f"[None if v is None or v != v else {known or 'str(v)'} for v in column]"
    raise TypeError(
        f"row {row}, column {name!r} holds {type_of(v)}, {v!r}; a table holds text, numbers and"
        f" truth values, so turn it into one of them: {made}, for"
        f" instance, makes {'numbers' if known else 'text'}; or leave the column out"
    )


def _is_inexact(v: Any) -> bool:
    return isinstance(v, int) and abs(v) > EXACT


def _floats(name: str, values: Any, *, is_own: bool) -> NDArray[np.float64]:
    large: tuple[int, Any] | None = None
    if isinstance(values, Coded):
        large = values.first(_is_inexact)
        values = values.taken(np.array([*values.values, math.nan], dtype=np.float64))
    elif not isinstance(values, np.ndarray):
        large = next(((i, v) for i, v in enumerate(values, start=1) if _is_inexact(v)), None)
        values = [math.nan if v is None else v for v in values]
    elif values.dtype.kind in "iu" and values.size:
        inexact = (values > EXACT) | (values < -EXACT)
        large = (_first(inexact), values[inexact][0]) if inexact.any() else None
    if large:
        raise ValueError(
            f"row {large[0]}, column {name!r} holds {large[1]}, too large to be held exactly (up to"
            " 2**53 is); scale the column, or give it as text if its numbers are only names"
        )
    column = (np.asarray if is_own else np.array)(values, dtype=np.float64)
    infinite = np.isinf(column)
    if infinite.any():
        _refuse_infinite(name, _first(infinite))
    return column


def _refuse_infinite(name: str, row: int) -> None:
    raise ValueError(
        f"row {row}, column {name!r} is infinite; a number must be finite, so write another, or"
        " leave it empty if it is not known"
    )


def _discrete(name: str, values: Any, declared: tuple[Value, ...] | None) -> tuple[Attribute, Ints]:
    column = coded_of(values)
    if infinite := column.first(lambda v: isinstance(v, float) and math.isinf(v)):
        _refuse_infinite(name, infinite[0])
    if broken := column.first(lambda v: isinstance(v, str) and not is_encodable(v)):
        raise ValueError(f"row {broken[0]}, column {name!r} holds {broken[1]!r}, {_NO_TEXT}")
    attribute = Attribute(
        name, tuple(sorted(dict.fromkeys(column.values))) if declared is None else declared
    )
    if len(attribute.codes) != attribute.n_values:
        raise ValueError(f"kinds[{name!r}] names a value twice: {listing(attribute.values or ())}")
    if odd := column.first(lambda v: attribute.code(v) < 0):
        raise ValueError(
            f"row {odd[0]}, column {name!r} holds {odd[1]!r}, which is not among the values that"
            f" kinds gives: {listing(attribute.values or ())}"
        )
    codes = [*map(attribute.code, column.values), -1]
    return attribute, column.taken(np.array(codes, dtype=np.int32))


def coded_of(values: Any) -> Coded:
    """A column's values, None and NaN apart, in the order in which they first come."""
    if isinstance(values, Coded):
        return values
    if not isinstance(values, np.ndarray):
        return Coded.of(values, lambda v: v is None)
    gaps = missing_of(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)
    different, first, which = np.unique(values[~gaps], return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order))
    codes = np.full(len(values), -1, np.int32)
    codes[~gaps] = place[which]
    return Coded(different[order].tolist(), codes)


def _first(mask: NDArray[np.bool_]) -> int:
    return int(np.argmax(mask)) + 1


def type_of(v: object) -> str:
    """A value's type in words."""
    name = type(v).__name__
    article = "an" if name[0] in "aeioAEIO" or name == "ndarray" else "a"
    return f"{article} {name}"
