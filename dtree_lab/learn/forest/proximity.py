"""How near rows are to each other in the eyes of a forest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]
    Floats = NDArray[np.float64]

# Pairs of rows that are compared at a time.
_AT_A_TIME = 1 << 20


def shared(some: Ints, all_rows: Ints, left_out: NDArray[np.bool_] | None = None) -> Floats:
    """In how many trees some rows stop where others do; shape ``(n_some, n_rows)``.

    Parameters
    ----------
    some, all_rows
        Where they stop, shape ``(n_trees, n_some)`` and ``(n_trees, n_rows)``.
    left_out
        Of which trees a row is left out; with it, `some` are all rows.
    """
    n_some, n = some.shape[1], all_rows.shape[1]
    times = np.zeros((n_some, n), dtype=np.int32)
    step = max(1, _AT_A_TIME // n)
    for begin in range(0, n_some, step):
        part = slice(begin, begin + step)
        for t, (one, others) in enumerate(zip(some, all_rows, strict=True)):
            same = one[part, None] == others
            if left_out is not None:
                same[left_out[t, part]] = False
                same[:, left_out[t]] = False
            times[part] += same
    return times.astype(np.float64)
