"""The exercise of growing a classifier on grouped numbers, without losing their order."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from dtree_lab.continuous.grouping import Regrouping, grouped
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Goal, Grow, Handed, when
from dtree_lab.datasets import penguins
from dtree_lab.evaluate import holdout
from dtree_lab.grow.api import by_hand, id3
from dtree_lab.labs.treebuilder.model import dump, update
from dtree_lab.labs.treebuilder.state import Finish, start
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import ByValue
from dtree_lab.tree.tree import Branch, Tree, walk

MOST_NODES, MOST_OFF = 7, 340
_SPECIES = 3
_PAIR = [["Adelie", "Chinstrap"], ["Gentoo"]]


@cache
def _rows() -> tuple[Regrouping, Table]:
    """The known penguins, in groups and as they are; made as in the lesson."""
    measured = penguins("drop")
    birds = {name: measured.column(name) for name in (*measured.names, "species")}
    whole = Table.from_columns(birds, target="body_mass_g")
    known, _ = holdout(whole, seed=1)
    return grouped(known, width=500), known


def _table() -> Table:
    return _rows()[0].table


def _off(handed: Handed) -> float:
    """The root mean squared error on the known penguins, in grams."""
    groups, known = _rows()
    return math.sqrt(groups.error(handed.tree, known))


def _three_ways(tree: Tree) -> bool:
    """Whether each species, or each island, has a branch of its own somewhere."""
    asked = [node.split for _, node in walk(tree.root) if isinstance(node, Branch)]
    return any(isinstance(split, ByValue) and split.n_branches == _SPECIES for split in asked)


def _far(handed: Handed) -> bool:
    return _off(handed) > MOST_OFF


def _small(handed: Handed) -> bool:
    return handed.tree.n_nodes <= MOST_NODES


def _by_hand(questions: dict[Any, Any]) -> Tree:
    return by_hand(_table(), questions)


_FINISHED = when(lambda handed: bool(handed.finished), 2)

GROUPED = page(__file__, "grouped").exercise(
    Grow(
        _table,
        (
            Goal(
                lambda handed: not _far(handed),
                lambda handed: f"off by {_off(handed):.0f} g on the known penguins",
                f"at most {MOST_OFF} g",
            ),
            Goal(
                _small,
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
        "finished": Mistake(dump(update(start(_table()), Finish("ID3"))), when=_FINISHED),
        "too many nodes": Mistake(
            id3(_table(), max_leaves=12), when=when(lambda handed: not _small(handed), 1)
        ),
        "three ways": Mistake(
            _by_hand({(): "species", (0,): "sex"}),
            when=when(lambda h: _far(h) and _small(h) and _three_ways(h.tree), 0),
        ),
        "nodes left": Mistake(
            _by_hand({(): ("species", _PAIR)}),
            when=when(
                lambda h: _far(h) and h.tree.n_nodes < MOST_NODES - 1 and not _three_ways(h.tree),
                0,
            ),
        ),
        "nodes spent": Mistake(
            _by_hand(
                {
                    (): ("flipper_length_mm", 206),
                    (0,): ("bill_length_mm", 40),
                    (1,): ("bill_length_mm", 49),
                }
            ),
            when=when(
                lambda h: (
                    _far(h)
                    and MOST_NODES - 1 <= h.tree.n_nodes <= MOST_NODES
                    and not _three_ways(h.tree)
                ),
                0,
            ),
        ),
    },
)
