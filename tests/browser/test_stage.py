"""Lectures and demos before a class: every key in view, in type that a last row reads."""

from __future__ import annotations

import os
import re
import signal
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

import dtree_lab as dt
from browser import server as servers
from browser.driver import at_rest, axe, later
from browser.walking import HAS_GONE_ON, another_kernel, kernel_of


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Where ``dtree-lab`` with some words shows its windows."""
    with ExitStack() as stack:
        known = {}

        def addresses(*words):
            if words not in known:
                home = tmp_path_factory.mktemp("stage")
                known[words] = stack.enter_context(servers.windows(home, *words))
            return known[words]

        yield addresses


@pytest.fixture
def window(served, new_page):
    """Open the audience's window, or the presenter's, of ``dtree-lab`` with some words."""

    def begin(*words, presenter=False):
        address = served(*words)[presenter]
        page = new_page(address)
        page.goto(address)
        if not presenter:
            expect(page.locator("#stage")).to_have_attribute("data-drawn", re.compile(r"\d"))
        return page

    return begin


def press(page, key):
    """Press a key and wait until the window shows another step."""
    before = page.locator("#stage").get_attribute("data-drawn")
    page.keyboard.press(key)
    page.wait_for_function(HAS_GONE_ON, arg=before)


def nodes(page):
    return page.locator(".lab").get_by_role("treeitem")


def test_one_key_goes_on_and_one_goes_back(window, picture):
    page = window("demo", "tree")
    expect(nodes(page)).to_have_count(1)
    for key, count in [("PageDown", 4), ("n", 6), ("PageUp", 4), ("PageDown", 6), ("b", 4)]:
        page.keyboard.press(key)
        expect(nodes(page)).to_have_count(count)
    picture("demo-tree-light", page)
    page.keyboard.press("r")
    expect(nodes(page)).to_have_count(1)
    assert axe(page, "#stage") == []


def test_two_windows_are_in_step_and_one_may_be_reloaded(window):
    page, own = window("demo", "tree"), window("demo", "tree", presenter=True)
    expect(own.locator("#where")).to_contain_text("Scene 1 of 1")
    own.keyboard.press("PageDown")
    expect(nodes(page)).to_have_count(4)
    page.reload()
    expect(nodes(page)).to_have_count(4)
    mirror = own.frame_locator("#now iframe")
    expect(mirror.get_by_role("treeitem")).to_have_count(4)
    page.keyboard.press("r")
    expect(mirror.get_by_role("treeitem")).to_have_count(1)


@pytest.mark.parametrize("fate", ["killed", *later("hung", "restarted")])
def test_whatever_happens_to_the_kernel_the_picture_stays_and_the_next_key_works(
    window, served, fate
):
    page, own = window("demo", "steps"), window("demo", "steps", presenter=True)
    page.keyboard.press("r")
    expect(page.locator("#stage")).to_have_attribute("data-drawn", "0.0")
    for _ in range(4):
        press(page, "PageDown")
    at_rest(page, "#stage *")
    before = page.locator(".lab").inner_text()
    address = served("demo", "steps")[0]
    kernel = kernel_of(address)
    if fate == "restarted":
        own.keyboard.press("k")
    else:
        os.kill(kernel, signal.SIGKILL if fate == "killed" else signal.SIGSTOP)
        press(page, "PageUp")  # what was shown needs no kernel
        press(page, "PageDown")
    another_kernel(address, kernel)
    expect(own.get_by_role("alert")).to_have_text("")
    at_rest(page, "#stage *")
    assert page.locator(".lab").inner_text() == before
    press(page, "PageDown")
    at_rest(page, "#stage *")
    assert page.locator(".lab").inner_text() != before
    assert "Traceback" not in page.locator("body").inner_text()


MANY = """---
title: Many questions
---
---
lab: tree
table: penguins
show: [questions]
steps: 0
---
"""


@pytest.mark.thorough
def test_every_question_of_a_node_is_seen_with_its_gain(window, tmp_path_factory):
    """Of six attributes, four with a cut of their own; only the best shows its rows."""
    file = tmp_path_factory.getbasetemp() / "many.md"
    file.write_text(MANY, encoding="utf-8")
    page = window("lecture", str(file))
    names = dt.datasets.penguins().names
    for size in ({"width": 1920, "height": 1080}, {"width": 1280, "height": 720}):
        page.set_viewport_size(size)
        at_rest(page, "#stage *")
        questions = page.locator(".dtl-questions > li")
        expect(questions).to_have_count(len(names))
        for i in range(len(names)):
            expect(questions.nth(i)).to_be_in_viewport(ratio=1)
            expect(questions.nth(i).locator(".dtl-gain")).to_be_visible()
        assert [
            i for i in range(len(names)) if questions.nth(i).locator(".dtl-cut").is_visible()
        ] == [0]
        expect(page.locator(".dtl-where")).to_be_in_viewport(ratio=1)
        expect(page.get_by_text("333 of 344 rows; 11 have gaps")).to_be_in_viewport(ratio=1)
        expect(page.locator(".dtl-rest")).to_have_count(0)


QUESTION = """---
title: A question
---
---
ask: How many bits?
options: [none, one, two]
answer: B
because: Two equal parts.
---
"""


def test_the_answer_is_nowhere_before_its_key(window, tmp_path_factory):
    file = tmp_path_factory.getbasetemp() / "question.md"
    file.write_text(QUESTION, encoding="utf-8")
    heard = []
    page = window("lecture", str(file))
    keep = lambda frame: heard.append(str(frame))  # noqa: E731
    page.on("websocket", lambda socket: socket.on("framereceived", keep))
    page.reload()
    expect(page.get_by_text("How many bits?")).to_be_visible()
    assert not any("Two equal parts" in one for one in heard)
    assert not any('"right": [1]' in one for one in heard)
    page.keyboard.press("PageDown")
    expect(page.get_by_text("Two equal parts.")).to_be_visible()
    expect(page.locator(".right .option")).to_have_text("one")


ROWS = "Weather,Wind,Play\nsun,weak,yes\nsun,strong,no\nrain,weak,no\nrain,strong,no\n"


def test_in_a_field_the_keys_are_letters(window):
    page = window("demo", "threshold")
    page.keyboard.press("c")  # which brings the controls
    field = page.locator(".lab input[type=text]").first
    field.fill("")
    step = page.locator("#stage").get_attribute("data-drawn")
    page.keyboard.type("nbr")
    expect(field).to_have_value("nbr")
    assert page.locator("#stage").get_attribute("data-drawn") == step


@pytest.mark.thorough
def test_a_table_and_a_state_of_ones_own_in_the_dark(window, tmp_path, picture):
    (tmp_path / "play.csv").write_text(ROWS, encoding="utf-8")
    builder = dt.TreeBuilder(dt.Table.read_csv(tmp_path / "play.csv", "Play"))
    builder.act({"do": "best"})
    (tmp_path / "state.txt").write_text(builder.state, encoding="utf-8")
    where = ["--table", str(tmp_path / "play.csv"), "--state", f"@{tmp_path / 'state.txt'}"]
    page = window("demo", "TreeBuilder", *where, "--theme", "dark")
    expect(nodes(page)).to_have_count(3)
    page.keyboard.press("n")
    expect(nodes(page)).to_have_count(5)
    picture("demo-tree-dark", page)
    assert axe(page, "#stage") == []
    ground = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in ground[4:-1].split(",")) < 60


TWO = """---
title: Two scenes
minutes: 45
---
---
minutes: 40
---
# Words

