"""Lesson 4: what a tree can say, what it costs, and what ID3 prefers."""

from __future__ import annotations

from dtree_lab.course.lessons.expressiveness.guesses import GUESSES

__all__ = ["GUESSES"]
