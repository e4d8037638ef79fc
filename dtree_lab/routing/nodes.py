"""What is read of a tree, and what its nodes ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.intp]
    Floats: TypeAlias = NDArray[np.float64]


class Nodes(Protocol):
    """The arrays of a tree that say where rows go, as :class:`dtree_lab.flat.Flat` has them."""

    @property
    def attr(self) -> NDArray[np.int32]:
        """The attribute that each node asks, -1 at a leaf."""

    @property
    def first(self) -> NDArray[np.int32]:
        """The first child of each."""

    @property
    def width(self) -> NDArray[np.int32]:
        """How many children each has."""

    @property
    def start(self) -> NDArray[np.int64]:
        """Where the part of each in `cuts` or `routes` begins."""

    @property
    def cuts(self) -> NDArray[np.float64]:
        """The cuts of all nodes."""

    @property
    def routes(self) -> NDArray[np.int32]:
        """The branch of each value, -1 for none, of all nodes."""


@dataclass(frozen=True)
class Asked:
    """What the nodes of a tree ask.

    Attributes
    ----------
    attributes
        Those that any node asks, the continuous ones first.
    n_continuous
        How many of them are continuous.
    column
        For each node the place of its attribute among these; that of a leaf is behind the last.
    n_values
        For each node the number of values of its attribute, 0 if it is continuous or there is none.
    only_thresholds
        Whether every node that asks has one cut.
    """

    attributes: list[int]
    n_continuous: int
    column: Ints
    n_values: Ints
    only_thresholds: bool

    @classmethod
    def of(cls, nodes: Nodes, n_values: Ints) -> Asked:
        """Of a tree; `n_values` of each attribute, and a last 0 which a leaf, -1, finds."""
        attributes = np.unique(nodes.attr[nodes.attr >= 0])
        discrete = n_values[attributes] > 0
        attributes = attributes[np.argsort(discrete, kind="stable")]
        n_continuous = int(np.count_nonzero(~discrete))
        column = np.full(len(n_values), len(attributes), dtype=np.intp)
        column[attributes] = np.arange(len(attributes))
        halves = n_continuous == len(attributes) and bool(nodes.width.max() == 2)  # noqa: PLR2004
        column, each = column[nodes.attr], n_values[nodes.attr]
        return cls(attributes.tolist(), n_continuous, column, each, halves)
