"""Nothing in a lecture's file runs, by whichever door, before somebody has agreed to it."""

from __future__ import annotations

import asyncio
import io
import shutil
import sys

import pytest

import dtree_lab as dt
from dtree_lab.cli import lecture, serving
from dtree_lab.cli.lecture import shipped
from dtree_lab.stage import server
from dtree_lab.stage.checking import tried
from dtree_lab.stage.export import played
from dtree_lab.stage.reading import read_lecture

PROGRAM = """---
title: A program
---
---
---
# Words

---
code: |
  open({marker!r}, "w").close()
  dt.EntropyLab()
steps: 0
---
# A lab from Python
"""


@pytest.fixture
def marker(tmp_path):
    """What is there once the lecture's code has run."""
    return tmp_path / "it ran"


@pytest.fixture
def program(tmp_path, marker):
    path = tmp_path / "program.md"
    path.write_text(PROGRAM.format(marker=str(marker)), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def kept(saving, monkeypatch, tmp_path):
    """Where consent is kept, and no terminal."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.chdir(tmp_path)
    return saving / "lectures" / "agreed"


@pytest.fixture
def served(monkeypatch):
    """The lectures that would be given, instead of their being given."""
    lectures = []

    async def give(stage, *_, **__):
        lectures.append(stage.lecture)

    monkeypatch.setattr(serving, "give", give)
    monkeypatch.setattr("dtree_lab.stage.export.sheets", lambda _, to: to)
    return lectures


def command(capsys, *words):
    """The exit status of the command, and what it says."""
    status = lecture.main([str(word) for word in words])
    out, err = capsys.readouterr()
    return status, out + err


DOORS = ([], ["--resume"], ["--export"], ["--check", "--run"])


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_without_a_terminal_nothing_runs_and_the_cure_is_told(
    door, program, marker, served, capsys
):
    status, said = command(capsys, program, *door)
    assert status == 1
    assert "program.md runs Python of its own" in said
    assert "line 8" in said
    assert "--trust" in said
    assert served == []
    assert not marker.exists()
    assert not program.with_suffix(".html").exists()


def test_a_notebook_is_told_the_same(program, marker):
    with pytest.raises(ValueError, match="trust=True"):
        dt.lecture(program)
    assert not marker.exists()


def test_a_check_says_what_it_has_not_tried(program, marker, capsys):
    status, said = command(capsys, program, "--check")
    assert status == 0
    assert "program.md:8: scene 2 runs Python, which was not tried: --check --run tries it" in said
    assert "all else good" in said
    assert not marker.exists()


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
@pytest.mark.usefixtures("served")
def test_consent_is_given_once_until_the_file_changes(door, program, marker, capsys):
    assert command(capsys, program, *door, "--trust")[0] == 0
    marker.unlink(missing_ok=True)
    assert command(capsys, program, "--check") == (0, "A program: 2 scenes, all good.\n")
    assert marker.exists()
    marker.unlink()
    for again in DOORS:
        assert command(capsys, program, *again)[0] == 0
    marker.unlink()
    program.write_text(program.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    status, said = command(capsys, program, *door)
    assert (status, "--trust" in said) == (1, True)
    assert "not tried" in command(capsys, program, "--check")[1]
    assert not marker.exists()


class Terminal(io.StringIO):
    """Where somebody sits and types."""

    def isatty(self):
        return True


@pytest.mark.parametrize(("typed", "runs"), [("y\n", True), ("yes\n", True), ("n\n", False)])
def test_in_a_terminal_the_code_is_shown_and_asked_about(typed, runs, program, marker, monkeypatch):
    hides = '---\ncode: "a\\e[2K\\u202Eb"\n---\n'
    program.write_text(program.read_text(encoding="utf-8") + hides, encoding="utf-8")
    shown = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    monkeypatch.setattr(sys, "stderr", shown)
    assert lecture.main([str(program), "--check", "--run"]) == 1  # one scene's code is no Python
    assert marker.exists() is runs
    said = shown.getvalue()
    assert f'    open({str(marker)!r}, "w").close()\n    dt.EntropyLab()\n' in said
    assert "a\\x1b[2K\\u202eb" in said
    assert "\x1b" not in said
    assert ("nothing was run" in said) is not runs
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    shown.truncate(0)
    lecture.main([str(program), "--check", "--run"])
    assert ("[y/N]" in shown.getvalue()) is not runs


def test_an_empty_answer_is_a_no(program, marker, monkeypatch, kept):
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert lecture.main([str(program), "--export"]) == 1
    assert not marker.exists()
    assert not kept.exists()


def test_what_is_shipped_and_what_has_no_code_is_not_asked_about(tmp_path, served, capsys):
    plain = tmp_path / "plain.md"
    cell = "---\nlesson: tax-fraud\ncell: now-be-id3-2\n---\n"
    plain.write_text(f"---\ntitle: Plain\n---\n---\nlab: tree\n---\n{cell}", encoding="utf-8")
    for file in ("tax-fraud", "word-senses", plain):
        assert command(capsys, file)[0] == 0
    assert len(served) == 3
    copy = shutil.copy(shipped()["word-senses"], tmp_path / "mine.md")
    assert "--trust" in command(capsys, copy)[1]
    assert len(served) == 3


def test_no_way_into_a_lab_runs_it_unasked(program, marker):
    """Below the command, too: whoever opens a scene has to have the consent in hand."""
    unasked = read_lecture(program)
    assert tried(unasked) == []
    played(unasked)

    async def problem(talk):
        stage = server.Stage(talk)
        await stage.begin()
        try:
            await stage.command({"do": "jump", "scene": 1})
            return stage.show.problem
        finally:
            await stage.end()

    assert "nobody has agreed" in asyncio.run(problem(unasked))
    assert not marker.exists()
    agreed = unasked.agreed()
    # What was agreed to is run, whatever the file says by then.
    other = marker.with_name("other.txt")
    text = program.read_text(encoding="utf-8")
    program.write_text(text.replace(marker.name, other.name), encoding="utf-8")
    assert "nobody has agreed" in asyncio.run(problem(read_lecture(program)))
    assert asyncio.run(problem(agreed)) == ""
    assert marker.exists()
    assert not other.exists()


def test_a_notebook_agrees_by_an_argument(program, marker):
    dt.lecture(program, trust=True).stop()
    assert not marker.exists()  # its scene was not come to
    dt.lecture(program).stop()


def test_where_consent_cannot_be_kept_it_holds_this_once(program, kept, served, capsys):
    kept.parent.mkdir(parents=True)
    kept.write_text("in the way", encoding="utf-8")
    assert command(capsys, program, "--trust")[0] == 0
    assert len(served) == 1
    assert command(capsys, program)[0] == 1


def test_while_it_is_written_only_the_code_that_was_agreed_to_runs_on(program, monkeypatch):
    given = []

    async def give(stage, *_, **__):
        given.append(stage)

    monkeypatch.setattr(serving, "give", give)
    assert lecture.main([str(program), "--watch", "--trust"]) == 0
    (stage,) = given
    assert not stage.rehearses
    text = program.read_text(encoding="utf-8")
    program.write_text(text.replace("# Words", "# Other words"), encoding="utf-8")
    assert stage.reread().needs_consent == ()
    program.write_text(text.replace("dt.EntropyLab()", "dt.TreeBuilder()"), encoding="utf-8")
    assert stage.reread().needs_consent == ()  # whoever says --trust trusts the file
    program.write_text(text, encoding="utf-8")
    assert lecture.main([str(program), "--watch"]) == 0
    program.write_text(text.replace("# Words", "# Mine"), encoding="utf-8")
    assert given[1].reread().needs_consent == ()
    program.write_text(text.replace("dt.EntropyLab()", "dt.TreeBuilder()"), encoding="utf-8")
    assert [scene.number for scene in given[1].reread().needs_consent] == [1]
    program.write_text(text.replace("steps: 0", "steps: x"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"program\.md:\d+: "):
        given[1].reread()
