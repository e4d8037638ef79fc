"""What a learner has done, as the notebooks themselves say: nothing is kept elsewhere or sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dtree_lab.base import text as escape
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural
from dtree_lab.course.checking import best_so_far, tenths
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.lessons import exercises, names

_SCORE = re.compile(r"^(PASS|NOT YET)\b.*\(([\d.,]+) of [\d,]+ points?\)", re.MULTILINE)
_STYLE = "text-align:left;padding:2px 18px 2px 0"


@dataclass(frozen=True)
class LessonProgress:
    """A lesson, and how far it is."""

    lesson: str  # its name
    file: str  # of the notebook, the one with the most points; empty where there is none
    # Earned in each exercise that was tried, by its id; the best of all notebooks.
    scores: Mapping[str, float]
    copies: tuple[str, ...] = ()  # other notebooks of the same lesson

    @property
    def exercises(self) -> list[Exercise]:
        """The lesson's exercises."""
        return exercises(self.lesson)

    @property
    def passed(self) -> list[Exercise]:
        """Those with all their points."""
        return [one for one in self.exercises if self.scores.get(one.id, 0.0) >= one.points]

    @property
    def next(self) -> Exercise | None:
        """The first that is still open."""
        passed = [one.id for one in self.passed]
        return next((one for one in self.exercises if one.id not in passed), None)

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """A row of the table: the lesson, exercises, points, what comes next."""
        points = sum(one.points for one in self.exercises)
        earned = sum(self.scores.get(one.id, 0.0) for one in self.exercises)
        count = f"{len(self.passed)} of {len(self.exercises)} exercises"
        if not self.file:
            return self.lesson, count, f"{tenths(earned)} of {points} points", "no notebook here"
        mark = "" if self.next else "✓ "
        then = f"next: {self.next.title}" if self.next else "all done"
        best = f" (best of {len(self.copies) + 1})" if self.copies else ""
        name = ", ".join((self.file, *self.copies)) + best
        return mark + name, count, f"{tenths(earned)} of {points} points", then


@dataclass(frozen=True)
class Progress:
    """All lessons: text in a terminal, a table in a notebook."""

    lessons: tuple[LessonProgress, ...]  # each lesson of the course, in order
    notes: tuple[str, ...] = ()  # what could not be read

    @property
    def summary(self) -> str:
        """All of it in a sentence."""
        passed = sum(len(one.passed) for one in self.lessons)
        every = sum(len(one.exercises) for one in self.lessons)
        return f"{passed} of {plural(every, 'exercise')} passed, by what the notebooks here say."

    @terminal
    def __repr__(self) -> str:
        rows = [one.cells for one in self.lessons]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = [
            "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[3]])
            for row in rows
        ]
        return "\n".join([*lines, self.summary, *self.notes])

    def _repr_html_(self) -> str:
        heads = ("Lesson", "Exercises", "Points", "Next")
        head = "".join(f'<th scope="col" style="{_STYLE}">{name}</th>' for name in heads)
        body = "".join(f"<tr>{_row(one)}</tr>" for one in self.lessons)
        notes = "".join(f"<p>{escape.html(note)}</p>" for note in (self.summary, *self.notes))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def progress(folder: str | Path = ".") -> Progress:
    """What is done, lesson by lesson, from the notebooks' own saved answers.

    It reads the verdicts of the check cells and of the question cards in the notebooks of a folder,
    as they were last saved, and adds what was checked since in this notebook.

    Parameters
    ----------
    folder
        Where the lessons are; they know their exercises, whatever the files are called.

    Raises
    ------
    ValueError
        For a folder that there is not.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> [done.lesson for done in dt.course.progress().lessons[:2]]
    ['tax-fraud', 'entropy']
    """
    place = Path(folder)
    if not place.is_dir():
        raise ValueError(f"folder={str(folder)!r} is not a folder; give the one with the lessons")
    earned: dict[str, dict[str, float]] = {}
    scores: dict[str, float] = {}
    notes = []
    for path in sorted(place.glob("*.ipynb")):
        try:
            found = list(_scores(json.loads(path.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError, AttributeError) as error:
            notes.append(f"{path.name} could not be read: {error}")
            continue
        for exercise, score in found:
            by_file = earned.setdefault(exercise.partition("/")[0], {})
            by_file[path.name] = by_file.get(path.name, 0.0) + score
            scores[exercise] = max(score, scores.get(exercise, 0.0))
    for exercise, score in best_so_far().items():
        scores[exercise] = max(score, scores.get(exercise, 0.0))
    each = []
    for name in names():
        by_file = earned.get(name, {"": 0.0})
        file, *copies = sorted(by_file, key=lambda one: -by_file[one])
        each.append(LessonProgress(name, file, _of(name, scores), tuple(copies)))
    return Progress(tuple(each), tuple(notes))


def _of(lesson: str, scores: Mapping[str, float]) -> dict[str, float]:
    return {name: s for name, s in scores.items() if name.startswith(f"{lesson}/")}


def _scores(notebook: Any) -> Iterator[tuple[str, float]]:
    """The exercise of each check cell, and the points that its output tells; 0 without any.

    The card of a question, which stands in the answer's cell, tells them, too.
    """
    for cell in notebook["cells"]:
        told = cell.get("metadata", {}).get("dtree_lab", {})
        if told.get("role") in ("answer", "check"):
            yield told["exercise"], max(map(_score, cell.get("outputs", [])), default=0.0)


def _score(output: Any) -> float:
    text = output.get("data", {}).get("text/plain", "")
    match = _SCORE.search("".join(text))
    return float(match[2].replace(",", "")) if match else 0.0


def _row(done: LessonProgress) -> str:
    name, *rest = map(escape.html, done.cells)
    cells = "".join(f'<td style="{_STYLE}">{text}</td>' for text in rest)
    return f'<th scope="row" style="{_STYLE};font-weight:400">{_link(done, name)}</th>{cells}'


def _link(done: LessonProgress, name: str) -> str:
    return f'<a href="{escape.html(done.file)}">{name}</a>' if done.file else name
