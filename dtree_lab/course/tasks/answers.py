"""Tasks that ask for a number, for a choice with its reason, or for a path of steps.

A path of steps is that of a tree whose every question gains as much as any other's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real, is_tuple_of
from dtree_lab.base.text import bits, number, plural
from dtree_lab.course.calls import Outcome, call
from dtree_lab.course.cards import CardLine
from dtree_lab.course.tasks.code import close, same
from dtree_lab.course.tasks.do import Done, Grow, Handed, asks_for_a_maker, read_by
from dtree_lab.grow.compare import compare
from dtree_lab.grow.textbook import weigh
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import answer as branch_name
from dtree_lab.tree.splits import branch_rows
from dtree_lab.tree.tree import Branch, Node


@dataclass(frozen=True)
class Number:
    """Give a number.

    Attributes
    ----------
    want
        The right one.
    tolerance
        How far an answer may be from it.
    kind
        Always ``"number"``.

    Examples
    --------
    >>> task = Number(0.5)
    >>> task.judge(task.run(0.5004))[0].passed, task.judge(task.run("0.5"))[0].says
    (True, "'0.5' is a text; give a number, without quotes")
    """

    want: float = field(repr=False)
    tolerance: float = 0.001
    kind: Literal["number"] = "number"

    def __post_init__(self) -> None:
        """Say what would be right where a number is none."""
        for name, given in (("want", self.want), ("tolerance", self.tolerance)):
            if not is_real(given):
                raise TypeError(f"Number: {name} is a number, such as Number(0.42), not {given!r}")

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """The answer itself."""
        return (call(lambda: answer),)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[CardLine, ...]:
        """One line."""
        (outcome,) = outcomes
        says = outcome.says
        match outcome.kind:
            case "number" if close(outcome.value, self.want, self.tolerance):
                return (CardLine(says, passed=True),)
            case "number":
                does = f"({number(self.tolerance)} either way would do)"
                return (CardLine(f"{says} is not it {does}", passed=False),)
            case "text":
                wrong = f"{says} is a text; give a number, without quotes"
            case "nothing":
                wrong = "not answered yet"
            case "raised" | "hung":
                wrong = f"the answer cannot be read: {says}"
            case _:
                wrong = f"a number is asked for, and this is {says}"
        return (CardLine(wrong, passed=False),)

    def agree(self, first: Outcome, other: Outcome) -> bool:
        """Equal within the tolerance."""
        return same(first, other, self.tolerance)


@dataclass(frozen=True)
class Several:
    """Give several numbers, each for itself: a list, with None where one is not known."""

    parts: tuple[tuple[str, Number], ...]  # what each is called, and the task that it is
    kind: Literal["number"] = "number"

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """Each number."""
        if type(answer) in (list, tuple) and len(answer) == len(self.parts):
            return tuple(call(lambda part=part: part) for part in answer)
        given = call(lambda: answer)
        if given.kind != "nothing":
            says = f"{given.says} in place of a list of {plural(len(self.parts), 'number')}"
            given = Outcome("other", says=says)
        return (given,) * len(self.parts)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[CardLine, ...]:
        """A line for each."""
        return tuple(
            replace(line, says=f"{i}. {name}: {line.says}")
            for i, ((name, task), one) in enumerate(zip(self.parts, outcomes, strict=True), 1)
            for line in task.judge((one,))
        )

    def agree(self, first: Outcome, other: Outcome) -> bool:
        """The same number."""
        return same(first, other, 0.0)


_BY_LETTER = (
    "Answer with the letter or the number in front of an option, not with its words: a letter in"
    " quotes, a number without."
)


@dataclass(frozen=True)
class Question:
    """One choice: what it is called, the options (letters or numbers), and the right one."""

    name: str
    options: tuple[str, ...]
    right: str = field(repr=False)

    def __post_init__(self) -> None:
        """Say what would be right where its options are none."""
        if not is_tuple_of(self.options, str) or not self.options:
            raise TypeError(
                f"Question: the options of {self.name!r} are a tuple of texts, such as"
                f' ("A", "B", "C") or ("1", "2"), not {self.options!r}'
            )
        odd = [one for one in self.options if one != _plain(one)]
        if odd:
            raise ValueError(
                f"Question: the option {odd[0]!r} of {self.name!r} can never be chosen: options"
                " are capital letters or numbers, as answers are read"
            )
        if self.right not in ("", *self.options):  # it is blank in what is handed out
            options = ", ".join(self.options)
            raise ValueError(
                f"Question: the right one of {self.name!r}, {self.right!r}, is none of {options}"
            )


@dataclass(frozen=True)
class Choose:
    """Choose: one question, or several (a choice and its reason) answered by a tuple.

    Several earn their points together: a choice with another reason is a lucky letter. They are
    told together, too: who learns which half is wrong has tried all of them soon.

    Examples
    --------
    >>> task = Choose((Question("which", ("A", "B"), "A"), Question("because", ("1", "2"), "2")))
    >>> [line.says for line in task.lines(task.run(("A", 1)))]
    ['which: A, because: 1 is not it; a part of it may be right']
    >>> [line.says for line in task.lines(task.run(("A", 3)))]
    ["because: '3' is none of 1, 2"]
    """

    questions: tuple[Question, ...]
    kind: Literal["choice"] = "choice"

    def __post_init__(self) -> None:
        """Say what would be right where the questions are no tuple."""
        if not is_tuple_of(self.questions, Question) or not self.questions:
            raise TypeError(
                "Choose takes its questions as one tuple, in brackets of its own:"
                " Choose((Question(…), Question(…))), and of one with a comma:"
                " Choose((Question(…),))"
            )

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """What was chosen in each question."""
        many = len(self.questions) > 1
        if many and type(answer) in (tuple, list) and len(answer) == len(self.questions):
            return tuple(_chosen(one) for one in answer)
        if many:
            return (self._refused(call(lambda: answer)),) * len(self.questions)
        return (_chosen(answer),)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[CardLine, ...]:
        """A line for each question."""
        together = " and ".join(question.name for question in self.questions)
        return tuple(
            replace(_line_of(question, outcome), behaviour=together)
            for question, outcome in zip(self.questions, outcomes, strict=True)
        )

    def lines(self, outcomes: tuple[Outcome, ...]) -> tuple[CardLine, ...]:
        """The lines that are shown: of what is not right as a whole not which part is wrong."""
        lines, fit = self.judge(outcomes), self.fit(outcomes)
        if not all(fit):
            return tuple(line for line, fits in zip(lines, fit, strict=True) if not fits)
        if len(lines) == 1 or all(line.passed for line in lines):
            return lines
        pairs = zip(self.questions, outcomes, strict=True)
        chosen = ", ".join(f"{question.name}: {outcome.value}" for question, outcome in pairs)
        return (CardLine(f"{chosen} is not it; a part of it may be right", passed=False),)

    def fit(self, outcomes: tuple[Outcome, ...]) -> list[bool]:
        """Whether what was chosen is one of the options, for each question."""
        pairs = zip(self.questions, outcomes, strict=True)
        return [one.kind == "text" and one.value in asked.options for asked, one in pairs]

    def _refused(self, outcome: Outcome) -> Outcome:
        if outcome.kind == "nothing":
            return outcome
        names = ", ".join(question.name for question in self.questions)
        return Outcome(
            "refused", says=f"answers are asked for as ({names}); this is {outcome.says}"
        )

    def agree(self, first: Outcome, other: Outcome) -> bool:
        """The same option."""
        return first.kind == other.kind == "text" and first.value == other.value


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


def _line_of(question: Question, outcome: Outcome) -> CardLine:
    options = ", ".join(question.options)
    if outcome.kind == "nothing":
        return CardLine(f"{question.name}: not answered yet; choose one of {options}", passed=False)
    if outcome.kind == "refused":
        return CardLine(outcome.says, passed=False)
    if outcome.kind != "text" or outcome.value not in question.options:
        said = f"{question.name}: {outcome.says} is none of {options}"
        return CardLine(said, passed=False)
    right = outcome.value == question.right
    return CardLine(
        f"{question.name}: {outcome.value}{'' if right else ' is not it'}", passed=right
    )


_ALIKE = 1e-9  # bits: ticks make ties equalities, and the rest is rounding


@dataclass(frozen=True)
class Steps:
    """Grow a tree that at each node asks a question with the highest gain, to the end.

    There is a line, and so a share of the points, for each question that was asked, for each leaf
    where a question would still gain, and for having asked them all oneself (a tree that comes
    without the builder does not show that, and is taken at its word): a path is worth as much as
    its good steps. Ties are as good as each other. The answer is as for Grow.

    Attributes
    ----------
    table
        What it is grown on: classes, and a value everywhere.
    kind
        Always ``"doing"``.
    """

    table: Callable[[], Table]
    kind: Literal["doing"] = "doing"

    def __post_init__(self) -> None:
        """Say what would be right where the table is there already."""
        asks_for_a_maker("Steps", "table", self.table)

    def run(self, answer: Any) -> tuple[Outcome, ...]:
        """For each question the bits that it lost, for each unfinished leaf the bits to be had."""
        read = read_by(Grow(self.table, ()), answer)
        if not isinstance(read.value, Done):
            return (read,)
        handed: Handed = read.value.value
        table = self.table()
        everything = np.arange(table.n_rows)
        steps = _weighed(handed.tree.root, table, everything, "at the root")
        by_hand = Outcome("truth", not handed.finished, _grown(handed.finished))
        return (*steps, by_hand)

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[CardLine, ...]:
        """A line for each step."""
        return tuple(map(_line, outcomes))

    def agree(self, first: Outcome, other: Outcome) -> bool:
        """As many bits lost at the same place."""
        return first.says == other.says and same(first, other, _ALIKE)


def _weighed(node: Node, table: Table, rows: NDArray[np.intp], where: str) -> Iterator[Outcome]:
    if not len(rows):
        return
    here = table.take(rows)
    best = compare(here).best
    if not isinstance(node, Branch):
        if best.gain > _ALIKE:
            yield Outcome("number", best.gain, f"{where}: a leaf of {_rows(rows)}, not finished")
        return
    asked = weigh(here, node.split)
    lost = best.gain - asked.gain
    asks = table.attributes[node.split.attribute]
    yield Outcome("number", lost if lost > _ALIKE else 0.0, f"{where}, {_rows(rows)}: {asks.name}")
    below = branch_rows(node.split, here)
    for branch, (child, part) in enumerate(zip(node.children, below, strict=True)):
        then = f"below {asks.name} {branch_name(node.split, asks, branch)}"
        yield from _weighed(child, table, rows[part], then)


def _grown(finished: bool | None) -> str:  # noqa: FBT001 - as a tree that was handed in says it
    if finished is None:
        return "a tree alone does not show who asked its questions; whether it was you, you know"
    return "a recipe grew part of it" if finished else "every question is your own"


def _rows(rows: NDArray[np.intp]) -> str:
    return plural(len(rows), "row")


def _line(outcome: Outcome) -> CardLine:
    if outcome.kind == "nothing":
        return CardLine("not answered yet", passed=False)
    if outcome.kind == "truth":
        return CardLine(outcome.says, passed=outcome.value)
    if outcome.kind != "number":
        return CardLine(outcome.says, passed=False)
    if "not finished" in outcome.says:
        gains = f"; a question here would gain {bits(outcome.value)} bits"
        return CardLine(outcome.says + gains, passed=False)
    if outcome.value == 0:
        return CardLine(f"{outcome.says} gains as much as any", passed=True)
    return CardLine(
        f"{outcome.says} gains {bits(outcome.value)} bits less than the best", passed=False
    )
