"""Reduced-error pruning, as in the lecture: the cut that removes most validation errors, again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.learn.narrate import narrates
from dtree_lab.learn.pruning.arrays import errors_on
from dtree_lab.learn.pruning.standing import Standing, narrate, run

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from dtree_lab.learn.pruning.cut import Event, PrunedTree
    from dtree_lab.table import Table
    from dtree_lab.tree import Tree

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


def _begin(tree: Tree, validation: Table, *, no_worse: bool) -> tuple[Standing, Iterator[int]]:
    as_leaf, own = errors_on(tree, validation)
    if tree.target.values is not None:
        standing, least = Standing(tree.flat, as_leaf, own), 1.0
    else:  # sums of squares are rounded, so no less than a trace of the root's is a reduction
        standing = Standing(tree.flat, as_leaf, own, per=validation.n_rows)
        least = float(as_leaf[0]) * _TRACE
    return standing, highest_first(standing, least, no_worse=no_worse)


def highest_first(standing: Standing, least: float, *, no_worse: bool) -> Iterator[int]:
    """The node with the highest reduction, each time, as long as it is at least `least`.

    With `no_worse`, as long as it is above ``-least``.
    """
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
