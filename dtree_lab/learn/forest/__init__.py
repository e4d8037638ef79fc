"""Random forests: grown as the textbook has it, and all trees in step."""
