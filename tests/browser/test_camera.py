"""The camera of a tree: by hand, by wheel, by key; what is drawn of trees of any size.

The labs stand on a page without Jupyter (`bare`); what they would send is written down.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from browser.driver import at_rest, axe, later

MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")
SENT = "() => { now.sent = []; now.send = (action) => { now.sent.push(action); }; }"
# Where each node with a card is seen in the box, left, top, right, bottom, and its form.
SEEN = """() => {
  const box = document.querySelector(".dtl-treebox").getBoundingClientRect();
  const all = [...document.querySelectorAll(".dtl-tree [role=treeitem]")];
  return Object.fromEntries(all.map((one) => {
    // The ring of the focus is 4 pixels larger.
    const ring = one.querySelector(".dtl-around");
    const { left, top, right, bottom } = ring.getBoundingClientRect();
    const form = /dtl-as-(\\w+)/.exec(one.getAttribute("class"))[1];
    const [x, y] = [box.left - 4, box.top - 4];
    return [one.dataset.id, [left - x, top - y, right - x - 8, bottom - y - 8, form]];
  }));
}"""
# The size in pixels in which each word of the tree is painted.
TYPE = """() => [...document.querySelectorAll(".dtl-tree text")]
  .filter((one) => one.textContent && one.checkVisibility({ visibilityProperty: true }))
  .map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().d)"""
BOX = """() => {
  const { clientWidth, clientHeight } = document.querySelector(".dtl-treebox");
  return [clientWidth, clientHeight];
}"""
INK = """() => {
  const box = document.querySelector(".dtl-treebox").getBoundingClientRect();
  const kinds = ".dtl-box, .dtl-dots, .dtl-far-edge, .dtl-edge path";
  const all = [...document.querySelectorAll(`.dtl-tree :is(${kinds})`)];
  const seen = all.map((one) => one.getBoundingClientRect());
  const drawn = seen.filter(({ width, height }) => width + height);
  const sides = ["left", "top", "right", "bottom"];
  return sides.map((side) => drawn.map((one) => one[side] - box[side]));
}"""


def builder(table, *actions):
    lab = dt.TreeBuilder(table)
    for action in actions:
        lab.act(action)
    return lab.told


def tax():
    return builder(dt.datasets.tax_fraud(), {"do": "finish", "option": "ID3"})


def penguins():
    return builder(dt.datasets.penguins(), {"do": "finish", "option": "ID3"})


def pruning():
    lab = dt.PruningLab()
    return lab.told


def parity(n):
    lab = dt.ExpressivenessLab()
    lab.act({"do": "set", "control": "n", "value": n})
    return lab.told


def noise(rows):
    rng = np.random.default_rng(0)
    labels = np.where(rng.random(rows) < 0.5, "a", "b")
    columns = {"x": rng.random(rows), "z": rng.random(rows), "y": labels}
    return builder(dt.Table.from_columns(columns, "y"), {"do": "finish", "option": "CART"})


def towns():
    """Two nodes of thirteen branches, the second of them chosen."""
    rows = [(half, f"t{town:02d}", n) for half in "ns" for town in range(13) for n in range(4)]
    columns = {
        "half": [half for half, _, _ in rows],
        "town": [town for _, town, _ in rows],
        "late": ["ny"[(int(town[1:]) + (half == "s") * n) % 3 == 0] for half, town, n in rows],
    }
    ask = ({"do": "split", "attribute": i} for i in (0, 1, 1))
    go = ({"do": "select", "at": at} for at in ("0", "1"))
    actions = next(ask), next(go), next(ask), next(go), next(ask)
    return builder(dt.Table.from_columns(columns, "late"), *actions)


@pytest.fixture(scope="module")
def told():
    return {
        "tax": outside(tax),
        "penguins": outside(penguins),
        "pruning": outside(pruning),
        "xor": outside(lambda: parity(8)),
        "towns": outside(towns),
        "thousands": outside(lambda: noise(8_000)),
    }


@pytest.fixture
def bare(new_page):
    shown = Bare(new_page(ADDRESS))
    shown.page.set_viewport_size({"width": 1280, "height": 720})
    return shown


def begin(bare, told):
    bare.begin(told)
    bare.page.evaluate(SENT)
    bare.page.locator(".dtl-treebox").first.scroll_into_view_if_needed()
    frames(bare.page)


def frames(page, n=3):
    page.evaluate(
        """n => new Promise((done) => {
          const step = () => (n-- ? requestAnimationFrame(step) : done());
          step();
        })""",
        n,
    )


def press(page, name, times=1):
    button = page.get_by_role("button", name=name, exact=True).first
    for _ in range(times):
        button.click()
    frames(page)


def middle(seen):
    left, top, right, bottom, _ = seen
    return (left + right) / 2, (top + bottom) / 2


def marks(seen):
    return sum(form == "mark" for *_, form in seen.values())


def wheel(page, at, by):
    box = page.locator(".dtl-treebox").first.bounding_box()
    page.mouse.move(box["x"] + at[0], box["y"] + at[1])
    page.keyboard.down("Control")
    page.mouse.wheel(0, by)
    page.keyboard.up("Control")
    frames(page)


def problems(page):
    return [
        one
        for what in ("collisions()", "struck()", "cut()")
        for one in page.evaluate(f"() => {MEASURE}.{what}")
    ]


@pytest.mark.parametrize(
    "name",
    ["tax", "thousands", *later("penguins", "pruning", "xor")],
)
def test_fit_fits_and_no_type_is_ever_smaller_than_11_pixels(told, bare, name):
    """At each size from all to three times life size: nor do words lie on words or lines."""
    begin(bare, told[name])
    page = bare.page
    wrong = {}
    for i in range(40):
        sizes = page.evaluate(TYPE)
        if min(sizes, default=12) < 10.99:
            wrong[i] = min(sizes)
        if found := problems(page) if i % 4 == 0 else []:
            wrong[i] = found
        if (
            page.evaluate("() => document.querySelector('.dtl-as-card .dtl-name') !== null")
            and i > 8
        ):
            break
        press(page, "Zoom in")
    assert wrong == {}
    press(page, "Fit")
    left, top, right, bottom = page.evaluate(INK)
    assert min(left) >= 0
    assert min(top) >= 0
    assert max(right) <= 0
    assert max(bottom) <= 0
    wide = page.evaluate(BOX)[0]
    assert max(right) - min(left) > -0.2 * wide or name == "tax"  # it fills the box
    assert problems(page) == []


def test_the_pattern_of_parity_is_seen_whole(told, bare):
    """Of 511 nodes each has its mark, the leaves in turn of one class and the other."""
    begin(bare, told["xor"])
    leaves = bare.page.evaluate(
        """() => {
          const all = [...document.querySelectorAll(".dtl-tree > g > g > .dtl-dots-full")];
          const marks = (one) => [...one.getAttribute("d").matchAll(/M([\\d.]+) ([\\d.]+)h/g)];
          return all.flatMap((one) => marks(one).map(([, x, y]) => [+x, +y, one.style.fill]));
        }"""
    )
    lowest = max(y for _, y, _ in leaves)
    row = [colour for _, _, colour in sorted(leaf for leaf in leaves if leaf[1] > lowest - 3)]
    assert len(row) == 256
    parity = [i.bit_count() % 2 for i in range(256)]  # F is 0, and comes first
    names = sorted(set(row))
    assert [names.index(colour) for colour in row] == parity


def test_the_wheel_with_ctrl_leaves_what_is_under_the_pointer_in_its_place(told, bare):
    begin(bare, told["pruning"])
    page = bare.page
    for id_, turns in (("0.0", (-120, -120, -240, 120)), ("1.1.0", (-200, -200, 60))):
        press(page, "Fit")
        for by in turns:
            before = page.evaluate(SEEN)[id_]
            wheel(page, middle(before), by)
            after = page.evaluate(SEEN)[id_]
            assert after[1] == pytest.approx(before[1], abs=1.1)
            assert middle(after)[0] == pytest.approx(middle(before)[0], abs=1.1)
    assert page.evaluate("() => [scrollY, visualViewport.scale, devicePixelRatio]")[1:] == [1, 1]
    assert page.get_by_role("button", name="Fit").get_attribute("aria-pressed") == "false"


def test_dragging_moves_the_tree_and_chooses_nothing(told, bare):
    begin(bare, told["penguins"])
    page = bare.page
    press(page, "Zoom in", 5)
    before = page.evaluate(SEEN)
    box = page.locator(".dtl-treebox").bounding_box()
    # By its title: its cut is for another drag.
    at = box["x"] + middle(before["root"])[0], box["y"] + before["root"][1] + 12
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] - 90, at[1] - 40, steps=4)
    page.mouse.up()
    frames(page)
    after = page.evaluate(SEEN)
    for id_ in ("root", "0", "0.1"):
        assert after[id_][:2] == pytest.approx([before[id_][0] - 90, before[id_][1] - 40], abs=1.1)
    assert page.evaluate("() => now.sent") == []
    page.mouse.click(at[0] - 90, at[1] - 40)
    assert page.locator("[aria-selected=true]").get_attribute("data-id") == "root"


def test_by_keys_it_comes_nearer_and_goes_back_and_the_tree_is_walked_as_ever(told, bare):
    begin(bare, told["pruning"])
    page = bare.page
    tree = page.locator("[role=treeitem][tabindex='0']")
    tree.focus()
    whole = page.evaluate(SEEN)
    for key in "+++":
        page.keyboard.press(key)
    frames(page)
    near = page.evaluate(SEEN)
    assert near["root"][:2] == pytest.approx(whole["root"][:2], abs=40)
    assert near["0"][1] - near["root"][1] > 1.3 * (whole["0"][1] - whole["root"][1])
    page.keyboard.press("-")
    frames(page)
    assert page.evaluate(SEEN)["0"][1] < near["0"][1]
    for _ in range(6):  # walking, what is chosen is brought into view
        page.keyboard.press("ArrowRight")
        frames(page)
        id_ = page.locator("[aria-selected=true]").get_attribute("data-id")
        left, top, right, bottom, _ = page.evaluate(SEEN)[id_]
        wide, high = page.evaluate(BOX)
        assert left >= 0
        assert top >= 0
        assert right <= wide
        assert bottom <= high
    page.keyboard.press("0")
    frames(page)
    assert page.evaluate(SEEN)["0"][1] == pytest.approx(whole["0"][1], abs=1)


def test_folding_by_click_and_by_key_outlasts_a_redraw(told, bare):
    begin(bare, told["penguins"])
    page = bare.page
    items = page.locator(".dtl-tree [role=treeitem]")
    assert items.count() == 27
    whole = page.evaluate(SEEN)
    node = page.locator("[data-id='0']")
    node.hover()
    sign = node.locator(".dtl-fold")
    assert sign.evaluate("one => getComputedStyle(one).opacity") == "1"
    sign.click()
    frames(page)
    assert page.evaluate("() => now.sent") == []  # the browser's own affair
    assert node.get_attribute("aria-expanded") == "false"
    left = items.count()
    assert left < 27
    assert page.locator("[data-id^='0.']").count() == 0
    seen = page.evaluate(SEEN)
    assert marks(seen) < marks(whole)  # there is room again
    assert all(whole[id_][4] == form for id_, (*_, form) in seen.items() if whole[id_][4] == "card")
    again = json.loads(told["penguins"])
    bare.show(json.dumps({**again, "status": "Once more.", "answers": 1}))
    assert items.count() == left
    assert page.evaluate(SEEN) == seen
    page.locator("[data-id='0']").click()
    page.keyboard.press("Shift+ArrowRight")
    frames(page)
    assert items.count() == 27
    page.keyboard.press("Shift+ArrowLeft")
    frames(page)
    assert items.count() == left
    (part,) = (part for part in again["parts"] if part["kind"] == "tree")
    for selected in ("0", "0.1"):  # Python comes to a node that is folded away: it is seen
        part["selected"] = selected
        bare.show(json.dumps({**again, "answers": 9}))
    frames(page)
    assert page.locator("[data-id='0.1'][aria-selected=true]").count() == 1


def selected(told, at):
    """The view with another node chosen, as Python would answer."""
    view = json.loads(told)
    (part,) = (part for part in view["parts"] if part["kind"] == "tree")
    return json.dumps(
        {
            **view,
            "parts": [{**one, "selected": at} if one is part else one for one in view["parts"]],
        }
    )


@pytest.mark.parametrize("width", [1280, 390])
def test_a_node_of_many_branches_beside_the_way_is_a_fan_that_a_click_opens(width, told, bare):
    bare.page.set_viewport_size({"width": width, "height": 844})
    at_root = selected(told["towns"], "root")
    begin(bare, at_root)
    page = bare.page
    node, kids = page.locator("[data-id='0']"), page.locator("[role=treeitem][data-id^='0.']")
    seen = page.evaluate(SEEN)
    assert set(seen) == {"root", "0", "1"}
    assert marks(seen) == 0  # each with its question
    assert node.get_attribute("aria-expanded") == "false"
    assert node.get_attribute("aria-label").endswith(", 13 branches folded")
    fan = node.locator(".dtl-fan")
    assert fan.locator(".dtl-ray").count() == 13
    assert fan.locator("text").text_content() == "13 \u00d7 town"
    low = page.evaluate("() => document.querySelector('.dtl-fan').getBoundingClientRect().bottom")
    box = page.locator(".dtl-treebox").bounding_box()
    assert low <= box["y"] + box["height"] + 1
    assert axe(page, ".dtl-treeframe") == []
    bare.show(json.dumps({**json.loads(at_root), "status": "Once more.", "answers": 1}))
    assert kids.count() == 0
    fan.click()
    frames(page)
    assert kids.count() == 13
    assert page.locator("[role=treeitem][data-id^='1.']").count() == 0
    assert page.evaluate("() => now.sent") == []  # the browser's own affair
    assert node.get_attribute("aria-expanded") == "true"
    assert "folded" not in node.get_attribute("aria-label")
    bare.show(json.dumps({**json.loads(at_root), "status": "Again.", "answers": 2}))
    assert kids.count() == 13


def test_a_fan_is_walked_to_by_key_and_opened_by_another(told, bare):
    begin(bare, told["towns"])
    page = bare.page
    kids = page.locator("[role=treeitem][data-id^='0.']")
    page.locator("[aria-selected=true]").focus()
    page.keyboard.press("ArrowUp")
    bare.show(selected(told["towns"], "0"))
    frames(page)
    assert page.locator("[data-id='0'][aria-selected=true][aria-expanded=false]").count() == 1
    page.keyboard.press("ArrowRight")
    frames(page)
    assert kids.count() == 13
    assert page.locator("[data-id='0']:focus").count() == 1
    # In a notebook what was open stays open, wherever one looks.
    bare.show(selected(told["towns"], "1.4"))
    frames(page)
    assert kids.count() == 13
    begin(bare, told["towns"])
    for at in ("0.7", "1.4"):  # Python comes to a node in a fan: it is seen, and stays so
        bare.show(selected(told["towns"], at))
        frames(page)
        assert kids.count() == 13


def test_a_far_node_is_chosen_by_a_click(told, bare):
    begin(bare, told["xor"])
    page = bare.page
    known = set(page.evaluate(SEEN))
    press(page, "Zoom in", 6)
    far = page.locator(".dtl-far")
    assert far.count() > 0
    wide, high = page.evaluate(BOX)
    ids = far.evaluate_all("all => all.map((one) => one.dataset.id)")
    assert not known & set(ids)
    inside = far.evaluate_all(
        """(all, [wide, high]) => {
          const box = document.querySelector(".dtl-treebox").getBoundingClientRect();
          return all.filter((one) => {
            const { left, top, right, bottom } = one.getBoundingClientRect();
            const across = left > box.left && right < box.left + wide - 170;
            return across && top > box.top && bottom < box.top + high;
          }).map((one) => one.dataset.id);
        }""",
        [wide, high],
    )
    page.locator(f".dtl-far[data-id='{inside[0]}']").click()
    assert page.evaluate("() => now.sent")[-1]["at"] == inside[0]


def test_an_overview_shows_where_one_is_and_leads_elsewhere(told, bare):
    begin(bare, told["penguins"])
    page = bare.page
    overview = page.locator(".dtl-overview")
    assert not overview.is_visible()
    press(page, "Zoom in", 4)
    assert overview.is_visible()
    box = overview.bounding_box()
    before = page.evaluate(SEEN)["root"]
    page.mouse.click(box["x"] + 8, box["y"] + box["height"] - 8)
    frames(page)
    after = page.evaluate(SEEN)["root"]
    assert after[0] > before[0] + 100  # one is at the lower left now
    assert after[1] < before[1] - 50
    press(page, "Fit")
    assert not overview.is_visible()


def test_an_overview_comes_and_goes_with_the_end_of_a_glide(bare):
    """While a tree unfolds it may be wider than its box, which in the end has all of it."""

    def made():
        lab = dt.TreeBuilder(dt.datasets.penguins())
        before = lab.told
        lab.act({"do": "finish", "option": "ID3"})
        return before, lab.told

    before, after = outside(made)
    page = bare.page
    page.emulate_media(reduced_motion="no-preference")
    begin(bare, before)
    seen = page.evaluate(
        """async (told) => {
          const tree = document.querySelector(".dtl-part-tree").tree;
          now.change("told", told);
          const found = [];
          do {
            await new Promise(requestAnimationFrame);
            const wide = tree.svg.width.baseVal.value > tree.box.clientWidth;
            found.push([wide, tree.overview.svg.checkVisibility()]);
          } while (tree.goal);
          return found;
        }""",
        after,
    )
    assert [wide for wide, _ in seen if wide], "it was never wider than its box"
    assert not [shown for _, shown in seen if shown]


def test_what_moves_starts_where_it_is_seen_and_the_chosen_node_stays(bare):
    """With motion: a node is split that is seen from near; its neighbours make room in a glide."""

    def made():
        lab = dt.TreeBuilder(dt.datasets.penguins())
        lab.act({"do": "best"})
        for at in ("0", "0.0", "0.1", "0.1.0"):
            lab.act({"do": "select", "at": at})
            lab.act({"do": "best"})
        lab.act({"do": "select", "at": "0.0.1"})
        before = lab.told
        lab.act({"do": "best"})
        return before, lab.told

    before, after = outside(made)
    page = bare.page
    page.emulate_media(reduced_motion="no-preference")
    begin(bare, before)
    press(page, "Zoom in", 3)
    at_rest(page)
    start = page.evaluate(SEEN)
    page.evaluate(
        "() => document.querySelectorAll('.dtl-tree *').forEach((one) => (one.known = true))"
    )
    # Frames come every 16 ms of the page's own clock: a busy machine skips some, and shows a jump.
    seen = page.evaluate(
        f"""async (told) => {{
          const {{ requestAnimationFrame: frame }} = window;
          const start = performance.now();
          let asked = [], past = 0;
          performance.now = () => start + past;
          window.requestAnimationFrame = (step) => asked.push(step);
          const found = [];
          try {{
            now.change("told", told);
            for (; past < 60 * 16; past += 16) {{
              found.push(({SEEN})());
              await new Promise((done) => frame(done));
              const steps = asked;
              asked = [];
              for (const step of steps) step(performance.now());
            }}
          }} finally {{
            delete performance.now;
            window.requestAnimationFrame = frame;
            asked.forEach((step) => frame(step));
          }}
          return found;
        }}""",
        after,
    )
    xs = [at["0.1"][0] for at in seen]
    assert xs[0] == pytest.approx(start["0.1"][0], abs=3)
    assert len({round(x) for x in xs}) > 5  # it is on its way for some frames
    assert max(abs(b - a) for a, b in pairwise(xs)) < 0.6 * abs(xs[-1] - xs[0])
    for at in seen:
        assert middle(at["0.0.1"])[0] == pytest.approx(middle(start["0.0.1"])[0], abs=1.5)
        assert at["0.0.1"][1] == pytest.approx(start["0.0.1"][1], abs=1.5)
    kept = page.evaluate(
        """() => ["[role=treeitem]", ".dtl-edge"].map((kind) =>
          [...document.querySelectorAll(".dtl-tree " + kind)].filter((one) => one.known).length)"""
    )
    n = len(start)
    assert kept == [n, n - 1]  # all that were there


def test_two_fingers_bring_it_nearer(told, bare):
    begin(bare, told["pruning"])
    page = bare.page
    touch = page.context.new_cdp_session(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    box = page.locator(".dtl-treebox").bounding_box()
    id_ = "0.0"
    before = page.evaluate(SEEN)
    x, y = middle(before[id_])
    at = box["x"] + x, box["y"] + y

    def fingers(kind, apart):
        points = [{"x": at[0] + side * apart, "y": at[1]} for side in (-1, 1)] if apart else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 30)
    for apart in (40, 60, 80):
        fingers("touchMove", apart)
    fingers("touchEnd", 0)
    frames(page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    after = page.evaluate(SEEN)
    assert middle(after[id_])[0] == pytest.approx(x, abs=2)
    spread = [seen["0.1"][0] - seen["0.0"][0] for seen in (before, after)]
    assert spread[1] > 1.8 * spread[0]


def test_pure_tied_and_mixed_leaves_look_different(bare):
    """By hand: 4 of one class; 2 and 2; 3 and 1. By frames and marks, not by colour alone."""
    rows = [("p", "a")] * 4 + [("t", "a"), ("t", "b")] * 2 + [("m", "a")] * 3 + [("m", "b")]
    columns = {"x": [x for x, _ in rows], "y": [y for _, y in rows]}

    def made():
        return builder(dt.Table.from_columns(columns, "y"), {"do": "best"})

    begin(bare, outside(made))
    looks = """one => {
      const { strokeWidth, strokeDasharray } = getComputedStyle(one.querySelector(".dtl-box"));
      const [marks, equal] = ["g > .dtl-mark", ".dtl-equal"].map((a) => one.querySelectorAll(a));
      return [strokeWidth, strokeDasharray, marks.length, equal.length];
    }"""
    mixed, pure, tie = (bare.page.locator(f"[data-id='{i}']").evaluate(looks) for i in range(3))
    assert pure[0] != mixed[0]
    assert [one[1] != "none" for one in (pure, tie, mixed)] == [False, True, False]
    assert [one[3] for one in (pure, tie, mixed)] == [0, 1, 0]
    assert [one[2] for one in (pure, tie, mixed)] == [1, 2, 1]  # before the title


@pytest.mark.thorough
@pytest.mark.parametrize("forced", ["none", "active"])
def test_axe_finds_nothing_near_or_far(told, bare, forced):
    page = bare.page
    page.emulate_media(forced_colors=forced)
    for name in ("penguins", "xor"):
        begin(bare, told[name])
        for _ in range(3):
            assert axe(page, ".dtl-lab") == []
            press(page, "Zoom in", 4)
    page.emulate_media(forced_colors="none")
