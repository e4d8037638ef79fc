"""The forest lab in real JupyterLab: by mouse, by keyboard, and read back in Python."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import expect

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from browser.driver import axe

START = """
import dtree_lab as dt
lab = dt.ForestLab({})
lab
"""


def test_forest_lab_by_mouse_and_keyboard(start):
    notebook, shown = start("trees=30")
    notebook.wait_python("lab.forest.n_trees", 30)
    tiles = shown.get_by_role("listbox", name="Trees that vote on row 37").get_by_role("option")
    expect(tiles).to_have_count(30)
    shown.get_by_role("button", name="One more tree").click()
    notebook.wait_python("lab.forest.n_trees", 31)
    expect(tiles).to_have_count(31)
    row = shown.get_by_role("slider", name="Row", exact=True)
    row.focus()
    for _ in range(3):
        row.press("ArrowRight")
    expect(shown.get_by_role("status")).to_contain_text("Row 40: ")
    votes = notebook.python("lab.forest.votes(lab.table.row(39))[0].tolist()")
    sexes = ("female", "male")
    said = ", ".join(f"{n} {name}" for n, name in zip(votes, sexes, strict=True) if n)
    expect(shown.get_by_role("img", name=said, exact=True).first).to_be_visible()
    doubtful = shown.get_by_role("button", name=re.compile(r"^\d+$")).first
    chosen = doubtful.inner_text()
    doubtful.click()
    expect(row).to_have_value(chosen)
    m = shown.get_by_role("slider", name="Attributes drawn at a node")
    m.focus()
    m.press("Home")
    notebook.wait_python("(lab.forest.plan.m, lab.forest.n_trees)", (1, 31))


@pytest.mark.jupyter
@pytest.mark.thorough
def test_an_action_during_the_growing_is_not_lost(start):
    notebook, shown = start("trees=200")
    noise = shown.get_by_role("slider", name="Noise")
    noise.focus()
    noise.press("End")
    notebook.wait_python("lab.state.count('\"noise\":0.5')", 1)
    gaps = shown.get_by_role("slider", name="Values taken away")
    gaps.focus()
    gaps.press("End")
    notebook.wait_python("lab.forest.n_trees", 200, seconds=60)
    expect(shown.get_by_text("by proximity").first).to_be_visible(timeout=60_000)
    same = "dt.random_forest(lab.table, n_trees=200, m=lab.forest.plan.m).trees == lab.forest.trees"
    assert notebook.python(same) is True


@pytest.mark.thorough  # as it opens it is examined by test_labs.py
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_forest_lab(start, screenshot, theme):
    notebook, shown = start()
    notebook.set_theme(theme)
    notebook.wait_python("lab.forest.n_trees", 50, seconds=60)
    gaps = shown.get_by_role("slider", name="Values taken away")
    gaps.focus()
    for _ in range(4):
        gaps.press("ArrowRight")
    noise = shown.get_by_role("slider", name="Noise")
    noise.focus()
    noise.press("PageUp")
    status = shown.get_by_role("status")
    expect(status).to_contain_text("Out of bag the forest errs")
    screenshot(f"forest-{theme}", shown, size=(1280, 1800))
    screenshot(f"forest-{theme}-narrow", shown, size=(760, 3000))
    assert axe(notebook.page, ".dtl-lab") == []


def test_tiles_are_walked_by_keys_and_one_stands_large(new_page):
    """One stop of Tab; the tile that has the focus keeps it when Python answers."""
    lab = outside(lambda: dt.ForestLab(trees=30))
    bare = Bare(new_page(ADDRESS))
    page = bare.page
    page.set_viewport_size({"width": 1130, "height": 599})
    bare.begin(lab.told)
    page.evaluate("() => { window.sent = []; now.send = (action) => sent.push(action); }")
    tiles = page.get_by_role("listbox").get_by_role("option")
    assert tiles.evaluate_all("all => all.filter((one) => one.tabIndex === 0).length") == 1
    tiles.first.focus()
    in_a_line = tiles.evaluate_all(
        "all => all.filter((one) => one.offsetTop === all[0].offsetTop).length"
    )
    for key, at in (("ArrowRight", 1), ("ArrowDown", 1 + in_a_line), ("End", 29), ("Home", 0)):
        page.keyboard.press(key)
        expect(tiles.nth(at)).to_be_focused()
        assert page.evaluate("() => sent.at(-1).row") == at
        sent = page.evaluate("() => sent.at(-1)")
        outside(partial(lab.act, sent))
        bare.show(lab.told)
        expect(tiles.nth(at)).to_be_focused()
        expect(tiles.nth(at)).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("tree", name=f"Tree {at + 1}")).to_be_visible()
    tiles.nth(17).click()
    assert page.evaluate("() => [sent.at(-1).part, sent.at(-1).row]") == ["wall", 17]


def test_a_tile_has_a_mark_for_each_leaf_and_a_branch_for_each_answer(new_page):
    lab = outside(lambda: dt.ForestLab(trees=12))
    bare = Bare(new_page(ADDRESS))
    bare.begin(lab.told)
    tiles = bare.page.get_by_role("listbox").get_by_role("option")
    drawn = tiles.evaluate_all(
        """all => all.map((one) => ["leaves", "branches"]
          .map((name) => one.querySelectorAll(`.dtl-${name} path`).length))"""
    )
    assert drawn == [[tree.n_leaves, tree.n_nodes - 1] for tree in lab.forest.trees]
    named = tiles.evaluate_all(
        "all => all.map((one) => [one.ariaLabel, one.classList.contains('dtl-free')])"
    )
    row = lab.table.row(36)
    for t, (tree, (name, dashed)) in enumerate(zip(lab.forest.trees, named, strict=True)):
        free = lab.forest.rows_drawn(t)[36] == 0
        assert name == f"Tree {t + 1}: {tree.predict(row)}{' (out of bag)' if free else ''}"
        assert dashed == free


def test_one_more_tree_moves_no_other(new_page):
    lab = outside(lambda: dt.ForestLab(trees=44))
    bare = Bare(new_page(ADDRESS))
    bare.page.set_viewport_size({"width": 1130, "height": 599})
    bare.begin(lab.told)
    tiles = bare.page.get_by_role("listbox").get_by_role("option")
    places = "all => all.map((one) => Object.values(one.getBoundingClientRect().toJSON()))"
    before = tiles.evaluate_all(places)
    for n in range(45, 49):
        outside(lambda: lab.act({"do": "more"}))
        bare.show(lab.told)
        after = tiles.evaluate_all(places)
        assert len(after) == n
        assert after[:44] == before
