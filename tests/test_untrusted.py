"""Readers of texts from elsewhere: only documented errors, no hang, and memory within bounds.

Each is fed with damaged texts in a process of its own (``fuzzed``), whose memory is limited.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from effort import profile

TESTS = Path(__file__).parent
# So many take make thorough a minute or two; make test tries a twentieth.
READERS = {
    "table": 3_000,
    "tree": 3_000,
    "state": 600,
    "notebook": 600,
    "packed": 3_000,
    "plain": 3_000,
}
QUICK = ("notebook", "packed")


def fuzzed(*words):
    places = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "fuzzed", *map(str, words)],
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="its limits are those of POSIX")
@pytest.mark.parametrize(
    "reader",
    [pytest.param(one, marks=[] if one in QUICK else [pytest.mark.thorough]) for one in READERS],
)
def test_damaged_texts_are_read_or_refused(reader):
    many = READERS[reader] // (1 if profile() == "thorough" else 20)
    done = fuzzed(reader, 1, many)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{reader}: {many} cases, 0 failed" in done.stdout


def test_a_reader_that_fails_hangs_or_grows_is_noticed(tmp_path):
    """Readers that do each, in the place of a real one."""
    text = """
import fuzzed
fuzzed.SECONDS, fuzzed.MEMORY = 0.5, 1 << 30
def loops():
    while True: pass
deeds = {"raises": lambda: {}["x"], "hangs": loops, "grows": lambda: bytearray(4 << 30)}
for name, deed in deeds.items():
    fuzzed.READERS[name] = lambda rng, deed=deed: ("it", deed)
    assert fuzzed.main(name, 1, 1) == 1, name
"""
    if sys.platform == "win32":
        return
    place = tmp_path / "bad.py"
    place.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(place)],
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for word in ("KeyError", "HungError", "MemoryError"):
        assert word in done.stdout
