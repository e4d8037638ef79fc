"""The command: which folder it opens, what it hands on to JupyterLab, what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from dtree_lab.cli import main
from dtree_lab.course import lessons as course

CHECKOUT = Path(__file__).parents[1]
NEWS = "@jupyterlab/apputils-extension:announcements"


@pytest.fixture
def lessons(tmp_path, monkeypatch):
    folder = tmp_path / "shipped"
    folder.mkdir()
    (folder / "01-first.ipynb").write_text("{}")
    (folder / "02-second.ipynb").write_text("{}")
    monkeypatch.setattr(course, "notebooks_folder", lambda: folder)
    return folder


@pytest.fixture
def launched(monkeypatch):
    """Stand in for JupyterLab, remembering the command lines it was given."""
    given = []
    servers = []

    class LabApp:
        @staticmethod
        def initialize_server(argv):
            given.append(argv)
            server = SimpleNamespace(
                local_url="http://127.0.0.1:8888/lab?token=abc",
                identity_provider=SimpleNamespace(token_generated=True),
                web_app=SimpleNamespace(settings={}),
                io_loop=SimpleNamespace(add_callback=lambda say, *what: say(*what)),
                start=lambda: None,
            )
            servers.append(server)
            return server

    module = ModuleType("jupyterlab.labapp")
    module.LabApp = LabApp
    monkeypatch.setitem(sys.modules, "jupyterlab", ModuleType("jupyterlab"))
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", module)
    return SimpleNamespace(given=given, servers=servers)


def test_a_new_course_opens_at_its_first_lesson(tmp_path, lessons, launched, capsys):
    course = tmp_path / "course"
    assert main.main(["--dir", str(course)]) == 0
    (argv,) = launched.given
    assert f"--ServerApp.root_dir={course}" in argv
    assert "--LabApp.default_url=/lab/tree/01-first.ipynb" in argv
    assert (course / "02-second.ipynb").exists()
    said = capsys.readouterr().out
    assert f"Your new working copy of the course: {course}" in said
    assert "The course is open at http://127.0.0.1:8888/lab?token=abc\n" in said


def test_a_course_begun_earlier_opens_where_it_was_left(tmp_path, lessons, launched, capsys):
    course = tmp_path / "course"
    main.main(["--dir", str(course)])
    (lessons / "03-third.ipynb").write_text("{}")
    capsys.readouterr()
    assert main.main(["--dir", str(course)]) == 0
    assert not any("default_url" in word for word in launched.given[1])
    assert "  New: 03-third.ipynb\n" in capsys.readouterr().out


def test_the_default_is_a_folder_at_home(tmp_path, lessons, launched, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    assert main.main([]) == 0
    assert (tmp_path / "home" / "dtree-lab-course" / "01-first.ipynb").exists()


def test_here_opens_a_folder_as_it_is(tmp_path, launched, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notebooks").mkdir()
    assert main.main(["--here", "notebooks"]) == 0
    assert f"--ServerApp.root_dir={tmp_path / 'notebooks'}" in launched.given[0]
    assert list((tmp_path / "notebooks").iterdir()) == []


def test_all_else_goes_to_jupyterlab_and_comes_last(tmp_path, launched):
    others = ["--no-browser", "--port", "8899", "--IdentityProvider.token="]
    assert main.main(["--here", str(tmp_path), *others]) == 0
    assert launched.given[0][-4:] == others


@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_root_is_allowed(tmp_path, launched, monkeypatch, user, allowed):
    monkeypatch.setattr(main.os, "geteuid", lambda: user, raising=False)
    main.main(["--here", str(tmp_path)])
    assert ("--allow-root" in launched.given[0]) is allowed


def test_jupyter_neither_repeats_the_address_nor_asks_about_news(tmp_path, launched):
    main.main(["--here", str(tmp_path)])
    (server,) = launched.servers
    assert server.identity_provider.token_generated is False
    page = server.web_app.settings["page_config_hook"](None, {"disabledExtensions": ["theirs"]})
    assert page["disabledExtensions"] == ["theirs", NEWS]


def test_without_jupyterlab_it_says_what_to_install(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    monkeypatch.delitem(sys.modules, "jupyterlab.labapp", raising=False)
    assert main.main(["--dir", str(tmp_path / "course")]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f'pip install -e ".[course]" in the folder {CHECKOUT}\n' in said.err
    assert not (tmp_path / "course").exists()


def shown_commands():
    """The words after ``dtree-lab`` where the Makefile and README open the course."""
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"-m dtree_lab\.cli(.*) \$\(ARGS\)", makefile)
    return found + re.findall(r"\\dtree-lab(.*)", readme)


def status():
    command = ("git", "status", "--porcelain", "notebooks")
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=True).stdout


def test_a_lesson_that_is_saved_leaves_the_checkout_as_it_is(tmp_path, launched, monkeypatch):
    monkeypatch.chdir(CHECKOUT)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    before = status()
    assert len(shown_commands()) == 2
    for words in shown_commands():
        assert main.main(words.split()) == 0
        (root,) = (word for word in launched.given[-1] if word.startswith("--ServerApp.root_dir="))
        lesson = Path(root.partition("=")[2], "01-tax-fraud.ipynb")
        assert lesson.is_relative_to(tmp_path)
        lesson.write_text("{}")
    assert status() == before


def test_a_folder_that_is_not_there(tmp_path, launched, capsys):
    assert main.main(["--here", str(tmp_path / "nowhere")]) == 1
    assert capsys.readouterr().err == f"dtree-lab: there is no folder {tmp_path / 'nowhere'}\n"


def test_a_working_copy_that_cannot_be_made(tmp_path, lessons, launched, capsys):
    (tmp_path / "file").write_text("in the way")
    assert main.main(["--dir", str(tmp_path / "file")]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"dtree-lab: the working copy {tmp_path / 'file'} cannot be made: ")
    assert said.count("\n") == 1
    assert (tmp_path / "file").read_text() == "in the way"


def test_its_version_is_the_library_s(capsys):
    with pytest.raises(SystemExit) as stopped:
        main.main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out.strip() == "0.2.0"


@pytest.mark.parametrize("word", ["assignmnt", "Lecture", "dmeo"])
def test_a_command_mistyped_is_told_and_opens_nothing(word, launched, capsys):
    assert main.main([word, "tax-fraud"]) == 2
    assert f"no command {word!r}. Did you mean " in capsys.readouterr().err
    assert launched.given == []
