"""The claims are well made; that they hold over twenty seeds is for ``make claims``."""

from __future__ import annotations

import dtree_lab as dt
from claims.harness import SEEDS, claims


def test_each_claim_stands_in_its_lesson_under_a_name_of_its_own():
    found = claims()
    lessons = {one.lesson for one in dt.course.exercises()}
    assert len({one.id for one in found}) == len(found)
    for one in found:
        assert one.id.partition("/")[0] in lessons, one.id
        assert one.stands, f"{one.id}: the lesson no longer says: {one.says}"
        assert len(SEEDS) / 2 < one.holds <= len(SEEDS), one.id


def test_a_claim_of_each_lesson_says_yes_or_no_of_a_seed():
    """The others follow in make thorough, which tries them all over twenty seeds."""
    first = {one.id.partition("/")[0]: one for one in reversed(claims())}
    for one in first.values():
        assert type(one.of(SEEDS[0])) is bool, one.id
