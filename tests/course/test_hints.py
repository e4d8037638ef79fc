"""Which hints an answer gets, on small made-up exercises."""

from __future__ import annotations

from dtree_lab.course import calls
from dtree_lab.course.exercise import Exercise, Mistake, hints
from dtree_lab.course.tasks import Case, Code, Number


def exercise(task, *mistakes):
    return Exercise("a/b", "T", 4, task, "x", mistakes, "more", "x = 1", "why")


# Wanted of each number from 0 to 5: itself.
ITSELF = Code("f", tuple(Case((n,), (n,)) for n in range(6)))


def but(**wrong):
    """The right answer, but for some numbers: ``but(_0=7)`` makes 7 of 0; None raises."""

    def answer(n):
        found = wrong.get(f"_{n}", n)
        if found is None:
            raise ValueError("no")
        return found

    return answer


def told(answer, *mistakes, task=ITSELF):
    return hints(exercise(task, *mistakes), task.run(answer))


LOW, HIGH = Mistake(but(_0=7, _1=7), "low"), Mistake(but(_3=8, _4=8, _5=8), "high")


def test_each_of_two_mistakes_is_told_and_what_explains_most_comes_first():
    assert told(but(_0=7, _1=7, _3=8, _4=8, _5=8), LOW, HIGH) == ["high", "low"]


def test_what_explains_nothing_more_is_not_told():
    part = Mistake(but(_3=8, _4=8), "part")
    assert told(HIGH.wrong, part, HIGH) == ["high"]
    assert told(HIGH.wrong, Mistake(HIGH.wrong, "also"), HIGH) == ["also"]  # the first of equals


def test_two_mistakes_with_one_hint_are_told_once():
    low = Mistake(LOW.wrong, "high")
    assert told(but(_0=7, _1=7, _3=8, _4=8, _5=8), low, HIGH) == ["high"]


def test_a_wrong_case_that_no_mistake_explains_makes_likeness_chance():
    assert told(but(_0=7, _1=7, _5=9), LOW, HIGH) == []


def test_what_is_seen_in_an_answer_is_told_whatever_else_is_wrong():
    seen = Mistake(but(_2=6), "seen", when=lambda outcomes: [2] if outcomes[2].value == 6 else [])
    assert told(but(_0=7, _1=7, _2=6, _5=9), LOW, seen) == ["seen"]
    assert told(but(_0=7, _1=7), LOW, seen) == ["low"]


def test_an_answer_may_stumble_in_less_than_half_of_a_mistakes_cases():
    assert told(but(_3=8, _4=8, _5=None), HIGH) == ["high"]
    assert told(but(_3=8, _4=None, _5=None), HIGH) == []
    assert told(but(_0=7, _1=None), LOW) == []  # just half
    assert told(but(_3=8, _4=8), HIGH) == []  # right in a case of the mistake


def test_numbers_need_no_explaining_in_full():
    task = Number(3.0)
    assert told(5.0, Mistake(5.0, "five"), Mistake(6.0, "six"), task=task) == ["five"]
    assert told(7.0, Mistake(5.0, "five"), task=task) == []


def counting(result):
    """A function that gives a result, and the list of what it was called with."""
    called = []

    def function(n):
        called.append(n)
        return result(n)

    return function, called


def test_a_mistake_is_worked_out_once():
    wrong, called = counting(lambda n: n + 1)
    one = exercise(ITSELF, Mistake(wrong, "one more"), HIGH)
    for _ in range(3):
        assert hints(one, ITSELF.run(lambda n: n + 1)) == ["one more"]
        assert hints(one, ITSELF.run(HIGH.wrong)) == ["high"]
    assert called == list(range(6))


def test_a_mistake_that_did_not_finish_is_tried_again(monkeypatch):
    """The computer may have been busy."""
    busy = [True]

    def endless(n):
        while busy[0]:
            pass
        return n + 1

    monkeypatch.setattr(calls, "SECONDS", 0.2)
    one = exercise(ITSELF, Mistake(endless, "one more"))
    assert hints(one, ITSELF.run(lambda n: n + 1)) == []
    busy[0] = False
    assert hints(one, ITSELF.run(lambda n: n + 1)) == ["one more"]
