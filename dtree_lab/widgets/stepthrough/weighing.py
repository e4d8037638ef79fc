"""The questions of a node side by side: what each gains, and how that comes about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.learn.grow import Opened
from dtree_lab.shown import bits
from dtree_lab.splits import answer, question
from dtree_lab.widgets.kit.parts import Bar, Bars
from dtree_lab.widgets.stepthrough.growth import MOST_BRANCHES, NAMES, UNITS
from dtree_lab.widgets.stepthrough.story import counted, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.learn.candidates import Candidate
    from dtree_lab.tree import Path
    from dtree_lab.widgets.stepthrough.growth import Growth

MOST_BARS = 12
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Weighing:
    """The comparison at a node.

    Attributes
    ----------
    growth
        The tree that it belongs to.
    drawn
        In a forest, the attributes that the node drew.
    """

    growth: Growth
    drawn: Sequence[int] | None = None

    def bars(self, cursor: int, path: Path) -> Bars | None:
        """The attributes as they were compared at a node; None where nothing was.

        What was asked there is marked only once it has been.
        """
        found = self.growth.looked_at.get(path)
        if found is None or found[0] > cursor or not found[1].candidates:
            return None
        at, event = self.growth.settled.get(path, (cursor + 1, None))
        asked = event.split if isinstance(event, Opened) and at <= cursor else None
        by = {c.split.attribute: c for c in found[1].candidates}
        listed = list(range(len(self.growth.table.attributes)))
        left = len(listed) - MOST_BARS
        if left > 0:
            listed = sorted(sorted(by, key=lambda i: -by[i].gain_ticks)[:MOST_BARS])
        more = f", the best {MOST_BARS} of {left + MOST_BARS} attributes" if left > 0 else ""
        heading = f"What each question gains at {self.growth.where(path)}{more}"
        bars = [
            self._bar(by[i], best=by[i].split == asked) if i in by else self._none(i)
            for i in listed
        ]
        return Bars(id="bars", area="side", label=heading, heading=heading, bars=bars)

    def _none(self, i: int) -> Bar:
        """An attribute that asks nothing here."""
        out = self.drawn is not None and i not in self.drawn
        name = short(self.growth.table.attributes[i].name)
        return Bar(name=name, share=0.0, value="not drawn" if out else "cannot part these rows")

    def _bar(self, c: Candidate, *, best: bool) -> Bar:
        recipe = self.growth.recipe
        unit = UNITS[recipe.criterion.name]
        before = float(recipe.criterion.per_row(c.before, c.known))
        ratio = f", ratio {bits(c.gain_ratio)}" if recipe.by_ratio else ""
        return Bar(
            name=short(question(c.split, self.growth.table.attributes[c.split.attribute])),
            share=c.gain / before if before else 0.0,
            value=f"gain {bits(c.gain)}{unit}{ratio}",
            rest=f"{bits(c.remaining)} left",
            best=best,
            detail=self._sum(c, before),
            table=self._branches(c),
        )

    def _impurities(self, c: Candidate) -> list[float]:
        """That of each branch, for one row."""
        criterion = self.growth.recipe.criterion
        each = criterion.per_row(criterion.cost(c.stats), np.maximum(c.counts.sum(axis=1), 1))
        found: list[float] = each.tolist()
        return found

    def _branches(self, c: Candidate) -> tuple[list[str], list[list[str]]]:
        """A branch in each line: its rows of each class and their impurity."""
        table = self.growth.table
        attribute = table.attributes[c.split.attribute]
        pairs = zip(c.counts.tolist(), self._impurities(c), strict=True)
        rows = [
            [short(answer(c.split, attribute, i), 20), counted(counts, table.target), bits(h)]
            for i, (counts, h) in enumerate(pairs)
        ]
        left = len(rows) - MOST_BRANCHES
        more = [[f"{left} more", "", ""]] if left > 0 else []
        head = ["Branch", "Rows", NAMES[self.growth.recipe.criterion.name]]
        return head, rows[:MOST_BRANCHES] + more

    def _sum(self, c: Candidate, before: float) -> list[str]:
        """The arithmetic of what is left and of the gain."""
        sizes = c.counts.sum(axis=1).tolist()
        terms = [
            f"{n}/{c.known}·{bits(h)}" for n, h in zip(sizes, self._impurities(c), strict=True)
        ]
        if len(terms) > MOST_BRANCHES:
            terms = [*terms[:MOST_BRANCHES], "…"]
        unit = UNITS[self.growth.recipe.criterion.name]
        left = f"left: {' + '.join(terms)} = {bits(c.remaining)}{unit}"
        exact = bits(float(bits(before)) - float(bits(c.remaining))) == bits(c.gain)
        gain = f"{bits(before)} {MINUS} {bits(c.remaining)} {'=' if exact else '≈'} {bits(c.gain)}"
        return [left, f"gain: {gain}{unit}"]
