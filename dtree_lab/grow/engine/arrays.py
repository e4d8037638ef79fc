"""Array techniques that the engine is made of, each under the name it goes by.

A *segment* is a stretch of an array that belongs together, such as the rows of a node. Segments
follow one another, and where each begins is kept, as in the CSR format of sparse matrices.
"""

from __future__ import annotations

import numpy as np

from dtree_lab.base.types import Ints

RADIX_BITS = 16
RADIX = 1 << RADIX_BITS
# The key of a place where a node must not be parted: above every cost.
NEVER = np.int64(1) << 62


def radix_order(key: Ints, n_keys: int) -> Ints:
    """The stable order of keys below `n_keys`, along the last axis: a radix sort.

    numpy sorts 16 bits by counting, some ten times faster than more of them by comparing; so
    larger keys are sorted in two rounds, as on a punched-card sorter.
    """
    if n_keys <= RADIX:
        return np.argsort(key.astype(np.uint16), axis=-1, kind="stable")
    by_low = np.argsort((key & (RADIX - 1)).astype(np.uint16), axis=-1, kind="stable")
    rest = take_along(key >> RADIX_BITS, by_low)
    return take_along(by_low, radix_order(rest, -(-n_keys // RADIX)))


def take_along(of: Ints, at: Ints) -> Ints:
    """``of[..., at]`` row by row, as ``numpy.take_along_axis`` does with more ceremony."""
    width = of.shape[-1]
    if of.size == width:
        return of.ravel().take(at)
    first = np.arange(0, of.size, width).reshape(*of.shape[:-1], 1)
    return of.ravel().take(at + first)


def segmented_argmin(key: Ints, start: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """For each segment of the last axis its least key, and the first position that has it.

    The key's shape is ``(..., m)``, that of both results ``(..., n_segments)``. Segments follow one
    another, none is empty.
    """
    if not len(start):
        nothing = np.zeros((*key.shape[:-1], 0), dtype=np.intp)
        return nothing, nothing
    least = np.minimum.reduceat(key, start, axis=-1)
    m = key.shape[-1]
    found = np.flatnonzero(key == np.repeat(least, sizes, axis=-1))
    # The first position found at or behind each beginning; every segment has one of its own.
    begin = (np.arange(0, key.size, m)[:, None] + start).ravel()
    position = found[np.searchsorted(found, begin)] % m
    return least, position.reshape(least.shape)


def first_of_groups(key: Ints, group: Ints) -> Ints:
    """The first least key of each group; those of a group stand together."""
    new = np.ones(len(group) + 1, dtype=bool)
    np.not_equal(group[1:], group[:-1], out=new[1:-1])
    begin = new.nonzero()[0]  # that of none is the end
    return segmented_argmin(key, begin[:-1], begin[1:] - begin[:-1])[1]


def prefix_sums(steps: Ints) -> Ints:
    """Prefix sums along each row: one over all, which is faster, less what each begins with."""
    total: Ints = np.cumsum(steps).reshape(steps.shape)
    total -= (total[:, 0] - steps[:, 0])[:, None]
    return total
