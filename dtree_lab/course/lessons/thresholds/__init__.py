"""Lesson 5: continuous attributes, their thresholds, and bell curves."""
