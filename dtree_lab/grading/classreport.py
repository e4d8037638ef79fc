"""What a class got wrong, and what somebody should look at: one page, without names if asked.

What is listed to look at is no verdict: two people may have the same idea, or the same teacher.
"""

from __future__ import annotations

import io
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from dtree_lab.base.text import html, plural
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.tasks import Code, Number
from dtree_lab.course.tasks.code import close
from dtree_lab.draw.charts import bars
from dtree_lab.grading.judge import Handout
from dtree_lab.grading.pages import page
from dtree_lab.grading.rebuild import Status
from dtree_lab.grading.records import Grade, GradeRecord

# Answers of fewer words than this are alike by themselves; of more, if they share this much.
_LEAST_WORDS, _SHARED, _TOGETHER = 30, 0.9, 4
_LEAST_NAME = 3


@dataclass(frozen=True)
class Sight:
    """Something to look at.

    Attributes
    ----------
    what
        What was seen.
    exercise
        Where; nothing for what is about the whole.
    learners
        Whose.
    """

    what: str
    exercise: str
    learners: tuple[str, ...]


def report_page(sheet: Handout, records: Sequence[GradeRecord], *, names: bool = True) -> str:
    """The page."""
    graded = [one for one in records if one.marks]
    body = [
        f"<h1>{html(sheet.name)}: what the class got wrong</h1>",
        f"<p>{plural(len(records), 'submission')}: {_statuses(records)}.</p>",
        *_picture(sheet, graded),
        _table(sheet, graded),
        *_mistakes(sheet, graded),
        *_sights(sheet, records, names=names),
    ]
    return page(f"{sheet.name}: report", body)


def _statuses(records: Iterable[GradeRecord]) -> str:
    count = Counter(one.status for one in records)
    order: tuple[Status, ...] = ("graded", "repaired", "flagged", "ungraded")
    return ", ".join(f"{count[status]} {status}" for status in order)


def _of(records: Iterable[GradeRecord], exercise: str) -> list[Grade]:
    return [mark for one in records for mark in one.marks if mark.exercise == exercise]


def _picture(sheet: Handout, records: Sequence[GradeRecord]) -> Iterator[str]:
    """The share of points that each exercise earned."""
    if not records:
        return
    shares = {}
    for i, exercise in enumerate(sheet.exercises, 1):
        marks = _of(records, exercise)
        most = sum(mark.max_points for mark in marks) or 1
        shares[str(i)] = round(100 * sum(mark.points for mark in marks) / most, 1)
    says = "Percent of the points that each exercise earned: "
    says += ", ".join(f"{name}: {share:g}" for name, share in shares.items())
    yield bars(shares, y="% of the points", says=says)._repr_mimebundle_()["text/html"]


def _table(sheet: Handout, records: Sequence[GradeRecord]) -> str:
    head = ("", "exercise", "right", "partly", "not right", "not answered")
    rows = []
    for i, (exercise, one) in enumerate(sheet.exercises.items(), 1):
        marks = _of(records, exercise)
        full = sum(mark.points >= mark.max_points for mark in marks)
        blank = sum("NOT ANSWERED" in mark.card for mark in marks)
        partly = sum(0 < mark.points < mark.max_points for mark in marks)
        counts = (full, partly, len(marks) - full - partly - blank, blank)
        cells = "".join(f'<td class="n">{many}</td>' for many in counts)
        rows.append(f"<tr><td>{i}</td><td>{html(one.title)}</td>{cells}</tr>")
    titles = "".join(
        f'<th scope="col"{" class=n" if i > 1 else ""}>{name}</th>' for i, name in enumerate(head)
    )
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _mistakes(sheet: Handout, records: Sequence[GradeRecord]) -> Iterator[str]:
    yield "<h2>Mistakes that were foreseen</h2>"
    found = False
    for exercise, one in sheet.exercises.items():
        count = Counter(m for mark in _of(records, exercise) for m in mark.mistakes)
        if count:
            found = True
            items = "".join(
                f"<li>{plural(many, 'learner')}: {_inline(hint)}</li>"
                for hint, many in count.most_common()
            )
            yield f"<p>{html(one.title)}</p><ul>{items}</ul>"
    if not found:
        yield "<p>None was made.</p>"


