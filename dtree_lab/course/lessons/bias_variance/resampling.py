"""The resampling loop: trees from many samples, and what each says of a few rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import generators, stops

Row = dict[str, float]


@dataclass(frozen=True)
class FlatLevel:
    """What a tree is to this exercise: something that predicts."""

    height: float

    def predict(self, row: Row) -> float:
        """Its height, and what the row brings along."""
        return self.height + row["x"]


def grow(rows: list[float]) -> FlatLevel:
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


_PAGE = page(__file__, "resample")
_SEVERAL, _FEW = "several trees", "one tree alone, or two"
_MANY = 3


def _case(draw: Draws, x: float, times: int) -> Case:
    args = (draw, grow, {"x": x}, times)
    return Case(
        args,
        (_PAGE.right()(*args),),
        f"draw, grow, {{'x': {x}}}, {times}",
        behaviour=_FEW if times < _MANY else _SEVERAL,
    )


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(
        _case(
            Draws(int(rng.integers(2, 9)), int(rng.integers(2, 6))),
            int(rng.integers(1, 9)),
            n,
        )
        for n in (1, 2, 5, 8)
    )


RESAMPLE = _PAGE.exercise(
    Code(
        "predictions_of",
        (
            _case(Draws(1, 3), 0.5, 4),
            _case(Draws(2, 2), 10, 3),
            _case(Draws(1, 5), 0, 6),
            _case(Draws(3, 2), 1, 1),
            _case(Draws(4, 3), 2, 2),
        ),
        fresh=_fresh,
    ),
    seen={
        "generator": generators,
        "over a number": stops("TypeError", "'int' object is not iterable"),
        "no seed": stops("TypeError", "argument: 'seed'"),
        "no tree": stops("AttributeError", "attribute 'predict'"),
        "no rows": stops("TypeError", "'Draws'"),
        "lost": stops("AttributeError", "attribute 'append'"),
    },
)
