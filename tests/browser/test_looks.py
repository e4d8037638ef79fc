"""What a lab looks like to an eye and a hand: words apart from each other, targets large enough.

The labs stand on a page without Jupyter (`bare`), so that many states of each are tried.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from browser.labstates import stories

MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")
LEAST, FINGER = 24, 44  # WCAG 2.2's "target size", least and enhanced


@pytest.fixture(scope="module", params=[2, pytest.param(24, marks=pytest.mark.thorough)])
def told(request):
    return outside(lambda: stories(request.param))


@pytest.fixture
def bare(new_page):
    return Bare(new_page(ADDRESS))


def measured(bare, what):
    return bare.page.evaluate(f"() => {MEASURE}.{what}")


def test_no_word_lies_on_another_and_none_is_cut_off(told, bare):
    """In many states of every lab: nor does a rule or a branch go through a word."""
    found = {}
    for name, states in told.items():
        bare.begin(states[0][1])
        bare.page.evaluate(
            "() => document.querySelectorAll('.dtl-drawer').forEach((one) => (one.open = true))"
        )
        for how, state in states:
            bare.show(state)
            wrong = [
                one
                for what in ("collisions()", "struck()", "cut()")
                for one in measured(bare, what)
            ]
            if wrong:
                found[name, how] = wrong
    assert found == {}


def test_everything_that_can_be_pressed_is_large_enough(told, bare):
    """For a pointer, as a lab opens and as it was left, with all unfolded; and for a finger."""
    found = {}
    touch = bare.page.context.new_cdp_session(bare.page)
    for name, states in told.items():
        bare.begin(states[0][1])
        for _, state in (states[0], states[-1]):
            bare.show(state)
            bare.page.evaluate(
                "() => document.querySelectorAll('details').forEach((one) => (one.open = true))"
            )
            found[name] = measured(bare, f"small({LEAST})")
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    assert bare.page.evaluate("() => matchMedia('(pointer: coarse)').matches")
    for name, states in told.items():
        bare.begin(states[0][1])
        found[name, "by touch"] = measured(bare, f"small({FINGER})")
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert found == {key: [] for key in found}


def test_the_cards_of_a_tree_drawn_small_can_be_hit(bare):
    """XOR of five attributes, the smallest that a tree is drawn."""

    def made():
        lab = dt.ExpressivenessLab()
        lab.act({"do": "set", "control": "n", "value": 5})
        return lab.told

    bare.begin(outside(made))
    box = bare.page.locator(".dtl-part-tree")
    for _ in range(2):
        box.get_by_role("button", name="Zoom out").click()
    assert box.locator(".dtl-around").last.bounding_box()["height"] < LEAST
    assert measured(bare, f"small({LEAST})") == []


def test_the_class_of_each_row_is_seen_beside_any_number_of_columns(bare):
    """Where the table is wider than its room, the other columns scroll behind the labels."""
    rows = [{**{f"attribute number {i}": "a" for i in range(9)}, "answer": "yes"}, {}]
    rows[1] = {**rows[0], "attribute number 3": "b", "answer": "no"}

    def made():
        lab = dt.TreeBuilder(dt.Table.from_rows(rows, target="answer"))
        return lab.told

    bare.begin(outside(made))
    for width in (1200, 800, 400):
        bare.page.set_viewport_size({"width": width, "height": 800})
        scroll, last = (
            bare.page.locator(f"[data-id=node-rows] {one}").first.bounding_box()
            for one in (".dtl-scroll", "tbody td:last-child")
        )
        assert last["x"] >= scroll["x"]
        assert last["x"] + last["width"] <= scroll["x"] + scroll["width"] + 1
    bare.page.set_viewport_size({"width": 1280, "height": 720})


def test_a_demo_has_one_button_to_start_over(bare):
    """The page has one, with its key; the lab's own, which does the same, is left out."""

    def made():
        return [(name, one.told) for name in ("tree", "threshold") for one in [dt.demo(name)]]

    for name, told in outside(made):
        for demo, buttons in ((False, ["Start over"]), (True, ["Start over (r)"])):
            bare.begin(told, demo=demo)
            button = bare.page.get_by_role("button", name="Start over")
            assert button.all_inner_texts() == buttons, name


def test_only_where_there_is_a_cell_to_write_in_it_is_offered(bare):
    """Voilà and exported pages have cells too, in elements of the same names, but for show."""

    def made():
        lab = dt.EntropyLab()
        return lab.told

    told = outside(made)
    for around, button in (
        ("jp-Notebook", "Copy the state"),
        ("jp-NotebookPanel", "Keep in this cell"),
    ):
        bare.page.evaluate(
            """around => {
              const main = document.querySelector("main");
              const cell = '<div class="jp-Cell jp-CodeCell"></div>';
              document.body.innerHTML = `<div class="${around}">${cell}</div>`;
              document.querySelector(".jp-CodeCell").append(main);
            }""",
            around,
        )
        bare.begin(told)
        bare.page.get_by_role("button", name=button).wait_for()
        assert bare.page.locator(".dtl-keep > button").all_inner_texts() == [button]
