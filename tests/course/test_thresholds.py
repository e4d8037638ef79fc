"""The exercises of lesson 5: numbers worked another way, what learners write, labs replayed."""

from __future__ import annotations

import math
import statistics
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from cases import each

import dtree_lab as dt
from course.laws import NAMES, SOME_LEARNERS, Laws, exercise_of, hint_of, told
from dtree_lab.course.checking import checked
from dtree_lab.course.lessons.thresholds import exercises
from dtree_lab.course.lessons.thresholds.exercises import (
    best_cuts,
    midpoints,
    two_species,
    whole_penguins,
)
from dtree_lab.course.tasks.do import n_wrong
from dtree_lab.labs.kit.actions import Point, Press, Set
from dtree_lab.labs.plane import model as plane_text
from dtree_lab.labs.plane.model import start as plane_start
from dtree_lab.labs.plane.model import update as plane_update
from dtree_lab.labs.threshold import model as threshold_text
from dtree_lab.labs.threshold.model import start as threshold_start
from dtree_lab.labs.threshold.model import update as threshold_update

CANDIDATES = exercise_of("thresholds/candidates")
BEST_CUT = exercise_of("thresholds/best-cut")
FEATURES = exercise_of("thresholds/binary-features")
SEARCH = exercise_of("thresholds/best-threshold")
CROSSING = exercise_of("thresholds/crossing")
GAUSSIAN = exercise_of("thresholds/gaussian")
HALF_WAY = exercise_of("thresholds/half-way")
STAIRCASE = exercise_of("thresholds/staircase")
SMALL_TREE = exercise_of("thresholds/small-tree")
MANY_NAMES = SOME_LEARNERS


def walked_in_the_library(values, labels):
    """Where the library's search cuts."""
    return dt.sorted_search(dt.Table.from_columns({"x": values, "y": labels}, target="y")).cut


def crossing_by_halving(plus, minus, variance, p, tau=1):
    """Where the ratio is tau, by halving an interval: apart from the formula of the lesson."""

    def log_ratio(x):
        return math.log(p / (1 - p)) + ((x - minus) ** 2 - (x - plus) ** 2) / (2 * variance)

    low, high = -1e6, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        more = log_ratio(middle) > math.log(tau)
        low, high = (low, middle) if more == (plus > minus) else (middle, high)
    return (low + high) / 2


def halves_between(values):
    """Each value with the next larger one."""
    larger = {one: [other for other in values if other > one] for one in values}
    return sorted((one + min(others)) / 2 for one, others in larger.items() if others)


class TestExercises(Laws):
    lesson = "thresholds"
    others: ClassVar = {
        "candidates": halves_between,
        "binary-features": lambda values, cuts: np.less.outer(values, cuts).astype(int).tolist(),
        "best-threshold": walked_in_the_library,
        "gaussian": crossing_by_halving,
    }


# -- numbers, worked another way -------------------------------------------------------------------


def gains_by_library(table, name):
    found = {cut: dt.information_gain(table, name, cut) for cut in midpoints(table.column(name))}
    most = max(found.values())
    return [cut for cut, gain in found.items() if gain > most - 1e-9]


@each("name", [*NAMES, *MANY_NAMES])
def test_the_best_cut_is_the_one_that_the_library_finds(name):
    one = BEST_CUT.of(name)
    table = dt.Table.from_columns(one.data, target="tired")
    assert gains_by_library(table, "hours") == [one.task.want]
    assert dt.sorted_search(table).cut == one.task.want


@each("name", MANY_NAMES)
def test_everybody_compares_three_changes_among_eight_rows(name):
    one = BEST_CUT.of(name)
    labels = [tired for _, tired in sorted(zip(*one.data.values(), strict=True))]
    assert len(labels) == 8
    assert sum(a != b for a, b in pairwise(labels)) == 3
    assert one.data["hours"] != sorted(one.data["hours"])
    assert not any(one.task.judge(one.task.run(m.wrong))[0].passed for m in one.mistakes)


