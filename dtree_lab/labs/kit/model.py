"""What a lab is made of, what a lecturer's keys do with it, and what remains without a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from dtree_lab.base.text import html, value
from dtree_lab.draw.as_html import static_figure, tree_html
from dtree_lab.draw.chart import Ends, figure_svg
from dtree_lab.draw.style import css_variables, mark
from dtree_lab.labs.kit.actions import NotPossibleError, Select, Set
from dtree_lab.labs.kit.cards import folded
from dtree_lab.labs.kit.parts import (
    Controls,
    Folded,
    Grid,
    Part,
    Picture,
    TreeView,
    View,
    Words,
    widest,
)
from dtree_lab.labs.kit.wall import Wall
from dtree_lab.tree.tree import Path, Tree

_RULES = """
.dtl-kept-view { font: 14px/1.45 var(--dtl-font); color: var(--dtl-ink); max-width: 60em; }
.dtl-kept-view p { margin: 0.3em 0; }
.dtl-kept-view table { border-collapse: collapse; font-size: 13px; }
.dtl-kept-view th, .dtl-kept-view td { text-align: left; padding: 2px 14px 2px 0; }
"""


# How many cards a kept picture of a large tree tries to show, and the characters that it may have.
_CARDS, _TREE = (36, 24, 12, 5), 40_000
# What a lab's pictures and words may take, for they are one message, sent whenever a person pauses,
# of which 64 KB are allowed; and how often its words stand there: as text, and in the page.
_ROOM, _TIMES = 60_000, 3


def kept_tree(tree: Tree, selected: Path = (), lit: Path = (), room: int = _TREE) -> str:
    """A tree's picture and its text; of a large tree with branches folded, until it is small."""
    for most in _CARDS:
        page = tree_html(tree, folded=folded(tree.root, selected, lit, most=most), lit=lit)
        if len(page) <= min(room, _TREE):
            break
    return page


def still_html(view: View, beside: str = "") -> str:
    """The view as part of a page, without scripts: pictures while there is room, then words."""
    room = _ROOM - len(beside) - _TIMES * len(still_text(view))
    is_first = not beside

    def shown(part: Part) -> str:
        nonlocal room, is_first
        page = _html(part, room)
        if not isinstance(part, _DRAWN):
            return page
        if len(page) > room and not is_first:
            return _told(part)
        room, is_first = room - len(page), False
        return page

    parts = "".join(shown(part) for part in view.parts if not part.drawer)
    for name, lying in _drawers(view).items():
        inside = "".join(map(shown, lying))
        parts += f"<details><summary>{html(name)}</summary>{inside}</details>"
    return (
        f"<style>{css_variables()}{_RULES}</style>"
        f'<div class="dtl dtl-kept-view"><p><strong>{html(view.title)}</strong></p>'
        f"{_paragraphs([*_legend(view), view.status or view.result])}{parts}</div>"
    )


def still_text(view: View) -> str:
    """The view as lines of text."""
    blocks = [[view.title, *_legend(view)], [view.status or view.result]]
    blocks += [_text(part) for part in view.parts if not part.drawer]
    for name, lying in _drawers(view).items():
        blocks += [[f"{name}:"], *map(_text, lying)]
    return "\n\n".join("\n".join(lines) for lines in blocks if any(lines))


def _drawers(view: View) -> dict[str, list[Part]]:
    """What lies in each drawer that tells something."""
    found: dict[str, list[Part]] = {}
    for part in view.parts:
        if part.drawer and any(_text(part)):
            found.setdefault(part.drawer, []).append(part)
    return found


def _legend(view: View) -> list[str]:
    if view.target is None:
        return []
    names = (f"{mark(k).char} {value(v)}" for k, v in enumerate(view.target.values or ()))
    return [f"{view.target.name}: {', '.join(names)}"]


