"""What learners get of an exercise that course staff wrote: data for its check, and no code.

Of a function these are the visible cases with what they should give, and what each mistake that
was foreseen gives in them; so its check tells the same as with the exercise itself. Of a number, a
choice or something done in a lab there is nothing that would not be the answer: its check tells
whether the answer is of the sort asked for, and that it will be graded. References, solutions,
unseen cases, conditions (`holds`) and detours (`via`) stay with course staff.

It travels as JSON in a cell of the notebook: numbers, texts, truths, None and lists are themselves,
all else is a dict with a tag.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome, short
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.own import bring
from dtree_lab.course.tasks import Case, Choose, Code, Number, Question, Withheld
from dtree_lab.tree.tree import Tree

VERSION = "dtree_lab.handout/1"


class NotPlainDataError(ValueError):
    """What cannot be handed out as data; the message says what it is."""


@dataclass(frozen=True)
class HandedOut:
    """An exercise as learners get it."""

    exercise: Exercise  # what the learners' check knows
    kept: tuple[str, ...] = ()  # what of it stays with course staff, in words for them


def handed_out(exercise: Exercise) -> HandedOut:
    """What learners get of an exercise, which has to be one that can do without its code."""
    if exercise.own is not None:
        raise NotPlainDataError(
            f"{exercise.id} draws its numbers from the learner's name, and what draws them would"
            " tell the answer: give all learners the same numbers"
        )
    try:
        to_plain(exercise.data)
    except NotPlainDataError as problem:
        raise NotPlainDataError(f"{exercise.id}: its data hold {problem}") from None
    bare = replace(exercise, mistakes=(), solution="", why="")
    match exercise.task:
        case Code() as task:
            return _function(exercise, task, bare)
        case Number() as task:
            blank = Withheld(replace(task, want=float("nan")))
            # The right number as a text would tell it.
            recorded = _recorded(exercise, range(1))
            mistakes = tuple(one for one in recorded if one.gave[0].kind == "number")
            return HandedOut(replace(bare, task=blank, mistakes=mistakes), (_LATER,))
        case Choose(questions=questions):
            asked = tuple(Question(one.name, one.options, "") for one in questions)
            return HandedOut(replace(bare, task=Withheld(Choose(asked))), (_LATER,))
    return HandedOut(replace(bare, task=Withheld(None)), (_LATER,))


_LATER = "whether it is right is told when it is graded, and not in the notebook"


def _function(exercise: Exercise, task: Code, bare: Exercise) -> HandedOut:
    kept = {}
    for i, case in enumerate(task.cases):
        if case.holds is not None or case.via is not None:
            kept[i] = "what it is judged by is code (holds, via)"
        else:
            try:
                to_plain([case.args, case.wants])
            except NotPlainDataError as problem:
                kept[i] = f"it has {problem}"
    told = tuple(f"case {i + 1} counts only when it is graded: {why}" for i, why in kept.items())
    left = [i for i in range(len(task.cases)) if i not in kept]
    if not left:
        return HandedOut(replace(bare, task=Withheld(Code(task.name, ()))), told)
    cases = tuple(task.cases[i] for i in left)
    shown = Code(task.name, cases, task.tolerance)
    return HandedOut(replace(bare, task=shown, mistakes=_recorded(exercise, left)), told)


def _recorded(exercise: Exercise, cases: Iterable[int]) -> tuple[Mistake, ...]:
    """The mistakes, by what they come to in some cases; without those that are right in them."""
    found = []
    for mistake in exercise.mistakes:
        outcomes, failed = exercise.gone_wrong(mistake)
        gave = tuple(Outcome(one.kind, one.value, one.says) for one in (outcomes[i] for i in cases))
        if failed.intersection(cases):
            found.append(Mistake(None, mistake.hint, gave=gave))
    return tuple(found)


# -- as text ---------------------------------------------------------------------------------------


def handout_text(exercises: Iterable[Exercise]) -> str:
    """Exercises as they are handed out, in one text; a NotPlainDataError for what has no place."""
    lines = [json.dumps(_entry(one)) for one in exercises]
    return f'{{"format": "{VERSION}", "exercises": [\n' + ",\n".join(lines) + "\n]}"


_WORDS = ("id", "title", "points", "answer", "more", "text")


def _entry(exercise: Exercise) -> dict[str, Any]:
    told = {word: getattr(exercise, word) for word in _WORDS}
    told["data"] = to_plain(exercise.data)
    told["mistakes"] = [
        {"hint": m.hint, "gave": [[o.kind, _outcome(o), o.says] for o in m.gave]}
        for m in exercise.mistakes
    ]
    match exercise.task:
        case Code(name=name, cases=cases, tolerance=tolerance):
            told |= {"function": name, "tolerance": tolerance}
            told["cases"] = [
                [to_plain(case.args), to_plain(case.wants), case.says, case.wanted, case.behaviour]
                for case in cases
            ]
        case Withheld(task=Code(name=name)):
            told |= {"function": name}
        case Withheld(task=Number(tolerance=tolerance)):
            told |= {"tolerance": tolerance}
        case Withheld(task=Choose(questions=questions)):
            told["questions"] = [[asked.name, list(asked.options)] for asked in questions]
    return told


def _outcome(outcome: Outcome) -> Any:
    try:
        return to_plain(outcome.value)
    except NotPlainDataError:  # what was only described
        return None


def to_plain(value: Any) -> Any:
    """A value as JSON can hold it: one of numbers, texts, truths, lists, dicts, trees and such.

    >>> to_plain({"a": (1, 2.5)})
    {'dict': [['a', {'tuple': [1, 2.5]}]]}
    >>> from_plain(to_plain({"a": (1, 2.5)}))
    {'a': (1, 2.5)}
    """
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufU":
        shape = list(value.shape)
        return {"array": value.ravel().tolist(), "of": value.dtype.str, "shape": shape}
    if isinstance(value, Tree):
        return {"tree": value.to_json()}
    if type(value) is list:
        return [to_plain(one) for one in value]
    if type(value) in (tuple, set, frozenset):
        kind = "tuple" if isinstance(value, tuple) else "set"
        return {kind: [to_plain(one) for one in value]}
    if type(value) is dict:
        return {"dict": [[to_plain(key), to_plain(one)] for key, one in value.items()]}
    raise NotPlainDataError(f"a {short(type(value).__name__)}, which is no plain data")


def from_plain(plain: Any) -> Any:
    """The value that was written so; a ValueError for what was not."""
    match plain:
        case None | bool() | int() | float() | str():
            return plain
        case list():
            return [from_plain(one) for one in plain]
        case {"tuple": list(many)}:
            return tuple(from_plain(one) for one in many)
        case {"set": list(many)}:
            return {from_plain(one) for one in many}
        case {"dict": list(pairs)}:
            return {from_plain(key): from_plain(one) for key, one in pairs}
        case {"array": list(many), "of": str(dtype), "shape": list(shape)}:
            return np.array(many, dtype=dtype).reshape(shape)
        case {"tree": str(text)}:
            return Tree.from_json(text)
    raise ValueError(f"not written by {VERSION}")


def handout(text: str) -> None:
    """Let the checks of this notebook know the exercises that course staff handed out in it.

    Parameters
    ----------
    text
        What ``dtree-lab assignment release`` has written into the cell.

    Raises
    ------
    ValueError
        For another text, or one that was changed.
    """
    try:
        told = json.loads(text)
        known = told["format"] == VERSION
        found = [_exercise(one) for one in told["exercises"]] if known else None
    except (ValueError, TypeError, KeyError, AttributeError):
        found = None
    if found is None:
        raise ValueError(
            "this cell is not as it was handed out: fetch the notebook again, and copy your answers"
            f" into it (or its format is newer than {VERSION}: install dtree-lab again)"
        )
    bring(found)


def _exercise(plain: Any) -> Exercise:
    match plain:
        case {"cases": cases, "function": name, "tolerance": tolerance}:
            made = (
                Case(from_plain(args), from_plain(wants), says, None, wanted, None, behaviour)
                for args, wants, says, wanted, behaviour in cases
            )
            task: Code | Withheld = Code(name, tuple(made), tolerance)
        case {"function": name}:
            task = Withheld(Code(name, ()))
        case {"tolerance": tolerance}:
            task = Withheld(Number(float("nan"), tolerance))
        case {"questions": asked}:
            questions = (Question(name, tuple(options), "") for name, options in asked)
            task = Withheld(Choose(tuple(questions)))
        case _:
            task = Withheld(None)
    mistakes = (
        Mistake(
            None, one["hint"], gave=tuple(Outcome(k, from_plain(v), s) for k, v, s in one["gave"])
        )
        for one in plain["mistakes"]
    )
    return Exercise(
        **{word: plain[word] for word in _WORDS},
        data=from_plain(plain["data"]),
        task=task,
        mistakes=tuple(mistakes),
        solution="",
        why="",
    )
