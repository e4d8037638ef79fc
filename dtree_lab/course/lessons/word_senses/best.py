"""The best attribute of some rows."""

from __future__ import annotations

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.word_senses.gains import (
    NAMES,
    SENSE,
    SEVEN,
    VERBS,
    Row,
    best_of,
    drawn_rows,
    table_of,
)
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import gives, stops

THREE_VALUES = table_of(
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
OTHER_ORDER = table_of(
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
ALIKE_ROWS = table_of(
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
SMALL_PURE = table_of(
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
MANY_VALUES = table_of(
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
NOT_BY_ERRORS = table_of(
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
TIE = table_of(
    """
    near(fog) near(sea) pos  sense
    yes       no        noun light1
    yes       no        verb light1
    no        yes       noun light2
    no        yes       verb light2
    """
)
# Three values, and they tell most; divided by what three values cost, two tell more.
FORM_TELLS = table_of(
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
NOTHING_GAINS = table_of(
    """
    near(sea) near(fog) sense
    no        no        light2
    no        yes       light1
    yes       no        light1
    yes       yes       light2
    """
)
# The same below a question that gains.
NOTHING_GAINS_BELOW = table_of(
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
TIE_BETWEEN = table_of(
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
BY_GAIN_ALONE = table_of(
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


def _the_label(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if (o.kind, o.value) == ("text", SENSE)]


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
        "the label": _the_label,
        "a number": gives("number"),
        "several": gives("values"),
        "no name now and then": _no_name_now_and_then,
        "empty heaps": stops((), "all weights are 0", "at least one"),
        "the seven rows": stops("ValueError", "no attribute '"),
        "labels for counts": stops((), "weights must be numbers"),
    },
)
