"""Lesson 2: entropy, conditional entropy and what a question gains."""
