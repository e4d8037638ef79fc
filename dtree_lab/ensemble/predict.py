"""Many trees that answer together, by vote or by the mean of their numbers.

:class:`Grove` sends rows through many trees at once. :func:`grow_numbered` grows a batch of a
forest's trees and asks them about the rows that they were not grown on. :func:`shared` says how
near rows are to each other in the eyes of a forest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.parallel import at_once
from dtree_lab.base.types import Floats, Ints
from dtree_lab.ensemble.out_of_bag import OutOfBagAnswers, of_copies, of_rows
from dtree_lab.ensemble.settings import ForestSettings, grown_rows
from dtree_lab.grow.engine.grow import Drawing, grow_trees
from dtree_lab.grow.engine.packed import PackedColumns
from dtree_lab.grow.engine.sampling import root_key
from dtree_lab.grow.leaf_values import answered
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Attribute, Table, Value
from dtree_lab.table.ticks import averaged
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.routing import (
    Cells,
    Halves,
    Nodes,
    Questions,
    Slots,
    Values,
    descend,
    stops_in_parts,
)
from dtree_lab.tree.tree import Tree, own_columns

# Pairs of a tree and a row that are on their way together: few enough to stay in the cache.
_ROWS_AT_A_TIME = 1 << 14
# With so many rows it pays to go through one tree after the other.
_MANY = 1 << 11


@dataclass(frozen=True, eq=False)
class Grove(Nodes):
    """The nodes of several trees in one array each, tree after tree; as in `tree.arrays.Flat`."""

    root: Ints  # the number of each tree's root
    attr: NDArray[np.int32]  # of each node, counted through all trees, as what follows
    first: NDArray[np.int32]
    width: NDArray[np.int32]
    start: NDArray[np.int64]
    cuts: NDArray[np.float64]  # of all trees
    routes: NDArray[np.int32]
    gaps: NDArray[np.int32]
    n_values: list[int]  # of each attribute, 0 for a continuous one

    @classmethod
    def of(cls, flats: Sequence[Flat], attributes: Sequence[Attribute]) -> Grove:
        """Put trees together."""
        n_values = [a.n_values for a in attributes]
        discrete = np.array([*n_values, 0]) > 0
        nodes = [flat.n_nodes for flat in flats]

        def earlier(lengths: Sequence[int]) -> Ints:
            return np.repeat(np.cumsum(lengths) - lengths, nodes)

        attr = np.concatenate([flat.attr for flat in flats])
        first = np.concatenate([flat.first for flat in flats]) + earlier(nodes)
        start = np.concatenate([flat.start for flat in flats]) + np.where(
            discrete[attr],
            earlier([len(flat.routes) for flat in flats]),
            earlier([len(flat.cuts) for flat in flats]),
        )
        return cls(
            np.cumsum(nodes) - nodes,
            attr,
            first.astype(np.int32),
            np.concatenate([flat.width for flat in flats]),
            np.where(attr < 0, 0, start),  # a leaf has no part, and its tree perhaps no cuts
            np.concatenate([flat.cuts for flat in flats]),
            np.concatenate([flat.routes for flat in flats]),
            np.concatenate([flat.gaps for flat in flats]),
            n_values,
        )

    def stops_of_all(self, columns: Sequence[NDArray[Any]]) -> Iterator[Ints]:
        """The node where each row stops in each tree, ``(n_trees, some rows)`` at a time."""
        n, n_trees = len(columns[0]), len(self.root)
        if n >= _MANY:
            yield from stops_in_parts(self, self.root.tolist(), self.n_values, columns)
        elif n:
            # What few rows cost is numpy's calls, so all trees go together.
            tree, row = np.repeat(np.arange(n_trees), n), np.tile(np.arange(n), n_trees)
            yield self.stops(tree, row, columns).reshape(n_trees, n)

    def stops(
        self,
        tree: Ints,
        row: Ints,
        columns: Sequence[NDArray[Any]],
        attribute: int = -1,
        others: Ints | None = None,
    ) -> Ints:
        """The node where each row stops in each tree, pair by pair, counted through all trees.

        The value of an `attribute` can be taken from other rows, `others`, one for each pair.
        """
        node = self.root[tree]
        if (self.attr < 0).all():
            return node
        asked = Questions.of(self, np.array([*self.n_values, 0]))
        if others is not None and attribute not in asked.attributes:
            others = None
        values = Values.of(columns, asked, len(columns[0]))
        missing = values.load(0, values.n_rows)
        way: Halves | Slots
        if asked.only_thresholds and not missing:
            way = Halves.of(self, asked.column * values.n_rows)
        else:
            way = Slots.of(self, asked, values.n_rows)
        swapped = -1 if others is None else asked.attributes.index(attribute) * values.n_rows
        numbers = values.numbers.reshape(-1)
        for begin in range(0, len(node), _ROWS_AT_A_TIME):
            some = slice(begin, begin + _ROWS_AT_A_TIME)
            foreign = None if others is None else others[some]
            descend(node[some], way, Cells(numbers, row[some], swapped, foreign))
        return node


# Rows of all trees that grow in step: enough to forget the cost of numpy's calls.
_ROWS_IN_STEP = 1 << 18
# With several jobs: so many batches for each, unless they had fewer rows than this.
_FOR_EACH_JOB, _LEAST = 3, 1 << 16


def batches(n_trees: int, n_rows: int, n_jobs: int | None) -> list[range]:
    """Which trees grow in step: some batches for each job, few of them in a small forest."""
    jobs = at_once(n_jobs)
    rows = n_trees * n_rows
    for_each = 1 if jobs == 1 else min(_FOR_EACH_JOB * jobs, rows // _LEAST)
    n = min(max(-(-rows // _ROWS_IN_STEP), for_each), n_trees)
    return [range(a, b) for a, b in pairwise(i * n_trees // n for i in range(n + 1))]


def grow_numbered(  # noqa: PLR0913 - what a forest keeps from batch to batch
    table: Table,
    in_ticks: Table,
    places: PackedColumns,
    plan: ForestSettings,
    trees: Sequence[int],
    *,
    roots: Sequence[int] = (),
) -> list[tuple[Tree, OutOfBagAnswers]]:
    """Some trees, by number, each with what it says of the rows that are out of its bag.

    What they ask first is drawn, too, unless `roots` says an attribute for each.
    """
    times = plan.times(trees, table.n_rows)
    first = np.array(roots, dtype=np.intp) if roots else None
    drawing = Drawing(plan.m, root_key(plan.seed, trees), first)
    flats = grow_trees(in_ticks, places, plan.recipe, times, drawing)
    named = plan.recipe.criterion.name
    grown_on = grown_rows(table, plan)
    made = [_tree(grown_on, named, *one) for one in zip(flats, times, strict=True)]
    return list(zip(made, _said(made, plan.out(trees, table.n_rows), table, plan), strict=True))


def _tree(table: Table, criterion: str, flat: Flat, times: NDArray[np.int64]) -> Tree:
    if table.target.values is not None:
        unit = table.weight_unit
        return Tree(table.attributes, table.target, flat, criterion=criterion, weight_unit=unit)
    # Means are those of the numbers as they came.
    if table.weights is not None:
        return answered(table, flat)
    return answered(table.take(np.repeat(np.arange(table.n_rows), times)), flat)


def node_answers(trees: Sequence[Tree]) -> NDArray[Any]:
    """What each node answers, tree after tree: codes of classes, or numbers."""
    if trees[0].target.values is None:
        return np.concatenate([tree.flat.values[:, 0] for tree in trees])
    return np.concatenate([tree.flat.majority for tree in trees])


def _said(
    trees: list[Tree], out: NDArray[np.bool_], table: Table, plan: ForestSettings
) -> list[OutOfBagAnswers]:
    if (row_of := plan.row_of(table.n_rows)) is not None:
        rows = of_rows(out.T, row_of, np.logical_or).T
        each = zip(_said_of(trees, rows, table), out, strict=True)
        return [of_copies(said, mine, row_of) for said, mine in each]
    return _said_of(trees, out, table)


def _said_of(trees: list[Tree], out: NDArray[np.bool_], table: Table) -> list[OutOfBagAnswers]:
    tree, row = np.nonzero(out)
    grove = Grove.of([tree.flat for tree in trees], table.attributes)
    answers = node_answers(trees)[grove.stops(tree, row, table.columns)]
    ends = np.cumsum(out.sum(axis=1))[:-1]
    parts = zip(np.split(row, ends), np.split(answers, ends), strict=True)
    return [OutOfBagAnswers(rows, said) for rows, said in parts]


class Voting:
    """Trees that answer together: the class with most votes, or the mean of their numbers."""

    target: Attribute
    trees: tuple[Any, ...]
    _named: ClassVar[str]  # in a message

    @property
    def n_trees(self) -> int:
        """How many trees vote."""
        return len(self.trees)

    @property
    def classes(self) -> tuple[Value, ...]:
        """The target's classes, in order; none of numbers."""
        return self.target.values or ()

    def predict(self, data: Any) -> Any:
        """The predicted class or number of a row, or of each row of a table.

        Parameters
        ----------
        data
            As for :meth:`dtree_lab.Tree.predict`: a row, rows, a table or a data frame.

        Returns
        -------
        Value or numpy.ndarray
            One answer for a row, an array of shape ``(n_rows,)`` otherwise. The first class wins a
            tie.

        Raises
        ------
        ValueError, TypeError
            As :meth:`dtree_lab.Tree.predict` does.
        """
        answers = self._predicted(data)
        if self.target.values is not None:
            answers = self.target.array[answers]
        return answers.tolist()[0] if isinstance(data, Mapping) else answers

    def votes(self, data: Any) -> NDArray[np.int64]:
        """How many trees say each class, shape ``(n_rows, n_classes)``; `data` as in `predict`.

        Raises
        ------
        ValueError
            When numbers are predicted, which have no votes; and as `predict` does.
        """
        self._check_votes()
        k = len(self.classes)
        counted = [
            np.bincount((np.arange(said.shape[1]) * k + said).ravel(), minlength=said.shape[1] * k)
            for said in self._said(data)
        ]
        return np.concatenate(counted).reshape(-1, k)

    def shares(self, data: Any) -> Floats:
        """The share of the trees that says each class; as :meth:`votes`."""
        return self.votes(data) / self.n_trees

    def error(self, table: Table) -> float:
        """The share of a table's rows predicted wrongly; of numbers, the mean squared error.

        Raises
        ------
        ValueError
            When the table lacks an attribute or has another target.
        TypeError
            For what is no table.
        """
        right = self._labels(table)
        said = self._predicted(table)
        if self.target.values is None:
            return averaged(np.square(said - right), table.weights)
        return averaged(said != right, table.weights)

    def _said(self, data: Any) -> Iterator[NDArray[Any]]:
        """Each tree's answers, codes of classes or numbers, ``(n_trees, some rows)`` at a time."""
        raise NotImplementedError

    def _predicted(self, data: Any) -> NDArray[Any]:
        """Codes of classes, or numbers."""
        if self.target.values is None:
            return np.concatenate([said.mean(axis=0) for said in self._said(data)])
        codes: NDArray[Any] = self.votes(data).argmax(axis=1)
        return codes

    def _check_votes(self) -> None:
        if self.target.values is None:
            msg = f"{self.target.name!r} is continuous: its predictions are averaged, not counted"
            raise ValueError(msg)

    def _labels(self, table: Table) -> NDArray[Any]:
        """A table's labels in the forest's own codes."""
        return labels_for(self.target, table, self._named)


