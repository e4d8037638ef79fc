"""A random forest, tree by tree: samples, draws, questions, and the out-of-bag error."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

from dtree_lab.draw.chart import Axis, Line, Note, Plot, figure
from dtree_lab.learn.forest.api import random_forest
from dtree_lab.learn.forest.textbook import Added, Drew, InTree, Sampled
from dtree_lab.learn.grow import Closed, Considered, Opened
from dtree_lab.learn.narrate import steps
from dtree_lab.shown import plural, value
from dtree_lab.widgets.kit.parts import Grid, Picture
from dtree_lab.widgets.kit.taking import row_number
from dtree_lab.widgets.stepthrough.growth import Growth
from dtree_lab.widgets.stepthrough.story import Story, Told, short, whole_ticks
from dtree_lab.widgets.stepthrough.weighing import Weighing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.learn.forest.forest import Forest
    from dtree_lab.learn.forest.textbook import ForestEvent
    from dtree_lab.table import Table
    from dtree_lab.tree import Path, Tree
    from dtree_lab.widgets.kit.parts import Part
    from dtree_lab.widgets.stepthrough.story import Level

MOST_LISTED, MOST_SHOWN = 24, 12


@dataclass(frozen=True, eq=False, kw_only=True)
class Foresting(Story):
    """A forest that is grown."""

    title: ClassVar[str] = "Growing a random forest"
    levels: ClassVar = (
        ("event", "every event"),
        ("node", "one node at a time"),
        ("round", "one tree at a time"),
    )
    code: ClassVar = (
        "Draw as many rows as there are, with replacement: the tree's bootstrap sample.",
        "At a node, draw m attributes.",
        "Work out what the best question on each of them would gain.",
        "Ask the best of them, or close a node that is pure. Do not prune.",
        "Add the tree. Each row that it did not see gets its vote: the out-of-bag error.",
    )

    result: Forest

    def ends(self, level: Level, event: ForestEvent) -> bool:
        """Each event; what settles a node, begins or ends a tree; what ends it."""
        match event:
            case Added():
                return True
            case Sampled():
                return level != "round"
            case InTree(event=Considered()) | Drew():
                return level == "event"
        return level != "round"

    def line(self, event: ForestEvent) -> int:
        """Sampling, drawing, looking, settling, adding."""
        match event:
            case Sampled():
                return 0
            case Drew():
                return 1
            case InTree(event=Considered()):
                return 2
            case InTree():
                return 3
        return 4

    @cached_property
    def _growths(self) -> dict[int, Growth]:
        return {}

    def growth(self, tree: int) -> Growth:
        """The growth of one of the trees, on its sample."""
        if tree not in self._growths:
            told = [
                (at, e.event)
                for at, e in enumerate(self.events, 1)
                if isinstance(e, InTree) and e.tree == tree
            ]
            sample = self.table.take(list(self._sampled[tree].rows))
            grown = Growth(sample, self.result.trees[tree], self.result.plan.recipe, told)
            self._growths[tree] = grown
        return self._growths[tree]

    @cached_property
    def _sampled(self) -> dict[int, Sampled]:
        return {e.tree: e for e in self.events if isinstance(e, Sampled)}

    @cached_property
    def _drew(self) -> dict[tuple[int, Path], Drew]:
        return {(e.tree, e.path): e for e in self.events if isinstance(e, Drew)}

    def tree(self, cursor: int) -> Tree | None:
        """The tree that is growing, as far as it is."""
        if not cursor:
            return None
        return self.growth(self.events[cursor - 1].tree).grown(cursor)

    def here(self, cursor: int) -> Path:
        """The node at work; the root while a tree begins or when it is done."""
        match self.events[cursor - 1] if cursor else None:
            case Drew(path=path) | InTree(event=Considered(path) | Opened(path) | Closed(path)):
                at: Path = path
                return at
        return ()

    # -- in words ----------------------------------------------------------------------------------

    def told(self, cursor: int) -> Told:
        """The last event in words."""
        plan, n = self.result.plan, self.result.n_trees
        n_attributes = len(self.table.attributes)
        if cursor == 0:
            lines = [
                f"{plural(n, 'tree')} are to be grown on {plural(self.table.n_rows, 'row')}.",
                f"Each node draws m = {plan.m} of {plural(n_attributes, 'attribute')}.",
            ]
            return Told("Before the first tree", lines)
        event = self.events[cursor - 1]
        told = self._say(event)
        if cursor == self.end:
            told = Told(told.headline, [*told.lines, f"The forest is finished: {n} trees vote."])
        return Told(f"Tree {event.tree + 1} of {n}: {told.headline}", told.lines)

    def _say(self, event: ForestEvent) -> Told:
        match event:
            case Sampled():
                return self._bootstrap(event)
            case Drew(tree, path, drawn):
                names = ", ".join(short(self.table.attributes[i].name) for i in drawn[:MOST_SHOWN])
                lines = [f"At {self.growth(tree).where(path)}: {names}."]
                if len(drawn) > self.result.plan.m:
                    lines.append("Those drawn first cannot part these rows, so more were drawn.")
                return Told(f"draw {plural(len(drawn), 'attribute')}", lines)
            case InTree(tree, inner):
                told = self.growth(tree).say(inner)
                return Told(told.headline[:1].lower() + told.headline[1:], told.lines)
            case Added(_, n_leaves, error):
                seen = "No row has been out of bag yet." if isnan(error) else f"{self._oob(event)}."
                return Told(
                    f"added, with {'1 leaf' if n_leaves == 1 else f'{n_leaves:,} leaves'}", [seen]
                )

    def _oob(self, added: Added) -> str:
        return f"Out-of-bag error of {plural(added.tree + 1, 'tree')}: {added.oob_error:.3f}"

    def _bootstrap(self, event: Sampled) -> Told:
        n = self.table.n_rows
        if not self.result.plan.bootstrap:
            return Told("take all rows", ["Without bootstrap nothing is out of bag."])
        distinct, out = n - len(event.out_of_bag), len(event.out_of_bag)
        hit = (
            f"{plural(n, 'draw')} hit {distinct} of {plural(n, 'row')}, {distinct / n:.0%}; of many"
            " rows it is 63% on average, 1 - 1/e."
        )
        left = f"Out of bag: {self._listed(event.out_of_bag)}." if out else "No row is out of bag."
        return Told("draw a bootstrap sample", [hit, left])

    def _listed(self, rows: tuple[int, ...]) -> str:
        said = ", ".join(str(row_number(self.table, row)) for row in rows[:MOST_LISTED])
        more = f" and {len(rows) - MOST_LISTED} more" if len(rows) > MOST_LISTED else ""
        return f"row{'s' * (len(rows) != 1)} {said}{more}"

    # -- what is seen ------------------------------------------------------------------------------

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:
        """The tree that is growing, what it draws from, and the error so far."""
        if not cursor:
            return [self._errors(cursor)]
        event = self.events[cursor - 1]
        growth = self.growth(event.tree)
        here = None if isinstance(event, Added) else self.here(cursor)
        picture = growth.picture(cursor, here, looked)
        at = looked if looked in growth.looked_at else self.here(cursor)
        drew = self._drew.get((event.tree, at))
        bars = Weighing(growth, drew.attributes if drew else None).bars(cursor, at)
        if here is None and looked is None:
            bars = None
        chosen = growth.chosen(cursor, here, looked)
        sample = self._sample(self._sampled[event.tree])
        return [picture, *(part for part in (bars, chosen) if part), self._errors(cursor), sample]

    def _sample(self, sampled: Sampled) -> Grid:
        """How often each row was drawn; of a large table, of the first rows."""
        times = Counter(sampled.rows)
        shown = self.table.take(list(range(min(self.table.n_rows, MOST_SHOWN))))
        labels = [short(value(v)) for v in shown.column(self.table.target.name)]
        numbers = [f"{row_number(shown, i)}" for i in range(len(labels))]
        rows = [[n, _times(times[i]), labels[i]] for i, n in enumerate(numbers)]
        name = f"The sample of tree {sampled.tree + 1}"
        left = self.table.n_rows - MOST_SHOWN
        return Grid(
            id="sample",
            area="side",
            label=name,
            heading=name,
            head=["Row", "Drawn", short(self.table.target.name)],
            rows=rows,
            classes=2,
            more=f"{plural(left, 'more row')}." if left > 0 else "",
        )

    def _errors(self, cursor: int) -> Picture:
        added = [e for e in self.events[:cursor] if isinstance(e, Added) and not isnan(e.oob_error)]
        n = self.result.n_trees
        every = [
            e.oob_error for e in self.events if isinstance(e, Added) and not isnan(e.oob_error)
        ]
        x = Axis("trees", 0.5, n + 0.5, whole_ticks(1, n + 0.5, 8))
        y = Axis("out-of-bag error", 0.0, max([*every, 0.1]) * 1.15)
        layers: list[Any] = []
        title = "The out-of-bag error as trees are added: no tree is finished yet"
        if not added:
            layers.append(Note((n + 1) / 2, y.high / 2, "no tree is finished yet"))
        if added:
            layers.append(Line([(e.tree + 1, e.oob_error) for e in added], dots=True))
            title = "The out-of-bag error as trees are added, so far"
        text = [f"{self._oob(e)}." for e in added]
        made = figure(Plot(title, x, y, layers, height=220))
        heading = "The out-of-bag error so far"
        return Picture(id="oob", heading=heading, figure=made, text=text or [title])


def _times(n: int) -> str:
    return {0: "out of bag", 1: "once", 2: "twice"}.get(n, f"{n} times")


def foresting(table: Table, keywords: Mapping[str, Any], notes: tuple[str, ...]) -> Foresting:
    """The story of a random forest on a table; raises a ValueError as the forest does."""
    events = tuple(steps(random_forest, table, **keywords))
    forest = random_forest(table, **keywords)
    return Foresting(table=table, events=events, result=forest, notes=notes)
