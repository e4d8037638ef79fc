"""A lab's tree, grown or given, and the rows that it is measured with, given or withheld."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from dtree_lab.evaluate import holdout
from dtree_lab.grow.api import refilled
from dtree_lab.labs.kit.keeping import fingerprint, fits, settings_of
from dtree_lab.labs.kit.settings import Settings
from dtree_lab.labs.kit.taking import check_few_classes, classified, measured_with, numbered
from dtree_lab.populations.base import whole
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.questions import as_tree, questions_of
from dtree_lab.tree.tree import Tree

# Beyond these a card's strip has no colours that can be told apart.
_MOST_CLASSES = 100
S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class MeasuredTree:
    """What stays as it is, whatever is done with the tree."""

    does: ClassVar[str] = "takes"  # what the lab does with a tree, in an error
    given: Table  # what the lab was made with, before rows were withheld; without rows with gaps
    training: Table  # the rows that the tree was grown on
    validation: Table  # the rows that it is measured with
    full: Tree  # the whole tree
    seed: int  # what the rows were withheld with
    withheld: bool  # whether the validation rows are some of the given ones
    # A tree that was given: its criterion, then its questions, breadth first.
    questions: Sequence[Any]

    @classmethod
    def of(
        cls,
        table: Table,
        validation: Table | None,
        seed: int,
        tree: Any,
        grow: Callable[[Table], Tree],
    ) -> Self:
        """Withhold rows where none are given; fill a tree, or its questions, or grow one."""
        seed = whole("seed", seed, 0)
        questions = tree if isinstance(tree, list) else cls._questions(tree, table)
        given = classified(table)
        check_few_classes(given.target, _MOST_CLASSES)
        if validation is None:
            training, measured = holdout(numbered(given), seed=seed)
        else:
            training, measured = given, measured_with(validation)
        full = _filled(questions, training) if questions else grow(training)
        full.error(measured)  # raises, naming what does not fit
        return cls(given, training, measured, full, seed, validation is None, questions)

    @classmethod
    def _questions(cls, tree: Any, table: Table) -> list[Any]:
        if tree is None:
            return []
        tree = as_tree(tree, table)
        if tree.target.values is None:
            msg = f"this lab {cls.does} trees that predict classes"
            raise ValueError(f"tree: it predicts numbers; {msg}")
        return [tree.criterion, *questions_of(tree)]

    @property
    def flat(self) -> Flat:
        """The whole tree as arrays."""
        return self.full.flat

    @property
    def measured(self) -> Table | None:
        """The validation rows that were given; None where rows were withheld."""
        return None if self.withheld else self.validation

    @cached_property
    def labels(self) -> NDArray[np.intp]:
        """The classes of the validation rows as the tree numbers them, -1 for one it lacks."""
        return labels_for(self.full.target, self.validation, "the tree").astype(np.intp)


class HasTree(Protocol):
    """A lab's state that has such a tree."""

    @property
    def data(self) -> MeasuredTree:
        """The tree, and the rows that it is measured with."""


M = TypeVar("M", bound=HasTree)


class MeasuredLab(Generic[M]):
    """What a lab on such a tree can be asked for."""

    _state: M

    @property
    def full(self) -> Tree:
        """The whole tree, before anything was done with it."""
        return self._state.data.full

    @property
    def training(self) -> Table:
        """The rows that the tree was grown on."""
        return self._state.data.training

    @property
    def validation(self) -> Table:
        """The rows that it is measured with."""
        return self._state.data.validation


def _filled(questions: Sequence[Any], training: Table) -> Tree:
    criterion, *asks = questions
    try:
        return refilled(asks, training, str(criterion))
    except ValueError as error:
        raise ValueError(f"the training rows do not fill the tree: {error}") from None


# What stands of it in the text of a state whose field `data` it is.
BEGUN: dict[str, Callable[[Any], Any]] = {
    "validation": lambda state: fingerprint(state.data.validation),
    "seed": lambda state: state.data.seed,
    "questions": lambda state: list(state.data.questions),
}


def with_tree_loaded(settings: Settings[S], text: str, begin: Callable[[int, list[Any]], S]) -> S:
    """The state of a text, on the rows and the tree that `begin` makes of a seed and questions."""
    kinds = {"seed": int, "questions": list}
    own = settings_of(text, settings.lab, None, kinds, ["questions"])
    first: Any = begin(own["seed"], own.get("questions", []))
    if not fits(settings.read(text, first.data.given)["validation"], first.data.validation):
        raise ValueError("this state was made with other validation rows; give the same ones")
    return settings.load(text, first.data.given, lambda _: first)
