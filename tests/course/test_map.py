"""The map, 00-start-here: the first page that a newcomer sees, true to the lessons it names."""

from __future__ import annotations

import re

import nbformat

import dtree_lab as dt
from course.sources import FURTHER, LESSONS, lessons, source_of
from dtree_lab.labs.catalogue import LABS

MAP = source_of("00-start-here")
TEXT = MAP.text
# A guess, which is made in a card or in code.
ASKS = re.compile(r"^dt\.course\.(?:reveal|ask)\(", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")


def rows():
    """The lessons' table: title, file, and the minutes for reading and for the exercises."""
    for line in TEXT.splitlines():
        if found := re.match(r"\| \[([^\]]+)\]\(([^)]+)\) \|.*\| (\d+) \+ (\d+) \|[^|]+\|$", line):
            yield found[1], found[2], (int(found[3]), int(found[4]))


def estimated(source):
    """Minutes as they are counted for every lesson alike, for reading and for the exercises.

    180 words a minute, 20 lines of code, 45 seconds for a guess; and for an exercise, by its kind.
    """
    blocks = list(lessons.blocks(source.text))
    words = sum(len(b.text.split()) for b in blocks if b.kind == "markdown")
    code = [line for b in blocks if b.kind == "code" for line in b.text.splitlines() if line]
    guesses = sum(bool(ASKS.search(b.text)) for b in blocks if b.kind == "code")
    checked = re.findall(r'course\.check\("([^"]+)"', source.text)
    kinds = {"choice": 2, "number": 3, "doing": 4, "code": 5}
    exercises = sum(kinds[e.task.kind] for e in dt.course.exercises() if e.id in checked)
    return words / 180 + len(code) / 20 + guesses * 3 / 4, exercises


def test_it_is_the_notebook_that_opens_first():
    assert min(path.name for path in lessons.NOTEBOOKS.glob("*.ipynb")) == f"{MAP.stem}.ipynb"


def test_every_lesson_is_in_the_table_once_and_in_order():
    assert [file for _, file, _ in rows()] == [f"{source.stem}.ipynb" for source in LESSONS]


def test_the_titles_and_minutes_are_those_that_the_lessons_state():
    for (title, _, minutes), source in zip(rows(), LESSONS, strict=True):
        text = source.text
        assert f"# {title}\n" in text, title
        stated = re.search(r"Take (\d+) minutes, and (\d+) more for the exercises\.", text)
        assert (int(stated[1]), int(stated[2])) == minutes, source.stem
        assert 15 <= minutes[0] <= 45
        for told, counted in zip(minutes, estimated(source), strict=True):
            assert abs(told - counted) <= 6, (source.stem, counted)


def test_readme_has_the_same_table():
    kept = lessons.README.read_text(encoding="utf-8")
    assert kept == lessons.readme(), "run: python tools/build_lessons.py README"
    table = [line for line in TEXT.splitlines() if line.startswith("| [")]
    assert [row.replace("](", "](notebooks/") for row in table] == [
        line for line in kept.splitlines() if line.startswith("| [") and ".ipynb)" in line
    ]


def test_a_table_that_is_old_is_noticed_and_made_anew(tmp_path, monkeypatch, capsys):
    now = lessons.README.read_text(encoding="utf-8")
    old = tmp_path / "README.md"
    old.write_text(now.replace("| 25 + 30 |", "| 20 + 30 |"), encoding="utf-8")
    monkeypatch.setattr(lessons, "README", old)
    monkeypatch.setattr("sys.argv", ["build_lessons.py", "--check", "README"])
    assert lessons.main() == 1
    assert "run python tools/build_lessons.py README" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["build_lessons.py", "README"])
    assert lessons.main() == 0
    assert old.read_text(encoding="utf-8") == now


def test_what_it_links_to_is_there():
    links = [target for _, target in LINK.findall(TEXT)]
    assert {"labs.ipynb", "exam.ipynb"} <= {*links}
    assert all((lessons.NOTEBOOKS / target).is_file() for target in links), links
    further = {f"further/{source.stem}.ipynb" for source in FURTHER}
    assert {file for _, file, _ in rows()} | {"labs.ipynb", "exam.ipynb"} | further == {*links}


def test_the_numbers_it_names_are_so():
    words = {10: "ten", 11: "eleven"}
    assert f"The {words[len(LESSONS)]} lessons" in TEXT
    assert f"{words[len(LABS)]} machines" in TEXT
    assert re.search(r"dtree-lab demo (\w+)`", TEXT)[1] in [lab.name for lab in LABS]


def test_it_asks_before_it_tells_and_has_a_lab():
    notebook = nbformat.read(lessons.NOTEBOOKS / f"{MAP.stem}.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    (asked,) = (cell for cell in code if ASKS.search(cell.source))
    assert asked.outputs[0].data["text/plain"].startswith("YOUR GUESS?")
    assert any("widget" in cell.metadata.tags and cell.outputs for cell in code)
    (progress,) = (cell for cell in code if "dt.course.progress()" in cell.source)
    assert progress.outputs == []  # a learner's own, never ours


def test_the_way_through_its_tree_is_the_one_it_asks_for():
    space = {"dt": dt}
    for block in lessons.blocks(TEXT):
        if block.kind == "code" and "widget" not in block.words:
            exec(block.text, space)  # noqa: S102 - our own page
    tree, days = space["tree"], space["days"]
    assert tree.predict(space["today"]) == "no"
    assert tree.error(days) == 0
    assert (tree.depth, len(days)) == (2, 8)
