"""What an action does to the bias-variance lab, and the measuring that goes on between actions."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from dtree_lab.widgets.biasvariance import sources
from dtree_lab.widgets.biasvariance.state import (
    FIRST,
    METHODS,
    MOST_RESAMPLES,
    State,
    asking,
    most_rows,
    usual,
)
from dtree_lab.widgets.biasvariance.trial import DEPTHS
from dtree_lab.widgets.kit.actions import NotPossibleError, Point, Press, Set, finite, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dtree_lab.widgets.kit.actions import Action

# A step of the work adds training sets for so long, in seconds, before it shows them.
_STEP = 0.03


def update(state: State, action: Action) -> State:
    """The state after an action.

    Raises
    ------
    NotPossibleError
        For an action that cannot be done, saying why.
    """
    state = replace(state, status="")
    match action:
        case Set("source", key):
            return _from(state, key)
        case Set(control, value):
            return asking(state, replace(state.asked, **_setting(state, control, value)))
        case Point("curves", x, _):
            depth = min(max(round(finite(x)), DEPTHS[0]), DEPTHS[-1])
            return asking(state, replace(state.asked, depth=depth))
        case Press("again"):
            return asking(state, replace(state.asked, seed=(state.asked.seed + 1) % (1 << 32)))
        case Press("reset"):
            return asking(state, state.first)
        case Press("next"):
            return _next(state)
    msg = f"There is nothing here that {action!r} could act on."
    raise NotPossibleError(msg)


def _from(state: State, source: Any) -> State:
    """With another population, its own noise and number of rows."""
    if source not in sources.choices(state.given):
        msg = f"{source!r} is none of the populations that can be chosen."
        raise NotPossibleError(msg)
    own = usual(state.given, source, state.asked.seed)
    same = ("depth", "resamples", "bagging", "method")
    return asking(state, replace(own, **{name: getattr(state.asked, name) for name in same}))


def _setting(state: State, control: str, value: Any) -> dict[str, Any]:
    """The setting that a control stands for, checked."""
    match control:
        case "depth":
            return {"depth": whole(value, DEPTHS[0], DEPTHS[-1], "The depth")}
        case "n":
            return {"n_rows": whole(value, 1, most_rows(state), "The number of rows")}
        case "resamples":
            what = "The number of training sets"
            return {"resamples": whole(value, FIRST, MOST_RESAMPLES, what)}
        case "noise":
            return {"noise": _noise(state, value)}
        case "bagging" if isinstance(value, bool):
            return {"bagging": value}
        case "method" if value in METHODS and state.method != "squared":
            return {"method": value}
    msg = f"{control!r} cannot be set to {value!r}."
    raise NotPossibleError(msg)


def _noise(state: State, value: Any) -> float:
    if state.asked.noise is None:
        msg = "The noise in these rows cannot be chosen: nobody knows how much there is."
        raise NotPossibleError(msg)
    most = sources.most_noise(state.given, state.asked.source)
    if isinstance(value, bool | str) or not 0 <= value <= most:
        msg = f"The noise must be a number from 0 to {most:g}; got {value!r}."
        raise NotPossibleError(msg)
    return float(value)


def _next(state: State) -> State:
    """One level deeper; at the end bagging."""
    asked = state.asked
    if asked.depth < DEPTHS[-1]:
        return asking(state, replace(asked, depth=asked.depth + 1))
    if not asked.bagging:
        return asking(state, replace(asked, bagging=True))
    msg = f"This is the end: the deepest trees, {DEPTHS[-1]} levels, and bagging."
    raise NotPossibleError(msg)


def work(state: State) -> Iterator[tuple[State, float]] | None:
    """Draw the training sets that are still to be drawn; None if there are none."""
    return _work(state) if state.unfinished is not None else None


def _work(state: State) -> Iterator[tuple[State, float]]:
    begun = perf_counter()
    while (trial := state.unfinished) is not None:
        more = trial.more()
        alone = trial is state.single
        state = replace(state, single=more) if alone else replace(state, bag=more)
        if state.unfinished is None or perf_counter() - begun >= _STEP:
            yield state, 0.0
            begun = perf_counter()
