"""What to type for an extra: what works for this copy, and no name that is on no index."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import dtree_lab as dt
from dtree_lab.base import installing
from dtree_lab.base.installing import install_command

CHECKOUT = Path(__file__).parents[1]
# pip is given the project by its bare name.
BY_NAME = re.compile(
    r"(pip|uv|pipx|uvx)\b[^\n]*\b(install|index|download|run)\b[^\n]*[ \"']dtree[-_]lab\b(?!/| @)"
)


class Installed:
    """Stand in for what pip has noted of an installed copy."""

    requires = (
        "numpy>=2.0",
        "ipywidgets>=8; extra == 'labs'",
        "joblib>=1.4; extra == 'parallel'",
        "dtree-lab[labs, parallel]; extra == 'course'",
        "jupyterlab>=4.3.4; extra == 'course'",
        'pyyaml>=6.0; python_version >= "3.11" and extra == "course"',
        "dtree-lab[course]; extra == 'lab'",
        "ruff>=0.17; extra == 'test'",
    )

    def __init__(self, origin):
        self.origin = origin

    def read_text(self, name):
        assert name == "direct_url.json"
        return self.origin and json.dumps(self.origin)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A copy that lies in no checkout, and how it came there."""
    monkeypatch.setattr(
        installing, "__file__", str(tmp_path / "site" / "dtree_lab" / "base" / "x.py")
    )

    def came(origin):
        monkeypatch.setattr(metadata, "distribution", lambda _: Installed(origin))

    return came


def test_in_a_checkout_it_is_the_checkout_s_extra():
    assert install_command("labs") == f'pip install -e ".[labs]" in the folder {CHECKOUT}'


def test_from_a_folder_it_is_that_folder_s_extra(elsewhere, tmp_path):
    folder = tmp_path / "my Ärbeit"
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    elsewhere({"url": folder.as_uri(), "dir_info": {}})
    assert install_command("plot") == f'pip install ".[plot]" in the folder {folder}'


@pytest.mark.parametrize(
    "origin",
    [
        None,
        {"url": "file:///gone/from/here", "dir_info": {}},
        {"url": "file:///dist/dtree_lab-0.1.0-py3-none-any.whl", "archive_info": {}},
        {"url": "https://host/dtree_lab.git", "vcs_info": {"vcs": "git", "commit_id": "0"}},
    ],
)
def test_else_the_libraries_are_named(elsewhere, origin):
    elsewhere(origin)
    assert install_command("labs") == 'pip install "ipywidgets>=8"'
    course = 'pip install "ipywidgets>=8" "joblib>=1.4" "jupyterlab>=4.3.4" "pyyaml>=6.0"'
    assert install_command("course") == install_command("lab") == course


def test_without_any_note_of_it(elsewhere, monkeypatch):
    def none(_):
        raise metadata.PackageNotFoundError

    elsewhere(None)
    monkeypatch.setattr(metadata, "distribution", none)
    assert install_command("labs") == 'pip install ".[labs]" in the folder of its source'


# Each thing that needs an extra, asked for where nothing but the base is to be had.
HIDDEN = """
import json, sys

sys.modules.update(dict.fromkeys({hidden}))  # as None, which Python takes for not installed
import dtree_lab as dt

table = dt.datasets.tax_fraud()
said = {{}}
for asked in {asked}:
    try:
        exec(asked)
    except (ImportError, ValueError) as error:
        said[asked] = f"{{type(error).__name__}}: {{error}}"
jobs = ({{}}, {{"n_jobs": 1}})
forests = [dt.random_forest(table, n_trees=3, seed=1, **how).to_json() for how in jobs]
print(json.dumps([said, forests, [*dir(dt), *dir(dt.draw)]]))
"""
ASKED = {
    "dt.TreeBuilder": "labs",
    "from dtree_lab import Practice": "labs",
    "dt.demo('tree')": "labs",
    "dt.course.ask('tax-fraud/parts')": "labs",
    "dt.draw.plot": "plot",
    "from dtree_lab.draw import plot": "plot",
    "dt.random_forest(table, n_jobs=2)": "parallel",
    "dt.random_forest(table, n_trees=2).permutation_importance(table, n_jobs=-1)": "parallel",
    "import dtree_lab.sklearn": "sklearn",
    "dt.id3(table).to_sklearn()": "sklearn",
}
JUPYTER = {"IPython", "anywidget", "ipywidgets", "traitlets"}
OUTSIDE = JUPYTER | {"joblib", "matplotlib", "sklearn", "tqdm"}


def test_what_needs_an_extra_names_it_and_nothing_else_does():
    code = HIDDEN.format(hidden=OUTSIDE, asked=[*ASKED])
    command = (sys.executable, "-W", "error", "-c", code)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said, forests, names = json.loads(done.stdout)
    for asked, extra in ASKED.items():
        assert said[asked].endswith(install_command(extra)), asked
        assert re.match("(ModuleNotFound|Import)Error: .+ needs? ", said[asked]), asked
    forest = dt.random_forest(dt.datasets.tax_fraud(), n_trees=3, seed=1)
    assert forests == [forest.to_json()] * 2
    # What cannot be had is listed nowhere, or help() and a star would trip over it.
    assert {"Table", "id3", "svg"} <= set(names)
    assert not {"TreeBuilder", "plot"} & set(names)
    assert {"TreeBuilder", "plot"} <= {*dir(dt), *dir(dt.draw)}


# A notebook's kernel, as tqdm knows one, without ipywidgets.
IN_A_NOTEBOOK = """
import sys, types
sys.modules["ipywidgets"] = None
sys.modules["ipykernel.zmqshell"] = types.ModuleType("zmqshell")
import IPython
from dtree_lab.base.parallel import watched
print(*watched([1, 2], what="counting", total=2))
"""


def test_a_notebook_without_widgets_is_not_told_to_get_some_for_a_bar():
    command = (sys.executable, "-c", IN_A_NOTEBOOK)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout.split(), done.stderr) == (["1", "2"], "")


def texts():
    """What people read of us, or a program tells them: each file's name and text."""
    command = ("git", "ls-files", "-z", "dtree_lab", "docs", "tools", "notebooks", "*.md")
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    for name in done.stdout.split("\0"):
        if (CHECKOUT / name).is_file() and not name.endswith((".png", ".gif")):
            yield name, (CHECKOUT / name).read_text(encoding="utf-8")


def test_the_extras_that_are_advised_are_there():
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"])
    assert project["optional-dependencies"]["lab"] == ["dtree-lab[course]"]  # as it was called
    advised = {
        (name, extra)
        for name, text in texts()
        if name != "CHANGELOG.md"
        for extras_of_one in re.findall(r'"\.\[([\w, -]+)\]"', text)
        for extra in re.split(", *", extras_of_one)
    }
    assert {extra for _, extra in advised} >= {"course", "labs"}
    assert {(name, extra) for name, extra in advised if extra not in extras - {"lab"}} == set()


def test_nobody_is_told_to_install_a_name_that_is_on_no_index():
    found = [
        f"{name}: {line[0]}"
        for name, text in texts()
        if name != "CHANGELOG.md"
        for line in BY_NAME.finditer(text)
    ]
    assert found == []
    for line in (
        'pip install "dtree-lab[lab]"',
        "python -m pip install 'dtree-lab[sklearn]'",
        "pip install dtree-lab",
        "uvx --with x run dtree_lab",
    ):
        assert BY_NAME.search(line), line
    assert not BY_NAME.search('pip install ".[lab]"')
