"""The fast forest: many trees grow in step, a level at a time, in numpy.

Each tree is the one that :mod:`~.textbook` grows, exactly: both draw by place, both cost by the
criterion, and ties go to the first attribute and the lowest cut in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.chance import mix
from dtree_lab.learn.forest.choosing import branches, choose
from dtree_lab.learn.forest.draws import Urns, root_key
from dtree_lab.learn.forest.laying import Level, laid_out
from dtree_lab.learn.forest.places import Places
from dtree_lab.learn.forest.standing import parted, roots
from dtree_lab.learn.recipe import may_split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.flat import Flat
    from dtree_lab.learn.forest.choosing import Chosen
    from dtree_lab.learn.forest.plan import Plan
    from dtree_lab.learn.forest.standing import Standing
    from dtree_lab.table import Table

    Ints = NDArray[Any]


def grow_batch(
    table: Table, places: Places, plan: Plan, trees: Sequence[int], times: Ints
) -> list[Flat]:
    """Some trees of a forest, as arrays.

    Parameters
    ----------
    table, places
        The training rows, and the same made ready; numbers to predict in ticks.
    plan
        What is asked for.
    trees, times
        Which trees, by number, and how often each row was drawn for each, ``(n_trees, n_rows)``.
    """
    recipe, criterion = plan.recipe, plan.recipe.criterion
    standing = roots(times, places, criterion)
    most = int(standing.weight.max()).bit_length()
    if most > places.weight_bits:
        places = Places.of(table, most)
    levels: list[Level] = []
    child, stats, tree = standing.node, standing.stats, np.arange(len(trees))
    keys = root_key(plan.seed, trees)
    while len(tree):
        may = may_split(criterion.rows(stats), criterion.cost(stats), recipe.stop, len(levels))
        number = np.append(np.where(may, np.cumsum(may) - 1, -1), -1)  # the last for rows at rest
        standing = parted(standing, child, number, stats[may], places)
        urns = Urns(keys[may], places.n_attributes)
        chosen = choose(standing, urns, plan.m, places, recipe)
        levels.append(Level.of(tree, stats, may, chosen))
        asks = chosen.attribute >= 0
        number = np.where(asks, 2 * (np.cumsum(asks) - 1), -1)
        tree = np.repeat(tree[may][asks], 2)
        keys = mix(np.repeat(keys[may][asks], 2), np.arange(len(tree)) % 2)
        child, stats = _children(standing, chosen, number, places, criterion)
    return laid_out(levels, len(trees), places, recipe)


def _children(
    standing: Standing, chosen: Chosen, number: Ints, places: Places, criterion: Criterion
) -> tuple[Ints, Ints]:
    """The child where each row goes, -1 for none, and the statistics of each child."""
    n = 2 * int((number >= 0).sum())
    first = number.take(standing.node)
    child = np.where(first < 0, -1, first + branches(chosen, standing, places)) if n else first
    moves = np.flatnonzero(child >= 0) if (number < 0).any() else slice(None)
    labels = places.labels.take(standing.rows[moves])
    stats = criterion.tally(child[moves], labels, n, places.n_classes, standing.weights[moves])
    return child, stats
