"""What the nodes of a level ask, and where that sends their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dtree_lab.learn.recipe import enough_gain, merit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.level import Best, Level
    from dtree_lab.learn.look import Look
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]


class Asked(NamedTuple):
    """What the nodes of a level that may be split ask; all of shape ``(n,)`` but `routes`.

    Attributes
    ----------
    column
        Which of the columns looked at, -1 for a node that stays a leaf.
    ends
        For a continuous column: the ranks of the values next to the cut, below and above; shape
        ``(2, n)``.
    gain
        The settled gain; nothing unless the tree is grown best first.
    width
        How many branches.
    start, routes
        For a discrete column: where the branches of its values begin in `routes`. Nothing
        when no column is discrete.
    """

    column: Ints
    ends: Ints
    gain: Ints
    width: Ints
    start: Ints
    routes: NDArray[np.int32]


def ask(level: Level, look: Look, recipe: Recipe) -> Asked:
    """What the nodes ask: the attribute that wins, where its gain is enough."""
    best = [block.best(level, recipe) for block in look.blocks]
    if len(best) == 1 and len(best[0].after) == 1:
        won = _only(best[0], level)
    else:
        won = _winners(best, level, look, recipe)
    before, after, column, ends = won
    splits = after >= 0
    if recipe.stop.min_gain:
        splits &= enough_gain(recipe, np.maximum(before - after, 0), level.sizes)
    gain: Ints = np.zeros(0, dtype=np.int64)
    if recipe.stop.best_first:
        settle = recipe.criterion.settle
        gain = np.maximum(settle(before) - settle(after), 0)
    column = np.where(splits, column, -1)
    return Asked(column, ends, gain, *_branches(best, column, look))


def _only(best: Best, level: Level) -> tuple[Ints, ...]:
    """What the nodes could ask, when there is but one split of each."""
    nothing = np.zeros((2, level.n), dtype=np.int64)
    return (
        level.cost if best.before is None else best.before[0],
        best.after[0],
        nothing[0] if best.column is None else best.column[0],
        nothing if best.ends is None else best.ends[:, 0],
    )


def _winners(best: list[Best], level: Level, look: Look, recipe: Recipe) -> tuple[Ints, ...]:
    """The cost before and after, the column and the ends of the cut of each node's best split."""
    shapes = [one.after.shape for one in best]

    def joined(arrays: list[Ints | None], rest: Any) -> Ints:
        return np.concatenate(
            [
                np.broadcast_to(rest, shape) if a is None else a
                for a, shape in zip(arrays, shapes, strict=True)
            ]
        )

    after = joined([one.after for one in best], 0)
    before = joined([one.before for one in best], level.cost)
    column = joined([one.column for one in best], 0)
    column += np.repeat(look.slot[: len(best)], [shape[0] for shape in shapes])[:, None]
    info = joined([one.split_info for one in best], 0) if recipe.by_ratio else None
    ranked = merit(recipe, before, after, info)
    # The first attribute wins a tie.
    most = ranked == ranked.max(axis=0)
    row = np.where(most, look.attribute.take(column), len(look.n_values)).argmin(axis=0)
    at = row, np.arange(level.n)
    low, high = (
        joined([None if one.ends is None else one.ends[i] for one in best], 0)[at] for i in (0, 1)
    )
    after = np.where(ranked[at] < 0, -1, after[at])
    return before[at], after, column[at], np.array((low, high))


def _branches(best: list[Best], column: Ints, look: Look) -> tuple[Ints, Ints, NDArray[np.int32]]:
    """How many branches each node has; for the discrete columns, the branches of their values."""
    width = (column >= 0) * 2
    if not look.discrete:
        return width, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)
    lengths = look.n_values.take(look.attribute.take(column))
    start = lengths.cumsum() - lengths
    routes = np.full(int(lengths.sum()), -1, dtype=np.int32)
    for first, one in zip(look.slot, best, strict=False):
        if one.values is not None:
            values = one.values
            mine = (column.take(values.node) == first).nonzero()[0]
            node = values.node.take(mine)
            routes[start.take(node) + values.place.take(mine)] = values.branch.take(mine)
            width[node] = values.width.take(node)
    return width, start, routes


def sides(level: Level, asked: Asked, look: Look) -> Ints:
    """The branch that each row takes, -1 where it rests."""
    rows: Ints = np.arange(level.m) if level.rows is None else level.rows
    block = look.block.take(asked.column)
    asking = set(block.tolist())
    if len(asking) == 1:
        b = asking.pop()
        only: Ints = look.blocks[b].side(rows, level.node, asked, look.slot[b])
        return only
    side: Ints = np.full(level.m, -1)
    of = block.take(level.node)
    for b in asking - {-1}:
        mine = (of == b).nonzero()[0]
        node = level.node.take(mine)
        side[mine] = look.blocks[b].side(rows.take(mine), node, asked, look.slot[b])
    return side
