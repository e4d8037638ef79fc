"""What the labs share: messages, states as text, folded trees, views without a kernel."""

from __future__ import annotations

import json
import re
import zlib
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.labs.kit.actions import (
    NotPossibleError,
    Pick,
    Point,
    Press,
    Select,
    Set,
    node_id,
    path_of,
    read_action,
    whole_number,
)
from dtree_lab.labs.kit.cards import drawn, folded, node_at
from dtree_lab.labs.kit.choices import NumberAsked
from dtree_lab.labs.kit.controls import Slider, Thumbnails
from dtree_lab.labs.kit.keeping import fingerprint, kept, settings_of
from dtree_lab.labs.kit.model import still_html, still_text
from dtree_lab.labs.kit.parts import Grid, View, Words, legend_target
from dtree_lab.labs.kit.recording import Record
from dtree_lab.labs.kit.taking import drawn_note, row_number, some_of
from dtree_lab.tree.tree import Branch, walk
from labs import all_parts

TAX = dt.datasets.tax_fraud()
HOSTILE = '<img src=x onerror="alert(1)">'


@pytest.mark.parametrize(
    ("message", "action"),
    [
        ({"do": "set", "control": "k", "value": 3}, Set("k", 3.0)),
        ({"do": "set", "control": "k", "value": True}, Set("k", True)),  # noqa: FBT003
        ({"do": "set", "control": "k", "value": "ID3"}, Set("k", "ID3")),
        ({"do": "next"}, Press("next")),
        ({"do": "select", "part": "t", "at": "0.1"}, Select("t", (0, 1))),
        ({"do": "pick", "part": "g", "row": 2}, Pick("g", 2)),
        ({"do": "point", "part": "p", "x": 1, "y": 2.5}, Point("p", 1.0, 2.5)),
    ],
)
def test_a_message_is_read_as_its_action(message, action):
    found = read_action(message)
    assert found == action
    assert [type(v) for v in vars(found).values()] == [type(v) for v in vars(action).values()]


@each(
    "message",
    [
        None,
        {},
        {"do": 3},
        {"do": "set", "control": "k"},
        {"do": "set", "control": "k", "value": float("nan")},
        {"do": "set", "control": "k", "value": [1]},
        {"do": "select", "part": "t", "at": "0.x"},
        {"do": "pick", "part": "g", "row": True},
        {"do": "pick", "part": "g", "row": "1"},
        {"do": "point", "part": "p", "x": float("inf"), "y": 0},
    ],
)
def test_a_message_that_no_view_sends_is_refused(message):
    with pytest.raises(NotPossibleError):
        read_action(message)


def test_what_the_browser_shows_python_has_put_into_words():
    """Numbers beside sliders, what is chosen by its picture, and news without the verdict."""
    sliders = [
        Slider("s", "S", x, 0, 9, words=said) for x, said in ((2.5, ""), (4.0, ""), (1, "i"))
    ]
    assert [one.json()["said"] for one in sliders] == ["2.5", "4", "i"]
    ends = [NumberAsked("n", "?", low=low, high=high) for low, high in ((0.0, 0.5), (None, None))]
    assert [one.json()["ends"] for one in ends] == [["0", "0.5"], ["", ""]]
    pictures = [Thumbnails("t", "T", key, [("a", "circle")], pictures=[""]) for key in ("a", "")]
    assert [one.json()["said"] for one in pictures] == ["circle", "your own points"]
    news = [View("", [], verdict=v, status="Best. Asked.") for v in ("", "Best.", "Worse.")]
    assert [one.json()["status"] for one in news] == ["Best. Asked.", "Asked.", "Best. Asked."]
    records = [Record([{}] * n, [""] * n, [{}] * n) for n in (1, 1200)]
    said = [json.loads(zlib.decompress(one.packed()))["about"] for one in records]
    assert said == [f"Recorded, {n}: plays without Python." for n in ("1 view", "1,200 views")]


@given(st.lists(st.integers(0, 9)).map(tuple))
def test_a_path_is_known_by_its_name(path):
    assert path_of(node_id(path)) == path


@pytest.mark.parametrize("given_", [2.5, "3", True, None, 0, 11])
def test_a_whole_number_is_asked_for_by_name(given_):
    with pytest.raises(NotPossibleError, match="the depth must"):
        whole_number(given_, 1, 10, "the depth")
    assert whole_number(3.0, 1, 10, "the depth") == 3


def test_a_state_comes_back_from_its_text():
    text = kept("SomeLab", TAX, {"depth": 3, "name": HOSTILE})
    kinds = {"depth": int, "name": str}
    assert settings_of(text, "SomeLab", TAX, kinds) == {"depth": 3, "name": HOSTILE}


