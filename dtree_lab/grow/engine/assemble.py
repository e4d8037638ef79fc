"""The trees, put together from the levels on which all of them grew."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from dtree_lab.base.types import Bools, Floats, Ints
from dtree_lab.grow.engine.columns import Columns
from dtree_lab.grow.engine.frontier import ChosenSplits
from dtree_lab.grow.engine.packed import PackedColumns
from dtree_lab.grow.recipe import Recipe
from dtree_lab.tree.arrays import Flat, ranges, trimmed
from dtree_lab.tree.splits import RESTS, midpoint


class Level(NamedTuple):
    """What is known of the nodes of one depth: their trees, statistics, and what they ask."""

    tree: Ints | None
    stats: Ints
    may: Bools
    chosen: ChosenSplits | None


def assemble(
    levels: list[Level], n_trees: int, columns: Columns | PackedColumns, recipe: Recipe
) -> list[Flat]:
    """The trees, nodes numbered breadth first; opened best first where the whole is limited."""
    stats = np.concatenate([level.stats for level in levels])
    may = np.concatenate([level.may for level in levels])
    chosen = [level.chosen for level in levels if level.chosen is not None]
    column = _of_all([one.column for one in chosen], may, -1)
    width = _of_all([one.width for one in chosen], may, 0)
    ends = [_of_all([one.ends[i] for one in chosen], may, 0) for i in (0, 1)]
    gain = np.zeros(0, dtype=np.int64)
    if recipe.stop.best_first:
        gain = _of_all([one.gain for one in chosen], may, 0)
    routes = np.concatenate([np.zeros(0, dtype=np.int32), *(one.routes for one in chosen)])
    n_values = columns.n_values
    nodes = np.array([len(stats)])
    if n_trees > 1:
        tree = np.concatenate([level.tree for level in levels if level.tree is not None])
        order, nodes = np.argsort(tree, kind="stable"), np.bincount(tree, minlength=n_trees)
        if len(routes):
            by_value = n_values.take(columns.attribute.take(column))
            routes = routes[ranges((by_value.cumsum() - by_value)[order], by_value[order])]
        stats, column, width = stats[order], column[order], width[order]
        ends, gain = [end[order] for end in ends], gain[order] if len(gain) else gain
    attr = columns.attribute.take(column)
    by_value = n_values.take(attr)
    inner = column >= 0
    by_cut = inner & (by_value == 0)
    cut = by_cut.nonzero()[0]
    begin = columns.begin.take(column.take(cut))
    low, high = (columns.values.take(begin + end.take(cut)) for end in ends)
    cuts = _cuts_between(low, high, attr.take(cut), recipe)
    start = _begins(by_cut, nodes)
    if len(routes):
        start = np.where(by_value > 0, _begins(by_value, nodes), start)
    whole = Flat(
        attr.astype(np.int32),
        np.where(inner, _begins(width, nodes) + 1, 0).astype(np.int32),
        width.astype(np.int32),
        np.where(inner, start, 0),
        cuts,
        routes,
        recipe.criterion.counts(stats),
        gaps=np.where(inner, recipe.gaps, RESTS).astype(np.int32),
    )
    trees = [whole]
    if n_trees > 1:
        trees = _tree_by_tree(whole, [np.ones_like(width), by_cut, by_value], nodes)
    if not recipe.stop.best_first:
        return trees
    last, made = nodes.cumsum().tolist(), []
    for one, end in zip(trees, last, strict=True):
        mine = slice(end - one.n_nodes, end)
        opened = opened_best_first(one, stats[mine], gain[mine], recipe)
        made.append(trimmed(one, opened, n_values[:-1].tolist()))
    return made


def _cuts_between(low: Floats, high: Floats, attribute: Ints, recipe: Recipe) -> Floats:
    """The cuts between neighbouring values of some attributes."""
    cuts = midpoint(low, high)
    if recipe.release8:
        for a in np.unique(attribute).tolist():
            mine = attribute == a
            cuts[mine] = recipe.release8.cut(a, low[mine], high[mine])
    return cuts


def _of_all(arrays: list[Ints], may: Bools, rest: int) -> Ints:
    """Something of all nodes; `rest` for those that may not be split."""
    spread = np.full(len(may), rest)
    if arrays:
        spread[may] = np.concatenate(arrays)
    return spread


def _begins(size: Ints, nodes: Ints) -> Ints:
    """Where the part of each node begins among those of its tree, `nodes` of each tree."""
    begins: Ints = size.cumsum() - size
    if len(nodes) > 1:
        begins -= begins.take(nodes.cumsum() - nodes).repeat(nodes)
    return begins


def _tree_by_tree(whole: Flat, sizes: list[Ints], nodes: Ints) -> list[Flat]:
    """The trees one by one, `nodes` of each; of each node its nodes, cuts and routes in `sizes`."""
    last = nodes.cumsum() - 1
    ends = [[0, *size.cumsum().take(last).tolist()] for size in sizes]
    trees = []
    for t in range(len(nodes)):
        mine, cut, route = (slice(end[t], end[t + 1]) for end in ends)
        trees.append(
            Flat(
                whole.attr[mine],
                whole.first[mine],
                whole.width[mine],
                whole.start[mine],
                whole.cuts[cut],
                whole.routes[route],
                whole.counts[mine],
            )
        )
    return trees


def opened_best_first(flat: Flat, stats: Ints, gain: Ints, recipe: Recipe) -> Bools:
    """The nodes that are split when the largest gain comes next, within the recipe's limits.

    What a node would ask does not depend on when it is asked, so the full tree is grown first.
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
