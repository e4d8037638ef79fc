"""A batch of a forest's trees, and what they say of the rows that they were not grown on."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.engine.grow import Drawing, grow_trees
from dtree_lab.learn.forest.draws import root_key, times_drawn
from dtree_lab.learn.forest.outofbag import Said
from dtree_lab.learn.forest.walking import Grove
from dtree_lab.learn.leaves import answered
from dtree_lab.learn.repeats import at_once
from dtree_lab.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dtree_lab.flat import Flat
    from dtree_lab.learn.engine.packed import PackedColumns
    from dtree_lab.learn.forest.plan import Plan
    from dtree_lab.table import Table

# Rows of all trees that grow in step: enough to forget the cost of numpy's calls.
_AT_A_TIME = 1 << 18
# With several jobs: so many batches for each, unless they had fewer rows than this.
_FOR_EACH_JOB, _LEAST = 3, 1 << 16


def batches(n_trees: int, n_rows: int, n_jobs: int | None) -> list[range]:
    """Which trees grow in step: about equally many, in some batches for each job.

    A batch that is small takes longer than its share, so the jobs of a small forest get few.
    """
    jobs = at_once(n_jobs)
    rows = n_trees * n_rows
    for_each = 1 if jobs == 1 else min(_FOR_EACH_JOB * jobs, rows // _LEAST)
    n = min(max(-(-rows // _AT_A_TIME), for_each), n_trees)
    return [range(a, b) for a, b in pairwise(i * n_trees // n for i in range(n + 1))]


def grown(
    table: Table, in_ticks: Table, places: PackedColumns, plan: Plan, trees: Sequence[int]
) -> list[tuple[Tree, Said]]:
    """Some trees, each with what it says of the rows that are out of its bag.

    Parameters
    ----------
    table, in_ticks, places
        The training rows, the same with numbers to predict in ticks, and the same made ready.
    plan, trees
        What is asked for, and which trees, by number.
    """
    times = times_drawn(plan.seed, trees, table.n_rows, bootstrap=plan.bootstrap)
    drawing = Drawing(plan.m, root_key(plan.seed, trees))
    flats = grow_trees(in_ticks, places, plan.recipe, times, drawing)
    named = plan.recipe.criterion.name
    made = [_tree(table, named, *one) for one in zip(flats, times, strict=True)]
    return list(zip(made, _said(made, times == 0, table), strict=True))


def _tree(table: Table, criterion: str, flat: Flat, times: NDArray[np.int64]) -> Tree:
    if table.target.values is None:  # means are those of the numbers as they came
        return answered(table.take(np.repeat(np.arange(table.n_rows), times)), flat)
    return Tree(table.attributes, table.target, flat, criterion=criterion)


def answers_of(trees: Sequence[Tree]) -> NDArray[Any]:
    """What each node answers, tree after tree: codes of classes, or numbers."""
    if trees[0].target.values is None:
        return np.concatenate([tree.flat.values[:, 0] for tree in trees])
    return np.concatenate([tree.flat.majority for tree in trees])


def _said(trees: list[Tree], out: NDArray[np.bool_], table: Table) -> list[Said]:
    tree, row = np.nonzero(out)
    grove = Grove.of([tree.flat for tree in trees], table.attributes)
    answers = answers_of(trees)[grove.stops(tree, row, table.columns)]
    ends = np.cumsum(out.sum(axis=1))[:-1]
    parts = zip(np.split(row, ends), np.split(answers, ends), strict=True)
    return [Said(rows, said) for rows, said in parts]
