"""What a learner's process may say: it comes through as it was, and nothing else comes through."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections import deque
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st

from dtree_lab.course.calls import describe
from dtree_lab.grading.plaindata import NotReadableError, Reader, Writer
from dtree_lab.tree.tree import Tree


def reader():
    def function(number, stub):
        return ("function", number, stub)

    return Reader(function, lambda n: ("far", n), Tree.from_json, lambda a, b: ("card", a, b))


def through(value):
    """Out of one process and into the other."""
    return reader().read(json.loads(json.dumps(Writer().write(value))))


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
KEYS = st.integers() | st.text() | st.tuples(st.integers(), st.text())
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.frozensets(KEYS, max_size=4)
    ),
    max_leaves=20,
)


def kinds(value):
    """A value with its types: True is not 1, and a list is no tuple."""
    if isinstance(value, list | tuple):
        return type(value), [kinds(one) for one in value]
    if isinstance(value, dict):
        return dict, [(kinds(key), kinds(one)) for key, one in value.items()]
    return (set, value) if isinstance(value, set | frozenset) else (type(value), value)


@given(VALUES)
def test_plain_values_come_through_as_they_were(value):
    assert kinds(through(value)) == kinds(value)


@given(
    st.lists(st.integers(-9, 9), max_size=6) | st.lists(st.floats(-9, 9), min_size=1, max_size=6)
)
def test_arrays_come_through(values):
    found = through(np.array(values))
    assert isinstance(found, np.ndarray)
    assert found.tolist() == values
    assert through(np.zeros((2, 3))).shape == (2, 3)
    assert through(np.zeros((0, 3))).shape == (0, 3)
    assert through(np.array(["a", "bc"])).dtype.kind == "U"
    # As an array of texts alone, each would take as much room as the longest.
    texts = np.array(["x" * 10**5] + ["a"] * 99, dtype=object)
    assert through(texts).dtype == object
    assert through(texts).tolist() == texts.tolist()
    assert describe(through(np.empty((10**8, 0)))).says == "a ndarray"


def test_what_is_no_number_and_what_is_too_large():
    assert math.isnan(through(float("nan")))
    assert through(Decimal("0.97095")) == 0.97095
    assert describe(through(Decimal("sNaN"))).says == describe(Decimal("sNaN")).says == "a Decimal"
    assert through(-math.inf) == -math.inf
    assert through(7**300) == 7**300
    assert through(np.float64(0.5)) == 0.5
    assert through(...) is ...


class Evil:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __iter__(self):
        raise SystemExit

    def __getattr__(self, name):
        raise KeyboardInterrupt


def test_of_other_objects_only_the_type_is_told():
    found = through(Evil())
    assert describe(found).says == "a Evil"
    assert found != 0.5
    assert describe(through({"a": Evil()}["a"])).kind == "other"
    endless = []
    endless.append(endless)
    assert describe(through(endless)).says == "a list"
    assert describe(through(list(range(10**6)))).kind == "other"


def test_what_comes_one_after_the_other_can_be_gone_through():
    for many in (range(3), iter([0, 1, 2]), (i for i in range(3)), deque([0, 1, 2]), {0: 1}.keys()):
        if type(many).__name__ != "list_iterator":
            values = list(many) if not hasattr(many, "send") else [0, 1, 2]
            assert list(through(many)) == values


def test_functions_and_trees():
    writer = Writer()
    assert reader().read(writer.write(lambda x: x)) == ("function", 0, False)

    def stub(x): ...

    assert reader().read(writer.write(stub)) == ("function", 1, True)
    import dtree_lab as dt

    tree = dt.id3(dt.datasets.tax_fraud())
    assert through(tree) == tree


TAGS = ["int", "float", "set", "dict", "array", "tree", "lab", "card", "far", "several"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["t", "v", "n", "type", "shape"]), inner, max_size=5)
        | st.fixed_dictionaries(
            {
                "t": st.sampled_from(
                    [
                        "int",
                        "float",
                        "set",
                        "dict",
                        "array",
                        "tree",
                        "lab",
                        "card",
                        "far",
                        "several",
                    ]
                ),
                "v": inner,
            }
        )
    ),
    max_leaves=15,
)


@given(JSON)
def test_whatever_is_said_is_read_or_refused(said):
    try:
        found = reader().read(said)
    except NotReadableError:
        return
    describe(found)  # what was read can be looked at


class Limited:
    """Has lines judged by a process with limits; a new one after one that was ended."""

    def __init__(self):
        self.process = None

    def judge(self, said):
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "grading.measured"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=Path(__file__).parents[1],
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(said).encode() + b"\n")
            self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            self.close()
        return answer.decode().strip()

    def close(self):
        if self.process is not None:
            self.process.kill()
            with suppress(BrokenPipeError):
                self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.process = None


@pytest.fixture(scope="module")
def limited():
    made = Limited()
    yield made
    made.close()


SIDES = st.lists(st.sampled_from([0, 1, 2, 3, 50, 10**4, 10**8, 10**18, -1]), max_size=5)
TEXTS = st.sampled_from(["", "a", "nan", "1" * 400, "f" * 3000, "x" * 10**5])
# Little that is said, of which much may be made: sides, repetitions, long texts, nesting.
LARGE = st.recursive(
    st.integers(-9, 9) | TEXTS | st.sampled_from([0.5, 2**61 - 1, 10**300]),
    lambda inner: (
        st.builds(lambda one, many: [one] * many, inner, st.sampled_from([0, 2, 40]))
        | st.fixed_dictionaries(
            {
                "t": st.sampled_from(["array", "list", "tuple", "set", "several", "dict", "int"]),
                "v": inner | st.lists(inner, max_size=3),
                "shape": SIDES,
                "type": TEXTS,
            }
        )
        | st.builds(
            lambda text, many: {"t": "array", "v": [text] + ["a"] * many, "shape": [many + 1]},
            TEXTS,
            st.sampled_from([1, 5_000, 20_000]),
        )
    ),
    max_leaves=8,
).filter(lambda said: len(json.dumps(said)) < 8 << 20)  # of a longer line nothing is read


@given(LARGE)
@settings(deadline=None, max_examples=150)
def test_what_is_made_of_what_is_said_has_bounds_of_time_and_memory(limited, said):
    assert limited.judge(said) == "judged"


@each(
    "said",
    [
        {"t": "array", "v": [], "shape": [10**8, 0]},
        {"t": "array", "v": [], "shape": [0, 10**8]},
        {"t": "array", "v": [], "shape": [20_000, 20_000, 0]},
        {"t": "tuple", "v": [{"t": "array", "v": [], "shape": [59_000, 0]}] * 900},
        {"t": "array", "v": ["x" * 10**6] + ["a"] * 20_000, "shape": [20_001]},
        {"t": "set", "v": [i * (2**61 - 1) for i in range(1, 3_000)]},
    ],
)
def test_what_would_be_much_of_little_is_judged_within_bounds(limited, said):
    assert limited.judge(said) == "judged"


def test_the_bounds_end_what_goes_beyond_them(limited):
    """Else nothing above would show anything; the line alone is larger than what may be taken."""
    assert limited.judge("x" * 3 * 10**8) == ""
    assert limited.judge(3) == "judged"


@pytest.mark.parametrize(
    "said",
    [
        {"t": "exec", "v": "1"},
        {"v": 1},
        {"t": "dict", "v": [[[1], 2]]},
        {"t": "int", "v": "z"},
        {"t": "array", "v": [1, 2], "shape": [3]},
        {"t": "array", "v": [], "shape": [10**9, 10**9, 0]},
        {"t": "array", "v": [], "shape": [10**8, 0]},
        {"t": "array", "v": [1, 2], "shape": [-1]},
        {"t": "set", "v": [{"t": "dict", "v": []}]},
        {"t": "tree", "v": "{"},
        [[0] * 40_000] * 2,
    ],
)
def test_nonsense_is_refused(said):
    with pytest.raises(NotReadableError):
        reader().read(said)
