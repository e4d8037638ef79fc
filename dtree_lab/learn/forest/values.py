"""The best two groups of values by each discrete attribute that was drawn, at each node.

What a node can do with an attribute that it drew is what :mod:`dtree_lab.learn.groups` finds for a
whole level and one attribute; a node and an attribute together stand for a node there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.groups import best_of
from dtree_lab.learn.level import Level

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.forest.places import Places
    from dtree_lab.learn.forest.standing import Standing
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]

# Rows handled at a time.
_AT_A_TIME = 1 << 18


@dataclass(frozen=True, eq=False)
class Grouped:
    """The best two groups of values of some pairs of a node and an attribute.

    Attributes
    ----------
    after
        Cost of the two groups, -1 where there are no two; shape ``(n_pairs,)``.
    pair, value, branch
        Which value takes which branch for which pair; shape ``(n_values_present,)``.
    """

    after: Ints
    pair: Ints
    value: Ints
    branch: Ints


def best_groups(
    nodes: Ints, attribute: Ints, standing: Standing, places: Places, recipe: Recipe
) -> Grouped:
    """The best two groups of values of each pair of a node and a discrete attribute."""
    sizes = standing.size[nodes]
    part = np.cumsum(sizes) // _AT_A_TIME
    begins = np.flatnonzero(np.diff(part, prepend=-1)).tolist()
    found = []
    for begin, end in zip(begins, [*begins[1:], len(nodes)], strict=True):
        some = slice(begin, end)
        one = _best(nodes[some], attribute[some], standing, places, recipe)
        found.append(Grouped(one.after, one.pair + begin, one.value, one.branch))
    return Grouped(
        *(
            np.concatenate([getattr(one, name) for one in found])
            for name in ("after", "pair", "value", "branch")
        )
    )


def _best(
    nodes: Ints, attribute: Ints, standing: Standing, places: Places, recipe: Recipe
) -> Grouped:
    sizes = standing.size[nodes]
    pair = np.repeat(np.arange(len(nodes)), sizes)
    along = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    at = standing.start[nodes][pair] + along
    # Rows stand as often as they were drawn.
    times = standing.weight.take(at)
    pair, row = np.repeat(pair, times), np.repeat(standing.row.take(at), times)
    stats = standing.stats[nodes]
    level = Level(
        pair, stats, recipe.criterion.rows(stats), places.labels.take(row), places.n_classes
    )
    n_values = int(places.n_values[attribute].max())
    best = best_of(places.place(attribute[pair], row), n_values, level, recipe)
    assert best.values is not None  # noqa: S101 - those of a discrete attribute
    return Grouped(best.after[0], best.values.node, best.values.place, best.values.branch)
