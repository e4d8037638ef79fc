"""CART's cost-complexity pruning: the weakest link is cut, again and again, down to the root.

:class:`CostComplexityPath` has all trees that it leaves, each with the prices of a leaf at which it
is the best.

At what price a node's link gives depends only on what is below it, and on when each of that gives.
So :class:`Links` finds prices from the deepest level up, for all nodes of a level at once: a node
goes along with the cuts below it, the cheapest first, until its own link is no stronger than the
next. Then it is cut itself, and what is left below it never gives.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real
from dtree_lab.base.text import ShownTable
from dtree_lab.base.types import Bools, Floats, Ints
from dtree_lab.criteria.classes import CRITERIA
from dtree_lab.evaluate.folds import ERROR_COLUMNS, Choice
from dtree_lab.grow.steps import narrates
from dtree_lab.prune.pruned import Cut, CutOrder, Event, PrunedTree, PruningMethod, pruned
from dtree_lab.prune.reduced import SubtreeErrors, narrate
from dtree_lab.table.table import Table
from dtree_lab.tree.subtrees import check_tree, errors_on, resting
from dtree_lab.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Links:
    """The cuts from a tree down to its root, the weakest link first; the tree is only looked at."""

    standing: SubtreeErrors
    node: NDArray[np.intp]
    price: Floats  # what a leaf costs when it gives: never falls, one for equally weak links
    rise: NDArray[Any]  # what the cut adds to the cost of the whole tree, as in `standing`
    fewer: Ints  # leaves

    @classmethod
    def of(cls, standing: SubtreeErrors, same: float) -> Links:
        """The links of a tree; prices that are no further apart than `same` are one."""
        found = _Found(standing)
        node = np.sort(found.from_below())
        node = node[np.argsort(found.price[node], kind="stable")]
        prices = np.array(list(_joined(found.price[node].tolist(), same)))
        return cls(standing, node, standing.in_unit(prices), found.rise[node], found.fewer[node])

    def first(self, n: int) -> Links:
        """The first few."""
        node, price = self.node[:n], self.price[:n]
        return Links(self.standing, node, price, self.rise[:n], self.fewer[:n])

    def changes(self, costs: SubtreeErrors) -> NDArray[Any]:
        """What each cut adds to other costs of the same tree, such as its errors on other rows."""
        parent = self.standing.flat.parent
        number = np.full(len(parent) + 1, -1)  # the root's parent, -1, finds the last entry
        number[self.node] = np.arange(len(self.node))
        above = parent[self.node]
        while (further := (above >= 0) & (number[above] < 0)).any():
            above = np.where(further, parent[above], above)
        # A cut and those below it bring a node to its cost as a leaf; theirs were made before.
        together: NDArray[Any] = (costs.as_leaf - costs.below)[self.node]
        changes = together.copy()
        inside = above >= 0
        np.subtract.at(changes, number[above[inside]], together[inside])
        return changes

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts one by one."""
        leaf = self.standing.as_leaf[self.node]
        told = (self.standing.in_unit(cost).tolist() for cost in (leaf - self.rise, leaf))
        each = zip(self.node.tolist(), *told, (self.fewer + 1).tolist(), strict=True)
        return tuple(Cut(self.standing.path(node), *costs) for node, *costs in each)


def _joined(prices: list[float], same: float) -> Iterator[float]:
    price = 0.0
    for p in prices:
        if p > price + same:
            price = p
        yield price


