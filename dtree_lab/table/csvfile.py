"""CSV files, however they are written: from bytes to text, and from text to cells.

Nothing is guessed that could be meant in two ways. What cannot be read as it stands is told with
the file's line, and with the argument that reads it. What the cells mean is read in
:mod:`dtree_lab.table.csvcells`.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import IO, Any

from dtree_lab.base.text import listing, plural, printable
from dtree_lab.table.doubts import warn
from dtree_lab.table.numerals import Numerals
from dtree_lab.table.reading import argument_words, check_there, check_unique, type_of

PathOrFile = str | PathLike[str] | IO[str] | IO[bytes]

_DELIMITERS = ";\t|,"
_WORKBOOK = "save it as CSV, or read it with pandas.read_excel"
# What a file that is no text begins with, and what to do with it.
_NO_TEXT = {
    b"PK\x03\x04": f"an Excel workbook or another zip archive: {_WORKBOOK}",
    b"\xd0\xcf\x11\xe0": f"an old Excel workbook: {_WORKBOOK}",
    b"PAR1": "a Parquet file: read it with pandas.read_parquet",
}


@dataclass(frozen=True)
class Dialect:
    """How a CSV file is written, in the words of :meth:`dtree_lab.Table.read_csv`."""

    delimiter: str = ","
    decimal: str = "."
    thousands: str | None = None
    na: str | Sequence[str] | None = None
    strip: bool | None = None
    drop: str | Sequence[str] = ()
    encoding: str = "utf-8-sig"
    names: Sequence[str] | None = None
    rows: int | None = None
    columns: str | Sequence[str] | None = None
    sep: str | None = None

    def checked(self) -> Dialect:
        """The same, with tuples for single words; refuses what no file can be written like."""
        if self.sep is not None:
            if self.delimiter not in (",", self.sep):
                msg = f"sep={self.sep!r} and delimiter={self.delimiter!r} mean the same; say one"
                raise ValueError(msg)
            return replace(self, delimiter=self.sep, sep=None).checked()
        self._check_signs()
        if self.strip is not None and not isinstance(self.strip, bool):
            raise TypeError(f"strip={self.strip!r} must be True or False, or None")
        if self.rows is not None and (type(self.rows) is not int or self.rows < 1):
            msg = f"rows={self.rows!r} must be how many rows to read, at least 1, or None for all"
            raise ValueError(msg)
        _codec(self.encoding)
        said: dict[str, Any] = {
            name: argument_words(name, getattr(self, name))
            for name in ("na", "drop", "names", "columns")
            if getattr(self, name) is not None
        }
        return replace(self, **said)

    def _check_signs(self) -> None:
        for argument in ("delimiter", "decimal", "thousands"):
            sign = getattr(self, argument)
            if sign in (None, "") and argument == "thousands":
                continue
            if not isinstance(sign, str) or len(sign) != 1 or sign in '"\r\n' or sign.isalnum():
                msg = f"{argument}={sign!r} must be one character, such as ',' or ';' or '\\t'"
                raise ValueError(msg)
        if self.decimal == self.thousands == ".":
            raise ValueError(
                "thousands='.' leaves no sign for decimals: say decimal=',' as well, with which"
                " 1.234,5 is read"
            )
        if self.decimal == self.thousands:
            raise ValueError(
                f"decimal={self.decimal!r} and thousands={self.thousands!r} must differ; else"
                " 1,234 could be either"
            )

    def keeps(self, name: str, needed: Collection[str]) -> bool:
        """Whether a column is not to be left out; some are needed in any case."""
        chosen = self.columns is None or name in self.columns or name in needed
        return chosen and name not in self.drop

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The cells that stand for a missing value."""
        return ("",) if self.na is None else tuple(self.na)

    def is_gap(self, cell: str) -> bool:
        """Whether a cell stands for a missing value; blanks around it do not matter."""
        return cell in self.missing or cell.strip() in self.missing

    @cached_property
    def gap_numbers(self) -> list[float]:
        """Numbers that stand for a missing value, such as -999."""
        return [float(n) for n in map(self.numerals.number, self.missing) if n is not None]

    @cached_property
    def numerals(self) -> Numerals:
        """How numbers are written."""
        return Numerals(self.decimal, self.thousands or "")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file's cells, all of them text."""

    where: str  # what the file is called in messages
    columns: dict[str, Sequence[str]]  # a name to its cells
    lines: Sequence[int]  # the line of the file in which each row begins
    delimiter: str
    has_names: bool = True  # in its first line

    def check_there(self, wanted: str, what: str) -> None:
        """Raise a ValueError for what is no column, with what may be the cause."""
        names = list(self.columns)
        try:
            check_there(wanted, what, names)
        except ValueError as error:
            hint = ""
            if isinstance(wanted, str) and wanted.strip() in [name.strip() for name in names]:
                hint = " To take off the blanks around names and cells, say strip=True."
            elif (other := other_delimiter(names, self.delimiter)) is not None:
                hint = f" If {other!r} stands between names, say delimiter={other!r}."
            elif self.has_names and any(Numerals().number(name) is not None for name in names):
                hint = (
                    " The first line must hold the names, but seems to hold a row: write a line"
                    " with the names above it, or say names=[...] with a name for each"
                    f" column, of which there seem to be {len(names)}."
                )
            raise ValueError(f"{self.where}: {error}{hint}") from None


