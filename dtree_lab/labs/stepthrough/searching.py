"""The search for a threshold, cut by cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dtree_lab.base.text import bits, number, plural
from dtree_lab.continuous.thresholds import Event, Ordered, ThresholdFound, Tried, sorted_search
from dtree_lab.criteria.classes import CRITERIA, ClassCriterion
from dtree_lab.draw.chart import Axis, Dots, Line, Plot, Rule, figure
from dtree_lab.grow.recipe import recipe
from dtree_lab.grow.steps import steps
from dtree_lab.labs.kit.parts import Grid, Part, Picture
from dtree_lab.labs.stepthrough.story import (
    MOST_CLASSES,
    Level,
    PlaneScenery,
    StepText,
    Story,
    counted,
    headed,
    short_words,
)
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import threshold
from dtree_lab.tree.tree import Branch, Leaf, Node, Path, Tree

MOST_MARKS, MOST_POINTS = 60, 150


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchStory(Story):
    """A threshold that is searched for, on one attribute or on each continuous one."""

    title: ClassVar[str] = "Searching for a threshold"
    levels: ClassVar = (
        ("event", "every cut"),
        ("node", "the next cut that is the best so far"),
        ("round", "one attribute at a time"),
    )
    code: ClassVar = (
        "Sort the rows by the attribute.",
        "Move the cut up to the next midpoint: the rows it passes change sides. Weigh both sides.",
        "Keep the cheapest cut; the first of equals.",
    )

    criterion: ClassCriterion  # what the sides of a cut are weighed by
    whole_table: Table  # with the attributes that are not searched on, too

    def ends(self, level: Level, event: Event) -> bool:
        """Each event; a cut that is the best so far; the last cut of an attribute."""
        if level == "event" or not isinstance(event, Tried):
            return level == "event"
        _, last = self._cuts[event.attribute][-1]
        return event.best if level == "node" else event.cut == last.cut

    @cached_property
    def _cuts(self) -> dict[str, list[tuple[int, Tried]]]:
        """The cuts of each attribute, each with the cursor after it."""
        found: dict[str, list[tuple[int, Tried]]] = {}
        for at, event in enumerate(self.events, 1):
            if isinstance(event, Tried):
                found.setdefault(event.attribute, []).append((at, event))
        return found

    def line(self, event: Event) -> int:
        """Sorting, moving, keeping."""
        match event:
            case Ordered():
                return 0
            case Tried(best=False):
                return 1
        return 2

    def tree(self, cursor: int) -> None:
        """No tree is grown."""

    # -- the cuts so far ---------------------------------------------------------------------------

    def _name(self, cursor: int) -> str:
        """The attribute that is looked at; at the end, the one that won."""
        event = self.events[max(cursor, 1) - 1]
        found: str = (event.search if isinstance(event, ThresholdFound) else event).attribute
        return found

    def best(self, cursor: int) -> Tried | None:
        """The best cut by then."""
        tried = (e for e in reversed(self.events[:cursor]) if isinstance(e, Tried) and e.best)
        return next(tried, None)

    @cached_property
    def whole(self) -> int:
        """The cost of all rows in one, in ticks."""
        return int(self.criterion.cost(self.table.counts()))

    def gain(self, tried: Tried) -> float:
        """What a cut gains for one row, in the criterion's unit."""
        return float(self.criterion.per_row(self.whole - tried.ticks, self.table.n_rows))

    def _gained(self, tried: Tried) -> str:
        return self.criterion.amount(self.gain(tried))

    # -- in words ----------------------------------------------------------------------------------

    def step_text(self, cursor: int) -> StepText:
        """The last event in words."""
        if cursor == 0:
            cost = self.criterion
            uncut = cost.amount(float(cost.per_row(self.whole, self.table.n_rows)))
            classes = counted(self.table.counts().tolist(), self.table.target) or "none"
            rows = f"{plural(self.table.n_rows, 'row')}: {classes}"
            mixed = f"{cost.heading} {uncut} before any cut."
            return StepText("Before the first step", [f"{rows}.", mixed])
        match self.events[cursor - 1]:
            case Ordered(attribute, n_cuts=n):
                between = f"{plural(n, 'midpoint')} between neighbouring values can be cuts."
                return StepText(f"Sort the rows by {short_words(attribute)}", [between])
            case Tried() as tried:
                return self._tried(cursor, tried)
            case ThresholdFound(search):
                asked = f"{short_words(search.attribute)} < {number(search.cut)}"
                best = self.best(cursor)
                gained = f"It gains {self._gained(best)}, more than any other." if best else ""
                if best and self._equals(best):
                    gained = f"It gains {self._gained(best)}; the first of the best is taken."
                cost_ = f"Sorting and crossing took {search.operations:,} operations."
                return StepText(f"Found: ask {asked}", [gained, cost_])
        raise AssertionError

    def _equals(self, best: Tried) -> bool:
        """Whether other cuts are as cheap as the best."""
        cost = int(self.criterion.settle(np.array(best.ticks)))
        tried = (e for e in self.events if isinstance(e, Tried) and e is not best)
        return any(int(self.criterion.settle(np.array(e.ticks))) == cost for e in tried)

    def _tried(self, cursor: int, tried: Tried) -> StepText:
        cuts = self._cuts[tried.attribute]
        place = 1 + next(i for i, (at, _) in enumerate(cuts) if at == cursor)
        lines = [
            f"Cut {place} of {len(cuts)}: {bits(tried.remaining)} left, gain {self._gained(tried)}."
        ]
        best = self.best(cursor)
        if tried.best:
            lines.append("The best so far.")
        elif best:
            asked = f"{short_words(best.attribute)} < {number(best.cut)}"
            lines.append(f"{asked} gains {self._gained(best)} and stays the best so far.")
        return StepText(f"Try {short_words(tried.attribute)} < {number(tried.cut)}", lines)

    # -- what is seen ------------------------------------------------------------------------------

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:  # noqa: ARG002 - no nodes
        """The gain curve as far as it is known, and both sides of the cut."""
        event = self.event(cursor)
        shown = self.best(cursor) if isinstance(event, ThresholdFound) else event
        sides = [self._sides(shown)] if isinstance(shown, Tried) else []
        return [self._curve(cursor, shown if isinstance(shown, Tried) else None), *sides]

    def plane(self, cursor: int, looked: Path | None) -> PlaneScenery | None:  # noqa: ARG002
        """The cut in the plane of its attribute and another, with what each side would answer."""
        if not self._cuts:
            return None
        event = self.event(cursor)
        tried = self.best(cursor) if isinstance(event, ThresholdFound) else event
        i = self.whole_table.index(self._name(cursor))
        root: Node = Leaf(tuple(self.table.counts().tolist()))
        if isinstance(tried, Tried):
            sides = (Leaf(tuple(tried.below)), Leaf(tuple(tried.above)))
            root = Branch(root.counts, threshold(i, tried.cut), sides)
        tree = Tree.of(self.whole_table, root, self.criterion.name)
        return PlaneScenery(tree, self.whole_table, (i,))

    def _sides(self, tried: Tried) -> Grid:
        classes = [short_words(v, 20) for v in self.table.classes[:MOST_CLASSES]]
        left = len(self.table.classes) - MOST_CLASSES
        rows = []
        for sign, counts in (("<", tried.below), ("≥", tried.above)):
            ticks = self.criterion.cost(np.array(counts))
            cost = self.criterion.per_row(ticks, max(sum(counts), 1))
            each = [f"{n:,}" for n in counts[:MOST_CLASSES]]
            side = f"{sign} {number(tried.cut)}"
            rows.append([side, f"{sum(counts):,}", *each, bits(float(cost))])
        name = f"Both sides of {short_words(tried.attribute)} < {number(tried.cut)}"
        head = ["Side", "Rows", *classes, self.criterion.heading]
        more = f"{left} more classes are counted, but not shown." if left > 0 else ""
        return headed("sides", name, head, rows, more=more)

    def _curve(self, cursor: int, tried: Tried | None) -> Picture:
        name = self._name(cursor)
        cuts = self._cuts[name]
        known = [(e.cut, self.gain(e)) for at, e in cuts if at <= cursor]
        top = max(self.gain(e) for _, e in cuts) or 1.0
        column = self.table.columns[self.table.index(name)]
        x = Axis.around(short_words(name), column.tolist())
        ticks = Axis("", 0.0, top).marked(4)
        unit = self.criterion.unit
        y = Axis(f"gain{f' in {unit}' if unit else ''}", -0.3 * top, 1.15 * top, ticks)
        best = self.best(cursor)
        layers: list[Any] = [self._dots(column, top)]
        if known:
            layers.append(Line(known, "gain of the cuts tried", dots=len(known) <= MOST_MARKS))
        if best and best.attribute == name and best is not tried:
            layers.append(Rule(best.cut, name=f"best so far, {number(best.cut)}", dash="long"))
        if tried and tried.attribute == name:
            said = f"{number(tried.cut)}{', best so far' * tried.best}"
            layers.append(Rule(tried.cut, name=said, accent=True))
        title = f"The gain of each cut of {short_words(name)} tried so far, with the rows beneath"
        text = [f"{len(known)} of {plural(len(cuts), 'cut')} tried."]
        if best:
            text.append(
                f"Best so far: {short_words(best.attribute)} < {number(best.cut)}, "
                f"{self._gained(best)}."
            )
        made = figure(Plot(title, x, y, layers, 440, 380))
        return Picture("curve", made, f"Cuts of {short_words(name)}", text=text)

    def _dots(self, column: np.ndarray[Any, Any], top: float) -> Dots:
        """The rows beneath the curve, a height for each class; in bins where they are many."""
        if self.table.n_rows <= MOST_POINTS:
            return _each(column, self.table.labels, len(self.table.classes), top)
        low, high = float(column.min()), float(column.max())
        labels = self.table.labels
        bins = MOST_POINTS // min(len(self.table.classes), MOST_CLASSES)
        place = np.rint((column - low) / ((high - low) or 1.0) * bins) / bins * (high - low) + low
        exact = len(np.unique(np.stack([column, labels]), axis=1).T) <= MOST_POINTS
        pairs = np.unique(np.stack([column if exact else place, labels]), axis=1)
        pairs = pairs[:, pairs[1] < MOST_CLASSES]
        height = 0.24 * top / min(len(self.table.classes), MOST_CLASSES)
        points = [(v, -height * (k + 0.7)) for v, k in pairs.T.tolist()]
        return Dots(points, [int(k) for k in pairs[1]], size=4.5)


