"""Every key of every lecture and demo, at four sizes: all in view, in type for the last row."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from contextlib import contextmanager
from itertools import product

import numpy as np
import pytest
from effort import profile
from playwright.sync_api import expect

import dtree_lab as dt
from browser import server as servers
from browser.conftest import ARTEFACTS
from browser.walking import FILLED, NARROW, SIZES, Sight, sized, walked
from dtree_lab.cli.lecture import shipped
from dtree_lab.labs.catalogue import LABS
from dtree_lab.tree.tree import walk

# One of the lectures needs a table that is brought along.
NEEDS_TABLE = "your-table"
COMMANDS = [("lecture", name) for name in shipped() if name != NEEDS_TABLE] + [
    ("demo", lab.name) for lab in LABS
]
# A demo whose own steps go on for ever is pressed so many times.
MOST_KEYS_OF_DEMO = 40
HEAD = ["lecture", "scene", "size", "keys", "least %", "least said %", "in view", "lines left out"]
# One of each kind of scene, with much in it: what the long test tries of all that is shipped.
CROWDED = """---
title: Crowded
---
---
lab: tree
table: tax_fraud
show: [questions]
steps: 2
ask: Which of these is an internal node of the tree, but not its root?
options: [the card Refund, the card below the branch Married, the card Marital Status, "Yes"]
answer: C
because: It asks a question, and a row comes to it by an earlier answer.
---
# A tree, and what to ask

---
ask: When a question turns out badly, does ID3 go back and ask another one in its place?
options: ["yes", "no, never", "only where the gains of two attributes come out exactly even"]
answer: B
because: No step of the loop takes a question back. ID3 looks one question ahead, and never behind.
---
# Words

Sixteen rows. The sense is *light1* if one of *sea* and *fog* stands near, and not both.

. . .

A third word, *lamp*, goes with the sense in 3 of 4 rows.

---
lab: forest
---
# A forest
"""


@contextmanager
def opened(home, new_page, sizes, *words):
    """The audience's windows of these sizes, and the presenter's, of ``dtree-lab`` with words."""
    with servers.windows(home, *words) as (address, presenter):
        windows = {size: sized(new_page(address), size) for size in sizes}
        for size, page in windows.items():
            page.goto(address)
            expect(page.locator("#stage")).to_have_attribute("data-drawn", re.compile(r"\d"))
            wide, high, ratio = (SIZES | NARROW)[size]
            measured = page.evaluate("() => [innerWidth, innerHeight, devicePixelRatio]")
            assert measured == [wide, high, ratio]
        own = new_page(presenter)
        own.goto(presenter)
        expect(own.locator("#where")).to_contain_text("Scene 1")
        yield windows, own
        for page in (own, *windows.values()):
            page.goto("about:blank")


def jumps(sights: list[Sight]):
    """Scenes without a lab in which type changes its size from key to key."""
    types = defaultdict(set)
    for sight in sights:
        if sight.seen["type"]:
            types[sight.scene, sight.size].add(sight.seen["type"])
    return {at: sorted(found) for at, found in types.items() if len(found) > 1}


def headings(sights: list[Sight]):
    """Where the headings of a lecture stand, and how large they are, by the window's size."""
    found = defaultdict(set)
    for sight in sights:
        if sight.seen["head"]:
            found[sight.size].add(tuple(sight.seen["head"]))
    return {size: sorted(places) for size, places in found.items() if len(places) > 1}


def bare(sights: list[Sight]):
    """Keys at which a lab's pictures leave too much of what they could have."""
    filled = ((one, one.seen["filled"]) for one in sights)
    return {
        (one.scene, one.step, one.size): share
        for one, share in filled
        if share is not None and share < FILLED
    }


def wrong(sights: list[Sight]):
    """What a last row could not read or see, by scene, step, size, and how the question stands."""
    at = lambda one: (one.scene, one.step, one.size, one.asked)  # noqa: E731
    return {at(sight): sight.wrong for sight in sights if sight.wrong}


def seen_from(*sizes):
    """Windows of these sizes; in ``make test`` of the last of them, which has the least room."""
    return sizes if profile() == "thorough" else sizes[-1:]


def test_crowded_scenes_are_seen_from_the_last_row(tmp_path, new_page):
    file = tmp_path / "crowded.md"
    file.write_text(CROWDED, encoding="utf-8")
    with opened(tmp_path, new_page, seen_from("projector", "old"), "lecture", str(file)) as (
        windows,
        own,
    ):
        sights = list(walked(windows, own))
    assert {sight.scene for sight in sights} == set(range(CROWDED.count("\n# ")))
    assert {sight.asked for sight in sights} == {"", "asked", "counted", "answered"}
    assert wrong(sights) == {}
    assert jumps(sights) == {}
    assert headings(sights) == {}
    assert bare(sights) == {}


