"""Lesson 7: one tree is one draw, and its error has three parts."""
