"""Where two bell curves cross: a number, a function, and in the lab."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from dtree_lab.base.text import number
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.thresholds.candidates import two_species
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code, Do, Goal, when
from dtree_lab.course.tasks.code import stops
from dtree_lab.labs.threshold import model as threshold_text
from dtree_lab.labs.threshold.state import State as Cutting
from dtree_lab.labs.threshold.state import start

_CROSSING = page(__file__, "crossing")
_ROWS = ((5, 15), (4, 16), (15, 5), (16, 4), (6, 24), (24, 6))


def _drawn(rng: np.random.Generator) -> dict[str, int]:
    minus = int(rng.integers(20, 60))
    more, fewer = _ROWS[int(rng.integers(len(_ROWS)))]
    return {
        "mean_plus": minus + int(rng.choice([6, 8, 10, 12])),
        "mean_minus": minus,
        "variance": int(rng.choice([9, 16, 25, 36])),
        "rows_plus": more,
        "rows_minus": fewer,
    }


def _by_hand(rng: np.random.Generator) -> Exercise:
    bells = drawn_until(
        "thresholds/crossing",
        lambda: _drawn(rng),
        lambda bells: _CROSSING.apart(bells=bells) > 0.05,  # noqa: PLR2004
    )
    return _CROSSING.exercise(shown=bells, bells=bells)


CROSSING = personal(_by_hand)


_GAUSSIAN = page(__file__, "gaussian")
_PRIORS, _SIDES, _TAU = "the priors", "which class has the larger mean", "τ"


def _case(behaviour: str, *args: float) -> Case:
    return Case(args, (_GAUSSIAN.right()(*args),), behaviour=behaviour)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = []
    for behaviour, taus in ((_PRIORS, [1]), (_SIDES, [1]), (_TAU, [0.5, 4]), (_TAU, [2, 3])):
        minus, plus = sorted(rng.choice(range(10, 60), 2, replace=False).tolist())
        if behaviour == _SIDES:
            minus, plus = plus, minus
        tau, p_plus = float(rng.choice(taus)), float(rng.choice([0.2, 0.6]))
        drawn.append(_case(behaviour, plus, minus, int(rng.integers(4, 50)), p_plus, tau))
    return tuple(drawn)


GAUSSIAN = _GAUSSIAN.exercise(
    Code(
        "gaussian_threshold",
        (
            _case(_PRIORS, 10, 4, 9, 0.5),
            _case(_PRIORS, 10, 4, 9, 0.25),
            _case(_SIDES, 4, 10, 9, 0.25),
            _case(_SIDES, 90, 110, 1790, 0.3),
            _case(_TAU, 10, 4, 9, 0.5, 3),
            _case(_TAU, 10, 4, 9, 0.8, 0.5),
            _case(_TAU, 31.5, 32, 0.25, 0.4, 2),
        ),
        tolerance=0.001,
        fresh=_fresh,
    ),
    seen={"no brackets": stops("ValueError", "math domain")},
)


_NEAR = 0.1


@cache
def _begun() -> Cutting:
    return start(two_species())


def _loaded(text: str) -> Cutting:
    return threshold_text.load(text, _begun().curve.table)


def _untouched(state: Cutting) -> bool:
    return threshold_text.dump(state) == threshold_text.dump(_begun())


def _off(state: Cutting) -> float:
    """How far the cut is from the nearest crossing."""
    return min((abs(state.cut - place) for place in state.fit.crossings), default=float("inf"))


def _beside(state: Cutting) -> bool:
    """Whether the cut is all that is wrong with τ = 1."""
    return state.log_tau == 0 and _off(state) > _NEAR


def _at(*, equal: bool, priors: str, cut: float | None = None) -> str:
    """The lab's text with some settings, and the cut where the curves then cross."""
    state = replace(_begun(), equal=equal, priors=priors)  # type: ignore[arg-type] # texts both
    return threshold_text.dump(replace(state, cut=state.fit.crossings[-1] if cut is None else cut))


def _best() -> float:
    best = _begun().curve.best
    assert best is not None  # noqa: S101 - penguins differ
    return best


HALF_WAY = page(__file__, "half-way").exercise(
    Do(
        _loaded,
        (
            Goal(
                lambda state: state.equal,
                lambda state: "one variance" if state.equal else "a variance for each class",
                "one variance for all classes",
            ),
            Goal(
                lambda state: state.priors == "equal",
                lambda state: (
                    "the same prior for each class"
                    if state.priors == "equal"
                    else "the shares of the rows as priors"
                ),
                "the same prior for each class",
            ),
            Goal(
                lambda state: state.log_tau == 0 and _off(state) <= _NEAR,
                lambda state: (
                    f"cut at {number(round(state.cut, 3))}, τ = {number(2**state.log_tau)}"
                ),
                "with τ = 1, a cut where these curves cross",
            ),
        ),
        _untouched,
    ),
    seen={
        "variances": Mistake(
            _at(equal=False, priors="equal"), when=when(lambda state: not state.equal, 0)
        ),
        "priors": Mistake(
            _at(equal=True, priors="rows"), when=when(lambda state: state.priors != "equal", 1)
        ),
        "highest gain": Mistake(
            _at(equal=True, priors="equal", cut=_best()),
            when=when(lambda state: _beside(state) and abs(state.cut - _best()) < _NEAR, 2),
        ),
        "elsewhere": Mistake(
            _at(equal=True, priors="equal", cut=_begun().cut),
            when=when(lambda state: _beside(state) and abs(state.cut - _best()) >= _NEAR, 2),
        ),
        "tau": Mistake(
            threshold_text.dump(
                replace(
                    _begun(),
                    equal=True,
                    priors="equal",
                    log_tau=2.0,
                    cut=replace(_begun(), equal=True, priors="equal", log_tau=2.0).fit.crossings[
                        -1
                    ],
                )
            ),
            when=when(lambda state: state.log_tau != 0, 2),
        ),
    },
)
