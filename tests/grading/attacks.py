"""Submissions of who has read how grading works: they speak its protocol, or wear its judge out.

Each is a kind as in ``kinds``. None is to be worth a point more than its answers, none to cost
anybody else one, and none to hold the judge up.
"""

from __future__ import annotations

from grading.kinds import (
    ENTROPY,
    GOOD_ENTROPY,
    SIX,
    Kind,
    answer_cell,
    blank,
    entropy,
    filled,
    own,
    right,
    role,
    source,
)

import dtree_lab as dt
from dtree_lab.labs.treebuilder.model import dump
from dtree_lab.labs.treebuilder.state import start

# What a learner's process hears and says goes through the two pipes that are open in it.
SAY = """
import json, os, threading, time
there = sorted(map(int, os.listdir("/proc/self/fd")))
hears, says = [one for one in there if os.path.exists(f"/proc/self/fd/{one}")
               and os.readlink(f"/proc/self/fd/{one}").startswith("pipe:")]
def say(text):
    os.write(says, text if isinstance(text, bytes) else text.encode())
def deafen():
    while True:
        os.read(hears, 1 << 20)
"""
ASKS = f"""{SAY}
import signal
signal.signal(signal.SIGALRM, signal.SIG_IGN)
threading.Thread(target=deafen, daemon=True).start()
line = b'{{"ask": "data", "exercise": "tax-fraud/after-refund", "name": "x"}}\\n' * 2000
while True:
    say(line)
"""
FORK = """
import mmap, os, time
for _ in range(30):
    if os.fork() == 0:
        {hold}
        time.sleep(60)
        os._exit(0)
time.sleep(10)
"""
PRIVATE = "held = bytearray(300 << 20); held[:] = b'x' * len(held)"
SHARED = "held = mmap.mmap(-1, 300 << 20); held.write(b'x' * len(held))"
# What a submission has reached of what it must not.
TRIED = """
reached = []
def tried(what, deed):
    try:
        deed()
        reached.append(what)
    except BaseException:
        pass
"""
# Held by no process: only a filter of what may be asked of the kernel, and read-only mounts, help.
NOBODYS = f"""
import ctypes, os
def fill(file):
    for _ in range(40):
        os.write(file, b"x" * (1 << 20))
{TRIED}
call = ctypes.CDLL(None, use_errno=True)
tried("memfd", lambda: fill(os.memfd_create("x")))
tried("shm", lambda: fill(os.open("/dev/shm/x", os.O_CREAT | os.O_WRONLY)))
tried("dev", lambda: fill(os.open("/dev/x", os.O_CREAT | os.O_WRONLY)))
tried("root", lambda: fill(os.open("/x", os.O_CREAT | os.O_WRONLY)))
def segment():
    if call.shmget(0, 100 << 20, 0o1600) < 0:
        raise OSError
tried("segment", segment)
def namespace():
    if call.unshare(0x10020000) < 0:
        raise OSError
tried("namespace", namespace)
def errors():
    target = os.readlink("/proc/1/fd/2")
    if target == "/dev/null":
        raise OSError
tried("errors", errors)
raise OSError(" ".join(reached) or "nothing")
"""
FILES = """
import os
os.makedirs("d")
for i in range(10**7):
    os.close(os.open(f"d/{i}", os.O_CREAT | os.O_WRONLY))
"""
BOMB = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
TWICE = """
seen = []
def entropy(counts):
    seen.append(counts)
    return 1.0 if len(seen) % 2 else 0.5
"""
RUNNER = """
import sys
frame = sys._getframe()
while "Runner" not in frame.f_globals:
    frame = frame.f_back
there = frame.f_globals
there["Runner"]._timed = lambda *_: {"value": 1.0, "given": []}
there["Writer"].write = lambda *_: 1.0
"""
ASSERTS = """
import builtins, operator
builtins.AssertionError = Warning
operator.eq = lambda *_: True
class Same(float):
    __eq__ = lambda *_: True
    __hash__ = None
builtins.float = Same
"""
COURSE = """
from pathlib import Path
for name in ("source", "gradebook.db", "submitted", "autograded", "marks"):
    for up in range(6):
        for found in Path("../" * up, name).glob("**/*"):
            exec(found.read_text())
for found in Path.home().glob("**/*.ipynb"):
    exec(found.read_text())
open("../../source/x", "a")
"""
NETWORK = """
import socket
for host in ("127.0.0.1", "1.1.1.1", "169.254.169.254"):
    try:
        socket.create_connection((host, 80), 1).recv(1)
    except OSError:
        pass
"""
# Signs that have to be put in order, which takes the square of their number.
NAME = 'me = "Ada Lovelace" + "\\u0301\\u0316" * 200_000'
TERMINAL = 'raise ValueError("\\x1b]52;c;ZWNobw==\\x07 <script>alert(1)</script> \\ud800")'


# The unseen cases, in an exercise that shows what it is given.
KEPT = f"""
SEEN = []
def entropy(counts):
    SEEN.append(tuple(counts))
    {GOOD_ENTROPY}
"""
OTHER_STATE = f"mine = dt.TreeBuilder(table, state={dump(start(dt.datasets.word_sense()))!r})"


def named(text):
    notebook = right()
    cell = next(cell for cell in notebook["cells"] if role(cell) == "name")
    cell["source"] = text
    return notebook


def points_altered():
    notebook = right(six_to_four="h_now = 0.1")
    for cell in notebook["cells"]:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"] |= {"points": 99, "locked": False}
    notebook["metadata"] |= {"assignment": "02-entropy", "kernelspec": {"name": "no such"}}
    return notebook


