"""Trees that others grew, and ours for others."""
