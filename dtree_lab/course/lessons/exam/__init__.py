"""The exam, which stands in no lesson."""
