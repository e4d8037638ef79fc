"""The exercise on what a leaf answers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from dtree_lab.course.calls import Outcome


def _pair(labels: list[str]) -> Any:
    return Counter(labels).most_common(1)[0]


def _yes_or_no(labels: list[str]) -> str:
    return "Yes" if labels.count("Yes") > labels.count("No") else "No"


def _no_or_yes(labels: list[str]) -> str:
    return "Yes" if labels.count("Yes") >= labels.count("No") else "No"


def _pairs(outcomes: tuple[Outcome, ...]) -> list[int]:
    pairs = (("str", "int"), ("int", "str"))
    return [i for i, o in enumerate(outcomes) if o.kind == "other" and o.value in pairs]


def _lists(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind == "other" and o.says.startswith("a list")]


_TWO_LABELS = "It knows only the labels Yes and No. Later lessons have others, such as word senses."


MAJORITY = Exercise(
    id="tax-fraud/majority",
    title="The majority label",
    points=2,
    answer="majority",
    task=Code(
        "majority",
        (
            Case((["Yes", "No", "No"],), ("No",)),
            Case((["No", "Yes", "Yes", "No", "Yes", "No", "No"],), ("No",)),
            Case((["Yes", "Yes", "No"],), ("Yes",)),
            Case((["run3", "run1", "run3", "run2"],), ("run3",)),
            Case((["No"],), ("No",)),
            Case((["Yes", "No"],), ("Yes", "No")),
        ),
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
    return max(set(labels), key=labels.count)
""",
    why="Among the different labels, the one with the largest count. In a tie any of them will do;"
    " a library must choose one and say which (this one takes the first of the target's classes).",
)
