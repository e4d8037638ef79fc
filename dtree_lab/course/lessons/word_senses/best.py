"""The best attribute of some rows.

First what goes wrong on the way, as functions that go wrong so; then the exercise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.word_senses.gains import (
    ALIKE,
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
    table_of,
)
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import gives, stops
from dtree_lab.criteria.classes import entropy
from dtree_lab.datasets import word_sense
from dtree_lab.grow.compare import information_gain

FIRST = (
    "It takes the first attribute, or the first that gains anything. Compare all of them before you"
    " return one."
)
BY_LETTERS = (
    "It compares the names, letter by letter. ``max`` and ``min`` of a dictionary go by its keys:"
    " what is it that should be largest?"
)


RATIO = "It goes by the gain ratio, as C4.5 does. Leave out the division."


def by(
    score: Callable[[Sequence[Row], str], float], *, last: bool = False
) -> Callable[[Sequence[Row], Sequence[str]], str]:
    """Whoever chooses the attribute with the highest score; in a tie, the first, or the last."""
    way = -1 if last else 1
    return lambda rows, attributes: max(attributes[::way], key=lambda name: score(rows, name))


def unweighted(rows: Sequence[Row], name: str) -> float:
    """A mean over the heaps, large or small."""
    found = heaps(rows, name)
    return -sum(map(bits, found)) / len(found)


def fewest_wrong(rows: Sequence[Row], name: str) -> float:
    """How many rows are right when each heap's majority decides."""
    return sum(max(Counter(heap).values()) for heap in heaps(rows, name))


def impurity_left(rows: Sequence[Row], name: str) -> float:
    """Less the Gini impurity that is left."""
    squares = (sum(n * n for n in Counter(h).values()) / len(h) for h in heaps(rows, name))
    return sum(squares) / len(rows)


def ratio(rows: Sequence[Row], name: str) -> float:
    """C4.5's gain ratio."""
    sizes = bits(row[name] for row in rows)
    return round(gain(rows, name) / sizes, 9) if sizes else 0.0  # ties are ties


def yes_or_no(rows: Sequence[Row], name: str) -> float:
    """Less what is left where only the values yes and no are looked for."""
    asked = [row for row in rows if row[name] in ("yes", "no")]
    return -sum(len(heap) * bits(heap) for heap in heaps(asked, name))


def any_column(rows: Sequence[Row], attributes: Sequence[str]) -> str:  # noqa: ARG001
    """The best of all columns, asked already or not."""
    return best_of(rows, [name for name in rows[0] if name != SENSE])[0]


def first_that_gains(rows: Sequence[Row], attributes: Sequence[str]) -> str | None:
    """The first that gains anything, as with ``return`` inside the loop."""
    return next((name for name in attributes if gain(rows, name) > ALIKE), None)


def if_any_gains(rows: Sequence[Row], attributes: Sequence[str]) -> str | None:
    """Begins its search for the most with 0, and keeps what is more."""
    name = best_of(rows, attributes)[0]
    return name if gain(rows, name) > ALIKE else None


def in_empty_heaps(rows: Sequence[Row], attributes: Sequence[str]) -> str:
    """Looks for the values yes and no, and asks the library for the entropy of nothing."""
    labels = sorted({row[SENSE] for row in rows})

    def left(name: str) -> float:
        parts = [[row[SENSE] for row in rows if row[name] == value] for value in ("yes", "no")]
        return sum(len(p) * entropy([p.count(label) for label in labels]) for p in parts)

    return min(attributes, key=left)


def of_the_seven(rows: Sequence[Row], attributes: Sequence[str]) -> str:  # noqa: ARG001
    """Looks into the lesson's own table."""
    return max(attributes, key=lambda name: information_gain(word_sense(), name))


def of_labels(rows: Sequence[Row], attributes: Sequence[str]) -> str:
    """Hands labels to the library, where it wants counts."""
    return min(attributes, key=lambda name: sum(map(entropy, heaps(rows, name))))


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
            when=gives("number"),
        ),
        Mistake(
            lambda rows, attributes: [best_of(rows, attributes)[0], gain(rows, attributes[0])],
            "It gives back more than one thing. Only the attribute's name is asked for.",
            when=gives("values"),
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
