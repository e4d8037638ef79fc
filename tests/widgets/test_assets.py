"""The browser's code: files that link as the page links them, and their pure helpers under test."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from dtree_lab.widgets import assets, code_widget

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "dtree_lab/widgets"
FILES = [path for kind in ("mjs", "css") for path in sorted(FOLDER.rglob(f"*.{kind}"))]
MODULES = [str(path.relative_to(FOLDER)) for path in FILES if path.suffix == ".mjs"]
VIEWS = [name for name in MODULES if name.endswith("/view.mjs")]
# Playwright, which the browser tests need anyway, brings a node.
NODE = str(compute_driver_executable()[0])


def node(*arguments):
    return subprocess.run([NODE, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_names_all_that_it_needs_in_the_order_of_loading(view):
    needed = assets.needed(view)
    assert len(set(needed)) == len(needed)
    assert needed[-1] == view
    for i, name in enumerate(needed):
        # The loader finds imports by this pattern; any other would be left for the page to resolve.
        imported = re.findall(r'\bfrom "\.\./([\w/]+\.mjs)"', assets.text(name))
        assert len(imported) == len(re.findall(r"^import\b", assets.text(name), re.MULTILINE))
        assert set(imported) <= set(needed[:i])


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_loads_and_can_be_rendered(view):
    address = (FOLDER / view).as_uri()
    code = f"const view = await import({address!r}); if (!view.render) throw Error('no render');"
    ran = node("--input-type=module", "-e", code)
    assert ran.returncode == 0, ran.stderr


def test_the_code_of_all_views_stays_small():
    """At most 150 KB for all widgets together; every widget's own part, and the shared once."""
    written = len(assets.text(assets.STYLE).encode())
    assert 0 < written + sum(path.stat().st_size for path in FILES) <= 150_000


@pytest.mark.parametrize("view", VIEWS)
def test_no_file_is_too_long_for_a_message(view):
    assert max(len(assets.text(name).encode()) for name in assets.needed(view)) < 60_000


def test_each_file_is_a_model_once_and_again_after_it_was_closed():
    first, second = (code_widget.models("lab/view.mjs") for _ in range(2))
    assert first == second
    assert len(set(first) & set(code_widget.models("treebuilder/view.mjs"))) >= 2
    code_widget.Code.close_all()
    assert not set(first) & set(code_widget.models("lab/view.mjs"))


def test_the_pure_helpers():
    tests = sorted(map(str, (ROOT / "tests/js").glob("*.test.mjs")))
    assert tests
    ran = node("--test", *tests)
    assert ran.returncode == 0, ran.stdout + ran.stderr
