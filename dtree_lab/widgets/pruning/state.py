"""The state of a pruning lab: what is cut, by which method, and what is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.learn.pruning.reduced import highest_first
from dtree_lab.learn.pruning.standing import Standing, run
from dtree_lab.widgets.pruning.course import METHODS, Course, course
from dtree_lab.widgets.pruning.ground import Ground, prepared

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from dtree_lab.learn.pruning.cut import PrunedTree
    from dtree_lab.table import Table


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the lab is; `start` makes the first one.

    Attributes
    ----------
    ground
        The rows and the full tree.
    method, cf
        A key of `METHODS`, and the confidence of pessimistic pruning.
    cuts
        The nodes that are pruned, in the order in which they were. None stands below an earlier
        one; one that stands above an earlier one hides it.
    on
        Whether the cuts are made; the full tree is shown while they are not.
    faded
        Whether what is pruned stays in the picture.
    at
        The node that is looked at.
    row
        The validation row whose way is shown, counted from 0.
    status
        What changed.
    """

    ground: Ground
    method: str = "reduced_error"
    cf: float = 0.25
    cuts: tuple[int, ...] = ()
    on: bool = True
    faded: bool = True
    at: int = 0
    row: int | None = None
    status: str = ""

    @property
    def course(self) -> Course:
        """The trees of the method."""
        return course(self.ground, self.method, self.cf)

    @property
    def made(self) -> tuple[int, ...]:
        """The cuts that are made now."""
        return self.cuts if self.on else ()

    @cached_property
    def covered(self) -> NDArray[np.intp]:
        """For each node the uppermost cut at or above it, or itself."""
        return self.ground.covered(self.made)

    @cached_property
    def _pruned(self) -> tuple[PrunedTree, Standing]:
        standing = self.ground.standing("validation")
        return run(self.ground.full, standing, one_by_one(standing, self.made)), standing

    @property
    def tree(self) -> PrunedTree:
        """The tree as it stands."""
        return self._pruned[0]

    @property
    def standing(self) -> Standing:
        """Its wrong validation rows, node by node. To be looked at only."""
        return self._pruned[1]

    @cached_property
    def wrong(self) -> tuple[int, int]:
        """Training and validation rows that it gets wrong."""
        # No training row stops above a leaf: the table that the tree was grown on has no gaps.
        leaves = (self.covered == np.arange(len(self.covered))) & ~self.standing.asks
        training = self.ground.wrong["training"][0][leaves].sum()
        return int(training), int(self.standing.below[0])

    @property
    def stop(self) -> int | None:
        """Which of the method's trees stands, if one does."""
        found = self.course
        size = self.tree.n_nodes
        if size not in found.n_nodes:
            return None
        stop = found.n_nodes.index(size)
        same = np.array_equal(self.ground.covered(found.cuts(stop)), self.covered)
        return stop if same else None

    @cached_property
    def upcoming(self) -> tuple[int, ...]:
        """The cuts that the method would make next; none where it ends."""
        if self.method == "reduced_error":  # measured anew, whatever else was cut
            best = next(highest_first(self.standing, 1, no_worse=False), None)
            return () if best is None else (best,)
        plan, asks = self.course, self.standing.asks
        for stop in range(1, plan.end + 1):
            missing = tuple(node for node in plan.cuts(stop) if asks[node])
            if missing:
                return missing
        return ()


def one_by_one(standing: Standing, nodes: Iterable[int]) -> Iterator[int]:
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
    """The state before anything was pruned.

    Raises
    ------
    TypeError, ValueError
        As :func:`~dtree_lab.widgets.pruning.ground.prepared` does, and for another method.
    """
    check_method(method)
    return State(prepared(table, validation, seed), method)


def check_method(method: object) -> None:
    """Raise a ValueError for a method that there is none of."""
    if not isinstance(method, str) or method not in METHODS:
        msg = f"method={method!r} must be one of {', '.join(map(repr, METHODS))}"
        raise ValueError(msg)
