"""The claims are well made; that they hold over seeds of their own is for ``make claims``."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

import dtree_lab as dt
from claims.harness import (
    TRIED,
    TRIED_OF_A_SHARE,
    WRITTEN_FROM,
    Claim,
    by_chance,
    claims,
    folded,
)

NUMBERS = {"four": 4, "five": 5, "nine": 9, "ten": 10, "nineteen": 19, "twenty": 20}
SAYS_A_SHARE = re.compile(r"(\w+) times in (\w+)")
SAYS_NOT_ALWAYS = re.compile(r"mostly|often|nearly|as a rule|less than half|times in")


def a_claim(true: int, of: int = 200) -> Claim:
    return Claim("lesson/name", "words", true, of, bool)


def test_each_claim_stands_in_its_lesson_under_a_name_of_its_own():
    found = claims()
    lessons = {one.lesson for one in dt.course.exercises()}
    assert len({one.id for one in found}) == len(found)
    for one in found:
        assert one.id.partition("/")[0] in lessons, one.id
        assert one.stands, f"{one.id}: the lesson no longer says: {one.says}"
        assert 0 < one.true <= one.of <= len(WRITTEN_FROM), one.id


def test_a_claim_of_each_lesson_says_yes_or_no_of_a_seed():
    """The others follow in make thorough, which tries them all over their seeds."""
    first = {one.id.partition("/")[0]: one for one in reversed(claims())}
    for one in first.values():
        assert type(one.test(TRIED[0])) is bool, one.id


# -- what the words may say of how often -----------------------------------------------------------


def test_words_that_do_not_say_how_often_hold_nineteen_times_in_twenty():
    for one in claims():
        if not SAYS_NOT_ALWAYS.search(folded(one.says)):
            assert one.true >= 0.95 * one.of, f"{one.id}: {one.true} of {one.of}"


def test_a_share_in_words_is_that_of_the_seeds_that_it_was_written_from():
    shares = 0
    for one in claims():
        said = SAYS_A_SHARE.search(folded(one.says))
        if said is not None:
            few, many = (NUMBERS[word] for word in said.groups())
            assert abs(few / many - one.true / one.of) <= 0.05, one.id
            shares += 1
    assert shares >= 5


# -- the margin ------------------------------------------------------------------------------------


def test_no_seed_both_writes_the_words_and_tries_them():
    assert not {*WRITTEN_FROM} & {*TRIED, *TRIED_OF_A_SHARE}


def test_what_always_held_may_slip_once_in_twenty():
    always = a_claim(true=200)
    assert (always.seeds, always.margin) == (TRIED, range(19, 21))


@pytest.mark.parametrize(("true", "of", "tries"), [(130, 200, 100), (190, 200, 100), (38, 40, 100)])
def test_the_chance_of_a_count_is_that_of_dealing_all_that_was_true(true, of, tries):
    """Against scipy's hypergeometric distribution."""
    for again in range(tries + 1):
        dealt = hypergeom(of + tries, true + again, tries)
        tails = min(dealt.cdf(again), dealt.sf(again - 1))
        assert by_chance(true, of, again, tries) == pytest.approx(tails, rel=1e-9)


def test_three_of_three_and_none_of_three_by_hand():
    """Of the 20 ways to deal three trues among six seeds one gives the second three none."""
    assert by_chance(3, 3, 0, 3) == 1 / 20


@pytest.mark.parametrize("share", [0.9, 0.98])
def test_a_true_share_hardly_ever_falls_out_of_its_margin(share):
    """Over all that 200 seeds may say of it (but "always"), and all that a hundred others may."""
    out = 0.0
    for true in np.flatnonzero(binom.pmf(range(200), 200, share) > 1e-5):
        within = a_claim(true=int(true)).margin
        out += binom.pmf(true, 200, share) * (1 - binom.pmf(list(within), 100, share).sum())
    assert out <= 2 / 1000


@pytest.mark.parametrize(
    ("said", "fresh"),
    [
        pytest.param(13 / 20, 3 / 10, id="13 of 20 were 3 of 10"),
        pytest.param(19 / 20, 33 / 40, id="19 of 20 were 33 of 40"),
        pytest.param(18 / 20, 4 / 6, id="18 of 20 were 4 of 6"),
    ],
)
def test_shares_that_were_read_off_the_seeds_that_tried_them_are_refused(said, fresh):
    """As they once stood in the lessons, and what other seeds said of them."""
    assert round(100 * fresh) not in a_claim(true=round(200 * said)).margin
