"""The plane beside a tree: what is said of a place must hold for every row there."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.continuous.thresholds import Tried
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit.boxes import (
    MOST_LANES,
    asked_in,
    box_at,
    boxes,
    chosen_pair,
    place_of,
    placed,
    rectangles,
    sides,
    spanning,
)
from dtree_lab.labs.kit.planes import MOST_ROWS, PlaneSight, plane_parts
from dtree_lab.labs.kit.taking import taken
from dtree_lab.labs.stepthrough import model as walking
from dtree_lab.labs.stepthrough.view import view as steps_view
from dtree_lab.labs.treebuilder import model
from dtree_lab.labs.treebuilder.model import update
from dtree_lab.labs.treebuilder.state import Ask, pair_of, start
from dtree_lab.labs.treebuilder.view import view

TAX = dt.datasets.tax_fraud()
GROWERS = st.sampled_from([dt.id3, dt.cart, dt.c45])


@st.composite
def planes(draw, max_rows=25):
    """A table with a plane, a tree on some of its rows, and two attributes."""
    table = draw(tables(max_rows=max_rows).filter(lambda t: len(spanning(t)) > 1))
    rows = draw(st.lists(st.integers(0, table.n_rows - 1), min_size=1))
    grower = draw(GROWERS)
    depth = draw(st.sampled_from([1, 2, 3, None]))
    tree = grower(table.take(rows) if draw(st.booleans()) else table, max_depth=depth)
    pair = tuple(draw(st.permutations(spanning(table)))[:2])
    return table, tree, pair


def rows_at(table, two, at, draw):
    """Rows that lie at a place of the plane, whatever their other attributes are."""
    row = {}
    for attribute in table.attributes:
        if attribute.values is None:
            row[attribute.name] = draw(st.floats(-20, 20))
        else:
            row[attribute.name] = draw(st.sampled_from([*attribute.values, None]))
    for side, v in zip(two, at, strict=True):
        values = side.attribute.values
        row[side.attribute.name] = v if values is None else values[side.lanes[round(v)]]
    return row


@given(planes(), st.data())
@settings(max_examples=60)
def test_where_a_box_has_a_colour_every_row_is_answered_so(made, data):
    """The other attributes are drawn: whatever they are, ``predict`` says what the box does."""
    table, tree, pair = made
    two = sides(table, pair)
    for _ in range(8):
        at = []
        for side in two:
            column = table.columns[side.index]
            near = st.sampled_from(column.tolist()) | st.floats(side.axis.low, side.axis.high)
            lanes = st.integers(0, len(side.lanes) - 1)
            at.append(data.draw(lanes if side.lanes else near))
        box = box_at(tree, two, *at)
        assert box is not None, "boxes cover the plane"
        row = rows_at(table, two, at, data.draw)
        way = reached(tree, row)
        assert way[len(box.path)][0] == box.path
        if box.cls is None:
            asks = way[len(box.path)][1].split.attribute
            assert asks == box.asks
            assert asks not in pair
        else:
            assert tree.predict(row) == tree.target.values[box.cls]


def test_what_lies_at_a_cut_is_answered_as_what_lies_above_it():
    columns = {"u": [0, 1, 2, 3], "v": [0, 1, 0, 1], "y": list("aabb")}
    table = dt.Table.from_columns(columns, target="y")
    tree = dt.cart(table)
    (cut,) = tree.root.split.cuts
    box = box_at(tree, sides(table, (0, 1)), cut, 0.5)
    assert tree.target.values[box.cls] == tree.predict({"u": cut, "v": 0.5}) == "b"


def reached(tree, row):
    """The nodes that a row comes by, with their paths."""
    way = [((), tree.root)]
    while hasattr(way[-1][1], "split"):
        path, node = way[-1]
        attribute = tree.attributes[node.split.attribute]
        given = row[attribute.name]
        value = np.array([given if attribute.values is None else attribute.code(given)])
        branch = int(node.split.branch(value)[0])
        if branch < 0:
            break
        way.append(((*path, branch), node.children[branch]))
    return way


@given(planes())
@settings(max_examples=40)
def test_boxes_cover_the_plane_and_none_lies_over_another(made):
    table, tree, pair = made
    two = sides(table, pair)
    found = boxes(tree, two)
    size = [side.axis.high - side.axis.low for side in two]
    areas = [(x[1] - x[0]) * (y[1] - y[0]) for box in found for x, y in rectangles(box, two)]
    assert sum(areas) == pytest.approx(size[0] * size[1])
    for box in found:
        place = place_of(tree, two, box.path)
        assert place.path == box.path


@given(planes(max_rows=40))
@settings(max_examples=40)
def test_a_row_lies_at_its_value_and_in_its_lane(made):
    table, _, pair = made
    two, at = sides(table, pair), placed(table, None, *pair)
    for side, places in zip(two, at, strict=True):
        column = table.columns[side.index]
        for place, v in zip(places.tolist(), column.tolist(), strict=True):
            if side.lanes:
                assert abs(place - side.lanes.index(int(v))) < 0.5
            else:
                assert place == v
    if any(side.lanes for side in two):
        assert len(set(zip(*(places.tolist() for places in at), strict=True))) == table.n_rows


@given(planes(), st.data())
@settings(max_examples=30)
def test_the_wrong_rows_are_those_that_are_answered_wrong(made, data):
    table, tree, pair = made
    some = data.draw(st.lists(st.integers(0, table.n_rows - 1), min_size=1, max_size=9))
    test = table.take(some)
    picture = plane_parts(tree, table, pair, PlaneSight(), test)[0]
    wrong = [
        {row for row in range(len(rows)) if tree.predict(rows.row(row)) != told(rows, row)}
        for rows in (table, test)
    ]
    rings = [one for one in walked(picture.json()["element"]) if one[1].get("class") == "dtl-ring"]
    assert len(rings) == sum(map(len, wrong))
    said = [f"{len(one):,} of {len(rows)} " for one, rows in zip(wrong, (table, test), strict=True)]
    assert all(line.startswith(n) for line, n in zip(picture.text[1:3], said, strict=True))
    assert keys(picture) == [*range(-1, -len(some) - 1, -1), *range(table.n_rows)]


def told(table, row):
    """The label of a row."""
    return table.target.values[table.labels[row]]


def walked(element):
    yield element
    for child in element[2:]:
        if isinstance(child, list):
            yield from walked(child)


def keys(picture):
    """The rows that have marks, in the order in which they are drawn."""
    marks = [one[1] for one in walked(picture.json()["element"]) if one[0] == "marks"]
    return [key for one in marks if one["rows"] for key in one["at"][3::4]]


def test_the_tax_returns_by_hand():
    """Asked for their marital status, then the single ones for their income."""
    tree = dt.by_hand(TAX, {(): "Marital Status", (0,): ("Taxable Income", 80)})
    two = sides(TAX, (2, 1))
    found = {
        (box.path, two[0].words(box.x), two[1].words(box.y), box.cls, box.rows)
        for box in boxes(tree, two)
    }
    assert found == {
        ((0, 0), "Taxable Income < 80", "Marital Status is Single", 0, 1),
        ((0, 1), "Taxable Income ≥ 80", "Marital Status is Single", 1, 3),
        ((1,), "", "Marital Status is Married", 0, 4),
        ((2,), "", "Marital Status is Divorced", 0, 2),
    }
    (picture,) = plane_parts(tree, TAX, (2, 1), PlaneSight((0,)))
    # The fraud of the divorced, and the income of 125 among the single ones, who got a refund.
    assert picture.text[1] == "2 of 10 rows wrong, in rings."
    assert (
        "1 row where Taxable Income < 80 and Marital Status is Single: Cheat = No." in picture.text
    )


def test_what_the_plane_does_not_show_is_said_and_has_no_colour():
    tree = dt.by_hand(TAX, {(): "Refund", (1,): ("Taxable Income", 80)})
    (box,) = boxes(tree, sides(TAX, (2, 1)))
    assert (box.path, box.cls, TAX.names[box.asks]) == ((), None, "Refund")
    assert place_of(tree, sides(TAX, (2, 1)), (1, 0)).path == ()
    (picture,) = plane_parts(tree, TAX, (2, 1), PlaneSight((1, 0)))
    page = json.dumps(picture.json())
    assert "asks Refund" in page
    said = "10 rows everywhere: the answer depends on Refund, which is asked there."
    assert picture.text[2] == said
    areas = [one[1]["d"] for one in walked(picture.json()["element"]) if "dtl-area" in str(one[1])]
    assert not any(areas)


def test_values_taken_together_make_one_box_of_lanes_apart():
    """Single and divorced have lanes with the married between them."""
    tree = dt.by_hand(TAX, {(): ("Marital Status", [["Married"], ["Single", "Divorced"]])})
    two = sides(TAX, (2, 1))
    married, others = boxes(tree, two)
    assert [y for _, y in rectangles(married, two)] == [(0.5, 1.5)]
    assert [y for _, y in rectangles(others, two)] == [(-0.5, 0.5), (1.5, 2.5)]
    assert box_at(tree, two, 100.0, 2.0) == box_at(tree, two, 100.0, 0.0) == others


def test_a_value_without_a_branch_is_answered_where_it_stops():
    """Nobody divorced was among the rows that the tree was grown on: seven of No, two of Yes."""
    few = TAX.take([i for i in range(10) if TAX.columns[1][i] != 2])
    tree = dt.by_hand(few, {(): "Marital Status"})
    box = box_at(tree, sides(TAX, (2, 1)), 100.0, 2.0)
    row = {"Refund": "No", "Marital Status": "Divorced", "Taxable Income": 100}
    assert (box.path, box.rows, box.cls) == ((), 0, 0)
    assert tree.predict(row) == "No"


def test_a_large_table_is_thinned_and_says_so():
    n = 3 * MOST_ROWS
    columns = {"a": [i / 7 for i in range(n)], "b": [(i * 31) % 97 for i in range(n)]}
    table = dt.Table.from_columns({**columns, "y": ["no", "yes"] * (n // 2)}, target="y")
    picture, note = plane_parts(dt.cart(table, max_depth=2), table, (0, 1), PlaneSight())
    assert len(keys(picture)) == len(set(keys(picture))) == MOST_ROWS // 2
    assert note.lines == ["300 of 1,800 rows are drawn, evenly picked; all are counted."]
    assert keys(picture) == keys(plane_parts(dt.cart(table), table, (0, 1), PlaneSight())[0])


def test_rows_without_a_place_are_said_not_to_be_drawn():
    row = {"Refund": None, "Marital Status": "Widowed", "Taxable Income": 80, "Cheat": "No"}
    other = {**row, "Marital Status": "Single"}
    test = dt.Table.from_rows([row, other], target="Cheat", missing="keep")
    picture, note = plane_parts(dt.id3(TAX), TAX, (2, 1), PlaneSight(), test)
    assert keys(picture)[0] == -2
    assert note.lines == ["Hollow: validation rows. 1 row without a place in this plane not drawn."]


# -- which two, and in the tree builder ------------------------------------------------------------


def names(pair):
    return pair and tuple(TAX.names[i] for i in pair)


def test_the_attributes_that_are_ranked_come_first_and_a_number_lies_across():
    tree = dt.by_hand(TAX, {(): "Refund", (1,): "Marital Status"})
    assert names(chosen_pair(TAX, asked_in(tree))) == ("Refund", "Marital Status")
    assert names(chosen_pair(TAX, [1, 2])) == ("Taxable Income", "Marital Status")
    assert names(chosen_pair(TAX, [0, 2])) == ("Taxable Income", "Refund")
    # Beside a number stands a number, though lanes gain more; and the other way it is as ranked.
    birds = taken(dt.datasets.penguins())
    bill, depth, island = map(birds.index, ("bill_length_mm", "bill_depth_mm", "island"))
    assert chosen_pair(birds, [bill, island, depth]) == (bill, depth)
    assert chosen_pair(birds, [island, bill, depth]) == (bill, island)


def test_a_question_further_down_leaves_the_plane_as_it_is():
    """What all rows were seen in is not thrown about by it; what the root asks has to be seen."""
    state = update(start(TAX), Ask((), "Marital Status"))
    assert names(pair_of(state)) == ("Taxable Income", "Marital Status")
    assert pair_of(update(state, Ask((0,), "Refund"))) == pair_of(state)
    assert "Refund" in names(pair_of(update(start(TAX), Ask((), "Refund"))))


def test_what_does_not_vary_or_has_too_many_values_spans_no_plane():
    n = MOST_LANES + 1
    words = [f"v{i}" for i in range(n)]
    one = {"same": ["a"] * n, "many": words, "few": ["u", *"v" * (n - 1)], "y": words}
    table = dt.Table.from_columns(one, target="y")
    assert [table.names[i] for i in spanning(table)] == ["few"]
    state = start(table)
    assert pair_of(state) is None
    assert "plane" not in {part.id for part in view(state).parts}
    with pytest.raises(ValueError, match="no plane"):
        update(state, kit.Set("plane-shown", value=False))


def test_what_gains_most_is_not_given_away_before_the_choice():
    """The same table with its columns in any order: only the order decides."""
    for order in ((0, 1, 2), (2, 1, 0), (1, 0, 2)):
        attributes = tuple(TAX.attributes[i] for i in order)
        columns = tuple(TAX.columns[i] for i in order)
        table = dt.Table(attributes, TAX.target, columns, TAX.labels)
        state = start(table, reveal="after")
        assert set(pair_of(state)) == {0, 1}
        asked = update(state, Ask((), table.names[2], None if table.attributes[2].values else 80))
        assert set(pair_of(asked)) == {0, 2}
    gains = {one.attribute.name: one.gain for one in dt.compare(TAX).ranked}
    best = sorted(gains, key=gains.get, reverse=True)[:2]
    assert set(names(pair_of(start(TAX)))) == set(best)


def test_a_chosen_plane_stays_and_is_kept_a_default_one_leaves_the_text_as_it_was():
    state = start(TAX)
    assert "beside" not in json.loads(model.dump(state))
    state = update(update(state, kit.Set("across", "0")), kit.Set("up", "2"))
    assert names(pair_of(state)) == ("Refund", "Taxable Income")
    asked = update(state, Ask((), "Marital Status"))
    assert pair_of(asked) == pair_of(state)
    assert pair_of(update(asked, kit.Press("undo"))) == pair_of(state)
    hidden = update(asked, kit.Set("plane-shown", value=False))
    again = model.load(model.dump(hidden), TAX)
    assert (pair_of(again), again.inspection.plane) == (pair_of(state), False)
    assert model.dump(again) == model.dump(hidden)
    turned = update(state, kit.Set("across", "2"))
    assert names(pair_of(turned)) == ("Taxable Income", "Refund")


def test_a_click_chooses_the_node_whose_box_it_is():
    state = update(start(TAX), Ask((), "Marital Status"))
    state = update(update(state, kit.Set("across", "2")), kit.Set("up", "1"))
    for lane in range(3):
        assert update(state, kit.Point("plane", 100.0, float(lane))).selected == (lane,)
    with pytest.raises(ValueError, match="no box"):
        update(state, kit.Point("plane", 100.0, 17.0))


def test_the_box_of_the_selected_node_has_a_frame_and_its_cuts():
    def lines(state):
        page = [part.json() for part in view(state).parts if part.id == "plane"]
        drawn = [one[1] for one in walked(page[0]["element"]) if one[0] == "path"]
        looks = [one["class"] for one in drawn if one["class"].startswith("dtl-line")]
        return [one.removeprefix("dtl-line").strip() for one in looks]

    state = start(TAX)  # the whole plane has its own frame
    assert lines(state) == []
    assert lines(update(state, kit.Draft("questions", 2, 90.0))) == ["dtl-long dtl-accent"]
    asked = update(state, Ask((), "Taxable Income", 90))
    assert lines(asked) == [""]
    assert lines(update(asked, kit.Select("tree", (0,)))) == ["dtl-accent"]


# -- in a walk -------------------------------------------------------------------------------------


def areas(state):
    """How many boxes of each class, and how many are hatched, are drawn at a step."""
    (picture,) = [part for part in steps_view(state).parts if part.id == "plane"]
    drawn = [one[1] for one in walked(picture.json()["element"]) if one[0] == "path"]
    return [one["d"].count("M") for one in drawn if "dtl-area" in one["class"]]


def walk(algorithm, **more):
    return walking.start(walking.WalkSettings(TAX, algorithm=algorithm, **more))


def test_boxes_appear_as_questions_are_asked_and_go_on_the_way_back():
    state = walk("id3", keywords={"max_depth": 1})
    assert areas(state) == [1]
    seen = [areas(state)]
    for _ in range(state.story.end):
        state = walking.update(state, kit.Press("next"))
        seen.append(areas(state))
    # Looking at the root changes nothing; its question makes three boxes, and closing leaves none.
    assert [sum(each) for each in seen] == [1, 1, *[3] * (len(seen) - 2)]
    for before in reversed(seen[:-1]):
        state = walking.update(state, kit.Press("back"))
        assert areas(state) == before


def test_the_attributes_of_a_walk_are_those_of_its_tree_all_along():
    state = walk("cart")
    pairs = set()
    while state.cursor < state.story.end:
        state = walking.update(state, kit.Press("next"))
        pairs.add(walking.plane_of(state)[1])
    asked = [*dict.fromkeys(i for i in dt.cart(TAX).flat.attr.tolist() if i >= 0)]
    assert [set(pair) for pair in pairs] == [set(asked[:2])]


def test_rows_that_are_withheld_lie_beside_the_others():
    state = walk("reduced_error")
    scenery, pair = walking.plane_of(state)
    (picture, note) = plane_parts(scenery.tree, scenery.table, pair, PlaneSight(), scenery.test)
    assert sorted(keys(picture)) == [*range(-len(scenery.test), len(scenery.table))]
    assert "Hollow" in note.lines[0]
    given = walk("id3", validation=TAX.take([0, 3]))
    assert len(walking.plane_of(given)[0].test) == 2


@given(planes())
@settings(max_examples=15)
def test_each_side_of_a_cut_that_is_tried_is_answered_by_its_majority(made):
    table, *_ = made
    if not walking.threshold_attributes(table):
        return
    state = walking.start(walking.WalkSettings(table, algorithm="threshold"))
    while state.cursor < state.story.end:
        state = walking.update(state, kit.Press("next"))
        tried = state.story.events[state.cursor - 1]
        if not isinstance(tried, Tried):
            continue
        scenery, _ = walking.plane_of(state)
        column = np.array(table.column(tried.attribute))
        for below, leaf in zip((True, False), scenery.tree.root.children, strict=True):
            there = table.labels[(column < tried.cut) == below]
            assert list(leaf.counts) == np.bincount(there, minlength=len(leaf.counts)).tolist()


def test_a_chosen_plane_of_a_walk_is_kept_and_a_click_looks_at_a_node():
    state = walk("id3")
    before = walking.dump(state)
    assert "plane" not in before
    state = walking.update(walking.update(state, kit.Set("across", "2")), kit.Set("up", "1"))
    state = walking.update(state, kit.Press("last"))
    hidden = walking.update(state, kit.Set("plane-shown", value=False))
    again = walking.load(walking.dump(hidden), TAX)
    assert (again.pair, again.hidden) == ((2, 1), True)
    assert walking.load(before, TAX).pair is None
    # The married are one box, in the lane of the second value.
    assert walking.update(state, kit.Point("plane", 100.0, 1.0)).looked == (1,)
    with pytest.raises(ValueError, match="no box"):
        walking.update(state, kit.Point("plane", 100.0, 9.0))
    text = walking.dump(state).replace('["Taxable Income","Marital', '["Marital Status","Marital')
    with pytest.raises(ValueError, match="damaged"):
        walking.load(text, TAX)
