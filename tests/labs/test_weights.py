"""A lab of a weighted table: each row stands there as often as it weighs, under its one number."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import dtree_lab as dt
from dtree_lab.labs.kit.taking import taken

TABLE = dt.datasets.tax_fraud()
TIMES = np.array([1, 2, 1, 3, 1, 1, 4, 1, 1, 2])


def test_rows_stand_as_often_as_they_weigh_under_their_numbers():
    table = taken(replace(TABLE, weights=TIMES))
    assert table.numbers.tolist() == np.repeat(np.arange(1, 11), TIMES).tolist()
    assert table.counts().tolist() == replace(TABLE, weights=TIMES).counts().tolist()
    assert dt.id3(table) == dt.id3(replace(TABLE, weights=TIMES))


def test_labs_open_on_weighted_rows():
    weighted = replace(TABLE, weights=TIMES)
    for lab in (dt.TreeBuilder(weighted), dt.StepThrough(weighted)):
        assert "shown in a notebook" in repr(lab)
        said = "10 rows stand here as 17: each as often as it weighs (weights)."
        assert said in json.dumps(lab.view)
    assert "as often as it weighs" not in json.dumps(dt.TreeBuilder(TABLE).view)


def test_rows_that_weigh_fractions_are_refused():
    with pytest.raises(ValueError, match="a lab shows whole rows; make the table with whole"):
        dt.TreeBuilder(replace(TABLE, weights=TIMES, weight_unit=2))
