"""A small table as sets of rows: what can be asked of each set, worked out once.

What can be said below a node depends only on the rows that arrive there, not on the way. A set of
rows is a whole number, bit i for row i, so that it can be looked up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from dtree_lab.learn.ready import check_classes
from dtree_lab.splits import ByValue, midpoint, threshold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dtree_lab.splits import Split
    from dtree_lab.table import Table

Rows: TypeAlias = int
Question: TypeAlias = "tuple[Split, tuple[Rows, ...]]"
T = TypeVar("T")

_MOST_QUESTIONS = 500_000


@dataclass(frozen=True, eq=False)
class Space:
    """A table as sets of rows, and what has been worked out for some of them.

    Attributes
    ----------
    table
        The rows.
    masks
        For each attribute its values with the rows that have them, in order.
    labelled
        The rows of each class.
    """

    table: Table
    masks: tuple[tuple[tuple[float, Rows], ...], ...]
    labelled: tuple[Rows, ...]
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
        """Every set of rows that some sequence of answers leaves.

        Raises
        ------
        ValueError
            When there are more than half a million questions to ask of them.
        """
        found, waiting, n_questions = {self.everything}, [self.everything], 0
        while waiting:
            asked = self.questions(waiting.pop())
            n_questions += len(asked)
            if n_questions > _MOST_QUESTIONS:
                msg = (
                    f"the nodes of this table's trees could ask more than {_MOST_QUESTIONS:,}"
                    " different questions; take fewer rows, attributes or different values"
                )
                raise ValueError(msg)
            for _, parts in asked:
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


def folded(
    space: Space,
    leaf: Callable[[Rows], T],
    node: Callable[[Rows, list[tuple[Split, list[T]]]], T],
) -> T:
    """Work out something for all rows from what it is for the branches of each question.

    Parameters
    ----------
    space
        The table.
    leaf
        What it is for rows of which nothing is asked.
    node
        What it is for rows, given each question with what it is for its branches.
    """
    known: dict[Rows, T] = {}
    # A branch has fewer rows than its node, so it is known before.
    for rows in sorted(space.reachable(), key=int.bit_count):
        asked = space.questions(rows)
        below = [(split, [known[part] for part in parts]) for split, parts in asked]
        known[rows] = node(rows, below) if asked else leaf(rows)
    return known[space.everything]
