"""What is done in a lab is kept in its cell by one click, and counts when all is run anew."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbclient import NotebookClient
from playwright.sync_api import expect

from browser.driver import axe

TABLE = "import dtree_lab as dt\ntable = dt.datasets.tax_fraud()"
BUILDER = 'mine = dt.TreeBuilder(table, reveal="always")  # é "mine"\nmine'
CHECK = 'dt.course.check("tax-fraud/small-tree", mine)'
FRAMES = """async (n) => {
  while (n--) await new Promise(requestAnimationFrame);
}"""
# So long that the editor draws only a part of it.
LONG = "\n".join(f"# line {i}" for i in range(400))


@pytest.fixture
def opened(lab, open_notebook):
    def opens(*cells):
        notebook = open_notebook(lab.add("hand-in.ipynb", *cells))
        notebook.run_all()
        notebook.hide_sidebar()
        return notebook

    return opens


def source(notebook, lab, index):
    notebook.save()
    return lab.read(notebook.name).cells[index].source


def keep(box):
    box.get_by_role("button", name="Keep in this cell").click()


def split(box, notebook):
    """The income below 97.5, then below 80, by keyboard and mouse as a learner does."""
    box.get_by_role("button", name=re.compile("^Split by Taxable Income")).click()
    notebook.wait_python("mine.tree.n_nodes", 3)


def test_one_click_and_the_notebook_run_anew_passes(opened, lab, screenshot):
    notebook = opened(TABLE, BUILDER, CHECK)
    box = notebook.live(1)
    split(box, notebook)
    box.get_by_role("treeitem").nth(1).click()
    box.get_by_role("button", name=re.compile("^Split by Taxable Income")).click()
    notebook.wait_python("mine.tree.n_nodes", 5)
    made = notebook.python("mine.state")
    button = box.get_by_role("button", name="Keep in this cell")
    button.scroll_into_view_if_needed()
    top = button.bounding_box()["y"]
    keep(box)
    expect(box.get_by_text("Kept in this cell")).to_be_in_viewport()
    notebook.page.evaluate(FRAMES, 20)  # in which an editor scrolls to its cursor
    assert abs(button.bounding_box()["y"] - top) < 5  # nothing moves under the pointer
    screenshot("handing-in-page")
    assert axe(notebook.page, '[data-windowed-list-index="1"] .jp-OutputArea') == []
    screenshot("handing-in-kept", box)
    written = source(notebook, lab, 1)
    assert written == BUILDER.replace(
        'always")', f'always", state={notebook.python("repr(mine.state)")!s})'
    )
    read = nbformat.read(lab.path / notebook.name, as_version=4)
    for cell in read.cells:
        cell.outputs = []
    NotebookClient(read, timeout=60, kernel_name="python3").execute()
    assert read.cells[2].outputs[0]["data"]["text/plain"].startswith("PASS")
    notebook.rerun(1)
    assert notebook.python("mine.state") == made
    assert notebook.rerun(2).text.startswith("PASS")


@pytest.mark.thorough
def test_kept_once_more_the_newest_counts_and_keys_do_it(opened, lab):
    notebook = opened(TABLE, BUILDER)
    box = notebook.live(1)
    keep(box)
    expect(box.get_by_text("Kept in this cell")).to_be_visible()
    first = source(notebook, lab, 1)
    split(box, notebook)
    box.get_by_role("button", name="Keep in this cell").focus()
    notebook.page.keyboard.press("Enter")
    expect(box.get_by_text("Kept in this cell")).to_be_visible()
    notebook.page.wait_for_function("document.activeElement.textContent === 'Keep in this cell'")
    second = source(notebook, lab, 1)
    assert first.count("state=") == second.count("state=") == 1
    assert first != second
    assert notebook.python(
        f"dt.TreeBuilder(table, state={notebook.python('mine.state')!r}).tree == mine.tree"
    )


@pytest.mark.thorough
def test_a_cell_of_which_only_a_part_is_drawn(opened, lab):
    notebook = opened(TABLE, f"{LONG}\nmine = dt.TreeBuilder(table)\n{LONG}\nmine")
    box = notebook.live(1)
    button = box.get_by_role("button", name="Keep in this cell")
    button.scroll_into_view_if_needed()
    button.click()
    expect(box.get_by_text("Kept in this cell")).to_be_visible()
    state = notebook.python("repr(mine.state)")
    wanted = f"{LONG}\nmine = dt.TreeBuilder(table, state={state!s})\n{LONG}\nmine"
    assert source(notebook, lab, 1) == wanted


@pytest.mark.thorough
def test_a_cell_that_does_not_make_the_lab_stays_as_it_is(opened, lab, screenshot):
    notebook = opened(TABLE, BUILDER, "mine")
    box = notebook.live(2)
    keep(box)
    expect(box.get_by_text("No dt.TreeBuilder(…) stands in this cell")).to_be_visible()
    pasted = box.get_by_role("textbox", name="What to paste").input_value()
    assert notebook.python(f"dict({pasted})['state'] == mine.state")
    for theme in ("dark", "light"):
        notebook.set_theme(theme)
        assert axe(notebook.page, '[data-windowed-list-index="2"] .jp-OutputArea') == []
        screenshot(f"handing-in-paste-{theme}", box.locator(".dtl-keep"))
    assert source(notebook, lab, 2) == "mine"


@pytest.mark.thorough
def test_a_cell_that_may_not_be_edited_gets_its_code_to_paste(opened, lab):
    notebook = opened(TABLE, BUILDER)
    cell = "jupyterapp.shell.currentWidget.content.widgets[1]"
    notebook.page.evaluate(f"() => {cell}.model.setMetadata('editable', false)")
    box = notebook.live(1)
    keep(box)
    expect(box.get_by_text(re.compile("To keep the lab"))).to_be_visible()
    assert "state=" in box.get_by_role("textbox", name="What to paste").input_value()
    assert source(notebook, lab, 1) == BUILDER


def test_where_there_is_no_cell_the_state_is_copied(opened, lab):
    """In a view of its own, as for a second window."""
    notebook = opened(TABLE, BUILDER)
    notebook.output(1).locator(".dtl-lab").wait_for()
    state = notebook.python("repr(mine.state)")
    notebook.page.evaluate(
        "() => { jupyterapp.shell.currentWidget.content.activeCellIndex = 1;"
        " return jupyterapp.commands.execute('notebook:create-output-view'); }"
    )
    view = notebook.page.locator(".jp-LinkedOutputView")
    view.get_by_role("button", name="Copy the state").click()
    expect(view.get_by_text("add this argument where it is made (it is copied):")).to_be_visible()
    pasted = view.get_by_role("textbox", name="What to paste")
    assert pasted.input_value() == f"state={state!s}"
    assert notebook.page.locator(":focus").inner_text() == "Copy the state"