@each("name", MANY_NAMES)
def test_a_midpoint_inside_a_run_is_told_so(name):
    one = BEST_CUT.of(name)
    rows = sorted(zip(*one.data.values(), strict=True))
    inside = [(a + b) / 2 for (a, p), (b, q) in pairwise(rows) if p == q]
    assert len(inside) == 4
    for cut in inside:
        assert "the label is the same" in hint_of(one, cut)


def test_what_has_nothing_to_do_with_entropy_is_nobodys_best_cut():
    for name in (*NAMES, *MANY_NAMES):
        one = BEST_CUT.of(name)
        rows = sorted(zip(*one.data.values(), strict=True))
        hours = [hour for hour, _ in rows]
        places = midpoints(hours)
        jumps = [b - a for a, b in pairwise(hours)]

        def wrong_rows(cut, rows=rows):
            sides = [[t for h, t in rows if (h < cut) == below] for below in (True, False)]
            return sum(min(side.count("yes"), side.count("no")) for side in sides)

        beside = {
            "halves": {statistics.median(hours)},
            "widest gap": {
                cut for cut, jump in zip(places, jumps, strict=True) if jump == max(jumps)
            },
            "fewer rows wrong": {
                cut for cut in places if wrong_rows(cut) == min(map(wrong_rows, places))
            },
        }
        for words, cuts in beside.items():
            assert one.task.want not in cuts, (name, words)
        assert all("fewer rows wrong" in hint_of(one, cut) for cut in beside["fewer rows wrong"])


def test_second_hints_do_not_hold_the_solution():
    for name, words in {
        "thresholds/candidates": ("sorted(set(values))", "pairwise"),
        "thresholds/small-tree": ("flipper", "bill", "island"),
        "bias-variance/zero-one": ("key=predictions.count",),
    }.items():
        assert not any(word in exercise_of(name).more for word in words), name


@each("name", [*NAMES, *MANY_NAMES])
def test_the_crossing_is_the_formulas(name):
    one = CROSSING.of(name)
    plus, minus, variance, more, fewer = one.data.values()
    theta = (plus + minus) / 2 + variance / (plus - minus) * math.log(fewer / more)
    assert one.task.want == pytest.approx(theta)
    assert not any(one.task.judge(one.task.run(m.wrong))[0].passed for m in one.mistakes)


def test_the_incomes_of_the_lecture_cross_where_the_page_says():
    # Means 90 and 110, variance 17900/10, priors 3/10 and 7/10.
    assert crossing_by_halving(90, 110, 1790, 0.3) == pytest.approx(100 - 89.5 * math.log(7 / 3))
    fit = dt.gaussian_thresholds(dt.datasets.tax_fraud(), "Taxable Income", equal_variance=True)
    assert fit.crossings == pytest.approx([24.1668], abs=1e-4)
    assert fit.split is None  # every income lies above it


def test_the_crossing_is_where_the_densities_times_the_priors_are_equal():
    theta = crossing_by_halving(10, 4, 9, 0.25, 3)

    def density(mean):
        return math.exp(-((theta - mean) ** 2) / 18) / math.sqrt(18 * math.pi)

    assert density(10) * 0.25 / (density(4) * 0.75) == pytest.approx(3)


def test_the_slow_search_agrees_with_the_library_on_penguins():
    table = whole_penguins()
    for name in ("bill_depth_mm", "flipper_length_mm"):
        assert best_cuts(table.column(name), table.column("species")) == pytest.approx(
            gains_by_library(table, name)
        )


def test_nine_features_can_be_asked_and_two_stand_at_the_ends():
    tax = dt.datasets.tax_fraud()
    columns = {"Income": tax.column("Taxable Income"), "Cheat": tax.column("Cheat")}
    features = dt.binary_features(dt.Table.from_columns(columns, target="Cheat"))
    assert said_right("features", 11)
    assert len(features.names) == 11
    constant = [name for name in features.names if len(set(features.column(name))) == 1]
    assert constant == [features.names[0], features.names[-1]]


def said_right(about, guess):
    return dt.course.reveal(guess, about=f"thresholds/{about}").verdict == "AS YOU SAID"


