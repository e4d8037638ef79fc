"""Tasks, on small made-up exercises: what counts, what does not, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.course.calls import NotPlainError, call, plain_data
from dtree_lab.course.checking import checked
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal, seed_of
from dtree_lab.course.tasks import Case, Choose, Code, Do, Goal, Grow, Number, Question, Steps
from dtree_lab.course.tasks.code import alike, comes_to, fails_at, where
from dtree_lab.course.tasks.do import (
    GROWN_BY_HAND,
    asks_three_ways,
    grown_by,
    nodes_at_most,
    wrong_at_most,
)
from dtree_lab.labs.kit.actions import Set
from dtree_lab.labs.treebuilder.model import dump as building_text
from dtree_lab.labs.treebuilder.model import update as built
from dtree_lab.labs.treebuilder.state import Ask, Finish
from dtree_lab.labs.treebuilder.state import start as building


def exercise(task, *mistakes, points=4):
    hints = tuple(Mistake(wrong, f"hint {i}") for i, wrong in enumerate(mistakes))
    return Exercise("a/b", "T", points, task, "x", hints, "more", "x = 1", "why")


def passes(task, answer):
    return checked(exercise(task), answer).passed


table = dt.datasets.tax_fraud
ONE_CASE = Case((1,), (1,))
ONE, TWO = Question("which", ("A", "B"), "A"), Question("why", ("1", "2"), "2")
GOAL = Goal(lambda _: True, lambda _: "it", "it")


@each(
    ("make", "said"),
    [
        (lambda: Choose(ONE, TWO), "Choose((Question(…), Question(…)))"),
        (lambda: Choose(ONE), "of one with a comma"),
        (lambda: Choose(()), "Choose takes its questions as one tuple"),
        (lambda: Question("which", "ABC", "A"), 'such as ("A", "B", "C")'),
        (lambda: Question("why", (1, 2), 2), "a tuple of texts"),
        (lambda: Question("which", ("a", "b"), "a"), "capital letters"),
        (lambda: Question("which", ("A", "B"), "C"), "'C', is none of A, B"),
        (lambda: Number("0.42"), "want is a number, such as Number(0.42), not '0.42'"),
        (lambda: Number(1, "small"), "tolerance is a number"),
        (lambda: Number(want=True), "want is a number"),
        (lambda: Case([1, 2], (3,)), "args is a tuple, of one thing with a comma"),
        (lambda: Case(([1, 2],), 3), "wants is a tuple"),
        (lambda: Case((1,), holds=3), "holds is a function, not a int"),
        (lambda: Code("f", ONE_CASE, ONE_CASE), 'Code("gini", (Case(…), Case(…)))'),
        (lambda: Code("f", ONE_CASE), "of one with a comma"),
        (lambda: Code((ONE_CASE,), ()), "the function's name"),
        (lambda: Code("f", (), "1e-3"), "such as 1e-6"),
        (lambda: Code("f", (), fresh=[1]), "fresh=_fresh, without"),
        (lambda: Grow(table(), (GOAL,)), "without brackets, and not what it makes, a Table"),
        (lambda: Steps(table()), "Steps: table is a function"),
        (lambda: Grow(table, GOAL), "(Goal(…),)"),
        (lambda: Do(str, GOAL), "Do takes its goals as one tuple"),
        (lambda: exercise(0.42), "its task is a Code(…), a Number(…)"),
        (lambda: replace(exercise(Number(1)), mistakes=Mistake(1, "h")), "one tuple"),
        (lambda: exercise(Number(1), points="3"), "a/b: points is a number, such as 3"),
        (lambda: replace(exercise(Number(1)), solution=None), "solution is a text, not a None"),
    ],
)
def test_a_slip_says_what_would_be_right(make, said):
    """What staff write easily; each of it stopped later, in our code, or said nothing at all."""
    with pytest.raises((TypeError, ValueError)) as told:
        make()
    assert said in str(told.value)


# -- functions ------------------------------------------------------------------------------------


@each(
    ("want", "good", "bad"),
    [
        ([1, 2.5], (1.0, 2.5), [1]),
        ([1, 2], np.array([1, 2]), [2, 1]),
        (((1, "a"), (2, "b")), [[1, "a"], [2, "b"]], [[1, "a"], [2, "c"]]),
        ({"T": {"y": 3}}, {"T": {"y": 3.0000001}}, {"T": {"n": 3}}),
        (True, np.True_, 1),
        (None, None, 0),
        ("run1", np.str_("run1"), "run2"),
        ({3, 1}, [1, 3], [3, 1]),
    ],
)
def test_a_function_may_give_any_plain_value(want, good, bad):
    task = Code("f", (Case((5,), (want,)), Case((6,), ("six",))))

    def answering(value):
        return lambda x: value if x == 5 else "six"

    assert passes(task, answering(good))
    assert not passes(task, answering(bad))


def test_an_error_is_placed_or_laid_to_the_arguments():
    def odd(x):
        return x + "s"

    task = Code("f", (Case((5,), (6,)), Case((6,), (7,))))
    inside, at_the_call = (str(checked(exercise(task), f)) for f in (odd, lambda: 1))
    assert "comes up in line" in inside
    assert '`return x + "s"`' in inside
    assert "take the arguments" not in inside
    assert "take the arguments" in at_the_call
    assert "comes up" not in at_the_call


@each(
    ("gives", "hinted"),
    [
        (lambda x: (round(x / 3, 3), {"y": round(x / 7, 3)}), True),
        (lambda x: (x / 3, {"y": round(x / 7, 3)}), True),  # only one of them
        (lambda x: (x / 3, {"y": round(x / 7, 3), "z": 0}), False),
        (lambda x: (x / 3 + 0.001, {"y": x / 7}), False),
        (lambda x: (0.667 if x == 2 else 5, {"y": 0.286}), False),  # one case is really wrong
        (lambda x: round(x / 3, 3), False),
    ],
)
def test_what_is_only_rounded_too_early_is_told(gives, hinted):
    task = Code("f", tuple(Case((x,), ((x / 3, {"y": x / 7}),)) for x in (2, 5)))
    found = checked(exercise(task), gives)
    assert not found.passed
    assert ("rounded too early" in str(found)) is hinted


@pytest.mark.parametrize(
    ("gives", "hint"),
    [
        (str, "gives a text. Asked for is a number"),
        (
            lambda x: [x + 1],
            "gives something that holds values, such as a list. Asked for is a num",
        ),
        (bool, "gives a truth value, `True` or `False`. Asked for is a number"),
    ],
)
def test_another_sort_of_value_is_named(gives, hint):
    task = Code("f", (Case((5,), (6,)), Case((6,), (7,))))
    assert hint in " ".join(str(checked(exercise(task), gives)).split())
    mixed = Code("f", (Case((5,), (6,)), Case((6,), ("seven",))))
    assert "Asked for" not in str(checked(exercise(mixed), gives))


@each(
    ("gives", "hint"),
    [
        (lambda n: print(n + 1), "It prints its result."),  # noqa: T201
        (lambda n: n if n < 0 else None, "It never returns anything."),
        (lambda n: n + 1 if n < 6 else None, "Sometimes it returns nothing."),
    ],
)
def test_what_is_not_returned_is_looked_for(gives, hint):
    task = Code("f", (Case((5,), (6,)), Case((6,), (7,))))
    assert hint in " ".join(str(checked(exercise(task), gives)).split())


def test_a_property_may_be_asked_of_what_comes_back():
    case = Case((4,), holds=lambda drawn: len(set(drawn)) == 4, wanted="four different rows")
    task = Code("draw", (case,))
    assert passes(task, lambda n: list(range(n)))
    result = checked(exercise(task), lambda n: [0] * n)
    assert "gave [0, 0, 0, 0]; four different rows was wanted" in str(result)


@each("odd", [None, 3, "x", [None], {"a": 1}, dt])
def test_a_property_that_cannot_read_an_answer_does_not_hold(odd):
    task = Code("draw", (Case((), holds=lambda rows: rows[0]["a"] > 0, wanted="a row"),))
    assert not passes(task, lambda: odd)


def test_a_function_may_be_called_many_times_for_one_case():
    mean = Case((), (0.5,), via=lambda f: sum(f(seed) for seed in range(10)) / 10)
    task = Code("coin", (mean,))
    assert passes(task, lambda seed: seed % 2)
    assert not passes(task, lambda seed: 1)
    assert "did not finish" in str(checked(exercise(task), _endless))


def test_an_empty_function_is_no_answer_however_it_would_be_called():
    task = Code("f", (Case((), (3,), via=lambda f: f(1)[0] + 2),))
    assert checked(exercise(task), lambda x: None).verdict == "NOT ANSWERED YET"
    assert checked(exercise(task), lambda x: [x]).passed


def _endless(_):
    while True:
        pass


def test_a_tree_may_come_back():
    task = Code("grow", (Case((), holds=lambda t: t.n_leaves == 2, wanted="a stump"),))
    table = dt.datasets.tax_fraud()
    assert passes(task, lambda: dt.stump(table))
    large = dt.id3(table)
    said = str(checked(exercise(task), lambda: large))
    assert f"gave a tree of {large.n_nodes} nodes; a stump was wanted" in said


def test_fresh_cases_are_the_same_for_a_seed_and_differ_between_seeds():
    task = Code("f", (), fresh=lambda rng: (Case((int(rng.integers(10**9)),), (0,)),))
    first, again, other = (task.with_fresh(seed).cases for seed in (1, 1, 2))
    assert first[0].args == again[0].args != other[0].args
    assert replace(task, fresh=None).with_fresh(1).cases == ()


# -- plain values ---------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=12,
)


@given(VALUES)
def test_a_plain_value_is_alike_to_itself_and_made_of_plain_kinds(value):
    found = plain_data(value)
    assert alike(found, plain_data(value), 0.0)
    assert plain_data(found) == found
    assert kinds(found) <= {"NoneType", "bool", "int", "float", "str", "tuple", "dict"}


def kinds(value):
    inner = value.values() if isinstance(value, dict) else value if type(value) is tuple else ()
    return {type(value).__name__}.union(*map(kinds, inner))


def test_what_is_too_large_or_endless_is_refused():
    endless = []
    endless.append(endless)
    for value in (endless, [0] * 30_000, np.zeros(10**6), [print], {(1, print): 2}, 1j):
        with pytest.raises(NotPlainError):
            plain_data(value)


def test_a_set_has_an_order_and_an_empty_array_is_plain():
    assert plain_data({8, 1}) == (1, 8)  # Python itself has the 8 first
    assert plain_data(np.zeros(0)) == ()


def test_nothing_of_the_learners_own_gets_through():
    class Sly(str):
        __slots__ = ()

        def __eq__(self, other):
            return True

        __hash__ = str.__hash__

    class SlyNumber(float):
        def __sub__(self, other):
            return 0.0

        def __eq__(self, other):
            return True

        __hash__ = float.__hash__

    assert not passes(Code("f", (Case((), ("right",)),)), lambda: Sly("wrong"))
    assert not passes(Code("f", (Case((), (["right"],)),)), lambda: [Sly("wrong")])
    assert not passes(Code("f", (Case((), ([1.0],)),)), lambda: [SlyNumber(7)])
    assert not passes(Number(1.0), SlyNumber(7))
    assert type(call(lambda: [SlyNumber(7)]).value[0]) is float
    assert type(call(lambda: [Sly("wrong")]).value[0]) is str
    assert type(call(lambda: Sly("wrong")).value) is str


# -- something done in a lab ----------------------------------------------------------------------


def _threshold_task():
    from dtree_lab.labs.threshold.model import load

    near = Goal(lambda s: abs(s.cut - 80) < 1, lambda s: f"the cut is at {s.cut:g}", "80")
    return Do(load, (near,), blank=lambda s: s.cut == load(dt.ThresholdLab().state).cut)


def test_a_lab_counts_as_itself_and_as_its_text():
    task = _threshold_task()
    lab = dt.ThresholdLab()
    assert checked(exercise(task), lab).verdict == "NOT ANSWERED YET"
    lab.act({"do": "set", "control": "cut", "value": 80.4})
    for answer in (lab, lab.state):
        assert checked(exercise(task), answer).passed, str(checked(exercise(task), answer))
    lab.act({"do": "set", "control": "cut", "value": 90})
    assert "the cut is at 90; 80 is wanted" in str(checked(exercise(task), lab))


@each("other", [5, "{}", "", dt.datasets.tax_fraud(), print, b"x"])
def test_what_is_no_state_is_a_clear_line(other):
    result = checked(exercise(_threshold_task()), other)
    assert not result.passed
    if other == "":
        assert result.verdict == "NOT ANSWERED YET"
    else:
        assert "the answer cannot be read" in str(result)


# -- a path of steps ------------------------------------------------------------------------------

TASK = Steps(dt.datasets.tax_fraud)


def by_hand(*actions):
    state = building(dt.datasets.tax_fraud())
    for action in actions:
        state = built(state, action)
    return building_text(state)


def test_the_best_path_has_all_the_points_whichever_tie_it_takes():
    table = dt.datasets.tax_fraud()
    assert passes(TASK, dt.id3(table))
    low, high = Ask((), "Taxable Income", 97.5), Ask((0,), "Taxable Income", 80)
    assert passes(TASK, by_hand(low, high))  # it ties with Marital Status at the root


def test_each_good_step_of_a_path_counts():
    cuts = [Ask((1,), "Taxable Income", 77.5), Ask((1, 1), "Taxable Income", 97.5)]
    result = checked(exercise(TASK), by_hand(Ask((), "Refund"), *cuts))
    said = str(result)
    assert "at the root, 10 rows: Refund gains 0.090 bits less than the best" in said
    steps = [line.passed for line in result.lines if line.passed is not None]
    assert result.score == pytest.approx(4 * sum(steps) / len(steps))
    assert 0 < sum(steps) < len(steps)


def test_an_unfinished_path_and_one_that_a_recipe_finished():
    root = Ask((), "Marital Status")
    half = checked(exercise(TASK), by_hand(root))
    assert "not finished" in str(half)
    assert half.score == pytest.approx(4 * 2 / 4)  # the root and doing it oneself, of 2 leaves more
    finished = checked(exercise(TASK), by_hand(root, Finish("ID3")))
    assert not finished.passed
    assert "a recipe grew part of it" in str(finished)


def test_lost_bits_are_those_of_the_textbook():
    outcomes = TASK.run(dt.by_hand(dt.datasets.tax_fraud(), {(): "Refund"}))
    best = dt.information_gain(dt.datasets.tax_fraud(), "Marital Status")
    refund = dt.information_gain(dt.datasets.tax_fraud(), "Refund")
    assert outcomes[0].value == pytest.approx(best - refund)


# -- data of one's own ----------------------------------------------------------------------------


def _drawn(rng):
    counts = rng.integers(1, 9, 2).tolist()
    task = Number(dt.entropy(counts))
    return replace(exercise(task, -1.0), id="a/mine", data=counts)


def test_data_of_ones_own_follow_the_name_and_nothing_else():
    mine = personal(_drawn)
    assert mine.of("Ada").data == mine.of(" ada").data == mine.of("Ada").of("Ada").data
    assert len({str(mine.of(name).data) for name in "abcdefghij"}) > 3
    assert mine.of("").data == mine.of(...).data == mine.of(None).data == mine.data
    assert checked(mine.of("Ada"), dt.entropy(mine.of("Ada").data)).passed


def test_data_that_cannot_be_drawn_are_an_error_that_names_the_exercise():
    with pytest.raises(RuntimeError, match=r"^a/mine: none of 20,000 draws"):
        drawn_until("a/mine", lambda: 1, lambda n: n > 1)


@given(st.text())
def test_any_text_is_a_name(name):
    assert 0 <= seed_of("a/b", name) < 2**64
    assert seed_of("a/b", name) == seed_of("a/b", f"  {name}\t")


def test_what_the_same_for_all_stays_so():
    fixed = exercise(Choose((Question("q", ("A", "B"), "A"),)))
    assert fixed.of("Ada") is fixed


def test_a_setting_reaches_a_lab_by_its_own_action():
    """What the tests above send by hand is what the browser sends."""
    from dtree_lab.labs.threshold.model import start, update

    assert update(start(), Set("cut", 80.4)).cut == 80.4


# -- what exercises share --------------------------------------------------------------------------


def outcomes(*made):
    return tuple(call(one) for one in made)


def test_outcomes_are_recognised_by_what_they_are():
    given = outcomes(lambda: 3, lambda: "so", lambda: 1 / 0, lambda: "so", lambda: 4)
    assert where(lambda outcome: outcome.kind == "number")(given) == [0, 4]
    assert comes_to("so")(given) == [1, 3]
    assert comes_to("not so")(given) == []


@each(
    ("third", "found"),
    [
        (lambda: 1 / 0, [0, 2]),
        (lambda: float("nan"), [0, 2]),
        (lambda: float("inf"), [0, 2]),
        (lambda: 3, []),
        (lambda: None, []),
    ],
)
def test_who_fails_in_some_cases_and_not_in_others_is_recognised(third, found):
    given = outcomes(lambda: {}[0], lambda: 1, third, lambda: {}[1])
    assert fails_at([0, 2], but_not=[1])(given) == found
    assert fails_at([0, 2], but_not=[1, 3])(given) == []


def test_goals_of_a_tree_are_met_up_to_a_number_and_say_where_it_stands():
    stump, full = dt.stump(table()), dt.id3(table())
    wrong = sum(stump.predict(row) != row["Cheat"] for row in table().rows())
    task = Grow(table, (nodes_at_most(3), wrong_at_most(wrong, table, "returns"), GROWN_BY_HAND))
    assert [line.passed for line in task.judge(task.run(stump))] == [stump.n_nodes <= 3, True, True]
    lines = task.judge(task.run(full))
    assert [line.passed for line in lines] == [False, True, True]
    assert lines[0].says == f"nodes, leaves included: {full.n_nodes}; at most 3 is wanted"
    assert lines[1].says == "returns wrong: 0 of 10"
    fewer = Grow(table, (wrong_at_most(wrong - 1, table), wrong_at_most(0, table, wanted="none")))
    said = f"rows wrong: {wrong} of 10; {{}} is wanted"
    wanted = [said.format(f"at most {wrong - 1}"), said.format("none")]
    assert [line.says for line in fewer.judge(fewer.run(stump))] == wanted


def test_what_a_recipe_has_grown_is_not_grown_by_hand():
    task = Grow(table, (GROWN_BY_HAND,))
    (line,) = task.judge(task.run(grown_by("ID3", table())))
    assert line.says == "a recipe grew part of it; a tree that you grew yourself is wanted"
    by_hand = building_text(built(building(table()), Ask((), "Refund")))
    assert passes(task, by_hand)


def test_a_question_with_three_branches_is_seen_wherever_it_stands():
    assert asks_three_ways(dt.by_hand(table(), {(): "Refund", (1,): "Marital Status"}))
    in_two = {(): ("Marital Status", [["Married"], ["Single", "Divorced"]]), (1,): "Refund"}
    assert not asks_three_ways(dt.by_hand(table(), in_two))
    assert not asks_three_ways(dt.by_hand(table(), {(): ("Taxable Income", 80)}))
