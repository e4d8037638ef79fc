"""Where two bell curves cross: a number, a function, and in the lab."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from dtree_lab.base.text import number
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.thresholds.candidates import two_species
from dtree_lab.course.tasks import Case, Code, Do, Goal, Number, when
from dtree_lab.course.tasks.code import stops
from dtree_lab.labs.threshold import model as threshold_text
from dtree_lab.labs.threshold.state import State as Cutting
from dtree_lab.labs.threshold.state import start


def _log_ratio(x: float, plus: float, minus: float, variance: float, p: float) -> float:
    """The natural logarithm of the likelihood ratio with priors."""
    return math.log(p / (1 - p)) + ((x - minus) ** 2 - (x - plus) ** 2) / (2 * variance)


def crossing(plus: float, minus: float, variance: float, p: float, tau: float = 1.0) -> float:
    """Where the ratio is tau, by halving an interval: apart from the formula of the lesson."""
    up = plus > minus
    low, high = -1e6, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        more = _log_ratio(middle, plus, minus, variance, p) > math.log(tau)
        low, high = (low, middle) if more == up else (middle, high)
    return (low + high) / 2


_ROWS = ((5, 15), (4, 16), (15, 5), (16, 4), (6, 24), (24, 6))


def _slips(data: dict[str, int]) -> tuple[Mistake, ...]:
    plus, minus, variance = data["mean_plus"], data["mean_minus"], data["variance"]
    more, fewer = data["rows_plus"], data["rows_minus"]
    middle, apart = (plus + minus) / 2, plus - minus
    log = math.log(fewer / more)
    return (
        Mistake(middle, "That is half-way between the means: right for equal priors."),
        Mistake(
            middle - variance / apart * log,
            "The step goes the wrong way. Which class is rarer, and which way should the crossing"
            " move so that it gets the smaller part of the line?",
        ),
        Mistake(
            middle + variance / apart * math.log2(fewer / more),
            "That is with a logarithm of base 2. A bell curve is made with e, so here it is the"
            " natural one, ``math.log``.",
        ),
        Mistake(
            middle + math.sqrt(variance) / apart * log,
            "That is with the standard deviation, its square root. What stands in the formula is"
            " the variance itself.",
        ),
        Mistake(
            middle + variance**2 / apart * log,
            "The variance was squared once more. In the formula σ² *is* the variance.",
        ),
        Mistake(
            middle + variance / apart * log / math.log(10),
            "That is with a logarithm of base 10. A bell curve is made with e, so here it is the"
            " natural one, ``math.log``.",
        ),
        Mistake(
            middle + variance / (2 * apart) * log,
            "The step is half as long as it should be. The 2 below σ² went when we solved for x:"
            " there was a 2 before x, too.",
        ),
        Mistake(
            variance / apart * log,
            "That is the step alone. From where is it taken?",
        ),
        Mistake(
            plus + minus + variance / apart * log,
            "The step is right, and it starts at the sum of the means. Where is half-way?",
        ),
        Mistake(middle + variance / apart * math.log(fewer / (more + fewer)), _ONE_PRIOR),
        Mistake(middle + variance / apart * math.log(more / (more + fewer)), _ONE_PRIOR),
        Mistake(
            middle + variance * log,
            "The step was not divided by the distance between the means.",
        ),
        Mistake(
            middle + variance / apart * (fewer / more),
            "That is with the ratio of the priors as it is. What became of it when we took"
            " logarithms?",
        ),
        Mistake(
            (plus * more + minus * fewer) / (more + fewer),
            "That is the mean of all rows. The crossing starts half-way between the two means,"
            " however many rows each has, and moves from there.",
        ),
    )


_ONE_PRIOR = (
    "That is with the logarithm of one prior alone. In the formula one prior is divided by the"
    " other."
)


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


def _apart(data: dict[str, int]) -> bool:
    answers = [_right(data), *(slip.wrong for slip in _slips(data))]
    return all(abs(a - b) > 0.05 for i, a in enumerate(answers) for b in answers[:i])  # noqa: PLR2004


def _right(data: dict[str, int]) -> float:
    share = data["rows_plus"] / (data["rows_plus"] + data["rows_minus"])
    return crossing(data["mean_plus"], data["mean_minus"], data["variance"], share)


def _by_hand(rng: np.random.Generator) -> Exercise:
    data = drawn_until("thresholds/crossing", lambda: _drawn(rng), _apart)
    return Exercise(
        id="thresholds/crossing",
        title="Where your bells cross",
        points=2,
        heading="your crossing",
        text=r"""The two classes of a column of yours, with their means, the variance that they
