"""The plane lab in real JupyterLab: points placed by mouse and by keyboard, read back in Python."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.driver import THEMES, at_rest, axe

START = """
import dtree_lab as dt
lab = dt.PlaneLab()
lab
"""


def click(notebook, shown, x, y):
    """Click at a point of the unit square, where the axes' own frame is on the page."""
    picture = shown.locator('[data-id="plane"] .dtl-plot')
    picture.scroll_into_view_if_needed()
    box = shown.locator('[data-id="plane"] .dtl-plot .dtl-plane').bounding_box()
    notebook.page.mouse.click(box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"])


def test_points_are_placed_by_mouse_and_the_tree_grows_along(start):
    notebook, shown = start()
    shown.get_by_role("button", name="Clear").click()
    notebook.wait_python("lab.tree is None", expected=True)
    click(notebook, shown, 0.2, 0.7)
    notebook.wait_python("lab.table and lab.table.n_rows", 1)
    shown.get_by_role("combobox", name="A click").select_option("1")
    notebook.wait_python("lab._state.click", "1")
    click(notebook, shown, 0.6, 0.3)
    notebook.wait_python("lab.table.n_rows", 2)
    rows = notebook.python("[tuple(row.values()) for row in lab.table.rows()]")
    for (x, y, name), expected in zip(rows, [(0.2, 0.7, "A"), (0.6, 0.3, "B")], strict=True):
        assert (x, y) == pytest.approx(expected[:2], abs=0.01)
        assert name == expected[2]
    expect(shown.get_by_role("treeitem")).to_have_count(3)
    shown.get_by_role("combobox", name="A click").select_option("look")
    notebook.wait_python("lab._state.click", "look")
    click(notebook, shown, 0.9, 0.9)
    expect(shown.locator('[role="treeitem"][aria-selected="true"]')).to_have_attribute(
        "aria-label", "class = B, 1 row, Gini impurity 0.000"
    )
    shown.get_by_role("treeitem").nth(1).click()
    notebook.wait_python("lab._state.selected", (0,))
    expect(shown.locator('[data-id="where"]')).to_contain_text("It answers A.")


def test_points_are_placed_and_taken_away_by_keyboard(start):
    notebook, shown = start()
    keys = notebook.page.keyboard
    for name, typed in (("x1", "0,25"), ("x2", "0.75")):
        shown.get_by_role("textbox", name=name, exact=True).focus()
        keys.press("Control+a")
        keys.type(typed)
        keys.press("Tab")
    shown.get_by_role("button", name="Add point").focus()
    keys.press("Enter")
    notebook.wait_python("lab.table.n_rows", 151)
    assert notebook.python("lab.table.row(150)") == {"x1": 0.25, "x2": 0.75, "class": "A"}
    shown.get_by_role("button", name="149", exact=True).focus()
    keys.press("Enter")
    notebook.wait_python("lab._state.chosen", 148)
    shown.get_by_role("button", name="Remove the chosen point").focus()
    keys.press("Enter")
    notebook.wait_python("lab.table.n_rows", 150)
    shown.get_by_role("slider", name="Most questions deep").focus()
    keys.press("End")
    notebook.wait_python("lab.tree.error(lab.table)", 0.0)
    shown.get_by_role("combobox", name="Derived feature").focus()
    keys.press("ArrowDown")
    notebook.wait_python("lab.table.names", ("x1", "x2", "x1 + x2"))
    shown.get_by_role("button", name="Undo").focus()
    keys.press("Enter")
    keys.press("Enter")
    notebook.wait_python("(lab.table.n_rows, lab.tree.n_leaves)", (150, 2))


def place(picture):
    """Where a picture is seen once the page no longer moves it, as it does while it is set up."""
    at_rest(picture.page, ".dtl-live, .dtl-live *, .jp-Notebook, .jp-Cell")
    return picture.bounding_box()


@pytest.mark.parametrize("theme", THEMES)
def test_it_is_accessible_and_nothing_jumps(start, screenshot, theme):
    notebook, shown = start()
    notebook.set_theme(theme)
    shown = notebook.output(0).locator(".dtl-lab")
    expect(shown).to_be_visible()
    picture = shown.locator('[data-id="plane"] .dtl-plot')
    deeper = shown.get_by_role("button", name="One question deeper")
    deeper.scroll_into_view_if_needed()
    before = place(picture)
    for depth in (2, 3):
        deeper.click()
        notebook.wait_python("lab.tree.depth", depth)
    assert place(picture) == before
    shown.get_by_role("button", name="150", exact=True).click()
    notebook.wait_python("lab._state.chosen", 149)
    assert axe(notebook.page, ".dtl-lab") == []
    screenshot(f"plane-{theme}", shown, size=(1280, 1400))
