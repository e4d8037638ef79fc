"""The mutants that ``make mutants`` tries are there to be made; that they die is for it to see."""

from __future__ import annotations

import ast
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

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


@cache
def names_in(place):
    """The classes and functions of a test file."""
    source = (CHECKOUT / place).read_text()
    return {getattr(node, "name", None) for node in ast.walk(ast.parse(source))}


@each("mutant", LISTED, ids=list(map(str, LISTED)))
def test_each_mutants_tests_are_there(mutant):
    assert mutant.tests
    for test in mutant.tests:
        place, *names = test.partition("[")[0].split("::")
        assert names_in(place).issuperset(names), test


def test_none_is_listed_twice():
    assert len(set(LISTED)) == len(LISTED) >= 40


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """One of a single module, which has two tests."""
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    profile = "from hypothesis import settings\nsettings.register_profile('mutants')\n"
    (tmp_path / "conftest.py").write_text(profile)
    (tmp_path / "two.py").write_text("def two():\n    return 1 + 1\n")
    (tmp_path / "test_two.py").write_text("from two import two\ndef test(): assert two() == 2\n")
    (tmp_path / "test_any.py").write_text("from two import two\ndef test(): assert two() > 0\n")
    return tmp_path


def test_a_mutant_dies_of_a_failing_test_and_survives_a_passing_one(checkout):
    def end(test):
        return mutants.noticed(mutants.Mutant("two.py", "1 + 1", "3", (test,)), checkout)

    assert end("test_two.py") == "killed"
    assert end("test_any.py") == "survived"
    assert (checkout / "two.py").read_text() == "def two():\n    return 1 + 1\n"


@each(
    ("ended", "told"),
    [
        (0, "survived"),
        (1, "killed"),
        (2, "killed"),  # it cannot even be imported
        (None, "killed"),  # it loops for ever
        (4, "pytest ended with 4"),  # there is no such test
    ],
)
def test_what_pytest_ends_with(checkout, monkeypatch, ended, told):
    def ended_as_told(folder, _, seconds=None):
        if seconds is None:  # how long the tests take without the change
            assert (folder / "two.py").read_text() == "def two():\n    return 1 + 1\n"
            return 0
        assert (folder / "two.py").read_text() == "def two():\n    return 3\n"
        return ended

    monkeypatch.setattr(mutants, "ended", ended_as_told)
    assert mutants.noticed(mutants.Mutant("two.py", "1 + 1", "3", ("t.py",)), checkout) == told


def test_on_a_busy_machine_a_mutant_has_three_times_what_its_tests_take_without_it(
    checkout, monkeypatch
):
    tried = []

    def ended(_, __, seconds=None):
        tried.append(seconds)
        if seconds is None:
            clock[0] += 500
        return 0 if seconds is None or seconds > 120 else None

    clock = [0.0]
    monkeypatch.setattr(mutants, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    monkeypatch.setattr(mutants, "ended", ended)
    survivor = mutants.Mutant("two.py", "1 + 1", "3", ("t.py",))
    assert mutants.noticed(survivor, checkout) == "survived"
    assert tried == [120, None, 1500]


def test_a_text_that_is_gone_is_told(checkout):
    gone = mutants.Mutant("two.py", "1 + 2", "3", ("test_two.py",))
    assert mutants.noticed(gone, checkout) == "its old text stands there 0 times"


@pytest.mark.parametrize("word", ["no such file", "no/such.py"])
def test_words_that_no_mutant_has_are_no_success(word, monkeypatch, tmp_path):
    monkeypatch.setattr(mutants, "copied", lambda folder: folder)
    monkeypatch.setattr(mutants, "ended", lambda *_: 0)
    assert mutants.main([word]) == 1
