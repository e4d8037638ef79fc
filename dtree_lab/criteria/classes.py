"""From class counts to a cost, exactly.

The counts of a node are whole numbers, and so is its cost: a fixed-point number of *ticks*. Adding
ticks is exact in any order, so two engines that walk the rows differently still agree to the last
bit, and a tie between two splits is an equality instead of an accident of rounding.

Entropy. A node with ``n`` rows, ``n_k`` of class ``k``, costs ``n * H = n log n - sum n_k log n_k``
bits. The logarithms of the primes are rounded to ticks once and all others are sums of them, so
``log(ab) = log(a) + log(b)`` holds exactly: splits whose entropies are equal on paper cost the same
number of ticks.

Gini. A node costs ``n * G = n - sum n_k^2 / n`` rows, kept with 36 fractional bits and rounded to
20 when two splits are compared, which makes ties of fractions equalities too. So is any other
criterion's cost, worked out in floats: ``docs/new-criterion.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from math import isqrt
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import bits
from dtree_lab.base.types import Floats, Ints

Ticks = NDArray[np.int64]

_LOG_BITS = 32
# Ticks of 2**-36 rows, compared when they are rounded to 2**-20. A cost stays below 2**62.
_BITS, _GUARD, _MOST_BITS = 36, 16, 62
# n log2 n ticks must fit into 63 bits.
MOST_ROWS = 80_000_000
_SCALE = float(1 << _LOG_BITS)
# The table of n log2 n goes so far for numbers of which there are not many, one for so many of the
# largest: to work these out takes less time, and no memory.
_LONG_TABLE, _WORK, _FEW = 1 << 20, 1 << 6, 1 << 10


# -- the textbook's formulas ---------------------------------------------------------------------


def entropy(weights: Iterable[float] | Mapping[Any, float]) -> float:
    r"""The entropy of a distribution, in bits.

    .. math:: H = -\sum_y p(y) \log_2 p(y)

    Parameters
    ----------
    weights
        Counts or probabilities, one for each class; they are divided by their sum. A mapping from
        class to weight will do.

    Returns
    -------
    float
        Bits: 0 when one class has all the weight, log2(k) when k classes share it equally.

    Raises
    ------
    ValueError
        When there are no weights, one is negative or not finite, or all are zero.

    Examples
    --------
    >>> entropy([5, 5])
    1.0
    >>> round(entropy({"Yes": 3, "No": 7}), 3)
    0.881
    """
    p = _shares(weights)
    return float(ENTROPY.impurity(p[p > 0]))


def gini(weights: Iterable[float] | Mapping[Any, float]) -> float:
    r"""The Gini impurity of a distribution: how often two draws from it differ.

    .. math:: G = 1 - \sum_y p(y)^2

    Parameters and errors are those of :func:`entropy`; the result lies between 0 and 1 - 1/k.

    Examples
    --------
    >>> gini([5, 5])
    0.5
    """
    return float(GINI.impurity(_shares(weights)))


def _shares(weights: Iterable[float] | Mapping[Any, float]) -> NDArray[np.float64]:
    listed = list(weights.values() if isinstance(weights, Mapping) else weights)
    try:
        w = np.array(listed, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"weights must be numbers, one for each class; got {listed!r}") from None
    if w.ndim != 1 or not w.size:
        raise ValueError("weights must be a flat list of at least one number, one for each class")
    bad = ~np.isfinite(w) | (w < 0)
    if bad.any():
        raise ValueError(
            f"weight {int(np.argmax(bad)) + 1} is {w[bad][0]:g}; a weight is at least 0 and finite"
        )
    total = w.sum()
    if total == 0:
        msg = "all weights are 0, so they are no distribution; at least one must be positive"
        raise ValueError(msg)
    shares: NDArray[np.float64] = w / total
    return shares


# -- costs in ticks ------------------------------------------------------------------------------


class Criterion(Protocol):
    """What makes one split better than another.

    It counts rows into *statistics*: whole numbers that add up, so that what is behind a cut is
    the whole less what is before it. Classes are counted, ``w = n_classes``; of numbers there are
    three, see ``Variance``.
    """

    def __hash__(self) -> int:
        """A table of costs is kept for each criterion."""

    @property
    def name(self) -> str:
        """What people ask for, and what a saved tree keeps: ``"entropy"``."""

    @property
    def unit(self) -> str:
        """What one tick-free unit of the cost is called; nothing if it has no name."""

    @property
    def alike(self) -> str:
        """What is said of a pure node."""

    def tally(
        self, place: Ints, labels: Ints, n_places: int, n_classes: int, weights: Ints | None = None
    ) -> Ints:
        """Statistics of the rows at each place, ``(n_places, w)``, each in one stretch."""

    def rows(self, stats: NDArray[Any]) -> NDArray[np.int64]:
        """How many rows; statistics of shape ``(..., w)`` to ``(...)``."""

    def counts(self, stats: NDArray[Any]) -> NDArray[np.int64]:
        """What a node keeps of its statistics: rows of each class, or all of them together."""

    def pure(self, stats: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether no split could lower the cost, because the labels are all the same."""

    def cost(self, stats: NDArray[Any]) -> Ticks:
        """Ticks of groups of rows: statistics of shape ``(..., w)`` to ``(...)``."""

    def settle(self, ticks: Ticks) -> Ticks:
        """What two sums of costs are compared by: equal for a tie."""

    def per_row(self, ticks: Any, rows: Any) -> Any:
        """Ticks of some rows as the impurity of one of them, in the criterion's unit."""

    def wrong(self, stats: NDArray[Any], resting: NDArray[Any]) -> int:
        """What the training error counts of rows that rest at a node, answered by all its rows."""

    def error(self, wrong: int, rows: int) -> float:
        """The training error of all rows, from the sum of what :meth:`wrong` counts."""

    def orders(self, stats: NDArray[Any]) -> list[NDArray[np.float64]]:
        """What to sort values by so that one group of them is a prefix; shape ``(n_values,)``."""


