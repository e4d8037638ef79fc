"""A walk through an algorithm: what runs on which rows, how far one has come, and its text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from dtree_lab.base.random import checked_seed
from dtree_lab.base.text import did_you_mean, listing
from dtree_lab.ensemble.adaboost import adaboost
from dtree_lab.ensemble.gradient import gradient_boosting
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.evaluate import holdout
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit import planes
from dtree_lab.labs.kit.boxes import chosen_pair, sides, spanning
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.keeping import fingerprint, fits
from dtree_lab.labs.kit.planes import ACROSS, SHOWN, UP, turned
from dtree_lab.labs.kit.settings import Settings, UnfitError, choice, remembered, slider, toggle
from dtree_lab.labs.kit.taking import MOST_GROWN, check_few_classes, classified, measured_with
from dtree_lab.labs.stepthrough.ensembles import BoostingStory, ForestStory, GradientStory
from dtree_lab.labs.stepthrough.growing import DEEPEST, LIMITS, growing
from dtree_lab.labs.stepthrough.predicting import predicting
from dtree_lab.labs.stepthrough.pruning import cutting
from dtree_lab.labs.stepthrough.searching import searching
from dtree_lab.labs.stepthrough.story import (
    Level,
    PlaneScenery,
    Story,
    base,
    chosen_rows,
    short_words,
)
from dtree_lab.prune import METHODS
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Path, own_columns

GROW = ("criterion", *LIMITS)
GRADIENT = "gradient_boosting"  # the one that takes numbers to predict


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
        GRADIENT: ("gradient boosting", ("rounds", "rate", "max_depth", "min_leaf", "patience")),
        "prediction": ("prediction", (*GROW, "tree")),
    }


def takes(algorithm: str) -> tuple[str, ...]:
    """The keywords that an algorithm takes."""
    return algorithms()[algorithm][1]


# What is changed by a control, with the most that can be stepped through.
N_TREES, N_STUMPS, MOST_TREES, MOST_STUMPS = 5, 5, 25, 50
LEVELS: tuple[Level, ...] = ("event", "node", "round")
# Forests grow many trees, and of boosting every row is drawn.
LESS = {"random_forest": 10, "adaboost": 10, GRADIENT: 10}
SPEEDS = {"slow": 2.0, "medium": 1.0, "fast": 0.3}
MOST_ROWS, MOST_CELLS, FEWEST, MANY_CLASSES = 1000, 10_000, 50, 4
ALL, NONE, MOST_OPTIONS = "*", "none", 40


# -- what a person chooses -------------------------------------------------------------------------


def _titles(state: State) -> dict[str, str]:
    n = state.table.target.n_values
    fits = [name for name in algorithms() if (n in (0, 2) if name == GRADIENT else n)]
    return {name: algorithms()[name][0] for name in fits}


def _algorithm(state: State, value: Any) -> str:
    titles = _titles(state)
    if isinstance(value, str) and value in titles:
        return value
    raise kit.NotPossibleError(
        f"There is no algorithm {value!r}; there are {', '.join(titles.values())}."
    )


def _by_place(state: State) -> dict[str, str | None]:
    """What can be searched on, as it is sent: by its place, for a name may be anything."""
    return {ALL: None, **{str(i): name for i, name in enumerate(threshold_attributes(state.table))}}


def _attributes(state: State) -> dict[str, str]:
    return {
        key: "each in turn" if name is None else short_words(name)
        for i, (key, name) in enumerate(_by_place(state).items())
        if i <= MOST_OPTIONS or name == state.attribute
    }


def _attribute(state: State, value: Any) -> str | None:
    names = _by_place(state)
    if not isinstance(value, str) or value not in names:
        raise kit.NotPossibleError(f"There is no continuous attribute {value!r} to search on.")
    return names[value]


# The numbers among the keywords that can be chosen: what each is now.
NUMBERS: dict[str, Callable[[State], int | None]] = {
    "max_depth": lambda state: _plain(state.keywords.get("max_depth")),
    "n_trees": lambda state: _plain(state.keywords.get("n_trees", N_TREES)),
    "m": lambda state: state.story.result.plan.m if state.algorithm == "random_forest" else None,
}


def _keyword(
    label: str, offered: Callable[[State], Iterable[int]], low: int, high: Callable[[State], int]
) -> Any:
    """A number that an algorithm takes, which stands in `keywords`; ``"none"`` takes it back."""

    def options(state: State) -> dict[str, str]:
        now = NUMBERS[setting.name](state)
        numbers = sorted({*offered(state), *([] if now is None else [now])})
        none = {NONE: "no limit"} if setting.name == "max_depth" else {}
        return none | {str(n): str(n) for n in numbers}

    def check(state: State, value: Any) -> dict[str, Any]:
        if setting.name not in takes(state.algorithm):
            raise kit.NotPossibleError(
                f"{algorithms()[state.algorithm][0]} takes no {setting.name}."
            )
        others = {key: v for key, v in state.keywords.items() if key != setting.name}
        if value in (NONE, None):
            return others
        number = int(value) if isinstance(value, str) and value.isdecimal() else value
        return others | {setting.name: kit.whole_number(number, low, high(state), setting.name)}

    setting = choice(options, label, kinds=(), check=check)
    return setting


def _shown(state: State, value: Any) -> bool:
    if not isinstance(value, bool) or plane_of(state) is None:
        raise kit.NotPossibleError("There is no plane to be shown or hidden.")
    return not value


@dataclass(frozen=True, eq=False, kw_only=True)
class State:
    """Everything that the widget is; `start` makes the first one."""

    table: Table
    story: Story  # what the algorithm told
    algorithm: str = choice(_titles, "Algorithm", check=_algorithm)
    # What a threshold is searched for on; each attribute in turn if None.
    attribute: str | None = choice(
        _attributes, "Attribute", kinds=(str, type(None)), as_text=True, check=_attribute
    )
    seed: int = remembered(int)
    keywords: Mapping[str, Any] = remembered(dict)
    # How fine a step is. Of an algorithm that has no such steps it is `fitting`.
    level: Level = choice(
        lambda state: dict(state.story.levels),
        "A step is",
        default="event",
        words="There are no steps {value!r} here.",
    )
    speed: str = choice({speed: speed for speed in SPEEDS}, "Speed", default="medium")
    cursor: int = remembered(int, default=0)  # how many events have happened
    # The rows to prune with; a third of the table is withheld if None.
    validation: Table | None = remembered(str, type(None), trait="validation_sum")
    # The two attributes that were chosen for the plane, across and up; and whether it is not seen.
    pair: tuple[int, int] | None = remembered(
        list, type(None), key="plane", default=None, optional=True
    )
    hidden: bool = toggle(
        "Plane",
        key="no-plane",
        control=SHOWN,
        trait="plane",
        default=False,
        optional=True,
        check=_shown,
    )
    playing: bool = False  # whether it goes on by itself
    looked: Path | None = None  # a node that the person has chosen to look at
    step = slider(0, lambda state: len(state.stops) - 1, "Step", what="The step", kinds=())
    max_depth = _keyword("Deepest", lambda _: (1, 2, 3, 4), 0, lambda _: DEEPEST)
    n_trees = _keyword("Trees", lambda _: (1, 3, N_TREES, 10, 25), 1, lambda _: MOST_TREES)
    m = _keyword(
        "Attributes drawn, m",
        lambda state: range(1, min(len(state.table.attributes), MOST_OPTIONS) + 1),
        1,
        lambda state: len(state.table.attributes),
    )

    @property
    def fitting(self) -> Level:
        """The level, or the finest if the algorithm has no such steps."""
        levels = [level for level, _ in self.story.levels]
        return self.level if self.level in levels else levels[0]

    @property
    def stops(self) -> list[int]:
        """The cursors at which steps end."""
        return self.story.stops(self.fitting)


# -- what runs ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class WalkSettings:
    """What a story is made of."""

    table: Table
    validation: Table | None = None
    seed: int = 0
    keywords: Mapping[str, Any] = field(default_factory=dict)
    algorithm: str = "id3"
    attribute: str | None = None


def start(settings: WalkSettings, level: str = "event", *, kept: bool = False) -> State:
    """The state before the first step; a `kept` text may have another algorithm's keywords."""
    validation = None if settings.validation is None else measured_with(settings.validation)
    table = classified(settings.table, numbers=settings.algorithm == GRADIENT)
    settings = replace(settings, table=table, validation=validation)
    check_few_classes(table.target, 2 if settings.algorithm == GRADIENT else MOST_GROWN)
    _check_named("algorithm", settings.algorithm, algorithms())
    _check_named("level", level, LEVELS)
    settings = _checked(settings, kept=kept)
    if validation is not None:  # raises, naming what does not fit
        labels_for(table.target, validation, "the tree")
        own_columns(table.attributes, validation)
    named = next(one for one in LEVELS if one == level)
    return State(**vars(settings), story=story_of(settings), level=named)