def test_a_state_kept_when_a_files_whole_numbers_were_text_still_fits():
    columns = {"zip": [2, 5, 7, 2], "x": [1.5, 2.5, 3.5, 4.5], "y": [0, 1, 1, 0]}
    kinds = {"zip": "discrete", "y": "discrete"}
    now = dt.Table.from_columns(columns, "y", kinds=kinds)
    then = dt.Table.from_columns(
        columns | {name: list(map(str, columns[name])) for name in kinds}, "y"
    )
    text = kept("SomeLab", then, {"depth": 3})
    assert settings_of(text, "SomeLab", now, {"depth": int}) == {"depth": 3}
    # The other way about it never was; nor may other rows, or the same in another order, fit.
    for other in (then.take([1, 0, 2, 3]), now.take([0, 1, 2]), TAX):
        with pytest.raises(ValueError, match="another table"):
            settings_of(kept("SomeLab", other, {"depth": 3}), "SomeLab", now, {"depth": int})
    for lab, validated in ((dt.PruningLab, True), (dt.StepThrough, True), (dt.TreeBuilder, False)):
        held = ({"validation": then}, {"validation": now}) if validated else ({}, {})
        before = lab(then, **held[0])
        assert fingerprint(now) in lab(now, state=before.state, **held[1]).state


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a text from .state of a SomeLab"),
        (None, "a text from .state of a SomeLab"),
        ("[]", "a text from .state of a SomeLab"),
        (kept("OtherLab", TAX, {"depth": 3}), "a text from .state of a SomeLab"),
        (kept("SomeLab", dt.datasets.word_sense(), {"depth": 3}), "another table"),
        (kept("SomeLab", TAX, {}), "its 'depth' is missing"),
        (kept("SomeLab", TAX, {"depth": "3"}), "its 'depth' is missing or of the wrong sort"),
        (kept("SomeLab", TAX, {"depth": True}), "its 'depth' is missing or of the wrong sort"),
    ],
)
def test_a_text_that_is_no_state_of_this_lab_is_refused(text, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        settings_of(text, "SomeLab", TAX, {"depth": int})


@given(tables(), st.data())
def test_a_folded_tree_keeps_the_way_to_each_selected_node(table, data):
    tree = dt.id3(table)
    paths = [path for path, _ in walk(tree.root)]
    selected = data.draw(st.lists(st.sampled_from(paths), max_size=2))
    hidden = folded(tree.root, *selected, most=data.draw(st.integers(0, 9)))
    assert all(isinstance(node_at(tree.root, path), Branch) for path in hidden)
    for path in selected:
        assert all(at in hidden.get(path[:n], (at,)) for n, at in enumerate(path))
    if not selected and not hidden:
        assert drawn(tree, ())["cards"][0]["id"] == "root"


def test_few_nodes_are_not_folded_and_many_are():
    tree = dt.id3(dt.datasets.truth_table("xor", 7))
    cards = drawn(tree, ())["cards"]
    assert tree.n_nodes > len(cards) > 20
    assert any(card["kind"] == "folded" for card in cards)
    assert len(drawn(dt.id3(TAX), ())["cards"]) == dt.id3(TAX).n_nodes


def test_tags_and_faded_nodes_are_told_with_their_cards():
    cards = drawn(dt.id3(TAX), (), tags={(1,): "pruned"}, faded={(1,)})["cards"]
    told = {card["id"]: (card.get("tag"), card.get("faded")) for card in cards}
    assert told.pop("1") == ("pruned", True)
    assert set(told.values()) == {(None, None)}


class Words_(HTMLParser):  # noqa: N801
    """All texts of a page, and its elements."""

    def __init__(self, page):
        super().__init__()
        self.texts, self.names, self.given = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.given += attrs

    def handle_data(self, data):
        self.texts.append(data)


def test_every_part_stands_without_a_kernel():
    seen = all_parts.view(all_parts.State())
    page, text = Words_(still_html(seen)), still_text(seen)
    everything = "".join(page.texts)
    wanted = (
        "All parts",
        "Errors",
        "Depth: 3 levels",
        "Method: second",
        "Two lines.",
        "Marital Status",
    )
    for said in wanted:
        assert said in everything
        assert said in text
    assert page.names.count("img") == 3  # two figures and a tree
    assert all(alt for name, alt in page.given if name == "alt")
    assert "● No, ▲ Yes" in text


def test_names_are_text_without_a_kernel_too():
    grid = Grid("g", HOSTILE, [HOSTILE], [[HOSTILE]], heading=HOSTILE, more=HOSTILE)
    page = Words_(still_html(View(HOSTILE, [grid, Words("w", [HOSTILE], heading=HOSTILE)])))
    assert "img" not in page.names
    assert "".join(page.texts).count("onerror") == 7


def test_a_table_without_a_kernel_has_a_heading_for_each_row_and_none_without_words():
    grid = Grid("g", "sizes", ["", "nodes"], [["ID3", "7"], ["CART", "9"]])
    page = still_html(View("V", [grid]))
    table = ElementTree.fromstring(page[page.index("<table>") : page.index("</table>") + 8])  # noqa: S314 - our own
    assert [(th.get("scope"), th.text) for th in table.iter("th")] == [
        ("col", "nodes"),
        ("row", "ID3"),
        ("row", "CART"),
    ]
    assert [[cell.text for cell in row] for row in table.iter("tr")] == [
        [None, "nodes"],
        ["ID3", "7"],
        ["CART", "9"],
    ]


def test_a_view_is_plain_json():
    told = all_parts.view(all_parts.State()).json()
    assert json.loads(json.dumps(told)) == told


@each("n, has_room", [(1, True), (30, True), (31, False)])
def test_a_legend_has_room_for_thirty_classes(n, has_room):
    target = dt.Attribute("y", tuple(f"class {k}" for k in range(n)))
    assert legend_target(target) == (target if has_room else None)


def test_numbers_have_no_legend():
    assert legend_target(dt.Attribute("y")) is None


_DRAWN = "Of the table's 11 rows 10 were drawn at random; only these are used here."


@each("n, fits", [(10, True), (11, False)])
def test_rows_of_a_larger_table_are_drawn_and_keep_their_numbers(n, fits):
    rows = dt.Table.from_columns({"x": [float(i) for i in range(n)], "y": ["a"] * n}, target="y")
    part = some_of(rows, 10)
    numbers = [row_number(part, i) for i in range(part.n_rows)]
    assert numbers == [x + 1 for x in part.column("x")] == sorted(set(numbers))
    assert len(numbers) == 10
    assert drawn_note(n, part.n_rows) == ([] if fits else [_DRAWN])