TOWNS = """---
title: Thirteen towns
---
---
lab: tree
table: towns.csv
show: [tree]
steps: 3
---
# Thirteen towns
"""
# Of each node on the way to the chosen one, in which form it is drawn and what it says.
WAY = """() => {
  const node = (id) => document.querySelector(`[role=treeitem][data-id="${id}"]`);
  const chosen = document.querySelector("[role=treeitem][aria-selected=true]").dataset.id;
  const branches = chosen === "root" ? [] : chosen.split(".");
  const ids = ["root", ...branches.map((_, i) => branches.slice(0, i + 1).join("."))];
  const form = (one) => one.getAttribute("class").match(/dtl-as-(\\w+)/)[1];
  return ids.map(node).map((one) => [form(one), one.textContent]);
}"""


def test_beside_many_branches_the_way_to_the_chosen_node_keeps_its_questions(tmp_path, new_page):
    rows = ["town,weight,express,late"]
    for town in range(13):
        for weight in range(6):
            for express in ("yes", "no"):
                late = town % 4 and (town % 2 or weight > 2) and (express == "no" or weight > 1)
                rows.append(f"town{town:02d},{weight},{express},{'late' if late else 'early'}")
    (tmp_path / "towns.csv").write_text("\n".join(rows), encoding="utf-8")
    file = tmp_path / "towns.md"
    file.write_text(TOWNS, encoding="utf-8")
    ways = defaultdict(list)

    def keep(sight, page):
        ways[sight.size].append(page.evaluate(WAY))

    with opened(tmp_path, new_page, seen_from("projector", "old"), "lecture", str(file)) as (
        windows,
        own,
    ):
        sights = list(walked(windows, own, keep))
    assert wrong(sights) == {}
    for found in ways.values():
        assert [len(way) for way in found] == [1, 1, 2, 3]
        assert all(form != "mark" for way in found for form, _ in way)
        assert all("?" in says for way in found[1:] for _, says in way)
        assert "town?" in found[-1][0][1]


PARITY = """---
title: Parity
---
---
lab: expressiveness
settings: {n: 3, function: xor}
reveal: [verdict]
steps:
  - {do: set, control: n, value: 4}
---
# Parity
"""
# In which forms the nodes of each level are drawn.
FORMS = """() => {
  const found = {};
  for (const one of document.querySelectorAll("[role=treeitem]")) {
    const { id } = one.dataset;
    const form = one.getAttribute("class").match(/dtl-as-(\\w+)/)[1];
    (found[id === "root" ? 0 : id.split(".").length] ??= []).push(form);
  }
  return Object.values(found).map((forms) => [...new Set(forms)]);
}"""


def test_what_is_alike_in_a_tree_looks_alike(tmp_path, new_page):
    """Of three switches all nodes say something, of four all questions; both trees are full."""
    file = tmp_path / "parity.md"
    file.write_text(PARITY, encoding="utf-8")
    forms = {}

    def keep(sight, page):
        forms[sight.step] = page.evaluate(FORMS)

    with opened(tmp_path, new_page, ["projector"], "lecture", str(file)) as (windows, own):
        list(walked(windows, own, keep))
    for n, levels in zip((3, 4), list(forms.values())[-2:], strict=True):
        assert len(levels) == n + 1
        assert all(len(found) == 1 for found in levels)
        assert all(found != ["mark"] for found in levels[:4])


LARGE = """---
title: Fans, and three hundred nodes
---
---
lab: tree
table: towns.csv
show: [tree]
steps:
  - {do: split, attribute: 0}
  - [{do: select, at: "0"}, {do: split, attribute: 1}]
  - [{do: select, at: "1"}, {do: split, attribute: 1}]
  - {do: select, at: "0.3"}
---
# Two halves, thirteen towns each

---
lab: tree
table: noise.csv
show: [tree]
steps:
  - {do: finish, option: CART}
  - {do: select, at: "WAY"}
---
# Three hundred nodes
"""
# Which nodes are fans, and how many branches of each are drawn.
FANS = """() => Object.fromEntries([...document.querySelectorAll("[role=treeitem]")]
  .filter((one) => one.ariaLabel.endsWith("13 branches folded"))
  .map((one) => [one.dataset.id, one.querySelectorAll(".dtl-ray").length]))"""


