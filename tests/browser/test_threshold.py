"""The threshold lab in real JupyterLab: dragged, typed and stepped, and read back in Python."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.driver import THEMES, axe

START = """
import dtree_lab as dt
lab = dt.ThresholdLab({})
{}
lab
"""


def place(shown, part, x):
    """Where a value of the x axis stands on the page, half-way up a figure."""
    picture = shown.locator(f'[data-id="{part}"] .dtl-plot')
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    slider = shown.locator(f'[data-id="{part}"] input[type=range]:not(.dtl-steps)')
    low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
    track = slider.bounding_box()
    along = track["x"] + 8 + (track["width"] - 16) * (x - low) / (high - low)
    return along, box["y"] + box["height"] / 2


def test_the_cut_is_dragged_in_any_figure(start):
    notebook, shown = start()
    mouse = notebook.page.mouse
    for part, to in (("points", 180), ("gains", 80), ("bells", 120)):
        mouse.move(*place(shown, part, notebook.python("lab.cut")))
        mouse.down()
        mouse.move(*place(shown, part, to), steps=8)
        mouse.up()
        notebook.wait_python(f"abs(lab.cut - {to}) < 1", expected=True)
        expect(shown.get_by_role("status")).to_contain_text("Taxable Income <")
        expect(shown.locator('[data-id="rule"]')).to_contain_text("It gains")


def test_the_cut_is_typed_stepped_and_chosen_by_keyboard(start):
    notebook, shown = start()
    keys = notebook.page.keyboard
    field = shown.get_by_role("textbox", name="Cut at")
    field.fill("97,5")
    field.press("Enter")
    notebook.wait_python("lab.cut", 97.5)
    expect(shown.locator('[data-id="rule"]')).to_contain_text("No other cut gains more.")
    shown.get_by_role("button", name="Next midpoint").focus()
    keys.press("Enter")
    notebook.wait_python("lab.cut", 110.0)
    shown.get_by_role("slider", name="Cut", exact=True).focus()
    keys.press("ArrowLeft")
    notebook.wait_python("100 < lab.cut < 110", expected=True)
    shown.get_by_role("button", name="crossing 1").focus()
    keys.press("Enter")
    notebook.wait_python("lab.cut == lab.fit.crossings[0]", expected=True)
    shown.get_by_label("One variance for all classes").focus()
    keys.press(" ")
    notebook.wait_python("len(lab.fit.crossings)", 1)
    shown.get_by_role("slider", name="log2 of τ").focus()
    keys.press("ArrowRight")
    notebook.wait_python("lab.fit.tau > 1", expected=True)
    field.fill("a lot")
    field.press("Enter")
    expect(shown.get_by_role("alert")).to_contain_text("A cut must be a number")


@pytest.mark.parametrize("theme", THEMES)
def test_it_is_accessible_with_many_rows_and_classes(start, screenshot, theme):
    make = "import numpy as np\nrng = np.random.default_rng(1)\n"
    make += "k = rng.integers(0, 4, 900)\n"
    make += (
        "columns = {'x': rng.normal(size=900) * (k + 1) + 3 * k, 'y': [f'kind {i}' for i in k]}\n"
    )
    make += "lab = dt.ThresholdLab(dt.Table.from_columns(columns, 'y'))"
    notebook, shown = start("", make)
    notebook.set_theme(theme)
    shown = notebook.output(0).locator(".dtl-lab")
    expect(shown).to_be_visible()
    shown.get_by_text("As text").first.click()
    assert axe(notebook.page, ".dtl-lab") == []
    screenshot(f"threshold-classes-{theme}", shown, size=(1280, 1500))