def names_of_csv(path: PathOrFile, dialect: Dialect) -> list[str]:
    """The names in a CSV file's first line."""
    dialect = dialect.checked()
    return list(read_sheet(*read_text(path, dialect.encoding), dialect).columns)


def read_sheet(where: str, raw: bytes, dialect: Dialect) -> Sheet:
    """The cells of a file; refuses what is no CSV file, saying why."""
    text, delimiter = _said_by_excel(raw.decode(errors="surrogatepass"), dialect.delimiter)
    found = rows_of_text(where, text, delimiter, dialect.strip)
    if dialect.names is None:
        names, _ = next(found, ([], 0))
        if not names:
            msg = f"{where}: the file is empty; its first line must hold the columns' names"
            raise ValueError(msg)
    else:
        names = list(dialect.names)
    if "" in dialect.missing:
        found = ((row, line) for row, line in found if any(map(str.strip, row)))
    numbered = list(islice(found, dialect.rows))
    rows, lines = [row for row, _ in numbered], [line for _, line in numbered]
    _check_first(where, rows, lines, dialect)
    while len(names) > 1 and not names[-1].strip() and _is_blank(rows, len(names) - 1):
        names.pop()
    if len(names) == 1 and (other := other_delimiter(names, delimiter)) is not None:
        raise ValueError(
            f"{where}: the first line holds a single name, {names[0]!r}; if {other!r} stands"
            f" between names, say delimiter={other!r}"
        )
    if not rows:
        raise ValueError(
            f"{where}: the table is empty: it needs at least one row below the names,"
            f" {listing(names)}"
        )
    _check_lengths(where, names, rows, lines, replace(dialect, delimiter=delimiter))
    cells = list(zip(*(row[: len(names)] for row in rows), strict=True))
    named = [i for i, name in enumerate(names) if name.strip() or any(map(str.strip, cells[i]))]
    try:
        check_unique([names[i] for i in named])
    except ValueError as error:
        place = "write another in the first line" if dialect.names is None else "see names="
        raise ValueError(f"{where}: {error}; {place}") from None
    return Sheet(
        where, {names[i]: cells[i] for i in named}, lines, delimiter, dialect.names is None
    )


