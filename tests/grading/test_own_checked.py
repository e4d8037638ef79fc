"""Exercises of course staff's own, looked over: each slip is told, with its cure."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import each
from grading import ownpage
from grading.ownpage import NAME, run, write_draft

from dtree_lab.grading import linting
from dtree_lab.grading.records import GradeRecord


def test_the_page_has_nothing_to_mend(tmp_path, monkeypatch, capsys):
    write_draft(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run("check", NAME) == 0
    (shown,) = ownpage.blocks("See whether points go to those who earn them", "text")
    assert capsys.readouterr().out.strip() == shown
    assert [one.name for one in tmp_path.iterdir()] == [NAME]


VISIBLE = ownpage.exercises_py().partition("        (\n")[2].partition("        ),\n")[0]
TWO_CASES = """            _case(["oak", "ash"]),
            _case(["oak", "ash", "elm"]),
"""
DRAWN = "    for size in (5, 9):"
MORE = """    yield _case(["oak", "ash"])
    for size in (5, 9):"""
RIGHT = """def gini(labels):
    n = len(labels)
    return sum(a != b for a in labels for b in labels) / n**2
"""
# What is changed in the page's file (old, new, old, new …), and what should be said of it.
FOUND = {
    "a constant, and one case of a behaviour": (
        (VISIBLE, TWO_CASES, DRAWN, "    for size in ():"),
        "the behaviour 'two labels' has one case only: always returning its answer earns 50% of",
        "the behaviour 'three labels' has one case only",
        "by heart is right about 'two labels', 'three labels': 100% of the points. Let _fresh",
    ),
    "a constant for two cases": (
        (VISIBLE, TWO_CASES * 2, DRAWN, "    for size in ():"),
        "what returns always 0.5 earns 50% of the points, for 'two labels'",
        "what returns always 0.66",
    ),
    "no unseen cases": (("        fresh=_fresh,\n", ""), "by heart", "Give its Code fresh="),
    "no behaviours": (
        (", behaviour=behaviour", ""),
        "case 1 (gini(['oak', 'oak'])) shows no behaviour",
        "what returns always 0.5 earns",
    ),
    "a copy": (
        ("(_gini(labels),)", "(len(labels),)"),
        "what returns the length of its first argument earns 100% of the points",
    ),
    "a case twice": (
        (DRAWN, MORE),
        "an unseen case is the same as a visible one, gini(['oak', 'ash']). Let _fresh",
    ),
    "a behaviour that nobody sees": (
        (DRAWN, f'    yield Case((["ash"],), (0,), behaviour="one label")\n{DRAWN}'),
        "unseen cases show the behaviour 'one label', and no visible one does",
    ),
    "a solution with a slip": (
        ('shares)\n""",\n    why="Two', 'shares) + 1\n""",\n    why="Two'),
        "its worked solution earns 0 of 3 points",
        "gave 1; 0 was wanted",
    ),
    "a solution of another name": (
        ('solution="root =', 'solution="roof ='),
        "its worked solution earns 0 of 1 point",
    ),
    "other cases each time": (
        ("def _fresh(rng):\n", "def _fresh(rng):\n    import numpy\n    rng = numpy.random\n"),
        "its unseen cases are others each time",
    ),
    "what cannot be drawn": (
        (DRAWN, '    for size in (5, "x"):'),
        "what draws its unseen cases stops with ValueError",
    ),
    "a mistake that is none": (
        ("Mistake(0.3,", "Mistake(0.42,"),
        "the mistake with the hint 'That is the share of rows that a leaf at the root",
    ),
    "a number that anybody says": (("Number(0.42)", "Number(0.5)"), "who answers 0.5 without"),
    "an exercise of another name": (
        ('id="mine/at-the-root"', 'id="mine/root"'),
        "no exercise 'mine/at-the-root'; exercises.py makes 'mine/gini', 'mine/root'",
    ),
    "numbers from the name": (
        (
            *("AT_THE_ROOT = Exercise(", "AT_THE_ROOT = personal(lambda rng: Exercise("),
            *('three say Yes.",\n)', 'three say Yes.",\n))'),
            *("import Exercise, Mistake", "import Exercise, Mistake, personal"),
        ),
        "mine/at-the-root: draws its numbers from the learner's name",
    ),
}


