"""The textbook grower: it narrates with ``yield`` and builds with ``return``.

Read :func:`grow`: it is the lecture's pseudocode, line by line. :func:`choose_split` is its "best
attribute", with every reason to stop; :func:`look` finds what a node could ask, for each attribute
its best split. :func:`grow_best_first` is :func:`grow` with the open nodes in a queue, for limits
on the whole tree. Both are generators of events, so a trace is ``list(...)`` of one, and the tree
is what it returns. :mod:`dtree_lab.grow.engine` grows the same tree fast; the tests hold the two to
be equal, exactly.
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Ints
from dtree_lab.criteria.classes import ENTROPY, Criterion
from dtree_lab.grow.recipe import Candidate, Recipe, enough_gain, merit
from dtree_lab.grow.release8 import no_more_right
from dtree_lab.table.table import Table, missing_of
from dtree_lab.tree.parts import branch_tables
from dtree_lab.tree.splits import ByValue, Split, midpoint, threshold
from dtree_lab.tree.tree import Branch, Counts, Leaf, Node, Path


def weigh(table: Table, split: Split, criterion: Criterion = ENTROPY) -> Candidate:
    """What a given split would bring at a node with these rows."""
    branch = split.branch(table.columns[split.attribute])
    stats = branch_stats(table, branch, split.n_branches, criterion)
    return _candidate(split, stats, criterion, ticks_of(table, branch < 0))


def ticks_of(table: Table, chosen: NDArray[np.bool_]) -> int:
    """What some rows weigh, in ticks; without weights, how many they are."""
    return int(np.count_nonzero(chosen) if table.weights is None else table.weights[chosen].sum())


def branch_stats(table: Table, branch: Ints, n_branches: int, criterion: Criterion) -> Ints:
    """The statistics of each branch; rows without a branch, -1, are left out."""
    known = branch >= 0
    n_classes = table.target.n_values
    weights = None if table.weights is None else table.weights[known]
    return criterion.tally(branch[known], table.labels[known], n_branches, n_classes, weights)


def node_stats(table: Table, criterion: Criterion) -> NDArray[np.int64]:
    """The statistics of all rows, shape ``(w,)``."""
    stats: NDArray[np.int64] = branch_stats(
        table, np.zeros(table.n_rows, dtype=np.intp), 1, criterion
    )[0]
    return stats


def _candidate(split: Split, stats: Ints, criterion: Criterion, unknown: int = 0) -> Candidate:
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


def best_candidate(candidates: Sequence[Candidate], recipe: Recipe) -> Candidate | None:
    """The candidate that the recipe takes; the first attribute wins a tie."""
    if not candidates:
        return None
    before = np.array([[c.before] for c in candidates])
    after = np.array([[c.after] for c in candidates])
    info = np.array([[c.split_info] for c in candidates]) if recipe.by_ratio else None
    where = None
    if recipe.release8:
        where = np.array([[c.split.attribute] for c in candidates]), np.array(candidates[0].rows)
    ranked = merit(recipe, before, after, info, where)[:, 0]
    return candidates[int(ranked.argmax())] if ranked.max() >= 0 else None


def best_split(table: Table, i: int, recipe: Recipe) -> Candidate | None:
    """The best split by attribute `i` of those rows that have a value, or None if there is none."""
    gaps = missing_of(table.columns[i])
    unknown = ticks_of(table, gaps)
    if gaps.all():
        return None
    known = table.take(~gaps) if unknown else table
    found = _best_split(known, i, recipe)
    if found is None:
        return None
    found = replace(found, split=replace(found.split, gaps=recipe.gaps))
    if not unknown:
        return found
    told = _candidate(found.split, found.stats, found.criterion, unknown)
    return replace(told, after=found.after)


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
    least = int(recipe.min_beside(np.array(table.n_ticks)))
    prefix = best_prefix(stats, recipe.criterion, least)
    if prefix is None:
        return None
    low, high = values[prefix - 1 : prefix], values[prefix : prefix + 1]
    two = np.stack([stats[:prefix].sum(axis=0), stats[prefix:].sum(axis=0)])
    if recipe.release8 is None:
        return _candidate(threshold(i, midpoint(low, high)[0]), two, recipe.criterion)
    made = _candidate(threshold(i, recipe.release8.cut(i, low, high)[0]), two, recipe.criterion)
    n_cuts = np.array(len(room_for_cuts(stats, recipe.criterion, least)))
    after = made.after + int(recipe.release8.price(n_cuts))
    return replace(made, after=after) if after < made.before else None


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
        prefix = best_prefix(stats[order], criterion, recipe.min_side)
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


def best_prefix(stats: NDArray[np.int64], criterion: Criterion, least: int) -> int | None:
    """Where to part a sequence of groups in two: the cheapest place, the first in a tie."""
    below = stats.cumsum(axis=0)[:-1]
    above = stats.sum(axis=0) - below
    cost = criterion.settle(criterion.cost(below) + criterion.cost(above))
    allowed = room_for_cuts(stats, criterion, least)
    return int(allowed[cost[allowed].argmin()]) + 1 if allowed.size else None


def room_for_cuts(stats: NDArray[np.int64], criterion: Criterion, least: int) -> NDArray[np.intp]:
    """Behind which of a sequence of groups there is room for a cut: `least` ticks on each side."""
    below = criterion.rows(stats).cumsum()
    return np.flatnonzero(np.minimum(below, below[-1] - below)[:-1] >= least)


@dataclass(frozen=True)
class Considered:
    """A node was looked at: its class counts (of numbers, its rows), and what it could ask."""

    path: Path
    counts: Counts
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Opened:
    """A node was given a question."""

    path: Path
    counts: Counts
    split: Split


@dataclass(frozen=True)
class Closed:
    """A node became a leaf, and why."""

    path: Path
    counts: Counts
    reason: str


Event: TypeAlias = Considered | Opened | Closed
Growth: TypeAlias = Generator[Event, None, Node]
T = TypeVar("T")


@dataclass(frozen=True)
class Ended:
    """What is chosen where no question is asked: the node becomes a leaf, and why."""

    reason: str


OUT_OF_ATTRIBUTES = "no attribute tells these rows apart"
NOTHING_GAINED = "no question gains more than it costs to say"
NO_MORE_RIGHT = "the questions below it got no more rows right"


def grow(table: Table, recipe: Recipe, path: Path = ()) -> Growth:
    """Grow depth first, with limits that each node can check by itself."""
    counts = counts_at(table, recipe.criterion)
    # A <- best attribute from remaining attributes
    candidates, best = choose_split(table, recipe, depth=len(path))
    yield Considered(path, counts, candidates)
    # If examples are perfectly classified, STOP; else if we ran out of attributes, STOP
    if isinstance(best, Ended):
        yield Closed(path, counts, best.reason)
        return Leaf(counts)
    # Assign A as decision attribute for Node
    yield Opened(path, counts, best.split)
    children = []
    # For each value of A, create a new descendant of Node; sort training examples to leaves
    for i, rows in enumerate(branch_tables(best.split, table)):
        # Else, start over for each leaf, with its training examples
        children.append((yield from grow(rows, recipe, (*path, i))))
    return Branch(counts, best.split, tuple(children))


def grow_best_first(table: Table, recipe: Recipe) -> Growth:
    """Grow the most useful node next, until the leaves or the training error allow no more."""
    stop, criterion = recipe.stop, recipe.criterion
    waiting: list[tuple[int, int, Path]] = []
    found: dict[Path, tuple[Table, Counts, Candidate]] = {}
    grown: dict[Path, Candidate] = {}
    closed: dict[Path, Counts] = {}
    n_leaves, wrong = 1, 0

    def arrive(part: Table, path: Path) -> Generator[Event, None, None]:
        nonlocal wrong
        counts = counts_at(part, criterion)
        candidates, best = choose_split(part, recipe, depth=len(path))
        stats = node_stats(part, criterion)
        wrong += criterion.wrong(stats, stats)
        yield Considered(path, counts, candidates)
        if isinstance(best, Ended):
            closed[path] = counts
            yield Closed(path, counts, best.reason)
        else:
            found[path] = part, counts, best
            heapq.heappush(waiting, (-best.settled_gain, len(path), path))

    yield from arrive(table, ())
    limit = stop.max_leaves if stop.max_leaves is not None else table.n_ticks
    why = f"the tree has its {limit} leaves"
    while waiting:
        if stop.max_error is not None and criterion.error(wrong, table.n_ticks) <= stop.max_error:
            why = f"the training error has fallen to {stop.max_error:g}"
            break
        _, _, path = heapq.heappop(waiting)
        part, counts, best = found[path]
        more = best.split.n_branches - 1
        if n_leaves + more > limit:
            closed[path] = counts
            yield Closed(path, counts, why)
            continue
        n_leaves += more
        stats, parts = node_stats(part, criterion), branch_tables(best.split, part)
        resting = stats - sum(node_stats(rows, criterion) for rows in parts)
        wrong += criterion.wrong(stats, resting) - criterion.wrong(stats, stats)
        grown[path] = best
        yield Opened(path, counts, best.split)
        for i, rows in enumerate(parts):
            yield from arrive(rows, (*path, i))
    for _, _, path in sorted(waiting, key=lambda entry: entry[1:]):
        closed[path] = found[path][1]
        yield Closed(path, closed[path], why)
    return _assemble({p: (found[p][1], best.split) for p, best in grown.items()}, closed)


def _assemble(grown: dict[Path, tuple[Counts, Split]], closed: dict[Path, Counts]) -> Node:
    """The tree of nodes kept by path; the longest paths are built first."""
    built: dict[Path, Node] = {path: Leaf(counts) for path, counts in closed.items()}
    for path in sorted(grown, key=len, reverse=True):
        counts, split = grown[path]
        children = tuple(built.pop((*path, i)) for i in range(split.n_branches))
        built[path] = Branch(counts, split, children)
    return built[()]


def counts_at(table: Table, criterion: Criterion) -> Counts:
    """A node's rows of each class; of numbers, its rows."""
    return tuple(criterion.counts(node_stats(table, criterion)).tolist())


