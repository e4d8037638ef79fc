"""A task that asks for a number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from dtree_lab.course.calls import call
from dtree_lab.course.cards import Line
from dtree_lab.course.tasks.common import close, same
from dtree_lab.shown import number

if TYPE_CHECKING:
    from dtree_lab.course.calls import Outcome


@dataclass(frozen=True)
class Number:
    """Give a number.

    Attributes
    ----------
    want
        The right one.
    tolerance
        How far an answer may be from it.

    Examples
    --------
    >>> task = Number(0.5)
    >>> task.judge(task.run(0.5004))[0].passed, task.judge(task.run("0.5"))[0].says
    (True, "'0.5' is a text; give a number, without quotes")
    """

    want: float = field(repr=False)
    tolerance: float = 0.001
    kind: Literal["number"] = "number"

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """The answer itself."""
        return (call(lambda: answer),)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[Line, ...]:
        """One line."""
        (outcome,) = outcomes
        says = outcome.says
        match outcome.kind:
            case "number" if close(outcome.value, self.want, self.tolerance):
                return (Line(says, passed=True),)
            case "number":
                does = f"({number(self.tolerance)} either way would do)"
                return (Line(f"{says} is not it {does}", passed=False),)
            case "text":
                wrong = f"{says} is a text; give a number, without quotes"
            case "nothing":
                wrong = "not answered yet"
            case "raised" | "hung":
                wrong = f"the answer cannot be read: {says}"
            case _:
                wrong = f"a number is asked for, and this is {says}"
        return (Line(wrong, passed=False),)

    def agree(self, one: Outcome, other: Outcome) -> bool:
        """Equal within the tolerance."""
        return same(one, other, self.tolerance)
