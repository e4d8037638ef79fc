"""The expressiveness lab in real JupyterLab: by mouse, by keyboard, and read back in Python."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.driver import THEMES

START = """
import dtree_lab as dt
lab = dt.ExpressivenessLab({})
lab
"""
INTERNAL = "lab.tree.n_nodes - lab.tree.n_leaves"


@pytest.mark.parametrize("theme", THEMES)
def test_the_tree_for_xor_grows_and_collapses(start, screenshot, theme):
    notebook, shown = start()
    notebook.set_theme(theme)
    shown = notebook.output(0).locator(".dtl-lab")
    screenshot(f"expressiveness-{theme}-window", size=(1280, 720))
    row = shown.get_by_role("button", name="4", exact=True)
    row.focus()
    notebook.page.keyboard.press("Enter")
    expect(shown.get_by_role("status")).to_contain_text("Row 4 meets 3 questions.")
    screenshot(f"expressiveness-{theme}", shown, size=(1280, 1500))
    slider = shown.get_by_role("slider", name="n, how many attributes")
    slider.focus()
    for _ in range(2):
        notebook.page.keyboard.press("ArrowRight")
    notebook.wait_python(INTERNAL, 31)  # 2^5 - 1
    expect(shown.get_by_role("treeitem")).not_to_have_count(15)
    screenshot(f"expressiveness-{theme}-five", shown, size=(1280, 1500))
    shown.get_by_label("Derived attribute").select_option("parity")
    notebook.wait_python(INTERNAL, 1)
    expect(shown.get_by_role("treeitem")).to_have_count(3)
    expect(shown.get_by_text("one question is enough, in place of 31")).to_be_visible()
    screenshot(f"expressiveness-{theme}-narrow", shown, size=(860, 2600))


def test_n_is_dragged_on_the_figure(start):
    notebook, shown = start("n=2, function='or'")
    plot = shown.get_by_role("img", name="Internal nodes against n")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page = notebook.page
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.96, box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    notebook.wait_python(INTERNAL, 8)
    expect(shown.get_by_text("OR of n attributes needs n = 8 internal nodes")).to_be_visible()
    kept = notebook.python("lab.state")
    assert notebook.python(f"dt.ExpressivenessLab(state={kept!r}).tree.depth") == 8