class ClassCriterion:
    """What criteria of classes share: their statistics are the counts of each class.

    One of them says its name, title and unit, and gives :meth:`impurity` in floats; all else
    follows. Who has exact costs gives :meth:`cost` too. ``docs/new-criterion.md`` tells each.
    """

    name: str
    title: str
    unit: str = ""
    sign: str = ""
    alike: str = "all rows have one class"
    # The fewest and the most ticks that boosting makes of all rows' weights.
    weight_ticks: ClassVar[tuple[int, int]] = (10**6, 4 * 10**6)
    # Fractional bits of a tick, and how many of them a comparison leaves out.
    fraction: ClassVar[int] = _BITS
    guard: ClassVar[int] = _GUARD

    def impurity(self, shares: Floats) -> Floats:
        """How mixed some rows are: shares of classes, ``(..., n_classes)`` to ``(...)``."""
        raise NotImplementedError

    @property
    def heading(self) -> str:
        """The title as it begins a line."""
        return self.title[:1].upper() + self.title[1:]

    def amount(self, impurity: float) -> str:
        """An impurity or a gain as it is told: ``0.881 bits``, ``0.42``."""
        return f"{bits(impurity)} {self.unit}".rstrip()

    def spreads(self, counts: Any) -> list[tuple[str, str]]:
        """How mixed some nodes are, by their counts: in short, and as it is read out."""
        listed = np.asarray(counts, dtype=np.float64)
        rows = listed.sum(axis=1)
        found = self.impurity(listed / np.where(rows > 0, rows, 1)[:, None])
        amounts = map(self.amount, np.where(rows > 0, found, 0.0).tolist())
        return [(f"{self.sign} {one}".lstrip(), f"{self.title} {one}") for one in amounts]

    def tally(
        self, place: Ints, labels: Ints, n_places: int, n_classes: int, weights: Ints | None = None
    ) -> Ints:
        """Rows of each class."""
        key = (place + labels * n_places).ravel()
        cells = n_places * n_classes
        if weights is None:
            counted = np.bincount(key, minlength=cells)
        else:
            counted = np.bincount(key, np.broadcast_to(weights, place.shape).ravel(), cells)
        return counted.reshape(n_classes, n_places).T.astype(np.int64, copy=False)

    def rows(self, stats: NDArray[Any]) -> NDArray[np.int64]:
        """All classes together."""
        rows: NDArray[np.int64] = np.add.reduce(stats, axis=-1)
        return rows

    def counts(self, stats: NDArray[Any]) -> NDArray[np.int64]:
        """All of them."""
        return stats

    def pure(self, stats: NDArray[Any]) -> NDArray[np.bool_]:
        """One class has all rows."""
        pure: NDArray[np.bool_] = stats.max(axis=-1) == stats.sum(axis=-1)
        return pure

    def cost(self, stats: NDArray[Any]) -> Ticks:
        """The impurity times the rows, from floats: rounded to ticks, so that these add up."""
        # As it lies in memory decides how numpy adds floats up: each node's classes side by side.
        listed = np.ascontiguousarray(stats, dtype=np.float64)
        rows = listed.sum(axis=-1)
        whole = rows * self.impurity(listed / np.maximum(rows, 1)[..., None])
        if whole.max(initial=0) >= 1 << (_MOST_BITS - self.fraction):
            msg = f"{rows.max():,.0f} rows are too many: their {self.title} fits no 63 bits"
            raise ValueError(msg)
        ticks: Ticks = np.rint(whole * float(1 << self.fraction)).astype(np.int64)
        return ticks

    def settle(self, ticks: Ticks) -> Ticks:
        """Without the guard bits, far more than divisions can have lost."""
        return ticks if not self.guard else (ticks + (1 << (self.guard - 1))) >> self.guard

    def per_row(self, ticks: Any, rows: Any) -> Any:
        """The impurity, in the criterion's unit."""
        return ticks / (rows * float(1 << self.fraction))

    def wrong(self, stats: NDArray[Any], resting: NDArray[Any]) -> int:
        """The resting rows that are not of the node's majority."""
        return int(resting.sum() - resting[stats.argmax()])

    def error(self, wrong: int, rows: int) -> float:
        """The share of rows that are wrong."""
        return wrong / rows

    def orders(self, stats: NDArray[Any]) -> list[NDArray[np.float64]]:
        """The share of a class; with two classes one order is enough."""
        k = stats.shape[-1]
        rows = stats.sum(axis=-1)
        return [stats[:, by] / rows for by in range(k if k > 2 else 1)]  # noqa: PLR2004


