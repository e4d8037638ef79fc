"""The exercises of lesson 8, against fractions worked by hand and what learners write."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from cases import each
from effort import some

import dtree_lab as dt
from course.laws import SOME_LEARNERS, Laws, defined, exercises_of, told
from course.sources import solved
from dtree_lab.course.checking import checked
from dtree_lab.course.lessons import guesses
from dtree_lab.course.lessons.regression.exercises import BEST_DEPTHS, NOISE, ROWS

GUESSES = guesses("regression")

AREAS, RENTS = [20, 25, 30, 40, 55, 60, 75, 110], [3, 4, 5, 6, 9, 10, 12, 15]


course = exercises_of("regression")


def spread(numbers):
    """The variance in another way: the mean squared distance of all pairs, halved."""
    pairs = [(Fraction(a) - Fraction(b)) ** 2 for a in numbers for b in numbers]
    return sum(pairs, Fraction(0)) / (2 * len(numbers) ** 2)


def slow_left(heaps):
    rows = sum(map(len, heaps))
    return sum(len(heap) * spread(heap) for heap in heaps) / rows


def slow_cuts(x, y):
    """Every best cut, in fractions."""
    costs = {}
    for low, high in pairwise(sorted(set(x))):
        sides = [
            [b for a, b in zip(x, y, strict=True) if a <= low],
            [b for a, b in zip(x, y, strict=True) if a > low],
        ]
        costs[(low + high) / 2] = slow_left(sides)
    return tuple(cut for cut, cost in costs.items() if cost == min(costs.values()))


def by_library(x, y, depth, new):
    """What a tree of the library answers."""
    columns = {"x": list(map(float, x)), "y": list(map(float, y))}
    table = dt.Table.from_columns(columns, target="y", target_kind="continuous")
    if depth == 0 or len(set(x)) == 1:
        return statistics.fmean(y)
    return dt.cart(table, max_depth=depth).predict({"x": new})


class TestRegressionExercises(Laws):
    lesson = "regression"
    others: ClassVar = {
        "variance": lambda numbers: float(spread(numbers)),
        "best-cut": lambda x, y: slow_cuts(x, y)[-1],
        "predict": by_library,
    }


# -- against numbers worked by hand ---------------------------------------------------------------


def test_the_flats_worked_on_paper():
    assert spread(RENTS) == Fraction(31, 2)
    assert slow_left([RENTS[:4], RENTS[4:]]) == Fraction(13, 4)
    assert slow_left([[10, 12], [3, 4, 5, 6, 9, 15]]) == Fraction(25, 2)
    assert GUESSES["regression/taken-away"].answer == pytest.approx(100 * 49 / 62)
    wants = [case.wants[0] for case in course("variance").task.cases]
    assert wants == pytest.approx([5 / 4, 21 / 4, 31 / 2, 8 / 3, 13 / 6, 0, 0, 38 / 9, 106 / 25, 9])


def test_the_cuts_worked_on_paper():
    wants = [case.wants for case in course("best-cut").task.cases]
    assert wants[:2] == [(47.5,), (6.5,)]
    assert wants[-2:] == [(-1.25, 1.25), (20,)]  # either end of 1 5 1 leaves 8 of the squares
    for case in course("best-cut").task.cases:
        assert case.wants == slow_cuts(*case.args)


def test_the_answers_of_the_growing_exercise_are_the_librarys():
    for case in course("predict").task.cases:
        assert case.wants[0] == pytest.approx(by_library(*case.args))
    wants = [case.wants[0] for case in course("predict").task.cases]
    assert wants[:6] == pytest.approx([8, 9 / 2, 23 / 2, 7 / 2, 15, 10])


def test_no_case_of_the_growing_exercise_hangs_on_a_tie():
    def path(x, y, depth, new):
        if depth == 0 or len(set(x)) == 1 or len(set(y)) == 1:
            return
        cuts = slow_cuts(x, y)
        assert len(cuts) == 1, (x, y)
        kept = [i for i, a in enumerate(x) if (a < cuts[0]) == (new < cuts[0])]
        path([x[i] for i in kept], [y[i] for i in kept], depth - 1, new)

    for seed in some(range(20), every=4):
        for case in course("predict").task.with_fresh(seed).cases:
            path(*case.args)


@pytest.mark.parametrize("seed", range(5))
def test_fresh_cases_agree_with_a_slow_oracle(seed):
    for case in course("variance").task.with_fresh(seed).cases:
        assert case.wants[0] == pytest.approx(float(spread(case.args[0])))
    for case in course("best-cut").task.with_fresh(seed).cases:
        assert case.wants == slow_cuts(*case.args)
    for case in course("predict").task.with_fresh(seed).cases:
        assert case.wants[0] == pytest.approx(by_library(*case.args), abs=1e-4)


@each("name", SOME_LEARNERS)
def test_everybodys_reduction_is_right(name):
    one = course("reduction").of(name)
    yes, no = one.data.values()
    assert one.task.want == pytest.approx(float(spread(yes + no) - slow_left([yes, no])))
    assert (len(yes), len(no)) == (3, 5)
    right = solved(one, name)
    assert checked(one, right).passed
    assert checked(one, round(right, 2)).passed
    assert not checked(one, right + 0.021).passed
    for mistake in one.mistakes:
        assert told(checked(one, mistake.wrong)) == [mistake.hint]


def test_the_reduction_lies_between_the_heaps():
    """As its explanation says: it is the variance of the heaps' means, each with its rows."""
    one = course("reduction").of("Ada")
    yes, no = one.data.values()
    means = [statistics.fmean(heap) for heap in (yes, no) for _ in heap]
    assert one.task.want == pytest.approx(statistics.pvariance(means))


