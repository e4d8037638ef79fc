"""Two trees compared: where they part, and which rows they answer differently.

They are laid over each other from the root, though they may know different tables.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import Presentable, plural, value
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Attribute, Table, Value, decode, value_key
from dtree_lab.tree.questions import as_tree
from dtree_lab.tree.splits import Intervals, Split, answer, question, reason, with_gaps
from dtree_lab.tree.subtrees import summed_up
from dtree_lab.tree.tree import Path, Tree, own_columns

Trees = tuple["Tree", "Tree"]


@dataclass(frozen=True)
class Pair:
    """A node of each tree that the same rows come to, since all above is the same in both."""

    nodes: tuple[int, int]  # their numbers; the trees may take another order of the branches
    paths: tuple[Path, Path]  # where they are
    splits: tuple[Split | None, Split | None]  # what they ask; None at a leaf
    # Where both ask the same, for each branch of the first that of the second.
    ways: tuple[int, ...] | None
    where: tuple[str, ...]  # what holds for the rows there, question by question


def pairs(trees: Trees) -> Iterator[Pair]:
    """The nodes above which all is the same, breadth first; below others nothing is compared."""
    one, other = trees
    waiting: deque[tuple[tuple[int, int], tuple[Path, Path], tuple[str, ...]]]
    waiting = deque([((0, 0), ((), ()), ())])
    while waiting:
        nodes, paths, where = waiting.popleft()
        mine = one.flat.split(nodes[0], one.attributes)
        theirs = other.flat.split(nodes[1], other.attributes)
        ways = None if mine is None or theirs is None else _ways(trees, mine, theirs)
        yield Pair(nodes, paths, (mine, theirs), ways, where)
        if mine is None or ways is None:
            continue
        first = int(one.flat.first[nodes[0]]), int(other.flat.first[nodes[1]])
        for b, c in enumerate(ways):
            why = reason(mine, one.attributes[mine.attribute], b)
            below = first[0] + b, first[1] + c
            waiting.append((below, ((*paths[0], b), (*paths[1], c)), (*where, why)))


def _ways(trees: Trees, mine: Split, theirs: Split) -> tuple[int, ...] | None:
    """For each branch of the first question that of the second; None where they ask otherwise."""
    one, other = trees
    if one.attributes[mine.attribute].name != other.attributes[theirs.attribute].name:
        return None
    here, there = _branches(mine, one.attributes), _branches(theirs, other.attributes)
    if set(here) != set(there):
        return None
    at = {way: branch for branch, way in enumerate(there)}
    return tuple(at[way] for way in here)


def _branches(split: Split, attributes: Sequence[Attribute]) -> list[Hashable]:
    """What leads into each branch, in terms that hold for any table."""
    ways: list[Hashable]
    if isinstance(split, Intervals):
        ways = list(zip((None, *split.cuts), (*split.cuts, None), strict=True))
    else:
        values = attributes[split.attribute].values or ()
        ways = [frozenset(value_key(values[code]) for code in group) for group in split.groups]
    return [(way, b == split.gaps) for b, way in enumerate(ways)]


# -- what nodes do, in words -----------------------------------------------------------------------


def does(tree: Tree, node: int) -> str:
    """What a node does: ``asks Refund``, ``answers No``."""
    split = tree.flat.split(node, tree.attributes)
    if split is None:
        return f"answers {_told(tree, node)}"
    return f"asks {question(split, tree.attributes[split.attribute])}"


def _does(trees: Trees, pair: Pair) -> tuple[str, str]:
    """What each tree does at a pair of nodes: ``("asks Refund", "answers No")``."""
    said = list(map(does, trees, pair.nodes))
    if said[0] == said[1]:
        told = zip(said, pair.splits, trees, strict=True)
        said = [f"{what} ({_listed(split, tree)})" for what, split, tree in told]
    return said[0], said[1]


def _listed(split: Split | None, tree: Tree) -> str:
    if split is None:
        return "otherwise"
    attribute = tree.attributes[split.attribute]
    ways = range(split.n_branches)
    return " / ".join(with_gaps(answer(split, attribute, b), split, b) for b in ways)


def _told(tree: Tree, node: int) -> str:
    if tree.target.values is not None:
        return value(tree.classes[int(tree.flat.majority[node])])
    first, _, *line = tree.flat.values[node].tolist()
    return f"{first:.6g} and a line" if any(line[::2]) else f"{first:.6g}"


def _answer(tree: Tree, node: int) -> Hashable:
    """What a node answers; of a line everything but how far its rows lie apart."""
    if tree.target.values is not None:
        return value_key(tree.classes[int(tree.flat.majority[node])])
    first, _, *line = tree.flat.values[node].tolist()
    return first, *line


# -- what becomes of rows --------------------------------------------------------------------------


@dataclass(frozen=True)
class RoutedRows:
    """What becomes of a table's rows in both trees."""

    answers: NDArray[Any]  # both, and the labels, as numbers; shape `(3, n_rows)`
    differ: NDArray[np.bool_]  # which rows are answered differently
    # Of each node of the first tree the rows that stop there, and how many of them differ.
    stopped: NDArray[Any]
    passed: NDArray[Any]  # the same of those that stop there or below; both `(n_nodes, 2)`

    @classmethod
    def of(cls, trees: Trees, table: Table) -> RoutedRows:
        """Send the rows through both trees."""
        stops = [tree.apply(table) for tree in trees]
        found = _answered(trees, stops, table)
        differ = found[0] != found[1]
        n, flat = trees[0].n_nodes, trees[0].flat
        at = (np.bincount(stops[0], minlength=n), np.bincount(stops[0][differ], minlength=n))
        stopped = np.stack(at, axis=1)
        return cls(found, differ, stopped, summed_up(flat, stopped))

    def judged(self, *, by_distance: bool) -> tuple[int, int]:
        """How many rows the other tree answers better and worse."""
        one, other, truth = self.answers
        off = (one - truth, other - truth) if by_distance else (one != truth, other != truth)
        wrong, still = (np.abs(o.astype(float)) for o in off)
        return int((still < wrong).sum()), int((still > wrong).sum())