def test_the_guesses_are_what_the_library_counts():
    tax = dt.datasets.tax_fraud()
    labels = [y for _, y in sorted(zip(*map(tax.column, ("Taxable Income", "Cheat")), strict=True))]
    assert said_right("changes", sum(a != b for a, b in pairwise(labels)))
    hundred, thousand = (
        dt.naive_search(dt.populations.diagonal(noise=0).sample(m, seed=1)).operations
        for m in (100, 1000)
    )
    assert said_right("times", thousand / hundred)
    assert said_right("times", 100)
    assert not said_right("times", 10)
    assert said_right("wrong", labels.count("Yes"))
    turns = {"x": list(range(64)), "y": ["ab"[i % 2] for i in range(64)]}
    assert said_right("longest", dt.id3(dt.Table.from_columns(turns, target="y")).depth)


def test_what_is_said_of_bells_and_species():
    """Adelies are more frequent and spread more widely; Gentoos' weights are two bells."""
    rows = list(whole_penguins().rows())
    for measure in ("bill_depth_mm", "body_mass_g"):
        adelie, chinstrap = (
            [row[measure] for row in rows if row["species"] == name]
            for name in ("Adelie", "Chinstrap")
        )
        assert len(adelie) > len(chinstrap)
        assert statistics.pstdev(adelie) > statistics.pstdev(chinstrap)
        # As wide as the others and no wider, they would not win everywhere.
        table = dt.Table.from_columns(
            {
                "x": [*adelie, *chinstrap],
                "y": ["A"] * len(adelie) + ["C"] * len(chinstrap),
            },
            target="y",
        )
        assert not dt.gaussian_thresholds(table, "x").crossings
        assert dt.gaussian_thresholds(table, "x", equal_variance=True).crossings
    female, male = (
        [r["body_mass_g"] for r in rows if (r["species"], r["sex"]) == ("Gentoo", sex)]
        for sex in ("female", "male")
    )
    apart = statistics.mean(male) - statistics.mean(female)
    # Two bells of about one width make two humps once their means are two deviations apart.
    assert apart > 2 * max(statistics.pstdev(female), statistics.pstdev(male))


def test_the_two_trees_differ_only_about_new_rows():
    both = dt.reduction(whole_penguins())
    assert both.holds
    assert both.same_rows
    row = both.table.row(0) | {
        "flipper_length_mm": 190.0,
        "bill_length_mm": 43.3,
        "island": "Dream",
    }
    assert "< 43.35" in str(both.original.explain(row))
    answers = {f"bill_length_mm < {cut}": row["bill_length_mm"] < cut for cut in (43.35, 43.25)}
    assert list(answers.values()) == [True, False]


# -- what learners write ---------------------------------------------------------------------------


def with_a_set_only(values):
    ordered = list(dict.fromkeys(values))
    return [(ordered[i] + ordered[i + 1]) / 2 for i in range(len(ordered) - 1)]


def returns_in_the_loop(values):
    for low, high in pairwise(sorted(set(values))):
        return [(low + high) / 2]
    return []


def no_brackets(values):
    ordered = sorted(set(values))
    return [ordered[i] + ordered[i + 1] / 2 for i in range(len(ordered) - 1)]


def one_too_far(values):
    ordered = sorted(set(values))
    return [(ordered[i] + ordered[i + 1]) / 2 for i in range(len(ordered))]


def keeps_equals(values):
    ordered = sorted(values)
    return [(ordered[i] + ordered[i + 1]) / 2 for i in range(len(ordered) - 1)]


