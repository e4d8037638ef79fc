"""Names, files and texts that are handed in to harm others, or whoever grades them."""

from __future__ import annotations

import io
import json
import os
import zipfile

import pytest
from grading.csvread import lines_of
from grading.kinds import ENTROPY, REAL, filled, right
from grading.test_collecting import FILE, notebook, packed
from grading.test_course import grade, judge  # noqa: F401 - a fixture

from dtree_lab.base.files import write_whole
from dtree_lab.course.calls import call, short
from dtree_lab.grading import batch, exports
from dtree_lab.grading.batch import notebook_in
from dtree_lab.grading.collecting import collect, found_in
from dtree_lab.grading.judge import marks_line
from dtree_lab.grading.pages import report_page, write_feedback
from dtree_lab.grading.records import Grade, GradeRecord, Records
from dtree_lab.grading.sheets import MOST_CODE, SubmissionError, binds, cells_in, is_check

# -- who ends the judge ----------------------------------------------------------------------------


def test_a_judge_that_stops_at_one_goes_on_with_the_next(course, hand_in, monkeypatch, judge):  # noqa: F811
    plain = batch.judged_submission

    def stops(sheet, learner, *rest):
        if learner == "eve":
            raise RecursionError("deep \x1b[2J")
        return plain(sheet, learner, *rest)

    monkeypatch.setattr(batch, "judged_submission", stops)
    for who in ("ada", "eve", "zoe"):
        hand_in(who, right())
    found = {one.learner: one for one in grade(course).records}
    assert [found[who].points for who in ("ada", "zoe")] == [19, 19]
    assert (found["eve"].status, found["eve"].marks) == ("ungraded", ())
    assert found["eve"].note == ("grading stopped with RecursionError: deep �[2J; grade it by hand")
    sheet = batch.sheet_of(course, REAL)
    line = lines_of(exports.wide_csv(sheet, [found["eve"]]))[0]
    assert line["points"] == ""


def test_a_link_is_not_graded(course, hand_in, judge):  # noqa: F811
    """It would be the source version that gets the marks."""
    place = hand_in("eve", right())
    place.unlink()
    place.symlink_to(course / "source" / REAL / f"{REAL}.ipynb")
    (record,) = grade(course).records
    assert (record.status, record.note) == ("ungraded", "no notebook was handed in")
    assert judge == []


def test_a_folder_that_is_called_as_a_notebook_ends_nothing(course, hand_in, judge):  # noqa: F811
    hand_in("zoe", right())
    (course / "submitted" / "eve" / REAL / FILE).mkdir(parents=True)
    found = {one.learner: one.status for one in grade(course).records}
    assert found == {"eve": "ungraded", "zoe": "graded"}


