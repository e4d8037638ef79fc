"""Lesson 3: ID3 step by step, and the senses of words."""
