"""A recipe: what is asked for in a tree, as a value. ID3, C4.5, CART and a stump are recipes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.criteria.classes import CRITERIA, ENTROPY, GINI, Criterion, Ticks
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import Split

Kind: TypeAlias = Literal["id3", "c45", "cart", "stump"]


@dataclass(frozen=True)
class Stop:
    """When to stop: each field is a limit, and None is none.

    Attributes
    ----------
    max_depth
        The most questions on any path.
    max_leaves
        The most leaves. The tree is grown best first: the split with the largest gain, counted
        over its rows, comes next. A split that would pass the limit is left out.
    min_rows
        The fewest rows at which a node is still split.
    min_gain
        The least gain of a split that is made, in the criterion's unit (bits for entropy).
    max_error
        The training error of the whole tree at which growing stops, grown best first: a share of
        the rows, or for numbers the mean squared error.
    min_leaf
        The fewest rows in each branch of a split that is made, and so in any leaf.
    """

    max_depth: int | None = None
    max_leaves: int | None = None
    min_rows: int = 2
    min_gain: float = 0.0
    max_error: float | None = None
    min_leaf: int = 1

    def __post_init__(self) -> None:
        _at_least("max_depth", self.max_depth, 0, whole=True)
        _at_least("max_leaves", self.max_leaves, 1, whole=True)
        _at_least("min_rows", self.min_rows, 1, whole=True)
        _at_least("min_gain", self.min_gain, 0)
        _at_least("max_error", self.max_error, 0)
        _at_least("min_leaf", self.min_leaf, 1, whole=True)

    @property
    def best_first(self) -> bool:
        """Whether the order of growing matters, because the whole tree is limited."""
        return self.max_leaves is not None or self.max_error is not None


def _at_least(name: str, given: Any, least: int, *, whole: bool = False) -> None:
    if given is None and name.startswith("max"):
        return
    kinds = (int, np.integer) if whole else (int, float, np.integer, np.floating)
    if isinstance(given, bool) or not isinstance(given, kinds) or not given >= least:
        what = "a whole number" if whole else "a number"
        msg = f"{name}={given!r} must be {what}, at least {least}"
        raise ValueError(msg)


@dataclass(frozen=True)
class Candidate:
    """A split that could be made at a node, and what it would bring.

    Attributes
    ----------
    split
        The question.
    stats
        The criterion's statistics of each branch, shape ``(n_branches, w)``: rows of each class,
        or rows, sums of ticks and of their squares.
    before, after
        The cost of the rows that have a value, and that of the branches together, in ticks of the
        criterion.
    split_info
        What it costs to tell the branches apart, ``n * H(branch)``, in ticks of entropy; rows
        without a value count as a branch of their own.
    unknown
        How many rows at the node have no value of the attribute.
    criterion
        What the ticks are ticks of.
    """

    split: Split
    stats: NDArray[np.int64]
    before: int
    after: int
    split_info: int
    unknown: int
    criterion: Criterion

    @property
    def counts(self) -> NDArray[np.int64]:
        """Rows of each class in each branch; of numbers, rows in each branch, ``w`` being 1."""
        return self.criterion.counts(self.stats)

    @property
    def known(self) -> int:
        """How many rows have a value."""
        return int(self.counts.sum())

    @property
    def rows(self) -> int:
        """How many rows the node has."""
        return self.known + self.unknown

    @property
    def gain_ticks(self) -> int:
        """The gain over all rows of the node, in ticks, never negative."""
        return max(self.before - self.after, 0)

    @property
    def settled(self) -> int:
        """What two candidates for one attribute are compared by: the lower is better."""
        return int(self.criterion.settle(np.array(self.after)))

    @property
    def settled_gain(self) -> int:
        """What two nodes are compared by when the tree is grown best first."""
        return max(int(self.criterion.settle(np.array(self.before))) - self.settled, 0)

    @property
    def remaining(self) -> float:
        """The impurity that is left, such as H(Y|X), among the rows that have a value."""
        return float(self.criterion.per_row(self.after, self.known))

    @property
    def gain(self) -> float:
        """The information gain, or the decrease in impurity, over all rows of the node.

        Rows without a value gain nothing (Quinlan 1993, C4.5, section 3.1).
        """
        return float(self.criterion.per_row(self.gain_ticks, self.rows))

    @property
    def gain_ratio(self) -> float:
        """The gain divided by the entropy of the branches' sizes; 0 when that is 0."""
        info = float(ENTROPY.per_row(self.split_info, self.rows))
        return self.gain / info if info else 0.0


