"""C4.5's pessimistic pruning: no rows withheld; the training error is believed to be too good.

In its program a node's largest branch may also be raised into its place; the node's rows go
through it then.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, cast, overload

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real, is_whole
from dtree_lab.base.types import Floats, Ints
from dtree_lab.grow.steps import narrates
from dtree_lab.prune.pruned import Event, PrunedTree, PruningMethod
from dtree_lab.prune.reduced import SubtreeErrors, narrate, run
from dtree_lab.table.table import Table, missing_of
from dtree_lab.tree.arrays import from_splits
from dtree_lab.tree.parts import in_fewest_ticks, in_parts, parts_of
from dtree_lab.tree.splits import IN_PARTS, RESTS, ByValue, Split
from dtree_lab.tree.subtrees import check_tree, resting
from dtree_lab.tree.tree import Tree

_HALVINGS = 60  # more than the bits of a double
# Limits are found in rounded sums: costs that differ by a smaller share are equal. Such ties are
# no rarity with cf=0.5, where U(E, 2E + 1) is 1/2 and U(E, N) + U(N - 1 - E, N) is 1.
_TRACE = 2.0**-30
# How much worse a leaf, or a raised branch, may be in the program of C4.5, in rows.
_SLACK = 0.1 + 1e-6


@overload
def pessimistic(
    tree: Tree, cf: float = 0.25, *, raising: Literal[False] | None = None
) -> PrunedTree: ...
@overload
def pessimistic(tree: Tree, cf: float = 0.25, *, raising: Literal[True], table: Table) -> Tree: ...
def pessimistic(
    tree: Tree, cf: float = 0.25, *, raising: bool | None = None, table: Table | None = None
) -> Tree:
    r"""Prune every subtree that is expected to err no less than a leaf would.

    A leaf that gets E of its N training rows wrong is expected to get ``N * U(E, N)`` of N new
    rows wrong, where U is an upper confidence limit (:func:`upper_limit`), and a subtree as many
    as its leaves together. From the leaves up, a subtree becomes a leaf where that is expected to
    be no worse.

    Parameters
    ----------
    tree
        A classification tree, with the counts of its training rows.
    cf
        The confidence factor, above 0 and at most 0.5; the smaller, the more is cut.
    raising
        Left out, the exact limit. True or False for what the program of C4.5 does, as Weka's J48
        has it: where E is at least 1, U is that of a normal distribution (U(1, 16) is 0.155; in the
        book 0.157; exactly 0.160), and a leaf may be worse by 0.1 of a row. With True, J48's
        default, the largest branch of a node may also be raised into its place; False is its
        ``-S``.
    table
        The training rows of the tree: those of the other branches go through a raised one.

    Returns
    -------
    PrunedTree
        The tree; its `cuts` come from the leaves up, with costs in expected wrong rows. With
        ``raising=True`` a :class:`Tree`: what was raised is no cut of the tree before.

    Raises
    ------
    TypeError
        For what is no tree.
    ValueError
        For a confidence factor out of range, a regression tree, fractions of rows unless `raising`
        is said, or ``raising=True`` without the rows that the tree was grown on.

    Notes
    -----
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 4.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> dt.prune.pessimistic(dt.id3(dt.datasets.tax_fraud())).n_leaves
    1
    >>> table = dt.datasets.penguins()
    >>> dt.prune.pessimistic(dt.c45(table, release=8), raising=True, table=table).n_leaves
    9
    """
    if not raising:
        if table is not None:
            raise ValueError("table= is for raising=True; without it only the tree is looked at")
        return run(tree, *_begin(tree, cf, program=raising is not None))
    _check_begin(tree, cf, program=True)
    if (
        table is None
        or (table.attributes, table.target) != (tree.attributes, tree.target)
        or (table.counts() * tree.weight_unit).tolist()
        != (tree.flat.counts[0] * table.weight_unit).tolist()
    ):
        given = "" if table is None else "; these are other rows than it was grown on"
        msg = "raising sends rows through other branches: give table=, the tree's training rows"
        msg += given
        raise ValueError(msg)
    return Raising(tree, table, partial(_expected, cf=cf, program=True), _SLACK).run()


@narrates(pessimistic)
def pessimistic_events(
    tree: Tree, cf: float = 0.25, *, raising: Literal[False] | None = None
) -> Generator[Event, None, PrunedTree]:
    """The cuts of :func:`pessimistic`, one after the other; of raising there are no steps."""
    return narrate(tree, *_begin(tree, cf, program=raising is not None))


def _begin(tree: Tree, cf: float, *, program: bool) -> tuple[SubtreeErrors, Iterator[int]]:
    _check_begin(tree, cf, program=program)
    expected = partial(_expected, unit=tree.weight_unit, cf=cf, program=program)
    as_leaf = expected(tree.flat.counts, tree.flat.majority)
    own = expected(resting(tree.flat), tree.flat.majority)
    standing = SubtreeErrors(tree.flat, as_leaf, own)
    return standing, _leaves_up(standing, _SLACK if program else 0.0)


def _check_begin(tree: Tree, cf: float, *, program: bool) -> None:
    check_tree(tree)
    if tree.target.values is None:
        raise ValueError(
            f"this tree predicts {tree.target.name!r}, a number; pessimistic pruning counts wrong"
            " rows. Prune it with dt.prune.reduced_error or cost_complexity"
        )
    if tree.weight_unit != 1 and not program:
        raise ValueError(
            "the training rows of this tree weigh fractions, and pessimistic pruning counts whole"
            " rows; give whole weights, or say raising=True or False, which count parts of rows,"
            " too, or prune with dt.prune.cost_complexity"
        )
    _check_factor(cf)


def _expected(counts: Ints, majority: Ints, unit: int, cf: float, *, program: bool) -> Floats:
    """How many of each node's rows are expected to be wrong, answered by its majority."""
    rows = counts.sum(axis=1)
    wrong = rows - counts[np.arange(len(rows)), majority]
    if unit != 1:
        rows, wrong = rows / unit, wrong / unit
    # Many nodes have the same few counts, and each limit takes sixty sums.
    pairs, back = np.unique(np.stack([wrong, rows], axis=1), axis=0, return_inverse=True)
    limits = (_approximated if program else _limits)(pairs[:, 0], pairs[:, 1], cf)
    expected: Floats = rows * limits[back.reshape(-1)]
    return expected


