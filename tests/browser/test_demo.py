"""A lab before a class, through Voilà; and a lab in Notebook 7."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from contextlib import ExitStack

import pytest
from playwright.sync_api import TimeoutError as NeverCameError
from playwright.sync_api import expect

import dtree_lab as dt
from browser import server as servers
from browser.driver import axe

ROWS = "Weather,Wind,Play\nsun,weak,yes\nsun,strong,no\nrain,weak,no\nrain,strong,no\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Where ``dtree-lab demo`` with some words shows its lab; each page has its own kernel."""
    with ExitStack() as stack:
        addresses = {}

        def address(*words):
            if words not in addresses:
                home = tmp_path_factory.mktemp("demo")
                addresses[words] = stack.enter_context(servers.demo(home, *words))
            return addresses[words]

        yield address


@pytest.fixture
def demo(served, new_page):
    """Serve a lab by ``dtree-lab demo`` with some words, open its page and give the lab on it."""

    def begin(*words):
        address = served(*words)
        page = new_page(address)
        page.on("websocket", lambda socket: sockets.append(socket.url))
        # The page is sent piece by piece while its kernel starts: it is not waited for as a whole.
        page.goto(address, wait_until="commit")
        shown = page.locator(".dtl-lab")
        title = shown.locator(".dtl-title")
        try:
            title.wait_for(timeout=45_000)
        except NeverCameError:
            # Seen once: a page that says "Running ..." and no more. Voilà starts a kernel for each
            # page, on ports that were free a moment ago; the other worker's start then, too.
            page.goto(address, wait_until="commit")
        expect(title).to_be_visible(timeout=60_000)
        return page, shown

    return begin


sockets = []


def kernel_of_last_page():
    """The process of the kernel that the last page talks to, by the id in its address."""
    (kernel,) = re.search(r"api/kernels/([\w-]+)", sockets[-1]).groups()
    listed = subprocess.run(["ps", "-ewwo", "pid,args"], capture_output=True, text=True, check=True)
    (line,) = [line for line in listed.stdout.splitlines() if f"kernel-{kernel}" in line]
    return int(line.split()[0])


def nodes(shown):
    return shown.get_by_role("treeitem")


def test_a_tree_before_a_class(demo, picture):
    """The lecturer's keys, and the buttons that do the same, on a page that is all lab."""
    page, shown = demo("tree")
    expect(nodes(shown)).to_have_count(1)
    for key, count in [("PageDown", 4), ("n", 6), ("PageUp", 4), ("PageDown", 6), ("b", 4)]:
        page.keyboard.press(key)
        expect(nodes(shown)).to_have_count(count)
    picture("demo-tree-light", page)
    page.keyboard.press("r")
    expect(nodes(shown)).to_have_count(1)
    page.keyboard.press("PageUp")
    expect(shown.get_by_role("alert")).to_contain_text("This is the beginning.")
    shown.get_by_role("button", name="Next (Page Down)").click()
    expect(nodes(shown)).to_have_count(4)
    shown.get_by_role("button", name="Start over (r)").click()
    expect(nodes(shown)).to_have_count(1)
    assert page.title() == "Grow a tree by hand"
    assert axe(page, ".dtl-lab") == []
    box = shown.bounding_box()
    assert (box["x"], box["y"], box["width"]) == (0, 0, 1280)
    size = shown.evaluate("root => parseFloat(getComputedStyle(root).fontSize)")
    assert size >= 18  # to be read from the back row


def test_parts_are_revealed_one_after_the_other(demo, picture):
    """What comes later keeps its place, so that nothing jumps when it appears."""
    page, shown = demo("entropy")
    parts = [shown.locator(f".dtl-part[data-id={name}]") for name in ("worked", "before")]
    places = [part.bounding_box()["y"] for part in parts]
    seen = []
    for key in (None, "PageDown", "PageDown", "PageUp", "r"):
        if key:
            page.keyboard.press(key)
            expect(shown).to_have_attribute("data-answers", str(len(seen)))
        seen.append([part.is_visible() for part in parts])
    none, first, both = [False, False], [True, False], [True, True]
    assert seen == [none, first, both, first, none]
    page.keyboard.press("PageDown")
    expect(parts[0]).to_be_visible()
    assert [part.bounding_box()["y"] for part in parts] == places
    picture("demo-entropy", page)


