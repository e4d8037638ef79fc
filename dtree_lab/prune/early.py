"""Pre-pruning on held-out rows: grow breadth first, and stop when the error is low enough."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real, is_whole
from dtree_lab.base.text import plural
from dtree_lab.grow.steps import narrates
from dtree_lab.prune.pruned import CutOrder, PruningMethod
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import trimmed
from dtree_lab.tree.splits import Split
from dtree_lab.tree.subtrees import check_tree, errors_on, path_to
from dtree_lab.tree.tree import Path, Tree


@dataclass(frozen=True)
class Grew:
    """A node was given its question; wrong held-out rows of the whole tree before and after.

    Of a regression tree, here and below, the sum of squared errors.
    """

    path: Path
    split: Split
    before: float
    after: float


@dataclass(frozen=True)
class LevelGrown:
    """All nodes of a depth were given their questions; wrong held-out rows, and the fewest yet."""

    depth: int
    wrong: float
    fewest: float


@dataclass(frozen=True)
class Stopped:
    """Growing has ended: why, and the nodes and wrong held-out rows of the tree that is kept."""

    reason: str
    n_nodes: int
    wrong: float


Event: TypeAlias = Grew | LevelGrown | Stopped


def grow_until(
    grower: Callable[..., Tree],
    table: Table,
    validation: Table,
    *,
    max_error: float | None = None,
    patience: int | None = None,
    **keywords: Any,
) -> Tree:
    """Grow breadth first, and stop when the error on held-out rows is low enough.

    Nodes are given their questions level by level, from the left. Give one limit or both; without
    any, `patience` is 1.

    Parameters
    ----------
    grower
        :func:`dtree_lab.id3`, :func:`dtree_lab.c45`, :func:`dtree_lab.cart`, or any function that
        grows a tree on a table.
    table
        The rows to grow on.
    validation
        The held-out rows.
    max_error
        "Low enough": the share of held-out rows that may be wrong, or the mean squared error.
        Looked at after every node.
    patience
        How many whole levels in a row may pass without fewer wrong rows than ever before. The
        levels that brought nothing are taken back.
    **keywords
        Passed to the grower.

    Returns
    -------
    Tree
        The tree so far, or the whole tree where no limit was reached.

    Raises
    ------
    TypeError
        When the grower gives something else than a tree, or for what is no table.
    ValueError
        For a limit out of range, held-out rows that do not fit the table, and as the grower does.

    Notes
    -----
    What a node asks does not depend on when it is asked. So the whole tree is grown first, fast,
    and then opened node by node; the result is that of asking one node after the other.

    A small patience is short-sighted: XOR gains nothing at its first level. Pruning looks back
    from the whole tree instead.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.truth_table("xor", 3)
    >>> dt.prune.grow_until(dt.id3, table, table).n_nodes
    1
    >>> dt.prune.grow_until(dt.id3, table, table, patience=3).n_nodes
    15
    """
    _check_limits(max_error, patience, validation)
    return _walked(grower(table, **keywords), validation, max_error, patience).kept()


@narrates(grow_until)
def grow_until_events(
    grower: Callable[..., Tree],
    table: Table,
    validation: Table,
    *,
    max_error: float | None = None,
    patience: int | None = None,
    **keywords: Any,
) -> Generator[Event, None, Tree]:
    """The nodes and levels of :func:`grow_until`, one after the other."""
    _check_limits(max_error, patience, validation)
    return _told(_walked(grower(table, **keywords), validation, max_error, patience))


@dataclass(frozen=True)
class _Walk:
    """A tree opened breadth first: how far, how much of it is kept, and why it ends there."""

    tree: Tree
    asks: NDArray[np.intp]
    wrong: NDArray[Any]  # held-out rows that are wrong once so many of these have been opened
    ends: tuple[int, ...]  # after how many of them a level ends
    n_opened: int
    n_kept: int
    reason: str

    def kept(self) -> Tree:
        tree = self.tree
        opened = np.zeros(tree.flat.n_nodes, dtype=bool)
        opened[self.asks[: self.n_kept]] = True
        flat = trimmed(tree.flat, opened, [a.n_values for a in tree.attributes])
        return tree.with_nodes(flat)


def _walked(tree: Tree, validation: Table, max_error: float | None, patience: int | None) -> _Walk:
    check_tree(tree)
    flat = tree.flat
    as_leaf, own = errors_on(tree, validation)
    asks = np.flatnonzero(flat.attr >= 0)
    change = own - as_leaf  # an opened node no longer answers its rows; its children do
    np.add.at(change, flat.parent[1:], as_leaf[1:])
    wrong = as_leaf[0] + np.concatenate(([0], np.cumsum(change[asks])))
    depths = flat.depth[asks]
    ends = tuple(np.searchsorted(depths, np.unique(depths), side="right").tolist())
    allowed = -1.0 if max_error is None else max_error * validation.n_ticks
    levels = 1 if patience is None and max_error is None else patience
    return _Walk(tree, asks, wrong, ends, *_end(wrong, ends, allowed, levels))


def _end(
    wrong: NDArray[Any], ends: tuple[int, ...], allowed: float, patience: int | None
) -> tuple[int, int, str]:
    """How many nodes are opened, how many of them stay so, and why."""
    low = np.flatnonzero(wrong <= allowed)
    enough = int(low[0]) if low.size else len(wrong)
    best = in_vain = 0
    for end in (0, *ends):
        if enough <= end:
            return enough, enough, "the error on the held-out rows is low enough"
        in_vain = in_vain + 1 if end and wrong[end] >= wrong[best] else 0
        best = best if in_vain else end
        if in_vain == patience:
            why = f"{plural(in_vain, 'level')} brought no lower error on the held-out rows"
            return end, best, why
    last = len(wrong) - 1
    return last, last if patience is None else best, "no node is left to open"


def _told(walk: _Walk) -> Generator[Event, None, Tree]:
    flat = walk.tree.flat
    for k, node in enumerate(walk.asks[: walk.n_opened].tolist(), start=1):
        split = flat.split(node, walk.tree.attributes)
        if split is not None:  # it never is: these nodes ask
            before, after = walk.wrong[k - 1 : k + 1].tolist()
            yield Grew(path_to(flat, node), split, before, after)
        if k in walk.ends:
            so_far = [walk.wrong[end].item() for end in (0, *walk.ends) if end <= k]
            yield LevelGrown(int(flat.depth[node]), so_far[-1], min(so_far))
    kept = walk.kept()
    yield Stopped(walk.reason, kept.n_nodes, walk.wrong[walk.n_kept].item())
    return kept


def _check_limits(max_error: Any, patience: Any, validation: Any) -> None:
    target = getattr(validation, "target", None)
    numbers = target is not None and target.values is None
    most = np.inf if numbers else 1
    if max_error is not None and not (is_real(max_error) and 0 <= max_error <= most):
        what = (
            "a mean squared error, at least 0"
            if numbers
            else "a share of the rows, between 0 and 1"
        )
        raise ValueError(f"max_error={max_error!r} must be {what}")
    if patience is not None and not (is_whole(patience) and patience >= 1):
        raise ValueError(f"patience={patience!r} must be a whole number of levels, at least 1")


def _questions(tree: Tree) -> NDArray[np.intp]:
    """The nodes that ask, the last and deepest first."""
    return np.flatnonzero(tree.flat.attr >= 0)[::-1]


def _ends(values: NDArray[Any]) -> list[int]:
    """Where runs of equal values end, and 0."""
    return [0, *(np.flatnonzero(np.diff(values, append=-1)) + 1).tolist()]


def _by_depth(tree: Tree, _: Table, __: Table, ___: float) -> CutOrder:
    order = _questions(tree)
    return CutOrder(order.tolist(), _ends(tree.flat.depth[order]), None)


def _by_rows(tree: Tree, _: Table, __: Table, ___: float) -> CutOrder:
    asks, rows = _questions(tree), tree.flat.counts.sum(axis=1)
    order = asks[np.argsort(rows[asks], kind="stable")]
    return CutOrder(order.tolist(), _ends(rows[order]), None)


def _backwards(tree: Tree, training: Table, validation: Table, _: float) -> CutOrder:
    # Growing breadth first, told backwards: the last question is the first to go.
    order = _questions(tree).tolist()
    end = grow_until(lambda _: tree, training, validation).n_nodes
    return CutOrder(order, range(len(order) + 1), end)


EARLY_STOPPING = (
    PruningMethod(
        name="max_depth",
        title="Early stopping: depth",
        about="The tree would not have grown beyond a depth. Validation rows choose which.",
        step="One level less",
        columns=(),
        plan=_by_depth,
    ),
    PruningMethod(
        name="min_rows",
        title="Early stopping: rows at a node",
        about="A node with too few training rows would not have been split. Validation rows choose"
        " how few are too few.",
        step="Ask for more rows",
        columns=(),
        plan=_by_rows,
    ),
    PruningMethod(
        name="breadth_first",
        title="Early stopping: breadth first",
        about="Grow level by level, and stop after a whole level that brought no lower validation"
        " error. Seen backwards: the last question goes first.",
        step="Take the last question back",
        columns=(),
        plan=_backwards,
    ),
)
