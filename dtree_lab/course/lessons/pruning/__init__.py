"""Lesson 6: overfitting, and when less tree knows more."""
