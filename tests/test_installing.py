"""What to type for an extra: what works for this copy, and no name that is on no index."""

from __future__ import annotations

import json
import re
import subprocess
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

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
        "jupyterlab>=4.3.4; extra == 'lab'",
        'pyyaml>=6.0; python_version >= "3.11" and extra == "lab"',
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
        monkeypatch.setattr(installing, "distribution", lambda _: Installed(origin))

    return came


def test_in_a_checkout_it_is_the_checkout_s_extra():
    assert install_command("lab") == f'pip install -e ".[lab]" in the folder {CHECKOUT}'


def test_from_a_folder_it_is_that_folder_s_extra(elsewhere, tmp_path):
    folder = tmp_path / "my Ärbeit"
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    elsewhere({"url": folder.as_uri(), "dir_info": {}})
    assert install_command("lab") == f'pip install ".[lab]" in the folder {folder}'


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
    assert install_command("lab") == 'pip install "jupyterlab>=4.3.4" "pyyaml>=6.0"'


def test_without_any_note_of_it(elsewhere, monkeypatch):
    def none(_):
        raise PackageNotFoundError

    elsewhere(None)
    monkeypatch.setattr(installing, "distribution", none)
    assert install_command("lab") == 'pip install ".[lab]" in the folder of its source'


def test_nobody_is_told_to_install_a_name_that_is_on_no_index():
    command = ("git", "ls-files", "-z", "dtree_lab", "docs", "tools", "notebooks", "*.md")
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    names = [name for name in done.stdout.split("\0") if (CHECKOUT / name).is_file()]
    found = [
        f"{name}: {line[0]}"
        for name in names
        if not name.endswith((".png", ".gif")) and name != "CHANGELOG.md"
        for line in BY_NAME.finditer((CHECKOUT / name).read_text(encoding="utf-8"))
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
