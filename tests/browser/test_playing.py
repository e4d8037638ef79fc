"""Recorded labs in a browser that has no Python and no network."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import dtree_lab as dt
from browser.driver import axe


@pytest.fixture
def played(new_page, tmp_path):
    """Open a recorded lab as a file, which asks for nothing else."""
    asked = []

    def play(lab, most=20):
        address = lab.record(most=most).save(tmp_path / "lab.html").as_uri()
        page = new_page(address)
        page.on("request", lambda one: asked.append(one.url))
        page.goto(address)
        expect(page.locator(".dtl-play[data-playing]")).to_be_visible()
        return page

    yield play
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []


@pytest.mark.thorough
def test_a_story_is_stepped_through_without_python(played, new_page):
    lab = dt.StepThrough(dt.datasets.tax_fraud())
    page = played(dt.StepThrough(dt.datasets.tax_fraud()))
    forward = page.get_by_role("button", name="Forward", exact=True)
    for _ in range(4):
        forward.click()
        lab.act({"do": "next"})
        expect(page.locator(".dtl-live")).to_contain_text(lab.view["status"])
    page.keyboard.press("Control+z")
    expect(page.locator(".dtl-live")).to_contain_text("Undone.")
    page.keyboard.press("Control+y")
    expect(page.locator(".dtl-live")).to_contain_text(lab.view["result"] or lab.view["status"])
    assert axe(page, "main") == []
    cards = page.get_by_role("treeitem").all_inner_texts()
    other = new_page(page.url)
    other.goto(page.url)
    expect(other.locator(".dtl-play[data-playing]")).to_be_visible()
    assert other.get_by_role("treeitem").all_inner_texts() == cards


def test_what_was_not_recorded_says_so_and_all_stays(played):
    page = played(dt.TreeBuilder(dt.datasets.tax_fraud()), most=1)
    before = page.locator(".dtl-parts").inner_text()
    page.get_by_role("button", name="Best split here").click()
    expect(page.get_by_role("alert")).to_contain_text("not in the recording")
    assert page.locator(".dtl-parts").inner_text() == before


def test_a_tree_is_grown_as_python_grows_it(played):
    """The best split, undone, and done again."""
    lab = dt.TreeBuilder(dt.datasets.tax_fraud())
    page = played(dt.TreeBuilder(dt.datasets.tax_fraud()), most=40)
    ways = [
        ("Best split here", {"do": "best"}),
        ("Undo", {"do": "undo"}),
        ("Redo", {"do": "redo"}),
    ]
    for name, action in ways:
        page.get_by_role("button", name=name, exact=True).first.click()
        lab.act(action)
        expect(page.locator(".dtl-status")).to_have_text(lab.view["status"])
        cards = next(part for part in lab.view["parts"] if part["kind"] == "tree")["tree"]["cards"]
        expect(page.get_by_role("treeitem")).to_have_count(len(cards))
