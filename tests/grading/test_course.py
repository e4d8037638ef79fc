"""A class graded: from folders to marks, pages and files, whatever is among them."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from effort import scaled
from grading.csvread import lines_of
from grading.kinds import ENTROPY, REAL, REFUND, filled, number_of, right, solutions, source

from dtree_lab.cli import main
from dtree_lab.course.assignment import AssignmentError
from dtree_lab.grading import batch, exports
from dtree_lab.grading.batch import graded
from dtree_lab.grading.collecting import collect
from dtree_lab.grading.gradebook import into_gradebook
from dtree_lab.grading.judge import JudgeError
from dtree_lab.grading.pages import feedback, report_page, sights
from dtree_lab.grading.records import FOLDER, Grade, GradeRecord, Records
from dtree_lab.grading.releasing import release
from dtree_lab.grading.sandbox import Allowance, sandbox


def grade(course, **others):
    return graded(course, REAL, sandbox(), Allowance(cell=6.0), n_jobs=1, **others)


@pytest.fixture
def judge(monkeypatch):
    """A judge that only notes who came, for what is not about judging."""
    seen = []

    def judged(sheet, learner, handed, *_):
        seen.append(learner)
        if "stop" in learner:
            raise KeyboardInterrupt if "Ctrl" in learner else SystemExit
        marks = tuple(
            Grade(one.exercise, one.cell, one.points, one.points, "graded", card="PASS")
            for one in sheet.checks.values()
        )
        return GradeRecord(learner, sheet.name, "graded", marks=marks, sheet=sheet.version)

    monkeypatch.setattr(batch, "judged_submission", judged)
    monkeypatch.setattr(batch, "apart", here)
    return seen


def here(work, given, *_):
    """Judge in this process, for what is not about what a judge may end."""
    return work(*given)


# -- a real run ------------------------------------------------------------------------------------


def test_trouble_with_one_is_not_trouble_for_another(course, hand_in):
    """By nbgrader, too: its gradebook has the marks, and none where there is none."""
    hand_in("ada_lovelace", right())
    hand_in("bob", b"")
    hand_in(
        "cyd", filled({REFUND: f"h_after_refund = {number_of('Ada Lovelace')}"}, "Cyd Charisse")
    )
    hand_in("dan", right(), "01-tax-fraud (1).ipynb")
    found = {one.learner: one for one in grade(course).records}
    assert {who: (one.points, one.status) for who, one in found.items()} == {
        "ada_lovelace": (19, "graded"),
        "bob": (0, "ungraded"),
        "cyd": (0, "graded"),
        "dan": (19, "repaired"),
    }
    assert found["bob"].note == "the file is empty"
    assert "01-tax-fraud (1).ipynb" in found["dan"].note
    sheet = batch.sheet_of(course, REAL)
    seen = {(one.what, one.learners, one.note) for one in sights(sheet, list(found.values()))}
    assert ("A number that fits another name", ("cyd", "ada_lovelace", "dan"), "") in seen
    assert ("Another name in it than of who handed it in", ("dan",), "Ada Lovelace") in seen
    assert ("Not graded: ask for it again", ("bob",), "the file is empty") in seen
    assert any("worked solution" in what for what, _, _ in seen)
    records = exports.everybody(course, sheet, list(found.values()))
    assert into_gradebook(course, sheet, records) == 3
    assert into_gradebook(course, sheet, records) == 3  # again changes nothing
    scores = json.loads(_python(course, SCORES, REAL))
    assert scores["ada_lovelace"] == [19.0, False]
    assert scores["cyd"] == [0.0, False]
    assert scores["bob"] == [0.0, True]  # Formgrader: needs manual grade
    shown = course / "autograded" / "ada_lovelace" / REAL / f"{REAL}.ipynb"
    assert "PASS  Entropy as a function" in shown.read_text(encoding="utf-8")


SCORES = """
import json, sys
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as gb:
    print(json.dumps({
        one.student.id: [one.score, one.needs_manual_grade]
        for one in gb.assignment_submissions(sys.argv[1])
    }))
