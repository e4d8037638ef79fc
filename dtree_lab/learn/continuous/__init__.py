"""Continuous attributes: threshold searches, the reduction to binary features, bells, intervals."""