def _inline(hint: str) -> str:
    """A hint's words, with what stands between double backticks as code."""
    parts = enumerate(hint.split("``"))
    return "".join(f"<code>{html(one)}</code>" if i % 2 else html(one) for i, one in parts)


def _sights(sheet: Handout, records: Sequence[GradeRecord], *, names: bool) -> Iterator[str]:
    yield "<h2>To look at</h2><p>None of this is a verdict.</p>"
    # A note may hold a file's name, and that the learner's.
    found = [one for one in sights(sheet, records) if names or one.exercise]
    if not found:
        yield "<p>Nothing.</p>"
        return
    items = []
    for one in found:
        title = f"{sheet.exercises[one.exercise].title}: " if one.exercise else ""
        whose = ", ".join(one.learners) if names else plural(len(one.learners), "learner")
        items.append(f"<li>{html(title)}{html(one.what)}: {html(whose)}</li>")
    yield f"<ul>{''.join(items)}</ul>"


def sights(sheet: Handout, records: Sequence[GradeRecord]) -> Iterator[Sight]:
    """What somebody should look at."""
    for record in records:
        if record.me and not _fits(record.me, record.learner):
            said = "the name in it does not fit who handed it in"
            yield Sight(said, "", (f"{record.learner} ({record.me[:60]})",))
        if record.status != "graded":
            notes = [record.note, *(one.note for one in record.marks if one.status != "graded")]
            said = "; ".join(dict.fromkeys(filter(None, notes)))
            yield Sight(f"{record.status} ({said})", "", (record.learner,))
    for name, exercise in sheet.exercises.items():
        if exercise.own is not None and isinstance(exercise.task, Number):
            yield from _of_others(exercise, records)
        if isinstance(exercise.task, Code):
            yield from _copies(name, exercise, records)


def _fits(me: str, learner: str) -> bool:
    """Whether a name and that of a folder have a word in common."""
    folder = "".join(char for char in learner.casefold() if char.isalnum())
    words = ["".join(c for c in word if c.isalnum()) for word in me.casefold().split()]
    return any(len(word) >= _LEAST_NAME and word in folder for word in words) or (
        "".join(words) == folder
    )


def _of_others(exercise: Exercise, records: Sequence[GradeRecord]) -> Iterator[Sight]:
    """Numbers that are wrong for the name that stands there, and right for another's."""
    wants = {one.me: exercise.of(one.me).task for one in records if one.me}
    for record in records:
        marks = (mark for mark in record.marks if mark.exercise == exercise.id)
        mark = next(marks, None)
        if mark is None or mark.given is None or mark.points:
            continue
        for name, task in wants.items():
            fits = isinstance(task, Number) and close(mark.given, task.want, task.tolerance)
            if name != record.me and fits:
                theirs = [one.learner for one in records if one.me == name]
                said = "a number that is right for another name"
                yield Sight(said, exercise.id, (record.learner, *theirs))
                break


def _copies(name: str, exercise: Exercise, records: Sequence[GradeRecord]) -> Iterator[Sight]:
    """Answers that are nearly the same, to one another or to the worked solution."""
    pieces = {one.learner: _pieces(one.answers.get(name, "")) for one in records}
    solution = _pieces(exercise.solution)
    long = {who: some for who, some in pieces.items() if len(some) >= _LEAST_WORDS}
    same = tuple(who for who, some in long.items() if _alike(some, solution))
    if same:
        yield Sight("nearly the worked solution, word for word", name, same)
    groups: list[set[str]] = []
    for one, other in combinations([who for who in long if who not in same], 2):
        if _alike(long[one], long[other]):
            group = next((g for g in groups if one in g or other in g), None)
            if group is None:
                groups.append({one, other})
            else:
                group |= {one, other}
    for group in groups:
        yield Sight("nearly the same answers", name, tuple(sorted(group)))


def _pieces(text: str) -> frozenset[tuple[str, ...]]:
    """The words of a program in their order, some at a time; without comments and spaces."""
    words = []
    idle = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type not in idle:
                words.append(token.string)  # noqa: PERF401 - what was read before an error counts
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return frozenset(zip(*(words[i:] for i in range(_TOGETHER)), strict=False))


def _alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    if min(len(one), len(other)) < _SHARED * max(len(one), len(other)):
        return False
    return len(one & other) >= _SHARED * len(one | other)
