"""Lesson 9: stumps, the bootstrap and boosting."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import ClassVar

import numpy as np
import pytest
from cases import each
from effort import some

import dtree_lab as dt
from course.laws import LEARNERS, SOME_LEARNERS, Laws, exercises_of, told
from course.laws import function as written
from dtree_lab.course.checking import checked
from dtree_lab.course.lessons import guesses
from dtree_lab.course.lessons.boosting.adaboost import walk_at
from dtree_lab.course.lessons.boosting.bagging import letters, measure_at
from dtree_lab.images.showing import png
from dtree_lab.labs.kit.actions import Press, Set
from dtree_lab.labs.stepthrough.model import WalkSettings, dump, start, update
from dtree_lab.labs.treebuilder import model as builder_model
from dtree_lab.labs.treebuilder import model as builder_text
from dtree_lab.labs.treebuilder import state as builder_state
from dtree_lab.labs.treebuilder.state import Ask, Finish

GUESSES = guesses("boosting")


def round_in_fractions(weights, wrong):
    """Each side gets one half, and its rows keep their proportions."""
    exact = [Fraction(w) / sum(map(Fraction, weights)) for w in weights]
    sides = {
        side: sum(w for w, b in zip(exact, wrong, strict=True) if b == side) for side in (0, 1)
    }
    new = [float(w / sides[b] / 2) for w, b in zip(exact, wrong, strict=True)]
    return math.log(sides[0] / sides[1]) / 2, new


def left_by_library(sizes, left, rate):
    """What the library leaves over, which says how much was there and how much is gone."""
    mean = sum(map(Fraction, left)) / len(left)
    table = dt.Table.from_columns({"m2": sizes, "left": left}, "left", target_kind="continuous")
    boosted = dt.gradient_boosting(table, rounds=1, rate=1, max_depth=1)
    says = [float(answer) for answer in boosted.predict(table)]
    assert math.isclose(boosted.start, mean, abs_tol=1e-12)
    return [x - rate * answer for x, answer in zip(left, says, strict=True)]


def stump_of_all(xs, labels, weights):
    """Every cut either way round, each looked at alone."""
    found = []
    for low, high in pairwise(sorted(set(xs))):
        for below in (-1, 1):
            said = np.where(np.array(xs) <= low, below, -below)
            found.append(((low + high) / 2, below, float(np.dot(weights, said != labels))))
    return min(found, key=lambda one: one[2])


class TestExercises(Laws):
    lesson = "boosting"
    others: ClassVar = {
        "best-stump": stump_of_all,
        "round": round_in_fractions,
        "left-over": left_by_library,
        "vote": lambda answers, alphas: max(
            (1, -1), key=lambda y: np.dot(np.equal(answers, y), alphas)
        ),
        "bootstrap": lambda rows, rng: list(rng.choice(rows, len(rows))),
        "out-of-bag": lambda n, drawn: set(range(n)).difference(drawn),
    }


course = exercises_of("boosting")


def function(name, body):
    return written(name, body, math=math, np=np)


# -- numbers worked another way -------------------------------------------------------------------


def test_the_three_rounds_of_the_lesson_in_fractions_and_by_the_library():
    signs = "+++---++--"
    weights, errors = [Fraction(1, 10)] * 10, []
    for cut, below in ((3.5, "+"), (8.5, "+"), (6.5, "-")):
        other = "-" if below == "+" else "+"
        wrong = [(below if x < cut else other) != signs[x - 1] for x in range(1, 11)]
        errors.append(sum(w for w, bad in zip(weights, wrong, strict=True) if bad))
        weights = [w * (1 / errors[-1] if b else 1 / (1 - errors[-1])) / 2 for w, b in zip(weights, wrong, strict=True)]  # fmt: skip  # noqa: E501
    assert errors == [Fraction(1, 5), Fraction(3, 16), Fraction(5, 26)]
    assert sum(weights) == 1
    ten = dt.Table.from_columns({"x": list(range(1, 11)), "y": list(signs)}, target="y")
    boosted = dt.adaboost(ten, n_stumps=3, criterion="error")
    assert boosted.errors == pytest.approx([float(e) for e in errors])
    alphas = [math.log((1 - e) / e) / 2 for e in errors]
    assert [w / 2 for w in boosted.weights] == pytest.approx(alphas)
    assert boosted.staged_error(ten).tolist() == pytest.approx([0.2, 0.3, 0])


@each("learner", SOME_LEARNERS)
def test_a_heavier_row_by_all_four_steps(learner):
    exercise = course("heavier", learner)
    data = exercise.data
    weights = [Fraction(w).limit_denominator(40) for w in data["weights"]]
    assert sum(weights) == 1
    error = sum(weights[i] for i in data["wrong"])
    alpha = math.log(float((1 - error) / error)) / 2
    signs = [1 if i in data["wrong"] else -1 for i in range(6)]
    scaled = [float(w) * math.exp(s * alpha) for w, s in zip(weights, signs, strict=True)]
    assert exercise.task.want == pytest.approx(scaled[data["row"]] / sum(scaled))
    wrongs = [m.wrong for m in exercise.mistakes]
    assert all(abs(w - exercise.task.want) > 0.003 for w in wrongs)


def test_the_row_that_is_asked_for_is_a_wrong_one_for_some_and_a_right_one_for_others():
    data = [course("heavier", learner).data for learner in LEARNERS]
    wrong = sum(one["row"] in one["wrong"] for one in data)
    assert len(LEARNERS) / 4 < wrong < 3 * len(LEARNERS) / 4


@each("learner", SOME_LEARNERS)
def test_left_out_by_counting_all_samples_or_by_drawing(learner):
    exercise = course("left-out", learner)
    n, d = exercise.data["rows"], exercise.data["draws"]
    if n**d <= 50_000:
        samples = list(product(range(n), repeat=d))
        share = sum(0 not in s for s in samples) / len(samples)
        assert exercise.task.want == pytest.approx(share)
    else:
        drawn = np.random.default_rng(0).integers(0, n, (40_000, d))
        assert exercise.task.want == pytest.approx((drawn != 0).all(axis=1).mean(), abs=0.015)
    assert d != n


def test_the_numbers_that_differ_are_equally_hard():
    for name, low, high in (("heavier", 0.05, 0.45), ("left-out", 0.05, 0.75)):
        wants = [course(name, learner).task.want for learner in LEARNERS]
        assert low < min(wants) <= max(wants) < high
        assert len({round(w, 6) for w in wants}) > 15


def test_the_fewest_errors_of_the_letters_are_three_and_the_longest_bar_has_four():
    table = letters()
    errors = {}
    for name in ("Links", "Capitals"):
        values = sorted(set(table.column(name)))
        for low, high in pairwise(values):
            cut = (low + high) / 2
            errors[name, cut] = dt.by_hand(table, {(): (name, cut)}).error(table) * 12
    errors["Known sender", ""] = dt.by_hand(table, {(): "Known sender"}).error(table) * 12
    least = min(errors.values())
    assert least == pytest.approx(3)
    assert [k for k, e in errors.items() if e < least + 0.5] == [("Links", 4.5)]
    assert dt.compare(table).best.attribute.name == "Known sender"
    assert errors["Known sender", ""] == pytest.approx(4)


def test_the_stumps_wanted_are_those_of_adaboost_with_these_weights():
    for case in course("best-stump").task.cases:
        xs, labels, weights = case.args
        table = dt.Table.from_columns({"x": xs, "y": ["p" if y > 0 else "n" for y in labels]}, "y")
        first = dt.adaboost(table, n_stumps=1, criterion="error", weights=weights)
        # AdaBoost's stump may also say the same of all rows, as one that asks may not.
        same_of_all = min(np.dot(weights, np.equal(labels, y)) for y in (1, -1))
        least = min(case.wants[0][1], same_of_all)
        assert least == pytest.approx(first.errors[0], abs=1e-9)


# -- what learners write --------------------------------------------------------------------------

STUMP = """best = None
values = sorted({values})
for low, high in zip(values, values[1:]):
    cut = (low + high) / 2
    for below in {ways}:
        error = {error}
        if best is None or error {better} best[2]:
            best = (cut, below, error)
