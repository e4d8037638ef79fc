"""Whose a file is: nobody's row is changed by the name that somebody else has chosen."""

from __future__ import annotations

import csv
import io
import re

import pytest
from cases import each
from grading.kinds import REAL
from grading.test_collecting import notebook, packed
from grading.test_lmssheets import CANVAS, MOODLE, column, graded, sheet
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dtree_lab.course.assignment import AssignmentError
from dtree_lab.grading.collecting import collect
from dtree_lab.grading.lmssheets import filled, people_of
from dtree_lab.grading.owners import owners

FILE = f"{REAL}.ipynb"


def whose(name, known=None):
    """Whose a single file is, by its place."""
    return owners([name], REAL, known)[0][name]


@each(
    ("name", "learner", "late", "file"),
    [
        (f"turingalan_LATE_1301_56_{FILE}", "turingalan_1301", True, FILE),
        ("hopper_1601_59_01_12_mine.ipynb", "hopper_1601", False, "01_12_mine.ipynb"),
        ("cyd_LATE_3_text.html", "cyd_3", True, "cyd_LATE_3_text.html"),
        ("LATE_anon_x7Yz9_60_1_2_x.ipynb", "anon_x7Yz9", True, "1_2_x.ipynb"),
        ("anon_x7Yz9_link.html", "anon_x7Yz9", False, "anon_x7Yz9_link.html"),
        (f"{REAL}/ada.ipynb", "ada", False, "ada.ipynb"),
        (f"submitted/eve/bob/{REAL}/{FILE}", "eve", False, FILE),
        (f"eve/submitted/bob/{REAL}/{FILE}", "eve", False, FILE),
        (f"eve/bob+{REAL}+2026-11-02 15:58:23 UTC/{FILE}", "eve", False, FILE),
        ("eve/Bob B_2_assignsubmission_file_/x.ipynb", "eve", False, "x.ipynb"),
        ("Eve_1_assignsubmission_file_/a/Bob_2_assignsubmission_file_/x.ipynb", "Eve_1", False,
         "x.ipynb"),
        ("Eve_1_assignsubmission_file_/bob_2_3_x.ipynb", "Eve_1", False, "bob_2_3_x.ipynb"),
    ],
)  # fmt: skip
def test_what_stands_in_front_tells_whose_it_is(name, learner, late, file):
    found = whose(name)
    assert (found.learner, found.doubt) == (learner, "")
    assert (found.late, found.file) == (late, file)


@each(
    ("name", "of"),
    [
        (f"trudy_1310_60_bob_1311_61_{FILE}", "trudy (1310), trudy_1310_60_bob (1311)"),
        (f"team_7_1501_58_{FILE}", "team (7), team_7 (1501)"),
        ("trudy_1310_60_bob_1311_text.html", "trudy (1310), trudy_1310_60_bob (1311)"),
        (f"eve_1_2_Bob B_3_assignsubmission_file_{FILE}", "eve (1), eve_1_2_Bob_B (3)"),
        ("Eve_1_assignsubmission_file_Bob_2_assignsubmission_file_/x.ipynb",
         "Eve (1), Eve_1_assignsubmission_file_Bob (2)"),
        ("eve/bob_2_3_x.ipynb", "eve, or of whom its name tells: collect that folder itself"),
    ],
)  # fmt: skip
def test_where_two_readings_are_possible_neither_is_taken(name, of):
    found = whose(name)
    assert (found.learner, found.doubt) == ("", f"it may be of {of}")


def test_a_name_of_many_readings_is_read_at_once():
    found = whose(f"eve{'_1' * 30_000}_x.ipynb")
    assert found.learner == ""
    assert found.doubt.endswith(" and others")
    assert len(found.doubt) < 500


