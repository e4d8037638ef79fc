"""The plane lab's model: regions against the tree's own answers, edits against lists of points."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Point, Press, Select, Set
from dtree_lab.labs.kit.controls import SIDE, Thumbnails, near
from dtree_lab.labs.plane import data as r
from dtree_lab.labs.plane import model
from dtree_lab.labs.plane.data import NO_LIMIT, PRESETS, boundary, clipped, size
from dtree_lab.labs.plane.model import conditions, start, update
from dtree_lab.labs.plane.view import view
from dtree_lab.tree.tree import Leaf, walk

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
FULL = Set("depth", NO_LIMIT)
CLOUDS = dt.populations.two_gaussians().sample(300, seed=2)


def fold(actions, state=None):
    return reduce(update, actions, state or start())


def part(state, id_):
    return next(one for one in view(state).parts if one.id == id_)


def points(state):
    """The points as tuples of x, y and the class's code."""
    rows = state.rows
    return list(zip(rows.x.tolist(), rows.y.tolist(), rows.labels.tolist(), strict=True))


def holds(area, x, y):
    """Whether a point lies within a convex area: on the same side of all its edges."""
    sides = []
    for (x0, y0), (x1, y1) in zip(area, [*area[1:], area[0]], strict=True):
        sides.append((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0))
    return all(side > 0 for side in sides) or all(side < 0 for side in sides)


# -- regions ---------------------------------------------------------------------------------------

PRESET = st.builds(Set, st.just("preset"), st.sampled_from(sorted(r.PRESETS)))
RECIPES = st.tuples(
    PRESET,
    st.builds(Set, st.just("depth"), st.integers(0, NO_LIMIT)),
    st.builds(Set, st.just("method"), st.sampled_from(["ID3", "CART", "C4.5"])),
    st.builds(Set, st.just("derived"), st.sampled_from(["none", "sum", "difference"])),
)


