"""ID3, C4.5 and CART, event by event: the tree so far, and the questions of a node side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dtree_lab.base.text import bits, plural, value
from dtree_lab.criteria.classes import CRITERIA, ClassCriterion
from dtree_lab.grow.api import c45, cart, id3
from dtree_lab.grow.prepare import ready
from dtree_lab.grow.recipe import Candidate, Kind, Recipe, Stop, merit
from dtree_lab.grow.steps import steps
from dtree_lab.grow.textbook import Closed, Considered, Event, Opened
from dtree_lab.labs.kit.boxes import asked_in
from dtree_lab.labs.kit.cards import reasons
from dtree_lab.labs.kit.marks import TreeRows
from dtree_lab.labs.kit.parts import BarItem, Bars, Part, TreeView, Words
from dtree_lab.labs.stepthrough.story import (
    MINUS,
    PlaneScenery,
    StepText,
    Story,
    as_sentence,
    counted,
    picture,
    question_text,
    short_words,
)
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import trimmed
from dtree_lab.tree.splits import answer
from dtree_lab.tree.tree import Path, Tree, majority, walk

MOST_BRANCHES, MOST_CONDITIONS, MOST_BARS = 8, 3, 12


@dataclass(frozen=True, eq=False)
class TreeGrowth:
    """The growth of one tree."""

    table: Table  # the rows that it grows on
    tree: Tree  # when it is grown
    recipe: Recipe
    with_cursor: Sequence[tuple[int, Event]]  # its events, each with the cursor after it

    @property
    def criterion(self) -> ClassCriterion:
        """What its questions were chosen by."""
        return CRITERIA[self.recipe.criterion.name]

    # -- the tree so far ---------------------------------------------------------------------------

    @cached_property
    def looked_at(self) -> dict[Path, tuple[int, Considered]]:
        """When each node was looked at, and what was seen."""
        return {e.path: (at, e) for at, e in self.with_cursor if isinstance(e, Considered)}

    @cached_property
    def settled(self) -> dict[Path, tuple[int, Opened | Closed]]:
        """When each node was opened or closed."""
        return {e.path: (at, e) for at, e in self.with_cursor if not isinstance(e, Considered)}

    @cached_property
    def _opened_at(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The cursor from which each node asks, by its number in the grown tree."""
        never = np.iinfo(np.int64).max
        times = np.full(self.tree.n_nodes, never, dtype=np.int64)
        for i, (path, _) in enumerate(walk(self.tree.root)):
            at, event = self.settled.get(path, (never, None))
            if isinstance(event, Opened):
                times[i] = at
        return times

    def grown(self, cursor: int) -> Tree:
        """The tree by then: the grown one, without the questions that are still to be asked."""
        values = [a.n_values for a in self.tree.attributes]
        return self.tree.with_nodes(trimmed(self.tree.flat, self._opened_at <= cursor, values))

    def _chosen(self, cursor: int, here: Path | None, looked: Path | None) -> Words | None:
        """What is known of a node that the person has chosen to look at."""
        if looked is None or looked == here or looked not in self.looked_at:
            return None
        told = StepText(
            as_sentence(self.where(looked)), ["It has not been looked at yet: its rows wait."]
        )
        for known in (self.settled, self.looked_at):
            at, event = known.get(looked, (cursor + 1, None))
            if event is not None and at <= cursor:
                told = self.say(event)
                break
        lines = [f"{told.headline}.".replace("..", "."), *told.lines]
        return Words("looked", lines, "The node you chose")

    def picture(
        self, cursor: int, here: Path | None, looked: Path | None, *, rows: bool = False
    ) -> TreeView:
        """The tree so far, and its rows; nodes that nobody has looked at yet stand back."""
        tree = self.grown(cursor)
        tags, waiting = {}, set()
        for path, _ in walk(tree.root):
            if self.looked_at[path][0] > cursor:
                waiting.add(path)
                tags[path] = "not looked at yet"
            elif path not in self.settled or self.settled[path][0] > cursor:
                tags[path] = "open"
        if here is not None:
            tags[here] = "here"
        chosen = looked if looked in self.looked_at else here
        return picture(
            tree,
            "The tree so far",
            here=here or (),
            selected=chosen or (),
            tags=tags,
            faded=waiting,
            rows=TreeRows.of(tree, self.table) if rows else None,
        )

    # -- in words ----------------------------------------------------------------------------------

    def where(self, path: Path) -> str:
        """A node in words: what holds for its rows, the last conditions."""
        said = [short_words(why) for why in reasons(self.tree.root, self.table.attributes, path)]
        if not said:
            return "the root"
        more = "… and " if len(said) > MOST_CONDITIONS else ""
        return f"the node where {more}{' and '.join(said[-MOST_CONDITIONS:])}"

    def say(self, event: Event) -> StepText:
        """What an event says."""
        match event:
            case Considered():
                return self._considered(event)
            case Opened():
                return self._opened(event)
            case Closed(path, counts, why):
                cls = short_words(value(self.table.classes[majority(counts)]))
                lines = [as_sentence(why), f"At {self.where(path)}: {self._rows(counts)}."]
                if max(counts) < sum(counts):
                    lines.append("The majority of its rows answers.")
                return StepText(f"A leaf: {short_words(self.table.target.name)} = {cls}", lines)

    def _rows(self, counts: Sequence[int]) -> str:
        return f"{plural(sum(counts), 'row')} ({counted(counts, self.table.target)})"

    def _considered(self, event: Considered) -> StepText:
        cost = self.criterion.cost(np.array(event.counts))
        per_row = float(self.criterion.per_row(cost, sum(event.counts)))
        impurity = f"{self.criterion.heading} {self.criterion.amount(per_row)}"
        lines = [f"{as_sentence(self._rows(event.counts))[:-1]}. {impurity}."]
        if event.candidates:
            n = len(event.candidates)
            tells = "attribute can part" if n == 1 else "attributes can part"
            lines.append(f"{n} {tells} these rows. Which question would you ask?")
        else:
            lines.append("Nothing has to be asked here.")
        return StepText(f"Look at {self.where(event.path)}", lines)

    def _opened(self, event: Opened) -> StepText:
        seen = self.looked_at[event.path][1]
        won = next(c for c in seen.candidates if c.split == event.split)
        scored = self.criterion.amount(won.gain)
        if self.recipe.by_ratio:
            ratio = f"Its gain ratio, {bits(won.gain_ratio)}, is the highest"
            why = f"{ratio} among those that gain at least the average (it gains {scored})."
        else:
            why = f"It gains most: {scored}."
        lines = [why]
        ties = self._ties(seen.candidates, won)
        if ties:
            lines.append(f"{' and '.join(ties)} would do as well: the first column wins a tie.")
        each = [f"{n:,}" for n in won.counts.sum(axis=1).tolist()[:MOST_BRANCHES]]
        more = ", …" if event.split.n_branches > MOST_BRANCHES else ""
        n = event.split.n_branches
        sizes = f"{', '.join(each[:-1])} and {each[-1]}" if not more else ", ".join(each) + more
        lines.append(f"{n} branches, with {sizes} rows.")
        return StepText(f"Ask {question_text(self.table, event.split)}", lines)

    def _ties(self, candidates: Sequence[Candidate], won: Candidate) -> list[str]:
        """Other questions that rank as high as the one that was asked."""
        before = np.array([[c.before] for c in candidates])
        after = np.array([[c.after] for c in candidates])
        info = np.array([[c.split_info] for c in candidates]) if self.recipe.by_ratio else None
        where = np.array([[c.split.attribute] for c in candidates]), np.array(won.rows)
        rank = merit(self.recipe, before, after, info, where)[:, 0]
        best = max(rank.tolist())
        return [
            question_text(self.table, c.split)
            for c, r in zip(candidates, rank.tolist(), strict=True)
            if r == best and c is not won
        ][:MOST_CONDITIONS]

    # -- the questions of a node side by side ------------------------------------------------------

    def parts(
        self,
        cursor: int,
        here: Path | None,
        looked: Path | None,
        drawn: Mapping[Path, Sequence[int]] | None = None,
    ) -> list[Part]:
        """The tree, the questions at the node that is looked at or at work, and what was chosen.

        `drawn` are the attributes that each node of a forest drew; a forest has no rows to show.
        """
        at = looked if looked in self.looked_at else here or ()
        picture = self.picture(cursor, here, looked, rows=drawn is None)
        bars = None
        if here is not None or looked is not None:
            bars = self._bars(cursor, at, None if drawn is None else drawn.get(at))
        parts = (picture, bars, self._chosen(cursor, here, looked))
        return [part for part in parts if part is not None]

    def _bars(self, cursor: int, path: Path, drawn: Sequence[int] | None) -> Bars | None:
        """The attributes as they were compared at a node, the one asked marked, or None."""
        found = self.looked_at.get(path)
        if found is None or found[0] > cursor or not found[1].candidates:
            return None
        at, event = self.settled.get(path, (cursor + 1, None))
        asked = event.split if isinstance(event, Opened) and at <= cursor else None
        by = {c.split.attribute: c for c in found[1].candidates}
        listed = list(range(len(self.table.attributes)))
        left = len(listed) - MOST_BARS
        if left > 0:
            listed = sorted(sorted(by, key=lambda i: -by[i].gain_ticks)[:MOST_BARS])
        more = f", the best {MOST_BARS} of {left + MOST_BARS} attributes" if left > 0 else ""
        heading = f"What each question gains at {self.where(path)}{more}"
        bars = [
            self._bar(by[i], best=by[i].split == asked) if i in by else self._none(i, drawn)
            for i in listed
        ]
        return Bars("bars", heading, bars, heading=heading)

    def _none(self, i: int, drawn: Sequence[int] | None) -> BarItem:
        """An attribute that asks nothing here."""
        out = drawn is not None and i not in drawn
        name = short_words(self.table.attributes[i].name)
        return BarItem(name=name, share=0.0, value="not drawn" if out else "cannot part these rows")

    def _bar(self, c: Candidate, *, best: bool) -> BarItem:
        recipe = self.recipe
        before = float(recipe.criterion.per_row(c.before, c.known))
        ratio = f", ratio {bits(c.gain_ratio)}" if recipe.by_ratio else ""
        return BarItem(
            name=question_text(self.table, c.split),
            share=c.gain / before if before else 0.0,
            value=f"gain {self.criterion.amount(c.gain)}{ratio}",
            rest=f"{bits(c.remaining)} left",
            best=best,
            detail=self._sum(c, before),
            table=self._branches(c),
        )

    def _impurities(self, c: Candidate) -> list[float]:
        """That of each branch, for one row."""
        criterion = self.recipe.criterion
        each = criterion.per_row(criterion.cost(c.stats), np.maximum(c.counts.sum(axis=1), 1))
        found: list[float] = each.tolist()
        return found

    def _branches(self, c: Candidate) -> tuple[list[str], list[list[str]]]:
        """A branch in each line: its rows of each class and their impurity."""
        table = self.table
        attribute = table.attributes[c.split.attribute]
        pairs = zip(c.counts.tolist(), self._impurities(c), strict=True)
        rows = [
            [short_words(answer(c.split, attribute, i), 20), counted(counts, table.target), bits(h)]
            for i, (counts, h) in enumerate(pairs)
        ]
        left = len(rows) - MOST_BRANCHES
        more = [[f"{left} more", "", ""]] if left > 0 else []
        head = ["Branch", "Rows", self.criterion.heading]
        return head, rows[:MOST_BRANCHES] + more

    def _sum(self, c: Candidate, before: float) -> list[str]:
        """The arithmetic of what is left and of the gain."""
        sizes = c.counts.sum(axis=1).tolist()
        terms = [
            f"{n}/{c.known}·{bits(h)}" for n, h in zip(sizes, self._impurities(c), strict=True)
        ]
        if len(terms) > MOST_BRANCHES:
            terms = [*terms[:MOST_BRANCHES], "…"]
        amount = self.criterion.amount
        left = f"left: {' + '.join(terms)} = {amount(c.remaining)}"
        exact = bits(float(bits(before)) - float(bits(c.remaining))) == bits(c.gain)
        gain = f"{bits(before)} {MINUS} {bits(c.remaining)} {'=' if exact else '≈'}"
        return [left, f"gain: {gain} {amount(c.gain)}"]


