"""Pages for people: what a learner gets back, what a class got wrong; each needs nothing else."""

from __future__ import annotations

import io
import re
import tokenize
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

from dtree_lab.base.files import write_whole
from dtree_lab.base.text import html, number, plural
from dtree_lab.course.cards import with_code
from dtree_lab.course.checking import tenths
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.tasks import Code, Number
from dtree_lab.course.tasks.code import close
from dtree_lab.grading.records import Grade, GradeRecord, noted, statuses_of
from dtree_lab.grading.sheets import Handout

FEEDBACK = "feedback"
_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def standalone_page(title: str, body: Iterable[str]) -> str:
    """A page of its own."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>\n{_STYLE}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def feedback(sheet: Handout, record: GradeRecord) -> str:
    """What a learner is told: the card of each exercise, without cases that nobody has seen."""
    title = f"{sheet.name}: {record.learner}"
    points = f"{number(record.points)} of {number(record.max_points)} points"
    said = f"<strong>{points}</strong>" if record.marks else f"Not graded: {html(record.note)}."
    body = [f"<h1>{html(title)}</h1>", f"<p>{said}</p>"]
    return standalone_page(title, [*body, *(_exercise(sheet, mark) for mark in record.marks)])


def _exercise(sheet: Handout, mark: Grade) -> str:
    title = sheet.exercises[mark.exercise].title
    head = f"{html(title)}: {number(mark.points)} of {number(mark.max_points)}"
    told = mark.note not in ("", "not answered")  # which the card says
    note = f'<p class="note">{html(mark.note)}</p>' if told else ""
    return f"<section><h2>{head}</h2>{mark.html}{note}</section>"


def write_feedback(course: Path, sheet: Handout, records: Sequence[GradeRecord]) -> int:
    """Write a page for each, where nbgrader would; how many there are."""
    for record in records:
        place = course / FEEDBACK / record.learner / sheet.name / f"{sheet.name}.html"
        write_whole(place, feedback(sheet, record))
    return len(records)


# Answers of fewer words than this are alike by themselves; of more, if they share this much.
_LEAST_WORDS, _SHARED, _TOGETHER = 30, 0.9, 4
# Of names: how long a word is that says something, and how many make a class of them.
_LEAST_NAME, _LEAST_CLASS = 3, 5
# A number that fits more people than so is not worth their names.
_MOST_OTHERS = 3
_ONE_LETTER = str.maketrans("łøđı", "lodi")


# What there may be to look at, in this order, and what is to be said of it.
_UNGRADED, _FLAGGED = "Not graded: ask for it again", "Flagged by the judge"
_NAMES, _NUMBERS = "Another name in it than of who handed it in", "A number that fits another name"
_SAME, _SOLUTION = "Nearly the same words as others", "Nearly the words of the worked solution"
_REPAIRED = "Repaired: nothing to do"
_LATE = "Handed in late: the marks are not changed by it"
_SAID = {
    _NUMBERS: "There are not so many different numbers as people: one may fit by chance.",
    _SAME: "Of a short answer there are not many ways to write it.",
    _SOLUTION: "It is in the package that everybody has, and somebody may have learnt from it.",
}


@dataclass(frozen=True)
class Sight:
    """Something to look at."""

    what: str  # what was seen
    exercise: str  # nothing for what is about the whole
    learners: tuple[str, ...]  # of a number first whose it is, and then whose names it fits
    note: str = ""  # what else is to be said; it may hold a name


def report_page(sheet: Handout, records: Sequence[GradeRecord], *, names: bool = True) -> str:
    """What a class got wrong, and what somebody should look at, without names if asked.

    What is listed to look at is no verdict: two people may have the same idea, or the same teacher.
    """
    graded = [one for one in records if one.marks]
    body = [
        f"<h1>{html(sheet.name)}: what the class got wrong</h1>",
        f"<p>{plural(len(records), 'submission')}: {statuses_of(records)}. {_middle(graded)}</p>",
        _table(sheet, graded),
        *_mistakes(sheet, graded),
        *_sights(sheet, records, names=names),
    ]
    return standalone_page(f"{sheet.name}: report", body)


def _middle(records: Sequence[GradeRecord]) -> str:
    if not records:
        return "Nothing could be judged yet."
    points = [one.points for one in records]
    low, mid, high = (tenths(one) for one in (min(points), median(points), max(points)))
    most = tenths(max(one.max_points for one in records))
    return f"From {low} to {high} of {most} points; half have {mid} or more."


def _of(records: Iterable[GradeRecord], exercise: str) -> list[Grade]:
    return [mark for one in records for mark in one.marks if mark.exercise == exercise]


_COUNTED = ("right", "partly", "not right", "not answered")


def _counts(marks: Sequence[Grade]) -> tuple[int, ...]:
    """How many are as :data:`_COUNTED` says."""
    full = sum(mark.points >= mark.max_points for mark in marks)
    blank = sum("NOT ANSWERED" in mark.card for mark in marks)
    partly = sum(0 < mark.points < mark.max_points for mark in marks)
    return full, partly, len(marks) - full - partly - blank, blank


def _table(sheet: Handout, records: Sequence[GradeRecord]) -> str:
    """A line for each exercise, with a picture of how the class did below its title."""
    rows = []
    for i, (exercise, one) in enumerate(sheet.exercises.items(), 1):
        counts = _counts(_of(records, exercise))
        cells = "".join(f'<td class="n">{many}</td>' for many in counts)
        title = f"{html(one.title)}{_bar(counts)}"
        rows.append(f'<tr><td class="n">{i}</td><td class="wide">{title}</td>{cells}</tr>')
    titles = "".join(
        f'<th scope="col" class="n"><span class="key p{i}"></span>{name}</th>'
        for i, name in enumerate(_COUNTED)
    )
    head = f'<th scope="col" class="n"></th><th scope="col">exercise</th>{titles}'
    return (
        f'<table class="full"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _bar(counts: Sequence[int]) -> str:
    """The counts as parts of a bar; the numbers stand beside it, so it is not read out."""
    parts = "".join(
        f'<span class="p{i}" style="flex-grow:{many}"></span>'
        for i, many in enumerate(counts)
        if many
    )
    return f'<div class="bar" aria-hidden="true">{parts}</div>' if parts else ""


def _mistakes(sheet: Handout, records: Sequence[GradeRecord]) -> Iterator[str]:
    yield "<h2>Mistakes that were foreseen</h2>"
    found = False
    for exercise, one in sheet.exercises.items():
        count = Counter(m for mark in _of(records, exercise) for m in mark.mistakes)
        if count:
            found = True
            items = "".join(
                f"<li>{plural(many, 'learner')}: {with_code(hint)}</li>"
                for hint, many in count.most_common()
            )
            yield f"<p>{html(one.title)}</p><ul>{items}</ul>"
    if not found:
        yield "<p>None was made.</p>"


def _sights(sheet: Handout, records: Sequence[GradeRecord], *, names: bool) -> Iterator[str]:
    yield "<h2>To look at</h2>"
    yield "<p>None of this is a verdict: people learn together, and from the same teacher.</p>"
    found: dict[str, list[Sight]] = {}
    for one in sights(sheet, records):
        found.setdefault(one.what, []).append(one)
    if not found:
        yield "<p>Nothing.</p>"
    for what in (_UNGRADED, _FLAGGED, _NAMES, _NUMBERS, _SAME, _SOLUTION, _LATE, _REPAIRED):
        if what in found:
            people = {who for one in found[what] for who in _whose(one)}
            yield f"<h3>{what} ({len(people)})</h3>"
            yield f"<p>{_SAID[what]}</p>" if what in _SAID else ""
            items = (_item(sheet, one) if names else _nameless(sheet, one) for one in found[what])
            told = "".join(f"<li>{html(text)}</li>" for text in items if text)
            yield f"<ul>{told}</ul>" if told else ""


def _item(sheet: Handout, sight: Sight) -> str:
    who, *others = sight.learners
    title = f"{sheet.exercises[sight.exercise].title}: " if sight.exercise else ""
    if sight.what == _NUMBERS:
        many = len(others) > _MOST_OTHERS
        whose = f"{len(others)} other names" if many else f"the name of {', '.join(others)}"
        return f"{title}{who}; it fits {whose}"
    whose = ", ".join(sight.learners)
    if sight.what == _NAMES:
        return f"{whose}: {sight.note}" if len(sight.learners) == 1 else sight.note
    return f"{sight.note}: {whose}" if sight.note else f"{title}{whose}"


def _nameless(sheet: Handout, sight: Sight) -> str:
    """Without anybody's name, nor a note, which may hold a file's name, and that the learner's."""
    title = sheet.exercises[sight.exercise].title if sight.exercise else ""
    return f"{title}: {plural(len(_whose(sight)), 'learner')}" if title else ""


