"""What a question leaves, with numbers of one's own."""

from __future__ import annotations

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.exercise import Exercise, drawn_until, personal
from dtree_lab.course.pages import page

_PAGE = page(__file__, "after-refund")
_RETURNS = 20
_APART = 0.005  # five times what an answer may be off


def _office(rng: np.random.Generator) -> Exercise:
    """Twenty returns in two heaps that are both mixed, and not alike in any way."""
    heaps = drawn_until(
        "tax-fraud/after-refund",
        lambda: _drawn(rng),
        lambda heaps: _PAGE.apart(office=heaps) > _APART,
    )
    yes, no = heaps.values()
    words = {
        "yes": sum(yes),
        "bits_yes": f"{entropy_of(yes):.3f}",
        "no": sum(no),
        "bits_no": f"{entropy_of(no):.3f}",
        "bits": f"{_PAGE.right(office=heaps):.3f}",
    }
    return _PAGE.exercise(shown=heaps, words=words, office=heaps)


def _drawn(rng: np.random.Generator) -> dict[str, tuple[int, int]]:
    yes = int(rng.integers(5, 9))
    fraud, others = int(rng.integers(1, yes)), int(rng.integers(1, _RETURNS - yes))
    return {"Yes": (yes - fraud, fraud), "No": (_RETURNS - yes - others, others)}


AFTER_REFUND = personal(_office)
