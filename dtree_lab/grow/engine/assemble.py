"""The trees, put together from the levels on which all of them grew."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Bools, Floats, Ints
from dtree_lab.grow.engine.arrays import ranges
from dtree_lab.grow.engine.columns import Columns
from dtree_lab.grow.engine.frontier import ChosenSplits
from dtree_lab.grow.engine.packed import PackedColumns
from dtree_lab.grow.recipe import Recipe
from dtree_lab.tree.arrays import Flat, pool_starts, trimmed
from dtree_lab.tree.splits import midpoint


class Level(NamedTuple):
    """What is known of the nodes of one depth: their trees, statistics, and what they ask.

    Of the nodes that `may` be split something was chosen.
    """

    tree: Ints | None
    stats: Ints
    may: Bools
    chosen: ChosenSplits | None


def assemble(
    levels: list[Level], n_trees: int, columns: Columns | PackedColumns, recipe: Recipe
) -> list[Flat]:
    """The trees, nodes numbered breadth first; opened best first where the whole is limited."""
    stats = np.concatenate([level.stats for level in levels])
    column, width = _of_all(levels, "column", -1), _of_all(levels, "width", 0)
    ends, gain = _of_all(levels, "ends", 0), np.zeros(0, dtype=np.int64)
    if recipe.stop.best_first:
        gain = _of_all(levels, "gain", 0)
    routes = np.concatenate(
        [np.zeros(0, dtype=np.int32), *(one.chosen.routes for one in levels if one.chosen)]
    )
    n_values = columns.n_values
    nodes = np.array([len(stats)])
    if n_trees > 1:
        tree = np.concatenate([level.tree for level in levels if level.tree is not None])
        order, nodes = np.argsort(tree, kind="stable"), np.bincount(tree, minlength=n_trees)
        by_value = n_values.take(columns.attribute.take(column))
        routes = routes[ranges((by_value.cumsum() - by_value)[order], by_value[order])]
        stats, column, width = stats[order], column[order], width[order]
        ends, gain = ends[:, order], gain[order] if len(gain) else gain
    attr = columns.attribute.take(column)
    cut = ((column >= 0) & (n_values.take(attr) == 0)).nonzero()[0]
    begin = columns.begin.take(column.take(cut))
    cuts = midpoint(*columns.values.take(begin + ends.take(cut, axis=1)))
    whole = _Whole(attr, width, stats, gain, cuts, routes)
    if n_trees == 1:
        return [_flat(whole, n_values, recipe)]
    return [_flat(one, n_values, recipe) for one in _tree_by_tree(whole, nodes, n_values)]


class _Whole(NamedTuple):
    """What the nodes of a tree ask, or those of many trees one after the other."""

    attr: Ints
    width: Ints
    stats: Ints
    gain: Ints
    cuts: Floats
    routes: NDArray[np.int32]


def _of_all(levels: list[Level], name: str, rest: int) -> Ints:
    """Something of all nodes; `rest` for those that may not be split."""
    may = np.concatenate([level.may for level in levels])
    arrays = [getattr(level.chosen, name) for level in levels if level.chosen is not None]
    if not arrays:
        return np.full((2, len(may)) if name == "ends" else len(may), rest)
    joined = np.concatenate(arrays, axis=-1)
    spread = np.full((*joined.shape[:-1], len(may)), rest)
    spread[..., may] = joined
    return spread


def _tree_by_tree(whole: _Whole, nodes: Ints, n_values: Ints) -> list[_Whole]:
    """The trees one by one, `nodes` of each."""
    by_value = n_values.take(whole.attr)
    by_cut = (whole.attr >= 0) & (by_value == 0)
    last = nodes.cumsum() - 1
    # Where the nodes, the cuts and the routes of each tree begin and end.
    node, cut, route = (
        [0, *size.cumsum().take(last).tolist()]
        for size in (np.ones_like(whole.width), by_cut, by_value)
    )
    return [
        _Whole(
            whole.attr[node[t] : node[t + 1]],
            whole.width[node[t] : node[t + 1]],
            whole.stats[node[t] : node[t + 1]],
            whole.gain[node[t] : node[t + 1]],
            whole.cuts[cut[t] : cut[t + 1]],
            whole.routes[route[t] : route[t + 1]],
        )
        for t in range(len(nodes))
    ]


def _flat(one: _Whole, n_values: Ints, recipe: Recipe) -> Flat:
    flat = Flat(
        one.attr.astype(np.int32),
        np.where(one.attr >= 0, one.width.cumsum() - one.width + 1, 0).astype(np.int32),
        one.width.astype(np.int32),
        pool_starts(one.attr, one.width, n_values),
        one.cuts,
        one.routes,
        recipe.criterion.counts(one.stats),
    )
    if not recipe.stop.best_first:
        return flat
    opened = opened_best_first(flat, one.stats, one.gain, recipe)
    return trimmed(flat, opened, n_values[:-1].tolist())


def opened_best_first(flat: Flat, stats: Ints, gain: Ints, recipe: Recipe) -> Bools:
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
