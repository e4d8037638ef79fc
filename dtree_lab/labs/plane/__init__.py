"""Points to place in the plane, the tree that is grown on them, and the regions of its leaves."""
