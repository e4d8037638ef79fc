"""A task that asks for a function."""

from __future__ import annotations

import dis
from dataclasses import dataclass, replace
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from dtree_lab.course.calls import Outcome, call, describe
from dtree_lab.course.cards import Line
from dtree_lab.course.plain import plain
from dtree_lab.course.tasks.common import alike, same

if TYPE_CHECKING:
    from collections.abc import Callable

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
        plain values (:func:`~dtree_lab.course.plain.plain`), or a tree.
    via
        What calls the function instead, with it and the arguments: many times, say, or in order to
        walk the tree that it returns. What this gives back is judged.
    behaviour
        What the case shows, in a few words that go on from "it is right about": ``"a tie"``. All
        cases of one behaviour have to be right to earn its share of the points, so each behaviour
        wants cases whose answers differ: what always says the same is right about nothing.
    """

    args: tuple[Any, ...]
    wants: tuple[Any, ...] = ()
    says: str = ""
    holds: Callable[[Any], bool] | None = None
    wanted: str = ""
    via: Callable[..., Any] | None = None
    behaviour: str = ""


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
    """

    name: str
    cases: tuple[Case, ...]
    tolerance: float = 1e-6
    fresh: Callable[[np.random.Generator], tuple[Case, ...]] | None = None
    kind: Literal["code"] = "code"

    def with_fresh(self, seed: int) -> Code:
        """The same with more cases, drawn from a seed; itself where none can be drawn."""
        if self.fresh is None:
            return self
        return replace(self, cases=self.cases + self.fresh(np.random.default_rng(seed)))

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
                outcomes.append(call(_through(case.via, answer), case.args))
        return tuple(outcomes)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[Line, ...]:
        """A line for each call."""
        return tuple(
            replace(self._line(case, outcome), behaviour=case.behaviour)
            for case, outcome in zip(self.cases, outcomes, strict=True)
        )

    def agree(self, one: Outcome, other: Outcome) -> bool:
        """Equal within the tolerance, or errors of one type."""
        return same(one, other, self.tolerance)

    def _refused(self, found: Outcome) -> Outcome:
        if found.kind == "nothing":
            return found
        says = f"a function is asked for, and this is {found.says}"
        return Outcome("refused", says=f"{says}; give ``{self.name}`` itself, without brackets")

    def _line(self, case: Case, outcome: Outcome) -> Line:
        shown = case.says or ", ".join(map(repr, case.args))
        called = f"``{self.name}({shown})``"
        if outcome.kind == "refused":
            return Line(outcome.says, passed=False)
        if outcome.kind == "raised":
            return Line(f"{called} stopped with {outcome.says}", passed=False)
        if outcome.kind == "hung":
            return Line(f"{called} {outcome.says}", passed=False)
        if self._meets(outcome, case):
            return Line(f"{called} is {outcome.says}", passed=True)
        gave = "returned nothing" if outcome.kind == "nothing" else f"gave {outcome.says}"
        wanted = case.wanted or " or ".join(describe(want).says for want in case.wants)
        return Line(f"{called} {gave}; {wanted} was wanted", passed=False)

    def _meets(self, outcome: Outcome, case: Case) -> bool:
        if case.holds is not None:
            return outcome.kind in (*_COMPARED, "tree") and _holds(case.holds, outcome.value)
        if outcome.kind == "nothing":
            return any(want is None for want in case.wants)
        if outcome.kind not in _COMPARED:
            return False
        return any(alike(outcome.value, plain(want), self.tolerance) for want in case.wants)


def _through(via: Callable[..., Any], answer: Any) -> Callable[..., Any]:
    return lambda *args: via(answer, *args)


def _holds(holds: Callable[[Any], bool], value: Any) -> bool:
    """Whether something holds of a value; not, if the value is of a shape that it cannot read."""
    try:
        return bool(holds(value))
    except Exception:  # noqa: BLE001 - an answer of another shape than anyone thought of
        return False


def is_stub(function: object) -> bool:
    """Whether a function's body is still empty: ``...``, ``pass``, a docstring, comments.

    Examples
    --------
    >>> is_stub(lambda labels: None), is_stub(lambda labels: print(labels))
    (True, False)
    """
    # Not isinstance: a strange object may answer for its class, or raise when asked.
    return type(function) is FunctionType and _steps(function.__code__) == _EMPTY


def _steps(code: CodeType) -> list[tuple[str, Any]]:
    """What a function does, from its bytecode (there may be no source), without what is idle."""
    idle = ("RESUME", "NOP", "CACHE")
    return [(s.opname, s.argval) for s in dis.get_instructions(code) if s.opname not in idle]


def _empty() -> None: ...


_EMPTY = _steps(_empty.__code__)
