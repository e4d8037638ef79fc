"""Submissions of many kinds, really run and judged: each costs what it should, and nobody else."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from dataclasses import asdict
from pathlib import Path

import pytest
from grading.attacks import ATTACKS, KEPT, TRIED
from grading.kinds import ENTROPY, GOOD_ENTROPY, KINDS, REAL, SEED, own, right

from dtree_lab.grading import judge
from dtree_lab.grading.judge import judged_submission
from dtree_lab.grading.sandbox import Allowance, sandbox
from dtree_lab.grading.sheets import cells_in, python_of

# What takes seconds, until a limit ends it, is left to make thorough, but for one of each sort.
SLOW = (
    "a fork bomb in a function",
    "a loop in C",
    "a loop in Python",
    "a loop in a cell",
    "a regular expression",
    "an endless assignment",
    "asks without end",
    "asks without end in a function",
    "endless output",
    "endless output of a program",
    "memory of many processes",
    "memory that is shared",
)
ALL = KINDS | ATTACKS
LIMITS = Allowance(cell=6.0)


@pytest.fixture(scope="module")
def isolated():
    """The sandbox; a machine where bubblewrap is not allowed tries all this without."""
    return sandbox()


def judged(sheet, course, isolated, notebook):
    text = json.dumps(notebook)
    cells, python = cells_in(text), python_of(text)
    return judged_submission(sheet, "somebody", cells, isolated, LIMITS, (course,), python)


def notes_of(record):
    return "\n".join([record.note, *(mark.note for mark in record.marks)])


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.thorough] if name in SLOW else []) for name in ALL],
)
def test_each_kind_gets_its_mark_its_status_and_a_note(course, sheet, isolated, name):
    kind = ALL[name]
    if isolated == "none" and name in NEEDS_A_SANDBOX:
        return
    record = judged(sheet, course, isolated, kind.make())
    least, most = kind.points if isinstance(kind.points, tuple) else (kind.points, kind.points)
    said = f"{record.points} of {record.max_points}, {record.status}: {notes_of(record)}"
    assert least <= record.points <= most, said
    assert record.max_points == 19
    assert record.status == kind.status, said
    assert kind.note in notes_of(record), said
    assert all(mark.card for mark in record.marks)
    if "left behind" in name:
        _ends("7654")


def test_a_cell_of_their_own_that_ends_a_process_later_is_told_of(
    course, sheet, isolated, monkeypatch
):
    """It runs to its end once; an answer ends the process, and the cell the next one."""
    text, runs = "mine = 1", []

    class Process(judge.LearnersProcess):
        def cell(self, source, seconds):
            runs.extend([source] * (source == text))
            ends = source == text and len(runs) == 2
            return super().cell("import os\nos._exit(3)" if ends else source, seconds)

    monkeypatch.setattr(judge, "LearnersProcess", Process)
    handed = own(text, right(six_to_four="import os\nos._exit(3)"))
    record = judged(sheet, course, isolated, handed)
    assert "a cell of their own was left out" in record.note
    assert record.points == 17


# Where nothing hides the lessons, the answers can be read; that is what staff are warned of.
NEEDS_A_SANDBOX = (
    "the library's files",
    "a process left behind",
    "a storm of processes",
    "memory of many processes",
    "memory that is shared",
    "memory that is nobody's",
    "a million files",
    "a fork bomb",
    "a fork bomb in a function",
    "all is stopped",
)


def _ends(word):
    """The kernel of the system ends a namespace's programs when it comes to it."""
    deadline = time.monotonic() + 60
    while (left := _programs(word)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left


def _programs(word):
    """Programs that run with this word among theirs."""
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    return [line for line in lines if word.encode() in line.split(b"\0")]


BREAK_OUT = f"""
import os, shutil, signal, socket
{TRIED}"""
BREAK_OUT += """
tried("read", lambda: open({precious!r}).read())
tried("book", lambda: open({book!r}, "r+b").read())
tried("other", lambda: open({other!r}, "w").write("x"))
tried("delete", lambda: os.remove({precious!r}))
tried("tree", lambda: shutil.rmtree({course!r}))
tried("network", lambda: socket.create_connection(("127.0.0.1", {port}), 1))
tried("kill", lambda: os.kill({pid}, signal.SIGUSR1))
tried("root", lambda: os.setuid(0))
tried("library", lambda: open(dt.__file__, "a").write("x"))
h_now = " ".join(reached) or "nothing"
"""


def test_nothing_outside_is_reached(course, sheet, isolated):
    if isolated == "none":
        return
    precious, book = course / "precious.txt", course / "gradebook.db"
    other = course / "submitted" / "other" / REAL / f"{REAL}.ipynb"
    other.parent.mkdir(parents=True)
    for path in (precious, book, other):
        path.write_text("mine", encoding="utf-8")
    hit = []
    before = signal.signal(signal.SIGUSR1, lambda *_: hit.append(1))
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.1)
            text = BREAK_OUT.format(
                precious=str(precious),
                book=str(book),
                other=str(other),
                course=str(course),
                port=server.getsockname()[1],
                pid=os.getpid(),
            )
            record = judged(sheet, course, isolated, right(six_to_four=text))
            with pytest.raises(TimeoutError):
                server.accept()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert [path.read_text(encoding="utf-8") for path in (precious, book, other)] == ["mine"] * 3
    assert not hit
    assert record.points == 17
    (mark,) = [one for one in record.marks if one.exercise == "tax-fraud/six-to-four"]
    assert "'nothing'" in mark.card