return best"""
WEIGHED = "sum(w for x, y, w in zip(xs, labels, weights) if (below if x < cut else -below) != y)"
COUNTED = WEIGHED.replace("sum(w for", "sum(1 / len(xs) for")
HEAVIER = "(1 if sum(w * y for x, y, w in zip(xs, labels, weights) if x < cut) > 0 else -1,)"
RIGHT_ONES = WEIGHED.replace("!= y", "== y")
ROUND = """e = {error}
a = {alpha}
new = [w * math.exp({up} if bad else {down}) for w, bad in zip(weights, wrong)]
return a, {back}"""
GOOD = {
    "error": "sum(w for w, bad in zip(weights, wrong) if bad)",
    "alpha": "math.log((1 - e) / e) / 2",
    "up": "a",
    "down": "-a",
    "back": "[w / sum(new) for w in new]",
}


def stump(**other):
    made = {"values": "set(xs)", "ways": "(1, -1)", "error": WEIGHED, "better": "<"} | other
    return function("best_stump(xs, labels, weights)", STUMP.format(**made))


def one_round(**other):
    return function("one_round(weights, wrong)", ROUND.format(**(GOOD | other)))


def sample(body):
    return function("bootstrap(rows, rng)", f"n = len(rows)\nreturn {body}")


def rest(body):
    return function("out_of_bag(n, drawn)", f"return {body}")


def voted(body):
    return function("vote(answers, alphas)", body)


def offered(body):
    """A search whose cuts and labels, or whose outcome, are got by the lines given."""
    head = "found = []\n"
    loop = """
