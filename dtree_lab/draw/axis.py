"""The axis that a regression tree's answers are marked on: the same for all of its nodes.

It is long enough for every node's answer with its standard deviation to either side, and ends at
round numbers, which the legend tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from dtree_lab.draw.figures import Figures, deviation
from dtree_lab.draw.words import every
from dtree_lab.shown import number

if TYPE_CHECKING:
    from dtree_lab.tree import Node

# Up to so many steps of 1, 2 or 5 times a power of ten from end to end.
_STEPS = 20
_LARGEST = 1e300
_PLAIN = range(-6, 15)  # powers of ten of an end that is written out


@dataclass(frozen=True)
class Axis:
    """From one number to another; `ends` is how these are written.

    Where all answers are one number, both ends are this number.
    """

    low: float
    high: float
    ends: tuple[str, str]

    @classmethod
    def of(cls, root: Node, figures: Figures) -> Axis | None:
        """The axis of a tree of nodes; None if they have no answers."""
        told = [(node.values[0], deviation(node)) for node in every(root) if node.values]
        if not told:
            return None
        low = max(min(x - sd for x, sd in told), -_LARGEST)
        high = min(max(x + sd for x, sd in told), _LARGEST)
        if high - low <= figures.noise:
            return cls(low, low, (number(low), number(low)))
        step = _step(high - low)
        hair = min(figures.noise, (high - low) / 1e9)  # 0.1 + 0.2 is not above 0.3
        ends = (
            (Decimal(low + hair) / step).to_integral_value(ROUND_FLOOR) * step,
            (Decimal(high - hair) / step).to_integral_value(ROUND_CEILING) * step,
        )
        return cls(float(ends[0]), float(ends[1]), (_text(ends[0]), _text(ends[1])))

    def share(self, x: float) -> float:
        """Where a number is: 0 at the lower end, 1 at the upper."""
        if self.low == self.high:
            return 0.5
        return min(max((x - self.low) / (self.high - self.low), 0.0), 1.0)


def _step(length: float) -> Decimal:
    exact = Decimal(length)
    power = exact.adjusted()
    steps = (Decimal(k).scaleb(power - 1) for k in (1, 2, 5, 10))
    return next(step for step in steps if exact / step <= _STEPS)


def _text(end: Decimal) -> str:
    if not end:
        return "0"
    return f"{end.normalize():f}" if end.adjusted() in _PLAIN else number(float(end))
