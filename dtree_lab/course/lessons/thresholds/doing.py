"""The exercise in the threshold lab: the cut where equal bells cross."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.thresholds.common import two_species
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.shown import number
from dtree_lab.widgets.threshold import model as threshold_text
from dtree_lab.widgets.threshold.state import State as Cutting
from dtree_lab.widgets.threshold.state import start

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


HALF_WAY = Exercise(
    id="thresholds/half-way",
    title="The cut where equal bells cross",
    points=3,
    answer="bells_lab",
    task=Do(
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
    mistakes=(
        Mistake(
            _at(equal=False, priors="equal"),
            "Each class still has a variance of its own. There is a box to tick above the curves.",
            when=when(lambda state: not state.equal, 0),
        ),
        Mistake(
            _at(equal=True, priors="rows"),
            "The priors are still the shares of the rows, so the crossing has moved towards the"
            " rarer species. Where would it be if both were equally frequent?",
            when=when(lambda state: state.priors != "equal", 1),
        ),
        Mistake(
            _at(equal=True, priors="equal", cut=_best()),
            "The cut stands where the *gain* is highest. That is counted from rows; asked for is"
            " where the two curves meet.",
            when=when(lambda state: _beside(state) and abs(state.cut - _best()) < _NEAR, 2),
        ),
        Mistake(
            _at(equal=True, priors="equal", cut=_begun().cut),
            "The cut does not stand where the curves cross. Look at *Cuts compared*: a crossing"
            " there can be chosen with one click.",
            when=when(lambda state: _beside(state) and abs(state.cut - _best()) >= _NEAR, 2),
        ),
        Mistake(
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
            "τ has been moved: put its slider back to the middle, where τ = 1.",
            when=when(lambda state: state.log_tau != 0, 2),
        ),
    ),
    more="Tick the box for one variance, choose the same prior, and read off under *Where the"
    " winner changes* where that is. It can be computed in the head from the two means.",
    solution="""bells_lab = dt.ThresholdLab(pair)
bells_lab.act({"do": "set", "control": "equal", "value": True})
bells_lab.act({"do": "set", "control": "priors", "value": "equal"})
bells_lab.act({"do": "set", "control": "cut", "value": bells_lab.fit.crossings[0]})
""",
    why="With one variance, the same prior and τ = 1 the logarithm in the formula is 0, so the"
    " crossing is half-way between the means: (38.824 + 48.834) / 2 = 43.829.",
)
