"""One row is lit in every part of a lab, an area of rows counted; cuts are dragged where they are.

On a page without Jupyter (`bare`); a lab of this process answers what the page sends.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest
from playwright.sync_api import expect

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from browser.driver import at_rest, axe, later

TAX = dt.datasets.tax_fraud()
INCOME = "Taxable Income"
ALOUD = ".dtl-unseen[aria-live=polite]"  # what is lit is read aloud after a moment
WORDS = ".dtl-row-words"
PLACES = """(name) => [...document.querySelectorAll(name)].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return { row: one.dataset.row, x: x + width / 2, y: y + height / 2, look: one.className.baseVal };
})"""


@pytest.fixture
def bare(new_page):
    made = Bare(new_page(ADDRESS))
    yield made
    made.page.emulate_media(forced_colors="none")


def unfold(bare):
    bare.page.evaluate(
        "() => document.querySelectorAll('.dtl-drawer').forEach((one) => (one.open = true))"
    )


def kept(bare):
    """Have the page keep what it sends, and Python say nothing: it is busy."""
    bare.page.evaluate("() => { window.sent = []; now.send = (message) => sent.push(message); }")


def asked(at=80.0):
    """A tree that asks about the income, its root chosen."""
    lab = dt.TreeBuilder(TAX)
    for act in (
        {"do": "split", "part": "questions", "attribute": 2, "cut": at},
        {"do": "select", "part": "tree", "at": "root"},
    ):
        lab.act(act)
    return lab


def words(row):
    """A row as the table itself has it."""
    values = TAX.row(row)
    told = [
        f"{name} = {v:g}" if isinstance(v, float) else f"{name} = {v}" for name, v in values.items()
    ]
    return f"Row {row + 1}: {', '.join(told)}"


def lit(page):
    return set(
        page.locator("[data-row][data-lit]").evaluate_all(
            "all => all.map((one) => one.dataset.row)"
        )
    )


# -- one row ---------------------------------------------------------------------------------------


def test_a_mark_that_is_pointed_at_lights_its_row_everywhere(bare):
    """In PlaneLab the newest points are listed, too: the words are those of the list."""
    bare.begin(outside(lambda: dt.PlaneLab().told))
    unfold(bare)
    page = bare.page
    listed = page.locator("tr[data-row]").evaluate_all(
        "all => all.map((one) =>"
        " [one.dataset.row, [...one.cells].map((cell) => cell.innerText.trim())])"
    )
    assert len(listed) > 10
    for row, (number, x, y, cls) in listed[:3]:
        page.locator(f".dtl-plot path[data-row='{row}']").hover(force=True)
        assert lit(page) == {row}
        assert page.locator("[data-row][data-lit]").count() == 2
        said = f"Point {number}: x1 = {x}, x2 = {y}, class = {cls.replace(chr(160), '').strip()}"
        assert page.locator(WORDS).inner_text() == said
    page.mouse.move(5, 5)
    assert lit(page) == set()
    assert not page.locator(WORDS).is_visible()


def test_nothing_moves_when_a_row_is_lit(bare):
    bare.begin(outside(lambda: dt.PlaneLab().told))
    page = bare.page
    places = """() => [...document.querySelectorAll('.dtl-part, .dtl-stage')].map(
      (one) => one.getBoundingClientRect().top)"""
    before = page.evaluate(places)
    page.locator(".dtl-plot path[data-row]").nth(7).hover(force=True)
    assert page.locator(WORDS).is_visible()
    assert page.evaluate(places) == before


def test_rows_of_a_table_are_walked_by_key_and_told(bare):
    """One stop of the tab key; words are the table's; Escape leads back to the tree."""
    bare.begin(outside(lambda: dt.TreeBuilder(TAX).told))
    unfold(bare)
    page = bare.page
    lines = page.locator("[data-id=node-rows] tbody tr")
    assert lines.evaluate_all("all => all.map((one) => one.tabIndex)") == [0] + [-1] * 9
    lines.first.focus()
    for row, key in ((0, None), (1, "ArrowDown"), (2, "ArrowDown"), (9, "End"), (8, "ArrowUp")):
        if key:
            page.keyboard.press(key)
        assert lit(page) == {str(row)}
        assert page.locator(WORDS).inner_text() == words(row)
        # On the axis of the cut the row's point has a ring.
        assert page.locator(".dtl-lit-ring").get_attribute("d").count("M") == 1
    assert lines.evaluate_all("all => all.findIndex((one) => one.tabIndex === 0)") == 8
    page.keyboard.press("Escape")
    assert lit(page) == set()
    assert page.evaluate("() => document.activeElement.getAttribute('role')") == "treeitem"


