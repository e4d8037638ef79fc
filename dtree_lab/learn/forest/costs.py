"""The cheapest cut of each of many sorted stretches of rows.

There are three ways to the same answer. While a node has few rows, its counts are the digits of one
number, which finds the cost of a side in a table: a running sum and two look-ups do it all. Where
the exact cost takes divisions, what a cut gains is estimated in floats first, and only the few cuts
that might be the cheapest are decided exactly. Otherwise each cut is costed.

The costs are the criterion's own in all three.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import CRITERIA, Gini
from dtree_lab.learn.level import NEVER, first_least
from dtree_lab.variance import Variance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.learn.forest.places import Places
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]
    Floats = NDArray[np.float64]

# How many costs a table holds: a megabyte of them, of which a forest uses a small part.
_CELLS = 1 << 17
# Two sums of Gini costs that differ by more than this, in rows, are never a tie.
_GINI_TIE = 2.0**-20
# What an estimate may be off by, as a share of the largest number that enters it.
_OFF = 2.0**-48


def cheapest(key: Ints, stats: Ints, places: Places, recipe: Recipe) -> tuple[Ints, Ints]:
    """The cheapest cut of each stretch of rows, the first in a tie.

    Parameters
    ----------
    key
        The rows as :class:`~.places.Places` packs them, each stretch sorted, entries for no row at
        its end; shape ``(n_stretches, width)``.
    stats
        The statistics of each stretch, shape ``(n_stretches, w)``.
    places
        How rows are packed.
    recipe
        Has the criterion, and the fewest rows on a side.

    Returns
    -------
    tuple of numpy.ndarray
        For each stretch the cost of both sides, -1 where it cannot be cut, and the position of the
        last row before the cut.
    """
    criterion = recipe.criterion
    barred = _barred(key, stats, places, recipe)
    if places.n_classes:
        base = _base(places.n_classes)
        if int(stats.sum(axis=1).max()) < base:
            return _least(_tabled(key, stats, places, criterion), barred, criterion)
    if isinstance(criterion, Gini | Variance):
        return _decided(_Sides(key, stats, places), barred, criterion)
    return _least(_each(_Sides(key, stats, places), criterion), barred, criterion)


def _barred(key: Ints, stats: Ints, places: Places, recipe: Recipe) -> NDArray[np.bool_] | None:
    """Where there is no cut, behind each row but the last; None if there is one everywhere."""
    barred = None
    if not places.distinct:
        place = key >> places.shift
        barred = place[:, 1:] == place[:, :-1]
    if recipe.min_side > 1:
        rows = running(key & ((1 << places.weight_bits) - 1))[:, :-1]
        small = rows < recipe.min_side
        small |= recipe.criterion.rows(stats)[:, None] - rows < recipe.min_side
        barred = small if barred is None else barred | small
    return barred


def _least(
    after: Ints, barred: NDArray[np.bool_] | None, criterion: Criterion
) -> tuple[Ints, Ints]:
    """The first cheapest of each stretch's cuts, NEVER where there is none."""
    if barred is not None:
        after[:, :-1][barred] = NEVER
    at = criterion.settle(after).argmin(axis=1)
    found = after.ravel().take(at + np.arange(0, after.size, after.shape[1]))
    return np.where(found < NEVER, found, -1), at


# -- few rows: the cost from a table -------------------------------------------------------------


@lru_cache
def _base(n_classes: int) -> int:
    """Counts below this are the digits of a number of the table's size."""
    base = int(_CELLS ** (1 / n_classes)) + 1
    while base**n_classes > _CELLS:
        base -= 1
    return base


@lru_cache
def _table(criterion: str, n_classes: int) -> tuple[Ints, Ints, Ints]:
    """The cost of all small counts before a cut and behind it, and what each class is worth."""
    base = _base(n_classes)
    worth = base ** np.arange(n_classes)
    counts = np.arange(base**n_classes)[:, None] // worth % base
    low = CRITERIA[criterion].cost(counts)
    high = low.copy()
    high[0] = NEVER  # no rows behind the cut
    return low, high, worth


def _tabled(key: Ints, stats: Ints, places: Places, criterion: Criterion) -> Ints:
    low, high, worth = _table(criterion.name, places.n_classes)
    label, weight = np.divmod(np.arange(1 << places.shift), 1 << places.weight_bits)
    worths = worth.take(label, mode="clip") * weight
    counts = running(worths.take(key & ((1 << places.shift) - 1)))
    after: Ints = low.take(counts)
    after += high.take((stats @ worth)[:, None] - counts)
    return after


def running(steps: NDArray[Any]) -> NDArray[Any]:
    """Running sums along each row: one over all, which is faster, less what each begins with."""
    total: NDArray[Any] = np.cumsum(steps).reshape(steps.shape)
    total -= (total[:, 0] - steps[:, 0])[:, None]
    return total


