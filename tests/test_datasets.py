"""The tables that ship: what is known of them from where they were published."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import dtree_lab as dt
from dtree_lab.table.table import missing_of

DATA = Path(dt.__file__).with_name("data")
MEASURES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")


def published():
    with (DATA / "penguins.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def text(name):
    return (DATA / name).read_text(encoding="utf-8")  # lines end alike on every system


def test_the_penguins_are_those_that_were_published():
    table = dt.datasets.penguins()
    assert table.n_rows == 344
    assert Counter(table.column("species")) == {"Adelie": 152, "Chinstrap": 68, "Gentoo": 124}
    assert Counter(table.column("island")) == {"Biscoe": 168, "Dream": 124, "Torgersen": 52}
    assert Counter(table.column("sex")) == {"male": 168, "female": 165, None: 11}


def test_the_penguins_have_six_attributes_and_no_year():
    table = dt.datasets.penguins()
    assert table.names == ("island", *MEASURES, "sex")
    kinds = [attribute.kind for attribute in table.attributes]
    assert kinds == ["discrete", *["continuous"] * 4, "discrete"]
    assert table.target.name == "species"


def test_gaps_are_gaps():
    table = dt.datasets.penguins()
    gaps = {name: table.column(name).count(None) for name in table.names}
    assert gaps == {"island": 0, **dict.fromkeys(MEASURES, 2), "sex": 11}
    per_row = np.sum([missing_of(column) for column in table.columns], axis=0)
    assert per_row.sum() == 19
    assert (per_row > 0).sum() == 11
    assert [i for i, n in enumerate(per_row) if n > 1] == [3, 271]  # no measurement at all


def test_each_value_is_the_published_one():
    table = dt.datasets.penguins()
    for row, was in zip(table.rows(), published(), strict=True):
        for name, value in row.items():
            if value is None:
                assert was[name] == "NA"
            elif isinstance(value, float):
                assert value == float(was[name])
            else:
                assert value == was[name]


def test_the_measurements_have_the_published_means_and_ranges():
    # The summary that the R package prints: mean, least, greatest.
    known = {
        "bill_length_mm": (43.92, 32.1, 59.6),
        "bill_depth_mm": (17.15, 13.1, 21.5),
        "flipper_length_mm": (200.92, 172, 231),
        "body_mass_g": (4201.75, 2700, 6300),
    }
    table = dt.datasets.penguins()
    for name, (mean, least, most) in known.items():
        values = [value for value in table.column(name) if value is not None]
        assert sum(values) / len(values) == pytest.approx(mean, abs=0.006)
        assert (min(values), max(values)) == (least, most)


def test_complete_rows_only():
    table = dt.datasets.penguins("drop")
    assert not table.has_missing
    assert table.counts().tolist() == [146, 68, 119]


def test_gaps_can_be_refused():
    with pytest.raises(ValueError, match=r"row 4, column 'bill_length_mm' has no value"):
        dt.datasets.penguins("error")


def test_source_and_licence_stand_beside_the_file():
    said = text("penguins.txt")
    digest = hashlib.sha256(text("penguins.csv").encode()).hexdigest()
    for part in (digest, "CC0 1.0", "Horst AM, Hill AP, Gorman KB (2020)", "palmerpenguins 0.1.6"):
        assert part in said
    assert "CC0 1.0" in dt.datasets.penguins.__doc__


def test_tax_returns_have_the_attributes_of_the_ten_and_their_rule_s_odds():
    """Cell by cell the shares are those of the rule, within five standard errors."""
    small, table = dt.datasets.tax_fraud(), dt.datasets.tax_returns(40_000, seed=3)
    assert (table.attributes, table.target) == (small.attributes, small.target)
    income = np.array(table.column("Taxable Income"))
    assert (income == np.rint(income)).all()
    assert income.min() >= 10
    rises = {"Single": 1.2, "Married": 0.0, "Divorced": 1.8}
    refund, status = (np.array(table.column(name)) for name in ("Refund", "Marital Status"))
    cheats = np.array(table.column("Cheat")) == "Yes"
    for refunded in ("Yes", "No"):
        for state, rise in rises.items():
            for between in (True, False):
                rows = (refund == refunded) & (status == state)
                rows &= ((income >= 80) & (income <= 160)) == between
                odds = np.exp(-4.6 + 1.2 * (refunded == "No") + rise + 1.3 * between)
                p = odds / (1 + odds)
                assert abs(cheats[rows].mean() - p) < 5 * np.sqrt(p * (1 - p) / rows.sum())
    assert list(dt.datasets.tax_returns(50, seed=4).rows()) == list(
        dt.datasets.tax_returns(50, seed=4).rows()
    )
    with pytest.raises(ValueError, match="n=0 must be a whole number, at least 1"):
        dt.datasets.tax_returns(0)
