"""What is read off a state: names of nodes, what each cut would bring, the rows that change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dtree_lab.draw import words
from dtree_lab.learn.pruning.pessimistic import pessimistic_events
from dtree_lab.learn.pruning.weakest import cost_complexity_events
from dtree_lab.splits import reason
from dtree_lab.widgets.kit.names import short

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray

    from dtree_lab.learn.pruning.cut import Event, Measured, PrunedTree
    from dtree_lab.widgets.pruning.ground import Ground
    from dtree_lab.widgets.pruning.state import State

MOST_NODES, MOST_ROWS, _COLUMNS = 30, 30, 32


def asked(ground: Ground, node: int) -> str:
    """What a node asks, or that it is a leaf."""
    split = ground.flat.split(node, ground.full.attributes)
    if split is None:
        return "a leaf"
    name, condition = words.asked(split, ground.full.attributes)
    return f"{short(name, _COLUMNS)} {condition}".rstrip() + "?"


def where(ground: Ground, node: int) -> str:
    """What holds for the rows at a node, the questions nearest to it last."""
    said: list[str] = []
    while (above := ground.parent[node]) >= 0:
        split = ground.flat.split(above, ground.full.attributes)
        if split is not None:  # it never is: these nodes ask
            branch = node - int(ground.flat.first[above])
            told = reason(split, ground.full.attributes[split.attribute], branch)
            said.append(short(words.plain(told), _COLUMNS))
        node = above
    return ", ".join(reversed(said)) or "all rows"


@dataclass(frozen=True, eq=False)
class Ranked:
    """The nodes that could be cut in the tree as it stands, the method's favourite first.

    Attributes
    ----------
    nodes
        Their numbers.
    subtree, leaf
        Wrong validation rows of what stands there, and of a leaf in its place.
    extra
        The method's own numbers, a column for each, by what they are called.
    """

    nodes: list[int]
    subtree: list[int]
    leaf: list[int]
    extra: dict[str, list[float]]


def ranked(state: State) -> Ranked:
    """Weigh every node that stands and asks."""
    standing = state.standing
    nodes = np.flatnonzero(standing.asks)
    subtree, leaf = standing.below[nodes], standing.as_leaf[nodes]
    extra: dict[str, NDArray[Any]] = {}
    worth = leaf - subtree
    # The pruned tree's own nodes are in the same order.
    if state.method == "cost_complexity":
        extra = {"g": _strength(_first(cost_complexity_events(state.tree, 0)))}
        worth = extra["g"]
    elif state.method == "pessimistic":
        measured = _first(pessimistic_events(state.tree, state.cf))
        extra = {"Expected": measured.subtree, "As a leaf": measured.leaf}
        worth = measured.leaf - measured.subtree
    order = np.argsort(worth, kind="stable")
    columns = {name: column[order].tolist() for name, column in extra.items()}
    return Ranked(nodes[order].tolist(), subtree[order].tolist(), leaf[order].tolist(), columns)


def _first(events: Generator[Event, None, PrunedTree]) -> Measured:
    """The beginning of a method's first round, where all that could be cut is weighed."""
    return cast("Measured", next(events))


def _strength(measured: Measured) -> NDArray[np.float64]:
    rise: NDArray[np.float64] = measured.leaf - measured.subtree
    return rise / (measured.n_leaves - 1)


@dataclass(frozen=True, eq=False)
class Changed:
    """The validation rows that the tree answers otherwise than the full tree does.

    Attributes
    ----------
    rows
        Their numbers in the validation table, from 0.
    before, after
        Classes as the tree numbers them.
    better, worse
        How many are right now and were not, and the other way round.
    """

    rows: list[int]
    before: list[int]
    after: list[int]
    better: int
    worse: int


def changed(state: State) -> Changed:
    """Compare with the full tree."""
    ground = state.ground
    answers, stops = ground.flat.majority, ground.stops
    before, after = answers[stops], answers[state.covered[stops]]
    rows = np.flatnonzero(before != after)
    was, now = (some[rows] == ground.labels[rows] for some in (before, after))
    better, worse = int((now & ~was).sum()), int((was & ~now).sum())
    return Changed(rows.tolist(), before[rows].tolist(), after[rows].tolist(), better, worse)
