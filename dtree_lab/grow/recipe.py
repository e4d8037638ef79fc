"""A recipe: what is asked for in a tree, as a value. ID3, C4.5, CART and a stump are recipes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real, is_whole
from dtree_lab.criteria.classes import CRITERIA, ENTROPY, GINI, Criterion, Ticks
from dtree_lab.grow.release8 import Release8
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import IN_PARTS, RESTS, Split

Kind: TypeAlias = Literal["id3", "c45", "cart", "stump"]
_MOST_TICKS = 1 << 62


@dataclass(frozen=True)
class Stop:
    """When to stop: each field is a limit, and None is none."""

    max_depth: int | None = None  # the most questions on any path
    # Grown best first: the split with the largest gain over its rows comes next, and is left out if
    # it would pass the limit.
    max_leaves: int | None = None
    min_rows: int = 2  # the fewest rows at which a node is still split
    min_gain: float = 0.0  # of a split that is made, in the criterion's unit (bits for entropy)
    # Of the whole tree in training, grown best first, at which growing stops: a share of the rows,
    # or of numbers the mean squared error.
    max_error: float | None = None
    # The fewest rows in each branch of a split, and so in any leaf; weights may be a fraction.
    min_leaf: int | Fraction = 1

    def __post_init__(self) -> None:
        _at_least("max_depth", self.max_depth, 0, whole=True)
        _at_least("max_leaves", self.max_leaves, 1, whole=True)
        _at_least("min_rows", self.min_rows, 1, whole=True)
        _at_least("min_gain", self.min_gain, 0)
        _at_least("max_error", self.max_error, 0)
        if not isinstance(self.min_leaf, Fraction):
            _at_least("min_leaf", self.min_leaf, 1, whole=True)

    @property
    def best_first(self) -> bool:
        """Whether the order of growing matters, because the whole tree is limited."""
        return self.max_leaves is not None or self.max_error is not None


def _at_least(name: str, given: Any, least: int, *, whole: bool = False) -> None:
    if given is None and name.startswith("max"):
        return
    if not (is_whole(given) if whole else is_real(given)) or not given >= least:
        what = "a whole number" if whole else "a number"
        raise ValueError(f"{name}={given!r} must be {what}, at least {least}")


@dataclass(frozen=True)
class Candidate:
    """A split that could be made at a node, and what it would bring."""

    split: Split
    stats: NDArray[np.int64]  # the criterion's statistics of each branch, `(n_branches, w)`
    before: int  # the cost of the rows that have a value, in ticks of the criterion
    after: int  # of the branches together; in C4.5's release 8 of naming the cut, too
    # Telling them apart, `n * H(branch)` in ticks of entropy; no value is a branch, too.
    split_info: int
    unknown: int  # rows at the node without a value of the attribute, in ticks of their weights
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
    """How to grow: a criterion, how attributes are compared and split, and when to stop."""

    name: str  # as it is shown
    criterion: Criterion = ENTROPY
    by_ratio: bool = False  # compare by it, among those of at least average gain (C4.5)
    two_groups: bool = False  # of a discrete attribute's values (CART), not a branch each
    min_branch: int = 1  # at least two branches must hold this many rows (C4.5 has 2)
    stop: Stop = field(default_factory=Stop)
    # Lists a node's candidates, in the textbook, in place of midpoints and values.
    propose: Callable[[Table, Recipe], list[Candidate]] | None = None
    unit: int | Fraction = 1  # how many ticks a row of weight 1 is counted as
    release8: Release8 | None = None  # as the last release of C4.5's program does it

    @property
    def gaps(self) -> int:
        """Where rows go that lack what a node asks."""
        return IN_PARTS if self.release8 and self.release8.parts else RESTS

    def ticks(self, rows: int | Fraction) -> int:
        """A limit in rows as ticks; one row is a row whatever it weighs, so no limit."""
        none = not isinstance(rows, Fraction) and rows <= 1
        return 1 if none else min(max(ceil(rows * self.unit), 1), _MOST_TICKS)

    @property
    def min_side(self) -> int:
        """The fewest ticks on either side of a split in two."""
        return max(self.ticks(self.min_branch), self.ticks(self.stop.min_leaf))

    def min_beside(self, rows: Ticks) -> Ticks:
        """The fewest ticks on either side of a cut, of nodes with so many that have a value."""
        if self.release8 is None:
            return np.array(self.min_side)
        return np.maximum(self.release8.least_beside(rows), self.min_side)

    def fills(self, rows: Ticks, begin: Ticks) -> NDArray[np.bool_]:
        """Whether the branches of some splits, each of which begins somewhere, hold rows enough."""
        full = rows >= self.ticks(self.min_branch)
        two = np.add.reduceat(full.astype(np.int64), begin) >= 2  # noqa: PLR2004
        least = self.ticks(self.stop.min_leaf)
        return two & (np.minimum.reduceat(rows, begin) >= least)

    def few(self, rows: Any) -> Any:
        """Whether so many ticks are too few to be split; what is not pure has at least two rows."""
        least = self.stop.min_rows
        return rows < (self.ticks(least) if least > 2 else 2)  # noqa: PLR2004


_RECIPES: dict[Kind, Recipe] = {
    "id3": Recipe("ID3"),
    "c45": Recipe("C4.5", by_ratio=True, min_branch=2),
    "cart": Recipe("CART", GINI, two_groups=True),
    "stump": Recipe("stump", two_groups=True),
}


def recipe(kind: Kind, criterion: str | None = None, stop: Stop | None = None) -> Recipe:
    """A recipe by name."""
    if criterion is not None and criterion not in CRITERIA:
        raise ValueError(f"criterion={criterion!r} must be one of {', '.join(map(repr, CRITERIA))}")
    usual = _RECIPES[kind]
    chosen = CRITERIA[criterion] if criterion else usual.criterion
    return replace(usual, criterion=chosen, stop=stop or Stop())


def merit(
    recipe: Recipe,
    parent: Ticks,
    children: Ticks,
    sizes: Ticks | None,
    where: tuple[Ticks, Ticks] | None,
) -> Ticks:
    """What attributes are ranked by at a node: the highest wins, the first attribute in a tie.

    Costs are in ticks: a node's (`parent`), of shape ``(n_nodes,)`` or, where rows lack some
    attribute, ``(n_attributes, n_nodes)``; each attribute's split (`children`), -1 where it has
    none; for a gain ratio that of telling its branches apart (`sizes`), ``n * H(branch)``. `where`
    says which attribute each is, and how many ticks of rows each node has, for release 8 of C4.5.
    Merits are -1 where an attribute is not eligible.
    """
    settle = recipe.criterion.settle
    gain = np.where(children < 0, -1, np.maximum(settle(parent) - settle(children), 0))
    if sizes is None:  # compared by gain
        return gain
    if recipe.release8 and where:
        eligible = recipe.release8.eligible(where, gain, children >= 0)
    else:
        useful = gain > 0
        average_times = np.where(useful, gain, 0).sum(axis=0)
        eligible = (children >= 0) & (gain * useful.sum(axis=0) >= average_times)
    ratio = np.rint(gain / np.maximum(sizes, 1) * float(1 << 40)).astype(np.int64)
    return np.where(eligible, ratio, -1)


def may_split(sizes: NDArray[Any], cost: Ticks, recipe: Recipe, depth: int) -> NDArray[np.bool_]:
    """Whether nodes of a depth, some sizes and costs may be split: what costs nothing is pure."""
    stop = recipe.stop
    if stop.max_depth is not None and depth >= stop.max_depth:
        return np.zeros(len(cost), dtype=bool)
    may: NDArray[np.bool_] = cost > 0
    if stop.min_rows > 2:  # noqa: PLR2004 - what is not pure has as many
        may &= ~recipe.few(sizes)
    return may


def enough_gain(recipe: Recipe, gain: Any, rows: Any) -> NDArray[np.bool_]:
    """Whether a split's gain, in ticks over its rows, reaches the recipe's least gain."""
    enough: NDArray[np.bool_] = recipe.criterion.per_row(gain, rows) >= recipe.stop.min_gain
    return enough
