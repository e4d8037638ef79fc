"""The state of a pruning lab: what is cut, by which method, and what is looked at.

And what is read off it: names of nodes, what each cut would bring, the rows that change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import number
from dtree_lab.draw import words
from dtree_lab.labs.kit.actions import NotPossibleError, finite
from dtree_lab.labs.kit.cards import reasons
from dtree_lab.labs.kit.controls import short
from dtree_lab.labs.kit.settings import UnfitError, choice, remembered, slider, toggle
from dtree_lab.labs.pruning.data import PruningData, PruningSequence, prepared, sequence_of
from dtree_lab.prune import METHODS
from dtree_lab.prune.pruned import PrunedTree
from dtree_lab.prune.reduced import SubtreeErrors, run
from dtree_lab.table.table import Table

# A key moves the slider in the figure by so little that it tells itself from a hand: from where a
# tree stands, so many presses mean so many trees further, also when they come faster than answers.
KEY = 1e-6
LEAST_CF, MOST_CF = 0.01, 0.5


def check_method(method: object) -> str:
    """A key of `METHODS`; a ValueError for a method that there is none of."""
    if not isinstance(method, str) or method not in METHODS:
        msg = f"method={method!r} must be one of {', '.join(map(repr, METHODS))}"
        raise ValueError(msg)
    return method


def most_nodes(state: State) -> float:
    """The end of the axis of nodes: a little more than the full tree has."""
    return state.data.full.n_nodes * 1.02 + 1


def _method(_: State, value: object) -> str:
    if not isinstance(value, str):
        raise UnfitError
    return check_method(value)


def _number(_: State, value: object) -> float:
    if not isinstance(value, int | float):
        raise UnfitError
    return finite(value)


def _confidence(state: State, value: object) -> float:
    cf = _number(state, value)
    if not LEAST_CF <= cf <= MOST_CF:
        msg = f"The confidence must lie between {LEAST_CF} and {MOST_CF}; got {number(cf)}."
        raise NotPossibleError(msg)
    return cf


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the lab is; `start` makes the first one. Nodes are told by their numbers."""

    data: PruningData
    # What the lab begins with: a check sum of the rows that it measures with, and a seed.
    validation = remembered(str, trait="validation_sum")
    seed = remembered(int)
    method: str = choice(
        lambda _: {name: method.title for name, method in METHODS.items()},
        "Method",
        default="reduced_error",
        check=_method,
    )
    # The confidence of pessimistic pruning.
    cf: float = slider(LEAST_CF, MOST_CF, "Confidence", step=0.01, default=0.25, check=_confidence)
    on: bool = toggle("Pruning on", default=True)  # the full tree is shown while it is off
    faded: bool = toggle("Show what is pruned", default=True)  # whether that stays in the picture
    at: int = remembered(int, default=0)  # the node that is looked at
    # The validation row whose way is shown, counted from 0.
    row: int | None = remembered(int, type(None), default=None)
    # The nodes that are pruned, in the order in which they were. None stands below an earlier one;
    # one that stands above an earlier one hides it.
    cuts: tuple[int, ...] = remembered(list, default=())
    size = slider(
        0,
        lambda state: state.data.full.n_nodes * 1.02 + 1,
        "Nodes of the tree",
        step=KEY,
        kinds=(),
        check=_number,
    )
    status: str = ""  # what changed

    @property
    def sequence(self) -> PruningSequence:
        """The trees of the method."""
        return sequence_of(self.data, self.method, self.cf)

    @property
    def made(self) -> tuple[int, ...]:
        """The cuts that are made now."""
        return self.cuts if self.on else ()

    @cached_property
    def covered(self) -> NDArray[np.intp]:
        """For each node the uppermost cut at or above it, or itself."""
        return self.data.covered(self.made)

    @cached_property
    def _pruned(self) -> tuple[PrunedTree, SubtreeErrors]:
        standing = self.data.standing("validation")
        return run(self.data.full, standing, one_by_one(standing, self.made)), standing

    @property
    def tree(self) -> PrunedTree:
        """The tree as it stands."""
        return self._pruned[0]

    @property
    def standing(self) -> SubtreeErrors:
        """Its wrong validation rows, node by node. To be looked at only."""
        return self._pruned[1]

    @cached_property
    def wrong(self) -> tuple[int, int]:
        """Training and validation rows that it gets wrong."""
        # No training row stops above a leaf: the table that the tree was grown on has no gaps.
        leaves = (self.covered == np.arange(len(self.covered))) & ~self.standing.asks
        training = self.data.wrong["training"][0][leaves].sum()
        return int(training), int(self.standing.below[0])

    @property
    def stop(self) -> int | None:
        """Which of the method's trees stands, if one does."""
        found = self.sequence
        size = self.tree.n_nodes
        if size not in found.n_nodes:
            return None
        stop = found.n_nodes.index(size)
        same = np.array_equal(self.data.covered(found.cuts(stop)), self.covered)
        return stop if same else None

    @cached_property
    def upcoming(self) -> tuple[int, ...]:
        """The cuts that the method would make next; none where it ends."""
        if (anew := METHODS[self.method].anew) is not None:
            best = next(anew(self.standing), None)
            return () if best is None else (best,)
        plan, asks = self.sequence, self.standing.asks
        for stop in range(1, plan.end + 1):
            missing = tuple(node for node in plan.cuts(stop) if asks[node])
            if missing:
                return missing
        return ()


