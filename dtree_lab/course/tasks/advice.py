"""What can be said of any function that does not do what it should."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from dtree_lab.course.calls import describe
from dtree_lab.course.plain import plain
from dtree_lab.course.tasks.common import alike

if TYPE_CHECKING:
    from dtree_lab.course.calls import Outcome
    from dtree_lab.course.tasks.code import Case, Code

# Who rounds too early keeps so many decimals.
_DECIMALS = range(1, 6)
_EQUAL = 1e-9
_STOPPED = (
    "It was stopped. Something in it never ends, or is very slow: does every loop come to its end?"
    " If it is only the computer that is busy, run the check again."
)
_SORTS = {
    "number": "a number",
    "text": "a text",
    "truth": "a truth value, ``True`` or ``False``",
    "values": "something that holds values, such as a list",
    "tree": "a tree",
}


def unknown_names(outcomes: tuple[Outcome, ...]) -> list[str]:
    """A hint for each name in the function that Python does not know, or not yet."""
    found = []
    for outcome in outcomes:
        name = re.search(r"'(\w+)'", outcome.says)
        if outcome.kind != "raised" or name is None:
            continue
        if outcome.value == "NameError":
            found.append(
                f"Python does not know the name ``{name[1]}``. Is it a text? Then it goes in"
                " quotes. Is it from a module? Then it is imported first. Is it a variable? Then"
                " it is given a value first, and spelt alike in both places."
            )
        elif outcome.value == "UnboundLocalError":
            found.append(
                f"``{name[1]}`` is used before it has a value. What should it be at the start?"
            )
    return list(dict.fromkeys(found))


def general(task: Code, outcomes: tuple[Outcome, ...]) -> list[str]:
    """The hints that hold for any function."""
    if _rounded(task, outcomes):
        return ["It is right, and rounded too early. Return all the digits; round where you print."]
    if any(o.kind == "hung" for o in outcomes):
        return [_STOPPED]
    if any(o.kind == "nothing" and o.printed for o in outcomes):
        return ["It prints its result. ``print`` shows a value; only ``return`` gives it back."]
    if all(o.kind == "raised" and o.value == "TypeError" and not o.where for o in outcomes):
        return ["It stops with a TypeError in every case. Does it take the arguments asked for?"]
    if all(o.kind == "nothing" for o in outcomes):
        return ["It never returns anything. Is the ``return`` missing that hands its result back?"]
    if any(o.kind == "nothing" for o in outcomes):
        return ["Sometimes it returns nothing. Is there a ``return`` at the end of every way?"]
    if any(o.kind == "number" and math.isnan(o.value) for o in outcomes):
        return ["NaN is what numpy gives for 0/0, and for 0 times the logarithm of 0."]
    return _another_sort(task, outcomes)


def _another_sort(task: Code, outcomes: tuple[Outcome, ...]) -> list[str]:
    """A hint if all that came back is of one sort, and all that was wanted of another."""
    wants = {describe(want).kind for case in task.cases for want in case.wants}
    gives = {outcome.kind for outcome in outcomes}
    if len(wants) != 1 or len(gives) != 1 or wants == gives or not wants | gives <= {*_SORTS}:
        return []
    return [f"It gives {_SORTS[gives.pop()]}. Asked for is {_SORTS[wants.pop()]}."]


def _rounded(task: Code, outcomes: tuple[Outcome, ...]) -> bool:
    """Whether nothing is wrong but that decimals are missing."""
    judged = zip(task.cases, outcomes, task.judge(outcomes), strict=True)
    wrong = [(case, outcome) for case, outcome, line in judged if not line.passed]
    return bool(wrong) and all(_cut_short(case, outcome) for case, outcome in wrong)


def _cut_short(case: Case, outcome: Outcome) -> bool:
    if outcome.kind not in ("number", "values"):
        return False
    return any(_but_for_decimals(outcome.value, plain(want)) for want in case.wants)


def _but_for_decimals(value: Any, want: Any) -> bool:
    """Whether plain values are equal, but that some numbers have fewer decimals."""
    if isinstance(value, tuple) and isinstance(want, tuple) and len(value) == len(want):
        return all(map(_but_for_decimals, value, want))
    if isinstance(value, dict) and isinstance(want, dict) and value.keys() == want.keys():
        return all(_but_for_decimals(one, want[key]) for key, one in value.items())
    if alike(value, want, _EQUAL):
        return True
    return isinstance(want, float) and any(alike(value, round(want, n), _EQUAL) for n in _DECIMALS)


def notes(outcomes: tuple[Outcome, ...]) -> list[str]:
    """Remarks on what went on beside the result."""
    found = []
    where = {o.kind: o.where for o in reversed(outcomes) if o.where}
    if "raised" in where:
        found.append(f"The error comes up in {where['raised']}.")
    if "hung" in where:
        found.append(f"When its time was up, it was in {where['hung']}.")
    if any(o.printed and o.kind != "nothing" for o in outcomes):
        found.append("It also prints. That does no harm, and the check does not need it.")
    warned = next((o.warned for o in outcomes if o.warned), "")
    if warned:
        found.append(f"Python warned on the way: {warned}.")
    return found
