"""Growing a tree by hand."""
