"""What is suspicious about the columns of a table, and what to say or write instead.

Each look at a column is one function; the warnings where a table comes in and
:meth:`dtree_lab.Table.report` share it. None of it is an error: whole numbers may be numbers to
predict, and ``NA`` may be Namibia.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import number, plural, value
from dtree_lab.table.doubts import FEW, few_whole_numbers, is_word_for_missing, warn
from dtree_lab.table.numerals import Numerals
from dtree_lab.table.table import Attribute, Table, missing_of

_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d\d))([T ]\d.*)?"
    rf"|(\d{{1,2}}\.?[ -])?{_MONTH}[ -](\d{{1,2}}, )?(\d{{4}}|\d\d)",
    re.IGNORECASE,
)
_TIME = re.compile(r"\d{1,2}:[0-5]\d(:[0-5]\d(\.\d+)?)?( ?[ap]m)?", re.IGNORECASE)
_NUMBER = r"[+-]?[\d.,' ]*\d"
_SIGNED = re.compile(rf"[€$£¥]\s*{_NUMBER}|{_NUMBER}\s*[%‰€$£¥°]")
_UNDERSCORED = re.compile(r"[+-]?\d+(_\d+)+(\.\d+)?")
_LENGTHS, _TIMES = (
    "km|m|cm|mm|mi|ft|inch|miles?",
    "h|hrs?|min|s|sec|ms|days?|weeks?|months?|years?|yrs?",
)
_UNITS = f"kg|g|mg|t|lbs?|oz|l|ml|{_LENGTHS}|{_TIMES}|[kmgt]b|hz|k?wh?|v|eur|usd|bps|°?[cf]"
_UNIT = re.compile(rf"{_NUMBER} ?({_UNITS})", re.IGNORECASE)
_POINTED = re.compile(r"[+-]?(\d+|\d*\.\d+|\d+\.)(e[+-]?\d+)?", re.IGNORECASE)
_UNNAMED = ("", "Unnamed: 0")
_ID = re.compile(
    r"(.*[\W_])?(?i:id|ids|uuid|guid|idx|index|key|nr|no|row|rownames?|name)|.*[a-z](Id|ID|Nr|No)"
)
# Fewer rows than these count up, are all different, or lack a second of a kind by chance.
_COUNTED, _NAMED, _MANY, _ONCE = 3, 12, 20, 50
_YEARS = range(1500, 2200)
_NEARLY, _MOSTLY, _RARE, _ALIKE = 0.95, 0.8, 0.01, 0.85
_OTHERS = "[v if column.count(v) > 1 else 'other' for v in column]"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something suspicious about a column, and its cure."""

    column: str  # its name
    kind: str  # in a word or two, such as "id" or "case"
    text: str  # what was seen, to be read behind the column's name
    cure: str  # what to say where the table is made, or to write instead: code, where there is any
    words: tuple[str, ...] = ()  # those that stand for a missing value, if it is about such


