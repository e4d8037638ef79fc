"""Lesson 4: what a tree can say, what it costs, and what ID3 prefers."""

from __future__ import annotations

from dtree_lab.course.lessons.expressiveness.bias import TURNED
from dtree_lab.course.lessons.expressiveness.concepts import AND_TREES, COUNT_CONCEPTS
from dtree_lab.course.lessons.expressiveness.fitting import CONSISTENT
from dtree_lab.course.lessons.expressiveness.greedy import SWITCH
from dtree_lab.course.lessons.expressiveness.guesses import GUESSES
from dtree_lab.course.lessons.expressiveness.oddness import XOR
from dtree_lab.course.lessons.expressiveness.parity import MORE, VOTE
from dtree_lab.course.lessons.expressiveness.searching import FEWEST
from dtree_lab.course.lessons.expressiveness.trap import TRAP

__all__ = ["EXERCISES", "GUESSES"]

# In the order of the lesson.
EXERCISES = (
    XOR,
    MORE,
    VOTE,
    COUNT_CONCEPTS,
    AND_TREES,
    TURNED,
    CONSISTENT,
    FEWEST,
    SWITCH,
    TRAP,
)