def _answered(trees: Trees, stops: Sequence[NDArray[Any]], table: Table) -> NDArray[Any]:
    """Both trees' answers and the labels as numbers, equal if the values are; ``(3, n_rows)``."""
    if table.target.values is None:
        both = zip(trees, stops, strict=True)
        return np.stack([*(tree.answers_at(at, table) for tree, at in both), table.labels])
    numbers: dict[Hashable, int] = {}

    def numbered(values: Sequence[Value]) -> NDArray[Any]:
        return np.array([numbers.setdefault(value_key(v), len(numbers)) for v in values])

    codes = [tree.codes_for(own_columns(tree.attributes, table)) for tree in trees]
    found = [numbered(tree.classes)[some] for tree, some in zip(trees, codes, strict=True)]
    return np.stack([*found, numbered(table.classes)[table.labels]])


Kind: TypeAlias = Literal["asks", "answers", "one", "other", "stops"]
NAMES = ("the first", "the second")
_AT_ONCE = "They part at the root."


@dataclass(frozen=True)
class Difference:
    """A place where two trees part: everything above it is the same in both.

    They ask different questions there (``"asks"``); two leaves answer differently (``"answers"``);
    only one tree goes on asking, and the other has a leaf (``"one"``, ``"other"``); or they ask the
    same, but rows that stop there for want of a value get different answers (``"stops"``).
    """

    kind: Kind
    one: Path  # of the place in the first tree
    other: Path
    where: tuple[str, ...]  # what holds for the rows there, question by question
    does: tuple[str, str]  # in each tree, such as ("asks Refund", "answers No")
    rows: int  # of the table that come there, or stop there
    changed: int  # how many of them are answered differently

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
    """A row that is answered differently."""

    row: int  # its position in the table, from 0
    one: Value
    other: Value
    truth: Value  # the row's own label


@dataclass(frozen=True, eq=False, repr=False)
class Differences(Presentable):
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


def differences(one: Any, other: Any, table: Table) -> Differences:
    """Compare two trees: what differs, where, and on which rows.

    They are laid over each other from the root. Where both ask the same, which means the same
    attribute with the same branches, the comparison goes on below, and the same rows come there in
    both. Where they part, what lies below is not compared any further.

    Parameters
    ----------
    one, other
        Two trees with the same target, for instance before and after pruning; fitted estimators of
        :mod:`dtree_lab.sklearn`, whose trees are taken; or models that
        :meth:`dtree_lab.Tree.from_model` reads, which the table's rows fill.
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
    one, other = as_tree(one, table), as_tree(other, table)
    if (one.target.name, one.target.kind) != (other.target.name, other.target.kind):
        told = [f"{tree.target.name!r} ({tree.target.kind})" for tree in (one, other)]
        msg = f"trees are compared that predict the same; these predict {told[0]} and {told[1]}"
        raise ValueError(msg)
    labels_for(one.target, table, "a tree here")  # raises for what does not fit
    rows = RoutedRows.of((one, other), table)
    found = [(pair, _difference((one, other), pair, rows)) for pair in pairs((one, other))]
    places = tuple(place for _, place in found if place is not None)
    n_same = sum(place is None or place.kind == "stops" for _, place in found)
    better, worse = rows.judged(by_distance=table.target.values is None)
    return Differences(
        one, other, table, places, n_same, np.flatnonzero(rows.differ), better, worse
    )


def _difference(trees: Trees, pair: Pair, rows: RoutedRows) -> Difference | None:
    """What differs at a pair of nodes, if anything."""
    here, changed = rows.passed[pair.nodes[0]].tolist()
    done, kind = _does(trees, pair), _kind(pair)
    if kind == "stops":
        here, changed = rows.stopped[pair.nodes[0]].tolist()
        first, second = map(_told, trees, pair.nodes)
        done = f"answers {first}", f"answers {second}"
        if not changed:
            return None
    if kind == "answers" and len(set(map(_answer, trees, pair.nodes))) == 1:
        return None
    return Difference(kind, *pair.paths, pair.where, done, here, changed)


def _kind(pair: Pair) -> Kind:
    if pair.ways is not None:
        return "stops"
    mine, theirs = (split is None for split in pair.splits)
    if mine == theirs:
        return "answers" if mine else "asks"
    return "other" if mine else "one"
