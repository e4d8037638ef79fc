"""Text on a terminal that cannot show every character: nothing stops, nothing loses its sense."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

import dtree_lab as dt
from dtree_lab.base.terminal import Source, Text, for_terminal

# What is shown in words, of the lecture's table and of one with names from everywhere.
PRINTED = """
import sys
import dtree_lab as dt
far = dt.Table.from_columns(
    {"木 ≥": ["α", "β", "α", "γ"], "Größe": [1.5, 2.5, 3.5, 4.5], "y": ["שלום", "n", "n", "n"]}, "y"
)
curve = dt.Table.from_columns({"x": [1.0, 2, 3, 4], "y": [1.0, 2, 3.5, 9]}, "y")
things = [dt.cart(curve), dt.prune.cost_complexity_path(dt.cart(curve)), dt.demo()]
for table in (dt.datasets.tax_fraud(), far):
    tree, forest = dt.id3(table), dt.random_forest(table, n_trees=3)
    things += [table, table.attributes, dt.compare(table), tree, tree.root, forest]
    things += [dt.differences(tree, dt.stump(table), table), forest.impurity_importance()]
    things += [dt.adaboost(table)]
    for row in map(table.row, range(table.n_rows)):
        things += [tree.explain(row), tree.explain(row).steps]
    things += [dt.draw.text(tree), dt.draw.rules(tree), dt.draw.dot(tree), dt.draw.alt_text(tree)]
    for grower in (dt.id3, dt.cart, dt.random_forest, dt.adaboost):
        things += list(dt.steps(grower, table))
    things += [dt.draw.python(tree), dt.TreeBuilder(table)]
things.append(dt.gaussian_thresholds(dt.datasets.tax_fraud(), "Taxable Income"))
for answer in (0.673, 0.971, ...):
    things.append(dt.course.check("tax-fraud/six-to-four", answer))
things += [dt.course.hint("tax-fraud/majority"), dt.course.reveal("≥", "no"), dt.course.progress()]
things += [dt.course.solution("tax-fraud/entropy", give_up=True), *dt.course.exercises("entropy")]
for encoding in ("ascii", "cp1252", "utf-8"):
    if encoding != "ascii":
        print(end="\\0")
        sys.stdout.reconfigure(encoding=encoding)
    for thing in things:
        print(thing)
        print(repr(thing), [thing])
"""


def test_whatever_is_printed_fits_the_terminal():
    """The same things on three terminals, of which a process of its own begins on the poorest."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-c", PRINTED], capture_output=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    *poorer, full = done.stdout.split(b"\0")
    full = full.decode("utf-8")
    for sign in "≥├·✗שβ木":
        assert sign in full
    kept_by = {"ascii": "", "cp1252": "·ö"}
    for (encoding, kept), raw in zip(kept_by.items(), poorer, strict=True):
        text = raw.decode(encoding)
        assert len(text.splitlines()) == len(full.splitlines())
        for words in (
            *kept,
            "Taxable Income >= 77.5",
            "+-- Married: Cheat = No",
            "x 0.673 is not it",
        ):
            assert words in text, f"{encoding}: {words}"
        assert r"\u6728 >=" in text  # a name has no twin, its sign has


@pytest.fixture
def stdout(monkeypatch):
    def use(encoding):
        stream = None if encoding is None else io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        monkeypatch.setattr(sys, "stdout", stream)

    return use


def test_only_what_is_printed_changes(stdout):
    """A text is what it is: it is compared, joined and written to a file as ever."""
    tree = dt.id3(dt.datasets.tax_fraud())
    wide, source = dt.draw.text(tree), dt.draw.python(tree)
    assert (type(wide), type(source)) == (Text, Source)
    stdout("ascii")
    assert dt.draw.text(tree) == wide
    assert "├──" in wide
    assert wide[: len(wide)] == wide
    assert str(wide).isascii()
    assert f"{wide}" == str(wide) == str(tree) == repr(tree)
    assert "├──" in tree._repr_mimebundle_()["text/plain"]
    stdout("utf-8")
    assert str(tree) == wide


def test_source_means_the_same_on_any_terminal(stdout):
    table = dt.Table.from_columns({"木 ≥": ["α·", "β"] * 2, "y": ["…", "n"] * 2}, "y")
    source = dt.draw.python(dt.id3(table))
    stdout("ascii")
    ran = {}
    exec(str(source), ran)  # noqa: S102 - ours
    assert [ran["predict"]({"木 ≥": v}) for v in ("α·", "β")] == ["…", "n"]


def test_streams_that_say_nothing_of_themselves(stdout):
    for encoding in ("utf-8", None):
        stdout(encoding)
        assert for_terminal("≥") == "≥"
    sys.stdout = io.StringIO()
    assert for_terminal("≥") == "≥"
