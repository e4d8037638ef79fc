"""What a learner has done, as the notebooks themselves say: nothing is kept elsewhere or sent."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dtree_lab.base import text as escape
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural
from dtree_lab.course.asking.series import begin_exam, is_right, practice
from dtree_lab.course.checking import best_so_far, tenths
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.lessons import FURTHER, exercises, names
from dtree_lab.course.skills import Practised, skills

_SCORE = re.compile(r"^(PASS|NOT YET)\b.*\(([\d.,]+) of [\d,]+ points?\)", re.MULTILINE)
_STYLE = "text-align:left;padding:2px 18px 2px 0"
_HEADS = ("Lesson", "Exercises", "Points", "Next")
_FIRST_TRIES = "The last ones: ✓ right at the first try, ✗ not; ✓✓✓ is mastered"
_SKILL_HEADS, _MARKS = ("Skill", "Taught in", _FIRST_TRIES), 8
_CARDS, _ARGUMENTS = ("another", "warm_up", "wrap_up", "exam"), ("answers", "skill", "handed_in")


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
    """All lessons and skills: text in a terminal, tables in a notebook."""

    lessons: tuple[LessonProgress, ...]  # each lesson of the course, in order
    notes: tuple[str, ...] = ()  # what could not be read
    skills: Mapping[str, Practised] = field(default_factory=dict)  # those that were drawn, by id

    @property
    def summary(self) -> str:
        """All of it in a sentence."""
        passed = sum(len(one.passed) for one in self.lessons)
        every = sum(len(one.exercises) for one in self.lessons)
        return f"{passed} of {plural(every, 'exercise')} passed, by what the notebooks here say."

    @property
    def map(self) -> list[tuple[str, str, str]]:
        """A row for each skill, once any was drawn: its name, its lesson, and how it stands."""
        every = skills() if self.skills else {}
        return [
            (one.title, one.taught, _stand(self.skills.get(key, Practised(key))))
            for key, one in every.items()
        ]

    @terminal
    def __repr__(self) -> str:
        rows = [one.cells for one in self.lessons]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = [
            "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[3]])
            for row in rows
        ]
        drawn = [f"{mark}  {title} ({lesson})" for title, lesson, mark in self.map]
        heads = [f"{_FIRST_TRIES}:"] if drawn else []
        return "\n".join([*lines, self.summary, *self.notes, *heads, *drawn])

    def _repr_html_(self) -> str:
        lessons = [[_link(one), *map(escape.html, one.cells[1:])] for one in self.lessons]
        drawn = [list(map(escape.html, row)) for row in self.map]
        notes = "".join(f"<p>{escape.html(note)}</p>" for note in (self.summary, *self.notes))
        return _table(_HEADS, lessons) + notes + (_table(_SKILL_HEADS, drawn) if drawn else "")


def progress(folder: str | Path = ".") -> Progress:
    """What is done, lesson by lesson, from the notebooks' own saved answers.

    It reads the verdicts of the check cells and of the question cards in the notebooks of a folder,
    as they were last saved, and adds what was checked since in this notebook. A map has the skills
    that were drawn anew, with a mark for each of the last: right at the first try, or not.

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
    marks: dict[str, Practised] = {}
    for path in [*sorted(place.glob("*.ipynb")), *sorted(place.glob(f"{FURTHER}/*.ipynb"))]:
        try:
            notebook = json.loads(path.read_text(encoding="utf-8"))
            found = list(_scores(notebook))
            drawn = list(_drawn(notebook))
        except (OSError, ValueError, TypeError, AttributeError) as error:
            notes.append(f"{path.name} could not be read: {error}")
            continue
        for exercise, score in found:
            # A further page is no copy of its lesson.
            lesson_of = exercise.partition("/")[0] if path.parent == place else ""
            by_file = earned.setdefault(lesson_of, {})
            by_file[path.name] = by_file.get(path.name, 0.0) + score
            scores[exercise] = max(score, scores.get(exercise, 0.0))
        here = next((e.partition("/")[0] for e, _ in found if e.partition("/")[0] in names()), "")
        for skill, more in drawn:
            lesson = names().index(here or skills()[skill].taught) + 1
            before = marks.get(skill, Practised(skill))
            marks[skill] = Practised(skill, before.marks + more, max(lesson, before.lesson))
    for exercise, score in best_so_far().items():
        scores[exercise] = max(score, scores.get(exercise, 0.0))
    each = []
    for name in names():
        by_file = earned.get(name, {"": 0.0})
        file, *copies = sorted(by_file, key=lambda path: -by_file[path])
        own = {one: score for one, score in scores.items() if one.startswith(f"{name}/")}
        each.append(LessonProgress(name, file, own, tuple(copies)))
    return Progress(tuple(each), tuple(notes), marks)


def _stand(done: Practised) -> str:
    """The last marks of a skill, and whether it is mastered."""
    marks = "".join("✓" if right else "✗" for right in done.marks[-_MARKS:]) or "-"
    return f"{marks} mastered" if done.mastered else marks


def _drawn(notebook: Any) -> Iterator[tuple[str, tuple[bool, ...]]]:
    """The skills that the cards of a notebook drew, each with its marks, as their cells say."""
    name: object = ""
    for cell in notebook["cells"]:
        if cell.get("cell_type") != "code":
            continue
        # A cell that is no Python, or was not written by a card, tells nothing.
        with suppress(SyntaxError, ValueError, TypeError):
            tree = ast.parse("".join(cell.get("source", "")))
            if cell.get("metadata", {}).get("dtree_lab", {}).get("role") == "name":
                name = next((n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)), "")
            for call in ast.walk(tree):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                    yield from _marks(call.func.attr, call, name)


def _marks(kind: str, call: ast.Call, name: object) -> Iterator[tuple[str, tuple[bool, ...]]]:
    """The marks of one card."""
    told = {one.arg: one.value for one in call.keywords if one.arg in _ARGUMENTS}
    if kind not in _CARDS or "answers" not in told:
        return
    given = {key: ast.literal_eval(value) for key, value in told.items()}
    if kind == "exam":
        state = begin_exam(name, None, given["answers"], "", handed_in=True)
        if "handed_in" in given:
            pairs = zip(state.questions, state.answers, strict=True)
            yield from ((one.id, (is_right(one, answer),)) for one, answer in pairs)
    elif call.args:
        about = ast.literal_eval(call.args[0])
        card = practice(kind, about, name, given["answers"], given.get("skill", ""))
        yield card.skill, card.marks


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


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column names the rows, of cells that are written for a page."""
    head = "".join(f'<th scope="col" style="{_STYLE}">{name}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row" style="{_STYLE};font-weight:400">{name}</th>'
        + "".join(f'<td style="{_STYLE}">{cell}</td>' for cell in cells)
        + "</tr>"
        for name, *cells in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _link(done: LessonProgress) -> str:
    told = escape.html(done.cells[0])
    return f'<a href="{escape.html(done.file)}">{told}</a>' if done.file else told