GROWERS = {"id3": id3, "c45": c45, "cart": cart}
LIMITS = ("max_depth", "max_leaves", "min_rows", "min_leaf", "min_gain", "max_error")
# The textbook's grower calls itself at each question: deeper than this Python would not follow.
DEEPEST = 200


@dataclass(frozen=True, eq=False, kw_only=True)
class GrowingStory(Story):
    """A tree that is grown."""

    title: ClassVar[str] = "Growing a tree"
    levels: ClassVar = (("event", "every event"), ("node", "one node at a time"))
    code: ClassVar = (
        "Count the classes of the rows at a node, and work out what each question would gain.",
        "One class only, nothing to ask, or a limit reached: close the node. It is a leaf.",
        "Otherwise open it: ask the question that gains most, and send the rows down its branches.",
    )

    kinds: ClassVar = (Considered, Closed, Opened)
    ends_step: ClassVar = {"node": (Closed, Opened)}

    growth: TreeGrowth  # the same events, as one tree's
    validation: Table | None = None  # rows to measure it with

    def tree(self, cursor: int) -> Tree:
        """The tree so far."""
        return self.growth.grown(cursor)

    def here(self, cursor: int) -> Path:
        """The node at work."""
        event: Event | None = self.event(cursor)
        return () if event is None else event.path

    def step_text(self, cursor: int) -> StepText:
        """The last event in words; at the end, what came of it all."""
        if cursor == 0:
            rows = plural(self.table.n_rows, "row")
            return StepText("Before the first step", [f"All {rows} wait at the root."])
        said = self.growth.say(self.events[cursor - 1])
        if cursor < self.end:
            return said
        tree = self.growth.tree
        wrong = round(tree.error(self.table) * self.table.n_rows)
        done = (
            f"The tree is finished: {plural(tree.n_nodes, 'node')}, {tree.n_leaves} of them leaves,"
            f" depth {tree.depth}; it gets {wrong} of {plural(self.table.n_rows, 'training row')}"
            " wrong."
        )
        return StepText(said.headline, [*said.lines, done])

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:
        """The tree, and the questions as they were compared at the node at work."""
        return self.growth.parts(cursor, self.here(cursor) if cursor else None, looked)

    def plane(self, cursor: int, looked: Path | None) -> PlaneScenery:
        """The boxes of the tree so far; its attributes are those of the grown one, all along."""
        at = looked if looked in self.growth.looked_at else self.here(cursor)
        asked = asked_in(self.growth.tree)
        return PlaneScenery(self.growth.grown(cursor), self.table, asked, at or (), self.validation)


def growing(
    kind: Kind,
    table: Table,
    keywords: Mapping[str, Any],
    notes: tuple[str, ...],
    validation: Table | None = None,
) -> GrowingStory:
    """The story of a grower on a table; raises a ValueError as the grower does."""
    given = dict(keywords)
    if given.get("max_depth") is None:
        given["max_depth"] = DEEPEST
    grower = GROWERS[kind]
    tree = grower(table, **given)
    if keywords.get("max_depth") is None:
        if tree.depth < DEEPEST:
            given = dict(keywords)
        else:
            notes = (*notes, f"The tree is cut off where it is {DEEPEST} questions deep.")
    events = tuple(steps(grower, table, **given))
    told = tuple(enumerate(events, 1))
    stop = Stop(**{name: given[name] for name in LIMITS if name in given})
    _, recipe = ready(kind, table, given.get("criterion"), stop)
    growth = TreeGrowth(table, tree, recipe, told)
    return GrowingStory(
        table=table,
        events=events,
        result=tree,
        notes=notes,
        growth=growth,
        validation=validation,
    )
