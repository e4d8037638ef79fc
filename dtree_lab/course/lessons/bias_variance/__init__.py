"""Lesson 7: one tree is one draw, and its error has three parts."""

from __future__ import annotations

from dtree_lab.course.lessons.bias_variance.guesses import GUESSES

__all__ = ["GUESSES"]
