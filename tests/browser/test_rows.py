"""Rows as marks in a tree: they lie in piles, and go along the branches when the tree changes.

The labs stand on a page without Jupyter (`bare`), with motion where it is tested.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pytest

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from browser.driver import at_rest

# Each mark by its row: its place in the tree's drawing, its size, and whether it is seen.
MARKS = """() => Object.fromEntries([...document.querySelectorAll(".dtl-row")].map((one) => {
  const [x, y, r] = one.getAttribute("transform").match(/-?[\\d.]+/g).map(Number);
  return [one.dataset.row, [x, y, r, one.getAttribute("visibility") !== "hidden"]];
}))"""
# The same frame by frame, with where the nodes stand, while the lab is told things: each at its
# time, or once any of some rows is well on its way. The clock is the test's, a frame every 16 ms
# of it: a busy machine shows fewer frames, and fewer of them are no other flight.
NODES = """() => Object.fromEntries([...document.querySelectorAll("[role=treeitem]")].map((one) =>
  [one.dataset.id, one.getAttribute("transform").match(/-?[\\d.]+/g).map(Number)]))"""
WATCH = f"""async (tolds) => {{
  const found = [];
  const begin = performance.now();
  const [next, cancel] = [requestAnimationFrame, cancelAnimationFrame];
  let [time, last, waiting] = [begin, 1e9, new Map()];
  performance.now = () => time;
  window.requestAnimationFrame = (run) => (waiting.set(++last, run), last);
  window.cancelAnimationFrame = (nth) => waiting.delete(nth) || cancel(nth);
  const step = () => {{
    const runs = waiting;
    [time, waiting] = [time + 16, new Map()];
    for (const run of runs.values()) run(time);
  }};
  const goOn = () => (step(), next(goOn));
  const frame = () => new Promise((done) => setTimeout(() => done(step())));
  const waits = (at, rows) => {{
    if (performance.now() - begin < at) return true;
    const gone = (row) => Math.abs(found.at(-1)[1][row][1] - found[0][1][row][1]) > 20;
    return rows.length > 0 && !rows.some(gone);
  }};
  for (const [at, told, ...rows] of tolds) {{
    while (waits(at, rows)) {{
      await frame();
      found.push([performance.now() - begin, ({MARKS})(), ({NODES})()]);
    }}
    if (told) now.change("told", told);
    found.push([performance.now() - begin, ({MARKS})(), ({NODES})()]);
  }}
  goOn();
  return found;
}}"""
# The classes of the marks that are seen within each node with a card.
PILES = """() => {
  const marks = [...document.querySelectorAll(".dtl-row:not([visibility])")];
  const within = (node) => {
    const box = node.querySelector(".dtl-box").getBoundingClientRect();
    const inside = marks.filter((one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const across = left >= box.left && right <= box.right;
      return across && top >= box.top && bottom <= box.bottom;
    });
    return [node.dataset.id, inside.map((one) => Number(one.dataset.row))];
  };
  return Object.fromEntries([...document.querySelectorAll("[role=treeitem]")].map(within));
}"""


def told(lab, *actions):
    found = [lab.told]
    for action in actions:
        lab.act(action)
        found.append(lab.told)
    return found


def grown():
    """The tax table: split at the root, at the first branch, undone, done again another way."""
    best, undo = {"do": "best"}, {"do": "undo"}
    left = {"do": "select", "at": "0"}
    other = {"do": "split", "attribute": 0, "at": "root"}
    lab = dt.TreeBuilder(dt.datasets.tax_fraud())
    return told(lab, best, left, best, undo, {"do": "select", "at": "root"}, other)


def cut(faded):
    """A tree that is pruned, with what is pruned in sight or out of it."""
    lab = dt.PruningLab()
    lab.act({"do": "set", "control": "faded", "value": faded})
    return told(lab, {"do": "next"}, {"do": "next"}, {"do": "back"})


@pytest.fixture(scope="module")
def tax():
    return outside(grown)


@pytest.fixture(scope="module")
def pruned():
    return outside(lambda: cut(faded=False))


@pytest.fixture
def bare(new_page):
    shown = Bare(new_page(ADDRESS))
    shown.page.set_viewport_size({"width": 1280, "height": 720})
    shown.page.emulate_media(reduced_motion="no-preference")
    return shown


def watch(bare, *tolds, until=1600):
    return bare.page.evaluate(WATCH, [*tolds, (until, None)])


def leaves(table, cuts):
    """The rows at each node of a tree that asks `cuts`, sorted by hand: ``{node: rows}``."""
    found = {}
    for row, cells in enumerate(zip(*(table.column(name) for name in table.names), strict=True)):
        found.setdefault(cuts(dict(zip(table.names, cells, strict=True))), set()).add(row)
    return found


MARRIED = {"Single": "0", "Married": "1", "Divorced": "2"}


def by_hand(row):
    """After the root and its first branch were split."""
    at = MARRIED[row["Marital Status"]]
    if at != "0":
        return at
    return "0.0" if row["Refund"] == "Yes" else "0.1"


def test_every_row_lies_once_in_the_leaf_that_it_belongs_to(tax, bare):
    """Against the table, sorted by hand."""
    table = dt.datasets.tax_fraud()
    bare.begin(tax[3])
    piles = bare.page.evaluate(PILES)
    lying = {id_: set(rows) for id_, rows in piles.items() if rows}
    assert lying == leaves(table, by_hand)
    assert sum(map(len, piles.values())) == table.n_rows
    marks = bare.page.locator(".dtl-row").evaluate_all(
        "all => all.map((one) => [one.dataset.row, one.style.getPropertyValue('--dtl-own')])"
    )
    classes = Counter((table.column("Cheat")[int(row)], colour) for row, colour in marks)
    assert sorted(classes.values()) == [3, 7]  # two classes, a colour for each


def test_a_split_is_seen_row_by_row_and_nothing_else_moves(tax, bare):
    bare.page.set_viewport_size({"width": 1920, "height": 1080})  # all stay in their form
    bare.begin(tax[2])
    rows = leaves(dt.datasets.tax_fraud(), by_hand)
    moved = rows["0.0"] | rows["0.1"]
    seen = watch(bare, (50, tax[3]))
    last = max(time for time, marks, _ in seen if differs(marks, seen[-1][1]))
    assert last - 50 > 400
    for row in map(str, range(10)):
        ways = [marks[row][:2] for _, marks, _ in seen]
        nodes = [at for _, _, at in seen]
        if int(row) not in moved:  # it keeps its place in its node, which may glide
            home = "1" if int(row) in rows["1"] else "2"
            apart = [
                (x - at[home][0], y - at[home][1]) for (x, y), at in zip(ways, nodes, strict=True)
            ]
            assert max(abs(a - apart[0][0]) + abs(b - apart[0][1]) for a, b in apart) < 0.5
            continue
        start, end = ways[0][1], ways[-1][1]
        assert end > start + 40  # it went down
        between = {round(y) for _, y in ways if start + 3 < y < end - 3}
        assert len(between) >= 2
        assert max(b - a for a, b in pairwise(y for _, y in ways)) < 0.9 * (end - start)
    lifted = [marks[str(min(moved))][2] for _, marks, _ in seen]
    assert max(lifted) > 1.15 * seen[0][1][str(min(moved))][2]  # first one sees which


def differs(some, others):
    return any(
        abs(a - b) > 0.2
        for row in some
        for a, b in zip(some[row][:3], others[row][:3], strict=True)
    )


def test_an_act_during_the_flight_sends_them_on_from_where_they_are(tax, bare):
    bare.begin(tax[2])
    rows = leaves(dt.datasets.tax_fraud(), by_hand)
    moved = [str(row) for row in rows["0.0"] | rows["0.1"]]
    seen = watch(bare, (50, tax[3]), (60, tax[4], *moved), until=2500)
    ways = [[marks[row][:2] for _, marks, _ in seen] for row in moved]
    for way in ways:
        assert way[-1] == pytest.approx(way[0], abs=0.2)  # back in the pile
    low = max(ways, key=lambda way: max(y for _, y in way))
    top, turn = low[0][1], max(y for _, y in low)
    assert turn > top + 15
    at = next(i for i, (_, y) in enumerate(low) if y == turn)
    back = {round(y) for _, y in low[at + 1 :] if top + 2 < y < turn - 2}
    assert len(back) >= 2  # it turned there, and did not begin anew


def test_rows_that_are_asked_otherwise_fly_across(tax, bare):
    bare.begin(tax[5])
    bare.show(tax[5])
    seen = watch(bare, (50, tax[6]))
    table = dt.datasets.tax_fraud()
    before = leaves(table, lambda row: MARRIED[row["Marital Status"]])
    after = leaves(table, lambda row: "0" if row["Refund"] == "Yes" else "1")
    assert {i for i, rows in after.items() for _ in rows} == {"0", "1"}
    for id_, rows in before.items():
        for row in rows:
            xs = [marks[str(row)][0] for _, marks, _ in seen]
            if row not in after.get(id_, set()):
                assert len({round(x) for x in xs}) > 4
    final = bare.page.evaluate(PILES)
    assert {id_: set(rows) for id_, rows in final.items() if rows} == after


def test_what_is_pruned_pours_back_and_grows_again(pruned, bare):
    bare.begin(pruned[0])
    start = bare.page.evaluate(MARKS)
    seen = watch(bare, (50, pruned[1]), (1200, pruned[2]), (2400, pruned[3]), until=3700)
    assert len(start) == 240
    bare.page.emulate_media(reduced_motion="reduce")
    for state in (pruned[0], pruned[3]):
        bare.show(state)
        lying = bare.page.evaluate(MARKS)
    assert not differs(seen[-1][1], lying)  # where they lie does not depend on how they came there
    assert differs(seen[0][1], lying)


def test_without_motion_numbers_say_how_many_went_where(tax, bare):
    page = bare.page
    page.emulate_media(reduced_motion="reduce")
    bare.begin(tax[0])
    assert page.locator(".dtl-went").count() == 0
    bare.show(tax[1])
    said = page.locator(".dtl-went").all_text_contents()
    rows = leaves(dt.datasets.tax_fraud(), lambda row: MARRIED[row["Marital Status"]])
    assert sorted(said) == sorted(f"\N{DOWNWARDS ARROW} {len(one)} rows" for one in rows.values())
    before = page.evaluate(MARKS)
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    assert page.evaluate(MARKS) == before  # there at once
    bare.show(tax[3])
    bare.show(tax[4])
    assert page.locator(".dtl-went").all_text_contents() == ["\N{UPWARDS ARROW} 4 rows"]
    bare.show(tax[6])
    assert page.locator(".dtl-went").count() == 0  # another question: its branches are others
    xor = dt.datasets.truth_table("xor", 3)
    bare.show(outside(lambda: told(dt.TreeBuilder(xor), {"do": "best"}))[-1])
    assert page.locator(".dtl-went").count() == 0  # none of these rows went anywhere


# Each tree that is there before and after: how many elements it had, has, and still has.
MARK = """() => document.querySelectorAll(".dtl-tree").forEach((tree) => {
  const all = [...tree.querySelectorAll(":not(.dtl-went)")];
  all.forEach((one) => (one.stood = true));
  tree.had = all.length;
})"""
COUNT = """() => {
  const trees = [...document.querySelectorAll(".dtl-tree")].filter((tree) => tree.had);
  return trees.map((tree) => {
    const all = [...tree.querySelectorAll(":not(.dtl-went)")];
    return [tree.had, all.length, all.filter((one) => one.stood).length];
  });
}"""


def test_elements_of_trees_survive_a_split_an_undo_and_a_pruning(tax, bare):
    """95 % of those that are there before and after, where none comes nearer."""
    bare.page.emulate_media(reduced_motion="reduce")
    for states in (tax, outside(lambda: cut(faded=True))):
        bare.begin(states[0])
        for state in states[1:]:
            bare.page.evaluate(MARK)
            bare.show(state)
            for had, has, stood in bare.page.evaluate(COUNT):
                assert stood >= 0.95 * min(had, has), (had, has, stood)


def test_who_presses_a_mark_chooses_the_node_in_which_it_lies(tax, bare):
    bare.page.emulate_media(reduced_motion="reduce")
    bare.begin(tax[3])
    bare.page.evaluate("() => { now.sent = []; now.send = (action) => now.sent.push(action); }")
    row = min(leaves(dt.datasets.tax_fraud(), by_hand)["1"])
    bare.page.locator(f".dtl-row[data-row='{row}']").click()
    assert bare.page.evaluate("() => now.sent.at(-1).at") == "1"


def test_a_branch_that_is_folded_takes_its_rows_in(tax, bare):
    """And gives them back; in the card above they are counted on its strip."""
    bare.begin(tax[3])
    before = bare.page.evaluate(PILES)
    bare.page.locator("[data-id='0']").first.focus()
    bare.page.keyboard.press("Shift+ArrowLeft")
    at_rest(bare.page)
    gone = set(map(str, before["0.0"] + before["0.1"]))
    seen = bare.page.evaluate(MARKS)
    assert {row for row, (*_, is_seen) in seen.items() if not is_seen} == gone
    bare.page.keyboard.press("Shift+ArrowRight")
    at_rest(bare.page)
    assert bare.page.evaluate(PILES) == before


def test_many_rows_are_grains_and_the_tree_says_so(bare):
    def made():
        lab = dt.ExpressivenessLab()
        lab.act({"do": "set", "control": "n", "value": 8})
        more = dt.TreeBuilder(
            dt.Table.from_columns({"x": list(range(1500)), "y": ["a", "b", "b"] * 500}, "y")
        )
        more.act({"do": "best"})
        return lab.told, more.told

    few, many = outside(made)
    bare.begin(few)
    assert bare.page.locator(".dtl-row").count() == 256
    bare.begin(many)
    assert bare.page.locator(".dtl-row").count() == 300
    assert bare.page.locator(".dtl-row[data-row]").count() == 0  # a grain is no row
    assert bare.page.get_by_text("One mark = 5 rows.").is_visible()
    marks = next(part for part in json.loads(many)["parts"] if part["kind"] == "tree")
    assert marks["tree"]["marks"]["n"] == [300, 0]
