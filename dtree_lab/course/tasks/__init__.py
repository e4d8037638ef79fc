"""The four kinds of tasks: write a function, give a number, choose, grow a tree."""

from __future__ import annotations

from dtree_lab.course.tasks.choice import Choice, Question
from dtree_lab.course.tasks.code import Case, Code
from dtree_lab.course.tasks.grow import Goal, Grow, tree_of
from dtree_lab.course.tasks.number import Number

__all__ = ["Case", "Choice", "Code", "Goal", "Grow", "Number", "Question", "tree_of"]
