"""Nothing that a learner's function does may break the notebook."""

from __future__ import annotations

import json
import math
import sys
import threading
import time
import tracemalloc
import warnings
from contextlib import suppress
from decimal import Decimal

import numpy as np
import pytest
from cases import each

import dtree_lab as dt
from dtree_lab.course import calls
from dtree_lab.course.calls import call, describe, plain_data


def loops(*_):
    while True:
        pass


def swallows(*_):
    while True:
        try:
            time.sleep(0.01)
        except Exception:  # noqa: BLE001, S112
            continue


class Clings:
    def __del__(self):
        loops()


def clings(*_):
    while True:
        Clings()  # what stops it lands in __del__, where Python can only report and forget it
        loops()


def catches(*_):
    with suppress(BaseException):
        loops()
    loops()


def test_the_time_of_an_import_does_not_count(tmp_path, monkeypatch):
    """A large library is slow only the first time: a right answer must not fail for that."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "slow_to_load.py").write_text("import time\ntime.sleep(0.6)\nSEVEN = 7\n")

    def imports():
        import slow_to_load

        return slow_to_load.SEVEN

    def then_loops():
        loops(imports())

    assert call(imports, seconds=0.3).value == 7
    sys.modules.pop("slow_to_load")
    assert call(then_loops, seconds=0.3).kind == "hung"


class Evil:
    def __getattribute__(self, name):
        raise RuntimeError("no")


class BadError(Exception):
    def __str__(self):
        raise ValueError("not even this")


@pytest.mark.parametrize("function", [loops, swallows, clings, catches])
def test_an_endless_loop_is_given_up_and_ended(function):
    before, started = threading.active_count(), time.monotonic()
    outcome = call(function, seconds=0.2)
    assert outcome.kind == "hung"
    assert outcome.says == "did not finish within 0.2 seconds"
    assert time.monotonic() - started < 30  # it was stopped; waiting it out would take for ever
    assert threading.active_count() == before


def test_a_call_that_cannot_be_ended_is_left_behind():
    assert call(time.sleep, (9.0,), seconds=0.1).kind == "hung"


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="threads have no clock")
def test_a_busy_machine_does_not_make_an_answer_slow(monkeypatch):
    """Waiting stands for it: in both the thread does not work, whoever works instead."""

    def waits():
        time.sleep(2.0)
        return 7

    assert call(waits, seconds=0.8).value == 7
    monkeypatch.setattr(calls, "_IDLE", 1.0)
    assert call(waits, seconds=0.8).kind == "hung"


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda: sys.exit(3), "SystemExit: 3"),
        (lambda: {}["x"], "KeyError: 'x'"),
        (lambda x: x, "TypeError"),
    ],
)
def test_an_error_becomes_words(function, says):
    outcome = call(function)
    assert outcome.kind == "raised"
    assert outcome.says.startswith(says)


def test_an_error_that_cannot_say_what_it_is():
    def fails():
        raise BadError

    assert call(fails).says == "BadError"


def quoted(outcome):
    return outcome.where.partition("``")[2].removesuffix("``")


def test_an_error_says_in_which_line_of_ones_own_it_came_up():
    def reads(text):
        found = 0
        return found + json.loads(text)

    outcome = call(reads, ("{",))
    first = reads.__code__.co_firstlineno
    assert outcome.where == f"line {first + 2}, ``return found + json.loads(text)``"


def test_an_error_in_the_call_itself_is_in_no_line():
    assert call(lambda x: x).where == ""
    assert call(dt.entropy, ([-1, 2],)).where == ""  # ours, and none of theirs


def test_a_long_line_is_cut_and_marks_of_code_are_replaced():
    def fails():
        return {"`": 1}["a key that is not there, and that takes up much of a line of a page"]

    assert quoted(call(fails)).startswith("""return {"'": 1}["a key""")
    assert quoted(call(fails)).endswith("…")
    assert len(quoted(call(fails))) == 60


def test_a_loop_says_where_it_was_when_its_time_was_up():
    assert quoted(call(loops, seconds=0.2)) in ("while True:", "pass")


def test_endless_recursion_is_an_error():
    def deeper(x=0):
        return deeper(x + 1)

    assert call(deeper).says.startswith("RecursionError")


def test_what_is_printed_is_kept_and_not_shown(capsys):
    def chatty():
        print("a" * 10_000)  # noqa: T201
        print("to stderr", file=sys.stderr)  # noqa: T201
        return 1

    outcome = call(chatty)
    assert outcome.value == 1
    assert 0 < len(outcome.printed) <= 2_000
    assert capsys.readouterr() == ("", "")


def test_a_warning_is_noted_and_leaves_the_filters_alone():
    before = list(warnings.filters)
    with np.errstate(divide="warn"):
        outcome = call(lambda: np.float64(1) / np.float64(0))
    assert "divide by zero" in outcome.warned
    assert warnings.filters == before


def test_arguments_are_copies():
    counts = [3, 7]
    call(lambda given: given.clear(), (counts,))
    assert counts == [3, 7]


@each(
    ("value", "kind", "says"),
    [
        (None, "nothing", "nothing"),
        (..., "nothing", "nothing"),
        (True, "truth", "True"),
        (np.True_, "truth", "True"),
        (np.float32(0.5), "number", "0.5"),
        (np.array(2), "number", "2"),
        (float("nan"), "number", "NaN (not a number)"),
        (float("inf"), "number", "inf"),
        (-0.0, "number", "0"),
        (10**400, "other", "a number too large to compare"),
        (np.zeros(10**6), "other", "an array of 1,000,000 values"),
        ({"a": 1}, "values", "{'a': 1}"),
        ({"b": {2, 1}, "a": np.arange(2)}, "values", "{'b': (1, 2), 'a': (0, 1)}"),
        ([[1, 2], [3.5]], "values", "[(1, 2), (3.5,)]"),
        ((26 / 3, {"a": 1e-9}), "values", "(8.66667, {'a': 1e-09})"),
        (list(range(100)), "values", "a list of 100 values"),
        ([print], "other", "a list of 1 value"),
        (dt.stump(dt.datasets.tax_fraud()), "tree", "a tree of 3 nodes"),
        ("x" * 10**6, "text", "'" + "x" * 199 + "…'"),
        (print, "other", "a builtin_function_or_method"),
    ],
)
def test_values_in_words(value, kind, says):
    outcome = describe(value)
    assert (outcome.kind, outcome.says) == (kind, says)


def test_no_zero_is_negative():
    found = call(lambda: -0.0)
    assert (math.copysign(1, found.value), found.says) == (1, "0")


def test_an_object_that_resists_being_looked_at():
    assert call(Evil).kind in ("raised", "other")


def test_an_array_of_nothing_takes_no_room():
    """Its sides may be as long as one likes; as lists it would be a million."""
    tracemalloc.start()
    try:
        found = call(lambda: np.empty((10**6, 0)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.kind, found.says) == ("other", "an array of 0 values")
    assert peak < 8_000_000  # a list of so many has 8 MB for itself alone
    assert plain_data(np.empty((3, 0))) == ((), (), ())


def test_a_decimal_is_the_number_it_is():
    assert call(lambda: Decimal("0.97095")).value == 0.97095
    assert plain_data([Decimal("0.5")]) == (0.5,)
    assert call(lambda: Decimal("sNaN")).says == "a Decimal"
    assert call(lambda: [Decimal("sNaN")]).kind == "other"
