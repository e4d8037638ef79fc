"""The mutants that ``make mutants`` tries are there to be made; that they die is for it to see."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from cases import each

CHECKOUT = Path(__file__).parents[1]


def _tool():
    spec = importlib.util.spec_from_file_location("mutants", CHECKOUT / "tools/mutants.py")
    sys.modules["mutants"] = importlib.util.module_from_spec(spec)  # where dataclasses look
    spec.loader.exec_module(sys.modules["mutants"])
    return sys.modules["mutants"]


mutants = _tool()
LISTED = mutants.listed()


@each("mutant", LISTED, ids=list(map(str, LISTED)))
def test_each_mutants_text_stands_in_its_file_once(mutant):
    assert mutant.found == 1
    assert mutant.old != mutant.new
    compile((CHECKOUT / mutant.file).read_text().replace(mutant.old, mutant.new), "mutant", "exec")


@each("mutant", LISTED, ids=list(map(str, LISTED)))
def test_each_mutants_tests_are_there(mutant):
    assert mutant.tests
    for test in mutant.tests:
        assert (CHECKOUT / test.partition("::")[0]).is_file(), test


def test_none_is_listed_twice():
    assert len(set(LISTED)) == len(LISTED) >= 40


def test_a_mutant_dies_of_a_failing_test_and_survives_a_passing_one(tmp_path, monkeypatch):
    """On a checkout of one file."""
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "two.py").write_text("def two():\n    return 1 + 1\n")
    (tmp_path / "test_two.py").write_text("from two import two\ndef test(): assert two() == 2\n")
    (tmp_path / "test_any.py").write_text("from two import two\ndef test(): assert two() > 0\n")

    def end(new, test):
        return mutants.noticed(mutants.Mutant("two.py", "1 + 1", new, (test,)), tmp_path)

    assert end("3", "test_two.py") == "killed"
    assert end("3", "test_any.py") == "survived"
    assert end("(", "test_two.py") == "killed"  # it cannot even be imported
    assert end("3", "test_none.py") == "pytest ended with 4"
    assert (tmp_path / "two.py").read_text() == "def two():\n    return 1 + 1\n"
    gone = mutants.Mutant("two.py", "1 + 2", "3", ("test_two.py",))
    assert mutants.noticed(gone, tmp_path) == "its old text stands there 0 times"


@pytest.mark.parametrize("word", ["no such file", "no/such.py"])
def test_words_that_no_mutant_has_are_no_success(word, monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "copied", lambda folder: folder)
    monkeypatch.setattr(mutants, "passing", lambda *_: 0)
    assert mutants.main([word]) == 1
