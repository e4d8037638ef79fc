"""Lesson 8: regression trees."""

from dtree_lab.course.pages import read_guesses

GUESSES = read_guesses(__file__)
__all__ = ["GUESSES"]
