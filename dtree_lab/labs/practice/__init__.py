"""Typed practice: the counts, fractions, entropies and the gain at a node, with hints."""
