"""The tree builder in real JupyterLab: by mouse, by keyboard, and read back in Python."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.driver import THEMES, at_rest, axe, unfold

START = """
import dtree_lab as dt
table = dt.datasets.tax_fraud()
builder = dt.TreeBuilder(table{})
builder
"""
FOLDED = True
HOSTILE = """
import dtree_lab as dt
markup, quotes = "<img src=x onerror=alert(1)>", '"quotes" & \\'more\\''
names = [markup, quotes, "\\u202eright to left", "🌳🌲", "x" * 300]
columns = {name: ["", "<b>bold</b>", "\\\\"] for name in names}
table = dt.Table.from_columns({**columns, "</script>": ["a", "b", "b"]}, "</script>")
builder = dt.TreeBuilder(table)
builder
"""


def widget(notebook, cell=0):
    shown = notebook.output(cell).locator(".dtl-lab")
    expect(shown).to_be_visible()
    return shown


def node(shown, name):
    return shown.get_by_role("treeitem", name=re.compile(f"^{name}"))


def ask(shown, name):
    return shown.get_by_role("button", name=re.compile(f"^Split by {name}"))


def press(shown, name):
    shown.get_by_role("button", name=name, exact=True).click()


def selected(shown):
    return shown.locator("[role=treeitem][aria-selected=true]").get_attribute("aria-label")


@pytest.mark.jupyter
def test_a_tree_by_mouse_alone(start):
    notebook, shown = start()
    ask(shown, "Marital Status").click()
    notebook.wait_python("builder.tree.n_nodes", 4)
    node(shown, "Cheat = No, 2 rows").click()
    expect(shown.get_by_text("Marital Status is Divorced: 2 rows")).to_be_visible()
    ask(shown, "Refund").click()
    notebook.wait_python("builder.tree.n_nodes", 6)
    press(shown, "Undo")
    notebook.wait_python("builder.tree.n_nodes", 4)
    press(shown, "Redo")
    notebook.wait_python("builder.tree.n_nodes", 6)
    press(shown, "Cut back to a leaf")
    notebook.wait_python("builder.tree.n_nodes", 4)
    press(shown, "Lock")
    expect(shown.get_by_role("button", name="Unlock")).to_be_visible()
    shown.get_by_label("Algorithm to finish with").select_option("CART")
    shown.get_by_role("button", name="Finish with CART").click()
    notebook.wait_python("builder.tree.n_nodes", 8)
    assert notebook.python("builder.tree.error(table)") == pytest.approx(0.1)
    press(shown, "Start over")
    notebook.wait_python("builder.tree.n_nodes", 1)


@pytest.mark.jupyter
def test_a_tree_by_keyboard_alone(start):
    """Enter goes from the tree to the questions and Escape back; arrows walk the tree."""
    notebook, shown = start()
    keys = notebook.page.keyboard
    node(shown, "Cheat = No, 10 rows").focus()
    keys.press("Enter")
    keys.press("Enter")  # the first question, the best
    notebook.wait_python("builder.tree.n_nodes", 4)
    focused = notebook.page.locator(":focus")
    expect(focused).to_be_visible()
    keys.press("Escape")
    expect(focused).to_have_attribute("role", "treeitem")
    keys.press("Home")
    keys.press("ArrowRight")
    expect(shown.get_by_text("Marital Status is Single: 4 rows")).to_be_visible()
    keys.press("ArrowDown")
    expect(shown.get_by_text("Marital Status is Married: 4 rows")).to_be_visible()
    keys.press("End")
    expect(shown.get_by_text("Marital Status is Divorced: 2 rows")).to_be_visible()
    keys.press("ArrowLeft")
    expect(shown.get_by_text("All rows: 10 rows")).to_be_visible()
    assert selected(shown).startswith("Marital Status, 10 rows, entropy 0.881 bits")
    assert notebook.python("builder.state.count('ask')") == 1


def test_a_cut_typed_and_dragged(start):
    notebook, shown = start()
    page = notebook.page
    field = shown.get_by_label("Type a cut of Taxable Income")
    field.fill("80")
    expect(shown.get_by_text("gain 0.192").first).to_be_visible()  # by hand: 0.8813 - 0.7 * 0.9852
    slider = shown.get_by_label("Cut of Taxable Income", exact=True)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 20 / 160, box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in (0.25, 0.5, 0.75):
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    expect(field).not_to_have_value("80")
    dragged = float(field.input_value())
    assert 125 < dragged < 220
    field.fill("80")
    field.press("Enter")
    notebook.wait_python("builder.tree.n_nodes", 3)
    assert notebook.python("builder.tree.root.split.cuts") == (80.0,)


def test_the_lectures_tree_by_hand(start, screenshot):
    """Values can be taken together: Single or Divorced on one side, Married on the other."""
    notebook, shown = start()
    ask(shown, "Refund").click()
    notebook.wait_python("builder.tree.n_nodes", 3)
    node(shown, "Cheat = No, 7 rows").click()
    expect(shown.get_by_text("Refund is No: 7 rows")).to_be_visible()
    shown.get_by_label("Branches of Marital Status", exact=True).click()
    shown.get_by_label("Branch of Divorced", exact=True).select_option("branch 1")
    name = "Split by Marital Status: Single or Divorced / Married"
    together = shown.get_by_role("button", name=name, exact=True)
    expect(together).to_be_visible()
    screenshot("builder-together", shown, size=(1280, 1100))
    assert axe(notebook.page, ".dtl-lab") == []
    together.click()
    notebook.wait_python("builder.tree.n_nodes", 5)
    node(shown, "Cheat = Yes, 4 rows").click()
    field = shown.get_by_label("Type a cut of Taxable Income")
    field.fill("80")
    field.press("Enter")
    notebook.wait_python("builder.tree.n_nodes", 7)
    assert notebook.python("builder.tree.error(table)") == 0.0


def test_a_cut_that_parts_nothing_is_refused_in_words(start):
    notebook, shown = start()
    field = shown.get_by_label("Type a cut of Taxable Income")
    field.fill("20")
    field.press("Enter")
    alert = shown.get_by_role("alert")
    expect(alert).to_contain_text("no row here has Taxable Income < 20")
    assert notebook.python("builder.tree.n_nodes") == 1


def test_gains_are_revealed_after_the_choice(start, screenshot):
    _, shown = start(", reveal='after'")
    expect(shown.get_by_text("gain 0.", exact=False)).to_have_count(0)
    html = shown.inner_html()
    assert "0.281" not in html
    assert "97.5" not in html
    screenshot("builder-hidden", shown)
    ask(shown, "Refund").click()
    cost = "Marital Status would have gained 0.281: your choice cost 0.090 bits."
    expect(shown.get_by_role("status")).to_contain_text(cost)
    expect(shown.get_by_text("gain 0.281").first).to_be_visible()


def test_what_changed_is_said_politely(start):
    _, shown = start()
    status = shown.get_by_role("status")
    expect(status).to_have_attribute("aria-live", "polite")
    press(shown, "Best split here")
    expect(status).to_contain_text("Asked Marital Status: 3 branches. Training error: 3 of 10 rows")
    press(shown, "Undo")
    expect(status).to_contain_text("Undone: the best split.")


def test_the_tree_is_a_tree_to_a_screen_reader(start):
    notebook, shown = start()
    shown.get_by_role("button", name="Finish with ID3").click()
    notebook.wait_python("builder.tree.n_nodes", 10)
    items = shown.get_by_role("tree").get_by_role("treeitem")
    expect(items).to_have_count(10)
    told = items.evaluate_all(
        """all => all.map(item => ["level", "posinset", "setsize"]
          .map(name => Number(item.getAttribute(`aria-${name}`))))"""
    )
    assert told[0] == [1, 1, 1]
    assert sorted(level for level, _, _ in told) == [1] + [2] * 3 + [3] * 4 + [4] * 2
    stops = items.evaluate_all("all => all.filter(item => item.tabIndex === 0).length")
    assert stops == 1  # one stop for the tab key, as the authoring practice has it
    names = items.evaluate_all("all => all.map(item => item.getAttribute('aria-label'))")
    assert "Refund, 4 rows, entropy 1.000 bits" in names


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing(start, screenshot, theme):
    notebook, shown = start()
    notebook.set_theme(theme)
    expect(widget(notebook)).to_be_visible()
    assert axe(notebook.page, ".dtl-lab") == []
    shown.get_by_role("button", name="Finish with ID3").click()
    notebook.wait_python("builder.tree.n_nodes", 10)
    node(shown, "Refund, 4 rows").click()
    expect(shown.get_by_text("Marital Status is Single: 4 rows")).to_be_visible()
    shown.get_by_text("Branches").first.click()
    assert axe(notebook.page, ".dtl-lab") == []
    screenshot(f"builder-{theme}", shown, size=(1280, 1400))
    screenshot(f"builder-{theme}-lecture", size=(1280, 720))
    screenshot(f"builder-{theme}-narrow", shown, size=(420, 2400))
    press(shown, "Large type")
    screenshot(f"builder-{theme}-large", shown, size=(1280, 1600))
    assert axe(notebook.page, ".dtl-lab") == []


@pytest.mark.jupyter
def test_nothing_jumps(start):
    """Neither the notebook nor the widget's own parts move when a person acts."""
    notebook, shown = start()
    where = """() => [".jp-WindowedPanel-outer", ".dtl-lab", ".dtl-part-questions", "[role=tree]"]
      .map(part => document.querySelector(part))
      .map(part => [part.scrollTop, Math.round(part.getBoundingClientRect().top)])"""
    ask(shown, "Marital Status").scroll_into_view_if_needed()
    at_rest(notebook.page, ".dtl-live, .dtl-live *, .jp-WindowedPanel-outer")
    before = notebook.page.evaluate(where)
    ask(shown, "Marital Status").click(no_wait_after=True)
    notebook.wait_python("builder.tree.n_nodes", 4)
    expect(shown.get_by_role("treeitem")).to_have_count(4)
    at_rest(notebook.page, ".dtl-live, .dtl-live *, .jp-WindowedPanel-outer")
    assert notebook.page.evaluate(where) == before


