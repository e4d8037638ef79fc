"""What lesson 8 says of regression trees on drawn rows, over twenty draws."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import dtree_lab as dt
from claims.harness import claim

WAVE = dt.populations.sine(noise=0.3)
PAIR = [["Adelie", "Chinstrap"], ["Gentoo"]]


@cache
def grown(seed: int) -> dict[int, float]:
    """The error on new rows of trees with so many leaves."""
    training, withheld = WAVE.sample(100, seed=2 * seed), WAVE.sample(1000, seed=2 * seed + 1)
    sizes = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 40, 60, 80, 100)
    return {k: dt.cart(training, max_leaves=k).error(withheld) for k in sizes}


@cache
def penguins(seed: int) -> tuple[dt.Table, dt.Table]:
    """The known penguins and the withheld ones, for body mass."""
    measured = dt.datasets.penguins("drop")
    birds = {name: measured.column(name) for name in (*measured.names, "species")}
    known, unseen = dt.evaluate.holdout(dt.Table.from_columns(birds, "body_mass_g"), seed=seed)
    return known, unseen


def off(one: Any, rows: dt.Table) -> float:
    """The root of the mean squared error, in grams."""
    return math.sqrt(one.error(rows))


@claim("regression/fully-grown", "Where is the fully grown tree", true=200)
def fully_grown(seed: int) -> bool:
    """Well above the noise, 0.09: by half at least."""
    return grown(seed)[100] > 1.5 * 0.09


@claim(
    "regression/withheld-curve",
    "it falls from 0.194 with 2 leaves to 0.112 with 12, then rises",
    true=200,
)
def withheld_curve(seed: int) -> bool:
    """On new rows a tree of some size between is better than both ends."""
    errors = grown(seed)
    return min(errors.values()) < min(errors[2], errors[100])


@claim("regression/eight-leaves", "80 leaves are clearly too many", true=200)
def eighty(seed: int) -> bool:
    """Worse on the withheld penguins than 8."""
    known, unseen = penguins(seed)
    return off(dt.cart(known, max_leaves=80), unseen) > off(dt.cart(known, max_leaves=8), unseen)


@claim("regression/eight-leaves-level", "Around the best size the error changes little", true=199)
def level(seed: int) -> bool:
    """From 4 leaves to 8 it changes by less than a fifth."""
    known, unseen = penguins(seed)
    four, eight = (off(dt.cart(known, max_leaves=k), unseen) for k in (4, 8))
    return abs(four - eight) < 0.2 * four


@claim("regression/better", "with other birds withheld they are better four times in ten", true=85)
def eight_are_better(seed: int) -> bool:
    """Than four, on the withheld penguins."""
    known, unseen = penguins(seed)
    four, eight = (off(dt.cart(known, max_leaves=k), unseen) for k in (4, 8))
    return eight < four


@claim("regression/lines", "Lines in the leaves help", true=196)
def lines(seed: int) -> bool:
    """Four leaves with lines are nearer than four with means."""
    known, unseen = penguins(seed)
    return off(dt.cart(known, max_leaves=4, leaf="line"), unseen) < off(
        dt.cart(known, max_leaves=4), unseen
    )


@claim("regression/no-order", "**classes have no order.**", true=193)
def no_order(seed: int) -> bool:
    """Four leaves by variance are nearer than four by bits on grouped masses."""
    known, unseen = penguins(seed)
    groups = dt.grouped(known, width=500)
    by_bits = dt.cart(groups.table, criterion="entropy", max_leaves=4)
    return groups.error(by_bits, unseen) > dt.cart(known, max_leaves=4).error(unseen)
