"""What an algorithm told, ready to be walked through: its events and what is seen after each.

A cursor counts the events that have happened, from 0 to all of them, so going back is one less. Of
a tree that is too deep or too wide for a page, a piece is drawn.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np

from dtree_lab.base.text import plural, value
from dtree_lab.draw.chart import Axis
from dtree_lab.draw.words import plain
from dtree_lab.grow.steps import steps
from dtree_lab.labs.kit.cards import MOST_CARDS, node_at
from dtree_lab.labs.kit.marks import TreeRows
from dtree_lab.labs.kit.parts import Grid, Part, TreeView, Words
from dtree_lab.labs.kit.taking import numbered, row_number
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.splits import Split, question
from dtree_lab.tree.tree import Branch, Leaf, Path, Tree, flatten

MOST_BRANCHES = 100


def base(tree: Tree, here: Path) -> Path:
    """Where the drawn piece begins: the root, or as far above the node at work as there is room."""
    room = MOST_CARDS
    for n in range(len(here), -1, -1):
        node = node_at(tree.root, here[:n])
        room -= len(node.children) if isinstance(node, Branch) else 0
        if room < 0:
            return here[: min(n + 1, len(here))]
    return ()


def picture(  # noqa: PLR0913 - what is to be seen of the tree, by name
    tree: Tree,
    heading: str,
    *,
    here: Path = (),
    selected: Path = (),
    tags: Mapping[Path, str] | None = None,
    faded: Collection[Path] = (),
    rows: TreeRows | None = None,
) -> TreeView:
    """The piece around the node at work, `here`, with where rows lie; it says what is left out."""
    top = base(tree, here)
    below = len(top)
    tags = {p[below:]: tag for p, tag in (tags or {}).items() if p[:below] == top}
    selected = selected if selected[:below] == top else here
    drawn = tree
    if top:
        heading += f", without {plural(below, 'question')} above"
    node = node_at(tree.root, top)
    wide = isinstance(node, Branch) and len(node.children) > MOST_BRANCHES
    if isinstance(node, Branch) and wide:
        tags = {(): f"its {len(node.children):,} branches are not drawn"}
        node, selected = Leaf(node.counts), top
    if node is not None and (top or wide):
        flat = flatten(node, tree.attributes)
        drawn = tree.with_nodes(flat)
    lit = here[below:] if not wide else ()
    return TreeView(
        id="tree",
        heading=heading,
        tree=drawn,
        selected=selected[below:],
        tags=tags,
        faded=frozenset(p[below:] for p in faded if p[:below] == top),
        lit=lit,
        rows=rows and rows.below(top),
    )


@dataclass(frozen=True, eq=False)
class PlaneScenery:
    """What is to be seen of a tree in the plane of two attributes."""

    tree: Tree  # as it is by now
    table: Table  # the rows that it was grown on
    preferred: Sequence[int] = ()  # attributes that the plane should show before others
    selected: Path = ()  # the node whose box has a frame
    test: Table | None = None  # rows that it is measured with


Level: TypeAlias = Literal["event", "node", "round"]

MOST_CLASSES, MOST_LETTERS = 6, 40
MINUS = "\N{MINUS SIGN}"
# The second is as wide as the first.
NOW, NOT_NOW = "▶", "\N{EM SPACE}"


@dataclass(frozen=True)
class StepText:
    """What happened in a step: in a few words, and in sentences."""

    headline: str
    lines: Sequence[str] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Story:
    """The events of an algorithm on some rows. Each algorithm has its own kind."""

    title: ClassVar[str]
    # How fine a step is, with its words; the first is the finest.
    levels: ClassVar[Sequence[tuple[Level, str]]]
    # The algorithm in a few lines; which events belong to each, where that is by their kind.
    code: ClassVar[Sequence[str]]
    kinds: ClassVar[Sequence[type[Any] | tuple[type[Any], ...]]]
    # What ends a step, of each level that is not the finest.
    ends_step: ClassVar[Mapping[Level, tuple[type[Any], ...]]]

    table: Table  # the rows that it ran on
    events: tuple[Any, ...] = field(repr=False)  # just what ``dt.steps`` gives
    result: Any = field(repr=False)  # a tree, a forest, a search
    notes: tuple[str, ...] = ()  # what is not shown, and what was chosen for the person

    @classmethod
    def of(
        cls,
        algorithm: Callable[..., Any],
        table: Table,
        keywords: Mapping[str, Any],
        notes: tuple[str, ...],
    ) -> Self:
        """What an algorithm tells on a table; raises a ValueError as the algorithm does."""
        events = tuple(steps(algorithm, table, **keywords))
        return cls(table=table, events=events, result=algorithm(table, **keywords), notes=notes)

    @property
    def algorithm(self) -> tuple[str, Sequence[str]]:
        """Its title, and its lines."""
        return self.title, self.code

    def ends(self, level: Level, event: Any) -> bool:
        """Whether an event is the last of a step of a level."""
        return level == "event" or isinstance(self.within(event), self.ends_step[level])

    def line(self, event: Any) -> int:
        """The line of the algorithm that an event belongs to."""
        what = self.within(event)
        return next(i for i, kinds in enumerate(self.kinds) if isinstance(what, kinds))

    def within(self, event: Any) -> Any:
        """What happened, whichever tree of several it happened in."""
        return event

    def event(self, cursor: int) -> Any:
        """What happened last; None before the first step."""
        return self.events[cursor - 1] if cursor else None

    def last(self, cursor: int, *kinds: type[Any]) -> Any:
        """The last event of some kinds by then, or None."""
        return next((e for e in reversed(self.events[:cursor]) if isinstance(e, kinds)), None)

    def step_text(self, cursor: int) -> StepText:
        """What happened last."""
        raise NotImplementedError

    def parts(self, cursor: int, looked: Path | None) -> list[Part]:
        """What is seen; `looked` is a node that the person has chosen."""
        raise NotImplementedError

    def tree(self, cursor: int) -> Tree | None:
        """The tree as it is by then, where there is one."""
        raise NotImplementedError

    def here(self, cursor: int) -> Path:  # noqa: ARG002 - where no tree is drawn
        """The node at work in the tree; the root where there is none."""
        return ()

    def plane(self, cursor: int, looked: Path | None) -> PlaneScenery | None:  # noqa: ARG002
        """What is seen in a plane; nothing, unless an algorithm says so."""
        return None

    # -- walking -----------------------------------------------------------------------------------

    @property
    def end(self) -> int:
        """The cursor when all has happened."""
        return len(self.events)

    @cached_property
    def _stops(self) -> dict[Level, list[int]]:
        found: dict[Level, list[int]] = {}
        for level, _ in self.levels:
            inner = [i for i, event in enumerate(self.events, 1) if self.ends(level, event)]
            found[level] = sorted({0, *inner, self.end})
        return found

    def stops(self, level: Level) -> list[int]:
        """The cursors at which steps of a level end; the first is 0, the last is the end."""
        return self._stops[level]

    def after(self, cursor: int, level: Level) -> int:
        """Where the next step ends; the end stays the end."""
        stops = self.stops(level)
        return stops[min(bisect_right(stops, cursor), len(stops) - 1)]

    def before(self, cursor: int, level: Level) -> int:
        """Where the step before began; 0 stays 0."""
        stops = self.stops(level)
        return stops[max(bisect_left(stops, cursor) - 1, 0)]

    def step(self, cursor: int, level: Level) -> int:
        """How many steps of a level it took to come so far."""
        return bisect_left(self.stops(level), cursor)

    def code_part(self, cursor: int) -> Words:
        """The algorithm; a triangle stands before the line at work."""
        at = self.line(self.event(cursor)) if cursor else None
        title, code = self.algorithm
        lines = [f"{NOW if i == at else NOT_NOW} {i + 1}. {line}" for i, line in enumerate(code)]
        return Words("code", heading=f"{title} in a few lines", lines=lines)


def chosen_rows(table: Table, most: int, seed: int) -> tuple[Table, tuple[str, ...]]:
    """The table, or so many of its rows drawn at random, and a note that says so."""
    if table.n_rows <= most:
        return table, ()
    drawn = np.sort(np.random.default_rng(seed).permutation(table.n_rows)[:most])
    note = (
        f"The table has {plural(table.n_rows, 'row')}: {most:,} of them, drawn at random, are"
        " stepped through."
    )
    return numbered(table).take(drawn), (note,)


def whole_ticks(low: float, high: float, most: int) -> tuple[tuple[float, str], ...]:
    """Ticks of an axis that counts: whole numbers only."""
    marked = Axis("", low, high).marked(most)
    return tuple(tick for tick in marked if tick[0] == int(tick[0]))


def row_axis(table: Table) -> Axis:
    """An axis with a place for each row, marked with some of the rows' numbers."""
    n = table.n_rows
    marked = [(at, f"{row_number(table, int(at) - 1)}") for at, _ in whole_ticks(1, n + 0.5, 12)]
    return Axis("row", 0.4, n + 0.6, tuple(marked))


