"""C4.5's pessimistic pruning: no rows withheld; the training error is believed to be too good."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_whole
from dtree_lab.base.types import Floats, Ints
from dtree_lab.grow.steps import narrates
from dtree_lab.prune.pruned import Event, PrunedTree, PruningMethod
from dtree_lab.prune.reduced import SubtreeErrors, narrate, run
from dtree_lab.tree.subtrees import check_tree, resting
from dtree_lab.tree.tree import Tree

_HALVINGS = 60  # more than the bits of a double
# Limits are found in rounded sums: costs that differ by a smaller share are equal. Such ties are
# no rarity with cf=0.5, where U(E, 2E + 1) is 1/2 and U(E, N) + U(N - 1 - E, N) is 1.
_TRACE = 2.0**-30


def pessimistic(tree: Tree, cf: float = 0.25) -> PrunedTree:
    r"""Prune every subtree that is expected to err no less than a leaf would.

    A leaf that gets E of its N training rows wrong is expected to get ``N * U(E, N)`` of N new
    rows wrong, where U is an upper confidence limit (:func:`upper_limit`), and a subtree as many
    as its leaves together. From the leaves up, a subtree becomes a leaf where that is expected to
    be no worse.

    Parameters
    ----------
    tree
        A classification tree, with the counts of its training rows.
    cf
        The confidence factor, above 0 and at most 0.5; the smaller, the more is cut.

    Returns
    -------
    PrunedTree
        The tree; its `cuts` come from the leaves up, with costs in expected wrong rows.

    Raises
    ------
    TypeError
        For what is no tree.
    ValueError
        For a confidence factor out of range, a regression tree, or weights that are fractions.

    Notes
    -----
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 4. His program differs a little:
    it approximates U where E is at least 1 (U(1, 16) is 0.157 in the book and 0.160 here), lets a
    leaf be worse by 0.1 of a row, and may also raise a branch into its parent's place. Subtree
    raising is left out here: a cut only ever makes a leaf.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> dt.prune.pessimistic(dt.id3(dt.datasets.tax_fraud())).n_leaves
    1
    """
    return run(tree, *_begin(tree, cf))


@narrates(pessimistic)
def pessimistic_events(tree: Tree, cf: float = 0.25) -> Generator[Event, None, PrunedTree]:
    """The cuts of :func:`pessimistic`, one after the other."""
    return narrate(tree, *_begin(tree, cf))


def _begin(tree: Tree, cf: float) -> tuple[SubtreeErrors, Iterator[int]]:
    check_tree(tree)
    if tree.target.values is None:
        msg = (
            f"this tree predicts {tree.target.name!r}, a number; pessimistic pruning counts wrong"
            " rows. Prune it with dt.prune.reduced_error or cost_complexity"
        )
        raise ValueError(msg)
    if tree.weight_unit != 1:
        msg = (
            "the training rows of this tree weigh fractions, and pessimistic pruning counts whole"
            " rows; give whole weights, or prune with dt.prune.cost_complexity"
        )
        raise ValueError(msg)
    _check_factor(cf)
    as_leaf = _expected(tree.flat.counts, tree.flat.majority, cf)
    own = _expected(resting(tree.flat), tree.flat.majority, cf)
    standing = SubtreeErrors(tree.flat, as_leaf, own)
    return standing, _leaves_up(standing)


def _expected(counts: Ints, majority: NDArray[Any], cf: float) -> Floats:
    """How many of each node's rows are expected to be wrong, answered by its majority."""
    rows = counts.sum(axis=1)
    wrong = rows - counts[np.arange(len(rows)), majority]
    # Many nodes have the same few counts, and each limit takes sixty sums.
    pairs, back = np.unique(np.stack([wrong, rows], axis=1), axis=0, return_inverse=True)
    expected: Floats = rows * _limits(pairs[:, 0], pairs[:, 1], cf)[back.reshape(-1)]
    return expected