def one_by_one(standing: SubtreeErrors, nodes: Iterable[int]) -> Iterator[int]:
    """Make cuts in an order, each after it has been looked at."""
    for node in nodes:
        yield node
        standing.cut(node)


def start(
    table: Table | None = None,
    validation: Table | None = None,
    *,
    method: str = "reduced_error",
    seed: int = 0,
) -> State:
    """The state before anything was pruned."""
    check_method(method)
    return State(prepared(table, validation, seed), method=method)


MOST_NODES, MOST_ROWS, _COLUMNS = 30, 30, 32


def asked(data: PruningData, node: int) -> str:
    """What a node asks, or that it is a leaf."""
    split = data.flat.split(node, data.full.attributes)
    if split is None:
        return "a leaf"
    name, condition = words.asked(split, data.full.attributes)
    return f"{short(name, _COLUMNS)} {condition}".rstrip() + "?"


def where(data: PruningData, node: int) -> str:
    """What holds for the rows at a node, the questions nearest to it last."""
    found = reasons(data.full.root, data.full.attributes, data.paths[node])
    return ", ".join(short(words.plain(why), _COLUMNS) for why in found) or "all rows"


@dataclass(frozen=True, eq=False)
class RankedNodes:
    """The nodes that could be cut in the tree as it stands, the method's favourite first."""

    nodes: list[int]
    # Wrong validation rows of what stands there, and of a leaf in its place.
    subtree: list[int]
    leaf: list[int]
    extra: dict[str, list[float]]  # the method's own numbers, by what they are called


def ranked(state: State) -> RankedNodes:
    """Weigh every node that stands and asks."""
    standing = state.standing
    nodes = np.flatnonzero(standing.asks)
    subtree, leaf = standing.below[nodes], standing.as_leaf[nodes]
    # The pruned tree's own nodes are in the same order.
    extra = METHODS[state.method].costs(state.tree, state.data.validation, state.cf)
    *before, after = extra.values() if extra else (subtree, leaf)
    order = np.argsort(after - before[0] if before else after, kind="stable")
    columns = {name: column[order].tolist() for name, column in extra.items()}
    return RankedNodes(
        nodes[order].tolist(), subtree[order].tolist(), leaf[order].tolist(), columns
    )


@dataclass(frozen=True, eq=False)
class ChangedAnswers:
    """The validation rows that the tree answers otherwise than the full tree does."""

    rows: list[int]  # their numbers in the validation table, from 0
    # The classes that are answered, as the tree numbers them.
    before: list[int]
    after: list[int]
    better: int  # how many are right now and were not
    worse: int


def changed(state: State) -> ChangedAnswers:
    """Compare with the full tree."""
    data = state.data
    answers, stops = data.flat.majority, data.stops
    before, after = answers[stops], answers[state.covered[stops]]
    rows = np.flatnonzero(before != after)
    was, now = (some[rows] == data.labels[rows] for some in (before, after))
    better, worse = int((now & ~was).sum()), int((was & ~now).sum())
    return ChangedAnswers(rows.tolist(), before[rows].tolist(), after[rows].tolist(), better, worse)
