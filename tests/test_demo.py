"""``dt.demo`` and ``dtree-lab demo``: names, tables, states, and what is said of wrong ones."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from contextlib import suppress
from types import SimpleNamespace

import pytest

import dtree_lab as dt
from dtree_lab.cli import main, serving
from dtree_lab.labs.catalogue import LABS, find_lab
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.stage.opening import OpenLab, rehearsed

ROWS = "Weather,Wind,Play\nsun,weak,yes\nsun,strong,no\nrain,weak,no\nrain,strong,no\n"


@pytest.fixture
def play(tmp_path):
    path = tmp_path / "play.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


# -- the list of labs ------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", LABS, ids=lambda entry: entry.name)
def test_a_lab_is_found_by_its_name_and_by_its_class(entry):
    assert find_lab(entry.name) is entry
    assert find_lab(entry.cls) is entry
    assert find_lab(entry.cls.upper()) is entry
    assert find_lab(f" {entry.name.replace('-', ' ').title()}") is entry
    assert entry.load() is getattr(dt, entry.cls)


def test_the_list_is_that_of_the_labs_that_the_library_has():
    classes = {
        name
        for name, home in dt._HOME.items()
        if home.endswith(".widget") and home.startswith("dtree_lab.labs.")
    }
    assert {entry.cls for entry in LABS} == classes
    assert len({entry.name for entry in LABS}) == len(LABS) == 11


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("tre", "tree"),
        ("step", "steps"),
        ("bias", "bias-variance"),
        ("forests", "forest"),
        ("TreeBilder", "tree"),
        ("PruneLab", "pruning"),
        ("exercise", None),
        ("", None),
        ("🌳", None),
        (7, None),
    ],
)
def test_an_unknown_name_gets_a_near_one(typed, meant):
    with pytest.raises(ValueError, match="There is no lab") as caught:
        find_lab(typed)
    said = str(caught.value)
    assert repr(typed) in said
    assert ("Did you mean" in said) is (meant is not None)
    assert meant is None or f"Did you mean {meant!r}?" in said
    assert all(entry.name in said for entry in LABS)


# -- dt.demo ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", LABS, ids=lambda entry: entry.name)
def test_every_lab_can_be_shown_with_what_it_brings(entry):
    lab = dt.demo(entry.name)
    assert type(lab).__name__ == entry.cls
    assert isinstance(lab, Lab)
    assert lab.demo
    assert lab.view["stage"] == 0


def test_a_table_and_a_state_of_ones_own(play):
    table = dt.Table.read_csv(play, "Play")
    before = dt.demo("tree", table)
    before.act({"do": "next"})
    after = dt.demo("TREEBUILDER", table, state=before.state)
    assert (before.tree.n_nodes, after.tree.n_nodes) == (3, 3)
    with pytest.raises(ValueError, match="another table"):
        dt.demo("tree", state=before.state)


def test_without_a_name_the_labs_are_listed():
    said = repr(dt.demo()).splitlines()
    assert [line.split()[0] for line in said] == [entry.name for entry in LABS]
    assert all(entry.what in line for entry, line in zip(LABS, said, strict=True))


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def served(monkeypatch):
    """Stand in for the server: the lecture that it was given, and the options."""
    given = SimpleNamespace(lecture=None, options=None, scene=None)

    async def give(stage, options):
        given.lecture, given.options, given.scene = stage.lecture, options, stage.lecture.scenes[0]
        assert stage.saved is None, "one lab leaves nothing behind"

    monkeypatch.setattr(serving, "give", give)
    return given


def shown(served):
    """The lab of the lecture's one scene."""
    (scene,) = served.lecture.scenes
    return OpenLab(scene).lab


def test_bare_it_lists_the_labs(capsys):
    assert main.main(["demo"]) == 0
    said = capsys.readouterr().out
    assert repr(dt.demo()) in said
    assert "dtree-lab demo NAME" in said


def test_a_lab_is_a_lecture_of_one_scene(served):
    assert main.main(["demo", "tree"]) == 0
    lab = shown(served)
    assert isinstance(lab, dt.TreeBuilder)
    assert lab.demo
    assert served.lecture.title.startswith("Grow a tree by hand")