def _check_named(what: str, given: object, known: Mapping[str, Any] | tuple[str, ...]) -> None:
    if not isinstance(given, str) or given not in known:
        near = did_you_mean(given, known)
        msg = f"{what}={given!r} must be one of {listing(known)}.{near}".replace("..", ".")
        raise ValueError(msg)


def _checked(settings: WalkSettings, *, kept: bool) -> WalkSettings:
    every = sum((keywords for _, keywords in algorithms().values()), ())
    known = every if kept else takes(settings.algorithm)
    for name in settings.keywords:
        if name not in known:
            near = did_you_mean(name, known)
            msg = (
                f"algorithm={settings.algorithm!r} has no keyword {name!r}, only {listing(known)}."
            )
            raise ValueError(msg + near)
    limited = (("n_trees", MOST_TREES), ("n_stumps", MOST_STUMPS), ("rounds", MOST_STUMPS))
    for name, most in limited:
        given = settings.keywords.get(name)
        if isinstance(given, int | np.integer) and given > most:
            raise ValueError(f"{name}={given} is more than one steps through; at most {most}")
    if settings.attribute is not None:
        _check_attribute(settings.table, settings.attribute)
    return replace(settings, seed=int(checked_seed(settings.seed)))


def _check_attribute(table: Table, name: str) -> None:
    numbers = threshold_attributes(table)
    if table.attribute(name).values is not None or name not in numbers:  # raises for no attribute
        why = "has no two values" if table.attribute(name).values is None else "is discrete"
        there = f"; there are {listing(numbers)}" if numbers else ""
        raise ValueError(f"attribute={name!r} {why}, so there is no threshold to search for{there}")


