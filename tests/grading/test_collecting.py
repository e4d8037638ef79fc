"""Submissions as Canvas, Moodle and nbgrader's exchange pack them, and as people spoil them."""

from __future__ import annotations

import io
import json
import stat
import zipfile

import pytest
from grading.kinds import REAL, filled, right
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dtree_lab.course.assignment import AssignmentError
from dtree_lab.grading import collecting
from dtree_lab.grading.batch import graded
from dtree_lab.grading.collecting import collect, found_in
from dtree_lab.grading.sandbox import Allowance, sandbox

FILE = f"{REAL}.ipynb"
# The names as each of them makes them, and who is behind it.
NAMES = {
    "Canvas": {
        f"lovelaceada_1201_55_{FILE}": "lovelaceada_1201",
        f"charissecyd_LATE_1301_56_{REAL}-2.ipynb": "charissecyd_1301",
        f"müllerzoë_1401_57_{REAL}.ipynb.json": "müllerzoë_1401",
        f"team7_1501_58_{REAL} (1).ipynb": "team7_1501",
        "hopper_1601_59_01_mine.IPYNB": "hopper_1601",
        f"LATE_anon_x7Yz9_60_{FILE}": "anon_x7Yz9",
    },
    "Moodle": {
        f"Ada Lovelace_1401_assignsubmission_file_{FILE}": "Ada_Lovelace_1401",
        f"Gruppe A-Jürgen Müß_1501_assignsubmission_file_/w/{FILE}": "Gruppe_A-Jürgen_Müß_1501",
        f"Participant_1601_assignsubmission_file_/{FILE}.txt": "Participant_1601",
        f"Ada Lovelace_1201_assignsubmission_file_/{FILE}": "Ada_Lovelace_1201",
        f"Zoë O'Hara_1301_assignsubmission_file/{FILE}": "Zoë_O_Hara_1301",
    },
    "the exchange": {
        f"ada+{REAL}+2026-11-02 15:58:23.948203 UTC+a1b2/{FILE}": "ada",
        f"cyd+{REAL}+2026-11-03 15:58:23 UTC/{FILE}": "cyd",
        f"cyd+02-entropy+2026-11-03 15:58:23 UTC/{FILE}": "",
    },
    "nbgrader's folders": {f"submitted/ada/{REAL}/{FILE}": "ada", f"cyd/{REAL}/x.ipynb": "cyd"},
    "a folder each": {f"ada/{FILE}": "ada", "cyd/my work (1).ipynb": "cyd"},
    "a folder each with more in it": {
        f"class/ada/week1/{FILE}": "ada",
        f"class/cyd/week1/{FILE}": "cyd",
        f"class/cyd/.ipynb_checkpoints/{REAL}-checkpoint.ipynb": "",
    },
    "a file each": {"ada.ipynb": "ada", "c y d.ipynb": "c_y_d"},
}