@given(RECIPES, st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_the_regions_partition_the_plane_and_answer_as_the_tree_does(actions, seed):
    state = fold(actions)
    made = state.grown
    leaves = dict(made.leaves)
    x, y = np.random.default_rng(seed).random((2, 60))
    said = made.tree.predict(state.rows.as_table(x, y, np.zeros(60, int), state.recipe.derived))
    for u, v, answer in zip(x.tolist(), y.tolist(), said.tolist(), strict=True):
        found = [path for path in leaves if holds(made.areas[path], u, v)]
        assert len(found) == 1
        assert "ABC"[leaves[found[0]]] == answer
        assert made.leaf_at(u, v) == found[0]
    assert sum(size(made.areas[path]) for path in leaves) == pytest.approx(1)


def test_each_nodes_region_is_made_of_its_childrens():
    areas = fold([FULL]).grown.areas
    for path, area in areas.items():
        below = [areas[p] for p in areas if p[:-1] == path and p]
        if below:
            assert sum(map(size, below)) == pytest.approx(size(area))


def test_without_a_derived_feature_every_region_is_a_rectangle():
    for area in fold([FULL]).grown.areas.values():
        assert len({x for x, _ in area}) == len({y for _, y in area}) == 2


def test_a_regions_conditions_are_its_edges():
    made = fold([FULL, Set("number", 300)]).grown
    for path, area in made.areas.items():
        expected = []
        for name, along in (("x1", [x for x, _ in area]), ("x2", [y for _, y in area])):
            low, high = near(min(along)), near(max(along))
            if (low, high) == ("0", "1"):
                continue
            if low == "0":
                expected.append(f"{name} < {high}")
            else:
                expected.append(f"{name} ≥ {low}" if high == "1" else f"{low} ≤ {name} < {high}")
        assert conditions(made.tree, path) == expected


def test_clipping_by_hand():
    assert set(clipped(SQUARE, (1.0, 0.0), 0.25, above=True)) == {
        (0.25, 0.0),
        (1.0, 0.0),
        (1.0, 1.0),
        (0.25, 1.0),
    }
    triangle = clipped(SQUARE, (1.0, 1.0), 0.5, above=False)
    assert set(triangle) == {(0.0, 0.0), (0.5, 0.0), (0.0, 0.5)}
    assert size(triangle) == 0.125
    assert clipped(SQUARE, (0.0, 1.0), 1.0, above=True) == ()
    assert clipped(SQUARE, (0.0, 1.0), -np.inf, above=True) == SQUARE


def test_what_is_drawn_are_the_leaves_regions():
    state = fold([FULL])
    made = state.grown
    shapes = [layer for layer in _layers(state) if type(layer).__name__ == "Shapes"]
    drawn = {(shape.cls, tuple(area)) for shape in shapes for area in shape.areas}
    flat = made.tree.flat
    leaves = {
        (int(np.argmax(node.counts)), made.areas[path])
        for path, node in walk(made.tree.root)
        if isinstance(node, Leaf)
    }
    assert drawn == leaves
    assert len(leaves) == int((flat.attr < 0).sum())


def _layers(state):
    """The layers that the plane's figure is laid out from."""
    with pytest.MonkeyPatch.context() as patch:
        plots = []
        patch.setattr("dtree_lab.labs.plane.view.figure", plots.append)
        with suppress(AttributeError):
            view(state)
    return plots[0].layers


def test_the_selected_nodes_region_is_outlined():
    state = fold([FULL, Select("tree", (0,))])
    (outline,) = [one for one in _layers(state) if type(one).__name__ == "Line" and not one.name]
    area = state.grown.areas[(0,)]
    assert outline.points == [*area, area[0]]
    root = fold([FULL, Select("tree", ())])
    assert all(layer.name for layer in _layers(root) if type(layer).__name__ == "Line")


def test_a_click_on_a_region_selects_its_leaf():
    state = fold([FULL, Set("click", "look"), Point("plane", 0.05, 0.05)])
    assert len(state.rows) == 150
    assert holds(state.grown.areas[state.selected], 0.05, 0.05)
    assert part(state, "tree").selected == state.selected
    assert "It answers A." in part(state, "where").lines[0]
    typed = fold([FULL, Set("click", "look"), Set("x", "0,05"), Set("y", ".05"), Press("place")])
    assert typed.selected == state.selected


# -- points ----------------------------------------------------------------------------------------


def test_a_point_is_placed_by_a_click_or_by_typing():
    by_click = fold([Press("clear"), Set("click", "1"), Point("plane", 0.25, 0.5)])
    typing = [Set("x", "0.25"), Set("y", "0,5"), Press("place")]
    by_keys = fold([Press("clear"), Set("click", "1"), *typing])
    assert points(by_click) == points(by_keys) == [(0.25, 0.5, 1)]
    assert by_click.rows.table().row(0) == {"x1": 0.25, "x2": 0.5, "class": "B"}
    assert by_click.chosen == 0


def test_two_points_make_a_tree_by_hand():
    state = fold(
        [
            Press("clear"),
            Point("plane", 0.2, 0.5),
            Set("click", "1"),
            Point("plane", 0.6, 0.5),
        ]
    )
    assert state.grown.tree.root.split.cuts == (0.4,)
    assert state.grown.areas[(0,)] == pytest.approx(np.array(SQUARE) * [0.4, 1])
    assert view(state).result == "CART: 2 leaves, 1 question deep; 0 of 2 points wrong."
    assert view(state).json()["absent"] == [2]
    assert "absent" not in view(fold([Set("click", "2"), Point("plane", 0.9, 0.5)], state)).json()
    drawn = start()
    table = drawn.rows.table()
    said = drawn.grown.tree.predict(table)
    wrong = sum(a != b for a, b in zip(said, table.column("class"), strict=True))
    share = f"{100 * drawn.grown.unlike_truth:.1f} % of the plane wrong."
    assert view(drawn).result.endswith(f"{wrong} of 150 points and {share}")


def test_undo_goes_back_through_all_edits():
    edits = [
        Point("plane", 0.3, 0.3),
        Set("preset", "xor"),
        Pick("points", 3),
        Press("remove"),
        Press("clear"),
        Point("plane", 0.9, 0.1),
    ]
    states = [start()]
    for action in edits:
        states.append(update(states[-1], action))
    seen = [points(state) for state in states]
    del seen[3]  # choosing a point is no edit
    back = states[-1]
    for earlier in reversed(seen[:-1]):
        back = update(back, Press("undo"))
        assert points(back) == earlier
    with pytest.raises(NotPossibleError, match="nothing to undo"):
        update(back, Press("undo"))


def test_a_chosen_point_is_ringed_tagged_and_removed():
    state = fold([FULL, Pick("points", 2)])
    before = points(state)
    assert state.chosen == len(before) - 3
    x, y, _ = before[state.chosen]
    assert holds(state.grown.areas[state.selected], x, y)
    assert part(state, "tree").tags == {state.selected: "chosen point"}
    (dots,) = [layer for layer in _layers(state) if type(layer).__name__ == "Dots"]
    assert [dots.points[i] for i in dots.ringed] == [(x, y)]
    after = points(update(state, Press("remove")))
    assert after == before[:-3] + before[-2:]


def test_without_points_there_is_no_tree_and_the_lab_says_what_to_do():
    state = fold([Press("clear")])
    assert state.grown is None
    assert "place one" in view(state).result
    assert all(one.id != "tree" for one in view(state).parts)
    for action in (Press("next"), Select("tree", ()), Press("remove"), Press("sample")):
        with pytest.raises(NotPossibleError):
            update(state, action)


def test_edits_have_a_stated_limit():
    state = fold([Press("clear"), *[Point("plane", 0.5, 0.5)] * (r.MOST_EDITS - 1)])
    with pytest.raises(NotPossibleError, match=f"{r.MOST_EDITS} changes"):
        update(state, Point("plane", 0.5, 0.5))


# -- what the boundary costs -----------------------------------------------------------------------


def test_the_tree_is_the_librarys():
    for method, grower in (("ID3", dt.id3), ("CART", dt.cart), ("C4.5", dt.c45)):
        state = fold([Set("method", method), Set("depth", 4), Set("min_rows", 30)])
        table = state.rows.table()
        assert state.grown.tree == grower(table, max_depth=4, min_rows=30)
        assert state.grown.tree != grower(table, max_depth=4)
        assert state.grown.wrong == round(150 * state.grown.tree.error(state.rows.table()))


def test_a_diagonal_costs_a_staircase_and_one_derived_feature_saves_it():
    plain = fold([FULL, Set("number", 300)])
    assert plain.grown.tree.n_leaves > 10
    derived = update(plain, Set("derived", "sum"))
    assert derived.grown.tree.n_leaves == 2
    assert derived.grown.wrong == 0
    table = derived.rows.table("sum")
    assert table.names == ("x1", "x2", "x1 + x2")
    assert table.columns[2].tolist() == (table.columns[0] + table.columns[1]).tolist()
    assert f"without it {plain.grown.tree.n_leaves} leaves" in part(derived, "costs").lines[1]


@pytest.mark.parametrize("preset", ["diagonal", "circle", "xor", "staircase"])
def test_how_far_the_tree_is_from_the_boundary(preset):
    """Counted over the same grid, the boundaries written down once more."""
    inside = {
        "diagonal": lambda x, y: x + y > 1,
        "circle": lambda x, y: np.hypot(x - 0.5, y - 0.5) < 1 / np.sqrt(2 * np.pi),
        "xor": lambda x, y: (x >= 0.5) != (y >= 0.5),
        "staircase": lambda x, y: y > np.choose((4 * x).astype(int), [0.875, 0.625, 0.375, 0.125]),
    }[preset]
    state = fold([Set("preset", preset), Set("depth", 2)])
    middles = (np.arange(50) + 0.5) / 50
    x, y = (a.ravel() for a in np.meshgrid(middles, middles))
    said = state.grown.tree.predict(state.rows.as_table(x, y, np.zeros(2500, int), "none"))
    assert state.grown.unlike_truth == pytest.approx(np.mean((said == "B") != inside(x, y)))
    table = state.rows
    assert (inside(table.x, table.y) == (table.labels == 1)).mean() > 0.97  # rounded to 3 digits


@pytest.mark.parametrize("preset", ["diagonal", "noisy", "circle", "xor", "staircase"])
def test_the_boundary_that_is_drawn_lies_between_the_classes(preset):
    """On the two sides of each of its pieces the population has different labels."""
    rule = PRESETS[preset][1].rule
    for line in boundary(fold([Set("preset", preset)]).rows):
        for (x, y), (u, v) in pairwise(line):
            for share in (0.1, 0.37, 0.8):
                at = np.array([x + share * (u - x), y + share * (v - y)])
                across = np.array([y - v, u - x]) * 0.01 / np.hypot(u - x, v - y)
                sides = [bool(rule(*(at + side * across)[:, None])[0]) for side in (-1, 1)]
                assert sides[0] != sides[1], (preset, at)


@pytest.mark.parametrize("preset", ["diagonal", "circle", "xor", "staircase"])
def test_what_is_hatched_is_where_the_tree_is_wrong(preset):
    state = fold([Set("preset", preset), Set("depth", 3)])
    made, rule = state.grown, PRESETS[preset][1].rule
    middles = (np.arange(120) + 0.5) / 120
    x, y = (a.ravel() for a in np.meshgrid(middles, middles[::3]))
    said = made.tree.predict(state.rows.as_table(x, y, np.zeros(len(x), int), "none")) == "B"
    hatched = [
        any(a < u < b and abs(v - w) < 1e-9 for (a, w), (b, _) in made.unlike)
        for u, v in zip(x, y, strict=True)
    ]
    assert hatched == (said != rule(x, y)).tolist()
    assert np.mean(hatched) == pytest.approx(made.unlike_truth, abs=0.02)


def test_tossed_coins_have_no_boundary():
    state = fold([Set("preset", "noise"), FULL])
    assert state.grown.unlike_truth is None
    assert state.grown.wrong == 0
    assert "tossed coins" in part(state, "costs").lines[0]
    assert all(type(layer).__name__ != "Line" for layer in _layers(state))


def test_next_grows_the_tree_question_by_question_and_then_begins_anew():
    state = start()
    full = fold([FULL]).grown.tree
    for depth in range(2, full.depth + 1):
        state = update(state, Press("next"))
        assert state.grown.tree == dt.cart(state.rows.table(), max_depth=depth)
    state = update(state, Press("next"))
    assert state.recipe.depth == NO_LIMIT
    assert "complete" in state.status
    assert state.grown.tree == full
    assert update(state, Press("next")).grown.tree.depth == 1


# -- a table ---------------------------------------------------------------------------------------


def test_two_attributes_of_a_table_span_the_plane():
    rng = np.random.default_rng(0)
    columns = {"a": rng.random(50), "k": ["u", "v"] * 25, "b": rng.random(50), "c": rng.random(50)}
    table = dt.Table.from_columns({**columns, "y": ["no", "yes", "no", "no", "yes"] * 10}, "y")
    assert start(table).rows.table().names == ("a", "b")
    assert start(table, y="a").rows.table().names == ("b", "a")
    state = start(table, "c", "a")
    assert state.rows.table().names == ("c", "a")
    assert state.rows.table().columns[0].tolist() == table.column("c")
    assert all(control.id != "preset" for control in part(state, "points-from").controls)
    again = model.load(model.dump(state), table)
    assert again.rows.axes == state.rows.axes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((dt.datasets.tax_fraud(),), "only 'Taxable Income' is continuous"),
        ((dt.datasets.word_sense(),), "none is continuous"),
        ((CLOUDS, "x1", "x1"), "different attributes"),
        ((CLOUDS, "x3"), "no attribute 'x3'"),
        ((None, "x1"), "give the table too"),
    ],
)
def test_what_does_not_span_a_plane_is_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        start(*arguments)


