"""Numbers in a few clusters: the k groups with the least spread within, found exactly.

In one dimension the best groups are stretches of the sorted numbers (Fisher 1958, On grouping for
maximum homogeneity, Journal of the American Statistical Association 53, 789-798), so the search for
k-means is dynamic programming over where a stretch ends, as for Jenks's natural breaks (1967) and
in Ckmeans.1d.dp (Wang and Song 2011, The R Journal 3(2), 29-33).

The best beginning of the last group never moves back when the numbers to be grouped go further, so
each answer bounds the others: O(k m log m) for m different numbers instead of O(k m²) (Grønlund et
al. 2017, Fast exact k-means, k-medians and Bregman divergence clustering in 1D, arXiv:1701.07204).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.variance import Scale, Variance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]


def least_spread(numbers: NDArray[np.float64], k: int) -> tuple[NDArray[np.float64], Ints]:
    """The different numbers, sorted, and after which of them to cut for k groups.

    Parameters
    ----------
    numbers
        Shape ``(n_rows,)``.
    k
        How many groups: from 1 to as many as there are different numbers.

    Returns
    -------
    tuple of numpy.ndarray
        Shapes ``(m,)`` and ``(k - 1,)``. Of equally good groupings, the one whose last group
        begins lowest; of those, the one whose last but one does, and so on.

    Notes
    -----
    Numbers are compared as :class:`~dtree_lab.variance.Scale` measures them: whole numbers and
    those of a few decimals exactly.
    """
    values, place = np.unique(numbers, return_inverse=True)
    scale, ticks = Scale.of(numbers)
    criterion = Variance(scale)
    search = _Search.of(criterion, criterion.tally(place, ticks, len(values), 0))
    for _ in range(k - 1):
        search.one_more_group()
    return values, np.array(search.begins(), dtype=np.intp) - 1


@dataclass
class _Search:
    """The best ways to part the first j values into t + 1 groups, for every j, one t after another.

    What a group costs is its sum of squared distances from its mean. Costs in ticks are rounded up
    group by group: those of t + 1 groups are less than t + 1 ticks above the exact one. So they
    leave a few beginnings that might be the best, between which fractions decide in the end.

    Attributes
    ----------
    criterion
        What tells a group's cost.
    below
        Statistics of the first j values, shape ``(m + 1, 3)``.
    costs
        For each t the least cost of the first j values, in ticks; shape ``(m + 1,)``.
    first, last
        For each t between which beginnings of the last group the best one lies.
    """

    criterion: Variance
    below: Ints
    costs: list[Ints] = field(default_factory=list)
    first: list[Ints] = field(default_factory=list)
    last: list[Ints] = field(default_factory=list)

    @classmethod
    def of(cls, criterion: Variance, stats: Ints) -> _Search:
        """Everything in one group; `stats` are those of each value."""
        none = np.zeros((1, stats.shape[1]), dtype=np.int64)
        below = np.concatenate([none, stats.cumsum(axis=0)])
        start = np.zeros(len(below), dtype=np.intp)
        return cls(criterion, below, [criterion.cost(below)], [start], [start])

    def one_more_group(self) -> None:
        """Allow a group more."""
        t, m = len(self.costs), len(self.below) - 1  # t groups stand before the last one
        cost = np.zeros(m + 1, dtype=np.int64)
        first, last = np.zeros((2, m + 1), dtype=np.intp)
        # The middle end is answered first, then those in the middle of both halves, and so on: each
        # lies between two answered ones, which bound where its last group can begin.
        n_ends = m - t
        step = 1 << n_ends.bit_length()
        while step := step >> 1:
            at = np.arange(step - 1, n_ends, 2 * step)
            end = t + 1 + at
            low = np.where(at < step, t, first[end - step])
            high = np.where(at + step < n_ends, last[np.minimum(end + step, m)], m)
            cost[end], first[end], last[end] = self._answered(end, low, np.minimum(high, end - 1))
        self.costs.append(cost)
        self.first.append(first)
        self.last.append(last)

    def _answered(self, end: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints, Ints]:
        """The least cost up to each end, and the first and last beginning that may have it."""
        sizes = high - low + 1
        start = np.cumsum(sizes) - sizes
        begin = np.arange(int(sizes.sum())) + np.repeat(low - start, sizes)
        t = len(self.costs)
        cost = self._cost(t, begin, np.repeat(end, sizes))
        least = np.minimum.reduceat(cost, start)
        maybe = np.flatnonzero(cost <= np.repeat(least + t, sizes))
        first = maybe[np.searchsorted(maybe, start)]
        last = maybe[np.searchsorted(maybe, start + sizes) - 1]
        return least, begin[first], begin[last]

    def _cost(self, t: int, begin: Ints, end: Ints | int) -> Ints:
        """The ticks of t groups up to a beginning, and of one from there to an end."""
        one: Ints = self.criterion.cost(self.below[end] - self.below[begin])
        return self.costs[t - 1][begin] + one

    def begins(self) -> list[int]:
        """Where each of the groups begins, but for the first."""
        wanted, options = {len(self.below) - 1}, list[dict[int, list[int]]]()
        for t in range(len(self.costs) - 1, 0, -1):
            options.append({end: self._options(t, end) for end in wanted})
            wanted = set().union(*options[-1].values())
        exact = {end: self._exact(0, end) for end in wanted}
        chosen = list[dict[int, tuple[Fraction, int]]]()
        for found in reversed(options):
            best = {
                end: min((exact[begin] + self._exact(begin, end), begin) for begin in begins)
                for end, begins in found.items()
            }
            exact = {end: cost for end, (cost, _) in best.items()}
            chosen.append(best)
        end, begins = len(self.below) - 1, list[int]()
        for best in reversed(chosen):
            _, end = best[end]
            begins.append(end)
        return begins[::-1]

    def _options(self, t: int, end: int) -> list[int]:
        """The beginnings of the last of t + 1 groups that may be the best."""
        begin = np.arange(self.first[t][end], self.last[t][end] + 1)
        cost = self._cost(t, begin, end)
        options: list[int] = begin[cost <= cost.min() + t].tolist()
        return options

    def _exact(self, begin: int, end: int) -> Fraction:
        """The cost of a group."""
        n, total, squares = (self.below[end] - self.below[begin]).tolist()
        return Fraction(n * squares - total * total, n)