def test_the_guesses_are_right():
    wave = dt.populations.sine(noise=0.3)
    full = dt.cart(wave.sample(100, seed=1)).error(wave.sample(1000, seed=2))
    assert GUESSES["regression/fully-grown"].answer == "well above"
    assert full == pytest.approx(0.155, abs=0.0005)
    assert full > 1.5 * 0.09
    assert GUESSES["regression/stars"].answer == "regression"
    assert GUESSES["regression/one-answer"].answer == Fraction(64, 8)


def test_a_fully_grown_tree_has_the_noise_twice_on_average():
    wave = dt.populations.sine(noise=0.3)
    withheld = wave.sample(500, seed=1000)
    errors = [dt.cart(wave.sample(100, seed=k)).error(withheld) for k in range(40)]
    assert statistics.fmean(errors) == pytest.approx(2 * 0.3**2, abs=0.01)


# -- what learners write --------------------------------------------------------------------------


def variance(numbers):
    return statistics.pvariance(numbers)


def best_cut(x, y):
    return slow_cuts(x, y)[0]


def function(name, source):
    given = {"variance": variance, "best_cut": best_cut, "pairwise": pairwise}
    space = {"dt": dt, "math": math, "np": np, "statistics": statistics, **given}
    return defined(source, name, **space)


def spreading(body):
    return "variance", "variance", f"def variance(numbers):\n    {body}\n"


CUT = """
def best_cut(x, y):
    best, least = None, float("inf")
    values = {values}
    for low, high in pairwise(values):
        cut = {cut}
        one = [b for a, b in zip(x, y) if a < cut]
        two = [b for a, b in zip(x, y) if not a < cut]
        cost = {cost}
        if cost < least:
            best, least = {kept}, cost
    return {back}
"""
PREDICT = """
def predict(x, y, depth, new):
    if {stop}:
        return {answer}
    cut = best_cut(x, y)
    kept = [i for i in range(len(x)) if {side}]
    return predict([x[i] for i in kept], {labels}, {less}, new)
"""
ONE_LESS = "len({0}) * (statistics.variance({0}) if len({0}) > 1 else 0)"
ROWS_EACH = "len(one) * variance(one) + len(two) * variance(two)"


def cutting(
    values="sorted(set(x))", cut="(low + high) / 2", cost=ROWS_EACH, kept="cut", back="best"
):
    return "best-cut", "best_cut", CUT.format_map(locals())


def growing(**parts):
    usual = {
        "stop": "depth == 0 or len(set(x)) == 1",
        "answer": "sum(y) / len(y)",
        "side": "(x[i] < cut) == (new < cut)",
        "labels": "[y[i] for i in kept]",
        "less": "depth - 1",
    }
    return "predict", "predict", PREDICT.format_map(usual | parts)


