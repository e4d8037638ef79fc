"""Pages for people: what a learner gets back, in one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dtree_lab.base.files import write_whole
from dtree_lab.base.text import html, number
from dtree_lab.grading.judge import Handout
from dtree_lab.grading.records import Grade, GradeRecord

FEEDBACK = "feedback"
_STYLE = """
:root { color-scheme: light dark; --p0: #0072b2; --p1: #56b4e9; --p2: #e69f00; --p3: transparent; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .3rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .2rem; } h3 + p { margin: 0; opacity: .8; }
h1, li, p, section { overflow-wrap: anywhere; }
table { border-collapse: collapse; margin-top: 1rem; } .full { width: 100%; }
td, th { padding: .35rem .8rem .35rem 0; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; } tr { border-bottom: 1px solid #99999966; }
td:last-child, th:last-child { padding-right: 0; } td.wide { width: 60%; }
.bar { display: flex; gap: 2px; height: .7rem; margin: .2rem 0; }
.bar span { flex-basis: 0; min-width: 3px; }
.key { display: block; width: .7em; height: .7em; margin: .2em 0 .2em auto; }
.key, .bar span { print-color-adjust: exact; }
.p0 { background: var(--p0); } .p1 { background: var(--p1); } .p2 { background: var(--p2); }
.p3 { background: var(--p3); box-shadow: inset 0 0 0 1px #888; }
svg { max-width: 100%; height: auto; } .note { opacity: .8; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; } th { font-size: .75rem; line-height: 1.2; }
  td, th { padding-right: .5rem; }
}
"""


def standalone_page(title: str, body: Iterable[str]) -> str:
    """A page of its own."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def feedback(sheet: Handout, record: GradeRecord) -> str:
    """What a learner is told: the card of each exercise, without cases that nobody has seen."""
    title = f"{sheet.name}: {record.learner}"
    if not record.marks:
        return standalone_page(
            title, [f"<h1>{html(title)}</h1>", f"<p>Not graded: {html(record.note)}.</p>"]
        )
    points = f"{number(record.points)} of {number(record.max_points)} points"
    body = [f"<h1>{html(title)}</h1>", f"<p><strong>{points}</strong></p>"]
    return standalone_page(title, [*body, *(_exercise(sheet, mark) for mark in record.marks)])


def _exercise(sheet: Handout, mark: Grade) -> str:
    title = sheet.exercises[mark.exercise].title
    head = f"{html(title)}: {number(mark.points)} of {number(mark.max_points)}"
    told = mark.note not in ("", "not answered")  # which the card says
    note = f'<p class="note">{html(mark.note)}</p>' if told else ""
    return f"<section><h2>{head}</h2>{mark.html}{note}</section>"


def write_feedback(course: Path, sheet: Handout, records: Iterable[GradeRecord]) -> int:
    """Write a page for each, where nbgrader would; how many there are."""
    many = 0
    for record in records:
        place = course / FEEDBACK / record.learner / sheet.name / f"{sheet.name}.html"
        write_whole(place, feedback(sheet, record))
        many += 1
    return many
