"""The working copy: a learner's file is never overwritten, whatever an upgrade brings."""

from __future__ import annotations

import json

import pytest

from dtree_lab.cli import workcopy
from dtree_lab.course import lessons


@pytest.fixture
def shipped(tmp_path):
    folder = tmp_path / "shipped"
    (folder / "data").mkdir(parents=True)
    (folder / "01-a.ipynb").write_text("a1")
    (folder / "02-b.ipynb").write_text("b1")
    (folder / "data" / "rows.csv").write_text("x,y")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "01-a-checkpoint.ipynb").write_text("old")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_text("")
    return folder


@pytest.fixture
def mine(tmp_path):
    return tmp_path / "deep" / "mine"


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.name != workcopy.MANIFEST
    }


def test_a_new_copy_holds_every_lesson_and_nothing_else(shipped, mine):
    assert workcopy.refresh(shipped, mine) == []
    assert contents(mine) == {"01-a.ipynb": "a1", "02-b.ipynb": "b1", "data/rows.csv": "x,y"}


def test_a_second_run_changes_nothing(shipped, mine):
    workcopy.refresh(shipped, mine)
    times = {path: path.stat().st_mtime_ns for path in mine.rglob("*")}
    assert workcopy.refresh(shipped, mine) == []
    assert {path: path.stat().st_mtime_ns for path in mine.rglob("*")} == times


def test_an_upgrade_adds_and_refreshes_what_nobody_touched(shipped, mine):
    workcopy.refresh(shipped, mine)
    (shipped / "01-a.ipynb").write_text("a2")
    (shipped / "03-c.ipynb").write_text("c1")
    assert workcopy.refresh(shipped, mine) == ["Updated: 01-a.ipynb", "New: 03-c.ipynb"]
    assert contents(mine)["01-a.ipynb"] == "a2"
    assert contents(mine)["03-c.ipynb"] == "c1"


def test_a_touched_lesson_stays_and_the_new_one_is_put_beside_it_once(shipped, mine):
    workcopy.refresh(shipped, mine)
    (mine / "01-a.ipynb").write_text("my work")
    assert workcopy.refresh(shipped, mine) == []
    (shipped / "01-a.ipynb").write_text("a2")
    (line,) = workcopy.refresh(shipped, mine)
    assert line == ("01-a.ipynb has a new version; yours is kept, the new one is 01-a.new.ipynb")
    assert contents(mine)["01-a.ipynb"] == "my work"
    assert contents(mine)["01-a.new.ipynb"] == "a2"

    (mine / "01-a.new.ipynb").unlink()
    assert workcopy.refresh(shipped, mine) == []
    assert "01-a.new.ipynb" not in contents(mine)


def test_a_second_new_version_replaces_the_first_unless_that_was_touched(shipped, mine):
    workcopy.refresh(shipped, mine)
    (mine / "01-a.ipynb").write_text("my work")
    for version in ("a2", "a3"):
        (shipped / "01-a.ipynb").write_text(version)
        workcopy.refresh(shipped, mine)
        assert contents(mine)["01-a.new.ipynb"] == version
    (mine / "01-a.new.ipynb").write_text("work in the new one")
    (shipped / "01-a.ipynb").write_text("a4")
    workcopy.refresh(shipped, mine)
    assert contents(mine)["01-a.new.ipynb"] == "work in the new one"
    assert contents(mine)["01-a.new2.ipynb"] == "a4"
    assert contents(mine)["01-a.ipynb"] == "my work"


def test_a_deleted_lesson_comes_back(shipped, mine):
    workcopy.refresh(shipped, mine)
    (mine / "02-b.ipynb").unlink()
    assert workcopy.refresh(shipped, mine) == ["Restored: 02-b.ipynb"]
    assert contents(mine)["02-b.ipynb"] == "b1"


def test_a_lesson_that_is_no_longer_shipped_stays(shipped, mine):
    workcopy.refresh(shipped, mine)
    (shipped / "02-b.ipynb").unlink()
    workcopy.refresh(shipped, mine)
    assert contents(mine)["02-b.ipynb"] == "b1"


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"files": 3}', '{"files": {"01-a.ipynb": 1}}'])
def test_without_its_manifest_every_file_counts_as_touched(shipped, mine, broken):
    workcopy.refresh(shipped, mine)
    (mine / workcopy.MANIFEST).write_text(broken)
    (shipped / "01-a.ipynb").write_text("a2")
    workcopy.refresh(shipped, mine)
    assert contents(mine)["01-a.ipynb"] == "a1"
    assert contents(mine)["01-a.new.ipynb"] == "a2"


def test_without_its_manifest_a_version_that_lies_beside_is_not_put_there_again(shipped, mine):
    workcopy.refresh(shipped, mine)
    (mine / "01-a.ipynb").write_text("my work")
    (shipped / "01-a.ipynb").write_text("a2")
    workcopy.refresh(shipped, mine)
    before = contents(mine)
    (mine / workcopy.MANIFEST).write_text("{")
    for _ in range(2):
        assert workcopy.refresh(shipped, mine) == []
        assert contents(mine) == before
    (shipped / "01-a.ipynb").write_text("a3")
    workcopy.refresh(shipped, mine)
    assert contents(mine) == {**before, "01-a.new.ipynb": "a3"}


def test_a_folder_that_was_there_before_loses_nothing(shipped, mine):
    mine.mkdir(parents=True)
    (mine / "01-a.ipynb").write_text("something else of that name")
    workcopy.refresh(shipped, mine)
    assert contents(mine)["01-a.ipynb"] == "something else of that name"
    assert contents(mine)["01-a.new.ipynb"] == "a1"
    assert contents(mine)["02-b.ipynb"] == "b1"


def test_a_read_only_source_gives_files_that_can_be_written(shipped, mine):
    (shipped / "01-a.ipynb").chmod(0o444)
    workcopy.refresh(shipped, mine)
    assert (mine / "01-a.ipynb").stat().st_mode & 0o200


def test_the_manifest_is_plain_json(shipped, mine):
    workcopy.refresh(shipped, mine)
    stored = json.loads((mine / workcopy.MANIFEST).read_text())
    assert set(stored["files"]) == {"01-a.ipynb", "02-b.ipynb", "data/rows.csv"}


def test_a_checkout_has_its_lessons_beside_the_package():
    assert lessons.notebooks_folder().name == "notebooks"
