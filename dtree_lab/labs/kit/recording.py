"""A lab recorded: its views, and which action leads from one to which other.

A view is a pure function of the lab's state, so all that the controls lead to can be walked through
beforehand, and played without Python: the actions that views offer, those that lead on before those
that lead aside. What lies outside says so.
"""

from __future__ import annotations

import base64
import heapq
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

from dtree_lab.base.text import plural
from dtree_lab.labs.kit.actions import read_action
from dtree_lab.labs.kit.model import RETURNED, Model, hushed
from dtree_lab.labs.kit.place import compact_json

S = TypeVar("S")

# So many positions of a slider are tried, spread evenly over it: of the first of a view, and of
# another, unless it has only some more.
_POSITIONS, _FEWER, _SOME = 65, 9, 16
# How far an action leads from where the lab began: a step on hardly, a choice beside it far.
_STEP, _FIRST, _MOVE, _CHOICE = 0.01, 0.05, 0.2, 1.0
# So many actions are tried for each view that may be kept.
_TRIES = 100
# A choice that has led out of a full record so often is not tried from other views, too.
_OUT = 3
# So many views are walked before their size is looked at.
_LOOKED_AT = 24


def record(
    model: Model[S], state: S, most: int, most_bytes: int, near: Mapping[str, float]
) -> Record:
    """Walk through what a lab can show: so many views at most, in so many bytes, deflated.

    `near` is how far controls lead, by their ids, or actions by their names, where it is not as
    usual: 0.01 is as near as a step on, 1 as far as a choice.
    """
    walk = _Walk(model, most, most_bytes, {**model.near, **near})
    return walk.through(state).within(most_bytes)