class _Found:
    """What is found about each node while the levels are gone through; arrays as in `Links`."""

    def __init__(self, standing: SubtreeErrors) -> None:
        self.standing = standing
        self.price = np.full(len(standing.as_leaf), np.inf)
        self.rise = np.zeros_like(standing.as_leaf)
        self.fewer = np.zeros_like(standing.leaves)

    def from_below(self) -> NDArray[np.intp]:
        """Find all; gives the nodes that are cut."""
        flat = self.standing.flat
        cut, above = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.int32)
        for depth in reversed(range(int(flat.depth.max()))):
            here = np.flatnonzero((flat.depth == depth) & self.standing.asks)
            order = np.lexsort((self.price[cut], above))
            cut, place = cut[order], np.searchsorted(here, above[order])
            kept = self._give(here, cut, place)
            cut, place = cut[kept], place[kept]
            above = flat.parent[np.concatenate((here[place], here))]
            cut = np.concatenate((cut, here))
        return cut

    def _give(self, here: Ints, cut: Ints, place: Ints) -> Bools:
        """Find the nodes of a level, and which of the cuts below each (`place`) come before it."""
        standing = self.standing
        # For each node a row of states: nothing cut yet, then after each cut.
        size = np.bincount(place, minlength=len(here)) + 1
        start = np.cumsum(size) - size
        state = np.arange(len(cut)) + place + 1
        cost = _running(standing.below[here], self.rise[cut], state, size)
        leaves = _running(standing.leaves[here], -self.fewer[cut], state, size)
        rise = np.repeat(standing.as_leaf[here], size) - cost
        link = rise / (leaves - 1)
        following = np.full(len(link), np.inf)
        following[state - 1] = self.price[cut]
        weaker = np.flatnonzero(link <= following)
        at = weaker[np.searchsorted(weaker, start)]
        # Rounding must not bring a cut before those below it.
        least = np.where(at > start, np.nextafter(following[at - 1], np.inf), 0)
        self.price[here] = np.maximum(link[at], least)
        self.rise[here] = rise[at]
        self.fewer[here] = leaves[at] - 1
        return state <= at[place]


def _running(
    first: NDArray[Any], change: NDArray[Any], state: NDArray[Any], size: NDArray[Any]
) -> NDArray[Any]:
    """Each node's first state and, change by change, those after it; `size` states each."""
    start = np.cumsum(size) - size
    steps = np.zeros(len(first) + len(change), dtype=first.dtype)
    steps[start], steps[state] = first, change
    running = np.cumsum(steps)
    running -= np.repeat(running[start] - first, size)
    return running


# Impurities are rounded, so two links that are equal on paper may differ by this share of a row,
# or of the root's squares.
_ROUNDING = 2.0**-30


def cost_complexity(tree: Tree, alpha: float, *, measure: str = "error") -> PrunedTree:
    """Prune to the tree with the least cost plus `alpha` for each leaf; the smallest in a tie.

    A leaf is paid for in wrong answers, as in the book, unless `measure` says otherwise. In the
    estimators of :mod:`dtree_lab.sklearn`, ``ccp_alpha`` is paid in impurity, as in scikit-learn.

    Parameters
    ----------
    tree
        A tree, with the counts of its training rows.
    alpha
        The price of a leaf, at least 0, in the unit of the measure per training row: with
        ``"error"``, a leaf must spare this share of the training rows a wrong answer.
    measure
        As in :func:`dtree_lab.prune.cost_complexity_path`, which has the method and its source.

    Returns
    -------
    PrunedTree
        The tree; its `cuts` are in the order of their links' strength.

    Raises
    ------
    TypeError
        For what is no tree.
    ValueError
        For a price that is negative or no number, another measure, or a regression tree grown
        on a table with gaps.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> tree = dt.cart(dt.datasets.tax_fraud())
    >>> [dt.prune.cost_complexity(tree, alpha).n_leaves for alpha in (0, 0.09, 0.1)]
    [4, 4, 1]
    """
    links = _links_up_to(tree, alpha, measure)
    return pruned(tree, links.cuts)


@narrates(cost_complexity)
def cost_complexity_events(
    tree: Tree, alpha: float, *, measure: str = "error"
) -> Generator[Event, None, PrunedTree]:
    """The rounds of :func:`cost_complexity`, one after the other."""
    links = _links_up_to(tree, alpha, measure)
    return narrate(tree, links.standing, _one_by_one(links))


def _one_by_one(links: Links) -> Iterator[int]:
    for node in links.node.tolist():
        yield node
        links.standing.cut(node)


def _links_up_to(tree: Tree, alpha: float, measure: str) -> Links:
    links = weakest_first(tree, measure)
    if not is_real(alpha) or not alpha >= 0:
        given = "a choice" if hasattr(alpha, "value") else repr(alpha)
        msg = f"alpha={given} must be a number, at least 0: the price of a leaf"
        msg += ", as the choice's .value is" * (given == "a choice")
        raise ValueError(msg)
    return links.first(int(np.searchsorted(links.price, alpha, side="right")))


