"""Exercises on growing a tree, and on two trees for one table."""

from __future__ import annotations

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Goal, Grow, Handed, when
from dtree_lab.datasets import tax_fraud
from dtree_lab.grow.api import by_hand, id3, stump
from dtree_lab.labs.treebuilder.model import dump, update
from dtree_lab.labs.treebuilder.state import Finish, start
from dtree_lab.tree.splits import ByValue
from dtree_lab.tree.tree import Branch, Tree, walk

MOST_NODES = 7
_ANSWERS = 3


def _wrong_rows(tree: Tree) -> int:
    table = tax_fraud()
    return round(tree.error(table) * table.n_rows)


def _wide(tree: Tree) -> bool:
    asked = [node.split for _, node in walk(tree.root) if isinstance(node, Branch)]
    return any(isinstance(split, ByValue) and split.n_branches == _ANSWERS for split in asked)


def _large(handed: Handed) -> bool:
    return handed.tree.n_nodes > MOST_NODES


def _slices() -> Tree:
    cuts = [65, 72.5, 80, 97.5]
    return by_hand(tax_fraud(), {(1,) * i: ("Taxable Income", cut) for i, cut in enumerate(cuts)})


def _three_ways() -> Tree:
    questions = {(): "Refund", (1,): "Marital Status", (1, 0): ("Taxable Income", 80)}
    return by_hand(tax_fraud(), questions)  # type: ignore[arg-type]


def _by_c45() -> str:
    """The builder's state after "Finish with C4.5" as the only step."""
    return dump(update(start(tax_fraud()), Finish("C4.5")))


SMALL_TREE = Exercise(
    id="tax-fraud/small-tree",
    title="A small tree without a mistake",
    points=3,
    heading="small, and without a mistake",
    text="""Grow a tree that gets all ten rows right with **at most 7 nodes**, leaves included. By
hand: *Finish* does not count here. When you have it, run the check below the builder.""",
    stub="""mine = dt.TreeBuilder(table)
mine""",
    answer="mine",
    task=Grow(
        tax_fraud,
        (
            Goal(
                lambda handed: _wrong_rows(handed.tree) == 0,
                lambda handed: f"training rows wrong: {_wrong_rows(handed.tree)} of 10",
                "0",
            ),
            Goal(
                lambda handed: handed.tree.n_nodes <= MOST_NODES,
                lambda handed: f"nodes, leaves included: {handed.tree.n_nodes}",
                f"at most {MOST_NODES}",
            ),
            Goal(
                lambda handed: not handed.finished,
                lambda handed: handed.how,
                "a tree that you grew yourself",
            ),
        ),
    ),
    mistakes=(
        Mistake(
            _by_c45(),
            '"Finish" grew the rest for you. Undo it: here every question is to be yours.',
            when=when(lambda handed: bool(handed.finished), 2),
        ),
        Mistake(
            stump(tax_fraud()),
            "Some leaf still holds rows of both labels. Look for a leaf whose entropy is above"
            " 0 and ask something there.",
            when=when(lambda handed: _wrong_rows(handed.tree) > 0, 0),
        ),
        Mistake(
            id3(tax_fraud()),
            "That is the tree that ID3 grows: at each node the best question for that node. The"
            " best next step does not always lead to the smallest tree. Try another root.",
            when=when(lambda handed: handed.tree == id3(tax_fraud()), 1),
        ),
        Mistake(
            _three_ways(),
            "A question with three answers brings three nodes at once, even where two of them say"
            " the same. Is there a question that needs only two?",
            when=when(lambda handed: _large(handed) and _wide(handed.tree), 1),
        ),
        Mistake(
            _slices(),
            "It slices off a few rows at a time, and each slice costs two nodes. Look for a"
            " cut that leaves one side pure and large.",
            when=when(lambda handed: _large(handed) and not _wide(handed.tree), 1),
        ),
    ),
    more="At the root, drag the cut of Taxable Income along its axis and watch the two sides. Is"
    " there a cut with no cheats at all on one side? And one more in what remains?",
    solution="""mine = dt.by_hand(
    table,
    {(): ("Taxable Income", 97.5), (0,): ("Taxable Income", 80)},
)
""",
    why="Five nodes, two questions, both about the income: in this table exactly the incomes from"
    " 80 to 97.5 cheat. It is the smallest tree without a mistake, and it never asks about"
    " refund or marriage. A continuous attribute is worth asking twice: each cut is a new"
    " question.",
)
