"""What makes one split of weighted rows better than another.

A weight is a number, but a tie has to be an equality. So weights are turned into whole *ticks*,
and the costs are the exact ones of :mod:`dtree_lab.criteria`. Working these out behind every row of
every column would take most of the time; so a *rough* cost, in floats, first says where the least
may lie, and only there is it worked out exactly. :func:`slack` bounds what it can be off by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab import criteria

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Weights = NDArray[np.float64]

_PER_ROW = 100


@dataclass(frozen=True)
class Measure:
    """A criterion for weighted rows.

    Attributes
    ----------
    name
        ``"gini"``, ``"entropy"`` or ``"error"``.
    cost
        Exact costs of groups of rows: ticks of shape ``(..., n_classes)`` to ``(...)``.
    settle
        What two sums of costs are compared by: equal for a tie.
    rough
        The same in floats, from one array of ticks for each class. It may leave out the ticks of
        a group, which add up to those of the node however it is parted.
    least, most
        How many ticks all rows together have: a hundred for each row, within these bounds.
    """

    name: str
    cost: Callable[[NDArray[Any]], Ints]
    settle: Callable[[Ints], Ints]
    rough: Callable[[Sequence[Floats]], Floats]
    least: int
    most: int

    def ticks(self, weights: Weights) -> Weights:
        """Weights that sum up to 1 as ticks, shape ``(n_rows,)``: whole numbers, held as floats.

        Equal weights have equal ticks, and every row has at least one.
        """
        total = min(max(_PER_ROW * len(weights), self.least), self.most)
        ticks: Weights = np.maximum(np.rint(weights * total), 1.0)
        return ticks


def _rough_gini(parts: Sequence[Floats]) -> Floats:
    size, squares = parts[0].copy(), parts[0] * parts[0]
    for part in parts[1:]:
        size += part
        squares += part * part
    squares /= -size
    return squares


def _rough_entropy(parts: Sequence[Floats]) -> Floats:
    size, inside = parts[0].copy(), _n_log_n(parts[0])
    for part in parts[1:]:
        size += part
        inside += _n_log_n(part)
    return _n_log_n(size) - inside


def _n_log_n(n: Floats) -> Floats:
    product: Floats = n * np.log2(np.maximum(n, 1.0))
    return product


def _rough_error(parts: Sequence[Floats]) -> Floats:
    largest = parts[0]
    for part in parts[1:]:
        largest = np.maximum(largest, part)
    return -largest


def _error(ticks: NDArray[Any]) -> Ints:
    wrong: Ints = ticks.sum(axis=-1) - ticks.max(axis=-1)
    return wrong


def _as_it_is(ticks: Ints) -> Ints:
    return ticks


def slack(total: float) -> float:
    """How far above the least rough cost the least exact one may be, for so many ticks in all.

    Entropy: a number below 2**24 has fewer than 24 prime factors, the logarithm of each is within
    2**-33 bits, and the two costs that are compared have terms for 4 times all ticks: together
    less than 2**-26 for each tick. Gini: both costs are settled to 2**-20. Floats add far less.
    """
    return total * 2.0**-25 + 2.0**-13


# 63 bits hold Gini's costs for up to 2**27 ticks (1.3 * 10**8), and entropy has a table with a
# place for each tick.
MEASURES = {
    "gini": Measure("gini", criteria.GINI.cost, criteria.GINI.settle, _rough_gini, 10**8, 10**8),
    "entropy": Measure(
        "entropy",
        criteria.ENTROPY.cost,
        criteria.ENTROPY.settle,
        _rough_entropy,
        10**6,
        4 * 10**6,
    ),
    "error": Measure("error", _error, _as_it_is, _rough_error, 10**8, 10**8),
}
