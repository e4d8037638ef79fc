"""Which nodes of a full tree are split when the whole tree is limited and the best comes first."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.flat import Flat
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[np.int64]


def opened_best_first(flat: Flat, stats: Ints, gain: Ints, recipe: Recipe) -> NDArray[np.bool_]:
    """The nodes that are split when the largest gain comes next, within the recipe's limits.

    What a node would ask does not depend on when it is asked, so the full tree is grown first.

    Parameters
    ----------
    flat
        The full tree.
    stats
        The criterion's statistics of each node.
    gain
        Each node's settled gain.
    recipe
        Says when to stop.
    """
    stop, criterion = recipe.stop, recipe.criterion
    rows = int(criterion.rows(stats[0]))
    limit = stop.max_leaves if stop.max_leaves is not None else rows

    def as_leaf(i: int) -> int:
        return criterion.wrong(stats[i], stats[i])

    opened = np.zeros(flat.n_nodes, dtype=bool)
    n_leaves, wrong = 1, as_leaf(0)
    waiting = [(-int(gain[0]), 0)] if flat.attr[0] >= 0 else []
    while waiting and (stop.max_error is None or criterion.error(wrong, rows) > stop.max_error):
        _, i = heapq.heappop(waiting)
        children = range(int(flat.first[i]), int(flat.first[i] + flat.width[i]))
        if n_leaves + len(children) - 1 > limit:
            continue
        opened[i] = True
        n_leaves += len(children) - 1
        if stop.max_error is not None:
            resting = stats[i] - stats[children].sum(axis=0)
            wrong += sum(map(as_leaf, children)) - as_leaf(i)
            wrong += criterion.wrong(stats[i], resting)
        for child in children:
            if flat.attr[child] >= 0:
                heapq.heappush(waiting, (-int(gain[child]), child))
    return opened
