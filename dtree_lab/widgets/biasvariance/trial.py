"""The measuring, one training set after the other, for all depths at once.

A tree grown to depth 10 holds the trees of all smaller depths: cut off at depth 3, it is what
``dt.id3(…, max_depth=3)`` grows. So each training set is grown on once, by the library's own
:class:`~dtree_lab.learn.decompose.measure.Repeat`, and read at every depth. The result is, number
for number, that of ``dt.evaluate.bias_variance``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.answers import loss
from dtree_lab.learn.api import id3
from dtree_lab.learn.bagging import Committee, bagged
from dtree_lab.learn.chance import key_of
from dtree_lab.learn.decompose.measure import TEST, Repeat, Setting
from dtree_lab.learn.decompose.result import Decomposition
from dtree_lab.learn.leaves import means

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.decompose.terms import Method
    from dtree_lab.populations import Population, Truth
    from dtree_lab.table import Table
    from dtree_lab.tree import Tree

    Floats = NDArray[np.float64]

DEPTHS = tuple(range(1, 11))
BAG = 10


@dataclass(frozen=True, eq=False)
class Run:
    """A training set and what was grown on it.

    Attributes
    ----------
    training
        Its rows.
    readers
        One tree, or those of the committee, to be read at each depth.
    said
        What is predicted of each test row when growing stops at each depth: codes of classes, or
        numbers; shape ``(n_depths, n_test_rows)``.
    losses, leaves
        For each depth the loss on the training rows, and how many leaves there are; shape
        ``(n_depths,)``.
    """

    training: Table
    readers: tuple[Reader, ...]
    said: NDArray[Any]
    losses: Floats
    leaves: Floats


@dataclass(frozen=True, eq=False)
class Trial:
    """Training sets so far; it never changes, `more` gives a larger one."""

    work: Repeat
    runs: tuple[Run, ...] = ()

    @classmethod
    def of(cls, population: Population, n_rows: int | None, test: int | None, seed: int) -> Trial:
        """The beginning: test rows are drawn, and nothing has been grown."""
        pool, truth = population.parted(test, seed=int(key_of(seed, TEST)[0]))
        return cls(Repeat(pool, truth, (_setting(n_rows, bag=False),), seed, keep=True))

    def bagging(self) -> Trial:
        """The same training sets and test rows, to be bagged; nothing has been grown."""
        settings = (_setting(self.work.settings[0].n_rows, bag=True),)
        return Trial(replace(self.work, settings=settings))

    @property
    def truth(self) -> Truth:
        """The test rows, and what is true of them."""
        return self.work.truth

    def more(self) -> Trial:
        """With one more training set."""
        (event,) = self.work.each(len(self.runs))
        trees: tuple[Tree, ...] = (event.tree,)
        samples: tuple[Table, ...] = (event.training,)
        if isinstance(event.tree, Committee):
            trees = event.tree.trees
            samples = tuple(event.training.take(rows) for rows in event.tree.samples)
        readers = [Reader.of(*one) for one in zip(trees, samples, strict=True)]
        return replace(self, runs=(*self.runs, _run(event.training, readers, self.truth)))


@lru_cache(maxsize=8)
def points(trial: Trial, n: int, method: Method) -> tuple[Decomposition, ...]:
    """The terms at each depth, from the first `n` training sets."""
    runs, truth = trial.runs[:n], trial.truth
    return tuple(
        Decomposition(
            depth,
            method,
            truth,
            runs[0].training.n_rows,
            np.stack([run.said[i] for run in runs]),
            np.array([run.losses[i] for run in runs]),
            np.array([run.leaves[i] for run in runs]),
        )
        for i, depth in enumerate(DEPTHS)
    )


def _setting(n_rows: int | None, *, bag: bool) -> Setting:
    return Setting(None, bagged(id3, BAG) if bag else id3, {"max_depth": DEPTHS[-1]}, n_rows)


def _run(training: Table, readers: list[Reader], truth: Truth) -> Run:
    said = together(readers, truth.table)
    own = together(readers, training)
    losses = np.array([loss(one, training.target, training.labels) for one in own])
    leaves = np.sum([reader.leaves() for reader in readers], axis=0).astype(np.float64)
    return Run(training, tuple(readers), said, losses, leaves)


@dataclass(frozen=True, eq=False)
class Reader:
    """A tree, read as if growing had stopped at each depth.

    Attributes
    ----------
    tree
        Grown to the last depth.
    answers
        What each node says when growing stops at each depth: codes of classes, or numbers; shape
        ``(n_depths, n_nodes)``.
    """

    tree: Tree
    answers: NDArray[Any]

    @classmethod
    def of(cls, tree: Tree, sample: Table) -> Reader:
        """A tree and the rows that it was grown on."""
        flat = tree.flat
        if tree.target.values is not None:
            return cls(tree, np.tile(flat.majority.astype(np.int32), (len(DEPTHS), 1)))
        # A mean is rounded by the way it is added up, which is another at each depth.
        stops = _stops(tree, sample)
        return cls(tree, np.stack([means(flat, stop, sample.labels)[:, 0] for stop in stops]))

    def said(self, rows: Table) -> NDArray[Any]:
        """What it says of some rows, shape ``(n_depths, n_rows)``."""
        return np.take_along_axis(self.answers, _stops(self.tree, rows), axis=1)

    def leaves(self) -> list[int]:
        """How many leaves it has."""
        flat = self.tree.flat
        ends = [(flat.depth <= d) & ((flat.attr < 0) | (flat.depth == d)) for d in DEPTHS]
        return [int(one.sum()) for one in ends]


def _stops(tree: Tree, rows: Table) -> NDArray[np.intp]:
    """Where rows stop when growing stops at each depth, shape ``(n_depths, n_rows)``."""
    flat, node = tree.flat, tree.apply(rows)
    found = np.empty((len(DEPTHS), len(node)), dtype=np.intp)
    for i in reversed(range(len(DEPTHS))):
        node = np.where(flat.depth[node] > DEPTHS[i], flat.parent[node], node)
        found[i] = node
    return found


def together(readers: list[Reader], rows: Table) -> NDArray[Any]:
    """What trees say of rows together, by vote or by their mean; ``(n_depths, n_rows)``."""
    each = np.stack([reader.said(rows) for reader in readers])
    k = rows.target.n_values
    if len(readers) == 1:
        alone: NDArray[Any] = each[0]
        return alone
    if not k:
        mean: NDArray[Any] = each.mean(axis=0)
        return mean
    at = np.arange(each[0].size).reshape(each[0].shape) * k
    votes = np.bincount((at + each).ravel(), minlength=at.size * k).reshape(*at.shape, k)
    most: NDArray[Any] = votes.argmax(axis=2).astype(np.int32)
    return most