MEAN = "m = sum(numbers) / len(numbers)\n    return "
SAID = [  # what a learner wrote, and words of the only hint; none where it was not foreseen
    (spreading("return statistics.variance(numbers)"), "one less"),
    (spreading("return np.var(numbers, ddof=1)"), "one less"),
    (spreading("return statistics.pstdev(numbers)"), "the root"),
    (spreading(MEAN + "sum((y - m) ** 2 for y in numbers)"), "does not average"),
    (spreading(MEAN + "sum(y - m for y in numbers) / len(numbers)"), "cancel out"),
    (spreading(MEAN + "sum(abs(y - m) for y in numbers) / len(numbers)"), "plain distances"),
    (spreading("return sum(y ** 2 for y in numbers) / len(numbers)"), "numbers themselves"),
    (
        spreading("return 1 - sum((numbers.count(y) / len(numbers)) ** 2 for y in set(numbers))"),
        "how Gini measures",
    ),
    (spreading("return max(numbers) - min(numbers)"), "largest and the smallest"),
    (spreading("return statistics.variance(numbers) if len(numbers) > 1 else 0"), "one less"),
    (spreading("return np.var(numbers) * len(numbers) / max(len(numbers) - 1, 1)"), "one less"),
    (spreading("return statistics.stdev(numbers) if len(numbers) > 1 else 0"), "Two things"),
    (spreading("return statistics.pvariance(set(numbers))"), "keeps each number once"),
    (spreading(MEAN + "sum((y - m) * 2 for y in numbers) / len(numbers)"), "only doubles"),
    (spreading(MEAN + "max((y - m) ** 2 for y in numbers)"), "farthest"),
    (spreading(MEAN + "sum(y * y for y in numbers) - m ** 2"), "averaged, too"),
    (spreading("return statistics.pvariance(numbers[1:] or numbers)"), "first number"),
    (spreading("return statistics.stdev(numbers)"), "Two things at once"),
    (spreading(MEAN + "[(y - m) ** 2 for y in numbers]"), "one number, their mean"),
    (spreading("for y in numbers: return (y - np.mean(numbers)) ** 2 / len(numbers)"), "the loop"),
    (spreading("return sum((y - 8) ** 2 for y in numbers) / len(numbers)"), "from 8"),
    (spreading(MEAN + "sum((y - m) ** 2 for y in numbers) / 8"), "divides by 8"),
    (
        spreading("m = round(np.mean(numbers)); return np.mean((np.array(numbers) - m) ** 2)"),
        "whole",
    ),
    (cutting(back="(least / len(x), best)"), "two things"),
    (cutting(back="least"), "sum of squares"),
    (cutting(values="list(set(x))"), "no order"),
    (cutting(cost="len(two) * variance(one) + len(one) * variance(two)"), "changed places"),
    (spreading(MEAN + "sum((y - mean) ** 2 for y in numbers) / len(numbers)"), "``mean``"),
    (spreading("print(statistics.pvariance(numbers))"), "``print``"),
    (cutting(cost="variance(one) + variance(two)"), "equally large"),
    (cutting(cost="(variance(one) + variance(two)) / 2"), "equally large"),
    (cutting(kept="low"), "below the cut"),
    (cutting(kept="high"), "above the cut"),
    (cutting(back="least / len(x)"), "variance that is left"),
    (cutting(back="variance(y) - least / len(x)"), "how much variance"),
    (cutting(cost=f"-({ROWS_EACH})"), "*most* variance"),
    (cutting(cost="abs(len(one) - len(two))"), "halves the rows"),
    (cutting(cost="-abs(sum(one) / len(one) - sum(two) / len(two))"), "single row"),
    (cutting(cost="len(one) * variance(one) ** 0.5 + len(two) * variance(two) ** 0.5"), "standard"),
    (cutting(cost=f"{ONE_LESS.format('one')} + {ONE_LESS.format('two')}"), "one less"),
    (cutting(cost="max(variance(one), variance(two))"), "worse side"),
    (cutting(cost="min(variance(one), variance(two))"), "single row is always pure"),
    (cutting(cost="len(one) * variance(one)"), "single row is always pure"),
    (cutting(cost="variance(two)"), "single row is always pure"),
    (cutting(cost="max(one) - min(one) + max(two) - min(two)"), "smallest label"),
    (cutting(back="best // 1"), "whole number"),
    (
        cutting(cost="sum(abs(b - statistics.median(s)) for s in (one, two) for b in s)"),
        "from the median",
    ),
    (
        cutting(cost="sum(abs(b - statistics.mean(s)) for s in (one, two) for b in s)"),
        "from the mean",
    ),
    (growing(answer="y[min(range(len(x)), key=lambda i: abs(x[i] - new))]", stop="True"), "near"),
    (growing(answer="round(sum(y) / len(y))"), "whole number"),
    (growing(stop="len(set(x)) == 1"), "grows to the end"),
    (growing(less="depth"), "grows to the end"),
    (growing(stop="depth == 0"), "Rows with the same x"),
    (growing(stop="depth <= 1 or len(set(x)) == 1"), "too early"),
    (growing(stop="depth < 0 or len(set(x)) == 1"), "too many"),
    (growing(side="(x[i] < cut) == (new <= cut)"), "exactly at the cut"),
    (growing(side="(x[i] < cut) == (new > cut)"), "other side"),
    (growing(answer="statistics.median(y)"), "median"),
    (growing(answer="y[0]"), "one of the labels"),
    (growing(answer="max(y, key=y.count)"), "one of the labels"),
    (growing(answer="sum(y)"), "sum of their labels"),
    (
        growing(answer="sum(y)", stop="depth == 0 or len(set(x)) == 1 or len(set(y)) == 1"),
        "sum of their labels",
    ),
    (growing(side="x[i] < cut"), "wherever ``new`` lies"),
    (growing(labels="y"), ""),
    (growing(stop="False"), ""),
]