@each(
    ("answer", "says"),
    [
        (with_a_set_only, "the order in which they were given"),
        (returns_in_the_loop, "inside the loop"),
        (no_brackets, "brackets"),
        (one_too_far, "past the end"),
        (keeps_equals, "equal values"),
        (lambda values: sorted(set(values))[1:], "values of the column itself"),
        (lambda values: np.diff(np.unique(values)), "distances"),
        (lambda values: sorted({(a + b) / 2 for a, b in pairwise(sorted(values))}), "equal values"),
        (lambda values: [(a + b) / 2 for a, b in pairwise(list(set(values)))], "no order"),
        (
            lambda values: [int((a + b) / 2) for a, b in pairwise(np.unique(values))],
            "whole numbers",
        ),
        (lambda values: midpoints(values)[:-1], "at one of the ends"),
        (lambda values: [(min(values) + max(values)) / 2], "middle of all"),
        (lambda values: list(pairwise(values.sort())), "returns nothing"),
        (lambda values: [(None + x) / 2 for x in values], "as if it were a number"),
        (lambda values: [x for x in values if x > None], "as if it were a number"),
        (lambda values: [statistics.median(values)], "median"),
        (lambda values: [sum(values) / len(values)], "mean of all"),
        (lambda values: list(pairwise(sorted(set(values)))), "pairs"),
        (lambda values: ((a + b) / 2 for a, b in pairwise(sorted(set(values)))), "generator"),
        (
            lambda values: sorted((a + b) / 2 for a, b in pairwise(dict.fromkeys(values))),
            "should have put the values",
        ),
    ],
)
def test_candidates_hint(answer, says):
    assert says in hint_of(CANDIDATES, answer)


@pytest.mark.parametrize(
    "answer",
    [
        lambda values: (np.unique(values)[1:] + np.unique(values)[:-1]) / 2,
        lambda values: tuple((a + b) / 2 for a, b in pairwise(sorted(set(values)))),
    ],
)
def test_candidates_may_be_arrays_and_tuples(answer):
    assert checked(CANDIDATES, answer).passed


def swaps_the_loops(values, thresholds):
    return [[1 if x < theta else 0 for x in values] for theta in thresholds]


def appends_to_one_list(values, thresholds):
    found = []
    for x in values:
        for theta in thresholds:
            found += [1 if x < theta else 0]
    return found


def fills_one_row(values, thresholds):
    rows, row = [], []
    for x in values:
        row.extend(1 if x < theta else 0 for theta in thresholds)
        rows.append(row)
    return rows


def returns_one_entry(values, thresholds):
    for x in values:
        for theta in thresholds:
            return 1 if x < theta else 0
    return []


@each(
    ("answer", "says"),
    [
        (swaps_the_loops, "Rows and columns"),
        (appends_to_one_list, "one long list"),
        (lambda v, t: [[1 if x <= theta else 0 for theta in t] for x in v], "exactly a threshold"),
        (lambda v, t: [[1 if x >= theta else 0 for theta in t] for x in v], "Ones and zeros"),
        (lambda v, t: [[1 if x > theta else 0 for theta in t] for x in v], "Ones and zeros"),
        (lambda v, t: [["yes" if x < theta else "no" for theta in t] for x in v], "Texts"),
        (lambda v, t: [sum(x >= theta for theta in t) for x in v], "interval"),
        (lambda v, t: [[str(int(x < theta)) for theta in t] for x in v], "Texts"),
        (
            lambda v, t: [int(x < theta) for x, theta in zip(v, t, strict=False)],
            "*every* threshold",
        ),
        (lambda v, t: [[1 for theta in t if x < theta] for x in v], "zeros are missing"),
        (lambda v, t: [[int(x < theta) for theta in t] for x in sorted(v)], "in order first"),
        (lambda v, t: [[int(x < b) for b in sorted(t)] for x in v], "thresholds in order first"),
        (fills_one_row, "one and the same list"),
        (
            lambda v, t: [[int(x < b) for b in sorted(t)] for x in sorted(v)],
            "values and thresholds",
        ),
        (lambda v, t: [[x, *(int(x < b) for b in t)] for x in v], "value itself"),
        (lambda v, t: [[1 if x < b else -1 for b in t] for x in v], "-1"),
        (lambda v, t: {x: [int(x < b) for b in t] for x in v}, "dict"),
        (lambda v, t: ([int(x < b) for b in t] for x in v), "generator"),
        (returns_one_entry, "inside the loops"),
    ],
)
def test_features_hint(answer, says):
    assert says in hint_of(FEATURES, answer)


