"""What is measured in the lab: where a deep tree is best, and where bagged ones are."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.labs.biasvariance import model
from dtree_lab.labs.biasvariance.model import State, start, work
from dtree_lab.labs.biasvariance.trial import DEPTHS

_DEEP, _SETS = 6, 30
_BAG_DEEP, _BAG_SETS = 8, 20
_CLOSE = 1e-9


def load(state: str) -> State:
    """The lab's state, of a population of the course."""
    return model.load(state, None)


def at(**settings: object) -> str:
    """The state's text of a lab with some settings."""
    return model.dump(start(None, settings))


def sets_at_least(sets: int) -> Goal[State]:
    """So many training sets are wanted."""
    return Goal(
        lambda state: state.settings.resamples >= sets,
        lambda state: f"training sets: {state.settings.resamples}",
        f"at least {sets}",
    )


BAGGING_ON: Goal[State] = Goal(
    lambda state: state.settings.bagging,
    lambda state: f"bagging is {'on' if state.settings.bagging else 'off'}",
    "on",
)


def when_measured(state: State) -> State:
    """The state when all has been measured: the lab itself measures while it is looked at."""
    for after, _ in work(state) or ():
        state = after
    return state


def _losses(state: State, *, bagging: bool, sets: int | None = None) -> list[float]:
    """The error at each depth, of single or of bagged trees; from fewer training sets if asked."""
    asked = replace(state.settings, resamples=sets or state.settings.resamples, bagging=bagging)
    return _measured_losses(model.dump(replace(state, settings=asked)))


@lru_cache(maxsize=16)
def _measured_losses(text: str) -> list[float]:
    """What is measured once for all goals."""
    return [float(loss) for loss in when_measured(load(text)).result.loss]


def _best(state: State) -> list[int]:
    """The depths at which single trees have the least error."""
    losses = _losses(state, bagging=False)
    return [d for d, loss in zip(DEPTHS, losses, strict=True) if loss - min(losses) <= _CLOSE]


def _deepest_best(state: State) -> int:
    return _best(state)[-1]


def _stands_there(state: State) -> bool:
    return state.settings.depth >= _DEEP and state.settings.depth in _best(state)


# With the sine, and so much noise or less, it is for lack of rows that a deep tree is not best.
_LITTLE_NOISE = 0.1


def _noisy(state: State) -> bool:
    return _deepest_best(state) < _DEEP and (state.settings.noise or 0) > _LITTLE_NOISE


def _few_rows(state: State) -> bool:
    return _deepest_best(state) < _DEEP and not _noisy(state)


DEEP_BEST = page(__file__, "deep-best").exercise(
    Do(
        load,
        (
            Goal(
                lambda state: _deepest_best(state) >= _DEEP,
                lambda state: f"single trees: the error is least at depth {_deepest_best(state)}",
                f"depth {_DEEP} or deeper",
            ),
            Goal(
                _stands_there,
                lambda state: f"the depth slider stands at {state.settings.depth}",
                f"the depth of the least error, {_DEEP} or deeper,",
            ),
            sets_at_least(_SETS),
        ),
        blank=lambda s: s.settings == start(None, {"source": "sine", "resamples": _SETS}).settings,
    ),
    seen={
        "noise": Mistake(
            at(source="sine", depth=6, noise=0.3, n_rows=500), when=when(_noisy, 0, 1)
        ),
        "few rows": Mistake(
            at(source="sine", depth=6, noise=0.08, n_rows=20), when=when(_few_rows, 0, 1)
        ),
        "elsewhere": Mistake(
            at(source="sine", depth=3, noise=0.0, n_rows=400),
            when=when(lambda s: _deepest_best(s) >= _DEEP and not _stands_there(s), 1),
        ),
        "few sets": Mistake(
            at(source="sine", depth=10, noise=0.0, n_rows=400, resamples=10),
            when=when(lambda state: state.settings.resamples < _SETS, 2),
        ),
    },
)


def _two_errors(state: State) -> tuple[float, float]:
    """That of bagged trees of the depth that is looked at, and that of the best single trees."""
    # No more training sets than are bagged: the same for both.
    sets = min(state.settings.resamples, _BAG_SETS)
    together = _losses(state, bagging=True, sets=sets)[state.settings.depth - 1]
    return together, min(_losses(state, bagging=False, sets=sets))


def _gains(state: State) -> bool:
    together, alone = _two_errors(state)
    return alone - together > _CLOSE


def _errors_say(state: State) -> str:
    together, alone = _two_errors(state)
    return (
        f"error at depth {state.settings.depth}, bagged: {together:.3f}; of the best single trees:"
        f" {alone:.3f}"
    )


BAG_BEST = page(__file__, "bag-best").exercise(
    Do(
        load,
        (
            BAGGING_ON,
            Goal(
                lambda state: state.settings.depth >= _BAG_DEEP,
                lambda state: f"depth {state.settings.depth}",
                f"{_BAG_DEEP} or deeper",
            ),
            sets_at_least(_BAG_SETS),
            Goal(
                lambda state: state.settings.depth >= _BAG_DEEP and _gains(state),
                _errors_say,
                f"less than any single tree's, at depth {_BAG_DEEP} or deeper,",
            ),
        ),
        blank=lambda s: (
            s.settings == start(None, {"source": "sine", "resamples": _BAG_SETS}).settings
        ),
    ),
    seen={
        "off": Mistake(
            at(source="wave", depth=8, resamples=20, bagging=False),
            when=when(lambda state: not state.settings.bagging, 0),
        ),
        "shallow": Mistake(
            at(source="wave", depth=3, resamples=20, bagging=True),
            when=when(lambda state: state.settings.depth < _BAG_DEEP, 1, 3),
        ),
        "few sets": Mistake(
            at(source="wave", depth=8, resamples=5, bagging=True),
            when=when(lambda state: state.settings.resamples < _BAG_SETS, 2),
        ),
        "little to win": Mistake(
            at(source="sine", depth=8, resamples=20, bagging=True),
            when=when(lambda s: s.settings.depth >= _BAG_DEEP and not _gains(s), 3),
        ),
    },
)
