"""A tree as arrays: what the fast grower fills and what prediction reads.

Nodes are numbered breadth first, so the root is 0, a child's number is above its parent's and the
children of a node are neighbours. The fields that a node does not use are 0.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.splits import ByValue, Intervals, Split, group_of, interval_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dtree_lab.table import Attribute


# Rows that are sent through a tree at a time: few enough to stay in the cache.
_AT_A_TIME = 1 << 14


@dataclass(frozen=True, eq=False)
class Flat:
    """The arrays of a tree.

    Attributes
    ----------
    attr
        The attribute asked at a node, -1 at a leaf; int32, shape ``(n_nodes,)``.
    first
        The number of a node's first child; int32.
    width
        How many children; int32.
    start
        Where a node's part of `cuts` (continuous attribute) or `routes` (discrete) begins; int64.
    cuts
        The cuts of all nodes, ``width - 1`` for each that asks a continuous attribute; float64.
    routes
        The branch of each value, -1 for none, for each node that asks a discrete one; int32.
    counts
        Training rows of each class; int64, shape ``(n_nodes, n_classes)``.
    """

    attr: NDArray[np.int32]
    first: NDArray[np.int32]
    width: NDArray[np.int32]
    start: NDArray[np.int64]
    cuts: NDArray[np.float64]
    routes: NDArray[np.int32]
    counts: NDArray[np.int64]

    def __post_init__(self) -> None:
        for f in fields(self):
            getattr(self, f.name).flags.writeable = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Flat):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def n_nodes(self) -> int:
        """How many nodes, leaves included."""
        return len(self.attr)

    @cached_property
    def parent(self) -> NDArray[np.int32]:
        """Each node's parent, -1 for the root."""
        inner = np.flatnonzero(self.attr >= 0)
        parent = np.full(self.n_nodes, -1, dtype=np.int32)
        parent[1:] = np.repeat(
            inner, self.width[inner]
        )  # breadth first: children in parents' order
        return parent

    @cached_property
    def depth(self) -> NDArray[np.int32]:
        """Each node's distance from the root."""
        depth = np.zeros(self.n_nodes, dtype=np.int32)
        node = self.parent
        while (above := node >= 0).any():
            depth += above
            node = np.where(above, self.parent[node], -1)
        return depth

    @cached_property
    def majority(self) -> NDArray[np.intp]:
        """The class that each node answers: the most frequent, the first of them in a tie."""
        answer: NDArray[np.intp] = self.counts.argmax(axis=1)
        return answer

    def split(self, node: int, attributes: Sequence[Attribute]) -> Split | None:
        """What a node asks; None at a leaf."""
        a, start = int(self.attr[node]), int(self.start[node])
        if a < 0:
            return None
        width = int(self.width[node])
        attribute = attributes[a]
        if attribute.values is None:
            return Intervals(a, tuple(self.cuts[start : start + width - 1].tolist()))
        routes = self.routes[start : start + attribute.n_values]
        return ByValue(a, tuple(tuple(np.flatnonzero(routes == b).tolist()) for b in range(width)))

    def apply(
        self, columns: Sequence[NDArray[Any]], attributes: Sequence[Attribute]
    ) -> NDArray[Any]:
        """The node where each row stops: its leaf, or where its value has no branch."""
        n_rows = len(columns[0]) if columns else 0
        node = np.zeros(n_rows, dtype=np.intp)
        kinds = [
            _Kind.of(self.attr, attributes, columns, continuous=continuous)
            for continuous in (True, False)
        ]
        for begin in range(0, n_rows, _AT_A_TIME):
            self._walk(node[begin : begin + _AT_A_TIME], kinds, begin)
        return node

    def _walk(self, node: NDArray[np.intp], kinds: list[_Kind], begin: int) -> None:
        """Send some rows from the root as far as they go; `node` is where they end."""
        ready = [kind.rows(begin, begin + len(node)) for kind in kinds]
        moving = np.arange(len(node)) if self.attr[0] >= 0 else np.zeros(0, dtype=np.intp)
        while moving.size:
            at = node[moving]
            went = np.empty(len(at), dtype=np.int32)
            for kind, values, go in zip(kinds, ready, (self._between, self._among), strict=True):
                if kind.alone:
                    went = go(at, values[moving, kind.slot[at]])
                elif kind.columns:
                    here = np.flatnonzero(kind.slot[at] >= 0)
                    nodes = at[here]
                    went[here] = go(nodes, values[moving[here], kind.slot[nodes]])
            if (went < 0).any():
                moving, at, went = moving[went >= 0], at[went >= 0], went[went >= 0]
            at = self.first[at] + went
            node[moving] = at
            moving = moving[self.attr[at] >= 0]

    def _among(self, nodes: NDArray[Any], codes: NDArray[Any]) -> NDArray[np.int32]:
        """The branch of each code at its node, all of which ask discrete attributes."""
        return group_of(codes, self.routes, self.start[nodes])

    def _between(self, nodes: NDArray[Any], x: NDArray[np.float64]) -> NDArray[np.int32]:
        """The branch of each number at its node, all of which ask continuous attributes."""
        start, width = self.start[nodes], self.width[nodes]
        most = int(width.max(initial=2)) - 1
        if most == 1:
            return interval_of(x, self.cuts[start][None, :])
        cuts = np.full((most, len(nodes)), np.inf)
        for j in range(most):
            has = j < width - 1
            cuts[j, has] = self.cuts[start[has] + j]
        return interval_of(x, cuts)


