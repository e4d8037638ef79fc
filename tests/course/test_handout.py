"""Exercises of course staff's own: what learners get of one says the same, without its code."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.course import checking, own
from dtree_lab.course.calls import plain_data
from dtree_lab.course.checking import checked
from dtree_lab.course.exercise import Exercise, Mistake, personal
from dtree_lab.course.handout import (
    NotPlainDataError,
    from_plain,
    handed_out,
    handout_text,
    to_plain,
)
from dtree_lab.course.lessons import names as lesson_names
from dtree_lab.course.tasks import Case, Choose, Code, Do, Number, Question, Withheld
from dtree_lab.course.tasks.code import alike


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(own, "_brought", {})
    monkeypatch.setattr(checking, "_best", {})


def exercise(task, id_="mine/one", **others):
    """An exercise of staff's, with some of its words."""
    words = {"title": "One", "points": 2, "answer": "one", "mistakes": (), "more": "Look again."}
    words |= {"solution": "one = SECRET", "why": "SECRET"}
    return Exercise(id=id_, task=task, **(words | others))


def brought(*exercises):
    """What learners get of exercises, by the way of a notebook's cell."""
    dt.course.handout(handout_text(handed_out(one).exercise for one in exercises))
    return [own._brought[one.id] for one in exercises]


# -- the same as with the exercise itself ----------------------------------------------------------


def functions(lesson):
    """The exercises of a lesson that ask for a function and are judged by data alone."""
    for one in dt.course.exercises(lesson):
        if isinstance(one.task, Code) and one.own is None:
            known = [m for m in one.mistakes if m.when is None and not _hangs(one, m)]
            one = replace(one, mistakes=tuple(known))  # noqa: PLW2901 - without what is code
            if known and not handed_out(one).kept:
                yield one


def _hangs(one, mistake):
    return any(outcome.kind == "hung" for outcome in one.gone_wrong(mistake)[0])


QUICK = ("tax-fraud",)


@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(one, marks=[] if one in QUICK else [pytest.mark.thorough])
        for one in lesson_names()
    ],
)
def test_the_course_s_own_exercises_would_say_the_same_handed_out(lesson):
    """A mistake gets its hint, and each case its line: the exercise itself is the truth."""
    tried = 0
    for one in functions(lesson):
        (given_,) = brought(replace(one, id="mine/it", solution="", why=""))
        for answer in (*(mistake.wrong for mistake in one.mistakes), lambda *_: 0.5):
            theirs = checked(replace(one, id="mine/it", solution="", why=""), answer)
            assert str(checked(given_, answer)) == str(theirs), one.id
            tried += 1
    assert tried or lesson not in QUICK


def test_a_function_is_right_or_not_by_its_visible_cases():
    cases = (Case((2,), (4, 5), behaviour="even"), Case(([3],), ([6, 0.5],), "the list", None))
    task = Code("one", cases, fresh=lambda rng: [Case((int(rng.integers(9)),), (0,))])
    brought(exercise(task))
    right = dt.course.check("mine/one", lambda x: 4 if x == 2 else [6, 0.5])
    assert right.passed
    assert right.score == 2
    assert "may be more cases" in str(right)
    assert "solution" not in str(right)
    assert dt.course.check("mine/one", lambda x: 5 if x == 2 else 0).score == 1
    assert dt.course.check("mine/one", ...).verdict == "NOT ANSWERED YET"


# -- what is not handed out ------------------------------------------------------------------------


