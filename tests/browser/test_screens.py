"""How far it is from one place to stop to the next, in screens of a laptop."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.driver import at_rest

# What JupyterLab leaves of a window of 1280 x 720 for a notebook whose side bar is shut.
SCREEN, MOST = 599, 15
STOP = "**A good place to stop.**"
FOLDER = Path(__file__).parents[2] / "notebooks"
LESSONS = sorted(path.stem for path in FOLDER.glob("[01][0-9]-*.ipynb"))
FURTHER = sorted(f"further/{path.stem}" for path in FOLDER.glob("further/*.ipynb"))
# All cells are in the page, so that they can be measured without a way through all of them.
WHOLE = """() => {
  const { content } = window.jupyterapp.shell.currentWidget;
  content.notebookConfig = { ...content.notebookConfig, windowingMode: "none" };
}"""
HEIGHTS = """() => window.jupyterapp.shell.currentWidget.content.widgets.map(({ node }) => {
  const { marginTop, marginBottom } = getComputedStyle(node);
  return node.offsetHeight + parseFloat(marginTop) + parseFloat(marginBottom);
})"""
# One in `make test`, all of them in `make thorough`.
QUICK = ("04-expressiveness",)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in QUICK else [pytest.mark.thorough])
        for name in (*LESSONS, *FURTHER)
    ],
)
def test_it_is_at_most_fifteen_screens_to_a_place_to_stop(open_notebook, lab, name):
    """Of a lesson that has been run and not answered, as somebody sees it who begins."""
    notebook = open_notebook(f"{name}.ipynb")
    notebook.page.set_viewport_size({"width": 1280, "height": 720})
    notebook.hide_sidebar()
    notebook.page.evaluate(WHOLE)
    notebook.run_all()
    at_rest(notebook.page)
    cells = lab.read(f"{name}.ipynb").cells
    # Formulas and labs are as high as they are a moment later: until nothing changes any more.
    heights: list[float] = []
    while heights != (heights := notebook.page.evaluate(HEIGHTS)):
        at_rest(notebook.page)
    ways = [0.0]
    for height, cell in zip(heights, cells, strict=True):
        ways[-1] += height / SCREEN
        if STOP in cell.source:
            ways.append(0.0)
    print(f"{name}: {', '.join(f'{way:.1f}' for way in ways)} screens")
    assert max(ways) <= MOST, ways
