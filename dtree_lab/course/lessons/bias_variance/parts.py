"""The parts of an error at one row: of numbers and of classes, and from many training sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case
from dtree_lab.course.tasks.code import alike

Row = dict[str, float]
Labels = list[str]
_TOLERANCE = 0.001


# -- several numbers at once ----------------------------------------------------------------------


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


def _fresh_squared(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Case] = []
    for n in (1, 2, 5, 9):
        predictions = [round(float(y), 2) for y in rng.normal(3, 2, size=n)]
        drawn += _squared_cases(predictions, float(rng.integers(-5, 9)))
    return tuple(drawn)


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


# -- trees from many training sets ----------------------------------------------------------------


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
    return Case(
        args,
        (_RESAMPLE.right()(*args),),
        f"draw, grow, {{'x': {x}}}, {times}",
        behaviour="one tree alone, or two" if times < _MANY else "several trees",
    )


def _fresh_draws(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in (1, 2, 5, 8):
        step, n_rows, x = rng.integers((2, 2, 1), (9, 6, 9)).tolist()
        cases.append(_resample_case(step, n_rows, x, n))
    return tuple(cases)


RESAMPLE = _RESAMPLE.function(_resample_case, _fresh_draws)