def taken_twice():
    """An exercise's answer and check under another exercise's name."""
    notebook = right(entropy="def entropy(counts):\n    return 0.5")
    cell = answer_cell(notebook, SIX)
    again = cell | {"id": f"answer-{ENTROPY.replace('/', '-')}", "metadata": {}}
    notebook["cells"].insert(0, again)
    return notebook


def half_a_sign():
    notebook = right()
    answer_cell(notebook, SIX)["source"] = "# \ud800\nh_now = 3"
    return notebook


def with_the_source():
    """What a link to the course's own files, or a copy of them, would bring."""
    notebook = source()
    cell = next(cell for cell in notebook["cells"] if role(cell) == "name")
    cell["source"] = "me = 'Ada Lovelace'"
    return notebook


ATTACKS = {
    "asks without end": Kind(lambda: own(ASKS), 19, note="left out"),
    "asks without end in a function": Kind(
        lambda: entropy("while True: say(b'{\"ask\": 1}\\n' * 5000)", SAY), 16
    ),
    "a deep line": Kind(
        lambda: entropy('say(\'{"value": \' + "[" * 90000 + "]" * 90000 + "}\\n")', SAY),
        16,
        note="no answer",
    ),
    "a long line": Kind(lambda: entropy('say("x" * (20 << 20))', SAY), 16, note="no answer"),
    "no list of arguments": Kind(
        lambda: entropy('say(\'{"value": 1, "given": 5}\\n\')', SAY), 16, note="no answer"
    ),
    "functions as arguments": Kind(
        lambda: entropy('say(\'{"value": 1, "given": [{"t": "far", "n": 0}]}\\n\')', SAY), 16
    ),
    "the runner's own loop": Kind(
        lambda: own(RUNNER, filled({})), 0, "flagged", "looks into the judge"
    ),
    "assert and float patched": Kind(lambda: blank(ASSERTS), 0, "flagged"),
    "another answer each time": Kind(lambda: right(entropy=TWICE), 16),
    "a number beyond all floats": Kind(lambda: right(six_to_four="h_now = 10**400"), 17),
    "numbers beyond all digits": Kind(lambda: right(six_to_four="h_now = [10**5000]"), 17),
    "an array of nothing": Kind(
        lambda: entropy("return np.empty((10**8, 0))", "import numpy as np"), 16
    ),
    "an array of texts": Kind(
        lambda: entropy(
            'return np.array(["x" * 10**6] + ["a"] * 20_000, dtype=object)', "import numpy as np"
        ),
        16,
    ),
    "the unseen cases told": Kind(lambda: right(entropy=KEPT, cost="cost = repr(SEEN)"), 18),
    "all in the cell of the name": Kind(
        lambda: named("import socket\nme = 'Ada Lovelace'"), 19, "flagged", "speaks to the network"
    ),
    "many functions": Kind(lambda: right(entropy="entropy = [lambda c: 1] * 29000"), 16),
    "a name without end": Kind(lambda: named(NAME), 19),
    "a name that is a list": Kind(
        lambda: named('me = ["Ada"]'), (17, 19), "flagged", "the name is missing"
    ),
    "an endless expression": Kind(lambda: own("a" + ".b" * 900 + "(1)"), 19),
    "an endless assignment": Kind(lambda: own("dt" + ".dt" * 130_000), 19),
    "half a sign": Kind(half_a_sign, 17, note="UnicodeEncodeError"),
    "words for a terminal": Kind(lambda: right(six_to_four=TERMINAL), 17, note="]52;c"),
    "memory of many processes": Kind(lambda: own(FORK.format(hold=PRIVATE)), 19, note="left out"),
    "memory that is shared": Kind(lambda: own(FORK.format(hold=SHARED)), 19, note="left out"),
    "memory that is nobody's": Kind(
        lambda: right(six_to_four=NOBODYS), 17, "graded", "OSError: nothing"
    ),
    "a million files": Kind(lambda: own(FILES), 19, note="too many files"),
    "a fork bomb": Kind(lambda: own(BOMB), 19, note="left processes behind"),
    "a fork bomb in a function": Kind(lambda: entropy(BOMB.replace("\n", "\n    ")), 16),
    "the source version": Kind(
        with_the_source, 19, "flagged", "marks of the course's source version"
    ),
    "the course's files": Kind(
        lambda: blank(COURSE), 0, "flagged", "looks for the course's own files"
    ),
    "the network": Kind(lambda: blank(NETWORK), 0, "flagged", "speaks to the network"),
    "points altered": Kind(points_altered, 17),
    "an answer under another's id": Kind(taken_twice, (16, 16.3), "flagged", "different answers"),
    "all is stopped": Kind(
        lambda: own("import os, signal\nos.kill(-1, signal.SIGKILL)\nos.kill(1, 9)"), 19
    ),
    "another program": Kind(
        lambda: own("import os, sys\nos.execv(sys.executable, [sys.executable, '-c', '1'])"), 19
    ),
    "a library's logarithm": Kind(
        lambda: entropy(GOOD_ENTROPY.replace("math.log2", "np.log2"), "import numpy as np"), 19
    ),
    "the library's own entropy": Kind(
        lambda: entropy("return dt.entropy(counts)"), 16, note="it is the library's"
    ),
    "one's own entropy beside the library's": Kind(
        lambda: entropy(f"{GOOD_ENTROPY}\nprint(entropy([7, 3]), dt.entropy([7, 3]))"), 19
    ),
    "a state of another table": Kind(lambda: right(small_tree=OTHER_STATE), 16),
}
