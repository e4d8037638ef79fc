"""Every lab in a real JupyterLab: accessible, by keyboard, calm, and safe with any names."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.driver import axe
from dtree_lab.widgets.catalogue import LABS

HOSTILE = (Path(__file__).parents[1] / "widgets/hostile.py").read_text(encoding="utf-8")
NAMES = sorted({lab.cls for lab in LABS})


def cell(name, table=""):
    table = table or ("dt.datasets.tax_fraud()" if name == "TreeBuilder" else "")
    return f"lab = dt.{name}({table})\nlab"


@pytest.fixture
def shown(lab, open_notebook):
    def show(name, table=""):
        notebook = open_notebook(lab.add(f"{name}.ipynb", HOSTILE, cell(name, table)))
        notebook.run_all()
        notebook.output(1).locator(".dtl-lab .dtl-title").wait_for()
        quiet(notebook)
        return notebook

    return show


def quiet(notebook):
    """Wait until no work is under way."""
    notebook.output(1).locator(".dtl-busy").wait_for(state="detached", timeout=60_000)


@pytest.mark.parametrize("name", NAMES)
def test_a_lab_is_accessible_in_both_themes_and_reflows(name, shown, screenshot):
    notebook = shown(name)
    notebook.hide_sidebar()
    box = notebook.output(1)
    for theme in ("light", "dark"):
        notebook.set_theme(theme)
        assert axe(notebook.page) == []
        screenshot(f"lab-{name}-{theme}", box, (1280, 1600))
    screenshot(f"lab-{name}-projector", None, (1280, 720))
    # As wide as a page of 1280 pixels at a zoom of 400 %.
    root = box.locator(".dtl-lab")
    root.evaluate("root => { root.style.width = '320px'; }")
    notebook.page.wait_for_timeout(300)
    assert root.evaluate("root => root.scrollWidth <= root.clientWidth + 1")
    screenshot(f"lab-{name}-narrow", box, (1280, 2600))


@pytest.mark.parametrize("name", NAMES)
def test_every_control_is_reached_and_named_by_keyboard_alone(name, shown):
    notebook = shown(name)
    page, root = notebook.page, notebook.output(1).locator(".dtl-lab")
    wanted = root.evaluate(
        """root => [...root.querySelectorAll('button, input, select, summary, [tabindex="0"]')]
          .filter((one) => one.checkVisibility({ visibilityProperty: true }))
          .map((one, i) => (one.dataset.reach = i))"""
    )
    assert wanted
    page.evaluate("() => document.activeElement?.blur()")
    root.locator('[data-reach="0"]').focus()
    reached = {}
    for _ in range(len(wanted) + 5):
        found = page.evaluate(
            "() => [document.activeElement.dataset.reach, document.activeElement.tagName]"
        )
        if found[0] is not None:
            reached[int(found[0])] = found[1]
        page.keyboard.press("Tab")
    assert sorted(reached) == wanted


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_are_shown_as_text(name, shown, screenshot):
    notebook = shown(name, "hostile()")
    notebook.hide_sidebar()
    page, box = notebook.page, notebook.output(1)
    assert box.locator('img[src="x"]').count() == 0
    assert page.evaluate("() => window.hacked") is None
    assert axe(page) == []
    root = box.locator(".dtl-lab")
    assert root.evaluate("root => root.scrollWidth <= root.clientWidth + 1")
    screenshot(f"lab-{name}-hostile", box, (1280, 1600))
