"""Bias and variance against depth, measured over many training sets, and what bagging does."""
