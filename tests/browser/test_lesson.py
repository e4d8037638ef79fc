"""The lessons as a learner goes through them, in real JupyterLab: the first one step by step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.driver import axe

LESSON = "01-tax-fraud.ipynb"
NOTEBOOKS = sorted(p.name for p in Path(__file__).parents[2].glob("notebooks/*.ipynb"))


def test_a_learner_grows_a_tree_and_uses_it_in_the_next_cell(open_notebook, screenshot):
    """By mouse, then by keyboard alone, undo, finish with ID3, and the next cell knows the tree."""
    notebook = open_notebook(LESSON)
    cells = notebook.run_all()  # raises at the first cell that fails
    built = next(cell for cell in cells if "builder = dt.TreeBuilder(table)" in cell.source)
    following = next(cell for cell in cells if "tree = builder.tree" in cell.source)
    notebook.hide_sidebar()
    shown = notebook.output(built.index).locator(".dtl-lab")
    keys = notebook.page.keyboard

    shown.get_by_role("button", name=re.compile("^Split by Marital Status")).click()
    notebook.wait_python("builder.tree.n_nodes", 4)
    screenshot("lesson-1-split")

    shown.get_by_role("treeitem", name=re.compile("^Marital Status, 10 rows")).focus()
    keys.press("End")  # the last branch: Divorced
    expect(shown.get_by_text("Marital Status is Divorced: 2 rows")).to_be_visible()
    keys.press("Enter")  # to the questions, of which Refund is the first
    keys.press("Enter")
    notebook.wait_python("builder.tree.n_nodes", 6)

    shown.get_by_role("button", name="Undo", exact=True).click()
    notebook.wait_python("builder.tree.n_nodes", 4)
    shown.get_by_role("button", name="Finish with ID3").click()
    notebook.wait_python("builder.tree == dt.id3(table)", expected=True)

    told = notebook.rerun(following.index).text
    assert told.startswith("nodes: 10, depth: 3, training error: 0%")
    assert "It says about our person: Yes" in told
    assert notebook.python("dt.TreeBuilder(table, state=builder.state).tree == builder.tree")


@pytest.mark.thorough  # its labs are examined by test_labs.py, what is fixed by tests/site
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_lesson_in_both_themes(open_notebook, screenshot, theme):
    """Every output of the page, in light and dark, under axe."""
    notebook = open_notebook(LESSON)
    cells = notebook.run_all()
    notebook.hide_sidebar()
    notebook.set_theme(theme)
    for cell in cells:
        if "display_data" in cell.types or "execute_result" in cell.types:
            output = notebook.output(cell.index)
            expect(output).to_be_visible()
            place = f'[data-windowed-list-index="{cell.index}"] .jp-OutputArea'
            assert axe(notebook.page, place) == []
    screenshot(f"lesson-1-end-{theme}")


def test_an_exercise_answers_on_the_spot(lab, open_notebook, screenshot):
    """A wrong answer gets its hint, a right one passes: in a notebook of the lesson's cells."""
    sources = [cell.source for cell in lab.read(LESSON).cells if cell.cell_type == "code"]
    check = 'dt.course.check("tax-fraud/cost"'
    begins = ("import dtree_lab as dt", "table = ", "cost = ...", check)
    cells = [text for text in sources if text.startswith(begins)]
    assert len(cells) == len(begins)
    notebook = open_notebook(lab.add("cost.ipynb", *cells))
    *_, check = notebook.run_all()
    assert "not answered" in check.text.lower()
    notebook.run_cell("cost = dt.information_gain(table, 'Refund')")
    assert "not yet" in notebook.rerun(check.index).text.lower()
    notebook.run_cell("cost = dt.compare(table).best.gain - dt.information_gain(table, 'Refund')")
    assert "pass" in notebook.rerun(check.index).text.lower()
    notebook.hide_sidebar()
    notebook.output(check.index)
    screenshot("lesson-1-exercise")


# The gallery, which has every lab, each time: test_lessons.py runs all of them for real.
OTHERS = [
    name if name == "labs.ipynb" else pytest.param(name, marks=pytest.mark.thorough)
    for name in NOTEBOOKS
    if name != LESSON
]


@pytest.mark.parametrize("name", OTHERS)
def test_every_notebook_runs_and_shows_its_labs(name, open_notebook):
    """From top to bottom, in the browser; each lab is live and can be read by a screen reader."""
    notebook = open_notebook(name)
    cells = notebook.run_all()  # raises at the first cell that fails
    notebook.hide_sidebar()
    labs = [
        cell
        for cell in cells
        if re.search(r"dt\.(\w*Lab|TreeBuilder|StepThrough|Practice)\(", cell.source)
    ]
    assert labs or name.startswith(("00", "exam"))  # which have none
    for cell in labs:
        if "display_data" not in cell.types:
            continue  # made here and shown elsewhere
        shown = notebook.output(cell.index)
        expect(shown.locator(".dtl-title, .dtl-lab").first).to_be_visible(timeout=60_000)
        assert axe(notebook.page, f'[data-windowed-list-index="{cell.index}"] .jp-OutputArea') == []