def test_a_discrete_attribute_is_refused_by_name():
    columns = {"a": [1, 2], "b": [3, 4], "k": ["u", "v"], "y": ["no", "yes"]}
    with pytest.raises(ValueError, match=r"'k' is discrete.*'a', 'b'"):
        start(dt.Table.from_columns(columns, "y"), "k")


def test_too_many_classes_are_refused_with_the_limit():
    columns = {"a": range(21), "b": range(21), "y": [f"c{i}" for i in range(21)]}
    with pytest.raises(ValueError, match="21 classes; this lab tells at most 20"):
        start(dt.Table.from_columns(columns, "y"))


def test_of_many_points_each_is_in_a_mark_and_the_tree_is_grown_on_all():
    table = dt.populations.two_gaussians().sample(3000, seed=1)
    state = fold([FULL], start(table))
    (dots,) = [layer for layer in _layers(state) if type(layer).__name__ == "Dots"]
    assert 600 <= len(dots.points) <= 602
    assert sum(state.grown.tree.root.counts) == 3000
    each, regions = part(state, "costs").lines[-2:]
    assert each.startswith("A mark stands for up to 5 points")
    assert regions.startswith("The 80 largest of")
    few = fold([Press("clear"), *[Point("plane", 0.5, 0.5)] * 160])
    (dots,) = [layer for layer in _layers(few) if type(layer).__name__ == "Dots"]
    assert len(dots.points) == len(few.rows) == 160
    sent = json.dumps(view(state).json(), ensure_ascii=False, separators=(",", ":"))
    assert len(sent.encode()) < 60_000


