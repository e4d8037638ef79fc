"""Lesson 5: continuous attributes, their thresholds, and bell curves."""

from __future__ import annotations

from dtree_lab.course.lessons.thresholds.guesses import GUESSES

__all__ = ["GUESSES"]
