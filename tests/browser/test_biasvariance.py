"""The bias-variance lab in real JupyterLab: by mouse, by keyboard, and read back in Python."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.driver import axe

START = """
import dtree_lab as dt
lab = dt.BiasVarianceLab({})
lab
"""


def finished(notebook, n):
    """Wait until so many training sets have been drawn."""
    notebook.wait_python("len(lab.result.points[0].predictions)", n, seconds=60)


def test_biasvariance_by_mouse_and_keyboard(start):
    notebook, shown = start("resamples=20")
    finished(notebook, 20)
    status = shown.get_by_role("status")
    expect(status).to_contain_text("20 training sets of 100 rows")
    picture = shown.get_by_role("img").first
    box = picture.bounding_box()
    picture.click(position={"x": box["width"] * 0.9, "y": box["height"] / 2})
    notebook.wait_python("""'"depth":3' in lab.state""", expected=False)
    depth = shown.get_by_role("slider", name="Depth")
    depth.focus()
    depth.press("Home")
    notebook.wait_python("""'"depth":1' in lab.state""", expected=True)
    rows = shown.get_by_role("slider", name="Rows of a training set")
    rows.focus()
    for _ in range(3):
        rows.press("ArrowRight")
    notebook.wait_python("lab.result.points[0].n_rows", 103)
    finished(notebook, 20)
    source = "dt.evaluate.bias_variance(lab.population, dt.id3, n_rows=103, repeats=20,"
    varied = "parameter='max_depth', values=range(1, 11), decomposition='kohavi-wolpert')"
    assert notebook.python(f"bool(({source} {varied}.loss == lab.result.loss).all())") is True


@pytest.mark.jupyter
@pytest.mark.thorough
def test_an_action_during_the_measuring_is_not_lost(start):
    notebook, shown = start("resamples=100")
    shown.get_by_label("Bagging", exact=False).click()
    noise = shown.get_by_role("slider", name="Noise")
    noise.focus()
    noise.press("Home")
    notebook.wait_python("lab.population.noise", 0)
    expect(shown.get_by_role("checkbox")).to_be_checked()
    expect(shown.get_by_role("status")).to_contain_text("resamples bagged")
    button = shown.get_by_role("button", name="Start over")
    button.click()
    finished(notebook, 100)
    expect(shown.get_by_role("checkbox")).not_to_be_checked()
    assert notebook.python("lab.population.noise") == pytest.approx(0.1)


@pytest.mark.thorough  # as it opens it is examined by test_labs.py
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_biasvariance(start, screenshot, theme):
    notebook, shown = start("resamples=30")
    notebook.set_theme(theme)
    finished(notebook, 30)
    screenshot(f"biasvariance-{theme}", shown, size=(1280, 1200))
    shown.get_by_role("radio", name="numbers, a sine").click()
    marks = shown.get_by_text("Small marks: rows of the first training set.")
    expect(marks).to_be_visible(timeout=60_000)
    finished(notebook, 30)
    screenshot(f"biasvariance-{theme}-narrow", shown, size=(760, 2200))
    screenshot(f"biasvariance-{theme}-sine", shown, size=(1280, 1200))
    assert axe(notebook.page, ".dtl-lab") == []
