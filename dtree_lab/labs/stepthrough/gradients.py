"""Gradient boosting, tree by tree: what is left over of each row, and what is added to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dtree_lab.base.text import plural, value
from dtree_lab.draw.chart import Axis, Bar, Dots, Line, Plot, Rule, figure
from dtree_lab.draw.style import hue
from dtree_lab.ensemble.gradient import (
    Corrected,
    GradientBoosted,
    GradientFinished,
    LeftOver,
    gradient_boosting,
)
from dtree_lab.grow.steps import steps
from dtree_lab.labs.kit.parts import Grid, Part, Picture
from dtree_lab.labs.kit.taking import row_number
from dtree_lab.labs.stepthrough.story import (
    MOST_LATEST,
    Scenery,
    StepText,
    Story,
    as_sentence,
    latest,
    picture,
    root_question,
    row_axis,
    short_words,
)
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Path, Tree

_PLAIN, _SIZE = 7, 4.0  # the mark of no class; half the size of a mark


@dataclass(frozen=True, eq=False, kw_only=True)
class GradientStory(Story):
    """Small trees that are boosted by gradients."""

    title: ClassVar[str] = "Gradient boosting"
    levels: ClassVar = (("event", "every event"), ("round", "one round at a time"))
    code: ClassVar = (
        "What is left: the number less the answer so far; of classes, 1 or 0 less the chance p.",
        "Grow a small tree on it; of classes it says Σ left / Σ p(1 - p). Add a part, the rate.",
        "Start over. Stop after the last round, with nothing left, or when withheld rows say so.",
    )

    kinds: ClassVar = (LeftOver, Corrected, GradientFinished)
    ends_step: ClassVar = {"round": (Corrected, GradientFinished)}

    result: GradientBoosted

    def tree(self, cursor: int) -> Tree | None:
        """The last tree."""
        grown = self.last(cursor, Corrected)
        return grown.tree if grown else None

    def step_text(self, cursor: int) -> StepText:
        """The last event in words."""
        numbers = self.table.target.values is None
        match self.event(cursor):
            case None:
                what = "the mean" if numbers else "the logarithm of the odds of the second class"
                first = f"The first answer is {what}, {self.result.start:z.4g}."
                return StepText("Before the first round", [first])
            case LeftOver(round=n, residuals=left):
                most = int(abs(left).argmax())
                row = f"Row {row_number(self.table, most)} has most left: {left[most]:z.4g}."
                return StepText(f"Round {n}: what is left over", [row])
            case Corrected(round=n, tree=tree, loss=loss, withheld=withheld):
                score = "answer" if numbers else "logarithm of the odds"
                added = f"{self.result.rate:g} of what it says is added to each {score}."
                measure = "mean squared error" if numbers else "mean logarithmic loss"
                others = "" if withheld is None else f", of the withheld rows {withheld:.4g}"
                asks = f"Round {n}: the tree asks {root_question(self.table, tree)} first"
                return StepText(asks, [added, f"The {measure} is now {loss:.4g}{others}."])
            case GradientFinished(n_trees, why):
                return StepText(f"Finished: {plural(n_trees, 'tree')} added up", [as_sentence(why)])
        raise AssertionError

    # -- what is seen ------------------------------------------------------------------------------

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:
        """What is left of the rows, the last tree, and the trees so far."""
        grown = self.last(cursor, Corrected)
        parts: list[Part] = [self._left(max(cursor, 1))]
        if grown:
            seen = Scenery(f"The tree of round {grown.round}", selected=looked or ())
            parts.append(picture(grown.tree, seen))
        return [*parts, self._trees(cursor)]

    def _left(self, cursor: int) -> Picture:
        event, n, numbers = self.event(cursor), self.table.n_rows, self.table.target.values is None
        left = self.last(cursor, LeftOver).residuals.tolist()
        codes = [_PLAIN] * n if numbers else self.table.labels.tolist()
        top = max(abs(e.residuals).max() for e in self.events if isinstance(e, LeftOver))
        x, y = row_axis(self.table), Axis.around("left over", [-float(top), float(top)])
        layers: list[Any] = [
            Bar((i + 0.6, i + 1.4), max(r, 0), min(r, 0), hue(codes[i])) for i, r in enumerate(left)
        ]
        ends = [(i + 1.0, r) for i, r in enumerate(left)]
        layers += [Rule(0.0, "y"), Dots(ends, codes, _SIZE, keys=range(n))]
        parts = None
        if numbers and isinstance(event, Corrected):  # of classes it has another unit
            parts = self.result.part(event.tree, self.table.columns).tolist()
            strokes = [p for i, a in enumerate(parts) for p in ((i + 0.6, a), (i + 1.4, a), None)]
            layers.append(Line(strokes, "what is added"))
        title = f"What is left over of each of {plural(n, 'row')}"
        labels = [short_words(value(v)) for v in self.table.column(self.table.target.name)]
        most = sorted(range(n), key=lambda i: -abs(left[i]))[:MOST_LATEST]
        text = [
            f"Row {row_number(self.table, i)}, {labels[i]}: {left[i]:z.4g} left"
            f"{f', {parts[i]:z.4g} added' if parts else ''}."
            for i in most
        ]
        drawn = figure(Plot(title, x, y, layers))
        return Picture(id="left", heading="What is left over", figure=drawn, text=text)

    def _trees(self, cursor: int) -> Grid:
        seen = [e for e in self.events[:cursor] if isinstance(e, Corrected)]
        losses = [[x for x in (e.loss, e.withheld) if x is not None] for e in seen]
        asked = [[f"{e.round}", root_question(self.table, e.tree)] for e in seen]
        rows = [[*a, *(f"{x:.4g}" for x in each)] for a, each in zip(asked, losses, strict=True)]
        head = ["Round", "First question", "Loss", "Withheld"][: len(rows[0]) if rows else 3]
        return latest("trees", "The trees so far", head, rows)


def descending(
    table: Table, withheld: Table | None, keywords: Mapping[str, Any], notes: tuple[str, ...]
) -> GradientStory:
    """The story of gradient boosting on a table; raises a ValueError as boosting does."""
    given = {"withheld": withheld, **keywords}
    events = tuple(steps(gradient_boosting, table, **given))
    result = gradient_boosting(table, **given)
    return GradientStory(table=table, events=events, result=result, notes=notes)