def test_a_forest_goes_one_five_fifty_and_decisions_go_through_their_thresholds(served):
    main.main(["demo", "forest"])
    forests = [json.loads(moment.state)["trees"] for _, moment in rehearsed(served.scene)]
    assert forests[-3:] == [1, 5, 50]
    main.main(["demo", "decisions"])
    seen = [json.loads(moment.state) for _, moment in rehearsed(served.scene)]
    hands = [state["thresholds"][state["at"]] for state in seen]
    assert list(dict.fromkeys(hands)) == [0.5, 0.3, 0.05]
    assert [state["answer"] is None for state in seen[-2:]] == [True, False]
    # A state says itself where to begin.
    main.main(["demo", "forest", "--state", dt.ForestLab(trees=7).state])
    assert len(shown(served).forest.trees) == 7


def test_a_port_that_another_program_has_is_left_to_it(capsys):
    """At either address of this machine, or at all of them: a browser may take any for ours."""
    everywhere = (*serving.LOOPBACK, (socket.AF_INET, ""))
    tried = 0
    for family, host in everywhere:
        with suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as other:
            other.bind((host, 0))
            other.listen()
            port = other.getsockname()[1]
            found = serving.free_port(port)
            assert port < found, host
            for each in serving.LOOPBACK:
                assert not serving._taken(*each, found)
            tried += 1
    assert tried >= 2  # IPv4 at least
    assert main.main(["demo", "tree", "--port", "70000"]) == 1
    assert "no port" in capsys.readouterr().err


def test_options_are_handed_on(served):
    words = ["demo", "entropy", "--port", "9000", "--theme", "dark", "--no-browser"]
    assert main.main(words) == 0
    assert isinstance(shown(served), dt.EntropyLab)
    options = served.options
    assert (options.port, options.theme, options.no_browser) == (9000, "dark", True)


