"""Where rows stop in a tree: many rows at a time, one question further at each step.

A row stops at a leaf, or at a node that has no branch for its value: a missing one, or one that
no training row had there. Both are the same here: a node whose next node is itself. So a step needs
no exceptions, and rows that have come to rest are taken out only now and then.
"""