def weakest_first(tree: Tree, measure: str) -> Links:
    """The links of a tree; costs of classes are kept in whole numbers."""
    check_tree(tree)
    counts, rest = tree.flat.counts, resting(tree.flat)
    rows = int(counts[0].sum())
    if tree.target.values is None:
        return _of_numbers(tree, measure, rows)
    if measure == "error":
        answer = np.arange(tree.n_nodes), tree.flat.majority
        wrong, own = (some.sum(axis=1) - some[answer] for some in (counts, rest))
        return Links.of(SubtreeErrors(tree.flat, wrong, own, per=rows), same=0)
    if measure not in CRITERIA:
        known = ", ".join(map(repr, ("error", *CRITERIA)))
        raise ValueError(f"measure={measure!r} must be one of {known}")
    criterion = CRITERIA[measure]
    row = 1 / float(criterion.per_row(1, 1))
    costs = SubtreeErrors(tree.flat, criterion.cost(counts), criterion.cost(rest), per=rows * row)
    return Links.of(costs, same=_ROUNDING * row)


def _of_numbers(tree: Tree, measure: str, rows: int) -> Links:
    """The links of a regression tree, by the squares of its rows' distances from their means."""
    if measure not in ("error", "variance"):
        raise ValueError(
            f"measure={measure!r} must be 'error' or 'variance', because the tree predicts numbers"
        )
    if resting(tree.flat).any():
        raise ValueError(
            f"some training rows of this tree for {tree.target.name!r} rest above its leaves,"
            " because they lack a value, and what they cost was not kept; fill the gaps first"
            " (dt.fill_by_proximity), or prune with dt.prune.reduced_error"
        )
    squares = tree.flat.counts[:, 0] * tree.flat.values[:, 1]
    return Links.of(SubtreeErrors(tree.flat, squares, per=rows), same=_ROUNDING * float(squares[0]))


@dataclass(frozen=True, eq=False)
class CostComplexityPath:
    """All trees that are best for some price of a leaf, from the largest to the root alone.

    Each is a pruning of the one before.

    Attributes
    ----------
    tree
        The tree that was pruned.
    measure
        ``"error"``, ``"gini"`` or ``"entropy"``.
    alphas
        Increasing prices of a leaf, the first 0; float64, shape ``(n_trees,)``. Tree k is the
        best (the smallest of the best) for prices from ``alphas[k]`` up to ``alphas[k + 1]``.
    costs
        Each tree's cost without the price of its leaves, per training row; ``(n_trees,)``.
    n_leaves
        Each tree's leaves; int64, ``(n_trees,)``.
    n_cuts
        How many of `cuts` lead to each tree; int64, ``(n_trees,)``.
    links
        The cuts as arrays.
    """

    tree: Tree
    measure: str
    alphas: NDArray[np.float64]
    costs: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    n_cuts: NDArray[np.int64]
    links: Links = field(repr=False)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """All cuts, in order."""
        return self.links.cuts

    def __len__(self) -> int:
        """How many trees."""
        return len(self.alphas)

    def __getitem__(self, k: int) -> PrunedTree:
        """Tree k; raises an IndexError for one that the path does not have."""
        return pruned(self.tree, self.cuts[: int(self.n_cuts[k])])

    def at(self, alphas: Any) -> NDArray[np.intp]:
        """The number of the tree that is best at each price."""
        found: NDArray[np.intp] = np.searchsorted(self.alphas, alphas, side="right") - 1
        return found

    def errors(self, table: Table) -> NDArray[np.float64]:
        """The share of a table's rows that each tree gets wrong, shape ``(n_trees,)``.

        Raises
        ------
        TypeError, ValueError
            For what is no table, one without rows, or one that does not fit the tree.
        """
        standing = SubtreeErrors(self.tree.flat, *errors_on(self.tree, table, "table"))
        wrong = standing.below[0] + np.concatenate(([0], np.cumsum(self.links.changes(standing))))
        errors: NDArray[np.float64] = wrong[self.n_cuts] / table.n_ticks
        return errors

    def best(self, validation: Table) -> float:
        """The price whose tree errs least on withheld rows; the highest (smallest tree) in a tie.

        Raises as :meth:`errors` does.
        """
        errors = self.errors(validation)
        return float(self.alphas[np.flatnonzero(errors == errors.min())[-1]])


