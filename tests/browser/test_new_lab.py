"""The lab of docs/new-lab.md on a page: drawn by the same code as every other lab."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.bare import ADDRESS, Bare, outside
from browser.driver import axe

PAGE = Path(__file__).parents[2] / "docs/new-lab.md"


def told():
    """What Python says of the lab as it opens, and once its question is answered."""
    text = PAGE.read_text(encoding="utf-8")
    (source,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    space = {"__name__": "__main__"}
    exec(compile(source, str(PAGE), "exec", dont_inherit=True), space)  # noqa: S102 - our page's
    lab = space["DepthLab"]()
    states = [lab.told]
    for message in ({"do": "set", "control": "depth", "value": 2}, {"do": "answer"}):
        lab.act(message)
        states.append(lab.told)
    return states


@pytest.fixture
def bare(new_page):
    return Bare(new_page(ADDRESS))


def test_the_lab_of_the_page_is_drawn(bare):
    first, moved, answered = outside(told)
    bare.begin(first)
    page = bare.page
    expect(page.get_by_role("slider", name="Depth")).to_have_attribute("aria-valuetext", "0")
    expect(page.get_by_role("treeitem")).to_have_count(1)
    expect(page.get_by_role("img", name="Error against depth.")).to_be_visible()
    bare.show(moved)
    expect(page.get_by_role("slider", name="Depth")).to_have_attribute("aria-valuetext", "2")
    assert page.get_by_role("treeitem").count() > 3
    expect(page.get_by_role("status")).to_contain_text("How deep should the tree grow")
    bare.show(answered)
    expect(page.get_by_role("status")).to_contain_text("Depth 2 gets")
    assert axe(page, ".dtl-lab") == []
