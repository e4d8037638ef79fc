"""A plainly written CSV file as columns, a block of it at a time and all its cells at once.

:mod:`dtree_lab.table.csvfile` is the truth about what a file says. What is here says the same in a
twentieth of the time, or nothing: whatever looks unusual is left to that. It stands on four
techniques. Cells end where a separator stands outside of quotes, known by the parity of the quotes
before (a prefix sum). Eight bytes of each cell are one machine word, so that digits are summed
within words ("SIMD within a register"). Words that differ are known by sorting hashes, and those
that came before by a table of hashes. And whoever wants more (a blank, an exponent, thousands) is
looked at once, as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isinf
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from dtree_lab.table.coded import Coded
from dtree_lab.table.csvfile import Dialect
from dtree_lab.table.numerals import EXACT

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Column = NDArray[np.float64] | Coded

_BLOCK = 1 << 19  # bytes that are read at once: what is made of them fits into a core's cache
_BEFORE, _BEHIND = bytes(8), bytes(72)  # so that a word may begin before a block or end behind it
_MOST_WORDS = 8  # of a cell that is not looked at singly
_LONGEST = 32  # bytes of a number that is not looked at singly
_HASH_BITS = 10  # so many different words of a column are known at sight
_FEW = 50  # cells, which are sooner looked at singly
_TRIES = 100


def _bytes(byte: int, n: int = 8) -> int:
    return int.from_bytes(bytes([byte]) * n, "little")


_FIRST = np.array([_bytes(255, n) for n in range(9)], np.uint64)  # n bytes of a word, the first
_LAST = np.array([_bytes(255, n) << 64 - 8 * n for n in range(9)], np.uint64)
_ONES, _ZEROS, _TOPS = (np.uint64(_bytes(byte)) for byte in (0x01, ord("0"), 0x80))
_OVER_NINE = np.uint64(_bytes(0x80 - 10))
_TENS = 10.0 ** np.arange(256)  # of which a byte chooses, a wrong one too
_BEHIND_POINT = np.uint64(0x0706050403020100)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_NUMERIC = np.isin(np.arange(256), list(b"\x000123456789+-.,eE"))


class UnusualFileError(Exception):
    """Something in a file that is left to the reader that looks at each cell."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Some rows of a file, and where their cells stand in it."""

    raw: bytes
    starts: Ints  # shape `(n_columns, n_rows)`
    ends: Ints

    @property
    def cells(self) -> Bytes:
        return np.frombuffer(self.raw, np.uint8)

    @property
    def words(self) -> NDArray[np.uint64]:
        """The eight bytes from each place on."""
        return np.ndarray((len(self.raw) - 7,), "<u8", self.raw, strides=(1,))

    def different(self, starts: Ints, lengths: Ints) -> tuple[list[bytes], Ints]:
        """What stands in some cells, each once if short; and which one each cell is."""
        n = max(1, -(-int(lengths.max()) // 8))
        if n > _MOST_WORDS:
            return self._pieces(starts, lengths), np.arange(len(starts))
        parts = [
            self.words[starts + 8 * i] & _FIRST[np.minimum(np.maximum(lengths - 8 * i, 0), 8)]
            for i in range(n)
        ]
        mixed = parts[0]
        for part in parts[1:]:
            mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX + part
        order = np.argsort(mixed)
        ranked = mixed[order]
        new = np.concatenate(([True], ranked[1:] != ranked[:-1]))
        first, which = order[new], np.empty(len(order), np.int64)
        which[order] = np.cumsum(new) - 1
        if n > 1 and any((part[first][which] != part).any() for part in parts):
            raise UnusualFileError  # two texts of one hash
        return self._pieces(starts[first], lengths[first]), which

    def _pieces(self, starts: Ints, lengths: Ints) -> list[bytes]:
        ends = (starts + lengths).tolist()
        return [self.raw[a:b] for a, b in zip(starts.tolist(), ends, strict=True)]


def _text(piece: bytes) -> str:
    """What a cell says: within quotes a quote is written twice."""
    return piece.decode().replace('""', '"')


def _blocks(raw: bytes, at: int, n: int, dialect: Dialect, *, skip: bool) -> Iterator[_Block]:
    """A file's rows, of which each must have `n` cells."""
    while at < len(raw):
        end = len(raw) if at + _BLOCK >= len(raw) else raw.rfind(b"\n", at, at + _BLOCK) + 1
        quotes = np.frombuffer(raw, np.uint8, max(end - at, 0), at) == ord('"')
        for _ in range(_TRIES):
            n_quotes = int(np.count_nonzero(quotes[: max(end - at, 0)]))
            if n_quotes % 2 == 0:
                break
            end = raw.rfind(b"\n", at, end - 1) + 1  # this one stands within quotes
        else:
            raise UnusualFileError
        if end <= at:
            raise UnusualFileError
        part = b"".join((_BEFORE, memoryview(raw)[at:end], _BEHIND))
        yield _block(part, n, dialect, n_quotes, skip=skip)
        at = end


def _block(raw: bytes, n: int, dialect: Dialect, n_quotes: int, *, skip: bool) -> _Block:
    cells = np.frombuffer(raw, np.uint8)
    newline = cells == ord("\n")
    apart = newline | (cells == ord(dialect.delimiter))
    places = np.flatnonzero(apart)
    if n_quotes and not _are_around(cells, places, n_quotes):
        apart &= _outside_quotes(cells, ord(dialect.delimiter))
        newline &= apart
        places = np.flatnonzero(apart)
    starts, ends = _between(places, newline, n)
    ends[-1] -= cells[ends[-1] - 1] == ord("\r")
    while skip and (blank := (cells[starts] == ord(" ")) & (starts < ends)).any():
        starts += blank
    if n_quotes:
        around = (cells[starts] == ord('"')) & (starts < ends)
        starts += around
        ends -= around
    block = _Block(raw, starts, ends)
    _check_filled(block)
    return block


def _between(places: Ints, newline: NDArray[np.bool_], n: int) -> tuple[Ints, Ints]:
    """Where the cells between separators begin and end, `n` in each line; column by column."""
    if len(places) != n * np.count_nonzero(newline):
        raise UnusualFileError
    ends = np.ascontiguousarray(places.reshape(-1, n).T)
    if not newline[ends[-1]].all():
        raise UnusualFileError
    starts = np.empty_like(ends)
    starts[0, 0] = len(_BEFORE)
    starts[0, 1:] = ends[-1, :-1] + 1
    np.add(ends[:-1], 1, out=starts[1:])
    return starts, ends


def _are_around(cells: Bytes, places: Ints, n_quotes: int) -> bool:
    """Whether all quotes stand around whole cells, so that none holds a separator or a quote."""
    starts = np.concatenate(([len(_BEFORE)], places[:-1] + 1))
    quoted = cells[starts] == ord('"')
    last = places[quoted] - 1
    last -= cells[last] == ord("\r")
    both = (starts[quoted] < last) & (cells[last] == ord('"'))
    return 2 * int(both.sum()) == n_quotes


def _outside_quotes(cells: Bytes, delimiter: int) -> NDArray[np.bool_]:
    """Where no quote is open; each must open at a cell's begin and close at its end."""
    quotes = cells == ord('"')
    places = np.flatnonzero(quotes)
    before, behind = cells[places[::2] - 1], cells[places[1::2] + 1]
    edges = np.zeros(256, bool)
    edges[[delimiter, *b'\0\n"']] = True
    if not (edges[before].all() and (edges[behind] | (behind == ord("\r"))).all()):
        raise UnusualFileError
    return ~np.logical_xor.accumulate(quotes)


def _check_filled(block: _Block) -> None:
    """Raise for a row that may hold nothing but blanks, which a table would leave out."""
    empty = np.arange(block.starts.shape[1])
    for starts, ends in zip(block.starts, block.ends, strict=True):
        first = block.cells[starts[empty]]
        sign = (first > ord(" ")) & (first <= ord("~")) & (starts[empty] < ends[empty])
        empty = empty[~sign]
        if not empty.size:
            return
    raise UnusualFileError


@dataclass(slots=True)
class _Reading:
    """What has been read of a column: numbers as long as all are, else words."""

    dialect: Dialect
    numeric: bool
    n_bytes: int  # of all rows
    whole: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    n: int = 0  # so many of it are read
    values: list[str] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)  # of values
    codes: dict[bytes, int] = field(default_factory=dict)  # of cells as they are written
    familiar: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))
    familiar_codes: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    late: bool = False  # a word came after numbers, which must be read as words again

    def read(self, block: _Block, j: int) -> None:
        """Read on."""
        starts, ends = block.starts[j], block.ends[j]
        if self.numeric:
            numbers = self._numbers(block, starts, ends)
            if numbers is not None:
                self._keep(numbers, block)
                return
            self.numeric, self.late = False, self.n > 0
            self.n = 0
        if not self.late:
            self._keep(self._words(block, starts, ends - starts), block)

    def _words(self, block: _Block, starts: Ints, lengths: Ints) -> NDArray[np.int32]:
        """The codes of cells; short ones that came before are known at sight, by hash."""
        if lengths.max() > 8:  # noqa: PLR2004 - bytes of a word
            return self._looked_up(block, starts, lengths)
        if not self.familiar.size:
            self.familiar = np.full(1 << _HASH_BITS, _bytes(255), np.uint64)  # which is no text
            self.familiar_codes = np.empty(1 << _HASH_BITS, np.int32)
        words = block.words[starts] & _FIRST[lengths]
        at = ((words * _MIX) >> np.uint64(64 - _HASH_BITS)).view(np.int64)
        codes = self.familiar_codes[at]
        new = np.flatnonzero(self.familiar[at] != words)
        if new.size:
            codes[new] = self._looked_up(block, starts[new], lengths[new])
            self.familiar[at[new]], self.familiar_codes[at[new]] = words[new], codes[new]
        return codes

    def _looked_up(self, block: _Block, starts: Ints, lengths: Ints) -> NDArray[np.int32]:
        pieces, which = block.different(starts, lengths)
        for piece in pieces:
            if piece not in self.codes:
                self.codes[piece] = self._code(_text(piece))
        return np.array([self.codes[piece] for piece in pieces], np.int32)[which]

    def _keep(self, piece: NDArray[Any], block: _Block) -> None:
        """Write some rows behind those before, into memory for about as many as there will be."""
        n = self.n + len(piece)
        if not self.n:
            share = (len(block.raw) - len(_BEFORE) - len(_BEHIND)) / self.n_bytes
            self.whole = np.empty(max(n, int(1.05 * n / share)), piece.dtype)
        elif n > len(self.whole):
            self.whole = np.concatenate((self.whole, np.empty(n, piece.dtype)))
        self.whole[self.n : n] = piece
        self.n = n

    def column(self) -> Column:
        """The whole column."""
        whole = self.whole[: self.n]
        if not self.numeric:
            return Coded(self.values, whole)
        return Coded([], np.full(len(whole), -1, np.int32)) if np.isnan(whole).all() else whole

    def _code(self, text: str) -> int:
        cell = text.strip() if self.dialect.strip else text
        if self.dialect.is_gap(cell):
            return -1
        if cell not in self.places:
            self.places[cell] = len(self.values)
            self.values.append(cell)
        return self.places[cell]

    def _numbers(self, block: _Block, starts: Ints, ends: Ints) -> NDArray[np.float64] | None:
        if self.dialect.numerals.thousands:
            numbers, rest = np.empty(len(starts)), np.arange(len(starts))
        else:
            point = ord(self.dialect.numerals.decimal)
            numbers, known = _short(block, starts, ends, point)
            rest = np.flatnonzero(~known)
            if rest.size > _FEW:
                numbers[rest], known[rest] = _long(block, starts[rest], ends[rest], point)
            for gap in self.dialect.gap_numbers:
                known &= numbers != gap
            rest = np.flatnonzero(~known)
        if rest.size:
            pieces, which = block.different(starts[rest], (ends - starts)[rest])
            several = np.empty(len(pieces))
            for i, piece in enumerate(pieces):
                number = self._number(_text(piece))
                if number is None:
                    return None
                several[i] = number
            numbers[rest] = several[which]
        return numbers

    def _number(self, text: str) -> float | None:
        """What a cell writes, NaN if it stands for no value; None if it is a word."""
        if self.dialect.is_gap(text):
            return np.nan
        number = self.dialect.numerals.number(text)
        if number is not None and (
            (isinstance(number, int) and abs(number) > EXACT) or isinf(number)
        ):
            raise UnusualFileError
        return number


