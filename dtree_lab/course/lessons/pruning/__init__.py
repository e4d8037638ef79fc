"""Lesson 6: overfitting, and when less tree knows more."""

from __future__ import annotations

from dtree_lab.course.lessons.pruning.guesses import GUESSES

__all__ = ["GUESSES"]
