"""The open nodes of many trees and their rows, and how these are parted from level to level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.learn.forest.places import Places

    Ints = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Standing:
    """The rows of the open nodes of all trees. A row that was drawn several times stands once.

    Attributes
    ----------
    row, weight
        The rows, those of a node side by side, and how often each was drawn. At the end of both
        stands no row, which is never drawn.
    node
        The node of each row.
    start, size
        Where the rows of each node begin, and how many of them there are.
    stats
        The statistics of each node, shape ``(n_nodes, w)``.
    """

    row: Ints
    weight: Ints
    node: Ints
    start: Ints
    size: Ints
    stats: Ints

    @property
    def n(self) -> int:
        """How many nodes."""
        return len(self.size)

    @property
    def rows(self) -> Ints:
        """The rows without the last, which is none."""
        return self.row[:-1]

    @property
    def weights(self) -> Ints:
        """How often each of them was drawn."""
        return self.weight[:-1]


def roots(times: Ints, places: Places, criterion: Criterion) -> Standing:
    """The roots of some trees, given how often each row was drawn for each, ``(n_trees, n)``."""
    node, row = np.nonzero(times)
    weight = times[node, row]
    stats = criterion.tally(node, places.labels[row], len(times), places.n_classes, weight)
    return _standing(row, weight, node, stats, places)


def parted(standing: Standing, child: Ints, number: Ints, stats: Ints, places: Places) -> Standing:
    """The open nodes of the next level.

    Parameters
    ----------
    standing
        The nodes of this level.
    child
        For each row twice the number of its node, and one more if it goes to the second branch.
    number
        The number of each child among the open ones, -1 if it is not open.
    stats
        The statistics of the open ones.
    places
        The table.
    """
    node = number.take(child)
    kept = np.flatnonzero(node >= 0)
    second = child.take(kept) & 1 == 1
    # All rows of first branches, then all of second ones: those of a node stay side by side.
    kept = np.concatenate([kept[~second], kept[second]])
    return _standing(
        standing.row.take(kept), standing.weight.take(kept), node.take(kept), stats, places
    )


def _standing(row: Ints, weight: Ints, node: Ints, stats: Ints, places: Places) -> Standing:
    begins = np.flatnonzero(np.concatenate([[True], node[1:] != node[:-1]])[: len(node)])
    here = node[begins]
    start, size = np.zeros(len(stats), dtype=np.intp), np.zeros(len(stats), dtype=np.intp)
    start[here], size[here] = begins, np.diff(begins, append=len(node))
    return Standing(
        np.append(row, places.n_rows),
        np.append(weight.astype(places.key.dtype), np.zeros(1, dtype=places.key.dtype)),
        node,
        start,
        size,
        stats,
    )
