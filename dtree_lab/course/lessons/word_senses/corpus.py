"""Exercises on the corpus: a mistake read, and a small tree that is good on other sentences."""

from __future__ import annotations

import numpy as np

from dtree_lab.corpus import Sentence, features, sentences
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Goal, Grow, Handed, when
from dtree_lab.grow.api import by_hand, id3
from dtree_lab.table.table import Table

NINE = (
    "race",
    "river",
    "stockings",
    "tights",
    "water",
    "engine",
    "company",
    "mayor",
    "marathon",
)
MOST_NODES, MOST_WRONG = 13, 25
_SEED, _TRAINING, _PRUNING = 20, 114, 50


def _parted() -> tuple[list[Sentence], list[Sentence]]:
    """The training sentences and those to prune with, as in the lesson."""
    found = sentences("run")
    mixed = [found[i] for i in np.random.default_rng(_SEED).permutation(len(found))]
    return mixed[:_TRAINING], mixed[_TRAINING : _TRAINING + _PRUNING]


def training() -> Table:
    """The table that the tree is grown on."""
    return features(_parted()[0], NINE)


def held() -> Table:
    """The table that the tree is measured on."""
    return features(_parted()[1], NINE)


def _wrong(handed: Handed) -> int:
    table = held()
    return round(handed.tree.error(table) * table.n_rows)


def _large(handed: Handed) -> bool:
    return handed.tree.n_nodes > MOST_NODES


def _poor(handed: Handed) -> bool:
    return _wrong(handed) > MOST_WRONG


def _id3_itself(handed: Handed) -> bool:
    return handed.tree == id3(training(), max_leaves=7)


CORPUS_TREE = page(__file__, "corpus-tree").exercise(
    Grow(
        training,
        (
            Goal(
                lambda handed: not _large(handed),
                lambda handed: f"nodes, leaves included: {handed.tree.n_nodes}",
                f"at most {MOST_NODES}",
            ),
            Goal(
                lambda handed: not _poor(handed),
                lambda handed: (
                    f"sentences of the pruning set wrong: {_wrong(handed)} of {_PRUNING}"
                ),
                f"at most {MOST_WRONG}",
            ),
        ),
    ),
    seen={
        "as grown": Mistake(id3(training(), max_leaves=7), when=when(_id3_itself, 1)),
        "too large": Mistake(id3(training()), when=when(_large, 0)),
        "too small": Mistake(
            by_hand(training(), {(): "pos", (1,): "near(race)"}),
            when=when(lambda h: _poor(h) and h.tree.n_nodes < MOST_NODES, 1),
        ),
        "too poor": Mistake(
            by_hand(
                training(),
                {
                    (): "near(tights)",
                    (0,): "near(mayor)",
                    (0, 0): "near(company)",
                    (0, 0, 0): "near(engine)",
                    (0, 0, 0, 0): "near(river)",
                    (0, 0, 0, 0, 0): "near(stockings)",
                },
            ),
            when=when(
                lambda h: _poor(h) and h.tree.n_nodes == MOST_NODES and not _id3_itself(h), 1
            ),
        ),
    },
)
