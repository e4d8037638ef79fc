"""The kinds of tasks: write a function, give a number, choose, do something in a lab."""

from __future__ import annotations

from dtree_lab.course.tasks.choice import Choice, Question
from dtree_lab.course.tasks.code import Case, Code
from dtree_lab.course.tasks.do import Do, Done, Goal, when
from dtree_lab.course.tasks.grow import Grow, Handed, tree_of
from dtree_lab.course.tasks.number import Number
from dtree_lab.course.tasks.steps import Steps

__all__ = [
    "Case",
    "Choice",
    "Code",
    "Do",
    "Done",
    "Goal",
    "Grow",
    "Handed",
    "Number",
    "Question",
    "Steps",
    "tree_of",
    "when",
]
