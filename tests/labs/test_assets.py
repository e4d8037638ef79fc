"""The browser's code: files that link as the page links them, and their pure helpers under test."""

from __future__ import annotations

import re
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

from playwright._impl._driver import compute_driver_executable

from dtree_lab.labs import assets, code_widget

ROOT = Path(__file__).parents[2]
FOLDER = Path(assets.__file__).with_name("browser")
# Playwright, which the browser tests need anyway, brings a node.
NODE = str(compute_driver_executable()[0])


def node(*arguments):
    return subprocess.run([NODE, *arguments], capture_output=True, text=True, check=False)


def test_every_import_is_one_that_the_loader_links():
    """Any other would be left for the page to resolve; and there is no circle."""
    needs = {}
    for name in assets.asset_names():
        imported = re.findall(r'(?<= from )"\./(\w+\.mjs)"', assets.asset_text(name))
        assert len(imported) == len(
            re.findall(r"^import\b", assets.asset_text(name), re.MULTILINE)
        ), name
        assert set(imported) <= set(assets.asset_names())
        needs[name] = imported
    assert tuple(TopologicalSorter(needs).static_order())[-1:] == ("lab.mjs",)


def test_the_code_loads_and_can_be_rendered():
    address = (FOLDER / "lab.mjs").as_uri()
    code = f"const view = await import({address!r}); if (!view.render) throw Error('no render');"
    ran = node("--input-type=module", "-e", code)
    assert ran.returncode == 0, ran.stderr


def test_the_page_gets_the_same_code_without_comments_and_indentation(tmp_path):
    """It loads, and what is missing is whole lines that only say something, and margins."""
    for name in assets.asset_names():
        if name != assets.STYLE:
            (tmp_path / name).write_text(assets.asset_text(name), encoding="utf-8")
            written = (FOLDER / name).read_text(encoding="utf-8").splitlines()
            lines = iter([line.lstrip(" ") for line in written])
            for line in assets.asset_text(name).splitlines():
                gone = " ".join(one.strip() for one in iter(lines.__next__, line))
                comment = gone.startswith("//") or (gone.startswith("/*") and gone.endswith("*/"))
                assert comment or not gone, (name, gone)
    address = (tmp_path / "lab.mjs").as_uri()
    ran = node("--input-type=module", "-e", f"(await import({address!r})).render.call")
    assert ran.returncode == 0, ran.stderr


def test_the_code_of_all_views_stays_small():
    """At most 237 KB for all labs together, and no file too long for a message."""
    sizes = [
        len(assets.asset_text(name).encode()) for name in (assets.LOADER, *assets.asset_names())
    ]
    assert min(sizes) > 0
    assert max(sizes) < 60_000
    assert sum(sizes) <= 237_000


def test_no_text_in_the_code_has_several_lines():
    """For these lose their indentation."""
    for file in FOLDER.glob("*.mjs"):
        for line in file.read_text(encoding="utf-8").splitlines():
            assert line.count("`") % 2 == 0, (file.name, line)


def test_each_file_is_a_model_once_and_again_after_it_was_closed():
    first, second = (code_widget.models() for _ in range(2))
    assert first == second
    code_widget.CodeFile.close_all()
    assert not set(first) & set(code_widget.models())


def test_the_pure_helpers():
    tests = sorted(map(str, (ROOT / "tests/js").glob("*.test.mjs")))
    assert tests
    ran = node("--test", *tests)
    assert ran.returncode == 0, ran.stdout + ran.stderr
