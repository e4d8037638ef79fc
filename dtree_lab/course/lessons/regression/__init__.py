"""Lesson 8: regression trees."""