def not_judged(monkeypatch):
    """For what is found without running a submission, which takes seconds."""
    nothing = GradeRecord("", NAME, "graded")
    monkeypatch.setattr(linting, "judged_submission", lambda *_: nothing)


TRIED = ("a solution with a slip", "a solution of another name")


@pytest.mark.parametrize("name", FOUND)
def test_what_should_be_mended_is_told(tmp_path, capsys, monkeypatch, name):
    changes, *words = FOUND[name]
    if name not in TRIED:
        not_judged(monkeypatch)
    text = ownpage.exercises_py()
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    status = run("check", write_draft(tmp_path, text))
    said = "".join(capsys.readouterr())
    assert status == 1
    for one in words:
        assert one in said


def test_an_answer_that_is_there_already_is_told(tmp_path, capsys):
    texts = [RIGHT if one.startswith("def") else one for one in ownpage.cells()]
    write_draft(tmp_path, texts=texts)
    assert run("new", tmp_path / NAME, tmp_path / "c") == 0
    assert run("release", NAME, "--course", tmp_path / "c") == 1
    said = capsys.readouterr().err
    assert "nothing is released" in said
    assert "mine/gini: its cell, as learners get it, earns 3 already" in said
    assert not (tmp_path / "c" / "release").exists()


def test_a_choice_without_its_lists_is_told_by_its_name_once(tmp_path, capsys, monkeypatch):
    not_judged(monkeypatch)
    text, *cells = ownpage.blocks("A choice with its reason", "python")
    text = text.replace("- **1** one of", "- one of").replace("- **2** its", "- its")
    text = text.replace("- **3** its", "- its").replace("- **4** its", "- its")
    place = write_draft(tmp_path, f"{ownpage.exercises_py()}\n{text}\n", [*ownpage.cells(), *cells])
    assert run("check", place) == 1
    assert (
        "Stops release: exercises.py: mine/which: asks 2 questions, and its text has 1 list of"
        in capsys.readouterr().out
    )


def test_a_choice_without_its_tuple_is_told_with_its_line(tmp_path, capsys):
    text, *cells = ownpage.blocks("A choice with its reason", "python")
    bare = text.replace("task=Choose(\n        (\n", "task=Choose(\n").replace(
        '"2"),\n        )\n', '"2"),\n'
    )
    assert bare.count("(") == text.count("(") - 1
    place = write_draft(tmp_path, f"{ownpage.exercises_py()}\n{bare}\n", [*ownpage.cells(), *cells])
    assert run("check", place) == 1
    said = capsys.readouterr().err
    line = 1 + f"{ownpage.exercises_py()}\n{bare}".partition("task=Choose(")[0].count("\n")
    assert f"exercises.py, line {line}: TypeError: Choose takes its questions as one tuple" in said


def test_release_warns_and_releases(tmp_path, capsys, monkeypatch):
    not_judged(monkeypatch)
    text = ownpage.exercises_py().replace("        fresh=_fresh,\n", "")
    write_draft(tmp_path, text)
    assert run("new", tmp_path / NAME, tmp_path / "c") == 0
    assert run("release", NAME, "--course", tmp_path / "c") == 0
    assert "WARNING: exercises.py: mine/gini: who has learnt" in capsys.readouterr().err
    assert (tmp_path / "c" / "release" / NAME / f"{NAME}.ipynb").is_file()


LEAKING = (
    "By the way: `1 - sum(share**2 for share in shares)`.",
    "    shares = [labels.count(label) / len(labels) for label in set(labels)]",
    'yield _case(["oak", "ash", *rng.choice(["oak", "ash"], size).tolist()])',
    "root = 1 - 0.3**2 - 0.7**2",
)


def test_the_course_s_exercises_are_tried_in_their_new_place(tmp_path, capsys):
    """Here the import that the lesson has above it is missing, and who needs none can go on."""
    texts = [
        "import dtree_lab as dt",
        "def entropy(counts):\n    ...",
        'dt.course.check("tax-fraud/entropy", entropy)',
    ]
    place = write_draft(tmp_path, texts=texts)
    (place / "exercises.py").unlink()
    assert run("check", place) == 1
    said = capsys.readouterr().out
    assert said.startswith("tax-fraud/entropy: its worked solution earns 0 of 3 points")
    assert "The notebook lacks what its lesson has above it" in said
    assert run("new", place, tmp_path / "c") == 0
    assert run("release", NAME, "--course", tmp_path / "c") == 0
    assert not capsys.readouterr().err