share, and their rows. Where do the bells cross, with $\tau = 1$? (The answer may be off by 0.01.)

```python
bells = dt.course.data("thresholds/crossing", me)
bells
```""",
        stub="my_theta = ...",
        answer="my_theta",
        task=Number(_right(data), 0.01),
        mistakes=_slips(data),
        more="The priors are the shares of the rows, and in their ratio the total cancels. With"
        " τ = 1 the logarithm is that of rows_minus over rows_plus.",
        solution="""half = (bells["mean_plus"] + bells["mean_minus"]) / 2
apart = bells["mean_plus"] - bells["mean_minus"]
my_theta = half + bells["variance"] / apart * math.log(bells["rows_minus"] / bells["rows_plus"])
""",
        why="Half-way between the means, and a step towards the mean of the rarer class: the more"
        " the classes overlap, the longer the step.",
        data=data,
    )


CROSSING = personal(_by_hand)


def _wrong(
    step: Callable[[float, float, float, float, float], float],
) -> Callable[..., float]:
    """A function that goes half-way and then makes a wrong step of its own."""

    def function(
        mu_plus: float, mu_minus: float, variance: float, p_plus: float, tau: float = 1
    ) -> float:
        return (mu_plus + mu_minus) / 2 + step(
            mu_plus - mu_minus, variance, p_plus, 1 - p_plus, tau
        )

    return function


def _instead_of_half_way(
    start: Callable[[float, float], float],
) -> Callable[..., float]:
    """A function that makes the right step, and not from half-way."""

    def function(
        mu_plus: float, mu_minus: float, variance: float, p_plus: float, tau: float = 1
    ) -> float:
        step = variance / (mu_plus - mu_minus) * math.log(tau * (1 - p_plus) / p_plus)
        return start(mu_plus, mu_minus) + step

    return function


_PRIORS, _SIDES, _TAU = "the priors", "which class has the larger mean", "τ"


def _case(behaviour: str, *args: float) -> Case:
    return Case(args, (crossing(*args),), behaviour=behaviour)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = []
    for behaviour, taus in ((_PRIORS, [1]), (_SIDES, [1]), (_TAU, [0.5, 4]), (_TAU, [2, 3])):
        minus, plus = sorted(rng.choice(range(10, 60), 2, replace=False).tolist())
        if behaviour == _SIDES:
            minus, plus = plus, minus
        tau, p_plus = float(rng.choice(taus)), float(rng.choice([0.2, 0.6]))
        drawn.append(_case(behaviour, plus, minus, int(rng.integers(4, 50)), p_plus, tau))
    return tuple(drawn)


_ALL_ROWS = (
    "That weighs the two means by the priors. The crossing starts half-way between them, and its"
    " step needs the variance, too."
)
_no_brackets = stops("ValueError", "math domain")


GAUSSIAN = Exercise(
    id="thresholds/gaussian",
    title="The crossing as a function",
    points=3,
    heading="the crossing as a function",
    text="""Write `gaussian_threshold(mu_plus, mu_minus, variance, p_plus, tau=1)`, where `p_plus`
