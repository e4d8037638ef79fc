"""The cuts that are compared: the one at hand, the best one, and those of the bell curves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from dtree_lab.learn.candidates import weigh
from dtree_lab.splits import Intervals

if TYPE_CHECKING:
    from dtree_lab.widgets.threshold.curve import Curve
    from dtree_lab.widgets.threshold.state import State

MOST_CROSSINGS = 8


@dataclass(frozen=True)
class Told:
    """A cut, or several at once.

    Attributes
    ----------
    name
        Whose it is.
    cuts
        Where.
    gain
        In bits.
    wrong
        The rows that are wrong where each part answers its most frequent class.
    """

    name: str
    cuts: tuple[float, ...]
    gain: float
    wrong: int


def told(state: State) -> list[Told]:
    """The cut at hand, the best one, each crossing of the bell curves, and these together."""
    curve, fit = state.curve, state.fit
    named = [("your cut", state.cut)]
    if curve.best is not None:
        named.append(("best cut", curve.best))
    crossings = fit.crossings[:MOST_CROSSINGS]
    several = len(fit.crossings) > 1
    named += [(f"crossing {i}" if several else "crossing", c) for i, c in enumerate(crossings, 1)]
    rows = [_one(curve, name, cut) for name, cut in named]
    if fit.split is not None and len(fit.split.cuts) > 1:
        gain, wrong = _together(curve, fit.split.cuts)
        name = "both crossings" if len(fit.crossings) == 2 else "all crossings"  # noqa: PLR2004
        rows.append(Told(name, fit.split.cuts, gain, wrong))
    return rows


def _one(curve: Curve, name: str, cut: float) -> Told:
    parted = curve.at(cut)
    return Told(name, (cut,), parted.gain, parted.wrong)


@lru_cache(maxsize=16)
def _together(curve: Curve, cuts: tuple[float, ...]) -> tuple[float, int]:
    """The gain of a question with several cuts, and the rows that its branches get wrong."""
    candidate = weigh(curve.table, Intervals(curve.index, cuts))
    counts = candidate.counts
    return candidate.gain, int(counts.sum() - counts.max(axis=1).sum())