def test_a_point_on_the_axis_of_a_cut_is_its_row(bare):
    """Each point of the income's axis, by its place between the least and the most."""
    bare.begin(outside(lambda: dt.TreeBuilder(TAX).told))
    unfold(bare)
    page = bare.page
    axis = page.locator(".dtl-axis-box")
    axis.scroll_into_view_if_needed()
    box = axis.bounding_box()
    lane = box["height"] * 0.11
    for row in range(10):
        x = box["x"] + (box["width"] - 1) * (TAX.row(row)[INCOME] - 60) / 160
        page.mouse.move(x, box["y"] + (lane if TAX.row(row)["Cheat"] == "No" else 2.5 * lane))
        assert lit(page) == {str(row)}
        assert page.locator(WORDS).inner_text() == words(row)


def test_a_finger_that_taps_near_a_mark_lights_its_row(bare):
    """Until it taps where none is; a finger's drag scrolls the page, as everywhere."""
    bare.begin(outside(lambda: dt.PlaneLab().told))
    page = bare.page
    (mark,) = page.evaluate(PLACES, ".dtl-plot path[data-row='4']")
    tap = """([x, y]) => document.querySelector('.dtl-plot svg').dispatchEvent(new PointerEvent(
      'pointerdown', { clientX: x, clientY: y, pointerType: 'touch', bubbles: true, button: 0 }))"""
    page.evaluate(tap, [mark["x"] - 3, mark["y"] + 2])
    assert lit(page) == {"4"}
    page.evaluate(tap, [5, 5])
    assert lit(page) == set()
    assert page.locator(".dtl-plot").evaluate("one => getComputedStyle(one).touchAction") == "auto"


def test_marks_are_stepped_through_by_key_and_told_once_they_rest(bare):
    lab = outside(lambda: dt.ThresholdLab(TAX, INCOME))
    bare.begin(lab.told)
    page = bare.page
    steps = page.get_by_role("slider", name="Rows, from left to right")
    order = sorted(range(10), key=lambda i: TAX.row(i)[INCOME])
    steps.focus()
    for i, row in enumerate(order):
        if i:
            page.keyboard.press("ArrowRight")
        assert lit(page) == {str(row)}
        assert steps.get_attribute("aria-valuetext") == words(row)
    page.keyboard.press("Home")
    for n in (2, 3, 4):
        page.keyboard.press("Shift+ArrowRight")
        assert lit(page) == {str(row) for row in order[:n]}
    page.keyboard.press("Escape")
    assert lit(page) == set()
    page.locator(".dtl-plot path[data-row='4']").hover(force=True)
    live = page.locator(ALOUD)
    assert live.inner_text() == ""
    expect(live).to_have_text(words(4), use_inner_text=False)


def with_marks(view):
    """The same view of `asked`, in which the tree tells where each row rests."""
    tree = next(part for part in view["parts"] if part["kind"] == "tree")["tree"]
    ids = [card["id"] for card in tree["cards"]]
    rests = ["0" if TAX.row(i)[INCOME] < 80 else "1" for i in range(10)]
    at = "".join(f"{ids.index(one):02d}" for one in rests)
    tree["marks"] = {"each": 1, "n": [10, 0], "at": at, "r": 5, "cls": "0" * 10, "said": ""}
    return view


