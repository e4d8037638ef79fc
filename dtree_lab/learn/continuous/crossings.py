"""Where the highest of several downward parabolas changes: the regions of Gaussian thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_SAME = 1e-12  # how much equal precisions may differ by rounding, relative to themselves
_FAR = 1e100  # so many spreads away, squares are no longer finite


@dataclass(frozen=True)
class Score:
    """``log(prior) - log(sd) - (x - mean)² / (2 sd²)``: the logarithm of a joint density.

    Attributes
    ----------
    mean, sd
        Of the normal density; `sd` is 0 for all scores or for none.
    weight
        The logarithm of the prior, and what else is constant.
    """

    mean: float
    sd: float
    weight: float


def regions(scores: Sequence[Score]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Where the highest score changes, and which is the highest in each region.

    Returns
    -------
    tuple
        The crossings, increasing, and the positions of the winners from left to right, one more.
        The first of equal scores wins. Where parabolas only touch there is no crossing.
    """
    if any(score.sd == 0 for score in scores):
        return _nearest(scores)
    means, sds = np.array([s.mean for s in scores]), np.array([s.sd for s in scores])
    centre, scale = float(means.mean()), max(float(sds.max()), float(np.ptp(means)))
    d, sd = (means - centre) / scale, sds / scale
    weight = np.array([s.weight for s in scores]) - np.log(sd)
    pairs = combinations(range(len(scores)), 2)
    roots = [r for i, j in pairs for r in _roots(d[[i, j]], sd[[i, j]], weight[[i, j]])]
    ends = np.unique(np.array(roots) * scale + centre)
    # Beyond the outermost roots nothing changes, so any place there will do.
    inside = (ends - centre) / scale
    low, high = (inside[0], inside[-1]) if len(inside) else (0.0, 0.0)
    outer = [low - max(1, abs(low)), *inside, high + max(1, abs(high))]
    places = np.array([(a + b) / 2 for a, b in pairwise(outer)])
    heights = weight[:, None] - ((places - d[:, None]) / sd[:, None]) ** 2 / 2
    return _merged(ends, heights.argmax(axis=0))


def _roots(
    d: NDArray[np.float64], sd: NDArray[np.float64], weight: NDArray[np.float64]
) -> list[float]:
    """Where two parabolas meet, the quadratic solved without cancellation."""
    p = 1 / sd**2
    # Equal spreads are seldom equal to the last bit, and would meet again absurdly far away.
    a = 0.0 if abs(p[1] - p[0]) <= _SAME * p.max() else (p[1] - p[0]) / 2
    b = d[0] * p[0] - d[1] * p[1]
    c = weight[0] - weight[1] - (d[0] ** 2 * p[0] - d[1] ** 2 * p[1]) / 2
    if a == 0:
        found = [-c / b] if b else []
    else:
        square = b * b - 4 * a * c
        if square < 0:
            return []
        # b and the root have the same sign, so nothing cancels; the other root is c / (a root).
        q = -(b + np.copysign(np.sqrt(square), b)) / 2
        found = [q / a] + ([c / q] if q else [])
    return [float(x) for x in found if abs(x) < _FAR]


def _nearest(scores: Sequence[Score]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """The limit of spreads that go to 0: the nearest mean wins, halfway is a crossing."""
    best: dict[float, int] = {}
    for i, score in enumerate(scores):
        rival = best.setdefault(score.mean, i)
        if score.weight > scores[rival].weight:
            best[score.mean] = i
    means = sorted(best)
    crossings = tuple(low / 2 + high / 2 for low, high in pairwise(means))
    return crossings, tuple(best[mean] for mean in means)


def _merged(
    ends: NDArray[np.float64], winners: NDArray[np.intp]
) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Neighbouring regions with one winner made one."""
    change = winners[1:] != winners[:-1]
    kept = tuple(winners[np.concatenate([[True], change])].tolist())
    return tuple(ends[change].tolist()), kept
