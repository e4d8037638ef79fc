"""What each action does: forward and back are a cursor that moves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dtree_lab.widgets.kit.actions import Action, NotPossibleError, Press, Select, Set, whole
from dtree_lab.widgets.kit.cards import node_at
from dtree_lab.widgets.stepthrough.growing import DEEPEST
from dtree_lab.widgets.stepthrough.piece import base
from dtree_lab.widgets.stepthrough.state import (
    ALGORITHMS,
    LEVELS,
    MOST_TREES,
    SPEEDS,
    TAKES,
    State,
    asked_of,
    continuous,
    story_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dtree_lab.tree import Path

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
    return _at(state, stops[whole(value, 0, len(stops) - 1, "The step")])


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
    if value not in ALGORITHMS:
        msg = f"There is no algorithm {value!r}; there are {', '.join(ALGORITHMS.values())}."
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
        if name not in TAKES[state.algorithm]:
            msg = f"{ALGORITHMS[state.algorithm]} takes no {name}."
            raise NotPossibleError(msg)
        kept = {k: v for k, v in state.keywords.items() if k != name}
        if value == "none":
            return _restarted(replace(state, keywords=kept))
        number = int(value) if isinstance(value, str) and value.isdecimal() else value
        kept[name] = whole(number, low, high(state), name)
        return _restarted(replace(state, keywords=kept))

    return set_


def _restarted(state: State) -> State:
    """The beginning of another story. It may not suit the table, which its ValueError says."""
    story = story_of(asked_of(state))
    return _at(replace(state, story=story), 0)


_SET: dict[str, Callable[[State, Any], State]] = {
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
