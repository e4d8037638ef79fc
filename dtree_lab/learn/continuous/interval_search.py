"""Where to cut a column into several intervals: exactly by entropy, or by equal frequency.

The exact search is dynamic programming. It looks at boundary points only: Fayyad and Irani (1993),
Multi-interval discretization of continuous-valued attributes for classification learning, IJCAI,
1022-1027, prove that a cut elsewhere is never better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.criteria import ENTROPY
from dtree_lab.splits import midpoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def filled(cuts: Floats, column: Floats) -> tuple[float, ...]:
    """The cuts without those that bound an empty interval from below (from above for the first)."""
    kept: list[float] = []
    low = -np.inf
    for cut in np.unique(cuts).tolist():
        if ((column >= low) & (column < cut)).any():
            kept.append(cut)
            low = cut
        elif kept:  # nothing since the last cut: this one takes its place
            kept[-1] = low = cut
    if kept and not (column >= kept[-1]).any():
        kept.pop()
    return tuple(kept)


def by_frequency(ordered: Floats, k: int) -> Floats:
    """Cuts next to the ranks n/k, 2n/k, …, or the nearest places where neighbours differ."""
    ends = np.rint(np.arange(1, k) * len(ordered) / k).astype(np.intp)
    parted = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    near = parted[np.abs(parted[:, None] - ends).argmin(axis=0)]
    return midpoint(ordered[near - 1], ordered[near])


def least_entropy(counts: Ints, k: int) -> Ints:
    """After which values to cut for the least entropy; `counts`: rows by value and class."""
    last = boundaries(counts)
    if len(last) < k - 1:  # more cuts than boundaries: the rest can stand anywhere
        last = np.arange(len(counts) - 1)
    ends = np.concatenate([last + 1, [len(counts)]])
    below = np.concatenate(
        [np.zeros((1, counts.shape[1]), np.int64), counts.cumsum(axis=0)[ends - 1]]
    )
    m = len(ends)
    least = np.full((k + 1, m + 1), np.iinfo(np.int64).max // 2)
    origin = np.zeros((k + 1, m + 1), dtype=np.intp)
    least[0, 0] = 0
    for j in range(1, m + 1):
        one = ENTROPY.cost(below[j] - below[:j])  # blocks i+1 … j as one interval, for each i
        total = least[:k, :j] + one
        origin[1:, j] = total.argmin(axis=1)
        least[1:, j] = total.min(axis=1)
    at, cuts = m, list[int]()
    for t in range(k, 1, -1):
        at = int(origin[t, at])
        cuts.append(int(ends[at - 1]) - 1)
    return np.array(cuts[::-1])


def boundaries(counts: Ints) -> Ints:
    """The values after which a cut can be best: not both neighbours are pure and of one class."""
    pure = (counts > 0).sum(axis=1) == 1
    label = counts.argmax(axis=1)
    same = pure[:-1] & pure[1:] & (label[:-1] == label[1:])
    return np.flatnonzero(~same)
