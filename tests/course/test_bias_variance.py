"""Lesson 7: the general laws, and what is particular to it."""

from __future__ import annotations

import statistics
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from cases import each
from effort import some

import dtree_lab as dt
from course.laws import Laws, exercises_of, hint_of, told
from course.laws import function as written
from course.sources import needed, solved
from dtree_lab.course.checking import checked
from dtree_lab.course.lessons import guesses
from dtree_lab.course.lessons.bias_variance.exercises import at, load
from dtree_lab.evaluate.decomposition import domingos, squared
from dtree_lab.labs.biasvariance.model import dump, update
from dtree_lab.labs.kit.actions import Set
from dtree_lab.populations import Chances, Numbers

GUESSES = guesses("bias-variance")

NAMES = some((f"learner {i}" for i in range(40)), every=4)


def by_numpy(predictions, truth):
    return [(np.mean(predictions) - truth) ** 2, np.var(predictions)]


def one_by_one(draw, grow, row, times):
    return tuple(grow(draw(seed)).predict(row) for seed in range(times))


def counted(predictions, truth):
    """The shares of a Counter, of which the first of its most common is the main prediction."""
    shares = {one: Fraction(n, len(predictions)) for one, n in Counter(predictions).items()}
    main = Counter(predictions).most_common(1)[0][0]
    return main != truth, float(1 - shares[main]), float(1 - shares.get(truth, 0))


class TestExercises(Laws):
    lesson = "bias-variance"
    others: ClassVar = {"squared": by_numpy, "resample": one_by_one, "zero-one": counted}


course = exercises_of("bias-variance")


def function(name, arguments, body):
    return written(f"{name}({arguments})", body.strip(), np=np)


# -- the bakery, counted another way ---------------------------------------------------------------

SALES = {"workday": (1, 3), "holiday": (5, 7)}
DAYS = [(day, sold) for day, both in SALES.items() for sold in both]


def answer_by_rule(sample, day, depth):
    """What a leaf (depth 0) or a tree says, by its rule and without any tree."""
    own = [sold for seen, sold in sample if seen == day and depth] or [sold for _, sold in sample]
    return Fraction(sum(own), len(own))


def parts(day, depth, n):
    said = [answer_by_rule(sample, day, depth) for sample in product(DAYS, repeat=n)]
    best = Fraction(sum(SALES[day]), 2)
    main = sum(said) / len(said)
    noise = sum((t - best) ** 2 for t in SALES[day]) / 2
    return noise, (best - main) ** 2, sum(y * y for y in said) / len(said) - main**2


@pytest.mark.parametrize("day", SALES)
def test_the_bakerys_fractions(day):
    assert parts(day, 0, 2) == (1, 4, Fraction(5, 2))
    assert parts(day, 1, 2) == (1, 1, Fraction(15, 4))
    assert parts(day, 0, 3) == (1, 4, Fraction(5, 3))


def test_the_lesson_computes_these_fractions():
    lesson = needed("bias-variance/three-days", "expected, says")
    assert lesson["expected"] == {"leaf": Fraction(15, 2), "tree": Fraction(23, 4)}
    for (name, day), said in lesson["says"].items():
        depth = {"leaf": 0, "tree": 1}[name]
        assert said == [answer_by_rule(sample, day, depth) for sample in product(DAYS, repeat=2)]


def test_the_error_of_a_tree_of_three_days_is_told_apart():
    """One sample in eight has no workday in it: worked out over all 64."""
    error = float(sum(parts("workday", 1, 3)))
    result = checked(course("three-days"), error)
    assert "may ask for the day" in told(result)[0]
    assert abs(error - 20 / 3) > 0.1


def test_three_days_cost_seven_and_a_half_less_five_sixths():
    assert course("three-days").task.want == pytest.approx(7.5 - 5 / 6)
    assert course("three-days").task.want == pytest.approx(float(sum(parts("workday", 0, 3))))


# -- numbers of the learner's own ------------------------------------------------------------------


@each("name", NAMES)
def test_five_trees_by_their_distances_from_the_best_answer(name):
    one = course("five-trees").of(name)
    best, noise = one.data["best answer"], one.data["noise variance"]
    distances = [(y - best) ** 2 for y in one.data["predictions"]]
    assert one.task.want == pytest.approx(noise + sum(distances) / 5)
    assert len({round(m.wrong, 2) for m in one.mistakes} | {round(one.task.want, 2)}) == 13