def _html(part: Part, room: int) -> str:
    """A part with its heading; nothing of controls that tell nothing."""
    match part:
        case Picture():
            svg, text = figure_svg(part.figure), "\n".join(part.still())
            page = static_figure(svg, part.figure.title, text)
        case TreeView():
            lit = () if part.lit is None or part.kept is not None else part.lit
            page = kept_tree(part.kept or part.tree, part.selected, lit, room)
        case Grid():
            page = _table(part.head, part.texts()) + _paragraphs([part.more])
        case Wall():
            page = static_figure(part.svg(), part.label, "\n".join(part.still()))
        case Folded():
            table = _table(part.head, part.rows) if part.rows else ""
            told = f"<summary>{html(part.note)}</summary>{table}{_paragraphs([part.more])}"
            page = f"<details>{told}</details>"
        case Words(items=True):
            items = "".join(f"<li>{html(line)}</li>" for line in part.sentences)
            page = f"<ul>{items}</ul>"
        case Controls() if not any(part.still()):
            return ""
        case _:
            page = _paragraphs(part.still())
    return _heading(part.heading) + page


_DRAWN = (Picture, TreeView, Wall)


def _told(part: Part) -> str:
    """What could be drawn, in words alone."""
    text = "\n".join(_text(part)[bool(part.heading) :])
    lines = "\n".join(map(html, text.split("\n")))
    return f'{_heading(part.heading)}<pre style="overflow-x: auto" tabindex="0">{lines}</pre>'


