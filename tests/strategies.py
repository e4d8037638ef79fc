"""Random tables, weights and recipes for the property tests: mixed, small, and full of ties."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.grow.recipe import Stop, recipe

NAMES = ["a", "b", "c", "d", "e"]


@st.composite
def columns(draw, n_rows):
    """A column: words, a constant, all different, or numbers with many ties."""
    kind = draw(st.sampled_from(["words", "numbers", "constant", "unique words", "unique numbers"]))
    match kind:
        case "words":
            values = st.sampled_from("uvwxyz"[: draw(st.integers(1, 6))])
            return draw(st.lists(values, min_size=n_rows, max_size=n_rows))
        case "numbers":
            values = st.integers(0, 6).map(lambda i: i / draw_divisor)
            draw_divisor = draw(st.sampled_from([1, 3, 7]))
            return draw(st.lists(values, min_size=n_rows, max_size=n_rows))
        case "constant":
            return draw(st.sampled_from([["same"] * n_rows, [1.5] * n_rows]))
        case "unique words":
            return draw(st.permutations([f"v{i:02}" for i in range(n_rows)]))
        case "unique numbers":
            return [float(i) for i in draw(st.permutations(range(n_rows)))]


@st.composite
def gappy(draw, column):
    """A column in which any value but one may be missing."""
    kept = draw(st.integers(0, len(column) - 1))
    gaps = draw(st.lists(st.booleans(), min_size=len(column), max_size=len(column)))
    return [
        None if gap and i != kept else v
        for i, (v, gap) in enumerate(zip(column, gaps, strict=True))
    ]


@st.composite
def tables(draw, max_rows=30, max_attributes=4, max_classes=5, *, gaps=False):
    """A mixed table with discrete target "y"; with `gaps`, some columns lack values."""
    n = draw(st.integers(1, max_rows))
    made = draw(attributes(n, max_attributes, gaps=gaps))
    k = draw(st.integers(1, max_classes))
    made["y"] = draw(st.lists(st.sampled_from("12345"[:k]), min_size=n, max_size=n))
    # Said to be classes, so that a first one that comes once is not taken for a name.
    return dt.Table.from_columns(made, target="y", kinds={"y": "discrete"}, missing="keep")


@st.composite
def telling_tables(draw):
    """Tables whose columns tell of the class, or no cut would pay; some with gaps."""
    chance = Random(draw(st.integers(0, 10**6)))  # noqa: S311 - no secret
    n, few = chance.randint(20, 90), chance.random() < 0.5
    x = [chance.randrange(6 if few else 40) for _ in range(n)]
    z = [chance.choice([0, 3, 4.5, 9]) for _ in range(n)]
    w = [chance.choice("uvw") for _ in range(n)]
    y = [
        "p"
        if (a > 2 + 3 * (c == "u")) == (b > 3) and chance.random() < 0.9
        else chance.choice("qr")
        for a, b, c in zip(x, z, w, strict=True)
    ]
    columns = {"x": x, "z": z, "w": w}
    if draw(st.booleans()):
        columns = {
            name: [None if i and chance.random() < 0.1 else v for i, v in enumerate(column)]
            for name, column in columns.items()
        }
    return dt.Table.from_columns({**columns, "y": y}, target="y", missing="keep")


@st.composite
def number_tables(draw, max_rows=30, max_attributes=4, *, gaps=False):
    """A mixed table with a continuous target "y": whole numbers with ties, or any numbers."""
    n = draw(st.integers(1, max_rows))
    made = draw(attributes(n, max_attributes, gaps=gaps))
    size = draw(st.sampled_from([1e-9, 1.0, 1e12]))
    some = draw(
        st.sampled_from(
            [
                st.integers(0, 4).map(float),
                st.integers(-30, 30).map(lambda i: i / 10),
                st.floats(-size, size, allow_nan=False).map(_squarable),
            ]
        )
    )
    made["y"] = draw(st.lists(some, min_size=n, max_size=n))
    return dt.Table.from_columns(made, target="y", target_kind="continuous", missing="keep")


def _squarable(number):
    """A number, or 0 for one whose square is none: what trees of numbers know are squares."""
    return number if abs(number) > 1e-150 else 0.0


@st.composite
def attributes(draw, n, most, *, gaps):
    """Columns by name, none of them, or some, with gaps."""
    made = {}
    for name in NAMES[: draw(st.integers(0, most))]:
        column = draw(columns(n))
        made[name] = draw(gappy(column)) if gaps and draw(st.booleans()) else column
    return made


@st.composite
def stops(draw):
    """Limits of every kind, alone and together."""
    return Stop(
        max_depth=draw(st.sampled_from([None, None, 0, 1, 2, 4])),
        max_leaves=draw(st.sampled_from([None, None, 1, 2, 3, 7])),
        min_rows=draw(st.sampled_from([1, 2, 2, 3, 5])),
        min_gain=draw(st.sampled_from([0.0, 0.0, 0.05, 0.3])),
        max_error=draw(st.sampled_from([None, None, 0.0, 0.1, 0.3])),
        min_leaf=draw(st.sampled_from([1, 1, 2, 3])),
    )


@st.composite
def recipes(draw):
    """Any recipe with either criterion and any limits; also one that no grower has."""
    kind = draw(st.sampled_from(["id3", "c45", "cart", "stump"]))
    named = recipe(kind, draw(st.sampled_from([None, "entropy", "gini"])), draw(stops()))
    if draw(st.booleans()):
        return named
    return replace(
        named,
        by_ratio=draw(st.booleans()),
        two_groups=draw(st.booleans()),
        min_branch=draw(st.sampled_from([1, 2, 3])),
    )


@st.composite
def weights(draw, n_rows, most=4):
    """How often each row counts: whole numbers, some of them 0, not all."""
    drawn = draw(st.lists(st.integers(0, most), min_size=n_rows, max_size=n_rows))
    kept = draw(st.integers(0, n_rows - 1))
    drawn[kept] = max(drawn[kept], 1)
    return np.array(drawn)


def any_table():
    """A table of any kind: classes or numbers, with gaps or without."""
    return st.one_of(tables(), tables(gaps=True), number_tables(), number_tables(gaps=True))
