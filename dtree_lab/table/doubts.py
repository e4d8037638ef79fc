"""Doubts about a table: the warning, what the caller has settled, and two things to doubt by.

A wrong guess would show up nowhere else, so it is told where a table comes in, together with what
to say for either meaning. What there is to doubt: :mod:`dtree_lab.table.findings`.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

# "Few" whole numbers: the ten digits, which are a common set of classes, are still few.
FEW = 10
_WORDS = re.compile(
    r"n/?a|n\.a\.|-?nan|nat|null|<na>|#(na|n/a|null!|div/0!|num!|value!|ref!|name\?)|\?|--?|\.",
    re.IGNORECASE,
)
_PACKAGE = str(Path(__file__).parents[1])


class TableWarning(UserWarning):
    """A table was read in one of two ways, and the other may have been meant.

    The message says what to write for either. ``warnings.simplefilter("error", dt.TableWarning)``
    turns each into an error; with ``"ignore"`` none is shown.

    Examples
    --------
    >>> import warnings
    >>> import dtree_lab as dt
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     table = dt.Table.from_columns({"x": [1, 2, 3, 4], "y": [0, 1, 1, 0]}, target="y")
    >>> said[0].category.__name__
    'TableWarning'
    >>> table.classes
    (0, 1)
    """


@dataclass(frozen=True, slots=True)
class Settled:
    """What the caller has said, so that it is not asked again."""

    kinds: Collection[str] = ()  # the columns whose kind was given
    from_file: bool = False  # so that `na` and `strip` are keywords
    na: Iterable[str] | None = None  # words for a missing value; None if nothing was said of them
    strip: bool | None = None  # whether blanks are to be taken off; None if nothing was said
    two_numbers: bool = False  # labels of two different numbers were taken for classes

    @property
    def no_words(self) -> bool:
        """Whether no word is to be taken for a missing value: ``na=("",)``."""
        return self.na is not None and not set(self.na) - {""}


def is_word_for_missing(text: str) -> bool:
    """Whether this is how programs and people write that there is no value: NA, ?, NULL, #DIV/0!.

    >>> [is_word_for_missing(text) for text in ("NA", " ? ", "None", "none", "no")]
    [True, True, True, False, False]
    """
    text = text.strip()
    return bool(_WORDS.fullmatch(text)) or text == "None"


def warn(doubt: str) -> None:
    """Issue a :class:`TableWarning` at the line that called the library."""
    warnings.warn(doubt, TableWarning, stacklevel=_depth_outside())


def _depth_outside() -> int:
    """How many frames up the code stands that called the library, which is where to look."""
    depth, frame = 1, sys._getframe(1)  # noqa: SLF001 - what `warnings` itself uses
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        depth, frame = depth + 1, frame.f_back
    return depth


def few_whole_numbers(numbers: NDArray[np.float64], n_rows: int) -> bool:
    """Whether numbers could as well be classes: at most ten, all whole, and not of one row each.

    `numbers` are the different ones, sorted.
    """
    if len(numbers) > FEW or (numbers != np.floor(numbers)).any():
        return False
    # One row for each number is no set of classes, unless they count from nought.
    return len(numbers) < n_rows or numbers.tolist() == list(range(len(numbers)))
