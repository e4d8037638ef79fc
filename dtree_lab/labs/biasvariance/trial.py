"""Where training sets come from, and the measuring: one after the other, for all depths at once.

A tree grown to depth 10 holds the trees of all smaller depths: cut off at depth 3, it is what
``dt.id3(…, max_depth=3)`` grows. So each training set is grown on once, by the library's own
:class:`~dtree_lab.evaluate.trials.TrialWork`, and read at every depth. The result is, number
for number, that of ``dt.evaluate.bias_variance``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.random import key_of
from dtree_lab.base.types import Floats
from dtree_lab.draw.chart import Point
from dtree_lab.draw.chart.layers import lines_as_one, stretches
from dtree_lab.ensemble.bagging import Committee, bagged
from dtree_lab.evaluate.decomposition import Decomposition, Method
from dtree_lab.evaluate.trials import TEST, Setting, TrialWork
from dtree_lab.grow.api import id3
from dtree_lab.grow.leaf_values import loss, means
from dtree_lab.labs.kit.taking import Taken, classified, some_of
from dtree_lab.populations import (
    Curve,
    Finite,
    Plane,
    Population,
    Truth,
    checkerboard,
    circle,
    diagonal,
    finite,
    resampled,
    sine,
    wave,
)
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.tree import Tree

Given: TypeAlias = Table | Population | None

SHAPES: dict[str, Callable[..., Plane | Curve]] = {
    "wave": wave,
    "diagonal": diagonal,
    "circle": circle,
    "checkerboard": checkerboard,
    "sine": sine,
}
_SHAPE_WORDS = {
    "wave": "two classes, below and above a wave",
    "diagonal": "two classes, on either side of a diagonal",
    "circle": "two classes, outside and inside a circle",
    "checkerboard": "two classes, a checkerboard",
    "sine": "numbers, a sine",
}
_TABLE_WORDS = {"sample": "a sample of something larger", "whole": "all there is"}
MOST_TABLE_ROWS = 5_000
MOST_TEST_ROWS = 1_000
MOST_ROWS = 500
_USUAL_ROWS = 100


def usable_rows(table: Table) -> Table:
    """The rows of a table that are used: of a very large one, some drawn at random."""
    table = classified(table, numbers=True)
    if table.n_rows < 2:  # noqa: PLR2004 - one to draw from, one to measure on
        raise ValueError(
            "a table with a single row cannot be measured on: some rows are drawn from, others are"
            " held out; it needs at least 2 rows"
        )
    return some_of(table, MOST_TABLE_ROWS)


def choices(given: Given) -> dict[str, str]:
    """What can be chosen between, and how it is called; one only where there is no choice."""
    if given is None:
        return _SHAPE_WORDS
    return _TABLE_WORDS if isinstance(given, Table) else {"own": "the population given"}


def population_of(given: Given, source: str, noise: float | None) -> Population:
    """The population that training sets are drawn from."""
    if isinstance(given, Population):
        return given if noise is None else replace(given, noise=noise)  # type: ignore[type-var]
    if isinstance(given, Table):
        return resampled(given) if source == "sample" else finite(given, noise=noise or 0.0)
    return SHAPES[source](noise=noise)


def noise_of(given: Given, source: str) -> float | None:
    """The noise to begin with; None where it cannot be chosen."""
    if isinstance(given, Population):
        return given.noise if isinstance(given, Plane | Curve | Finite) else None
    if isinstance(given, Table):
        turnable = given.target.n_values != 1
        return 0.0 if source == "whole" and turnable else None
    return 0.3 if source == "sine" else 0.1


def most_noise(given: Given, source: str) -> float:
    """How much noise can be chosen: half of the labels, or the spread of the numbers."""
    if given is None:
        return 1.0 if source == "sine" else 0.5
    if isinstance(given, Plane):
        return 0.5
    table = given if isinstance(given, Table) else getattr(given, "table", None)
    if table is None:
        return max(1.0, 2 * (noise_of(given, source) or 0.0))
    if table.target.values is not None:
        return 0.5
    spread = float(table.labels.std())
    return float(f"{spread:.1g}") or 1.0


def test_rows(given: Given) -> int | None:
    """How many rows to measure on; None for as many as the source itself would take."""
    table = given if isinstance(given, Table) else getattr(given, "table", None)
    return MOST_TEST_ROWS if table is not None and table.n_rows > 2 * MOST_TEST_ROWS else None


def most_rows(pool: Population) -> int:
    """The most rows of a training set: those of a table, where the rows come from one."""
    table = getattr(pool, "table", None)
    return MOST_ROWS if table is None else min(table.n_rows, MOST_ROWS)


def usual_rows(given: Given, pool: Population) -> int:
    """How many rows of a training set to begin with."""
    most = most_rows(pool)
    return most if isinstance(given, Table) else min(_USUAL_ROWS, most)


def code_of(given: Given, source: str, noise: float | None) -> str:
    """How the population is made in Python."""
    told = [] if noise is None else [f"noise={noise:g}"]
    if given is None:
        return f"populations.{source}({', '.join(told)})"
    if isinstance(given, Table) and not isinstance(given, Taken):
        whole = f"populations.finite({', '.join(['table', *told])})"
        return "table" if source == "sample" else whole
    return "lab.population"


DEPTHS = tuple(range(1, 11))
BAG = 10


@dataclass(frozen=True, eq=False)
class Run:
    """A training set and what was grown on it."""

    training: Table
    # One tree, or those of the committee, to be read at each depth.
    readers: tuple[DepthReader, ...]
    # What is predicted of each test row when growing stops at each depth: codes of classes, or
    # numbers; shape ``(n_depths, n_test_rows)``.
    predicted: NDArray[Any]
    # For each depth the loss on the training rows, and how many leaves there are; shape
    # ``(n_depths,)``.
    losses: Floats
    leaves: Floats


@dataclass(frozen=True, eq=False)
class Trial:
    """Training sets so far; it never changes, `more` gives a larger one."""

    work: TrialWork
    runs: tuple[Run, ...] = ()

    @classmethod
    def of(cls, population: Population, n_rows: int | None, test: int | None, seed: int) -> Trial:
        """The beginning: test rows are drawn, and nothing has been grown."""
        pool, truth = population.parted(test, seed=int(key_of(seed, TEST)[0]))
        return cls(TrialWork(pool, truth, (_setting(n_rows, bag=False),), seed, keep=True))

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
        readers = [DepthReader.of(*one) for one in zip(trees, samples, strict=True)]
        return replace(self, runs=(*self.runs, _run(event.training, readers, self.truth)))


@lru_cache(maxsize=8)
def depth_points(trial: Trial, n: int, method: Method) -> tuple[Decomposition, ...]:
    """The terms at each depth, from the first `n` training sets."""
    runs, truth = trial.runs[:n], trial.truth
    return tuple(
        Decomposition(
            depth,
            method,
            truth,
            runs[0].training.n_rows,
            np.stack([run.predicted[i] for run in runs]),
            np.array([run.losses[i] for run in runs]),
            np.array([run.leaves[i] for run in runs]),
        )
        for i, depth in enumerate(DEPTHS)
    )


def _setting(n_rows: int | None, *, bag: bool) -> Setting:
    return Setting(None, bagged(id3, BAG) if bag else id3, {"max_depth": DEPTHS[-1]}, n_rows)


def _run(training: Table, readers: list[DepthReader], truth: Truth) -> Run:
    said = _together(readers, truth.table)
    own = _together(readers, training)
    losses = np.array([loss(one, training.target, training.labels) for one in own])
    leaves = np.sum([reader.leaves() for reader in readers], axis=0).astype(np.float64)
    return Run(training, tuple(readers), said, losses, leaves)


@dataclass(frozen=True, eq=False)
class DepthReader:
    """A tree, read as if growing had stopped at each depth."""

    tree: Tree  # grown to the last depth
    # What each node says when growing stops at each depth: codes of classes, or numbers; shape
    # ``(n_depths, n_nodes)``.
    answers: NDArray[Any]

    @classmethod
    def of(cls, tree: Tree, sample: Table) -> DepthReader:
        """A tree and the rows that it was grown on."""
        flat = tree.flat
        if tree.target.values is not None:
            return cls(tree, np.tile(flat.majority.astype(np.int32), (len(DEPTHS), 1)))
        # A mean is rounded by the way it is added up, which is another at each depth.
        return cls(tree, means(flat, _stops(tree, sample), sample.labels)[..., 0])

    def predict(self, rows: Table) -> NDArray[Any]:
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


def _together(readers: list[DepthReader], rows: Table) -> NDArray[Any]:
    """What trees say of rows together, by vote or by their mean; ``(n_depths, n_rows)``."""
    each = np.stack([reader.predict(rows) for reader in readers])
    k = rows.target.n_values
    told: NDArray[Any] = each[0]
    if len(readers) > 1 and k:
        at = np.arange(told.size).reshape(told.shape) * k
        votes = np.bincount((at + each).ravel(), minlength=at.size * k).reshape(*at.shape, k)
        told = votes.argmax(axis=2).astype(np.int32)
    elif len(readers) > 1:
        told = each.mean(axis=0)
    return told


# -- what was grown, as lines ----------------------------------------------------------------------

# They are exact: a tree over one or two continuous attributes answers the same all over a box. What
# several trees say together is found on the grid of all their cuts.

# From where to where each axis goes.
Ends: TypeAlias = tuple[tuple[float, float], ...]


@lru_cache(maxsize=256)
def run_line(run: Run, depth: int, ends: Ends) -> list[Point | None]:
    """What was grown on one training set, as a line in pieces."""
    edges = [_edges(run.readers, depth, axis, span) for axis, span in enumerate(ends)]
    target = run.training.target
    shape = tuple(len(one) - 1 for one in edges)
    heard = np.zeros((max(target.n_values, 1), *shape))
    for reader in run.readers:
        answers = reader.answers[DEPTHS.index(depth)]
        for node, box in _boxes(reader.tree.flat, depth, ends):
            spans = (np.searchsorted(*one).tolist() for one in zip(edges, box, strict=True))
            where: Any = tuple(slice(*span) for span in spans)
            if target.values is None:
                heard[(0, *where)] += answers[node]
            else:
                heard[(answers[node], *where)] += 1
    if target.values is None:
        values = (heard[0] / len(run.readers)).tolist()  # each holds up to the next edge
        return list(zip(edges[0].tolist(), [*values, values[-1]], strict=True))
    return _boundary(edges[0].tolist(), edges[1].tolist(), heard.argmax(axis=0))


def _edges(
    readers: Sequence[DepthReader], depth: int, axis: int, span: tuple[float, float]
) -> Floats:
    """All cuts of an attribute within the picture, and its ends."""
    low, high = span
    cuts = [np.array(span)]
    for reader in readers:
        flat = reader.tree.flat
        asks = np.flatnonzero((flat.attr == axis) & (flat.depth < depth))
        own = flat.cuts[flat.start[asks]]
        cuts.append(own[(own > low) & (own < high)])
    return np.unique(np.concatenate(cuts))


def _boxes(flat: Flat, depth: int, ends: Ends) -> Iterator[tuple[int, Ends]]:
    """The nodes where growing has stopped, and the part of the picture that each answers for."""
    waiting: list[tuple[int, Ends]] = [(0, ends)]
    while waiting:
        node, box = waiting.pop()
        axis = int(flat.attr[node])
        if axis < 0 or flat.depth[node] == depth:
            yield node, box
            continue
        low, high = box[axis]
        cut = float(flat.cuts[flat.start[node]])
        for child, span in enumerate(((low, min(cut, high)), (max(cut, low), high))):
            if span[0] < span[1]:
                part = (*box[:axis], span, *box[axis + 1 :])
                waiting.append((int(flat.first[node]) + child, part))


def _boundary(
    xs: Sequence[float], ys: Sequence[float], answers: NDArray[Any]
) -> list[Point | None]:
    """The lines between cells with different answers, shape ``(n_x, n_y)``."""
    upright = [
        ((xs[i + 1], ys[j0]), (xs[i + 1], ys[j1]))
        for i, j0, j1 in stretches(answers[1:] != answers[:-1])
    ]
    level = [
        ((xs[i0], ys[j + 1]), (xs[i1], ys[j + 1]))
        for j, i0, i1 in stretches((answers[:, 1:] != answers[:, :-1]).T)
    ]
    return lines_as_one([*upright, *level])