def test_in_a_field_the_keys_are_letters(demo):
    page, shown = demo("tree")
    field = shown.get_by_label("Type a cut of Taxable Income")
    field.fill("")
    page.keyboard.type("nbr")
    expect(field).to_have_value("nbr")
    expect(nodes(shown)).to_have_count(1)
    # What is done by hand is started over too.
    field.fill("80")
    field.press("Enter")
    expect(nodes(shown)).to_have_count(3)
    nodes(shown).first.press("r")
    expect(nodes(shown)).to_have_count(1)


@pytest.mark.thorough
def test_a_table_and_a_state_of_ones_own_in_the_dark(demo, tmp_path, picture):
    (tmp_path / "play.csv").write_text(ROWS, encoding="utf-8")
    builder = dt.TreeBuilder(dt.Table.read_csv(tmp_path / "play.csv", "Play"))
    builder.act({"do": "best"})
    (tmp_path / "state.txt").write_text(builder.state, encoding="utf-8")
    where = ["--table", str(tmp_path / "play.csv"), "--state", f"@{tmp_path / 'state.txt'}"]
    page, shown = demo("TreeBuilder", *where, "--theme", "dark")
    expect(nodes(shown)).to_have_count(3)
    page.keyboard.press("n")
    expect(nodes(shown)).to_have_count(5)
    picture("demo-tree-dark", page)
    assert axe(page, ".dtl-lab") == []
    ground = shown.evaluate("root => getComputedStyle(root).backgroundColor")
    assert max(int(part) for part in ground[4:-1].split(",")) < 60


def test_when_its_kernel_is_gone_the_page_says_so_at_once(demo, new_page, picture):
    """There is no notebook to run again here; what to do is on the page, and it helps."""
    page, shown = demo("tree")
    page.keyboard.press("n")
    expect(nodes(shown)).to_have_count(4)
    os.kill(kernel_of_last_page(), signal.SIGKILL)
    expect(shown.get_by_role("alert")).to_contain_text("The program behind this page has stopped")
    expect(shown.get_by_role("alert")).to_contain_text("Reload this page")
    expect(shown.get_by_role("alert")).not_to_contain_text("notebook")
    picture("demo-stopped", page)
    # As a reload does, but for what Voilà says to the old kernel on leaving, which is refused.
    again = new_page(page.url)
    again.goto(page.url)
    expect(nodes(again.locator(".dtl-lab"))).to_have_count(1, timeout=60_000)
    expect(again.get_by_role("alert")).to_be_empty()


def test_a_lab_in_notebook_7(lab, open_notebook, picture):
    """The other notebook that people have: by mouse, by keyboard, and read back in Python."""
    source = "import dtree_lab as dt\nlab = dt.TreeBuilder(dt.datasets.tax_fraud())\nlab"
    notebook = open_notebook(lab.add("seven.ipynb", source), app="notebooks")
    notebook.run_all()
    shown = notebook.output(0).locator(".dtl-lab")
    shown.get_by_role("button", name="Split by Refund", exact=True).click()
    notebook.wait_python("lab.tree.n_nodes", 3)
    expect(nodes(shown)).to_have_count(3)
    nodes(shown).first.focus()
    for key in ("ArrowRight", "Enter", "Enter"):  # to the first branch, and its best question
        notebook.page.keyboard.press(key)
    notebook.wait_python("lab.tree.n_nodes > 3", expected=True)
    assert axe(notebook.page, ".dtl-lab") == []
    picture("notebook-7", notebook.page)