def packed(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files.items():
            file.writestr(name, data)
    return path


def notebook(**others):
    return json.dumps(right(**others))


@pytest.mark.parametrize("origin", NAMES)
@pytest.mark.parametrize("form", ["zip", "folder"])
def test_every_form_is_collected(course, tmp_path, origin, form):
    names = NAMES[origin]
    if form == "zip":
        path = packed(tmp_path / "all.zip", dict.fromkeys(names, notebook()))
    else:
        path = tmp_path / "all"
        for name in names:
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_text(notebook(), encoding="utf-8")
    found = collect(path, course, REAL)
    if origin == "a folder each with more in it":
        assert (found[0].learner, found[0].status) == ("class/", "shared")
        del found[0]
    assert sorted(one.learner for one in found) == sorted(filter(None, names.values()))
    assert {(one.status, one.note) for one in found} == {("new", "")}
    for who in filter(None, names.values()):
        place = course / "submitted" / who / REAL / FILE
        assert json.loads(place.read_text(encoding="utf-8")) == right()


def test_handed_in_again_the_newest_counts_and_the_other_is_kept(course, tmp_path):
    one = packed(tmp_path / "1.zip", {f"ada/{FILE}": notebook()})
    other = packed(tmp_path / "2.zip", {f"ada/{FILE}": json.dumps(filled({}))})
    said = [collect(path, course, REAL)[0].status for path in (one, one, other)]
    assert said == ["new", "same", "replaced"]
    folder = course / "submitted" / "ada" / REAL
    assert json.loads((folder / FILE).read_text(encoding="utf-8")) == filled({})
    assert json.loads((folder / f"{FILE}.before1").read_text(encoding="utf-8")) == right()


ODD = json.dumps(filled({}))


@pytest.mark.parametrize(
    ("those", "chosen"),
    [
        # Canvas numbers its files: the one that was handed in again has the higher number.
        ((f"x_1_70_{REAL}-1.ipynb", f"x_1_55_{FILE}"), 0),
        ((f"x_1_55_{REAL}-2.ipynb", "x_1_70_notes.ipynb"), 0),
        ((f"X Y_1_assignsubmission_file_/{FILE}", "X Y_1_assignsubmission_file_/other.ipynb"), 0),
        ((f"X Y_1_assignsubmission_file_/{REAL}-2.ipynb",
          f"X Y_1_assignsubmission_file_/{REAL}-1.ipynb"), 0),
    ],
)  # fmt: skip
def test_of_two_files_the_right_one_counts_and_it_is_told(course, tmp_path, those, chosen):
    files = {name: notebook() if i == chosen else ODD for i, name in enumerate(those)}
    for some in (files, dict(reversed(files.items()))):
        (one,) = collect(packed(tmp_path / "a.zip", some), course, REAL)
        folder = course / "submitted" / one.learner / REAL
        assert json.loads((folder / FILE).read_text(encoding="utf-8")) == right()
        assert json.loads((folder / f"{FILE}.other1").read_text(encoding="utf-8")) == filled({})
        name = those[chosen].rpartition("/")[2]
        assert one.note.startswith(f"more than one notebook: {name} counts, not ")
    (record,) = graded(course, REAL, sandbox(), Allowance(), n_jobs=1).records
    assert (record.points, record.status) == (19, "flagged")
    assert "more than one notebook" in record.note
    (one,) = collect(packed(tmp_path / "a.zip", dict.fromkeys(those, notebook())), course, REAL)
    assert (one.status, one.note) == ("same", "")
    assert [path.name for path in folder.iterdir()] == [FILE]


@pytest.mark.parametrize("form", ["zip", "folder"])
def test_who_handed_in_something_else_is_not_forgotten(course, tmp_path, form):
    """A PDF, a program, a text that was typed into Canvas or Moodle: nobody may just be missing."""
    files = {
        f"lovelaceada_1_55_{FILE}": notebook(),
        "bob_2_56_essay.pdf": "%PDF",
        "cyd_LATE_3_text.html": "<p>see above</p>",
        "Dan Dee_4_assignsubmission_onlinetext_/onlinetext.html": "<p>done</p>",
        "README.md": "lies about",
    }
    path = packed(tmp_path / "all.zip", files)
    if form == "folder":
        with zipfile.ZipFile(path) as file:
            file.extractall(tmp_path / "all")
        path = tmp_path / "all"
    found = {one.learner: one for one in collect(path, course, REAL)}
    assert {who: one.status for who, one in found.items()} == {
        "lovelaceada_1": "new",
        "bob_2": "refused",
        "cyd_3": "refused",
        "Dan_Dee_4": "refused",
    }
    assert found["bob_2"].note == "no notebook was handed in, only bob_2_56_essay.pdf"
    told = course / "submitted" / "Dan_Dee_4" / REAL / "REFUSED.txt"
    assert "onlinetext.html" in told.read_text(encoding="utf-8")


def test_a_downloaded_zip_in_a_folder_is_a_class_and_one_of_a_learner_is_not(course, tmp_path):
    folder = tmp_path / "Downloads"
    folder.mkdir()
    names = (f"lovelaceada_1_55_{FILE}", f"cyd_2_56_{FILE}")
    packed(folder / "submissions.zip", dict.fromkeys(names, notebook()))
    packed(folder / "dan.zip", {FILE: notebook()})
    found = collect(folder, course, REAL)
    assert sorted(one.learner for one in found) == ["cyd_2", "dan", "lovelaceada_1"]
    packed(folder / "eve.zip", dict.fromkeys(names, notebook()))  # hers, or a class's?
    eve, *others = collect(folder, course, REAL)
    assert (eve.learner, eve.status) == ("eve.zip", "unclear")
    assert eve.note == "it may be of eve, or of a class: collect that zip itself"
    assert [one.status for one in others] == ["same"] * 3


def test_accents_are_one_letter_however_a_system_writes_them(course, tmp_path):
    """A Mac takes them apart, and some programs do not say that a zip's names are UTF-8."""
    name = f"Zo\u0308e Müller_5_assignsubmission_file_/{FILE}"
    path = packed(tmp_path / "a.zip", {name: notebook()})
    assert [one.learner for one in collect(path, course, REAL)] == ["Zöe_Müller_5"]
    raw = path.read_bytes()
    with zipfile.ZipFile(path) as file:
        (info,) = file.infolist()
        assert info.flag_bits & 0x800
        at = [info.header_offset + 6, raw.index(b"PK\x01\x02") + 8]
    plain = bytearray(raw)
    for place in at:
        plain[place : place + 2] = (info.flag_bits & ~0x800).to_bytes(2, "little")
    path.write_bytes(plain)
    assert [one.learner for one in collect(path, course, REAL)] == ["Zöe_Müller_5"]


@pytest.mark.parametrize("name", ["no.zip", "notebook.ipynb"])
def test_what_cannot_be_collected_says_what_could(course, tmp_path, name):
    (tmp_path / "notebook.ipynb").write_text(notebook(), encoding="utf-8")
    said = "there is no" if name == "no.zip" else "into a folder with its learner's name"
    with pytest.raises(AssignmentError, match=said):
        collect(tmp_path / name, course, REAL)


@pytest.mark.parametrize("turned", [False, True])
def test_of_the_exchange_the_newest_counts_and_is_no_question(course, tmp_path, turned):
    names = [
        f"ada+{REAL}+2026-11-02 15:58:23 UTC+a1/{FILE}",
        f"ada+{REAL}+2026-11-02 15:58:23.948203 UTC+b2/{FILE}",
        f"ada+{REAL}+2026-11-10 09:00:00.000001 UTC+c3/{FILE}",
    ]
    files = {name: notebook() if "c3" in name else ODD for name in names}
    path = packed(tmp_path / "a.zip", dict(reversed(files.items())) if turned else files)
    (one,) = collect(path, course, REAL)
    assert (one.status, one.note) == ("new", "")
    place = course / "submitted" / "ada" / REAL / FILE
    assert json.loads(place.read_text(encoding="utf-8")) == right()


def test_what_will_be_repaired_is_told(course, tmp_path):
    spoilt = right()
    for cell in spoilt["cells"]:
        cell["metadata"] = {}
    path = packed(tmp_path / "a.zip", {f"ada/{FILE}": json.dumps(spoilt), f"bob/{FILE}": ""})
    ada, bob = collect(path, course, REAL)
    assert "nbgrader's marks were lost" in ada.note
    assert bob.note == "cannot be graded: the file is empty"


def twice(path, name):
    """A zip with two files of one name, of which Python warns."""
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(name, ODD)
        with pytest.warns(UserWarning, match="Duplicate name"):
            file.writestr(name, notebook())


def test_two_of_one_name_in_a_zip_are_told(course, tmp_path):
    """A zip may hold a name twice; what unpacks it keeps the last one, and says nothing."""
    inner = tmp_path / "inner.zip"
    twice(inner, FILE)
    twice(tmp_path / "all.zip", f"Ada_1_assignsubmission_file_/{FILE}")
    with zipfile.ZipFile(tmp_path / "all.zip", "a") as file:
        file.writestr("Bob_2_assignsubmission_file_/hand-in.zip", inner.read_bytes())
    for one in collect(tmp_path / "all.zip", course, REAL):
        said = f"more than one notebook: {FILE} counts, not another called so"
        assert (one.status, one.note) == ("new", said)
        folder = course / "submitted" / one.learner / REAL
        assert json.loads((folder / f"{FILE}.other1").read_text(encoding="utf-8")) == right()


def test_a_zip_in_a_zip_is_looked_into_once(course, tmp_path):
    inner = packed(tmp_path / "inner.zip", {f"work/{FILE}": notebook()})
    deep = packed(tmp_path / "deep.zip", {"inner.zip": inner.read_bytes()})
    files = {
        "Ada_1_assignsubmission_file_/hand-in.zip": inner.read_bytes(),
        "Bob_2_assignsubmission_file_/hand-in.zip": deep.read_bytes(),
    }
    ada, bob = collect(packed(tmp_path / "all.zip", files), course, REAL)
    assert (ada.learner, ada.status) == ("Ada_1", "new")
    assert (bob.learner, bob.status) == ("Bob_2", "refused")
    assert bob.note == "no notebook was handed in, only hand-in.zip"


def test_a_bomb_is_refused_and_told(course, tmp_path):
    bomb = packed(tmp_path / "b.zip", {FILE: b" " * (60 << 20)})
    assert bomb.stat().st_size < 100_000
    files = {
        f"ada/{FILE}": notebook(),
        "eve/b.zip": bomb.read_bytes(),
        f"dan/{FILE}": b" " * (30 << 20),
    }
    found = {one.learner: one for one in collect(packed(tmp_path / "a.zip", files), course, REAL)}
    assert found["ada"].status == "new"
    assert found["eve"].status == found["dan"].status == "refused"
    assert "60 MB are too large" in found["eve"].note
    told = course / "submitted" / "eve" / REAL / "REFUSED.txt"
    assert "60 MB" in told.read_text(encoding="utf-8")


def test_a_size_that_is_a_lie_does_not_fill_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(collecting, "MOST_BYTES", 1000)
    path = packed(tmp_path / "a.zip", {f"ada/{FILE}": b" " * 5000})
    raw = path.read_bytes()
    path.write_bytes(raw.replace((5000).to_bytes(4, "little"), (500).to_bytes(4, "little")))
    (found,) = found_in(path, REAL)
    assert found.data is None or len(found.data) <= 1000


def test_no_name_leads_out_of_the_course(course, tmp_path):
    names = [
        f"../../../evil/{FILE}",
        f"/etc/{FILE}",
        f"..\\..\\x/{FILE}",
        f".hidden/{FILE}",
        f"../{FILE}",
    ]
    path = packed(tmp_path / "all.zip", dict.fromkeys(names, notebook()))
    before = {one for one in tmp_path.rglob("*") if course not in one.parents}
    for one in collect(path, course, REAL):
        assert (course / "submitted" / one.learner).resolve().parent == course / "submitted"
    assert {one for one in tmp_path.rglob("*") if course not in one.parents} == before


def test_a_link_is_not_followed(course, tmp_path):
    secret = tmp_path / "secret.ipynb"
    secret.write_text(notebook(), encoding="utf-8")
    folder = tmp_path / "in"
    (folder / "eve").mkdir(parents=True)
    (folder / "eve" / FILE).symlink_to(secret)
    with pytest.raises(AssignmentError, match="no submission"):
        collect(folder, course, REAL)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18, b"x" * 100])