MOST_LATEST = 12


def headed(
    id_: str, heading: str, head: Sequence[str], rows: Sequence[Sequence[str]], **more: Any
) -> Grid:
    """A table that a screen reader calls by its heading."""
    return Grid(id_, heading, head, rows, heading=heading, **more)


def latest(id_: str, heading: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    """What came of the latest rounds, a row for each."""
    left = len(rows) - MOST_LATEST
    more = f"{left} earlier ones are not shown." if left > 0 else ""
    return headed(id_, heading, head, rows[-MOST_LATEST:], more=more)


def short_words(text: object, most: int = MOST_LETTERS) -> str:
    """A name or a question on one line, cut where it is very long."""
    line = plain(text)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def question_text(table: Table, split: Split) -> str:
    """A question, cut where it is very long."""
    return short_words(question(split, table.attributes[split.attribute]))


def root_question(table: Table, tree: Tree) -> str:
    """What a tree asks first."""
    root = tree.root
    return question_text(table, root.split) if isinstance(root, Branch) else "nothing"


def counted(counts: Sequence[int], target: Attribute) -> str:
    """Rows of each class: ``7 No, 3 Yes``; classes without rows are left out."""
    there = [
        (n, short_words(value(v))) for n, v in zip(counts, target.values or (), strict=True) if n
    ]
    said = ", ".join(f"{n:,} {name}" for n, name in there[:MOST_CLASSES])
    return said + (f" and {len(there) - MOST_CLASSES} more classes" * (len(there) > MOST_CLASSES))


def as_sentence(text: str) -> str:
    """A reason as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."
