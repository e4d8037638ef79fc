"""What each open node asks: the best of the attributes that it draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.forest.cuts import best_cuts
from dtree_lab.learn.forest.values import best_groups
from dtree_lab.learn.recipe import enough_gain, merit
from dtree_lab.splits import midpoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.forest.draws import Urns
    from dtree_lab.learn.forest.places import Places
    from dtree_lab.learn.forest.standing import Standing
    from dtree_lab.learn.forest.values import Grouped
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the open nodes ask.

    Attributes
    ----------
    attribute
        The attribute that each asks, -1 if it becomes a leaf.
    low
        The last place of the first branch, where it cuts.
    cut
        The cut itself, where the attribute is continuous.
    start
        Where each node's part of `routes` begins, where the attribute is discrete.
    routes
        The branch of each value, -1 for none, for the nodes that ask discrete attributes.
    gain
        The settled gain of each.
    """

    attribute: Ints
    low: Ints
    cut: NDArray[np.float64]
    start: Ints
    routes: NDArray[np.int32]
    gain: Ints


class _Best:
    """The best candidate of each node so far."""

    def __init__(self, standing: Standing, recipe: Recipe, places: Places) -> None:
        n = standing.n
        self.recipe = recipe
        self.places = places
        self.before = recipe.criterion.cost(standing.stats)
        self.gain = np.full(n, -1)
        self.attribute = np.full(n, places.n_attributes)
        self.after, self.low, self.high = (np.full(n, -1) for _ in range(3))
        self.grouped: list[tuple[Ints, Ints, Grouped]] = []

    def take(self, nodes: Ints, drawn: Ints, after: Ints, low: Ints, high: Ints) -> None:
        """Keep the best candidate of some nodes that had none; all else of ``(n, n_drawn)``."""
        gain = merit(self.recipe, self.before[nodes][:, None], after, None)
        most = gain.max(axis=1)
        first = np.where(gain == most[:, None], drawn, self.places.n_attributes).min(axis=1)
        at = np.flatnonzero(most >= 0)
        slot = (drawn[at] == first[at, None]).argmax(axis=1)
        nodes = nodes[at]
        self.gain[nodes], self.attribute[nodes] = most[at], first[at]
        for kept, found in ((self.after, after), (self.low, low), (self.high, high)):
            kept[nodes] = found[at, slot]


def choose(standing: Standing, urns: Urns, n_drawn: int, places: Places, recipe: Recipe) -> Chosen:
    """What each open node asks: the best of the `n_drawn` attributes that it draws.

    A node whose rows none of these can split goes on drawing, one by one, until an attribute can.
    """
    best = _Best(standing, recipe, places)
    waiting, more = np.arange(standing.n), min(n_drawn, places.n_attributes)
    while more and len(waiting):
        drawn = np.stack([urns.draw(waiting) for _ in range(more)], axis=1)
        after = _look(waiting, drawn, standing, best)
        waiting = waiting[(after < 0).all(axis=1)]
        more = int(urns.drawn[waiting].min(initial=places.n_attributes) < places.n_attributes)
    return _decide(best, standing)


def _look(nodes: Ints, drawn: Ints, standing: Standing, best: _Best) -> Ints:
    """Find the best split by each attribute drawn; what each would cost."""
    places, recipe = best.places, best.recipe
    by_cut = places.by_cut[drawn]
    if by_cut.all():
        found = best_cuts(nodes, drawn, standing, places, recipe)
        best.take(nodes, drawn, found.after, found.low, found.high)
        return found.after
    after, low, high = (np.full(drawn.shape, -1) for _ in range(3))
    at, slot = np.nonzero(by_cut)
    if len(at):
        one = best_cuts(nodes[at], drawn[at, slot][:, None], standing, places, recipe)
        after[at, slot], low[at, slot], high[at, slot] = (
            one.after[:, 0],
            one.low[:, 0],
            one.high[:, 0],
        )
    at, slot = np.nonzero(~by_cut)
    if len(at):
        some = best_groups(nodes[at], drawn[at, slot], standing, places, recipe)
        after[at, slot] = some.after
        best.grouped.append((nodes[at], drawn[at, slot], some))
    best.take(nodes, drawn, after, low, high)
    return after


def _decide(best: _Best, standing: Standing) -> Chosen:
    """Ask what is best wherever it gains enough."""
    criterion, places = best.recipe.criterion, best.places
    splits = best.gain >= 0
    splits &= enough_gain(
        best.recipe, np.maximum(best.before - best.after, 0), criterion.rows(standing.stats)
    )
    attribute = np.where(splits, best.attribute, -1)
    values = places.n_values[attribute]
    numbers = np.flatnonzero(splits & (values == 0))
    cut = np.zeros(standing.n)
    first = places.begin[attribute[numbers]]
    cut[numbers] = midpoint(
        places.values[first + best.low[numbers]], places.values[first + best.high[numbers]]
    )
    start = np.cumsum(values) - values
    routes = np.full(int(values.sum()), -1, dtype=np.int32)
    two = np.flatnonzero(values == 2)  # noqa: PLR2004 - first the lower value, then the other
    routes[start[two]], routes[start[two] + 1] = 0, 1
    for nodes, drawn, found in best.grouped:
        mine = np.flatnonzero((attribute[nodes] == drawn)[found.pair])
        pair = found.pair[mine]
        routes[start[nodes[pair]] + found.value[mine]] = found.branch[mine]
    return Chosen(attribute, best.low, cut, start, routes, best.gain)


def branches(chosen: Chosen, standing: Standing, places: Places) -> Ints:
    """The branch of each row, 0 or 1; whatever it is at a node that becomes a leaf."""
    asked = chosen.attribute.take(standing.node)
    place = places.place(np.maximum(asked, 0), standing.rows)
    branch = (place > chosen.low.take(standing.node)).astype(np.int64)
    if not places.by_cut.all():
        among = np.flatnonzero(places.n_values[asked] > 2)  # noqa: PLR2004
        start = chosen.start.take(standing.node.take(among))
        branch[among] = chosen.routes.take(start + place.take(among))
    return branch
