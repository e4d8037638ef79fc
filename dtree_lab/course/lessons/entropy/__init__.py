"""Lesson 2: entropy, conditional entropy and what a question gains."""

from dtree_lab.course.pages import read_guesses

GUESSES = read_guesses(__file__)
__all__ = ["GUESSES"]
