"""The best depth for little noise, in the lab; and a small tree on grouped numbers, by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from dtree_lab.continuous.grouping import Regrouping, grouped
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.lessons.bias_variance.lab import at, load
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Do, Goal, Grow, Handed, when
from dtree_lab.course.tasks.do import GROWN_BY_HAND, asks_three_ways, grown_by, nodes_at_most
from dtree_lab.datasets import penguins
from dtree_lab.evaluate import holdout
from dtree_lab.grow.api import by_hand, id3
from dtree_lab.labs.biasvariance.model import State, start
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Tree

NOISE, ROWS = 0.1, 200
# With this noise and so many rows, those at most 8 % above the smallest error, for any seed.
BEST_DEPTHS = (5, 6, 7)


_at = partial(at, source="sine")


def _noise_is_off(state: State) -> bool:
    noise = state.settings.noise
    return noise is None or abs(noise - NOISE) >= 1e-6  # noqa: PLR2004 - as near as a slider gets


def _set(state: State) -> bool:
    asked = state.settings
    right = asked.source == "sine" and asked.n_rows == ROWS and not asked.bagging
    return right and not _noise_is_off(state)


def _settings(state: State) -> str:
    asked = state.settings
    bagging = ", bagged trees" if asked.bagging else ""
    return f"source {asked.source}, noise {asked.noise:g}, {asked.n_rows} rows{bagging}"


DEPTH = page(__file__, "depth").exercise(
    Do(
        load,
        (
            Goal(_set, _settings, f"sine, noise {NOISE}, {ROWS} rows, single trees"),
            Goal(
                lambda state: _set(state) and state.settings.depth in BEST_DEPTHS,
                lambda state: f"depth {state.settings.depth}",
                "with these settings, the depth with the smallest error",
            ),
        ),
        blank=lambda state: state.settings == start(None, {"source": "sine"}).settings,
    ),
    seen={
        "bagging": Mistake(
            _at(noise=NOISE, n_rows=ROWS, depth=6, bagging=True),
            when=when(lambda state: state.settings.bagging, 0),
        ),
        "another population": Mistake(
            _at(source="wave", noise=NOISE, n_rows=ROWS, depth=6),
            when=when(lambda state: state.settings.source != "sine", 0),
        ),
        "noise": Mistake(
            _at(n_rows=ROWS, depth=6),
            when=when(lambda state: state.settings.source == "sine" and _noise_is_off(state), 0),
        ),
        "rows": Mistake(
            _at(noise=NOISE, depth=6), when=when(lambda state: state.settings.n_rows != ROWS, 0)
        ),
        "too shallow": Mistake(
            _at(noise=NOISE, n_rows=ROWS, depth=4),
            when=when(lambda state: _set(state) and state.settings.depth < BEST_DEPTHS[0], 1),
        ),
        "too deep": Mistake(
            _at(noise=NOISE, n_rows=ROWS, depth=10),
            when=when(lambda state: _set(state) and state.settings.depth > BEST_DEPTHS[-1], 1),
        ),
    },
)


MOST_NODES, MOST_OFF = 7, 340
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


def _far(handed: Handed) -> bool:
    return _off(handed) > MOST_OFF


def _spent(handed: Handed) -> bool:
    """Whether no node is left for another question, and not too many are there."""
    return MOST_NODES - 1 <= handed.tree.n_nodes <= MOST_NODES


def _by_hand(questions: Mapping[tuple[int, ...], Any]) -> Tree:
    return by_hand(_table(), questions)


GROUPED = page(__file__, "grouped").exercise(
    Grow(
        _table,
        (
            Goal(
                lambda handed: not _far(handed),
                lambda handed: f"off by {_off(handed):.0f} g on the known penguins",
                f"at most {MOST_OFF} g",
            ),
            nodes_at_most(MOST_NODES),
            GROWN_BY_HAND,
        ),
    ),
    seen={
        "finished": Mistake(
            grown_by("ID3", _table()), when=when(lambda handed: bool(handed.finished), 2)
        ),
        "too many nodes": Mistake(
            id3(_table(), max_leaves=12), when=when(lambda h: h.tree.n_nodes > MOST_NODES, 1)
        ),
        "three ways": Mistake(
            _by_hand({(): "species", (0,): "sex"}),
            when=when(
                lambda h: _far(h) and h.tree.n_nodes <= MOST_NODES and asks_three_ways(h.tree),
                0,
            ),
        ),
        "nodes left": Mistake(
            _by_hand({(): ("species", _PAIR)}),
            when=when(
                lambda h: (
                    _far(h) and h.tree.n_nodes < MOST_NODES - 1 and not asks_three_ways(h.tree)
                ),
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
            when=when(lambda h: _far(h) and _spent(h) and not asks_three_ways(h.tree), 0),
        ),
    },
)
