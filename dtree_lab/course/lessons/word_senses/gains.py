"""The gain of an attribute, in several tables, and the attribute that gains most.

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


def _table_of(text: str) -> list[Row]:
    r"""Rows from lines of values, the first with the names.

    >>> _table_of("pos sense\nnoun run4")
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


THREE_VALUES = _table_of(
    """
    pos       near(fog) near(sea) near(lamp) sense
    noun      no        no        no         light1
    noun      yes       no        yes        light1
    noun      yes       yes       no         light2
    noun      no        yes       no         light1
    verb      no        no        no         light4
    verb      yes       no        yes        light2
    verb      yes       yes       yes        light4
    verb      no        yes       yes        light4
    adjective no        yes       no         light2
    adjective yes       no        yes        light3
    adjective no        no        no         light3
    """
)
# Below noun another order holds than at the root.
OTHER_ORDER = _table_of(
    """
    pos       near(sea) near(fog) near(lamp) sense
    adjective yes       yes       yes        light2
    adjective no        no        no         light3
    noun      no        yes       no         light1
    adjective yes       no        no         light2
    noun      yes       no        no         light2
    verb      yes       yes       yes        light2
    adjective no        yes       no         light4
    noun      yes       yes       no         light2
    noun      no        yes       yes        light2
    """
)
ALIKE_ROWS = _table_of(
    """
    pos  near(sea) sense
    noun yes       light1
    noun no        light3
    noun no        light2
    noun no        light2
    noun no        light1
    verb yes       light4
    verb no        light4
    verb no        light4
    """
)
# One heap of two attributes is pure and small: only the weights tell which question is better.
SMALL_PURE = _table_of(
    """
    pos       near(sea) near(fog) near(lamp) sense
    verb      yes       no        no         light2
    adjective no        yes       no         light4
    noun      no        no        yes        light1
    verb      no        no        no         light2
    verb      no        no        yes        light1
    verb      no        no        yes        light4
    noun      no        no        yes        light1
    """
)
# Three values, and they tell less than two.
MANY_VALUES = _table_of(
    """
    form    near(race) near(mayor) sense
    ran     yes        no          run2
    ran     no         no          run1
    runs    yes        yes         run2
    runs    no         no          run1
    running yes        no          run2
    running no         no          run1
    """
)
# The majorities get as many rows right after one question as after another that gains less.
NOT_BY_ERRORS = _table_of(
    """
    pos       near(sea) near(fog) near(lamp) sense
    adjective no        yes       no         light4
    noun      yes       yes       no         light1
    noun      no        no        no         light1
    adjective no        yes       no         light2
    adjective yes       yes       yes        light2
    verb      yes       no        yes        light2
    adjective no        yes       no         light2
    """
)
TIE = _table_of(
    """
    near(fog) near(sea) pos  sense
    yes       no        noun light1
    yes       no        verb light1
    no        yes       noun light2
    no        yes       verb light2
    """
)
# Three values, and they tell most; divided by what three values cost, two tell more.
FORM_TELLS = _table_of(
    """
    near(race) form near(mayor) sense
    no         ran  yes         run2
    yes        run  yes         run1
    no         run  no          run3
    no         run  yes         run1
    yes        runs yes         run2
    no         runs no          run2
    yes        run  yes         run1
    no         runs no          run3
    """
)
FORM_NAMES = ["near(race)", "form", "near(mayor)"]
# Together they tell all, and neither gains anything.
NOTHING_GAINS = _table_of(
    """
    near(sea) near(fog) sense
    no        no        light2
    no        yes       light1
    yes       no        light1
    yes       yes       light2
    """
)
# The same below a question that gains.
NOTHING_GAINS_BELOW = _table_of(
    """
    near(sea) near(fog) pos  sense
    no        yes       noun light1
    no        no        noun light2
    no        yes       verb light3
    yes       no        noun light1
    yes       yes       verb light3
    yes       yes       noun light2
    no        no        verb light3
    """
)
# The first name and the last are those that tell least.
TIE_BETWEEN = _table_of(
    """
    pos  near(race) near(mayor) form sense
    noun no         yes         ran  run1
    noun no         yes         run  run1
    verb no         yes         run  run1
    noun yes        no          run  run2
    verb yes        no          ran  run2
    verb yes        no          ran  run2
    """
)
BETWEEN = ["pos", "near(race)", "near(mayor)", "form"]
# The gain is the only measure by which near(fog) is best.
BY_GAIN_ALONE = _table_of(
    """
    pos  near(sea) near(lamp) near(fog) sense
    noun yes       yes        yes       light1
    verb no        yes        yes       light2
    noun no        yes        no        light4
    verb no        yes        no        light3
    noun yes       no         no        light2
    verb yes       yes        yes       light1
    verb no        yes        no        light1
    verb no        yes        yes       light1
    """
)


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