@each("name", NAMES)
def test_a_noisy_row_by_counting_a_thousand_pairs(name):
    one = course("noisy-row").of(name)
    right, turned = (round(100 * share) for share in one.data.values())
    trees = [True] * right + [False] * (100 - right)
    labels = [False] * turned + [True] * (100 - turned)
    wrong = sum(tree != label for tree in trees for label in labels)
    assert one.task.want == pytest.approx(wrong / 10_000)


def test_another_learners_number_does_not_pass():
    numbers = {
        checked(course("five-trees").of(n), course("five-trees").of(n).task.want).passed
        for n in NAMES
    }
    assert numbers == {True}
    others = [
        checked(course("five-trees").of(n), course("five-trees").of("Ada").task.want).passed
        for n in NAMES
    ]
    assert sum(others) <= 3


def test_the_variance_of_an_average_is_the_mean_of_all_covariances():
    """The lesson's formula, on numbers of which each pair has the same covariance, counted."""
    shared, own = (0, 6), (-3, 3)  # what a training set gives to all its trees, and to each alone
    n = 3
    worlds = [(s, *each) for s in shared for each in product(own, repeat=n)]
    trees = [[s + one for one in each] for s, *each in worlds]
    sigma2 = statistics.pvariance([said[0] for said in trees])
    means = [said[0] for said in trees], [said[1] for said in trees]
    rho = statistics.correlation(*means)
    average = statistics.pvariance([Fraction(sum(said), n) for said in trees])
    assert (sigma2, rho) == (18, pytest.approx(1 / 2))
    assert float(average) == pytest.approx(rho * sigma2 + (1 - rho) * sigma2 / n) == 12


def test_how_alike_trees_are_that_leave_a_half():
    rho = GUESSES["bias-variance/rho"].answer
    assert rho + (1 - rho) / 10 == pytest.approx(1 / 2)


# -- the functions against the library -------------------------------------------------------------


def cases(name, seeds=range(20)):
    task = course(name).task
    yield from task.cases
    for seed in seeds:
        yield from task.with_fresh(seed).cases[len(task.cases) :]


def test_the_two_parts_are_the_librarys():
    """Which divides by one less, and takes from the bias² what it adds to the variance."""
    grid = dt.populations.sine().grid(1)
    for case in cases("squared"):
        said, truth = case.args
        ((bias2, variance),) = case.wants  # judged one by one, and both are those of a pair
        assert variance == pytest.approx(statistics.pvariance(said), abs=1e-9)
        if len(said) > 1:
            numbers = [[float(y)] for y in said]
            its = squared(*map_to_arrays(numbers, grid, truth))
            share = its.variance[0] / len(said)
            assert its.variance[0] - share == pytest.approx(variance, abs=1e-9)
            assert its.bias[0] + share == pytest.approx(bias2, abs=1e-9)


def map_to_arrays(numbers, grid, truth):
    zero, one = np.zeros(1), np.ones(1)
    return np.array(numbers), Numbers(grid, one, one * truth, zero)


def test_the_three_parts_are_domingos():
    for case in cases("zero-one"):
        said, truth = case.args
        kinds = sorted({*said, truth})
        codes = np.array([[kinds.index(one)] for one in said])
        p = np.eye(len(kinds))[[kinds.index(truth)]]
        its = domingos(codes, Chances(dt.populations.sine().grid(1), np.ones(1), p))
        found = its.bias[0], its.variance[0], its.loss[0]
        assert any(found == pytest.approx(tuple(map(float, want))) for want in case.wants)


def test_in_a_tie_either_may_be_the_main_prediction_and_a_truth_value_will_do():
    def zero_one(last, kind):
        def answer(said, truth):
            order = reversed(said) if last else said
            main = Counter(order).most_common(1)[0][0]
            n = len(said)
            off = sum(one != main for one in said), sum(one != truth for one in said)
            return [kind(main != truth), off[0] / n, off[1] / n]

        return answer

    for last in (True, False):
        for kind in (int, bool, float):
            assert checked(course("zero-one"), zero_one(last, kind)).passed


def test_the_learners_loop_and_parts_measure_what_the_library_measures():
    world = dt.populations.sine(noise=0.3)
    row = {"x": 0.25}
    said = solved(course("resample"))(
        lambda seed: world.sample(100, seed=seed),
        lambda rows: dt.id3(rows, max_depth=1),
        row,
        100,
    )
    bias2, variance = solved(course("squared"))(said, 1.0)
    spot = world.truth(
        dt.Table.from_rows([row | {"y": 0.0}], target="y", kinds={"y": "continuous"})
    )
    its = dt.evaluate.bias_variance(world, dt.id3, max_depth=1, repeats=100, test=spot.table)
    assert bias2 == pytest.approx(its.bias, abs=0.03)
    assert variance == pytest.approx(its.variance, abs=0.02)


