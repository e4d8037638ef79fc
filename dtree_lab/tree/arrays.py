"""A tree as arrays: what the fast grower fills and what prediction reads.

Nodes are numbered breadth first, so the root is 0, a child's number is above its parent's and the
children of a node are neighbours. The fields that a node does not use are 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Ints
from dtree_lab.table.table import Attribute
from dtree_lab.tree.routing import Nodes, where_rows_stop
from dtree_lab.tree.splits import ByValue, Intervals, Split


@dataclass(frozen=True, eq=False)
class Flat(Nodes):
    """The arrays of a tree: those of nodes are of shape ``(n_nodes, ...)``."""

    attr: NDArray[np.int32]  # the attribute that is asked, -1 at a leaf
    first: NDArray[np.int32]  # the number of the first child
    width: NDArray[np.int32]  # how many children
    start: NDArray[np.int64]  # where a node's part of `cuts` (continuous) or `routes` begins
    cuts: NDArray[np.float64]  # `width - 1` for each node that asks a continuous attribute
    routes: NDArray[np.int32]  # of a node that asks a discrete one, each value's branch, or -1
    # Training rows of each class, of a regression tree in one column.
    counts: NDArray[np.int64]
    # Shape `(n_nodes, w)`; a regression tree's answers, the variance of its rows' numbers and,
    # where leaves are lines, slope and mean of each continuous attribute. Else w = 0.
    values: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    # The branch of rows without a value; -1 where they rest, which they do in what grows here.
    gaps: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))

    def __post_init__(self) -> None:
        if not len(self.gaps):
            object.__setattr__(self, "gaps", np.full(len(self.attr), -1, dtype=np.int32))
        if not len(self.values):
            object.__setattr__(self, "values", np.zeros((len(self.attr), 0)))
        for f in fields(self):
            getattr(self, f.name).flags.writeable = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Flat):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Flat], tuple[NDArray[Any], ...]]:
        """A copy from another process has read-only arrays too, and brings nothing worked out."""
        return Flat, tuple(getattr(self, f.name) for f in fields(self))

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
        a, start, gaps = (int(of[node]) for of in (self.attr, self.start, self.gaps))
        if a < 0:
            return None
        width = int(self.width[node])
        attribute = attributes[a]
        if attribute.values is None:
            return Intervals(a, tuple(self.cuts[start : start + width - 1].tolist()), gaps)
        routes = self.routes[start : start + attribute.n_values]
        groups = (tuple(np.flatnonzero(routes == b).tolist()) for b in range(width))
        return ByValue(a, tuple(groups), gaps)

    def apply(
        self, columns: Sequence[NDArray[Any]] | NDArray[Any], attributes: Sequence[Attribute]
    ) -> NDArray[Any]:
        """The node where each row stops: its leaf, or where its value has no branch.

        `columns` as ``where_rows_stop`` takes them.
        """
        return where_rows_stop(self, [a.n_values for a in attributes], columns)


def from_splits(
    splits: Sequence[Split | None],
    counts: NDArray[Any],
    attributes: Sequence[Attribute],
    values: NDArray[Any] | None = None,
) -> Flat:
    """The arrays of nodes given breadth first, each one's split being None at a leaf."""
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
        np.zeros((n, 0)) if values is None else np.asarray(values, np.float64),
        np.array([-1 if split is None else split.gaps for split in splits], dtype=np.int32),
    )


def trimmed(flat: Flat, opened: NDArray[np.bool_], n_values: Sequence[int]) -> Flat:
    """The tree in which only the `opened` nodes ask; the others become leaves.

    What is below a leaf is left out. `n_values` is 0 for a continuous attribute.
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
    by_value = np.array([*n_values, 0])[attr]  # a leaf, -1, finds the last entry
    by_cut = np.where(asks & (by_value == 0), width - 1, 0)
    start = np.where(by_value > 0, np.cumsum(by_value) - by_value, np.cumsum(by_cut) - by_cut)
    start = np.where(asks, start, 0)
    routes = flat.routes[ranges(flat.start[ids], by_value)]
    cuts = flat.cuts[ranges(flat.start[ids], by_cut)]
    gaps = np.where(asks, flat.gaps[ids], -1).astype(np.int32)
    return Flat(attr, first, width, start, cuts, routes, flat.counts[ids], flat.values[ids], gaps)


def ranges(start: Ints, sizes: Ints) -> Ints:
    """The positions of several segments, one after the other: CSR offsets spread out."""
    begin = np.cumsum(sizes) - sizes
    return np.repeat(start - begin, sizes) + np.arange(int(sizes.sum()))
