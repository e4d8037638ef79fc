"""Random forests, tree by tree, and AdaBoost, round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Any, ClassVar

from dtree_lab.base.text import plural, value
from dtree_lab.draw.chart import Axis, Bar, Dots, Line, Note, Plot, figure
from dtree_lab.draw.style import hue
from dtree_lab.ensemble.adaboost import BoostingFinished, Chose, Reweighted, Weighed, adaboost
from dtree_lab.ensemble.boosted import Boosted
from dtree_lab.ensemble.forest import Forest
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.ensemble.textbook import Added, Drew, ForestEvent, InTree, Sampled
from dtree_lab.grow.steps import steps
from dtree_lab.grow.textbook import Closed, Considered, Opened
from dtree_lab.labs.kit.parts import Grid, Part, Picture
from dtree_lab.labs.kit.taking import row_number
from dtree_lab.labs.stepthrough.growing import TreeGrowth
from dtree_lab.labs.stepthrough.story import (
    MOST_LATEST,
    StepText,
    Story,
    as_sentence,
    latest,
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
    def _growths(self) -> dict[int, TreeGrowth]:
        return {}

    def growth(self, tree: int) -> TreeGrowth:
        """The growth of one of the trees, on its sample."""
        if tree not in self._growths:
            told = [
                (at, e.event)
                for at, e in enumerate(self.events, 1)
                if isinstance(e, InTree) and e.tree == tree
            ]
            sample = self.table.take(list(self._sampled[tree].rows))
            grown = TreeGrowth(sample, self.result.trees[tree], self.result.plan.recipe, told)
            self._growths[tree] = grown
        return self._growths[tree]

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
        name = f"The sample of tree {sampled.tree + 1}"
        left = self.table.n_rows - MOST_TREES
        return Grid(
            id="sample",
            label=name,
            heading=name,
            head=["Row", "Drawn", short_words(self.table.target.name)],
            rows=rows,
            classes=2,
            keys=range(len(rows)),
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


def foresting(table: Table, keywords: Mapping[str, Any], notes: tuple[str, ...]) -> ForestStory:
    """The story of a random forest on a table; raises a ValueError as the forest does."""
    events = tuple(steps(random_forest, table, **keywords))
    forest = random_forest(table, **keywords)
    return ForestStory(table=table, events=events, result=forest, notes=notes)


MINUS = "\N{MINUS SIGN}"
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
        layers: list[Any] = [
            Bar((i + 0.6, i + 1.4), w, hue=hue(labels[i])) for i, w in enumerate(weights)
        ]
        tops = [(i + 1.0, w + 0.03 * top) for i, w in enumerate(weights)]
        layers.append(Dots(tops, labels, size=4.0 if n <= MOST_WORDS else 2.5, keys=range(n)))
        word = "wrong" if n <= MOST_WORDS else "!"
        layers += [Note(i + 1, weights[i] + 0.06 * top, word) for i in wrong]
        x, y = row_axis(self.table), Axis("share of all weight", 0.0, top * 1.2)
        said = f", {len(wrong)} of them wrong" if isinstance(event, Chose) else ""
        title = f"The weight of each of {plural(n, 'row')}, with the mark of its class{said}"
        heavy = sorted(range(n), key=lambda i: -weights[i])[:MOST_LATEST]
        names = [short_words(value(v)) for v in self.table.column(self.table.target.name)]
        text = [
            f"Row {row_number(self.table, i)}, {names[i]}: {weights[i]:.3f}"
            f"{', wrong' if i in wrong else ''}."
            for i in heavy
        ]
        made = figure(Plot(title, x, y, layers))
        heading = "The rows' weights"
        return Picture(id="weights", heading=heading, figure=made, text=text)

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
        name = f"The stump of round {chose.round}"
        return Grid(
            id="stump",
            label=name,
            heading=name,
            head=["Where", "It says", "Weight right", "Weight wrong"],
            rows=rows[:MOST_LATEST],
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


def boosting(table: Table, keywords: Mapping[str, Any], notes: tuple[str, ...]) -> BoostingStory:
    """The story of AdaBoost on a table; raises a ValueError as boosting does."""
    events = tuple(steps(adaboost, table, **keywords))
    boosted = adaboost(table, **keywords)
    return BoostingStory(table=table, events=events, result=boosted, notes=notes)
