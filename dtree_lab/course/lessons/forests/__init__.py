"""Lesson 10: random forests."""

from __future__ import annotations

from dtree_lab.course.lessons.forests.guesses import GUESSES

__all__ = ["GUESSES"]
