"""A lab recorded: its views, and which action leads from one to which other.

A view is a pure function of the lab's state, so all that a person can reach by the controls that
are shown can be walked through beforehand, and played without Python. The walk takes the actions
that the views themselves offer, those that lead on before those that lead aside, until it is
through or has as many views as it may. What is played is then what Python shows, state for state;
what lies outside says so.
"""

from __future__ import annotations

import base64
import heapq
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from dtree_lab.labs.kit.actions import read
from dtree_lab.labs.kit.model import Model

S = TypeVar("S")

# So many positions of a slider are tried, spread evenly over it.
_POSITIONS = 65
# How far an action leads from where the lab began: a step on hardly, a choice beside it far.
_STEP, _MOVE, _CHOICE = 0.01, 0.1, 1.0
# So many actions are tried for each view that may be kept.
_TRIES = 30


@dataclass
class Record:
    """What a lab shows, as far as it was walked.

    Attributes
    ----------
    views
        What is seen; the first is where the lab began.
    texts
        The lab's own text of each.
    moves
        For each view the actions and the numbers of the views to which they lead, or why nothing
        can be done.
    whole
        Whether all was walked that the controls offer.
    remembers
        Whether what is done can be undone by returning to the view before.
    """

    views: list[dict[str, Any]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    moves: list[dict[str, int | str]] = field(default_factory=list)
    whole: bool = True
    remembers: bool = True

    def packed(self) -> bytes:
        """For the browser: parts that stay the same are kept once, and all is deflated."""
        parts: dict[str, int] = {}
        actions: dict[str, int] = {}

        def number(of: dict[str, int], text: str) -> int:
            return of.setdefault(text, len(of))

        views = [
            [
                [number(parts, _json(part)) for part in view["parts"]],
                {name: one for name, one in view.items() if name != "parts"},
            ]
            for view in self.views
        ]
        moves = [
            [[number(actions, action), to] for action, to in each.items()] for each in self.moves
        ]
        keys = [f"{zlib.crc32(text.encode()):08x}" for text in self.texts]
        told = {"views": views, "moves": moves, "actions": list(actions), "keys": keys}
        told["remembers"] = self.remembers
        body = _json(told)[:-1] + ',"parts":[' + ",".join(parts) + "]}"
        return zlib.compress(body.encode(), 9)

    def base64(self) -> str:
        """The same as text."""
        return base64.b64encode(self.packed()).decode()


def record(model: Model[S], state: S, *, most: int) -> Record:
    """Walk through what a lab can show.

    Parameters
    ----------
    model, state
        The lab, and where it begins.
    most
        The most views that are kept.
    """
    return _Walk(model, most).through(state)


class _Walk(Generic[S]):
    """The walk: the action that leads least far away comes next, Dijkstra's way."""

    def __init__(self, model: Model[S], most: int) -> None:
        self.model, self.most = model, most
        self.record = Record(remembers=model.remembers)
        self.states: list[S] = []
        self.number: dict[tuple[str, str], int] = {}
        self.known: set[str] = set()
        self.waiting: list[tuple[float, int, int, dict[str, Any]]] = []
        self.told = 0  # of two that lead as far, the one that was offered first comes first

    def through(self, state: S) -> Record:
        """All from a state on."""
        self._seen(self._worked(state), 0.0)
        for _ in range(_TRIES * self.most):
            if not self.waiting:
                return self.record
            self._tried(*heapq.heappop(self.waiting))
        self.record.whole = False
        return self.record

    def _tried(self, far: float, _: int, i: int, action: dict[str, Any]) -> None:
        """Where an action leads from a view."""
        try:
            after = self._worked(self.model.update(self.states[i], read(action)))
        except ValueError as error:
            self.record.moves[i][key(action)] = str(error)
            return
        to = self._seen(after, far)
        if to is not None:
            self.record.moves[i][key(action)] = to

    def _worked(self, state: S) -> S:
        """The state when its work is done."""
        done = state
        for step, _ in self.model.work(state) or ():
            done = step
        return done

    def _seen(self, state: S, far: float) -> int | None:
        """The number of what a state shows; nothing where there is no room for it."""
        text = self.model.dump(state)
        full = len(self.number) >= self.most
        if full and text not in self.known:
            self.record.whole = False
            return None
        told = self.model.view(state).json()
        seen = _json(told), text
        if seen not in self.number and full:
            self.record.whole = False
            return None
        if seen not in self.number:
            self.number[seen] = len(self.number)
            self.known.add(text)
            self.states.append(state)
            self.record.views.append(told)
            self.record.texts.append(text)
            self.record.moves.append({})
            for action, away in offered(told):
                self.told += 1
                heapq.heappush(self.waiting, (far + away, self.told, self.number[seen], action))
        return self.number[seen]


def key(action: Mapping[str, Any]) -> str:
    """An action as the browser looks it up: its values, in the order of their names.

    Examples
    --------
    >>> key({"do": "set", "value": 2.0, "control": "n"})
    '[["control","n"],["do","set"],["value",2]]'
    """
    return _json([[name, _as_in_the_browser(action[name])] for name in sorted(action)])


def _as_in_the_browser(value: Any) -> Any:
    """There, 2.0 is 2."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Offers: TypeAlias = Iterator[tuple[dict[str, Any], float]]


def offered(view: Mapping[str, Any]) -> Offers:
    """The actions that a view offers, and how far each leads away."""
    for part in view["parts"]:
        for control in part.get("controls") or [part.get("slider")]:
            if control is not None and control.get("enabled", True):
                yield from _of_control(control)
        if part["kind"] == "tree":
            yield from _of_tree(part)
        elif part["kind"] == "questions":
            yield from _of_questions(part)
        elif part.get("pick"):
            for row in range(len(part.get("rows", part.get("bars", part.get("tiles"))))):
                yield {"do": "pick", "part": part["id"], "row": row}, _CHOICE


def _of_control(control: Mapping[str, Any]) -> Offers:
    id_, kind = control["id"], control["kind"]
    if kind == "button":
        yield {"do": id_}, _STEP if id_ in ("next", "back") or control["main"] else _CHOICE
    elif kind == "menu":
        for option in control["options"]:
            yield {"do": id_, "option": option}, _CHOICE
    elif kind != "field":  # what could be typed has no end
        away = _MOVE if kind == "slider" else _CHOICE
        for value in _values(control):
            yield {"do": "set", "control": id_, "value": value}, away


def _values(control: Mapping[str, Any]) -> Sequence[Any]:
    """What a slider, a list or a switch can be set to."""
    if control["kind"] == "slider":
        return positions(control["low"], control["high"], control["step"])
    if control["kind"] == "toggle":
        return [not control["value"]]
    return [value for value, _ in control["options"]]


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
            yield asks if bar["axis"] is None else {**asks, "cut": bar["axis"]["cut"]}, _MOVE


def positions(low: float, high: float, step: float) -> list[float]:
    """The values of a slider: all of them, or so many as a record holds, both ends among them.

    Examples
    --------
    >>> positions(0, 3, 1), len(positions(0, 1, 0.001)), positions(0, 1, 0.001)[-1]
    ([0, 1, 2, 3], 65, 1.0)
    """
    step = step or (high - low) / (_POSITIONS - 1)
    n = round((high - low) / step) if step else 0
    steps: Sequence[int] = range(n + 1)
    if n >= _POSITIONS:
        steps = [round(n * i / (_POSITIONS - 1)) for i in range(_POSITIONS)]
    return [round(low + i * step, 10) for i in steps]


def _json(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
