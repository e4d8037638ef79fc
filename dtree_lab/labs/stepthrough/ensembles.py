"""Random forests, tree by tree; AdaBoost and gradient boosting, round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import isnan
from typing import Any, ClassVar

from dtree_lab.base.text import plural, value
from dtree_lab.draw.chart import Axis, Bar, Dots, Layer, Line, Note, Plot, Rule, figure
from dtree_lab.draw.style import hue
from dtree_lab.ensemble.adaboost import BoostingFinished, Chose, Reweighted, Weighed
from dtree_lab.ensemble.boosted import Boosted
from dtree_lab.ensemble.forest import Forest
from dtree_lab.ensemble.gradient import Corrected, GradientBoosted, GradientFinished, LeftOver
from dtree_lab.ensemble.textbook import Added, Drew, ForestEvent, InTree, Sampled
from dtree_lab.grow.textbook import Closed, Considered, Opened
from dtree_lab.labs.kit.parts import Grid, Part, Picture
from dtree_lab.labs.kit.taking import row_number
from dtree_lab.labs.stepthrough.growing import TreeGrowth
from dtree_lab.labs.stepthrough.story import (
    MINUS,
    MOST_LATEST,
    StepText,
    Story,
    as_sentence,
    headed,
    latest,
    picture,
    root_question,
    row_axis,
    short_words,
    whole_ticks,
)
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import reason
from dtree_lab.tree.tree import Branch, Path, Tree

MOST_LISTED, MOST_TREES = 24, 12


@dataclass(frozen=True, eq=False, kw_only=True)
class ForestStory(Story):
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

    kinds: ClassVar = (Sampled, Drew, Considered, (Opened, Closed), Added)
    ends_step: ClassVar = {"node": (Sampled, Opened, Closed, Added), "round": (Added,)}

    result: Forest

    def within(self, event: ForestEvent) -> Any:
        """What happened in a tree, or to it."""
        return event.event if isinstance(event, InTree) else event

    @cached_property
    def growth(self) -> Callable[[int], TreeGrowth]:
        """The growth of one of the trees, on its sample."""
        return cache(self._growth)

    def _growth(self, tree: int) -> TreeGrowth:
        told = [
            (at, e.event)
            for at, e in enumerate(self.events, 1)
            if isinstance(e, InTree) and e.tree == tree
        ]
        sample = self.table.take(list(self._sampled[tree].rows))
        return TreeGrowth(sample, self.result.trees[tree], self.result.plan.recipe, told)

    @cached_property
    def _sampled(self) -> dict[int, Sampled]:
        return {e.tree: e for e in self.events if isinstance(e, Sampled)}

    def tree(self, cursor: int) -> Tree | None:
        """The tree that is growing, as far as it is."""
        if not cursor:
            return None
        return self.growth(self.events[cursor - 1].tree).grown(cursor)

    def here(self, cursor: int) -> Path:
        """The node at work; the root while a tree begins or when it is done."""
        match self.event(cursor):
            case Drew(path=path) | InTree(event=Considered(path) | Opened(path) | Closed(path)):
                at: Path = path
                return at
        return ()

    # -- in words ----------------------------------------------------------------------------------

    def step_text(self, cursor: int) -> StepText:
        """The last event in words."""
        plan, n = self.result.plan, self.result.n_trees
        n_attributes = len(self.table.attributes)
        if cursor == 0:
            lines = [
                f"{plural(n, 'tree')} are to be grown on {plural(self.table.n_rows, 'row')}.",
                f"Each node draws m = {plan.m} of {plural(n_attributes, 'attribute')}.",
            ]
            return StepText("Before the first tree", lines)
        event = self.events[cursor - 1]
        told = self._say(event)
        if cursor == self.end:
            told = StepText(
                told.headline, [*told.lines, f"The forest is finished: {n} trees vote."]
            )
        return StepText(f"Tree {event.tree + 1} of {n}: {told.headline}", told.lines)

    def _say(self, event: ForestEvent) -> StepText:
        match event:
            case Sampled():
                return self._bootstrap(event)
            case Drew(tree, path, drawn):
                names = ", ".join(
                    short_words(self.table.attributes[i].name) for i in drawn[:MOST_TREES]
                )
                lines = [f"At {self.growth(tree).where(path)}: {names}."]
                if len(drawn) > self.result.plan.m:
                    lines.append("Those drawn first cannot part these rows, so more were drawn.")
                return StepText(f"draw {plural(len(drawn), 'attribute')}", lines)
            case InTree(tree, inner):
                told = self.growth(tree).say(inner)
                return StepText(told.headline[:1].lower() + told.headline[1:], told.lines)
            case Added(_, n_leaves, error):
                seen = "No row has been out of bag yet." if isnan(error) else f"{self._oob(event)}."
                return StepText(f"added, with {plural(n_leaves, 'leaf', 'leaves')}", [seen])

    def _oob(self, added: Added) -> str:
        return f"Out-of-bag error of {plural(added.tree + 1, 'tree')}: {added.oob_error:.3f}"

    def _bootstrap(self, event: Sampled) -> StepText:
        n = self.table.n_rows
        if not self.result.plan.bootstrap:
            return StepText("take all rows", ["Without bootstrap nothing is out of bag."])
        distinct, out = n - len(event.out_of_bag), len(event.out_of_bag)
        hit = (
            f"{plural(n, 'draw')} hit {distinct} of {plural(n, 'row')}, {distinct / n:.0%}; of many"
            " rows it is 63% on average, 1 - 1/e."
        )
        left = f"Out of bag: {self._listed(event.out_of_bag)}." if out else "No row is out of bag."
        return StepText("draw a bootstrap sample", [hit, left])

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
        drew = (e for e in self.events if isinstance(e, Drew) and e.tree == event.tree)
        parts = growth.parts(cursor, here, looked, {e.path: e.attributes for e in drew})
        return [*parts, self._errors(cursor), self._sample(self._sampled[event.tree])]

    def _sample(self, sampled: Sampled) -> Grid:
        """How often each row was drawn; of a large table, of the first rows."""
        times = Counter(sampled.rows)
        shown = self.table.take(list(range(min(self.table.n_rows, MOST_TREES))))
        labels = [short_words(value(v)) for v in shown.column(self.table.target.name)]
        numbers = [f"{row_number(shown, i)}" for i in range(len(labels))]
        rows = [[n, _times(times[i]), labels[i]] for i, n in enumerate(numbers)]
        left = self.table.n_rows - MOST_TREES
        return headed(
            "sample",
            f"The sample of tree {sampled.tree + 1}",
            ["Row", "Drawn", short_words(self.table.target.name)],
            rows,
            classes=2,
            keys=range(len(rows)),
            more=f"{plural(left, 'more row')}." if left > 0 else "",
        )

    def _errors(self, cursor: int) -> Picture:
        known = [
            (at, e)
            for at, e in enumerate(self.events, 1)
            if isinstance(e, Added) and not isnan(e.oob_error)
        ]
        added, n = [e for at, e in known if at <= cursor], self.result.n_trees
        x = Axis("trees", 0.5, n + 0.5, whole_ticks(1, n + 0.5, 8))
        y = Axis("out-of-bag error", 0.0, max([*(e.oob_error for _, e in known), 0.1]) * 1.15)
        title = "The out-of-bag error as trees are added: no tree is finished yet"
        seen: Layer = Note((n + 1) / 2, y.high / 2, "no tree is finished yet")
        if added:
            title = "The out-of-bag error as trees are added, so far"
            seen = Line([(e.tree + 1, e.oob_error) for e in added], dots=True)
        text = [f"{self._oob(e)}." for e in added] or [title]
        made = figure(Plot(title, x, y, [seen], height=220))
        return Picture("oob", made, "The out-of-bag error so far", text=text)


def _times(n: int) -> str:
    return {0: "out of bag", 1: "once", 2: "twice"}.get(n, f"{n} times")


MOST_WORDS = 16
_MILLION = 1e6


@dataclass(frozen=True, eq=False, kw_only=True)
class BoostingStory(Story):
    """Stumps that are boosted."""

    title: ClassVar[str] = "Boosting stumps (AdaBoost)"
    levels: ClassVar = (("event", "every event"), ("round", "one round at a time"))
    code: ClassVar = (
        "Give each row its weight; in the first round all weigh the same.",
        "Grow the best stump on the weighted rows; ε is the weight of those that it gets wrong.",
        f"Its vote weighs ln((1 {MINUS} ε) / ε) + ln(K {MINUS} 1). The wrong rows get heavier.",
        "Start over. Stop after the last round, at a perfect stump, or at one as bad as chance.",
    )

    kinds: ClassVar = (Weighed, Chose, Reweighted, BoostingFinished)
    ends_step: ClassVar = {"round": (Reweighted, BoostingFinished)}

    result: Boosted

    def tree(self, cursor: int) -> Tree | None:
        """The last stump; its counts are weights."""
        chose = self.last(cursor, Chose)
        return chose.tree if chose else None

    # -- in words ----------------------------------------------------------------------------------

    def step_text(self, cursor: int) -> StepText:
        """The last event in words."""
        if cursor == 0:
            rows = plural(self.table.n_rows, "row")
            return StepText("Before the first round", [f"Stumps are to be boosted on {rows}."])
        match self.events[cursor - 1]:
            case Weighed() as weighed:
                return self._weighed(weighed)
            case Chose(round=n, tree=tree, wrong=wrong, error=error):
                rows = (
                    f"{plural(int(wrong.sum()), 'row')} wrong, with ε = {error:.3f} of the weight."
                )
                asks = f"Round {n}: the stump asks {root_question(self.table, tree)}"
                return StepText(asks, [f"It gets {rows}"])
            case Reweighted(round=n, alpha=alpha, factor=factor):
                line = (
                    f"The rows that it gets wrong become {factor:.3g} times as heavy; then all"
                    " weights are divided by their sum."
                )
                return StepText(f"Round {n}: its vote weighs {alpha:.3f}", [line])
            case BoostingFinished(n_stumps, why):
                wrong_ = round(self.result.error(self.table) * self.table.n_rows)
                rows = plural(self.table.n_rows, "training row")
                lines = [as_sentence(why), f"Together they get {wrong_} of {rows} wrong."]
                return StepText(f"Finished: {plural(n_stumps, 'stump')} vote", lines)
        raise AssertionError

    def _weighed(self, event: Weighed) -> StepText:
        low, high = f"{event.weights.min():.3f}", f"{event.weights.max():.3f}"
        line = f"The lightest row weighs {low}, the heaviest {high} of all weight."
        if low == high:
            line = f"Every row weighs {low}."
        return StepText(f"Round {event.round}: the rows' weights", [line])

    # -- what is seen ------------------------------------------------------------------------------

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:  # noqa: ARG002 - no nodes
        """The rows' weights, the stump, and the votes so far."""
        chose = self.last(cursor, Chose)
        parts: list[Part] = [self._weights(cursor)]
        if chose:
            parts.append(self._stump(chose))
        return [*parts, self._votes(cursor)]

    def _weights(self, cursor: int) -> Picture:
        event = self.events[max(cursor, 1) - 1]
        weighed = self.last(max(cursor, 1), Weighed, Reweighted)
        weights = weighed.weights.tolist()
        wrong = set(event.wrong.nonzero()[0].tolist()) if isinstance(event, Chose) else set()
        top = max(
            float(e.weights.max()) for e in self.events if isinstance(e, Weighed | Reweighted)
        )
        n = self.table.n_rows
        labels = self.table.labels.tolist()
        layers = _row_bars(weights, labels)
        tops = [(i + 1.0, w + 0.03 * top) for i, w in enumerate(weights)]
        layers.append(Dots(tops, labels, size=4.0 if n <= MOST_WORDS else 2.5, keys=range(n)))
        word = "wrong" if n <= MOST_WORDS else "!"
        layers += [Note(i + 1, weights[i] + 0.06 * top, word) for i in wrong]
        x, y = row_axis(self.table), Axis("share of all weight", 0.0, top * 1.2)
        said = f", {len(wrong)} of them wrong" if isinstance(event, Chose) else ""
        title = f"The weight of each of {plural(n, 'row')}, with the mark of its class{said}"
        text = _row_lines(
            self.table, weights, lambda i: f"{weights[i]:.3f}{', wrong' if i in wrong else ''}"
        )
        return Picture("weights", figure(Plot(title, x, y, layers)), "The rows' weights", text=text)

    def _stump(self, chose: Chose) -> Grid:
        root, rows = chose.tree.root, []
        if isinstance(root, Branch):
            attribute = self.table.attributes[root.split.attribute]
            for i, child in enumerate(root.children):
                best = max(child.counts)
                cls = short_words(value(self.table.classes[child.counts.index(best)]))
                wrong = (sum(child.counts) - best) / _MILLION
                said = short_words(reason(root.split, attribute, i))
                rows.append([said, cls, f"{best / _MILLION:.3f}", f"{wrong:.3f}"])
        return headed(
            "stump",
            f"The stump of round {chose.round}",
            ["Where", "It says", "Weight right", "Weight wrong"],
            rows[:MOST_LATEST],
            classes=1,
            more="" if rows else "It asks nothing: no question parts the rows.",
        )

    def _votes(self, cursor: int) -> Grid:
        seen = self.events[:cursor]
        chose = {e.round: e for e in seen if isinstance(e, Chose)}
        rows = [
            [
                f"{e.round}",
                root_question(self.table, chose[e.round].tree),
                f"{chose[e.round].error:.3f}",
                f"{e.alpha:.3f}",
            ]
            for e in seen
            if isinstance(e, Reweighted)
        ]
        return latest("votes", "The votes so far", ["Round", "Question", "ε", "Vote"], rows)