def test_release_refuses_what_would_tell_a_solution_or_how_cases_are_drawn(
    tmp_path, capsys, monkeypatch
):
    not_judged(monkeypatch)
    for i, words in enumerate(LEAKING):
        folder = tmp_path / str(i)
        folder.mkdir()
        place = write_draft(folder, words=words)
        assert run("new", place, folder / "c") == 0
        assert run("release", NAME, "--course", folder / "c") == 1
        assert "the cell 'cell-0' would tell" in capsys.readouterr().err
        assert not (folder / "c" / "release").exists()


@each(
    ("old", "new", "said"),
    [
        ("import Case, Code", "import Cases, Code", "exercises.py, line {}: ImportError"),
        ("    points=3,\n", "    points=3\n", "exercises.py, line {}: SyntaxError"),
        ("    points=3,\n", "", "missing 1 required positional argument: 'points'"),
        (
            "task=Number(0.42)",
            'task=Number("0.42")',
            "line {}: TypeError: Number: want is a number",
        ),
        ('id="mine/gini"', 'id="gini"', "the id 'gini' will not do"),
        ('id="mine/gini"', 'id="entropy/gini"', "'entropy/gini' begins as the exercises of a"),
        ('id="mine/gini"', 'id="mine/at-the-root"', "two exercises have the id"),
        ("Exercise(\n", "dict(\n", "exercises.py makes no exercise"),
        ("GINI = ", "print(1 / 0)\nGINI = ", "line {}: ZeroDivisionError: division by zero"),
    ],
)
def test_a_file_that_will_not_do_is_told_with_its_line(tmp_path_factory, capsys, old, new, said):
    folder = tmp_path_factory.mktemp("draft")
    above, found, _ = ownpage.exercises_py().partition(old)
    assert found
    said = said.format(above.count("\n") + 1)
    place = write_draft(folder, ownpage.exercises_py().replace(old, new))
    for words in (("new", place, folder / "c"), ("check", place)):
        assert run(*words) == 1
        assert said in capsys.readouterr().err, said
    assert not (folder / "c").exists()


def test_folders_that_will_not_do_are_told(tmp_path, capsys):
    place = write_draft(tmp_path)
    (place / "data.csv").write_text("a,b", encoding="utf-8")
    assert run("new", place / f"{NAME}.ipynb", tmp_path / "c") == 0
    assert "Left behind: data.csv." in capsys.readouterr().out
    (place / "other.ipynb").write_text("{}", encoding="utf-8")
    for words in (("new", place, tmp_path / "d"), ("check", place)):
        assert run(*words) == 1
        assert "one notebook in it; there is other.ipynb, week3.ipynb" in capsys.readouterr().err
    assert run("check", tmp_path / "nowhere") == 1
    assert "neither a notebook nor a folder with one" in capsys.readouterr().err
    (place / "exercises.py").unlink()
    assert run("new", place / f"{NAME}.ipynb", tmp_path / "d") == 1
    assert "there is no exercises.py beside the notebook" in capsys.readouterr().err
    assert not (tmp_path / "d").exists()


def test_a_folder_of_a_lesson_s_name_is_not_meant_and_a_notebook_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tax-fraud").mkdir()
    assert run("new", "tax-fraud", "c") == 0
    assert Path("c/source/01-tax-fraud").is_dir()
    write_draft(tmp_path)
    Path(NAME, f"{NAME}.ipynb").rename(Path(NAME, "01-tax-fraud.ipynb"))
    monkeypatch.chdir(NAME)
    assert run("new", "01-tax-fraud.ipynb", "../d") == 0
    assert Path("../d/source/01-tax-fraud/exercises.py").is_file()


def test_an_assignment_is_checked_where_it_is(tmp_path, capsys, monkeypatch):
    not_judged(monkeypatch)
    course = tmp_path / "c"
    assert run("new", write_draft(tmp_path), course) == 0
    assert run("check", NAME, "--course", course) == 0
    assert run("check", course / "source" / NAME) == 0
    made = course / "source" / NAME / "exercises.py"
    text = made.read_text(encoding="utf-8").replace("        fresh=_fresh,\n", "")
    made.write_text(text, encoding="utf-8")
    assert run("check", NAME, "--course", course) == 1
    assert "by heart" in capsys.readouterr().out