def _approximated(errors: Floats, rows: Floats, cf: float) -> Floats:
    """The limits as the program has them: that of a normal distribution where there are errors."""
    n, z, many = np.where(rows > 0, rows, 1.0), NormalDist().inv_cdf(1 - cf), np.maximum(errors, 1)
    share = (many + 0.5) / n
    spread = z * np.sqrt(np.maximum(share - share**2, 0) / n + z * z / (4 * n * n))
    limits: Floats = (share + z * z / (2 * n) + spread) / (1 + z * z / n)
    limits = np.where(many + 0.5 >= n, np.maximum(many / n, 1.0), limits)
    none = 1 - cf ** (1 / n)
    return np.where(errors < 1, none + errors * (limits - none), limits)


def _leaves_up(standing: SubtreeErrors, slack: float) -> Iterator[int]:
    """Each node that is no worse as a leaf; a child's number is above its parent's."""
    for node in np.flatnonzero(standing.asks)[::-1].tolist():
        if standing.as_leaf[node] <= standing.below[node] * (1 + _TRACE) + slack:
            yield node
            standing.cut(node)


def upper_limit(errors: int, rows: int, cf: float = 0.25) -> float:
    r"""The error rate so high that so few errors would be seen with a chance of only `cf`.

    It is the p that solves

    .. math:: \sum_{i=0}^{E} \binom{N}{i} p^i (1-p)^{N-i} = CF

    found by bisection: the upper limit of Clopper and Pearson (1934), Biometrika 26, 404-413.

    Parameters
    ----------
    errors, rows
        E wrong among N rows.
    cf
        The confidence factor, above 0 and at most 0.5.

    Returns
    -------
    float
        Between ``errors / rows`` and 1; for no errors, ``1 - cf ** (1 / rows)``.

    Raises
    ------
    TypeError
        For counts that are not whole numbers.
    ValueError
        For counts without 0 <= errors <= rows or without rows, or a confidence factor out of range.

    Examples
    --------
    >>> [round(upper_limit(0, n), 3) for n in (6, 9, 1)]
    [0.206, 0.143, 0.75]
    """
    _check_factor(cf)
    for name, n in (("errors", errors), ("rows", rows)):
        if not is_whole(n):
            raise TypeError(f"{name}={n!r} must be a whole number")
    if not 0 <= errors <= rows or rows < 1:
        msg = f"errors={errors} must lie between 0 and rows={rows}, which must be at least 1"
        raise ValueError(msg)
    return float(_limits(np.array([errors]), np.array([rows]), cf)[0])