def test_what_is_code_stays_and_counts_later():
    cases = (
        Case((1,), (2,)),
        Case((1,), holds=lambda found: found > 0),
        Case((1,), (3,), via=lambda function, x: function(x) + 1),
        Case((dt.datasets.tax_fraud(),), (2,)),
        Case((object(),), (2,)),
    )
    given_ = handed_out(exercise(Code("one", cases)))
    assert len(given_.exercise.task.cases) == 1
    assert [line.split(":")[0] for line in given_.kept] == [
        f"case {i} counts only when it is graded" for i in (2, 3, 4, 5)
    ]
    assert "a Table, which is no plain data" in given_.kept[2]
    brought(exercise(Code("one", cases[1:])))
    assert dt.course.check("mine/one", lambda x: 3).verdict == "TO BE GRADED"
    assert dt.course.check("mine/one", 3).verdict == "NOT YET"
    assert dt.course.check("mine/one", lambda x: None).verdict == "NOT ANSWERED YET"


def test_a_number_is_not_told_and_a_foreseen_one_gets_its_hint():
    mistakes = (Mistake(0.4, "Count again."), Mistake("0.48", "That is a text."))
    (given_,) = brought(exercise(Number(0.48), mistakes=mistakes))
    assert "0.48" not in handout_text([given_])
    for number in (0.48, 0.47, 7):
        told = dt.course.check("mine/one", number)
        assert (told.verdict, told.score, told.passed) == ("TO BE GRADED", 0, False)
        assert "Count again" not in str(told)
    assert "Count again." in str(dt.course.check("mine/one", 0.4002))
    for wrong in ("seven", math.nan, [1], None):
        assert dt.course.check("mine/one", wrong).verdict != "TO BE GRADED"


CHOICE = """Which of these?

- **A** the first
- **B** the second

And because?

- **1** of this
- **2** of that"""


def test_a_choice_is_asked_on_its_card_and_not_judged():
    asked = (Question("which", ("A", "B"), "B"), Question("because", ("1", "2"), "1"))
    mistakes = (Mistake(("A", 1), "Not the first."),)
    brought(exercise(Choose(asked), text=CHOICE, mistakes=mistakes))
    for answer in (("B", 1), ("A", 1), ("A", 2)):
        card = dt.course.ask("mine/one", answer=answer)
        assert card.result.verdict == "TO BE GRADED"
        assert "✓" not in repr(card) + str(card.result)
        assert "✗" not in repr(card) + str(card.result)
        assert dt.course.check("mine/one", card).verdict == "TO BE GRADED"
    assert "none of 1, 2" in str(dt.course.check("mine/one", ("A", 7)))
    (entry,) = [own._brought["mine/one"]]
    assert {question.right for question in entry.task.task.questions} == {""}
    assert entry.mistakes == ()


def test_what_is_done_in_a_lab_is_taken_and_not_judged():
    brought(exercise(Do(lambda text: text, ())))
    lab = dt.TreeBuilder(dt.datasets.tax_fraud())
    tree = dt.id3(dt.datasets.tax_fraud())
    for answer in (lab, lab.state, tree):
        assert dt.course.check("mine/one", answer).verdict == "TO BE GRADED"
    assert "hand in the lab itself" in str(dt.course.check("mine/one", 3))
    for blank in (None, ..., " "):
        assert dt.course.check("mine/one", blank).verdict == "NOT ANSWERED YET"


def test_no_word_of_a_solution_is_in_what_is_handed_out():
    asked = Choose((Question("which", ("A", "B"), "B"),))
    tasks = (Code("one", (Case((1,), (2,)),)), Number(7.25), asked, Do(lambda text: text, ()))
    for task in tasks:
        given_ = handed_out(exercise(task, text="Which?\n\n- **A** a\n- **B** b"))
        text = handout_text([given_.exercise])
        assert "SECRET" not in text + repr(vars(given_.exercise))
        assert "7.25" not in text
        assert '"B"]]' not in text.replace('["A", "B"]]', "")


def test_what_cannot_be_handed_out_is_told():
    drawn = personal(lambda rng: exercise(Number(float(rng.random()))))
    with pytest.raises(NotPlainDataError, match="mine/one draws its numbers from the learner"):
        handed_out(drawn)
    with pytest.raises(NotPlainDataError, match="mine/one: its data hold a Table"):
        handed_out(exercise(Number(1), data=dt.datasets.tax_fraud()))