def _whose(sight: Sight) -> tuple[str, ...]:
    return sight.learners[:1] if sight.what == _NUMBERS else sight.learners


def sights(sheet: Handout, records: Sequence[GradeRecord]) -> Iterator[Sight]:
    """What somebody should look at."""
    yield from _noted(records)
    yield from _names(records)
    for name, exercise in sheet.exercises.items():
        if exercise.own is not None and isinstance(exercise.task, Number):
            yield from _of_others(exercise, records)
        if isinstance(exercise.task, Code):
            yield from _copies(name, exercise, records)


def _noted(records: Sequence[GradeRecord]) -> Iterator[Sight]:
    """What is known of each, those of whom the same is known together."""
    kinds = {"ungraded": _UNGRADED, "flagged": _FLAGGED, "repaired": _REPAIRED}
    alike: dict[tuple[str, str], list[str]] = {}
    for record in records:
        if record.status in kinds:
            key = (kinds[record.status], "; ".join(noted(record)))
            alike.setdefault(key, []).append(record.learner)
        if record.late:
            alike.setdefault((_LATE, record.handed_in), []).append(record.learner)
    for (what, note), those in alike.items():
        yield Sight(what, "", tuple(those), note)


def _names(records: Sequence[GradeRecord]) -> Iterator[Sight]:
    """Names that do not fit who handed in; where hardly any does, accounts have no names."""
    named = [one for one in records if one.me]
    others = [one for one in named if not _fits(one.me, one.learner)]
    if len(named) >= _LEAST_CLASS and len(others) > len(named) / 2:
        said = "not compared one by one: most are not called by their names here"
        yield Sight(_NAMES, "", tuple(one.learner for one in others), said)
        return
    for one in others:
        yield Sight(_NAMES, "", (one.learner,), one.me[:60])