@dataclass(frozen=True)
class Entropy(ClassCriterion):
    """ID3's criterion."""

    name: str = "entropy"
    title: str = "entropy"
    unit: str = "bits"
    fraction: ClassVar[int] = _LOG_BITS
    guard: ClassVar[int] = 0  # sums of logarithms of primes are equal when they should be

    def impurity(self, shares: Floats) -> Floats:
        """In bits."""
        found: Floats = -(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=-1) + 0.0
        return found

    def cost(self, stats: NDArray[Any]) -> Ticks:
        """``n log2 n - sum n_k log2 n_k`` in ticks of 2**-32 bits."""
        rows = np.add.reduce(stats, axis=-1)
        # Statistics are often the transpose of what is in memory; they are looked up as they lie.
        ticks: Ticks = n_log_ns(rows) - np.add.reduce(n_log_ns(stats.T), axis=0).T
        return ticks


@dataclass(frozen=True)
class Gini(ClassCriterion):
    """CART's criterion."""

    name: str = "gini"
    title: str = "Gini impurity"
    sign: str = "Gini"
    weight_ticks: ClassVar[tuple[int, int]] = (10**8, 10**8)

    def impurity(self, shares: Floats) -> Floats:
        """How often two draws differ."""
        found: Floats = 1 - (shares * shares).sum(axis=-1)
        return found

    def cost(self, stats: NDArray[Any]) -> Ticks:
        """``n - sum n_k**2 / n`` in ticks of 2**-36 rows, rounded up."""
        stats = stats.astype(np.int64, copy=False)
        return self.of_squares((stats * stats).sum(axis=-1), stats.sum(axis=-1))

    def of_squares(self, squares: NDArray[Any], rows: NDArray[Any]) -> Ticks:
        """The cost of so many rows, given the sum of the squares of their classes' counts."""
        divisor = np.maximum(rows, 1)
        whole, rest = np.divmod(squares, divisor)
        half = _BITS // 2  # in two steps, because rest << 36 would not fit
        high, rest = np.divmod(rest << half, divisor)
        low = (rest << half) // divisor  # whole ticks are left
        ticks: Ticks = ((rows - whole) << _BITS) - (high << half) - low
        return ticks


@dataclass(frozen=True)
class Misclassified(ClassCriterion):
    """How many rows are not of their node's majority. AdaBoost can ask for it, no tree."""

    name: str = "error"
    title: str = "error"
    weight_ticks: ClassVar[tuple[int, int]] = (10**8, 10**8)
    fraction: ClassVar[int] = 0
    guard: ClassVar[int] = 0

    def impurity(self, shares: Floats) -> Floats:
        """The share of rows that are wrong."""
        found: Floats = 1 - shares.max(axis=-1)
        return found

    def cost(self, stats: NDArray[Any]) -> Ticks:
        """Whole rows."""
        ticks: Ticks = stats.sum(axis=-1) - stats.max(axis=-1)
        return ticks


