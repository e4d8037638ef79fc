"""The exercise on the best cut of a small column of one's own."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.thresholds.candidates import best_cuts, midpoints, parted
from dtree_lab.course.lessons.thresholds.candidates import remaining as left_by
from dtree_lab.course.lessons.thresholds.searching import wrong_rows
from dtree_lab.course.pages import page

_CHANGES = 3
_ROWS = 8


def _column(rng: np.random.Generator) -> tuple[list[int], list[str]]:
    """Eight different numbers with labels that change three times along them, in any order."""
    hours, tired = drawn_until("thresholds/best-cut", lambda: _sorted(rng), _usable)
    order = rng.permutation(_ROWS).tolist()
    return [hours[i] for i in order], [tired[i] for i in order]


def _sorted(rng: np.random.Generator) -> tuple[list[int], list[str]]:
    hours = sorted(rng.choice(range(2, 40), _ROWS, replace=False).tolist())
    return hours, [("no", "yes")[k] for k in rng.integers(0, 2, _ROWS).tolist()]


def _usable(column: tuple[list[int], list[str]]) -> bool:
    """Whether one cut is the best, and no wrong answer happens to be another one or right."""
    hours, tired = column
    changes = sum(a != b for a, b in pairwise(tired))
    best = best_cuts(hours, tired)
    if changes != _CHANGES or len(best) > 1 or best[0] in _beside_the_point(hours, tired):
        return False
    answers = [best_cuts(hours, tired)[0], *(wrong for wrong, _ in _slips(hours, tired))]
    return len({round(x, 2) for x in answers}) == len(answers)


def _beside_the_point(hours: list[int], tired: list[str]) -> dict[float, str]:
    """The cuts that other measures than entropy choose, and what is said of them."""
    widest = max(b - a for a, b in pairwise(sorted(hours)))
    places = ((a + b) / 2 for a, b in pairwise(sorted(hours)) if b - a == widest)
    return {
        **dict.fromkeys(places, _WIDEST),
        median(hours): _MEDIAN,
        **dict.fromkeys(best_cuts(hours, tired, wrong_rows), _FEWEST),
    }


def _slips(hours: list[int], tired: list[str]) -> list[tuple[float, str]]:
    """Wrong answers and their hints, always as many."""
    (best,) = best_cuts(hours, tired)
    pairs = sorted(zip(hours, tired, strict=True))
    changes = [(a + b) / 2 for (a, p), (b, q) in pairwise(pairs) if p != q]
    remarks = _beside_the_point(hours, tired)
    low = max(x for x in hours if x < best)
    left = left_by(*parted(hours, tired, best))
    gain = entropy_of([tired.count("no"), tired.count("yes")]) - left
    return [
        (low, _VALUE),
        (2 * best - low, _VALUE),
        *((other, _OTHER + remarks.get(other, "")) for other in changes if other != best),
        *(
            (other, _INSIDE + remarks.get(other, ""))
            for other in midpoints(hours)
            if other not in changes
        ),
        ((min(hours) + max(hours)) / 2, _RANGE),
        (sum(hours) / len(hours), _MEAN),
        (gain, _GAIN),
        (left, _LEFT),
    ]


_VALUE = (
    "That is one of the eight values. A cut lies between two of them, so that a row with that very"
    " value is on a clear side."
)
_OTHER = (
    "The label does change there, and another change gains more. Count the labels on both sides of"
    " each, and weigh the two entropies by the rows."
)
_INSIDE = (
    "On both sides of it the label is the same, and a cut inside such a run is never the best. Are"
    " the labels sorted along with their hours?"
)
_WIDEST = " (It is the widest gap between two hours. How wide a gap is, the gain does not ask.)"
_MEDIAN = " (It halves the eight rows. The labels decide, not the rows' number.)"
_FEWEST = (
    " (If each side said its majority, no cut would get fewer rows wrong. The gain is another"
    " measure: it also counts how pure a side is that is right already.)"
)
_RANGE = "That is the middle between the least and the greatest. The labels do not come into it."
_MEAN = "That is the mean of the hours. A good cut parts the labels, not the numbers."
_LEFT = "That is what the best cut leaves, in bits. Asked for is the place where it lies."
_GAIN = "That is what the best cut gains, in bits. Asked for is the place where it lies."


def _best_cut(rng: np.random.Generator) -> Exercise:
    hours, tired = _column(rng)
    data: dict[str, Any] = {"hours": hours, "tired": tired}
    mistakes = [Mistake(wrong, hint) for wrong, hint in _slips(hours, tired)]
    return page(__file__, "best-cut").exercise(shown=data, mistakes=mistakes, hikers=data)


BEST_CUT = personal(_best_cut)
