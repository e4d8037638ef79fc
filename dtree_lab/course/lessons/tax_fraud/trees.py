"""Exercises on growing a tree, and on two trees for one table."""

from __future__ import annotations

from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
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


SMALL_TREE = page(__file__, "small-tree").exercise(
    Grow(
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
    seen={
        "finished": Mistake(_by_c45(), when=when(lambda handed: bool(handed.finished), 2)),
        "open leaves": Mistake(
            stump(tax_fraud()), when=when(lambda handed: _wrong_rows(handed.tree) > 0, 0)
        ),
        "greedy": Mistake(
            id3(tax_fraud()), when=when(lambda handed: handed.tree == id3(tax_fraud()), 1)
        ),
        "three answers": Mistake(
            _three_ways(), when=when(lambda handed: _large(handed) and _wide(handed.tree), 1)
        ),
        "slices": Mistake(
            _slices(), when=when(lambda handed: _large(handed) and not _wide(handed.tree), 1)
        ),
    },
)
