"""The state of a pruning lab: its rows and full tree, what is cut; and what is read off it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import number
from dtree_lab.draw import words
from dtree_lab.grow.api import id3
from dtree_lab.labs.kit.actions import NotPossibleError, finite_number
from dtree_lab.labs.kit.cards import reasons
from dtree_lab.labs.kit.controls import short_text
from dtree_lab.labs.kit.inspecting import node_paths
from dtree_lab.labs.kit.measured import MeasuredTree
from dtree_lab.labs.kit.settings import UnfitError, choice, remembered, slider, toggle
from dtree_lab.populations import diagonal
from dtree_lab.prune import METHODS
from dtree_lab.prune.pruned import CutOrder, PrunedTree
from dtree_lab.prune.reduced import SubtreeErrors, run
from dtree_lab.table.table import Table
from dtree_lab.tree.subtrees import errors_on
from dtree_lab.tree.tree import Path

Rows: TypeAlias = Literal["training", "validation"]
_EXAMPLE_ROWS = 240
# Beyond these a legend would fill the page, and so a card's strip has no colours either.
MOST_IN_LEGEND = 40


@dataclass(frozen=True, eq=False)
class PruningData(MeasuredTree):
    """What stays as it is while a tree is pruned, nodes by their numbers in the full tree."""

    does = "prunes"
    # The sequences of trees that were asked for so far, by method and confidence.
    sequences: dict[tuple[str, float], PruningSequence] = field(default_factory=dict, repr=False)

    @cached_property
    def wrong(self) -> dict[Rows, tuple[NDArray[Any], NDArray[Any]]]:
        """Wrong rows of each node as a leaf, and among the rows that stop at it."""
        return {
            "training": errors_on(self.full, self.training, "training"),
            "validation": errors_on(self.full, self.validation),
        }

    def standing(self, rows: Rows) -> SubtreeErrors:
        """The full tree's wrong rows, for cuts to be made."""
        return SubtreeErrors(self.flat, *self.wrong[rows])

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """Where each node is."""
        return tuple(node_paths(self.full))

    @cached_property
    def parent(self) -> list[int]:
        """Each node's parent, -1 for the root; a list, which is read from one at a time."""
        above: list[int] = self.flat.parent.tolist()
        return above

    @cached_property
    def stops(self) -> NDArray[np.intp]:
        """The node of the full tree where each validation row stops."""
        return self.full.apply(self.validation).astype(np.intp)

    def covered(self, cuts: tuple[int, ...]) -> NDArray[np.intp]:
        """For each node the uppermost cut at or above it, or itself; shape ``(n_nodes,)``."""
        top, shut = list(range(self.flat.n_nodes)), set(cuts)
        for node, above in enumerate(self.parent[1:], 1):  # parents stand before their children
            if above in shut or top[above] != above:
                top[node] = top[above]
        return np.array(top)


def _example() -> Table:
    """Two classes on either side of a diagonal, a tenth of the labels wrong, numbers to read."""
    rows = diagonal().sample(_EXAMPLE_ROWS)
    columns = tuple(np.round(column, 2) for column in rows.columns)
    return Table(rows.attributes, rows.target, columns, rows.labels)


def prepared(
    table: Table | None, validation: Table | None, seed: int, tree: Any = None
) -> PruningData:
    """The rows and a tree, or its questions; ID3 grows it where none is given."""
    return PruningData.of(_example() if table is None else table, validation, seed, tree, id3)


@dataclass(frozen=True, eq=False)
class PruningSequence:
    """A method's cuts in order, from the full tree as far as it goes."""

    order: tuple[int, ...]  # the nodes that are cut, each standing when it is
    # After how many cuts there is a tree of the method's, increasing, the first 0.
    stops: tuple[int, ...]
    # Of each of these trees: its nodes, which only fall, and its wrong rows.
    n_nodes: tuple[int, ...]
    training: tuple[int, ...]
    validation: tuple[int, ...]
    # The tree at which the method ends, by its place in `stops`. The rest shows what would come.
    end: int
    # For cost-complexity, the price of a leaf from which each tree is best; None for a full tree
    # that is never best, because some of its leaves spare no training row.
    prices: tuple[float | None, ...] = ()

    def cuts(self, stop: int) -> tuple[int, ...]:
        """The cuts that lead to a tree."""
        return self.order[: self.stops[stop]]