@dataclass(frozen=True, eq=False, repr=False)
class VotingTrees(Voting):
    """What a forest knows by its trees alone."""

    attributes: tuple[Attribute, ...]  # those of the table that it was grown on
    target: Attribute
    trees: tuple[Tree, ...]  # ordinary trees, each of which can be drawn, asked and explained
    _named = "the forest"

    @property
    def n_leaves(self) -> float:
        """How many leaves a tree has, on average."""
        return float(np.mean([tree.n_leaves for tree in self.trees]))

    @cached_property
    def grove(self) -> Grove:
        """All trees' nodes together."""
        return Grove.of([tree.flat for tree in self.trees], self.attributes)

    @cached_property
    def answers(self) -> NDArray[Any]:
        """What each node of the grove answers: codes of classes, or numbers."""
        return node_answers(self.trees)

    def stops(self, data: Any) -> Iterator[NDArray[Any]]:
        """The node of the grove where each row stops in each tree; ``(n_trees, some rows)``."""
        return self.grove.stops_of_all(own_columns(self.attributes, data))

    def _said(self, data: Any) -> Iterator[NDArray[Any]]:
        for nodes in self.stops(data):
            yield self.answers[nodes]


# Pairs of rows that are compared at a time.
_PAIRS_AT_A_TIME = 1 << 20


def shared(some: Ints, all_rows: Ints, left_out: NDArray[np.bool_] | None = None) -> Floats:
    """In how many trees, but those `left_out`, some rows stop where others do; a matrix."""
    n_some, n = some.shape[1], all_rows.shape[1]
    times = np.zeros((n_some, n), dtype=np.int32)
    step = max(1, _PAIRS_AT_A_TIME // n)
    for begin in range(0, n_some, step):
        part = slice(begin, begin + step)
        for t, (one, others) in enumerate(zip(some, all_rows, strict=True)):
            same = one[part, None] == others
            if left_out is not None:
                same[left_out[t, part]] = False
                same[:, left_out[t]] = False
            times[part] += same
    return times.astype(np.float64)
