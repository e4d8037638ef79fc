"""Names of tables in sentences: short enough to be read, and never turning the text around them."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import bidirectional

from dtree_lab.draw.measure import shortened
from dtree_lab.shown import value

# Letters written from right to left, and the signs that turn what follows them.
_TURNING = {"R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}
# More of a name is not even looked at where only a label is wanted.
_LONG = 100
_FIRST_STRONG, _POP = "\u2068", "\u2069"


def short(v: object, most: int = 40) -> str:
    """A name or a value as text of at most so many columns.

    A name in another direction is isolated, so that the sentence around it stays in order.

    Examples
    --------
    >>> short("Marital Status", 8), short("")
    ('Marital…', '""')
    """
    text = shortened(value(v), most)
    if any(bidirectional(char) in _TURNING for char in text):
        return f"{_FIRST_STRONG}{text}{_POP}"
    return text


@lru_cache(maxsize=4096, typed=True)
def label(v: object, most: int = 24) -> str:
    """As :func:`short`, for names that are written again with every view."""
    return short(value(v)[:_LONG], most)
