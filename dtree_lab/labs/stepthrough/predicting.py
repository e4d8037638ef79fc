"""A tree that answers rows, question by question: one's own, or one that was brought along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dtree_lab.base.text import plural, value
from dtree_lab.grow.api import id3, refilled
from dtree_lab.labs.kit.boxes import asked_in
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.parts import Grid, Part
from dtree_lab.labs.stepthrough.story import (
    PlaneScenery,
    StepText,
    Story,
    as_sentence,
    chosen_rows,
    headed,
    picture,
    short_words,
)
from dtree_lab.table.table import Table, Value
from dtree_lab.tree.explanation import Explanation
from dtree_lab.tree.subtrees import path_to
from dtree_lab.tree.tree import Path, Tree

MOST_ASKED, MOST_VALUES = 50, 12


@dataclass(frozen=True)
class WentOn:
    """A row was asked a question, and went on."""

    row: int  # its position among the rows that are walked
    path: Path  # where it is now
    question: str
    reason: str


@dataclass(frozen=True)
class Answered:
    """A row stopped, and was answered."""

    row: int
    path: Path
    explanation: Explanation
    label: Value | None


@dataclass(frozen=True, eq=False, kw_only=True)
class PredictionStory(Story):
    """Rows on their way through a tree."""

    title: ClassVar = "Prediction"
    levels: ClassVar = (("event", "every question"), ("round", "one row at a time"))
    code: ClassVar = (
        "at a question, go the way of the row's own value",
        "at a leaf, or where there is no way, answer what most training rows there are",
    )
    kinds: ClassVar = (WentOn, Answered)
    ends_step: ClassVar = {"round": (Answered,)}

    result: Tree
    walked: Table  # the rows that are walked

    def tree(self, cursor: int) -> Tree:  # noqa: ARG002 - it stays as it is
        """The tree."""
        return self.result

    def here(self, cursor: int) -> Path:
        """Where the row is."""
        event = self.event(cursor)
        return event.path if event else ()

    def step_text(self, cursor: int) -> StepText:
        """What became of the row."""
        rows = plural(self.walked.n_rows, "row")
        match self.event(cursor):
            case None:
                grown = f"{plural(self.table.n_rows, 'training row')} fill the tree."
                return StepText("Before the first row", [grown, f"{rows} wait at the root."])
            case WentOn() as went:
                asked = short_words(went.question)
                told = as_sentence(f"it is asked {asked}: {went.reason}")
                return StepText(f"{self._row(went.row)} goes on", [told])
            case Answered(row, _, told, label):
                why = str(told).splitlines()[len(told.steps) :]
                right = "which is right" if told.prediction == label else "which is wrong"
                own = f"The row's own label is {short_words(label)}, {right}."
                answer = f"{short_words(told.target)} = {short_words(told.prediction)}"
                return StepText(f"{self._row(row)}: {answer}", [*map(as_sentence, why), own])
        raise AssertionError

    def _row(self, row: int) -> str:
        return f"Row {row + 1} of {self.walked.n_rows}"

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:
        """The tree with the row's way, its values, and how many rows were right so far."""
        here = self.here(cursor)
        seen = looked if looked is not None and node_at(self.result.root, looked) else here
        tags = {here: "the row is here"} if cursor else {}
        tree = picture(self.result, "The tree", here=here, selected=seen, tags=tags)
        event = self.event(cursor)
        return [tree, *([self._values(event)] if event else []), self._judged(cursor)]

    def plane(self, cursor: int, looked: Path | None) -> PlaneScenery:
        """The boxes of the tree, with the row's framed."""
        at = looked if looked is not None else self.here(cursor)
        return PlaneScenery(self.result, self.table, asked_in(self.result), at)

    def _values(self, event: WentOn | Answered) -> Grid:
        row = self.walked.row(event.row)
        names = self.walked.names[:MOST_VALUES]
        rows = [[short_words(one), short_words(value(row[one]))] for one in names]
        left = len(self.walked.names) - len(names)
        more = f"{plural(left, 'more attribute')}" if left else ""
        name = f"The values of row {event.row + 1}"
        return headed("values", name, ["Attribute", "Value"], rows, more=more)

    def _judged(self, cursor: int) -> Grid:
        done = [event for event in self.events[:cursor] if isinstance(event, Answered)]
        right = sum(event.explanation.prediction == event.label for event in done)
        counts = [["right", f"{right:,}"], ["wrong", f"{len(done) - right:,}"]]
        return headed("judged", "Rows answered so far", ["Answer", "Rows"], counts)


def predicting(
    table: Table, rows: Table, seed: int, keywords: Mapping[str, Any]
) -> PredictionStory:
    """The story of rows that a tree answers: that of some questions, or what ID3 grows."""
    given = dict(keywords)
    questions = given.pop("tree", None)
    if questions is None:
        tree = id3(table, **given)
    else:
        tree = refilled(questions, table, given.get("criterion") or "entropy")
    asked, notes = chosen_rows(rows, MOST_ASKED, seed)
    labels = asked.column(asked.target.name)
    events: list[WentOn | Answered] = []
    for i, (row, stop) in enumerate(zip(asked.rows(), tree.apply(asked).tolist(), strict=True)):
        told, path = tree.explain(row), path_to(tree.flat, stop)
        events += [WentOn(i, path[: j + 1], s.question, s.reason) for j, s in enumerate(told.steps)]
        events.append(Answered(i, path, told, labels[i]))
    return PredictionStory(
        table=table, events=tuple(events), result=tree, notes=notes, walked=asked
    )