"""


def _python(folder, code, *words):
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_killed_in_the_midst_it_loses_nothing_and_repeats_nothing(course, hand_in):
    for i in range(3):
        hand_in(f"learner{i}", filled({}))
    hand_in("learner9", right(cost="import time\ntime.sleep(60)"))
    if sandbox() == "none":
        return
    words = [sys.executable, "-m", "dtree_lab.cli", "assignment", "grade", REAL]
    process = subprocess.Popen([*words, "--course", str(course)], start_new_session=True)
    records = Records(course, REAL)
    try:
        until = time.monotonic() + 120
        while len(records.all()) < 3 and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    done = {one.stem: one.stat().st_mtime_ns for one in records.folder.glob("*.json")}
    assert len(done) == 3
    again = grade(course)
    assert again.done == 1
    assert [one.points for one in again.records] == [0, 0, 0, 18]
    kept = {one.stem: one.stat().st_mtime_ns for one in records.folder.glob("*.json")}
    assert {who: kept[who] for who in done} == done


# -- the loop, with a judge that only notes who came -----------------------------------------------


def test_what_is_graded_stays_until_it_or_the_assignment_changes(course, hand_in, judge):
    place = hand_in("ada", right())
    hand_in("bob", right())
    assert grade(course).done == 2
    assert grade(course).done == 0
    place.write_text(json.dumps(filled({})), encoding="utf-8")
    assert grade(course).done == 1
    assert grade(course, again=True).done == 2
    assert grade(course, again=True, only=("bob",)).done == 1
    made = course / "source" / REAL / f"{REAL}.ipynb"
    made.write_text(made.read_text(encoding="utf-8") + " ", encoding="utf-8")
    assert grade(course).done == 2
    assert judge == ["ada", "bob", "ada", "ada", "bob", "bob", "ada", "bob"]


def test_regrading_tells_which_marks_change(course, hand_in, judge, monkeypatch):
    hand_in("ada", right())
    hand_in("bob", right())
    grade(course)
    plain = batch.judged_submission

    def other(sheet, learner, *rest):
        record = plain(sheet, learner, *rest)
        return record if learner == "ada" else GradeRecord(learner, REAL, "graded")

    monkeypatch.setattr(batch, "judged_submission", other)
    changed = grade(course, again=True).changed
    assert [(one.learner, before, one.points) for one, before in changed] == [("bob", 19, 0)]


def test_what_ends_the_judge_again_and_again_is_left_alone(course, hand_in, judge):
    hand_in("stop", right())
    for _ in range(3):
        with pytest.raises(SystemExit):
            grade(course)
    (record,) = grade(course).records
    assert record.status == "ungraded"
    assert "broken off 3 times" in record.note
    with pytest.raises(SystemExit):
        grade(course, again=True, only=("stop",))


def test_who_interrupts_often_harms_nobody(course, hand_in, judge):
    hand_in("stop Ctrl-C", right())
    for _ in range(5):
        with pytest.raises(KeyboardInterrupt):
            grade(course)
    assert judge == ["stop Ctrl-C"] * 5


def test_nor_whom_another_process_was_judging(course, hand_in, judge, monkeypatch):
    hand_in("ada", right())

    def interrupted(*_, **__):
        Records(course, REAL).begin("ada")  # by a process that was then ended
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(batch, "parallel_map", interrupted)
        for _ in range(5):
            with pytest.raises(KeyboardInterrupt):
                grade(course)
    (record,) = grade(course).records
    assert record.status == "graded"


def _told(terminal, seconds):
    """What came from a terminal within some time; None when its program has ended."""
    if not select.select([terminal], [], [], seconds)[0]:
        return b""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return None


@pytest.mark.thorough
def test_ctrl_c_in_a_terminal_stops_two_judges_and_harms_nobody(course, hand_in, monkeypatch):
    """A real terminal: its bar, with an estimate, and the key that interrupts."""
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    for who in ("ada", "bob", "cyd"):
        hand_in(who, filled({}))
    for i in range(4):
        hand_in(f"slow{i}", right(cost="import time\ntime.sleep(60)"))
    if sandbox() == "none":
        return
    import fcntl  # Linux has them
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))

    def in_a_terminal():
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # the tests may run where it is ignored

    words = [sys.executable, "-m", "dtree_lab.cli", "assignment", "grade", REAL, "--jobs", "2"]
    process = subprocess.Popen(
        [*words, "--course", course, "--seconds", "5"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=in_a_terminal,  # noqa: PLW1509 - what Ctrl-C is for
    )
    os.close(theirs)
    folder = course / FOLDER / REAL
    seen = b""
    until = time.monotonic() + 120
    while b"grading:" not in seen or len(list(folder.glob("slow*.begun"))) < 2:
        assert time.monotonic() < until, seen
        seen += _told(ours, 0.1) or b""
    os.write(ours, b"\x03")
    while (told := _told(ours, 30)) is not None:
        seen += told
    os.close(ours)
    said = seen.decode()
    assert process.wait(30) == 130, said
    assert re.search(r"grading: +\d+%.*\d/7 \[\d\d:\d\d<\d\d:\d\d", said), said
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert not list(folder.glob("*.begun"))
    assert {one.learner for one in Records(course, REAL).all()} >= {"ada", "bob", "cyd"}


def test_where_no_process_can_be_started_nobody_gets_a_zero(course, hand_in, monkeypatch):
    def broken(*_):
        raise JudgeError("no process can be started")

    monkeypatch.setattr(batch, "judged_submission", broken)
    monkeypatch.setattr(batch, "apart", here)
    hand_in("ada", right())
    (record,) = grade(course).records
    assert (record.status, record.marks) == ("ungraded", ())
    sheet = batch.sheet_of(course, REAL)
    (line,) = lines_of(exports.wide_csv(sheet, [record]))
    assert (line["points"], line["status"]) == ("", "ungraded")


def test_half_a_record_is_none(course):
    records = Records(course, REAL)
    records.write(GradeRecord("ada", REAL, "graded"))
    assert records.read("ada") == GradeRecord("ada", REAL, "graded")
    for text in ("", "{", "[]", "{}", '{"marks": [1]}', '{"marks": [], "x": 1}'):
        records.path("ada").write_text(text, encoding="utf-8")
        assert records.read("ada") is None
        assert records.all() == []


# -- what is written -------------------------------------------------------------------------------

CARD = "NOT YET  Entropy <script>"


@pytest.fixture
def some(sheet):
    """Records made by hand: right, flagged with a nasty name, and ungraded."""
    marks = [
        Grade(one.exercise, one.cell, one.points, one.points, "graded", card="PASS")
        for one in sheet.checks.values()
    ]
    odd = [
        Grade(m.exercise, m.cell, 0, m.max_points, "flagged", "=1+1", CARD, "<p>x</p>", ("A slip",))
        for m in marks
    ]
    return [
        GradeRecord("ada_12", REAL, "graded", "", tuple(marks), "Ada"),
        GradeRecord("=bob", REAL, "flagged", "=cmd", tuple(odd), "Bob"),
        GradeRecord("cyd_34", REAL, "ungraded", "the file is empty"),
    ]


def test_the_long_sheet(sheet, some):
    lines = lines_of(exports.long_csv(sheet, some))
    head = ["learner", "exercise", "points", "max_points", "status", "note", "late", "handed_in"]
    assert list(lines[0]) == head
    assert len(lines) == 3 * 9
    ada = [line for line in lines if line["learner"] == "ada_12"]
    assert sum(float(line["points"]) for line in ada) == 19
    assert [line["exercise"] for line in ada] == list(sheet.exercises)
    cyd = [line for line in lines if line["learner"] == "cyd_34"]
    assert {(line["points"], line["status"], line["note"]) for line in cyd} == {
        ("", "ungraded", "the file is empty")
    }
    assert sum(float(line["max_points"]) for line in cyd) == 19
    bob = [line for line in lines if line["learner"] == "'=bob"]
    assert {line["note"] for line in bob} == {"'=1+1; =cmd"}  # no spreadsheet runs it


def test_the_wide_sheet(sheet, some):
    lines = lines_of(exports.wide_csv(sheet, some))
    head = ["learner", "points", "max_points", "status", "note", "late", "handed_in"]
    assert list(lines[0]) == head
    assert [(line["points"], line["max_points"], line["status"]) for line in lines] == [
        ("19", "19", "graded"),
        ("0", "19", "flagged"),
        ("", "19", "ungraded"),
    ]


# -- late ------------------------------------------------------------------------------------------

WHEN = "2026-11-02 15:58:23.948203 UTC"


def handed(tmp_path, course, *names):
    """Right notebooks of some names, or a PDF, collected and graded."""
    folder = tmp_path / f"in{len(list(tmp_path.iterdir()))}"
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("%PDF" if name.endswith("pdf") else json.dumps(right()), "utf-8")
    collect(folder, course, REAL)
    return {one.learner: one for one in grade(course).records}


def lateness(one):
    return one.late, one.handed_in


@pytest.mark.usefixtures("judge")
def test_who_is_late_is_called_so_in_every_export_and_keeps_the_mark(course, tmp_path):
    found = handed(
        tmp_path,
        course,
        f"turingalan_LATE_1301_56_{REAL}.ipynb",
        f"lovelaceada_1201_55_{REAL}.ipynb",
        "cydc_LATE_3_57_x.pdf",
        f"dan+{REAL}+{WHEN}+a1/{REAL}.ipynb",
    )
    assert {who: lateness(one) for who, one in found.items()} == {
        "turingalan_1301": (True, ""),
        "lovelaceada_1201": (False, ""),
        "cydc_3": (True, ""),
        "dan": (False, WHEN),
    }
    assert {who: one.points for who, one in found.items() if one.marks} == {
        "turingalan_1301": 19,
        "lovelaceada_1201": 19,
        "dan": 19,
    }
    folder = course / "submitted" / "dan" / REAL  # where nbgrader reads it, too
    assert (folder / "timestamp.txt").read_text(encoding="utf-8") == WHEN
    records, sheet = list(found.values()), batch.sheet_of(course, REAL)
    for text in (exports.wide_csv(sheet, records), exports.long_csv(sheet, records)):
        assert {(line["learner"], line["late"], line["handed_in"]) for line in lines_of(text)} == {
            ("turingalan_1301", "yes", ""),
            ("lovelaceada_1201", "", ""),
            ("cydc_3", "yes", ""),
            ("dan", "", WHEN),
        }
    told = json.loads(exports.results_json(sheet, found["turingalan_1301"]))
    assert told["extra_data"] == {"late": True, "handed_in": ""}
    assert told["score"] == 19
    page = report_page(sheet, records)
    assert "Handed in late: the marks are not changed by it (2)" in page
    assert "turingalan" not in report_page(sheet, records, names=False)
    (course / FOLDER / REAL / "cydc_3.json").unlink()  # known before it is graded, too
    assert exports.everybody(course, sheet, [])[0].late


@pytest.mark.usefixtures("judge")
def test_the_same_once_more_came_when_it_came_first(course, tmp_path):
    name, other = f"alan_1301_56_{REAL}.ipynb", f"alan_LATE_1301_57_{REAL}-1.ipynb"
    assert not handed(tmp_path, course, name)["alan_1301"].late
    assert not handed(tmp_path, course, other)["alan_1301"].late
    then = [f"dan+{REAL}+2026-11-0{day} 15:58:23 UTC+a1/{REAL}.ipynb" for day in (2, 3)]
    assert handed(tmp_path, course, then[0])["dan"].handed_in == "2026-11-02 15:58:23 UTC"
    assert handed(tmp_path, course, then[1])["dan"].handed_in == "2026-11-02 15:58:23 UTC"
    # Another one counts as late; and no more, where staff have given more time.
    place = course / "submitted" / "alan_1301" / REAL / f"{REAL}.ipynb"
    place.write_text(json.dumps(filled({})), encoding="utf-8")
    assert handed(tmp_path, course, other)["alan_1301"].late
    assert not handed(tmp_path, course, name)["alan_1301"].late


@pytest.mark.usefixtures("judge")
def test_a_due_time_makes_late_what_came_after_it(course, tmp_path, capsys):
    handed(
        tmp_path,
        course,
        f"lovelaceada_1201_55_{REAL}.ipynb",
        f"dan+{REAL}+{WHEN}+a1/{REAL}.ipynb",
    )
    wide, page = tmp_path / "wide.csv", tmp_path / "class.html"
    for due, late in {
        "2026-11-02 15:58:23.948203": [],
        "2026-11-02 16:58+01:00": ["dan"],
        "2026-11-02 16:58": [],
        "2026-11-02": ["dan"],
    }.items():
        assert run("export", REAL, "--course", course, "--wide", wide, "--due", due) == 0
        assert "1 submission without a time: late only where" in capsys.readouterr().out
        lines = lines_of(wide.read_text(encoding="utf-8"))
        assert [line["learner"] for line in lines if line["late"]] == late
        assert {line["points"] for line in lines} == {"19"}
    assert run("report", REAL, page, "--course", course, "--due", "2026-11-02") == 0
    assert f"{WHEN}: dan" in page.read_text(encoding="utf-8")
    assert not any(one.late for one in Records(course, REAL).all())  # said, and not kept
    with pytest.raises(SystemExit):
        run("export", REAL, "--course", course, "--wide", wide, "--due", "Monday")
    assert "'Monday' is no time; write it as '2026-11-02 18:00'" in capsys.readouterr().err


def test_a_page_for_a_learner(sheet, some):
    page = feedback(sheet, some[0])
    assert "19 of 19 points" in page
    assert "<script" not in feedback(sheet, some[1])
    assert "Not graded: the file is empty" in feedback(sheet, some[2])


def test_the_report_names_mistakes_and_names_nobody_if_asked(sheet, some):
    page = report_page(sheet, some)
    assert "A slip" in page
    assert "1 graded, 0 repaired, 1 flagged, 1 ungraded" in page
    assert "From 0 to 19 of 19 points; half have 9.5 or more" in page
    assert page.count('class="bar"') == 9
    assert "=bob" in page
    without = report_page(sheet, some, names=False)
    assert "A slip" in without
    for name in ("bob", "ada", "Ada", "Bob"):
        assert not re.search(rf"\b{name}", without), name


def test_names_are_escaped_and_an_empty_class_has_a_page(sheet, some):
    odd = "<script>alert(1)</script>"
    marks = some[0].marks
    records = [GradeRecord(odd, REAL, "flagged", odd, marks, odd)]
    for page in (report_page(sheet, records), feedback(sheet, records[0])):
        assert "<script" not in page
        assert "&lt;script&gt;" in page
    empty = report_page(sheet, [])
    assert "0 submissions" in empty
    assert "Nothing could be judged yet." in empty


@pytest.mark.parametrize(
    ("me", "learner", "fits"),
    [
        ("Ada Lovelace", "lovelaceada_1201", True),
        ("Jürgen Müller", "muellerjuergen_12", True),
        ("Lukasz Zak", "Łukasz_Żak_333", True),
        ("Zoë O'Hara", "Gruppe_A-Zoe_OHara_5", True),
        ("王伟", "王伟_12", True),
        ("Li Bo", "boli_7", True),
        ("Ada Lovelace", "cheatbob_1209", False),
        ("!", "bob_3", False),
        ("12", "bob_12", False),
    ],
)
def test_names_are_compared_as_people_write_them(sheet, me, learner, fits):
    seen = [one.learners for one in sights(sheet, [GradeRecord(learner, REAL, "graded", me=me)])]
    assert seen == ([] if fits else [(learner,)])


def test_where_accounts_have_no_names_nobody_is_listed_by_name(sheet):
    records = [GradeRecord(f"s{i}", REAL, "graded", me=f"Ada {i}") for i in range(scaled(300))]
    (one,) = sights(sheet, records)
    page = report_page(sheet, records)
    assert one.note in page
    assert records[-1].learner not in page


def test_a_number_that_fits_many_names_names_none_of_them(sheet):
    """There are far fewer numbers than people in a large class: one that fits says little."""
    names = [f"Somebody {i}" for i in range(scaled(500))]
    ((many, _),) = Counter(map(number_of, names)).most_common(1)
    marks = tuple(_unanswered(sheet))
    given = [replace(one, given=many if one.exercise == REFUND else None) for one in marks]
    records = [
        GradeRecord(f"somebody_{i}", REAL, "graded", me=name) for i, name in enumerate(names)
    ]
    records.append(GradeRecord("cyd", REAL, "graded", "", tuple(given), "Cyd"))
    (one,) = (one for one in sights(sheet, records) if one.exercise == REFUND)
    theirs = [f"somebody_{i}" for i, n in enumerate(names) if abs(number_of(n) - many) <= 0.001]
    assert one.learners == ("cyd", *theirs)
    assert len(theirs) > 3
    assert f"cyd; it fits {len(theirs)} other names" in report_page(sheet, records)


def test_answers_that_are_nearly_the_same_are_listed(sheet):
    long = """
