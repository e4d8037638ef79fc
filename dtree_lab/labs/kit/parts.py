"""What a lab shows: a title, parts in reading order, and what is said of the last action.

The browser has one way to draw each kind of part; a static picture is made from the same parts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import is_
from typing import Any, TypeAlias

from dtree_lab.base.text import number, value
from dtree_lab.draw import style
from dtree_lab.draw.as_text import tree_text
from dtree_lab.draw.chart import Ends, Figure
from dtree_lab.labs.kit.actions import node_id
from dtree_lab.labs.kit.cards import MOST_CARDS, drawn
from dtree_lab.labs.kit.choices import Choices
from dtree_lab.labs.kit.controls import Control, Field, Slider
from dtree_lab.labs.kit.marks import TreeRows
from dtree_lab.labs.kit.place import Placed, as_json
from dtree_lab.labs.kit.wall import Wall
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.tree import Path, Tree


@dataclass(frozen=True)
class Controls(Placed):
    """Controls in a line that breaks where it must; `label` names the group to screen readers."""

    id: str
    label: str
    controls: Sequence[Control]
    heading: str = ""

    def still(self) -> list[str]:
        """In words, line by line."""
        return [" · ".join(filter(None, (one.still() for one in self.controls)))]


@dataclass(frozen=True)
class Words(Placed):
    """Paragraphs, or a list where `items` is true.

    `strong` marks a verdict; what is `live` is read aloud when it changes. `room` lines are kept
    free for what is to come, so that nothing moves then. A `hint` says last what a hand may do: a
    class, which has none, is not told it.
    """

    id: str
    lines: Sequence[str]
    heading: str = ""
    items: bool = False
    strong: bool = False
    live: bool = False
    room: int = 0
    hint: str = ""

    @property
    def sentences(self) -> list[str]:
        """All lines."""
        return [*self.lines, *([self.hint] if self.hint else [])]

    def still(self) -> list[str]:
        """In words, line by line."""
        return [f"- {line}" if self.items else line for line in self.sentences]

    def json(self) -> dict[str, Any]:
        """For the browser."""
        told = as_json(self)
        return told if self.hint else {key: v for key, v in told.items() if key != "hint"}


@dataclass(frozen=True)
class Picture(Placed):
    """A figure (draw/chart/)."""

    unsent = ("figure",)
    id: str
    figure: Figure
    heading: str = ""
    # Whether clicks into the frame send a ``Point``. What a click does must be possible by controls
    # too.
    click: bool = False
    # A slider laid along the x axis of the frame, for dragging what the figure shows; its ends are
    # those of the axis, whatever it says.
    slider: Slider | None = None
    # What the figure shows, line by line, for those who do not see it; folded away. If None, the
    # figure words itself: its lines and points by their names, and their heights.
    text: Sequence[str] | None = None

    @property
    def lines(self) -> Sequence[str]:
        """What it shows, in words."""
        return self.figure.words if self.text is None else self.text

    def still(self) -> Sequence[str]:
        """In words, line by line."""
        return self.lines or [self.figure.title]

    def json(self) -> dict[str, Any]:
        """For the browser."""
        made = self.figure
        return as_json(
            self,
            label=made.title,
            element=made.element.json(),
            frame=made.frame.json(),
            width=made.width,
            height=made.height,
            text=list(self.lines),
        )


@dataclass(frozen=True)
class TreeView(Placed):
    """A tree to walk; choosing a node sends a ``Select``."""

    kind, unsent = "tree", ("tags", "faded", "kept", "most", "table", "rows")
    id: str
    tree: Tree
    selected: Path = ()
    heading: str = ""
    # A word or two under the cards of some nodes: "pruned", "differs", "2 rows change".
    tags: Mapping[Path, str] = field(default_factory=dict)
    # A path to be seen at a glance, such as the way of a row; the way to `selected` if None.
    lit: Path | None = None
    # Nodes that stand back, such as what a pruning would take away.
    faded: frozenset[Path] = frozenset()
    # The tree of the picture that remains without a kernel, where it is another.
    kept: Tree | None = None
    most: int = MOST_CARDS  # about how many nodes have cards; the rest is told in short
    label: str = ""  # what it is to a screen reader; if empty, its heading and size
    # The rows that it was grown on: its cards then have the histograms of their cuts.
    table: Table | None = None
    # Where rows lie in it: each is then seen as a mark, which is poured down the branches of a
    # question that is asked, and back where it is taken away.
    rows: TreeRows | None = None
    # Whether the lab is about this tree: Enter leads from it to the questions of the selected node
    # and Escape back, and the buttons for its size stand beside the title.
    main: bool = False

    def still(self) -> list[str]:
        """As text."""
        return [tree_text(self.kept or self.tree)]

    def json(self) -> dict[str, Any]:
        """For the browser."""
        size = f"{self.tree.n_nodes} nodes, depth {self.tree.depth}"
        ways = (self.selected,) if self.lit is None else (self.selected, self.lit)
        return as_json(
            self,
            label=self.label or f"{self.heading or 'Decision tree'}, {size}",
            tree=drawn(
                self.tree,
                *ways,
                tags=self.tags,
                faded=self.faded,
                most=self.most,
                table=self.table,
                rows=self.rows,
            ),
            selected=node_id(self.selected),
            lit=None if self.lit is None else node_id(self.lit),
        )


@dataclass(frozen=True)
class Grid(Placed):
    """A table of texts, or of fields to fill in."""

    id: str
    label: str
    # Texts; the first column names the row. A cell may be a field, whose label is not seen: the
    # head and the row name it.
    head: Sequence[str]
    rows: Sequence[Sequence[str | Field]]
    heading: str = ""
    # The column that holds a class, which gets the class's mark; None for no column.
    classes: int | None = None
    # Whether rows can be chosen, which sends a ``Pick``; `current` is the chosen one.
    pick: bool = False
    current: int | None = None
    more: str = ""  # a line beneath, such as how many rows are not shown
    sticky: bool = False  # whether the last column stays in sight however many there are
    about: str = ""  # what the rows are of: when it changes, the table is shown from its top
    # The row of the lab's table that each row is, as in `Dots`; empty where they are none.
    keys: Sequence[int] = ()

    def texts(self) -> list[list[str]]:
        """The rows in words: a field with what was found of its text."""
        return [[v if isinstance(v, str) else v.verdict for v in row] for row in self.rows]

    def still(self) -> list[str]:
        """In words, line by line."""
        lines = [" | ".join(row) for row in (self.head, *self.texts())]
        return [*lines, *([self.more] if self.more else [])]


@dataclass(frozen=True)
class BarItem:
    """One of several bars; `share` is the dark part of it, from 0 to 1."""

    name: str
    share: float
    # What is written for the dark part and for the pale rest.
    value: str = ""
    rest: str = ""
    best: bool = False
    # Lines that the bar opens into; `table` is a head and rows before them.
    detail: Sequence[str] = ()
    table: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None

    def json(self) -> dict[str, Any]:
        """For the browser."""
        table = self.table and [list(self.table[0]), [list(row) for row in self.table[1]]]
        share = round(min(max(self.share, 0.0), 1.0), 4)
        return {**vars(self), "share": share, "detail": list(self.detail), "table": table}


@dataclass(frozen=True)
class Bars(Placed):
    """Bars beneath each other; where `pick` is true, choosing one sends a ``Pick``."""

    id: str
    label: str
    bars: Sequence[BarItem]
    heading: str = ""
    pick: bool = False
    current: int | None = None

    def still(self) -> list[str]:
        """In words, line by line."""
        return [
            ": ".join([one.name, ", ".join(filter(None, [one.value, one.rest]))])
            for one in self.bars
        ]


@dataclass(frozen=True)
class Folded(Placed):
    """A sentence that opens into a table of texts; the sentence is read aloud when it changes."""

    id: str
    note: str  # the sentence
    # Texts; the first column names the row.
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    more: str = ""  # a line beneath, such as how many rows are not listed
    heading: str = ""

    def still(self) -> list[str]:
        """In words, line by line."""
        lines = [self.note, *map(": ".join, self.rows)]
        return [*lines, *([self.more] if self.more else [])]


@dataclass(frozen=True)
class Toolbar(Controls):
    """Controls above all other parts, and above what is said to be wrong."""

    unsent = ("heading",)
    # From keys to the control that they press: ``{"ctrl+z": "undo", "delete": "cut"}``, in small
    # letters. Those with Ctrl work in the whole lab but for its fields, others within its tree.
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Foot(Placed):
    """The lines under a picture: one about it, and a hint for as long as nothing was done."""

    unsent = ("heading",)
    id: str
    line: str
    hint: str = ""
    heading: str = ""

    def still(self) -> list[str]:
        """In words, line by line."""
        return [self.line]


# -- what could be asked at a node, as bars that open into their branches or their cut -------------


@dataclass(frozen=True)
class CutSlider:
    """The axis of a continuous attribute, along which a cut is dragged, or typed."""

    # The least and the greatest value; a cut lies between them.
    low: float
    high: float
    cut: float
    best: float | None  # the best cut, which is marked; None where it is not to be known
    points: Sequence[Sequence[float]]  # ``[x, class, rows]``: where rows lie

    def json(self) -> dict[str, Any]:
        """For the browser."""
        shown = (self.low, self.high, self.cut, self.best)
        return {
            "min": self.low,
            "max": self.high,
            "cut": self.cut,
            "best": self.best,
            "texts": ["" if x is None else number(x) for x in shown],
            "points": [list(point) for point in self.points],
        }


@dataclass(frozen=True)
class QuestionBar:
    """What could be asked: a bar with its gain, which opens into its branches or its cut."""

    attribute: int  # the position of the attribute; sent with a ``Split`` or a ``Draft``
    # The attribute's name, and the question as it stands.
    plain: str
    name: str
    # The gain, what stays open and the gain ratio in words; empty where they are hidden.
    gain: str = ""
    left: str = ""
    ratio: str = ""
    share: float = 0.0  # the dark part of the bar, from 0 to 1
    best: bool = False
    chosen: bool = False  # whether it is what the node asks
    other: str = ""  # what the node asks of it, such as "< 80", where another cut is shown
    disabled: str | None = None  # why it cannot be asked; None if it can
    # The branches: each with its ``label``, ``rows``, ``counts`` and ``entropy``.
    groups: Sequence[Mapping[str, Any]] | None = None
    # The ``label`` and ``branch`` of each value, where values can be taken together.
    values: Sequence[Mapping[str, Any]] | None = None
    cut: CutSlider | None = None  # of a continuous attribute
    continuous: bool = False

    def json(self) -> dict[str, Any]:
        """For the browser."""
        told = {key: v for key, v in vars(self).items() if key not in ("cut", "other")}
        axis = self.cut and self.cut.json()
        # What only few have is sent of those alone.
        more = {"leads": self._leads, "word": self._word}
        return {**told, "axis": axis, **{key: v for key, v in more.items() if v}}

    @property
    def _leads(self) -> bool:
        """Whether what is shown is the best: another cut may be."""
        return self.best and (self.cut is None or self.cut.best in (None, self.cut.cut))

    @property
    def _word(self) -> str:
        chosen = f"chosen {self.other}".rstrip() if self.chosen else ""
        return ", ".join(filter(None, ["best" if self._leads else "", chosen]))

    def words(self) -> str:
        """In words."""
        numbers = [f"gain {self.gain}", f"H(Y|X) {self.left}"] if self.gain else []
        return ": ".join(filter(None, [self.name, self.disabled or ", ".join(numbers)]))


@dataclass(frozen=True)
class QuestionList(Placed):
    """Questions at a node, as bars: a choice sends a ``Split``, a change of one a ``Draft``."""

    kind = "questions"
    id: str
    heading: str
    bars: Sequence[QuestionBar]
    about: str = ""  # the node, by its id
    # Its rows in words, and why nothing can be asked.
    where: str = ""
    note: str = ""
    rows: int = 0  # how many rows there are
    # Whether gains are not to be seen yet, and whether nothing may be asked.
    hidden: bool = False
    locked: bool = False
    more: str = ""  # a line beneath, of those for which there is no room

    def still(self) -> list[str]:
        """In words, line by line."""
        lines = [self.where, self.note, *(bar.words() for bar in self.bars), self.more]
        return [line for line in lines if line]


Part: TypeAlias = (
    Controls
    | Words
    | Picture
    | TreeView
    | Grid
    | Bars
    | Folded
    | QuestionList
    | Foot
    | Choices
    | Wall
)


# Of a message, in bytes, with some left for what the widget adds.
MOST_BYTES = 60_000


@dataclass(frozen=True)
class View:
    """All that a lab shows."""

    title: str
    parts: Sequence[Part]
    # The attribute whose values are the classes of the legend; None for no legend.
    target: Attribute | None = None
    status: str = ""
    problem: str | None = None
    # While work is under way, how much is done, from 0 to 1; `status` says it in words.
    progress: float | None = None
    # What is said of the last action, over the hero: what it was worth, what changed, or why
    # nothing could.
    verdict: str = ""
    # What stands there, in a sentence, as long as nothing is said of an action; in a demo, once all
    # is revealed.
    result: str = ""
    # Whether the state itself knows a step back, which its model takes for ``Press("undo")``: it is
    # asked for once nothing that was done before it is remembered any more.
    undo: bool = False
    # The lab's table, for what is said of a row that is pointed at (`row_words`).
    rows: Mapping[str, Any] | None = None
    # Whether `result` is what a hand may do first: a class, which has none, is not told it.
    asks: bool = False
    # Classes that no row has, though a hand may give it to one: before a class no legend has them.
    absent: Sequence[int] = ()

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return {
            "title": self.title,
            "parts": [self._part(part) for part in self.parts],
            "classes": [] if self.target is None else classes(self.target),
            "verdict": self.verdict,
            "status": self._news,
            "result": self.result,
            "problem": self.problem,
            "progress": None if self.progress is None else round(self.progress, 3),
            **({} if self.rows is None else {"rows": self.rows}),
            **({"asks": True} if self.asks else {}),
            **({"absent": self.absent} if self.absent else {}),
        }

    @property
    def fits(self) -> bool:
        """Whether a message has room for it."""
        return len(json.dumps(self.json(), ensure_ascii=False).encode()) <= MOST_BYTES

    @property
    def _news(self) -> str:
        """The status; the verdict, which stands beside it, is not said twice."""
        return self.status.replace(self.verdict, "").strip() if self.verdict else self.status

    def _part(self, part: Part) -> dict[str, Any]:
        """A part for the browser; without a legend a tree has nothing in its colours."""
        told = part.json()
        if isinstance(part, TreeView) and (self.target is None or part.tree.target.values is None):
            bare = (
                {k: v for k, v in card.items() if k not in ("hist", "pile", "tied")}
                for card in told["tree"]["cards"]
            )
            cards = [{**card, "counts": [], "cls": -1, "mix": "none"} for card in bare]
            tree = {k: v for k, v in told["tree"].items() if k != "marks"}
            told["tree"] = {**tree, "cards": cards}
        return told

    @property
    def last_stage(self) -> int:
        """The stage at which all is seen."""
        return max([part.stage for part in self.parts], default=0)


# With more classes than these a legend would take a lab's whole page.
_MOST_CLASSES = 30


def legend_target(target: Attribute, most: int = _MOST_CLASSES) -> Attribute | None:
    """The target, if its classes have room in a legend."""
    return target if 0 < target.n_values <= most else None


def classes(target: Attribute) -> list[dict[str, str]]:
    """Each class's name, colours and mark."""
    return [{"name": value(v), **_looks(k)} for k, v in enumerate(target.values or ())]


@lru_cache(maxsize=64)
def _looks(k: int) -> dict[str, str]:
    """The colours of a class; its mark as an outline of radius 1 and as a character."""
    return {
        "colour": f"var(--dtl-class-{style.hue(k)})",
        "ink": f"var(--dtl-class-ink-{style.hue(k)})",
        "mark": style.mark(k).path(0, 0, 1),
        "char": style.mark(k).char,
    }


def widest(view: View, axes: dict[str, Ends]) -> View:
    """A view over the widest axes that each of its pictures has had, which `axes` keeps."""

    def over(part: Part) -> Part:
        if not isinstance(part, Picture):
            return part
        made = part.figure.over(axes.get(part.id, ()))
        axes[part.id] = made.ends
        return part if made is part.figure else replace(part, figure=made)

    parts = list(map(over, view.parts))
    return view if all(map(is_, parts, view.parts)) else replace(view, parts=parts)