@pytest.mark.parametrize(
    "answer",
    [
        lambda v, t: [[x < theta for theta in t] for x in v],
        lambda v, t: (np.array(v)[:, None] < np.array(t)).astype(int),
        lambda v, t: np.array(v)[:, None] < np.array(t),
    ],
)
def test_features_may_be_truths_and_arrays(answer):
    assert checked(FEATURES, answer).passed


def arranged(values, labels, slip):
    if slip == "sorts apart":
        return list(zip(sorted(values), labels, strict=True))
    rows = list(zip(values, labels, strict=True))
    return rows if slip == "no sort" else sorted(rows)


def weights_of(below, n, slip):
    """The weights of both sides, where so many of n rows lie below."""
    if slip == "no weights":
        return [1, 1]
    share = (below - (slip == "off by one")) / n
    return [1 - share, share] if slip == "swapped" else [share, 1 - share]


def skips(low, high, slip):
    """Whether there is no cut between two neighbours."""
    alike = low[0] == high[0] and slip != "equals"
    return alike or (slip == "changes only" and low[1] == high[1])


def quick_entropy(counts):
    """In plain Python, which takes a few numbers sooner than arrays do."""
    n = sum(counts)
    return -sum(k / n * math.log2(k / n) for k in counts)


def quick_gini(counts):
    n = sum(counts)
    return 1 - sum((k / n) ** 2 for k in counts)


def walks(values, labels, slip=""):
    """What a learner writes who walks the cut, with places for slips."""
    rows = arranged(values, labels, slip)
    below = dict.fromkeys(labels, 0)
    above = {name: labels.count(name) for name in below}
    measure = quick_gini if slip == "gini" else quick_entropy
    tried = []
    for i, (low, high) in enumerate(pairwise(rows)):
        if slip == "uncounted" and low[0] == high[0]:
            continue
        below[low[1]] += 1
        above[low[1]] -= slip != "stays above"
        if skips(low, high, slip):
            continue
        n_below = sum(below.values()) if slip == "uncounted" else i + 1
        weights = weights_of(n_below, len(rows), slip)
        bits = [measure([n for n in side.values() if n]) for side in (below, above)]
        left = round(sum(w * h for w, h in zip(weights, bits, strict=True)), 12)
        place = {"low": low[0], "high": high[0]}.get(slip, (low[0] + high[0]) / 2)
        tried.append((-left if slip == "worst" else left, place))
    least, best = min(tried)
    return (best, least) if slip == "both" else best


def test_walking_all_cuts_is_right_and_fast_enough():
    assert checked(SEARCH, walks).passed


def counts_afresh(values, labels):
    best = None
    for cut in sorted(set(values))[1:]:
        below = [label for value, label in zip(values, labels, strict=True) if value < cut]
        above = [label for value, label in zip(values, labels, strict=True) if value >= cut]
        left = sum(
            len(side) * dt.entropy([side.count(name) for name in set(side)])
            for side in (below, above)
        )
        if best is None or left < best[0] - 1e-9:
            best = left, (cut + max(value for value in values if value < cut)) / 2
    return best[1]


@each(
    ("slip", "says"),
    [
        ("no sort", "once, at the start"),
        ("sorts apart", "its own label"),
        ("equals", "same value"),
        ("no weights", "equally large"),
        ("low", "last value below"),
        ("high", "first value above"),
        ("worst", "*most* entropy"),
        ("gini", "Gini"),
        ("changes only", "rows of several classes"),
        ("uncounted", "must be counted"),
        ("stays above", "still above"),
        ("off by one", "off by one"),
        ("swapped", "changed places"),
        ("both", "two things"),
    ],
)
def test_search_hint(slip, says):
    assert says in hint_of(SEARCH, lambda v, y: walks(v, y, slip))


def test_the_widest_gap_is_told_so():
    def widest(values, _):
        return max((b - a, (a + b) / 2) for a, b in pairwise(sorted(values)))[1]

    assert "widest gap" in hint_of(SEARCH, widest)


