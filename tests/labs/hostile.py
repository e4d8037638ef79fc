"""Tables that no lab may stumble over: names full of markup, and many of everything."""

from __future__ import annotations

import numpy as np

import dtree_lab as dt

MARKUP = '<img src=x onerror="window.hacked=1">'
NAMES = (
    MARKUP,
    "\"'&amp;</script>",
    "\u05e9\u05dc\u05d5\u05dd \u202e abc",
    "\U0001f333 tree",
    "n" * 300,
    "",
)


def hostile(n_rows=24):
    """Discrete and continuous attributes; each name and each value is trouble."""
    rng = np.random.default_rng(0)
    values = [NAMES[i] for i in rng.integers(0, len(NAMES), n_rows)]
    return dt.Table.from_columns(
        {
            MARKUP: values,
            NAMES[1]: [NAMES[i] for i in rng.integers(1, 4, n_rows)],
            NAMES[2]: rng.normal(size=n_rows).round(2).tolist(),
            NAMES[4]: rng.integers(0, 90, n_rows).astype(float).tolist(),
            NAMES[3]: [NAMES[i] for i in rng.integers(0, 3, n_rows)],
        },
        target=NAMES[3],
    )


def large(n_rows=3_000, n_attributes=10, n_classes=12):
    """Many rows, attributes and classes; half of the attributes continuous."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, n_classes, n_rows)
    columns = {
        f"x{i}": (rng.normal(size=n_rows) + y * (i == 0)).round(3).tolist()
        if i % 2 == 0
        else [f"value {v}" for v in rng.integers(0, 30, n_rows)]
        for i in range(n_attributes)
    }
    return dt.Table.from_columns({**columns, "y": [f"class {k}" for k in y]}, target="y")
