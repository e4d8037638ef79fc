"""A task that asks for a function, and what can be said of one that is wrong.

A :class:`Case` is a call and what it should give. What is foreseen of one exercise stands in its
mistakes; what can be said of any function (its answer is of another sort, rounded, cut short, the
loop stops early …) is found here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from dtree_lab.base.checks import is_real, is_tuple_of
from dtree_lab.course.calls import Outcome, call, describe, plain_data
from dtree_lab.course.cards import CardLine


def same(first: Outcome, other: Outcome, tolerance: float) -> bool:
    """Whether two outcomes are equal: numbers within a tolerance, errors of one type.

    What is none of the plain kinds is compared as far as it is described.
    """
    if first.kind != other.kind:
        return False
    if first.kind == "other":
        return first.says == other.says
    return alike(first.value, other.value, tolerance)


def alike(x: Any, y: Any, tolerance: float) -> bool:
    """Whether two plain values are equal, numbers within a tolerance; True is not 1.

    >>> alike({"a": (0.5, "x")}, {"a": (0.5000001, "x")}, 1e-6), alike((1, 2), (1,), 0.1)
    (True, False)
    """
    if isinstance(x, bool) or isinstance(y, bool):
        return x is y
    if isinstance(x, int | float) and isinstance(y, int | float):
        return close(x, y, tolerance)
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(alike(a, b, tolerance) for a, b in zip(x, y, strict=True))
    if isinstance(x, dict) and isinstance(y, dict):
        return x.keys() == y.keys() and all(alike(one, y[key], tolerance) for key, one in x.items())
    return type(x) is type(y) and bool(x == y)


def close(x: float, y: float, tolerance: float) -> bool:
    """Whether two numbers are equal within a tolerance; NaN equals NaN only."""
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    # The last figure of a rounded answer must not fall to rounding here.
    return x == y or abs(x - y) <= tolerance * (1 + 1e-9)


Recogniser = Callable[[tuple[Outcome, ...]], list[int]]


def where(holds: Callable[[Outcome], bool]) -> Recogniser:
    """Recognises the cases whose outcome is of some sort: a mistake's `when`."""
    return lambda outcomes: [i for i, outcome in enumerate(outcomes) if holds(outcome)]


def stops(error: str | tuple[str, ...], *words: str) -> Recogniser:
    """Recognises an error by its type, one of several, or any (``()``): a mistake's `when`.

    Where words are given, any of them must be in its message, too.

    >>> from dtree_lab.course.calls import call
    >>> stops("KeyError", "says")((call(lambda: {}["says"]), call(lambda: 3)))
    [0]
    """
    errors = (error,) if isinstance(error, str) else error
    return where(
        lambda outcome: (
            outcome.kind == "raised"
            and (not errors or outcome.value in errors)
            and (not words or any(word in outcome.says for word in words))
        )
    )


def gives(*kinds: str) -> Recogniser:
    """Recognises what sort of thing comes back, by its kind as an outcome: a mistake's `when`.

    >>> from dtree_lab.course.calls import call
    >>> gives("text", "truth")((call(lambda: 3), call(lambda: "3")))
    [1]
    """
    return where(lambda outcome: outcome.kind in kinds)


def comes_to(value: str) -> Recogniser:
    """Recognises a text that came back, such as the fault that a case's `via` has found."""
    return where(lambda outcome: bool(outcome.value == value))


def mentions(words: str) -> Recogniser:
    """Recognises a text that came back with some words in it, as a longer fault has them."""
    return where(lambda outcome: outcome.kind == "text" and words in outcome.value)


def fails_at(cases: Collection[int], but_not: Collection[int]) -> Recogniser:
    """Recognises who stops, or gives no finite number, in some cases and in none of some others."""

    def fails(outcome: Outcome) -> bool:
        no_number = outcome.kind == "number" and not math.isfinite(outcome.value)
        return outcome.kind == "raised" or no_number

    def recognise(outcomes: tuple[Outcome, ...]) -> list[int]:
        stumbles = all(fails(outcomes[i]) for i in cases)
        return [*cases] if stumbles and not any(fails(outcomes[i]) for i in but_not) else []

    return recognise


def provided(recognise: Recogniser, fits: Callable[[list[int]], bool]) -> Recogniser:
    """Recognises what another does where the cases that it finds are such ones; else nothing."""

    def recognise_some(outcomes: tuple[Outcome, ...]) -> list[int]:
        found = recognise(outcomes)
        return found if fits(found) else []

    return recognise_some