def test_the_class_s_sheet_decides_by_number_and_name(tmp_path):
    names = {
        f"lovelaceada_1201_55_müllerzoë_1202_57_{FILE}": "lovelaceada_1201",
        "müllerzoë_1202_58_2026_11_12.ipynb": "müllerzoë_1202",
        f"x_lovelaceada_1201_55_7_{FILE}": "",
    }
    known = people_of(sheet(tmp_path, CANVAS))
    found, _ = owners(names, REAL, known)
    assert {name: one.learner for name, one in found.items()} == names
    assert found[f"x_lovelaceada_1201_55_7_{FILE}"].doubt.endswith(
        "; none of them is in the class's sheet"
    )
    known = people_of(sheet(tmp_path, MOODLE))
    twice = f"Ada Lovelace_1201_assignsubmission_file_Zoë Müller_19_assignsubmission_file_{FILE}"
    assert whose(twice, known).learner == "Ada_Lovelace_1201"
    with pytest.raises(AssignmentError, match="nobody has a number"):
        people_of(sheet(tmp_path, "a,b\nc,d\n"))


def test_a_long_name_keeps_its_number():
    long = whose(f"{'A' * 60} {'B' * 45}_1201_assignsubmission_file_/{FILE}").learner
    assert len(long) == 100
    assert re.fullmatch("A{60}_B+_1201", long)
    assert len(whose(f"{'漢' * 200}_1201_assignsubmission_file_/{FILE}").learner.encode()) <= 200
    one, other = (whose(f"{'a' * 150}{end}/{FILE}").learner for end in "xy")
    assert one != other  # nor does one that is cut become another's


NAME = st.text(st.sampled_from(list("ab_+/.\\-: 12é<\0")), max_size=30)


@given(NAME)
@settings(max_examples=300)
def test_any_name_is_somebody_or_nobody(name):
    who = whose(name).learner
    assert "/" not in who
    assert "\\" not in who
    assert not who.startswith(".")
    assert len(who) <= 100


# -- for any class, and any name that one of them chooses ------------------------------------------

PEOPLE = st.lists(
    st.tuples(
        st.text(st.sampled_from("ab_1 -"), min_size=1, max_size=9).filter(str.strip),
        st.integers(1, 99).map(str),
    ),
    min_size=3, max_size=5, unique_by=(lambda one: one[0].strip().casefold(), lambda one: one[1]),
)  # fmt: skip


def canvas(name, number, late=False):  # noqa: FBT002
    """What Canvas puts before a file's name: it takes digits between ``_`` out of a person's."""
    name = re.sub(r"_(\d+)_", r"\1", name).lower()
    return re.sub(r"[^\w]", "", "_".join([name, *(["LATE"] if late else []), number]))


def places(form, person, i, file):
    """Where a file of somebody's is, in each of the forms."""
    name, number = person
    return {
        "Canvas": f"{canvas(name, number, i % 2)}_{70 + i}_{file}",
        "Moodle": f"{name}_{number}_assignsubmission_file_/{file}",
        "Moodle, flat": f"{name}_{number}_assignsubmission_file_{file}",
        "a folder each": f"login{i}/{file}",
        "nbgrader's": f"submitted/login{i}/{REAL}/{file}",
        "the exchange": f"login{i}+{REAL}+2026-11-02 15:58:23 UTC+x{i}/{file}",
        "a folder of folders": f"class/login{i}/{file}",
    }[form]


BY_NUMBER = ("Canvas", "Moodle", "Moodle, flat")
BY_LOGIN = ("a folder each", "nbgrader's", "the exchange", "a folder of folders")


def their_sheet(people, form):
    file = io.StringIO()
    out = csv.writer(file)
    if form.startswith("Moodle"):
        out.writerow(["Identifier", "Full name", "Grade", "Maximum grade"])
        out.writerows([f"Participant {number}", name, "", "9"] for name, number in people)
    else:
        out.writerow(["Student", "ID", "SIS Login ID", REAL])
        out.writerows([name, number, f"login{i}", ""] for i, (name, number) in enumerate(people))
    return file.getvalue()


