"""ID3, C4.5 and CART, event by event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from dtree_lab.learn.api import c45, cart, id3
from dtree_lab.learn.grow import Closed, Considered, Opened
from dtree_lab.learn.narrate import steps
from dtree_lab.learn.ready import ready
from dtree_lab.learn.recipe import Stop
from dtree_lab.shown import plural
from dtree_lab.widgets.stepthrough.growth import Growth
from dtree_lab.widgets.stepthrough.story import Story, Told
from dtree_lab.widgets.stepthrough.weighing import Weighing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.learn.grow import Event
    from dtree_lab.learn.recipe import Kind
    from dtree_lab.table import Table
    from dtree_lab.tree import Path, Tree
    from dtree_lab.widgets.kit.parts import Part
    from dtree_lab.widgets.stepthrough.story import Level

GROWERS = {"id3": id3, "c45": c45, "cart": cart}
LIMITS = ("max_depth", "max_leaves", "min_rows", "min_leaf", "min_gain", "max_error")
# The textbook's grower calls itself at each question: deeper than this Python would not follow.
DEEPEST = 200


@dataclass(frozen=True, eq=False, kw_only=True)
class Growing(Story):
    """A tree that is grown.

    Attributes
    ----------
    growth
        The same events, as one tree's.
    """

    title: ClassVar[str] = "Growing a tree"
    levels: ClassVar = (("event", "every event"), ("node", "one node at a time"))
    code: ClassVar = (
        "Count the classes of the rows at a node, and work out what each question would gain.",
        "One class only, nothing to ask, or a limit reached: close the node. It is a leaf.",
        "Otherwise open it: ask the question that gains most, and send the rows down its branches.",
    )

    growth: Growth

    def ends(self, level: Level, event: Event) -> bool:
        """Each event; or what settles a node."""
        return level == "event" or not isinstance(event, Considered)

    def line(self, event: Event) -> int:
        """Looking, closing, opening."""
        return (Considered, Closed, Opened).index(type(event))

    def tree(self, cursor: int) -> Tree:
        """The tree so far."""
        return self.growth.grown(cursor)

    def here(self, cursor: int) -> Path:
        """The node at work."""
        path: Path = self.events[cursor - 1].path if cursor else ()
        return path

    def told(self, cursor: int) -> Told:
        """The last event in words; at the end, what came of it all."""
        if cursor == 0:
            rows = plural(self.table.n_rows, "row")
            return Told("Before the first step", [f"All {rows} wait at the root."])
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
        return Told(said.headline, [*said.lines, done])

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:
        """The tree, and the questions as they were compared at the node at work."""
        here = self.here(cursor) if cursor else None
        picture = self.growth.picture(cursor, here, looked)
        at = looked if looked in self.growth.looked_at else self.here(cursor)
        bars = Weighing(self.growth).bars(cursor, at)
        chosen = self.growth.chosen(cursor, here, looked)
        return [picture, *(part for part in (bars, chosen) if part)]


def growing(
    kind: Kind, table: Table, keywords: Mapping[str, Any], notes: tuple[str, ...]
) -> Growing:
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
    growth = Growth(table, tree, recipe, told)
    return Growing(table=table, events=events, result=tree, notes=notes, growth=growth)
