"""Lesson 3: ID3 step by step, and the senses of words."""

from __future__ import annotations

from dtree_lab.course.lessons.word_senses.guesses import GUESSES

__all__ = ["GUESSES"]
