"""A row's way through a tree, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dtree_lab.base.terminal import terminal, written_out
from dtree_lab.base.text import amount, number, plural, value
from dtree_lab.table.table import Attribute, Value, is_missing
from dtree_lab.tree import splits as s

_MINUS = "\N{MINUS SIGN}"


def slopes(
    values: Sequence[float], attributes: Sequence[Attribute]
) -> list[tuple[Attribute, float, float]]:
    """Each attribute in the line that a node answers, with its slope and mean; none of a number."""
    numbers = [a for a in attributes if a.values is None]
    terms = zip(numbers, values[2::2], values[3::2], strict=False)  # without lines, no slopes
    return [(a, slope, mean) for a, slope, mean in terms if slope]


def term(name: str, slope: float, mean: float, *, exact: bool = False) -> str:
    """What a line adds for an attribute, four_digits unless it is to be exact.

    >>> term("income", 1 / 3, -2000.123)
    '+ 0.3333·(income + 2000.12)'
    """
    near = number if exact else four_digits
    apart = f"({name} {'+' if mean < 0 else _MINUS} {near(abs(mean))})" if mean else name
    return f"{_MINUS if slope < 0 else '+'} {near(abs(slope))}·{apart}"


def four_digits(x: float) -> str:
    """At least four digits, and two of them decimals."""
    whole = len(f"{abs(x):.0f}")
    return number(float(f"{x:.{min(max(whole + 2, 4), 15)}g}"))


def line_for(values: list[float], attributes: tuple[Attribute, ...], row: Mapping[str, Any]) -> str:
    """The line that answers a row, or nothing; an attribute that it lacks adds nothing."""
    terms = [
        f"+ 0 ({a.name} is missing)" if is_missing(row[a.name]) else term(a.name, slope, mean)
        for a, slope, mean in slopes(values, attributes)
    ]
    return " ".join([four_digits(values[0]), *terms]) if terms else ""


@written_out
@dataclass(frozen=True)
class Step:
    """One question on a row's way: what was asked, the row's value, and why it went on."""

    question: str
    value: Value | None
    reason: str


@dataclass(frozen=True)
class Explanation:
    """A row's way through a tree, in words.

    Attributes
    ----------
    steps
        One for each question, from the root.
    prediction
        The answer.
    counts
        Training rows of each class where the row stopped, by their weights; empty for a regression
        tree.
    stopped
        Why the row stopped above a leaf, or the empty text.
    rows
        How many training rows there were.
    deviation
        Of a regression tree, the standard deviation of their numbers.
    line
        Of a model tree, the line that gives the answer; else the empty text.
    """

    steps: tuple[Step, ...]
    target: str
    prediction: Value
    counts: dict[Value, float]
    stopped: str = ""
    rows: float = 0
    deviation: float | None = None
    line: str = ""

    @terminal
    def __str__(self) -> str:
        lines = [step.reason for step in self.steps]
        if self.stopped:
            lines.append(self.stopped)
        rows = f"{plural(self.rows, 'training row')} here"
        if self.deviation is None:
            answer = value(self.prediction)
            why = f"{amount(self.counts[self.prediction])} of {rows}"
        else:
            answer = four_digits(float(self.prediction))
            why = f"{rows}, standard deviation {four_digits(self.deviation)}"
        if self.line:
            lines.append(f"{self.target} is about {self.line} here")
        lines.append(f"so {self.target} = {answer} ({why})")
        return "\n".join(lines)

    __repr__ = __str__


def way_taken(split: s.Split, attribute: Attribute, branch: int, given: Any) -> str:
    """Why a row took a branch: its own value, and what that means there."""
    said = s.answer(split, attribute, branch)
    if is_missing(given):
        return f"{attribute.name} is missing, and such rows go on ({said})"
    if isinstance(split, s.ByValue):
        several = len(split.groups[branch]) > 1
        return f"{attribute.name} is {value(given)}" + (f" ({said})" if several else "")
    return f"{attribute.name} is {value(float(given))}, {said}"


def why_stopped(attribute: Attribute, given: Any, rows: float, gaps: int) -> str:
    """Why a row stops above a leaf."""
    if is_missing(given) and gaps == s.IN_PARTS:
        return f"{attribute.name} is missing, so a part of the row goes down every branch"
    decide = f"so the {plural(rows, 'training row')} at this node decide"
    if is_missing(given):
        return f"{attribute.name} is missing, {decide}"
    return f"{attribute.name} is {value(given)}, which no training row here had, {decide}"
