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
# Cells far from what is seen are not in the page, so each is shown before it is measured.
HEIGHT = """async (index) => {
  await drive.showCell(index);
  const { content } = window.jupyterapp.shell.currentWidget;
  const style = getComputedStyle(content.widgets[index].node);
  const margins = parseFloat(style.marginTop) + parseFloat(style.marginBottom);
  return content.widgets[index].node.offsetHeight + margins;
}"""
# One in `make test`, all of them in `make thorough`.
QUICK = ("10-forests",)


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
    notebook.run_all()
    at_rest(notebook.page)
    cells = lab.read(f"{name}.ipynb").cells
    # Markdown, formulas and labs come when their cell is shown first, and are as high as they
    # are a moment later: so all are shown until nothing is of another height than before.
    heights: list[float] = []
    while heights != (heights := [notebook.page.evaluate(HEIGHT, i) for i in range(len(cells))]):
        pass
    ways = [0.0]
    for height, cell in zip(heights, cells, strict=True):
        ways[-1] += height / SCREEN
        if STOP in cell.source:
            ways.append(0.0)
    print(f"{name}: {', '.join(f'{way:.1f}' for way in ways)} screens")
    assert max(ways) <= MOST, ways
