"""The parts of an error at one row, trees from many training sets, and where bagging is best."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Goal
from dtree_lab.course.tasks.code import alike
from dtree_lab.course.tasks.do import at_least, misses
from dtree_lab.labs.biasvariance import model
from dtree_lab.labs.biasvariance.model import State, start, work
from dtree_lab.labs.biasvariance.trial import DEPTHS

Row = dict[str, float]
Labels = list[str]
_TOLERANCE = 0.001


def _part_cases(
    args: tuple[Any, ...], wants: tuple[Any, ...], parts: dict[str, str], **more: Any
) -> tuple[Case, ...]:
    """A case for each of several numbers: who has one of them right is paid for it."""
    return tuple(
        Case(
            args,
            wants,
            holds=_part_is(i, wants),
            wanted=" or ".join(dict.fromkeys(f"{want[i]:.4g}" for want in wants)) + f" as {place}",
            behaviour=behaviour,
            **more,
        )
        for i, (behaviour, place) in enumerate(parts.items())
    )


def _part_is(i: int, wants: tuple[Any, ...]) -> Callable[[Any], bool]:
    def holds(given: Any) -> bool:
        fits = isinstance(given, tuple) and any(len(given) == len(want) for want in wants)
        return fits and any(alike(given[i], want[i], _TOLERANCE) for want in wants)

    return holds


_SQUARED = page(__file__, "squared")
_TWO = {"the squared bias": "the first of two", "the variance": "the second of two"}


def _squared_cases(predictions: list[float], truth: float) -> tuple[Case, ...]:
    return _part_cases((predictions, truth), (_SQUARED.right()(predictions, truth),), _TWO)


def _fresh_squared(rng: np.random.Generator) -> Iterator[Case]:
    for n in (1, 2, 5, 9):
        predictions = [round(float(y), 2) for y in rng.normal(3, 2, size=n)]
        yield from _squared_cases(predictions, float(rng.integers(-5, 9)))


def _one_less(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases whose variance is divided by one less; with one prediction alone that is 0/0."""
    found = []
    # A line makes two cases, one for each number, with the same outcome.
    given = [args for args in _SQUARED.cases for _ in _TWO]
    for i, (args, outcome) in enumerate(zip(given, outcomes, strict=False)):
        n, (_, variance) = len(args[0]), _SQUARED.right()(*args)
        too_much = variance * n / max(n - 1, 1)
        several = isinstance(outcome.value, tuple) and len(outcome.value) > 1
        if several and too_much > variance and alike(outcome.value[1], too_much, 1e-6):
            found.append(i)
    return found if len(found) > len(given) / 2 else []


SQUARED = _SQUARED.function(_squared_cases, _fresh_squared, {"one less": _one_less})


_ZERO_ONE = page(__file__, "zero-one")
_THREE = {
    "the bias": "the first of three",
    "the variance": "the second of three",
    "the error": "the third of three",
}


def _class_cases(predictions: Labels, truth: str) -> tuple[Case, ...]:
    """Each of the three numbers for itself."""
    # In a tie the solution takes the class that comes first: let each come first.
    orders = [sorted(predictions, key=label.__ne__) for label in dict.fromkeys(predictions)]
    wants = tuple(dict.fromkeys(_ZERO_ONE.right()(order, truth) for order in orders))
    return _part_cases((predictions, truth), wants, _THREE, via=_in_numbers)


def _in_numbers(zero_one: Callable[[Labels, str], Any], predictions: Labels, truth: str) -> Any:
    """What a function returns, with 0 or 1 for a truth value: for the bias it is as good."""
    given = zero_one(predictions, truth)
    if not isinstance(given, tuple | list):
        return given
    return [int(one) if isinstance(one, bool | np.bool_) else one for one in given]


def _fresh_classes(rng: np.random.Generator) -> tuple[Case, ...]:
    labels = ("above", "below", "beside")
    drawn = [[str(one) for one in rng.choice(labels, size=n)] for n in (5, 8, 9, 12)]
    return tuple(case for some in drawn for case in _class_cases(some, str(rng.choice(labels))))


