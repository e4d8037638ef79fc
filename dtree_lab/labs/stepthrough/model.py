"""A walk through an algorithm: what runs on which rows, how far one has come, and its text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dtree_lab.base.random import checked_seed
from dtree_lab.base.text import did_you_mean, listing
from dtree_lab.datasets import tax_fraud
from dtree_lab.evaluate import holdout
from dtree_lab.labs.kit import planes
from dtree_lab.labs.kit.actions import (
    Action,
    NotPossibleError,
    Point,
    Press,
    Select,
    Set,
    whole_number,
)
from dtree_lab.labs.kit.boxes import box_at, chosen_pair, sides, spanning
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.keeping import fingerprint, fits, kept, settings_of
from dtree_lab.labs.kit.planes import ACROSS, SHOWN, UP, turned
from dtree_lab.labs.kit.taking import MOST_GROWN, check_few_classes, classified, measured_with
from dtree_lab.labs.stepthrough.forests import boosting, foresting
from dtree_lab.labs.stepthrough.growing import DEEPEST, LIMITS, growing
from dtree_lab.labs.stepthrough.pruning import cutting
from dtree_lab.labs.stepthrough.searching import searching
from dtree_lab.labs.stepthrough.story import Level, PlaneScenery, Story, base, chosen_rows
from dtree_lab.prune import METHODS
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Leaf, Path, Tree

GROW = ("criterion", *LIMITS)


def algorithms() -> dict[str, tuple[str, tuple[str, ...]]]:
    """What can be stepped through: its name in a sentence, and the keywords that it takes."""
    pruning = {m.name: (m.called, (*GROW, *m.keywords)) for m in METHODS.values() if m.code}
    return {
        "id3": ("ID3", GROW),
        "c45": ("C4.5", GROW),
        "cart": ("CART", GROW),
        "threshold": ("threshold search", ("criterion",)),
        **pruning,
        "random_forest": ("random forest", (*GROW, "n_trees", "m", "bootstrap")),
        "adaboost": ("AdaBoost", ("criterion", "n_stumps", "learning_rate")),
    }


def takes(algorithm: str) -> tuple[str, ...]:
    """The keywords that an algorithm takes."""
    return algorithms()[algorithm][1]


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
    plane, pair
        Whether the plane of two attributes is seen, and which two were chosen, across and up.
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
    plane: bool = True
    pair: tuple[int, int] | None = None

    @property
    def fitting(self) -> Level:
        """The level, or the finest if the algorithm has no such steps."""
        levels = [level for level, _ in self.story.levels]
        return self.level if self.level in levels else levels[0]


@dataclass(frozen=True)
class WalkSettings:
    """What a story is made of."""

    table: Table
    validation: Table | None = None
    seed: int = 0
    keywords: Mapping[str, Any] = field(default_factory=dict)
    algorithm: str = "id3"
    attribute: str | None = None


def start(asked: WalkSettings, level: str = "event", *, kept: bool = False) -> State:
    """The state before the first step.

    Of a text that was `kept`, some keywords may be those of an algorithm that was stepped through
    before.
    """
    validation = None if asked.validation is None else measured_with(asked.validation)
    asked = replace(asked, table=classified(asked.table), validation=validation)
    check_few_classes(asked.table.target, MOST_GROWN)
    _check_named("algorithm", asked.algorithm, algorithms())
    _check_named("level", level, LEVELS)
    every = sum((keywords for _, keywords in algorithms().values()), ())
    _check_keywords(asked, every if kept else takes(asked.algorithm))
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


def _check_keywords(asked: WalkSettings, known: tuple[str, ...]) -> None:
    for name in asked.keywords:
        if name not in known:
            near = did_you_mean(name, known)
            msg = f"algorithm={asked.algorithm!r} has no keyword {name!r}, only {listing(known)}."
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


def story_of(asked: WalkSettings) -> Story:
    """Let the algorithm run, and keep what it tells."""
    known = takes(asked.algorithm)
    given = {k: v for k, v in asked.keywords.items() if k in known}
    most, seed = most_rows(asked.table), asked.seed
    if asked.algorithm in METHODS:
        return _pruned(asked, given)
    most = max(FEWEST, most // LESS.get(asked.algorithm, 1))
    table, notes = chosen_rows(asked.table, most, seed)
    match asked.algorithm:
        case "id3" | "c45" | "cart" as kind:
            return growing(kind, table, given, notes, asked.validation)
        case "threshold":
            return searching(table, asked.attribute, given, notes)
        case "random_forest":
            given = {"n_trees": N_TREES, "seed": seed, **given}
            return foresting(table, given, notes)
    return boosting(table, {"n_stumps": N_STUMPS, **given}, notes)


def _pruned(asked: WalkSettings, given: dict[str, Any]) -> Story:
    """Grow on the table, or on two thirds of it, and prune by the rest."""
    method = METHODS[asked.algorithm]
    if asked.validation is None:
        table, notes = chosen_rows(asked.table, most_rows(asked.table), asked.seed)
        training, validation = holdout(table, seed=asked.seed)
        use = " to prune with" * ("validation" in method.needs)
        notes = (*notes, f"A third of the rows, drawn at random, was withheld{use}.")
        return cutting(method, training, validation, given, notes)
    return cutting(method, asked.table, asked.validation, given, ())


def asked_of(state: State) -> WalkSettings:
    """What a state's story was made of."""
    return WalkSettings(
        state.table,
        state.validation,
        state.seed,
        state.keywords,
        state.algorithm,
        state.attribute,
    )


