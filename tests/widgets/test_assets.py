"""The browser's code: one self-contained module per widget, and its pure helpers under test."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from dtree_lab.widgets import assets

ROOT = Path(__file__).parents[2]
VIEWS = sorted(
    str(path.relative_to(ROOT / "dtree_lab/widgets"))
    for path in (ROOT / "dtree_lab/widgets").glob("*/view.mjs")
)
# Playwright, which the browser tests need anyway, brings a node.
NODE = str(compute_driver_executable()[0])


def node(*arguments):
    return subprocess.run([NODE, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_one_module_that_stands_alone(view, tmp_path):
    source = assets.module(view)
    assert not re.search(r"^import\b", source, re.MULTILINE)
    assert len(re.findall(r"^export\b", source, re.MULTILINE)) == 1
    (tmp_path / "view.mjs").write_text(source, encoding="utf-8")
    checked = node("--check", str(tmp_path / "view.mjs"))  # also finds a name declared twice
    assert checked.returncode == 0, checked.stderr
    loaded = node("--input-type=module", "-e", f"{source}\nconst none = null;")
    assert loaded.returncode == 0, loaded.stderr


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_puts_no_markup_into_the_page(view):
    """Names and values are user data: they are set as text, never parsed."""
    source = assets.module(view)
    for parser in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert parser not in source
    assert "http://" not in source.replace("http://www.w3.org/", "")
    assert "https://" not in source


def test_the_code_of_all_views_stays_small():
    """At most 150 KB for all widgets together; every widget's own part, and the shared once."""
    folder = ROOT / "dtree_lab/widgets"
    files = [path for kind in ("mjs", "css") for path in folder.rglob(f"*.{kind}")]
    assert 0 < sum(path.stat().st_size for path in files) <= 150_000


def test_the_pure_helpers():
    tests = sorted(map(str, (ROOT / "tests/js").glob("*.test.mjs")))
    assert tests
    ran = node("--test", *tests)
    assert ran.returncode == 0, ran.stdout + ran.stderr
