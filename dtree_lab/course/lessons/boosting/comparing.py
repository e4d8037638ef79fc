"""What one question can do, where bagging pays, and whether bagging or boosting helps."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.labs.biasvariance.model import State as Measured
from dtree_lab.labs.biasvariance.model import dump, load, start, work

_TAKES_AWAY, _SETS = 0.3, 20
# From this depth on bagging takes away enough, with the settings that the lesson hands out.
_DEEP = 5


def measure_at(
    *, depth: int = 8, bagging: bool = True, resamples: int = _SETS, noise: float = 0.1
) -> str:
    """The state of the lab with some settings."""
    asked = {"source": "wave", "depth": depth, "resamples": resamples, "noise": noise}
    state = start(None, asked)
    return dump(replace(state, asked=replace(state.asked, bagging=bagging)))


@lru_cache(maxsize=1)
def _begun() -> Measured:
    """The lab as the lesson hands it out."""
    return start(None, {"source": "wave", "depth": 1, "resamples": _SETS})


@lru_cache(maxsize=4)
def _variances(state: Measured) -> tuple[float, float]:
    """The variance of single trees and of bagged ones, at the depth that is looked at."""
    for after, _ in work(replace(state, asked=replace(state.asked, bagging=True))) or ():
        state = after
    at = state.asked.depth - 1
    return state.points(state.single)[at].variance, state.points(state.bag)[at].variance


def _saved(state: Measured) -> float:
    """The share of the variance that bagging takes away; 0 while it is switched off."""
    single, bagged = _variances(state) if state.asked.bagging else (1.0, 1.0)
    return 1 - bagged / single if single else 0.0


def _short(state: Measured) -> bool:
    return _saved(state) < _TAKES_AWAY


BAGGING_PAYS = page(__file__, "bagging-pays").exercise(
    Do(
        lambda text: load(text, None),
        (
            Goal(
                lambda s: s.asked.bagging,
                lambda s: f"bagging is {'on' if s.asked.bagging else 'off'}",
                "on",
            ),
            Goal(
                lambda s: s.asked.resamples >= _SETS,
                lambda s: f"training sets: {s.asked.resamples}",
                f"at least {_SETS}",
            ),
            Goal(
                lambda s: _saved(s) >= _TAKES_AWAY,
                lambda s: f"depth {s.asked.depth}: {_saved(s):.0%} less variance",
                f"at least {_TAKES_AWAY:.0%} less",
            ),
        ),
        blank=lambda s: s.asked == _begun().asked,
    ),
    seen={
        "off": Mistake(
            measure_at(bagging=False),
            when=when(lambda s: not s.asked.bagging, 0, 2),
        ),
        "stumps": Mistake(
            measure_at(depth=1),
            when=when(lambda s: s.asked.bagging and s.asked.depth == 1 and _short(s), 2),
        ),
        "shallow": Mistake(
            measure_at(depth=2),
            when=when(lambda s: s.asked.bagging and 1 < s.asked.depth < _DEEP and _short(s), 2),
        ),
        "changed": Mistake(
            measure_at(depth=8, noise=0.3),
            when=when(lambda s: s.asked.bagging and s.asked.depth >= _DEEP and _short(s), 2),
        ),
        "few sets": Mistake(
            measure_at(resamples=4), when=when(lambda s: s.asked.resamples < _SETS, 1)
        ),
    },
)