def _check_factor(cf: Any) -> None:
    if not is_real(cf) or not 0 < cf <= 0.5:  # noqa: PLR2004
        raise ValueError(
            f"cf={cf!r} must be a number above 0 and at most 0.5, for instance 0.25; above one"
            " half the limit could lie below the error that was seen"
        )


def _limits(errors: Ints, rows: Ints, cf: float) -> Floats:
    """The upper limits of many pairs of counts at once; 1 where all rows are wrong."""
    limits = np.ones(len(rows))
    some = np.flatnonzero(errors < rows)
    if some.size:
        limits[some] = _bisected(errors[some], rows[some], cf)
    return limits


def _bisected(errors: Ints, rows: Ints, cf: float) -> Floats:
    """The limits where not all rows are wrong."""
    # With p at least E / N, the terms fall off below i = E at least as fast as a Gaussian with
    # standard deviation sqrt(E), so those further away than this add nothing to a double.
    width = np.minimum(errors, (12 * np.sqrt(errors)).astype(np.int64) + 40) + 1
    begin = np.cumsum(width) - width
    pair = np.repeat(np.arange(len(rows)), width)
    i = errors[pair] - (np.arange(int(width.sum())) - begin[pair])
    rest = rows[pair] - i
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, rows.max() + 1)))))
    log_choose = log_factorial[rows[pair]] - log_factorial[i] - log_factorial[rest]
    low, high = errors / rows, np.ones(len(rows))
    for _ in range(_HALVINGS):
        p = (low + high) / 2
        terms = np.exp(log_choose + i * np.log(p)[pair] + rest * np.log1p(-p)[pair])
        too_likely = np.add.reduceat(terms, begin) > cf
        low, high = np.where(too_likely, p, low), np.where(too_likely, high, p)
    return (low + high) / 2


PESSIMISTIC = PruningMethod(
    name="pessimistic",
    title="Pessimistic (C4.5)",
    about="No validation rows are needed: at each node the training error is believed to be as high"
    " as the confidence allows, and a subtree that is then expected to err no less than a leaf"
    " becomes one. The smaller the confidence, the more is cut.",
    step="Make the next cut",
    prune=pessimistic,
    needs=("cf",),
    unit="expected wrong training rows",
    columns=("Expected", "As a leaf"),
)


# So many times less than a row are the ticks that two equal sums of parts may differ by.
_PARTS = 500
# Expected errors of some nodes: the ticks of the rows that stop there, and the answers there; and
# how many ticks a row is.
Expected = Callable[[Ints, Ints, int], Floats]


class _Rows(NamedTuple):
    """Rows of the table, or parts of them."""

    at: Ints
    ticks: Ints

    def take(self, some: NDArray[Any], ticks: Ints | None = None) -> _Rows:
        return _Rows(self.at[some], (self.ticks if ticks is None else ticks)[some])


class _Standing:
    """A node while others are raised: it changes."""

    def __init__(self, rows: _Rows) -> None:
        self.rows = rows
        self.split: Split | None = None
        self.children: list[_Standing] = []

    def below(self) -> list[_Standing]:
        """The node and all below it, breadth first."""
        found = [self]
        for node in found:
            found += node.children
        return found


