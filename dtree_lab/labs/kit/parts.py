"""What a lab shows: a title, parts in reading order, and what is said of the last action.

The browser has one way to draw each kind of part; a static picture is made from the same parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from dtree_lab.base.text import number, value
from dtree_lab.draw import style
from dtree_lab.draw.chart import Figure
from dtree_lab.labs.kit.actions import node_id
from dtree_lab.labs.kit.cards import MOST_CARDS, drawn
from dtree_lab.labs.kit.controls import Control, Field, Slider
from dtree_lab.labs.kit.inline import code_runs, plain, runs
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.tree import Path, Tree

# What a lab is about is its "hero", where there is room with another picture "beside" it. Together
# they are as high as what is left of the window, and right under them comes what one does with
# them, "act". "side" is a column at their right; "main" comes under them, "above" over, "below"
# last.
Area: TypeAlias = Literal["above", "hero", "beside", "act", "side", "main", "below"]


@dataclass(frozen=True, kw_only=True)
class _Part:
    """What all parts have.

    Attributes
    ----------
    area
        Where it stands.
    drawer
        The name of the drawer that it lies in, under all areas: what is not needed at first sight.
        Drawers stand in the order in which their first parts do; a person opens them.
    stage
        In a demo, how often the key for the next thing is pressed before it is seen.
    """

    area: Area = "main"
    drawer: str = ""
    stage: int = 0

    def _json(self, kind: str, **more: Any) -> dict[str, Any]:
        own = {"area": self.area, "drawer": self.drawer, "stage": self.stage}
        return {"kind": kind, **own, **more}


@dataclass(frozen=True)
class Controls(_Part):
    """Controls in a line that breaks where it must; `label` names the group to screen readers."""

    id: str
    label: str
    controls: Sequence[Control]
    heading: str = ""

    def json(self) -> dict[str, Any]:
        """For the browser."""
        one = [control.json() for control in self.controls]
        return self._json(
            "controls", id=self.id, label=self.label, heading=self.heading, controls=one
        )


@dataclass(frozen=True)
class Words(_Part):
    """Paragraphs, or a list where `items` is true.

    `strong` marks a verdict; what is `live` is read aloud when it changes. `room` lines are kept
    free for what is to come, so that nothing moves then.
    """

    id: str
    lines: Sequence[str]
    heading: str = ""
    items: bool = False
    strong: bool = False
    live: bool = False
    room: int = 0

    def json(self) -> dict[str, Any]:
        """For the browser."""
        more = {"items": self.items, "strong": self.strong, "live": self.live, "room": self.room}
        return self._json("words", id=self.id, heading=self.heading, lines=list(self.lines), **more)


@dataclass(frozen=True)
class Picture(_Part):
    """A figure (draw/chart/).

    Attributes
    ----------
    click
        Whether clicks into the frame send a ``Point``. What a click does must be possible by
        controls too.
    slider
        A slider laid along the x axis of the frame, for dragging what the figure shows; its ends
        are those of the axis, whatever it says.
    text
        What the figure shows, line by line, for those who do not see it; folded away.
    """

    id: str
    figure: Figure
    heading: str = ""
    click: bool = False
    slider: Slider | None = None
    text: Sequence[str] = ()

    def json(self) -> dict[str, Any]:
        """For the browser."""
        made = self.figure
        return self._json(
            "picture",
            id=self.id,
            heading=self.heading,
            label=made.title,
            element=made.element.json(),
            frame=made.frame.json(),
            width=made.width,
            height=made.height,
            click=self.click,
            slider=self.slider and self.slider.json(),
            text=list(self.text),
        )


@dataclass(frozen=True)
class TreeView(_Part):
    """A tree to walk; choosing a node sends a ``Select``.

    Attributes
    ----------
    tags
        A word or two under the cards of some nodes: "pruned", "differs", "2 rows change".
    lit
        A path to be seen at a glance, such as the way of a row; the way to `selected` if None.
    faded
        Nodes that stand back, such as what a pruning would take away.
    kept
        The tree of the picture that remains without a kernel, where it is another.
    most
        About how many nodes have cards; the rest is told in short.
    label
        What it is to a screen reader; if empty, its heading and size.
    table
        The rows that it was grown on: its cards then have the histograms of their cuts.
    main
        Whether the lab is about this tree: Enter leads from it to the questions of the selected
        node and Escape back, and the buttons for its size stand beside the title.
    """

    id: str
    tree: Tree
    selected: Path = ()
    heading: str = ""
    tags: Mapping[Path, str] = field(default_factory=dict)
    lit: Path | None = None
    faded: frozenset[Path] = frozenset()
    kept: Tree | None = None
    most: int = MOST_CARDS
    label: str = ""
    table: Table | None = None
    main: bool = False

    def json(self) -> dict[str, Any]:
        """For the browser."""
        size = f"{self.tree.n_nodes} nodes, depth {self.tree.depth}"
        ways = (self.selected,) if self.lit is None else (self.selected, self.lit)
        return self._json(
            "tree",
            id=self.id,
            heading=self.heading,
            label=self.label or f"{self.heading or 'Decision tree'}, {size}",
            tree=drawn(
                self.tree,
                *ways,
                tags=self.tags,
                faded=self.faded,
                most=self.most,
                table=self.table,
            ),
            selected=node_id(self.selected),
            lit=None if self.lit is None else node_id(self.lit),
            main=self.main,
        )


@dataclass(frozen=True)
class Grid(_Part):
    """A table of texts, or of fields to fill in.

    Attributes
    ----------
    head, rows
        Texts; the first column names the row. A cell may be a field, whose label is not seen: the
        head and the row name it.
    classes
        The column that holds a class, which gets the class's mark; None for no column.
    pick
        Whether rows can be chosen, which sends a ``Pick``; `current` is the chosen one.
    more
        A line beneath, such as how many rows are not shown.
    sticky
        Whether the last column stays in sight however many there are.
    about
        What the rows are of: when it changes, the table is shown from its top.
    """

    id: str
    label: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | Field]]
    heading: str = ""
    classes: int | None = None
    pick: bool = False
    current: int | None = None
    more: str = ""
    sticky: bool = False
    about: str = ""

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return self._json(
            "grid",
            id=self.id,
            label=self.label,
            heading=self.heading,
            head=list(self.head),
            rows=[[c if isinstance(c, str) else c.json() for c in row] for row in self.rows],
            classes=self.classes,
            pick=self.pick,
            current=self.current,
            more=self.more,
            sticky=self.sticky,
            about=self.about,
        )


@dataclass(frozen=True)
class BarItem:
    """One of several bars; `share` is the dark part of it, from 0 to 1.

    Attributes
    ----------
    value, rest
        What is written for the dark part and for the pale rest.
    detail
        Lines that the bar opens into; `table` is a head and rows before them.
    """

    name: str
    share: float
    value: str = ""
    rest: str = ""
    best: bool = False
    detail: Sequence[str] = ()
    table: tuple[Sequence[str], Sequence[Sequence[str]]] | None = None

    def json(self) -> dict[str, Any]:
        """For the browser."""
        table = self.table and [list(self.table[0]), [list(row) for row in self.table[1]]]
        share = round(min(max(self.share, 0.0), 1.0), 4)
        return {**vars(self), "share": share, "detail": list(self.detail), "table": table}


@dataclass(frozen=True)
class Bars(_Part):
    """Bars beneath each other; where `pick` is true, choosing one sends a ``Pick``."""

    id: str
    label: str
    bars: Sequence[BarItem]
    heading: str = ""
    pick: bool = False
    current: int | None = None

    def json(self) -> dict[str, Any]:
        """For the browser."""
        more = {"pick": self.pick, "current": self.current}
        return self._json(
            "bars",
            id=self.id,
            label=self.label,
            heading=self.heading,
            bars=[bar.json() for bar in self.bars],
            **more,
        )

    def still(self) -> list[str]:
        """In words, line by line."""
        return [
            ": ".join([one.name, ", ".join(filter(None, [one.value, one.rest]))])
            for one in self.bars
        ]


@dataclass(frozen=True)
class Folded(_Part):
    """A sentence that opens into a table of texts; the sentence is read aloud when it changes.

    Attributes
    ----------
    note
        The sentence.
    head, rows
        Texts; the first column names the row.
    more
        A line beneath, such as how many rows are not listed.
    """

    id: str
    note: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    more: str = ""
    heading: str = ""

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return self._json(
            "folded",
            id=self.id,
            heading=self.heading,
            note=self.note,
            head=list(self.head),
            rows=[list(row) for row in self.rows],
            more=self.more,
        )


@dataclass(frozen=True)
class Toolbar(_Part):
    """Controls above all other parts, and above what is said to be wrong.

    Attributes
    ----------
    keys
        From keys to the control that they press: ``{"ctrl+z": "undo", "delete": "cut"}``, in small
        letters. Those with Ctrl work in the whole lab but for its fields, others within its tree.
    """

    id: str
    label: str
    controls: Sequence[Control]
    keys: Mapping[str, str] = field(default_factory=dict)
    heading: str = ""

    def json(self) -> dict[str, Any]:
        """For the browser."""
        one = [control.json() for control in self.controls]
        return self._json(
            "toolbar", id=self.id, label=self.label, controls=one, keys=dict(self.keys)
        )


@dataclass(frozen=True)
class CutSlider:
    """The axis of a continuous attribute, along which a cut is dragged, or typed.

    Attributes
    ----------
    low, high
        The least and the greatest value; a cut lies between them.
    best
        The best cut, which is marked; None where it is not to be known.
    points
        ``[x, class, rows]``: where rows lie.
    """

    low: float
    high: float
    cut: float
    best: float | None
    points: Sequence[Sequence[float]]

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return {
            "min": self.low,
            "max": self.high,
            "cut": self.cut,
            "cutText": number(self.cut),
            "best": self.best,
            "points": [list(point) for point in self.points],
        }


@dataclass(frozen=True)
class QuestionBar:
    """What could be asked: a bar with its gain, which opens into its branches or its cut.

    Attributes
    ----------
    attribute
        The position of the attribute; sent with a ``Split`` or a ``Draft``.
    plain, name
        The attribute's name, and the question as it stands.
    gain, left, ratio
        The gain, what stays open and the gain ratio in words; empty where they are hidden.
    share
        The dark part of the bar, from 0 to 1.
    chosen
        Whether it is what the node asks.
    disabled
        Why it cannot be asked; None if it can.
    groups
        The branches: each with its ``label``, ``rows``, ``counts`` and ``entropy``.
    values
        The ``label`` and ``branch`` of each value, where values can be taken together.
    cut
        Of a continuous attribute.
    """

    attribute: int
    plain: str
    name: str
    gain: str = ""
    left: str = ""
    ratio: str = ""
    share: float = 0.0
    best: bool = False
    chosen: bool = False
    disabled: str | None = None
    groups: Sequence[Mapping[str, Any]] | None = None
    values: Sequence[Mapping[str, Any]] | None = None
    cut: CutSlider | None = None
    continuous: bool = False

    def json(self) -> dict[str, Any]:
        """For the browser."""
        told = {**vars(self), "axis": self.cut and self.cut.json()}
        del told["cut"]
        return told

    def told(self) -> str:
        """In words."""
        numbers = [f"gain {self.gain}", f"H(Y|X) {self.left}"] if self.gain else []
        return ": ".join(filter(None, [self.name, self.disabled or ", ".join(numbers)]))


@dataclass(frozen=True)
class QuestionList(_Part):
    """What can be asked at a node, as bars that open into a cut slider.

    Choosing one sends a ``Split``, a cut that is dragged or values that are taken together a
    ``Draft``.

    Attributes
    ----------
    about
        The node, by its id.
    where, note
        Its rows in words, and why nothing can be asked.
    rows
        How many rows there are.
    asks
        The question that the node asks, in words.
    hidden, locked
        Whether gains are not to be seen yet, and whether nothing may be asked.
    more
        A line beneath, of those for which there is no room.
    """

    id: str
    heading: str
    bars: Sequence[QuestionBar]
    about: str = ""
    where: str = ""
    note: str = ""
    rows: int = 0
    asks: str | None = None
    hidden: bool = False
    locked: bool = False
    more: str = ""

    def json(self) -> dict[str, Any]:
        """For the browser."""
        common = ("area", "drawer", "stage")
        own = {key: one for key, one in vars(self).items() if key not in common}
        return self._json("questions", **{**own, "bars": [bar.json() for bar in self.bars]})

    def still(self) -> list[str]:
        """In words, line by line."""
        lines = [self.where, self.note, *(bar.told() for bar in self.bars), self.more]
        return [line for line in lines if line]


@dataclass(frozen=True)
class Foot(_Part):
    """The lines under a picture: one about it, and a hint for as long as nothing was done."""

    id: str
    line: str
    hint: str = ""
    heading: str = ""

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return self._json("foot", id=self.id, line=self.line, hint=self.hint)

    def still(self) -> list[str]:
        """In words, line by line."""
        return [self.line]


@dataclass(frozen=True)
class ChoiceGroup:
    """A question with its options, of which one is chosen; sends ``Set(id, key)``.

    Attributes
    ----------
    asks
        The question, with Markdown's signs for bold, italic and code.
    options
        Pairs of a key, which is a letter or a digit to press, and words, with such signs too.
    chosen
        The key of the chosen option; nothing as long as none is.
    marks
        Of some options, whether they are right.
    """

    id: str
    asks: str
    options: Sequence[tuple[str, str]]
    chosen: str = ""
    marks: Mapping[str, bool] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """For the browser."""
        options = [[key, runs(words), self.marks.get(key)] for key, words in self.options]
        return {"id": self.id, "asks": runs(self.asks), "options": options, "chosen": self.chosen}

    def still(self) -> list[str]:
        """In words, line by line."""
        signs = {True: " ✓", False: " ✗", None: ""}
        return [
            plain(self.asks),
            *(
                f"  {'(•)' if key == self.chosen else '( )'} {key}  {plain(words)}"
                f"{signs[self.marks.get(key)]}"
                for key, words in self.options
            ),
        ]


@dataclass(frozen=True)
class NumberAsked:
    """A question that a number answers: a field and, where its ends are known, a slider.

    The browser sends the number with ``Set(id, text)`` when it is committed.

    Attributes
    ----------
    low, high, step
        Between what, and how finely, the slider moves; no slider where `low` is None.
    truth
        What it is, marked on the slider; None as long as it is not to be known.
    """

    id: str
    asks: str
    value: str = ""
    low: float | None = None
    high: float | None = None
    step: float = 1
    truth: float | None = None

    def json(self) -> dict[str, Any]:
        """For the browser."""
        said = None if self.truth is None else number(self.truth)
        return {**vars(self), "asks": runs(self.asks), "said": said}

    def still(self) -> list[str]:
        """In words, line by line."""
        return [plain(self.asks), f"  {self.value or '…'}"]


@dataclass(frozen=True)
class Verdict:
    """What is said of an answer that was committed; `lines` are ``(mark, label, words, code)``."""

    tone: Literal["good", "open", "blank"]
    head: str
    title: str
    lines: Sequence[tuple[str, str, str, bool]] = ()

    def json(self) -> dict[str, Any]:
        """For the browser."""
        lines = [
            [mark, label, [("", words)] if code else code_runs(words), code]
            for mark, label, words, code in self.lines
        ]
        return {**vars(self), "lines": lines}


@dataclass(frozen=True)
class Choices(_Part):
    """Questions that are answered by choosing, or by a number, and the button that commits to it.

    It sends ``Press("commit")`` when every question is answered.

    Attributes
    ----------
    groups
        The questions; each is seen once those before it are answered.
    commits
        How many answers were committed since it was made: one more is written into the cell.
    locked
        Whether nothing can be changed any more.
    verdict
        What is said of the answer; None as long as there is none.
    note
        A line beneath, such as what was answered at first.
    """

    id: str
    groups: Sequence[ChoiceGroup | NumberAsked]
    commits: int = 0
    locked: bool = False
    verdict: Verdict | None = None
    note: str = ""
    heading: str = ""

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return self._json(
            "choices",
            id=self.id,
            heading=self.heading,
            groups=[group.json() for group in self.groups],
            commits=self.commits,
            locked=self.locked,
            verdict=self.verdict and self.verdict.json(),
            note=self.note,
        )

    def still(self) -> list[str]:
        """In words, line by line."""
        lines = [line for group in self.groups for line in group.still()]
        if self.verdict is not None:
            lines += [f"{self.verdict.head}  {self.verdict.title}"]
            lines += [" ".join(filter(None, line[:3])) for line in self.verdict.lines]
        return [*lines, *([self.note] if self.note else [])]


Part: TypeAlias = (
    Controls
    | Words
    | Picture
    | TreeView
    | Grid
    | Bars
    | Folded
    | Toolbar
    | QuestionList
    | Foot
    | Choices
)


@dataclass(frozen=True)
class View:
    """All that a lab shows.

    Attributes
    ----------
    target
        The attribute whose values are the classes of the legend; None for no legend.
    verdict, status, problem
        What is said of the last action, over the hero: what it was worth, what changed, or why
        nothing could.
    result
        What stands there, in a sentence, as long as nothing is said of an action; in a demo, once
        all is revealed.
    progress
        While work is under way, how much is done, from 0 to 1; `status` says it in words.
    undo
        Whether the state itself knows a step back, which its model takes for ``Press("undo")``: it
        is asked for once nothing that was done before it is remembered any more.
    """

    title: str
    parts: Sequence[Part]
    target: Attribute | None = None
    status: str = ""
    problem: str | None = None
    progress: float | None = None
    verdict: str = ""
    result: str = ""
    undo: bool = False

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return {
            "title": self.title,
            "parts": [self._part(part) for part in self.parts],
            "classes": [] if self.target is None else classes(self.target),
            "verdict": self.verdict,
            "status": self.status,
            "result": self.result,
            "problem": self.problem,
            "progress": None if self.progress is None else round(self.progress, 3),
        }

    def _part(self, part: Part) -> dict[str, Any]:
        """A part for the browser; without a legend a tree's cards have no strip of its colours."""
        told = part.json()
        if self.target is None and isinstance(part, TreeView):
            bare = (
                {k: v for k, v in card.items() if k != "hist"} for card in told["tree"]["cards"]
            )
            cards = [{**card, "counts": []} for card in bare]
            told["tree"] = {**told["tree"], "cards": cards}
        return told

    @property
    def last_stage(self) -> int:
        """The stage at which all is seen."""
        return max((part.stage for part in self.parts), default=0)


def classes(target: Attribute) -> list[dict[str, str]]:
    """Each class's name, colour and mark; the mark as a character and as an outline of radius 1."""
    return [
        {
            "name": value(v),
            "colour": f"var(--dtl-class-{style.hue(k)})",
            "mark": style.mark(k).path(0, 0, 1),
            "char": style.mark(k).char,
        }
        for k, v in enumerate(target.values or ())
    ]
