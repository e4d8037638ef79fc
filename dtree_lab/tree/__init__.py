"""A tree as a value: its nodes, its arrays, its way to and from a file."""
