"""What looks amiss in a table that was just read, said once, where it comes in.

None of it is an error: whole numbers may be numbers to predict, and ``NA`` may be Namibia. But a
wrong guess would show up nowhere else, so it is told together with what to say for either meaning.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import number, plural
from dtree_lab.table.numerals import Numerals
from dtree_lab.table.table import Attribute, Table

Column = tuple[Attribute, NDArray[Any]]

# "Few" whole numbers: the ten digits, which are a common set of classes, are still few.
FEW = 10
_WORDS = re.compile(
    r"n/?a|n\.a\.|-?nan|nat|null|<na>|#(na|n/a|null!|div/0!|num!|value!|ref!|name\?)|\?|--?|\.",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d\d))([T ]\d.*)?"
)
_NUMBER = r"[+-]?[\d.,' ]*\d"
_SIGNED = re.compile(rf"[€$£¥]\s*{_NUMBER}|{_NUMBER}\s*[%‰€$£¥°]")
# What is written so, what it is called, and what to give in its place.
_WRITTEN = (
    (_DATE, "dates", "numbers, such as the years,"),
    (_SIGNED, "numbers with a sign", "them without it"),
)
_UNNAMED = ("", "Unnamed: 0")
_COUNTED = 3  # fewer rows than these count up by chance
_PACKAGE = str(Path(__file__).parents[1])


class TableWarning(UserWarning):
    """A table was read in one of two ways, and the other may have been meant.

    The message says what to write for either. ``warnings.simplefilter("error", dt.TableWarning)``
    turns each into an error; with ``"ignore"`` none is shown.

    Examples
    --------
    >>> import warnings
    >>> import dtree_lab as dt
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     table = dt.Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 1, 1, 0]}, target="y")
    >>> said[0].category.__name__
    'TableWarning'
    >>> table.target.kind
    'continuous'
    """


@dataclass(frozen=True, slots=True)
class Settled:
    """What the caller has said, so that it is not asked again."""

    kinds: Collection[str] = ()  # the columns whose kind was given
    from_file: bool = False  # so that `na`, `strip` and `drop` are keywords
    na: Iterable[str] | None = None  # words for a missing value; None if nothing was said of them
    strip: bool | None = None  # whether blanks are to be taken off; None if nothing was said
    everything: bool = False  # there is nothing to ask, as for rows to predict


def is_word_for_missing(text: str) -> bool:
    """Whether this is how programs and people write that there is no value: NA, ?, NULL, #DIV/0!.

    >>> [is_word_for_missing(text) for text in ("NA", " ? ", "None", "none", "no")]
    [True, True, True, False, False]
    """
    text = text.strip()
    return bool(_WORDS.fullmatch(text)) or text == "None"


def warn_of_doubts(table: Table, settled: Settled) -> None:
    """Issue a :class:`TableWarning` for each doubt about a table."""
    for doubt in () if settled.everything else _doubts(table, settled):
        warn(doubt)


def warn(doubt: str) -> None:
    """Issue a :class:`TableWarning` at the line that called the library."""
    warnings.warn(doubt, TableWarning, stacklevel=_depth_outside())


def _depth_outside() -> int:
    """How many frames up the code stands that called the library, which is where to look."""
    depth, frame = 1, sys._getframe(1)  # noqa: SLF001 - what `warnings` itself uses
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        depth, frame = depth + 1, frame.f_back
    return depth


def _doubts(table: Table, settled: Settled) -> Iterator[str]:
    target = table.target
    if target.values is None and target.name not in settled.kinds:
        yield from _of_numbers(target.name, table.labels)
    columns: dict[str, Column] = {
        attribute.name: (attribute, column)
        for attribute, column in zip(
            (*table.attributes, target), (*table.columns, table.labels), strict=True
        )
        if attribute.name not in settled.kinds and _is_text(attribute)
    }
    if settled.na is None or set(settled.na) - {""}:  # who says na=("",) wants no word taken
        yield from _of_words(columns, settled)
    if settled.strip is None:
        yield from _of_blanks(columns, settled)
    for written in _WRITTEN:
        yield from _of_many(columns, settled, written, target)
    yield from _of_row_numbers(table, settled)


def _is_text(attribute: Attribute) -> bool:
    return bool(attribute.values) and isinstance((attribute.values or ("",))[0], str)


def _of_numbers(name: str, labels: NDArray[Any]) -> Iterator[str]:
    found = np.unique(labels)
    if not few_whole_numbers(found, len(labels)):
        return
    whole = "whole number" if len(found) == 1 else "whole numbers"
    yield (
        f"the target {name!r} holds only the {whole} {_series(map(number, found.tolist()))}, taken"
        " as numbers to predict. If they are classes, say target_kind='discrete'; if they are"
        " numbers, say target_kind='continuous'"
    )


def few_whole_numbers(numbers: NDArray[np.float64], n_rows: int) -> bool:
    """Whether numbers could as well be classes: at most ten, all whole, and not of one row each.

    `numbers` are the different ones, sorted.
    """
    if len(numbers) > FEW or (numbers != np.floor(numbers)).any():
        return False
    # One row for each number is no set of classes, unless they count from nought.
    return len(numbers) < n_rows or numbers.tolist() == list(range(len(numbers)))


def _series(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _of_words(columns: Mapping[str, Column], settled: Settled) -> Iterator[str]:
    said: dict[str, str] = {}
    words: dict[str, None] = {}
    for name, (attribute, column) in columns.items():
        values = list(map(str, attribute.values or ()))
        rows = np.bincount(column[column >= 0], minlength=len(values)).tolist()
        paired = {"+", "-"} <= {v.strip() for v in values}  # as labels, not for missing ones
        found = {
            v: n
            for v, n in zip(values, rows, strict=True)
            if n and is_word_for_missing(v) and not (paired and v.strip() == "-")
        }
        if found and np.count_nonzero(rows) > 1:  # a column's only value tells nothing anyway
            listed = _series(f"{v!r} in {plural(n, 'row')}" for v, n in found.items())
            rest = [v for v in values if v not in found]
            digits = all(Numerals().number(v) is not None for v in rest)
            said[name] = f"column {name!r} holds {listed}{' beside numbers' if digits else ''}"
            words |= dict.fromkeys(v.strip() for v in found)
    if not said:
        return
    if settled.from_file:
        given = ("",) if settled.na is None else tuple(settled.na)
        value = f"say {_as_words(said)}"
        if settled.na is None:
            value = "say na=('',), which leaves all as it is"
        cure = f"say na={(*given, *words)!r}; if it is a value, {value}"
    else:
        cure = (
            "give None in its place (and numbers beside it as numbers, where they are text); if it"
            f" is a value, say {_as_words(said)}"
        )
    yield (
        f"{_some(list(said.values()))}, as a value like any other. If this stands for a missing"
        f" value, {cure}"
    )


def _of_blanks(columns: Mapping[str, Column], settled: Settled) -> Iterator[str]:
    said: dict[str, str] = {}
    for name, (attribute, _) in columns.items():
        alike: dict[str, str] = {}
        for v in map(str, attribute.values or ()):
            other = alike.setdefault(v.strip(), v)
            if other != v and v.strip():
                said[name] = f"column {name!r} holds {other!r} and {v!r}"
                break
    if said:
        cure = (
            "say strip=True to take blanks off, strip=False to keep them"
            if settled.from_file
            else f"take blanks off with .strip(), or say {_as_words(said)} to keep them"
        )
        yield (
            f"{_some(list(said.values()))}: they differ by blanks only, but are two values; {cure}"
        )


def _of_row_numbers(table: Table, settled: Settled) -> Iterator[str]:
    """A column without a name that counts the rows: programs write their index so."""
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        unnamed = attribute.name.strip() in _UNNAMED and attribute.values is None
        if not unnamed or attribute.name in settled.kinds or len(column) < _COUNTED:
            continue
        if counts_up(column):
            out = f"say drop={attribute.name!r} to leave it out"
            yield (
                f"column {attribute.name!r} only counts the rows, and a tree would ask about it;"
                f" {out if settled.from_file else 'leave it out'}, or say"
                f" kinds={{{attribute.name!r}: 'continuous'}} if it is meant"
            )


def counts_up(column: NDArray[np.float64]) -> bool:
    """Whether numbers are whole and each is one more than that of the row above, without a gap.

    >>> [counts_up(np.array(rows)) for rows in ([7, 8, 9], [7, 9, 8], [0.5, 1.5, 2.5], [1, 2, 4])]
    [True, False, False, False]
    """
    return bool((column == np.floor(column)).all() and (np.diff(column) == 1).all())


def _of_many(
    columns: Mapping[str, Column],
    settled: Settled,
    written: tuple[re.Pattern[str], str, str],
    target: Attribute,
) -> Iterator[str]:
    """Columns of many different texts that could be numbers."""
    pattern, what, better = written
    said: dict[str, str] = {}
    for name, (attribute, _) in columns.items():
        values = [v for v in map(str, attribute.values or ()) if not is_word_for_missing(v)]
        if values and all(pattern.fullmatch(v.strip()) for v in values):
            said[name] = f"column {name!r} holds {what} such as {values[0]!r}"
    if said:
        drop = [name for name in said if name != target.name]
        out = f" say drop={drop!r} to leave it out," if settled.from_file else " leave it out,"
        yield (
            f"{_some(list(said.values()))}, which are words to a tree, without order. Give"
            f" {better} instead, or{f'{out} or' if drop else ''} say {_as_words(said)} if words are"
            " meant"
        )


def _as_words(names: Iterable[str]) -> str:
    return f"kinds={dict.fromkeys(names, 'discrete')!r}"


def _some(words: list[str], most: int = 4) -> str:
    more = f", and so on ({len(words)} in all)" if len(words) > most else ""
    return ", ".join(words[:most]) + more
