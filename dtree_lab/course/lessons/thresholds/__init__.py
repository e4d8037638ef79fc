"""Lesson 5: continuous attributes, their thresholds, and bell curves."""

from dtree_lab.course.pages import read_guesses

GUESSES = read_guesses(__file__)
__all__ = ["GUESSES"]
