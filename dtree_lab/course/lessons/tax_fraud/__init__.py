"""Lesson 1: from a table to a tree grown by hand."""
