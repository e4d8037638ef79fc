"""The gain of a word being near, in several tables, and ID3 by hand.

What is right is written apart from the library's own, so that each checks the other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, personal
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Steps
from dtree_lab.datasets import word_sense
from dtree_lab.grow.api import by_hand
from dtree_lab.labs.treebuilder.model import dump, update
from dtree_lab.labs.treebuilder.state import Finish, start
from dtree_lab.table.table import Table

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


_SENSES = ("bank1", "bank2", "bank5")
# Senses of the four rows with "money" near and of the six without, all equally hard to work out;
# what comes out with one mistake or another is never near what comes out with none.
HEAPS = (
    ((3, 1, 0), (1, 1, 4)),
    ((3, 1, 0), (1, 2, 3)),
    ((3, 0, 1), (2, 3, 1)),
    ((2, 2, 0), (1, 2, 3)),
    ((2, 1, 1), (1, 5, 0)),
    ((2, 1, 1), (0, 4, 2)),
    ((2, 1, 1), (1, 4, 1)),
    ((3, 1, 0), (0, 4, 2)),
    ((2, 2, 0), (1, 1, 4)),
)
_MONEY = "near(money)"


def _drawn(rng: np.random.Generator) -> list[Row]:
    near, far = HEAPS[int(rng.integers(len(HEAPS)))]
    senses = rng.permutation(_SENSES).tolist()
    rows = [
        {"pos": str(rng.choice(["noun", "verb"])), _MONEY: value, SENSE: sense}
        for value, counts in (("yes", near), ("no", far))
        for sense, n in zip(senses, counts, strict=True)
        for _ in range(n)
    ]
    return [rows[i] for i in rng.permutation(len(rows))]


def _make(rng: np.random.Generator) -> Exercise:
    kinds = {"pos": ("noun", "verb"), _MONEY: ("no", "yes"), SENSE: _SENSES}
    mine = Table.from_rows(_drawn(rng), target=SENSE, kinds=kinds)
    return page(__file__, "my-gain").exercise(shown=mine, mine=mine)


MY_GAIN = personal(_make)


def _finished() -> str:
    """The builder's state after "Finish with ID3" as the only step."""
    return dump(update(start(word_sense()), Finish("ID3")))


def _recipe(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind == "truth" and not o.value]


def _open_leaves(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind == "number" and "not finished" in o.says]


def _at_root(outcomes: tuple[Outcome, ...]) -> list[int]:
    first = outcomes[0]
    lost = first.kind == "number" and first.value > 0 and "at the root, " in first.says
    return [0] if lost else []


def _below(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [
        i
        for i, o in enumerate(outcomes)
        if i and o.kind == "number" and o.value > 0 and "not finished" not in o.says
    ]


SEVEN_TREE = page(__file__, "seven-tree").exercise(
    Steps(word_sense),
    seen={
        "finished": Mistake(_finished(), when=_recipe),
        "at the root": Mistake(
            by_hand(
                word_sense(),
                {
                    (): "near(river)",
                    (0,): "pos",
                    (1,): "pos",
                    (1, 1): "near(race)",
                },
            ),
            when=_at_root,
        ),
        "below": Mistake(
            by_hand(
                word_sense(),
                {
                    (): "pos",
                    (1,): "near(race)",
                    (1, 0): "near(river)",
                },
            ),
            when=_below,
        ),
        "open leaves": Mistake(
            by_hand(word_sense(), {(): "pos", (1,): "near(river)"}), when=_open_leaves
        ),
    },
)
