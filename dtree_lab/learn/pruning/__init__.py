"""Pruning: orders of cuts, each a generator that narrates; :mod:`dtree_lab.prune` is its face."""
