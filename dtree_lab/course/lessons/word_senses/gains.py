"""The gain of an attribute, in several tables, and the attribute that gains most.

What is right is written apart from the library's own, so that each checks the other.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import comes_to, gives, stops
from dtree_lab.datasets import word_sense

Row: TypeAlias = "dict[str, Any]"
ALIKE = 1e-9  # bits
SENSE = "sense"
SEVEN: list[Row] = list(word_sense().rows())
NAMES = ["pos", "near(race)", "near(river)", "near(stockings)"]
VERBS = [row for row in SEVEN if row["pos"] == "verb"]


def _bits(labels: Iterable[Any]) -> float:
    """The entropy of some labels."""
    return entropy_of(Counter(labels).values())


def heaps(rows: Sequence[Row], name: str) -> list[list[Any]]:
    """The labels of the rows with each value of an attribute."""
    values = dict.fromkeys(row[name] for row in rows)
    return [[row[SENSE] for row in rows if row[name] == value] for value in values]


def remains(rows: Sequence[Row], name: str) -> float:
    """The entropy that is left after asking an attribute."""
    return math.fsum(len(heap) / len(rows) * _bits(heap) for heap in heaps(rows, name))


def gain(rows: Sequence[Row], name: str) -> float:
    """The information gain of an attribute."""
    return _bits(row[SENSE] for row in rows) - remains(rows, name)


def highest(names: Sequence[str], score: Callable[[str], float]) -> tuple[str, ...]:
    """The names with the highest score, in order; several in a tie."""
    most = max(map(score, names))
    return tuple(name for name in names if score(name) >= most - ALIKE)


def best_of(rows: Sequence[Row], attributes: Sequence[str]) -> tuple[str, ...]:
    """The attributes that gain most, by the names given."""
    return highest(attributes, lambda name: gain(rows, name))


def most_frequent(rows: Sequence[Row]) -> tuple[Any, ...]:
    """The labels that most rows have."""
    counts = Counter(row[SENSE] for row in rows)
    return tuple(label for label, n in counts.items() if n == max(counts.values()))


def _tables() -> dict[str, list[Row]]:
    """The tables of ``rows.txt`` by their names: each has the columns' names and a line a row."""
    text = Path(__file__).with_name("rows.txt").read_text(encoding="utf-8")
    tables = {}
    for title, lines in re.findall(r"^\[(.+)\]\n((?:[^#\n].*\n)+)", text, re.MULTILINE):
        names, *rows = map(str.split, lines.splitlines())
        tables[title] = [dict(zip(names, row, strict=True)) for row in rows]
    return tables


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


_TABLES = _tables()
THREE_VALUES = _TABLES["three values"]
OTHER_ORDER = _TABLES["other order"]
ALIKE_ROWS = _TABLES["alike rows"]
SMALL_PURE = _TABLES["small pure"]
MANY_VALUES = _TABLES["many values"]
NOT_BY_ERRORS = _TABLES["not by errors"]
TIE = _TABLES["tie"]
FORM_TELLS = _TABLES["form tells"]
FORM_NAMES = ["near(race)", "form", "near(mayor)"]
NOTHING_GAINS = _TABLES["nothing gains"]
NOTHING_GAINS_BELOW = _TABLES["nothing gains below"]
TIE_BETWEEN = _TABLES["tie between"]
BETWEEN = ["pos", "near(race)", "near(mayor)", "form"]
BY_GAIN_ALONE = _TABLES["by gain alone"]


_NEAR = ["near(sea)", "near(lamp)", "near(fog)"]
_THREE = [row for row in VERBS if row["near(river)"] == "yes"]


def _no_name_now_and_then(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases without a name, of a function that does find one for the seven rows."""
    found = [i for i, o in enumerate(outcomes) if o.kind == "nothing" or o.value == ""]
    return [] if 0 in found else found


_SEVEN_USES, _SIZES = "the seven uses of run", "heaps of different sizes"
_VALUES, _TIE = "attributes with three values", "a tie"


def _best_case(behaviour: str, rows: list[Row], names: list[str], says: str) -> Case:
    most = best_of(rows, names)
    return Case((rows, names), most, says, behaviour=_TIE if len(most) > 1 else behaviour)


def _fresh_best(rng: np.random.Generator) -> tuple[Case, ...]:
    names = ["pos", "near(sea)", "near(fog)", "near(lamp)"]
    return tuple(
        _best_case(_SIZES, drawn_rows(rng, 9), names, "nine drawn rows, 4 names") for _ in "1234"
    )


BEST = page(__file__, "best").exercise(
    Code(
        "best",
        (
            _best_case(_SEVEN_USES, SEVEN, NAMES, "the seven rows, all 4 names"),
            _best_case(_SEVEN_USES, SEVEN, NAMES[1:], "the seven rows, the 3 near(…)"),
            _best_case(_SEVEN_USES, VERBS, NAMES[1:], "the five verbs, the 3 near(…)"),
            _best_case(_SEVEN_USES, _THREE, ["near(stockings)", "near(race)"], "3 rows, 2 names"),
            _best_case(_SIZES, SMALL_PURE, _NEAR, "7 rows about light, 3 names"),
            _best_case(
                _VALUES,
                MANY_VALUES,
                ["near(mayor)", "form", "near(race)"],
                "6 rows, one of 3 values",
            ),
            _best_case(_SIZES, NOT_BY_ERRORS, _NEAR, "7 other rows about light, 3 names"),
            _best_case(_SIZES, BY_GAIN_ALONE, _NEAR, "8 rows about light, 3 names"),
            _best_case(_VALUES, FORM_TELLS, FORM_NAMES, "8 rows about run, one of 3 values"),
            _best_case(_TIE, TIE, ["pos", "near(sea)", "near(fog)"], "4 rows with a tie"),
            _best_case(_TIE, NOTHING_GAINS, ["near(sea)", "near(fog)"], "4 rows, both gain 0 bits"),
            _best_case(_TIE, TIE_BETWEEN, BETWEEN, "6 rows with a tie"),
        ),
        fresh=_fresh_best,
    ),
    seen={
        "the label": comes_to(SENSE),
        "a number": gives("number"),
        "several": gives("values"),
        "no name now and then": _no_name_now_and_then,
        "empty heaps": stops((), "all weights are 0", "at least one"),
        "the seven rows": stops("ValueError", "no attribute '"),
        "labels for counts": stops((), "weights must be numbers"),
    },
)
