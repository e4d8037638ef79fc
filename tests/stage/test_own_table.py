"""A lecture on a table that is brought along: ``table: own`` and ``--table``."""

from __future__ import annotations

import asyncio
import csv
import io
import json

import pytest
from cases import each
from lectured import given

import dtree_lab as dt
from dtree_lab.cli import lecture, serving
from dtree_lab.stage import server
from dtree_lab.stage.checking import tried
from dtree_lab.stage.lecture import LectureError, TableSource
from dtree_lab.stage.opening import OpenLab
from dtree_lab.stage.reading import parse

ROWS = "Wetter;Grad;Spielt\nSonne;21,5;ja\nRegen;12,5;nein\nSonne;19,0;ja\nRegen;17,0;nein\n"
HOW = {"delimiter": ";", "decimal": ","}
OPTIONS = ["--delimiter", ";", "--decimal", ","]
MINE = "---\ntitle: Mine\n---\n\n---\nlab: tree\ntable: own\n---\n# Ours\n\n---\n---\nWords\n"


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "wetter.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.md"
    path.write_text(MINE, encoding="utf-8")
    return path


@pytest.fixture
def served(monkeypatch):
    """The stage that would be given, instead of its being given."""
    found = []

    async def give(stage, *_, **__):
        found.append(stage)

    monkeypatch.setattr(serving, "give", give)
    return found


def test_its_scenes_show_the_table_that_is_brought(rows):
    mine = parse(MINE)
    assert [scene.number for scene in mine.on_own_table] == [0]
    with pytest.raises(ValueError, match="give --table FILE"):
        OpenLab(mine.scenes[0])
    brought = mine.on(TableSource(str(rows), HOW, is_file=True))
    opened = OpenLab(brought.scenes[0])
    root = opened.lab.tree.root
    assert list(root.counts) == [2, 2]
    assert opened.go_on(0)
    told = opened.shown().view
    assert all(name in told for name in ("Wetter", "Grad", "Spielt", "Regen"))
    assert brought.scenes[1] == mine.scenes[1]


def test_how_it_is_written_is_said_on_the_command_line():
    with pytest.raises(LectureError, match=r"lecture.md:8: 'target' is said beside --table"):
        parse(MINE.replace("table: own\n", "table: own\ntarget: Spielt\n"))


def test_the_kernel_has_it_too(rows, mine):
    """The lab in the process of a lecture is that of the table."""

    async def run():
        read = serving.stage("reading").read_lecture(mine)
        stage = server.Stage(read.on(TableSource(str(rows), HOW, is_file=True)))
        await stage.begin()
        try:
            return stage.show.problem, stage.show.shown
        finally:
            await stage.end()

    problem, shown = asyncio.run(run())
    assert problem == ""
    assert "Wetter" in json.dumps(json.loads(shown.view))


def test_a_place_is_saved_for_each_table(rows):
    mine = parse(MINE)
    places = {
        server.saved_at(one)
        for one in (
            mine,
            mine.on(TableSource(str(rows), HOW, is_file=True)),
            mine.on(TableSource(str(rows.with_name("other.csv")), HOW, is_file=True)),
        )
    }
    assert len(places) == 3


def complaint(capsys, *words):
    assert lecture.main([str(one) for one in words]) == 1
    return capsys.readouterr().err


def test_each_message_names_the_option_that_helps(rows, mine, served, capsys):
    said = complaint(capsys, mine)
    assert "--table FILE --target COLUMN" in said
    said = complaint(capsys, mine, "--table", rows)
    assert "--delimiter ';'" in said
    said = complaint(capsys, mine, "--table", rows, *OPTIONS[:2])
    assert "--decimal ','" in said
    said = complaint(capsys, mine, "--table", rows, *OPTIONS, "--target", "Spiel")
    assert "'Spielt'" in said
    said = complaint(capsys, mine, "--target", "Spielt")
    assert "--table FILE" in said
    said = complaint(capsys, mine, "--table", rows, *OPTIONS, "--target", "Grad")
    assert "target_kind" in said or "--drop" in said
    assert served == []
    assert lecture.main([str(mine), "--table", str(rows), *OPTIONS]) == 0
    assert served[0].lecture.own.how == HOW


@pytest.mark.usefixtures("served")
@each(
    ("column", "pointed_out"),
    [
        (range(1, 61), True),
        (range(60), True),
        (range(4711, 4771), True),
        ([f"P{n}" for n in range(60)], True),
        (["north", "south"] * 30, False),
        (range(60, 0, -1), False),  # what falls is no number of a row
        (range(2, 122, 2), False),
        ([*range(1, 60), 61], False),
        ([2, 1, *range(3, 61)], False),
        ([n // 2 for n in range(60)], False),
        ([n + 0.5 for n in range(60)], False),
        (["", *range(2, 61)], False),
    ],
)
def test_a_column_that_only_numbers_or_names_the_rows_is_pointed_out(
    mine, tmp_path, capsys, column, pointed_out
):
    lines = [f"{one},{n % 7},{['no', 'yes'][n % 2]}" for n, one in enumerate(column)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["Pos,Age,Play", *lines, ""]), encoding="utf-8")
    assert lecture.main([str(mine), "--table", str(path)]) == 0
    told = capsys.readouterr().err
    assert told.startswith("Note: column 'Pos' ") is pointed_out
    assert ("say --drop Pos to leave it out" in told) is pointed_out


def test_a_table_that_no_scene_shows_is_not_taken_in_silence(rows, served, capsys):
    assert "table: own" in complaint(capsys, "tax-fraud", "--table", rows, *OPTIONS)
    assert served == []


def test_a_check_names_the_line_where_a_table_is_wanted(mine, rows, capsys):
    said = complaint(capsys, mine, "--check")
    lines = mine.read_text(encoding="utf-8").splitlines()
    assert f"mine.md:{lines.index('table: own') + 1}: " in said
    assert "--table FILE" in said
    assert lecture.main([str(mine), "--check", "--table", str(rows), *OPTIONS]) == 0


class TestShippedForAnyTable:
    """``your-table`` takes what a lecturer brings."""

    @pytest.mark.parametrize("name", ["tax_fraud", "word_sense", "penguins", "two_attributes"])
    def test_it_can_be_given_on(self, name, tmp_path):
        table = getattr(dt.datasets, name)()
        path = tmp_path / "mine.csv"
        path.write_text(as_csv(table), encoding="utf-8")
        own = TableSource(str(path), {"target": table.target.name}, is_file=True)
        assert tried(given("your-table").on(own)) == []

    def test_it_can_be_given_on_four_rows(self, rows):
        own = TableSource(str(rows), HOW, is_file=True)
        assert tried(given("your-table").on(own)) == []

    def test_its_minutes_add_up(self):
        title, *scenes = given("your-table").scenes
        assert title.layout == "title"
        assert sum(scene.minutes for scene in scenes) == given("your-table").minutes == 20
        for scene in scenes:
            assert 60 <= len(scene.notes.split()) <= 150, scene.title


def as_csv(table):
    file = io.StringIO()
    writer = csv.DictWriter(file, [*table.names, table.target.name])
    writer.writeheader()
    writer.writerows(table.rows())
    return file.getvalue()
