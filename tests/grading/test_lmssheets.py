"""Canvas's gradebook and Moodle's grading worksheet, as they write them, with our points in them.

How they look is taken from their own programs: Canvas's gradebook exporter and importer, and
Moodle's ``assignfeedback_offline``.
"""

from __future__ import annotations

import csv
import io

import pytest

from dtree_lab.cli import main
from dtree_lab.course.assignment import AssignmentError
from dtree_lab.grading.lmssheets import filled, folded_name
from dtree_lab.grading.records import Grade, GradeRecord, Records

REAL = "01-tax-fraud"


def graded(learner, points, most=19.0):
    return GradeRecord(learner, REAL, "graded", "", (Grade("x/y", "c", points, most, "graded"),))


def ungraded(learner):
    return GradeRecord(learner, REAL, "ungraded", "the file is empty")


CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Old one (98),01-tax-fraud (99),Current Score
,,,,,Manual Posting,,
    Points Possible,,,,,10.00,19.00,(read only)
"Lovelace, Ada",1201,34,ada.lovelace,One,12,,88.1
"Müller, Zoë",1202,1301,zmueller,One,1301,3,77
"Charisse, Cyd",1301,c9,ccharisse,Two,N/A,EX,66
"Nobody, Ned",34,1202,nn,Two,1201,2,5
"Student, Test",77,,abc,One,,,
"""
MOODLE = """\
\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 1201","Ada Lovelace",ada@example.org,"Submitted for grading - ",,19.00,Yes,\
"Friday, 2 October 2026, 3:58 PM",-,
"Participant 19","Zoë Müller",zoe@example.org,"Submitted for grading - ",,19.00,Yes,-,-,"1201, good"
"Participant 34","Ned Nobody",ned@example.org,"No submission",,19.00,Yes,-,-,
"""
GERMAN = """\
ID,"Vollständiger Name",E-Mail-Adresse,Status,Bewertung,Bestwertung,\
"Bewertung kann geändert werden",\
"Zuletzt geändert (Abgabe)","Zuletzt geändert (Bewertung)","Feedback als Kommentar"
Teilnehmer/in1201,"Ada Lovelace",ada@example.org,"Zur Bewertung abgegeben","3,50","19,00",Ja,-,-,
Teilnehmer/in1202,"Zoë Müller",zoe@example.org,"Zur Bewertung abgegeben",,"19,00",Ja,-,-,
"""


def sheet(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "theirs.csv"
    path.write_bytes(text.encode(encoding))
    return path


def column(text, name, separator=","):
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=separator)
    return [row[name] for row in rows]


def test_canvas_gets_points_by_its_own_number_only(tmp_path):
    """Other columns hold numbers, too: a SIS id, the points of another assignment."""
    people = [graded("lovelaceada_1201", 18.5), graded("müllerzoë_1202", 0.0)]
    made = filled(sheet(tmp_path, CANVAS), "Canvas", REAL, people, 19.0)
    assert (made.many, made.missing, made.excused) == (2, (), ())
    assert column(made.text, "01-tax-fraud (99)") == ["", "19.00", "18.5", "0", "EX", "2", ""]
    for name in ("Student", "ID", "SIS User ID", "Old one (98)", "Current Score"):
        assert column(made.text, name) == column(CANVAS, name)


def test_who_is_excused_is_left_so_and_who_is_not_there_is_told(tmp_path):
    people = [graded("charissecyd_1301", 5), graded("gone_999", 7), graded("lovelaceada_1201", 1)]
    made = filled(sheet(tmp_path, CANVAS), "Canvas", REAL, people, 19.0)
    assert (made.many, made.missing, made.excused) == (1, ("gone_999",), ("charissecyd_1301",))
    assert column(made.text, "01-tax-fraud (99)")[4] == "EX"


@pytest.mark.parametrize("lms", ["Canvas", "Moodle"])
def test_what_could_not_be_graded_gets_no_zero(tmp_path, lms):
    text, name = (CANVAS, "01-tax-fraud (99)") if lms == "Canvas" else (MOODLE, "Grade")
    people = [
        ungraded("lovelaceada_1201"),
        graded("nobodyned_34" if lms == "Canvas" else "Ned_Nobody_34", 4.0),
    ]
    made = (
        filled(sheet(tmp_path, text), lms, "", people, 19.0)
        if lms == "Moodle"
        else filled(sheet(tmp_path, text), lms, REAL, people, 19.0)
    )
    assert made.many == 1
    before, after = column(text, name), column(made.text, name)
    assert [new for old, new in zip(before, after, strict=True) if old != new] == ["4"]


def test_moodle_gets_points_by_its_participant(tmp_path):
    people = [graded("Ada_Lovelace_1201", 18.1), graded("Zoë_Müller_19", 2.30)]
    made = filled(sheet(tmp_path, MOODLE), "Moodle", "", people, 19.0)
    assert column(made.text, "Grade") == ["18.1", "2.3", ""]
    assert made.text.startswith("\ufeffIdentifier,")
    assert column(made.text, "Feedback comments") == column(MOODLE, "Feedback comments")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_a_german_worksheet_keeps_its_commas(tmp_path, separator, encoding):
    """As Moodle writes it, and as a spreadsheet makes of it."""
    rows = list(csv.reader(io.StringIO(GERMAN)))
    file = io.StringIO()
    csv.writer(file, delimiter=separator).writerows(rows)
    people = [graded("Ada_Lovelace_1201", 18.1), graded("Zoë_Müller_1202", 12.0)]
    path = sheet(tmp_path, file.getvalue(), encoding)
    made = filled(path, "Moodle", "", people, 19.0)
    assert column(made.text, "Bewertung", separator) == ["18,1", "12"]
    assert column(made.text, "Vollständiger Name", separator) == ["Ada Lovelace", "Zoë Müller"]


def test_who_has_no_number_is_found_by_name(tmp_path):
    """As the exchange of nbgrader and folders of one's own call people."""
    people = [graded("ada.lovelace", 3), graded("zmueller", 4), graded("Cyd_Charisse", 5)]
    text = CANVAS.replace(",EX,", ",,")
    made = filled(sheet(tmp_path, text), "Canvas", REAL, people, 19.0)
    assert column(made.text, "01-tax-fraud (99)")[2:5] == ["3", "4", "5"]
    people = [graded("ada", 3), graded("zoe@example.org", 4)]
    made = filled(sheet(tmp_path, MOODLE), "Moodle", "", people, 19.0)
    assert column(made.text, "Grade") == ["3", "4", ""]


