"""Numbers and names in words."""

from __future__ import annotations

import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

from dtree_lab.base.text import bits, did_you_mean, number, plural, value


@each(
    ("x", "text"),
    [
        (80.0, "80"),
        (97.5, "97.5"),
        (0.1 + 0.2, "0.3"),
        (100000.5, "100000.5"),
        (1234567.0, "1234567"),
        (1e6, "1000000"),
        (60.0000001, "60.0000001"),
        (1 / 3, "0.333333333"),
        (-2.5, "-2.5"),
        (1e-9, "1e-09"),
        (1e20, "1e+20"),
        (0.0, "0"),
        (-0.0, "0"),
        (123456789012.0, "123456789012"),
    ],
)
def test_numbers_as_people_write_them(x, text):
    assert number(x) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_right_to_a_billionth(x):
    assert float(number(x)) == pytest.approx(x, rel=1e-9, abs=0)


def test_values_and_counts():
    assert [value(v) for v in ("", None, True, 0.5, "é")] == ['""', "missing", "True", "0.5", "é"]
    assert (plural(1, "row"), plural(1200, "row")) == ("1 row", "1,200 rows")
    assert (bits(0.8812908992), bits(-0.0), bits(-1e-12)) == ("0.881", "0.000", "0.000")
    assert did_you_mean("refund", ["Refund", "Income"]) == " Did you mean 'Refund'?"
    assert did_you_mean("xyz", ["Refund"]) == ""