# -- whatever is done ------------------------------------------------------------------------------

share = st.floats(0, 1)
ACTIONS = st.one_of(
    PRESET,
    st.builds(Point, st.just("plane"), share, share),
    st.builds(Set, st.just("x"), share),
    st.builds(Set, st.just("click"), st.sampled_from(["0", "1", "2", "look", "3"])),
    st.builds(Set, st.just("depth"), st.integers(-1, NO_LIMIT + 1)),
    st.builds(Set, st.just("min_rows"), st.integers(1, 50)),
    st.builds(Set, st.just("derived"), st.sampled_from(["none", "sum", "difference", "product"])),
    st.builds(Set, st.just("method"), st.sampled_from(["ID3", "CART", "C5.0"])),
    st.builds(Set, st.just("number"), st.sampled_from([10, 20, 60, 1000])),
    st.builds(Pick, st.just("points"), st.integers(-1, 30)),
    st.builds(Select, st.just("tree"), st.sampled_from([(), (0,), (1, 0), (0, 1, 1)])),
    st.builds(
        Press,
        st.sampled_from(
            ["place", "remove", "undo", "clear", "sample", "next", "deeper", "reset", "jump"]
        ),
    ),
)


@given(st.lists(ACTIONS, max_size=12), st.booleans())
@settings(max_examples=80, deadline=None)
def test_whatever_is_done_the_text_recreates_it(actions, on_table):
    table = CLOUDS if on_table else None
    state = start(table)
    for action in actions:
        with suppress(NotPossibleError):
            state = update(state, action)
    again = model.load(model.dump(state), table)
    assert points(again) == points(state)
    assert {**view(state).json(), "status": ""} == view(again).json()
    assert model.dump(again) == model.dump(state)


