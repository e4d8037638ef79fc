"""The exercise on the main loop's first step: the best attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.word_senses.choosing import (
    BY_LETTERS,
    FIRST,
    RATIO,
    any_column,
    by,
    fewest_wrong,
    first_that_gains,
    if_any_gains,
    impurity_left,
    in_empty_heaps,
    of_labels,
    of_the_seven,
    ratio,
    unweighted,
    yes_or_no,
)
from dtree_lab.course.lessons.word_senses.common import (
    NAMES,
    SENSE,
    SEVEN,
    VERBS,
    Row,
    best_of,
    bits,
    drawn_rows,
    gain,
    heaps,
    remains,
)
from dtree_lab.course.lessons.word_senses.tables import (
    BETWEEN,
    BY_GAIN_ALONE,
    FORM_NAMES,
    FORM_TELLS,
    MANY_VALUES,
    NOT_BY_ERRORS,
    NOTHING_GAINS,
    SMALL_PURE,
    TIE,
    TIE_BETWEEN,
)
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from dtree_lab.course.calls import Outcome

_NEAR = ["near(sea)", "near(lamp)", "near(fog)"]
_THREE = [row for row in VERBS if row["near(river)"] == "yes"]


def _of_kind(*kinds: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    return lambda outcomes: [i for i, o in enumerate(outcomes) if o.kind in kinds]


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


BEST = Exercise(
    id="word-senses/best",
    title="The best attribute",
    points=3,
    heading="the best attribute",
    text="""Write step 1. `rows` is a list of dictionaries such as `{"pos": "noun", "near(race)":
"no", "sense": "run4"}`; `attributes` is a list of the names that may be asked. Return the name of
the one that gains most (in a tie, any of those). You may use `dt.entropy(counts)`.""",
    stub="""def best(rows, attributes):
    # your lines, in place of the dots
    ...""",
    answer="best",
    task=Code(
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
    mistakes=(
        Mistake(
            by(remains),
            "It takes the attribute that leaves most. The gain is what is taken away, so the best"
            " one leaves least.",
        ),
        Mistake(
            by(unweighted),
            "It averages the heaps as if they were equally large. A pure heap of one row is worth"
            " little: count each heap by its share of the rows.",
        ),
        Mistake(
            by(lambda rows, name: len(heaps(rows, name))),
            "It takes the attribute with the most values. How many there are says nothing about the"
            " senses.",
        ),
        Mistake(
            by(lambda rows, name: bits(row[name] for row in rows)),
            "It takes the attribute that is itself the most mixed. Asked for is what it tells about"
            " the senses.",
        ),
        Mistake(lambda rows, attributes: attributes[0], FIRST),  # noqa: ARG005
        Mistake(first_that_gains, FIRST),
        Mistake(
            lambda rows, attributes: attributes[-1],  # noqa: ARG005
            "It takes the last attribute. Is the best one kept only if it is *better* than the best"
            " so far?",
        ),
        Mistake(lambda rows, attributes: max(attributes), BY_LETTERS),  # noqa: ARG005
        Mistake(lambda rows, attributes: min(attributes), BY_LETTERS),  # noqa: ARG005
        Mistake(
            any_column,
            "It chooses among all columns. Below the root some have been asked: only those in"
            " ``attributes`` may be chosen.",
        ),
        Mistake(
            lambda rows, attributes: SENSE,  # noqa: ARG005
            "It chooses the label itself, which of course gains most. Only those in ``attributes``"
            " may be asked.",
            when=_the_label,
        ),
        Mistake(
            lambda rows, attributes: max(gain(rows, name) for name in attributes),
            "It gives back a number: a gain, or a place in the list. Asked for is the attribute's"
            " name.",
            when=_of_kind("number"),
        ),
        Mistake(
            lambda rows, attributes: [best_of(rows, attributes)[0], gain(rows, attributes[0])],
            "It gives back more than one thing. Only the attribute's name is asked for.",
            when=_of_kind("values"),
        ),
        Mistake(
            by(fewest_wrong),
            "It counts how many rows the majorities get right. That is another measure: it is often"
            " the same for two questions of which one gains more bits.",
        ),
        Mistake(
            by(impurity_left),
            "It goes by the Gini impurity, as CART does. The gain is counted in bits, with"
            " logarithms.",
        ),
        Mistake(by(ratio), RATIO),
        Mistake(by(ratio, last=True), RATIO),
        Mistake(
            if_any_gains,
            "It gives back nothing where no attribute gains anything. That is a tie like any other:"
            " one of them must be asked. With which number does your search for the most begin?",
            when=_no_name_now_and_then,
        ),
        Mistake(
            by(yes_or_no),
            "It looks at the rows with yes and with no, and at no others. Which values an attribute"
            " has is for the rows to say: pos has noun and verb.",
        ),
        Mistake(
            in_empty_heaps,
            "A heap is empty, or nothing in it is counted. Are the values (yes, no) or the senses"
            " (run1, run2 …) written into the function? They differ from table to table: take them"
            " from the rows.",
            when=stops((), "all weights are 0", "at least one"),
        ),
        Mistake(
            of_the_seven,
            "It looks into the table of the seven uses, whatever it is given. Only ``rows`` is to"
            " be counted.",
            when=stops("ValueError", "no attribute '"),
        ),
        Mistake(
            of_labels,
            "``dt.entropy`` gets the labels themselves. It wants to know how many there are of"
            " each.",
            when=stops((), "weights must be numbers"),
        ),
    ),
    more="H(Y) is the same for all of them, so it is enough to find the smallest H(Y|X). For one"
    " attribute: put the labels into a list for each value, then add up share times entropy.",
    solution="""def best(rows, attributes):
    def remaining(name):
        heaps = {}
        for row in rows:
            heaps.setdefault(row[name], []).append(row["sense"])
        left = 0.0
        for heap in heaps.values():
            counts = [heap.count(sense) for sense in set(heap)]
            left += len(heap) / len(rows) * dt.entropy(counts)
        return left

    return min(attributes, key=remaining)
""",
    why="``min(…, key=remaining)`` takes the attribute with the smallest H(Y|X), which is the one"
    " with the largest gain; in a tie, the first.",
)