# -- what learners write ---------------------------------------------------------------------------

PARTS = "main = sum(predictions) / len(predictions)\n"
WHOLE = "m = sum(predictions) // len(predictions)\n"
SUM = "sum((p - {}) ** 2 for p in predictions)"
BIAS2 = "(main - truth) ** 2"
NP = "main = np.mean(predictions)\nreturn (main - truth) ** 2, "
LOOP = "said = []\n{}for seed in range({}):\n    {}\n    tree = grow(rows)\n    said.append({})\n"
EACH = "for s in range(times):\n    "
MAIN = "main = max(set(predictions), key=predictions.count)\nn = len(predictions)\n"
V = "sum(p != main for p in predictions) / n"
E = "sum(p != truth for p in predictions) / n"

SAID = [  # the exercise, its arguments, what a learner wrote, and words of the first hint
    ("squared", PARTS + f"return main - truth, {SUM.format('main')} / len(predictions)", "square"),
    ("squared", PARTS + f"return {BIAS2}, {SUM.format('truth')} / len(predictions)", "own"),
    ("squared", NP + "np.var(predictions, ddof=1)", "one less"),
    ("squared", NP + "np.std(predictions)", "root"),
    ("squared", PARTS + f"return (main - truth) ** 2, {SUM.format('main')}", "not divide"),
    ("squared", "return (predictions[0] - truth) ** 2, np.var(predictions)", "one prediction"),
    ("squared", PARTS + "b = main - truth\nv = np.var(predictions)\nprint(b, v)", "``return``"),
    ("squared", "p = np.array(predictions) - truth\nreturn np.mean(p**2), p.var()", "afterwards"),
    ("resample", LOOP.format("rows = draw(0)\n", "times", "pass", "tree.predict(row)")
     + "return said", "one training set"),
    ("resample", LOOP.format("", "1, times + 1", "rows = draw(seed)", "tree.predict(row)")
     + "return said", "seed 1"),
    ("resample", LOOP.format("", "times", "rows = draw(seed)", "tree.predict(row)")
     + "    return said", "first tree"),
    ("resample", LOOP.format("", "times", "rows = draw(seed)", "tree")
     + "return said", "the trees"),
    ("resample", LOOP.format("", "times", "rows = draw(seed)", "tree.predict(row)")
     + "return np.mean(said)", "the mean"),
    ("resample", LOOP.format("", "times", "rows = draw()", "tree.predict(row)")
     + "return said", "wants a seed"),
    ("zero-one", MAIN + f"return int(main != truth), {E}, {E}", "from what"),
    ("zero-one", MAIN + f"b = int(main != truth)\nv = {V}\nreturn b, v, b + v", "more than all"),
    ("zero-one", MAIN + f"b = int(main != truth)\nv = {V}\nreturn b, v, abs(b - v)", "three"),
    ("zero-one", MAIN + f"return int(main == truth), {V}, {E}", "wrong way round"),
    ("zero-one", MAIN + f"return {E}, {V}, {E}", "0 or 1"),
    ("zero-one", MAIN.replace("len(predictions)", "1") + f"return int(main != truth), {V}, {E}",
     "shares"),
    ("squared", PARTS + f"return {BIAS2}", "one number"),
    ("squared", "return np.var(predictions)", "one number"),
    ("squared", PARTS + f"b, v = {BIAS2}, np.var(predictions)\nreturn b, v, b + v", "three"),
    ("squared", PARTS + f"return {BIAS2}, sum(p - main for p in predictions)", "cancel"),
    ("squared", f"main = np.median(predictions)\nreturn {BIAS2}, np.var(predictions)", "median"),
    ("squared", PARTS + "return main - truth ** 2, np.var(predictions)", "Brackets"),
    ("squared", PARTS + "return (main - truth) ^ 2, np.var(predictions)", "something else"),
    ("squared", PARTS.replace(" / len(predictions)", "")
     + f"return {BIAS2}, {SUM.format('main')} / len(predictions)", "makes a mean"),
    ("resample", "return [grow(draw(s)).predict(row) for s in times]", "needs something"),
    ("resample", "return [grow(draw(s)).predict(row) for s in range(1, times)]", "tree too few"),
    ("resample", "return [grow.predict(row) for s in range(times)]", "no tree"),
    ("resample", "return [grow(draw).predict(row) for s in range(times)]", "itself"),
    ("resample", "return {grow(draw(s)).predict(row) for s in range(times)}", "order of the seeds"),
    ("resample", "return (grow(draw(s)).predict(row) for s in range(times))", "generator"),
    ("resample", "for s in range(times):\n    yield grow(draw(s)).predict(row)", "generator"),
    ("resample", "said = []\n" + EACH + "said = said.append(grow(draw(s)).predict(row))\n"
     + "return said", "lost the list"),
    ("resample", "rows, said = [], []\n" + EACH + "rows = rows + draw(s)\n"
     + "    said.append(grow(rows).predict(row))\nreturn said", "earlier seeds"),
    ("zero-one", MAIN + f"return main != truth, {E}, {E}", "from what"),
    ("zero-one", MAIN + f"return main == truth, {V}, {E}", "wrong way round"),
    ("zero-one", MAIN + f"return int(main != truth), {E}, {V}", "changed places"),
    ("zero-one", MAIN + f"return main != truth, {V}", "third is missing"),
    ("zero-one", MAIN + f"return main != truth, 100 * {V}, 100 * {E}", "per cent"),
    ("zero-one", MAIN + f"b = main != truth\nv = {V}\nreturn b, v, b - v", "below 0"),
    ("zero-one", MAIN + f"main = max(predictions)\nreturn main != truth, {V}, {E}", "alphabet"),
    ("zero-one", MAIN + f"main = predictions[0]\nreturn main != truth, {V}, {E}", "first tree"),
    ("zero-one", MAIN + f"main = max(map(predictions.count, predictions))\n"
     f"return main != truth, {V}, {E}", "no class"),
    ("zero-one", MAIN + f"e = {E}\nreturn e > 0.5, min(e, 1 - e), e", "two classes only"),
    ("zero-one", MAIN + f"e = {E}\nreturn main != truth, e * (1 - e), e", "products"),
    ("squared", WHOLE + f"return (m - truth) ** 2, {SUM.format('m')} / len(predictions)",
     "``//``"),
    ("squared", NP + "max(predictions) - min(predictions)", "range"),
    ("squared", PARTS + "return main - truth, np.std(predictions)", "Both numbers"),
    ("zero-one", MAIN + f"return main != truth, (len(set(predictions)) - 1) / n, {E}", "different"),
    ("zero-one", MAIN + f"b = int(main != truth)\nreturn b, {V}, b", "that of the main"),
    ("zero-one", MAIN.replace("max(set(predictions)", "min(predictions")
     + f"return main != truth, {V}, {E}", "said least"),
    ("zero-one", MAIN + f"return main != truth, {V.replace('/ n', '/ max(n - 1, 1)')}, {E}",
     "one less"),
    ("resample", "return [grow(draw(s)).predict(row) for s in reversed(range(times))]", "last to"),
    ("resample", "return [(s, grow(draw(s)).predict(row)) for s in range(times)]", "as well"),
    ("resample", "return [grow(draw(times)).predict(row)]", "single tree"),
]  # fmt: skip
ARGUMENTS = {"squared": "predictions, truth", "resample": "draw, grow, row, times"}