def test_too_slow_is_not_said_to_be_right_elsewhere():
    result = checked(SEARCH, lambda v, y: counts_afresh(v, y) + 1)
    assert "8,000 rows take too long" in " ".join(told(result))
    assert "right" not in " ".join(told(result))


def test_counting_afresh_is_right_and_too_slow():
    result = checked(SEARCH, counts_afresh)
    assert "how many counts change" in told(result)[0]
    assert sum(line.passed is False for line in result.lines) == 1


def test_search_accepts_every_cut_that_is_as_good():
    at, tied = next((i, c) for i, c in enumerate(SEARCH.task.cases) if len(c.wants) > 1)
    for want in tied.wants:
        outcomes = SEARCH.task.run(lambda *_, w=want: w)
        assert SEARCH.task.judge(outcomes)[at].passed


def test_search_may_use_numpy():
    def answer(values, labels):
        order = np.argsort(values, kind="stable")
        x, y = np.array(values)[order], np.array(labels)[order]
        one_hot = (y[:, None] == np.unique(y)).astype(float)
        below = one_hot.cumsum(axis=0)[:-1]
        above = one_hot.sum(axis=0) - below

        def bits(counts):
            total = counts.sum(axis=1, keepdims=True)
            share = counts / total
            logs = np.log2(np.where(share > 0, share, 1))
            return -(share * logs).sum(axis=1) * total[:, 0]

        left = np.where(x[1:] != x[:-1], bits(below) + bits(above), np.inf)
        at = int(left.argmin())
        return (x[at] + x[at + 1]) / 2

    assert checked(SEARCH, answer).passed


@each(
    ("answer", "says"),
    [
        (lambda a, b, *_: (a + b) / 2, "always goes half-way"),
        (
            lambda a, b, v, p, t=1: (a + b) / 2 - v / (a - b) * math.log(t * (1 - p) / p),
            "wrong way",
        ),
        (lambda a, b, v, p, t=1: (a + b) / 2 + v / (a - b) * math.log2(t * (1 - p) / p), "base 2"),
        (lambda a, b, v, p, _t=1: (a + b) / 2 + v / (a - b) * math.log((1 - p) / p), "τ out"),
        (lambda a, b, v, _p, t=1: (a + b) / 2 + v / (a - b) * math.log(t), "priors out"),
        (
            lambda a, b, v, p, t=1: (a + b) / 2 + v**0.5 / (a - b) * math.log(t * (1 - p) / p),
            "root",
        ),
        (
            lambda a, b, v, p, t=1: (a + b) / 2 + v / (b - a) * math.log(t * (1 - p) / p),
            "wrong way",
        ),
        (lambda a, b, v, p, t=1: a + b / 2 + v / (a - b) * math.log(t * (1 - p) / p), "brackets"),
        (lambda a, b, v, p, t=1: v / (a - b) * math.log(t * (1 - p) / p), "step alone"),
        (
            lambda a, b, v, p, t=1: (a + b) / 2 + v / (a - b) * math.log(t * 1 - p / p),
            "needs brackets",
        ),
        (lambda a, b, _v, p, _t=1: a * p + b * (1 - p), "two means by the priors"),
        (
            lambda a, b, v, p, t=1: (a + b) / 2 + v / (a - b) ** 2 * math.log(t * (1 - p) / p),
            "squared",
        ),
        (
            lambda a, b, v, p, t=1: (a - b) / 2 + v / (a - b) * math.log(t * (1 - p) / p),
            "half their",
        ),
        (
            lambda a, b, v, p, t=1: (a + b) / 2 + v / (a - b) * math.log(t * p / (1 - p)),
            "upside down",
        ),
        (
            lambda a, b, v, p, t=1: (a + b) / 2 + v / (a - b) * t * math.log((1 - p) / p),
            "before the logarithm",
        ),
        (
            lambda a, b, v, _p, t=1: (a + b) / 2 + v / (a - b) * math.log(t * 0.7 / 0.3),
            "7/3",
        ),
    ],
)
def test_gaussian_hint(answer, says):
    assert says in hint_of(GAUSSIAN, answer)


