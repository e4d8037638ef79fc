"""Stepping through an algorithm in real JupyterLab: by mouse, by keys, and by itself."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

START = """
import dtree_lab as dt
walk = dt.StepThrough({})
walk
"""


def press(shown, name):
    shown.get_by_role("button", name=name, exact=True).click()


def card(shown, name):
    return shown.get_by_role("treeitem", name=re.compile(f"^{name}"))


def test_a_walk_by_mouse(start, screenshot):
    notebook, shown = start()
    press(shown, "Forward")
    expect(shown.get_by_text("Step 1 of 20: Look at the root")).to_be_visible()
    expect(shown.get_by_text("gain 0.281 bits").first).to_be_visible()
    expect(shown.get_by_text("best", exact=True)).to_have_count(0)  # which is asked comes next
    press(shown, "Forward")
    expect(shown.get_by_text("best", exact=True)).to_have_count(1)
    expect(card(shown, "Cheat = No.*not looked at yet")).to_have_count(3)
    screenshot("step-id3", shown, size=(1280, 1000))
    press(shown, "Forward")
    notebook.wait_python("walk.cursor", 3)
    card(shown, "Marital Status").click()
    expect(shown.get_by_text("The node you chose")).to_be_visible()
    assert notebook.python("walk.cursor") == 3
    press(shown, "Back")
    notebook.wait_python("walk.cursor", 2)
    press(shown, "Last")
    notebook.wait_python("walk.tree == dt.id3(dt.datasets.tax_fraud())", expected=True)
    expect(shown.get_by_role("button", name="Forward")).to_have_attribute("aria-disabled", "true")
    shown.get_by_label("Algorithm").select_option("random forest")
    expect(shown.get_by_text("5 trees are to be grown on 10 rows.")).to_be_visible()
    shown.get_by_label("A step is").select_option("one tree at a time")
    press(shown, "Forward")
    expect(shown.get_by_text("Step 1 of 5: Tree 1 of 5: added")).to_be_visible()
    screenshot("step-forest", shown, size=(1280, 1300))


def test_a_walk_by_keyboard(start):
    notebook, shown = start("algorithm='threshold'")
    forward = shown.get_by_role("button", name="Forward", exact=True)
    for _ in range(4):
        forward.press("Enter")
    notebook.wait_python("walk.cursor", 4)
    expect(shown.get_by_text("Try Taxable Income < 80").first).to_be_visible()
    expect(forward).to_be_focused()
    slider = shown.get_by_role("slider", name="Step")
    slider.press("ArrowRight")
    notebook.wait_python("walk.cursor", 5)
    expect(shown.get_by_text("stays the best so far")).to_be_visible()
    slider.press("End")
    notebook.wait_python("walk.cursor", 11)
    expect(shown.get_by_text("Found: ask Taxable Income < 97.5").first).to_be_visible()
    assert notebook.python("walk.result.cut") == 97.5
    slider.press("Home")
    notebook.wait_python("walk.cursor", 0)


@pytest.mark.jupyter
def test_it_plays_until_it_is_stopped(start):
    notebook, shown = start("algorithm='adaboost'")
    shown.get_by_label("Speed").select_option("medium")
    press(shown, "Play")
    expect(shown.get_by_role("button", name="Pause")).to_be_visible()
    notebook.wait_python("walk.cursor > 1", expected=True)
    press(shown, "Pause")
    expect(shown.get_by_role("button", name="Play")).to_be_visible()
    expect(shown.get_by_text(re.compile(r"Round \d+: ")).first).to_be_visible()
    shown.get_by_label("Speed").select_option("fast")
    stood = notebook.python("walk.cursor")
    notebook.settle()
    assert notebook.python("walk.cursor") == stood < notebook.python("len(walk.events)")
    press(shown, "Play")
    notebook.wait_python("walk.cursor == len(walk.events)", expected=True)
    expect(shown.get_by_role("button", name="Play")).to_be_visible()
