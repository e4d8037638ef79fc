"""Trees that answer together, by vote or by the mean of their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.encoding import encode, labels_for
from dtree_lab.learn.forest.batch import answers_of
from dtree_lab.learn.forest.walking import Grove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from dtree_lab.table import Attribute, Table, Value
    from dtree_lab.tree import Tree

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Voting:
    """What a forest knows by its trees alone.

    Attributes
    ----------
    attributes, target
        Those of the table that it was grown on.
    trees
        Ordinary trees, each of which can be drawn, asked and explained.
    """

    attributes: tuple[Attribute, ...]
    target: Attribute
    trees: tuple[Tree, ...]

    @property
    def n_trees(self) -> int:
        """How many trees vote."""
        return len(self.trees)

    @property
    def n_leaves(self) -> float:
        """How many leaves a tree has, on average."""
        return float(np.mean([tree.n_leaves for tree in self.trees]))

    @property
    def classes(self) -> tuple[Value, ...]:
        """The target's classes, in order; none of numbers."""
        return self.target.values or ()

    # -- what it says ----------------------------------------------------------------------------

    def predict(self, data: Any) -> Any:
        """The predicted class or number of a row, or of each row of a table.

        Parameters
        ----------
        data
            As for :meth:`dtree_lab.Tree.predict`: a row, rows, a table or a data frame.

        Returns
        -------
        Value or numpy.ndarray
            One answer for a row, an array of shape ``(n_rows,)`` otherwise. The first class wins a
            tie.

        Raises
        ------
        ValueError, TypeError
            As :meth:`dtree_lab.Tree.predict` does.
        """
        answers = self._predicted(data)
        if self.target.values is not None:
            answers = self.target.array[answers]
        return answers.tolist()[0] if isinstance(data, Mapping) else answers

    def votes(self, data: Any) -> NDArray[np.int64]:
        """How many trees say each class, shape ``(n_rows, n_classes)``; `data` as in `predict`.

        Raises
        ------
        ValueError
            When numbers are predicted, which have no votes; and as `predict` does.
        """
        self._check_votes()
        k = len(self.classes)
        counted = [
            np.bincount((np.arange(said.shape[1]) * k + said).ravel(), minlength=said.shape[1] * k)
            for said in self._said(data)
        ]
        votes: NDArray[np.int64] = np.concatenate(counted).reshape(-1, k)
        return votes

    def shares(self, data: Any) -> Floats:
        """The share of the trees that says each class; as :meth:`votes`."""
        return self.votes(data) / self.n_trees

    def error(self, table: Table) -> float:
        """The share of a table's rows predicted wrongly; of numbers, the mean squared error.

        Raises
        ------
        ValueError
            When the table lacks an attribute or has another target.
        TypeError
            For what is no table.
        """
        right = self._labels(table)
        said = self._predicted(table)
        if self.target.values is None:
            return float(np.square(said - right).mean())
        return float((said != right).mean())

    # -- how it does it --------------------------------------------------------------------------

    @cached_property
    def grove(self) -> Grove:
        """All trees' nodes together."""
        return Grove.of([tree.flat for tree in self.trees], self.attributes)

    @cached_property
    def _answers(self) -> NDArray[Any]:
        """What each node of the grove answers: codes of classes, or numbers."""
        return answers_of(self.trees)

    def stops(self, data: Any) -> Iterator[NDArray[Any]]:
        """The node of the grove where each row stops in each tree; ``(n_trees, some rows)``."""
        columns = encode(self.attributes, data)
        if not columns:  # a stand-in, which tells how many rows there are
            columns = [np.zeros(1 if isinstance(data, Mapping) else len(data))]
        return self.grove.stops_of_all(columns)

    def _said(self, data: Any) -> Iterator[NDArray[Any]]:
        for nodes in self.stops(data):
            yield self._answers[nodes]

    def _predicted(self, data: Any) -> NDArray[Any]:
        """Codes of classes, or numbers."""
        if self.target.values is None:
            return np.concatenate([said.mean(axis=0) for said in self._said(data)])
        codes: NDArray[Any] = self.votes(data).argmax(axis=1)
        return codes

    def _check_votes(self) -> None:
        if self.target.values is None:
            msg = f"{self.target.name!r} is continuous: its predictions are averaged, not counted"
            raise ValueError(msg)

    def _labels(self, table: Table) -> NDArray[Any]:
        """A table's labels in the forest's own codes."""
        return labels_for(self.target, table, "the forest")
