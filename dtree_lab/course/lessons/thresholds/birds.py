"""The exercise of growing a small tree for real birds."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.thresholds.common import whole_penguins
from dtree_lab.course.tasks import Goal, Grow, Handed, when
from dtree_lab.learn.api import c45, id3, stump
from dtree_lab.splits import ByValue
from dtree_lab.tree import Branch, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from dtree_lab.course.calls import Outcome
    from dtree_lab.table import Table
    from dtree_lab.tree import Tree

    Hinted = Callable[[tuple[Outcome, ...]], tuple[int, ...]]

MOST_NODES, MOST_WRONG = 9, 10


@cache
def _birds() -> Table:
    return whole_penguins()


def _wrong_birds(tree: Tree) -> int:
    return round(tree.error(_birds()) * _birds().n_rows)


def _grown(holds: Callable[[Tree], bool], *goals: int) -> Hinted:
    return when(lambda handed: isinstance(handed, Handed) and holds(handed.tree), *goals)


def _large(tree: Tree) -> bool:
    return tree.n_nodes > MOST_NODES


def _careless(tree: Tree) -> bool:
    return _wrong_birds(tree) > MOST_WRONG


def _spent(tree: Tree) -> bool:
    return _careless(tree) and MOST_NODES - 1 <= tree.n_nodes <= MOST_NODES


def _three_ways(tree: Tree) -> bool:
    """Whether some question has a branch for each island."""
    asked = [node.split for _, node in walk(tree.root) if isinstance(node, Branch)]
    return any(isinstance(split, ByValue) and split.n_branches > 2 for split in asked)  # noqa: PLR2004


SMALL_TREE = Exercise(
    id="thresholds/small-tree",
    title="A small tree for real birds",
    points=3,
    heading="a small tree for real birds",
    text="""Grow a tree on the 333 complete penguins with **at most 9 nodes**, leaves included, that
gets **at most 10 rows wrong**. You may choose any threshold, cut a recipe's tree back, and put
islands together (in the list of questions, under *island*, open *Branches*).""",
    stub="""birds = dt.TreeBuilder(whole)
birds""",
    answer="birds",
    task=Grow(
        _birds,
        (
            Goal(
                lambda handed: handed.tree.n_nodes <= MOST_NODES,
                lambda handed: f"nodes, leaves included: {handed.tree.n_nodes}",
                f"at most {MOST_NODES}",
            ),
            Goal(
                lambda handed: _wrong_birds(handed.tree) <= MOST_WRONG,
                lambda handed: f"rows wrong: {_wrong_birds(handed.tree)} of {_birds().n_rows}",
                f"at most {MOST_WRONG}",
            ),
        ),
    ),
    mistakes=(
        Mistake(
            id3(_birds()),
            "It gets nearly every row right, with far more nodes than allowed. Which questions tell"
            " only a handful of rows apart? Cut there.",
            when=_grown(lambda tree: _large(tree) and not _careless(tree), 0),
        ),
        Mistake(
            stump(_birds()),
            "There is room for more questions. Look for the leaf where the most rows are wrong, and"
            " ask something there.",
            when=_grown(lambda tree: _careless(tree) and tree.n_nodes + 2 <= MOST_NODES, 1),
        ),
        Mistake(
            id3(_birds(), max_leaves=5),
            "Close. A question with a branch for each island brings three nodes at once; with two"
            " groups of islands it brings two. Which islands say the same?",
            when=_grown(lambda tree: _spent(tree) and _three_ways(tree), 1),
        ),
        Mistake(
            c45(_birds(), max_leaves=5),
            "Close. The nodes are spent, and some question has the same species on both sides, or"
            " nearly. Undo that one, and look at the leaf with the most wrong rows.",
            when=_grown(lambda tree: _spent(tree) and not _three_ways(tree), 1),
        ),
        Mistake(
            id3(_birds(), max_leaves=6),
            "Too large, and still too many rows wrong: some question cost two nodes and saved"
            " hardly a row. Undo it, and look where the bars are long.",
            when=_grown(lambda tree: _careless(tree) and _large(tree), 0, 1),
        ),
    ),
    more="Four questions with two answers each make nine nodes. Which species is the largest bird?"
    " Part it off first. After each question look for the leaf with the most wrong rows, and ask"
    " there; remember that where a bird lives can be asked in two groups, too.",
    solution="""birds = dt.by_hand(
    whole,
    {
        (): ("flipper_length_mm", 206.5),
        (0,): ("bill_length_mm", 43.35),
        (0, 1): ("island", [["Dream"], ["Biscoe", "Torgersen"]]),
        (1,): ("island", [["Biscoe"], ["Dream", "Torgersen"]]),
    },
)
""",
    why="Nine of the 333 rows are wrong, with four questions: the species differ in size and in"
    " where they live. CART, stopped at five leaves, finds the same tree.",
)
