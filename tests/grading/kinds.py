"""Submissions of many kinds to lesson 1, each with the points, the status and a word of its note.

What is expected was worked out by hand from the points of the exercises: parts 1, follow 3,
majority 2, small-tree 3, which-tree 2, six-to-four 2, entropy 3, after-refund 2, cost 1.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import nbformat

import dtree_lab as dt
from course.sources import lessons, source_of
from dtree_lab.course.assignment import source_version
from dtree_lab.grading.releasing import released
from dtree_lab.labs.treebuilder.model import dump, update
from dtree_lab.labs.treebuilder.state import Ask, start

REAL = "01-tax-fraud"
SEED = 987_654_321
FOLLOW, MAJORITY, ENTROPY = "tax-fraud/follow", "tax-fraud/majority", "tax-fraud/entropy"
REFUND, PARTS, TREE = "tax-fraud/after-refund", "tax-fraud/parts", "tax-fraud/small-tree"
SIX = "tax-fraud/six-to-four"


@cache
def _source() -> str:
    notebook = json.loads(nbformat.writes(lessons.build(source_of(REAL).text)))
    return json.dumps(source_version(notebook, SEED))


def source():
    """The source version of the lesson."""
    return json.loads(_source())


def release():
    """What learners have."""
    return released(source())


def solutions():
    return {one.id: one.solution for one in dt.course.exercises("tax-fraud")}


def role(cell):
    return cell["metadata"].get("dtree_lab", {}).get("role")


def answer_cell(notebook, exercise):
    return next(
        cell
        for cell in notebook["cells"]
        if role(cell) == "answer" and cell["metadata"]["dtree_lab"]["exercise"] == exercise
    )


def check_cell(notebook, exercise):
    return next(
        cell
        for cell in notebook["cells"]
        if role(cell) == "check" and cell["metadata"]["dtree_lab"]["exercise"] == exercise
    )


def filled(answers, me="Ada Lovelace"):
    """The release with some answers."""
    notebook = release()
    for cell in notebook["cells"]:
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") == "answer" and told["exercise"] in answers:
            cell["source"] = answers[told["exercise"]]
        if told.get("role") == "name" and me is not None:
            cell["source"] = f"me = {me!r}"
    return notebook


def right(**others):
    """All answers right, but some."""
    named = {f"tax-fraud/{name.replace('_', '-')}": text for name, text in others.items()}
    return filled(solutions() | named)


def own(text, notebook=None, at=3):
    """With a cell of their own."""
    notebook = right() if notebook is None else notebook
    cell = {"cell_type": "code", "id": "own", "metadata": {}, "source": text, "outputs": []}
    notebook["cells"].insert(at, cell | {"execution_count": None})
    return notebook


def blank(text):
    """Nothing answered, and a cell of their own."""
    return own(text, filled({}))


def entropy(body, before=""):
    return right(entropy=f"{before}\ndef entropy(counts):\n    {body}\n")


@dataclass(frozen=True)
class Kind:
    """A submission, and what should come of it.

    Attributes
    ----------
    make
        Makes the notebook.
    points
        What it should earn: one number, or the least and the most.
    status
        The status of the whole.
    note
        What its notes, or those of its exercises, should say somewhere.
    """

    make: Callable[[], Any]
    points: float | tuple[float, float]
    status: str = "graded"
    note: str = ""


GOOD_ENTROPY = """import math
total = sum(counts)
parts = [one / total for one in counts if one]
return sum(part * math.log2(1 / part) for part in parts)""".replace("\n", "\n    ")
LOG = """
import logging, subprocess, sys, warnings
logging.getLogger().addHandler(logging.StreamHandler())
"""
NOISE = f"""logging.warning("careful")
    warnings.warn("careful")
    print("x", file=sys.stderr)
    subprocess.run(["sh", "-c", "echo no >&2"])
    {GOOD_ENTROPY}"""


def evil():
    return """class Evil:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __sub__(self, other): return 0
    def __float__(self): return float("nan")
    def __hash__(self): return 0
    def __reduce__(self): return (exec, ("raise SystemExit",))