@dataclass(frozen=True)
class Recipe:
    """How to grow: a criterion, how attributes are compared and split, and when to stop.

    Attributes
    ----------
    name
        What it is called where it is shown.
    criterion
        Turns counts into costs.
    by_ratio
        Compare attributes by gain ratio, among those whose gain is at least average (C4.5).
    two_groups
        Split a discrete attribute into two groups of values (CART) rather than one branch each.
    min_branch
        At least two branches must hold this many rows (C4.5 has 2).
    stop
        The limits.
    propose
        What lists a node's candidates in place of midpoints and values; for the textbook grower.
    """

    name: str
    criterion: Criterion = ENTROPY
    by_ratio: bool = False
    two_groups: bool = False
    min_branch: int = 1
    stop: Stop = field(default_factory=Stop)
    propose: Callable[[Table, Recipe], list[Candidate]] | None = None

    @property
    def min_side(self) -> int:
        """The fewest rows on either side of a split in two."""
        return max(self.min_branch, self.stop.min_leaf)

    def fills(self, rows: Ticks, begin: Ticks) -> NDArray[np.bool_]:
        """Whether the branches of some splits hold rows enough.

        Parameters
        ----------
        rows
            The rows of each branch, those of one split after the other; shape ``(n_branches,)``.
        begin
            Where each split's branches begin.
        """
        two = np.add.reduceat((rows >= self.min_branch).astype(np.int64), begin) >= 2  # noqa: PLR2004
        enough: NDArray[np.bool_] = two & (np.minimum.reduceat(rows, begin) >= self.stop.min_leaf)
        return enough


def recipe(
    kind: Kind,
    criterion: str | None = None,
    stop: Stop | None = None,
) -> Recipe:
    """A recipe by name.

    Raises
    ------
    ValueError
        For a name or criterion that there is none of.
    """
    stop = stop or Stop()
    if criterion is not None and criterion not in CRITERIA:
        msg = f"criterion={criterion!r} must be one of {', '.join(map(repr, CRITERIA))}"
        raise ValueError(msg)
    chosen = CRITERIA[criterion] if criterion else None
    match kind:
        case "id3":
            return Recipe("ID3", chosen or ENTROPY, stop=stop)
        case "c45":
            return Recipe("C4.5", chosen or ENTROPY, by_ratio=True, min_branch=2, stop=stop)
        case "cart":
            return Recipe("CART", chosen or GINI, two_groups=True, stop=stop)
        case "stump":
            return Recipe("stump", chosen or ENTROPY, two_groups=True, stop=stop)
    msg = f"no recipe {kind!r}; there are 'id3', 'c45', 'cart' and 'stump'"
    raise ValueError(msg)


def merit(recipe: Recipe, parent: Ticks, children: Ticks, sizes: Ticks | None) -> Ticks:
    """What attributes are ranked by at a node: the highest wins, the first attribute in a tie.

    Parameters
    ----------
    recipe
        Says how attributes are compared.
    parent
        Cost of each node, in ticks; shape ``(n_nodes,)``, or ``(n_attributes, n_nodes)`` where
        rows lack some attribute.
    children
        Cost of each attribute's split, -1 where it has none; shape ``(n_attributes, n_nodes)``.
    sizes
        The same for the cost of telling the branches apart, ``n * H(branch)`` in entropy ticks;
        given where attributes are compared by gain ratio.

    Returns
    -------
    numpy.ndarray
        Shape ``(n_attributes, n_nodes)``; -1 where the attribute is not eligible.
    """
    settle = recipe.criterion.settle
    gain = np.where(children < 0, -1, np.maximum(settle(parent) - settle(children), 0))
    if sizes is None:  # compared by gain
        return gain
    useful = gain > 0
    average_times = np.where(useful, gain, 0).sum(axis=0)
    eligible = (children >= 0) & (gain * useful.sum(axis=0) >= average_times)
    ratio = np.rint(gain / np.maximum(sizes, 1) * float(1 << 40)).astype(np.int64)
    return np.where(eligible, ratio, -1)


def may_split(sizes: NDArray[Any], cost: Ticks, stop: Stop, depth: int) -> NDArray[np.bool_]:
    """Whether nodes of a depth, of some sizes and costs, may be split: what costs nothing is pure.

    Returns
    -------
    numpy.ndarray
        Shape ``(n_nodes,)``.
    """
    if stop.max_depth is not None and depth >= stop.max_depth:
        return np.zeros(len(cost), dtype=bool)
    may: NDArray[np.bool_] = cost > 0
    if stop.min_rows > 2:  # noqa: PLR2004 - what is not pure has as many
        may &= sizes >= stop.min_rows
    return may


def enough_gain(recipe: Recipe, gain: Any, rows: Any) -> NDArray[np.bool_]:
    """Whether a split's gain, in ticks over its rows, reaches the recipe's least gain."""
    enough: NDArray[np.bool_] = recipe.criterion.per_row(gain, rows) >= recipe.stop.min_gain
    return enough
