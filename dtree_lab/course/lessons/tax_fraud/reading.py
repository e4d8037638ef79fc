"""The parts of a tree, a tree as a function, and what its leaves answer."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops


def _row(refund: str, status: str, income: float) -> dict[str, Any]:
    return {"Refund": refund, "Marital Status": status, "Taxable Income": income}


_REFUND, _MARRIED, _DIVORCED = "who has a refund", "who is married", "who is divorced"
_CUT = "the cut at 80"


def _case(behaviour: str, refund: str, status: str, income: float, want: str) -> Case:
    says = f"{{'Refund': {refund!r}, 'Marital Status': {status!r}, 'Taxable Income': {income}}}"
    return Case((_row(refund, status, income),), (want,), says, behaviour=behaviour)


def _at_most(row: dict[str, Any]) -> str:
    if row["Refund"] == "Yes" or row["Marital Status"] == "Married":
        return "No"
    return "No" if row["Taxable Income"] <= 80 else "Yes"  # noqa: PLR2004


def _no_refund(row: dict[str, Any]) -> str:
    return _follow({**row, "Refund": "No"})


def _no_divorced(row: dict[str, Any]) -> str:
    return _follow(row) if row["Marital Status"] == "Single" else "No"


def _past_the_leaf(row: dict[str, Any]) -> str:
    if row["Refund"] == "Yes":
        return "No"
    return "No" if row["Taxable Income"] < 80 else "Yes"  # noqa: PLR2004


def _swapped(row: dict[str, Any]) -> str:
    if row["Refund"] == "Yes" or row["Marital Status"] == "Married":
        return "No"
    return "Yes" if row["Taxable Income"] < 80 else "No"  # noqa: PLR2004


def _follow(row: dict[str, Any]) -> str:
    if row["Refund"] == "Yes" or row["Marital Status"] == "Married":
        return "No"
    return "No" if row["Taxable Income"] < 80 else "Yes"  # noqa: PLR2004


def _brackets(row: dict[str, Any], where: int) -> str:
    """One of three conditions and an ``or`` without brackets, in each place where it can stand."""
    refund, high = row["Refund"] == "No", row["Taxable Income"] >= 80  # noqa: PLR2004
    single, divorced = (row["Marital Status"] == one for one in ("Single", "Divorced"))
    says = (
        (refund and single) or (divorced and high),
        (refund and divorced) or (single and high),
        (refund and high and single) or divorced,
        single or (divorced and refund and high),
    )
    return "Yes" if says[where] else "No"


def _whole_numbers(row: dict[str, Any]) -> str:
    return _follow({**row, "Taxable Income": math.ceil(row["Taxable Income"])})


def _refund_turned(row: dict[str, Any]) -> str:
    return _follow({**row, "Refund": {"Yes": "No", "No": "Yes"}[row["Refund"]]})


def _married_turned(row: dict[str, Any]) -> str:
    if row["Refund"] == "Yes" or row["Marital Status"] != "Married":
        return "No"
    return "No" if row["Taxable Income"] < 80 else "Yes"  # noqa: PLR2004


def _without_income(row: dict[str, Any]) -> str:
    return "No" if row["Refund"] == "Yes" or row["Marital Status"] == "Married" else "Yes"


def _truth(row: dict[str, Any]) -> bool:
    return _follow(row) == "Yes"


def _wrong_name(row: dict[str, Any]) -> str:
    return _follow({**row, "Taxable Income": row["Income"]})


_key_error = stops("KeyError")


def _text_of_digits(outcomes: tuple[Outcome, ...]) -> list[int]:
    errors = [(i, o.says) for i, o in enumerate(outcomes) if o.value == "TypeError"]
    return [i for i, says in errors if "not supported" in says and "'str'" in says]


def _other_letters(outcomes: tuple[Outcome, ...]) -> list[int]:
    labels = ("Yes", "No")
    texts = [(i, o.value) for i, o in enumerate(outcomes) if o.kind == "text"]
    return [i for i, t in texts if t not in labels and t.strip().capitalize() in labels]


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = []
    for status in ("Single", "Divorced", "Married"):
        for refund in ("Yes", "No"):
            income = int(rng.integers(40, 240))
            of_status = {"Single": _CUT, "Divorced": _DIVORCED, "Married": _MARRIED}[status]
            behaviour = _REFUND if refund == "Yes" else of_status
            want = _follow(_row(refund, status, income))
            drawn.append(_case(behaviour, refund, status, income, want))
    return tuple(drawn)


_BRACKETS = (
    "Python binds ``and`` closer than ``or``: ``a and b or c and d`` is ``(a and b) or (c and d)``."
    " Put the ``or`` and its two sides into brackets."
)

FOLLOW = Exercise(
    id="tax-fraud/follow",
    title="The lecture's tree as a function",
    points=3,
    heading="be the tree",
    text="""Write the tree as a function. It gets a row like `person`, looks up what it needs