# -- any number of rows --------------------------------------------------------------------------


class _Sides:
    """The rows before each cut: `rows` together, and in `low` each class but the last.

    Of numbers, `low` has the sum of their ticks.
    """

    def __init__(self, key: Ints, stats: Ints, places: Places) -> None:
        self.stats, k = stats, places.n_classes
        weights = (1 << places.weight_bits) - 1
        if not k:
            weight = (key & weights).astype(np.int64)
            label = (key >> places.weight_bits) & ((1 << places.label_bits) - 1)
            self.rows = running(weight)
            self.low = running(weight * places.ticks.take(label, mode="clip"))[None]
            self.n, self.total = stats[:, 0], stats[:, 1:2]
            return
        packed = key & ((1 << places.shift) - 1)
        label, weight = np.divmod(np.arange(1 << places.shift), weights + 1)
        self.rows = running(weight.take(packed))
        self.low = np.empty((k - 1, *key.shape), dtype=np.int64)
        for c in range(k - 1):
            self.low[c] = running(np.where(label == c, weight, 0).take(packed))
        self.n, self.total = stats.sum(axis=1), stats

    @property
    def classes(self) -> Ints:
        """All classes before each cut."""
        return np.concatenate([self.low, (self.rows - self.low.sum(axis=0))[None]])


def _each(sides: _Sides, criterion: Criterion) -> Ints:
    """What each cut costs, NEVER behind the last row."""
    low = sides.classes
    after = criterion.cost(low.transpose(1, 2, 0))
    after += criterion.cost((sides.total.T[:, :, None] - low).transpose(1, 2, 0))
    after[sides.rows == sides.n[:, None]] = NEVER
    return after


def _decided(
    sides: _Sides, barred: NDArray[np.bool_] | None, criterion: Gini | Variance
) -> tuple[Ints, Ints]:
    """Estimate what each cut gains, and decide exactly among those that might gain most."""
    gain = _estimated(sides)
    if barred is not None:
        gain[:, :-1][barred] = -1
    width = gain.shape[1]
    most = gain.ravel().take(gain.argmax(axis=1) + np.arange(0, gain.size, width))
    maybe = np.flatnonzero(gain >= (most - _reach(sides, criterion))[:, None])
    stretch, at = np.divmod(maybe, width)
    rows = sides.rows.ravel().take(maybe)
    after = _exact(sides, maybe, stretch, criterion, rows)
    never = (rows == sides.n[stretch]) | (gain.ravel().take(maybe) < 0)
    key = np.where(never, NEVER, criterion.settle(after))
    sizes = np.bincount(stretch, minlength=len(gain))
    settled, first = first_least(key, np.cumsum(sizes) - sizes, sizes)
    return np.where(settled < NEVER, after.take(first), -1), at.take(first)


def _estimated(sides: _Sides) -> Floats:
    """About what each cut gains, in rows or squared ticks, divided by the node's rows.

    With ``s`` the count of a class (or the sum of the ticks) before the cut, less its share of the
    node's, that is the sum of ``s**2 / (rows before * rows behind)``. Of two classes the squares
    are the same, and one of them does.
    """
    n, rows = sides.n.astype(np.float64)[:, None], sides.rows.astype(np.float64)
    columns = sides.low if len(sides.low) == 1 else sides.classes
    gain: Floats = np.zeros(0)
    for c, column in enumerate(columns):
        apart = rows * (sides.total[:, c, None] / -n)
        apart += column
        np.square(apart, out=apart)
        gain = np.add(gain, apart, out=gain) if c else apart
    behind = n - rows
    behind *= rows
    gain /= np.maximum(behind, 1, out=behind)  # nothing is behind the last row
    return gain


def _reach(sides: _Sides, criterion: Gini | Variance) -> Floats:
    """How far below the largest estimate that of the best cut may lie."""
    n = sides.n.astype(np.float64)
    if isinstance(criterion, Gini):
        reach: Floats = 4 * _GINI_TIE / n + sides.total.shape[1] * _OFF
        return reach
    return 4 * criterion.tie / n + sides.stats[:, 2] * _OFF


def _exact(sides: _Sides, cut: Ints, stretch: Ints, criterion: Gini | Variance, rows: Ints) -> Ints:
    """The cost of both sides of some cuts."""
    low = sides.low.reshape(len(sides.low), -1).take(cut, axis=1)
    if isinstance(criterion, Variance):
        return criterion.two_sides(sides.stats[stretch], rows, low[0])
    low = np.concatenate([low, (rows - low.sum(axis=0))[None]]).T
    return criterion.cost(low) + criterion.cost(sides.total[stretch] - low)
