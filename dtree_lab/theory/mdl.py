"""Choosing a tree's size by the description-length bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dtree_lab.learn.api import id3
from dtree_lab.shown import bits as in_bits
from dtree_lab.terminal import terminal
from dtree_lab.theory.description import asks_groups, description_bound, description_length
from dtree_lab.tree import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dtree_lab.table import Table
    from dtree_lab.tree import Tree


@dataclass(frozen=True)
class Point:
    """A tree of some size, how well it fits, and what may be expected of it.

    Attributes
    ----------
    leaves, nodes
        Its size.
    bits
        Its description length.
    error
        Its training error.
    bound
        What its error on new rows is below, with probability 1 - δ, if the language was fixed
        before the rows were seen. It is where all attributes are discrete. Cuts are read off the
        rows (:func:`description_length`, Notes): with them it is a guide, not a guarantee.
    """

    leaves: int
    nodes: int
    bits: float
    error: float
    bound: float


@dataclass(frozen=True, repr=False)
class Choice:
    """The sizes that were tried, and the one with the least bound.

    Attributes
    ----------
    curve
        A point for each size, from one leaf up.
    best
        The point with the least bound; the smaller tree in a tie.
    tree
        Its tree.
    delta
        How likely a bound may fail, where it is a guarantee at all; see :class:`Point`.
    """

    curve: tuple[Point, ...]
    best: Point
    tree: Tree
    delta: float

    @terminal
    def __repr__(self) -> str:
        b = self.best
        return (
            f"{b.leaves} of up to {self.curve[-1].leaves} leaves: {in_bits(b.bits)} bits,"
            f" training error {b.error:.3f}, bound {b.bound:.3f}"
        )


def choose_by_mdl(
    table: Table,
    delta: float = 0.05,
    *,
    grower: Callable[..., Tree] = id3,
    sizes: Iterable[int] | None = None,
    **keywords: Any,
) -> Choice:
    """Choose a tree's size by the description-length bound.

    Parameters
    ----------
    table
        Training rows.
    delta
        How likely the bound may fail, between 0 and 1; with continuous attributes it is a guide
        (:class:`Point`).
    grower
        What grows a tree, best first, to ``max_leaves=``.
    sizes
        The limits to try; without it every number of leaves from 1 to that of the full tree.
    **keywords
        The grower's.

    Raises
    ------
    ValueError
        As :func:`description_bound` and the grower do.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> many = dt.datasets.truth_table("and", 12)
    >>> choice = choose_by_mdl(many)
    >>> choice.best.leaves, len(choice.curve)  # one leaf errs in 1 of 4096 rows
    (1, 13)
    """
    full = grower(table, **keywords)
    grouped = any(asks_groups(node) for _, node in walk(full.root))
    limits = range(1, full.n_leaves + 1) if sizes is None else sorted(set(sizes))
    found: dict[int, tuple[Point, Tree]] = {}  # some limits give the same tree
    for limit in limits:
        tree = grower(table, max_leaves=limit, **keywords)
        if tree.n_leaves not in found:
            found[tree.n_leaves] = _point(tree, table, delta, grouped=grouped), tree
    if not found:
        msg = "sizes is empty; give at least one number of leaves"
        raise ValueError(msg)
    best, tree = min(found.values(), key=lambda one: one[0].bound)
    return Choice(tuple(point for point, _ in found.values()), best, tree, delta)


def _point(tree: Tree, table: Table, delta: float, *, grouped: bool) -> Point:
    bits, error = description_length(tree, table, grouped=grouped).bits, tree.error(table)
    bound = description_bound(error, bits, table.n_rows, delta)
    return Point(tree.n_leaves, tree.n_nodes, bits, error, bound)