def threshold_attributes(table: Table) -> list[str]:
    """The attributes that have a threshold to search for."""
    pairs = zip(table.attributes, table.columns, strict=True)
    return [a.name for a, c in pairs if a.values is None and c.min() < c.max()]


def _most_rows(table: Table) -> int:
    """How many rows can be stepped through without waiting: fewer, the more has to be weighed."""
    most = min(MOST_ROWS, MOST_CELLS // max(len(table.attributes), 1))
    return max(FEWEST, most // 3 if table.target.n_values > MANY_CLASSES else most)


def story_of(settings: WalkSettings) -> Story:
    """Let the algorithm run, and keep what it tells."""
    known = takes(settings.algorithm)
    given = {k: v for k, v in settings.keywords.items() if k in known}
    most, seed = _most_rows(settings.table), settings.seed
    if settings.algorithm in METHODS:
        return _pruned(settings, given)
    if settings.algorithm == "prediction":
        rows = settings.table if settings.validation is None else settings.validation
        return predicting(settings.table, rows, seed, given)
    most = max(FEWEST, most // LESS.get(settings.algorithm, 1))
    table, notes = chosen_rows(settings.table, most, seed)
    match settings.algorithm:
        case "id3" | "c45" | "cart" as kind:
            return growing(kind, table, given, notes, settings.validation)
        case "threshold":
            return searching(table, settings.attribute, given, notes)
        case "random_forest":
            given = {"n_trees": N_TREES, "seed": seed, **given}
            return ForestStory.of(random_forest, table, given, notes)
        case "gradient_boosting":
            given = {"withheld": settings.validation, "rounds": N_STUMPS, **given}
            return GradientStory.of(gradient_boosting, table, given, notes)
    return BoostingStory.of(adaboost, table, {"n_stumps": N_STUMPS, **given}, notes)


def _pruned(settings: WalkSettings, given: dict[str, Any]) -> Story:
    """Grow on the table, or on two thirds of it, and prune by the rest."""
    method = METHODS[settings.algorithm]
    if settings.validation is None:
        table, notes = chosen_rows(settings.table, _most_rows(settings.table), settings.seed)
        training, validation = holdout(table, seed=settings.seed)
        use = " to prune with" * ("validation" in method.needs)
        notes = (*notes, f"A third of the rows, drawn at random, was withheld{use}.")
        return cutting(method, training, validation, given, notes)
    return cutting(method, settings.table, settings.validation, given, ())


def _restarted(state: State, **changes: Any) -> State:
    """The beginning of another story. It may not suit the table, which its ValueError says."""
    before = {f.name: getattr(state, f.name) for f in fields(WalkSettings)}
    asked = _checked(WalkSettings(**before | changes), kept=True)
    return _at(replace(state, **changes, story=story_of(asked)), 0)


# -- what a person does ----------------------------------------------------------------------------


def update(state: State, action: kit.Action) -> State:
    """The state after an action; any step ends playing, a new speed does not."""
    match action:
        case kit.Press(control) if control in _PRESSED:
            return _PRESSED[control](state)
        case kit.Set(control, value) if control in (ACROSS, UP):
            return _turned(state, control, value)
        case kit.Set():
            return SETTINGS.set(state, action)
        case kit.Select(_, at):
            return _select(state, at)
        case kit.Point(planes.PLANE, x, y):
            return _pointed_at(state, x, y)
    raise SETTINGS.refusal(action)


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


def _at(state: State, cursor: int) -> State:
    return replace(state, cursor=cursor, playing=False, looked=None)


def _next(state: State) -> State:
    if state.cursor == state.story.end:
        raise kit.NotPossibleError("This is the last step: the algorithm has finished.")
    return _at(state, state.story.after(state.cursor, state.fitting))


def _back(state: State) -> State:
    if state.cursor == 0:
        raise kit.NotPossibleError("This is before the first step: nothing has happened yet.")
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


def _snapped(state: State, level: Level) -> State:
    """The state with a step of a level just completed: what was seen stays seen."""
    state = replace(state, level=level)
    return _at(state, next(stop for stop in state.stops if stop >= state.cursor))


def _select(state: State, at: Path) -> State:
    """Look at a node; how far one has come stays as it is."""
    tree = state.story.tree(state.cursor)
    if tree is not None:  # of a deep tree only a piece is drawn, and its nodes are named from there
        at = (*base(tree, state.story.here(state.cursor)), *at)
    if tree is None or node_at(tree.root, at) is None:
        raise kit.NotPossibleError("There is no such node in the tree so far.")
    return replace(state, looked=at, playing=False)


# -- the plane -------------------------------------------------------------------------------------


def plane_of(state: State) -> tuple[PlaneScenery, tuple[int, int]] | None:
    """What is seen in the plane, and its two attributes; None where there is none."""
    scenery = state.story.plane(state.cursor, state.looked)
    if scenery is None:
        return None
    pair = state.pair or chosen_pair(scenery.table, scenery.preferred)
    return pair and (scenery, pair)


def _turned(state: State, control: str, value: Any) -> State:
    scenery, pair = plane_of(state) or (None, None)
    table = state.table if scenery is None else scenery.table
    return replace(state, pair=turned(pair, control, value, table))


def _pointed_at(state: State, x: float, y: float) -> State:
    """Look at the node whose box lies there; how far one has come stays as it is."""
    found = plane_of(state)
    if found is None:
        raise kit.NotPossibleError("There is no box at this place.")
    scenery, pair = found
    two = sides(scenery.table, pair, scenery.test)
    return replace(state, looked=planes.pointed_at(scenery.tree, two, x, y), playing=False)


# -- the text --------------------------------------------------------------------------------------


def _load_another(name: str) -> Callable[[State, Any], State]:
    """What tells another story where it is not made of what a text has."""
    return lambda state, value: (
        state if getattr(state, name) == value else _restarted(state, **{name: value})
    )


def _load_cursor(state: State, cursor: int) -> State:
    if not 0 <= cursor <= state.story.end:
        raise kit.NotPossibleError(f"There is no step {cursor}; there are {state.story.end}.")
    return _at(state, cursor)


def _load_pair(state: State, named: Any) -> State:
    match named:
        case None:
            return replace(state, pair=None)
        case [str(across), str(up)]:
            pair = state.table.index(across), state.table.index(up)
            if across != up and {*pair} <= {*spanning(state.table)}:
                return replace(state, pair=pair)
            raise ValueError(f"the state is damaged: there is no plane of {across!r} and {up!r}")
    raise UnfitError


SETTINGS = Settings(
    "StepThrough",
    State,
    sets={
        "algorithm": lambda state, algorithm: _restarted(state, algorithm=algorithm),
        "attribute": lambda state, attribute: _restarted(state, attribute=attribute),
        "level": _snapped,
        "step": lambda state, n: _at(state, state.stops[n]),
        **dict.fromkeys(NUMBERS, lambda state, keywords: _restarted(state, keywords=keywords)),
    },
    shows={
        "attribute": lambda state: next(
            key for key, name in _by_place(state).items() if name == state.attribute
        ),
        "level": lambda state: state.fitting,
        "hidden": lambda state: not state.hidden,
        "step": lambda state: state.story.step(state.cursor, state.fitting),
        **NUMBERS,
    },
    tells={
        "keywords": lambda state: {name: _plain(v) for name, v in state.keywords.items()},
        "validation": lambda state: (
            None if state.validation is None else fingerprint(state.validation)
        ),
        "pair": lambda state: state.pair and [state.table.names[i] for i in state.pair],
    },
    loads={
        **{name: _load_another(name) for name in ("attribute", "seed", "keywords")},
        "cursor": _load_cursor,
        "pair": _load_pair,
        "hidden": lambda state, hidden: replace(state, hidden=hidden),
    },
    begun=["algorithm", "level", "validation"],
    unknown="There is nothing to do with {action!r} here.",
)
dump = SETTINGS.dump


def _plain(v: Any) -> Any:
    return v.item() if isinstance(v, np.generic) else v


def load(text: str, table: Table, validation: Table | None = None) -> State:
    """The state of a text."""

    def begin(data: dict[str, Any]) -> State:
        mark, cursor, speed = data["validation"], data["cursor"], data["speed"]
        if not (mark is None if validation is None else fits(mark, validation)):
            msg = "this state was made with other validation rows: give the same as validation="
            raise ValueError(msg)
        names = ("seed", "keywords", "algorithm", "attribute")
        asked = WalkSettings(table, validation, **{name: data[name] for name in names})
        state = start(asked, data["level"], kept=True)
        if not 0 <= cursor <= state.story.end or speed not in SPEEDS:
            raise ValueError(f"the state is damaged: there is no step {cursor} or speed {speed!r}")
        return state

    return SETTINGS.load(text, table, begin)
