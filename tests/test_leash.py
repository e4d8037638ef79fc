"""What the tests start ends with them, also when they are killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from leash import leashed

# Says that it is there, and that it has been left behind.
SERVER = "import time; print('there', flush=True); time.sleep(60); print('left behind', flush=True)"
SUITE = "from leash import leashed; leashed(['{}', '-c', {!r}]); input()"


def test_who_is_killed_leaves_no_server_behind():
    """All that hold the pipe have ended when it has been read to its end."""
    with subprocess.Popen(
        [sys.executable, "-c", SUITE.format(sys.executable, SERVER)],
        cwd=Path(__file__).parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as suite:
        assert suite.stdout.readline() == "there\n"
        suite.kill()
        assert suite.stdout.read() == ""


def test_it_ends_as_its_program_does():
    with leashed([sys.executable, "-c", "raise SystemExit(7)"]) as running:
        assert running.wait() == 7
    said = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(8)); "
    asked = [sys.executable, "-c", said + "print('there', flush=True); signal.pause()"]
    with leashed(asked, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout.readline() == "there\n"
        running.send_signal(signal.SIGTERM)
        assert running.wait() == 8