(`row["Refund"]`), and returns the text `"Yes"` or `"No"`.""",
    stub="""def who_cheats(row):
    # your lines, in place of the dots
    ...""",
    answer="who_cheats",
    task=Code(
        "who_cheats",
        (
            _case(_REFUND, "No", "Single", 85, "Yes"),
            _case(_REFUND, "Yes", "Single", 85, "No"),
            _case(_MARRIED, "No", "Married", 85, "No"),
            _case(_MARRIED, "No", "Single", 120, "Yes"),
            _case(_DIVORCED, "No", "Divorced", 95, "Yes"),
            _case(_DIVORCED, "No", "Divorced", 60, "No"),
            _case(_CUT, "No", "Single", 80, "Yes"),
            _case(_CUT, "No", "Single", 79.5, "No"),
            _case(_REFUND, "Yes", "Divorced", 220, "No"),
            _case(_CUT, "No", "Single", 60, "No"),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _at_most,
            "Look at an income of exactly 80. The branches are < 80 and ≥ 80: on which side does"
            " 80 itself belong?",
        ),
        Mistake(
            _no_refund,
            "A row with a refund goes on as if it had none. Is the root's question asked, and is"
            " its answer spelt as in the table, with a capital?",
        ),
        Mistake(
            _no_divorced,
            "One branch leads on for two marital statuses, not only for Single.",
        ),
        Mistake(
            _past_the_leaf,
            "It walks past a leaf: for a married person the tree has answered before it would ask"
            " about the income. Is the value spelt as in the table? Is each side of an ``or`` a"
            " whole comparison? (A text alone counts as true.)",
        ),
        *(Mistake(lambda row, where=where: _brackets(row, where), _BRACKETS) for where in range(4)),
        Mistake(
            _whole_numbers,
            "An income need not be a whole number: 79.5 is more than 79, and it is below 80.",
        ),
        Mistake(_swapped, "The last two leaves have changed places: which one is below 80?"),
        Mistake(
            _truth,
            "It gives a truth value. The tree answers with a label: the text that stands in its"
            " leaves.",
        ),
        Mistake(
            _wrong_name,
            "A KeyError means that the row has no entry of that name. The names are those at the"
            " head of the table, letter by letter.",
            when=_key_error,
        ),
        Mistake(
            lambda row: row.Refund,
            "A row is a dictionary, and its values are looked up in square brackets, with the name"
            ' in quotes: ``row["Refund"]``.',
            when=stops("AttributeError"),
        ),
        Mistake(
            lambda row: _follow(row).lower(),
            "It answers with other letters than the tree does: ``yes`` and ``Yes`` are two"
            " different texts. Write the label as it stands in the leaves.",
            when=_other_letters,
        ),
        Mistake(
            _refund_turned,
            "The root's two branches have changed places: which of the two answers ends in a leaf?",
        ),
        Mistake(
            _married_turned,
            "It stops at No for those who are not married, and asks the married about their income."
            " In the tree it is the other way round.",
        ),
        Mistake(
            _without_income,
            "The income is never asked about. Which card stands below *Single or Divorced*?",
        ),
        Mistake(
            lambda row: "Yes" if row["Taxable Income"] >= "80" else "No",
            "The income is a number: compare it with a number, without quotes.",
            when=_text_of_digits,
        ),
        Mistake(
            lambda _: "No",
            "It says No to everybody. Look for an ``or`` with a text alone on one side: a text"
            ' counts as true, so ``a == "x" or "y"`` always holds. Each side needs a comparison of'
            " its own. Or is the income compared with a far larger number? It is in thousands.",
        ),
        Mistake(
            lambda _: "Yes",
            "It says Yes to everybody. Does it look at the ``row`` that it is given, or always at"
            " one and the same ``person``?",
        ),
    ),
    more="Write one ``if`` for each question, from the root down, and ``return`` as soon as a leaf"
    ' is reached. A value is looked up by its name: ``row["Refund"]``.',
    solution="""def who_cheats(row):
    if row["Refund"] == "Yes":
        return "No"
    if row["Marital Status"] == "Married":
        return "No"
    if row["Taxable Income"] < 80:
        return "No"
    return "Yes"
""",
    why="One question for each internal node, one return for each leaf. A tree is nothing but"
    " nested questions; that is why people can read it.",
)


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


def _fresh_labels(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.choice(["Yes", "No", "run1", "run2"], size).tolist() for size in (4, 7, 12)]
    return tuple(map(_labels_case, drawn))


def _labels_case(labels: list[str]) -> Case:
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
            _labels_case(["Yes", "No", "No"]),
            _labels_case(["No", "Yes", "Yes", "No", "Yes", "No", "No"]),
            _labels_case(["Yes", "Yes", "No"]),
            _labels_case(["run2", "run1", "run3", "run1", "run4", "run2", "run1", "run3"]),
            _labels_case(["run1", "run3", "run3", "run1", "run3", "run2"]),
            _labels_case(["No"]),
            _labels_case(["Yes", "No"]),
            _labels_case(["run3", "run1", "run2", "run1", "run2"]),
            _labels_case(["run2", "run3", "run3", "run2", "run1"]),
            _labels_case(["run3", "run1", "run2", "run1", "run3"]),
        ),
        fresh=_fresh_labels,
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
