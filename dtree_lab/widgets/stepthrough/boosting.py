"""AdaBoost, round by round: weights, the stump they choose, and its vote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from dtree_lab.draw.chart import Axis, Bar, Dots, Note, Plot, figure
from dtree_lab.draw.style import hue
from dtree_lab.learn.boost.api import adaboost
from dtree_lab.learn.boost.rounds import Chose, Finished, Reweighted, Weighed
from dtree_lab.learn.narrate import steps
from dtree_lab.shown import plural, value
from dtree_lab.splits import question, reason
from dtree_lab.tree import Branch
from dtree_lab.widgets.kit.parts import Grid, Picture
from dtree_lab.widgets.kit.taking import row_number
from dtree_lab.widgets.stepthrough.story import Story, Told, sentence, short, whole_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.learn.boost.boosted import Boosted
    from dtree_lab.learn.boost.rounds import Event
    from dtree_lab.table import Table
    from dtree_lab.tree import Path, Tree
    from dtree_lab.widgets.kit.parts import Part
    from dtree_lab.widgets.stepthrough.story import Level

MINUS = "\N{MINUS SIGN}"
MOST_SHOWN, MOST_WORDS = 12, 16
_MILLION = 1e6


@dataclass(frozen=True, eq=False, kw_only=True)
class Boosting(Story):
    """Stumps that are boosted."""

    title: ClassVar[str] = "Boosting stumps (AdaBoost)"
    levels: ClassVar = (("event", "every event"), ("round", "one round at a time"))
    code: ClassVar = (
        "Give each row its weight; in the first round all weigh the same.",
        "Grow the best stump on the weighted rows; ε is the weight of those that it gets wrong.",
        f"Its vote weighs ln((1 {MINUS} ε) / ε) + ln(K {MINUS} 1). The wrong rows get heavier.",
        "Start over. Stop after the last round, at a perfect stump, or at one as bad as chance.",
    )

    result: Boosted

    def ends(self, level: Level, event: Event) -> bool:
        """Each event; the end of a round."""
        return level == "event" or isinstance(event, Reweighted | Finished)

    def line(self, event: Event) -> int:
        """Weighing, choosing, weighing anew, stopping."""
        return (Weighed, Chose, Reweighted, Finished).index(type(event))

    def tree(self, cursor: int) -> Tree | None:
        """The last stump; its counts are weights."""
        chose = self._last(cursor, Chose)
        return chose.tree if chose else None

    def _last(self, cursor: int, *kinds: type[Any]) -> Any:
        return next((e for e in reversed(self.events[:cursor]) if isinstance(e, kinds)), None)

    def _asked(self, tree: Tree) -> str:
        root = tree.root
        if not isinstance(root, Branch):
            return "nothing"
        return short(question(root.split, self.table.attributes[root.split.attribute]))

    # -- in words ----------------------------------------------------------------------------------

    def told(self, cursor: int) -> Told:
        """The last event in words."""
        if cursor == 0:
            rows = plural(self.table.n_rows, "row")
            return Told("Before the first round", [f"Stumps are to be boosted on {rows}."])
        match self.events[cursor - 1]:
            case Weighed() as weighed:
                return self._weighed(weighed)
            case Chose(round=n, tree=tree, wrong=wrong, error=error):
                rows = (
                    f"{plural(int(wrong.sum()), 'row')} wrong, with ε = {error:.3f} of the weight."
                )
                return Told(f"Round {n}: the stump asks {self._asked(tree)}", [f"It gets {rows}"])
            case Reweighted(round=n, alpha=alpha, factor=factor):
                line = (
                    f"The rows that it gets wrong become {factor:.3g} times as heavy; then all"
                    " weights are divided by their sum."
                )
                return Told(f"Round {n}: its vote weighs {alpha:.3f}", [line])
            case Finished(n_stumps, why):
                wrong_ = round(self.result.error(self.table) * self.table.n_rows)
                rows = plural(self.table.n_rows, "training row")
                lines = [sentence(why), f"Together they get {wrong_} of {rows} wrong."]
                return Told(f"Finished: {plural(n_stumps, 'stump')} vote", lines)
        raise AssertionError

    def _weighed(self, event: Weighed) -> Told:
        low, high = f"{event.weights.min():.3f}", f"{event.weights.max():.3f}"
        line = f"The lightest row weighs {low}, the heaviest {high} of all weight."
        if low == high:
            line = f"Every row weighs {low}."
        return Told(f"Round {event.round}: the rows' weights", [line])

    # -- what is seen ------------------------------------------------------------------------------

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:  # noqa: ARG002 - no nodes
        """The rows' weights, the stump, and the votes so far."""
        chose = self._last(cursor, Chose)
        parts: list[Part] = [self._weights(cursor)]
        if chose:
            parts.append(self._stump(chose))
        return [*parts, self._votes(cursor)]

    def _weights(self, cursor: int) -> Picture:
        event = self.events[max(cursor, 1) - 1]
        weighed = self._last(max(cursor, 1), Weighed, Reweighted)
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
        layers.append(Dots(tops, labels, size=4.0 if n <= MOST_WORDS else 2.5))
        word = "wrong" if n <= MOST_WORDS else "!"
        layers += [Note(i + 1, weights[i] + 0.06 * top, word) for i in wrong]
        ticks = [
            (at, f"{row_number(self.table, int(at) - 1)}") for at, _ in whole_ticks(1, n + 0.5, 12)
        ]
        x, y = Axis("row", 0.4, n + 0.6, tuple(ticks)), Axis("share of all weight", 0.0, top * 1.2)
        said = f", {len(wrong)} of them wrong" if isinstance(event, Chose) else ""
        title = f"The weight of each of {plural(n, 'row')}, with the mark of its class{said}"
        heavy = sorted(range(n), key=lambda i: -weights[i])[:MOST_SHOWN]
        names = [short(value(v)) for v in self.table.column(self.table.target.name)]
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
                cls = short(value(self.table.classes[child.counts.index(best)]))
                wrong = (sum(child.counts) - best) / _MILLION
                said = short(reason(root.split, attribute, i))
                rows.append([said, cls, f"{best / _MILLION:.3f}", f"{wrong:.3f}"])
        name = f"The stump of round {chose.round}"
        return Grid(
            id="stump",
            area="side",
            label=name,
            heading=name,
            head=["Where", "It says", "Weight right", "Weight wrong"],
            rows=rows[:MOST_SHOWN],
            classes=1,
            more="" if rows else "It asks nothing: no question parts the rows.",
        )

    def _votes(self, cursor: int) -> Grid:
        seen = self.events[:cursor]
        chose = {e.round: e for e in seen if isinstance(e, Chose)}
        rows = [
            [
                f"{e.round}",
                self._asked(chose[e.round].tree),
                f"{chose[e.round].error:.3f}",
                f"{e.alpha:.3f}",
            ]
            for e in seen
            if isinstance(e, Reweighted)
        ]
        left = len(rows) - MOST_SHOWN
        return Grid(
            id="votes",
            area="side",
            label="The votes so far",
            heading="The votes so far",
            head=["Round", "Question", "ε", "Vote"],
            rows=rows[-MOST_SHOWN:],
            more=f"{left} earlier ones are not shown." if left > 0 else "",
        )


def boosting(table: Table, keywords: Mapping[str, Any], notes: tuple[str, ...]) -> Boosting:
    """The story of AdaBoost on a table; raises a ValueError as boosting does."""
    events = tuple(steps(adaboost, table, **keywords))
    boosted = adaboost(table, **keywords)
    return Boosting(table=table, events=events, result=boosted, notes=notes)