@dataclass(frozen=True)
class _Kind:
    """The continuous columns that a tree asks, or the discrete ones.

    Attributes
    ----------
    columns
        Those that are asked at all.
    slot
        For each node the place among them of the column that it asks, -1 if it is of the other
        kind or a leaf.
    alone
        Whether the tree asks no column of the other kind.
    """

    columns: list[NDArray[Any]]
    slot: NDArray[np.intp]
    alone: bool

    @classmethod
    def of(
        cls,
        attr: NDArray[np.int32],
        attributes: Sequence[Attribute],
        columns: Sequence[NDArray[Any]],
        *,
        continuous: bool,
    ) -> _Kind:
        asked = np.unique(attr[attr >= 0]).tolist()
        mine = [a for a in asked if (attributes[a].values is None) is continuous]
        slot = np.full(len(attributes) + 1, -1, dtype=np.intp)
        slot[mine] = np.arange(len(mine))
        return cls([columns[a] for a in mine], slot[attr], bool(mine) and mine == asked)

    def rows(self, begin: int, end: int) -> NDArray[Any]:
        """Some rows, the values of each next to one another; shape ``(n_rows, n_columns)``."""
        if not self.columns:
            return np.zeros((0, 0))
        return np.stack([column[begin:end] for column in self.columns], axis=1)


def from_splits(
    splits: Sequence[Split | None],
    counts: NDArray[Any],
    attributes: Sequence[Attribute],
) -> Flat:
    """The arrays of nodes given breadth first: each one's split (None at a leaf) and counts."""
    n = len(splits)
    attr, start = np.full(n, -1, dtype=np.int32), np.zeros(n, dtype=np.int64)
    first, width = np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)
    cuts: list[float] = []
    routes: list[NDArray[np.int32]] = []
    n_routes, child = 0, 1
    for i, split in enumerate(splits):
        if split is None:
            continue
        attr[i], first[i], width[i] = split.attribute, child, split.n_branches
        child += split.n_branches
        if isinstance(split, Intervals):
            start[i] = len(cuts)
            cuts.extend(split.cuts)
        else:
            start[i] = n_routes
            routes.append(split.routes(attributes[split.attribute].n_values))
            n_routes += len(routes[-1])
    pool = np.concatenate(routes) if routes else np.zeros(0, dtype=np.int32)
    return Flat(
        attr,
        first,
        width,
        start,
        np.array(cuts, dtype=np.float64),
        pool,
        np.asarray(counts, np.int64),
    )


def pool_starts(
    attr: NDArray[Any], width: NDArray[Any], n_values: NDArray[Any]
) -> NDArray[np.int64]:
    """Where each node's part of its pool begins, the parts standing in the order of the nodes.

    Parameters
    ----------
    attr, width
        Of each node, as in :class:`Flat`.
    n_values
        For each attribute its number of values, 0 for a continuous one, and one more 0 at the end.
    """
    by_value = n_values[attr]  # a leaf, -1, finds the last entry
    by_cut = np.where((attr >= 0) & (by_value == 0), width - 1, 0)
    start = np.where(by_value > 0, np.cumsum(by_value) - by_value, np.cumsum(by_cut) - by_cut)
    return np.where(attr >= 0, start, 0)


def trimmed(flat: Flat, opened: NDArray[np.bool_], n_values: Sequence[int]) -> Flat:
    """The tree in which only the `opened` nodes ask; the others become leaves.

    Parameters
    ----------
    flat
        A tree.
    opened
        Which nodes go on asking, shape ``(n_nodes,)``; those below a leaf are left out.
    n_values
        For each attribute its number of values, 0 for a continuous one.
    """
    opened = opened & (flat.attr >= 0)
    kept = np.zeros(flat.n_nodes, dtype=bool)
    kept[0] = True
    for depth in range(1, int(flat.depth.max()) + 1):
        below = np.flatnonzero(flat.depth == depth)
        above = flat.parent[below]
        kept[below] = kept[above] & opened[above]
    ids = np.flatnonzero(kept)
    asks = opened[ids]
    attr = np.where(asks, flat.attr[ids], -1).astype(np.int32)
    width = np.where(asks, flat.width[ids], 0).astype(np.int32)
    first = np.where(asks, np.cumsum(width) - width + 1, 0).astype(np.int32)
    values = np.array([*n_values, 0])
    by_value = values[attr]
    by_cut = np.where(asks & (by_value == 0), width - 1, 0)
    start = pool_starts(attr, width, values)
    routes = flat.routes[_stretches(flat.start[ids], by_value)]
    cuts = flat.cuts[_stretches(flat.start[ids], by_cut)]
    return Flat(attr, first, width, start, cuts, routes, flat.counts[ids])


def _stretches(start: NDArray[np.int64], length: NDArray[Any]) -> NDArray[np.int64]:
    """The indices of several stretches, one after the other."""
    begin = np.cumsum(length) - length
    return np.repeat(start - begin, length) + np.arange(int(length.sum()))
