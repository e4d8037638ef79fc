"""``dtree-lab lecture`` and votes: what is opened, and what is said where it cannot be."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from dtree_lab.cli import lecture
from dtree_lab.stage import classroom, export
from stage.talks import TALK


@pytest.fixture
def talk(tmp_path):
    path = tmp_path / "talk.md"
    path.write_text(TALK, encoding="utf-8")
    return str(path)


@contextmanager
def given(*words):
    """The process of a lecture, and what it says until it is ready."""
    command = [sys.executable, "-m", "dtree_lab.cli", "lecture", *words, "--no-browser"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    last = "For phones" if "--class" in words else "Ctrl-C"
    try:
        said = ""
        while last not in said:
            line = running.stdout.readline()
            assert line, said
            said += line
        yield running, said
    finally:
        running.terminate()
        running.communicate()


def listening(pid):
    """Where a process and its children listen, as the kernel of Linux tells."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    sockets = set()
    for one in (pid, *children):
        for opened in Path(f"/proc/{one}/fd").iterdir():
            sockets.add(str(opened.readlink()))
    found = set()
    for name in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{name}").read_text(encoding="ascii").splitlines()[1:]:
            parts = line.split()
            if parts[3] == "0A" and f"socket:[{parts[9]}]" in sockets:
                found.add(parts[1].split(":")[0])
    return found


def test_only_with_class_is_anything_but_loopback_bound(talk):
    if not Path("/proc/self/net/tcp").exists():  # another system tells it in another way
        return
    loopback, second = "0100007F", "0200007F"
    with given(talk) as (running, said):
        assert "For phones" not in said
        assert listening(running.pid) == {loopback}
    with given(talk, "--class", "--class-host=127.0.0.2") as (running, said):
        assert re.search(r"http://127\.0\.0\.2:\d+/[A-Z0-9]{4}\n", said)
        assert listening(running.pid) == {loopback, second}


def told(capsys, *words):
    assert lecture.main(words) == 1
    return capsys.readouterr().err


def test_what_cannot_be_opened_is_said_with_its_cure(talk, capsys, monkeypatch, tmp_path):
    class NoStage:
        """Nothing is started for what is refused."""

        def __init__(self, *_, **__):
            self.show = None

        def open_class(self, host, port, **_):
            return classroom.Classroom(None, host, port)

        async def end(self):
            """There is nothing to end."""

    monkeypatch.setattr("dtree_lab.stage.server.Stage", NoStage)
    monkeypatch.setattr("dtree_lab.stage.server.listen", lambda *_: None)
    every = told(capsys, talk, "--class", "--class-host=0.0.0.0")
    assert "name one address of this computer by --class-host" in every
    other = told(capsys, talk, "--class", "--class-host=198.51.100.7")
    assert "no phones can be let in at 198.51.100.7" in other
    assert "--class-host" in other
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        busy = told(capsys, talk, "--class", "--class-host=127.0.0.1", f"--class-port={port}")
    assert f"127.0.0.1:{port}" in busy
    assert "--class-port" in busy
    monkeypatch.setattr(classroom, "own_address", lambda: "")
    assert "is in no network" in told(capsys, talk, "--class")
    assert "cannot be written" in told(capsys, talk, f"--votes={tmp_path}")
    assert "cannot be written" in told(capsys, talk, f"--votes={tmp_path}/no/folder/votes.csv")


def test_the_address_is_asked_of_the_system(monkeypatch):
    class Probe:
        found = ""

        def __init__(self, *_):
            """Take what a socket takes."""

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def connect(self, _):
            if self.found is None:  # in no network
                raise OSError

        def getsockname(self):
            return (self.found, 1)

    monkeypatch.setattr(classroom.socket, "socket", Probe)
    for found, wanted in (
        ("10.1.2.3", "10.1.2.3"),
        ("127.0.0.1", ""),
        ("0.0.0.0", ""),  # noqa: S104 - it is refused
        (None, ""),
    ):
        Probe.found = found
        assert classroom.own_address() == wanted


def test_a_handout_is_named_after_its_lecture(talk, tmp_path, monkeypatch, capsys):
    asked = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(export, "sheets", lambda page, to: asked.append(page.name) or to)
    assert lecture.main([talk, "--handout"]) == 0
    assert lecture.main([talk, "--handout", "4", "--notes"]) == 0
    assert asked == ["handout.html"] * 2
    first, second = capsys.readouterr().out.splitlines()
    assert first == "talk-handout.pdf: a sheet for each scene, 2 to a page"
    assert second == "talk-handout.pdf: a sheet for each scene and your notes, 4 to a page"
    with pytest.raises(SystemExit):
        lecture.main([talk, "--handout", "3"])
    assert "choose from" in capsys.readouterr().err

    def none(*_):
        raise export.NoBrowserError("no browser")

    monkeypatch.setattr(export, "sheets", none)
    assert lecture.main([talk, "--handout"]) == 1
    assert "no browser" in capsys.readouterr().err
