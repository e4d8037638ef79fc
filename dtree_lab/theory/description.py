r"""Minimum description length: a tree that takes fewer bits to write down is trusted more.

With probability at least 1 - δ over m training rows, the error L_D(h) of *all* trees h on new rows
is at most :func:`description_bound` of their training errors L_S(h) and of \|h\|, the length of h
in bits in a prefix-free language that is fixed before the rows are seen. A tree of n nodes over d
binary features and two classes takes n + 1 blocks of log2(d + 3) bits: one for each node, depth
first (d questions, two answers), and one that says the end. :func:`choose_by_mdl` goes by it.

Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, theorem 7.7 and
section 18.1. (The book drops the factor ln 2 ≈ 0.69, which makes its bound a little larger.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import log, log2, sqrt
from typing import Any

import numpy as np

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import bits as in_bits
from dtree_lab.grow.api import id3
from dtree_lab.grow.prepare import check_classes
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import ByValue, Intervals
from dtree_lab.tree.tree import Branch, Node, Tree, walk


def description_bound(error: float, bits: float, rows: int, delta: float = 0.05) -> float:
    r"""The bound on the error of new rows.

    .. math:: L_S + \sqrt{(|h| \ln 2 + \ln(2/\delta)) / (2m)}

    Parameters
    ----------
    error
        The training error L_S, between 0 and 1.
    bits
        The description length \|h\|, in bits.
    rows
        The number m of training rows.
    delta
        How likely the bound may fail, between 0 and 1.

    Returns
    -------
    float
        A share of rows. Above 1 it says nothing, which is the rule for small tables: what counts
        then is which tree has the least.

    Raises
    ------
    ValueError
        Naming the argument that is out of range.

    Examples
    --------
    >>> round(description_bound(0.0, 100, 10_000, delta=0.05), 4)
    0.0604
    """
    for name, given, ok in (
        ("error", error, 0 <= error <= 1),
        ("bits", bits, 0 <= bits < np.inf),
        ("delta", delta, 0 < delta < 1),
    ):
        if not ok:
            span = "finite and at least 0" if name == "bits" else "between 0 and 1"
            raise ValueError(f"{name}={given!r} must be {span}")
    rows = checked_whole("rows", rows, 1, 10**18)
    return error + sqrt((bits * log(2) + log(2 / delta)) / (2 * rows))


@dataclass(frozen=True)
class Description:
    """How long it takes to write a tree down."""

    n_nodes: int  # to write: those of the tree, and see `description_length`
    n_questions: int  # how many there are to choose from: d
    n_classes: int  # how many answers

    @property
    def bits_per_block(self) -> float:
        """log2(d + number of classes + 1): d + 3 kinds of blocks with two classes."""
        return log2(self.n_questions + self.n_classes + 1)

    @property
    def bits(self) -> float:
        """(n + 1) log2(d + 3) with two classes."""
        return (self.n_nodes + 1) * self.bits_per_block


def description_length(tree: Tree, table: Table, *, grouped: bool | None = None) -> Description:
    """How many bits a tree takes in the language of the book, extended to all questions.

    Parameters
    ----------
    tree
        A tree grown on the table.
    table
        Its training rows: they say which thresholds there are.
    grouped
        Whether discrete attributes are asked in two groups of values, as :func:`dtree_lab.cart`
        does; without it, whether the tree does.

    Raises
    ------
    ValueError
        For a tree that was grown on other attributes.

    Notes
    -----
    The questions: one for each discrete attribute (or 2^(v-1) - 1, all ways to part v values in
    two groups), and one for each threshold between neighbouring values of a continuous one. A node
    that asks a discrete attribute is followed by a tree for each of its values; one that had no
    training rows answers as its node would, so it is written as a leaf. A node with several cuts
    is written as that many nodes with one.

    The theorem wants the language fixed in advance. With discrete attributes it is. Thresholds are
    read off the training rows, so with them the bound is a guide rather than a guarantee.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.truth_table("or", 3)
    >>> found = description_length(dt.id3(table), table)
    >>> found.n_nodes, found.n_questions, round(found.bits, 2)  # 8 log2(3 + 3)
    (7, 3, 20.68)
    """
    check_classes(table)
    if tree.attributes != table.attributes or tree.target != table.target:
        raise ValueError("the tree was grown on other attributes than the table's")
    nodes = [node for _, node in walk(tree.root)]
    if grouped is None:
        grouped = any(map(asks_groups, nodes))
    asked = sum(_written(node, table, grouped=grouped) for node in nodes)
    return Description(asked, _n_questions(table, grouped=grouped), len(table.classes))


def asks_groups(node: Node) -> bool:
    """Whether a node has several values of a discrete attribute on one branch."""
    match node:
        case Branch(split=ByValue(groups=groups)):
            return any(len(group) > 1 for group in groups)
        case _:
            return False


def _written(node: Node, table: Table, *, grouped: bool) -> int:
    """The nodes that a node is written as, its children left out."""
    match node:
        case Branch(split=Intervals(cuts=cuts)):
            return len(cuts)
        case Branch(split=ByValue() as split) if not grouped:
            return 1 + table.attributes[split.attribute].n_values - split.n_branches
        case _:
            return 1


def _n_questions(table: Table, *, grouped: bool) -> int:
    n = 0
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        if attribute.values is None:
            n += len(np.unique(column)) - 1
        else:
            n += 2 ** (attribute.n_values - 1) - 1 if grouped else 1
    return n


@dataclass(frozen=True)
class BoundPoint:
    """A tree of some size, how well it fits, and what may be expected of it."""

    leaves: int
    nodes: int
    bits: float  # its description length
    error: float  # its training error
    # What its error on new rows is below, with probability 1 - δ, if the language was fixed before
    # the rows were seen. It is where all attributes are discrete. Cuts are read off the rows
    # (`description_length`, Notes): with them it is a guide, not a guarantee.
    bound: float


@dataclass(frozen=True, repr=False)
class BoundChoice:
    """The sizes that were tried, and the one with the least bound."""

    curve: tuple[BoundPoint, ...]  # a point for each size, from one leaf up
    best: BoundPoint  # the point with the least bound; the smaller tree in a tie
    tree: Tree  # of that point
    delta: float  # how likely a bound may fail, where it is a guarantee at all; see `BoundPoint`

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
) -> BoundChoice:
    """Choose a tree's size by the description-length bound.

    Parameters
    ----------
    table
        Training rows.
    delta
        How likely the bound may fail, between 0 and 1; with continuous attributes it is a guide
        (:class:`BoundPoint`).
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
    found: dict[int, tuple[BoundPoint, Tree]] = {}  # some limits give the same tree
    for limit in limits:
        tree = grower(table, max_leaves=limit, **keywords)
        if tree.n_leaves not in found:
            found[tree.n_leaves] = _point(tree, table, delta, grouped=grouped), tree
    if not found:
        raise ValueError("sizes is empty; give at least one number of leaves")
    best, tree = min(found.values(), key=lambda choice: choice[0].bound)
    return BoundChoice(tuple(point for point, _ in found.values()), best, tree, delta)


def _point(tree: Tree, table: Table, delta: float, *, grouped: bool) -> BoundPoint:
    bits, error = description_length(tree, table, grouped=grouped).bits, tree.error(table)
    bound = description_bound(error, bits, table.n_rows, delta)
    return BoundPoint(tree.n_leaves, tree.n_nodes, bits, error, bound)
