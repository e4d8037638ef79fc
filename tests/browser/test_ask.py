"""A question's card in real JupyterLab: chosen by keys, committed, and kept in its cell."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient
from playwright.sync_api import expect

from browser.driver import axe

SETUP = "import dtree_lab as dt"
PAIR = 'parts = dt.course.ask("tax-fraud/parts")  # é\nparts'
CHECK = 'dt.course.check("tax-fraud/parts", parts)'
GUESS = 'dt.course.ask(\n    "tax-fraud/widow",\n    truth="No",\n)'
NUMBER = 'dt.course.ask("tax-fraud/disagree", truth=40)'


def source(notebook, lab, index):
    notebook.save()
    return lab.read(notebook.name).cells[index].source


def opened(lab, open_notebook, *cells):
    notebook = open_notebook(lab.add("ask.ipynb", SETUP, *cells))
    notebook.run_all()
    notebook.hide_sidebar()
    return notebook


# What JupyterLab's own keys would have changed, and where they go.
STANDS = """() => {
  const cells = [...document.querySelectorAll(".jp-Notebook .jp-Cell")];
  const at = cells.findIndex((cell) => cell.contains(document.activeElement));
  return [cells.length, at, Boolean(document.activeElement.closest(".dtl-chooses"))];
}"""


# By then a card that takes the focus has it.
FRAMES = """async () => {
  for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
}"""


def test_run_and_answered_by_keyboard_alone_wrong_and_then_right(lab, open_notebook, screenshot):
    notebook = open_notebook(lab.add("keys.ipynb", SETUP, PAIR, CHECK))
    page, keys = notebook.page, notebook.page.keyboard

    def stands(wanted):
        page.wait_for_function(f"String(({STANDS})()) === '{wanted}'")

    def output(index):  # as a person looks at it, without making its cell the active one
        return page.locator(f'.jp-Cell[data-windowed-list-index="{index}"] .jp-OutputArea').first

    page.locator(".jp-Notebook .jp-Cell .cm-content").first.click()
    keys.press("Shift+Enter")
    keys.press("Shift+Enter")
    stands("3,1,true")  # the card takes the focus, whose letters would cut and insert cells
    box = output(1).locator(".dtl-live")
    expect(box.get_by_text("Choose by mouse, or press A to D; Enter commits.")).to_be_visible()
    for key in ("b", "2", "Enter"):
        keys.press(key)
    expect(box.get_by_text("B, because: 2 is not it; a part of it may be right")).to_be_visible()
    notebook.wait_python("parts.answer", ("B", 2))
    expect(box.get_by_text("Your answer stands in this cell")).to_be_visible()
    for key in ("Enter", "Space"):
        keys.press(key)  # the same once more
    expect(box.get_by_text("This answer is committed")).to_be_visible()
    stands("3,1,true")
    screenshot("ask-keys", box)
    for key in ("d", "c", "1", "Enter"):
        keys.press(key)
    expect(box.get_by_text("✓ PASS", exact=True)).to_be_visible()
    notebook.wait_python(
        "(parts.answer, parts.first, parts._state.commits)", (("C", 1), ("B", 2), 2)
    )
    keys.press("x")  # the card has the focus still
    stands("3,1,true")
    keys.press("Shift+Enter")
    stands("3,2,false")  # on, and nothing has run again
    keys.press("Shift+Enter")
    expect(output(2).get_by_text("The verdict stands in the card")).to_be_visible()
    expect(page.get_by_text("NOT ANSWERED YET")).to_have_count(0)


def test_chosen_by_keys_committed_and_kept_with_the_first_try(lab, open_notebook, screenshot):
    notebook = opened(lab, open_notebook, PAIR, CHECK)
    box, keys = notebook.live(1), notebook.page.keyboard
    notebook.page.evaluate(FRAMES)
    # Run with all others it does not take the focus, and promises no keys where they do not go.
    assert notebook.page.evaluate(STANDS)[2] is False
    expect(box.get_by_text("come here with Tab or Shift+Tab")).to_be_visible()
    reasons = box.get_by_role("group", name="And because?")
    first = box.get_by_role("radio").first
    expect(reasons).to_be_hidden()
    first.focus()
    keys.press("ArrowDown")  # the page's own way from A to B
    expect(reasons).to_be_visible()
    keys.press("2")
    keys.press("Enter")
    expect(box.get_by_text("That reason describes a leaf")).to_be_visible()
    expect(box.get_by_text("Your answer stands in this cell")).to_be_visible()
    assert notebook.python("parts.answer") == ("B", 2)
    wanted = PAIR.replace('parts")', 'parts", answer=("B", 2))')
    assert source(notebook, lab, 1) == wanted
    # The focus is where it was, in the card: letters go on choosing.
    notebook.page.wait_for_function("document.activeElement.textContent === 'Commit'")
    # All of it, verdict included, is on one screen of a laptop; an option is a finger's target.
    assert box.bounding_box()["height"] < 599
    sizes = [one.bounding_box()["height"] for one in box.locator("label.dtl-option").all()]
    assert min(sizes) >= 44
    screenshot("ask-not-yet", box)
    for theme in ("dark", "light"):
        notebook.set_theme(theme)
        assert axe(notebook.page, '[data-windowed-list-index="1"] .jp-OutputArea') == []
    keys.press("c")
    keys.press("1")
    box.get_by_role("button", name="Commit").click()
    expect(box.get_by_text("✓ PASS", exact=True)).to_be_visible()
    expect(box.get_by_text("Your first try")).to_be_visible()
    wanted = PAIR.replace('parts")', 'parts", answer=("C", 1), first=("B", 2))')
    code = notebook.page.locator('[data-windowed-list-index="1"] .cm-content')
    expect(code).to_contain_text('first=("B", 2)')
    assert source(notebook, lab, 1) == wanted
    screenshot("ask-pass", box)
    assert notebook.rerun(2).text.startswith("PASS")
    again = notebook.rerun(1)
    assert "(•) C" in again.text
    assert notebook.python("(parts.answer, parts.first)") == (("C", 1), ("B", 2))
    expect(notebook.output(1).get_by_role("radio", checked=True)).to_have_count(2)
    expect(notebook.output(1).get_by_role("button", name="Committed")).to_be_visible()
    read = nbformat.read(lab.path / notebook.name, as_version=4)
    for cell in read.cells:
        cell.outputs = []
    NotebookClient(read, timeout=60, kernel_name="python3").execute()
    assert read.cells[2].outputs[0]["data"]["text/plain"].startswith("PASS")
    assert any("PASS" in one["data"]["text/plain"] for one in read.cells[1].outputs[1:])


@pytest.mark.thorough
def test_a_guess_is_final_and_shows_the_truth_after_it(lab, open_notebook, screenshot):
    notebook = open_notebook(lab.add("ask.ipynb", SETUP, GUESS, NUMBER))
    keys = notebook.page.keyboard
    notebook.page.locator(".jp-Notebook .jp-Cell .cm-content").first.click()
    for key in ("Shift+Enter", "Shift+Enter", "Enter"):
        keys.press(key)
    expect(notebook.page.get_by_role("button", name="Commit")).to_be_visible()
    notebook.page.evaluate(FRAMES)
    # Who has gone on to write in another cell goes on writing there.
    assert notebook.page.evaluate(STANDS) == [3, 2, False]
    notebook.rerun(2)
    notebook.hide_sidebar()
    box = notebook.live(1)
    expect(box.get_by_text("It is No")).to_have_count(0)
    box.get_by_text("error", exact=True).click()
    box.get_by_role("button", name="Commit").click()
    expect(box.get_by_text("You said error. It is No.")).to_be_visible()
    expect(box.get_by_text("Your answer stands")).to_be_visible()
    wanted = GUESS.replace('"No",', '"No", answer="error",')
    assert source(notebook, lab, 1) == wanted
    box.get_by_text("Yes", exact=True).click(force=True)
    expect(box.get_by_role("radio", name="A error")).to_be_checked()
    screenshot("ask-guess", box)

    box = notebook.live(2)
    field = box.get_by_role("textbox", name="Your number")
    expect(box.get_by_role("button", name="Commit")).to_have_attribute("aria-disabled", "true")
    field.fill("52")
    notebook.page.keyboard.press("Enter")
    expect(box.get_by_text("You said 52. It is 40.")).to_be_visible()
    expect(box.get_by_text("Your answer stands")).to_be_visible()
    assert source(notebook, lab, 2) == NUMBER.replace("40)", "40, answer=52)")
    screenshot("ask-number", box)
    assert axe(notebook.page, ".jp-OutputArea") == []


@pytest.mark.thorough
def test_where_the_cell_does_not_ask_the_card_says_what_to_paste(lab, open_notebook):
    notebook = opened(lab, open_notebook, PAIR, "parts")
    box = notebook.live(2)
    box.get_by_role("radio").first.focus()
    for key in ("c", "1", "Enter"):
        notebook.page.keyboard.press(key)
    expect(box.get_by_text("No dt.course.ask(…) stands in this cell")).to_be_visible()
    pasted = box.get_by_role("textbox", name="What to paste").input_value()
    assert pasted == 'answer=("C", 1)'
    assert source(notebook, lab, 2) == "parts"