def test_a_table_of_ones_own_and_its_target(served, play, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main.main(["demo", "tree", "--table", "play.csv"]) == 0
    monkeypatch.chdir("/")  # the kernel starts elsewhere
    assert shown(served).tree.target.name == "Play"
    assert main.main(["demo", "tree", "--table", str(play), "--target", "Wind"]) == 0
    assert shown(served).tree.target.name == "Wind"


def test_of_a_table_with_gaps_it_is_said_what_is_left_out(served, tmp_path):
    (tmp_path / "gaps.csv").write_text(ROWS + "fog,,no\n,weak,yes\n", encoding="utf-8")
    assert main.main(["demo", "tree", "--table", str(tmp_path / "gaps.csv")]) == 0
    (note,) = (part for part in shown(served).view["parts"] if part["kind"] == "folded")
    assert note["note"] == "4 of 6 rows; 2 have gaps and are left out."
    assert note["rows"] == [["5", "Wind"], ["6", "Weather"]]
    marked = ROWS + "?,weak,yes\nsun,-,no\n"
    (tmp_path / "marked.csv").write_text(marked, encoding="utf-8")
    table = ["--table", str(tmp_path / "marked.csv"), "--na", "?", "--na", "-"]
    assert main.main(["demo", "practice", *table]) == 0
    (note,) = (part for part in shown(served).view["parts"] if part["kind"] == "folded")
    assert note["rows"] == [["5", "Weather"], ["6", "Wind"]]


@pytest.mark.parametrize("way", ["text", "file"])
def test_a_state_as_text_or_in_a_file(served, tmp_path, way):
    before = dt.demo("tree")
    before.act({"do": "next"})
    state = before.state
    if way == "file":
        (tmp_path / "state.txt").write_text(state + "\n", encoding="utf-8")
        state = f"@{tmp_path / 'state.txt'}"
    assert main.main(["demo", "tree", "--state", state]) == 0
    assert shown(served).tree.n_nodes == before.tree.n_nodes == 4


def test_long_work_is_left_to_the_page(served, monkeypatch):
    """The lab is tried before it is served; what it then works on is not waited for."""

    class Slow(dt.TreeBuilder):
        def _work(self):
            async def long():
                await asyncio.sleep(3600)

            assert self._later(long())

    monkeypatch.setattr("dtree_lab.labs.treebuilder.widget.TreeBuilder", Slow)
    assert main.main(["demo", "tree"]) == 0


def complaint(capsys, *words):
    """The one line that is said of a command that cannot be carried out."""
    assert main.main(["demo", *words, "--no-browser"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("dtree-lab demo: ")
    assert said.err.count("\n") == 1
    return said.err


def test_what_is_said_of_what_cannot_be_shown(served, play, tmp_path, capsys):
    assert "Did you mean 'tree'?" in complaint(capsys, "tre")
    nowhere = str(tmp_path / "nowhere.csv")
    assert f"there is no file {nowhere}" in complaint(capsys, "tree", "--table", nowhere)
    assert f"there is no file {tmp_path}" in complaint(capsys, "tree", "--table", str(tmp_path))
    assert "there is no file" in complaint(capsys, "tree", "--state", "@nowhere.txt")
    assert "'Rain'" in complaint(capsys, "tree", "--table", str(play), "--target", "Rain")
    assert "--table" in complaint(capsys, "tree", "--target", "Play")
    assert "state must be a text" in complaint(capsys, "tree", "--state", "nonsense")
    of_another = dt.demo("tree").state
    said = complaint(capsys, "tree", "--table", str(play), "--state", of_another)
    assert "another table" in said
    assert served.lecture is None


@pytest.mark.parametrize(
    "content",
    ["", "\n", "a,b\n", "a,b\n1,2,3\n", "a,b\n1,x\n2,\n", "a,b\n1,x\ny,z\n", "a,a\n1,x\n"],
)
def test_what_is_said_of_a_bad_table(served, tmp_path, capsys, content):
    (tmp_path / "bad.csv").write_text(content, encoding="utf-16" if content == "\n" else "utf-8")
    assert len(complaint(capsys, "tree", "--table", str(tmp_path / "bad.csv"))) > 40
    assert served.lecture is None


def test_a_table_that_a_lab_cannot_show_is_said_before_anything_is_served(served, tmp_path, capsys):
    (tmp_path / "real.csv").write_text("a,b\nx,1.5\ny,2.5\n", encoding="utf-8")
    assert "b" in complaint(capsys, "tree", "--table", str(tmp_path / "real.csv"))
    assert served.lecture is None


def test_without_what_it_needs_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "yaml", None)
    for name in ("reading", "frontmatter"):
        monkeypatch.delitem(sys.modules, f"dtree_lab.stage.{name}", raising=False)
    said = complaint(capsys, "tree")
    assert "(yaml is missing)" in said
    assert 'pip install -e ".[course]" in the folder ' in said


def test_labels_of_two_numbers_are_classes_in_a_lab_and_it_is_said(served, tmp_path, capsys):
    path = tmp_path / "spam.csv"
    path.write_text("free,spam\n0.5,0\n1.5,1\n2.5,1\n", encoding="utf-8")
    assert main.main(["demo", "tree", "--table", str(path)]) == 0
    note = "Note: the target 'spam' holds only the whole numbers 0 and 1, taken as classes."
    assert capsys.readouterr().err.startswith(note)
    assert shown(served).tree.classes == (0, 1)


GERMAN = "Name;Punkte;Fach;Note\nS1;3,5;M;gut\nS2;2,5;B;schlecht\nS3;;M;gut\nS4;1;B;gut\n"
GERMAN += "".join(f"S{n};{n};M;gut\n" for n in range(5, 13))


def test_each_message_names_the_option_that_helps(served, tmp_path, capsys):
    """Followed word by word, they lead to the lab."""
    path = tmp_path / "klasse.csv"
    path.write_text(GERMAN, encoding="utf-8")
    words = ["tree", "--table", str(path)]
    assert "say --delimiter ';'" in complaint(capsys, *words)
    words += ["--delimiter", ";"]
    assert "say --decimal ','" in complaint(capsys, *words)
    words += ["--decimal", ","]
    assert "--missing drop" in complaint(capsys, *words, "--missing", "error")
    assert main.main(["demo", *words]) == 0
    assert "say --drop Name to leave it out" in capsys.readouterr().err
    assert main.main(["demo", *words, "--drop", "Name", "--kinds", "Punkte=continuous"]) == 0
    assert capsys.readouterr().err == ""
    assert shown(served).tree.attributes[0].name == "Punkte"
    assert "--kinds Floor=discrete" in complaint(capsys, *words, "--kinds", "discrete")
    assert "--table FILE" in complaint(capsys, "tree", "--drop", "Name")


def test_the_page_and_the_course_have_each_their_command(capsys):
    with pytest.raises(SystemExit):
        main.main(["--help"])
    assert "dtree-lab demo NAME" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main.main(["demo", "--help"])
    assert "--state" in capsys.readouterr().out