@each(("name", "body", "words"), SAID)
def test_what_learners_write_gets_its_hint(name, body, words):
    exercise = course(name)
    arguments = ARGUMENTS.get(name, "predictions, truth")
    assert words in hint_of(exercise, function(exercise.answer, arguments, body))


def test_every_wrong_choice_gets_a_hint_that_fits():
    for name in ("which-part", "more-rows"):
        questions = course(name).task.questions
        for choice in product(*(question.options for question in questions)):
            result = checked(course(name), choice)
            assert result.passed or told(result), choice
            if choice[1] != questions[1].right:
                assert not any("reason is a good one" in hint for hint in told(result))


@each("name", NAMES)
def test_slips_with_ones_own_numbers_get_their_hints(name):
    five = course("five-trees").of(name)
    said, best, noise = five.data.values()
    mean, middle = statistics.mean(said), statistics.median(said)
    apart = statistics.mean([(y - best) ** 2 for y in said])
    about_middle = statistics.mean([(y - middle) ** 2 for y in said])
    slips = {
        "bias² alone": (mean - best) ** 2,
        "variance of the five alone": statistics.pvariance(said),
        "counted the variance twice": noise + apart + statistics.pvariance(said),
        "middle one": noise + (middle - best) ** 2 + about_middle,
    }
    for words, wrong in slips.items():
        assert words in told(checked(five, wrong))[0]
    noisy = course("noisy-row").of(name)
    right, turned = noisy.data.values()
    slips = {
        "tree is right": right,
        "per cent": 100 * noisy.task.want,
        "they agree": right * (1 - turned),
        "took the noise away": 1 - right - turned,
    }
    for words, wrong in slips.items():
        assert words in told(checked(noisy, wrong))[0]


