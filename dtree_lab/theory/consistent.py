"""All trees that fit a small table, counted, listed and searched for the best.

A *consistent* tree goes on asking until a node's rows have one class, or nothing tells them apart,
and no further. At a node it may ask any discrete attribute that has two values there, with a branch
for each, and any continuous one at any midpoint between neighbouring values: what ID3 chooses from.
Two trees that ask different questions are two, even if they part the rows alike.

What can be said below a node depends only on the rows that arrive there, not on the way. A set of
rows is a whole number, bit i for row i, and is worked out once:

    trees(rows) = 1                                              if no question is left to ask
                = Σ over questions of Π over branches of trees(branch)   otherwise
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from dtree_lab.grow.prepare import check_classes
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import ByValue, Split, midpoint, threshold
from dtree_lab.tree.tree import Branch, Leaf, Node, Tree

Rows: TypeAlias = int
Question: TypeAlias = "tuple[Split, tuple[Rows, ...]]"
T = TypeVar("T")

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
