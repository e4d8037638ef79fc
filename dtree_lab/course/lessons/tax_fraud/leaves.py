"""The exercise on what a leaf answers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    import numpy as np

    from dtree_lab.course.calls import Outcome


def _pair(labels: list[str]) -> Any:
    return Counter(labels).most_common(1)[0]


def _yes_or_no(labels: list[str]) -> str:
    return "Yes" if labels.count("Yes") > labels.count("No") else "No"


def _no_or_yes(labels: list[str]) -> str:
    return "Yes" if labels.count("Yes") >= labels.count("No") else "No"


def _kinds(outcome: Outcome) -> list[str]:
    """Of which types the members of a list or tuple are."""
    many = outcome.kind == "values" and isinstance(outcome.value, tuple)
    return [type(one).__name__ for one in outcome.value] if many else []


def _pairs(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if sorted(_kinds(o)) == ["int", "str"]]


def _lists(outcomes: tuple[Outcome, ...]) -> list[int]:
    pairs = _pairs(outcomes)
    return [i for i, o in enumerate(outcomes) if _kinds(o) and i not in pairs]


_TWO_LABELS = "It knows only the labels Yes and No. Later lessons have others, such as word senses."


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.choice(["Yes", "No", "run1", "run2"], size).tolist() for size in (4, 7, 12)]
    return tuple(map(_case, drawn))


def _case(labels: list[str]) -> Case:
    most = _most_frequent(labels)
    if len(most) > 1:
        return Case((labels,), most, behaviour="a tie")
    two = set(labels) <= {"Yes", "No"}
    return Case((labels,), most, behaviour="Yes and No" if two else "labels of any other name")


def _most_frequent(labels: list[str]) -> tuple[str, ...]:
    counts = Counter(labels)
    return tuple(label for label in counts if counts[label] == max(counts.values()))


MAJORITY = Exercise(
    id="tax-fraud/majority",
    title="The majority label",
    points=2,
    heading="the majority",
    text="""A leaf works by the same rule: it gives the label that most of its training rows have.
(Where the labels are numbers, it gives their mean.)

Write `majority(labels)`: it gets a list such as `["Yes", "No", "No"]` and returns the label that
occurs most. In a tie, any of the tied labels will do.""",
    stub="""def majority(labels):
    # your lines, in place of the dots
    ...""",
    answer="majority",
    task=Code(
        "majority",
        (
            _case(["Yes", "No", "No"]),
            _case(["No", "Yes", "Yes", "No", "Yes", "No", "No"]),
            _case(["Yes", "Yes", "No"]),
            _case(["run2", "run1", "run3", "run1", "run4", "run2", "run1", "run3"]),
            _case(["run1", "run3", "run3", "run1", "run3", "run2"]),
            _case(["No"]),
            _case(["Yes", "No"]),
            _case(["run3", "run1", "run2", "run1", "run2"]),
            _case(["run2", "run3", "run3", "run2", "run1"]),
            _case(["run3", "run1", "run2", "run1", "run3"]),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda labels: max(Counter(labels).values()),
            "It gives how often the label occurs. Which label is it that occurs so often?",
        ),
        Mistake(
            _pair,
            "It gives a pair, the label and its count. Only the label is asked for.",
            when=_pairs,
        ),
        Mistake(
            lambda labels: [max(Counter(labels), key=labels.count)],
            "It gives a list. Asked for is the label itself: what stands in that list?",
            when=_lists,
        ),
        Mistake(
            lambda labels: min(Counter(labels), key=labels.count),
            "It gives the rarest label. Which end of the counts do you want?",
        ),
        Mistake(
            max,
            "``max`` of the labels compares their letters and gives the last in the alphabet. What"
            " is it that should be largest?",
        ),
        Mistake(lambda labels: labels[0], "It gives the first label, whatever the others are."),
        Mistake(lambda labels: labels[-1], "It gives the last label, whatever the others are."),
        Mistake(_yes_or_no, _TWO_LABELS),
        Mistake(_no_or_yes, _TWO_LABELS),
    ),
    more='``labels.count("Yes")`` counts one label. ``max(things, key=f)`` gives the thing for'
    " which ``f`` is largest.",
    solution="""def majority(labels):
    return max(labels, key=labels.count)
""",
    why="Of all the labels, one with the largest count. In a tie any of them will do;"
    " a library must choose one and say which (this one takes the first of the target's classes).",
)