def _leaves_up(standing: SubtreeErrors) -> Iterator[int]:
    """Each node that is no worse as a leaf; a child's number is above its parent's."""
    for node in np.flatnonzero(standing.asks)[::-1].tolist():
        if standing.as_leaf[node] <= standing.below[node] * (1 + _TRACE):
            yield node
            standing.cut(node)


def upper_limit(errors: int, rows: int, cf: float = 0.25) -> float:
    r"""The error rate so high that so few errors would be seen with a chance of only `cf`.

    It is the p that solves

    .. math:: \sum_{i=0}^{E} \binom{N}{i} p^i (1-p)^{N-i} = CF

    found by bisection: the upper limit of Clopper and Pearson (1934), Biometrika 26, 404-413.

    Parameters
    ----------
    errors, rows
        E wrong among N rows.
    cf
        The confidence factor, above 0 and at most 0.5.

    Returns
    -------
    float
        Between ``errors / rows`` and 1; for no errors, ``1 - cf ** (1 / rows)``.

    Raises
    ------
    TypeError
        For counts that are not whole numbers.
    ValueError
        For counts without 0 <= errors <= rows or without rows, or a confidence factor out of range.

    Examples
    --------
    >>> [round(upper_limit(0, n), 3) for n in (6, 9, 1)]
    [0.206, 0.143, 0.75]
    """
    _check_factor(cf)
    for name, n in (("errors", errors), ("rows", rows)):
        if not is_whole(n):
            msg = f"{name}={n!r} must be a whole number"
            raise TypeError(msg)
    if not 0 <= errors <= rows or rows < 1:
        msg = f"errors={errors} must lie between 0 and rows={rows}, which must be at least 1"
        raise ValueError(msg)
    return float(_limits(np.array([errors]), np.array([rows]), cf)[0])


def _check_factor(cf: Any) -> None:
    kinds = (int, float, np.integer, np.floating)
    if isinstance(cf, bool) or not isinstance(cf, kinds) or not 0 < cf <= 0.5:  # noqa: PLR2004
        msg = (
            f"cf={cf!r} must be a number above 0 and at most 0.5, for instance 0.25; above one"
            " half the limit could lie below the error that was seen"
        )
        raise ValueError(msg)


def _limits(errors: Ints, rows: Ints, cf: float) -> Floats:
    """The upper limits of many pairs of counts at once; 1 where all rows are wrong."""
    limits = np.ones(len(rows))
    some = np.flatnonzero(errors < rows)
    if some.size:
        limits[some] = _bisected(errors[some], rows[some], cf)
    return limits


def _bisected(errors: Ints, rows: Ints, cf: float) -> Floats:
    """The limits where not all rows are wrong."""
    # With p at least E / N, the terms fall off below i = E at least as fast as a Gaussian with
    # standard deviation sqrt(E), so those further away than this add nothing to a double.
    width = np.minimum(errors, (12 * np.sqrt(errors)).astype(np.int64) + 40) + 1
    begin = np.cumsum(width) - width
    pair = np.repeat(np.arange(len(rows)), width)
    i = errors[pair] - (np.arange(int(width.sum())) - begin[pair])
    rest = rows[pair] - i
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, rows.max() + 1)))))
    log_choose = log_factorial[rows[pair]] - log_factorial[i] - log_factorial[rest]
    low, high = errors / rows, np.ones(len(rows))
    for _ in range(_HALVINGS):
        p = (low + high) / 2
        terms = np.exp(log_choose + i * np.log(p)[pair] + rest * np.log1p(-p)[pair])
        too_likely = np.add.reduceat(terms, begin) > cf
        low, high = np.where(too_likely, p, low), np.where(too_likely, high, p)
    return (low + high) / 2


PESSIMISTIC = PruningMethod(
    name="pessimistic",
    title="Pessimistic (C4.5)",
    about="No validation rows are needed: at each node the training error is believed to be as high"
    " as the confidence allows, and a subtree that is then expected to err no less than a leaf"
    " becomes one. The smaller the confidence, the more is cut.",
    step="Make the next cut",
    prune=pessimistic,
    needs=("cf",),
    unit="expected wrong training rows",
    columns=("Expected", "As a leaf"),
)