def test_the_card_tells_nothing_of_the_unseen_cases(course, sheet, isolated):
    seen = "{" + ", ".join(f"{tuple(c.args[0])}: {c.wants[0]!r}" for c in _entropy_cases()) + "}"
    by_heart = f"SEEN = {seen}\ndef entropy(counts):\n    return SEEN.get(tuple(counts), 0.5)"
    record = judged(sheet, course, isolated, right(entropy=by_heart))
    (mark,) = [one for one in record.marks if one.exercise == "tax-fraud/entropy"]
    assert mark.points < mark.max_points / 2
    every = sheet.exercises["tax-fraud/entropy"].task.with_fresh(SEED).cases
    unseen = every[len(_entropy_cases()) :]
    assert "unseen cases" in mark.card
    for case in unseen:
        assert str(case.args[0]) not in mark.card
        assert str(case.args[0]) not in mark.html


def test_no_word_of_who_was_asked_the_unseen_cases_is_told(course, sheet, isolated):
    """What is given to a function in one exercise is shown as a wrong answer in another."""
    record = judged(sheet, course, isolated, right(entropy=KEPT, cost="cost = repr(SEEN)"))
    assert record.points == 18
    every = sheet.exercises[ENTROPY].task.with_fresh(SEED).cases
    text = json.dumps(asdict(record))
    shown, unseen = every[: len(_entropy_cases())], every[len(_entropy_cases()) :]
    assert unseen
    assert str(tuple(shown[0].args[0])) in text  # the visible ones are there
    assert not [case for case in unseen if str(tuple(case.args[0])) in text]


def test_an_error_in_an_unseen_case_is_told_without_its_words(course, sheet, isolated):
    visible = {tuple(case.args[0]) for case in _entropy_cases()}
    text = f"""
def entropy(counts):
    if tuple(counts) not in {visible}:
        raise NameError(f"told {{counts}}")
    {GOOD_ENTROPY}
"""
    record = judged(sheet, course, isolated, right(entropy=text))
    (mark,) = [one for one in record.marks if one.exercise == ENTROPY]
    assert "unseen case" in mark.card
    assert mark.points < mark.max_points
    assert "told" not in json.dumps(asdict(record) | {"answers": {}})


def _entropy_cases():
    import dtree_lab as dt

    exercises = dt.course.exercises("tax-fraud")
    return next(one for one in exercises if one.id == "tax-fraud/entropy").task.cases
