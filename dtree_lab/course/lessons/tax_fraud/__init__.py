"""Lesson 1: from a table to a tree grown by hand."""

from dtree_lab.course.pages import read_guesses

# Among them "umbrella", which the map of the course asks before the first lesson.
GUESSES = read_guesses(__file__)
__all__ = ["GUESSES"]