@dataclass(frozen=True)
class ReadColumn:
    """A column as it is looked at."""

    table: Table
    attribute: Attribute
    column: NDArray[Any]
    is_target: bool
    like_id: bool  # whether an attribute is called as ids are
    open: bool  # whether its kind was not given
    times: NDArray[np.int64]  # how many rows each of the table's stands for
    known: int  # how many rows have a value
    rows: dict[Any, int]  # of a discrete column each value that occurs, and in how many rows
    texts: list[str]  # the values of a column of text that is open; else none

    @property
    def n_rows(self) -> int:
        """How many rows there are, each as often as its weight says."""
        return int(self.times.sum())

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The different numbers of a continuous column, sorted; else none."""
        if self.attribute.values is not None:
            return np.empty(0)
        return np.unique(self.column[~np.isnan(self.column)])

    @property
    def may_be_id(self) -> bool:
        """Whether it is called so, or is not the only attribute, nor a letter as in a formula."""
        several = len(self.table.attributes) > 1 and len(self.attribute.name) > 1
        return self.like_id or (several and not self.is_target)

    @cached_property
    def names_rows(self) -> bool:
        """Whether it has another word in nearly every row, and these are no dates or the like."""
        n = len(self.texts)
        if n < (_NAMED if self.like_id else _MANY) or n < _NEARLY * self.known:
            return False
        return self.may_be_id and not any(_written(way, self) for way in _WRITTEN)

    def finding(self, kind: str, text: str, cure: str, words: Sequence[str] = ()) -> Finding:
        """What was seen in this column."""
        return Finding(self.attribute.name, kind, text, cure, tuple(words))

    def useless(self, kind: str, text: str) -> Finding:
        """What is cured by leaving the column out, or by predicting another."""
        out = _out([self.attribute.name])
        return self.finding(kind, text, "target=… with another column" if self.is_target else out)


def _out(names: Sequence[str]) -> str:
    return f"drop={names[0] if len(names) == 1 else list(names)!r}"


def _as_is(several: Iterable[Finding], table: Table) -> str:
    """What to say to have columns as they were read."""
    kinds = {a.name: a.kind for a in (*table.attributes, table.target)}
    return f"kinds={ {one.column: kinds[one.column] for one in several}!r}"


def _columns(several: Sequence[Finding], most: int = 4) -> str:
    more = f", and so on ({len(several)} in all)" if len(several) > most else ""
    return ", ".join(f"column {one.column!r} {one.text}" for one in several[:most]) + more


def _series(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _each(changed: str) -> str:
    return f"[{changed} if isinstance(v, str) else v for v in column]"  # a frame's gaps are NaN


# -- looks that are worth a warning: what is seen in a column, and what is told of several ---------


def _labels(seen: ReadColumn) -> Finding | None:
    """Labels that are few whole numbers, which may be classes."""
    two = seen.table.settled.two_numbers
    if not (seen.is_target and seen.open and (seen.attribute.values is None or two)):
        return None
    found = np.array(seen.attribute.values) if two else seen.numbers
    if not two and not few_whole_numbers(found, seen.n_rows):
        return None
    whole = "whole number" if len(found) == 1 else "whole numbers"
    taken, kind = ("classes", "discrete") if two else ("numbers to predict", "continuous")
    other = "continuous" if two else "discrete"
    text = f"holds only the {whole} {_series(map(number, found.tolist()))}, taken as {taken}"
    cure = f"target_kind={kind!r} if that is right, else target_kind={other!r}"
    return seen.finding("labels", text, cure)


def _tell_labels(several: Sequence[Finding], table: Table) -> str:
    ways = ["they are classes, say target_kind='discrete'"]
    ways.append("they are numbers, say target_kind='continuous'")
    first, then = reversed(ways) if table.settled.two_numbers else ways
    return f"the target {several[0].column!r} {several[0].text}. If {first}; if {then}"


def _words(seen: ReadColumn) -> Finding | None:
    """Words such as NA and ?, as values like others."""
    settled = seen.table.settled
    texts = [] if seen.names_rows or settled.no_words else seen.texts
    paired = {"+", "-"} <= {v.strip() for v in texts}  # as labels, not for missing ones
    words = [v for v in texts if is_word_for_missing(v) and not (paired and v.strip() == "-")]
    if not words or len(texts) == 1:  # a column's only value tells nothing anyway
        return None
    listed = _series(f"{v!r} in {plural(seen.rows[v], 'row')}" for v in words)
    digits = all(Numerals().number(v) is not None for v in texts if v not in words)
    text = f"holds {listed}{' beside numbers' if digits else ''}"
    plain = tuple(dict.fromkeys(v.strip() for v in words))
    return seen.finding("missing", text, _missing(seen, plain), plain)


def _missing(seen: ReadColumn, words: tuple[Any, ...]) -> str:
    """Code that makes gaps of some values."""
    if seen.table.settled.from_file:
        return f"na={(*(seen.table.settled.na or ('',)), *map(value, words))!r}"
    return f"[None if v in {words!r} else v for v in column]"


def _tell_words(several: Sequence[Finding], table: Table) -> str:
    na, keep = table.settled.na, _as_is(several, table)
    cure = "give None in its place (and numbers beside it as numbers, where they are text)"
    if table.settled.from_file:
        words = dict.fromkeys(word for one in several for word in one.words)
        cure = f"say na={(*(na or ('',)), *words)!r}"
        keep = "na=('',), which leaves all as it is" if na is None else keep
    return (
        f"{_columns(several)}, as a value like any other. If this stands for a missing value,"
        f" {cure}; if it is a value, say {keep}"
    )


def _alike(kind: str, seen: ReadColumn) -> Finding | None:
    """Values that differ by blanks around them only, or by capitals."""
    from_file, by_case = seen.table.settled.from_file, kind == "case"
    if seen.names_rows or not (by_case or seen.table.settled.strip is None):
        return None
    alike: dict[str, dict[str, None]] = {}
    for v in seen.texts:
        text = v.strip()
        alike.setdefault(text.casefold() if by_case else text, {})[text if by_case else v] = None
    words = [list(each) for text, each in alike.items() if text and len(each) > 1]
    if not words:
        return None
    cure = "strip=True" if from_file else _each("v.strip()")
    if by_case:
        column = f"frame[{seen.attribute.name!r}]"
        cure = f"{column} = {column}.str.strip().str.lower(), then dt.Table.from_frame(frame, …)"
        cure = cure if from_file else _each("v.strip().lower()")
    listed = ", ".join(_series(map(repr, each)) for each in words[:3])
    return seen.finding(kind, f"holds {listed}", cure)


def _tell_blanks(several: Sequence[Finding], table: Table) -> str:
    cure = f"take blanks off with .strip(), or say {_as_is(several, table)} to keep them"
    if table.settled.from_file:
        cure = "say strip=True to take blanks off, strip=False to keep them"
    return f"{_columns(several)}: they differ by blanks only, but are two values; {cure}"


def _tell_case(several: Sequence[Finding], table: Table) -> str:
    cure = "write them alike in the file" if table.settled.from_file else "write them alike"
    keep = f"{cure}, or say {_as_is(several, table)} to keep them"
    return f"{_columns(several)}: they differ by capitals only, but are different values; {keep}"


_Way = tuple[re.Pattern[str], str, str]
# What is written so, what it is called, and what to give in its place.
_WRITTEN: tuple[_Way, ...] = (
    (_DATE, "dates", "numbers, such as the years,"),
    (_SIGNED, "numbers with a sign", "them without it"),
    (_TIME, "times", "numbers, such as the minutes,"),
    (_UNDERSCORED, "numbers with underscores", "them without"),
    (_UNIT, "numbers with a unit", "them without it"),
    (_POINTED, "numbers as text", "the numbers, float(v) of each v,"),
)


def _written(way: _Way, seen: ReadColumn) -> Finding | None:
    """Many different texts that could be numbers."""
    pattern, what, better = way
    if not all(pattern.fullmatch(v.strip()) or is_word_for_missing(v) for v in seen.texts):
        return None
    first = next((v for v in seen.texts if not is_word_for_missing(v)), None)
    if first is None or (pattern is _POINTED and not _are_measured(seen)):
        return None
    out = "" if seen.is_target else f"{_out([seen.attribute.name])}, or "
    cure = f"{out}give {better.rstrip(',')}"
    return seen.finding(what, f"holds {what} such as {first!r}", cure)


def _are_measured(seen: ReadColumn) -> bool:
    """Whether numbers are no names of groups, versions or places: several, some with a point."""
    return not seen.is_target and len(seen.texts) > FEW and any("." in v for v in seen.texts)


def _tell_written(way: _Way, several: Sequence[Finding], table: Table) -> str:
    drop = [one.column for one in several if one.column != table.target.name]
    out = f" say drop={drop!r} to leave it out, or" if drop else ""
    return (
        f"{_columns(several)}, which are words to a tree, without order. Give {way[2]} instead,"
        f" or{out} say {_as_is(several, table)} if words are meant"
    )


def _names(seen: ReadColumn) -> Finding | None:
    """A first row whose words no other row has, in any column: the columns' names, as it seems."""
    table, several = seen.table, len(seen.table.attributes) > 1
    if not (seen.is_target and seen.open and several and len(seen.column) >= _MANY):
        return None
    words = table.row(0)
    columns = zip(words, (*table.columns, table.labels), strict=True)
    if any(type(words[name]) is not str or (c == c[0]).sum() > 1 for name, c in columns):
        return None
    cure = "leave names= out" if table.settled.from_file else "leave header=None out, or the like"
    text = f"holds {words[table.target.name]!r} in its first row only, as all columns hold such"
    return seen.finding("names", text, cure)


