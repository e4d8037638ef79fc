"""Two ways to take a step: a short one where there are only thresholds, and one for all trees.

A node's next node is looked up for all rows at once. The shorter the formula, the faster; nearly
all of the time goes into looking up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.routing.nodes import Asked, Floats, Ints, Nodes

# So many nodes, four levels, are asked of all rows at once. Their children's numbers fit in a byte.
_TOP = 15


@dataclass(frozen=True)
class Halves:
    """Steps where every question has one cut and every number is there.

    Attributes
    ----------
    column
        The column of each node, as in :class:`~.nodes.Asked`.
    place
        Where that column begins among the values.
    first
        The first child of each node; a leaf has itself.
    cut
        The cut of each node; NaN at a leaf, which no number reaches.
    """

    column: Ints
    place: Ints
    first: Ints
    cut: Floats

    @classmethod
    def of(cls, nodes: Nodes, asked: Asked, n_rows: int) -> Halves:
        """Of a tree, with room for some rows in each column of the values."""
        asks = nodes.attr >= 0
        first = np.where(asks, nodes.first, np.arange(len(asks))).astype(np.intp)
        cut = np.where(asks, nodes.cuts[nodes.start], np.nan)
        return cls(asked.column, asked.column * n_rows, first, cut)

    def top(self, numbers: Floats) -> NDArray[np.uint8]:
        """Where rows are once they have passed the first nodes, which most rows meet.

        To compare a whole column with one cut takes a tenth of the time in which each row looks up
        its own question, so these are asked of all rows, and what does not concern a row is
        dropped.

        Parameters
        ----------
        numbers
            The values, shape ``(n_columns + 1, n_rows)``.

        Returns
        -------
        numpy.ndarray
            Numbers of nodes, shape ``(n_rows,)``.
        """
        # For a node that asks, where each row would get from there; children come before parents.
        found: dict[int, Any] = {}
        for node in reversed(range(min(_TOP, len(self.cut)))):
            no = int(self.first[node])
            if no != node:
                below, above = (found.pop(i, np.uint8(i)) for i in (no, no + 1))
                yes = numbers[self.column[node]] >= self.cut[node]
                all_bits = np.negative(yes.view(np.uint8))
                found[node] = below ^ ((below ^ above) & all_bits)
        reached: NDArray[np.uint8] = found[0]
        return reached

    def step(self, at: Ints, rows: Ints, values: Floats) -> Ints:
        """The next node of each row."""
        x = values.take(self.place.take(at) + rows)
        no: Ints = self.first.take(at)
        return no + (x >= self.cut.take(at))


@dataclass(frozen=True)
class Slots:
    """Steps in any tree.

    A node has a slot for each way on. The first, for rows without a value, leads back to the node;
    the others belong to the intervals of a continuous attribute or to the values of a discrete one.

    Attributes
    ----------
    place
        Where the column of each node begins among the values.
    slot
        The first slot of each node.
    goal
        The node that each slot leads to.
    cuts
        Arrays of a cut for each node, NaN where it has no more; the first is below every number.
    discrete
        -1, all bits set, at nodes that ask a discrete attribute, else 0; None if no node asks a
        continuous one.
    """

    place: Ints
    slot: Ints
    goal: Ints
    cuts: list[Floats]
    discrete: NDArray[np.int64] | None

    @classmethod
    def of(cls, nodes: Nodes, asked: Asked, n_rows: int) -> Slots:
        """Of a tree, with room for some rows in each column of the values."""
        by_value = asked.n_values > 0
        by_cut = (nodes.attr >= 0) & ~by_value
        ways = np.where(by_value, asked.n_values, np.where(by_cut, nodes.width, 0)) + 1
        slot = np.cumsum(ways) - ways
        node = np.repeat(np.arange(len(ways)), ways)
        branch = np.arange(len(node)) - slot[node] - 1
        codes = np.flatnonzero(by_value[node] & (branch >= 0))
        branch[codes] = nodes.routes[nodes.start[node[codes]] + branch[codes]]
        goal = np.where(branch < 0, node, nodes.first[node] + branch).astype(np.intp)
        discrete = -by_value.astype(np.int64) if asked.n_continuous else None
        cuts = _padded(nodes, by_cut) if asked.n_continuous else []
        return cls(asked.column * n_rows, slot.astype(np.intp), goal, cuts, discrete)

    def step(self, at: Ints, rows: Ints, values: Floats) -> Ints:
        """The next node of each row."""
        x = values.take(self.place.take(at) + rows)
        slot: Ints = self.slot.take(at)
        for cut in self.cuts:
            slot += x >= cut.take(at)
        codes = x.view(np.int64)
        slot += codes if self.discrete is None else codes & self.discrete.take(at)
        goal: Ints = self.goal.take(slot)
        return goal


def _padded(nodes: Nodes, by_cut: NDArray[np.bool_]) -> list[Floats]:
    """Of each node a cut below every number, then its first cut, its second, …; NaN for none."""
    cuts = [np.where(by_cut, -np.inf, np.nan)]
    for i in range(int(nodes.width[by_cut].max()) - 1):
        has = np.flatnonzero(by_cut & (nodes.width > i + 1))
        cuts.append(np.full(len(by_cut), np.nan))
        cuts[-1][has] = nodes.cuts[nodes.start[has] + i]
    return cuts
