"""A forest that grows a few trees at a time, and values taken away from its rows and estimated."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from dtree_lab.base.random import key_of, subkey, uniform
from dtree_lab.base.types import Floats, Ints
from dtree_lab.ensemble.forest import Forest
from dtree_lab.ensemble.imputation import Fill, Filled, fill_events
from dtree_lab.ensemble.out_of_bag import OutOfBagAnswers, Votes
from dtree_lab.ensemble.predict import grow_numbered, shared
from dtree_lab.ensemble.settings import ForestSettings, planned
from dtree_lab.grow.engine.packed import PackedColumns
from dtree_lab.labs.kit.wall import shape_of
from dtree_lab.table.table import Table, Value
from dtree_lab.tree.importance import Importance
from dtree_lab.tree.subtrees import path_to
from dtree_lab.tree.tree import Path, Tree

# What is drawn beyond what a forest itself draws: whose labels are turned over, and to what.
_TURNED, _TO = (1 << 41) + 1, (1 << 41) + 2
# Seconds that permuting may take, and what it takes for a tree and an attribute, and for each row.
_PATIENCE, _EACH, _ROW = 0.06, 6e-5, 3.5e-7
MOST_ALONE = 25  # trees that are grown to be compared with


@dataclass(frozen=True, eq=False)
class ForestMember:
    """A tree of the forest, what it says out of its bag, and the node where each row stops."""

    tree: Tree
    out_of_bag: OutOfBagAnswers
    nodes: Ints

    @cached_property
    def shape(self) -> str:
        """The tree as a wall draws it."""
        return shape_of(self.tree.flat)

    @property
    def answers(self) -> Ints:
        """What it says of each training row: codes of classes."""
        codes: Ints = self.tree.flat.majority[self.nodes]
        return codes

    def way(self, row: int) -> Path:
        """Where a training row stops."""
        return path_to(self.tree.flat, int(self.nodes[row]))

    def without(self, row: int) -> bool:
        """Whether a training row is out of its bag."""
        rows = self.out_of_bag.rows
        i = int(np.searchsorted(rows, row))
        return i < len(rows) and int(rows[i]) == row


@dataclass(frozen=True, eq=False)
class ForestGrowth:
    """The trees so far, of rows with their own labels (`clean`) and as they are grown on."""

    clean: Table
    table: Table
    in_ticks: Table
    plan: ForestSettings
    places: PackedColumns
    out_of_bag: Votes
    against_clean: Votes
    training: Votes
    members: tuple[ForestMember, ...] = ()
    roots: tuple[int, ...] = ()  # what the trees ask first, by turns; nothing where that is drawn

    @classmethod
    def of(
        cls, clean: Table, m: int, noise: float, seed: int, roots: tuple[int, ...] = ()
    ) -> ForestGrowth:
        """The beginning: no tree."""
        table = turned_labels(clean, noise, seed)
        in_ticks, plan = planned(table, m=m, seed=seed)
        counts = Votes(table), Votes(clean), Votes(table)
        return cls(clean, table, in_ticks, plan, PackedColumns.of(in_ticks), *counts, roots=roots)

    def more(self, n: int) -> ForestGrowth:
        """With `n` more trees."""
        trees = range(len(self.members), len(self.members) + n)
        roots = [self.roots[i % len(self.roots)] for i in trees if self.roots]
        made = grow_numbered(self.table, self.in_ticks, self.places, self.plan, trees, roots=roots)
        members = [ForestMember(tree, said, tree.apply(self.table)) for tree, said in made]
        counts = [deepcopy(one) for one in (self.out_of_bag, self.against_clean, self.training)]
        every = np.arange(self.table.n_rows)
        for member in members:
            counts[0].add(member.out_of_bag)
            counts[1].add(member.out_of_bag)
            counts[2].add(OutOfBagAnswers(every, member.answers))
        return replace(
            self,
            members=(*self.members, *members),
            out_of_bag=counts[0],
            against_clean=counts[1],
            training=counts[2],
        )


def turned_labels(table: Table, noise: float, seed: int) -> Table:
    """The table with a share of its labels turned over; with more noise the same ones, and more."""
    n, k = table.n_rows, table.target.n_values
    order = np.argsort(subkey(key_of(seed, _TURNED), np.arange(n)), kind="stable")
    chosen = order[: round(noise * n)]
    by = 1 + (uniform(subkey(key_of(seed, _TO), chosen)) * (k - 1)).astype(np.int32)
    labels = table.labels.copy()
    labels[chosen] = (labels[chosen] + by) % k
    return Table(table.attributes, table.target, table.columns, labels)


@lru_cache(maxsize=8)
def forest_of(growth: ForestGrowth, n: int) -> Forest:
    """The forest of the first `n` trees: what ``dt.random_forest(…, n_trees=n)`` grows."""
    votes = growth.out_of_bag
    if n != len(growth.members):
        votes = Votes(growth.table)
        for member in growth.members[:n]:
            votes.add(member.out_of_bag)
    table, trees = growth.table, tuple(member.tree for member in growth.members[:n])
    return Forest(table.attributes, table.target, trees, growth.plan, votes.counted())


def error_curve(votes: Votes, n: int) -> Floats:
    """The error of the first tree, of the first two, and so on up to `n`."""
    return votes.counted().errors[:n]


@lru_cache(maxsize=8)
def alone(growth: ForestGrowth, n: int) -> float:
    """The error of a single tree: of all that the first `n` say of rows out of their bags."""
    labels, wrong, asked = growth.table.labels, 0, 0
    for member in growth.members[:n]:
        rows = member.out_of_bag.rows
        wrong += int((member.answers[rows] != labels[rows]).sum())
        asked += len(rows)
    return wrong / asked if asked else float("nan")


@lru_cache(maxsize=4)
def best_alone(growth: ForestGrowth, n: int) -> float:
    """The same of trees on the same samples that ask the best of all attributes at each node."""
    table, n = growth.table, min(n, MOST_ALONE)
    plain = ForestGrowth.of(table, len(table.attributes), 0.0, growth.plan.seed)
    return alone(plain.more(n), n)


def votes_for(growth: ForestGrowth, n: int, row: int) -> tuple[Ints, Ints]:
    """How many of the first `n` trees say each class of a training row: all, and out of bag."""
    k = growth.table.target.n_values
    members = growth.members[:n]
    said = np.array([member.answers[row] for member in members])
    out = np.array([member.without(row) for member in members])
    return np.bincount(said, minlength=k), np.bincount(said[out], minlength=k)


@lru_cache(maxsize=4)
def proximities(growth: ForestGrowth, n: int, row: int) -> Floats:
    """The proximity of each training row to one of them: in which share of the trees they meet."""
    stops = np.stack([member.nodes for member in growth.members[:n]])
    found: Floats = shared(stops[:, [row]], stops)[0] / n
    return found


@lru_cache(maxsize=8)
def by_impurity(growth: ForestGrowth, n: int) -> Importance:
    """What each attribute is worth, by impurity."""
    return forest_of(growth, n).impurity_importance()


@lru_cache(maxsize=8)
def by_permutation(growth: ForestGrowth, n: int) -> Importance:
    """What each attribute is worth by permutation, NaN while no row is out of bag."""
    if not any(len(member.out_of_bag.rows) for member in growth.members[:n]):
        names = tuple(attribute.name for attribute in growth.table.attributes)
        return Importance(names, np.full(len(names), np.nan), None)
    return forest_of(growth, n).permutation_importance(growth.table, seed=growth.plan.seed)


def permuted_trees(growth: ForestGrowth, n: int) -> int:
    """With how many of `n` trees the importance by permutation is worked out without a wait."""
    cost = len(growth.table.attributes) * (_EACH + _ROW * growth.table.n_rows)
    return max(1, min(n, int(_PATIENCE / cost)))


# The estimates compare every row with every other, in every round.
MOST_ROWS, TREES, ROUNDS = 200, 25, 5
_TAKEN = (1 << 41) + 3


@dataclass(frozen=True, eq=False)
class Filling:
    """Rounds of filling so far: the rough values, and those of the last round."""

    truth: Table
    table: Table
    m: int
    seed: int
    first: Filled | None = None
    last: Filled | None = None
    done: bool = False

    @classmethod
    def of(cls, table: Table, share: float, m: int, seed: int) -> Filling:
        """A share of the values is taken away."""
        truth = table.take(np.arange(min(table.n_rows, MOST_ROWS)))
        return cls(truth, without(truth, share, seed), m, seed)

    def rounds(self) -> Iterator[Filling]:
        """One round after the other, from the beginning."""
        given = {"rounds": ROUNDS, "n_trees": TREES, "m": self.m, "seed": self.seed}
        filling = self
        for told in fill_events(self.table, n_jobs=1, **given):
            first = told if told.round == 0 else filling.first
            filling = replace(filling, first=first, last=told)
            yield filling
        yield replace(filling, done=True)

    def true(self, fill: Fill) -> Value | None:
        """The value that was taken away."""
        return _column(self.truth, fill.name)[fill.row]

    def off(self, fill: Fill) -> float:
        """How far a value lies from the truth; of a discrete attribute 0 if it is right, else 1."""
        true = self.true(fill)
        if self.truth.attribute(fill.name).values is None:
            return abs(float(fill.value or 0.0) - float(true or 0.0))
        return float(fill.value != true)


@lru_cache(maxsize=64)
def _column(table: Table, name: str) -> list[Value | None]:
    return table.column(name)


def without(table: Table, share: float, seed: int) -> Table:
    """The table without a share of its values; each column keeps one, more takes the same away."""
    n = table.n_rows
    keys = subkey(key_of(seed, _TAKEN), np.arange(n * len(table.columns)))
    order = np.argsort(keys, kind="stable")
    taken = np.zeros(len(order), dtype=bool)
    taken[order[: round(share * len(order))]] = True
    columns = []
    for i, (attribute, column) in enumerate(zip(table.attributes, table.columns, strict=True)):
        gap = taken[i * n : (i + 1) * n].copy()
        gap[int(keys[i * n : (i + 1) * n].argmax())] = False
        columns.append(np.where(gap, np.nan if attribute.values is None else -1, column))
    kept = tuple(c.astype(old.dtype) for c, old in zip(columns, table.columns, strict=True))
    return Table(table.attributes, table.target, kept, table.labels)
