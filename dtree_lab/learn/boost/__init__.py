"""Boosting: many stumps, each grown on the rows that those before it got wrong, vote together."""
