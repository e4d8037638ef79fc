"""Numbers as attributes: thresholds, intervals, Gaussians, and fewer values."""