def test_names_are_text_and_nothing_else(start, screenshot):
    notebook, shown = start(source=HOSTILE)
    shown.get_by_role("button", name=re.compile("^Split by <img")).click()
    notebook.wait_python("builder.tree.n_nodes", 4)
    assert shown.locator("img, b, script").count() == 0
    asked = shown.get_by_role("button", name="Split by <img src=x onerror=alert(1)>", exact=True)
    expect(asked).to_have_text("<img src=x onerror=alert(1)>")
    screenshot("builder-hostile", shown, size=(1280, 2400))
    assert axe(notebook.page, ".dtl-lab") == []


def test_two_displays_show_one_tree(lab, open_notebook):
    notebook = open_notebook(lab.add("builder.ipynb", START.format(""), "builder"))
    notebook.run_all()
    ask(widget(notebook), "Refund").click()
    expect(node(widget(notebook, 1), "Refund, 10 rows")).to_be_visible()


@pytest.mark.jupyter
def test_a_notebook_opened_anew_shows_the_picture_alone(start, lab, open_notebook):
    """Saved and opened again without running anything: no "model not found", one picture."""
    notebook, shown = start()
    shown.get_by_role("button", name="Finish with ID3").click()
    notebook.wait_python("builder.tree.n_nodes", 10)
    notebook.settle()
    notebook.save()
    lab.server.stop_kernels()  # with its kernel the widget would come back to life
    again = open_notebook(notebook.name)
    output = again.output(0)
    expect(output.locator("figure.dtl-static")).to_be_visible()
    expect(output.locator("figure.dtl-static")).to_have_count(1)
    expect(output.get_by_text("model not found")).to_be_hidden()


