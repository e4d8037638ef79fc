"""What holds of every exercise of the course; a lesson's tests begin with these."""

from __future__ import annotations

import inspect
import re
import time
import warnings
from collections.abc import Callable
from functools import partial, wraps
from typing import Any, ClassVar

import numpy as np
from cases import run_each
from effort import some

import dtree_lab as dt
from course.sources import solved
from dtree_lab.course import calls
from dtree_lab.course.checking import MOST_WRONG, behaviours, checked
from dtree_lab.course.lessons import lessons
from dtree_lab.grading.linting import MOST_SHARE, thoughtless_answers

# Data differ between them where an exercise is personal; the first is who gives no name.
NAMES = ("", "Ada", "Grace Hopper", "Émilie", "李", "x" * 300)
LEARNERS = [f"learner {i}" for i in range(60)]
# Of whom each number is worked out in a slow way.
SOME_LEARNERS = some(LEARNERS, every=4)
SEEDS = (1, 2, 3)


def told(result):
    """The hints of a result."""
    return [line.says for line in result.lines if line.label == "Hint"]


def hint_of(exercise, answer):
    """The first hint, or nothing; the answer must be wrong."""
    result = checked(exercise, answer)
    assert not result.passed, str(result)
    return (told(result) or [""])[0]


def exercise_of(name):
    """The exercise of an id."""
    return next(e for e in dt.course.exercises(name.partition("/")[0]) if e.id == name)


def exercises_of(lesson):
    """A lesson's exercises by their names, as the learner of a name gets them."""
    return lambda name, learner="": exercise_of(f"{lesson}/{name}").of(learner)


def defined(source, name, **space):
    """The function of a name in what a learner wrote, with what the lesson has by then."""
    exec(source, space)  # noqa: S102 - our own
    return space[name]


def function(name, body, **space):
    """A function that a learner wrote, with the modules that the lesson has imported."""
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    return defined(f"def {name}:\n{indented}", name.partition("(")[0], **space)


def raises(*_):
    raise RuntimeError("<b>no</b>")


def loops(*_):
    while True:
        pass


def prints(*_):
    print("0.881")  # noqa: T201


def warns(*_):
    warnings.warn("careful", stacklevel=2)
    return "?"


class Evil:
    def __getattribute__(self, name):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None


HOSTILE = {
    "raises": raises,
    "hangs": loops,
    "prints": prints,
    "warns": warns,
    "returns NaN": lambda *_: float("nan"),
    "returns an array": lambda *_: np.zeros(10**6),
    "returns something evil": lambda *_: Evil(),
    "returns itself": lambda *_: _endless(),
    "takes nothing": lambda: "No",
    "NaN": float("nan"),
    "inf": float("inf"),
    "an array": np.zeros(10**6),
    "a long text": "x" * 10**6,
    "bytes": b"0.5",
    "a huge number": 10**400,
    "a truth value": [True],
    "a dict": {"a": 1},
    "a long tuple": tuple(range(10**5)),
    "a pair of arrays": (np.zeros(3), np.zeros(3)),
    "something evil": Evil(),
    "a class": Evil,
}


def _endless():
    found = []
    found.append(found)
    return found


def thoughtless(task, reference):
    """What needs no thought, with all that the reference ever returns to a task's cases."""
    returned = []

    def watched(*args):
        returned.append(reference(*args))
        return returned[-1]

    task.run(watched)
    return thoughtless_answers(returned)


def of_each_exercise(law):
    """One test for all exercises of a lesson; it fails with all that break the law, by their id."""

    @wraps(law)
    def every(self, **fixtures):
        exercises = dt.course.exercises(self.lesson)
        run_each((one.id, partial(law, self, one, **fixtures)) for one in exercises)

    signature = inspect.signature(law)
    left = [one for name, one in signature.parameters.items() if name != "exercise"]
    every.__signature__ = signature.replace(parameters=left)
    return every


