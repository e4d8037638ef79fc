"""The harness itself: a button is clicked in a real notebook, and Python knows."""

from __future__ import annotations

import pytest

from browser.driver import CellError, axe

BUTTON = """
import ipywidgets
presses = []
button = ipywidgets.Button(description="Press me")
button.on_click(lambda _: presses.append(len(presses)))
button
"""


def test_a_click_reaches_python(lab, open_notebook, screenshot):
    notebook = open_notebook(lab.add("button.ipynb", BUTTON, "len(presses)"))
    cells = notebook.run_all()
    assert [cell.text for cell in cells][1] == "0"

    button = notebook.output(0).get_by_role("button", name="Press me")
    button.click()
    notebook.wait_python("presses", [0])
    button.click()
    notebook.wait_python("presses", [0, 1])

    assert notebook.run_cell("print('pressed', len(presses))").text == "pressed 2\n"
    assert notebook.python("button.description") == "Press me"
    assert notebook.rerun(1).text == "2"
    screenshot("harness-button")


@pytest.mark.thorough
def test_the_theme_switches(lab, open_notebook, screenshot):
    notebook = open_notebook(lab.add("theme.ipynb", BUTTON))
    notebook.run_all()
    colours = {}
    for theme in ("dark", "light"):
        notebook.set_theme(theme)
        colours[theme] = notebook.page.evaluate(
            "() => getComputedStyle(document.body).getPropertyValue('--jp-layout-color0')"
        )
        assert axe(notebook.page, ".jp-OutputArea") == []
        screenshot(f"harness-{theme}", notebook.output(0), size=(1920, 1080))
    assert colours["dark"] != colours["light"]


def test_an_error_in_a_cell_is_raised(lab, open_notebook):
    notebook = open_notebook(lab.add("error.ipynb", "x = 1", "x / 0", "x"))
    with pytest.raises(CellError, match=r"cell 1 failed[\s\S]*ZeroDivisionError"):
        notebook.run_all()
    with pytest.raises(CellError, match="NameError"):
        notebook.python("nowhere")
    with pytest.raises(AssertionError, match="x is 1 after"):
        notebook.wait_python("x", 2, seconds=0.1)


def test_axe_finds_what_is_wrong(lab, open_notebook):
    source = "from IPython.display import HTML\nHTML('<button></button>')"
    notebook = open_notebook(lab.add("axe.ipynb", source))
    notebook.run_all()
    notebook.output(0)
    assert any(line.startswith("button-name") for line in axe(notebook.page))


def test_what_is_saved_can_be_read(lab, open_notebook):
    notebook = open_notebook(lab.add("saved.ipynb", "6 * 7"))
    notebook.run_all()
    notebook.save()
    (cell,) = lab.read("saved.ipynb").cells
    assert cell.outputs[0]["data"]["text/plain"] == "42"