@pytest.mark.jupyter
def test_without_a_kernel_the_picture_and_its_text_stay(start, lab, page):
    """What is saved shows the tree as it was left: on a page without a kernel."""
    notebook, shown = start()
    shown.get_by_role("button", name="Finish with ID3").click()
    notebook.wait_python("builder.tree.n_nodes", 10)
    expect(notebook.output(0).locator("figure.dtl-static")).to_be_hidden()
    notebook.settle()
    notebook.save()
    outputs = lab.read(notebook.name).cells[0].outputs
    kept = next(o for o in outputs if "text/html" in o["data"])
    assert "Taxable Income < 77.5?" in kept["data"]["text/plain"]
    page.goto("about:blank")
    page.set_content(kept["data"]["text/html"])
    picture = page.get_by_role("img", name=re.compile("Decision tree for Cheat: 10 nodes"))
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") > 300
    page.get_by_text("As text").click()
    expect(page.get_by_text("Taxable Income < 77.5?")).to_be_visible()


def test_a_row_is_followed_with_the_reasons_in_words(start, screenshot):
    """By mouse: the way of row 10, and by keyboard the row before it."""
    notebook, shown = start(", validation=table.take([0, 4, 7])")
    unfold(shown)
    shown.get_by_role("button", name="Finish with ID3").click()
    notebook.wait_python("builder.tree.n_nodes", 10)
    shown.get_by_label("Follow", exact=True).select_option("one training row")
    row = shown.get_by_label("Row", exact=True)
    row.fill("10")
    expect(shown.get_by_text("1. Marital Status is Single")).to_be_visible()
    expect(shown.get_by_text("3. Taxable Income is 90, ≥ 77.5")).to_be_visible()
    expect(shown.get_by_text("The row says Yes: right.")).to_be_visible()
    end = node(shown, "Cheat = Yes, 2 rows, entropy 0.000 bits, row 10, right")
    expect(end).to_be_visible()
    assert shown.locator(".dtl-on-path").count() == 3
    screenshot("builder-follow-row", shown, size=(1280, 1300))
    row.press("ArrowLeft")
    expect(shown.get_by_text("Row 9 of the training rows: Refund = No")).to_be_visible()
    expect(shown.get_by_text("1. Marital Status is Married")).to_be_visible()
    notebook.wait_python('\'"follow":["one training",8]\' in builder.state', True)  # noqa: FBT003