class Raising:
    """The training rows on a tree in which subtrees are raised, and what is expected of them."""

    def __init__(self, tree: Tree, table: Table, expected: Expected, slack: float) -> None:
        if (tree.flat.gaps >= 0).any():
            raise ValueError("raising=True is for trees in which rows without a value rest")
        self._tree, self._expected, self._slack = tree, expected, slack
        self._least = table.weight_unit
        self._table = table = in_parts(table) if tree.parts_rows else table
        ones = np.ones(table.n_rows, dtype=np.int64)
        every = _Rows(np.arange(len(ones)), ones if table.weights is None else table.weights)
        nodes = [_Standing(every) for _ in range(tree.n_nodes)]
        for i, node in enumerate(nodes):
            node.split = tree.flat.split(i, tree.attributes)
            first = int(tree.flat.first[i])
            node.children = nodes[first : first + int(tree.flat.width[i])]
        self.root = nodes[0]
        self._pass_down(self.root)

    def run(self) -> Tree:
        """From the leaves up each node stands, becomes a leaf, or gives way to a branch."""
        waiting = self.root.below()
        while waiting:
            node = waiting.pop()
            if node.split is None:
                continue
            # The last of equally large ones, as the program has it; parts are off by some ticks.
            sizes = np.array([int(child.rows.ticks.sum()) for child in node.children])
            near = sizes + self._table.weight_unit // _PARTS >= sizes.max()
            largest = node.children[int(np.flatnonzero(near)[-1])]
            leaf, stands = self._costs([node.rows]), self._costs_below(node, node.rows)
            raised = self._costs_below(largest, node.rows)
            if leaf <= min(stands, raised) + self._slack:
                node.split, node.children = None, []
            elif raised <= stands + self._slack:
                node.split, node.children = largest.split, largest.children
                self._pass_down(node)
                waiting += node.below()
        every = self.root.below()
        counts = np.array([self._counts(node.rows) for node in every])
        splits = [node.split for node in every]
        tree, flat = self._tree, from_splits(splits, counts, self._tree.attributes)
        flat, unit = in_fewest_ticks(flat, self._table.weight_unit, self._least)
        return replace(tree.with_nodes(flat), weight_unit=unit)

    def _pass_down(self, top: _Standing) -> None:
        """Send a node's rows on."""
        for node in (waiting := [top]):
            if node.split is None:
                continue
            parts, _ = self._parted(node, node.rows)
            if isinstance(node.split, ByValue):
                node.split = replace(node.split, groups=tuple(group for group, *_ in parts))
            node.children = [child for _, child, _ in parts]
            for _, child, rows in parts:
                child.rows = rows
            waiting += node.children

    def _parted(
        self, node: _Standing, rows: _Rows
    ) -> tuple[list[tuple[tuple[int, ...], _Standing, _Rows]], _Rows]:
        """The branches of rows at a node, new ones for values new to it, and which rows rest."""
        split = cast("Split", node.split)
        column = self._table.columns[split.attribute][rows.at]
        branch, groups = split.branch(column), getattr(split, "groups", [()] * split.n_branches)
        branches = list(zip(groups, node.children, strict=True))
        if isinstance(split, ByValue) and max(map(len, groups)) == 1:
            for code in np.unique(column[(branch == RESTS) & ~missing_of(column)]).tolist():
                new = _Standing(rows.take(column == code))
                insort(branches, ((code,), new), key=lambda way: way[0])
            branch = replace(split, groups=tuple(group for group, _ in branches)).branch(column)
        here = [branch == b for b in range(len(branches))]
        known = np.array([rows.ticks[mine].sum() for mine in here])
        parts = parts_of(np.where(branch == IN_PARTS, rows.ticks, 0), known)
        ways = [
            (group, child, rows.take(mine | (part > 0), np.where(mine, rows.ticks, part)))
            for (group, child), mine, part in zip(branches, here, parts, strict=True)
        ]
        return ways, rows.take(branch == RESTS)

    def _costs_below(self, top: _Standing, rows: _Rows) -> float:
        """What a subtree is expected to get wrong of some rows."""
        waiting, stops, resting = [(top, rows)], [], 0.0
        for node, here in waiting:
            if node.split is None:
                stops.append(here)
                continue
            parts, rest = self._parted(node, here)
            waiting += [part[1:] for part in parts]
            if len(rest.at):  # they are answered by all that came
                resting += self._costs([rest], here)
        return self._costs(stops) + resting

    def _costs(self, groups: Sequence[_Rows], answered: _Rows | None = None) -> float:
        counts = np.array([self._counts(rows) for rows in groups if len(rows.at)])
        if not len(counts):
            return 0.0
        answers = counts if answered is None else self._counts(answered)[None]
        unit = self._table.weight_unit
        return float(self._expected(counts, answers.argmax(axis=1), unit).sum())

    def _counts(self, rows: _Rows) -> Ints:
        labels = self._table.labels[rows.at]
        return np.bincount(labels, rows.ticks, len(self._tree.classes)).astype(np.int64)
