"""A CSV text, read by Python's own reader."""

import csv
import io


def lines_of(text):
    """Its lines, by the names in its head."""
    return list(csv.DictReader(io.StringIO(text)))
