"""The pruning lab in real JupyterLab: by mouse, by keyboard, and read back in Python."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

START = """
import dtree_lab as dt
lab = dt.PruningLab({})
truth = dt.prune.reduced_error(lab.full, lab.validation)
lab
"""
CUTS = "{cut.path for cut in lab.tree.cuts}"


def button(shown, name):
    return shown.get_by_role("button", name=name, exact=True)


def node(shown, name):
    return shown.get_by_role("treeitem", name=re.compile(f"^{re.escape(name)}"))


@pytest.mark.jupyter
def test_pruned_by_mouse_alone(start, screenshot):
    notebook, shown = start()
    screenshot("pruning-window", shown, size=(1280, 720))
    button(shown, "Large type").click()
    screenshot("pruning-large", shown, size=(1500, 1400))
    button(shown, "Large type").click()
    for n in (1, 2, 3):
        button(shown, "Prune the best node").click()
        notebook.wait_python(f"lab.tree == truth.after({n})", expected=True)
    expect(button(shown, "Prune the best node")).to_have_attribute("aria-disabled", "true")
    expect(shown.get_by_text(re.compile("9 nodes; 17, now 15 of 80"))).to_be_visible()
    # Grow back the first, in the middle of the others, and prune another by hand.
    first, *rest = notebook.python("[cut.path for cut in truth.cuts]")
    shown.get_by_role("treeitem", name=re.compile("82 rows.*, pruned$")).click()
    button(shown, "Grow it back").click()
    notebook.wait_python(CUTS, set(rest))
    button(shown, "Prune this node").click()
    notebook.wait_python(CUTS, {first, *rest})
    # Off and on; hidden and shown.
    shown.get_by_label("Pruning on").click()
    notebook.wait_python("lab.tree == lab.full", expected=True)
    shown.get_by_label("Pruning on").click()
    notebook.wait_python("lab.tree == truth", expected=True)
    faded = shown.locator(".dtl-faded")
    expect(faded.first).to_be_attached()
    shown.get_by_label("Show what is pruned").click()
    expect(faded).to_have_count(0)
    expect(shown.get_by_role("treeitem")).to_have_count(9)
    # A row that changes, and its way.
    shown.get_by_role("button", name=re.compile("^Row ")).first.click()
    expect(shown.get_by_text(re.compile("The way of validation row"))).to_be_visible()
    for theme in ("light", "dark"):
        notebook.set_theme(theme)
        screenshot(f"pruning-{theme}", shown, size=(1280, 2000))
    screenshot("pruning-narrow", shown, size=(760, 2600))


def test_dragged_along_the_curve(start):
    notebook, shown = start("method='cost_complexity'")
    sizes = "[dt.prune.cost_complexity(lab.full, a).n_nodes for a in {}]"
    path = "dt.prune.cost_complexity_path(lab.full).alphas.tolist()"
    known = notebook.python(sizes.format(path))
    plane = shown.locator(".dtl-plot .dtl-plane")
    box = plane.bounding_box()
    mouse, middle = notebook.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + box["width"] - 20, middle)
    mouse.down()
    mouse.move(box["x"] + box["width"] / 2, middle, steps=8)
    mouse.move(box["x"] + 2, middle, steps=8)
    notebook.wait_python("lab.tree.n_nodes", 1)
    mouse.up()
    # By keys, from tree to tree, and back to the full tree.
    slider = shown.get_by_role("slider", name="Nodes of the tree")
    expect(slider).to_be_focused()
    expect(slider).to_have_value("1")
    for size in known[-2::-1]:
        notebook.page.keyboard.press("ArrowRight")
        expect(slider).to_have_value(str(size))
        notebook.wait_python("lab.tree.n_nodes", size)
    expect(slider).to_have_attribute(
        "aria-valuetext", re.compile("validation rows wrong; the best")
    )


def test_pruned_by_keyboard_alone(start):
    notebook, shown = start()
    keys = notebook.page.keyboard
    shown.get_by_label("Method", exact=True).focus()
    keys.press("Tab")
    expect(button(shown, "Prune the best node")).to_be_focused()
    keys.press("Enter")
    notebook.wait_python("lab.tree == truth.after(1)", expected=True)
    # In the tree: to the root, to its first child; then back to the button that prunes it.
    shown.locator("[role=treeitem][aria-selected=true]").focus()
    keys.press("Home")
    keys.press("ArrowRight")
    expect(shown.get_by_text("Node 2 asks")).to_be_visible()
    button(shown, "Prune this node").focus()
    keys.press(" ")
    first = notebook.python("truth.cuts[0].path")
    notebook.wait_python(CUTS, {first, (0,)})
    expect(button(shown, "Prune this node")).to_be_focused()
    keys.press("Tab")
    expect(button(shown, "Grow it back")).to_be_focused()
    keys.press("Enter")
    notebook.wait_python(CUTS, {first})
    # The first node of the table, which is the best one.
    shown.get_by_role("button", name=re.compile(r"^\d+: ")).first.focus()
    keys.press("Enter")
    expect(shown.get_by_text(re.compile(r"as a leaf: pruning it spares \d"))).to_be_visible()
    shown.get_by_label("Method", exact=True).focus()
    keys.press("p")
    shown.get_by_role("slider", name="Confidence").focus()
    keys.press("ArrowLeft")
    notebook.wait_python("lab.tree == dt.prune.pessimistic(lab.full, 0.24)", expected=True)
    again = notebook.python("dt.PruningLab(state=lab.state).tree == lab.tree")
    assert again is True