def _each(
    column: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], n_classes: int, top: float
) -> Dots:
    """A mark for each row, in the lane of its class; rows that are alike stand on each other."""
    rows = np.flatnonzero(labels < MOST_CLASSES)
    height = 0.24 * top / min(n_classes, MOST_CLASSES)
    seen: Counter[tuple[float, int]] = Counter()
    points = []
    pairs = [(float(column[i]), int(labels[i])) for i in rows]
    most = max(Counter(pairs).values())
    for x, k in pairs:
        up = seen[x, k] * min(0.3, 0.8 / most)
        points.append((x, height * (up - k - 0.9 if most > 1 else -k - 0.7)))
        seen[x, k] += 1
    return Dots(points, [k for _, k in pairs], size=4.5, keys=rows.tolist())


def searching(
    table: Table, attribute: str | None, keywords: Mapping[str, Any], notes: tuple[str, ...]
) -> SearchStory:
    """The story of a threshold search on a table, or on one attribute of it."""
    whole = table
    if attribute is not None:
        i = table.index(attribute)
        table = Table((table.attributes[i],), table.target, (table.columns[i],), table.labels)
    events = tuple(steps(sorted_search, table, **keywords))
    criterion = CRITERIA[recipe("id3", keywords.get("criterion")).criterion.name]
    many = len(table.classes) - MOST_CLASSES
    if many > 0:
        notes = (*notes, f"The figure marks the rows of the first {MOST_CLASSES} classes only.")
    return SearchStory(
        table=table,
        events=events,
        result=events[-1].search,
        notes=notes,
        criterion=criterion,
        whole_table=whole,
    )