def test_before_a_class_fans_close_behind_the_way_which_keeps_its_questions(tmp_path, new_page):
    rng = np.random.default_rng(0)
    x, z, y = rng.random(420).round(4), rng.random(420).round(4), rng.integers(0, 2, 420)
    noise = dt.Table.from_columns({"x": x, "z": z, "y": [f"c{k}" for k in y]}, "y")
    lines = [f"{a},{b},c{k}" for a, b, k in zip(x, z, y, strict=True)]
    (tmp_path / "noise.csv").write_text("\n".join(["x,z,y", *lines]), encoding="utf-8")
    tree = dt.cart(noise)
    assert 250 < tree.n_nodes < 350
    node, way = tree.root, []
    while len(way) < 3:  # to the side with fewer rows
        way.append(min(range(2), key=lambda i: sum(node.children[i].counts)))
        node = node.children[way[-1]]
        assert len(node.children) == 2
    halves = ["half,town,late"]
    for half, town, i in product("ns", range(13), range(6)):
        halves.append(f"{half},t{town},{'late' if (town + (half == 's') * i) % 3 else 'early'}")
    (tmp_path / "towns.csv").write_text("\n".join(halves), encoding="utf-8")
    file = tmp_path / "large.md"
    file.write_text(LARGE.replace("WAY", ".".join(map(str, way))), encoding="utf-8")
    fans, ways = defaultdict(list), defaultdict(list)

    def keep(sight, page):
        fans[sight.size].append(page.evaluate(FANS))
        ways[sight.size].append(page.evaluate(WAY))

    with opened(tmp_path, new_page, ["projector", "phone"], "lecture", str(file)) as (windows, own):
        sights = list(walked(windows, own, keep))
    assert wrong([sight for sight in sights if sight.size == "projector"]) == {}
    none = [{}] * 3
    assert fans["projector"] == [*none, {"0": 13}, {"1": 13}, *none]
    # On a phone it may be but a mark.
    assert [set(found) for found in fans["phone"]] == [set(found) for found in fans["projector"]]
    assert all(form != "mark" for found in ways["projector"] for form, _ in found)
    for found in ways.values():
        assert [len(one) for one in found] == [1, 1, 2, 2, 3, 1, 1, 4]
        # Where a room has no width for all of the way, its ends have it.
        assert all(one[i][0] != "mark" for one in found for i in (0, -1))


LEAVES = """() => Object.fromEntries([...document.querySelectorAll("[role=treeitem].dtl-answer")]
  .map((one) => [one.dataset.id, [...one.querySelectorAll(".dtl-tag")].pop()?.textContent]))"""
IN_HAND = "() => document.querySelector('tr.dtl-current')?.cells[0].innerText"


def test_before_a_class_each_leaf_says_its_decision(tmp_path, new_page):
    lab = dt.DecisionLab()
    shares = {}
    for path, node in walk(lab.full.root):
        if not getattr(node, "children", ()):
            # No and Yes, in this order.
            shares[".".join(map(str, path))] = node.counts[1] / sum(node.counts)
    found = []

    def keep(_, page):
        at = page.evaluate(IN_HAND)
        found.append((float(at or lab.threshold), page.evaluate(LEAVES)))

    words = ("demo", "decisions")
    with opened(tmp_path, new_page, seen_from("projector", "laptop", "old"), *words) as (
        windows,
        own,
    ):
        sights = list(walked(windows, own, keep))
    assert wrong(sights) == {}
    assert {at for at, _ in found} == {0.5, 0.3, 0.05}
    for at, leaves in found:
        assert leaves.keys() == shares.keys()
        for id_, said in leaves.items():
            assert (said or "").endswith("Yes" if shares[id_] > at else "No"), (at, id_, said)


@pytest.mark.thorough
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_key_is_seen_from_the_last_row(words, tmp_path, new_page, picture):
    def keep(sight, page):
        if sight.size in ("projector", "old"):
            kind = f"{sight.scene + 1:02d}-{sight.step:02d}-{sight.asked}".rstrip("-")
            picture(f"stage-{'-'.join(words)}-{sight.size}-{kind}", page)

    most = {"most": MOST_KEYS_OF_DEMO} if words[0] == "demo" else {}
    with opened(tmp_path, new_page, SIZES, *words) as (windows, own):
        sights = list(walked(windows, own, keep, **most))
    report(words, sights)
    assert wrong(sights) == {}
    assert jumps(sights) == {}
    assert headings(sights) == {}
    if words[0] == "lecture":
        assert bare(sights) == {}


def report(words, sights: list[Sight]):
    """Keep a table of what was seen of each scene at each size."""
    found = defaultdict(list)
    for sight in sights:
        found[sight.scene, sight.size].append(sight)
    rows = []
    for (scene, size), some in sorted(found.items()):
        said = [one.seen["said"] for one in some if one.seen["said"] is not None]
        least = min(one.seen["percent"] for one in some if one.seen["percent"] is not None)
        in_view = not any({"out", "over", "scrolls"} & set(one.wrong) for one in some)
        left = sum(bool(one.seen["left"]) for one in some)
        row = [" ".join(words), scene + 1, size, len(some), least, min(said, default="")]
        rows.append([*row, "yes" if in_view else "no", left])
    ARTEFACTS.mkdir(exist_ok=True)
    file = ARTEFACTS / f"stage-{'-'.join(words)}.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([HEAD, *rows])
