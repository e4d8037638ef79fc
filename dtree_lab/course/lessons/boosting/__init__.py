"""Lesson 9: stumps, the bootstrap and boosting."""

from __future__ import annotations

from dtree_lab.course.lessons.boosting.guesses import GUESSES

__all__ = ["GUESSES"]
