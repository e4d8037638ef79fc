"""The exercise on a rule whose smallest tree ID3 does not find."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.expressiveness.fitting import table_of
from dtree_lab.course.tasks import Goal, Grow, when
from dtree_lab.learn.api import by_hand, id3, stump
from dtree_lab.table import Table
from dtree_lab.tree import Branch, Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from dtree_lab.course.calls import Outcome

    Outcomes: TypeAlias = tuple[Outcome, ...]

MOST_NODES = 7


def switch() -> Table:
    """All eight rows of: if a1 is true, a2, otherwise a3."""
    return Table.from_rows(table_of("FTFTFFTT", 3), target="y")


def _wrong_rows(tree: Tree) -> int:
    table = switch()
    return round(tree.error(table) * table.n_rows)


def _when(holds: Callable[[Tree], bool], *goals: int) -> Callable[[Outcomes], tuple[int, ...]]:
    return when(lambda handed: holds(handed.tree), *goals)


def _large(tree: Tree) -> bool:
    return tree.n_nodes > MOST_NODES


def _misled(tree: Tree) -> bool:
    """Whether the root asks one of the two attributes with the longest bars."""
    return isinstance(tree.root, Branch) and tree.root.split.attribute != 0


def _full() -> Tree:
    """Every attribute on every path, the right one first."""
    asked: dict[tuple[int, ...], str] = {(): "a1", (0,): "a2", (1,): "a3"}
    asked |= {(i, j): asked[1 - i,] for i in (0, 1) for j in (0, 1)}
    return by_hand(switch(), asked)


def _unfinished() -> Tree:
    return by_hand(switch(), {(): "a1", (0,): "a2", (1,): "a2"})


SWITCH = Exercise(
    id="expressiveness/switch",
    title="Smaller than ID3",
    points=3,
    heading="grow it small",
    text="""Grow a tree for this rule with **at most 7 nodes**, leaves included, and no row wrong.
The bars show what each question gains. Would you follow them?""",
    stub="""small = dt.TreeBuilder(switch)
small""",
    answer="small",
    task=Grow(
        switch,
        (
            Goal(
                lambda handed: _wrong_rows(handed.tree) == 0,
                lambda handed: f"rows wrong: {_wrong_rows(handed.tree)} of 8",
                "0",
            ),
            Goal(
                lambda handed: not _large(handed.tree),
                lambda handed: f"nodes, leaves included: {handed.tree.n_nodes}",
                f"at most {MOST_NODES}",
            ),
        ),
    ),
    mistakes=(
        Mistake(
            id3(switch()),
            "You followed the longest bar, or let ID3 do so. The longest bar at the root leads to a"
            " large tree here. Think of the rule in words: what would you want to know first?",
            when=_when(lambda tree: _large(tree) and _misled(tree), 1),
        ),
        Mistake(
            stump(switch()),
            "Some leaf still holds rows of both labels. Look for a leaf whose entropy is above 0"
            " and ask something there.",
            when=_when(lambda tree: _wrong_rows(tree) > 0 and tree.n_nodes < MOST_NODES, 0),
        ),
        Mistake(
            _unfinished(),
            "The size is right, and a heap is still mixed: on one side a question was asked that"
            " does not matter there. Read the rule again: which attribute counts on which side?",
            when=_when(lambda tree: _wrong_rows(tree) > 0 and tree.n_nodes == MOST_NODES, 0),
        ),
        Mistake(
            _full(),
            "The root is well chosen, and further down something is asked in vain: a question after"
            " which both heaps are as mixed as before. Which attribute counts on that side?",
            when=_when(lambda tree: _large(tree) and not _misled(tree), 1),
        ),
    ),
    more="Say the rule aloud: if … is true, the answer is …, otherwise it is …. Its first word asks"
    " for an attribute. Ask it first, whatever its bar says, and see what the bars say then.",
    solution="""small = dt.by_hand(switch, {(): "a1", (0,): "a3", (1,): "a2"})
""",
    why="Which attribute matters depends on a1. So a1 belongs at the root although it gains nothing"
    " there: after it, one question on each side is enough. Gain cannot see a question that pays"
    " only together with the next one.",
)
