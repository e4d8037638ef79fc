"""Lesson 10: random forests."""