def generators(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which a generator came back: a mistake's `when`."""
    return where(lambda outcome: outcome.says == "a generator")(outcomes)


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
    return any(_but_for_decimals(outcome.value, plain_data(want)) for want in case.wants)


def _but_for_decimals(value: Any, want: Any) -> bool:
    """Whether plain values are equal, but that some numbers have fewer decimals."""
    if isinstance(value, tuple) and isinstance(want, tuple) and len(value) == len(want):
        return all(map(_but_for_decimals, value, want))
    if isinstance(value, dict) and isinstance(want, dict) and value.keys() == want.keys():
        return all(_but_for_decimals(one, want[key]) for key, one in value.items())
    if alike(value, want, _EQUAL):
        return True
    return isinstance(want, float) and any(alike(value, round(want, n), _EQUAL) for n in _DECIMALS)


def remarks(outcomes: tuple[Outcome, ...]) -> list[str]:
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


_COMPARED = ("number", "text", "truth", "values")


@dataclass(frozen=True)
class Case:
    """One call of the function.

    Attributes
    ----------
    args
        What it is called with (copies, so that an answer cannot spoil the next case).
    wants
        What may come back: one value, or several where a tie makes all of them right. Numbers,
        texts, truths, None, and lists, tuples and dicts of them; a list is as good as a tuple.
    says
        The call in words where the arguments are long.
    holds, wanted
        What must hold of what comes back, instead of `wants`, and the same in words. It is given
        plain values (``plain_data``), or a tree.
    via
        What calls the function instead, with it and the arguments: many times, say, or in order to
        walk the tree that it returns. What this gives back is judged.
    behaviour
        What the case shows, in a few words that go on from "it is right about": ``"a tie"``. All
        cases of one behaviour have to be right to earn its share of the points, so each behaviour
        wants cases whose answers differ: what always says the same is right about nothing.
    """

    args: tuple[Any, ...]
    wants: tuple[Any, ...] = field(default=(), repr=False)
    says: str = ""
    holds: Callable[[Any], bool] | None = field(default=None, repr=False)
    wanted: str = field(default="", repr=False)
    via: Callable[..., Any] | None = None
    behaviour: str = ""

    def __post_init__(self) -> None:
        """Say what would be right where a comma is missing, or the brackets."""
        for name, given in (("args", self.args), ("wants", self.wants)):
            if not isinstance(given, tuple):
                raise TypeError(
                    f"Case: {name} is a tuple, of one thing with a comma, such as"
                    f" Case((labels,), (0.5,)), and not a {type(given).__name__}"
                )
        for name, code in (("holds", self.holds), ("via", self.via)):
            if not (code is None or callable(code)):
                raise TypeError(f"Case: {name} is a function, not a {type(code).__name__}")


@dataclass(frozen=True)
class Code:
    """Write a function.

    Attributes
    ----------
    name
        The function's name.
    cases
        The calls.
    tolerance
        How far a number may be from the one wanted.
    fresh
        Draws more cases, which course staff keep to themselves.
    kind
        Always ``"code"``.
    """

    name: str
    cases: tuple[Case, ...]
    tolerance: float = 1e-6
    fresh: Callable[[np.random.Generator], Iterable[Case]] | None = None
    kind: Literal["code"] = "code"

    def __post_init__(self) -> None:
        """Say what would be right where the cases are no tuple, or another thing no such thing."""
        if not isinstance(self.name, str) or not is_tuple_of(self.cases, Case):
            raise TypeError(
                "Code takes the function's name and its cases as one tuple, in brackets of its"
                ' own: Code("gini", (Case(…), Case(…))), and of one with a comma:'
                ' Code("gini", (Case(…),))'
            )
        if not is_real(self.tolerance):
            raise TypeError(f"Code: tolerance is a number, such as 1e-6, not {self.tolerance!r}")
        if not (self.fresh is None or callable(self.fresh)):
            raise TypeError(
                "Code: fresh is a function that draws cases from a generator it is given, not a"
                f" {type(self.fresh).__name__}: fresh=_fresh, without brackets"
            )

    def with_fresh(self, seed: int) -> Code:
        """The same with more cases, drawn from a seed; itself where none can be drawn."""
        if self.fresh is None:
            return self
        return replace(self, cases=self.cases + tuple(self.fresh(np.random.default_rng(seed))))

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """An outcome for each call; after one that hangs the rest are left out."""
        if not callable(answer):
            return (self._refused(call(lambda: answer)),) * len(self.cases)
        outcomes: list[Outcome] = []
        for case in self.cases:
            if outcomes and outcomes[-1].kind in ("hung", "refused"):
                outcomes.append(Outcome("refused", says="the calls after that were not tried"))
            elif case.via is None:
                outcomes.append(call(answer, case.args))
            else:
                outcomes.append(call(partial(case.via, answer), case.args))
        return tuple(outcomes)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[CardLine, ...]:
        """A line for each call."""
        return tuple(
            replace(self._line(case, outcome), behaviour=case.behaviour)
            for case, outcome in zip(self.cases, outcomes, strict=True)
        )

    def agree(self, first: Outcome, other: Outcome) -> bool:
        """Equal within the tolerance, or errors of one type."""
        return same(first, other, self.tolerance)

    def _refused(self, outcome: Outcome) -> Outcome:
        if outcome.kind == "nothing":
            return outcome
        says = f"a function is asked for, and this is {outcome.says}"
        return Outcome("refused", says=f"{says}; give ``{self.name}`` itself, without brackets")

    def _line(self, case: Case, outcome: Outcome) -> CardLine:
        shown = case.says or ", ".join(map(repr, case.args))
        called = f"``{self.name}({shown})``"
        if outcome.kind == "refused":
            return CardLine(outcome.says, passed=False)
        if outcome.kind == "raised":
            return CardLine(f"{called} stopped with {outcome.says}", passed=False)
        if outcome.kind == "hung":
            return CardLine(f"{called} {outcome.says}", passed=False)
        if self._meets(outcome, case):
            return CardLine(f"{called} is {outcome.says}", passed=True)
        gave = "returned nothing" if outcome.kind == "nothing" else f"gave {outcome.says}"
        wanted = case.wanted or " or ".join(describe(want).says for want in case.wants)
        return CardLine(f"{called} {gave}; {wanted} was wanted", passed=False)

    def _meets(self, outcome: Outcome, case: Case) -> bool:
        if case.holds is not None:
            return outcome.kind in (*_COMPARED, "tree") and _holds(case.holds, outcome.value)
        if outcome.kind == "nothing":
            return any(want is None for want in case.wants)
        if outcome.kind not in _COMPARED:
            return False
        return any(alike(outcome.value, plain_data(want), self.tolerance) for want in case.wants)


def _holds(holds: Callable[[Any], bool], value: Any) -> bool:
    """Whether something holds of a value; not, if the value is of a shape that it cannot read."""
    try:
        return bool(holds(value))
    except Exception:  # noqa: BLE001 - an answer of another shape than anyone thought of
        return False
