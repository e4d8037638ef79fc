"""Pruning round by round, by any method that says how it goes in a few lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar

from dtree_lab.base.text import plural
from dtree_lab.draw.chart import Axis, Line, Plot, figure
from dtree_lab.grow.api import id3
from dtree_lab.grow.steps import steps
from dtree_lab.labs.kit.boxes import asked_in
from dtree_lab.labs.kit.cards import node_at, reasons
from dtree_lab.labs.kit.marks import TreeRows
from dtree_lab.labs.kit.parts import Grid, Part, Picture, TreeView
from dtree_lab.labs.stepthrough.story import (
    MINUS,
    PlaneScenery,
    StepText,
    Story,
    headed,
    picture,
    question_text,
    short_words,
    whole_ticks,
)
from dtree_lab.prune.pruned import Cut, Finished, Measured, Pruned, PrunedTree, PruningMethod
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Branch, Path

MOST_CANDIDATES, MOST_MARKS = 12, 60


@dataclass(frozen=True, eq=False, kw_only=True)
class PruningStory(Story):
    """A tree that is pruned."""

    levels: ClassVar = (("event", "every event"), ("round", "one round at a time"))
    kinds: ClassVar = (Measured, Pruned, Finished)
    ends_step: ClassVar = {"round": (Pruned, Finished)}

    method: PruningMethod
    validation: Table  # the withheld rows
    result: PrunedTree

    @property
    def algorithm(self) -> tuple[str, Sequence[str]]:
        """What the method says of itself."""
        return self.method.called[:1].upper() + self.method.called[1:], self.method.code

    def cuts(self, cursor: int) -> int:
        """How many cuts were made by then."""
        return sum(isinstance(event, Pruned) for event in self.events[:cursor])

    @cached_property
    def _after(self) -> Callable[[int], PrunedTree]:
        """The tree after so many cuts; kept, for one goes back and forth between a few."""
        return cache(self.result.after)

    def tree(self, cursor: int) -> PrunedTree:
        """The tree as it stands."""
        return self._after(self.cuts(cursor))

    def here(self, cursor: int) -> Path:
        """The node that was cut."""
        event = self.event(cursor)
        return event.cut.path if isinstance(event, Pruned) else ()

    # -- in words ----------------------------------------------------------------------------------

    @property
    def _rows(self) -> str:
        return plural(self.validation.n_rows, "validation row")

    @property
    def _of_rows(self) -> bool:
        """Whether its costs count validation rows that are wrong."""
        return "validation" in self.method.needs

    def _number(self, cost: float) -> str:
        return f"{cost:g}" if self._of_rows else f"{cost:.4g}"

    def _cost(self, cost: float) -> str:
        """What a tree costs, as a predicate."""
        if self._of_rows:
            return f"gets {cost:g} of {self._rows} wrong"
        return f"costs {self._number(cost)} {self.method.unit}"

    def step_text(self, cursor: int) -> StepText:
        """The last event in words."""
        if cursor == 0:
            grown = f"The tree was grown by ID3 on {plural(self.table.n_rows, 'training row')}."
            use = " to prune with" if self._of_rows else ", which this method does not look at"
            kept = f"{self._rows} were withheld{use}."
            return StepText("Before the first round", [grown, kept])
        match self.events[cursor - 1]:
            case Measured() as measured:
                better = sum(cut.reduction > 0 for cut in measured.candidates)
                nodes = plural(len(measured.candidates), "question")
                would = "remove errors" if self._of_rows else "cost less"
                what = f"{nodes} could be cut; {better or 'none'} of these cuts would {would}."
                if not measured.candidates:
                    what = "No question is left to cut."
                wrong = f"The tree {self._cost(measured.cost)}."
                return StepText(f"Round {measured.round}: measure every question", [wrong, what])
            case Pruned() as pruned:
                return self._pruned(pruned)
            case Finished() as finished:
                return self._finished(finished)
        raise AssertionError

    def _pruned(self, pruned: Pruned) -> StepText:
        cut = pruned.cut
        why = f"Its subtree gets {cut.subtree:g} wrong, a leaf {cut.leaf:g}"
        why += ": no cut removes more." if cut.leaf < cut.subtree else ": that is no worse."
        if not self._of_rows:
            why = f"Its subtree costs {self._number(cut.subtree)}, a leaf {self._number(cut.leaf)}."
        now = (
            f"{cut.n_leaves} leaves become one. The whole tree now {self._cost(pruned.after)},"
            f" before {self._number(pruned.before)}."
        )
        return StepText(f"Round {pruned.round}: cut at {self._where(cut.path)}", [why, now])

    def _finished(self, finished: Finished) -> StepText:
        before = self.result.original
        line = (
            f"{plural(finished.n_cuts, 'cut')}; the tree has {self.result.n_nodes} of"
            f" {plural(before.n_nodes, 'node')} left, and {self._cost(finished.cost)}."
        )
        end = "No cut removes an error any more" if self._of_rows else "No cut is left to make"
        return StepText(end, [line])

    def _where(self, path: Path) -> str:
        """What a node asks, and what leads to it."""
        root = self.result.original.root
        node = node_at(root, path)
        assert isinstance(node, Branch)  # noqa: S101 - only questions are cut
        asked = question_text(self.table, node.split)
        why = reasons(root, self.table.attributes, path)
        return f"{asked}, where {short_words(why[-1])}" if path else f"the root, {asked}"

    # -- what is seen ------------------------------------------------------------------------------

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:
        """The tree as it stands, the round's candidates, and the error so far."""
        event, measured = self.event(cursor), self.last(cursor, Measured)
        if measured is None or not measured.candidates:
            return [self._picture(cursor, None, looked), self._errors(cursor)]
        ranked = sorted(measured.candidates, key=lambda cut: -cut.reduction)
        made = event.cut if isinstance(event, Pruned) else None
        grid = self._candidates(measured, ranked, made, looked)
        return [self._picture(cursor, made, looked), grid, self._errors(cursor)]

    def plane(self, cursor: int, looked: Path | None) -> PlaneScenery:
        """The boxes of the tree as it stands, with the rows that it is pruned by."""
        tree = self.tree(cursor)
        at = looked if looked is not None and node_at(tree.root, looked) else self.here(cursor)
        asked = asked_in(self.result.original)
        return PlaneScenery(tree, self.table, asked, at, self.validation)

    def _picture(self, cursor: int, last: Cut | None, looked: Path | None) -> TreeView:
        tree, tags = self.tree(cursor), {}
        measured = self.last(cursor, Measured)
        if measured is not None and last is None:
            for cut in measured.candidates:
                subtree = f"{self._number(cut.subtree)}{' wrong' * self._of_rows}"
                tags[cut.path] = f"{subtree}, as a leaf {self._number(cut.leaf)}"
        if last is not None:
            tags[last.path] = "cut here"
        at = self.here(cursor)
        seen = looked if looked is not None and node_at(tree.root, looked) else at
        rows = TreeRows.of(tree, self.table, self.validation)
        return picture(tree, "The tree as it stands", here=at, selected=seen, tags=tags, rows=rows)

    def _candidates(
        self, measured: Measured, ranked: list[Cut], last: Cut | None, looked: Path | None
    ) -> Grid:
        rows = [
            [
                self._where(cut.path),
                self._number(cut.subtree),
                self._number(cut.leaf),
                f"{'+' * (cut.reduction > 0)}{self._number(cut.reduction)}".replace("-", MINUS),
                "cut" if last and cut.path == last.path else "",
            ]
            for cut in ranked[:MOST_CANDIDATES]
        ]
        chosen = [i for i, cut in enumerate(ranked[:MOST_CANDIDATES]) if cut.path == looked]
        wrong = " wrong" * self._of_rows
        left = len(ranked) - MOST_CANDIDATES
        return headed(
            "candidates",
            f"Round {measured.round}: what each cut would remove",
            ["Question", f"Subtree{wrong}", f"Leaf{wrong}", "Removed", ""],
            rows,
            current=chosen[0] if chosen else None,
            more=f"{left} more, none of which removes more." if left > 0 else "",
        )

    def _errors(self, cursor: int) -> Picture:
        first = self.events[0].cost
        costs = [first, *(e.after for e in self.events[:cursor] if isinstance(e, Pruned))]
        most = max(len(self.result.cuts), 1)
        x = Axis("cuts made", -0.1, most + 0.1, whole_ticks(0, most, 6))
        high = max(first * 1.15, 1.0)
        what, axis, word = "validation error", "validation rows wrong", f"of {self._rows} wrong"
        if not self._of_rows:
            what, axis, word = "cost", self.method.unit, self.method.unit
        y = Axis(axis, 0.0, high, whole_ticks(0, high, 4))
        line = Line(list(enumerate(costs)), dots=len(costs) <= MOST_MARKS)
        title = f"The {what} after each cut, so far: {self._number(costs[-1])} {word}"
        unit = " wrong" * self._of_rows
        text = [f"After {plural(i, 'cut')}: {self._number(n)}{unit}." for i, n in enumerate(costs)]
        drawn = figure(Plot(title, x, y, [line], 440, 200))
        return Picture(id="errors", heading=f"The {what} so far", figure=drawn, text=text[-12:])


def cutting(
    method: PruningMethod,
    table: Table,
    validation: Table,
    keywords: Mapping[str, Any],
    notes: tuple[str, ...],
) -> PruningStory:
    """The story of a method that prunes a tree that ID3 grows on a table."""
    own = {name: keywords[name] for name in method.keywords if name in keywords}
    tree = id3(table, **{name: v for name, v in keywords.items() if name not in own})
    asked = tree, *method.arguments(validation)
    return PruningStory(
        table=table,
        events=tuple(steps(method.prune, *asked, **own)),
        result=method.prune(*asked, **own),
        notes=notes,
        method=method,
        validation=validation,
    )
