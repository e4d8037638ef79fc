"""A task that asks for a path of steps: a tree whose every question gains as much as any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.cards import Line
from dtree_lab.course.tasks.common import same
from dtree_lab.course.tasks.do import Done, read_by
from dtree_lab.course.tasks.grow import Grow
from dtree_lab.learn.candidates import weigh
from dtree_lab.learn.compare import compare
from dtree_lab.shown import bits, plural
from dtree_lab.splits import answer as branch_name
from dtree_lab.splits import parts
from dtree_lab.tree import Branch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from dtree_lab.course.tasks.grow import Handed
    from dtree_lab.table import Table
    from dtree_lab.tree import Node

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
    """

    table: Callable[[], Table]
    kind: Literal["doing"] = "doing"

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

    def judge(self, outcomes: tuple[Outcome, ...]) -> tuple[Line, ...]:
        """A line for each step."""
        return tuple(map(_line, outcomes))

    def agree(self, one: Outcome, other: Outcome) -> bool:
        """As many bits lost at the same place."""
        return one.says == other.says and same(one, other, _ALIKE)


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
    below = parts(node.split, here)
    for branch, (child, part) in enumerate(zip(node.children, below, strict=True)):
        then = f"below {asks.name} {branch_name(node.split, asks, branch)}"
        yield from _weighed(child, table, rows[part], then)


def _grown(finished: bool | None) -> str:  # noqa: FBT001 - as a tree that was handed in says it
    if finished is None:
        return "a tree alone does not show who asked its questions; whether it was you, you know"
    return "a recipe grew part of it" if finished else "every question is your own"


def _rows(rows: NDArray[np.intp]) -> str:
    return plural(len(rows), "row")


def _line(outcome: Outcome) -> Line:
    if outcome.kind == "nothing":
        return Line("not answered yet", passed=False)
    if outcome.kind == "truth":
        return Line(outcome.says, passed=outcome.value)
    if outcome.kind != "number":
        return Line(outcome.says, passed=False)
    if "not finished" in outcome.says:
        gains = f"; a question here would gain {bits(outcome.value)} bits"
        return Line(outcome.says + gains, passed=False)
    if outcome.value == 0:
        return Line(f"{outcome.says} gains as much as any", passed=True)
    return Line(f"{outcome.says} gains {bits(outcome.value)} bits less than the best", passed=False)
