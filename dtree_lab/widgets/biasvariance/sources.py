"""Where the lab's training sets come from, and what can be said of each source."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dtree_lab.learn.chance import key_of
from dtree_lab.learn.ready import check_table
from dtree_lab.populations import (
    Curve,
    Finite,
    Plane,
    Population,
    checkerboard,
    circle,
    diagonal,
    finite,
    resampled,
    sine,
    wave,
)
from dtree_lab.table import Table
from dtree_lab.widgets.kit.taking import Taken, classified, numbered, taken

if TYPE_CHECKING:
    from collections.abc import Callable

Given: TypeAlias = Table | Population | None

SHAPES: dict[str, Callable[..., Plane | Curve]] = {
    "wave": wave,
    "diagonal": diagonal,
    "circle": circle,
    "checkerboard": checkerboard,
    "sine": sine,
}
_SHAPE_WORDS = {
    "wave": "two classes, below and above a wave",
    "diagonal": "two classes, on either side of a diagonal",
    "circle": "two classes, outside and inside a circle",
    "checkerboard": "two classes, a checkerboard",
    "sine": "numbers, a sine",
}
_TABLE_WORDS = {
    "sample": "a sample of something larger",
    "whole": "all there is",
}
MOST_TABLE_ROWS = 5_000
MOST_TEST_ROWS = 1_000
MOST_ROWS = 500
_USUAL_ROWS = 100


def usable(table: Table) -> Table:
    """The rows of a table that are used: of a very large one, some drawn at random.

    Raises
    ------
    TypeError, ValueError
        For what is no table, and for a table without a row that could be used.
    """
    check_table(table)
    table = taken(table) if table.target.values is None else classified(table)
    if table.n_rows < 2:  # noqa: PLR2004 - one to draw from, one to measure on
        msg = (
            "a table with a single row cannot be measured on: some rows are drawn from, others are"
            " held out; it needs at least 2 rows"
        )
        raise ValueError(msg)
    if table.n_rows <= MOST_TABLE_ROWS:
        return table
    rng = np.random.default_rng(int(key_of(0, table.n_rows)[0]))
    drawn = np.sort(rng.choice(table.n_rows, size=MOST_TABLE_ROWS, replace=False))
    return numbered(table).take(drawn)


def choices(given: Given) -> dict[str, str]:
    """What can be chosen between, and how it is called; one only where there is no choice."""
    if given is None:
        return _SHAPE_WORDS
    return _TABLE_WORDS if isinstance(given, Table) else {"own": "the population given"}


def population_of(given: Given, source: str, noise: float | None) -> Population:
    """The population that training sets are drawn from."""
    if isinstance(given, Population):
        return given if noise is None else replace(given, noise=noise)  # type: ignore[type-var]
    if isinstance(given, Table):
        return resampled(given) if source == "sample" else finite(given, noise=noise or 0.0)
    return SHAPES[source](noise=noise)


def noise_of(given: Given, source: str) -> float | None:
    """The noise to begin with; None where it cannot be chosen."""
    if isinstance(given, Population):
        return given.noise if isinstance(given, Plane | Curve | Finite) else None
    if isinstance(given, Table):
        turnable = given.target.n_values != 1
        return 0.0 if source == "whole" and turnable else None
    return 0.3 if source == "sine" else 0.1


def most_noise(given: Given, source: str) -> float:
    """How much noise can be chosen: half of the labels, or the spread of the numbers."""
    if given is None:
        return 1.0 if source == "sine" else 0.5
    if isinstance(given, Plane):
        return 0.5
    table = given if isinstance(given, Table) else getattr(given, "table", None)
    if table is None:
        return max(1.0, 2 * (noise_of(given, source) or 0.0))
    if table.target.values is not None:
        return 0.5
    spread = float(table.labels.std())
    return float(f"{spread:.1g}") or 1.0


def test_rows(given: Given) -> int | None:
    """How many rows to measure on; None for as many as the source itself would take."""
    table = given if isinstance(given, Table) else getattr(given, "table", None)
    return MOST_TEST_ROWS if table is not None and table.n_rows > 2 * MOST_TEST_ROWS else None


def most_rows(pool: Population) -> int:
    """The most rows of a training set: those of a table, where the rows come from one."""
    table = getattr(pool, "table", None)
    return MOST_ROWS if table is None else min(table.n_rows, MOST_ROWS)


def usual_rows(given: Given, pool: Population) -> int:
    """How many rows of a training set to begin with."""
    most = most_rows(pool)
    return most if isinstance(given, Table) else min(_USUAL_ROWS, most)


def code_of(given: Given, source: str, noise: float | None) -> str:
    """How the population is made in Python."""
    known = partial(_call, noise=noise)
    if given is None:
        return known(f"populations.{source}", "")
    if isinstance(given, Table) and not isinstance(given, Taken):
        return "table" if source == "sample" else known("populations.finite", "table")
    return "lab.population"


def _call(name: str, first: str, *, noise: float | None) -> str:
    shown: list[Any] = [first] if first else []
    if noise is not None:
        shown.append(f"noise={noise:g}")
    return f"{name}({', '.join(shown)})"
