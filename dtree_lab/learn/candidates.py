"""What a node could ask: for every attribute its best split, with costs, ready to be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import ENTROPY
from dtree_lab.learn.recipe import Candidate, Recipe, merit
from dtree_lab.splits import ByValue, Split, midpoint, threshold
from dtree_lab.table import missing_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.table import Table


def weigh(table: Table, split: Split, criterion: Criterion = ENTROPY) -> Candidate:
    """What a given split would bring at a node with these rows."""
    branch = split.branch(table.columns[split.attribute])
    stats = branch_stats(table, branch, split.n_branches, criterion)
    return _candidate(split, stats, criterion, int(np.count_nonzero(branch < 0)))


def branch_stats(
    table: Table, branch: NDArray[Any], n_branches: int, criterion: Criterion
) -> NDArray[np.int64]:
    """The statistics of each branch; rows without a branch, -1, are left out."""
    known = branch >= 0
    n_classes = table.target.n_values
    return criterion.tally(branch[known], table.labels[known], n_branches, n_classes)


def node_stats(table: Table, criterion: Criterion) -> NDArray[np.int64]:
    """The statistics of all rows, shape ``(w,)``."""
    stats: NDArray[np.int64] = branch_stats(
        table, np.zeros(table.n_rows, dtype=np.intp), 1, criterion
    )[0]
    return stats


def _candidate(
    split: Split, stats: NDArray[np.int64], criterion: Criterion, unknown: int = 0
) -> Candidate:
    before = criterion.cost(stats.sum(axis=0))
    after = criterion.cost(stats).sum()
    info = ENTROPY.cost(np.append(criterion.rows(stats), unknown))
    return Candidate(split, stats, int(before), int(after), int(info), unknown, criterion)


def look(table: Table, recipe: Recipe) -> list[Candidate]:
    """Each attribute's best split of these rows, in the order of the attributes.

    An attribute that has only one value here, or cannot fill two branches with the rows that the
    recipe asks for, has none.
    """
    if recipe.propose is not None:
        return [one for one in recipe.propose(table, recipe) if _fills(one, recipe)]
    found = [best_split(table, i, recipe) for i in range(len(table.attributes))]
    return [candidate for candidate in found if candidate is not None]


def choose(candidates: Sequence[Candidate], recipe: Recipe) -> Candidate | None:
    """The candidate that the recipe takes; the first attribute wins a tie."""
    if not candidates:
        return None
    before = np.array([[c.before] for c in candidates])
    after = np.array([[c.after] for c in candidates])
    info = np.array([[c.split_info] for c in candidates]) if recipe.by_ratio else None
    return candidates[int(merit(recipe, before, after, info)[:, 0].argmax())]


def best_split(table: Table, i: int, recipe: Recipe) -> Candidate | None:
    """The best split of these rows by attribute `i`, or None when it cannot split them.

    Only rows that have a value take part; the others would rest at the node.
    """
    gaps = missing_of(table.columns[i])
    unknown = int(np.count_nonzero(gaps))
    if unknown == table.n_rows:
        return None
    known = table.take(~gaps) if unknown else table
    found = _best_split(known, i, recipe)
    if found is None or not unknown:
        return found
    return _candidate(found.split, found.stats, found.criterion, unknown)


def _best_split(table: Table, i: int, recipe: Recipe) -> Candidate | None:
    if table.attributes[i].values is None:
        return _best_threshold(table, i, recipe)
    if recipe.two_groups:
        return _best_two_groups(table, i, recipe)
    present = np.unique(table.columns[i])
    split = ByValue(i, tuple((code,) for code in present.tolist()))
    candidate = weigh(table, split, recipe.criterion)
    return candidate if _fills(candidate, recipe) else None


def _fills(candidate: Candidate, recipe: Recipe) -> bool:
    """Whether its branches hold as many rows as the recipe asks for."""
    rows = recipe.criterion.rows(candidate.stats)
    return bool(recipe.fills(rows, np.zeros(1, dtype=np.intp))[0])


def _best_threshold(table: Table, i: int, recipe: Recipe) -> Candidate | None:
    """The cheapest of the midpoints between neighbouring values, the lowest one in a tie.

    The rows are sorted once and counted from below, so all m midpoints cost O(m log m), not O(m²).
    """
    values, place = np.unique(table.columns[i], return_inverse=True)
    if len(values) < 2:  # noqa: PLR2004 - one value has no midpoint
        return None
    stats = branch_stats(table, place, len(values), recipe.criterion)
    prefix = best_prefix(stats, recipe)
    if prefix is None:
        return None
    cut = midpoint(values[prefix - 1 : prefix], values[prefix : prefix + 1])[0]
    two = np.stack([stats[:prefix].sum(axis=0), stats[prefix:].sum(axis=0)])
    return _candidate(threshold(i, cut), two, recipe.criterion)


def _best_two_groups(table: Table, i: int, recipe: Recipe) -> Candidate | None:
    """The cheapest two groups of values.

    With two classes it is enough to sort the values by the share of one class and try each prefix
    (Breiman et al. 1984, theorem 4.5), with numbers to sort them by their mean. With more classes,
    each gives such an order and the best prefix of any is taken: a heuristic, as every known
    method faster than 2^values is.
    """
    criterion = recipe.criterion
    present, place = np.unique(table.columns[i], return_inverse=True)
    stats = branch_stats(table, place, len(present), criterion)
    best: Candidate | None = None
    for by in criterion.orders(stats):
        order = np.argsort(by, kind="stable")
        prefix = best_prefix(stats[order], recipe)
        if prefix is None:
            continue
        groups = two_groups(present[order].tolist(), prefix)
        candidate = weigh(table, ByValue(i, groups), criterion)
        if best is None or candidate.settled < best.settled:
            best = candidate
    return best


def two_groups(ordered: list[int], prefix: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The two groups of codes, the one with the lowest code first."""
    one, other = tuple(sorted(ordered[:prefix])), tuple(sorted(ordered[prefix:]))
    return (one, other) if one < other else (other, one)


def best_prefix(stats: NDArray[np.int64], recipe: Recipe) -> int | None:
    """Where to part a sequence of groups in two: the cheapest place, the first in a tie."""
    criterion = recipe.criterion
    below = stats.cumsum(axis=0)[:-1]
    above = stats.sum(axis=0) - below
    cost = criterion.settle(criterion.cost(below) + criterion.cost(above))
    smaller = np.minimum(criterion.rows(below), criterion.rows(above))
    allowed = np.flatnonzero(smaller >= recipe.min_side)
    return int(allowed[cost[allowed].argmin()]) + 1 if allowed.size else None