def _fits(me: str, learner: str) -> bool:
    """Whether a name and that of a folder have a word in common, or are the same letters.

    >>> _fits("Jürgen Müller", "muellerjuergen_12"), _fits("Li Bo", "boli_3"), _fits("Ada", "eve_4")
    (True, True, False)
    """
    folder = _plain(learner)
    words = [_plain(word) for word in me.split()]
    return any(len(word) >= _LEAST_NAME and word in folder for word in words) or (
        bool("".join(words)) and ("".join(words) in folder or "".join(reversed(words)) in folder)
    )


def _plain(name: str) -> str:
    """A name as it is written where there are no accents: ``ü`` is ``u``, with an e or without."""
    apart = unicodedata.normalize("NFKD", name).casefold().translate(_ONE_LETTER)
    letters = "".join(char for char in apart if char.isalpha())
    return re.sub("([aou])e", r"\1", letters)


def _of_others(exercise: Exercise, records: Sequence[GradeRecord]) -> Iterator[Sight]:
    """Numbers that are wrong for the name that stands there, and right for another's."""
    tasks = {one.me: exercise.of(one.me).task for one in records if one.me}
    for record in records:
        marks = (mark for mark in record.marks if mark.exercise == exercise.id)
        mark = next(marks, None)
        if mark is None or mark.given is None or mark.points:
            continue
        fits = {
            name
            for name, task in tasks.items()
            if isinstance(task, Number) and close(mark.given, task.want, task.tolerance)
        }
        theirs = [one.learner for one in records if one.me in fits - {record.me}]
        if theirs:
            yield Sight(_NUMBERS, exercise.id, (record.learner, *theirs))


def _copies(name: str, exercise: Exercise, records: Sequence[GradeRecord]) -> Iterator[Sight]:
    """Answers that are nearly the same, to one another or to the worked solution."""
    pieces = {one.learner: _pieces(one.answers.get(name, "")) for one in records}
    solution = _pieces(exercise.solution)
    long = {who: some for who, some in pieces.items() if len(some) >= _LEAST_WORDS}
    same = tuple(who for who, some in long.items() if _alike(some, solution))
    if same:
        yield Sight(_SOLUTION, name, same)
    groups: list[set[str]] = []
    for one, other in combinations([who for who in long if who not in same], 2):
        if _alike(long[one], long[other]):
            near = [group for group in groups if one in group or other in group]
            groups = [group for group in groups if group not in near]
            groups.append({one, other}.union(*near))
    for group in sorted(groups, key=sorted):
        yield Sight(_SAME, name, tuple(sorted(group)))


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


def _alike(first: frozenset[tuple[str, ...]], second: frozenset[tuple[str, ...]]) -> bool:
    if min(len(first), len(second)) < _SHARED * max(len(first), len(second)):
        return False
    return len(first & second) >= _SHARED * len(first | second)
