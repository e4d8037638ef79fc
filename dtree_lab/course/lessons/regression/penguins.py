"""The exercise of growing a classifier on grouped numbers, without losing their order."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from dtree_lab.continuous.grouping import Regrouping, grouped
from dtree_lab.course.exercise import Exercise, Mistake
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

GROUPED = Exercise(
    id="regression/grouped",
    title="A classifier that keeps the order",
    points=3,
    heading="bring the order back",
    text="""You know about the order, even if the classes do not. Grow a tree for the **grouped**
table with **at most 7 nodes** whose answers are off by **at most 340 g** on the known penguins,
those that it is grown on. (Who tries tree after tree on the withheld ones chooses by them, and then
they are withheld no more.) By hand, without *Finish*. The bars show gains in bits; do not trust
them too much. (Values can be taken together: open *Branches* under a question.)""",
    stub="""builder = dt.TreeBuilder(groups.table)
builder""",
    answer="builder",
    task=Grow(
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
    mistakes=(
        Mistake(
            dump(update(start(_table()), Finish("ID3"))),
            '"Finish" grew the rest for you. Undo it: here every question is to be yours.',
            when=_FINISHED,
        ),
        Mistake(
            id3(_table(), max_leaves=12),
            "More questions than you have nodes for. Each question with two answers takes two more"
            " nodes; which are worth it in grams?",
            when=when(lambda handed: not _small(handed), 1),
        ),
        Mistake(
            _by_hand({(): "species", (0,): "sex"}),
            "A question with three answers brings three nodes at once. Two of these answers lead to"
            " penguins of much the same mass: take them together, and spend the nodes elsewhere.",
            when=when(lambda h: _far(h) and _small(h) and _three_ways(h.tree), 0),
        ),
        Mistake(
            _by_hand({(): ("species", _PAIR)}),
            "There are nodes left to spend. In which leaf do light and heavy penguins still stand"
            " together? Ask there what tells them apart.",
            when=when(
                lambda h: _far(h) and h.tree.n_nodes < MOST_NODES - 1 and not _three_ways(h.tree),
                0,
            ),
        ),
        Mistake(
            _by_hand(
                {
                    (): ("flipper_length_mm", 206),
                    (0,): ("bill_length_mm", 40),
                    (1,): ("bill_length_mm", 49),
                }
            ),
            "The nodes are spent, and not on the best questions. Try another first one: what parts"
            " the *heavy* birds from all others? Then ask on both sides what a biologist would ask"
            " first.",
            when=when(
                lambda h: (
                    _far(h)
                    and MOST_NODES - 1 <= h.tree.n_nodes <= MOST_NODES
                    and not _three_ways(h.tree)
                ),
                0,
            ),
        ),
    ),
    more="Look at the regression tree above: it was grown by variance, so it knows about the order."
    " Which questions does it ask, and of which birds?",
    solution="""builder = dt.by_hand(
    groups.table,
    {
        (): ("species", [["Adelie", "Chinstrap"], ["Gentoo"]]),
        (0,): "sex",
        (1,): "sex",
    },
)
""",
    why="It asks what the regression tree asks. By bits, to give each species a branch of its own"
    " looks better, because Adelie and Chinstrap penguins are not equally spread over the groups;"
    " but their masses are much alike, and the nodes are worth more elsewhere. On the withheld"
    " penguins it is off by some 10 g more: so small a tree has not had much to learn by heart.",
)
