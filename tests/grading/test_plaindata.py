"""What a learner's process may say: it comes through as it was, and nothing else comes through."""

from __future__ import annotations

import json
import math
from collections import deque

import numpy as np
import pytest
from hypothesis import given
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


def test_what_is_no_number_and_what_is_too_large():
    assert math.isnan(through(float("nan")))
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


@pytest.mark.parametrize(
    "said",
    [
        {"t": "exec", "v": "1"},
        {"v": 1},
        {"t": "dict", "v": [[[1], 2]]},
        {"t": "int", "v": "z"},
        {"t": "array", "v": [1, 2], "shape": [3]},
        {"t": "array", "v": [], "shape": [10**9, 10**9, 0]},
        {"t": "set", "v": [{"t": "dict", "v": []}]},
        {"t": "tree", "v": "{"},
        [[0] * 40_000] * 2,
    ],
)
def test_nonsense_is_refused(said):
    try:
        found = reader().read(said)
    except NotReadableError:
        return
    assert isinstance(found, np.ndarray)
    assert found.size == 0
