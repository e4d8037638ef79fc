"""Lesson 9: stumps, the bootstrap and boosting."""