def choose_split(
    table: Table, recipe: Recipe, *, depth: int
) -> tuple[tuple[Candidate, ...], Candidate | Ended]:
    """What a node of some depth could ask, and the best of it, or why it will ask nothing."""
    stop = recipe.stop
    if recipe.criterion.pure(node_stats(table, recipe.criterion)):
        return (), Ended(recipe.criterion.alike)
    if stop.max_depth is not None and depth >= stop.max_depth:
        return (), Ended(f"the depth of {stop.max_depth} is reached")
    if recipe.few(table.n_ticks):
        return (), Ended(f"fewer than {stop.min_rows} rows")
    candidates = tuple(look(table, recipe))
    best = best_candidate(candidates, recipe)
    if best is None and recipe.release8:
        return candidates, Ended(NOTHING_GAINED)
    if best is None and stop.min_leaf > 1:
        return candidates, Ended(f"no question leaves {stop.min_leaf} rows in each branch")
    if best is None:
        return candidates, Ended(OUT_OF_ATTRIBUTES)
    if not enough_gain(recipe, best.gain_ticks, best.rows):
        return candidates, Ended(f"the best gain is below {stop.min_gain:g}")
    return candidates, best


def grow_by_recipe(table: Table, recipe: Recipe) -> Growth:
    """The grower that the recipe's limits ask for."""
    root = yield from (grow_best_first if recipe.stop.best_first else grow)(table, recipe)
    return (yield from collapse(root, recipe.unit)) if recipe.release8 else root


def collapse(node: Node, unit: int | Fraction, path: Path = ()) -> Growth:
    """Make a leaf of each subtree that gets no more of its training rows right."""
    if isinstance(node, Leaf):
        return node
    if no_more_right(training_errors(node), sum(node.counts) - max(node.counts), unit):
        yield Closed(path, node.counts, NO_MORE_RIGHT)
        return Leaf(node.counts)
    children = []
    for i, child in enumerate(node.children):
        children.append((yield from collapse(child, unit, (*path, i))))
    return Branch(node.counts, node.split, tuple(children))


def training_errors(node: Node) -> int:
    """The ticks of training rows that a subtree gets wrong; rows at rest count where they are."""
    stopped = list(node.counts)
    answer = stopped.index(max(stopped))
    below = 0
    for child in () if isinstance(node, Leaf) else node.children:
        stopped = [n - c for n, c in zip(stopped, child.counts, strict=True)]
        below += training_errors(child)
    return below + sum(stopped) - stopped[answer]


def finish(generator: Generator[Any, None, T]) -> T:
    """Run a generator of events to its end and give what it returns."""
    while True:
        try:
            next(generator)
        except StopIteration as end:
            result: T = end.value
            return result
