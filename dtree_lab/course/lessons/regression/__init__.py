"""Lesson 8: regression trees."""

from __future__ import annotations

from dtree_lab.course.lessons.regression.guesses import GUESSES

__all__ = ["GUESSES"]
