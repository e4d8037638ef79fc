"""The trees of a batch, laid out one by one from the levels on which all of them grew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.flat import Flat, trimmed
from dtree_lab.learn.bestfirst import opened_best_first
from dtree_lab.learn.level import stretches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.forest.choosing import Chosen
    from dtree_lab.learn.forest.places import Places
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Level:
    """The nodes of one depth, tree by tree.

    Attributes
    ----------
    tree
        The tree of each.
    stats
        Its statistics.
    attribute
        The attribute that it asks, -1 for none.
    gain
        The settled gain of asking, 0 for none.
    cut
        Where it cuts, if the attribute is continuous.
    start
        Where its part of `routes` begins, if the attribute is discrete.
    routes
        The branch of each value for all nodes that ask discrete attributes.
    """

    tree: Ints
    stats: Ints
    attribute: Ints
    gain: Ints
    cut: NDArray[np.float64]
    start: Ints
    routes: NDArray[np.int32]

    @classmethod
    def of(cls, tree: Ints, stats: Ints, may: NDArray[np.bool_], chosen: Chosen) -> Level:
        """A level of nodes, of which some may be split and have chosen what to ask."""

        def spread(of: NDArray[Any], rest: float) -> NDArray[Any]:
            spread = np.full(len(may), rest, dtype=of.dtype)
            spread[may] = of
            return spread

        return cls(
            tree,
            stats,
            spread(chosen.attribute, -1),
            spread(chosen.gain, 0),
            spread(chosen.cut, 0),
            spread(chosen.start, 0),
            chosen.routes,
        )


def laid_out(levels: list[Level], n_trees: int, places: Places, recipe: Recipe) -> list[Flat]:
    """The trees, nodes numbered breadth first; opened best first where the whole is limited."""
    tree = np.concatenate([level.tree for level in levels])
    order = np.argsort(tree, kind="stable")

    def joined(name: str) -> NDArray[Any]:
        joined: NDArray[Any] = np.concatenate([getattr(level, name) for level in levels])
        return joined[order]

    attr, stats, gain = joined("attribute").astype(np.int32), joined("stats"), joined("gain")
    by_value = places.n_values[attr]
    routes = np.concatenate([level.routes for level in levels])
    if len(routes):
        lengths = [len(level.routes) for level in levels]
        earlier = np.repeat(np.cumsum(lengths) - lengths, [len(level.tree) for level in levels])
        routes = routes[stretches(joined("start") + earlier[order], by_value)]
    numbers = (attr >= 0) & (by_value == 0)
    cuts = joined("cut")[numbers]
    width = np.where(attr >= 0, 2, 0).astype(np.int32)
    nodes = np.bincount(tree, minlength=n_trees)
    first = np.where(attr >= 0, _begins(width, nodes) + 1, 0).astype(np.int32)
    start = np.where(numbers, _begins(numbers, nodes), _begins(by_value, nodes))
    start[attr < 0] = 0
    counts = recipe.criterion.counts(stats)
    node_ends = np.cumsum(nodes)
    ends = [
        np.concatenate([[0], np.cumsum(size)[node_ends - 1]]).tolist()
        for size in (np.ones_like(tree), numbers, by_value)
    ]
    flats = []
    for t in range(n_trees):
        mine, cut, route = (slice(end[t], end[t + 1]) for end in ends)
        flat = Flat(
            attr[mine],
            first[mine],
            width[mine],
            start[mine],
            cuts[cut],
            routes[route],
            counts[mine],
        )
        if recipe.stop.best_first:
            opened = opened_best_first(flat, stats[mine], gain[mine], recipe)
            flat = trimmed(flat, opened, places.n_values[:-1].tolist())
        flats.append(flat)
    return flats


def _begins(size: Ints, nodes: Ints) -> Ints:
    """Where each node's part begins among those of its tree; `nodes` of each tree."""
    begins = np.cumsum(size) - size
    begins -= np.repeat(begins[np.cumsum(nodes) - nodes], nodes)
    return begins
