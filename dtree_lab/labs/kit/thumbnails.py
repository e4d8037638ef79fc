"""A choice by small pictures of what is chosen: labels drawn from each population."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.labs.kit.place import as_json
from dtree_lab.populations import Population
from dtree_lab.populations.planes import InThePlane

# A picture is a square of so many cells each way.
SIDE = 14


@dataclass(frozen=True)
class Thumbnails:
    """One of several, each with a picture; sends ``Set(id, key)``."""

    id: str
    label: str
    value: str  # the key of the chosen one; another text if none is
    options: Sequence[tuple[str, str]]  # pairs of a key and its words
    pictures: Sequence[str]  # a picture for each, as `pictured` writes it
    other: str = "your own points"  # what is said where none is chosen

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return as_json(self, "other", said=dict(self.options).get(self.value, self.other))

    def still(self) -> str:
        """In words."""
        return f"{self.label}: {dict(self.options).get(self.value, self.value)}"


@lru_cache(maxsize=64)
def pictured(population: Population) -> str:
    """A population as so many lines of so many digits, from the top.

    In the plane each digit is the class that was drawn there; of a curve it is 0 where a row was
    drawn, and a point elsewhere.
    """
    cells = np.full((SIDE, SIDE), ".")
    if isinstance(population, InThePlane):
        x, y = population.grid(SIDE).columns
        drawn = np.random.default_rng(0).random(len(x)) < population.chance(x, y)
        cells[SIDE - 1 - _steps(y), _steps(x)] = np.where(drawn, "1", "0")
    else:
        sample = population.sample(4 * SIDE, seed=0)
        cells[SIDE - 1 - _steps(sample.labels), _steps(sample.columns[0])] = "0"
    return "".join(cells.ravel().tolist())


def _steps(values: NDArray[Any]) -> NDArray[np.int64]:
    """Where values lie between the least and the largest, in steps."""
    low, high = float(values.min()), float(values.max())
    shares = (values - low) / (high - low or 1.0)
    return np.round((SIDE - 1) * shares).astype(np.int64)