def sequence_of(data: PruningData, method: str, cf: float) -> PruningSequence:
    """The trees of a method; the confidence matters only to one that needs it."""
    way = METHODS[method]
    key = (method, cf if "cf" in way.needs else 0.0)
    if key not in data.sequences:
        cuts = way.cuts(data.full, data.training, data.validation, cf)
        data.sequences[key] = _sequence(data, cuts)
    return data.sequences[key]


def _sequence(data: PruningData, plan: CutOrder) -> PruningSequence:
    stops = tuple(plan.stops)
    at = set(stops)
    rows = data.standing("training"), data.standing("validation")
    kept = np.ones(data.flat.n_nodes, dtype=bool)
    told: list[tuple[int, ...]] = []
    for made in range(len(plan.order) + 1):
        if made in at:
            told.append((int(kept.sum()), *(int(one.below[0]) for one in rows)))
        if made < len(plan.order):
            for one in rows:
                gone = one.cut(plan.order[made])[1]
            for stretch in gone:
                kept[stretch] = False
    n_nodes, training, validation = zip(*told, strict=True)
    if plan.end is None:
        end = max(i for i, wrong in enumerate(validation) if wrong == min(validation))
    else:
        end = n_nodes.index(plan.end)
    order = tuple(plan.order)
    return PruningSequence(order, stops, n_nodes, training, validation, end, plan.prices)


# -- what changes ----------------------------------------------------------------------------------

# A key moves the slider in the figure by so little that it tells itself from a hand: from where a
# tree stands, so many presses mean so many trees further, also when they come faster than answers.
KEY = 1e-6
LEAST_CF, MOST_CF = 0.01, 0.5


def check_method(method: object) -> str:
    """A key of `METHODS`; a ValueError for a method that there is none of."""
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"method={method!r} must be one of {', '.join(map(repr, METHODS))}")
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
    return finite_number(value)


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
    # A tree that was given, as its criterion and its questions; nothing where ID3 grows one.
    questions = remembered(list, default=[], optional=True)
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
    # The node that is looked at, and the validation row whose way is shown, counted from 0.
    at: int = remembered(int, default=0, fits=lambda state, at: 0 <= at < state.data.full.n_nodes)
    row: int | None = remembered(
        *(int, type(None)),
        default=None,
        fits=lambda state, row: row is None or 0 <= row < len(state.data.validation),
    )
    # The nodes that are pruned, in the order in which they were. None stands below an earlier one;
    # one that stands above an earlier one hides it.
    cuts: tuple[int, ...] = remembered(list, default=())
    size = slider(
        0,
        most_nodes,
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
    def cuts_made(self) -> tuple[int, ...]:
        """The cuts that are made now."""
        return self.cuts if self.on else ()

    @cached_property
    def covered(self) -> NDArray[np.intp]:
        """For each node the uppermost cut at or above it, or itself."""
        return self.data.covered(self.cuts_made)

    @cached_property
    def _pruned(self) -> tuple[PrunedTree, SubtreeErrors]:
        standing = self.data.standing("validation")
        return run(self.data.full, standing, one_by_one(standing, self.cuts_made)), standing

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
    tree: Any = None,
) -> State:
    """The state before anything was pruned."""
    check_method(method)
    return State(prepared(table, validation, seed, tree), method=method)


# -- what is read off it ---------------------------------------------------------------------------

MOST_NODES, MOST_ROWS, _COLUMNS = 30, 30, 32


def question_of(data: PruningData, node: int) -> str:
    """What a node asks, or that it is a leaf."""
    split = data.flat.split(node, data.full.attributes)
    if split is None:
        return "a leaf"
    name, condition = words.question_parts(split, data.full.attributes)
    return f"{short_text(name, _COLUMNS)} {condition}".rstrip() + "?"


def conditions_at(data: PruningData, node: int) -> str:
    """What holds for the rows at a node, the questions nearest to it last."""
    found = reasons(data.full.root, data.full.attributes, data.paths[node])
    return ", ".join(short_text(words.plain(why), _COLUMNS) for why in found) or "all rows"


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


def difference_from_full(state: State) -> ChangedAnswers:
    """Compare with the full tree."""
    data = state.data
    answers, stops = data.flat.majority, data.stops
    before, after = answers[stops], answers[state.covered[stops]]
    rows = np.flatnonzero(before != after)
    was, now = (some[rows] == data.labels[rows] for some in (before, after))
    better, worse = int((now & ~was).sum()), int((was & ~now).sum())
    return ChangedAnswers(rows.tolist(), before[rows].tolist(), after[rows].tolist(), better, worse)