is $P(+)$. It returns θ. (The means are never equal here: such bells would not cross.)""",
    stub="""def gaussian_threshold(mu_plus, mu_minus, variance, p_plus, tau=1):
    # your lines, in place of the dots
    ...""",
    answer="gaussian_threshold",
    task=Code(
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
    mistakes=(
        Mistake(_wrong(lambda *_: 0.0), "It always goes half-way. Priors and τ move the crossing."),
        Mistake(
            _wrong(lambda d, v, p, q, _: v / d * math.log(q / p)),
            "It leaves τ out. What does a τ of 3 ask for, before the answer is plus?",
        ),
        Mistake(
            _wrong(lambda d, v, _p, _q, t: v / d * math.log(t)),
            "It leaves the priors out: with different priors it still goes half-way.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: -v / d * math.log(t * q / p)),
            "The step goes the wrong way: with a rare plus, the side of plus should get smaller.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * math.log(q / p / t)),
            "The priors are right, and τ works backwards: a larger τ must make plus rarer.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / abs(d) * math.log(t * q / p)),
            "It is right where plus has the larger mean, and wrong where it has the smaller one."
            " The sign of the distance matters.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: math.sqrt(v) / d * math.log(t * q / p)),
            "It takes the root of the variance. The function is given σ² already.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v**2 / d * math.log(t * q / p)),
            "It squares the variance, which is σ² already.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * math.log2(t * q / p)),
            "That is a logarithm of base 2. A bell is made with e: take the natural one.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * math.log10(t * q / p)),
            "That is a logarithm of base 10. A bell is made with e: take the natural one.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * math.log(t * p / q)),
            "τ is right, and the priors are upside down: with a rare plus, the side of plus should"
            " get smaller.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * t * math.log(q / p)),
            "τ stands before the logarithm. In the formula it stands inside.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * t * q / p),
            "The logarithm is missing: with equal priors and τ = 1 there should be no step at all.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / (2 * d) * math.log(t * q / p)),
            "The step is half as long as it should be. The 2 below σ² went when we solved for x:"
            " there was a 2 before x, too.",
        ),
        Mistake(
            _wrong(lambda _, v, p, q, t: v * math.log(t * q / p)),
            "The step is not divided by the distance between the means.",
        ),
        Mistake(
            _wrong(lambda d, v, _p, _q, t: v / d * math.log(t * 7 / 3)),
            "It takes 7/3, the priors of the ten incomes, for everybody. Here ``p_plus`` says what"
            " they are.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d**2 * math.log(t * q / p)),
            "The distance between the means is squared. In the formula it stands as it is.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: 2 * v / d * math.log(t * q / p)),
            "The step is twice as long as it should be. The 2 below σ² went when we solved for x.",
        ),
        Mistake(
            _wrong(lambda d, v, p, _q, t: v / d * math.log(t * 1 - p / p)),
            "Look at the order of the operations: ``1 - p_plus`` needs brackets before it is"
            " multiplied or divided.",
            when=_no_brackets,
        ),
        Mistake(
            lambda a, b, _v, p, _t=1: a * p + b * (1 - p),
            _ALL_ROWS,
        ),
        Mistake(
            lambda a, b, _v, p, _t=1: a * (1 - p) + b * p,
            _ALL_ROWS,
        ),
        Mistake(
            _instead_of_half_way(lambda a, b: (a - b) / 2),
            "It starts from half the distance between the means. Half-way is half their sum.",
        ),
        Mistake(
            _instead_of_half_way(lambda a, b: a + b / 2),
            "Look at the order of the operations: without brackets only the second mean is halved.",
        ),
        Mistake(
            _instead_of_half_way(lambda *_: 0.0), "That is the step alone. Where does it start?"
        ),
        Mistake(
            _wrong(lambda d, v, p, _q, t: v / d * math.log(t / p)),
            "One prior is missing: P(+) is given, and what is P(-) then?",
        ),
    ),
    more="Two terms: half the sum of the means, and the"
    " variance over their difference times ``math.log`` of a ratio with τ and both priors.",
    solution="""def gaussian_threshold(mu_plus, mu_minus, variance, p_plus, tau=1):
    step = variance / (mu_plus - mu_minus) * math.log(tau * (1 - p_plus) / p_plus)
    return (mu_plus + mu_minus) / 2 + step
""",
    why="With equal variances the logarithm of the ratio is a straight line in x, so it crosses"
    " ln τ exactly once (unless the means are equal: then the line is level).",
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


HALF_WAY = Exercise(
    id="thresholds/half-way",
    title="The cut where equal bells cross",
    points=3,
    heading="half-way",
    text="""Two species, one attribute. In this lab give both classes **one variance** and **the
same prior**, and put the cut **where the curves cross** (0.1 either way). Before you look: where
must that be?

```python
pair = dt.Table.from_columns(
    {bill: small.column(bill), "species": small.column("species")}, target="species"
)
```""",
    stub="""bells_lab = dt.ThresholdLab(pair)
bells_lab""",
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
