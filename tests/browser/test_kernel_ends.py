"""A kernel that ends: the lab says so at once, and what was done in it is kept or gone on from."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from browser.driver import axe, later

TABLE = "import dtree_lab as dt\ntable = dt.datasets.tax_fraud()"
BUILDER = "mine = dt.TreeBuilder(table)  # é\nmine"
DIES = "import os; os.kill(os.getpid(), 9)"
KERNEL = "jupyterapp.shell.currentWidget.sessionContext.session.kernel"
# Nobody touches the page meanwhile; JupyterLab restarts by itself what was killed.
ENDS = {
    "restarted": f"() => {KERNEL}.restart()",
    "killed": f"() => void {KERNEL}.requestExecute({{ code: '{DIES}' }})",
}
SAYS = "Python has ended and no longer knows this lab"


def end(notebook, how):
    with suppress(Error):
        notebook.page.evaluate(ENDS[how])
    expect(notebook.output(1).get_by_role("alert")).to_contain_text(SAYS)
    dismiss = notebook.page.get_by_role("button", name="Ok", exact=True)
    if how == "killed":
        dismiss.click()  # JupyterLab's own words about it
    notebook.page.evaluate("() => drive.ready()")


@pytest.fixture
def grown(lab, open_notebook):
    """A notebook with a tree of 3 nodes, grown by hand."""
    notebook = open_notebook(lab.add("ends.ipynb", TABLE, BUILDER))
    notebook.run_all()
    notebook.hide_sidebar()
    box = notebook.live(1)
    box.get_by_role("button", name=re.compile("^Split by Taxable Income")).click()
    expect(box.get_by_role("treeitem")).to_have_count(3)
    return notebook


@pytest.mark.parametrize("how", ["killed", *later("restarted")])
def test_what_was_done_is_kept_from_the_page_alone(how, grown, lab, screenshot):
    state = grown.python("mine.state")
    end(grown, how)
    box = grown.live(1)
    screenshot(f"kernel-{how}", box)
    box.get_by_role("button", name="Keep in this cell").click()
    expect(box.get_by_text("Kept in this cell. Now run the notebook")).to_be_visible()
    screenshot(f"kernel-{how}-kept", box)
    grown.save()
    assert lab.read(grown.name).cells[1].source == BUILDER.replace(
        "(table)", f"(table, state={state!r})"
    )
    grown.run_all()
    assert grown.python("mine.state") == state
    expect(grown.live(1).get_by_role("treeitem")).to_have_count(3)
    expect(grown.live(1).get_by_role("button", name="Go on from there")).to_be_hidden()


@pytest.mark.parametrize("how", ["restarted", *later("killed")])
def test_what_was_not_kept_can_be_gone_on_from(how, grown, screenshot):
    state = grown.python("mine.state")
    end(grown, how)
    grown.run_all()
    grown.run_all()  # also after once more
    assert grown.python("mine.tree.n_nodes") == 1
    box = grown.live(1)
    go = box.get_by_role("button", name="Go on from there")
    go.scroll_into_view_if_needed()
    screenshot(f"kernel-{how}-go-on", box)
    assert axe(grown.page, '[data-windowed-list-index="1"] .jp-OutputArea') == []
    go.click()
    expect(box.get_by_role("treeitem")).to_have_count(3)
    grown.wait_python("mine.state", state)
    go.click()  # and back again
    expect(box.get_by_role("treeitem")).to_have_count(1)


def test_a_cell_that_was_changed_since_is_not_written_into(grown, lab):
    state = grown.python("mine.state")
    cell = "jupyterapp.shell.currentWidget.content.widgets[1].model.sharedModel"
    changed = f"{BUILDER}\nother = dt.TreeBuilder(table)"
    grown.page.evaluate(f"source => {{ {cell}.source = source }}", changed)
    end(grown, "restarted")
    box = grown.live(1)
    box.get_by_role("button", name="Keep in this cell").click()
    expect(box.get_by_text("This cell was changed since it was run")).to_be_visible()
    pasted = box.get_by_role("textbox", name="What to paste").input_value()
    assert pasted == f"state={state!r}"
    grown.save()
    assert lab.read(grown.name).cells[1].source == changed
