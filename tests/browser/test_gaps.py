"""A table with gaps in a real JupyterLab: the lab says what it leaves out, and lists it."""

from __future__ import annotations

import pytest

from browser.driver import axe, unfold

# Of the 344 penguins two were never measured, and of nine more nobody knows the sex.
GAPPY = ["4", "9", "10", "11", "12", "48", "179", "219", "257", "269", "272"]
SAID = {
    "TreeBuilder": ("333 of 344 rows; 11 have gaps and are left out.", GAPPY),
    "PlaneLab": (
        "342 of 344 rows; 2 have gaps in bill_length_mm or bill_depth_mm and are left out.",
        ["4", "272"],
    ),
    "ForestLab": ("333 of 344 rows; 11 have gaps and are left out.", GAPPY),
}


@pytest.fixture
def notebook(lab, open_notebook):
    cells = [f"dt.{name}(dt.datasets.penguins())" for name in SAID]
    opened = open_notebook(lab.add("gaps.ipynb", "import dtree_lab as dt", *cells))
    opened.run_all()
    opened.hide_sidebar()
    return opened


@pytest.mark.thorough
def test_what_is_left_out_is_said_and_listed(notebook, screenshot):
    for cell, (name, (said, rows)) in enumerate(SAID.items(), start=1):
        root = notebook.output(cell).locator(".dtl-lab")
        root.locator(".dtl-title").wait_for()
        root.locator(".dtl-busy").wait_for(state="detached")
        note = root.locator("summary", has_text=said)
        table = root.locator(".dtl-part-folded table")
        assert note.count() == 1, name
        assert not table.is_visible(), name
        note.focus()
        notebook.page.keyboard.press("Enter")
        assert table.locator("tbody th").all_inner_texts() == rows, name
        assert table.locator("tbody tr").first.locator("td").inner_text().startswith("bill_length")
        # Read aloud when it changes, and not with all that is listed.
        live = root.locator('.dtl-part-folded [aria-live="polite"]')
        assert live.all_inner_texts() == [said], name
        for theme in ("light", "dark"):
            notebook.set_theme(theme)
            assert axe(notebook.page, ".dtl-part-folded") == [], name
            screenshot(f"gaps-{name}-{theme}", notebook.output(cell), (1280, 720))


@pytest.mark.thorough
def test_more_classes_than_a_legend_holds(lab, open_notebook):
    """The cards stand without their strips; nothing on the page fails."""
    table = (
        'import dtree_lab as dt\nmany = dt.Table.from_columns({"x": list(range(90)),'
        ' "y": [f"c{i % 45:02}" for i in range(90)]}, "y")'
    )
    cells = ["dt.PruningLab(many)", "dt.ForestLab(many, trees=2)"]
    notebook = open_notebook(lab.add("many.ipynb", table, *cells))
    notebook.run_all()
    for cell in (1, 2):
        notebook.output(cell).locator(".dtl-title").wait_for()
        unfold(notebook.output(cell))
        cards = notebook.output(cell).locator('.dtl-lab [role="treeitem"]')
        cards.first.wait_for()
        assert cards.count() > 1
