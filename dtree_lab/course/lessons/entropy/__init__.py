"""Lesson 2: entropy, conditional entropy and what a question gains."""

from __future__ import annotations

from dtree_lab.course.lessons.entropy.guesses import GUESSES

__all__ = ["GUESSES"]
