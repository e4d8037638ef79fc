"""The entropy lab in real JupyterLab: by mouse, by keyboard, and read back in Python."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.driver import THEMES

START = """
import dtree_lab as dt
lab = dt.EntropyLab({})
lab
"""


def test_the_point_is_dragged_typed_and_moved_by_keys(start):
    notebook, shown = start()
    page = notebook.page
    plot = shown.get_by_role("img", name="The entropy of two classes against p")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.97, box["y"] + box["height"] / 2, steps=8)
    page.mouse.up()
    notebook.wait_python("lab.p > 0.95", expected=True)
    field = shown.get_by_label("Type p")
    field.fill("1/4")
    field.press("Enter")
    # By hand: 1/4·2 + 3/4·0.415 = 0.500 + 0.311.
    expect(shown.get_by_text("= 0.500 + 0.311 = 0.811 bits")).to_be_visible()
    notebook.wait_python("lab.p", 0.25)
    slider = shown.get_by_role("slider", name="p", exact=True)
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(shown.get_by_text("H(0.3) = -0.3·log2(0.3) - 0.7·log2(0.7)")).to_be_visible()
    notebook.wait_python("round(lab.p, 6)", 0.3)


def test_attributes_are_hidden_chosen_opened_and_narrowed(start, screenshot):
    notebook, shown = start()
    page = notebook.page
    hide = shown.get_by_role("checkbox", name="Hide the gains")
    hide.click()
    expect(shown.get_by_text("gain 0.281")).to_have_count(0)
    screenshot("entropy-hidden", shown, size=(1280, 1200))
    refund = shown.get_by_role("button", name="Refund", exact=True)
    refund.focus()
    page.keyboard.press("Enter")
    expect(shown.get_by_role("status")).to_contain_text(
        "Marital Status gains 0.281: 0.090 bits more"
    )
    expect(hide).not_to_be_checked()
    expect(shown.get_by_text("gain 0.281").first).to_be_visible()
    how = shown.get_by_text("How", exact=True).last
    how.focus()
    page.keyboard.press("Enter")
    line = "H(Cheat | Refund) = 3/10·0.000 + 7/10·0.985 = 0.690 bits"
    expect(shown.get_by_text(line)).to_be_visible()
    screenshot("entropy-opened", shown, size=(1280, 1400))
    shown.get_by_label("Rows", exact=True).select_option("Refund is No")
    notebook.wait_python("lab.rows.n_rows", 7)
    expect(shown.get_by_text("7 rows: 4 No, 3 Yes")).to_be_visible()
    kept = notebook.python("lab.state")
    assert notebook.python(f"dt.EntropyLab(state={kept!r}).comparison['Refund'].gain") == 0.0


@pytest.mark.thorough
@pytest.mark.parametrize("theme", THEMES)
def test_branches_are_seen_on_the_curve(start, screenshot, theme):
    notebook, shown = start("dt.datasets.tax_fraud()")
    notebook.set_theme(theme)
    shown = notebook.output(0).locator(".dtl-lab")
    shown.get_by_role("button", name="Refund", exact=True).click()
    expect(shown.get_by_text("the gap, 0.192, is the gain").last).to_be_visible()
    screenshot(f"entropy-{theme}", shown, size=(1280, 1300))
    shown.get_by_role("button", name="Marital Status", exact=True).click()
    expect(shown.get_by_text("the gap, 0.281, is the gain").last).to_be_visible()
    screenshot(f"entropy-{theme}-window", size=(1280, 720))
    screenshot(f"entropy-{theme}-narrow", shown, size=(860, 2200))