ZERO_ONE = _ZERO_ONE.function(_class_cases, _fresh_classes)


@dataclass(frozen=True)
class FlatLevel:
    """What a tree is to this exercise: something that predicts."""

    height: float

    def predict(self, row: Row) -> float:
        """Its height, and what the row brings along."""
        return self.height + row["x"]


def _grow(rows: list[float]) -> FlatLevel:
    """A level as high as the mean of some rows."""
    return FlatLevel(sum(rows) / len(rows))


@dataclass(frozen=True)
class Draws:
    """A population of numbers, of which each seed draws others."""

    step: float
    n_rows: int

    def __call__(self, seed: int) -> list[float]:
        """The rows of a seed."""
        # Neither in order nor all different: a set, or a sorted list, of what is said shows.
        return [self.step * (seed - 2) ** 2 + i * seed // 2 for i in range(self.n_rows)]


_RESAMPLE = page(__file__, "resample")
_MANY = 3


def _resample_case(step: float, n_rows: int, x: float, times: int) -> Case:
    args = (Draws(step, n_rows), _grow, {"x": x}, times)
    shows = "one tree alone, or two" if times < _MANY else "several trees"
    return _RESAMPLE.case(shows, *args, says=f"draw, grow, {{'x': {x}}}, {times}")


def _fresh_draws(rng: np.random.Generator) -> Iterator[Case]:
    for n in (1, 2, 5, 8):
        step, n_rows, x = rng.integers((2, 2, 1), (9, 6, 9)).tolist()
        yield _resample_case(step, n_rows, x, n)


RESAMPLE = _RESAMPLE.function(_resample_case, _fresh_draws)


_DEEP, _SETS = 6, 30
_BAG_DEEP, _BAG_SETS = 8, 20
_CLOSE = 1e-9


def load(state: str) -> State:
    """The lab's state, of a population of the course."""
    return model.load(state, None)


def at(**settings: object) -> str:
    """The state's text of a lab with some settings."""
    return model.dump(start(None, settings))


def as_given(**settings: object) -> Callable[[State], bool]:
    """Whether the lab is as it was handed out, with some settings."""
    return lambda state: state.settings == start(None, settings).settings


def sets_at_least(sets: int) -> Goal[State]:
    """So many training sets are wanted."""
    return at_least(sets, lambda state: state.settings.resamples, "training sets: {}")


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
        blank=as_given(source="sine", resamples=_SETS),
    ),
    seen={
        "noise": misses(at(source="sine", depth=6, noise=0.3, n_rows=500), _noisy, 0, 1),
        "few rows": misses(
            at(source="sine", depth=6, noise=0.08, n_rows=20),
            lambda s: _deepest_best(s) < _DEEP and not _noisy(s),
            0,
            1,
        ),
        "elsewhere": misses(
            at(source="sine", depth=3, noise=0.0, n_rows=400),
            lambda s: _deepest_best(s) >= _DEEP and not _stands_there(s),
            1,
        ),
        "few sets": misses(
            at(source="sine", depth=10, noise=0.0, n_rows=400, resamples=10),
            lambda state: state.settings.resamples < _SETS,
            2,
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
        blank=as_given(source="sine", resamples=_BAG_SETS),
    ),
    seen={
        "off": misses(
            at(source="wave", depth=8, resamples=20, bagging=False),
            lambda state: not state.settings.bagging,
            0,
        ),
        "shallow": misses(
            at(source="wave", depth=3, resamples=20, bagging=True),
            lambda state: state.settings.depth < _BAG_DEEP,
            1,
            3,
        ),
        "few sets": misses(
            at(source="wave", depth=8, resamples=5, bagging=True),
            lambda state: state.settings.resamples < _BAG_SETS,
            2,
        ),
        "little to win": misses(
            at(source="sine", depth=8, resamples=20, bagging=True),
            lambda s: s.settings.depth >= _BAG_DEEP and not _gains(s),
            3,
        ),
    },
)
