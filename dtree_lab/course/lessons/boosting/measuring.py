"""The exercise on where bagging pays, in the bias-variance lab."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.widgets.biasvariance.model import dump, load, start, work

if TYPE_CHECKING:
    from dtree_lab.widgets.biasvariance.model import State as Measured

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


BAGGING_PAYS = Exercise(
    id="boosting/bagging-pays",
    title="Where bagging pays",
    points=3,
    answer="lab",
    task=Do(
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
    mistakes=(
        Mistake(
            measure_at(bagging=False),
            "Bagging is switched off, so there is nothing to compare a single tree with.",
            when=when(lambda s: not s.asked.bagging, 0, 2),
        ),
        Mistake(
            measure_at(depth=1),
            "Stumps are wrong where they are divided: there a vote makes a small lead into all, and"
            " steadies next to nothing. Which kind of tree goes astray at single rows, each time at"
            " others, where most of the ten can put it right?",
            when=when(lambda s: s.asked.bagging and s.asked.depth == 1 and _short(s), 2),
        ),
        Mistake(
            measure_at(depth=2),
            "Some of the variance goes here, and too little of it. A vote gains most where each"
            " tree errs alone, at rows of its own: what lets a tree follow single rows?",
            when=when(lambda s: s.asked.bagging and 1 < s.asked.depth < _DEEP and _short(s), 2),
        ),
        Mistake(
            measure_at(depth=8, noise=0.3),
            "The trees are deep enough, but something else has been changed, the noise or the"
            " number of rows, and bagging takes away a smaller share there. Set it back as it was"
            " at first.",
            when=when(lambda s: s.asked.bagging and s.asked.depth >= _DEEP and _short(s), 2),
        ),
        Mistake(
            measure_at(resamples=4),
            "With so few training sets the variance itself is a matter of luck. Draw more of them.",
            when=when(lambda s: s.asked.resamples < _SETS, 1),
        ),
    ),
    more="Bagging averages away what chance has put into a tree. Move the depth, and watch the"
    " variance with bagging on and off.",
    solution="""lab = dt.BiasVarianceLab(population="wave", depth=8, resamples=20)
lab = lab.state.replace('"bagging":false', '"bagging":true')
""",
    why="A deep tree follows single rows, so the ten trees of one training set differ, and their"
    " vote takes a third of the variance away. At depth 1 the stumps are divided where the cut"
    " wanders, a vote there is as uncertain as its members, and it is about a tenth. The bias"
    " hardly moves at any depth. (Where numbers are averaged, with the sine, it pays for a stump,"
    " too.)",
)