# -- what is done in the labs ----------------------------------------------------------------------


def cutting(*actions):
    state = threshold_start(two_species())
    for action in actions:
        asked = Set("cut", state.fit.crossings[-1]) if action == "crossing" else action
        state = threshold_update(state, asked)
    return threshold_text.dump(state)


ONE_VARIANCE = Set("equal", value=True)
EQUAL = (ONE_VARIANCE, Set("priors", "equal"))


@pytest.mark.parametrize("cut", ["43.829", "43.8", 43.9, "43,75"])
def test_half_way_between_the_means_is_the_crossing(cut):
    assert checked(HALF_WAY, cutting(*EQUAL, Set("cut", cut))).passed


def test_half_way_is_what_the_page_says():
    table = two_species()
    lengths, species = table.column("bill_length_mm"), np.array(table.column("species"))
    means = [np.mean(np.array(lengths)[species == name]) for name in table.classes]
    assert means == pytest.approx([38.824, 48.834], abs=5e-4)
    assert sum(means) / 2 == pytest.approx(43.829, abs=5e-4)


@each(
    ("actions", "says", "points"),
    [
        ((Set("priors", "equal"), "crossing"), "of its own", 2),
        ((ONE_VARIANCE, "crossing"), "shares of the rows", 2),
        (("crossing",), "of its own", 1),
        ((*EQUAL, Press("best")), "*gain* is highest", 2),
        ((*EQUAL, Set("cut", 50)), "does not stand", 2),
        ((*EQUAL, Set("cut", 43.6)), "does not stand", 2),
        ((*EQUAL, Set("tau", 1.0), "crossing"), "τ has been moved", 2),
        ((*EQUAL, Set("tau", 1.0), Set("cut", 43.83)), "τ has been moved", 2),
    ],
)
def test_half_way_missed(actions, says, points):
    result = checked(HALF_WAY, cutting(*actions))
    assert says in " ".join(told(result))
    assert result.score == pytest.approx(points)


def test_an_untouched_lab_is_no_answer():
    assert checked(HALF_WAY, cutting()).verdict == "NOT ANSWERED YET"
    assert checked(STAIRCASE, plane_text.dump(plane_start())).verdict == "NOT ANSWERED YET"


def test_the_notebooks_own_table_is_the_one_that_is_checked():
    whole = dt.datasets.penguins(missing="drop")
    pair = whole.take([i for i, k in enumerate(whole.labels) if whole.classes[k] != "Gentoo"])
    columns = {name: pair.column(name) for name in ("bill_length_mm", "species")}
    lab = dt.ThresholdLab(dt.Table.from_columns(columns, target="species"))
    lab.act({"do": "set", "control": "equal", "value": True})
    assert checked(HALF_WAY, lab).score > 0


def test_a_state_of_another_table_is_refused_in_words():
    lab = dt.ThresholdLab(dt.datasets.tax_fraud(), "Taxable Income")
    lab.act({"do": "best"})
    (line, *_) = checked(HALF_WAY, lab).lines
    assert "cannot be read" in line.says


NEAR = [(0.1, 0.8, 0), (0.3, 0.6, 0), (0.5, 0.4, 0), (0.7, 0.2, 0)]
ACROSS = [(0.2, 0.9, 1), (0.4, 0.7, 1), (0.6, 0.5, 1), (0.8, 0.3, 1)]


def test_a_staircase_by_clicks():
    assert checked(STAIRCASE, exercises.lab_with_points([*NEAR, *ACROSS])).passed


def test_a_staircase_along_the_other_diagonal_by_the_lab():
    lab = dt.PlaneLab()
    lab.act({"do": "clear"})
    for who, points in (("1", NEAR), ("2", ACROSS)):
        lab.act({"do": "set", "control": "click", "value": who})
        for x, y, _ in points:
            lab.act({"do": "point", "part": "plane", "x": 1 - x, "y": y})
    assert checked(STAIRCASE, lab).passed
    assert checked(STAIRCASE, lab.state).passed


