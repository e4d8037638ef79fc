"""How many digits the numbers of a regression tree need, so that its leaves can be told apart.

Four digits of the range of all answers are shown; two leaves that would look the same get more. A
number that is right with fewer digits has no zeros behind it: 275 is exact, 275.0 is rounded.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import floor, log10, sqrt
from sys import float_info
from typing import TYPE_CHECKING

from dtree_lab.draw.words import every
from dtree_lab.shown import number
from dtree_lab.tree import Branch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dtree_lab.tree import Node

# Decimals below the leading digit of the range, and how many more may be needed.
_DECIMALS, _MORE = 3, 7
# Answers that differ by less, as a share of the range or of the largest, differ by rounding.
_ALIKE, _ROUNDING = 1e-9, 1e-14
# From here on, and below the last, numbers are written with powers of ten.
_LONG, _HUGE, _TINY = 1e12, 1e15, 1e-6


@dataclass(frozen=True)
class Figures:
    """How the answers and deviations of one tree are written.

    Attributes
    ----------
    range
        How far apart the answers are, or how far they are spread at a node if that is more.
    size
        The largest of them, by amount.
    finer
        Decimals of the answers that need more than the others.
    """

    range: float
    size: float
    finer: dict[float, int] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Node) -> Figures:
        """What suits the numbers of a tree of nodes."""
        told = [node for node in every(root) if node.values]
        answers = [node.values[0] for node in told]
        low, high = min(answers, default=0.0), max(answers, default=0.0)
        spread = max(map(deviation, told), default=0.0)
        apart = min(max(high - low, spread), float_info.max)
        plain = cls(apart, max(abs(low), abs(high), apart))
        leaves = [node.values[0] for node in told if not isinstance(node, Branch)]
        return cls(plain.range, plain.size, plain.telling_apart(leaves))

    @property
    def noise(self) -> float:
        """What is too small to be anything but rounding."""
        return self.size * _ROUNDING

    @property
    def decimals(self) -> int:
        """How many decimals an answer has; below 0, it is rounded to tens or more."""
        return _DECIMALS - floor(log10(self.range))

    def telling_apart(self, answers: Iterable[float]) -> dict[float, int]:
        """Decimals of those answers that need more in order to differ in what is written."""
        if self.range <= self.noise:
            return {}
        alike = max(_ALIKE * self.range, self.noise)
        same: dict[float, float] = {}
        last = None
        for x in sorted(set(answers)):
            if last is None or x - last > alike:
                last = x
            same[x] = last
        finer: dict[float, int] = {}
        unclear = list(dict.fromkeys(same.values()))
        for decimals in range(self.decimals, self.decimals + _MORE):
            written = [float(self._written(x, decimals)) for x in unclear]
            times = Counter(written)
            unclear = [x for x, seen in zip(unclear, written, strict=True) if times[seen] > 1]
            finer.update(dict.fromkeys(unclear, decimals + 1))
        return {x: finer[one] for x, one in same.items() if one in finer}

    def answer(self, x: float) -> str:
        """An answer as it is shown at a node."""
        if self.range <= self.noise:
            return number(x)
        return self._written(x, self.finer.get(x, self.decimals))

    def deviation(self, x: float) -> str:
        """A standard deviation, with at least two digits; nothing if it is 0."""
        if x <= self.noise:
            return ""
        return self._written(x, max(self.decimals, 1 - floor(log10(x))))

    def exact(self, x: float) -> str:
        """An answer that is right to a billionth, of itself and of the range."""
        text, digits = number(x), 10
        while abs(float(text) - x) > max(_ALIKE * self.range, self.noise):
            text, digits = f"{x:.{digits}g}", digits + 1
        return text

    def _written(self, x: float, decimals: int) -> str:
        if self.size >= _HUGE or self.size < _TINY or (self.size >= _LONG and decimals < 0):
            digits = max(floor(log10(abs(x))) + decimals, 0) if x else 0
            mantissa, e, power = f"{x:.{digits}e}".partition("e")
        else:
            mantissa, e, power = f"{x:.{max(decimals, 0)}f}", "", ""
        written = float(mantissa + e + power)
        if "." in mantissa and abs(written - x) <= max(self.noise, _ROUNDING * abs(x)):
            mantissa = mantissa.rstrip("0").rstrip(".")
        return (mantissa if written else mantissa.lstrip("-")) + e + power


def deviation(node: Node) -> float:
    """The standard deviation of the numbers of a node's rows."""
    return sqrt(max(node.values[1], 0.0))