def test_the_other_calls_of_a_notebook_know_it():
    brought(exercise(Number(1), data={"rows": (1, 2)}), exercise(Number(1), "mine/two", more=""))
    assert dt.course.data("mine/one") == {"rows": (1, 2)}
    assert "Look again." in str(dt.course.hint("mine/one"))
    assert "solution" not in str(dt.course.hint("mine/one"))
    assert "There is no other hint" in str(dt.course.hint("mine/two"))
    assert "with your course staff" in str(dt.course.solution("mine/one", give_up=True))
    with pytest.raises(ValueError, match=r"no exercise 'mine/tow'.*Did you mean 'mine/two'"):
        dt.course.check("mine/tow", 1)


def test_under_nbgrader_what_is_judged_later_earns_nothing(monkeypatch):
    brought(exercise(Number(1)))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(AssertionError, match="TO BE GRADED"):
        dt.course.check("mine/one", 1)


# -- the text of the cell --------------------------------------------------------------------------

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3) | st.tuples(st.integers()), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(PLAIN, st.sets(st.integers() | st.text()))
def test_plain_data_come_back_as_they_are(value, several):
    task = Code("one", (Case((value, several), (value,)),))
    text = handout_text([handed_out(exercise(task)).exercise])
    dt.course.handout(text)
    (case,) = own._brought["mine/one"].task.cases
    assert repr(case.args) == repr((value, several)) or case.args == (value, several)
    assert alike(plain_data(case.wants), plain_data((value,)), 0.0)


@each(
    "value",
    [
        np.arange(6.0).reshape(2, 3),
        np.array(["a", "bc"]),
        np.array([True, False]),
        np.float64(0.25),
        np.array(3),
        np.zeros((0, 2)),
        float("inf"),
        float("nan"),
        dt.id3(dt.datasets.tax_fraud()),
    ],
)
def test_arrays_and_trees_come_back_as_they_are(value):
    found = from_plain(to_plain(value))
    if isinstance(value, np.ndarray) and value.ndim:
        assert found.dtype == value.dtype
        assert np.array_equal(found, value)
    elif isinstance(value, dt.Tree):
        assert found.to_json() == value.to_json()
    else:
        assert repr(found) == repr(np.asarray(value).item())


@each(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        '{"format": "dtree_lab.handout/2", "exercises": []}',
        '{"format": "dtree_lab.handout/1", "exercises": 3}',
        '{"format": "dtree_lab.handout/1", "exercises": [{}]}',
        '{"format": "dtree_lab.handout/1", "exercises": [{"id": 3, "cases": [[1]]}]}',
    ],
)
def test_a_cell_that_was_changed_is_told(text):
    with pytest.raises(ValueError, match="not as it was handed out"):
        dt.course.handout(text)
    assert own._brought == {}


# -- beside the file -------------------------------------------------------------------------------

FILE = """
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.tasks import Number
ONE = Exercise(
    id="mine/one", title="One", points=2, task=Number({}), answer="one", mistakes=(),
    more="", solution="one = 7", why="So it is.",
)
"""


def test_beside_the_file_a_check_knows_all_and_follows_its_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="If it is yours, exercises"):
        dt.course.check("mine/one", 7)
    (tmp_path / "exercises.py").write_text(FILE.format(7), encoding="utf-8")
    assert dt.course.check("mine/one", 7).passed
    assert "one = 7" in str(dt.course.solution("mine/one"))
    (tmp_path / "exercises.py").write_text(FILE.format(8), encoding="utf-8")
    assert not dt.course.check("mine/one", 7).passed
    brought(exercise(Number(9)))  # what the notebook brings goes first
    assert dt.course.check("mine/one", 7).verdict == "TO BE GRADED"
    assert isinstance(own.at_hand(())["mine/one"].task, Withheld)