@dataclass(frozen=True, repr=False)
class PathChoice(Choice):
    """A price of a leaf, chosen by cross-validation, and the path of all prices: a table.

    From the root down it has each tree's price of a leaf, its leaves, what it costs on the training
    rows (their error, or what else was measured), and its error by cross-validation. The lowest is
    marked, and the smallest tree within one standard error of it. R's `printcp` of rpart has the
    same table, with all errors and the price divided by the root's error.

    Attributes
    ----------
    path
        The path of the tree that was grown on all rows.
    """

    path: CostComplexityPath = field(compare=False)

    @classmethod
    def of(cls, choice: Choice, path: CostComplexityPath) -> PathChoice:
        """A choice among the prices of a path."""
        return cls(**vars(choice), path=path)

    def shown_table(self) -> ShownTable:
        """What is shown."""
        rows = tuple(
            (f"{self.values[k]:.4g}", f"{n:,}", f"{cost:.4f}", *self._measured(k))
            for k, (n, cost) in enumerate(
                zip(self.path.n_leaves.tolist(), self.path.costs.tolist(), strict=True)
            )
        )
        names = ("alpha", "leaves", f"training {self.path.measure}", *ERROR_COLUMNS)
        return ShownTable(self.sentence, names, rows[::-1], (*(True,) * 5, False))


def cost_complexity_path(tree: Tree, *, measure: str = "error") -> CostComplexityPath:
    """The prices of a leaf at which CART's pruning changes the tree, and the trees.

    The cost of a tree is ``R(T) + alpha * leaves``. A node's link is worth
    ``g = (R(as leaf) - R(its subtree)) / (leaves of its subtree - 1)``: the price of a leaf above
    which the node is better as a leaf. The weakest link is cut, g is measured anew, and so on up
    to the root.

    Parameters
    ----------
    tree
        A tree, with the counts of its training rows.
    measure
        What R adds up over the leaves, per training row: ``"error"``, the share of wrong rows, as
        in the book; ``"gini"`` or ``"entropy"``, the impurity, as scikit-learn does. Of a
        regression tree the variance of the rows' numbers, whichever of ``"error"`` and
        ``"variance"`` it is called by.

    Raises
    ------
    TypeError
        For what is no tree.
    ValueError
        For another measure, or a regression tree grown on a table with gaps.

    Notes
    -----
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, chapter 3.
    Links that are equally weak have one price. With ``"error"`` that is decided in whole numbers;
    impurities are equal when they agree to a billionth of a row.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> path = dt.prune.cost_complexity_path(dt.cart(dt.datasets.tax_fraud()))
    >>> [int(n) for n in path.n_leaves]
    [4, 1]
    """
    links = weakest_first(tree, measure)
    standing = links.standing
    price = np.concatenate(([0.0], links.price))
    cost = standing.below[0] + np.concatenate(([0], np.cumsum(links.rise)))
    leaves = standing.leaves[0] - np.concatenate(([0], np.cumsum(links.fewer)))
    # Of equally weak links the last leaves the tree that is best at their price.
    made = np.flatnonzero(np.diff(price, append=np.inf) > 0)
    costs = standing.in_unit(cost[made])
    return CostComplexityPath(tree, measure, price[made], costs, leaves[made], made, links)


def _best_by_validation(tree: Tree, _: Table, validation: Table, __: float) -> CutOrder:
    path = cost_complexity_path(tree)
    end = path[int(path.at(path.best(validation)))].n_nodes
    stops, prices = path.n_cuts.tolist(), path.alphas.tolist()
    if stops[0]:
        stops, prices = [0, *stops], [None, *prices]
    return CutOrder(path.links.node.tolist(), stops, end, tuple(prices))


COST_COMPLEXITY = PruningMethod(
    name="cost_complexity",
    title="Cost-complexity (CART)",
    about="A leaf costs alpha. As alpha rises, the weakest link gives first: the node with the"
    " least g, the training error that its subtree spares for each leaf more. Validation rows then"
    " choose among the trees.",
    step="Cut the weakest link",
    prune=cost_complexity,
    given=(0,),
    unit="share of the training rows",
    columns=("g",),
    plan=_best_by_validation,
)