def test_all_validation_rows_are_followed(start, screenshot):
    notebook, shown = start(", validation=table.take([0, 4, 7])")
    unfold(shown)
    ask(shown, "Marital Status").click()
    notebook.wait_python("builder.tree.n_nodes", 4)
    shown.get_by_label("Follow", exact=True).select_option("all validation rows")
    # Rows 1, 5 and 8: two are Single, one is Divorced, and all leaves answer No.
    expect(node(shown, "Cheat = No, 4 rows, entropy 1.000 bits, 2 rows, 1 wrong")).to_be_visible()
    expect(shown.get_by_text("3 validation rows, 2 of them come out wrong")).to_be_visible()
    shown.get_by_role("button", name="Marital Status is Divorced", exact=True).click()
    expect(shown.get_by_text("Marital Status is Divorced: 2 rows")).to_be_visible()
    assert axe(notebook.page, ".dtl-lab") == []
    screenshot("builder-follow-all", shown, size=(1280, 1500))
    screenshot("builder-follow-narrow", shown, size=(700, 2400))


@pytest.mark.thorough
def test_two_trees_are_compared(start, screenshot):
    """Keep the full tree, cut a branch, see what differs, and follow a row that does."""
    notebook, shown = start()
    unfold(shown)
    shown.get_by_role("button", name="Finish with ID3").click()
    notebook.wait_python("builder.tree.n_nodes", 10)
    press(shown, "Keep this tree for comparing")
    expect(shown.get_by_text("Your tree and the kept tree are the same tree.")).to_be_visible()
    own = shown.get_by_role("tree").first
    own.get_by_role("treeitem", name=re.compile("^Refund, 4 rows")).click()
    press(shown, "Cut back to a leaf")
    notebook.wait_python("builder.tree.n_nodes", 6)
    said = "Where Marital Status is Single: your tree answers No, the kept tree asks Refund."
    expect(shown.get_by_text(said)).to_be_visible()
    expect(own.get_by_role("treeitem", name=re.compile("differs$"))).to_have_count(1)
    other = shown.get_by_role("tree").last
    only = other.get_by_role("treeitem", name=re.compile("only here$"))
    expect(only).to_have_count(1)
    only.click()
    expect(only).to_have_attribute("aria-selected", "true")
    notebook.page.keyboard.press("ArrowDown")
    expect(other.locator("[aria-selected=true]")).to_have_attribute(
        "aria-label", re.compile("^Cheat = No, 1 row")
    )
    shown.get_by_role("button", name="8", exact=True).click()
    expect(shown.get_by_text("The row says Yes: wrong.")).to_be_visible()
    assert axe(notebook.page, ".dtl-lab") == []
    screenshot("builder-compare", shown, size=(1280, 1900))
    screenshot("builder-compare-narrow", shown, size=(700, 2900))
    notebook.set_theme("dark")
    screenshot("builder-compare-dark", shown, size=(1280, 1900))
    again = notebook.run_cell("dt.TreeBuilder(table, state=builder.state).state == builder.state")
    assert again.text == "True"