class Laws:
    """Inherit from it, and name the lesson.

    What a function's cases want may come from the solution's own text. So there is another right
    answer for each whose page stands beside the lesson's: the library's, or a slow one.
    """

    lesson: ClassVar[str]
    others: ClassVar[dict[str, Callable[..., Any]]] = {}

    @of_each_exercise
    def test_the_reference_passes_with_full_marks(self, exercise):
        for name in NAMES if exercise.own else ("",):
            one = exercise.of(name)
            result = checked(one, solved(one, name))
            assert result.passed, str(result)
            assert result.score == one.points > 0
            assert result.verdict == "PASS"

    @of_each_exercise
    def test_fresh_cases_are_passed_by_the_reference_and_not_by_a_stub(self, exercise):
        if exercise.task.kind != "code":
            assert not hasattr(exercise.task, "fresh")
            return
        assert exercise.task.fresh is not None
        answer = solved(exercise)
        for seed in SEEDS:
            task = exercise.task.with_fresh(seed)
            assert len(task.cases) > len(exercise.task.cases)
            assert all(line.passed for line in task.judge(task.run(answer)))
            assert not any(line.passed for line in task.judge(task.run(lambda *_: None)))

    @of_each_exercise
    def test_the_library_or_a_slow_way_comes_to_the_same_as_the_solution(self, exercise):
        name = exercise.id.partition("/")[2]
        folder = next(one.page.parent for one in lessons() if one.name == self.lesson)
        if exercise.task.kind != "code" or not (folder / f"{name}.md").exists():
            return
        for seed in SEEDS:
            task = exercise.task.with_fresh(seed)
            lines = task.judge(task.run(self.others[name]))
            assert all(line.passed for line in lines), [one.says for one in lines if not one.passed]

    @of_each_exercise
    def test_every_case_shows_a_behaviour(self, exercise):
        if exercise.task.kind != "code":
            return
        named = {case.behaviour for case in exercise.task.cases}
        assert all(named), "a case without a behaviour"
        for seed in SEEDS:
            fresh = exercise.task.with_fresh(seed).cases
            assert {case.behaviour for case in fresh} == named

    @of_each_exercise
    def test_the_best_constant_or_copy_earns_less_than_a_tenth(self, exercise):
        if exercise.task.kind != "code":
            return
        task = exercise.task.with_fresh(SEEDS[0])
        for names, answer in thoughtless(task, solved(exercise)):
            earned = behaviours(task.judge(task.run(answer)))
            share = sum(earned.values()) / len(earned)
            right = [name for name, is_ in earned.items() if is_]
            assert share < MOST_SHARE, (
                f"what returns {names} earns {share:.0%}: it is right about {right}"
            )

    @of_each_exercise
    def test_no_answer_is_no_mistake(self, exercise):
        for blank in (None, ...):
            assert checked(exercise, blank).verdict == "NOT ANSWERED YET"
        for blank in (None, ..., (..., ...), lambda *_: None):
            result = checked(exercise, blank)
            assert not result.passed
            assert result.score == 0

    @of_each_exercise
    def test_it_is_complete(self, exercise):
        assert exercise.id.startswith(f"{self.lesson}/")
        assert len({m.hint for m in exercise.mistakes}) >= 3
        assert exercise.more
        assert exercise.why
        assert exercise.heading
        assert exercise.text
        assert exercise.stub
        assert 1 <= exercise.points <= 5

    def test_the_lesson_has_enough_of_every_kind(self):
        exercises = dt.course.exercises(self.lesson)
        assert len({e.id for e in exercises}) == len(exercises) >= 8
        assert {e.task.kind for e in exercises} == {"code", "number", "choice", "doing"}
        assert any(e.own for e in exercises)

    def test_each_mistake_gets_its_own_hint_first(self, exercise):
        for name in NAMES if exercise.own else ("",):
            one = exercise.of(name)
            for i, mistake in enumerate(one.mistakes):
                result = checked(one, mistake.wrong)
                said = f"mistake {i} of {name!r}: {result}"
                assert not result.passed, said
                assert result.score < one.points, said
                assert told(result)[:1] == [mistake.hint], said

    @of_each_exercise
    def test_no_hint_gives_the_answer_away(self, exercise):
        for hint in [m.hint for m in exercise.mistakes]:
            match exercise.task.kind:
                case "number":
                    want = exercise.task.want
                    assert not any(f"{want:.{n}f}" in hint for n in (2, 3, 4))
                case "choice":
                    for question in exercise.task.questions:
                        told_by = rf'(``|"|option |answer |reason |number ){question.right}\b'
                        assert not re.search(told_by, hint)
                case "code":
                    lines = [line.strip() for line in exercise.solution.splitlines()[1:]]
                    assert not any(line in hint for line in lines if len(line) > 6)

    @of_each_exercise
    def test_a_personal_exercise_differs_and_is_the_same_for_one_name(self, exercise):
        if exercise.own is None:
            assert exercise.of("Ada") is exercise
            return
        shown = [repr(exercise.of(name).data) for name in NAMES]
        assert len(set(shown)) > len(NAMES) / 2
        assert repr(exercise.of(" ada ").data) == repr(exercise.of("Ada").data)
        assert {exercise.of(name).points for name in NAMES} == {exercise.points}

    def test_a_hostile_answer_gets_a_clear_line(self, exercise, capsys, monkeypatch):
        patience = calls.SECONDS
        for hostile, answer in HOSTILE.items():
            # Nothing is gained by waiting longer for the one that hangs.
            monkeypatch.setattr(calls, "SECONDS", 0.3 if hostile == "hangs" else patience)
            started = time.monotonic()
            result = checked(exercise, answer)
            said = f"{hostile}: {result}"
            assert time.monotonic() - started < 30, said  # it was stopped; it would take for ever
            assert not result.passed, said
            assert result.verdict == "NOT YET", said
            assert all(0 < len(line.says) < 700 for line in result.lines), said
            assert 1 <= sum(line.passed is False for line in result.lines) <= MOST_WRONG + 1, said
            assert "<b>no" not in result._repr_html_(), said
            assert capsys.readouterr() == ("", ""), said