def test_eleven_points_are_too_many():
    more = [(0.9, 0.95, 1), (0.95, 0.9, 1), (0.9, 0.9, 1)]
    result = checked(STAIRCASE, exercises.lab_with_points([*NEAR, *ACROSS, *more]))
    assert not result.passed
    assert result.score == 2
    assert "More points than allowed" in told(result)[0]
    assert "starts with" not in " ".join(told(result))


@pytest.mark.parametrize("pairs", [2, 3])
def test_a_staircase_that_is_too_short_is_not_said_to_need_one_cut(pairs):
    points = [*NEAR[:pairs], *ACROSS[:pairs]]
    assert 2 < exercises.leaves(plane_text.load(exercises.lab_with_points(points))) < 5
    assert "staircase has begun" in hint_of(STAIRCASE, exercises.lab_with_points(points))


def test_a_preset_drawn_small_is_still_too_large():
    state = plane_update(plane_start(), Set("preset", "staircase"))
    state = plane_update(state, Set("number", 20.0))
    assert "Clear" in hint_of(STAIRCASE, plane_text.dump(state))


@each(
    ("points", "slanting"),
    [
        ([*NEAR, *ACROSS], True),
        ([(0.1, 0.1, 0), (0.9, 0.9, 0), (0.5, 0.5, 1)], False),
        ([(0.1, 0.9, 0), (0.9, 0.1, 1)], True),
        ([(0.2, 0.2, 0), (0.2, 0.2, 1)], False),
        ([(0.2, 0.2, 0)], False),
        ([], False),
    ],
)
def test_what_a_slanting_line_parts(points, slanting):
    state = plane_text.load(exercises.lab_with_points(points))
    assert exercises.slanted(state) is slanting


def test_the_leaves_are_those_that_the_lab_shows():
    lab = dt.PlaneLab(state=exercises.lab_with_points([*NEAR, *ACROSS]))
    lab.act({"do": "set", "control": "depth", "value": 12})
    assert lab.tree.n_leaves == exercises.leaves(plane_text.load(lab.state)) >= 5


def test_a_point_more_can_be_undone():
    state = plane_update(plane_start(), Point("plane", 0.2, 0.3))
    state = plane_update(state, Press("undo"))
    assert checked(STAIRCASE, plane_text.dump(state)).verdict == "NOT ANSWERED YET"


def test_small_trees_of_any_shape_pass():
    whole = whole_penguins()
    other = dt.by_hand(
        whole,
        {
            (): ("island", [["Biscoe"], ["Dream", "Torgersen"]]),
            (0,): ("flipper_length_mm", 206.5),
            (1,): ("bill_length_mm", 43.35),
            (1, 1): ("island", [["Dream"], ["Biscoe", "Torgersen"]]),
        },
    )
    for tree in (other, dt.cart(whole, max_leaves=5)):
        result = checked(SMALL_TREE, tree)
        assert result.passed, str(result)


def test_a_builder_with_a_tree_cut_back_passes():
    builder = dt.TreeBuilder(whole_penguins())
    assert checked(SMALL_TREE, builder).verdict == "NOT ANSWERED YET"


@each(
    ("tree", "says"),
    [
        (dt.cart, "only a handful"),
        (dt.c45, "only a handful"),
        (lambda t: dt.id3(t, max_depth=1), "room for more"),
        (lambda t: dt.cart(t, max_leaves=3), "room for more"),
        (lambda t: dt.id3(t, max_leaves=5), "islands say the same"),
        (lambda t: dt.c45(t, max_leaves=5), "same species on both sides"),
    ],
)
def test_small_tree_missed(tree, says):
    assert says in hint_of(SMALL_TREE, tree(whole_penguins()))


def test_the_worked_small_tree_has_nine_nodes_and_nine_wrong():
    tree = dt.cart(whole_penguins(), max_leaves=5)
    assert (tree.n_nodes, n_wrong(tree, whole_penguins())) == (9, 9)