def rows(path, form, files, known):
    """Each one's points in the sheet; those of all files that are taken for theirs, together."""
    earned = {}
    for name, owner in owners(files, REAL, known)[0].items():
        if owner.learner:
            earned[owner.learner] = earned.get(owner.learner, 0) + files[name]
    lms, name = ("Moodle", "Grade") if form.startswith("Moodle") else ("Canvas", REAL)
    records = [graded(who, points) for who, points in sorted(earned.items())]
    try:
        made = filled(path, lms, name, records, 9.0)
    except AssignmentError:
        return column(path.read_text(encoding="utf-8"), name)
    return column(made.text, name)


PARTS = (
    *("{0}", "{1}", "{2}", "x", "_", "7_", "_1", "LATE", "/", REAL, "text.html", ".ipynb"),
    *("submitted/", "_assignsubmission_file_", "login1/", "class/"),
    f"login1+{REAL}+2026-11-03 15:58:23 UTC+a",
)
CHOSEN = st.lists(st.sampled_from(PARTS), max_size=8)


@given(PEOPLE, st.sampled_from(BY_NUMBER + BY_LOGIN), CHOSEN, st.data())
@settings(max_examples=600)
@example(
    [("trudy", "10"), ("bob", "11"), ("cyd", "12")],
    "Canvas", ["{1}", "_", "7_", REAL], None,
)  # fmt: skip
@example([("x", "1"), ("b", "2"), ("c", "3")], "a folder each", ["login1/", REAL, "/", REAL], None)
@example([("x", "1"), ("b", "2"), ("c", "3")], "nbgrader's", [PARTS[-1], "/", REAL], None)
def test_nobodys_row_is_changed_by_the_name_of_somebody_elses_file(
    tmp_path_factory, people, form, parts, data
):
    others = list(range(1, len(people)))
    if data is not None and form != "a folder of folders":  # of which there are several
        others = data.draw(st.lists(st.sampled_from(others), unique=True))
    path = tmp_path_factory.mktemp("sheet") / "theirs.csv"
    path.write_text(their_sheet(people, form), encoding="utf-8")
    prefix = [places(form, one, i, "").rstrip("/") for i, one in enumerate(people)]
    chosen = "".join(parts).format(*prefix) + ".ipynb"
    if form in {"Canvas", "Moodle, flat"}:  # a name, and no path
        chosen = re.sub(r'[\x00/\\:*?"<>|]+', "_", chosen)
    assume(".." not in chosen)
    files = {places(form, people[i], i, FILE): 2.0**i for i in others}
    with_it = files | {places(form, people[0], 0, chosen): 0.5}
    for known in (None, people_of(path)):
        before, after = rows(path, form, files, known), rows(path, form, with_it, known)
        assert after[1:] == before[1:]
        assert before[0] == ""
        if form in BY_LOGIN:
            assert {i for i, points in enumerate(before) if points} == set(others)


def test_what_is_unclear_is_listed_and_the_others_are_taken(course, tmp_path):
    """The two attacks that a reviewer has tried, from the zip to Canvas's sheet."""
    files = {
        f"lovelaceada_1201_55_{FILE}": notebook(),
        f"evemallory_1299_56_x_1201_57_{FILE}": "{}",
        f"trudy_1310_60_bob_1311_61_{FILE}": notebook(),
    }
    found = collect(packed(tmp_path / "all.zip", files), course, REAL)
    assert {one.learner: one.status for one in found} == {
        f"evemallory_1299_56_x_1201_57_{FILE}": "unclear",
        f"trudy_1310_60_bob_1311_61_{FILE}": "unclear",
        "lovelaceada_1201": "new",
    }
    assert [one.name for one in (course / "submitted").iterdir()] == ["lovelaceada_1201"]
    path = sheet(tmp_path, CANVAS.replace("Charisse, Cyd", "Trudy").replace("1301,c9", "1310,c9"))
    found = collect(tmp_path / "all.zip", course, REAL, path)
    assert [one.learner for one in found if one.status == "new"] == ["trudy_1310"]
