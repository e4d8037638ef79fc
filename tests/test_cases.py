"""The loop that stands for parametrize."""

from __future__ import annotations

import pytest
from cases import each


def test_every_case_is_tried_and_those_that_fail_are_told():
    tried = []

    @each(("x", "y"), [(1, 1), (2, 3), (4, 4), (5, 6)])
    def test(x, y):
        tried.append(x)
        assert x == y

    with pytest.raises(ExceptionGroup) as found:
        test()
    assert tried == [1, 2, 4, 5]
    assert found.value.message == "2 of 4 cases fail:\ncase x=2, y=3\ncase x=5, y=6"
    assert all(isinstance(one, AssertionError) for one in found.value.exceptions)


def test_an_error_that_does_not_come_is_a_failure_like_others():
    @each("number", [1, 0, 2])
    def test(number):
        with pytest.raises(ZeroDivisionError):
            1 / number

    with pytest.raises(ExceptionGroup, match=r"2 of 3 cases fail:\ncase number=1\ncase number=2"):
        test()


@each("word", ["abc", "bcd"])
def test_a_fixture_stands_beside_the_cases(tmp_path, word):
    assert tmp_path.is_dir()
    assert "b" in word


@each("outer", [1, 2])
@each("inner", [3, 4])
def test_one_loop_may_stand_in_another(outer, inner):
    assert outer < inner


def test_loops_tell_every_level_of_a_failure():
    @each("outer", [1, 5])
    @each("inner", [3, 9])
    def test(outer, inner):
        assert outer < inner

    with pytest.raises(ExceptionGroup) as found:
        test()
    (one,) = found.value.exceptions
    assert one.__notes__ == ["case outer=5"]
    assert one.exceptions[0].__notes__ == ["case inner=3"]


def test_no_case_is_no_test():
    with pytest.raises(AssertionError, match="no case"):
        each("x", [])(lambda x: None)()