def _tell_names(several: Sequence[Finding], table: Table) -> str:
    text = f"the target {several[0].column!r} {several[0].text}: names, it seems, taken for a row"
    return f"{text}; {several[0].cure}, or say {_as_is(several, table)} if it is one"


def _row_numbers(seen: ReadColumn) -> Finding | None:
    """Whole numbers of which each is one more than that above; programs write their index so."""
    n, column = seen.n_rows, seen.column
    if seen.attribute.values is not None or not seen.open or seen.is_target or n > len(column):
        return None
    named = seen.like_id or seen.attribute.name.strip() in _UNNAMED
    if n < (_COUNTED if named else _MANY) or not (named or seen.may_be_id):
        return None
    if not (np.diff(column) == 1).all() or column[0] % 1:
        return None
    years = not named and int(column[0]) in _YEARS and int(column[-1]) in _YEARS
    return None if years else seen.useless("row numbers", "only counts the rows")


def _ids(seen: ReadColumn) -> Finding | None:
    """A word of its own for nearly every row, or a number under the name of an id."""
    n = len(seen.texts)
    if seen.names_rows:
        rows = plural(seen.known, "row")
        same = "as many values as rows" if n == seen.known else f"{n:,} values in {rows}"
        return seen.useless("id", f"has {same}")
    if not (seen.like_id and seen.open and _NAMED <= seen.known == len(seen.numbers)):
        return None
    if (seen.numbers % 1).any() or _row_numbers(seen):
        return None
    return seen.useless("id", "is called as ids are, and has as many values as rows")


