"""Lesson 4: what a tree can say, what it costs, and what ID3 prefers."""

from dtree_lab.course.pages import read_guesses

GUESSES = read_guesses(__file__)
__all__ = ["GUESSES"]
