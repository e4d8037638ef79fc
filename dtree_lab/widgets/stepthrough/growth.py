"""One tree that grows: what is drawn of it after so many events, and what its events say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.flat import trimmed
from dtree_lab.learn.grow import Closed, Considered, Opened
from dtree_lab.learn.recipe import merit
from dtree_lab.shown import bits, plural, value
from dtree_lab.splits import question, reason
from dtree_lab.tree import Branch, Tree, walk
from dtree_lab.widgets.kit.parts import Words
from dtree_lab.widgets.stepthrough.piece import Scenery, picture
from dtree_lab.widgets.stepthrough.story import Told, counted, sentence, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.learn.candidates import Candidate
    from dtree_lab.learn.grow import Event
    from dtree_lab.learn.recipe import Recipe
    from dtree_lab.table import Table
    from dtree_lab.tree import Path
    from dtree_lab.widgets.kit.parts import TreePicture

MOST_BRANCHES, MOST_CONDITIONS = 8, 3
UNITS = {"entropy": " bits", "gini": ""}
NAMES = {"entropy": "Entropy", "gini": "Gini impurity"}


@dataclass(frozen=True, eq=False)
class Growth:
    """The growth of one tree.

    Attributes
    ----------
    table
        The rows that it grows on.
    tree
        The grown tree.
    recipe
        How it was grown.
    told
        Its events, each with the cursor after it.
    """

    table: Table
    tree: Tree
    recipe: Recipe
    told: Sequence[tuple[int, Event]]

    # -- the tree so far ---------------------------------------------------------------------------

    @cached_property
    def looked_at(self) -> dict[Path, tuple[int, Considered]]:
        """When each node was looked at, and what was seen."""
        return {e.path: (at, e) for at, e in self.told if isinstance(e, Considered)}

    @cached_property
    def settled(self) -> dict[Path, tuple[int, Opened | Closed]]:
        """When each node was opened or closed."""
        return {e.path: (at, e) for at, e in self.told if not isinstance(e, Considered)}

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
        flat = trimmed(self.tree.flat, self._opened_at <= cursor, values)
        tree = self.tree
        return Tree(tree.attributes, tree.target, flat, criterion=tree.criterion)

    def chosen(self, cursor: int, here: Path | None, looked: Path | None) -> Words | None:
        """What is known of a node that the person has chosen to look at."""
        if looked is None or looked == here or looked not in self.looked_at:
            return None
        told = Told(sentence(self.where(looked)), ["It has not been looked at yet: its rows wait."])
        for known in (self.settled, self.looked_at):
            at, event = known.get(looked, (cursor + 1, None))
            if event is not None and at <= cursor:
                told = self.say(event)
                break
        lines = [f"{told.headline}.".replace("..", "."), *told.lines]
        return Words(id="looked", area="side", heading="The node you chose", lines=lines)

    def picture(self, cursor: int, here: Path | None, looked: Path | None) -> TreePicture:
        """The tree so far; nodes that nobody has looked at yet stand back."""
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
        seen = Scenery("The tree so far", here or (), chosen or (), tags, waiting)
        return picture(tree, seen)

    # -- in words ----------------------------------------------------------------------------------

    def where(self, path: Path) -> str:
        """A node in words: what holds for its rows, the last conditions."""
        node, said = self.tree.root, []
        for branch in path:
            assert isinstance(node, Branch)  # noqa: S101 - a path goes through questions
            attribute = self.table.attributes[node.split.attribute]
            said.append(short(reason(node.split, attribute, branch)))
            node = node.children[branch]
        if not said:
            return "the root"
        more = "… and " if len(said) > MOST_CONDITIONS else ""
        return f"the node where {more}{' and '.join(said[-MOST_CONDITIONS:])}"

    def say(self, event: Event) -> Told:
        """What an event says."""
        match event:
            case Considered():
                return self._considered(event)
            case Opened():
                return self._opened(event)
            case Closed(path, counts, why):
                cls = short(value((self.table.classes)[int(np.argmax(counts))]))
                lines = [sentence(why), f"At {self.where(path)}: {self._rows(counts)}."]
                if max(counts) < sum(counts):
                    lines.append("The majority of its rows answers.")
                return Told(f"A leaf: {short(self.table.target.name)} = {cls}", lines)

    def _rows(self, counts: Sequence[int]) -> str:
        return f"{plural(sum(counts), 'row')} ({counted(counts, self.table.target)})"

    def _considered(self, event: Considered) -> Told:
        at = self._impurity(event)
        lines = [f"{sentence(self._rows(event.counts))[:-1]}. {at}."]
        if event.candidates:
            n = len(event.candidates)
            tells = "attribute can part" if n == 1 else "attributes can part"
            lines.append(f"{n} {tells} these rows. Which question would you ask?")
        else:
            lines.append("Nothing has to be asked here.")
        return Told(f"Look at {self.where(event.path)}", lines)

    def _impurity(self, event: Considered) -> str:
        criterion = self.recipe.criterion
        cost = criterion.cost(np.array(event.counts))
        name = NAMES[criterion.name]
        per_row = float(criterion.per_row(cost, sum(event.counts)))
        return f"{name} {bits(per_row)}{UNITS[criterion.name]}"

    def _opened(self, event: Opened) -> Told:
        attribute = self.table.attributes[event.split.attribute]
        asked = short(question(event.split, attribute))
        seen = self.looked_at[event.path][1]
        won = next(c for c in seen.candidates if c.split == event.split)
        unit = UNITS[self.recipe.criterion.name]
        scored = f"{bits(won.gain)}{unit}"
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
        return Told(f"Ask {asked}", lines)

    def _ties(self, candidates: Sequence[Candidate], won: Candidate) -> list[str]:
        """Other questions that rank as high as the one that was asked."""
        before = np.array([[c.before] for c in candidates])
        after = np.array([[c.after] for c in candidates])
        info = np.array([[c.split_info] for c in candidates]) if self.recipe.by_ratio else None
        rank = merit(self.recipe, before, after, info)[:, 0]
        best = max(rank.tolist())
        attributes = self.table.attributes
        return [
            short(question(c.split, attributes[c.split.attribute]))
            for c, r in zip(candidates, rank.tolist(), strict=True)
            if r == best and c is not won
        ][:MOST_CONDITIONS]