def _tell_useless(because: str, several: Sequence[Finding], table: Table) -> str:
    out = _out([one.column for one in several])
    them, meant = ("it", "it is") if len(several) == 1 else ("them", "they are")
    keep = f"say {_as_is(several, table)} if {meant} meant"
    return f"{_columns(several)}{because}; say {out} to leave {them} out, or {keep}"


_Look = Callable[[ReadColumn], Finding | None]
_DOUBTS: tuple[tuple[_Look, Callable[[Sequence[Finding], Table], str]], ...] = (
    (_labels, _tell_labels),
    (_names, _tell_names),
    (_words, _tell_words),
    (partial(_alike, "blanks"), _tell_blanks),
    (partial(_alike, "case"), _tell_case),
    *((partial(_written, way), partial(_tell_written, way)) for way in _WRITTEN),
    (_row_numbers, partial(_tell_useless, ", and a tree would ask about it")),
    (_ids, partial(_tell_useless, ", which a tree would learn by heart")),
)


# -- looks for the report alone --------------------------------------------------------------------


def _gaps(seen: ReadColumn) -> Finding | None:
    n, missing = seen.n_rows, seen.n_rows - seen.known
    text = f"has no value in {missing:,} of {plural(n, 'row')}"
    if missing > _MOSTLY * n:
        return seen.useless("gaps", text)
    return seen.finding("gaps", text, "missing='drop' leaves such rows out") if missing else None


def _numbered(seen: ReadColumn) -> Finding | None:
    """Numbers of shops and the like, under the name of an id, which a tree would cut in order."""
    called = re.fullmatch(r"(.*[\W_])?ids?|.*[a-z](Id|ID)", seen.attribute.name)
    if not (called and seen.open and FEW < len(seen.numbers) < seen.known):
        return None
    if seen.is_target or (seen.numbers % 1).any():
        return None
    kind = f"kinds={ {seen.attribute.name: 'discrete'}!r}"
    return seen.finding("numbered", "is called as ids are, but taken for numbers", kind)


def _constant(seen: ReadColumn) -> Finding | None:
    different = len(seen.rows) + len(seen.numbers)
    return seen.useless("constant", "has only one value") if different == 1 < seen.known else None