Notes:
Say it slowly.

---
lab: tree
table: tax_fraud
ask: Which first?
options: [Refund, Income]
minutes: 5
---
# A lab
"""


def test_the_lecturer_sees_what_comes_and_needs_no_mouse(window, tmp_path_factory, picture):
    file = tmp_path_factory.getbasetemp() / "two.md"
    file.write_text(TWO, encoding="utf-8")
    page = window("lecture", str(file))
    own = window("lecture", str(file), presenter=True)
    own.set_viewport_size({"width": 1280, "height": 800})
    expect(own.get_by_label("Notes")).to_have_text("Say it slowly.")
    coming = own.frame_locator("#coming iframe")
    expect(coming.get_by_text("Which first?")).to_be_visible()
    expect(coming.get_by_role("treeitem")).to_have_count(1)  # its lab, opened already
    expect(page.get_by_text("Which first?")).to_have_count(0)
    expect(own.locator("#key")).to_have_text("the next scene")
    picture("stage-presenter", own)

    for key in ("g", "2", "Enter"):
        own.keyboard.press(key)
    expect(page.get_by_text("Which first?")).to_be_visible()
    # Nobody has voted: what the next key shows is the answer.
    expect(coming.locator("#stage")).to_have_attribute("data-drawn", "1.2")
    own.keyboard.press("PageDown")  # which starts the clock
    expect(own.locator("#clock")).to_contain_text(re.compile(r"39:\d\d ahead|40:00 ahead"))
    own.keyboard.press("d")  # and back to the question, whose vote is open again
    assert axe(own, "body") == []

    # Pointing in the picture is seen by the class, and the keys are not lost in it.
    own.keyboard.press("l")
    box = own.locator("#now iframe").bounding_box()
    own.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    expect(page.locator("#spot.laser")).to_be_visible()
    at = page.locator("#spot").evaluate(
        "one => [one.style.getPropertyValue('--x'), one.style.getPropertyValue('--y')]"
    )
    assert [float(one[:-2]) for one in at] == pytest.approx([25, 50], abs=1)
    own.keyboard.press("l")
    expect(page.locator("#spot")).to_be_hidden()
    own.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 5)
    for key in ("h", "1", "2", "Enter", "3", "Escape"):
        own.keyboard.press(key)
    expect(page.get_by_text("15 votes")).to_be_visible()


TWICE = """() => {
  const press = (to) => to.dispatchEvent(new KeyboardEvent("keydown", { key: "o" }));
  const inside = document.querySelector("#overview iframe").contentDocument;
  press(inside);
  press(inside);
}"""


def test_all_scenes_are_seen_in_small_and_gone_to(window, tmp_path_factory):
    file = tmp_path_factory.getbasetemp() / "two.md"
    file.write_text(TWO, encoding="utf-8")
    own = window("lecture", str(file), presenter=True)
    own.keyboard.press("g")
    own.keyboard.type("1")
    own.keyboard.press("Enter")
    expect(own.locator("#where")).to_contain_text("Scene 1 of 2")
    own.keyboard.press("o")
    overview = own.frame_locator("#overview iframe")
    sheets = overview.get_by_role("button")
    expect(sheets).to_have_count(2)
    expect(sheets.nth(0)).to_be_focused()  # where it stands
    expect(sheets.nth(1)).to_contain_text("Which first?")
    own.keyboard.press("o")
    expect(own.locator("#overview")).to_be_hidden()
    own.keyboard.press("o")
    expect(sheets).to_have_count(2)
    own.evaluate(TWICE)  # closed and opened before the page hears that it was closed
    expect(sheets).to_have_count(2)
    overview.get_by_role("button", name="2 A lab").click()
    expect(own.locator("#where")).to_contain_text("Scene 2 of 2")
    expect(own.locator("#overview")).to_be_hidden()


BUILD = """---
title: By hand
---
---
lab: tree
table: tax_fraud
show: [questions]
---
"""


@pytest.mark.thorough
def test_the_picture_stays_beside_the_controls(window, tmp_path_factory):
    file = tmp_path_factory.getbasetemp() / "build.md"
    file.write_text(BUILD, encoding="utf-8")
    page = window("lecture", str(file))
    for _ in range(2):
        press(page, "PageDown")
    at_rest(page, "#stage *")
    before = page.locator(".lab").inner_text()
    page.keyboard.press("c")
    expect(page.get_by_role("button", name="Cut back to a leaf")).to_be_visible()
    expect(nodes(page).first).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_role("button", name="Cut back to a leaf")).to_have_count(0)
    at_rest(page, "#stage *")
    assert page.locator(".lab").inner_text() == before


def test_what_is_for_hands_comes_with_the_controls(window):
    page = window("demo", "tree")
    lab = page.locator(".lab")
    expect(lab.get_by_text("Choose a node")).to_have_count(0)
    expect(lab.get_by_role("combobox")).to_have_count(0)
    page.keyboard.press("c")
    expect(lab.get_by_text("Choose a node")).to_be_visible()
    expect(lab.get_by_role("combobox").first).to_be_visible()
    page.keyboard.press("c")
    expect(lab.get_by_text("Choose a node")).to_have_count(0)


def test_a_file_is_shown_as_it_is_saved_with_what_is_wrong_on_its_sheet(window, tmp_path, picture):
    file = tmp_path / "mine.md"
    first = (
        "---\ntitle: Mine\n---\n---\n---\n# One\n\n---\nlab: tree\ntable: tax_fraud\n---\n# Two\n"
    )
    file.write_text(first, encoding="utf-8")
    page = window("lecture", str(file), "--watch")
    expect(page.locator("h1")).to_have_text("One")
    second = first.replace("# Two", "# Two, edited")
    file.write_text(second, encoding="utf-8")
    expect(page.locator("h1")).to_have_text("Two, edited")
    expect(nodes(page)).to_have_count(1)
    file.write_text(second.replace("lab: tree", "lab: trie"), encoding="utf-8")
    expect(page.locator("#wrong")).to_contain_text("mine.md:9: ")
    expect(nodes(page)).to_have_count(1)
    picture("stage-wrong-file", page)
    file.write_text(
        second.replace("lab: tree", "lab: tree\nsettings: {algorithm: nothing}"), encoding="utf-8"
    )
    expect(page.locator("#wrong")).to_contain_text("algorithm")
    file.write_text(first, encoding="utf-8")
    expect(page.locator("h1")).to_have_text("Two")
    expect(page.locator("#wrong")).to_be_hidden()
    expect(nodes(page)).to_have_count(1)
