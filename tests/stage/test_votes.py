"""Votes: counted as one would by hand, one a device, none too late; and as CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtree_lab.stage.limits import Limit
from dtree_lab.stage.reading import parse
from dtree_lab.stage.votes import MOST_HANDS, Vote, as_csv
from stage.talks import TALK

DEVICES = ["a", "b", "c", "d"]
TAPS = st.tuples(st.just("tap"), st.sampled_from(DEVICES), st.integers(-1, 4))
JUNK = st.tuples(
    st.just("tap"), st.sampled_from(DEVICES), st.sampled_from([True, None, "1", 1.0, [1], 10**30])
)
HANDS = st.tuples(st.just("hands"), st.integers(0, 2), st.integers(0, 50))
DOORS = st.tuples(st.sampled_from(["close", "again"]), st.none(), st.none())


def recounted(acts, options=3):
    """What a person with paper and pencil has at the end: hands and slips of each round."""
    rounds, is_open = [([0] * options, {})], True
    for what, first, second in acts:
        hands, slips = rounds[-1]
        if what == "tap" and is_open and type(second) is int and 0 <= second < options:
            slips[first] = second
        elif what == "hands":
            hands[first] = second
        elif what == "close":
            is_open = False
        elif what == "again":
            if len(rounds) == 1 and (sum(hands) or slips):
                rounds.append(([0] * options, {}))
            is_open = True
    counts = []
    for hands, slips in rounds:
        found = Counter(slips.values())
        counts.append(tuple(hands[k] + found[k] for k in range(options)))
    return counts


@given(st.lists(TAPS | JUNK | HANDS | DOORS, max_size=40))
def test_counts_are_those_of_paper_and_pencil(acts):
    vote = Vote.on(3)
    for what, first, second in acts:
        before = vote
        if what == "tap":
            vote = vote.tapped(first, second, 3)
        elif what == "hands":
            vote = vote.counted(first, second)
        else:
            vote = vote.closed() if what == "close" else vote.again()
        assert len(vote.rounds) >= len(before.rounds)
    counts = recounted(acts)
    assert [one.counts for one in vote.rounds] == counts
    assert vote.total == sum(counts[-1])


@pytest.mark.parametrize(("option", "hands"), [(-1, 1), (3, 1), (0, -1), (0, MOST_HANDS + 1)])
def test_hands_that_no_class_has_are_refused(option, hands):
    with pytest.raises(ValueError, match="hands are counted for one of 3 options"):
        Vote.on(3).counted(option, hands)


def test_as_a_file():
    first = Vote.on(3).counted(0, 7).tapped("a", 2, 3).tapped("b", 2, 3).tapped("b", 1, 3)
    votes = {1: first.again().tapped("a", 2, 3).closed()}
    rows = list(csv.DictReader(io.StringIO(as_csv({1: parse(TALK).scenes[1].question}, votes))))
    told = [
        (r["round"], r["letter"], r["right"], r["hands"], r["phones"], r["votes"]) for r in rows
    ]
    assert told == [
        ("1", "A", "no", "7", "0", "7"),
        ("1", "B", "no", "0", "1", "1"),
        ("1", "C", "yes", "0", "1", "1"),
        ("2", "A", "no", "0", "0", "0"),
        ("2", "B", "no", "0", "0", "0"),
        ("2", "C", "yes", "0", "1", "1"),
    ]
    assert {(r["scene"], r["question"]) for r in rows} == {("2", "How many bits?")}


def test_a_file_has_words_and_no_signs_of_markdown():
    asks = "Is the **postcode** *discrete*, or is $H(Y \\\\mid X)$ 2 * 3 * `4`?"
    scene = f'---\nask: "{asks}"\noptions: ["**yes**", "$5 and $6"]\n---\n'
    rows = csv.DictReader(
        io.StringIO(
            as_csv({0: parse(f"---\ntitle: A\n---\n{scene}").scenes[0].question}, {0: Vote.on(2)})
        )
    )
    assert [(row["question"], row["option"]) for row in rows] == [
        ("Is the postcode discrete, or is H(Y | X) 2 * 3 * 4?", option)
        for option in ("yes", "$5 and $6")
    ]


@given(st.lists(st.tuples(st.floats(0, 3), st.sampled_from("ab")), max_size=60))
def test_a_limit_lets_through_no_more_than_it_says(waits):
    now, times = 0.0, {"a": [], "b": []}
    limit = Limit(4, 2, clock=lambda: now)
    for wait, who in waits:
        now += wait
        if limit.allows(who):
            times[who].append(now)
    for seen in times.values():
        for i, first in enumerate(seen):
            for n, last in enumerate(seen[i:], 1):
                assert n <= 4 + 2 * (last - first) + 1e-9


def test_a_limit_does_not_remember_everybody():
    now = 0.0
    limit = Limit(1, 1, clock=lambda: now)
    assert sum(limit.allows(who) for who in range(limit.KEPT + 10)) == limit.KEPT
    now = 5.0  # all of them may again, so that they need not be remembered
    assert limit.allows("somebody new")
    assert len(limit.buckets) == 1