def test_the_way_of_a_row_is_lit_in_the_tree_and_told(bare):
    """Below 80 all rows come out right; of the others, those who cheat come out wrong."""
    bare.begin(json.dumps(with_marks(json.loads(outside(lambda: asked().told)))))
    unfold(bare)
    page = bare.page
    for row, leaf, way in (
        (2, "0", "Taxable Income < 80 → Cheat = No (right)"),
        (0, "1", "Taxable Income ≥ 80 → Cheat = No (right)"),
        (4, "1", "Taxable Income ≥ 80 → Cheat = No (wrong)"),
    ):
        page.locator(f"tr[data-row='{row}']").focus()
        assert page.locator(WORDS).inner_text() == f"{words(row)}. {way}"
        lit_cards = page.locator(".dtl-card[data-lit]")
        assert lit_cards.evaluate_all("all => all.map((one) => one.dataset.id)") == ["root", leaf]
        assert page.locator(".dtl-edge[data-lit]").count() == 1


# -- several rows ----------------------------------------------------------------------------------


def test_a_rectangle_counts_the_rows_in_it(bare):
    """As counted by hand, from where the marks stand."""
    bare.begin(outside(lambda: dt.PlaneLab().told))
    page = bare.page
    marks = page.evaluate(PLACES, ".dtl-plot path[data-row]")
    frame = page.locator(".dtl-plot").first.bounding_box()
    left, top = frame["x"] + 90, frame["y"] + 90
    right, bottom = left + 260, top + 220
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + 100, top + 40)
    page.mouse.move(right, bottom)
    inside = [one for one in marks if left <= one["x"] <= right and top <= one["y"] <= bottom]
    assert len(inside) > 5
    assert lit(page) == {one["row"] for one in inside}
    kinds = Counter("A" if "dtl-c0" in one["look"] else "B" for one in inside)
    each = ", ".join(f"{kinds[name]} {name}" for name in "AB" if kinds[name])
    assert page.locator(WORDS).inner_text() == f"{len(inside)} points: {each}"
    kept(bare)
    page.mouse.up()
    assert page.locator(".dtl-brush").count() == 0
    assert page.evaluate("sent") == []  # no point was added
    page.keyboard.press("Escape")
    assert lit(page) == set()


