"""Decisions at three thresholds, and what their mistakes cost, in a notebook."""
