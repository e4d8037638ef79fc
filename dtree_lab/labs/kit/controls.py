"""What a person acts with, in words or by small pictures, and names short enough for a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias
from unicodedata import bidirectional

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import number, plural, value
from dtree_lab.draw.measure import shortened
from dtree_lab.labs.kit.place import Sent, as_json
from dtree_lab.populations import Population
from dtree_lab.populations.planes import InThePlane

# A picture is a square of so many cells each way.
SIDE = 14


@dataclass(frozen=True)
class Slider(Sent):
    """A number, dragged, moved by keys or typed; the browser sends ``Set(id, number)``."""

    unsent = ("worded", "words")
    id: str
    label: str
    value: float
    low: float
    high: float
    step: float = 1
    # The value in words, shown beside the slider and read aloud; the number itself if empty.
    words: str = ""
    worded: bool = True  # whether it tells something to who only reads: not what other parts tell

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return as_json(self, said=self.words or number(self.value))

    def still(self) -> str:
        """In words."""
        return f"{self.label}: {self.words or f'{self.value:g}'}" if self.worded else ""


@dataclass(frozen=True)
class Dropdown(Sent):
    """One of several; `options` are pairs of a key and its words. Sends ``Set(id, key)``."""

    kind, unsent = "choice", ("worded",)
    id: str
    label: str
    value: str
    options: Sequence[tuple[str, str]]
    worded: bool = True  # whether it tells something to who only reads: not what a click would do

    def still(self) -> str:
        """In words."""
        said = dict(self.options).get(self.value, self.value)
        return f"{self.label}: {said}" if self.worded else ""


@dataclass(frozen=True)
class Toggle(Sent):
    """On or off; sends ``Set(id, bool)``."""

    id: str
    label: str
    value: bool
    enabled: bool = True

    def still(self) -> str:
        """In words."""
        return f"{self.label}: {'on' if self.value else 'off'}"


@dataclass(frozen=True)
class Button(Sent):
    """Something to do; sends ``Press(id)``. `main` marks the one that leads on."""

    id: str
    label: str
    enabled: bool = True
    main: bool = False

    def still(self) -> str:
        """Nothing: without a kernel nothing can be done."""
        return ""


@dataclass(frozen=True)
class Menu(Sent):
    """A button with a list beside it of the ways to do it; sends ``Use(id, option=way)``."""

    id: str
    label: str
    options: Sequence[str]  # the ways, each by the words that are sent
    choose: str  # what the list is called by a screen reader
    enabled: bool = True

    def still(self) -> str:
        """Nothing: without a kernel nothing can be done."""
        return ""


@dataclass(frozen=True)
class Field(Sent):
    """A text to type; sends ``Set(id, text)`` at Enter and when it is left."""

    id: str
    label: str
    value: str = ""
    # What is wrong with the text, shown beneath the field; None if nothing is.
    wrong: str | None = None
    # Whether the text has been found right, which is shown by a word and a sign.
    right: bool = False
    note: str = ""  # a word beneath a field that is neither right nor wrong, such as "shown"
    width: int = 8  # in characters
    enabled: bool = True

    @property
    def verdict(self) -> str:
        """The text, and whether it is right."""
        verdict = "right" if self.right else self.wrong or self.note
        return f"{self.value or '…'}{f' ({verdict})' if verdict else ''}"

    def still(self) -> str:
        """What was found of the text; a text that only asks for a value says nothing without it."""
        judged = self.right or self.wrong or self.note
        return f"{self.label}: {self.verdict}" if judged else ""


@dataclass(frozen=True)
class Thumbnails(Dropdown):
    """One of several, each with a picture; another text is the value if none is chosen."""

    kind = "thumbnails"
    pictures: Sequence[str] = field(kw_only=True)  # one for each, as `pictured` writes it

    def json(self) -> dict[str, Any]:
        """For the browser."""
        said = dict(self.options).get(self.value, "your own points")
        return as_json(self, said=said)


Control: TypeAlias = Slider | Dropdown | Toggle | Button | Menu | Field | Thumbnails


# Letters written from right to left, and the signs that turn what follows them.
_TURNING = {"R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}
# More of a name is not even looked at where only a label is wanted.
_LONG = 100
_FIRST_STRONG, _POP = "\u2068", "\u2069"


def short_text(v: object, most: int = 40) -> str:
    """A name or a value as text of at most so many columns.

    A name in another direction is isolated, so that the sentence around it stays in order.

    >>> short_text("Marital Status", 8), short_text("")
    ('Marital…', '""')
    """
    text = shortened(value(v), most)
    if not text.isascii() and any(bidirectional(char) in _TURNING for char in text):
        return f"{_FIRST_STRONG}{text}{_POP}"
    return text


@lru_cache(maxsize=4096, typed=True)
def label(v: object, most: int = 24) -> str:
    """As :func:`short_text`, for names that are written again with every view."""
    return short_text(value(v)[:_LONG], most)


def unshown(left: Sequence[int], words: Sequence[str]) -> list[str]:
    """How many things are not shown, of each kind of which there are any.

    >>> unshown((3, 0), ("more row", "more attribute"))
    ['3 more rows']
    """
    return [plural(n, word) for n, word in zip(left, words, strict=True) if n > 0]


def near(x: float, digits: int = 4) -> str:
    """A number that was computed, with so many digits."""
    return number(float(f"{x:.{digits}g}"))


@lru_cache(maxsize=64)
def pictured(population: Population) -> str:
    """A population as lines of digits, from the top: classes, or a point where a curve has none."""
    cells = np.full((SIDE, SIDE), ".")
    if isinstance(population, InThePlane):
        x, y = population.grid(SIDE).columns
        drawn = np.random.default_rng(0).random(len(x)) < population.chance(x, y)
        cells[SIDE - 1 - _steps(y), _steps(x)] = np.where(drawn, "1", "0")
    else:
        sample = population.sample(4 * SIDE, seed=0)
        cells[SIDE - 1 - _steps(sample.labels), _steps(sample.columns[0])] = "0"
    return "".join(cells.ravel().tolist())


def _steps(values: NDArray[Any]) -> NDArray[np.int64]:
    """Where values lie between the least and the largest, in steps."""
    low, high = float(values.min()), float(values.max())
    shares = (values - low) / (high - low or 1.0)
    return np.round((SIDE - 1) * shares).astype(np.int64)
