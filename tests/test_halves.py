"""Half of a character, which no file and no message can hold: refused at every door, or told as �.

Names of files that are no UTF-8 give such halves to Python, and JSON and YAML can write them.
"""

from __future__ import annotations

import io
import json
import os
import sys

import numpy as np
import pandas as pd
import pytest
from cases import each

import dtree_lab as dt
from browser.bare import outside
from dtree_lab.labs.catalogue import LABS
from dtree_lab.stage.lecture import LectureError
from dtree_lab.stage.reading import parse

HALF = "a\udcff"
TAX = dt.datasets.tax_fraud()
Y = ["n", "j"]


def columns(**more):
    return dt.Table.from_columns({"x": ["a", "b"], "y": Y} | more, "y")


def csv(text, **more):
    return dt.Table.read_csv(io.StringIO(text), "y", **more)


@each(
    ("door", "where"),
    [
        (lambda: columns(x=["b", HALF]), "row 2, column 'x'"),
        (lambda: columns(x=np.array(["b", HALF])), "row 2, column 'x'"),
        (lambda: columns(x=["b", None], y=[HALF, "j"]), "row 1, column 'y'"),
        (lambda: columns(**{HALF: [1, 2]}), r"column 3 is named 'a\udcff'"),
        (
            lambda: dt.Table.from_columns({"x": ["a", "b"], "y": Y}, "y", kinds={"x": ["a", HALF]}),
            "kinds['x']",
        ),
        (
            lambda: dt.Table.from_rows([{"x": "b", "y": "n"}, {"x": HALF, "y": "j"}], "y"),
            "row 2, column 'x'",
        ),
        (
            lambda: dt.Table.from_frame(
                pd.DataFrame({"x": pd.Series(["b", HALF], dtype=object), "y": Y}), "y"
            ),
            "row 2, column 'x'",
        ),
        (lambda: csv(f"x,y\nb,n\n{HALF},j\n"), "row 2, column 'x'"),
        (lambda: csv(f"x,{HALF},y\nb,1,n\nc,2,j\n"), r"column 2 is named 'a\udcff'"),
    ],
)
def test_a_table_names_the_place(door, where):
    with pytest.raises(ValueError, match="half of a character") as refused:
        door()
    assert where in str(refused.value)
    assert "errors='replace'" in str(refused.value)
    str(refused.value).encode()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such names of files cannot be")
def test_a_file_may_be_called_so_and_what_is_said_of_it_can_be_written(tmp_path):
    path = tmp_path / os.fsdecode(b"na\xffme.csv")
    path.write_bytes(b"x,y\na,n\nb,j\n")
    assert dt.Table.read_csv(path, "y").n_rows == 2
    with pytest.raises(ValueError, match=r"na�me\.csv: target: no column 'z'"):
        dt.Table.read_csv(path, "z")
    with path.open("rb") as file, pytest.raises(ValueError, match=r"na�me\.csv: target"):
        dt.Table.read_csv(file, "z")


@each("old", ["Married", "Refund", "Cheat", "Yes"])
def test_a_tree_with_one_is_no_tree(old):
    text = dt.id3(TAX).to_json()
    for half in ("\\ud800", HALF):
        assert old in text
        with pytest.raises(ValueError, match="not a tree: half of a character"):
            dt.Tree.from_json(text.replace(old, half))


def test_a_row_to_predict_may_have_one():
    """As any value that was never seen; and what is said of it can be written down."""
    tree = dt.id3(TAX)
    row = {"Refund": "No", "Marital Status": HALF, "Taxable Income": 70}
    assert tree.predict(row) == tree.predict({**row, "Marital Status": "Unheard of"})
    told = tree.explain(row)
    (str(told) + repr(told)).encode()


def strings(data, path=()):
    """Where texts stand in a JSON value."""
    if isinstance(data, str):
        yield path
    elif isinstance(data, dict | list):
        for key, below in data.items() if isinstance(data, dict) else enumerate(data):
            yield from strings(below, (*path, key))


def test_no_lab_takes_one_from_a_text_or_a_message():
    messages = [
        HALF,
        {"do": HALF},
        {HALF: 1},
        {"do": "set", "control": HALF, "value": 1},
        {"do": "set", "control": "n 0 0", "value": HALF},
        {"do": "draft", "attribute": 0, "branches": [[HALF]]},
        {"do": "split", "attribute": 0, "cut": HALF},
        {"do": "select", "at": HALF},
        {"do": "finish", "option": HALF},
    ]
    for entry in LABS:
        lab = outside(entry.opened)
        before = lab.state
        for message in messages:
            lab.act(message)
            assert lab.view["problem"], (entry.cls, message)
            "".join([lab.told, *lab._bundle()]).encode()
        assert lab.state == before
        kept = json.loads(before)
        for path in strings(kept):
            changed = json.loads(before)
            place = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] += "\ud800"
            with pytest.raises(ValueError, match="state") as refused:
                outside(
                    lambda entry=entry, changed=changed: entry.opened(state=json.dumps(changed))
                )
            str(refused.value).encode()


def test_a_lecture_file_names_the_line():
    text = '---\ntitle: T\n---\n\n---\nlab: tree\nask: "a \\ud800"\n---\n'
    with pytest.raises(LectureError, match=r":7: .*half of a sign") as refused:
        parse(text)
    str(refused.value).encode()
