"""Entropy: its curve for two classes, and what is left of it after asking an attribute."""
