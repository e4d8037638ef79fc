"""A task that asks to choose, with a reason."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from dtree_lab.course.calls import Outcome, call
from dtree_lab.course.cards import Line
from dtree_lab.shown import number

_BY_LETTER = (
    "Answer with the letter or the number in front of an option, not with its words: a letter in"
    " quotes, a number without."
)


@dataclass(frozen=True)
class Question:
    """One choice: what it is called, the options (letters or numbers), and the right one."""

    name: str
    options: tuple[str, ...]
    right: str


@dataclass(frozen=True)
class Choice:
    """Choose: one question, or several (a choice and its reason) answered by a tuple.

    Several earn their points together: a choice with another reason is a lucky letter.

    Examples
    --------
    >>> task = Choice((Question("which", ("A", "B"), "A"), Question("because", ("1", "2"), "2")))
    >>> [line.says for line in task.judge(task.run(("A", 3)))]
    ['which: A', "because: '3' is none of 1, 2"]
    """

    questions: tuple[Question, ...]
    kind: Literal["choice"] = "choice"

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """What was chosen in each question."""
        many = len(self.questions) > 1
        if many and type(answer) in (tuple, list) and len(answer) == len(self.questions):
            return tuple(_chosen(one) for one in answer)
        if many:
            return (self._refused(call(lambda: answer)),) * len(self.questions)
        return (_chosen(answer),)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[Line, ...]:
        """A line for each question."""
        together = " and ".join(question.name for question in self.questions)
        return tuple(
            replace(_line(question, outcome), behaviour=together)
            for question, outcome in zip(self.questions, outcomes, strict=True)
        )

    def _refused(self, found: Outcome) -> Outcome:
        if found.kind == "nothing":
            return found
        names = ", ".join(question.name for question in self.questions)
        return Outcome("refused", says=f"answers are asked for as ({names}); this is {found.says}")

    def agree(self, one: Outcome, other: Outcome) -> bool:
        """The same option."""
        return one.kind == other.kind == "text" and one.value == other.value


def in_words(outcomes: tuple[Outcome, ...]) -> list[str]:
    """The hint for who writes out an option instead of naming it."""
    if any(o.kind == "text" and any(map(str.isalpha, o.value[1:])) for o in outcomes):
        return [_BY_LETTER]
    return []


def _chosen(answer: Any) -> Outcome:
    return call(lambda: _plain(answer))


def _plain(answer: Any) -> Any:
    if isinstance(answer, str):
        return answer.strip().strip(".)(").upper()
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        return number(answer)
    return answer


def _line(question: Question, outcome: Outcome) -> Line:
    options = ", ".join(question.options)
    if outcome.kind == "nothing":
        return Line(f"{question.name}: not answered yet; choose one of {options}", passed=False)
    if outcome.kind == "refused":
        return Line(outcome.says, passed=False)
    if outcome.kind != "text" or outcome.value not in question.options:
        said = f"{question.name}: {outcome.says} is none of {options}"
        return Line(said, passed=False)
    right = outcome.value == question.right
    return Line(f"{question.name}: {outcome.value}{'' if right else ' is not it'}", passed=right)
