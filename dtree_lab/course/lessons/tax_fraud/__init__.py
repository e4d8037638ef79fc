"""Lesson 1: from a table to a tree grown by hand."""

from __future__ import annotations

from dtree_lab.course.lessons.tax_fraud.guesses import GUESSES

__all__ = ["GUESSES"]