def test_where_a_drag_moves_the_cut_shift_draws_the_rectangle(bare):
    bare.begin(outside(lambda: dt.ThresholdLab(TAX, INCOME).told))
    kept(bare)
    page = bare.page
    frame = page.locator(".dtl-plot").first.bounding_box()
    page.keyboard.down("Shift")
    page.mouse.move(frame["x"] + 76, frame["y"] + 15)
    page.mouse.down()
    page.mouse.move(frame["x"] + frame["width"] - 5, frame["y"] + frame["height"] - 40, steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    assert page.locator(WORDS).inner_text() == "10 rows: 7 No, 3 Yes"
    assert page.evaluate("sent") == []
    page.keyboard.press("Escape")


def test_on_each_branch_it_is_told_how_many_of_the_rows_take_it(bare):
    """The rows of a figure beside a tree: three below 80, seven at or above."""
    view = with_marks(json.loads(outside(lambda: asked().told)))
    other = json.loads(outside(lambda: dt.ThresholdLab(TAX, INCOME).told))
    points = next(part for part in other["parts"] if part["id"] == "points")
    view["parts"].append({**points, "slider": None, "area": "main"})
    bare.begin(json.dumps(view))
    page = bare.page
    page.locator("[data-id=points] .dtl-plot").scroll_into_view_if_needed()
    incomes = [TAX.row(i)[INCOME] for i in range(10)]
    for least in (0, 72, 99):
        marks = page.evaluate(PLACES, "[data-id=points] .dtl-plot path[data-row]")
        wanted = [one for one in marks if incomes[int(one["row"])] > least]
        page.mouse.move(min(one["x"] for one in wanted) - 6, marks[0]["y"] - 40)
        page.mouse.down()
        page.mouse.move(
            max(one["x"] for one in wanted) + 30, max(m["y"] for m in marks) + 9, steps=3
        )
        page.mouse.up()
        counts = [sum(least < x < 80 for x in incomes), sum(x > max(least, 79) for x in incomes)]
        told = page.locator(".dtl-edge text").all_text_contents()
        assert [one.partition(": ")[2] for one in told] == [str(n) if n else "" for n in counts]
        assert page.locator(WORDS).inner_text().startswith(f"{sum(counts)} rows: ")


# -- for every eye ---------------------------------------------------------------------------------


def test_what_is_lit_is_seen_without_colours(bare):
    """A rim broader than any other, in two themes, and where the system forces its colours."""
    bare.begin(outside(lambda: dt.PlaneLab().told))
    unfold(bare)
    page = bare.page
    rim = "one => parseFloat(getComputedStyle(one).strokeWidth)"
    for forced in ("none", "active"):
        for scheme in ("light", "dark"):
            page.emulate_media(forced_colors=forced, color_scheme=scheme)
            mark = page.locator(".dtl-plot path[data-row='150']")
            mark.hover(force=True)
            other = page.locator(".dtl-plot path[data-row='3']")
            assert mark.evaluate(rim) >= 3 * other.evaluate(rim)
            line = page.locator("tr[data-lit]")
            drawn = line.evaluate(
                "one => [one, one.cells[0]].map(getComputedStyle)"
                ".map(({ outlineStyle, boxShadow }) => [outlineStyle, boxShadow])"
            )
            assert drawn[0][0] == "solid" if forced == "active" else "inset" in drawn[1][1]
    page.emulate_media(forced_colors="none", color_scheme="light")


@pytest.mark.parametrize(
    "name",
    ["TreeBuilder", *later("PlaneLab", "ThresholdLab")],
)
def test_axe_finds_nothing_while_a_row_is_lit(bare, name):
    made = {
        "PlaneLab": dt.PlaneLab,
        "TreeBuilder": lambda: dt.TreeBuilder(TAX),
        "ThresholdLab": lambda: dt.ThresholdLab(TAX, INCOME),
    }[name]
    bare.begin(outside(lambda: made().told))
    bare.theme("light")
    unfold(bare)
    page = bare.page
    row = page.locator("[data-row]").first
    row.hover(force=True)
    expect(page.locator(ALOUD)).not_to_be_empty()
    assert page.locator("[data-row][data-lit]").count()
    assert axe(page, ".dtl-lab") == []


# -- cuts ------------------------------------------------------------------------------------------


def drag(page, box, *shares, done=True):
    """From the middle of a box, or from so far along it, to other places along it."""
    y = box["y"] + box["height"] / 3
    page.mouse.move(box["x"] + shares[0] * box["width"], y)
    page.mouse.down()
    for share in shares[1:]:
        page.mouse.move(box["x"] + share * box["width"], y, steps=4)
    if done:
        page.mouse.up()


def cut_of(lab):
    """What the root asks."""
    return next(part for part in json.loads(lab.told)["parts"] if part["kind"] == "tree")["tree"][
        "cards"
    ][0]["full"]


def test_the_cut_in_the_card_of_the_chosen_node_is_dragged(bare):
    """Python's tree asks it where it is let go; between, the line is in the hand."""
    lab = outside(asked)
    bare.begin(lab.told)
    bare.answer(lab)
    page = bare.page
    box = page.locator("[aria-selected=true] .dtl-bins-axis").bounding_box() | {"height": -30}
    drag(page, box, 0.125, 0.3, 0.5, done=False)
    line = page.locator("[aria-selected=true] .dtl-bins-cut").bounding_box()
    assert abs(line["x"] + line["width"] / 2 - box["x"] - 0.5 * box["width"]) < 3
    assert cut_of(lab) == "Taxable Income < 80?"
    page.mouse.up()
    page.wait_for_function(
        "() => document.querySelector('.dtl-tree .dtl-name').textContent.length > 0"
    )
    bare.answered()
    cut = float(cut_of(lab).split("<")[1].strip(" ?"))
    assert abs(cut - 140) < 4  # the axis goes from 60 to 220
    assert str(cut).removesuffix(".0") in page.locator(".dtl-tree").text_content()


def test_the_card_of_another_node_is_not_grabbed(bare):
    """There a drag moves the camera, as everywhere in a tree."""
    lab = outside(asked)
    lab.act({"do": "select", "part": "tree", "at": "0"})
    bare.begin(lab.told)
    kept(bare)
    box = bare.page.locator(".dtl-bins-axis").first.bounding_box() | {"height": -30}
    drag(bare.page, box, 0.125, 0.8)
    assert bare.page.evaluate("sent") == []


def test_the_cut_is_grabbed_on_its_dots_and_rows_change_sides(bare):
    lab = outside(lambda: dt.TreeBuilder(TAX))
    bare.begin(lab.told)
    bare.answer(lab)
    page = bare.page
    box = page.locator(".dtl-axis-box").bounding_box()
    drag(page, box, 0.3, 0.5, done=False)
    bare.answered()
    beyond = sum(
        path.count("M")
        for path in page.locator(".dtl-beyond").evaluate_all(
            "all => all.map((one) => one.getAttribute('d') ?? '')"
        )
    )
    cut = float(page.locator(".dtl-type input").input_value())
    assert abs(cut - 140) < 2
    assert beyond == sum(TAX.row(i)[INCOME] >= cut for i in range(10)) == 1
    page.mouse.up()
    bar = next(part for part in json.loads(lab.told)["parts"] if part["kind"] == "questions")[
        "bars"
    ]
    assert next(one["axis"]["cut"] for one in bar if one["axis"]) == cut


def test_a_drag_goes_on_while_python_is_busy(bare):
    """The line and the sides follow, one message waits; answered, the last place is sent."""
    bare.begin(outside(lambda: dt.ThresholdLab(TAX, INCOME).told))
    kept(bare)
    page = bare.page
    told = page.evaluate("() => now.get('told')")
    box = page.locator(".dtl-plot").first.bounding_box()
    drag(page, box, 0.2, 0.4, 0.6, done=False)
    page.locator(".dtl-lab[data-waits] .dtl-result[aria-busy=true]").wait_for(state="attached")
    assert len(page.evaluate("sent")) == 1
    for line in page.locator(".dtl-part-picture:visible .dtl-rule.dtl-accent").all()[:2]:
        at = line.bounding_box()
        assert abs(at["x"] + at["width"] / 2 - box["x"] - 0.6 * box["width"]) < 2
    here = box["x"] + 0.6 * box["width"]
    marks = page.evaluate(PLACES, ".dtl-plot path[data-row]")
    beyond = page.evaluate(PLACES, ".dtl-plot path[data-beyond]")
    assert {one["row"] for one in beyond} == {one["row"] for one in marks if one["x"] >= here}
    assert 0 < len(beyond) < len(marks)
    first = page.evaluate("sent")[0]
    page.evaluate(
        "told => now.change('told', told)", json.dumps({**json.loads(told), "answers": first["n"]})
    )
    page.wait_for_function("() => sent.length === 2")
    page.mouse.up()
    at_rest(page)
    first, second = page.evaluate("sent")
    low, high = 54, 226  # the ends of the axis; the frame stands within the picture
    frame = page.locator(".dtl-figure .dtl-plane").first.bounding_box()
    place = low + (high - low) * (here - frame["x"]) / frame["width"]
    assert abs(second["value"] - place) < 1.5
    assert first["value"] < second["value"]