# -- what is done in the lab -----------------------------------------------------------------------


def played(lab, *moves):
    """What a learner hands in who has moved some controls of a lab."""
    state = load(lab.state)
    for control, value in moves:
        state = update(state, Set(control, value))
    return dump(state)


def sine(resamples=30):
    return dt.BiasVarianceLab(population="sine", resamples=resamples)


def test_untouched_labs_are_not_answered():
    for name, lab in {"deep-best": sine(), "bag-best": sine(20)}.items():
        assert checked(course(name), lab).verdict == "NOT ANSWERED YET"
        assert checked(course(name), lab.state).verdict == "NOT ANSWERED YET"


@pytest.mark.thorough  # the exercise's solution is one such world
@pytest.mark.parametrize(
    ("noise", "n", "depth"), [(0.0, 100, 10), (0.04, 200, 8), (0.08, 500, 6), (0.1, 100, 6)]
)
def test_any_world_in_which_a_deep_tree_is_best_will_do(noise, n, depth):
    text = played(sine(), ("noise", noise), ("n", n), ("depth", depth))
    assert checked(course("deep-best"), text).passed
    its = dt.evaluate.bias_variance(
        dt.populations.sine(noise=noise), dt.id3, n_rows=n, repeats=30,
        parameter="max_depth", values=range(1, 11),
    )  # fmt: skip
    assert its.values[int(its.loss.argmin())] == depth
    elsewhere = checked(course("deep-best"), played(sine(), ("noise", noise), ("n", n)))
    assert elsewhere.score == 2
    assert "slider stands elsewhere" in told(elsewhere)[0]


def test_a_shallow_best_depth_earns_nothing_for_standing_there():
    result = checked(course("deep-best"), played(sine(), ("n", 120), ("depth", 4)))
    assert "least at depth 4" in result.lines[0].says
    assert result.score == 1  # for the training sets


@pytest.mark.thorough  # the exercise's own mistakes get these hints, too
def test_what_keeps_a_deep_tree_from_being_best_is_named():
    noisy = checked(course("deep-best"), played(sine(), ("n", 500), ("depth", 8)))
    assert "by heart" in told(noisy)[0]
    few = checked(course("deep-best"), played(sine(), ("noise", 0.08), ("n", 20), ("depth", 8)))
    assert "hardly" in told(few)[0]


@pytest.mark.thorough  # the exercise's solution is one such world
@pytest.mark.parametrize("source", ["wave", "diagonal", "circle", "checkerboard"])
def test_bagged_deep_trees_win_where_classes_have_no_straight_boundary(source):
    moves = ("source", source), ("bagging", True), ("depth", 9)
    assert checked(course("bag-best"), played(sine(20), *moves)).passed
    single = checked(course("bag-best"), played(sine(20), *moves[:1], moves[2]))
    assert not single.passed
    assert "switch" in told(single)[0]


@pytest.mark.thorough
def test_on_the_noisy_sine_they_do_not():
    result = checked(course("bag-best"), played(sine(20), ("bagging", True), ("depth", 10)))
    assert result.score == pytest.approx(3 * 3 / 4)
    assert "little to win" in told(result)[0]


def test_bagging_is_measured_as_the_library_measures_it():
    state = at(source="circle", depth=8, bagging=True, resamples=20)
    line = checked(course("bag-best"), state).lines[3].says
    asked = {"n_rows": 100, "repeats": 20, "decomposition": "kohavi-wolpert"}
    circle = dt.populations.circle(noise=0.1)
    together = dt.evaluate.bias_variance(circle, dt.id3, max_depth=8, bagged=10, **asked)
    alone = dt.evaluate.bias_variance(
        circle, dt.id3, parameter="max_depth", values=range(1, 11), **asked
    )
    assert f"bagged: {together.loss:.3f}; of the best single trees: {min(alone.loss):.3f}" in line


def test_a_lab_of_another_kind_or_world_is_a_clear_line():
    own = dt.BiasVarianceLab(population=dt.populations.wave(height=0.1))
    for lab in (own, dt.PlaneLab(), dt.BiasVarianceLab(dt.datasets.tax_fraud())):
        for name in ("deep-best", "bag-best"):
            result = checked(course(name), lab)
            assert not result.passed
            assert result.lines[0].says.startswith("the answer cannot be read: "), str(result)
