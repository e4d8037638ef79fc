"""What pruning makes: cuts, the events that tell of them, and the tree that remembers them.

And what a way to prune says of itself, :class:`PruningMethod`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_whole
from dtree_lab.base.types import Ints
from dtree_lab.grow.steps import narrated
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import Flat, trimmed
from dtree_lab.tree.subtrees import node_number, path_to
from dtree_lab.tree.tree import Path, Tree


@dataclass(frozen=True)
class Cut:
    """An internal node that could be, or was, made a leaf.

    What a cost is, depends on the method: wrong validation rows (reduced error), a share of the
    training rows or their impurity (cost-complexity), expected wrong rows (pessimistic).

    Attributes
    ----------
    path
        Where the node is, in the tree as it was before any cut.
    subtree
        The cost of what stood below it.
    leaf
        Its cost as a leaf with the majority class of its training rows.
    n_leaves
        How many leaves stood below it.
    """

    path: Path
    subtree: float
    leaf: float
    n_leaves: int

    @property
    def reduction(self) -> float:
        """How much the cut lowers the cost; negative where it raises it."""
        return self.subtree - self.leaf

    @property
    def strength(self) -> float:
        """What each leaf below is worth: the rise in cost for each leaf that a cut removes."""
        return (self.leaf - self.subtree) / max(self.n_leaves - 1, 1)


@dataclass(frozen=True, eq=False)
class Measured:
    """The beginning of a round: what each internal node that still stands would bring.

    Attributes
    ----------
    round
        Counted from 1.
    cost
        That of the whole tree as it stands.
    flat
        The tree before any cut.
    nodes, subtree, leaf, n_leaves
        The internal nodes (numbers in the tree before any cut) and their costs, as arrays.
    """

    round: int
    cost: float
    flat: Flat = field(repr=False)
    nodes: NDArray[np.intp] = field(repr=False)
    subtree: NDArray[Any] = field(repr=False)
    leaf: NDArray[Any] = field(repr=False)
    n_leaves: Ints = field(repr=False)

    @cached_property
    def candidates(self) -> tuple[Cut, ...]:
        """The internal nodes as possible cuts, breadth first. Made when asked for."""
        listed = (a.tolist() for a in (self.nodes, self.subtree, self.leaf, self.n_leaves))
        return tuple(
            Cut(path_to(self.flat, i), s, leaf, n) for i, s, leaf, n in zip(*listed, strict=True)
        )


@dataclass(frozen=True)
class Pruned:
    """A node was made a leaf; the cost of the whole tree before and after."""

    round: int
    cut: Cut
    before: float
    after: float


@dataclass(frozen=True)
class Finished:
    """No cut is left to make: how many were made, and what the tree costs now."""

    n_cuts: int
    cost: float


Event: TypeAlias = Measured | Pruned | Finished


@dataclass(frozen=True, eq=False, repr=False)
class PrunedTree(Tree):
    """A tree that remembers what it was cut from.

    It is used like any tree, and equal to any that asks the same questions of the same rows.

    Attributes
    ----------
    original
        The tree before any cut.
    cuts
        The cuts, in the order in which they were made. A cut may be inside a later one.
    """

    original: Tree
    cuts: tuple[Cut, ...]

    def after(self, n_cuts: int) -> PrunedTree:
        """The tree as it was after the first `n_cuts` cuts; 0 is the original.

        Raises
        ------
        ValueError
            For a number of cuts that were not made.
        """
        if not is_whole(n_cuts) or not 0 <= n_cuts <= len(self.cuts):
            raise ValueError(f"n_cuts={n_cuts!r} must be a whole number from 0 to {len(self.cuts)}")
        return pruned(self.original, self.cuts[:n_cuts])

    def without(self, *paths: Path) -> PrunedTree:
        """The tree with some cuts taken back; the others stay.

        Taking back a cut inside another one shows only when that one is taken back too.

        Raises
        ------
        ValueError
            For a path at which no cut was made.
        """
        made = {cut.path for cut in self.cuts}
        for path in paths:
            if path not in made:
                raise ValueError(f"no cut was made at the path {path!r}")
        return pruned(self.original, tuple(cut for cut in self.cuts if cut.path not in paths))


def pruned(tree: Tree, cuts: tuple[Cut, ...]) -> PrunedTree:
    """The tree with some nodes made leaves."""
    opened = np.ones(tree.flat.n_nodes, dtype=bool)
    opened[[node_number(tree.flat, cut.path) for cut in cuts]] = False
    flat = trimmed(tree.flat, opened, [a.n_values for a in tree.attributes])
    return PrunedTree(
        tree.attributes,
        tree.target,
        flat,
        tree,
        cuts,
        criterion=tree.criterion,
        weight_unit=tree.weight_unit,
    )


class CutOrder(NamedTuple):
    """An order of cuts, by nodes of the full tree, each standing when it is cut."""

    order: Sequence[int]
    stops: Iterable[int]  # after how many cuts there is a tree of the method's
    # The nodes of the tree at which it ends; None for that with the fewest wrong validation rows,
    # and of such trees the smallest.
    end: int | None
    prices: tuple[float | None, ...] = ()  # of a leaf, from which each tree is best


def _whole(tree: Tree, *_: Any) -> PrunedTree:
    return pruned(tree, ())


@dataclass(frozen=True)
class PruningMethod:
    """A way to prune, as it describes itself; labs show every one of ``METHODS``.

    What each field is for is told in ``docs/new-pruning.md``.
    """

    name: str
    title: str
    about: str
    step: str
    prune: Callable[..., PrunedTree] = _whole
    needs: tuple[Literal["validation", "cf"], ...] = ()
    given: tuple[Any, ...] = ()
    unit: str = "wrong validation rows"
    columns: tuple[str, ...] = ("Cost", "As a leaf")
    plan: Callable[[Tree, Table, Table, float], CutOrder] | None = None
    anew: Callable[[Any], Iterator[int]] | None = None
    called: str = ""
    code: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    def arguments(self, validation: Table, cf: float = 0.25) -> tuple[Any, ...]:
        """What `prune` takes after the tree."""
        known = {"validation": validation, "cf": cf}
        return (*(known[need] for need in self.needs), *self.given)

    def cuts(self, tree: Tree, training: Table, validation: Table, cf: float) -> CutOrder:
        """The order of its cuts: its plan, or what `prune` cuts."""
        if self.plan is not None:
            return self.plan(tree, training, validation, cf)
        smaller = self.prune(tree, *self.arguments(validation, cf))
        order = [node_number(tree.flat, cut.path) for cut in smaller.cuts]
        return CutOrder(order, range(len(order) + 1), smaller.n_nodes)

    def costs(self, tree: Tree, validation: Table, cf: float) -> dict[str, NDArray[Any]]:
        """Its costs of each node that asks, breadth first, by what they are called."""
        if not self.columns:
            return {}
        first: Measured = next(narrated(self.prune, tree, *self.arguments(validation, cf)))
        if len(self.columns) == 1:
            return {self.columns[0]: (first.leaf - first.subtree) / (first.n_leaves - 1)}
        return dict(zip(self.columns, (first.subtree, first.leaf), strict=True))
