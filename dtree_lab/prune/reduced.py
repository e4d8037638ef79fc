"""Reduced-error pruning, as in the lecture: the cut that removes most validation errors, again.

What all methods share stands here too: a method is an order of cuts. It looks at
:class:`SubtreeErrors`, names a node, and goes on once the node has been made a leaf. Around any
such order :func:`narrate` tells what happens as a generator of events, and :func:`run` gives only
the tree.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.grow.steps import narrates
from dtree_lab.prune.pruned import (
    Cut,
    CutOrder,
    Event,
    Finished,
    Measured,
    Pruned,
    PrunedTree,
    PruningMethod,
    pruned,
)
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.subtrees import children_from, errors_on, stretches_below, summed_up
from dtree_lab.tree.tree import Path, Tree


class SubtreeErrors:
    """The costs of a tree's nodes while cuts are made. It changes: one for each run.

    A node costs `as_leaf` as a leaf; `own` is what an internal node costs above its children. Costs
    are divided by `per` where they are told; whole numbers stay exact.
    """

    def __init__(
        self, flat: Flat, as_leaf: NDArray[Any], own: NDArray[Any] | None = None, per: float = 1
    ) -> None:
        self.flat, self.as_leaf, self.per = flat, as_leaf, per
        self.asks = flat.attr >= 0  # not of a node that was cut, or is below a cut
        here = np.zeros_like(as_leaf) if own is None else own
        self.below = summed_up(flat, np.where(self.asks, here, as_leaf))
        self.leaves = summed_up(flat, (~self.asks).astype(np.int64))
        self._children = children_from(flat)
        # Lists, because one number at a time is read from them, which is slow in an array.
        self._parent = flat.parent.tolist()
        self._branch = (np.arange(flat.n_nodes) - flat.first[flat.parent]).tolist()

    @property
    def cost(self) -> float:
        """That of the whole tree."""
        whole: float = self.in_unit(self.below[0]).item()
        return whole

    def cost_after(self, node: int) -> float:
        """That of the whole tree, were a node cut."""
        whole: float = self.in_unit(self.below[0] - self.below[node] + self.as_leaf[node]).item()
        return whole

    def in_unit(self, cost: Any) -> Any:
        """Costs in the unit in which they are told; whole numbers stay whole if that is 1."""
        return cost if self.per == 1 else cost / self.per

    def path(self, node: int) -> Path:
        """The branches from the root to a node."""
        path = []
        while node:
            path.append(self._branch[node])
            node = self._parent[node]
        return tuple(reversed(path))

    def cut(self, node: int) -> tuple[list[int], list[slice]]:
        """Make a node a leaf; gives the nodes above it, and the stretches of those below."""
        gone = stretches_below(node, self._children)
        for stretch in gone:
            self.asks[stretch] = False
        more, fewer = self.as_leaf[node] - self.below[node], self.leaves[node] - 1
        above, up = [], self._parent[node]
        while up >= 0:
            above.append(up)
            up = self._parent[up]
        here = [node, *above]
        self.asks[node] = False
        self.below[here] += more
        self.leaves[here] -= fewer
        return above, gone

    def candidate(self, node: int) -> Cut:
        """The cut that could be made at a node."""
        costs = self.below[node], self.as_leaf[node]
        subtree, leaf = (self.in_unit(cost).item() for cost in costs)
        return Cut(self.path(node), subtree, leaf, int(self.leaves[node]))

    def measured(self, turn: int) -> Measured:
        """All cuts that could be made in a round."""
        at = np.flatnonzero(self.asks)
        subtree, leaf = self.in_unit(self.below[at]), self.in_unit(self.as_leaf[at])
        return Measured(turn, self.cost, self.flat, at, subtree, leaf, self.leaves[at])


def run(tree: Tree, standing: SubtreeErrors, order: Iterator[int]) -> PrunedTree:
    """Make the cuts of an order."""
    return pruned(tree, tuple(standing.candidate(node) for node in order))


def narrate(
    tree: Tree, standing: SubtreeErrors, order: Iterator[int]
) -> Generator[Event, None, PrunedTree]:
    """Make the cuts of an order, telling each round."""
    cuts: list[Cut] = []
    for node in order:  # the order waits here, with the cut not yet made
        cut = standing.candidate(node)
        yield standing.measured(len(cuts) + 1)
        cuts.append(cut)
        yield Pruned(len(cuts), cut, standing.cost, standing.cost_after(node))
    yield standing.measured(len(cuts) + 1)
    yield Finished(len(cuts), standing.cost)
    return pruned(tree, tuple(cuts))


# Sums of squares that differ by a smaller share of the whole are equal.
_TRACE = 2.0**-36


def reduced_error(tree: Tree, validation: Table, *, no_worse: bool = False) -> PrunedTree:
    """Prune the node whose removal reduces the validation error most, until none does.

    Withhold about a third of the rows, in random order, before growing
    (:func:`dtree_lab.evaluate.holdout`). For each internal node the errors of its subtree on
    those rows are held against its errors as a leaf with the majority class of its *training*
    rows. The node with the highest reduction becomes a leaf, and all is measured anew.

    Parameters
    ----------
    tree
        A tree, grown on other rows.
    validation
        The withheld rows, with labels.
    no_worse
        Go on where a cut leaves the error as it is, so that the tree gets as small as it can
        without getting worse; a subtree that no validation row reaches is then cut away. By
        default pruning stops, as in the lecture, when the error is no longer reduced.

    Returns
    -------
    PrunedTree
        The tree; its `cuts` are the rounds, in order, with errors counted in validation rows. Of a
        regression tree, with mean squared errors: "error" is that of the numbers answered.

    Raises
    ------
    TypeError
        For what is no tree or no table.
    ValueError
        For a validation table without rows, with another target, or without an attribute of the
        tree.

    Notes
    -----
    Among equal reductions the node nearest to the root, then the leftmost, is cut: of a node and
    one below it the upper, which leaves the smaller tree. Between nodes that are not above one
    another the order of equal cuts changes nothing about the result.

    Highest first is greedy. A cut can remove a node below which two smaller cuts would together
    have removed more errors; pruning from the leaves up would find those.

    Quinlan (1987), Simplifying decision trees, International Journal of Man-Machine Studies 27,
    221-234, has the method; Mitchell (1997), Machine Learning, 3.7.1.1, has `no_worse`; Elomaa and
    Kääriäinen (2001), An analysis of reduced error pruning, JAIR 15, 163-187, compare the variants.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> training, validation = dt.evaluate.holdout(dt.datasets.tax_fraud(), seed=3)
    >>> tree = dt.id3(training)
    >>> smaller = dt.prune.reduced_error(tree, validation)
    >>> smaller.error(validation) <= tree.error(validation)
    True
    >>> smaller.after(0) == tree
    True
    """
    return run(tree, *_begin(tree, validation, no_worse=no_worse))


@narrates(reduced_error)
def reduced_error_events(
    tree: Tree, validation: Table, *, no_worse: bool = False
) -> Generator[Event, None, PrunedTree]:
    """The rounds of :func:`reduced_error`, one after the other."""
    return narrate(tree, *_begin(tree, validation, no_worse=no_worse))


def _begin(tree: Tree, validation: Table, *, no_worse: bool) -> tuple[SubtreeErrors, Iterator[int]]:
    as_leaf, own = errors_on(tree, validation)
    of_numbers = tree.target.values is None
    per = validation.n_ticks if of_numbers else validation.weight_unit
    standing, least = SubtreeErrors(tree.flat, as_leaf, own, per=per), 1.0
    if of_numbers or tree.parts_rows:  # rounded: no less than a trace of the root's is a reduction
        least = float(as_leaf[0]) * _TRACE or float(np.finfo(float).tiny)
    return standing, highest_first(standing, least, no_worse=no_worse)


def highest_first(standing: SubtreeErrors, least: float, *, no_worse: bool) -> Iterator[int]:
    """The node with the highest reduction, each time, while that is `least` or `no_worse`."""
    reduction = np.where(standing.asks, standing.below - standing.as_leaf, -np.inf)
    # The first of several highest is the one that comes first breadth first. A scan of the array
    # takes microseconds; a heap would have to be told of every node above a cut.
    while (best := reduction[node := int(reduction.argmax())]) > -np.inf:
        if not (best > -least if no_worse else best >= least):
            return
        yield node
        above, gone = standing.cut(node)
        reduction[node] = -np.inf
        for stretch in gone:
            reduction[stretch] = -np.inf
        reduction[above] = standing.below[above] - standing.as_leaf[above]


def _onwards(tree: Tree, _: Table, validation: Table, __: float) -> CutOrder:
    # On beyond its end, for a curve to show what further cuts would do.
    errors = errors_on(tree, validation)
    standing = SubtreeErrors(tree.flat, *errors, per=validation.weight_unit)
    order = list(highest_first(standing, inf, no_worse=True))
    return CutOrder(order, range(len(order) + 1), reduced_error(tree, validation).n_nodes)


REDUCED_ERROR = PruningMethod(
    name="reduced_error",
    title="Reduced error",
    about="Of all nodes, prune the one whose removal spares most validation rows a wrong answer;"
    " measure anew; stop when no cut lowers the validation error.",
    step="Prune the best node",
    prune=reduced_error,
    needs=("validation",),
    columns=(),
    plan=_onwards,
    anew=lambda standing: highest_first(standing, 1, no_worse=False),
    called="reduced-error pruning",
    code=(
        "At each question, hold the validation errors of its subtree against those of a leaf.",
        "Cut where that removes most errors: the node becomes a leaf with its majority class.",
        "Start over, until no cut removes an error.",
    ),
    keywords=("no_worse",),
)