"""


def copied(which):
    notebook = right()
    cell = which(notebook, ENTROPY)
    at = notebook["cells"].index(cell)
    notebook["cells"].insert(at + 1, copy.deepcopy(cell) | {"id": "another"})
    return notebook


def copied_otherwise():
    notebook = copied(answer_cell)
    cells = [
        c
        for c in notebook["cells"]
        if c["metadata"].get("dtree_lab", {}).get("exercise") == ENTROPY
    ]
    cells[0]["source"] = "def entropy(counts):\n    return 0.5"
    return notebook


def without(which):
    notebook = right()
    notebook["cells"].remove(which(notebook, ENTROPY))
    return notebook


def edited_check():
    notebook = filled({})
    check_cell(notebook, ENTROPY)["source"] = "3.0"
    return notebook


def moved():
    notebook = right()
    cell = answer_cell(notebook, ENTROPY)
    notebook["cells"].remove(cell)
    notebook["cells"].append(cell)
    return notebook


def markdown():
    notebook = right()
    cell = answer_cell(notebook, ENTROPY)
    cell["cell_type"] = "markdown"
    return notebook


def in_a_cell_of_its_own():
    notebook = right(
        entropy="def entropy(counts):\n    # your lines, in place of the dots\n    ..."
    )
    notebook["cells"].append(
        {"cell_type": "code", "id": "x", "metadata": {}, "source": solutions()[ENTROPY]}
    )
    return notebook


def stripped(*, ids):
    notebook = right()
    for i, cell in enumerate(notebook["cells"]):
        cell["metadata"] = {}
        if not ids:
            cell["id"] = f"new-{i}"
    return notebook


def colab():
    """As Colab saves: an older format, its own ids in the metadata, another kernelspec."""
    notebook = right()
    notebook["nbformat_minor"] = 0
    notebook["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "ir"}}
    for i, cell in enumerate(notebook["cells"]):
        cell["metadata"]["id"] = f"c{i:011}"
        del cell["id"]
    return notebook


def state(*asks):
    made = start(dt.datasets.tax_fraud())
    for path, cut in asks:
        made = update(made, Ask(path, "Taxable Income", cut))
    return f"mine = dt.TreeBuilder(table, state={dump(made)!r})\nmine"


def number_of(name):
    """The number that is right for somebody."""
    exercise = next(one for one in dt.course.exercises("tax-fraud") if one.id == REFUND)
    return exercise.of(name).task.want


STORM = """
import os, time
for _ in range(500):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
"""
PATCHES = """
import builtins, math, sys, operator
import numpy as np
import dtree_lab as dt
dt.course.check = lambda *a, **k: 99
dt.course = None
math.isclose = lambda *a, **k: True
np.isclose = np.allclose = lambda *a, **k: True
builtins.abs = lambda *_: 0
builtins.all = builtins.any = lambda *_: True
sys.modules["dtree_lab.course.checking"] = None
class Finder:
    def find_spec(self, *_): return None
sys.meta_path.insert(0, Finder())
"""
REFERENCES = """
import dtree_lab.course.lessons as there
one = there.find("tax-fraud/entropy")
exec(one.solution)
"""
FILES = """
import re
from pathlib import Path
import dtree_lab
found = [*Path(dtree_lab.__file__).parent.glob("course/lessons/*/*.*")]
texts = [one.read_text() for one in found]
blocks = [block for text in texts for block in re.findall(r"```python\\n(.*?)```", text, re.DOTALL)]
exec("\\n".join(blocks or texts))
"""
FRAMES = """
import gc, sys
def entropy(counts):
    frame = sys._getframe()
    while frame is not None:
        for value in frame.f_locals.values():
            if hasattr(value, "wants"):
                return value.wants[0]
        frame = frame.f_back
    for value in gc.get_objects():
        if hasattr(value, "wants"):
            return value.wants[0]
    return 0.5
"""
# By the pipe itself: it may say whatever it likes there, and has nothing to say that is right.
PIPE = """
import os, json
for fd in range(3, 60):
    try:
        os.write(fd, json.dumps({"value": 1.0}).encode() + b"\\n")
    except OSError:
        pass
"""
SIGNALS = """import signal
for one in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
    signal.signal(one, signal.SIG_IGN)
while True:
    try:
        while True: pass
    except BaseException: pass""".replace("\n", "\n    ")

POOL = f"""
import multiprocessing
def plain(counts):
    {GOOD_ENTROPY}
def entropy(counts):
    with multiprocessing.Pool(2) as pool:
        return pool.map(plain, [counts])[0]
