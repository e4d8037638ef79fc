"""The textbook grower: it narrates with ``yield`` and builds with ``return``.

Read :func:`grow`: it is the lecture's pseudocode, line by line. :func:`choose_split` is its "best
attribute", with every reason to stop. :func:`grow_best_first` is the same with the open nodes in a
queue, for limits on the whole tree. Both are generators of events, so a trace is ``list(...)`` of
one, and the tree is what it returns. :mod:`dtree_lab.learn.engine` grows the same tree fast; the
tests hold the two to be equal, exactly.
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from dtree_lab.learn.candidates import choose, look, node_stats
from dtree_lab.learn.recipe import Candidate, enough_gain
from dtree_lab.splits import Split, parts
from dtree_lab.tree import Branch, Leaf, Node, Path

if TYPE_CHECKING:
    from dtree_lab.learn.recipe import Recipe
    from dtree_lab.table import Table
    from dtree_lab.tree import Counts


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


def grow(table: Table, recipe: Recipe, path: Path = ()) -> Growth:
    """Grow depth first, with limits that each node can check by itself."""
    counts = counts_at(table, recipe)
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
    for i, rows in enumerate(parts(best.split, table)):
        # Else, start over for each leaf, with its training examples
        children.append((yield from grow(table.take(rows), recipe, (*path, i))))
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
        counts = counts_at(part, recipe)
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
    limit = stop.max_leaves if stop.max_leaves is not None else table.n_rows
    why = f"the tree has its {limit} leaves"
    while waiting:
        if stop.max_error is not None and criterion.error(wrong, table.n_rows) <= stop.max_error:
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
        stats = node_stats(part, criterion)
        resting = stats - best.stats.sum(axis=0)
        wrong += criterion.wrong(stats, resting) - criterion.wrong(stats, stats)
        grown[path] = best
        yield Opened(path, counts, best.split)
        for i, rows in enumerate(parts(best.split, part)):
            yield from arrive(part.take(rows), (*path, i))
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


def counts_at(table: Table, recipe: Recipe) -> Counts:
    """A node's rows of each class; of numbers, its rows."""
    counts: list[int] = recipe.criterion.counts(node_stats(table, recipe.criterion)).tolist()
    return tuple(counts)


def choose_split(
    table: Table, recipe: Recipe, *, depth: int
) -> tuple[tuple[Candidate, ...], Candidate | Ended]:
    """What a node could ask, and the best of it, or why the node will ask nothing.

    Parameters
    ----------
    table
        The node's rows.
    recipe
        How candidates are found and compared, and when to stop.
    depth
        How many questions have led to the node.
    """
    stop = recipe.stop
    if recipe.criterion.pure(node_stats(table, recipe.criterion)):
        return (), Ended(recipe.criterion.alike)
    if stop.max_depth is not None and depth >= stop.max_depth:
        return (), Ended(f"the depth of {stop.max_depth} is reached")
    if table.n_rows < stop.min_rows:
        return (), Ended(f"fewer than {stop.min_rows} rows")
    candidates = tuple(look(table, recipe))
    best = choose(candidates, recipe)
    if best is None and stop.min_leaf > 1:
        return candidates, Ended(f"no question leaves {stop.min_leaf} rows in each branch")
    if best is None:
        return candidates, Ended(OUT_OF_ATTRIBUTES)
    if not enough_gain(recipe, best.gain_ticks, best.rows):
        return candidates, Ended(f"the best gain is below {stop.min_gain:g}")
    return candidates, best


def growth(table: Table, recipe: Recipe) -> Growth:
    """The grower that the recipe's limits ask for."""
    return grow_best_first(table, recipe) if recipe.stop.best_first else grow(table, recipe)


def finish(generator: Generator[Event, None, T]) -> T:
    """Run a generator of events to its end and give what it returns."""
    while True:
        try:
            next(generator)
        except StopIteration as end:
            result: T = end.value
            return result


def trace(generator: Generator[Event, None, T]) -> tuple[list[Event], T]:
    """The events of a generator and what it returns."""
    events: list[Event] = []
    while True:
        try:
            events.append(next(generator))
        except StopIteration as end:
            return events, end.value


def replay(events: Iterable[Event]) -> Node:
    """The tree that a trace tells of, its last word on each node counting."""
    grown: dict[Path, tuple[Counts, Split]] = {}
    closed: dict[Path, Counts] = {}
    for event in events:
        match event:
            case Opened(path, counts, split):
                grown[path] = counts, split
            case Closed(path, counts, _):
                closed[path] = counts
            case Considered():
                pass
    return _assemble(grown, closed)