def _short(
    block: _Block, starts: Ints, ends: Ints, point: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The numbers of cells of up to eight digits, or seven and a point; and which ones are."""
    first = block.cells[starts]
    minus = first == ord("-")
    signed = bool(minus.any())
    if signed:
        starts = starts + minus
        first = block.cells[starts]
    lengths = ends - starts
    digits = (block.words[ends - 8] ^ _ZEROS) & _LAST[np.minimum(lengths, 8)]
    # Bit 4 is set in a point, in a comma and in no digit: a 1 in the byte of each.
    points = (digits >> np.uint64(4)) & _ONES
    if points.any():
        digits ^= points * np.uint64(point ^ ord("0"))
        over = _OVER_NINE + points * np.uint64(9)  # so that nothing but nought may stand there
        n_points = np.minimum(points, np.uint64(1))
        before = points - n_points
        wrong = (((digits + over) | digits) & _TOPS) | (points & before)  # or two of them
        # What stands before the point moves up by a byte: 256 times it, of which one is there.
        digits += (digits & before) * np.uint64(255)
        # To multiply by a power of two is to shift: this byte stands where the point does.
        n_decimals = ((points * _BEHIND_POINT) >> np.uint64(56)).view(np.int64)
        numbers = _summed(digits) / _TENS[n_decimals]
        known = lengths > n_points.view(np.int64)
    else:
        wrong = ((digits + _OVER_NINE) | digits) & _TOPS
        numbers = _summed(digits)
        known = lengths > 0
    known &= (lengths <= 8) & (wrong == 0)  # noqa: PLR2004 - bytes of a word
    if (first == ord("0")).any():
        known &= ~_is_zero_led(first, block.cells[starts + 1], lengths)
    if signed:
        np.negative(numbers, out=numbers, where=minus)
    return numbers, known


def _is_zero_led(first: Bytes, second: Bytes, lengths: Ints) -> NDArray[np.bool_]:
    """Whether a nought stands before other digits, as in the postcode 01067."""
    behind: NDArray[np.bool_] = (lengths > 1) & (second >= ord("0")) & (second <= ord("9"))
    behind &= first == ord("0")
    return behind


def _summed(digits: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The number that eight digits write, one in each byte: of pairs, of fours, of all."""
    pairs = (digits * np.uint64(1 + (10 << 8))) >> np.uint64(8) & np.uint64(0x00FF00FF00FF00FF)
    fours = (pairs * np.uint64(1 + (100 << 16))) >> np.uint64(16) & np.uint64(0x0000FFFF0000FFFF)
    eight = (fours * np.uint64(1 + (10_000 << 32))) >> np.uint64(32)
    return eight.view(np.int64).astype(np.float64)


def _long(
    block: _Block, starts: Ints, ends: Ints, point: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The numbers of longer cells, and which ones are."""
    lengths = ends - starts
    width = min(int(lengths.max()), _LONGEST)
    cells = sliding_window_view(block.cells, width + 2)[starts]
    cells[np.arange(width + 2) >= lengths[:, None]] = 0
    signed, here = np.isin(cells[:, 0], list(b"+-")), np.arange(len(cells))
    known = (lengths > 0) & (lengths <= width) & _NUMERIC[cells].all(axis=1)
    known &= ~_is_zero_led(cells[here, signed.astype(int)], cells[here, signed + 1], lengths)
    known &= (cells != ord(",.".replace(chr(point), ""))).all(axis=1)
    cells[cells == point] = ord(".")
    numbers = np.zeros(len(cells))
    try:
        numbers[known] = cells[known].view(f"S{width + 2}").astype(np.float64)[:, 0]
    except ValueError:
        return numbers, np.zeros(len(cells), bool)
    return numbers, known & (np.abs(numbers) < EXACT)


def scanned(
    raw: bytes, at: int, numeric: Sequence[bool | None], dialect: Dialect, *, skip: bool
) -> list[Column | None]:
    """The columns of the rows that begin at a byte.

    `numeric` tells of each whether it may be read as numbers, as which it comes if all its cells
    are; None leaves it out. What is no number is coded, as text. `skip` passes over
    blanks behind delimiters.
    """
    columns = [
        None if may_be is None else _Reading(dialect, may_be, len(raw) - at) for may_be in numeric
    ]
    for block in _blocks(raw, at, len(columns), dialect, skip=skip):
        for j, column in enumerate(columns):
            if column is not None:
                column.read(block, j)
    read = [None if column is None or column.late else column.column() for column in columns]
    late = [False if column and column.late else None for column in columns]
    if False not in late:
        return read
    words = scanned(raw, at, late, dialect, skip=skip)
    return [a if b is None else b for a, b in zip(read, words, strict=True)]
