"""Tasks that ask to do something in a lab, or to grow a tree, in a lab or in any other way.

What counts is the state that was reached, not how.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from dtree_lab.base.checks import is_tuple_of
from dtree_lab.course.calls import Outcome, call, describe, short
from dtree_lab.course.cards import CardLine
from dtree_lab.course.exercise import Mistake
from dtree_lab.labs.treebuilder import model as saved
from dtree_lab.labs.treebuilder.state import Finish, start
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import ByValue
from dtree_lab.tree.tree import Branch, Tree, walk

T = TypeVar("T")

# Seconds in which a thing must have been read. That is our own work and takes a blink: who has to
# wait for it sits at a machine that many share.
_READING = 20.0


@dataclass(frozen=True)
class Goal(Generic[T]):
    """What must have been reached.

    Attributes
    ----------
    met
        Whether it is.
    says
        What is, in words, such as ``"training error 0 of 10 rows"``.
    wanted
        What is wanted, such as ``"0"``.
    """

    met: Callable[[T], bool]
    says: Callable[[T], str]
    wanted: str = field(repr=False)


def at_most(most: float, number: Callable[[T], float], says: str) -> Goal[T]:
    """A number that must not be larger; it is told as in ``"leaves: {}"``."""
    return Goal(lambda t: number(t) <= most, lambda t: says.format(number(t)), f"at most {most}")


def at_least(least: float, number: Callable[[T], float], says: str) -> Goal[T]:
    """The same for one that must not be smaller."""
    return Goal(lambda t: number(t) >= least, lambda t: says.format(number(t)), f"at least {least}")


@dataclass(frozen=True)
class Done:
    """What was read from an answer, and what is equal for two answers that are the same."""

    value: Any
    key: Any


class Doing(Generic[T]):
    """What tasks share that read a thing from an answer and hold goals against it."""

    goals: tuple[Goal[T], ...]

    def read(self, answer: Any) -> Done:
        """What was handed in; ValueError or TypeError for what is nothing of the kind."""
        raise NotImplementedError

    def untouched(self, thing: T) -> bool:
        """Whether nothing has been done to it yet."""
        raise NotImplementedError

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """The thing, or why there is none, once for each goal."""
        return (read_by(self, answer),) * len(self.goals)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[CardLine, ...]:
        """A line for each goal."""
        return tuple(map(_line, self.goals, outcomes))

    def agree(self, first: Outcome, other: Outcome) -> bool:
        """The same thing."""
        done = isinstance(first.value, Done) and isinstance(other.value, Done)
        return done and bool(first.value.key == other.value.key)


def asks_for_a_maker(task: str, name: str, given: object) -> None:
    """A TypeError for a thing in place of the function that makes it."""
    if not callable(given):
        raise TypeError(
            f"{task}: {name} is a function, such as dt.datasets.tax_fraud without brackets, and not"
            f" what it makes, a {type(given).__name__}"
        )


def asks_for_goals(task: str, given: object) -> None:
    """A TypeError for goals that are no tuple of them."""
    if not is_tuple_of(given, Goal):
        raise TypeError(
            f"{task} takes its goals as one tuple, in brackets of its own: (Goal(…), Goal(…)), and"
            " of one with a comma: (Goal(…),)"
        )


@dataclass(frozen=True)
class Do(Doing[T]):
    """Reach some goals in a lab.

    The answer is the lab, or its state as text.

    Attributes
    ----------
    load
        Makes the lab's state from its text, which raises a ValueError for any other text.
    goals
        One case each.
    blank
        Whether nothing has been done in a state yet.
    form
        What is to be handed in, in words.
    kind
        Always ``"doing"``.
    """

    load: Callable[[str], T]
    goals: tuple[Goal[T], ...]
    blank: Callable[[T], bool] | None = None
    form: str = "the lab itself or its .state"
    kind: Literal["doing"] = "doing"

    def __post_init__(self) -> None:
        """Say what would be right where there are no goals, or nothing that reads a state."""
        asks_for_a_maker("Do", "load", self.load)
        asks_for_goals("Do", self.goals)

    def read(self, answer: Any) -> Done:
        """The state of an answer, and its text: of states, only these can be compared."""
        text = getattr(answer, "state", answer)
        if not isinstance(text, str):
            raise TypeError(f"hand in {self.form}; this is {describe(answer).says}")
        return Done(self.load(text), text)

    def untouched(self, thing: T) -> bool:
        """Whether nothing has been done in a state yet."""
        return self.blank is not None and self.blank(thing)


def read_by(task: Doing[T], answer: Any) -> Outcome:
    """What a task reads from an answer: an outcome whose value is Done, or why there is none."""
    found: list[Outcome] = []
    read = call(lambda: found.append(_read(task, answer)), seconds=_READING)
    return found[0] if found else _refused(read.says)


def _read(task: Doing[T], answer: Any) -> Outcome:
    if answer is None or answer is ... or (isinstance(answer, str) and not answer.strip()):
        return Outcome("nothing", says="nothing")
    try:
        done = task.read(answer)
    except Exception as error:  # noqa: BLE001 - whatever was handed in, one clear line
        return _refused(str(error))
    if task.untouched(done.value):
        return Outcome("nothing", says="nothing: nothing has been done yet")
    return Outcome("other", done, "what was done")


def _refused(why: str) -> Outcome:
    return Outcome("refused", says=f"the answer cannot be read: {short(why)}")


def when(
    holds: Callable[[Any], bool], *goals: int
) -> Callable[[tuple[Outcome, ...]], tuple[int, ...]]:
    """Recognises a property of what was done, which keeps it from some goals: a mistake's `when`.

    Examples
    --------
    >>> too_deep = when(lambda tree: tree.depth > 3, 1)
    """

    def recognise(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
        done = outcomes[0].value
        return goals if isinstance(done, Done) and holds(done.value) else ()

    return recognise


def misses(wrong: Any, holds: Callable[[Any], bool], *goals: int) -> Mistake:
    """A wrong answer, and what holds of all that miss the same goals by the same mistake."""
    return Mistake(wrong, when=when(holds, *goals))


def _line(goal: Goal[Any], outcome: Outcome) -> CardLine:
    if outcome.kind == "refused":
        return CardLine(outcome.says, passed=False)
    if not isinstance(outcome.value, Done):
        return CardLine("not answered yet", passed=False)
    met = goal.met(outcome.value.value)
    wanted = "" if met else f"; {goal.wanted} is wanted"
    return CardLine(goal.says(outcome.value.value) + wanted, passed=met)


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


def nodes_at_most(most: int) -> Goal[Handed]:
    """A tree of few nodes is wanted."""
    return at_most(most, lambda handed: handed.tree.n_nodes, "nodes, leaves included: {}")


def wrong_at_most(
    most: int, table: Callable[[], Table], rows: str = "rows", wanted: str = ""
) -> Goal[Handed]:
    """A tree is wanted that gets few rows of a table wrong."""
    return Goal(
        lambda handed: n_wrong(handed.tree, table()) <= most,
        lambda handed: f"{rows} wrong: {n_wrong(handed.tree, table())} of {table().n_rows}",
        wanted or (f"at most {most}" if most else "0"),
    )


def n_wrong(tree: Tree, table: Table) -> int:
    """How many rows of a table a tree gets wrong."""
    return round(tree.error(table) * table.n_rows)


GROWN_BY_HAND: Goal[Handed] = Goal(
    lambda handed: not handed.finished,
    lambda handed: handed.how,
    "a tree that you grew yourself",
)


def grown_by(recipe: str, table: Table) -> str:
    """The state of a tree builder in which a recipe grew all of the tree."""
    return saved.dump(saved.update(start(table), Finish(recipe)))


def asks_three_ways(tree: Tree) -> bool:
    """Whether some question of a tree has a branch for each of three values or more."""
    splits = [node.split for _, node in walk(tree.root) if isinstance(node, Branch)]
    return any(isinstance(split, ByValue) and split.n_branches > 2 for split in splits)  # noqa: PLR2004


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
    kind
        Always ``"doing"``.
    """

    table: Callable[[], Table]
    goals: tuple[Goal[Handed], ...]
    kind: Literal["doing"] = "doing"

    def __post_init__(self) -> None:
        """Say what would be right where the table is there already, or there are no goals."""
        asks_for_a_maker("Grow", "table", self.table)
        asks_for_goals("Grow", self.goals)

    def read(self, answer: Any) -> Done:
        """The tree of an answer, and whether a recipe grew it."""
        handed = tree_of(answer, self.table())
        handed.tree.error(self.table())  # raises for a tree over other attributes
        return Done(handed, handed)

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
    if '"format"' in text and f"dtree_lab.{saved.SETTINGS.lab}/" in text:
        state = saved.load(text, table)
        return Handed(state.root.tree, any(isinstance(step, Finish) for step in state.steps))
    try:
        return Handed(Tree.from_json(text))
    except ValueError:
        raise ValueError("this text is neither the .state of a tree builder nor a tree") from None
