"""What is done, from the notebooks as they are saved."""

from __future__ import annotations

import shutil
from xml.etree import ElementTree

import nbformat
import pytest

import dtree_lab as dt
from course.sources import LESSONS, lessons
from dtree_lab.course import checking

LESSON = "01-tax-fraud.ipynb"


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(checking, "_best", {})


@pytest.fixture
def folder(tmp_path):
    shutil.copy(lessons.NOTEBOOKS / LESSON, tmp_path)
    return tmp_path


def write(folder, **said):
    """Save what checks said, by the exercise's own name with underscores."""
    notebook = nbformat.read(folder / LESSON, as_version=4)
    for cell in notebook.cells:
        told = cell.metadata.get("dtree_lab", {})
        name = told.get("exercise", "/").partition("/")[2].replace("-", "_")
        if told.get("role") == "check" and name in said:
            data = {"text/plain": said[name]}
            cell.outputs = [nbformat.v4.new_output("execute_result", data, execution_count=1)]
    nbformat.write(notebook, folder / LESSON)


def first(folder):
    return dt.course.progress(folder).lessons[0]


def test_an_untouched_lesson_is_all_open(folder):
    done = first(folder)
    assert (done.file, done.passed) == (LESSON, [])
    assert done.next == dt.course.exercises("tax-fraud")[0]


def test_the_lessons_are_those_of_the_course_in_order(folder):
    found = [done.lesson for done in dt.course.progress(folder).lessons]
    checks = [source.text.partition('dt.course.check("')[2] for source in LESSONS]
    inside = [check.partition("/")[0] for check in checks]
    assert inside == [name for name in found if name in inside]


def test_saved_verdicts_count_with_their_points(folder):
    write(
        folder,
        parts="PASS  The parts of a tree (1 of 1 point)\nmore",
        follow="NOT YET  The lecture's tree as a function (2.6 of 3 points)",
        majority="NOT ANSWERED YET  The majority label",
    )
    done = first(folder)
    assert [one.id for one in done.passed] == ["tax-fraud/parts"]
    assert done.next.id == "tax-fraud/follow"
    points = sum(one.points for one in dt.course.exercises("tax-fraud"))
    assert done.cells[2] == f"3.6 of {points} points"


def test_of_a_copy_the_best_counts_and_both_are_named(folder):
    """In whichever stands first by its name, and the link goes to the one with more points."""
    for copy in ("00-a copy.ipynb", "99-later.ipynb"):
        shutil.copy(folder / LESSON, folder / copy)
    write(
        folder,
        parts="PASS  The parts of a tree (1 of 1 point)",
        majority="NOT YET  The majority label (1 of 2 points)",
    )
    done = first(folder)
    assert (done.file, done.copies) == (LESSON, ("00-a copy.ipynb", "99-later.ipynb"))
    assert done.cells[0] == f"{LESSON}, 00-a copy.ipynb, 99-later.ipynb (best of 3)"
    assert f'<a href="{LESSON}">' in dt.course.progress(folder)._repr_html_()
    assert [one.id for one in done.passed] == ["tax-fraud/parts"]


def test_all_passed_is_marked(folder):
    every = {
        one.id.partition("/")[2].replace("-", "_"): f"PASS  T ({one.points} of {one.points} points)"
        for one in dt.course.exercises("tax-fraud")
    }
    write(folder, **every)
    assert first(folder).next is None
    assert "✓" in first(folder).cells[0]
    assert first(folder).cells[3] == "all done"


def test_a_further_page_counts_for_its_lesson_and_is_no_copy_of_it(folder):
    shutil.copy(lessons.NOTEBOOKS / "03-word-senses.ipynb", folder)
    (folder / "further").mkdir()
    place = folder / "further/03-sentences.ipynb"
    notebook = nbformat.read(lessons.NOTEBOOKS / "further/03-sentences.ipynb", as_version=4)
    (cell,) = (cell for cell in notebook.cells if cell.id == "check-word-senses-mistake")
    text = {"text/plain": "PASS  A mistake, read (2 of 2 points)"}
    cell.outputs = [nbformat.v4.new_output("execute_result", text, execution_count=1)]
    nbformat.write(notebook, place)
    done = dt.course.progress(folder).lessons[2]
    assert [one.id for one in done.passed] == ["word-senses/mistake"]
    assert (done.file, done.copies) == ("03-word-senses.ipynb", ())


def test_what_was_checked_since_counts_without_saving(folder):
    dt.course.check("tax-fraud/six-to-four", 0.971)
    dt.course.check("tax-fraud/six-to-four", 5)  # a later slip takes nothing away
    assert [one.id for one in first(folder).passed] == ["tax-fraud/six-to-four"]


def test_a_real_check_is_read_as_it_shows_itself(folder):
    result = dt.course.check("tax-fraud/six-to-four", 0.971)
    checking._best.clear()
    write(folder, six_to_four=repr(result))
    assert [one.id for one in first(folder).passed] == ["tax-fraud/six-to-four"]


def test_a_notebook_under_another_name_is_known_by_its_exercises(folder):
    write(folder, parts="PASS  The parts of a tree (1 of 1 point)")
    (folder / LESSON).rename(folder / "my copy.ipynb")
    assert first(folder).file == "my copy.ipynb"
    assert len(first(folder).passed) == 1


def test_a_damaged_notebook_is_named_and_the_others_are_read(folder):
    write(folder, parts="PASS  The parts of a tree (1 of 1 point)")
    (folder / "broken.ipynb").write_text('{"cells": [')
    (folder / "other.ipynb").write_text('{"cells": [5]}')
    shown = dt.course.progress(folder)
    assert len(shown.lessons[0].passed) == 1
    assert any(note.startswith("broken.ipynb could not be read") for note in shown.notes)
    assert any(note.startswith("other.ipynb could not be read") for note in shown.notes)


def test_it_shows_itself_as_text_and_as_a_table(folder):
    evil = folder / "<b>&.ipynb"
    shutil.copy(folder / LESSON, evil)
    (folder / LESSON).unlink()
    shown = dt.course.progress(folder)
    assert len(repr(shown).splitlines()) == len(shown.lessons) + 1
    table = ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>")  # noqa: S314 - our own
    cells = ["".join(cell.itertext()) for cell in table.iter("th")]
    assert "<b>&.ipynb" in cells
    assert table.find(".//a").get("href") == "<b>&.ipynb"


def test_a_folder_that_there_is_not_is_named(tmp_path):
    with pytest.raises(ValueError, match="nowhere' is not a folder"):
        dt.course.progress(tmp_path / "nowhere")