@each(
    "change",
    [
        {"edits": [["add", 1, 2, 9]]},
        {"edits": [["add", "x", 2, 0]]},
        {"edits": [["remove", 10**6]]},
        {"edits": [["preset", "moon", 20, 0]]},
        {"edits": [["preset", "xor", 10**9, 0]]},
        {"edits": [7]},
        {"at": [1]},
        {"at": ["a", 2]},
        {"selected": [7]},
        {"selected": ["0"]},
        {"chosen": 10**6},
        {"axes": ["x1", "x2"]},
        {"method": "C5.0"},
        {"depth": 99},
    ],
)
def test_a_damaged_text_is_refused(change):
    kept = json.dumps({**json.loads(model.dump(start())), **change})
    with pytest.raises(ValueError, match=r"\w"):
        model.load(kept)


def test_a_text_made_on_a_table_asks_for_it():
    with pytest.raises(ValueError, match="give the same table"):
        model.load(model.dump(start(CLOUDS)))


def test_the_widget_gives_what_the_next_cell_needs():
    lab = dt.PlaneLab()
    lab.act({"do": "set", "control": "depth", "value": NO_LIMIT})
    lab.act({"do": "point", "part": "plane", "x": 0.5, "y": 0.25})
    assert lab.table.n_rows == 151
    assert lab.tree == dt.cart(lab.table)
    assert dt.PlaneLab(state=lab.state).tree == lab.tree
    lab.act({"do": "point", "part": "plane", "x": 0.5, "y": 2})
    assert "x2 must lie between 0 and 1" in lab.view["problem"]
    lab.act({"do": "clear"})
    assert lab.table is None
    assert lab.tree is None


def test_each_new_sample_is_another():
    seen, state = [], start()
    for _ in range(4):
        assert points(state) not in seen
        seen.append(points(state))
        state = update(state, Press("sample"))


def test_the_small_pictures_are_drawn_from_the_populations_themselves():
    """Without noise each cell is the truth at its middle; with it, about so many are others."""
    shown = [one for each_ in view(fold([])).parts for one in getattr(each_, "controls", ())]
    (control,) = (one for one in shown if isinstance(one, Thumbnails))
    assert [key for key, _ in control.options] == list(PRESETS)
    assert control.value == "diagonal"
    for (_, population), picture in zip(PRESETS.values(), control.pictures, strict=True):
        unlike = 0
        for i, cell in enumerate(picture):
            x, y = (i % SIDE + 0.5) / SIDE, 1 - (i // SIDE + 0.5) / SIDE
            unlike += (cell == "1") != bool(population.rule(np.array([x]), np.array([y]))[0])
        assert len(picture) == SIDE**2
        assert abs(unlike / SIDE**2 - population.noise) <= 0.08 * (population.noise > 0)