def test_what_is_no_zip_is_one_line(course, tmp_path, data):
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    with pytest.raises(AssignmentError):
        collect(path, course, REAL)


def whole_zip():
    raw = io.BytesIO()
    packed(raw, {f"ada/{FILE}": b"{}" * 50, "b/x.ipynb": b"[]"})
    return raw.getvalue()


WHOLE = whole_zip()
# Where a name stands in the zip's directory, which is at its end.
ADA, B = WHOLE.rindex(f"ada/{FILE}".encode()), WHOLE.rindex(b"b/x.ipynb")
LINK = ADA - 8 + 3  # the highest byte of what kind of file it is, on Unix


@given(
    st.lists(
        st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=4
    ),
    st.integers(0, len(WHOLE)),
)
@example([(B + 5, ord("j"))], len(WHOLE))  # x.ipynb is x.jpynb in the directory, not before it
@example([(B + 1, ord("_")), (B + 5, ord("j"))], len(WHOLE))  # which lies in nobody's folder
@example([(ADA + 4, 0)], len(WHOLE))  # a name that ends in a slash, as a folder's
@example([(LINK, 0o120000 >> 8)], len(WHOLE))
@settings(max_examples=200)
def test_a_damaged_zip_is_read_or_refused(tmp_path_factory, edits, kept):
    raw = bytearray(WHOLE)
    for place, byte in edits:
        raw[place] = byte
    path = tmp_path_factory.mktemp("zip") / "a.zip"
    path.write_bytes(raw[:kept])
    try:
        found = {one.file: one for one in found_in(path, REAL)}
    except AssignmentError:
        return
    with zipfile.ZipFile(path) as there:
        for info in there.infolist():
            name = collecting._name(info)
            wanted = name.endswith(".ipynb")
            is_link = stat.S_ISLNK(info.external_attr >> 16)
            other = is_link or info.file_size > collecting.MOST_BYTES
            if not name or collecting._is_hidden(name) or (other and not wanted):
                continue
            try:
                inside = there.read(info)
            except collecting._TORN:
                assert found[name].note
            else:
                assert found[name].note if other else found[name].data == inside or not wanted


def test_a_damaged_name_in_the_directory_is_told_to_staff(course, tmp_path):
    files = {f"ada/{FILE}": notebook(), f"eve/{FILE}": notebook()}
    raw = packed(tmp_path / "a.zip", files).read_bytes()
    last = raw.rindex(b".ipynb")
    (tmp_path / "a.zip").write_bytes(raw[:last] + b".jpynb" + raw[last + 6 :])
    ada, eve = collect(tmp_path / "a.zip", course, REAL)
    assert (ada.status, eve.status) == ("new", "refused")
    assert f"{REAL}.jpynb: it cannot be unpacked: " in eve.note
