"""What a learner's process sees: what answers need, and neither an answer nor anybody's files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from grading.test_bounds import process  # noqa: F401 - a fixture
from grading.test_judging import isolated  # noqa: F401 - a fixture

import dtree_lab as dt
from dtree_lab.course.lessons import names
from dtree_lab.grading import sandbox
from dtree_lab.grading.sandbox import Allowance

PACKAGE = Path(dt.__file__).parent
LIST = """
import os
there = {}
for top in TOPS:
    there[top] = sorted(os.path.join(at, one) for at, _, files in os.walk(top) for one in files)
"""


@pytest.fixture
def listed(process):  # noqa: F811
    """The files in some folders, as who is inside sees them; None where there is no sandbox."""

    def listed(*tops):
        if process is None:
            return None
        one = process()
        assert one.cell(LIST.replace("TOPS", repr(tops)), 60).error == ""
        return {
            top: json.loads(one.value(f"__import__('json').dumps(there[{top!r}])")) for top in tops
        }

    return listed


@pytest.fixture
def anew(monkeypatch):
    """Have the sandbox look anew what is to be shown."""
    for remembers in (sandbox._shown, sandbox.secrets):
        remembers.cache_clear()
    yield monkeypatch
    for remembers in (sandbox._shown, sandbox.secrets):
        remembers.cache_clear()


def test_who_shares_the_machine_is_not_seen(listed, anew, tmp_path):
    """A prefix with what nbgrader keeps below it, and with another copy of the library."""
    prefix = tmp_path / "prefix"
    files = {
        "share/nbgrader/exchange/course/inbound/ada/01.ipynb": False,
        "pkgs/dtree-lab/site-packages/dtree_lab/course/lessons/one.py": False,
        "envs/other/lib/python3.11/site-packages/dtree_lab/course/lessons/one.py": False,
        "lib/python3.11/site-packages/dtree_lab/course/lessons/one.py": False,
        "lib/deep/env/lib/python3.11/site-packages/dtree_lab/course/lessons/one.py": False,
        "lib/python3.11/site-packages/dtree_lab/course/checking.py": False,
        "lib/python3.11/site-packages/other.py": True,
        "share/zoneinfo/Berlin": True,
    }
    for name in files:
        place = prefix / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("answers", encoding="utf-8")
    anew.setattr(sandbox, "_PREFIXES", (*sandbox._PREFIXES, str(prefix)))
    seen = listed(str(prefix))
    if seen is not None:
        assert seen[str(prefix)] == sorted(str(prefix / name) for name, is_ in files.items() if is_)


def test_of_the_system_there_are_programs_and_libraries(listed):
    tops = ["/usr/share", "/usr/local/share", "/usr/src", "/usr/games", "/srv", "/home", "/opt"]
    seen = listed(*tops)
    if seen is None:
        return
    kept = re.compile(r"/usr/(local/)?share/(zoneinfo|fonts|matplotlib)/")
    shown = [Path(name) for name in sandbox._PREFIXES]  # Python may itself be in one of them
    for name in (one for those in seen.values() for one in those):
        assert kept.match(name) or any(Path(name).is_relative_to(one) for one in shown[2:]), name


IMPORTS = """
import ctypes, decimal, matplotlib.pyplot, multiprocessing, numpy, sklearn, sqlite3, ssl, zoneinfo
import dtree_lab as dt
matplotlib.pyplot.plot([1, 2])
dt.id3(dt.datasets.tax_fraud())
zone = zoneinfo.ZoneInfo("Europe/Berlin").key
with multiprocessing.Pool(2) as pool:
    lengths = pool.map(len, ["a", "bc"])
"""


def test_what_answers_need_can_be_imported(process):  # noqa: F811
    if process is None:
        return
    one = process(Allowance())
    assert one.cell(IMPORTS, 60).error == ""
    assert one.value("lengths") == [1, 2]


def test_no_words_of_the_sandbox_lead_to_the_course(process):  # noqa: F811
    if process is None:
        return
    one = process()
    words = "open('/proc/1/cmdline').read().split(chr(0))"
    assert one.value(f"{words}[0]") == "bwrap"
    assert not [word for word in one.value(words) if "bind" in word or "lessons" in word]


# -- right answers ---------------------------------------------------------------------------------


def visible(listed):
    """The texts of this library that are shown; without a sandbox, those that would be."""
    seen = listed(str(PACKAGE))
    if seen is None:
        hidden = [PACKAGE / name for name in sandbox._NEEDLESS]
        runs = {PACKAGE / "grading" / name for name in sandbox._RUNS}
        every = [one for one in PACKAGE.rglob("*.*") if one.is_file()]
        paths = [p for p in every if p in runs or not any(p.is_relative_to(h) for h in hidden)]
    else:
        paths = [Path(name) for name in seen[str(PACKAGE)]]
    texts = {}
    for path in paths:
        if path.suffix in (".py", ".pyi", ".md", ".json", ".txt", ".toml", ".csv"):
            texts[path.relative_to(PACKAGE)] = path.read_text(encoding="utf-8")
    return texts


def exercises():
    return [one for lesson in names() for one in dt.course.exercises(lesson)]


def lines_of(exercise):
    """The lines of a worked solution that are more than a way to begin."""
    stub = {line.strip() for line in exercise.stub.splitlines()}
    for line in map(str.strip, exercise.solution.splitlines()):
        if (
            len(line) > 25
            and line not in stub
            and not line.startswith(("def ", "import ", "from "))
        ):
            yield line


def forms(exercise):
    """A right number as it could be written, with three figures or more."""
    if exercise.task.kind == "number":
        written = {f"{exercise.task.want:.{figures}g}" for figures in range(3, 17)}
        yield from (one for one in written if len(one.strip("-0.").replace(".", "")) >= 3)


def test_no_file_that_is_shown_holds_a_right_answer(listed):
    texts = visible(listed)
    assert Path("grading", "runner.py") in texts
    assert not [path for path in texts if path.parts[0] in ("course", "stage", "cli")]
    programs = {path: text for path, text in texts.items() if path.suffix == ".py"}
    found = []
    for exercise in exercises():
        for words in (exercise.id, *lines_of(exercise)):
            found += [(path, words) for path, text in texts.items() if words in text]
        for number in forms(exercise):
            alone = re.compile(rf"(?<![\w.]){re.escape(number)}(?![\w])")
            having = {path: text for path, text in programs.items() if number in text}
            found += [(path, number) for path, text in having.items() if alone.search(text)]
    assert found == []
    assert len(exercises()) > 90