def _heading(text: str) -> str:
    return f"<p><strong>{html(text)}</strong></p>" if text else ""


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{html(line)}</p>" for line in lines if line)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column names the rows; an empty corner is no heading."""
    top = "".join(f'<th scope="col">{html(text)}</th>' if text else "<td></td>" for text in head)
    body = "".join(
        f'<tr><th scope="row">{html(name)}</th>'
        f"{''.join(f'<td>{html(text)}</td>' for text in row)}</tr>"
        for name, *row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _text(part: Part) -> list[str]:
    """The lines of a part, its heading first; nothing of controls that tell nothing."""
    lines = part.still()
    if isinstance(part, Controls) and not any(lines):
        return [""]
    return [*([part.heading] if part.heading else []), *lines]


S = TypeVar("S")


@dataclass(frozen=True)
class Model(Generic[S]):
    """A lab without Jupyter."""

    # The state after an action. One that cannot be done raises a `NotPossibleError`, or another
    # ValueError, which says why; the state stays as it was.
    update: Callable[[S, Any], S]
    view: Callable[[S], View]  # what is to be seen
    dump: Callable[[S], str]  # the state as a short text
    # What remains to be done for a state: an iterator of pairs, each a state further on and the
    # seconds to wait before the next; or None. The next action ends it wherever it is. Each step
    # should take no more than some 50 ms. A lab whose answers are there at once has none.
    work: Callable[[S], Iterator[tuple[S, float]] | None] = lambda _: None
    # The text and the page that remain without a kernel, where they are not those of the view.
    still: Callable[[S], tuple[str, str]] | None = None
    # Whether what is done can be undone by returning to the state before; a lab whose own states
    # hold their past has tools of its own for it.
    remembers: bool = True
    # Whether the text of a state tells all that is seen of it but what the last action said: a
    # recorded lab then knows a picture by it, without drawing it.
    tells_all: bool = True
    # How near a record takes what leads less far, or farther, than it looks: a number for the id of
    # a control or the name of an action (see `kit/recording.py`).
    near: Mapping[str, float] = field(default_factory=dict)


class StateView(Generic[S]):
    """What there is to see of a state, which is frozen: it is drawn and written once."""

    def __init__(self, model: Model[S], state: S, axes: dict[str, Ends] | None = None) -> None:
        self._model, self.state, self._axes = model, state, axes

    @cached_property
    def view(self) -> View:
        """The view itself, over axes that only widen where these are kept."""
        view = self._model.view(self.state)
        return view if self._axes is None else widest(view, self._axes)

    @cached_property
    def json(self) -> dict[str, Any]:
        """The view for the browser."""
        return self.view.json()

    @cached_property
    def text(self) -> str:
        """The state as a short text."""
        return self._model.dump(self.state)

    def remains(self) -> tuple[str, str]:
        """The text and the page that remain where no kernel runs."""
        if self._model.still is not None:
            return self._model.still(self.state)
        return still_text(self.view), still_html(self.view)


MOST_REMEMBERED = 100
# What is said of a step back and of one forth again.
RETURNED = {"undo": "Undone.", "redo": "Done again."}


@dataclass(frozen=True, eq=False)
class History(Generic[S]):
    """The states before, frozen values, as long as the lab lasts; no text knows of it."""

    # States to return to, the nearest last; and those that were left by undoing.
    past: tuple[S, ...] = ()
    undone: tuple[S, ...] = ()
    # The control that was set last: a drag is many small actions, and is undone as one.
    hand: str = ""

    def did(self, before: S, action: Any) -> History[S]:
        """After an action. To look at another node is none: there is nothing to undo in it."""
        if isinstance(action, Select):
            return replace(self, hand="")
        hand = action.control if isinstance(action, Set) else ""
        if hand and hand == self.hand:
            return replace(self, undone=())
        return History((*self.past, before)[-MOST_REMEMBERED:], (), hand)

    def undo(self, now: S) -> tuple[S, History[S]]:
        """The state before the last action."""
        if not self.past:
            raise NotPossibleError("There is nothing to undo.")
        return hushed(self.past[-1]), History(self.past[:-1], (*self.undone, now))

    def redo(self, now: S) -> tuple[S, History[S]]:
        """The state before the last undoing."""
        if not self.undone:
            raise NotPossibleError("There is nothing to do again.")
        return hushed(self.undone[-1]), History((*self.past, now), self.undone[:-1])


def hushed(state: S) -> S:
    """The state without what was said of the action that led to it."""
    said = is_dataclass(state) and any(field.name == "status" for field in fields(state))
    return replace(state, status="") if said else state  # type: ignore[type-var]


KEYS = ("next", "back", "reset")


def is_key(message: Any) -> bool:
    """Whether a browser's message is that of one of the keys."""
    return isinstance(message, dict) and set(message) == {"do"} and message["do"] in KEYS


@dataclass(frozen=True, eq=False)
class KeyWalk(Generic[S]):
    """Where a lecture stands."""

    first: S  # the state of the lab at the beginning
    stage: int = 0  # how many parts are revealed: those whose own stage is not above it
    # What the key for going back returns to: the lab's state and the lecture before each press of
    # the key for the next thing.
    past: tuple[tuple[S, KeyWalk[S]], ...] = ()
    # Whether something else than the keys has changed the lab since the beginning.
    moved: bool = False

    def on(self, state: S, last_stage: int, go_on: Callable[[], S]) -> tuple[S, KeyWalk[S]]:
        """Reveal the next part; when all are seen, the lab itself goes on."""
        past = (*self.past, (state, self))
        if self.stage < last_stage:
            return state, replace(self, stage=self.stage + 1, past=past)
        return go_on(), replace(self, past=past)

    def back(self) -> tuple[S, KeyWalk[S]]:
        """As it was before the last press; before the first, as it began."""
        return self.past[-1] if self.past else self.over()

    def over(self) -> tuple[S, KeyWalk[S]]:
        """As it began."""
        if not self.past and not self.moved:
            raise NotPossibleError("This is the beginning.")
        return self.first, KeyWalk(self.first)

    def by_hand(self) -> KeyWalk[S]:
        """After a person has done something else than pressing the keys."""
        return self if self.moved else replace(self, moved=True)

    def worked(self, state: S) -> KeyWalk[S]:
        """After the lab has worked on by itself: at the beginning, that belongs to it."""
        return self if self.past or self.moved else replace(self, first=state)