# The mark of no class; half the size of a mark.
_PLAIN, _SIZE = 7, 4.0


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
            heading = f"The tree of round {grown.round}"
            parts.append(picture(grown.tree, heading, selected=looked or ()))
        return [*parts, self._trees(cursor)]

    def _left(self, cursor: int) -> Picture:
        event, n, numbers = self.event(cursor), self.table.n_rows, self.table.target.values is None
        left = self.last(cursor, LeftOver).residuals.tolist()
        codes = [_PLAIN] * n if numbers else self.table.labels.tolist()
        top = max(abs(e.residuals).max() for e in self.events if isinstance(e, LeftOver))
        x, y = row_axis(self.table), Axis.around("left over", [-float(top), float(top)])
        layers = _row_bars(left, codes)
        ends = [(i + 1.0, r) for i, r in enumerate(left)]
        layers += [Rule(0.0, "y"), Dots(ends, codes, _SIZE, keys=range(n))]
        parts = None
        if numbers and isinstance(event, Corrected):  # of classes it has another unit
            parts = self.result.part(event.tree, self.table.columns).tolist()
            strokes = [p for i, a in enumerate(parts) for p in ((i + 0.6, a), (i + 1.4, a), None)]
            layers.append(Line(strokes, "what is added"))
        title = f"What is left over of each of {plural(n, 'row')}"
        text = _row_lines(
            self.table,
            left,
            lambda i: f"{left[i]:z.4g} left{f', {parts[i]:z.4g} added' if parts else ''}",
        )
        return Picture("left", figure(Plot(title, x, y, layers)), "What is left over", text=text)

    def _trees(self, cursor: int) -> Grid:
        seen = [e for e in self.events[:cursor] if isinstance(e, Corrected)]
        losses = [[x for x in (e.loss, e.withheld) if x is not None] for e in seen]
        asked = [[f"{e.round}", root_question(self.table, e.tree)] for e in seen]
        rows = [[*a, *(f"{x:.4g}" for x in each)] for a, each in zip(asked, losses, strict=True)]
        head = ["Round", "First question", "Loss", "Withheld"][: len(rows[0]) if rows else 3]
        return latest("trees", "The trees so far", head, rows)


def _row_bars(heights: Sequence[float], codes: Sequence[int]) -> list[Layer]:
    """A bar for each row, in the colour of its class."""
    ends = [(i + 0.6, i + 1.4) for i in range(len(heights))]
    each = zip(ends, heights, codes, strict=True)
    return [Bar(stretch, max(h, 0), min(h, 0), hue(code)) for stretch, h, code in each]


def _row_lines(table: Table, heights: Sequence[float], say: Callable[[int], str]) -> list[str]:
    """The rows with the highest bars, or the lowest, in words."""
    names = [short_words(value(v)) for v in table.column(table.target.name)]
    most = sorted(range(len(names)), key=lambda i: -abs(heights[i]))[:MOST_LATEST]
    return [f"Row {row_number(table, i)}, {names[i]}: {say(i)}." for i in most]
