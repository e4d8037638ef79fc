"""The course's exercises: answers checked on the spot, with a hint for each known mistake.

>>> import dtree_lab as dt
>>> dt.course.check("tax-fraud/six-to-four", 0.673)
NOT YET  The entropy of six to four (0 of 2 points)
✗ 0.673 is not it (0.001 either way would do)
Hint: That is the right sum with the wrong logarithm. `math.log` counts in nats; for bits the
logarithm has base 2.
Another hint: `dt.course.hint("tax-fraud/six-to-four")`

A lesson's notebook calls :func:`ask`, :func:`check`, :func:`data`, :func:`hint`,
:func:`solution` and :func:`reveal`, and for practice :func:`another`, :func:`warm_up`,
:func:`wrap_up` and :func:`exam`; the exercises themselves are values, from
:func:`exercises`. Nothing here needs a server or sends anything anywhere.
"""

from __future__ import annotations

from dtree_lab.course.asking.api import another, ask, exam, warm_up, wrap_up
from dtree_lab.course.checking import check, data, hint, solution
from dtree_lab.course.handout import handout
from dtree_lab.course.lessons import exercises
from dtree_lab.course.progress import progress
from dtree_lab.course.revealing import reveal

__all__ = [
    "another",
    "ask",
    "check",
    "data",
    "exam",
    "exercises",
    "handout",
    "hint",
    "progress",
    "reveal",
    "solution",
    "warm_up",
    "wrap_up",
]


def __dir__() -> list[str]:
    return __all__
