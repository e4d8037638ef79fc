"""The state of a walk through an algorithm: what runs on which rows, and how far one has come."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.datasets import tax_fraud
from dtree_lab.evaluate import holdout
from dtree_lab.learn.chance import checked_seed
from dtree_lab.shown import did_you_mean, listing
from dtree_lab.tree import Leaf, Tree
from dtree_lab.widgets.kit.taking import MOST_GROWN, check_few_classes, classified, measured_with
from dtree_lab.widgets.stepthrough.boosting import boosting
from dtree_lab.widgets.stepthrough.cutting import cutting
from dtree_lab.widgets.stepthrough.foresting import foresting
from dtree_lab.widgets.stepthrough.growing import LIMITS, growing
from dtree_lab.widgets.stepthrough.searching import searching
from dtree_lab.widgets.stepthrough.story import Level, Story, chosen_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.table import Table
    from dtree_lab.tree import Path

ALGORITHMS = {
    "id3": "ID3",
    "c45": "C4.5",
    "cart": "CART",
    "threshold": "threshold search",
    "reduced_error": "reduced-error pruning",
    "random_forest": "random forest",
    "adaboost": "AdaBoost",
}
GROW = ("criterion", *LIMITS)
# The keywords that each algorithm takes.
TAKES = {
    "id3": GROW,
    "c45": GROW,
    "cart": GROW,
    "threshold": ("criterion",),
    "reduced_error": (*GROW, "no_worse"),
    "random_forest": (*GROW, "n_trees", "m", "bootstrap"),
    "adaboost": ("criterion", "n_stumps", "learning_rate"),
}
# What is changed by a control, with the most that can be stepped through.
N_TREES, N_STUMPS, MOST_TREES, MOST_STUMPS = 5, 5, 25, 50
LEVELS: tuple[Level, ...] = ("event", "node", "round")
# Forests grow many trees, and of boosting every row is drawn.
LESS = {"random_forest": 10, "adaboost": 10}
SPEEDS = {"slow": 2.0, "medium": 1.0, "fast": 0.3}
MOST_ROWS, MOST_CELLS, FEWEST, MANY_CLASSES = 1000, 10_000, 50, 4


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one.

    Attributes
    ----------
    table, validation, seed, keywords
        What was given. Without validation rows a third of the table is withheld for pruning.
    algorithm, attribute
        What runs; the threshold search on one attribute, or on each if None.
    story
        What it told.
    level, cursor
        How fine a step is, and how many events have happened.
    playing, speed
        Whether it goes on by itself.
    looked
        A node that the person has chosen to look at.
    """

    table: Table
    validation: Table | None
    seed: int
    keywords: Mapping[str, Any]
    algorithm: str
    attribute: str | None
    story: Story
    level: Level = "event"
    cursor: int = 0
    playing: bool = False
    speed: str = "medium"
    looked: Path | None = None

    @property
    def fitting(self) -> Level:
        """The level, or the finest if the algorithm has no such steps."""
        levels = [level for level, _ in self.story.levels]
        return self.level if self.level in levels else levels[0]


@dataclass(frozen=True)
class Asked:
    """What a story is made of."""

    table: Table
    validation: Table | None = None
    seed: int = 0
    keywords: Mapping[str, Any] = field(default_factory=dict)
    algorithm: str = "id3"
    attribute: str | None = None


def start(asked: Asked, level: str = "event", *, kept: bool = False) -> State:
    """The state before the first step.

    Of a text that was `kept`, some keywords may be those of an algorithm that was stepped through
    before.

    Raises
    ------
    ValueError
        For a table or a validation table that does not suit, an algorithm, a level or a keyword
        that there is none of, and as the algorithm does.
    """
    validation = None if asked.validation is None else measured_with(asked.validation)
    asked = replace(asked, table=classified(asked.table), validation=validation)
    check_few_classes(asked.table.target, MOST_GROWN)
    _check_named("algorithm", asked.algorithm, ALGORITHMS)
    _check_named("level", level, LEVELS)
    _check_keywords(asked, sum(TAKES.values(), ()) if kept else TAKES[asked.algorithm])
    asked = replace(asked, seed=int(checked_seed(asked.seed)))
    if asked.validation is not None:  # raises, naming what does not fit
        Tree.of(asked.table, Leaf(tuple(asked.table.counts().tolist()))).error(asked.validation)
    story = story_of(asked)
    state = State(**vars(asked), story=story)
    return replace(state, level=next(one for one in LEVELS if one == level))


