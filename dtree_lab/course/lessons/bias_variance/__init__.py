"""Lesson 7: one tree is one draw, and its error has three parts."""

from dtree_lab.course.pages import read_guesses

GUESSES = read_guesses(__file__)
__all__ = ["GUESSES"]