def test_a_number_that_does_not_fit_is_not_made_good_by_a_name(tmp_path):
    """There may be two of a name: who is in the sheet by another number is another person."""
    people = [graded("Ada_Lovelace_1201", 18), graded("Ned_Nobody_35", 3)]
    made = filled(sheet(tmp_path, MOODLE), "Moodle", "", people, 19.0)
    assert column(made.text, "Grade") == ["18", "", ""]
    assert made.missing == ("Ned_Nobody_35",)


def test_a_number_alone_is_nobody(tmp_path):
    """Whoever can write a name can write a number into it."""
    people = [graded("trudy_1310_60_ada_1201", 19), graded("lovelaceada_1201", 3)]
    made = filled(sheet(tmp_path, CANVAS), "Canvas", REAL, people, 19.0)
    assert column(made.text, "01-tax-fraud (99)")[2:] == ["3", "3", "EX", "2", ""]
    assert (made.missing, made.renamed) == ((), ("trudy_1310_60_ada_1201",))
    assert made.doubled == ()


def test_a_name_may_begin_with_any_of_its_words_and_be_cut(tmp_path):
    text = CANVAS.replace('"Lovelace, Ada"', "Ada King Lovelace").replace(
        "Müller, Zoë", f"{'M' * 70}, Zoë"
    )
    people = [graded("kinglovelaceada_1201", 5), graded(f"{'m' * 60}_1202", 7)]
    made = filled(sheet(tmp_path, text), "Canvas", REAL, people, 19.0)
    assert column(made.text, "01-tax-fraud (99)")[2:4] == ["5", "7"]
    people = [graded("lovelacekingada_1201", 5), graded("zoë_1202", 7), graded("nobodyned_34", 1)]
    made = filled(sheet(tmp_path, text), "Canvas", REAL, people, 19.0)
    assert made.renamed == ("lovelacekingada_1201", "zoë_1202")


def test_without_names_a_participant_is_found(tmp_path):
    """As Moodle calls people where their names are hidden."""
    text = MOODLE.replace('"Ada Lovelace",ada@example.org,', ",,")
    made = filled(sheet(tmp_path, text), "Moodle", "", [graded("Participant_1201", 6)], 19.0)
    assert column(made.text, "Grade") == ["6", "", ""]


def test_of_two_for_one_row_neither_wins_and_both_are_told(tmp_path):
    people = [
        graded("Ada_Lovelace_1201", 18),
        graded("Lovelace_Ada_1201", 3),
        graded("Zoë_Müller_19", 1),
    ]
    made = filled(sheet(tmp_path, MOODLE), "Moodle", "", people, 19.0)
    assert column(made.text, "Grade") == ["", "1", ""]
    assert made.doubled == ("Ada_Lovelace_1201", "Lovelace_Ada_1201")
    assert made.missing == ()
    two = filled(sheet(tmp_path, MOODLE), "Moodle", "", people[:2], 19.0)
    assert column(two.text, "Grade") == column(MOODLE, "Grade")  # and it is told why
    assert two.doubled == made.doubled