def test_code_without_end_is_not_read():
    cell = {"cell_type": "code", "source": "a = 1\n" * 60_000}
    with pytest.raises(SubmissionError, match="more than 1,000,000 characters of code"):
        cells_in(json.dumps({"cells": [cell] * 4}))
    text = {"cell_type": "markdown", "source": "x" * 300_000}  # a picture, say
    assert len(cells_in(json.dumps({"cells": [text] * 9}))) == 9
    longest = max(len(json.dumps(right())), MOST_CODE // 20)
    assert longest < MOST_CODE / 4


@pytest.mark.parametrize(
    "deep", ["a" + ".b" * 3_000 + "(1)", "f" + "()" * 3_000, "-" * 9_000 + "1"]
)
def test_a_deep_expression_is_neither_a_check_nor_an_error(deep):
    assert not is_check(deep)
    assert not binds(deep, "a")


def test_what_gives_a_name_a_value():
    assert is_check("dt.course.check('a/b', x)")
    assert is_check("course.check('a/b', x)")
    assert not is_check("dt.check('a/b', x)")
    wrong = "def f(x)\n    return 1\ny =3\nz == 4\ng(2)\nclass C\n"
    assert [name for name in "fyzgCx" if binds(wrong, name)] == ["f", "y", "C"]


# -- who takes another's place ---------------------------------------------------------------------


def test_a_file_in_a_folder_of_ones_own_is_nobody_elses(course, tmp_path):
    bad = json.dumps(filled({}))
    files = {
        f"ada/{FILE}": notebook(),
        f"eve/ada_1201_55_{FILE}": bad,
        "bob/lovelace_1_2_x.ipynb": bad,
    }
    found = collect(packed(tmp_path / "all.zip", files), course, REAL)
    assert sorted(one.learner for one in found) == ["ada", "bob", "eve"]
    folder = tmp_path / "all"
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(data, encoding="utf-8")
    assert {one.owner.learner for one in found_in(folder, REAL)} == {"ada", "bob", "eve"}


def test_one_name_in_two_places_is_told(course, tmp_path):
    files = {f"ada/{REAL}/{FILE}": notebook(), f"submitted/ada/{FILE}": json.dumps(filled({}))}
    (found,) = collect(packed(tmp_path / "all.zip", files), course, REAL)
    assert found.learner == "ada"
    assert f"found in several folders (ada/{REAL}, submitted/ada)" in found.note


# -- zips ------------------------------------------------------------------------------------------


def zipped(files, how=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as inner:
        for name, data in files.items():
            inner.writestr(name, data)
    return file.getvalue()


def test_a_small_zip_of_many_large_notebooks_is_refused(course, tmp_path):
    many = zipped({f"{i}.ipynb": b" " * (20 << 20) for i in range(9)})
    few = zipped({f"{i}.ipynb": b"{}" for i in range(300)})
    assert len(many) < 1 << 20
    path = packed(
        tmp_path / "all.zip", {"eve/a.zip": many, "dan/a.zip": few, f"ada/{FILE}": notebook()}
    )
    held = [len(one.data or b"") for one in found_in(path, REAL)]
    assert sum(held) < 120 << 20
    notes = {one.owner.learner: one.note for one in found_in(path, REAL) if one.note}
    assert notes == dict.fromkeys(("eve", "dan"), "the zip holds too much to be a submission")


@pytest.mark.parametrize("how", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_what_is_packed_otherwise_is_refused(course, tmp_path, how):
    path = tmp_path / "all.zip"
    path.write_bytes(zipped({f"eve/{FILE}": notebook()}, how))
    (found,) = collect(path, course, REAL)
    assert found.status == "refused"
    assert "ask for an ordinary zip" in found.note


# -- words -----------------------------------------------------------------------------------------

NASTY = "a\x1b]52;c;ZWNobw==\x07b\u202ec\ud800d\x00e\nf"


def test_no_words_of_a_learner_steer_a_terminal():
    assert short(NASTY) == "a�]52;c;ZWNobw==�b�c�d�e f"
    assert short("Zoë Ωmega 李 🌳 1 ½") == "Zoë Ωmega 李 🌳 1 ½"
    record = GradeRecord(NASTY, REAL, "flagged", "x")
    assert marks_line(record).isprintable()


def test_numbers_that_cannot_be_compared_are_no_error():
    for value in ([10**400], [10**5000], (10**5000, -(10**5000)), {"a": 10**400}):
        assert call(lambda value=value: value).kind == "other"
    assert call(lambda: [10**300]).kind == "values"


def test_half_a_sign_ends_neither_report_nor_feedback(course, sheet, tmp_path):
    marks = [
        Grade(c.exercise, c.cell, 0, c.points, "flagged", NASTY, NASTY, "<p>x</p>", (NASTY,))
        for c in sheet.checks.values()
    ]
    mean = "<script>alert(1)</script>" + NASTY
    record = GradeRecord("=cmd|x", REAL, "flagged", mean, tuple(marks), mean, {ENTROPY: NASTY})
    records = Records(course, REAL)
    records.write(record)
    (again,) = records.all()
    assert again == record
    assert write_feedback(course, sheet, [record]) == 1
    page = (course / "feedback" / "=cmd|x" / REAL / f"{REAL}.html").read_text(encoding="utf-8")
    for names in (True, False):
        write_whole(tmp_path / "class.html", report_page(sheet, [record], names=names))
        page += (tmp_path / "class.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    for write in (exports.long_csv, exports.wide_csv):
        write_whole(tmp_path / "x.csv", write(sheet, [record]))
        lines = lines_of((tmp_path / "x.csv").read_text(encoding="utf-8"))
        assert {line["learner"] for line in lines} == {"'=cmd|x"}


def test_a_folder_whose_name_is_no_text_is_graded(course, hand_in, judge):  # noqa: F811
    """As unpacking a zip of another system's names leaves it."""
    names = [os.fsdecode(b"M\xfcller"), "x" * 250, "李" * 80]
    try:
        for name in names:
            hand_in(name, right())
    except OSError:  # some file systems know texts only
        return
    found = grade(course).records
    assert {one.learner: one.points for one in found} == dict.fromkeys(names, 19)
    sheet = batch.sheet_of(course, REAL)
    write_whole(course / "x.csv", exports.wide_csv(sheet, found))
    assert "M?ller,19,19" in (course / "x.csv").read_text(encoding="utf-8")


def test_the_newest_of_several_is_told_without_its_steering_signs(tmp_path):
    for name in ("a\x1bb.ipynb", "c.ipynb"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    assert notebook_in(tmp_path, REAL)[1].isprintable()
