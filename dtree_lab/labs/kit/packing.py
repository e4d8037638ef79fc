"""A record as bytes for the browser: what occurs twice is kept once, and all is deflated."""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dtree_lab.base.text import plural
from dtree_lab.labs.kit.model import RETURNED

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
    said: str = ""  # what the lab says in the beginning

    def first(self, n: int) -> Record:
        """Only the first views, and the moves among them: the others were found later."""
        moves = [
            {key: to for key, to in each.items() if isinstance(to, str) or to[0] < n}
            for each in self.moves[:n]
        ]
        whole = self.whole and n >= len(self.views)
        return Record(self.views[:n], self.texts[:n], moves, whole, self.remembers, self.said)

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
            "begins": self.said,
            "about": f"Recorded, {plural(len(views), 'view')}: plays without Python.",
            "returned": RETURNED,
        }
        return zlib.compress(compact_json(told).encode(), 9)

    def base64(self) -> str:
        """The same as text."""
        return base64.b64encode(self.packed()).decode()


def _told(action: int, to: Move, said: dict[str, int]) -> list[Any]:
    """A move: the action's number, the view's, and what is said of it, where it says anything."""
    if isinstance(to, str):
        return [action, to]
    words = [said.setdefault(to[1], len(said))] if to[1] else []
    return [action, to[0], *words]


def unpacked(data: bytes) -> Record:
    """What was packed, as the browser puts it together.

    >>> one = {"parts": [{"kind": "words", "lines": ["~ about", "a longer line"]}], "status": ""}
    >>> record = Record([one, {**one, "status": "Done."}], ["a", "b"], [{"x": (1, "Well.")}, {}])
    >>> again = unpacked(record.packed())
    >>> again.views == record.views, again.moves == record.moves
    (True, True)
    """
    told = json.loads(zlib.decompress(data))
    pieces: list[Any] = []
    for piece in told["pieces"]:
        pieces.append(_whole(piece, pieces))
    actions, said = told["actions"], told["said"]
    moves = [
        {
            actions[i]: to if isinstance(to, str) else (to, said[more[0]] if more else "")
            for i, to, *more in each
        }
        for each in told["moves"]
    ]
    views = [_whole(view, pieces) for view in told["views"]]
    return Record(views, told["keys"], moves, remembers=told["remembers"], said=told["begins"])


def _whole(packed: Any, pieces: Sequence[Any]) -> Any:
    match packed:
        case str() if packed.startswith(_MARK * 2):
            return packed[1:]
        case str() if packed.startswith(_MARK):
            return pieces[int(packed[1:], 36)]
        case list():
            return [_whole(one, pieces) for one in packed]
        case dict():
            return {name: _whole(one, pieces) for name, one in packed.items()}
    return packed


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
            self.places[key] = _MARK + _base36(len(self.pieces))
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


def _base36(n: int) -> str:
    """A number as JavaScript's ``toString(36)`` writes it.

    >>> _base36(0), _base36(35), _base36(36), int(_base36(123456), 36)
    ('0', 'z', '10', 123456)
    """
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = digits[n % 36]
    while n := n // 36:
        text = digits[n % 36] + text
    return text


def compact_json(told: Any) -> str:
    """As JSON without spaces."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))
