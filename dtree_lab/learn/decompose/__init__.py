"""Bias and variance: the terms, the measuring over many training sets, and the result."""
