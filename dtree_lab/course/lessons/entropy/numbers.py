"""Entropies and gains as numbers, and a point on the curve."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Any

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.pages import Page, page
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.datasets import tax_fraud
from dtree_lab.labs.entropy.model import dump, load, update
from dtree_lab.labs.entropy.state import State, start
from dtree_lab.labs.kit.actions import Set

_LABELS, _ANSWERS = page(__file__, "three-labels"), page(__file__, "three-answers")
# How far apart two wrong numbers must be, so that each gets its own hint.
_APART = 0.004


def drawn_heaps(rng: np.random.Generator, n_heaps: int, n_labels: int) -> list[list[int]]:
    """Heaps by chance, none of them empty."""
    heaps = rng.integers(0, 9, (n_heaps, n_labels))
    heaps[:, 0] += heaps.sum(axis=1) == 0
    found: list[list[int]] = heaps.tolist()
    return found


_WITHIN = 0.01


def _height(state: State) -> float:
    return entropy_of([state.p, 1 - state.p])


def _placed(p: float) -> str:
    """The lab's state with the point somewhere."""
    return dump(update(start(tax_fraud()), Set("p", p)))


def _at(state: State, *places: float) -> bool:
    return any(abs(state.p - place) < 1e-3 for place in places)  # noqa: PLR2004


HALF_A_BIT = page(__file__, "half-a-bit").exercise(
    Do(
        lambda text: load(text, tax_fraud()),
        (
            Goal(
                lambda state: abs(_height(state) - 1 / 2) <= _WITHIN,
                lambda state: f"at p = {state.p:.3g} the entropy is {_height(state):.3f} bits",
                f"half a bit, to within {_WITHIN}",
            ),
        ),
        blank=lambda state: state.p == start(tax_fraud()).p,
    ),
    seen={
        "half way": Mistake(
            _placed(1 / 4),
            when=when(lambda state: _at(state, 1 / 4, 3 / 4), 0),
        ),
        "one half": Mistake(
            _placed(1 / 2),
            when=when(lambda state: _at(state, 1 / 2), 0),
        ),
        "an end": Mistake(
            _placed(0),
            when=when(lambda state: _at(state, 0, 1), 0),
        ),
        "too uncertain": Mistake(
            _placed(0.2),
            when=when(
                lambda state: _height(state) > 1 / 2 + _WITHIN and not _at(state, 1 / 4, 1 / 2),
                0,
            ),
        ),
        "too certain": Mistake(
            _placed(0.05),
            when=when(lambda state: _height(state) < 1 / 2 - _WITHIN and not _at(state, 0, 1), 0),
        ),
    },
)


_ROUNDING = 0.006  # what a number with two decimals may be off by, and a little more
_FEWEST, _MOST, _A_POWER = 12, 20, 16


def _apart(one: Page, **data: Any) -> bool:
    """Whether no two answers, right or wrong, could be taken for each other."""
    numbers = sorted([one.right(**data), *one.wrongs(**data)])
    return all(b - a > _APART for a, b in pairwise(numbers))


def _near(want: float) -> Callable[[tuple[Outcome, ...]], Collection[int]]:
    """Recognises what is too far off, and so near that something will have been rounded."""

    def near(outcomes: tuple[Outcome, ...]) -> list[int]:
        is_near = outcomes[0].kind == "number" and abs(outcomes[0].value - want) <= _ROUNDING
        return [0] if is_near else []

    return near


def _fit(counts: list[int]) -> bool:
    """Three different counts, of so many rows that no share is a power of 1/2."""
    rows = sum(counts)
    if len(set(counts)) < len(counts) or not _FEWEST <= rows <= _MOST or rows == _A_POWER:
        return False
    return _apart(_LABELS, counts=counts)


def _three_labels(rng: np.random.Generator) -> Exercise:
    counts = drawn_until("entropy/three-labels", lambda: rng.integers(1, 10, 3).tolist(), _fit)
    seen = {"very near": _near(_LABELS.right(counts=counts))}
    return _LABELS.exercise(shown=counts, seen=seen, counts=counts)


THREE_LABELS = personal(_three_labels)


def _fit_heaps(heaps: dict[str, tuple[int, int]]) -> bool:
    """Heaps of different sizes, exactly one of them pure, and none half and half."""
    counts = heaps.values()
    sizes = {yes + no for yes, no in counts}
    if len(sizes) < len(heaps) or min(sizes) < 2 or sum(0 in heap for heap in counts) != 1:  # noqa: PLR2004
        return False
    if any(yes == no for yes, no in counts) or len(set(map(sum, zip(*counts, strict=True)))) == 1:
        return False
    return _apart(_ANSWERS, heaps=heaps)


def _three_answers(rng: np.random.Generator) -> Exercise:
    heaps = drawn_until(
        "entropy/three-answers",
        lambda: dict(zip("abc", map(tuple, rng.integers(0, 8, (3, 2)).tolist()), strict=True)),
        _fit_heaps,
    )
    seen = {"very near": _near(_ANSWERS.right(heaps=heaps))}
    return _ANSWERS.exercise(shown=heaps, seen=seen, heaps=heaps)


THREE_ANSWERS = personal(_three_answers)
