"""A task that asks for a tree: grown in the tree builder, or made in any other way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dtree_lab.course.calls import Outcome, call, describe, short
from dtree_lab.course.cards import Line
from dtree_lab.tree import Tree
from dtree_lab.widgets.treebuilder import text as saved
from dtree_lab.widgets.treebuilder.actions import Finish

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


@dataclass(frozen=True)
class Goal:
    """What the tree must do.

    Attributes
    ----------
    met
        Whether it does.
    says
        What it does, in words, such as ``"training error 0 of 10 rows"``.
    wanted
        What is wanted, such as ``"0"``.
    """

    met: Callable[[Handed], bool]
    says: Callable[[Handed], str]
    wanted: str


@dataclass(frozen=True)
class Grow:
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
    goals: tuple[Goal, ...]
    kind: Literal["doing"] = "doing"

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """The tree, or why there is none, once for each goal."""
        found: list[Outcome] = []
        read = call(lambda: found.append(self._read(answer)))
        late = Outcome("refused", says=f"the answer cannot be read: {read.says}")
        return (found[0] if found else late,) * len(self.goals)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[Line, ...]:
        """A line for each goal."""
        return tuple(map(_line, self.goals, outcomes))

    def agree(self, one: Outcome, other: Outcome) -> bool:
        """The same tree."""
        return isinstance(one.value, Handed) and one.value == other.value

    def _read(self, answer: Any) -> Outcome:
        if answer is None or answer is ... or (isinstance(answer, str) and not answer.strip()):
            return Outcome("nothing", says="nothing")
        try:
            handed = tree_of(answer, self.table())
            handed.tree.error(self.table())  # raises for a tree over other attributes
        except Exception as error:  # noqa: BLE001 - whatever was handed in, one clear line
            return Outcome("refused", says=f"the answer cannot be read: {short(str(error))}")
        if handed.tree.n_nodes == 1:
            return Outcome("nothing", says="nothing: the tree is still a single leaf")
        return Outcome("other", handed, "a tree")


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


def _line(goal: Goal, outcome: Outcome) -> Line:
    if outcome.kind == "refused":
        return Line(outcome.says, passed=False)
    if not isinstance(outcome.value, Handed):
        return Line("not answered yet", passed=False)
    met = goal.met(outcome.value)
    wanted = "" if met else f"; {goal.wanted} is wanted"
    return Line(goal.says(outcome.value) + wanted, passed=met)
