"""The parts of the 0-1 loss, and the noise at a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dtree_lab.course.exercise import Exercise, drawn_until, personal
from dtree_lab.course.lessons.bias_variance.parts import TOLERANCE, part_cases
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

Labels = list[str]

_ZERO_ONE = page(__file__, "zero-one")
_PARTS = {
    "the bias": "the first of three",
    "the variance": "the second of three",
    "the error": "the third of three",
}


def _cases(said: Labels, truth: str) -> tuple[Case, ...]:
    """Each of the three numbers for itself."""
    # In a tie the solution takes the class that comes first: let each come first.
    orders = [sorted(said, key=label.__ne__) for label in dict.fromkeys(said)]
    wants = tuple(dict.fromkeys(_ZERO_ONE.right()(order, truth) for order in orders))
    return part_cases((said, truth), wants, _PARTS, via=_in_numbers)


def _in_numbers(zero_one: Callable[[Labels, str], Any], said: Labels, truth: str) -> Any:
    """What a function returns, with 0 or 1 for a truth value: for the bias it is as good."""
    given = zero_one(said, truth)
    if not isinstance(given, tuple | list):
        return given
    return [int(one) if isinstance(one, bool | np.bool_) else one for one in given]


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    labels = ("above", "below", "beside")
    drawn = [[str(one) for one in rng.choice(labels, size=n)] for n in (5, 8, 9, 12)]
    return tuple(case for said in drawn for case in _cases(said, str(rng.choice(labels))))


ZERO_ONE = _ZERO_ONE.exercise(
    Code(
        "zero_one",
        (
            *_cases(["above"] * 7 + ["below"] * 3, "above"),
            *_cases(["below"] * 7 + ["above"] * 3, "above"),
            *_cases(["above"] * 4, "above"),
            *_cases(["below"] * 4, "above"),
            *_cases(["run1", "run2", "run2", "run3"], "run1"),
            *_cases(["yes", "yes", "yes", "no", "maybe"], "no"),
            # A tie, in which a mistake shows alike whichever class is taken for the main one.
            *_cases(["run1", "run2", "run1", "run2"], "run3"),
        ),
        tolerance=TOLERANCE,
        fresh=_fresh,
    )
)


_NOISY = page(__file__, "noisy-row")


def _noisy_drawn(rng: np.random.Generator) -> dict[str, float]:
    right, turned = 5 * int(rng.integers(11, 19)), 2 * int(rng.integers(2, 16))
    return {"say the right class": right / 100, "labels turned over": turned / 100}


def _noisy_row(rng: np.random.Generator) -> Exercise:
    row = drawn_until(
        "bias-variance/noisy-row",
        lambda: _noisy_drawn(rng),
        lambda row: _NOISY.apart(noisy_row=row) >= 0.005,  # noqa: PLR2004
    )
    return _NOISY.exercise(shown=row, noisy_row=row)


NOISY_ROW = personal(_noisy_row)
