"""All trees that fit a small table, counted, listed and searched, and ID3's place among them.

A *consistent* tree goes on asking until a node's rows have one class, or nothing tells them apart,
and no further. At a node it may ask any discrete attribute that has two values there, with a branch
for each, and any continuous one at any midpoint between neighbouring values: what ID3 chooses from.
Two trees that ask different questions are two, even if they part the rows alike.

What can be said below a node depends only on the rows that arrive there, not on the way. A set of
rows is a whole number, bit i for row i, and is worked out once:

    trees(rows) = 1                                              if no question is left to ask
                = Σ over questions of Π over branches of trees(branch)   otherwise

Trees are ID3's *restriction bias*: what it can say at all. Its *preference bias* is which of the
many trees that fit it takes: good questions near the root, and with them short trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import Literal, NamedTuple, TypeAlias, TypeVar, get_args

import numpy as np

from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural
from dtree_lab.grow.api import id3
from dtree_lab.grow.prepare import check_classes
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import ByValue, Split, midpoint, threshold
from dtree_lab.tree.tree import Branch, Leaf, Node, Tree

Rows: TypeAlias = int
Question: TypeAlias = "tuple[Split, tuple[Rows, ...]]"
T = TypeVar("T")
Sized: TypeAlias = tuple[int, Node]
Measure: TypeAlias = Literal["nodes", "leaves", "depth", "questions"]

_MOST_QUESTIONS = 500_000


@dataclass(frozen=True, eq=False)
class Space:
    """A table as sets of rows, and what has been worked out for some of them."""

    table: Table
    # For each attribute its values with the rows that have them, in order.
    masks: tuple[tuple[tuple[float, Rows], ...], ...]
    labelled: tuple[Rows, ...]  # the rows of each class
    _asked: dict[Rows, tuple[Question, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table) -> Space:
        """The space of a table that trees can be grown on."""
        check_classes(table)
        masks = tuple(tuple(_masks(column.tolist()).items()) for column in table.columns)
        labelled = dict(_masks(table.labels.tolist()))
        return cls(table, masks, tuple(labelled.get(k, 0) for k in range(len(table.classes))))

    @property
    def everything(self) -> Rows:
        """All rows."""
        return (1 << self.table.n_rows) - 1

    def counts(self, rows: Rows) -> tuple[int, ...]:
        """How many of these rows are of each class."""
        return tuple((rows & mask).bit_count() for mask in self.labelled)

    def questions(self, rows: Rows) -> tuple[Question, ...]:
        """What can be asked of these rows, with the rows of each branch; nothing when pure."""
        if rows not in self._asked:
            pure = any(rows & mask == rows for mask in self.labelled)
            self._asked[rows] = () if pure else tuple(self._ask(rows))
        return self._asked[rows]

    def reachable(self) -> set[Rows]:
        """Every set of rows that some sequence of answers leaves; too many are refused."""
        found, waiting, n_questions = {self.everything}, [self.everything], 0
        while waiting:
            questions = self.questions(waiting.pop())
            n_questions += len(questions)
            if n_questions > _MOST_QUESTIONS:
                raise ValueError(
                    f"the nodes of this table's trees could ask more than {_MOST_QUESTIONS:,}"
                    " different questions; take fewer rows, attributes or different values"
                )
            for _, parts in questions:
                new = set(parts) - found
                found |= new
                waiting.extend(new)
        return found

    def _ask(self, rows: Rows) -> Iterator[Question]:
        for i, attribute in enumerate(self.table.attributes):
            here = [(v, mask & rows) for v, mask in self.masks[i] if mask & rows]
            if len(here) < 2:  # noqa: PLR2004 - one value is no question
                continue
            if attribute.values is not None:
                parts = tuple(mask for _, mask in here)
                yield ByValue(i, tuple((int(code),) for code, _ in here)), parts
                continue
            below = 0
            for (low, mask), (high, _) in pairwise(here):
                below |= mask
                cut = float(midpoint(np.array(low), np.array(high)))
                yield threshold(i, cut), (below, rows & ~below)


def _masks(column: list[float]) -> dict[float, Rows]:
    masks: dict[float, Rows] = dict.fromkeys(sorted(set(column)), 0)
    for row, v in enumerate(column):
        masks[v] |= 1 << row
    return masks


def fold(
    space: Space, leaf: Callable[[Rows], T], node: Callable[[Rows, list[tuple[Split, list[T]]]], T]
) -> T:
    """What all rows come to, if `leaf` is known, and of a `node` what its branches come to."""
    known: dict[Rows, T] = {}
    # A branch has fewer rows than its node, so it is known before.
    for rows in sorted(space.reachable(), key=int.bit_count):
        questions = space.questions(rows)
        below = [(split, [known[part] for part in parts]) for split, parts in questions]
        known[rows] = node(rows, below) if questions else leaf(rows)
    return known[space.everything]


class Size(NamedTuple):
    """How large a tree is.

    Attributes
    ----------
    nodes
        All nodes, leaves included.
    depth
        The most questions on any path.
    questions
        The sum of the depths of all training rows: questions asked to answer each of them once.
    """

    nodes: int
    depth: int
    questions: int


def count_consistent(table: Table) -> int:
    """How many consistent trees a table has, exactly, without listing them.

    Parameters
    ----------
    table
        A small table with a discrete target. What grows is the number of different sets of rows
        that can arrive at a node, with the questions to ask of each, of which there may be half a
        million: ten rows are nothing, and all 2^n rows of n binary attributes make 3^n sets.

    Raises
    ------
    ValueError
        For a table that is too large, and as the growers do.

    Examples
    --------
    For XOR, either attribute can be asked first, and then the other one must be:

    >>> import dtree_lab as dt
    >>> count_consistent(dt.datasets.truth_table("xor", 2))
    2
    """
    return fold(
        Space.of(table),
        lambda _: 1,
        lambda _, questions: sum(prod(parts) for _, parts in questions),
    )


def all_trees(table: Table, *, limit: int | None = 100_000) -> Iterator[Tree]:
    """Every consistent tree of a table, one after the other.

    Trees are made as they are asked for, in the order of the attributes and cuts of their roots.
    The tree of :func:`dtree_lab.id3` is one of them.

    Parameters
    ----------
    table
        A small table, as for :func:`count_consistent`.
    limit
        The most trees to begin with; None for any number, which can be taken one at a time.

    Raises
    ------
    ValueError
        At once, when there are more trees than `limit`, and as :func:`count_consistent` does.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.truth_table("or", 2)
    >>> [tree.n_nodes for tree in all_trees(table)]
    [5, 5]
    >>> dt.id3(table) in list(all_trees(table))
    True
    """
    if limit is not None and (n := count_consistent(table)) > limit:
        shown = f"{n:,}" if n < 10**30 else f"about 2^{n.bit_length() - 1}"
        raise ValueError(
            f"the table has {shown} consistent trees, more than limit={limit:,}; take fewer rows or"
            " attributes, or limit=None to take the first ones only"
        )
    space = Space.of(table)
    return (Tree.of(table, root) for root in _nodes(space, space.everything))


def _nodes(space: Space, rows: Rows) -> Iterator[Node]:
    questions, counts = space.questions(rows), space.counts(rows)
    if not questions:
        yield Leaf(counts)
    for split, parts in questions:
        for children in _children(space, parts):
            yield Branch(counts, split, children)


def _children(space: Space, parts: tuple[Rows, ...]) -> Iterator[tuple[Node, ...]]:
    if not parts:
        yield ()
        return
    for first in _nodes(space, parts[0]):
        for rest in _children(space, parts[1:]):
            yield (first, *rest)


def spectrum(table: Table) -> Counter[Size]:
    """How many consistent trees there are of each size, without listing them.

    Parameters and errors are those of :func:`count_consistent`.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> spectrum(dt.datasets.truth_table("or", 2))
    Counter({Size(nodes=5, depth=2, questions=6): 2})
    """

    def node(rows: Rows, questions: list[tuple[Split, list[Counter[Size]]]]) -> Counter[Size]:
        total: Counter[Size] = Counter()
        for _, parts in questions:
            joined = Counter({Size(1, 0, rows.bit_count()): 1})
            for part in parts:
                joined = _joined(joined, part)
            for size, n in joined.items():
                total[size] += n
        return total

    return fold(Space.of(table), lambda _: Counter({Size(1, 0, 0): 1}), node)


def _joined(trees: Counter[Size], part: Counter[Size]) -> Counter[Size]:
    """Each tree with each subtree as one more branch."""
    joined: Counter[Size] = Counter()
    for (nodes, depth, questions), n in trees.items():
        for more, m in part.items():
            size = Size(nodes + more.nodes, max(depth, 1 + more.depth), questions + more.questions)
            joined[size] += n * m
    return joined


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
            size = _size(measure, [n for n, _ in below], rows)
            found.append((size, Branch(space.counts(rows), split, children)))
        return min(found, key=lambda sized: sized[0])

    _, root = fold(space, lambda rows: (end, Leaf(space.counts(rows))), node)
    return Tree.of(table, root)


def _size(measure: Measure, parts: list[int], rows: Rows) -> int:
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
