"""Lectures before a class: what a lecturer writes, and how it is shown."""
