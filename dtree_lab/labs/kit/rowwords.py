"""What is said of a row that is pointed at, in any part of a lab: its values, for the browser."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import numpy as np

from dtree_lab.labs.kit.controls import label
from dtree_lab.labs.kit.taking import row_number
from dtree_lab.table.table import Table

# Of larger tables a message has no room for the rows; what other parts show of them is said then.
MOST_ROWS, _MOST_LETTERS = 600, 6_500


@lru_cache(maxsize=16)
def row_words(table: Table) -> dict[str, Any] | None:
    """The rows of a lab's table, column by column; None where there are too many.

    >>> import dtree_lab as dt
    >>> told = row_words(dt.datasets.tax_fraud())
    >>> told["names"]
    ['Refund', 'Marital Status', 'Taxable Income', 'Cheat']
    >>> told["columns"][0]
    [['Yes', 'No'], [0, 1, 1, 0, 1, 1, 0, 1, 1, 1]]
    """
    if not 0 < table.n_rows <= MOST_ROWS:
        return None
    names, columns = [], []
    letters = 0
    every = [(table.target, table.labels), *zip(table.attributes, table.columns, strict=True)]
    for attribute, column in every:
        one: list[Any]
        if attribute.values is None:
            one = [None, [None if np.isnan(x) else x for x in column.tolist()]]
        else:
            # Only values that a row has: those that are not there would only take room.
            there = sorted({int(code) for code in column if code >= 0})
            place = {code: i for i, code in enumerate(there)}
            texts = [label(attribute.values[code]) for code in there]
            one = [texts, [place.get(code, -1) for code in column.tolist()]]
        letters += len(json.dumps(one))
        if letters > _MOST_LETTERS:
            break
        names.append(label(attribute.name))
        columns.append(one)
    if not names:
        return None
    numbers = [row_number(table, i) for i in range(table.n_rows)]
    plain = numbers == list(range(1, table.n_rows + 1))
    return {
        "names": [*names[1:], names[0]],
        "columns": [*columns[1:], columns[0]],
        "numbers": None if plain else numbers,
    }
