"""The wheel over a tree or a table: it scrolls the notebook, unless one is at work in that box."""

from __future__ import annotations

from effort import some

from browser.driver import at_rest, unfold

# A small tree, a large one, and a table of many rows, with room to scroll above and below.
CELLS = [
    "import dtree_lab as dt",
    "dt.TreeBuilder(dt.datasets.tax_fraud())",
    "lab = dt.PruningLab()\nlab",
    "dt.PlaneLab()",
    "print('\\n' * 80)",
]
SCROLLED = ".dtl-live, .dtl-live *, .jp-WindowedPanel-outer"
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
    at_rest(page, SCROLLED)
    at = box.bounding_box()
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + min(at["height"] / 2, 90))
    own, whole, _ = box.evaluate(f"box => (window.before = (window.room = () => ({ROOM})(box))())")
    page.mouse.wheel(0, by)
    page.wait_for_function("() => `${room()}` !== `${before}`")  # a busy machine hears it late
    at_rest(page, SCROLLED)
    after = box.evaluate(ROOM)
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
    for cell, kind in some(((2, ".dtl-treebox"), (3, ".dtl-scroll")), every=2):
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
            page.wait_for_function("box => box.scrollTop > 0", arg=box.element_handle())
        page.evaluate("() => document.activeElement.blur()")
