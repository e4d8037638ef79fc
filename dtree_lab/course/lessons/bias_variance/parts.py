"""Bias and variance at one row, in numbers and as a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, drawn_until, personal
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import alike, stops

_FIVE = page(__file__, "five-trees")
_TREES = 5


def _five_drawn(rng: np.random.Generator) -> dict[str, Any]:
    off = [int(d) for d in rng.integers(-4, 5, size=_TREES - 1)]
    off.append(-sum(off))
    best, noise = int(rng.integers(10, 20)), int(rng.integers(2, 6))
    bias = int(rng.choice([-3, -2, 2, 3]))
    answers = [best + bias + d for d in off]
    return {"predictions": answers, "best answer": best, "noise variance": noise}


def _five_fit(one_row: dict[str, Any]) -> bool:
    answers = one_row["predictions"]
    mean = sum(answers) / _TREES
    squares = sum((y - mean) ** 2 for y in answers)
    # The last, which makes up for the others, is no further off than they can be.
    fits = abs(answers[-1] - mean) <= 4 and squares >= 2 * _TREES  # noqa: PLR2004
    return fits and round(_FIVE.apart(one_row=one_row), 6) >= 0.1  # noqa: PLR2004


def _five_trees(rng: np.random.Generator) -> Exercise:
    row = drawn_until("bias-variance/five-trees", lambda: _five_drawn(rng), _five_fit)
    return _FIVE.exercise(shown=row, one_row=row)


FIVE_TREES = personal(_five_trees)


TOLERANCE = 0.001


def part_cases(
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
        return fits and any(alike(given[i], want[i], TOLERANCE) for want in wants)

    return holds


_SQUARED = page(__file__, "squared")
_PARTS = {"the squared bias": "the first of two", "the variance": "the second of two"}


def _cases(said: list[float], truth: float) -> tuple[Case, ...]:
    return part_cases((said, truth), (_SQUARED.right()(said, truth),), _PARTS)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Case] = []
    for n in (1, 2, 5, 9):
        said = [round(float(y), 2) for y in rng.normal(3, 2, size=n)]
        drawn += _cases(said, float(rng.integers(-5, 9)))
    return tuple(drawn)


_CASES = (
    *_cases([3, 5], 4),
    *_cases([1, 1, 1], 4),
    *_cases([2, 4, 9], 3),
    *_cases([7], 7),
    *_cases([0.5, 1.5, 2.5, 3.5], 1),
    *_cases([-1, -3], 2),
    *_cases([2, 3], 0),  # a mean that is no whole number
)


def _one_less(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases whose variance is divided by one less; with one prediction alone that is 0/0."""
    found = []
    for i, (case, outcome) in enumerate(zip(_CASES, outcomes, strict=False)):
        n, (_, variance) = len(case.args[0]), case.wants[0]
        too_much = variance * n / max(n - 1, 1)
        several = isinstance(outcome.value, tuple) and len(outcome.value) > 1
        if several and too_much > variance and alike(outcome.value[1], too_much, 1e-6):
            found.append(i)
    return found if len(found) > len(_CASES) / 2 else []


SQUARED = _SQUARED.exercise(
    Code("bias_variance", _CASES, tolerance=TOLERANCE, fresh=_fresh),
    seen={"one less": _one_less, "a hat": stops("TypeError", "for ^")},
)
