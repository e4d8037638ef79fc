"""The tables that the peers are run on: known ones, and made ones with words, gaps and ties."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from sklearn import datasets as known

import dtree_lab as dt


def tables() -> dict[str, dt.Table]:
    """A dozen with classes, by name."""
    made = {
        "golf": _golf(),
        "penguins": dt.datasets.penguins(),
        "penguins-whole": _whole(dt.datasets.penguins()),
        "word-sense": dt.datasets.word_sense(),
        "iris": _known(known.load_iris),
        "wine": _known(known.load_wine),
        "breast-cancer": _known(known.load_breast_cancer),
        "digits": _known(known.load_digits, 400),
    }
    made |= {f"mixed-{seed}": _mixed(seed, 300) for seed in (1, 2, 3)}
    # In this one what is raised is pruned anew.
    made["mixed-74"] = _mixed(74, 300)
    made |= {"mixed-gaps": _mixed(4, 300, gaps=1 / 16), "words": _mixed(5, 240, numbers=0)}
    made |= {f"mixed-gaps-{i}": _mixed(seed, 150, gaps=1 / 16) for i, seed in ((2, 101), (3, 105))}
    # In this one the branch that is raised is as large as another, but for rounding.
    made["many-gaps"] = _mixed(427, 160, gaps=1 / 4)
    return made | {"golf-gap": _golf(None)}


def number_tables() -> dict[str, dt.Table]:
    """With numbers to predict, for rpart."""
    return {"diabetes": _known(known.load_diabetes), "mixed-numbers": _mixed(6, 300, target=True)}


def _table(columns: dict[str, Any], kind: str = "discrete") -> dt.Table:
    return dt.Table.from_columns(columns, target="y", target_kind=kind, missing="keep")


def _golf(sixth: str | None = "overcast") -> dt.Table:
    """Quinlan's fourteen days of golf (1993, C4.5, chapter 2); in chapter 3 the sixth has a gap."""
    return _table(
        {
            "outlook": ["sunny"] * 5 + [sixth] + ["overcast"] * 3 + ["rain"] * 5,
            "temperature": [75, 80, 85, 72, 69, 72, 83, 64, 81, 71, 65, 75, 68, 70],
            "humidity": [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96],
            "windy": list("ttffftftfttfff"),
            "y": list("pnnnpppppnnppp"),
        }
    )


def _whole(table: dt.Table) -> dt.Table:
    return table.take(np.flatnonzero([None not in row.values() for row in table.rows()]))


def _known(load: Callable[..., Any], most: int | None = None) -> dt.Table:
    bunch = load()
    labels = bunch.target[:most]
    kind = "continuous" if bunch.target.dtype.kind == "f" else "discrete"
    x = bunch.data[:most]
    columns = {f"x{i:02}": x[:, i] for i in range(x.shape[1])}
    y = labels.tolist() if kind == "continuous" else [f"c{label}" for label in labels]
    return _table({**columns, "y": y}, kind)


def _mixed(
    seed: int, n: int, *, gaps: float = 0, numbers: int = 3, target: bool = False
) -> dt.Table:
    """Words and numbers that say something of the target, with ties, and noise.

    Of `random.random` alone, whose numbers are the same in every version of Python.
    """
    chance = Random(seed)  # noqa: S311 - no secret
    columns: dict[str, list[Any]] = {}
    score = [_bell(chance) for _ in range(n)]
    for i in range(numbers):
        digits = int(3 * chance.random())
        x = [round(2 * _bell(chance), digits) for _ in range(n)]
        score = [s + (v if i == 0 else abs(v) * (i == 1)) for s, v in zip(score, x, strict=True)]
        columns[f"n{i}"] = x
    for i, k in enumerate((2, 3, 5, 9)):
        worth = [1.2 * _bell(chance) for _ in range(k)]
        codes = [int(k * chance.random()) for _ in range(n)]
        score = [s + worth[code] for s, code in zip(score, codes, strict=True)]
        columns[f"w{i}"] = [f"v{code}" for code in codes]
    if gaps:
        columns = {
            name: [None if chance.random() < gaps else v for v in column]
            for name, column in columns.items()
        }
    if target:
        return _table({**columns, "y": [round(s, 2) for s in score]}, "continuous")
    low, high = sorted(score)[2 * n // 5], sorted(score)[3 * n // 4]
    return _table({**columns, "y": [f"c{(s >= low) + (s >= high)}" for s in score]})


def _bell(chance: Random) -> float:
    """About a normal number: the sum of twelve even ones."""
    return sum(chance.random() for _ in range(12)) - 6