def test_another_number_of_points_is_no_silent_trouble(tmp_path):
    """Moodle's usual 100 points would make 19 of 19 a fail."""
    hundred = sheet(tmp_path, MOODLE.replace("19.00", "100.00"))
    people = [graded("Ada_Lovelace_1201", 19.0), graded("Zoë_Müller_19", 9.5)]
    with pytest.raises(AssignmentError, match=r"at most 100 points .* has 19: .*--scale"):
        filled(hundred, "Moodle", "", people, 19.0)
    made = filled(hundred, "Moodle", "", people, 19.0, scale=True)
    assert column(made.text, "Grade") == ["100", "50", ""]
    with pytest.raises(AssignmentError, match="Canvas gives at most 10 points for 'Old one"):
        filled(sheet(tmp_path, CANVAS), "Canvas", "Old one", people, 19.0)


@pytest.mark.parametrize(
    ("lms", "text", "asked", "said"),
    [
        ("Canvas", CANVAS, "Homework", "no column Homework; say --column with one of 'Old one'"),
        ("Canvas", CANVAS, "one", None),
        ("Canvas", CANVAS, "Score", "no column Score"),
        ("Canvas", CANVAS, "Student", "no column Student"),
        ("Canvas", CANVAS.replace("Old", "fraud"), "fraud", "2 columns like fraud"),
        ("Canvas", MOODLE, "Grade", "it has no column ID"),
        ("Moodle", MOODLE.replace("Grade,", "Note,"), "", "no column Grade or Bewertung"),
        ("Moodle", MOODLE.replace("Grade,", "Note,"), "Note", None),
        ("Moodle", "", "", "nobody in it"),
        ("Moodle", "a\n", "", "nobody in it"),
        ("Moodle", "PK\0\0", "", "is no CSV"),
        ("Moodle", MOODLE.replace("1201", "5").replace("Ada", "Eve").replace("ada", "eve"), "",
         "none of 'lovelaceada_1201' is found"),
    ],
)  # fmt: skip
def test_what_is_no_sheet_for_it_is_told(tmp_path, lms, text, asked, said):
    people = [graded("lovelaceada_1201", 1.0)]
    path = sheet(tmp_path, text)
    if said is None:
        assert filled(path, lms, asked, people, 10.0 if lms == "Canvas" else 19.0).many == 1
        return
    with pytest.raises(AssignmentError, match=said):
        filled(path, lms, asked, people, 19.0)


def test_a_sheet_that_is_missing_is_told(tmp_path):
    with pytest.raises(AssignmentError, match="cannot be read: No such file"):
        filled(tmp_path / "none.csv", "Canvas", REAL, [graded("a_1", 1)], 19.0)


def test_accents_are_the_same_however_they_are_written():
    assert folded_name("Zoe\u0308 Müller") == folded_name("zoë  mÜller")


def test_the_command_fills_both_and_tells_who_is_left_out(course, sheet_of_marks, tmp_path, capsys):
    theirs = tmp_path / "canvas.csv"
    theirs.write_text(CANVAS, encoding="utf-8")
    moodle = tmp_path / "moodle.csv"
    moodle.write_text(MOODLE.replace("19.00", "10.00"), encoding="utf-8")
    words = ["assignment", "export", REAL, "--course", str(course)]
    filled_in = tmp_path / "filled.csv"
    assert main.main([*words, "--canvas", str(theirs), str(filled_in)]) == 0
    said = capsys.readouterr().out
    assert "filled.csv: points for 1 learner\n" in said
    assert f"Not in {theirs}, and so without points there: gone_7" in said
    assert "Excused there, and left so: charissecyd_1301" in said
    assert "Without points, and not with 0: torn_19" in said
    assert column(filled_in.read_text(encoding="utf-8"), "01-tax-fraud (99)")[2] == "19"
    filled_in.unlink()
    assert main.main([*words, "--moodle", str(moodle), str(filled_in)]) == 1
    assert "at most 10 points" in capsys.readouterr().err
    assert not filled_in.exists()
    assert main.main([*words, "--moodle", str(moodle), str(filled_in), "--scale"]) == 0
    assert column(filled_in.read_text(encoding="utf-8"), "Grade") == ["10", "", ""]
    assert main.main([*words, "--canvas", str(theirs), "x.csv", "--column", "Homework"]) == 1
    assert "say --column with one of" in capsys.readouterr().err


@pytest.fixture
def sheet_of_marks(course):
    """Marks of four: one is torn, one is in no sheet."""
    records = Records(course, REAL)
    for who in ("lovelaceada_1201", "charissecyd_1301", "gone_7"):
        records.write(graded(who, 19.0))
    records.write(ungraded("torn_19"))
