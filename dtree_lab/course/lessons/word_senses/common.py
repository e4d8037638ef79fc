"""What the exercises share: entropy and gain written apart from the library's, and rows."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

from dtree_lab.course.bits import entropy_of
from dtree_lab.datasets import word_sense

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np

Row: TypeAlias = "dict[str, Any]"
ALIKE = 1e-9  # bits
SENSE = "sense"
SEVEN: list[Row] = list(word_sense().rows())
NAMES = ["pos", "near(race)", "near(river)", "near(stockings)"]
VERBS = [row for row in SEVEN if row["pos"] == "verb"]


def bits(labels: Iterable[Any]) -> float:
    """The entropy of some labels."""
    return entropy_of(Counter(labels).values())


def heaps(rows: Sequence[Row], name: str) -> list[list[Any]]:
    """The labels of the rows with each value of an attribute."""
    values = dict.fromkeys(row[name] for row in rows)
    return [[row[SENSE] for row in rows if row[name] == value] for value in values]


def remains(rows: Sequence[Row], name: str) -> float:
    """The entropy that is left after asking an attribute."""
    return math.fsum(len(heap) / len(rows) * bits(heap) for heap in heaps(rows, name))


def gain(rows: Sequence[Row], name: str) -> float:
    """The information gain of an attribute."""
    return bits(row[SENSE] for row in rows) - remains(rows, name)


def highest(names: Sequence[str], score: Callable[[str], float]) -> tuple[str, ...]:
    """The names with the highest score, in order; several in a tie."""
    most = max(map(score, names))
    return tuple(name for name in names if score(name) >= most - ALIKE)


def best_of(rows: Sequence[Row], attributes: Sequence[str]) -> tuple[str, ...]:
    """The attributes that gain most, by the names given."""
    return highest(attributes, lambda name: gain(rows, name))


def majority(rows: Sequence[Row]) -> tuple[Any, ...]:
    """The labels that most rows have."""
    counts = Counter(row[SENSE] for row in rows)
    return tuple(label for label, n in counts.items() if n == max(counts.values()))


def table_of(text: str) -> list[Row]:
    r"""Rows from lines of values, the first with the names.

    Examples
    --------
    >>> table_of("pos sense\nnoun run4")
    [{'pos': 'noun', 'sense': 'run4'}]
    """
    names, *lines = (line.split() for line in text.strip().splitlines())
    return [dict(zip(names, line, strict=True)) for line in lines]


def drawn_rows(rng: np.random.Generator, n_rows: int) -> list[Row]:
    """Rows with four attributes and a sense that goes with two of them, more or less."""
    found: list[Row] = []
    for _ in range(n_rows):
        pos = str(rng.choice(["noun", "verb", "adjective"]))
        near = {f"near({word})": str(rng.choice(["no", "yes"])) for word in ("sea", "fog", "lamp")}
        told = ("light1" if pos == "noun" else "light4") if near["near(sea)"] == "no" else "light2"
        sense = told if rng.random() < 0.8 else str(rng.choice(["light1", "light2", "light3"]))  # noqa: PLR2004
        found.append({"pos": pos, **near, SENSE: sense})
    return found
