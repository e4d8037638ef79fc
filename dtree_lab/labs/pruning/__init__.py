"""Pruning a tree: by method and by node, every cut reversible."""
