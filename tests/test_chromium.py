"""Which browser the tests take, and what is said when there is none."""

from __future__ import annotations

import os
import sys

import pytest

from browser import chromium

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in programs are shell scripts")


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """Leave nothing on PATH but what a test puts into this folder."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(chromium.CHOICE, raising=False)
    monkeypatch.setattr(chromium, "MAC_APPS", ())
    monkeypatch.setattr(chromium, "_playwrights_own", list)
    monkeypatch.setattr(chromium, "_install_playwrights_own", lambda: False)
    chromium.path.cache_clear()
    yield tmp_path
    chromium.path.cache_clear()


def program(folder, name, script="exit 0"):
    made = folder / name
    made.write_text(f"#!/bin/sh\n{script}\n")
    made.chmod(0o755)
    return str(made)


def bringing(folder, package="chromium"):
    # An apt-get that has this package alone, whose `install` makes the program there run.
    return (
        f'case "$*" in *" install {package} "*) echo "#!/bin/sh" >{folder}/{package};; '
        "*install*) exit 100;; esac"
    )


def test_the_first_that_runs_is_taken(bare):
    program(bare, "chromium", "exit 1")
    program(bare, "google-chrome")
    stub = program(bare, "chromium-browser")
    assert chromium.path() == stub


def test_the_user_s_choice_comes_first(bare, monkeypatch):
    program(bare, "chromium")
    chosen = program(bare, "my-own")
    monkeypatch.setenv(chromium.CHOICE, chosen)
    assert chromium.path() == chosen


def test_a_choice_that_does_not_run_is_an_error(bare, monkeypatch, capsys):
    program(bare, "chromium")
    monkeypatch.setenv(chromium.CHOICE, str(bare / "nothing"))
    assert chromium.main() == 1
    assert capsys.readouterr().err.startswith("DTREE_LAB_CHROMIUM is ")


@pytest.mark.parametrize("package", ["chromium-headless-shell", "chromium"])
def test_root_gets_debian_s(bare, monkeypatch, capsys, package):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    program(bare, "env", 'shift; exec "$@"')
    program(bare, "apt-get", bringing(bare, package))
    program(bare, package, "exit 1")
    assert chromium.main() == 0
    assert capsys.readouterr().out == f"Browser: {bare / package}\n"


@pytest.mark.parametrize("sudo", [None, "exit 1"])
def test_with_no_way_to_install_one_line_says_what_to_do(bare, monkeypatch, capsys, sudo):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "stdin", None)
    program(bare, "apt-get")
    if sudo:
        program(bare, "sudo", sudo)
    assert chromium.main() == 1
    assert capsys.readouterr().err == f"{chromium.ADVICE}\n"


def test_sudo_without_a_password_will_do(bare, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "stdin", None)
    program(bare, "sudo", '[ "$1" = -n ] || exec "$@"')
    program(bare, "env", 'shift; exec "$@"')
    program(bare, "apt-get", bringing(bare))
    program(bare, "chromium", "exit 1")
    assert chromium.main() == 0


def test_when_apt_get_fails_its_reason_is_said(bare, monkeypatch, capsys):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    program(bare, "env", 'shift; exec "$@"')
    program(bare, "apt-get", "echo noise; echo E: no network >&2; exit 100")
    assert chromium.main() == 1
    said = capsys.readouterr().err
    assert "That failed: E: no network" in said
    assert said.endswith(f"{chromium.ADVICE}\n")


def test_what_debian_has_comes_early_and_what_is_there_is_left(bare, monkeypatch):
    asked = []
    monkeypatch.setattr(chromium, "install_from_debian", lambda *words, **_: asked.append(words[0]))
    monkeypatch.setattr(sys, "argv", ["chromium.py", "--early"])
    assert chromium.main() == 0
    assert asked == [chromium.SHELL, "chromium", "bubblewrap"]
    program(bare, "chromium")
    program(bare, "bwrap")
    assert chromium.main() == 0
    assert len(asked) == 3
