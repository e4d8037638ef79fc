"""Every lab (see `run`): accessible, by keyboard, calm, and safe with any names."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.driver import at_rest, axe
from dtree_lab.labs.catalogue import LABS

HOSTILE = (Path(__file__).parents[1] / "labs/hostile.py").read_text(encoding="utf-8")
NAMES = sorted({lab.cls for lab in LABS})
# Each time half of the labs in the light, and half in the dark.
# Their own tests look at these with axe and at their controls by keyboard, too.
ALSO_BY_THEMSELVES = ("PlaneLab", "ThresholdLab", "TreeBuilder")
LOOKS = [
    pytest.param(
        name,
        theme,
        marks=[] if (i + j) % 2 == 0 and name not in ALSO_BY_THEMSELVES else pytest.mark.thorough,
    )
    for i, name in enumerate(NAMES)
    for j, theme in enumerate(("light", "dark"))
]


def root_of(notebook, cell):
    """The lab in a cell, when no work is under way any more."""
    root = notebook.output(cell).locator(".dtl-lab")
    root.locator(".dtl-title").wait_for()
    root.locator(".dtl-busy").wait_for(state="detached")
    return root


def fits(root):
    return root.evaluate("root => root.scrollWidth <= root.clientWidth + 1")


def unreached(notebook, root):
    """The controls that the Tab key does not lead to, beginning with the first.

    To a group of radio buttons it leads once; among them go the arrows.
    """
    wanted = root.evaluate(
        """root => [...root.querySelectorAll('button, input, select, summary, [tabindex="0"]')]
          .filter((one) => one.checkVisibility({ visibilityProperty: true }))
          .filter((one) => one.type !== 'radio' || one.checked)
          .map((one, i) => (one.dataset.reach = i))"""
    )
    assert wanted
    root.locator('[data-reach="0"]').focus()
    reached = set()
    for _ in range(len(wanted) + 5):
        reached.add(notebook.page.evaluate("() => document.activeElement.dataset.reach"))
        notebook.page.keyboard.press("Tab")
    return [i for i in wanted if str(i) not in reached]


@pytest.mark.parametrize(("name", "theme"), LOOKS)
def test_a_lab(name, theme, run, screenshot):
    """axe, every control by keyboard, reflow, and names that are only ever text.

    On its own table in cell 1, on a hostile one in cell 2.
    """
    own = "dt.datasets.tax_fraud()" if name == "TreeBuilder" else ""
    notebook = run(HOSTILE, f"one = dt.{name}({own})\none", f"two = dt.{name}(hostile())\ntwo")
    root = root_of(notebook, 1)
    notebook.set_theme(theme)
    assert axe(notebook.page, ".dtl-lab") == []
    screenshot(f"lab-{name}-{theme}", notebook.output(1), (1280, 1600))
    screenshot(f"lab-{name}-{theme}-projector", None, (1280, 720))
    assert unreached(notebook, root) == []
    # As wide as a page of 1280 pixels at a zoom of 400 %.
    root.evaluate("root => { root.style.width = '320px'; }")
    at_rest(notebook.page)
    assert fits(root)
    screenshot(f"lab-{name}-narrow", notebook.output(1), (1280, 2600))
    hostile = root_of(notebook, 2)
    assert notebook.page.locator('img[src="x"]').count() == 0
    assert notebook.page.evaluate("() => window.hacked") is None
    assert axe(notebook.page, ".dtl-lab") == []
    assert fits(hostile)
    screenshot(f"lab-{name}-hostile", notebook.output(2), (1280, 1600))
