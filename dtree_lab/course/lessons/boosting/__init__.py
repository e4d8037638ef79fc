"""Lesson 9: stumps, the bootstrap and boosting."""

from dtree_lab.course.pages import read_guesses

GUESSES = read_guesses(__file__)
__all__ = ["GUESSES"]