import math

def entropy(counts):
    whole = sum(counts)
    result = 0.0
    for number in counts:
        if number == 0:
            continue
        share = number / whole
        result -= share * math.log(share, 2)
    return round(result, 12)
"""
    other = (
        long.replace("result", "res").replace("# ", "").replace("    if number", "    if number")
    )
    texts = {"ada": long, "bob": long.replace("whole = ", "whole  =  ") + "# mine", "cyd": other}
    records = [
        GradeRecord(who, REAL, "graded", "", (), who, {ENTROPY: text})
        for who, text in texts.items()
    ]
    records = [GradeRecord(**{**vars(one), "marks": tuple(_unanswered(sheet))}) for one in records]
    found = [one for one in sights(sheet, records) if one.exercise == ENTROPY]
    assert [(one.what, one.learners) for one in found] == [
        ("Nearly the same words as others", ("ada", "bob"))
    ]


def _unanswered(sheet):
    for one in sheet.checks.values():
        yield Grade(one.exercise, one.cell, 0, one.points, "graded")


# -- release ---------------------------------------------------------------------------------------


def leaking():
    """Source versions in which something tells too much."""
    solution = solutions()[ENTROPY]
    line = next(one.strip() for one in solution.splitlines() if len(one.strip()) > 20)

    def cell(notebook):
        return next(
            c for c in notebook["cells"] if c["id"] == f"answer-{ENTROPY.replace('/', '-')}"
        )

    def metadata(notebook):
        cell(notebook)["metadata"]["note"] = line

    def attachment(notebook):
        notebook["cells"][0]["attachments"] = {"a.txt": {"text/plain": line}}

    def unmarked(notebook):
        cell(notebook)["source"] = solution

    def half_marked(notebook):
        text = "".join(cell(notebook)["source"])
        cell(notebook)["source"] = text.replace("### END SOLUTION", "")

    def text(notebook):
        notebook["cells"][0]["source"] = f"For staff: {line}"

    def seed(notebook):
        notebook["metadata"]["seed"] = 987_654_321

    return [metadata, attachment, unmarked, half_marked, seed, text]


@pytest.mark.parametrize("leak", leaking(), ids=lambda leak: leak.__name__)
def test_what_would_tell_too_much_is_not_released(course, leak):
    made = course / "source" / REAL / f"{REAL}.ipynb"
    notebook = source()
    leak(notebook)
    made.write_text(json.dumps(notebook), encoding="utf-8")
    place = course / "release" / REAL / f"{REAL}.ipynb"
    place.unlink()
    with pytest.raises(AssignmentError, match=r"nothing is released: the (cell|notebook)"):
        release(course, REAL)
    assert not place.exists()


def test_outputs_and_the_state_of_widgets_are_not_released(course):
    made = course / "source" / REAL / f"{REAL}.ipynb"
    notebook = source()
    line = solutions()[ENTROPY]
    notebook["metadata"]["widgets"] = {"state": line}
    notebook["cells"][1]["outputs"] = [{"output_type": "stream", "text": line}]
    made.write_text(json.dumps(notebook), encoding="utf-8")
    assert "outputs" in release(course, REAL).read_text(encoding="utf-8")
    assert "BEGIN" not in release(course, REAL).read_text(encoding="utf-8")


# -- the command -----------------------------------------------------------------------------------


def run(*words):
    return main.main(["assignment", *map(str, words)])


@pytest.mark.usefixtures("judge")
def test_the_whole_way_by_the_command(course, tmp_path, hand_in, capsys, monkeypatch):
    monkeypatch.setattr("dtree_lab.cli.assignment.sandbox", lambda: "bubblewrap")
    folder = tmp_path / "in"
    for who in ("ada", "bob"):
        place = folder / who / f"{REAL}.ipynb"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(right()), encoding="utf-8")
    at = ("--course", course)
    assert run("release", REAL, *at) == 0
    assert run("collect", REAL, folder, *at) == 0
    assert run("grade", REAL, *at) == 0
    assert "2 submissions (2 now): 2 graded" in capsys.readouterr().out
    hand_in("cyd", b"torn")
    assert run("feedback", REAL, *at) == 0
    wide = tmp_path / "wide.csv"
    assert run("export", REAL, *at, "--wide", wide, "--results", tmp_path / "res") == 0
    assert "Without points, and not with 0: cyd" in capsys.readouterr().out
    assert [line["points"] for line in lines_of(wide.read_text())] == ["19", "19", ""]
    assert run("report", REAL, tmp_path / "class.html", *at) == 0
    assert run("regrade", REAL, *at) == 0
    assert "0 marks changed" in capsys.readouterr().out
    assert (course / "feedback" / "ada" / REAL / f"{REAL}.html").is_file()
    assert (course / FOLDER / REAL / "ada.json").is_file()


def test_without_ipython_nothing_is_graded(course, hand_in, judge, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", None)  # without it `x = !ls` is a syntax error
    hand_in("ada", right())
    for word in ("grade", "regrade"):
        assert run(word, REAL, "--course", course, "--no-sandbox") == 1
        assert "Grading needs IPython, which is not installed here" in capsys.readouterr().err
    assert judge == []


def test_without_a_sandbox_it_stops_unless_told(course, hand_in, judge, capsys, monkeypatch):
    monkeypatch.setattr("dtree_lab.cli.assignment.sandbox", lambda: "none")
    hand_in("ada", right())
    assert run("grade", REAL, "--course", course) == 2
    assert "there is no sandbox" in capsys.readouterr().err
    assert judge == []
    assert run("grade", REAL, "--course", course, "--no-sandbox") == 0
    assert judge == ["ada"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("release", "nothing"), "no assignment 'nothing'"),
        (("grade", "nothing"), "there are 01-tax-fraud"),
        (("grade", "tax-frod"), "there are 01-tax-fraud; did you mean 'tax-fraud'?"),
        (("release", "01-tax-frau"), "did you mean '01-tax-fraud'?"),
        (("check", "2"), "no assignment '2'"),
        (("check", "tax-frod"), "did you mean 'tax-fraud'?"),
        (("export", REAL, "--csv", "x"), "is not graded yet"),
        (("collect", REAL, "nowhere"), "there is no nowhere"),
        (("grade", REAL), "nobody's 01-tax-fraud is in submitted/ yet"),
        (("export", REAL), "say what to write: --csv, --wide, --canvas, --moodle, --results"),
        (("grade", REAL, "--course", "elsewhere"), "elsewhere is no course's folder: go to"),
    ],
)
def test_trouble_is_one_line(course, capsys, monkeypatch, words, said):
    monkeypatch.setattr("dtree_lab.cli.assignment.sandbox", lambda: "bubblewrap")
    assert run(*words[:2], "--course", course, *words[2:]) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gradee", REAL), "no command 'gradee'. Did you mean 'grade'?"),
        (("Collect",), "no command 'Collect'. Did you mean 'collect'?"),
        (("exprot", REAL, "--wide", "x"), "Did you mean 'export'?"),
    ],
)
def test_a_command_mistyped_is_told(capsys, words, said):
    assert run(*words) == 2
    assert said in capsys.readouterr().err


def test_only_somebody_who_handed_in(course, hand_in, judge, capsys, monkeypatch):
    monkeypatch.setattr("dtree_lab.cli.assignment.sandbox", lambda: "bubblewrap")
    hand_in("lovelaceada_1201", right())
    assert run("grade", REAL, "--course", course, "--only", "lovelaceada_1202") == 1
    said = capsys.readouterr().err
    assert "nobody called 'lovelaceada_1202' has handed in" in said
    assert "did you mean 'lovelaceada_1201'?" in said
    assert judge == []


def test_only_may_be_said_more_than_once(course, hand_in, judge, monkeypatch):
    monkeypatch.setattr("dtree_lab.cli.assignment.sandbox", lambda: "bubblewrap")
    for who in ("h1", "h2", "h3", "h4"):
        hand_in(who, right())
    assert run("grade", REAL, "--course", course, "--only", "h1", "h2", "--only", "h4") == 0
    assert sorted(judge) == ["h1", "h2", "h4"]
    assert run("grade", REAL, "--course", course, "--only", "h3") == 0  # nothing is kept of before
    assert sorted(judge) == ["h1", "h2", "h3", "h4"]


@pytest.mark.usefixtures("judge")
def test_each_command_takes_the_words_that_new_takes(course, hand_in, tmp_path, monkeypatch):
    monkeypatch.setattr("dtree_lab.cli.assignment.sandbox", lambda: "bubblewrap")
    monkeypatch.setattr("dtree_lab.cli.assignment.doubts", lambda _, name, __: {REAL: []}[name])
    hand_in("ada", right())
    for words in (
        ("check", "tax-fraud"),
        ("release", "1"),
        ("collect", "01", course / "submitted"),
        ("grade", "Tax-Fraud"),
        ("regrade", "01-tax-fraud.ipynb"),
        ("feedback", "1"),
        ("export", "tax-fraud", "--wide", tmp_path / "wide.csv"),
        ("report", "1", tmp_path / "class.html"),
    ):
        assert run(*words, "--course", course) == 0, words
    assert (course / "feedback" / "ada" / REAL / f"{REAL}.html").is_file()
    assert [line["points"] for line in lines_of((tmp_path / "wide.csv").read_text())] == ["19"]


def test_a_note_of_many_exercises_is_said_once(some, sheet):
    (line,) = lines_of(exports.wide_csv(sheet, some[1:2]))
    assert line["note"] == "'=cmd; 9 exercises: =1+1"


def test_help_names_every_step(capsys):
    with pytest.raises(SystemExit):
        run("--help")
    shown = capsys.readouterr().out
    for name in ("new", "release", "collect", "grade", "regrade", "feedback", "export", "report"):
        assert re.search(rf"^    {name} ", shown, re.MULTILINE), name
        with pytest.raises(SystemExit):
            run(name, "--help")


def test_names_that_look_alike_are_different_people(course, hand_in, judge):
    for who in ("a b", "a_b", "a  b", "Zoë O'Hara"):
        hand_in(who, right())
    assert grade(course).done == 4
    assert sorted(one.learner for one in Records(course, REAL).all()) == [
        "Zoë O'Hara",
        "a  b",
        "a b",
        "a_b",
    ]
    assert grade(course).done == 0
    assert len(judge) == 4


def test_what_is_released_is_what_nbgrader_would_release(course):
    """But for its checksums, which it adds, and the outputs, of which there are none."""
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions, LockCells
    from traitlets.config import Config

    # As in the configuration that `new` writes.
    config = Config(ClearSolutions={"code_stub": {"python": _NoLines()}})
    notebook = nbformat.reads(json.dumps(source()), as_version=4)
    for step in (ClearSolutions, ClearHiddenTests, LockCells):
        notebook, _ = step(config=config).preprocess(notebook, {})
    theirs = json.loads(nbformat.writes(notebook))["cells"]
    place = course / "release" / REAL / f"{REAL}.ipynb"
    ours = json.loads(place.read_text(encoding="utf-8"))["cells"]
    for one, other in zip(ours, theirs, strict=True):
        assert "".join(one["source"]) == "".join(other["source"])
        assert one["metadata"] == other["metadata"]
        assert one["id"] == other["id"]


class _NoLines(str):
    __slots__ = ()

    def split(self, *_):
        return []


def test_paths_stay_within_the_course(course):
    """A name that was made up to lead elsewhere leads nowhere."""
    records = Records(course, REAL)
    records.write(GradeRecord("../../../elsewhere", REAL, "graded"))
    assert [one.parent for one in Path(course).rglob("*elsewhere*")] == [records.folder]


# -- notebooks of one's own ------------------------------------------------------------------------


def own_notebook(*texts):
    cells = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in texts]
    words = {"cell_type": "markdown", "source": "# Mine", "metadata": {}}
    return {"cells": [words, *cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


OWN = (
    "import dtree_lab as dt\nimport math",
    "me = ...",
    "def information_gain(rows, name, label):\n    ...",
    'dt.course.check("entropy/gain", information_gain)',
    "def entropy(counts):\n    ...",
    'dt.course.check("tax-fraud/entropy", entropy)',
)


def test_a_notebook_of_ones_own_becomes_an_assignment(tmp_path, monkeypatch, capsys):
    """With exercises of two lessons, in another order; solved, all of it is right."""
    path = tmp_path / "week3.ipynb"
    path.write_text(json.dumps(own_notebook(*OWN)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run("new", "week3.ipynb", "c", "--seed", 123_456) == 0
    assert "2 exercises, 7 points" in capsys.readouterr().out
    assert run("release", "week3", "--course", "c") == 0
    text = (tmp_path / "c" / "release" / "week3" / "week3.ipynb").read_text(encoding="utf-8")
    released = json.loads(text)
    assert [one["source"] for one in released["cells"]][1:] == [
        one.splitlines(keepends=True) for one in OWN
    ]
    import dtree_lab as dt

    for cell in released["cells"]:
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") == "answer":
            lesson = told["exercise"].partition("/")[0]
            (one,) = [e for e in dt.course.exercises(lesson) if e.id == told["exercise"]]
            cell["source"] = one.solution
    place = tmp_path / "c" / "submitted" / "ada" / "week3" / "week3.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(released), encoding="utf-8")
    batch_ = graded(tmp_path / "c", "week3", sandbox(), Allowance(), n_jobs=1)
    assert [(one.points, one.status) for one in batch_.records] == [(7, "graded")]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (OWN[2:3], "has no exercises"),
        (OWN[3:4], "no cell above the check of entropy/gain gives information_gain a value"),
        ((*OWN, OWN[3]), "checks entropy/gain twice"),
        (('dt.course.check("entropy/nothing", x)',), "no exercise 'entropy/nothing'"),
        (("dt.course.check(what, x)",), "say dt.course.check"),
    ],
)
def test_what_cannot_be_an_assignment_is_told(tmp_path, capsys, texts, said):
    path = tmp_path / "week3.ipynb"
    path.write_text(json.dumps(own_notebook(*texts)), encoding="utf-8")
    assert run("new", path, tmp_path / "c") == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "c").exists()