def are_named(row: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a row holds the columns' names, blanks aside, and not values."""
    return [cell.strip() for cell in row] == [name.strip() for name in names]


def _check_first(where: str, rows: list[list[str]], lines: Sequence[int], dialect: Dialect) -> None:
    """Refuse names for a file that holds them itself."""
    if dialect.names is not None and rows and are_named(rows[0], dialect.names):
        raise ValueError(
            f"{where}, line {lines[0]}: the first line holds the very names that names= gives, and"
            " would be read as a row; leave names= out"
        )


def _is_blank(rows: list[list[str]], i: int) -> bool:
    return all(len(row) <= i or not row[i].strip() for row in rows)


def other_delimiter(names: Sequence[str], delimiter: str) -> str | None:
    """A character within names that may stand between them."""
    others = [c for c in _DELIMITERS if c != delimiter and any(c in name for name in names)]
    return others[0] if others else None


def _said_by_excel(text: str, delimiter: str) -> tuple[str, str]:
    """The text without a first line such as ``sep=;``, and the delimiter that it tells."""
    first = re.match(r'"?sep=([^"\r\n])"?[,;]*\r?\n', text)
    if first is None:
        return text, delimiter
    # The line stays, without its words, so that lines are counted as in the file.
    return text[first.end() - 1 :], first[1] if delimiter == "," else delimiter


def rows_of_text(
    where: str,
    text: str,
    delimiter: str,
    strip: bool | None,  # noqa: FBT001 - three answers
) -> Iterator[tuple[list[str], int]]:
    """The cells of each line that is not empty, and the line in which they begin."""
    lines = csv_reader(text, delimiter)
    try:
        skip = has_blanks_to_skip(lines, delimiter, strip)
        lines = csv_reader(text, delimiter, skip=skip)
        end = 0
        for row in lines:
            if row:
                yield [cell.strip() for cell in row] if strip else row, end + 1
            end = lines.line_num
    except csv.Error as error:
        msg = f"{where}, line {lines.line_num}: not a CSV file: {error}"
        if "unexpected end" in str(error):
            msg += "; a quotation mark before is not closed"
        elif "expected after" in str(error):
            msg += "; a quotation mark inside a cell must be written twice"
        raise ValueError(msg) from None


def csv_reader(text: str, delimiter: str, *, skip: bool = False) -> Any:
    """The cells of each line."""
    file = io.StringIO(text, newline="")
    return csv.reader(file, delimiter=delimiter, strict=True, skipinitialspace=skip)


def has_blanks_to_skip(
    rows: Iterable[list[str]],
    delimiter: str,
    strip: bool | None,  # noqa: FBT001 - three answers
) -> bool:
    """Whether blanks behind delimiters are left out: all of the first or second row have one."""
    first = list(islice(filter(None, rows), 2))
    led = (len(row) > 1 and all(c[:1] == " " for c in row[1:]) for row in first)
    return delimiter != " " and (any(led) if strip is None else strip)


def _check_lengths(
    where: str, names: list[str], rows: list[list[str]], lines: list[int], dialect: Dialect
) -> None:
    """Raise a ValueError for the first row of another length, empty cells at its end apart."""
    n, delimiter = len(names), dialect.delimiter
    odd = (i for i, r in enumerate(rows) if len(r) < n or (len(r) > n and any(r[n:])))
    i = next(odd, None)
    if i is None:
        return
    other = other_delimiter(rows[i] if dialect.names else names, delimiter)
    if other is not None:
        cure = f"if {other!r} stands between cells, say delimiter={other!r}"
    elif dialect.names is not None and all(len(row) == len(rows[i]) for row in rows):
        cure = "all rows have as many: give a name for each in names"
    elif n == 1:
        cure = "the first line must hold the names; if it is a title, take it out of the file"
    elif all(len(row) == n + 1 for row in rows):
        cure = (
            "all rows have one more, so a name is missing in the first line, or a cell that holds"
            f" {delimiter!r} (a decimal comma, for instance) wants quotation marks"
        )
    elif len(rows[i]) > n:
        cure = f"a cell that holds {delimiter!r} must stand in quotation marks"
    else:
        cure = "complete the line in the file; an empty cell stands for a missing value"
    raise ValueError(
        f"{where}, line {lines[i]}: row {i + 1} has {plural(len(rows[i]), 'value')} for"
        f" {plural(n, 'column')}"
        f" ({listing(names)}); {cure}"
    )


def read_text(path: PathOrFile, encoding: str) -> tuple[str, bytes]:
    """What the file is called, and its text, in UTF-8."""
    read = getattr(path, "read", None)
    if read is None:
        if not isinstance(path, str) and not hasattr(path, "__fspath__"):
            raise TypeError(f"path must be a file's name or an open file; got {type_of(path)}")
        if isinstance(path, str):
            _check_is_name(path)
        where, data = printable(str(path)), Path(path).read_bytes()
    else:
        where, data = printable(str(getattr(path, "name", "the file"))), read()
        if not isinstance(data, str | bytes):
            msg = f"path must be a file's name or an open file; reading it gives {type_of(data)}"
            raise TypeError(msg)
    if isinstance(data, bytes) and _is_plain(data, encoding):
        return where, data
    text = data if isinstance(data, str) else _decoded(where, data, encoding)
    is_bytes = isinstance(data, bytes)
    del data  # or a large file would be held three times
    if "\0" in text:
        if not is_bytes:
            msg = f"{where}: holds zero bytes, so it is no text; open it with open(path, 'rb')"
            raise ValueError(msg)
        coded = _utf16(text.encode(_codec(encoding).removesuffix("-sig"), "replace"))
        advice = f", or say encoding={coded!r}" if coded else "; save it again as text, a CSV file"
        raise ValueError(f"{where}: holds zero bytes, so it is no text{advice}")
    text = text.removeprefix("\ufeff")
    return where, text.encode(errors="surrogatepass")


def _is_plain(data: bytes, encoding: str) -> bool:
    """Whether bytes are their text in UTF-8: ASCII alone, and none of another file's signs."""
    first = data[:4]
    ascii_alone = _codec(encoding).startswith("utf-8") and data.isascii() and b"\0" not in data
    return ascii_alone and not any(first.startswith(start) for start in _NO_TEXT)


def _check_is_name(path: str) -> None:
    if "\n" in path:
        msg = "path holds several lines; to read a text as a file, say io.StringIO(text)"
        raise ValueError(msg)
    if re.match(r"(https?|ftp)://", path):
        msg = f"{path}: is an address, not a file; download it first, and give the file's name"
        raise ValueError(msg)


def _decoded(where: str, data: bytes, encoding: str) -> str:
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{where}: packed with gzip, but damaged ({error})") from None
    for start, what in _NO_TEXT.items():
        if data.startswith(start):
            msg = f"{where}: no CSV file but {what}, and give that to dt.Table.from_frame"
            raise ValueError(msg)
    name = _codec(encoding)
    if name.startswith("utf-8") and data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        name = "utf-16"  # no text in UTF-8 begins like this
    try:
        text = data.decode(name)
    except UnicodeError as error:
        why = getattr(error, "reason", error)
        shown = "UTF-8" if name == "utf-8-sig" else encoding  # which only lacks a sign before it
        msg = f"{where}: not {shown} text ({why}); {_other_encoding(data, name)}"
        raise ValueError(msg) from None
    if name.startswith("iso8859") and (odd := re.search("[\x80-\x9f]", text)):
        warn(
            f"{where}: holds control characters such as {odd[0]!r}, so it is hardly {encoding}"
            " text; Windows in western Europe writes encoding='cp1252'"
        )
    return text


def _codec(encoding: Any) -> str:
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)  # some only turn text into text, or bytes into bytes
    except (LookupError, TypeError, ValueError):
        raise ValueError(
            f"encoding={encoding!r} is none that Python knows; 'utf-8', 'cp1252' (Windows in"
            " western Europe) and 'utf-16' are some"
        ) from None
    return name


def _utf16(data: bytes) -> str:
    """Which UTF-16 it may be: lines end where bytes say so; nothing if it is neither."""
    n_ends = data.count(b"\n") + data.count(b"\r")
    for coded in ("utf-16-le", "utf-16-be"):
        try:
            text = data.decode(coded)
        except UnicodeError:
            continue
        if "\0" not in text and 2 * (text.count("\n") + text.count("\r")) > n_ends:
            return coded
    return ""


def _other_encoding(data: bytes, tried: str) -> str:
    if b"\0" in data:
        coded = _utf16(data)
        if coded:
            return f"say encoding={coded!r}, for instance"
        return "it holds zero bytes, so it is hardly text: save it again as text, a CSV file"
    for name, whose in (("utf-8", ""), ("cp1252", " (Windows in western Europe)"), ("latin-1", "")):
        if name == tried.removesuffix("-sig"):
            continue
        try:
            data.decode(name)
        except UnicodeError:
            continue
        return f"say encoding={name!r}{whose}, for instance, and look whether the letters are right"
    return "say which encoding it has"
