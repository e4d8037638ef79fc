"""A lab in Notebook 7, the other notebook that people have."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.driver import axe


def nodes(shown):
    return shown.get_by_role("treeitem")


def test_a_lab_in_notebook_7(lab, open_notebook, picture):
    """By mouse, by keyboard, and read back in Python."""
    source = "import dtree_lab as dt\nlab = dt.TreeBuilder(dt.datasets.tax_fraud())\nlab"
    notebook = open_notebook(lab.add("seven.ipynb", source), app="notebooks")
    notebook.run_all()
    shown = notebook.output(0).locator(".dtl-lab")
    shown.get_by_role("button", name="Split by Refund", exact=True).click()
    notebook.wait_python("lab.tree.n_nodes", 3)
    expect(nodes(shown)).to_have_count(3)
    nodes(shown).first.focus()
    for key in ("ArrowRight", "Enter", "Enter"):  # to the first branch, and its best question
        notebook.page.keyboard.press(key)
    notebook.wait_python("lab.tree.n_nodes > 3", expected=True)
    assert axe(notebook.page, ".dtl-lab") == []
    picture("notebook-7", notebook.page)
