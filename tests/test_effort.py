"""The profiles: how many examples a property is tried on."""

from __future__ import annotations

import pytest
from effort import EFFORT, scale, scaled, some
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture(params=EFFORT)
def profile(request):
    """Each profile, and then again the one that was in force."""
    before = settings.get_current_profile_name()
    settings.load_profile(request.param)
    yield request.param
    settings.load_profile(before)


def test_a_number_follows_the_profile(profile):
    numbers = {"quick": [80, 12, 10], "thorough": [800, 120, 10], "mutants": [80, 12, 10]}
    assert [scaled(n) for n in (400, 60, 5)] == numbers[profile]


def test_of_many_cases_every_so_many_are_taken_but_by_the_thorough_all(profile):
    taken = {"quick": [0, 3, 6], "thorough": [*range(8)], "mutants": [0, 3, 6]}
    assert some(range(8), every=3) == taken[profile]


def test_a_property_is_tried_as_often_as_its_profile_says(profile):
    tried = []

    @settings(max_examples=60, database=None)
    @given(st.integers())
    def test(number):
        tried.append(number)

    scale(test)
    scale(test)  # the same function may be collected with many parameters
    test()
    assert len(tried) == 60 * EFFORT[profile]