def default_table(table: Table | None) -> Table:
    """The table, or the tax returns."""
    return tax_fraud() if table is None else table


def _check_named(what: str, given: object, known: Mapping[str, Any] | tuple[str, ...]) -> None:
    if not isinstance(given, str) or given not in known:
        near = did_you_mean(given, known)
        msg = f"{what}={given!r} must be one of {listing(known)}.{near}".replace("..", ".")
        raise ValueError(msg)


def _check_keywords(asked: Asked, takes: tuple[str, ...]) -> None:
    for name in asked.keywords:
        if name not in takes:
            near = did_you_mean(name, takes)
            msg = f"algorithm={asked.algorithm!r} has no keyword {name!r}, only {listing(takes)}."
            raise ValueError(msg + near)
    for name, most in (("n_trees", MOST_TREES), ("n_stumps", MOST_STUMPS)):
        given = asked.keywords.get(name)
        if isinstance(given, int | np.integer) and given > most:
            msg = f"{name}={given} is more than one steps through; at most {most}"
            raise ValueError(msg)
    if asked.attribute is not None:
        _check_attribute(asked.table, asked.attribute)


def _check_attribute(table: Table, name: str) -> None:
    numbers = continuous(table)
    if table.attribute(name).values is not None or name not in numbers:  # raises for no attribute
        why = "has no two values" if table.attribute(name).values is None else "is discrete"
        there = f"; there are {listing(numbers)}" if numbers else ""
        msg = f"attribute={name!r} {why}, so there is no threshold to search for{there}"
        raise ValueError(msg)


def continuous(table: Table) -> list[str]:
    """The attributes that have a threshold to search for."""
    pairs = zip(table.attributes, table.columns, strict=True)
    return [a.name for a, c in pairs if a.values is None and c.min() < c.max()]


def most_rows(table: Table) -> int:
    """How many rows can be stepped through without waiting: fewer, the more has to be weighed."""
    most = min(MOST_ROWS, MOST_CELLS // max(len(table.attributes), 1))
    return max(FEWEST, most // 3 if len(table.classes) > MANY_CLASSES else most)


def story_of(asked: Asked) -> Story:
    """Let the algorithm run, and keep what it tells."""
    given = {k: v for k, v in asked.keywords.items() if k in TAKES[asked.algorithm]}
    most, seed = most_rows(asked.table), asked.seed
    if asked.algorithm == "reduced_error":
        return _pruned(asked, given)
    most = max(FEWEST, most // LESS.get(asked.algorithm, 1))
    table, notes = chosen_rows(asked.table, most, seed)
    match asked.algorithm:
        case "id3" | "c45" | "cart" as kind:
            return growing(kind, table, given, notes)
        case "threshold":
            return searching(table, asked.attribute, given, notes)
        case "random_forest":
            given = {"n_trees": N_TREES, "seed": seed, **given}
            return foresting(table, given, notes)
    return boosting(table, {"n_stumps": N_STUMPS, **given}, notes)


def _pruned(asked: Asked, given: dict[str, Any]) -> Story:
    """Grow on the table, or on two thirds of it, and prune by the rest."""
    if asked.validation is None:
        table, notes = chosen_rows(asked.table, most_rows(asked.table), asked.seed)
        training, validation = holdout(table, seed=asked.seed)
        notes = (*notes, "A third of the rows, drawn at random, was withheld to prune with.")
        return cutting(training, validation, given, notes)
    return cutting(asked.table, asked.validation, given, ())


def asked_of(state: State) -> Asked:
    """What a state's story was made of."""
    return Asked(
        state.table,
        state.validation,
        state.seed,
        state.keywords,
        state.algorithm,
        state.attribute,
    )
