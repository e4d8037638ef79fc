"""What two trees say differently: where they part, and which rows they answer differently."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from dtree_lab.encoding import labels_for
from dtree_lab.learn.overlay import Pair, Rows, answer_alike, answers, does, pairs
from dtree_lab.learn.pruning.arrays import check_tree
from dtree_lab.shown import Shown, plural
from dtree_lab.table import decode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.overlay import Trees
    from dtree_lab.table import Table, Value
    from dtree_lab.tree import Path, Tree

Kind: TypeAlias = Literal["asks", "answers", "one", "other", "stops"]
NAMES = ("the first", "the second")
_AT_ONCE = "They part at the root."


@dataclass(frozen=True)
class Difference:
    """A place where two trees part: everything above it is the same in both.

    Attributes
    ----------
    kind
        ``"asks"``: they ask different questions. ``"answers"``: two leaves answer differently.
        ``"one"``, ``"other"``: only that tree goes on asking; the other has a leaf. ``"stops"``:
        they ask the same, but rows that stop there for want of a value get different answers.
    one, other
        The path of the place in each tree.
    where
        What holds for the rows there, question by question.
    does
        What each tree does there, such as ``("asks Refund", "answers No")``.
    rows, changed
        How many rows of the table come there, or stop there, and how many of them are answered
        differently.
    """

    kind: Kind
    one: Path
    other: Path
    where: tuple[str, ...]
    does: tuple[str, str]
    rows: int
    changed: int

    def told(self, names: tuple[str, str] = NAMES) -> str:
        """The difference in a sentence, the trees being called by some names."""
        place = f"Where {', '.join(self.where)}" if self.where else "At the root"
        if self.kind == "stops":
            place += ", for rows that stop there"
        first, second = (f"{name} {does}" for name, does in zip(names, self.does, strict=True))
        return f"{place}: {first}, {second}. {self.counted}."

    @property
    def counted(self) -> str:
        """How many of the rows there are answered differently, in words."""
        if not self.rows:
            return "No row comes there"
        here = plural(self.rows, "row")
        if not self.changed:
            return f"Yet {here} there {'is' if self.rows == 1 else 'are'} answered alike"
        return f"{self.changed:,} of {here} there answered differently"


class Changed(NamedTuple):
    """A row that is answered differently.

    Attributes
    ----------
    row
        Its position in the table, from 0.
    one, other, truth
        Both answers, and the row's own label.
    """

    row: int
    one: Value
    other: Value
    truth: Value


@dataclass(frozen=True, eq=False, repr=False)
class Differences(Shown):
    """What differs between two trees: text in a terminal, tables in a notebook.

    Attributes
    ----------
    one, other
        The trees.
    table
        The rows that both answer.
    places
        Where they part, those near the root first.
    n_same
        How many nodes ask or answer the same, from the root down to those places.
    rows
        The rows that are answered differently, as positions in the table; shape ``(n,)``.
    better, worse
        How many rows the other tree answers better, or worse, than the first: right instead of
        wrong, or, of numbers, nearer to the row's own. Of two different wrong classes neither is.
    """

    one: Tree
    other: Tree
    table: Table
    places: tuple[Difference, ...]
    n_same: int
    rows: NDArray[np.intp]
    better: int
    worse: int

    @property
    def same(self) -> bool:
        """Whether the trees part nowhere."""
        return not self.places

    @cached_property
    def changed(self) -> tuple[Changed, ...]:
        """The rows that are answered differently, with both answers. Made when asked for."""
        return tuple(self.some())

    def some(self, most: int | None = None) -> list[Changed]:
        """The first few rows that are answered differently, or all."""
        rows = self.rows[:most]
        if not len(rows):
            return []
        part = self.table.take(rows)
        columns = (self.one.predict(part).tolist(), self.other.predict(part).tolist())
        truths = decode(part.target, part.labels)
        return [
            Changed(row, one, other, truth)
            for row, one, other, truth in zip(rows.tolist(), *columns, truths, strict=True)
            if truth is not None  # no row lacks its label
        ]

    def told(self, names: tuple[str, str] = NAMES) -> str:
        """The whole in a sentence or two, the trees being called by some names."""
        first, second = names
        here = plural(self.table.n_rows, "row")
        if self.same:
            return f"{first[:1].upper()}{first[1:]} and {second} are the same tree."
        alike = f"{plural(self.n_same, 'node')} alike from the root down; they part at"
        parted = f"{alike} {plural(len(self.places), 'place')}." if self.n_same else _AT_ONCE
        if not len(self.rows):
            return f"{parted} Yet they answer all of {here} alike."
        rows = f"{len(self.rows):,} of {here} answered differently"
        return f"{parted} {rows}: {second} is better on {self.better:,}, worse on {self.worse:,}."


def differences(one: Tree, other: Tree, table: Table) -> Differences:
    """Compare two trees: what differs, where, and on which rows.

    They are laid over each other from the root. Where both ask the same, which means the same
    attribute with the same branches, the comparison goes on below, and the same rows come there in
    both. Where they part, what lies below is not compared any further.

    Parameters
    ----------
    one, other
        Two trees with the same target, for instance before and after pruning.
    table
        Rows with labels, to tell which are answered differently.

    Returns
    -------
    Differences
        Its `places` tell where the trees part, its `changed` the rows with both answers.

    Raises
    ------
    TypeError
        For what is no tree or no table.
    ValueError
        For trees with different targets, or a table that does not fit them.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()
    >>> found = dt.differences(dt.id3(table, max_depth=1), dt.id3(table), table)
    >>> print(found.places[0].told())
    Where Marital Status is Single: the first answers No, the second asks Refund. \
2 of 4 rows there answered differently.
    >>> found.better, found.worse
    (3, 0)
    """
    check_tree(one)
    check_tree(other)
    if (one.target.name, one.target.kind) != (other.target.name, other.target.kind):
        told = [f"{tree.target.name!r} ({tree.target.kind})" for tree in (one, other)]
        msg = f"trees are compared that predict the same; these predict {told[0]} and {told[1]}"
        raise ValueError(msg)
    labels_for(one.target, table, "a tree here")  # raises for what does not fit
    rows = Rows.of((one, other), table)
    found = [(pair, _difference((one, other), pair, rows)) for pair in pairs((one, other))]
    places = tuple(place for _, place in found if place is not None)
    n_same = sum(place is None or place.kind == "stops" for _, place in found)
    better, worse = rows.judged(by_distance=table.target.values is None)
    return Differences(
        one, other, table, places, n_same, np.flatnonzero(rows.differ), better, worse
    )


def _difference(trees: Trees, pair: Pair, rows: Rows) -> Difference | None:
    """What differs at a pair of nodes, if anything."""
    here, changed = rows.passed[pair.nodes[0]].tolist()
    done, kind = does(trees, pair), _kind(pair)
    if kind == "stops":
        here, changed = rows.stopped[pair.nodes[0]].tolist()
        done = answers(trees, pair)
        if not changed:
            return None
    if kind == "answers" and answer_alike(trees, pair):
        return None
    return Difference(kind, *pair.paths, pair.where, done, here, changed)


def _kind(pair: Pair) -> Kind:
    if pair.ways is not None:
        return "stops"
    mine, theirs = (split is None for split in pair.splits)
    if mine == theirs:
        return "answers" if mine else "asks"
    return "other" if mine else "one"
