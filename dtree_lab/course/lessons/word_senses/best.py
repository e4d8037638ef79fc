"""The exercise on the main loop's first step: the best attribute."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.word_senses.common import (
    NAMES,
    SENSE,
    SEVEN,
    VERBS,
    Row,
    bits,
    drawn_rows,
    gain,
    heaps,
    highest,
    remains,
    table_of,
)
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from dtree_lab.course.calls import Outcome

# One heap of two attributes is pure and small: only the weights tell which question is better.
_SMALL_PURE = table_of(
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
_MANY_VALUES = table_of(
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
_NOT_BY_ERRORS = table_of(
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
_TIE = table_of(
    """
    near(fog) near(sea) pos  sense
    yes       no        noun light1
    yes       no        verb light1
    no        yes       noun light2
    no        yes       verb light2
    """
)
_NEAR = ["near(sea)", "near(lamp)", "near(fog)"]
_THREE = [row for row in VERBS if row["near(river)"] == "yes"]


def best_of(rows: Sequence[Row], attributes: Sequence[str]) -> tuple[str, ...]:
    """The attributes that gain most, by the names given."""
    return highest(attributes, lambda name: gain(rows, name))


def _by(score: Callable[[Sequence[Row], str], float]) -> Callable[..., str]:
    return lambda rows, attributes: max(attributes, key=lambda name: score(rows, name))


def _unweighted(rows: Sequence[Row], name: str) -> float:
    found = heaps(rows, name)
    return -sum(map(bits, found)) / len(found)


def _fewest_wrong(rows: Sequence[Row], name: str) -> float:
    return sum(max(Counter(heap).values()) for heap in heaps(rows, name))


def _any_column(rows: Sequence[Row], attributes: Sequence[str]) -> str:  # noqa: ARG001
    return best_of(rows, [name for name in rows[0] if name != SENSE])[0]


def _the_label(rows: Sequence[Row], attributes: Sequence[str]) -> str:  # noqa: ARG001
    return best_of(rows, list(rows[0]))[-1] if SENSE not in rows[0] else SENSE


def _of_kind(*kinds: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    return lambda outcomes: [i for i, o in enumerate(outcomes) if o.kind in kinds]


def _best_case(rows: list[Row], names: list[str], says: str) -> Case:
    return Case((rows, names), best_of(rows, names), says)


def _fresh_best(rng: np.random.Generator) -> tuple[Case, ...]:
    names = ["pos", "near(sea)", "near(fog)", "near(lamp)"]
    return tuple(_best_case(drawn_rows(rng, 9), names, "nine drawn rows, 4 names") for _ in "1234")


BEST = Exercise(
    id="word-senses/best",
    title="The best attribute",
    points=3,
    answer="best",
    task=Code(
        "best",
        (
            _best_case(SEVEN, NAMES, "the seven rows, all 4 names"),
            _best_case(SEVEN, NAMES[1:], "the seven rows, the 3 near(…)"),
            _best_case(VERBS, NAMES[1:], "the five verbs, the 3 near(…)"),
            _best_case(_THREE, ["near(stockings)", "near(race)"], "3 rows, 2 names"),
            _best_case(_SMALL_PURE, _NEAR, "7 rows about light, 3 names"),
            _best_case(
                _MANY_VALUES, ["near(mayor)", "form", "near(race)"], "6 rows, one of 3 values"
            ),
            _best_case(_NOT_BY_ERRORS, _NEAR, "7 other rows about light, 3 names"),
            _best_case(_TIE, ["pos", "near(sea)", "near(fog)"], "4 rows with a tie"),
        ),
        fresh=_fresh_best,
    ),
    mistakes=(
        Mistake(
            _by(remains),
            "It takes the attribute that leaves most. The gain is what is taken away, so the best"
            " one leaves least.",
        ),
        Mistake(
            _by(_unweighted),
            "It averages the heaps as if they were equally large. A pure heap of one row is worth"
            " little: count each heap by its share of the rows.",
        ),
        Mistake(
            _by(lambda rows, name: len(heaps(rows, name))),
            "It takes the attribute with the most values. How many there are says nothing about the"
            " senses.",
        ),
        Mistake(
            lambda rows, attributes: attributes[0],  # noqa: ARG005
            "It takes the first attribute, whatever the rows say. Compare all of them.",
        ),
        Mistake(
            lambda rows, attributes: attributes[-1],  # noqa: ARG005
            "It takes the last attribute. Is the best one kept only if it is *better* than the best"
            " so far?",
        ),
        Mistake(
            _any_column,
            "It chooses among all columns. Below the root some have been asked: only those in"
            " ``attributes`` may be chosen.",
        ),
        Mistake(
            lambda rows, attributes: SENSE,  # noqa: ARG005
            "It chooses the label itself, which of course gains most. Only those in ``attributes``"
            " may be asked.",
        ),
        Mistake(
            lambda rows, attributes: max(gain(rows, name) for name in attributes),
            "It gives back the gain. Asked for is the name of the attribute that has it.",
            when=_of_kind("number"),
        ),
        Mistake(
            lambda rows, attributes: [best_of(rows, attributes)[0], gain(rows, attributes[0])],
            "It gives back more than one thing. Only the attribute's name is asked for.",
            when=_of_kind("values"),
        ),
        Mistake(
            _by(_fewest_wrong),
            "It counts how many rows the majorities get right. That is another measure: it is often"
            " the same for two questions of which one gains more bits.",
        ),
    ),
    more="H(Y) is the same for all of them, so it is enough to find the smallest H(Y|X). For one"
    " attribute: part the labels into a list for each value, then add up share times entropy.",
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