ALL = "*"


def update(state: State, action: Action) -> State:
    """The state after an action; any but a new speed ends playing."""
    match action:
        case Set("speed", str(speed)) if speed in SPEEDS:
            return replace(state, speed=speed)
        case Press(control) if control in _PRESSED:
            return _PRESSED[control](state)
        case Set(control, value) if control in _SET:
            return _SET[control](state, value)
        case Select(_, at):
            return _select(state, at)
        case Point(planes.PLANE):
            return _pointed_at(state, action)
    msg = f"There is nothing to do with {action!r} here."
    raise NotPossibleError(msg)


def work(state: State) -> Iterator[tuple[State, float]] | None:
    """Play to the end, one step after the other; each with its pause in seconds."""
    return _played(state) if state.playing else None


def _played(state: State) -> Iterator[tuple[State, float]]:
    pause = SPEEDS[state.speed]
    while state.cursor < state.story.end:
        state = _at(state, state.story.after(state.cursor, state.fitting))
        if state.cursor < state.story.end:
            yield replace(state, playing=True), pause
    yield state, 0.0


# -- buttons ---------------------------------------------------------------------------------------


def _at(state: State, cursor: int) -> State:
    return replace(state, cursor=cursor, playing=False, looked=None)


def _next(state: State) -> State:
    if state.cursor == state.story.end:
        msg = "This is the last step: the algorithm has finished."
        raise NotPossibleError(msg)
    return _at(state, state.story.after(state.cursor, state.fitting))


def _back(state: State) -> State:
    if state.cursor == 0:
        msg = "This is before the first step: nothing has happened yet."
        raise NotPossibleError(msg)
    return _at(state, state.story.before(state.cursor, state.fitting))


def _play(state: State) -> State:
    """Begin, or stop; at the end, from the beginning."""
    if state.playing:
        return replace(state, playing=False)
    started = _at(state, 0) if state.cursor == state.story.end else state
    return replace(started, playing=True, looked=None)


_PRESSED: dict[str, Callable[[State], State]] = {
    "next": _next,
    "back": _back,
    "first": lambda state: _at(state, 0),
    "reset": lambda state: _at(state, 0),
    "last": lambda state: _at(state, state.story.end),
    "play": _play,
}


# -- choices ---------------------------------------------------------------------------------------


def _step(state: State, value: Any) -> State:
    stops = state.story.stops(state.fitting)
    return _at(state, stops[whole_number(value, 0, len(stops) - 1, "The step")])


def _level(state: State, value: Any) -> State:
    if value not in [level for level, _ in state.story.levels]:
        msg = f"There are no steps {value!r} here."
        raise NotPossibleError(msg)
    level = next(one for one in LEVELS if one == value)
    return _snapped(replace(state, level=level))


def _snapped(state: State) -> State:
    """The state with a step of its level just completed: what was seen stays seen."""
    stops = state.story.stops(state.fitting)
    return _at(state, next(stop for stop in stops if stop >= state.cursor))


def _algorithm(state: State, value: Any) -> State:
    if value not in algorithms():
        titles = ", ".join(title for title, _ in algorithms().values())
        msg = f"There is no algorithm {value!r}; there are {titles}."
        raise NotPossibleError(msg)
    return _restarted(replace(state, algorithm=value))


def _attribute(state: State, value: Any) -> State:
    if value == ALL:
        return _restarted(replace(state, attribute=None))
    names = continuous(state.table)
    # An attribute is sent by its place, for its name may be anything.
    i = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else -1
    if not 0 <= i < len(names):
        msg = f"There is no continuous attribute {value!r} to search on."
        raise NotPossibleError(msg)
    return _restarted(replace(state, attribute=names[i]))


def _keyword(name: str, low: int, high: Callable[[State], int]) -> Callable[[State, Any], State]:
    """What sets a whole number that an algorithm takes; ``"none"`` takes it back."""

    def set_(state: State, value: Any) -> State:
        if name not in takes(state.algorithm):
            msg = f"{algorithms()[state.algorithm][0]} takes no {name}."
            raise NotPossibleError(msg)
        kept = {k: v for k, v in state.keywords.items() if k != name}
        if value == "none":
            return _restarted(replace(state, keywords=kept))
        number = int(value) if isinstance(value, str) and value.isdecimal() else value
        kept[name] = whole_number(number, low, high(state), name)
        return _restarted(replace(state, keywords=kept))

    return set_