@each(("wrote", "words"), SAID)
def test_what_learners_write_gets_its_hint_and_no_other(wrote, words):
    exercise, name, source = wrote
    result = checked(course(exercise), function(name, source))
    assert not result.passed
    if words:
        assert len(told(result)) == 1, str(result)
        assert words in told(result)[0], str(result)
    else:
        assert len(told(result)) <= 1, str(result)


@pytest.mark.parametrize(
    "wrote",
    [
        spreading("return np.var(numbers)"),
        spreading("return statistics.pvariance(numbers)"),
        cutting(cost=f"({ROWS_EACH}) / len(x)"),
        growing(stop="depth == 0 or len(set(x)) == 1 or len(set(y)) == 1"),
        growing(answer="statistics.fmean(y)"),
    ],
)
def test_other_ways_are_as_good(wrote):
    exercise, name, source = wrote
    assert checked(course(exercise), function(name, source)).passed


def test_the_last_of_the_best_cuts_is_as_good_as_the_first():
    def last(x, y):
        return slow_cuts(x, y)[-1]

    assert any(len(case.wants) > 1 for case in course("best-cut").task.cases)
    assert checked(course("best-cut"), last).passed


# -- what is done in a lab -------------------------------------------------------------------------


def curves(**asked):
    lab = dt.BiasVarianceLab(population="sine", resamples=2)
    for control, value in asked.items():
        lab.act({"do": "set", "control": control, "value": value})
    return lab


@each("depth", some(range(1, 11), every=3))
def test_the_best_depths_pass_and_the_others_are_told_on_which_side_they_are(depth):
    lab = curves(noise=0.1, n=200, depth=depth)
    for form in (lab, lab.state):
        result = checked(course("depth"), form)
        assert result.passed == (depth in BEST_DEPTHS)
        if not result.passed:
            assert ("shallow" if depth < BEST_DEPTHS[0] else "deep") in told(result)[0]
            assert result.score == 1


