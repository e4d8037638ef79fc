"""The forest lab in real JupyterLab: by mouse, by keyboard, and read back in Python."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.driver import axe, unfold

START = """
import dtree_lab as dt
lab = dt.ForestLab({})
lab
"""


@pytest.fixture
def start(lab, open_notebook):
    """Open a notebook with one lab, made with some arguments, and give both."""

    def begin(arguments=""):
        notebook = open_notebook(lab.add("lab.ipynb", START.format(arguments)))
        notebook.run_all()
        notebook.hide_sidebar()
        shown = notebook.output(0).locator(".dtl-lab")
        expect(shown).to_be_visible()
        unfold(shown)
        return notebook, shown

    return begin


def test_forest_lab_by_mouse_and_keyboard(start):
    notebook, shown = start("trees=30")
    notebook.wait_python("lab.forest.n_trees", 30)
    shown.get_by_role("button", name="One more tree").click()
    notebook.wait_python("lab.forest.n_trees", 31)
    expect(shown.get_by_role("slider", name="Tree", exact=True)).to_have_value("31")
    row = shown.get_by_role("slider", name="Row", exact=True)
    row.focus()
    for _ in range(7):
        row.press("ArrowRight")
    votes = notebook.python("lab.forest.votes(lab.table.row(7))[0].tolist()")
    expect(shown.get_by_text(f"{votes[1]} of 31 trees")).to_be_visible()
    m = shown.get_by_role("slider", name="Attributes drawn at a node")
    m.focus()
    m.press("Home")
    notebook.wait_python("(lab.forest.plan.m, lab.forest.n_trees)", (1, 31))
    near = shown.get_by_role("button", name=re.compile(r"^\d+$")).nth(1)
    chosen = near.inner_text()
    near.click()
    expect(row).to_have_value(chosen)


def test_an_action_during_the_growing_is_not_lost(start):
    notebook, shown = start("trees=200")
    noise = shown.get_by_role("slider", name="Noise")
    noise.focus()
    noise.press("End")
    notebook.wait_python("lab.state.count('\"noise\":0.5')", 1)
    gaps = shown.get_by_role("slider", name="Values taken away")
    gaps.focus()
    gaps.press("End")
    notebook.wait_python("lab.forest.n_trees", 200, seconds=60)
    expect(shown.get_by_text("by proximity").first).to_be_visible(timeout=60_000)
    same = "dt.random_forest(lab.table, n_trees=200, m=lab.forest.plan.m).trees == lab.forest.trees"
    assert notebook.python(same) is True


@pytest.mark.thorough  # as it opens it is examined by test_labs.py
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_forest_lab(start, screenshot, theme):
    notebook, shown = start()
    notebook.set_theme(theme)
    notebook.wait_python("lab.forest.n_trees", 50, seconds=60)
    gaps = shown.get_by_role("slider", name="Values taken away")
    gaps.focus()
    for _ in range(4):
        gaps.press("ArrowRight")
    noise = shown.get_by_role("slider", name="Noise")
    noise.focus()
    noise.press("PageUp")
    status = shown.get_by_role("status")
    expect(status).to_contain_text("50 trees with 2 of 3 attributes", timeout=60_000)
    screenshot(f"forest-{theme}", shown, size=(1280, 1800))
    screenshot(f"forest-{theme}-narrow", shown, size=(760, 3000))
    assert axe(notebook.page, ".dtl-lab") == []
