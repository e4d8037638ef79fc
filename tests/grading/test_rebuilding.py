"""Submissions rebuilt on the release, without a run: no answer is lost, what was done is told."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from dataclasses import replace

import nbformat
import pytest
from grading import kinds
from grading.kinds import ENTROPY, KINDS, REAL, right, solutions
from hypothesis import given, settings
from hypothesis import strategies as st

from dtree_lab.grading.batch import notebook_in
from dtree_lab.grading.needed import needed
from dtree_lab.grading.rebuild import RunStep, rebuilt, worst
from dtree_lab.grading.sheets import Check, SubmissionError, cells_in, cells_of

REPAIRED = {
    name: kind
    for name, kind in KINDS.items()
    if name.startswith(("the check", "the answer", "metadata", "saved by"))
}


def made(sheet, notebook):
    return rebuilt(sheet, cells_in(json.dumps(notebook)))


@pytest.mark.parametrize("name", REPAIRED)
def test_an_answer_is_found_whatever_became_of_its_cell(sheet, name):
    kind = REPAIRED[name]
    found = made(sheet, kind.make())
    status = worst(*found.statuses.values())
    notes = [note for those in found.notes.values() for note in those]
    assert status == kind.status, notes
    assert any(kind.note in note for note in notes) or not kind.note
    if kind.points == 19:
        assert {key: text.split() for key, text in found.answers.items()} == {
            key: text.split() for key, text in solutions().items()
        }


def test_the_order_is_that_of_the_release_with_own_cells_where_they_stood(sheet):
    plain = made(sheet, right())
    with_own = made(sheet, kinds.own("mine = 1"))
    (at,) = [i for i, step in enumerate(with_own.steps) if step.own]
    assert with_own.steps[at].text == "mine = 1"
    assert [step for step in with_own.steps if not step.own] == plain.steps
    assert [step.check.exercise for step in plain.steps if step.check] == list(sheet.exercises)


def test_another_notebook_is_refused(sheet):
    other = {"cells": [{"cell_type": "code", "source": f"x = {i}"} for i in range(40)]}
    with pytest.raises(SubmissionError, match="not the notebook that was released"):
        made(sheet, other)


@given(data=st.data())
@settings(max_examples=60)
def test_shuffled_cells_with_lost_marks_lose_no_answer(data):
    """Without the fixture: one release for all examples."""
    notebook = right()
    order = data.draw(st.permutations(range(len(notebook["cells"]))))
    notebook["cells"] = [notebook["cells"][i] for i in order]
    for cell in notebook["cells"]:
        if data.draw(st.booleans()):
            cell["metadata"] = {}
    found = made(_sheet(), notebook)
    assert {key: text.split() for key, text in found.answers.items()} == {
        key: text.split() for key, text in solutions().items()
    }


def _sheet():
    import dtree_lab as dt
    from dtree_lab.grading.sheets import Handout

    source = kinds.source()
    cells = tuple(cells_in(json.dumps(kinds.release())))
    exercises = {one.id: one for one in dt.course.exercises("tax-fraud")}
    checks = {
        i: Check(c["metadata"]["dtree_lab"]["exercise"], "x", "", 1.0, None, c["id"])
        for i, c in enumerate(source["cells"])
        if kinds.role(c) == "check"
    }
    return Handout(REAL, cells, checks, exercises, "")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "no notebook"),
        (b'{"cells": 3}', "no notebook"),
        (b'{"worksheets": 3}', "no notebook"),
        (b"\xff\xfe\x00", "no text"),
        (b"\xe4", "no text in UTF-8 or UTF-16"),
        (gzip.compress(b"{}", mtime=0)[:-9], "packed by gzip, and torn"),
        (gzip.compress(b" " * (26 << 20), mtime=0), "too large, and at most 25 MB"),
        (gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0), "no text"),
        (b'{"cells": [' + b",".join([b"{}"] * 5000) + b"]}", "more than 3,000 cells"),
    ],
)
def test_a_file_that_is_no_notebook_says_what_it_is(tmp_path, data, words):
    place = tmp_path / "x.ipynb"
    place.write_bytes(data)
    with pytest.raises(SubmissionError, match=words):
        cells_of(place)


def test_the_same_notebook_is_read_however_it_is_written(tmp_path):
    place = tmp_path / "x.ipynb"
    text = json.dumps(kinds.right(), ensure_ascii=False)
    cells = cells_in(text)
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"):
        for pack in (bytes, gzip.compress):
            place.write_bytes(pack(text.encode(encoding)))
            assert cells_of(place) == cells, (encoding, pack)


def test_a_notebook_of_before_2015_is_read(tmp_path, sheet):
    """As nbformat itself turns one back, which drops the ids of cells."""
    old = nbformat.convert(nbformat.reads(json.dumps(kinds.right()), as_version=4), 3)
    place = tmp_path / "x.ipynb"
    place.write_text(nbformat.writes(old, version=3), encoding="utf-8")
    assert "worksheets" in json.loads(place.read_text(encoding="utf-8"))
    now = cells_in(json.dumps(kinds.right()))
    code = [replace(one, id="") for one in now if one.kind == "code"]
    assert [one for one in cells_of(place) if one.kind == "code"] == code
    then = rebuilt(sheet, cells_of(place))
    assert then.answers == made(sheet, kinds.right()).answers
    several = {"worksheets": [{"cells": [{"cell_type": "code", "input": [x]}]} for x in ("a", "b")]}
    assert [one.text for one in cells_in(json.dumps(several))] == ["a", "b"]


def test_a_file_of_200_mb_is_not_read(tmp_path):
    place = tmp_path / "x.ipynb"
    with place.open("wb") as file:
        file.truncate(200 << 20)
    with pytest.raises(SubmissionError, match="200 MB, and at most 25 MB"):
        cells_of(place)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["cells", "source", "metadata", "nbgrader", "grade_id", "cell_type", "id"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_any_json_is_read_or_refused(value):
    try:
        cells = cells_in(json.dumps(value))
    except SubmissionError:
        return
    assert all(isinstance(text, str) for cell in cells for text in (cell.text, cell.id, cell.kind))


@given(st.binary(max_size=60))
@settings(max_examples=60)
def test_any_bytes_are_read_or_refused(data):
    with suppress(SubmissionError):
        cells_in(data.decode("utf-8", "replace"))


def test_which_file_counts(tmp_path):
    with pytest.raises(SubmissionError, match="no notebook was handed in"):
        notebook_in(tmp_path, REAL)
    (tmp_path / "mine (1).ipynb").write_text("{}")
    assert notebook_in(tmp_path, REAL)[1] == "the file is called mine (1).ipynb"
    (tmp_path / f"{REAL}.ipynb").write_text("{}")
    assert notebook_in(tmp_path, REAL) == (tmp_path / f"{REAL}.ipynb", "")


# -- which cells have to run -----------------------------------------------------------------------

CHECK = Check("a/b", "f", "", 1.0, None, "c")


def steps(*texts, answer="def f(): return g(table)"):
    return [*map(RunStep, texts), RunStep(answer, "a/b"), RunStep("", "a/b", check=CHECK)]


def test_only_what_has_to_do_with_an_answer_runs():
    cells = ("import math", "table = [1]", "other = table", "table.append(2)", "def g(x): return x")
    assert needed(steps(*cells)) == [False, True, False, True, True, True, True]
    assert needed(steps(*cells, answer="f = 3")) == [False] * 5 + [True, True]


def test_who_looks_names_up_by_their_text_gets_everything():
    for answer in ("f = eval('table')", "f = globals()['x']", "f ="):
        assert all(needed(steps("import math", "table = 1", answer=answer)))


def test_an_answer_that_may_fail_does_not_replace_what_was_there_before():
    found = [
        RunStep("f = 1"),
        RunStep("f = 1 / 0", "a/b"),
        RunStep("", "a/b", check=CHECK),
    ]
    assert needed(found) == [True, True, True]


def test_the_solutions_of_the_answers_stand_in_the_lesson(sheet):
    assert set(sheet.exercises) == set(solutions())
    assert ENTROPY in sheet.exercises