@pytest.mark.parametrize(
    ("seed", "repeats"), [pytest.param(0, 50, marks=pytest.mark.thorough), (1, 25)]
)
def test_the_best_depths_are_those_that_the_lab_shows(seed, repeats):
    """At most 8 % above the smallest error, whatever seed and however many training sets."""
    source = dt.populations.sine(noise=NOISE)
    measured = dt.evaluate.bias_variance(
        source, dt.id3, parameter="max_depth", values=range(1, 11), n_rows=ROWS, repeats=repeats,
        seed=seed,
    )  # fmt: skip
    loss = dict(zip(range(1, 11), measured.loss, strict=True))
    near = [depth for depth, error in loss.items() if error <= 1.08 * min(loss.values())]
    assert tuple(near) == BEST_DEPTHS


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"n": 200, "depth": 6}, "noise is not"),
        ({"noise": 0.1, "depth": 6}, "number of rows"),
        ({"noise": 0.1, "n": 200, "depth": 6, "bagging": True}, "Bagging"),
        ({"source": "wave", "depth": 6}, "another population"),
    ],
)
def test_other_settings_are_named(asked, words):
    result = checked(course("depth"), curves(**asked))
    assert any(words in hint for hint in told(result)), str(result)
    assert result.score == 0


def test_an_untouched_lab_is_no_answer():
    lab = dt.BiasVarianceLab(population="sine")
    assert checked(course("depth"), lab).verdict == "NOT ANSWERED YET"
    assert checked(course("grouped"), dt.TreeBuilder(groups().table)).verdict == "NOT ANSWERED YET"


def rows():
    """As in the lesson."""
    measured = dt.datasets.penguins("drop")
    birds = {name: measured.column(name) for name in (*measured.names, "species")}
    penguins = dt.Table.from_columns(birds, target="body_mass_g")
    return dt.evaluate.holdout(penguins, seed=1)


def groups():
    return dt.grouped(rows()[0], width=500)


def off(tree):
    """The error on the known penguins, from the rows themselves."""
    return off_on(rows()[0], tree)


def off_on(penguins, tree):
    found = groups()
    squares = [
        (found.number_of(tree.predict(row)) - row["body_mass_g"]) ** 2 for row in penguins.rows()
    ]
    return math.sqrt(statistics.fmean(squares))


PAIR = [["Adelie", "Chinstrap"], ["Gentoo"]]
GOOD = {(): ("species", PAIR), (0,): "sex", (1,): "sex"}


def test_the_tree_of_the_solution_and_others_that_do_as_well():
    table = groups().table
    by_island = dt.by_hand(table, {(): "sex", (0,): ("species", PAIR), (1,): ("species", PAIR)})
    for tree in (dt.by_hand(table, GOOD), by_island):
        assert off(tree) < 340
        for form in (tree, tree.to_json()):
            result = checked(course("grouped"), form)
            assert result.passed, str(result)
            assert f"off by {off(tree):.0f} g" in str(result)
    assert 5 < off_on(rows()[1], dt.by_hand(table, GOOD)) - off(dt.by_hand(table, GOOD)) < 15


def test_the_withheld_penguins_have_no_say_in_what_passes():
    """A tree that is good enough for the withheld ones alone is told its error on the known."""
    tree = dt.cart(groups().table, max_leaves=4)
    assert off(tree) != pytest.approx(off_on(rows()[1], tree), abs=1)
    assert f"off by {off(tree):.0f} g on the known" in str(checked(course("grouped"), tree))


def test_it_can_be_grown_in_the_builder():
    from dtree_lab.labs.treebuilder.model import dump, update
    from dtree_lab.labs.treebuilder.state import Ask, start

    state = start(groups().table)
    for path, *question in (((), "species", PAIR), ((0,), "sex"), ((1,), "sex")):
        state = update(state, Ask(path, *question))
    builder = dt.TreeBuilder(groups().table, state=dump(state))
    for form in (builder, builder.state):
        result = checked(course("grouped"), form)
        assert result.passed, str(result)
        assert "grown by hand" in str(result)


def test_what_bits_would_grow_does_not_pass():
    table = groups().table
    for grower in (dt.id3, dt.c45, dt.cart):
        for k in (3, 4, 5):
            assert not checked(course("grouped"), grower(table, max_leaves=k)).passed


def test_no_hint_gives_the_tree_away():
    for mistake in course("grouped").mistakes:
        assert not any(word in mistake.hint for word in ("Gentoo", "sex", "species"))
