"""The kinds of tasks: write a function, give a number, choose, do something in a lab."""

from __future__ import annotations

from dtree_lab.course.tasks.answers import Choose, Number, Question, Steps
from dtree_lab.course.tasks.code import Case, Code
from dtree_lab.course.tasks.do import Do, Done, Goal, Grow, Handed, tree_of, when
from dtree_lab.course.tasks.withheld import Withheld

__all__ = [
    "Case",
    "Choose",
    "Code",
    "Do",
    "Done",
    "Goal",
    "Grow",
    "Handed",
    "Number",
    "Question",
    "Steps",
    "Withheld",
    "tree_of",
    "when",
]
