"""Scenes that are a lesson's own: its cells, and its questions."""

from __future__ import annotations

import json
import re
from typing import Any

from dtree_lab.base.text import did_you_mean, listing
from dtree_lab.course.asking.wording import worded
from dtree_lab.course.assignment import lesson_file
from dtree_lab.course.exercise import Guess
from dtree_lab.course.lessons import askable, notebooks_folder

# What a learner fills in, and what judges it, is not run in a lecture.
_LEARNERS = ("answer", "check")


def lesson_cell(lesson: str, wanted: str) -> tuple[str, str]:
    """A cell of a lesson (its number or its name): ``(code, "")`` or ``("", words)``.

    The code begins with that of all cells before it, which makes what it needs. The cell's id is
    its section and its place in it: ``grow-one-yourself-2``.
    """
    notebook = json.loads(lesson_file(lesson, notebooks_folder()).read_text(encoding="utf-8"))
    before: list[str] = []
    for one in notebook["cells"]:
        source = "".join(one["source"])
        is_code = one["cell_type"] == "code"
        if one["id"] == wanted:
            return ("\n\n".join([*before, source]), "") if is_code else ("", source)
        if is_code and one["metadata"].get("dtree_lab", {}).get("role") not in _LEARNERS:
            before.append(source)
    ids = [one["id"] for one in notebook["cells"]]
    raise ValueError(f"lesson {lesson} has no cell {wanted!r}.{did_you_mean(wanted, ids)}")


def question_cell(about: str) -> tuple[str, tuple[str, ...], frozenset[int], str]:
    """A question of the course, by the id of a guess or of an exercise that asks for a choice.

    What it asks, its options, which are right, and why. Of an exercise that asks for a reason, too,
    it is the first question. There are no options where a number is asked for, and no right one
    where the lesson works it out.
    """
    known: dict[str, Any] = askable(about)
    if about not in known:
        near = did_you_mean(about, list(known))
        msg = f"no question of the course is called {about!r}; there are {listing(known)}.{near}"
        raise ValueError(msg)
    found = known[about]
    if isinstance(found, Guess):
        right = {i for i, one in enumerate(found.options) if one in {found.answer, *found.also}}
        # How exact a number has to be, in brackets at the end, is of no use to who chooses.
        asks = found.asks if found.options else re.sub(r"\s*\([^()]*\)$", "", found.asks)
        return asks, tuple(found.options), frozenset(right), found.because
    first, part = worded(found.text).lists[0], found.task.questions[0]
    right = {i for i, (key, _) in enumerate(first.options) if key == part.right}
    return first.asks, tuple(words for _, words in first.options), frozenset(right), ""
