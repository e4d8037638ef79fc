"""A column as its different values and, for each row, which of them it holds (dictionary coding).

A column of words has few that are different, so what is asked of a value is asked once, and not
once a row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Coded:
    """A column's values, each of which some row holds, and each row's place among them.

    >>> column = Coded.of(["red", "", "blue", "red"], lambda text: not text)
    >>> column.values, column.codes.tolist(), column.tolist()
    (['red', 'blue'], [0, -1, 1, 0], ['red', None, 'blue', 'red'])
    """

    values: Sequence[Any]
    codes: NDArray[np.int32]  # -1 where a row has none

    @classmethod
    def of(cls, cells: Sequence[Any], is_gap: Callable[[Any], bool]) -> Coded:
        """A column of single values, in the order in which they first come."""
        different = dict.fromkeys(cells)
        values = [v for v in different if not is_gap(v)]
        code = dict.fromkeys(different, -1) | {v: i for i, v in enumerate(values)}
        return cls(values, np.fromiter(map(code.__getitem__, cells), np.int32, len(cells)))

    def __len__(self) -> int:
        return len(self.codes)

    def tolist(self) -> list[Any]:
        """The rows' values, None where one has none."""
        rows: list[Any] = self.taken(np.array([*self.values, None], dtype=object)).tolist()
        return rows

    def taken(self, each: NDArray[Any]) -> NDArray[Any]:
        """For each row what belongs to its value; the last one where it has none."""
        return each[self.codes.astype(np.intp)]  # as numpy looks up fastest

    def first(self, wanted: Callable[[Any], bool]) -> tuple[int, Any] | None:
        """The first row that holds a wanted value, counted from 1, and that value."""
        places = [place for place, v in enumerate(self.values) if wanted(v)]
        if not places:
            return None
        row = int(np.argmax(np.isin(self.codes, places)))
        return row + 1, self.values[self.codes[row]]