for cut in cuts:
    for below in (1, -1):
        said = [below if x < cut else -below for x in xs]
        found.append((cut, below, sum(w for s, y, w in zip(said, labels, weights) if s != y)))
"""
    cuts, _, end = body.partition(";")
    end = end or "return min(found, key=lambda one: one[2])"
    return function("best_stump(xs, labels, weights)", f"{head}{cuts}{loop}{end}")


MIDDLES = "v = sorted(set(xs))\ncuts = [(a + b) / 2 for a, b in zip(v, v[1:])]"
SHORT_CUT = """e = sum({unit} for w, bad in zip(weights, wrong) if bad)
return math.log((1 - e) / e) / 2, [{bad} if b else {right} for w, b in zip(weights, wrong)]"""


def short_cut(unit="w", bad="w / (2 * e)", right="w / (2 * (1 - e))"):
    return function("one_round(weights, wrong)", SHORT_CUT.format(unit=unit, bad=bad, right=right))


BEST = "best = min(found, key=lambda one: one[2])\n"
SAID = [  # the exercise, what a learner wrote, and words of the first hint
    ("best-stump", stump(error=COUNTED), "*weigh*"),
    ("best-stump", stump(ways="(1,)"), "one way round"),
    ("best-stump", stump(ways=HEAVIER), "what is heavier there"),
    ("best-stump", offered("cuts = [x + 0.5 for x in sorted(set(xs))]"), "beyond all rows"),
    ("best-stump", stump(error=RIGHT_ONES, better=">"), "gets right"),
    ("best-stump", stump(better=">"), "largest error"),
    ("best-stump", lambda *r: stump()(*r)[1:], "Three things"),
    ("best-stump", lambda *r: [*stump()(*r), 1], "Three things"),
    ("best-stump", stump(ways="(-1,)"), "one way round"),
    ("best-stump", stump(error=f"{WEIGHED} / len(xs)"), "shares already"),
    ("best-stump", offered(f"{MIDDLES};return found[0]"), "first stump"),
    ("best-stump", offered(f"{MIDDLES};{BEST}return best[0], -best[1], best[2]"), "*below*"),
    ("best-stump", offered(f"{MIDDLES};{BEST}return best[0], str(best[1]), best[2]"), "number 1"),
    ("best-stump", offered(f"{MIDDLES};{BEST}return best[1], best[0], best[2]"), "in this order"),
    ("best-stump", offered(f"{MIDDLES}[:-1] or [2]"), "never tries the last cut"),
    ("best-stump", offered(f"{MIDDLES};found = found[-2:]\n{BEST}return best"), "forgotten"),
    ("best-stump", offered("cuts = [x + 0.5 for x in xs[:-1]]"), "do not come in order"),
    ("best-stump", offered("xs = sorted(xs)\ncuts = [x + 0.5 for x in xs[:-1]]"), "their row"),
    ("round", short_cut(bad="w * 2 * e", right="w * 2 * (1 - e)"), "*divides*"),
    ("round", short_cut(bad="w / (2 * (1 - e))", right="w / (2 * e)"), "changed places"),
    ("round", short_cut(bad="w / e", right="w / (1 - e)"), "all together 2"),
    ("round", short_cut(unit="1 / len(wrong)"), "*number*"),
    ("round", one_round(alpha="math.log10((1 - e) / e) / 2"), "natural one"),
    ("round", one_round(alpha="math.log(1 - e / e) / 2"), "brackets"),
    ("round", one_round(error="sum(weights[i] for i in wrong)"), "list of positions"),
    ("round", lambda *r: short_cut()(*r)[1], "in this order"),
    ("round", lambda *r: short_cut()(*r)[::-1], "in this order"),
    (
        "round",
        lambda *r: (round(short_cut()(*r)[0], 3), [round(w, 3) for w in short_cut()(*r)[1]]),
        "rounded too early",
    ),
    (
        "round",
        one_round(back="[new.__setitem__(i, w / sum(new)) or new[i] for i, w in enumerate(new)]"),
        "Work the sum out once",
    ),
    ("round", one_round(back="new"), "do not sum to 1"),
    ("round", one_round(alpha="math.log2((1 - e) / e) / 2"), "natural one"),
    ("round", one_round(alpha="math.log((1 - e) / e)"), "½ of alpha is missing"),
    ("round", one_round(alpha="math.log((1 - e) / e)", down="0"), "twice"),
    ("round", one_round(alpha="math.log(e / (1 - e)) / 2"), "upside down"),
    ("round", one_round(up="-a", down="a"), "become heavier and the wrong ones lighter"),
    ("round", one_round(down="0"), "by half of what it takes"),
    ("round", one_round(error="sum(wrong) / len(wrong)"), "*number*"),
    ("round", one_round(up="0"), "Only one side"),
    ("round", one_round(back="[w / max(new) for w in new]"), "by the largest"),
    ("round", short_cut(bad="0.5 / sum(wrong)", right="0.5 / (len(wrong) - sum(wrong))"), "equal"),
    ("vote", voted("return 1 if np.dot(answers, alphas) > 0.5 else -1"), "border"),
    ("out-of-bag", rest("[i + 1 for i in range(n) if i not in drawn]"), "one too high"),
    ("out-of-bag", rest("[i for i in drawn if drawn.count(i) == 1]"), "exactly once"),
    ("vote", voted("return 1 if sum(answers) > 0 else -1"), "counts heads"),
    ("vote", voted("return sum(s * a for s, a in zip(answers, alphas))"), "sum itself"),
    ("vote", voted("return sum(s * a for s, a in zip(answers, alphas)) > 0"), "truth value"),
    ("vote", voted("return answers[np.argmax(alphas)]"), "alone"),
    ("vote", voted("return 1 if np.dot(answers, alphas) > sum(alphas) / 2 else -1"), "border"),
    ("vote", voted("return 1 if np.dot(answers, alphas) > 0 else 0"), "gives 0"),
    ("vote", voted("return '+' if np.dot(answers, alphas) > 0 else '-'"), "a text"),
    (
        "vote",
        voted("for s, a in zip(answers, alphas):\n    return 1 if s * a > 0 else -1"),
        "first",
    ),
    (
        "vote",
        voted(
            "for s, a in zip(answers, alphas):\n    t = 0\n    t += s * a\n"
            "return 1 if t > 0 else -1"
        ),
        "last stump",
    ),
    ("vote", voted("return 1 if sum(alphas) > 0 else -1"), "without what the stumps say"),
    ("vote", voted("return 1 if np.dot(answers, np.abs(alphas)) > 0 else -1"), "negative alpha"),
    ("vote", voted("return 1 if np.dot(answers, np.maximum(alphas, 0)) > 0 else -1"), "negative"),
    ("vote", voted("return max(sorted(set(answers)), key=answers.count)"), "counts heads"),
    ("bootstrap", sample("rng.choice(rows)"), "draws once"),
    ("bootstrap", sample("rng.integers(n)"), "draws once"),
    ("bootstrap", sample("[rows[rng.integers(1, n + 1)] for _ in rows]"), "not there"),
    ("bootstrap", sample("{rows[rng.integers(n)] for _ in rows}"), "only once"),
    ("bootstrap", sample("rng.choice(rows, 1000)"), "not as many"),
    ("bootstrap", sample("rng.choice(rows, n, replace=False)"), "*without* replacement"),
    ("bootstrap", sample("list(rng.permutation(rows))"), "*without* replacement"),
    (
        "bootstrap",
        sample("[rows[i] for i in rng.integers(0, n - 1, n)] if n > 1 else rows"),
        "upper end",
    ),
    ("bootstrap", sample("[rng.choice(rows)] * n"), "repeated"),
    ("bootstrap", sample("[rows[i] for i in np.random.default_rng(7).integers(0, n, n)]"), "same"),
    ("bootstrap", sample("list(np.random.choice(rows, n))"), "Asked twice"),
    ("bootstrap", sample("rng.integers(0, n, n)"), "positions"),
    ("bootstrap", sample("list(set(rng.choice(rows, n)))"), "not as many"),
    ("out-of-bag", rest("[i for i in range(n) if i in drawn]"), "*in* the bag"),
    ("out-of-bag", rest("n - len(set(drawn))"), "how many"),
    ("out-of-bag", rest("[i for i in range(1, n) if i not in drawn] + [n]"), "from 1"),
    ("out-of-bag", rest("[i for i in range(n) if drawn.count(i) != 1]"), "twice"),
    ("out-of-bag", rest("[i for i in range(len(drawn)) if i not in drawn]"), "number of draws"),
    ("out-of-bag", rest("[i not in drawn for i in range(n)]"), "whether it was left out"),
    ("out-of-bag", rest("[i for i in range(1, n) if i not in drawn]"), "begin at 0"),
    ("out-of-bag", rest("[i for i in range(n + 1) if i not in drawn]"), "begin at 0"),
    ("out-of-bag", rest("set(drawn) - set(range(n))"), "Nothing is ever left"),
    ("out-of-bag", rest("[i for i in range(n) for d in drawn if i != d]"), "*all*"),
    ("out-of-bag", rest("next(([i] for i in range(n) if i not in drawn), None)"), "ends at the"),
    ("out-of-bag", rest("[i for i in range(n - 1) if i not in drawn]"), "last row"),
]


@each(("name", "wrote", "words"), SAID)
def test_what_learners_write_gets_its_hint_first(name, wrote, words):
    result = checked(course(name), wrote)
    assert not result.passed
    assert told(result), str(result)
    assert words in told(result)[0], str(result)


NUMBERS = [  # of "heavier": the factor of wrong and of right rows, how it is divided, and the hint
    (lambda r: (r, 1 / r), False, "factor is right"),
    (lambda r: (r * r, r**-2), True, "½ of alpha is missing"),
    (lambda r: (1 / r, r), True, "become lighter and the right ones heavier"),
    (lambda r: (r, 1), True, "Only one side"),
    (lambda r: (1, 1 / r), True, "Only one side"),
    (lambda r: (1, 1), True, "before the round"),
]


@each("learner", LEARNERS[:9])
def test_wrong_numbers_get_their_hint_first(learner):
    exercise = course("heavier", learner)
    data = exercise.data
    bad = [i in data["wrong"] for i in range(6)]
    e = sum(w for w, is_ in zip(data["weights"], bad, strict=True) if is_)
    for factors, divided, words in NUMBERS:
        up, down = factors(math.sqrt((1 - e) / e))
        pairs = zip(data["weights"], bad, strict=True)
        new = [w * (up if is_ else down) for w, is_ in pairs]
        given = new[data["row"]] / (sum(new) if divided else 1)
        assert words in told(checked(exercise, given))[0], words
    exercise = course("left-out", learner)
    n, d = exercise.data["rows"], exercise.data["draws"]
    assert "*not* put back" in told(checked(exercise, (n - d) / n))[0]
    assert "very many rows" in told(checked(exercise, math.e ** (-d / n)))[0]
    assert "at *every* draw" in told(checked(exercise, 1 / n**d))[0]
    # 0 is what comes of taking single chances off until nothing is left, too.
    (hint,) = told(checked(exercise, 0))
    assert "drawn for certain" in hint


def test_a_method_is_never_blamed_for_a_reason_that_was_not_given():
    for reason in (2, 3, 4):
        (hint,) = told(checked(course("which-help"), ("B", reason)))
        assert "your reason" not in hint.lower()
        assert [hint] == told(checked(course("which-help"), ("A", reason)))


@pytest.mark.parametrize("name", ["best-stump", "round", "out-of-bag", "bootstrap"])
def test_the_hints_bear_hidden_cases(name):
    exercise = course(name)
    hidden = replace(exercise, task=exercise.task.with_fresh(1))
    for mistake in exercise.mistakes:
        assert not checked(hidden, mistake.wrong).passed


FINE = [
    ("best-stump", stump()),
    ("best-stump", stump(ways="(-1, 1)", better="<=")),  # ties the other way round
    ("best-stump", lambda *r: list(stump()(*r))),
    ("vote", voted("return 1 if np.dot(answers, alphas) >= 0 else -1")),
    ("best-stump", offered("cuts = [x + 0.5 for x in sorted(set(xs))[:-1]]")),
    ("round", short_cut()),
    ("out-of-bag", rest("sorted(set(range(n)) ^ set(drawn))")),
    ("round", one_round(up="2 * a", down="0")),
    ("round", lambda *r: [one_round()(*r)[0], np.array(one_round()(*r)[1])]),
    ("vote", voted("return int(np.sign(np.dot(answers, alphas)))")),
    ("bootstrap", sample("rng.choice(rows, n)")),
    ("bootstrap", sample("[rows[int(n * rng.random())] for _ in range(n)]")),
    ("bootstrap", sample("[rows[i] for i in rng.integers(0, n, n)]")),
    ("out-of-bag", rest("set(range(n)) - set(drawn)")),
    ("out-of-bag", rest("np.setdiff1d(np.arange(n), drawn)")),
    ("out-of-bag", rest("[i for i in reversed(range(n)) if i not in set(drawn)]")),
]


@each(("name", "wrote"), FINE)
def test_other_ways_to_be_right(name, wrote):
    exercise = course(name)
    assert checked(exercise, wrote).passed, str(checked(exercise, wrote))
    for seed in some(range(5), every=3):
        hidden = replace(exercise, task=exercise.task.with_fresh(seed))
        assert checked(hidden, wrote).passed, str(checked(hidden, wrote))


BIASED = {
    "the first row more often": "[rows[max(rng.integers(-2, n), 0)] for _ in rows]",
    "never the first": "[rows[i] for i in rng.integers(1, n, n)] if n > 1 else rows",
    "rounded, so the ends are rare": "[rows[round((n - 1) * rng.random())] for _ in rows]",
    "half of it": "[*rng.permutation(rows)[: n // 2], *rng.choice(rows, n - n // 2)]",
}


@pytest.mark.parametrize("body", BIASED.values(), ids=BIASED)
def test_a_biased_bootstrap_does_not_pass(body):
    assert not checked(course("bootstrap"), sample(body)).passed


# -- done in a lab --------------------------------------------------------------------------------


def asked(*steps):
    state = builder_state.start(letters())
    for step in steps:
        state = builder_model.update(state, step)
    return builder_text.dump(state)


def test_a_stump_from_the_builder():
    right = asked(Ask((), "Links", 4.5))
    assert checked(course("fewest-errors"), right).passed
    assert checked(course("fewest-errors"), asked(Ask((), "Links", 4.1))).passed
    longest = checked(course("fewest-errors"), asked(Ask((), "Known sender")))
    assert "longest bar" in told(longest)[0]
    assert longest.score == pytest.approx(1)
    whole = checked(course("fewest-errors"), asked(Finish("ID3")))
    assert "single question" in told(whole)[0]


def walked(*actions):
    state = start(
        WalkSettings(dt.datasets.tax_fraud(), keywords={"n_stumps": 6}, algorithm="adaboost")
    )
    for action in actions:
        state = update(state, action)
    return dump(state)


def test_a_walk_by_the_buttons_of_the_lab():
    exercise = course("heavy-row")
    assert checked(exercise, walked()).verdict == "NOT ANSWERED YET"
    assert walked(*[Press("next")] * 9) == walk_at(9)
    assert checked(exercise, walked(*[Press("next")] * 9)).passed
    rounds = walked(Set("level", "round"), *[Press("next")] * 3)
    assert checked(exercise, rounds).passed
    assert checked(exercise, walked(*[Press("next")] * 10)).passed  # the same weights, shown anew
    results = {n: checked(exercise, walked(*[Press("next")] * n)) for n in range(1, 20)}
    assert [n for n, result in results.items() if result.passed] == [9, 10, 11]
    assert "gone past" in told(results[12])[0]
    assert "so once before" in told(results[18])[0]
    assert "yet" in told(results[6])[0]
    assert "another algorithm" in told(checked(exercise, walk_at(3, "id3")))[0]


@pytest.mark.thorough
def test_where_bagging_pays_and_where_it_does_not():
    exercise = course("bagging-pays")
    paying = [checked(exercise, measure_at(depth=d)).passed for d in (1, 2, 6, 10)]
    assert paying == [False, False, True, True]
    begun = dt.BiasVarianceLab(population="wave", depth=1, resamples=20)
    assert checked(exercise, begun).verdict == "NOT ANSWERED YET"
    few = checked(exercise, measure_at(resamples=5))
    assert any("matter of luck" in hint for hint in told(few))
    assert "errs alone" in told(checked(exercise, measure_at(depth=3)))[0]
    assert "noise" in told(checked(exercise, measure_at(depth=10, noise=0.3)))[0]


@pytest.mark.thorough
def test_bagging_pays_at_every_depth_but_the_lowest():
    exercise = course("bagging-pays")
    assert all(checked(exercise, measure_at(depth=depth)).passed for depth in range(5, 11))


# -- the pictures of the detector -----------------------------------------------------------------


def test_images_are_shown_as_they_are():
    image = dt.images.scene(2, seed=1).image
    shown = dt.images.show([image], says="A <scene> & more.", marks=[[dt.images.Box(1, 2, 30)]])
    assert repr(shown) == "A <scene> & more."
    page = shown._repr_html_()
    assert 'aria-label="A &lt;scene&gt; &amp; more."' in page
    assert page.count("<image ") == 1
    from io import BytesIO

    import matplotlib.image

    read = matplotlib.image.imread(BytesIO(png(image)), format="png")
    assert np.array_equal(np.rint(read * 255).astype(np.uint8), image)


def test_the_vote_of_two_stumps_is_the_second_stump():
    """The ten points of the lesson: the second stump has the larger vote, and 4, 5, 6 are wrong."""
    points = {"x": list(range(1, 11)), "y": list("+++---++--")}
    boosted = dt.adaboost(dt.Table.from_columns(points, "y"), n_stumps=3, criterion="error")
    assert boosted.weights[1] > boosted.weights[0]
    errors = boosted.staged_error(dt.Table.from_columns(points, "y")) * 10
    assert errors[1] == pytest.approx(GUESSES["boosting/vote-of-two"].answer)
