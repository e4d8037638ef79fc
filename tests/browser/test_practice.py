"""The typed practice in real JupyterLab: by keyboard alone, by mouse, and read back in Python."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

START = """
import dtree_lab as dt
lab = dt.Practice({})
lab
"""
FOLDED = True  # Tab goes from field to field
# By hand, Refund at the root: 3 rows with a refund, all honest; 7 without, 4 to 3.
REFUND = ["3", "0", "3/10", "0", "4", "3", "7/10", "0.985", "0.881", "0,690", "0.192"]
# What moves while one types would be out of the hand.
PLACES = """root => [...root.querySelectorAll(".dtl-part, .dtl-field input")].map((one) =>
  Math.round(one.getBoundingClientRect().top - root.getBoundingClientRect().top))"""


@pytest.mark.jupyter
def test_from_the_first_field_to_the_last_by_keyboard_alone(start):
    notebook, shown = start()
    keys = notebook.page.keyboard
    shown.locator("[data-id=parting] summary").focus()
    keys.press("Tab")  # the table, which can be scrolled by arrow keys where it is wide
    for i, text in enumerate(REFUND):
        keys.press("Tab")
        if i == 8:
            keys.press("Tab")  # the second table
        keys.type(text)
    notebook.wait_python("tuple(lab.score)", (10, 11, 0))
    keys.press("Enter")
    notebook.wait_python("tuple(lab.score)", (11, 11, 0))
    expect(shown.get_by_text("✓ right")).to_have_count(11)
    expect(shown.get_by_text("Best at these rows is Marital Status")).to_be_visible()
    keys.press("Tab")  # the button that shows, with nothing left to show
    keys.press("Tab")
    keys.press("Enter")
    notebook.wait_python("tuple(lab.score)[0]", 0)
    assert notebook.python("lab.view['title']") != "Work out the gain of Refund"


def test_a_hint_names_the_mistake_and_nothing_moves(start):
    notebook, shown = start()
    left = shown.get_by_role("textbox", name="H(Cheat | Refund)", exact=True)
    before = shown.evaluate(PLACES)
    left.fill("0.493")
    left.press("Tab")
    expect(
        shown.get_by_text("You averaged the branches as if they were equally large.")
    ).to_be_visible()
    expect(left).to_have_attribute("aria-invalid", "true")
    expect(left).to_have_accessible_description("unweighted mean")
    assert shown.evaluate(PLACES) == before
    shown.get_by_role("button", name="Show me: H(Cheat | Refund)").click()
    notebook.wait_python("tuple(lab.score)", (0, 11, 1))
    expect(shown.get_by_role("textbox", name="H(Cheat | Refund)", exact=True)).to_have_value(
        "0.690"
    )
    expect(left).to_have_accessible_description("shown")
    shown.get_by_label("Attribute").select_option("Marital Status")
    expect(shown.get_by_role("textbox", name="H(Cheat | Marital Status)")).to_have_value("")
    notebook.wait_python("tuple(lab.score)", (0, 15, 0))