class _Walk(Generic[S]):
    """The walk: the action that leads least far away comes next, Dijkstra's way."""

    def __init__(
        self, model: Model[S], most: int, most_bytes: int, near: Mapping[str, float]
    ) -> None:
        self.model, self.most, self.most_bytes, self.near = model, most, most_bytes, near
        self.record = Record(remembers=model.remembers)
        self.states: list[S] = []
        self.number: dict[tuple[str, str], int] = {}
        self.known: set[str] = set()
        # Whether what a state's text tells is all that its work finds out.
        self.stays = True
        self.waiting: list[tuple[float, int, int, dict[str, Any]]] = []
        self.n_offered = 0  # of two that lead as far, the one that was offered first comes first
        self.full, self.looked_at = False, _LOOKED_AT
        self.out: Counter[str] = Counter()  # how often a choice has led outside

    def through(self, state: S) -> Record:
        """All from a state on."""
        _, self.record.begins = self._seen(state, 0.0) or (0, "")
        tried = 0
        while self.waiting and tried < _TRIES * len(self.states):
            self._tried(*heapq.heappop(self.waiting))
            tried += 1
        self.record.whole = self.record.whole and not self.waiting
        return self.record

    def _tried(self, far: float, _: int, i: int, action: dict[str, Any]) -> None:
        """Where an action leads from a view."""
        name = key(action)
        if self.out[name] >= _OUT:
            self.record.whole = False
            return
        try:
            to = self._seen(self.model.update(self.states[i], read_action(action)), far)
        except ValueError as error:
            self.record.moves[i][name] = str(error)
            return
        if to is None:
            self.record.whole = False
            self.out[name] += action["do"] == "set" and not isinstance(action["value"], float | int)
        else:
            self.record.moves[i][name] = to

    def _seen(self, state: S, far: float) -> tuple[int, str] | None:
        """The number of what a state shows, and what it says; nothing where there is no room."""
        text = self.model.dump(state)
        if self.model.tells_all and self.stays:
            if (text, "") in self.number:
                return self.number[text, ""], _said(state)
            if self._is_full():
                return None
        done = state
        for step, _ in self.model.work(state) or ():
            done = step
        after = self.model.dump(done)
        self.stays = self.stays and after == text
        return self._kept(done, after, far)

    def _kept(self, state: S, text: str, far: float) -> tuple[int, str] | None:
        """Look at a state whose work is done."""
        said, name, told = _said(state), (text, ""), None
        if self.model.tells_all:
            state = hushed(state)
        else:
            if text not in self.known and self._is_full():
                return None
            told = self.model.view(state).json()
            if told["status"] == said:
                told["status"] = ""
            else:  # it stands elsewhere, too
                said = ""
            name = (text, compact_json(told))
        if name not in self.number:
            if self._is_full():
                return None
            self._new(name, state, told or self.model.view(state).json(), far)
        return self.number[name], said

    def _new(self, name: tuple[str, str], state: S, view: dict[str, Any], far: float) -> None:
        """Keep a view, and what can be done in it for later."""
        n = self.number[name] = len(self.number)
        self.known.add(name[0])
        self.states.append(state)
        self.record.views.append(view)
        self.record.texts.append(name[0])
        self.record.moves.append({})
        for action, away in offered(view, self.near):
            self.n_offered += 1
            heapq.heappush(self.waiting, (far + away, self.n_offered, n, action))

    def _is_full(self) -> bool:
        """Whether there is no room: looked at when what is left of it may be used up."""
        n = len(self.states)
        if not self.full and n >= self.looked_at:
            size = len(self.record.packed())
            self.full = size >= self.most_bytes
            left = (self.most_bytes - size) * n / size
            self.looked_at = n + max(n // 10, min(int(left * 0.9), 2 * n))
        return self.full or n >= self.most


def _said(state: Any) -> str:
    """What the last action made a lab say."""
    said = getattr(state, "status", "")
    return said if isinstance(said, str) else ""


def key(action: Mapping[str, Any]) -> str:
    """An action as the browser looks it up: its values, in the order of their names.

    >>> key({"do": "set", "value": 2.0, "control": "n"})
    '[["control","n"],["do","set"],["value",2]]'
    """
    return compact_json([[name, _as_in_the_browser(action[name])] for name in sorted(action)])


def _as_in_the_browser(value: Any) -> Any:
    """There, 2.0 is 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Offers: TypeAlias = Iterator[tuple[dict[str, Any], float]]


def offered(view: Mapping[str, Any], near: Mapping[str, float]) -> Offers:
    """The actions that a view offers, each once, and how far it leads away."""
    known = set()
    for action, away in _all_offered(view):
        name = key(action)
        if name not in known:
            known.add(name)
            yield action, near.get(str(action.get("control", action["do"])), away)


def _all_offered(view: Mapping[str, Any]) -> Offers:
    first = True  # of several sliders, the first is what the lab is about
    for part in view["parts"]:
        for control in part.get("controls") or [part.get("slider")]:
            if control is not None and control.get("enabled", True):
                yield from _of_control(control, first=first)
                first = first and control["kind"] != "slider"
        if part["kind"] == "tree":
            yield from _of_tree(part)
        elif part["kind"] == "questions":
            yield from _of_questions(part)
        elif part.get("pick"):
            for row in range(len(part.get("rows", part.get("bars", part.get("tiles"))))):
                yield {"do": "pick", "part": part["id"], "row": row}, _CHOICE


def _of_control(control: Mapping[str, Any], *, first: bool) -> Offers:
    id_, kind = control["id"], control["kind"]
    if kind == "button":
        yield {"do": id_}, _STEP if id_ in ("next", "back") or control["main"] else _CHOICE
    elif kind == "menu":
        for option in control["options"]:
            yield {"do": id_, "option": option}, _CHOICE
    elif kind == "slider":
        of = (control["low"], control["high"], control["step"])
        most, away = (_POSITIONS, _FIRST) if first else (_FEWER, _MOVE)
        for value in positions(*of, most):
            yield {"do": "set", "control": id_, "value": value}, away
    elif kind != "field":  # what could be typed has no end
        options = [[not control["value"]]] if kind == "toggle" else control["options"]
        for value, *_ in options:
            yield {"do": "set", "control": id_, "value": value}, _CHOICE


def _of_tree(part: Mapping[str, Any]) -> Offers:
    for card in part["tree"]["cards"]:
        if card["id"] != part["selected"]:
            yield {"do": "select", "part": part["id"], "at": card["id"]}, _CHOICE


def _of_questions(part: Mapping[str, Any]) -> Offers:
    if part["locked"]:
        return
    for bar in part["bars"]:
        if bar["disabled"] is None:
            asks = {"do": "split", "part": part["id"], "attribute": bar["attribute"]}
            if bar["axis"] is None:
                yield asks, _MOVE
                continue
            yield {**asks, "cut": bar["axis"]["cut"]}, _MOVE
            for cut in _cuts(bar["axis"]):
                yield {**asks, "do": "draft", "cut": cut}, _CHOICE


def _cuts(axis: Mapping[str, Any]) -> list[float]:
    """Half way between the values: the cuts that differ."""
    values = sorted({point[0] for point in axis["points"]})
    between = [(low + high) / 2 for low, high in pairwise(values)]
    return between[:: max(1, len(between) // _FEWER)]


def positions(low: float, high: float, step: float, most: int = _POSITIONS) -> list[float]:
    """The values of a slider: all of them, or so many as a record holds, both ends among them."""
    step = step or (high - low) / (most - 1)
    n = round((high - low) / step) if step else 0
    steps: Sequence[int] = range(n + 1)
    if n >= max(most, _SOME):
        steps = [round(n * i / (most - 1)) for i in range(most)]
    return [round(low + i * step, 10) for i in steps]


# -- as bytes for the browser: what occurs twice is kept once, and all is deflated -----------------

# Where an action leads: to the view of a number, with what the lab says of it; or why nowhere.
Move: TypeAlias = tuple[int, str] | str
# What is shorter costs less to write out than to refer to.
_SHORT = 20
# A text that begins so stands for a piece that is kept elsewhere, by its number.
_MARK = "~"


@dataclass
class Record:
    """What a lab shows, as far as it was walked."""

    # What is seen; the first is where the lab began.
    views: list[dict[str, Any]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # the lab's own text of each
    # For each view the actions and where they lead.
    moves: list[dict[str, Move]] = field(default_factory=list)
    whole: bool = True  # whether all was walked that the controls offer
    remembers: bool = True  # whether what is done can be undone by returning to the view before
    begins: str = ""  # what the lab says in the beginning

    def first(self, n: int) -> Record:
        """Only the first views, and the moves among them: the others were found later."""
        moves = [
            {key: to for key, to in each.items() if isinstance(to, str) or to[0] < n}
            for each in self.moves[:n]
        ]
        whole = self.whole and n >= len(self.views)
        return Record(self.views[:n], self.texts[:n], moves, whole, self.remembers, self.begins)

    def within(self, most_bytes: int) -> Record:
        """As many of the first views as have room in so many bytes; one at least."""
        low, high = 1, len(self.views) + 1
        if len(self.packed()) <= most_bytes:
            return self
        while high - low > max(1, low // 50):  # to a fiftieth
            middle = (low + high) // 2
            fits = len(self.first(middle).packed()) <= most_bytes
            low, high = (middle, high) if fits else (low, middle)
        return self.first(low)

    def packed(self) -> bytes:
        """For the browser, deflated."""
        actions: dict[str, int] = {}
        said: dict[str, int] = {"": 0}
        moves = [
            [_told(actions.setdefault(key, len(actions)), to, said) for key, to in each.items()]
            for each in self.moves
        ]
        views, pieces = _shared(self.views)
        told = {
            "views": views,
            "pieces": pieces,
            "moves": moves,
            "actions": list(actions),
            "said": list(said),
            "keys": [f"{zlib.crc32(text.encode()):08x}" for text in self.texts],
            "remembers": self.remembers,
            "begins": self.begins,
            "about": f"Recorded, {plural(len(views), 'view')}: plays without Python.",
            "returned": RETURNED,
        }
        return zlib.compress(compact_json(told).encode(), 9)

    def base64(self) -> str:
        """The same as text."""
        return base64.b64encode(self.packed()).decode()


def _told(action: int, to: Move, places: dict[str, int]) -> list[Any]:
    """A move: the action's number, the view's, and what is said of it, where it says anything."""
    if isinstance(to, str):
        return [action, to]
    words = [places.setdefault(to[1], len(places))] if to[1] else []
    return [action, to[0], *words]


def _shared(views: Sequence[Mapping[str, Any]]) -> tuple[list[Any], list[Any]]:
    """Views in which marks stand for what occurs twice, and those pieces, the inner ones first."""
    keys: dict[int, str] = {}
    seen: Counter[str] = Counter()
    for view in views:
        for one in view.values():
            _count(one, keys, seen)
    sharing = _Sharing(keys, frozenset(key for key, times in seen.items() if times > 1))
    short = [{name: sharing.short(one) for name, one in view.items()} for view in views]
    return short, sharing.pieces


@dataclass
class _Sharing:
    """What is written once: how each value is written, which occur twice, where they are."""

    keys: Mapping[int, str]
    twice: frozenset[str]
    places: dict[str, str] = field(default_factory=dict)
    pieces: list[Any] = field(default_factory=list)

    def short(self, value: Any) -> Any:
        """A value, or the mark of its place."""
        if not isinstance(value, (list, dict, str)):
            return value
        key = value if isinstance(value, str) else self.keys[id(value)]
        if key not in self.twice:
            return self._inside(value)
        if key not in self.places:
            kept = self._inside(value)
            self.places[key] = _MARK + np.base_repr(len(self.pieces), 36).lower()
            self.pieces.append(kept)
        return self.places[key]

    def _inside(self, value: dict[str, Any] | list[Any] | str) -> Any:
        if isinstance(value, dict):
            return {name: self.short(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self.short(one) for one in value]
        return _MARK + value if value.startswith(_MARK) else value


def _count(value: Any, keys: dict[int, str], seen: Counter[str]) -> str:
    """How a value is written; what has been counted once is not looked into again."""
    if isinstance(value, str):
        if len(value) >= _SHORT:
            seen[value] += 1
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (list, dict)):
        return json.dumps(value)
    key = compact_json(value)
    keys[id(value)] = key
    again = seen[key] > 0 and len(key) >= _SHORT
    if len(key) >= _SHORT:
        seen[key] += 1
    if again:
        return key
    for one in value.values() if isinstance(value, dict) else value:
        _count(one, keys, seen)
    return key
