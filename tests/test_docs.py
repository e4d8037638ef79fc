"""The front door: a README that is short and true, pages whose examples print what they show."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import dtree_lab as dt

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {name: ROOT / f"docs/{name}.md" for name in ("published-trees", "peers", "your-table")}


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def failures(page):
    """What a page's blocks print that it does not show; they are run in one space, in order."""
    wrong: list[str] = []
    space: dict[str, object] = {}
    for block in blocks(page.read_text(encoding="utf-8"), "pycon"):
        test = doctest.DocTestParser().get_doctest(block, space, page.name, str(page), 0)
        doctest.DocTestRunner(verbose=False).run(test, out=wrong.append, clear_globs=False)
        space = test.globs
    plt.close("all")
    return "".join(wrong)


@pytest.mark.parametrize("name", PAGES)
def test_each_block_of_a_page_prints_what_it_shows(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plt.switch_backend("agg")
    assert not failures(PAGES[name])


def test_every_block_is_found():
    for page in PAGES.values():
        text = page.read_text(encoding="utf-8")
        others = len(re.findall(r"^```(?!pycon)\w+$", text, re.MULTILINE))
        assert len(blocks(text, "pycon")) == text.count("```") // 2 - others > 4


def test_a_block_that_prints_something_else_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```pycon\n>>> x = 1\n```\n```pycon\n>>> x\n2\n```\n", encoding="utf-8")
    assert "Expected:\n    2\nGot:\n    1\n" in failures(page)


def test_readme_can_be_read_in_a_few_minutes():
    assert len(README.split()) <= 700


def test_the_first_thing_in_readme_moves():
    first = README.split("\n\n")[1]
    assert re.fullmatch(r"!\[[^\]]{40,}\]\((docs/images/\w+\.gif)\)", first)


def test_readmes_lines_of_code_run_on_anybodys_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{7 * x % 30},{'ab'[x % 3 > 0]},{'no' if x % 5 else 'yes'}" for x in range(30)]
    Path("my.csv").write_text("\n".join(["x,z,Cheat", *rows]), encoding="utf-8")
    (code,) = blocks(README, "python")
    assert len([line for line in code.splitlines() if line]) <= 8
    space: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), space)  # noqa: S102 - the page's own code
    assert isinstance(space["tree"], dt.Tree)
    assert space["held"].n_rows == 10


@pytest.mark.parametrize(
    "page", ["setting-up", "labs", "stage", "staff", "your-table", "peers", "library", "where-is"]
)
def test_readme_leads_to(page):
    assert f"](docs/{page}.md)" in README
