"""The methods: the order in which each makes its cuts, and the trees that it passes."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dtree_lab.learn.pruning.arrays import node_at
from dtree_lab.learn.pruning.early import grow_until
from dtree_lab.learn.pruning.path import cost_complexity_path
from dtree_lab.learn.pruning.pessimistic import pessimistic
from dtree_lab.learn.pruning.reduced import highest_first, reduced_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dtree_lab.widgets.pruning.ground import Ground


@dataclass(frozen=True, eq=False)
class Course:
    """A method's cuts in order, from the full tree as far as it goes.

    Attributes
    ----------
    order
        The nodes that are cut, each standing when it is.
    stops
        After how many cuts there is a tree of the method's, increasing, the first 0.
    n_nodes, training, validation
        Of each of these trees: its nodes, which only fall, and its wrong rows.
    end
        The tree at which the method ends, by its place in `stops`. The rest shows what would come.
    prices
        For cost-complexity, the price of a leaf from which each tree is best; None for a full tree
        that is never best, because some of its leaves spare no training row.
    """

    order: tuple[int, ...]
    stops: tuple[int, ...]
    n_nodes: tuple[int, ...]
    training: tuple[int, ...]
    validation: tuple[int, ...]
    end: int
    prices: tuple[float | None, ...] = ()

    def cuts(self, stop: int) -> tuple[int, ...]:
        """The cuts that lead to a tree."""
        return self.order[: self.stops[stop]]


class _Plan(NamedTuple):
    """An order of cuts, its stops, and the nodes of the tree at which the method ends.

    None for an end stands for the fewest wrong validation rows, and of such trees the smallest.
    """

    order: list[int]
    stops: Iterable[int]
    end: int | None
    prices: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Method:
    """A way to prune: its name, what it does in a sentence, and what its next cut is called."""

    name: str
    about: str
    step: str
    plan: Callable[[Ground, float], _Plan]


def course(ground: Ground, method: str, cf: float) -> Course:
    """The trees of a method; the confidence matters to the pessimistic one only."""
    key = (method, cf if method == "pessimistic" else 0.0)
    if key not in ground.courses:
        ground.courses[key] = _course(ground, METHODS[method].plan(ground, cf))
    return ground.courses[key]


def _course(ground: Ground, plan: _Plan) -> Course:
    stops = tuple(plan.stops)
    at = set(stops)
    rows = ground.standing("training"), ground.standing("validation")
    kept = np.ones(ground.flat.n_nodes, dtype=bool)
    told: list[tuple[int, ...]] = []
    for made in range(len(plan.order) + 1):
        if made in at:
            told.append((int(kept.sum()), *(int(one.below[0]) for one in rows)))
        if made < len(plan.order):
            for one in rows:
                gone = one.cut(plan.order[made])[1]
            for stretch in gone:
                kept[stretch] = False
    n_nodes, training, validation = zip(*told, strict=True)
    if plan.end is None:
        end = max(i for i, wrong in enumerate(validation) if wrong == min(validation))
    else:
        end = n_nodes.index(plan.end)
    order = tuple(plan.order)
    return Course(order, stops, n_nodes, training, validation, end, plan.prices)


# -- the plans -------------------------------------------------------------------------------------


def _reduced_error(ground: Ground, _: float) -> _Plan:
    # On beyond its end, for the curve to show what further cuts would do.
    order = list(highest_first(ground.standing("validation"), inf, no_worse=True))
    end = reduced_error(ground.full, ground.validation).n_nodes
    return _Plan(order, range(len(order) + 1), end)


def _cost_complexity(ground: Ground, _: float) -> _Plan:
    path = cost_complexity_path(ground.full)
    end = path[int(path.at(path.best(ground.validation)))].n_nodes
    stops, prices = path.n_cuts.tolist(), path.alphas.tolist()
    if stops[0]:
        stops, prices = [0, *stops], [None, *prices]
    return _Plan(path.links.node.tolist(), stops, end, tuple(prices))


def _pessimistic(ground: Ground, cf: float) -> _Plan:
    tree = pessimistic(ground.full, cf)
    order = [node_at(ground.flat, cut.path) for cut in tree.cuts]
    return _Plan(order, range(len(order) + 1), tree.n_nodes)


def _breadth_first(ground: Ground, _: float) -> _Plan:
    # Growing breadth first, told backwards: the last question is the first to go.
    order = np.flatnonzero(ground.flat.attr >= 0)[::-1].tolist()
    end = grow_until(lambda _: ground.full, ground.training, ground.validation).n_nodes
    return _Plan(order, range(len(order) + 1), end)


def _max_depth(ground: Ground, _: float) -> _Plan:
    order = np.flatnonzero(ground.flat.attr >= 0)[::-1]  # breadth first, so the deepest are last
    return _Plan(order.tolist(), _ends(ground.flat.depth[order].tolist()), None)


def _min_rows(ground: Ground, _: float) -> _Plan:
    asks = np.flatnonzero(ground.flat.attr >= 0)[::-1]
    rows = ground.flat.counts.sum(axis=1)
    order = asks[np.argsort(rows[asks], kind="stable")]
    return _Plan(order.tolist(), _ends(rows[order].tolist()), None)


def _ends(values: list[int]) -> list[int]:
    """Where runs of equal values end, and 0."""
    runs = range(1, len(values) + 1)
    return [0, *(i for i in runs if i == len(values) or values[i] != values[i - 1])]


METHODS = {
    "reduced_error": Method(
        "Reduced error",
        "Of all nodes, prune the one whose removal spares most validation rows a wrong answer;"
        " measure anew; stop when no cut lowers the validation error.",
        "Prune the best node",
        _reduced_error,
    ),
    "cost_complexity": Method(
        "Cost-complexity (CART)",
        "A leaf costs alpha. As alpha rises, the weakest link gives first: the node with the least"
        " g, the training error that its subtree spares for each leaf more. Validation rows then"
        " choose among the trees.",
        "Cut the weakest link",
        _cost_complexity,
    ),
    "pessimistic": Method(
        "Pessimistic (C4.5)",
        "No validation rows are needed: at each node the training error is believed to be as high"
        " as the confidence allows, and a subtree that is then expected to err no less than a leaf"
        " becomes one. The smaller the confidence, the more is cut.",
        "Make the next cut",
        _pessimistic,
    ),
    "max_depth": Method(
        "Early stopping: depth",
        "The tree would not have grown beyond a depth. Validation rows choose which.",
        "One level less",
        _max_depth,
    ),
    "min_rows": Method(
        "Early stopping: rows at a node",
        "A node with too few training rows would not have been split. Validation rows choose how"
        " few are too few.",
        "Ask for more rows",
        _min_rows,
    ),
    "breadth_first": Method(
        "Early stopping: breadth first",
        "Grow level by level, and stop after a whole level that brought no lower validation error."
        " Seen backwards: the last question goes first.",
        "Take the last question back",
        _breadth_first,
    ),
}
