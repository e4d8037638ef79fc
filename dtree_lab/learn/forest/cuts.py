"""The best cut by each attribute that was drawn, at each node, a block of nodes at a time.

Nodes of about one size are put together: their rows make the rows of an array, filled up at the end
with entries for no row, and numpy sorts each by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.forest.costs import cheapest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from dtree_lab.learn.forest.places import Places
    from dtree_lab.learn.forest.standing import Standing
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]

# Numbers handled at a time: enough to forget the cost of a call, few enough for the cache.
_AT_A_TIME = 1 << 15
# Blocks are put together as long as that fills up fewer entries: so many are worked through in the
# time that numpy's calls for one more block take.
_FILLED_UP = 6000
# Up to this width, numpy sorts numbers of 64 bits faster than those of 32.
_WIDE = 64
# From this width on, it is faster to sort 16 bits by counting.
_BY_COUNTING = 512
_RADIX = 1 << 16


@dataclass(frozen=True, eq=False)
class Found:
    """The best cuts of some attributes at some nodes, all of one shape.

    Attributes
    ----------
    after
        Cost of the two sides, -1 where there is no cut.
    low, high
        The places next to the cut.
    """

    after: Ints
    low: Ints
    high: Ints


def best_cuts(
    nodes: Ints, attribute: Ints, standing: Standing, places: Places, recipe: Recipe
) -> Found:
    """The best cut of each node by each of its attributes.

    Parameters
    ----------
    nodes
        Some nodes, shape ``(n,)``.
    attribute
        The attributes that each has drawn, shape ``(n, n_drawn)``.
    standing, places
        The rows.
    recipe
        Has the criterion, and the fewest rows on a side.
    """
    after, low, high = (np.full(attribute.shape, -1) for _ in range(3))
    heavy = max(standing.stats.shape[1] - 1, 1) * attribute.shape[1]
    for part, width in _blocks(standing.size[nodes], heavy):
        drawn = attribute[part]
        key = _sorted(_packed(nodes[part], drawn, width, standing, places), places)
        stats = np.repeat(standing.stats[nodes[part]], drawn.shape[1], axis=0)
        cost, at = cheapest(key, stats, places, recipe)
        at = at + np.arange(0, key.size, width)
        after[part] = cost.reshape(drawn.shape)
        low[part] = (key.ravel().take(at) >> places.shift).reshape(drawn.shape)
        # Where there is no cut, nobody asks what lies above it.
        high[part] = (key.ravel().take(at + 1, mode="clip") >> places.shift).reshape(drawn.shape)
    return Found(after, low, high)


def _blocks(size: Ints, heavy: int) -> Iterator[tuple[Ints, int]]:
    """Nodes of about one size, and the width that holds each of them.

    Parameters
    ----------
    size
        Rows of each node.
    heavy
        How many numbers are handled for each row.
    """
    order = np.argsort(size.astype(np.min_scalar_type(int(size.max()))), kind="stable")
    ordered = size[order]
    ends = np.unique(np.searchsorted(ordered, _widths(int(ordered[-1])), side="right")).tolist()
    below = np.concatenate([[0], np.cumsum(ordered)]).tolist()
    begin = 0
    for end, after in zip(ends, [*ends[1:], None], strict=True):
        if after is not None:
            filled_up = (after - begin) * int(ordered[after - 1]) - (below[after] - below[begin])
            if filled_up * heavy <= _FILLED_UP:
                continue
        step = max(1, _AT_A_TIME // (int(ordered[end - 1]) * heavy)) if end > begin else 1
        for i in range(begin, end, step):
            part = order[i : min(i + step, end)]
            yield part, int(size[part[-1]])
        begin = end


def _widths(most: int) -> Ints:
    """2, 3, 4, 6, 8, 12, … up to the first that is large enough."""
    powers = 2 ** np.arange(1, most.bit_length() + 1)
    return np.sort(np.concatenate([powers, powers[:-1] * 3 // 2]))


def _packed(nodes: Ints, drawn: Ints, width: int, standing: Standing, places: Places) -> Ints:
    """The rows of some nodes as packed numbers, for each attribute; ``(n * n_drawn, width)``."""
    along, size = np.arange(width), standing.size[nodes]
    at = standing.start[nodes][:, None] + along
    if int(size.min()) < width:
        at = np.where(along < size[:, None], at, len(standing.row) - 1)
    row = standing.row.take(at)
    first = drawn * (places.n_rows + 1)
    key = places.key.take(row[:, None, :] + first[:, :, None])
    key += standing.weight.take(at)[:, None, :]
    packed: Ints = key.reshape(-1, width)
    return packed


def _sorted(key: Ints, places: Places) -> Ints:
    """Each row sorted by place."""
    width = key.shape[1]
    if width <= _WIDE:
        key = key.astype(np.int64)
    elif width > _BY_COUNTING:
        place = key >> places.shift
        if int(place.max()) < _RADIX:
            order = np.argsort(place.astype(np.uint16), axis=1, kind="stable")
            order += np.arange(0, key.size, width)[:, None]
            return key.ravel().take(order)
    key.sort(axis=1)
    return key
