"""A task whose right answer stays with course staff: it is told when the answer is graded."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

from dtree_lab.course.calls import Outcome, call
from dtree_lab.course.cards import CardLine
from dtree_lab.course.tasks.answers import Choose, Number
from dtree_lab.course.tasks.code import Code


@dataclass(frozen=True)
class Withheld:
    """What is asked, without what would be right.

    What can be told of an answer is whether it is of the sort that is asked for, and, of a number,
    whether it is one that somebody foresaw as a mistake.

    Attributes
    ----------
    task
        What is asked: a function without cases, a number or a choice whose right answer is blank;
        None for what is done in a lab.

    Examples
    --------
    >>> task = Withheld(Number(float("nan")))
    >>> [(line.says, line.passed) for line in task.judge(task.run(0.5))]
    [('0.5', None)]
    >>> task.judge(task.run("0.5"))[0].says
    "'0.5' is a text; give a number, without quotes"
    """

    task: Code | Number | Choose | None

    @property
    def kind(self) -> Literal["code", "number", "choice", "doing"]:
        """The kind of what is asked."""
        return "doing" if self.task is None else self.task.kind

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """What the answer is, once for each question."""
        match self.task:
            case None:
                return (call(lambda: _done(answer)),)
            case Code():
                function = Outcome("other", says="a function")
                return (function if callable(answer) else call(lambda: answer),)
        return self.task.run(answer)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[CardLine, ...]:
        """A line for each, which judges nothing unless the answer is of another sort."""
        match self.task:
            case Number():
                lines = self.task.judge(outcomes)
                fit = [one.kind == "number" and not math.isnan(one.value) for one in outcomes]
                told = [one.says for one in outcomes]
            case Choose(questions=questions):
                lines = self.task.judge(outcomes)
                fit = self.task.fit(outcomes)
                pairs = zip(questions, outcomes, strict=True)
                told = [f"{asked.name}: {one.value}" for asked, one in pairs]
            case other:
                wants = "hand in the lab itself, its .state or a tree; this is"
                kinds: tuple[str, ...] = ("text", "tree")
                if other is not None:
                    wants, kinds = "a function is asked for, and this is", ("other",)
                lines = tuple(CardLine(f"{wants} {one.says}") for one in outcomes)
                fit = [one.kind in kinds for one in outcomes]
                told = [_KEPT if one.kind == "text" else one.says for one in outcomes]
        return tuple(
            CardLine(says) if fits else replace(line, passed=False)
            for says, fits, line in zip(told, fit, lines, strict=True)
        )

    def agree(self, first: Outcome, other: Outcome) -> bool:
        """As the task has it."""
        return self.task is not None and self.task.agree(first, other)


_KEPT = "a lab's state: what its ``Keep in this cell`` has written is what counts"


def _done(answer: Any) -> Any:
    """The text of what was done in a lab; anything else as it is, and no text as nothing."""
    text = getattr(answer, "state", answer)
    return None if isinstance(text, str) and not text.strip() else text
