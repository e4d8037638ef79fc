"""What a node could ask: for every attribute its best split, with costs, ready to be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import ENTROPY
from dtree_lab.learn.recipe import Recipe, merit
from dtree_lab.splits import ByValue, Split, midpoint, threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.table import Table


@dataclass(frozen=True)
class Candidate:
    """A split that could be made at a node, and what it would bring.

    Attributes
    ----------
    split
        The question.
    counts
        Rows of each class in each branch, shape ``(n_branches, n_classes)``.
    before, after
        The node's cost, and that of its branches together, in ticks of the criterion.
    split_info
        What it costs to tell the branches apart, ``n * H(branch)``, in ticks of entropy.
    criterion
        What the ticks are ticks of.
    """

    split: Split
    counts: NDArray[np.int64]
    before: int
    after: int
    split_info: int
    criterion: Criterion

    @property
    def rows(self) -> int:
        """How many rows the node has."""
        return int(self.counts.sum())

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
        """The impurity that is left, such as H(Y|X), in the criterion's unit."""
        return float(self.criterion.per_row(self.after, self.rows))

    @property
    def gain(self) -> float:
        """The information gain, or the decrease in Gini impurity."""
        return float(self.criterion.per_row(self.gain_ticks, self.rows))

    @property
    def gain_ratio(self) -> float:
        """The gain divided by the entropy of the branches' sizes; 0 when that is 0."""
        info = float(ENTROPY.per_row(self.split_info, self.rows))
        return self.gain / info if info else 0.0


def weigh(table: Table, split: Split, criterion: Criterion = ENTROPY) -> Candidate:
    """What a given split would bring at a node with these rows."""
    return _candidate(split, branch_counts(table, split), criterion)


def branch_counts(table: Table, split: Split) -> NDArray[np.int64]:
    """Rows of each class in each branch; rows without a branch are left out."""
    branch = split.branch(table.columns[split.attribute])
    k, known = len(table.classes), branch >= 0
    flat = np.bincount(branch[known] * k + table.labels[known], minlength=split.n_branches * k)
    return flat.reshape(split.n_branches, k).astype(np.int64)


def _candidate(split: Split, counts: NDArray[np.int64], criterion: Criterion) -> Candidate:
    before = criterion.cost(counts.sum(axis=0))
    after = criterion.cost(counts).sum()
    info = ENTROPY.cost(counts.sum(axis=1))
    return Candidate(split, counts, int(before), int(after), int(info), criterion)


def look(table: Table, recipe: Recipe) -> list[Candidate]:
    """Each attribute's best split of these rows, in the order of the attributes.

    An attribute that has only one value here, or cannot fill two branches with the rows that the
    recipe asks for, has none.
    """
    if recipe.propose is not None:
        return recipe.propose(table, recipe)
    found = [best_split(table, i, recipe) for i in range(len(table.attributes))]
    return [candidate for candidate in found if candidate is not None]


def choose(candidates: Sequence[Candidate], recipe: Recipe) -> Candidate | None:
    """The candidate that the recipe takes; the first attribute wins a tie."""
    if not candidates:
        return None
    before = np.array([candidates[0].before])
    after = np.array([[c.after] for c in candidates])
    info = np.array([[c.split_info] for c in candidates]) if recipe.by_ratio else None
    return candidates[int(merit(recipe, before, after, info)[:, 0].argmax())]


def best_split(table: Table, i: int, recipe: Recipe) -> Candidate | None:
    """The best split of these rows by attribute `i`, or None when it cannot split them."""
    if table.attributes[i].values is None:
        return _best_threshold(table, i, recipe)
    if recipe.two_groups:
        return _best_two_groups(table, i, recipe)
    present = np.unique(table.columns[i])
    split = ByValue(i, tuple((code,) for code in present.tolist()))
    counts = branch_counts(table, split)
    if (counts.sum(axis=1) >= recipe.min_branch).sum() < 2:  # noqa: PLR2004 - two branches
        return None
    return _candidate(split, counts, recipe.criterion)


def _best_threshold(table: Table, i: int, recipe: Recipe) -> Candidate | None:
    """The cheapest of the midpoints between neighbouring values, the lowest one in a tie.

    The rows are sorted once and counted from below, so all m midpoints cost O(m log m), not O(m²).
    """
    values, place = np.unique(table.columns[i], return_inverse=True)
    if len(values) < 2:  # noqa: PLR2004 - one value has no midpoint
        return None
    counts = _counted(place, table.labels, len(values), len(table.classes))
    prefix = best_prefix(counts, recipe)
    if prefix is None:
        return None
    cut = midpoint(values[prefix - 1 : prefix], values[prefix : prefix + 1])[0]
    two = np.stack([counts[:prefix].sum(axis=0), counts[prefix:].sum(axis=0)])
    return _candidate(threshold(i, cut), two, recipe.criterion)


def _best_two_groups(table: Table, i: int, recipe: Recipe) -> Candidate | None:
    """The cheapest two groups of values.

    With two classes it is enough to sort the values by the share of one class and try each prefix
    (Breiman et al. 1984, theorem 4.5). With more, each class gives such an order and the best
    prefix of any is taken: a heuristic, as every known method faster than 2^values is.
    """
    k = len(table.classes)
    present, place = np.unique(table.columns[i], return_inverse=True)
    counts = _counted(place, table.labels, len(present), k)
    best: Candidate | None = None
    for by in orders(k):
        order = np.argsort(counts[:, by] / counts.sum(axis=1), kind="stable")
        prefix = best_prefix(counts[order], recipe)
        if prefix is None:
            continue
        groups = two_groups(present[order].tolist(), prefix)
        split = ByValue(i, groups)
        candidate = weigh(table, split, recipe.criterion)
        if best is None or candidate.settled < best.settled:
            best = candidate
    return best


def orders(n_classes: int) -> range:
    """The classes by whose share the values are sorted; with two classes one is enough."""
    return range(n_classes if n_classes > 2 else 1)  # noqa: PLR2004


def two_groups(ordered: list[int], prefix: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The two groups of codes, the one with the lowest code first."""
    one, other = tuple(sorted(ordered[:prefix])), tuple(sorted(ordered[prefix:]))
    return (one, other) if one < other else (other, one)


def best_prefix(counts: NDArray[np.int64], recipe: Recipe) -> int | None:
    """Where to part a sequence of groups in two: the cheapest place, the first in a tie."""
    below = counts.cumsum(axis=0)[:-1]
    above = counts.sum(axis=0) - below
    cost = recipe.criterion.settle(recipe.criterion.cost(below) + recipe.criterion.cost(above))
    smaller = np.minimum(below.sum(axis=1), above.sum(axis=1))
    allowed = np.flatnonzero(smaller >= recipe.min_branch)
    return int(allowed[cost[allowed].argmin()]) + 1 if allowed.size else None


def _counted(place: NDArray[Any], labels: NDArray[Any], n_places: int, k: int) -> NDArray[np.int64]:
    flat = np.bincount(place * k + labels, minlength=n_places * k)
    return flat.reshape(n_places, k).astype(np.int64)
