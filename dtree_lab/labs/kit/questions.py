"""What could be asked at a node, as bars that open into their branches or their cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dtree_lab.base.text import number
from dtree_lab.labs.kit.place import Placed, as_json


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

    def told(self) -> str:
        """In words."""
        numbers = [f"gain {self.gain}", f"H(Y|X) {self.left}"] if self.gain else []
        return ": ".join(filter(None, [self.name, self.disabled or ", ".join(numbers)]))


@dataclass(frozen=True)
class QuestionList(Placed):
    """Questions at a node, as bars: a choice sends a ``Split``, a change of one a ``Draft``."""

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

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return as_json(self, kind="questions")

    def still(self) -> list[str]:
        """In words, line by line."""
        lines = [self.where, self.note, *(bar.told() for bar in self.bars), self.more]
        return [line for line in lines if line]
