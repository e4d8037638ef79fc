"""The wheel over a tree or a table: it scrolls the notebook, unless one is at work in that box."""

from __future__ import annotations

from browser.driver import unfold

# A small tree, a large one, and a table of many rows, with room to scroll above and below.
CELLS = [
    "import dtree_lab as dt",
    "dt.TreeBuilder(dt.datasets.tax_fraud())",
    "lab = dt.PruningLab()\nlab",
    "dt.PlaneLab()",
    "print('\\n' * 80)",
]
ROOM = """box => {
  let around = box.parentElement;
  const scrolls = (one) =>
    one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY);
  while (!scrolls(around)) around = around.parentElement;
  return [box.scrollTop, around.scrollTop, box.scrollHeight - box.clientHeight];
}"""


def turn(page, box, by):
    """How far the box and the page move when the wheel is turned over the middle of the box."""
    box.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    at = box.bounding_box()
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + min(at["height"] / 2, 90))
    own, whole, _ = box.evaluate(ROOM)
    page.mouse.wheel(0, by)
    before, after = None, (own, whole)
    for _ in range(50):  # on a busy machine the wheel is heard late: it is over when it rests
        page.wait_for_timeout(200)
        before, after = after, tuple(box.evaluate(ROOM)[:2])
        if before == after != (own, whole):
            break
    return after[0] - own, after[1] - whole


def test_the_wheel_scrolls_the_page_past_trees_and_tables(lab, open_notebook):
    notebook = open_notebook(lab.add("wheel.ipynb", *CELLS))
    notebook.run_all()
    notebook.hide_sidebar()
    page = notebook.page
    small = notebook.output(1).locator(".dtl-treebox")
    rows = notebook.output(1).locator("[data-id=node-rows] .dtl-scroll")
    for cell in (2, 3):  # without what stands below, the page would have nowhere to go
        notebook.output(cell).locator(".dtl-live").wait_for()
    for box in (small, rows):
        assert turn(page, box, 60) == (0, 60)
    for cell, kind in ((2, ".dtl-treebox"), (3, ".dtl-scroll")):
        notebook.output(cell).locator(".dtl-live").wait_for()
        unfold(notebook.output(cell))
        box = notebook.output(cell).locator(f".dtl-live {kind}")
        box.wait_for()
        for _ in range(4 if cell == 2 else 0):  # a tree of which all is seen has nowhere to go
            notebook.output(cell).get_by_role("button", name="Zoom in").click()
        room = box.evaluate(ROOM)[2]
        assert room > 40  # it could scroll
        assert turn(page, box, 60) == (0, 60)
        # With the focus in it, the box is what moves, and at its end the page again.
        box.evaluate(
            "box => (box.querySelector('[tabindex=\"0\"]') ?? box).focus({ preventScroll: true })"
        )
        box.evaluate("box => (box.scrollTop = 0)")
        assert turn(page, box, 30) == (30, 0)
        assert turn(page, box, 5000)[1] == 0
        assert turn(page, box, 60) == (0, 60)
        # By keys it scrolls as ever.
        if box.get_attribute("tabindex") == "0":
            box.focus()
            box.evaluate("box => (box.scrollTop = 0)")
            page.keyboard.press("PageDown")
            page.wait_for_timeout(500)
            assert box.evaluate(ROOM)[0] > 0
        page.evaluate("() => document.activeElement.blur()")
