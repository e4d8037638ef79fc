"""What ID3 prefers: its tree among all trees that fit a small table.

Trees are ID3's *restriction bias*: what it can say at all. Its *preference bias* is which of the
many trees that fit it takes: good questions near the root, and with them short trees.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural
from dtree_lab.grow.api import id3
from dtree_lab.table.table import Table
from dtree_lab.theory.consistent import Rows, Size, Space, fold, spectrum
from dtree_lab.tree.splits import Split
from dtree_lab.tree.tree import Branch, Leaf, Node, Tree

Sized: TypeAlias = tuple[int, Node]
Measure: TypeAlias = Literal["nodes", "leaves", "depth", "questions"]


def size_of(tree: Tree, table: Table) -> Size:
    """A tree's number of nodes, its depth, and the sum of the depths of a table's rows."""
    questions = int(tree.flat.depth[tree.apply(table)].sum())
    return Size(tree.n_nodes, tree.depth, questions)


@dataclass(frozen=True, repr=False)
class Rank:
    """Where a tree stands among all others by one measure, the smallest first."""

    measure: str  # "questions" is the sum of the rows' depths
    value: int  # the tree's
    trees: dict[int, int]  # how many trees there are of each value

    @property
    def better(self) -> int:
        """How many trees are smaller."""
        return sum(n for v, n in self.trees.items() if v < self.value)

    @property
    def equal(self) -> int:
        """How many trees are as large, this one included."""
        return self.trees.get(self.value, 0)

    @property
    def worse(self) -> int:
        """How many trees are larger."""
        return sum(n for v, n in self.trees.items() if v > self.value)

    @property
    def rank(self) -> int:
        """1 for a tree than which none is smaller."""
        return self.better + 1

    @terminal
    def __repr__(self) -> str:
        span = f"{min(self.trees):,} to {max(self.trees):,}"
        return (
            f"{self.measure} {self.value:,} ({span}): {self.better:,} smaller,"
            f" {self.equal:,} the same, {self.worse:,} larger"
        )


@dataclass(frozen=True, repr=False)
class Preference:
    """ID3's tree among all that fit."""

    tree: Tree  # what ID3 grows
    size: Size  # its size
    n_trees: int  # how many trees fit
    standings: tuple[Rank, ...]  # by number of nodes, by depth, and by the sum of the rows' depths

    def __getitem__(self, measure: str) -> Rank:
        """The standing by ``"nodes"``, ``"depth"`` or ``"questions"``."""
        for standing in self.standings:
            if standing.measure == measure:
                return standing
        raise KeyError(measure)

    @terminal
    def __repr__(self) -> str:
        fit = "fits" if self.n_trees == 1 else "fit"
        heading = f"{plural(self.n_trees, 'tree')} {fit}; the grown one has"
        return "\n".join([heading, *(f"  {standing!r}" for standing in self.standings)])


def preference(table: Table, *, criterion: str = "entropy") -> Preference:
    """Find where ID3's tree stands among all consistent trees of a table.

    Parameters
    ----------
    table
        A small table; see :func:`dtree_lab.theory.count_consistent`.
    criterion
        ``"entropy"`` or ``"gini"``.

    Raises
    ------
    ValueError
        For a table that is too large, and as :func:`dtree_lab.id3` does.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> preference(dt.datasets.two_attributes())
    2 trees fit; the grown one has
      nodes 5 (5 to 7): 0 smaller, 1 the same, 1 larger
      depth 2 (2 to 2): 0 smaller, 2 the same, 0 larger
      questions 12 (12 to 16): 0 smaller, 1 the same, 1 larger
    """
    tree = id3(table, criterion=criterion)
    trees, size = spectrum(table), size_of(tree, table)
    standings = []
    for measure, mine in zip(Size._fields, size, strict=True):
        by_value: Counter[int] = Counter()
        for other, n in trees.items():
            by_value[getattr(other, measure)] += n
        standings.append(Rank(measure, mine, dict(sorted(by_value.items()))))
    return Preference(tree, size, trees.total(), tuple(standings))


def smallest(table: Table, measure: Measure = "nodes") -> Tree:
    """A smallest of all consistent trees, the first of them in the order of the attributes.

    Parameters
    ----------
    table
        A small table; see :func:`dtree_lab.theory.count_consistent`.
    measure
        What to make small: ``"nodes"``, ``"leaves"``, ``"depth"``, or ``"questions"``, the sum of
        the rows' depths.

    Raises
    ------
    ValueError
        For another measure, a table that is too large, and as the growers do.

    Notes
    -----
    This looks at every tree (by sets of rows), which is why nobody grows trees so: finding a
    smallest tree is NP-complete (Hyafil and Rivest, 1976). ID3 takes the best next question.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> smallest(dt.datasets.truth_table("xor", 3)).n_nodes
    15
    """
    if measure not in get_args(Measure):
        msg = f"measure={measure!r} must be one of {', '.join(map(repr, get_args(Measure)))}"
        raise ValueError(msg)
    space = Space.of(table)
    end = int(measure in ("nodes", "leaves"))

    def node(rows: Rows, questions: list[tuple[Split, list[Sized]]]) -> Sized:
        found = []
        for split, below in questions:
            children = tuple(child for _, child in below)
            size = _joined(measure, [n for n, _ in below], rows)
            found.append((size, Branch(space.counts(rows), split, children)))
        return min(found, key=lambda sized: sized[0])

    _, root = fold(space, lambda rows: (end, Leaf(space.counts(rows))), node)
    return Tree.of(table, root)


def _joined(measure: Measure, parts: list[int], rows: Rows) -> int:
    """A node's size from the sizes of its branches."""
    match measure:
        case "nodes":
            return 1 + sum(parts)
        case "leaves":
            return sum(parts)
        case "depth":
            return 1 + max(parts)
        case "questions":
            return rows.bit_count() + sum(parts)
