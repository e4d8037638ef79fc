"""Lesson 4: what a tree can say, what it costs, and what ID3 prefers."""