def _sentinel(seen: ReadColumn) -> Finding | None:
    """A number of nines that lies far from all others, and stands for none."""
    found = seen.numbers
    if len(found) <= 2 or seen.table.settled.no_words:  # noqa: PLR2004
        return None
    for odd, rest in ((found[0], found[1:]), (found[-1], found[:-1])):
        apart = min(abs(odd - rest[0]), abs(odd - rest[-1])) > rest[-1] - rest[0]
        if apart and abs(odd) > 9 and set(number(abs(odd))) <= {"9", "."}:  # noqa: PLR2004
            rows = plural(int(seen.times[seen.column == odd].sum()), "row")
            text = f"holds {number(odd)} in {rows}, far from all other numbers"
            if seen.table.settled.from_file:
                text += " (na= wants it as the file writes it, and holds for all columns)"
            return seen.finding("missing", text, _missing(seen, (float(odd),)))
    return None


def _once(seen: ReadColumn) -> Finding | None:
    """Words of an attribute that no second row has; one may be another, written wrongly."""
    single = [v for v in seen.texts if seen.rows[v] == 1]
    known = seen.is_target or seen.names_rows or any(_written(way, seen) for way in _WRITTEN)
    if not single or known or seen.n_rows < _ONCE:
        return None
    first, others = single[0], [v for v in seen.texts if seen.rows[v] > 1]
    near = [] if re.search(r"\d", first) else get_close_matches(first, others, 1, _ALIKE)
    like = f", beside {near[0]!r}" if near else ""
    more = f", and {plural(len(single) - 1, 'more word')} so" if len(single) > 1 else ""
    cure = f"[{near[0]!r} if v == {first!r} else v for v in column]" if near else _OTHERS
    return seen.finding("once", f"holds {first!r} in one row only{like}{more}", cure)


def _rare(seen: ReadColumn) -> Finding | None:
    """Classes with fewer than one of a hundred rows, or as many classes as rows."""
    n = seen.n_rows
    if not seen.is_target or n < _ONCE:
        return None
    if 2 * len(seen.rows) > n:
        return seen.useless("classes", f"has {len(seen.rows):,} classes in {n:,} rows")
    rare = [v for v, rows in seen.rows.items() if rows < max(_RARE * n, 2)]
    if not rare:
        return None
    listed = _series(f"{value(v)!r} in {plural(seen.rows[v], 'row')}" for v in rare[:4])
    cure = f"dt.with_priors(table, {dict.fromkeys(seen.rows, 1)!r})"
    return seen.finding("rare class", f"has {listed}", cure)


_MORE: tuple[_Look, ...] = (_numbered, _gaps, _constant, _sentinel, _once, _rare)


def seen_columns(table: Table) -> Iterator[ReadColumn]:
    """The columns of a table, the target last."""
    columns = (*table.columns, table.labels)
    times = np.ones(table.n_rows, dtype=np.int64)
    if table.weights is not None and table.weight_unit == 1:  # whole: as often as it weighs
        times = table.weights
    for attribute, column in zip((*table.attributes, table.target), columns, strict=True):
        is_target, is_open = attribute is table.target, attribute.name not in table.settled.kinds
        like_id = not is_target and bool(_ID.fullmatch(attribute.name.strip(" .")))
        is_known, values = ~missing_of(column), attribute.values or ()
        known, n_known = column[is_known], int(times[is_known].sum())
        counts = np.bincount(known, times[is_known], len(values)) if values else np.empty(0)
        rows = {v: n for v, n in zip(values, map(int, counts), strict=True) if n}
        texts = [v for v in rows if isinstance(v, str) and is_open]
        named = (is_target, like_id, is_open)
        yield ReadColumn(table, attribute, column, *named, times, n_known, rows, texts)


def findings(seen: ReadColumn) -> tuple[Finding, ...]:
    """All that is suspicious about a column."""
    looks = (*(look for look, _ in _DOUBTS), *_MORE)
    return tuple(found for look in looks if (found := look(seen)))


def warn_of_doubts(table: Table) -> None:
    """Issue a :class:`TableWarning` for each sort of doubt about a table that was just read."""
    columns = list(seen_columns(table))
    for look, tell in _DOUBTS:
        found = [one for one in map(look, columns) if one]
        if found:
            warn(tell(found, table))