ENTROPY, GINI, ERROR = Entropy(), Gini(), Misclassified()
# All that a tree of classes can be grown by, and read back with: the one list. For numbers there is
# `dtree_lab.criteria.variance.Variance`, which depends on their scale.
CRITERIA: dict[str, ClassCriterion] = {one.name: one for one in (ENTROPY, GINI)}

_tables: list[Ticks] = [np.zeros(1, dtype=np.int64)]


def n_log_n(most: int) -> Ticks:
    """A table of ``n * log2(n)`` in ticks from 0 to at least `most`, grown by doubling."""
    if most >= len(_tables[0]):
        if most > MOST_ROWS:
            msg = f"{most:,} rows are too many: exact costs are kept for up to {MOST_ROWS:,}"
            raise ValueError(msg)
        size = min(max(2 * len(_tables[0]), most + 1, 1024), MOST_ROWS + 1)
        _tables[0] = np.arange(size) * _logarithms(size)
        _tables[0].flags.writeable = False
    return _tables[0]


def n_log_ns(n: NDArray[Any]) -> Ticks:
    """``n * log2(n)`` for each of some numbers: looked up, or worked out where few are large."""
    try:
        return _tables[0].take(n)
    except IndexError:  # the table is grown when it is too short: to ask first would take longer
        most = int(n.max())
    if most > MOST_ROWS or most <= _LONG_TABLE:
        return n_log_n(most).take(n)
    large = n > _LONG_TABLE
    values, place = np.unique(n[large], return_inverse=True)
    if len(values) > most // _WORK:
        return n_log_n(most).take(n)
    ticks: Ticks = np.array(n_log_n(_LONG_TABLE).take(np.where(large, 0, n)))
    ticks[large] = (values * _factored(values))[place]
    return ticks


def _logarithms(size: int) -> Ticks:
    """``log2(n)`` in ticks for n below `size`: a sieve that divides out the primes."""
    logs = np.zeros(size, dtype=np.int64)
    rest = np.arange(size)
    for p in range(2, int(size**0.5) + 1):
        if rest[p] != p:  # a smaller prime divides p
            continue
        log_p = round(np.log2(p) * _SCALE)
        power = p
        while power < size:
            logs[power::power] += log_p
            rest[power::power] //= p
            power *= p
    return _with_last(logs, rest)


@cache
def _primes() -> tuple[NDArray[np.uint32], Ticks]:
    """All primes that can divide a number of rows before what is left is one; their logarithms."""
    numbers = np.arange(isqrt(MOST_ROWS) + 1)
    numbers[1] = 0
    for p in range(2, isqrt(len(numbers)) + 1):
        numbers[p * p :: p] = 0
    primes = numbers[numbers > 0]
    logs = np.array([round(np.log2(p) * _SCALE) for p in primes.tolist()])
    return primes.astype(np.uint32), logs


def _factored(n: Ticks) -> Ticks:
    """``log2(n)`` in ticks of a few numbers: each is divided by the primes.

    In 32 bits, because processors divide these far faster; and many by one prime at a time.
    """
    logs, rest = np.zeros_like(n), n.astype(np.uint32)
    every, ticks = _primes()
    primes = every[: np.searchsorted(every, isqrt(int(n.max())), side="right")]
    if len(n) < _FEW:
        at, which = np.nonzero(rest[:, None] // primes * primes == rest[:, None])
    else:
        found = [np.flatnonzero(rest // p * p == rest) for p in primes.tolist()]
        at, which = np.concatenate(found), np.repeat(np.arange(len(primes)), list(map(len, found)))
    while len(at):
        np.add.at(logs, at, ticks[which])
        np.floor_divide.at(rest, at, primes[which])
        more = rest[at] % primes[which] == 0
        at, which = at[more], which[more]
    return _with_last(logs, rest)


def _with_last(logs: Ticks, rest: NDArray[Any]) -> Ticks:
    """Logarithms with that of what is left: 1, or one prime above the square root."""
    prime = rest > 1
    logs[prime] += np.rint(np.log2(rest[prime]) * _SCALE).astype(np.int64)
    return logs
