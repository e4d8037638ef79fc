"""A task that asks for a tree: grown in the tree builder, or made in any other way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dtree_lab.course.calls import describe
from dtree_lab.course.tasks.do import Doing, Goal
from dtree_lab.tree import Tree
from dtree_lab.widgets.treebuilder import model as saved
from dtree_lab.widgets.treebuilder.state import Finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from dtree_lab.table import Table


@dataclass(frozen=True)
class Handed:
    """A tree that was handed in.

    Attributes
    ----------
    tree
        The tree.
    finished
        Whether a recipe grew a part of it in the builder; None for a tree alone, which does not
        show how it was grown.
    """

    tree: Tree
    finished: bool | None = None

    @property
    def how(self) -> str:
        """Who grew it, in words."""
        if self.finished is None:
            return "a tree alone does not show how it was grown; whether it was by hand, you know"
        return "a recipe grew part of it" if self.finished else "grown by hand"


@dataclass(frozen=True)
class Grow(Doing[Handed]):
    """Grow a tree that meets some goals, whatever its shape.

    The answer is a TreeBuilder, its state as text (whose steps are made again), a tree, or a
    tree's JSON.

    Attributes
    ----------
    table
        What it is grown on.
    goals
        One case each.
    """

    table: Callable[[], Table]
    goals: tuple[Goal[Handed], ...]
    kind: Literal["doing"] = "doing"

    def read(self, answer: Any) -> Handed:
        """The tree of an answer."""
        handed = tree_of(answer, self.table())
        handed.tree.error(self.table())  # raises for a tree over other attributes
        return handed

    def key(self, answer: Any, thing: Handed) -> Handed:  # noqa: ARG002 - a tree is what it is
        """The tree, and whether a recipe grew it."""
        return thing

    def untouched(self, thing: Handed) -> bool:
        """Whether the tree is still a single leaf."""
        return thing.tree.n_nodes == 1


def tree_of(answer: Any, table: Table) -> Handed:
    """The tree of an answer.

    Raises
    ------
    ValueError
        For a text that is neither a builder's state on this table nor a tree's JSON.
    TypeError
        For anything else that holds no tree.
    """
    if isinstance(answer, Tree):
        return Handed(answer)
    text = getattr(answer, "state", answer)
    if not isinstance(text, str):
        found = describe(answer).says
        raise TypeError(f"hand in the tree builder, its .state or a tree; this is {found}")
    if '"format"' in text and f"dtree_lab.{saved.LAB}/" in text:
        state = saved.load(text, table)
        return Handed(state.root.tree, any(isinstance(step, Finish) for step in state.steps))
    try:
        return Handed(Tree.from_json(text))
    except ValueError:
        raise ValueError("this text is neither the .state of a tree builder nor a tree") from None
