"""The plane beside a tree in the page: boxes come with questions and go with Undo, marks stay."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from browser.driver import at_rest

START = """
import dtree_lab as dt
table = dt.datasets.tax_fraud()
builder = dt.TreeBuilder(table)
builder
"""
FOLDED = True
# The outlines of the boxes in the colour of each class, as many as there are.
BOXES = """plot => [...plot.querySelectorAll(".dtl-area")]
  .map((area) => (area.getAttribute("d").match(/M/g) ?? []).length)"""
MARK = "plot => plot.querySelectorAll('*').forEach((one) => (one.stood = true))"
ROWS = """plot => [...plot.querySelectorAll("[data-row]")].map((row) => [
  Number(row.dataset.row), row.stood === true, row.getAttribute("transform")])"""


def plot(shown):
    return shown.locator("[data-id=plane] .dtl-plot")


def choose(shown, name, value):
    shown.get_by_role("combobox", name=name, exact=True).select_option(label=value)


def test_boxes_appear_with_a_question_and_undo_takes_them_back(start, screenshot):
    notebook, shown = start()
    assert plot(shown).evaluate(BOXES) == [1]
    rows = plot(shown).evaluate(ROWS)
    assert sorted(row for row, *_ in rows) == list(range(10))
    plot(shown).evaluate(MARK)
    shown.get_by_role("button", name="Split by Taxable Income").click()
    notebook.wait_python("builder.tree.n_nodes", 3)
    shown.get_by_role("button", name="Split by Marital Status").wait_for()
    assert plot(shown).evaluate(BOXES) == [2]
    screenshot("plane-beside-the-tree", shown)
    after = plot(shown).evaluate(ROWS)
    assert after == [[row, True, place] for row, _, place in rows], "no mark is new, none has moved"
    shown.get_by_role("button", name="Undo", exact=True).click()
    notebook.wait_python("builder.tree.n_nodes", 1)
    expect(shown.get_by_role("button", name="Redo", exact=True)).not_to_have_attribute(
        "aria-disabled", "true"
    )
    assert plot(shown).evaluate(BOXES) == [1]
    assert all(stood for _, stood, _ in plot(shown).evaluate(ROWS))


def test_a_click_on_a_box_chooses_its_node_and_menus_choose_the_attributes(start):
    notebook, shown = start()
    shown.get_by_role("button", name="Split by Marital Status").click()
    notebook.wait_python("builder.tree.n_nodes", 4)
    choose(shown, "Across", "Refund")
    notebook.wait_python("'plane' in builder.state", expected=True)
    choose(shown, "Up", "Marital Status")
    said = re.compile("^The plane of Refund and Marital Status, with 3 boxes")
    expect(plot(shown)).to_have_attribute("aria-label", said)
    box = plot(shown).locator(".dtl-plane").bounding_box()
    # Lanes lie from below: the second of three is the middle.
    at = box["x"] + box["width"] / 3, box["y"] + box["height"] / 2
    notebook.page.mouse.click(*at)
    chosen = shown.locator("[role=treeitem][aria-selected=true]")
    expect(chosen).to_have_attribute("aria-label", "Cheat = No, 4 rows, entropy 0.000 bits")
    shown.get_by_role("checkbox", name="Plane").click()
    expect(plot(shown)).to_have_count(0)
    shown.get_by_role("checkbox", name="Plane").click()
    expect(plot(shown)).to_be_visible()


def test_nothing_in_a_plane_is_cut_off_or_lies_on_something_else(new_page):
    """The names of axes and lanes, in a laptop's window and on a projector."""

    def told():
        lab = dt.TreeBuilder(dt.datasets.tax_fraud())
        found = [lab.told]
        for message in ({"do": "best"}, {"do": "finish", "option": "ID3"}):
            lab.act(message)
            found.append(lab.told)
        return found

    page = new_page(ADDRESS)
    bare = Bare(page)
    for size in ((1130, 599), (1770, 959), (800, 599)):
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        for state in outside(told):
            bare.begin(state)
            at_rest(page)
            boxes = page.evaluate(
                """() => {
                  const svg = document.querySelector("[data-id=plane] svg");
                  const room = svg.getBoundingClientRect();
                  return [...svg.querySelectorAll("text:not(.dtl-halo)")].map((one) => {
                    const { left, right, top, bottom } = one.getBoundingClientRect();
                    const inside = left >= room.left - 1 && right <= room.right + 1;
                    return [one.textContent, inside && bottom <= room.bottom + 1,
                      left, right, top, bottom];
                  });
                }"""
            )
            assert all(inside for _, inside, *_ in boxes), boxes
            for i, (one, _, *a) in enumerate(boxes):
                for other, _, *b in boxes[:i]:
                    apart = a[0] >= b[1] or b[0] >= a[1] or a[2] >= b[3] - 1 or b[2] >= a[3] - 1
                    assert apart, (size, one, other)
