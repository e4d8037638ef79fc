"""Lesson 6: overfitting, and when less tree knows more."""

from dtree_lab.course.pages import read_guesses

GUESSES = read_guesses(__file__)
__all__ = ["GUESSES"]