"""
HELPED = f"def entropy(counts):\n    return helper(counts)\ndef unused(counts):\n    {GOOD_ENTROPY}"
HELPER = f"def helper(counts):\n    {GOOD_ENTROPY}"
OF_IPYTHON = """
files = !ls
%time six = 6
h_now, = (0.971,)
h_now?
"""


def with_many_own_cells():
    """A helper in the last of more than two hundred."""
    notebook = right(entropy=HELPED)
    cells = [{"cell_type": "code", "metadata": {}, "source": f"x{i} = {i}"} for i in range(220)]
    notebook["cells"][3:3] = [*cells, cells[0] | {"source": HELPER}]
    return notebook


def of_a_newer_python():
    """What is no Python here: as ``f"{"a"}"`` was none before 3.12."""
    notebook = right(entropy="def entropy(counts) -> :\n    return 1")
    notebook["metadata"]["language_info"] = {"name": "python", "version": "3.99.1"}
    return notebook


KINDS = {
    "right": Kind(right, 19),
    "untouched": Kind(lambda: filled({}, me=None), 0, note="not answered"),
    "partly right": Kind(
        lambda: right(
            majority="def majority(labels):\n    return max(labels, key=labels.count)",
            six_to_four="h_now = 0.5",
        ),
        (17, 18.9),
    ),
    "wrong": Kind(
        lambda: filled({SIX: "h_now = 3", ENTROPY: "def entropy(counts):\n    return 2"}), (0, 0.3)
    ),
    "a constant": Kind(lambda: right(follow='def who_cheats(row):\n    return "No"'), (16, 16.3)),
    "a loop in Python": Kind(lambda: entropy("while True: pass"), 16),
    "a loop in a cell": Kind(
        lambda: right(six_to_four="while True: pass"), 17, note="not done within"
    ),
    "a loop in C": Kind(lambda: entropy("return sum(range(10**13))"), 16, note="did not end"),
    "a regular expression": Kind(
        lambda: entropy('import re; return len(re.match("(a+)+$", "a" * 40 + "b"))'),
        16,
    ),
    "signals ignored": Kind(lambda: entropy(SIGNALS), 16, note="did not end"),
    "sys.exit in a function": Kind(lambda: entropy("import sys; sys.exit(0)"), 16),
    "sys.exit in a cell": Kind(lambda: right(cost="import sys\nsys.exit()"), 18, note="SystemExit"),
    "os._exit in a function": Kind(
        lambda: entropy("import os; os._exit(0)"), 16, note="ended Python"
    ),
    "os._exit in a cell": Kind(
        lambda: right(six_to_four="import os\nos._exit(0)"), 17, note="ended Python"
    ),
    "a segfault": Kind(
        lambda: entropy("import ctypes; ctypes.string_at(0)"), 16, note="ended Python"
    ),
    "endless output": Kind(lambda: entropy('while True: print("x" * 1000)'), 16),
    "endless output of a program": Kind(
        lambda: right(six_to_four='import subprocess\nsubprocess.run(["yes"])'), 17
    ),
    "64 GB of memory": Kind(lambda: entropy("return len(bytearray(64 << 30))"), 16),
    "a storm of processes": Kind(
        lambda: own(STORM),
        19,
    ),
    "a process left behind": Kind(
        lambda: own(
            'import subprocess\nsubprocess.Popen(["sleep", "7654"], start_new_session=True)'
        ),
        19,
    ),
    "a thread left behind": Kind(
        lambda: own(
            "import threading, time\nthreading.Thread(target=lambda: time.sleep(99)).start()"
        ),
        19,
    ),
    "a syntax error": Kind(
        lambda: right(entropy="def entropy(counts)\n    return 1"), 16, note="SyntaxError"
    ),
    "input()": Kind(lambda: right(six_to_four="h_now = float(input())"), 17, note="EOFError"),
    "a recursion": Kind(lambda: entropy("return entropy(counts)"), 16),
    "noise on a right answer": Kind(lambda: entropy(NOISE, LOG), 19),
    "a change of what is given": Kind(
        lambda: entropy(f"counts = list(counts)\n    {GOOD_ENTROPY}"), 19
    ),
    "own cells that fail": Kind(lambda: own("1 / 0\n"), 19),
    "an own cell with a magic": Kind(lambda: own("%matplotlib inline\n!pip install x\ny = 3"), 19),
    "as IPython has it": Kind(lambda: right(six_to_four=OF_IPYTHON), 19),
    "an await": Kind(
        lambda: right(six_to_four="import asyncio\nh_now = await asyncio.sleep(0, 0.971)"), 19
    ),
    "a pool of processes": Kind(lambda: right(entropy=POOL), 19),
    "a Decimal": Kind(
        lambda: right(six_to_four='from decimal import Decimal\nh_now = Decimal("0.97095")'), 19
    ),
    "many own cells": Kind(with_many_own_cells, 19),
    "a package that is not here": Kind(
        lambda: right(entropy=f"import not_here\n{solutions()[ENTROPY]}"),
        16,
        "flagged",
        "not_here cannot be imported here: install it",
    ),
    "a package that is not here, in an own cell": Kind(
        lambda: own("import not_here as nh", right(entropy="entropy = nh.entropy")),
        16,
        "flagged",
        "nh gets its value in a cell that stopped",
    ),
    "a newer Python": Kind(of_a_newer_python, 16, "flagged", "was written in 3.99: grade it there"),
    "a helper in a later cell": Kind(
        lambda: own(HELPER, right(entropy=HELPED), at=999),
        16,
        "flagged",
        "helper gets its value in a cell that comes later",
    ),
    "innocent words": Kind(
        lambda: own(
            "import sys\nsys.unraisablehook = print\n"
            "get_ipython().run_line_magic('matplotlib', 'inline')"
        ),
        19,
    ),
    "the check deleted": Kind(lambda: without(check_cell), 19, "repaired", "put back"),
    "the check edited": Kind(edited_check, 0),
    "the check copied": Kind(lambda: copied(check_cell), 19),
    "the answer copied": Kind(lambda: copied(answer_cell), 19, "repaired", "more than once"),
    "the answer copied and changed": Kind(copied_otherwise, 19, "flagged", "2 different answers"),
    "the answer deleted": Kind(lambda: without(answer_cell), 16, "flagged", "missing"),
    "the answer moved": Kind(moved, 19),
    "the answer in a cell of its own": Kind(in_a_cell_of_its_own, 19, "repaired", "by its name"),
    "the answer as markdown": Kind(markdown, 19, "repaired", "text cell"),
    "metadata stripped": Kind(lambda: stripped(ids=True), 19, "repaired", "found by the cell's id"),
    "metadata and ids stripped": Kind(lambda: stripped(ids=False), 19, "repaired", "text"),
    "saved by Colab": Kind(colab, 19, "repaired", "text"),
    "a patched check": Kind(
        lambda: blank("dt.course.check = lambda *a, **k: None"), 0, "flagged", "in the place of"
    ),
    "patches everywhere": Kind(lambda: blank(PATCHES), 0, "flagged"),
    "patches and right answers": Kind(lambda: own(PATCHES), (0, 19), "flagged"),
    "an input transformer": Kind(
        lambda: blank(
            "def drop(lines):\n    return [one for one in lines if 'check' not in one]\n"
            "get_ipython().input_transformers_cleanup.append(drop)"
        ),
        0,
        "flagged",
        "how cells are read",
    ),
    "the reference objects": Kind(lambda: blank(REFERENCES), 0, "flagged", "worked solutions"),
    "the solution asked for": Kind(
        lambda: blank('exec(dt.course.solution("tax-fraud/entropy", give_up=True).lines[0].says)'),
        0,
        "flagged",
    ),
    "the library's files": Kind(lambda: blank(FILES), 0, "flagged"),
    "frames walked": Kind(lambda: right(entropy=FRAMES), 16, "flagged", "looks into the judge"),
    "lies in the pipe": Kind(lambda: entropy("return 0.5", PIPE), (0, 16)),
    "objects equal to everything": Kind(
        lambda: filled(
            {
                SIX: f"{evil()}\nh_now = Evil()",
                ENTROPY: f"{evil()}\ndef entropy(c):\n    return Evil()",
            }
        ),
        0,
    ),
    "NaN": Kind(lambda: filled({SIX: 'h_now = float("nan")'}), 0),
    "a kept state": Kind(lambda: right(small_tree=state(((), 97.5), ((0,), 80))), 19),
    "a state of one step": Kind(lambda: right(small_tree=state(((), 97.5))), (16, 18.9)),
    "a state made by hand": Kind(
        lambda: right(small_tree="mine = dt.TreeBuilder(table, state='{\"format\": 1}')"), 16
    ),
    "somebody else's number": Kind(
        lambda: right(after_refund=f"h_after_refund = {number_of('Grace Hopper')}"), 17
    ),
    "the name missing": Kind(
        lambda: filled(solutions(), me=None), (17, 19), "flagged", "the name is missing"
    ),
    "two cards": Kind(
        lambda: right(
            parts='parts = dt.course.ask("tax-fraud/parts", answer=("B", 1), first=("C", 1))\nparts'
        ),
        (18, 19),
    ),
}
