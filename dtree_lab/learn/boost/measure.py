"""What makes one split of weighted rows better than another.

A weight is a number, but a tie has to be an equality. So weights are turned into whole *ticks*,
and the costs are the exact ones of :mod:`dtree_lab.criteria`: a row weighs as one that stands in
the table as often as it has ticks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import ENTROPY, ERROR, GINI

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion, Ticks

    Weights = NDArray[np.float64]

_PER_ROW = 100


@dataclass(frozen=True)
class Measure:
    """A criterion for weighted rows.

    Attributes
    ----------
    criterion
        What costs are costs of.
    least, most
        How many ticks all rows together have: a hundred for each row, within these bounds.
    """

    criterion: Criterion
    least: int
    most: int

    @property
    def name(self) -> str:
        """``"gini"``, ``"entropy"`` or ``"error"``."""
        return self.criterion.name

    def cost(self, ticks: NDArray[Any]) -> Ticks:
        """Exact costs of groups of rows: ticks of shape ``(..., n_classes)`` to ``(...)``."""
        return self.criterion.cost(ticks)

    def ticks(self, weights: Weights) -> Weights:
        """Weights that sum up to 1 as ticks, shape ``(n_rows,)``: whole numbers, held as floats.

        Equal weights have equal ticks, and every row has at least one.
        """
        total = min(max(_PER_ROW * len(weights), self.least), self.most)
        ticks: Weights = np.maximum(np.rint(weights * total), 1.0)
        return ticks


# 63 bits hold Gini's costs for up to 2**27 ticks (1.3 * 10**8), and entropy has a table with a
# place for each tick.
MEASURES = {
    "gini": Measure(GINI, 10**8, 10**8),
    "entropy": Measure(ENTROPY, 10**6, 4 * 10**6),
    "error": Measure(ERROR, 10**8, 10**8),
}