def _restarted(state: State) -> State:
    """The beginning of another story. It may not suit the table, which its ValueError says."""
    story = story_of(asked_of(state))
    return _at(replace(state, story=story), 0)


# -- the plane -------------------------------------------------------------------------------------


def plane_of(state: State) -> tuple[PlaneScenery, tuple[int, int]] | None:
    """What is seen in the plane, and its two attributes; None where there is none."""
    scenery = state.story.plane(state.cursor, state.looked)
    if scenery is None:
        return None
    pair = state.pair or chosen_pair(scenery.table, scenery.asked)
    return pair and (scenery, pair)


def _turned(control: str) -> Callable[[State, Any], State]:
    """What sets one of the plane's attributes."""

    def set_(state: State, value: Any) -> State:
        found = plane_of(state)
        pair = found and turned(found[1], control, value, spanning(found[0].table))
        if not pair:
            msg = f"There is no plane with {value!r}."
            raise NotPossibleError(msg)
        return replace(state, pair=pair)

    return set_


def _shown(state: State, value: Any) -> State:
    if not isinstance(value, bool) or plane_of(state) is None:
        msg = "There is no plane to be shown or hidden."
        raise NotPossibleError(msg)
    return replace(state, plane=value)


def _pointed_at(state: State, at: Point) -> State:
    """Look at the node whose box lies there; how far one has come stays as it is."""
    found = plane_of(state)
    if found is not None:
        scenery, pair = found
        box = box_at(scenery.tree, sides(scenery.table, pair, scenery.test), at.x, at.y)
        if box is not None:
            return replace(state, looked=box.path, playing=False)
    msg = "There is no box at this place."
    raise NotPossibleError(msg)


_SET: dict[str, Callable[[State, Any], State]] = {
    ACROSS: _turned(ACROSS),
    UP: _turned(UP),
    SHOWN: _shown,
    "step": _step,
    "level": _level,
    "algorithm": _algorithm,
    "attribute": _attribute,
    "max_depth": _keyword("max_depth", 0, lambda _: DEEPEST),
    "n_trees": _keyword("n_trees", 1, lambda _: MOST_TREES),
    "m": _keyword("m", 1, lambda state: len(state.table.attributes)),
}


def _select(state: State, at: Path) -> State:
    """Look at a node; how far one has come stays as it is."""
    tree = state.story.tree(state.cursor)
    if tree is not None:  # of a deep tree only a piece is drawn, and its nodes are named from there
        at = (*base(tree, state.story.here(state.cursor)), *at)
    if tree is None or node_at(tree.root, at) is None:
        msg = "There is no such node in the tree so far."
        raise NotPossibleError(msg)
    return replace(state, looked=at, playing=False)


LAB = "StepThrough"
_KINDS: dict[str, type | tuple[type, ...]] = {
    "algorithm": str,
    "attribute": (str, type(None)),
    "seed": int,
    "keywords": dict,
    "level": str,
    "speed": str,
    "cursor": int,
    "validation": (str, type(None)),
}


def dump(state: State) -> str:
    """The state as text; a walk that plays is kept where it is."""
    own: dict[str, Any] = {
        "algorithm": state.algorithm,
        "attribute": state.attribute,
        "seed": state.seed,
        "keywords": {name: _plain(v) for name, v in state.keywords.items()},
        "level": state.level,
        "speed": state.speed,
        "cursor": state.cursor,
        "validation": None if state.validation is None else fingerprint(state.validation),
    }
    if state.pair is not None:
        own["plane"] = [state.table.names[i] for i in state.pair]
    if not state.plane:
        own["no-plane"] = True
    return kept(LAB, state.table, own)


def _plain(v: Any) -> Any:
    return v.item() if isinstance(v, np.generic) else v


def load(text: str, table: Table, validation: Table | None = None) -> State:
    """The state of a text."""
    data = settings_of(text, LAB, table, _KINDS)
    mark = data["validation"]
    if not (mark is None if validation is None else fits(mark, validation)):
        msg = "this state was made with other validation rows: give the same as validation="
        raise ValueError(msg)
    asked = WalkSettings(
        table, validation, data["seed"], data["keywords"], data["algorithm"], data["attribute"]
    )
    state = start(asked, data["level"], kept=True)
    if not 0 <= data["cursor"] <= state.story.end or data["speed"] not in SPEEDS:
        msg = f"the state is damaged: there is no step {data['cursor']} or speed {data['speed']!r}"
        raise ValueError(msg)
    state = replace(state, cursor=data["cursor"], speed=data["speed"])
    return _load_plane(state, json.loads(text))


def _load_plane(state: State, raw: Mapping[str, Any]) -> State:
    """The state with the plane as it was, where its text tells of one."""
    pair = None
    match raw.get("plane"):
        case [str(across), str(up)]:
            pair = state.table.index(across), state.table.index(up)
            if across == up or not {*pair} <= {*spanning(state.table)}:
                msg = f"the state is damaged: there is no plane of {across!r} and {up!r}"
                raise ValueError(msg)
    return replace(state, pair=pair, plane=raw.get("no-plane") is not True)
