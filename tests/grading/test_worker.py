"""A judge for each submission: what ends it costs that submission's marks, and nobody else's."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from cases import each
from grading import ownpage
from grading.ownpage import NAME, run, write_draft

from dtree_lab.grading import worker
from dtree_lab.grading.batch import graded
from dtree_lab.grading.sandbox import Allowance, sandbox
from dtree_lab.grading.worker import EndedError, apart

LONG, MUCH = 300.0, 60
# Functions of Python's own stand in for a judge: they are found by name in any process.
SPIN = "[0 for _ in iter(int, 1)]"


@pytest.fixture(autouse=True)
def alone():
    """No host is left behind."""
    yield
    worker.end_hosts()


def test_a_worker_gives_its_text_and_the_next_is_another_process():
    first, second = (apart(eval, ("str(__import__('os').getpid())",), LONG, MUCH) for _ in "ab")
    assert len({first, second, str(os.getpid())}) == 3
    assert apart(json.dumps, ({"a": "\ud800 ä"},), LONG, MUCH) == '{"a": "\\ud800 \\u00e4"}'


@each(
    ("code", "seconds", "processor", "why"),
    [
        ("__import__('os')._exit(3)", LONG, MUCH, r"none \(exit 3\)"),
        ("__import__('os').kill(__import__('os').getpid(), 9)", LONG, MUCH, "signal 9"),
        ("str(len(bytearray(5 << 30)))", LONG, MUCH, r"none \(exit 1\)"),
        (SPIN, LONG, 1, "it took 1 seconds of the processor's time"),
        ("__import__('time').sleep(600)", 0.5, MUCH, "it was not done within its time"),
        ("''", LONG, MUCH, r"none \(exit 0\)"),
        ("'x' * (65 << 20)", LONG, MUCH, "it has too much to say"),
    ],
)
def test_what_ends_a_worker_is_told_and_ends_nobody_else(code, seconds, processor, why):
    with pytest.raises(EndedError, match=why):
        apart(eval, (code,), seconds, processor)
    assert apart(str, (3,), LONG, MUCH) == "3"


def test_a_host_that_is_gone_is_told_and_there_is_another():
    with pytest.raises(EndedError, match="out of memory"):
        apart(eval, ("__import__('os').kill(__import__('os').getppid(), 9)",), LONG, MUCH)
    assert apart(str, (3,), LONG, MUCH) == "3"


def test_what_is_interrupted_is_ended(monkeypatch, tmp_path):
    """By Ctrl-C: whoever asks hears no more of it, and the worker is gone."""
    number = tmp_path / "number"

    class Interrupted:
        def readline(self):
            until = time.monotonic() + 60
            while not (number.exists() and number.read_text()) and time.monotonic() < until:
                time.sleep(0.01)
            raise KeyboardInterrupt

        def close(self):
            """Nothing is open."""

    host = worker._Host()
    plain, host._process.stdout = host._process.stdout, Interrupted()
    monkeypatch.setattr(worker, "_idle", [host])
    said = f"open({str(number)!r}, 'w').write(str(__import__('os').getpid()))"
    code = f"[{said}, __import__('time').sleep(600)]"
    with plain, pytest.raises(KeyboardInterrupt):
        apart(eval, (code,), LONG, MUCH)
    assert worker._idle == []
    assert not Path(f"/proc/{number.read_text()}").exists()


# -- a class ---------------------------------------------------------------------------------------

# An exercise whose check ends the judge at some answers, as a hole in the judge would.
HOLES = """
import os
def _holds(value):
    if value == 666:
        os._exit(0)
    if value == 667:
        bytearray(100 << 30)
    if value == 668:
        os.kill(os.getpid(), 11)
    return value == 0
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_answer_that_ends_its_judge_costs_its_own_submission(tmp_path, monkeypatch, jobs):
    text = ownpage.exercises_py().replace("\n\ndef _gini", f"{HOLES}\n\ndef _gini", 1)
    hole = 'Case((["hole"],), holds=_holds, behaviour="a hole"),\n            _case(["oak", "oak"])'
    text = text.replace('_case(["oak", "oak"])', hole, 1)
    write_draft(tmp_path, text)
    monkeypatch.chdir(tmp_path)
    new, _, release = ownpage.said("Hand it out")
    assert run(*new) == 0
    monkeypatch.chdir(tmp_path / "trees")
    assert run(*release) == 0
    answers = {"ada": 0, "eve": 666, "fay": 667, "gus": 668, "zoe": 0}
    released = Path("release", NAME, f"{NAME}.ipynb").read_text(encoding="utf-8")
    for who, value in answers.items():
        notebook = json.loads(released)
        cell = next(c for c in notebook["cells"] if "def gini" in "".join(c["source"]))
        cell["source"] = f"def gini(labels):\n    return {value} if labels == ['hole'] else 9"
        place = Path("submitted", who, NAME, f"{NAME}.ipynb")
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(notebook), encoding="utf-8")
    found = {
        one.learner: one
        for one in graded(Path.cwd(), NAME, sandbox(), Allowance(), n_jobs=jobs).records
    }
    earned = {who: (one.status, one.points > 0) for who, one in found.items() if one.marks}
    assert earned == {"ada": ("graded", True), "fay": ("graded", False), "zoe": ("graded", True)}
    assert "its judge was ended: " in found["eve"].note
    assert "its judge was ended: signal 11; grade it by hand" in found["gus"].note
    assert {found[who].status for who in ("eve", "gus")} == {"ungraded"}
