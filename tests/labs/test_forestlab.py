"""The forest lab without Jupyter: the library's own forest, reached a few trees at a time."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice

import numpy as np
import pytest
from cases import each
from effort import some
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.ensemble.forest import margins_of
from dtree_lab.labs.forest import model
from dtree_lab.labs.forest.growth import (
    MOST_ROWS,
    ROUNDS,
    TREES,
    ForestGrowth,
    alone,
    by_impurity,
    by_permutation,
    error_curve,
    permuted_trees,
    turned_labels,
    without,
)
from dtree_lab.labs.forest.model import (
    MISTAKEN,
    MOST_NEAR,
    nearest,
    ringed,
    start,
    update,
    work,
)
from dtree_lab.labs.forest.view import taken_back, view
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Point, Press, Select, Set
from dtree_lab.labs.kit.wall import MOST_LEAVES, laid_out
from dtree_lab.populations import wave
from dtree_lab.tree.tree import Branch, walk

TAX = dt.datasets.tax_fraud()
WAVE = wave(noise=0.1).sample(60, seed=1)
HOSTILE = ["<img src=x onerror=alert(1)>", '"quotes" & more', "\u202eright to left", "🌳" * 150, ""]


def finished(state):
    steps = [one for one, _ in work(state) or ()]
    return steps[-1] if steps else state


def part(state, name):
    return next(one for one in view(state).parts if one.id == name)


def same(ours, theirs):
    assert ours.trees == theirs.trees
    assert np.array_equal(ours.oob_errors, theirs.oob_errors, equal_nan=True)
    assert np.array_equal(ours.oob_votes, theirs.oob_votes)


# -- the library's own numbers ---------------------------------------------------------------------


@given(tables(max_rows=15), st.integers(1, 12), st.sampled_from([0.0, 0.3]), st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_a_finished_forest_is_the_librarys(table, trees, noise, seed):
    if not table.attributes:
        with pytest.raises(ValueError, match="at least one attribute"):
            start(table, {})
        return
    noise = noise if len(table.classes) > 1 else 0.0
    state = finished(start(table, {"trees": trees, "m": 1, "noise": noise, "seed": seed}))
    theirs = dt.random_forest(state.table, n_trees=trees, m=1, seed=seed)
    same(state.forest, theirs)
    if theirs.oob_votes.any():
        worth = theirs.permutation_importance(state.table, seed=seed)
        assert np.array_equal(state.permuted.values, worth.values)
    else:
        assert (
            "by permutation not known: no row is out of bag" in part(state, "importances").text[0]
        )


def test_each_error_on_the_way_is_that_of_a_smaller_forest():
    """By brute force: out of bag, on training rows, and against the labels before noise."""
    state = finished(start(WAVE, {"trees": 9, "noise": 0.2}))
    said = np.array([[tree.predict(row) for row in WAVE.rows()] for tree in state.forest.trees])
    out = np.array([state.forest.rows_drawn(t) == 0 for t in range(9)])
    noisy, clean = (np.array(one.column("side")) for one in (state.table, WAVE))
    growth = state.growth
    for n in range(1, 10):
        everyone = most(said[:n], np.ones_like(out[:n]))
        unseen = most(said[:n], out[:n])
        known = unseen != ""
        assert error_curve(growth.training, n)[-1] == pytest.approx((everyone != noisy).mean())
        for votes, labels in ((growth.out_of_bag, noisy), (growth.against_clean, clean)):
            wrong = (unseen != labels)[known].mean()
            assert error_curve(votes, n)[-1] == pytest.approx(wrong)


def most(said, counts):
    """The class that most of the trees that count say of each row; the first wins a tie."""
    winners = []
    for row, use in zip(said.T, counts.T, strict=True):
        heard = Counter(row[use].tolist())
        winners.append(max(WAVE.classes, key=lambda c: heard[c]) if heard else "")
    return np.array(winners)


@each("row", [3, 7])
def test_the_wall_shows_what_each_tree_says_and_counts_it(row):
    """By asking each tree for itself, and counting by hand."""
    state = finished(start(TAX, {"trees": 70, "row": row, "noise": 0.2}))
    asked, label = TAX.row(row), state.table.column("Cheat")[row]
    trees = state.forest.trees
    said = [tree.predict(asked) for tree in trees]
    free = [state.forest.rows_drawn(t)[row] == 0 for t in range(70)]
    shown = part(state, "wall")
    assert shown.more == "and 10 more trees, counted below"
    for tile, tree, says, out in zip(shown.tiles, trees, said, free, strict=False):
        assert (TAX.classes[tile.says], tile.free) == (says, out)
        assert len(tile.way.split(".") if tile.way else []) == len(tree.explain(asked).steps)
        node = tree.root
        for branch in filter(None, tile.way.split(".")):
            node = node.children[int(branch)]
        assert node.counts == tuple(tree.explain(asked).counts.values())
    lines = (said, [one for one, out in zip(said, free, strict=True) if out])
    for (what, votes, won), counted in zip(shown.tally, map(Counter, lines), strict=True):
        assert {TAX.classes[k]: n for k, n in votes.items()} == dict(counted)
        assert f" {counted.total()} " in f" {what} "
        best = max(TAX.classes, key=lambda c: counted[c])
        other = next(c for c in TAX.classes if c != label)
        margin_told = (counted[label] - counted[other]) / counted.total()
        right = "right" if best == label else "wrong"
        assert won == f"{best}: {right}, margin {margin_told:.3f}"
    assert f"{counted_of(said)} of 70 trees say" in view(state).result


def counted_of(said):
    return max(Counter(said).values())


def test_a_tile_has_the_shape_of_its_tree():
    """Of small trees whole, of large ones with the branches folded that have fewest rows."""
    for table, trees in ((ringed(), 30), (wave(noise=0.3).sample(800, seed=2), 4)):
        state = finished(start(table, {"trees": trees}))
        for tile, tree in zip(part(state, "wall").tiles, state.forest.trees, strict=True):
            root = laid_out(tile.shape)
            leaves, opened = compared(root, tree.root)
            assert len(leaves) <= MOST_LEAVES
            assert (len(leaves) == tree.n_leaves) == (not any(one.folded for one in leaves))
            assert (
                max(one.rows for one in leaves if one.folded) <= min(opened)
                if any(one.folded for one in leaves)
                else len(leaves) == tree.n_leaves
            )
            places = [one.x for one in leaves]
            assert places == sorted(set(places))


def compared(knot, node):
    """The leaves of a shape, each beside its node, and the rows of the branches that are open."""
    assert knot.rows == sum(node.counts)
    if not knot.below:
        assert knot.cls == node.counts.index(max(node.counts))
        assert knot.folded == isinstance(node, Branch)
        return [knot], []
    found = [compared(*pair) for pair in zip(knot.below, node.children, strict=True)]
    leaves = [leaf for below, _ in found for leaf in below]
    return leaves, [knot.rows, *(rows for _, opened in found for rows in opened)]


def test_the_error_of_a_single_tree_is_counted_where_no_label_was_seen():
    state = finished(start(WAVE, {"trees": 12}))
    right = []
    for t, tree in enumerate(state.forest.trees):
        for i, row in enumerate(WAVE.rows()):
            if state.forest.rows_drawn(t)[i] == 0:
                right.append(tree.predict(row) == row["side"])
    assert alone(state.growth, 12) == pytest.approx(1 - np.mean(right))


def test_on_the_labs_own_table_a_forest_is_better_than_a_tree():
    """On twenty draws of the rings and of the trees, by a fifth of the error at least.

    And the ring, which means nothing, always has some importance by impurity, of which the
    permutation leaves next to nothing.
    """
    for seed in range(20):
        state = start(ringed(seed), {"trees": 50, "seed": seed})
        growth = state.growth.more(49)
        forest = error_curve(growth.out_of_bag, 50)[-1]
        assert forest < 0.8 * alone(growth, 50)
        impurity, permuted = by_impurity(growth, 50), by_permutation(growth, 50)
        ring = impurity.names.index("ring")
        assert impurity.values[ring] > 0.08 * max(impurity.values)
        assert permuted.values[ring] < 0.08 * max(permuted.values)


def test_the_row_that_the_labs_own_table_opens_on_divides_the_trees():
    """Those that saw it know its label by heart, the others nearly all err."""
    state = finished(start(ringed(), {"row": MISTAKEN}))
    label = state.table.labels[MISTAKEN]
    said = {free: [] for free in (True, False)}
    for tile in part(state, "wall").tiles:
        said[tile.free].append(tile.says == label)
    assert all(said[False])
    assert sum(said[True]) < len(said[True]) / 4


def test_the_most_doubtful_rows_come_first():
    state = finished(start(WAVE, {"trees": 15, "row": 3}))
    out = state.forest.oob_votes
    shares = [
        (votes[label] - max(np.delete(votes, label))) / votes.sum()
        for votes, label in zip(out, WAVE.labels, strict=True)
    ]
    listed = part(state, "doubtful")
    assert [float(row[1]) for row in listed.rows] == pytest.approx(
        sorted(shares)[: len(listed.rows)], abs=5e-4
    )
    assert [shares[i] for i in listed.keys] == sorted(shares)[: len(listed.rows)]
    assert update(state, Pick("doubtful", 4)).row == listed.keys[4]


def test_a_tile_that_is_chosen_stands_large_beside_the_wall():
    state = finished(start(TAX, {"trees": 5}))
    assert (part(state, "errors").area, part(state, "tree").drawer) == (
        "beside",
        "One of the trees",
    )
    state = update(state, Pick("wall", 3))
    assert (state.shown, part(state, "wall").current) == (3, 3)
    assert (part(state, "tree").area, part(state, "errors").area) == ("beside", "main")
    again = model.load(model.dump(state), TAX)
    assert (again.beside, again.tree) == ("tree", 3)
    state = update(state, Set("beside", "worth"))
    assert part(state, "importances").area == "beside"
    for action in (Pick("wall", 5), Pick("wall", -1), Set("beside", "nothing")):
        with pytest.raises(ValueError, match=r"must lie|can stand"):
            update(state, action)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=5).filter(any), st.data())
def test_a_margin_is_what_breiman_says(votes, data):
    label = data.draw(st.integers(0, len(votes) - 1))
    shares = [v / sum(votes) for v in votes]
    own = shares.pop(label)
    assert margins_of(np.array([votes]), np.array([label]))[0] == pytest.approx(own - max(shares))


def test_the_nearest_rows_are_those_that_meet_in_most_leaves():
    state = finished(start(WAVE, {"trees": 15, "row": 3}))
    proximity = state.forest.proximities(state.table)[3]
    rows = nearest(state)
    assert rows[0] == 3
    others = np.delete(proximity, 3)
    assert sorted(proximity[rows[1:]]) == sorted(np.sort(others)[-MOST_NEAR:])
    shown = [row[1] for row in part(state, "near").rows[1:]]
    assert shown == [f"{proximity[i]:.2f}" for i in rows[1:]]
    assert update(state, Pick("near", 2)).row == rows[2]
    with pytest.raises(NotPossibleError, match="no row at place 99"):
        update(state, Pick("near", 98))


def test_the_tree_is_shown_with_the_rows_way():
    state = finished(start(TAX, {"trees": 5, "row": 4, "tree": 2}))
    shown = part(state, "tree")
    assert shown.tree == state.forest.trees[2]
    leaf = dict(walk(shown.tree.root))[shown.lit]
    told = shown.tree.explain(TAX.row(4))
    assert (leaf.counts, len(shown.lit)) == (tuple(told.counts.values()), len(told.steps))
    assert shown.selected == shown.lit
    times = int(state.forest.rows_drawn(2)[4])
    said = {0: "is out of its bag", 1: "was drawn once"}.get(times, f"was drawn {times} times")
    assert f"row 5 {said}." in part(state, "bag").lines[0]
    state = update(state, Select("tree", ()))
    assert (part(state, "tree").selected, part(state, "tree").lit) == ((), shown.lit)


def test_importances_stand_on_one_scale():
    """Each attribute's two dots, at its importance's share of the largest."""
    forest = dt.random_forest(TAX, n_trees=25)
    impurity, permutation = forest.impurity_importance(), forest.permutation_importance(TAX)
    state = finished(start(TAX, {"trees": 25}))
    ranked = [name for name, _ in impurity.ranked()]
    shown = part(state, "importances")
    assert [line.split(":")[0] for line in shown.text[:-1]] == ranked
    for name, line in zip(ranked, shown.text, strict=False):
        assert (
            f"by impurity {impurity[name]:.3f}, by permutation {permutation[name]:.3f} ± " in line
        )
    joined, *both = taken_back(list(range(3)), impurity, permutation)
    for line, found in zip(both, (impurity, permutation), strict=True):
        dots = list(filter(None, line.points))
        assert [x for x, _ in dots] == pytest.approx(found.values / max(found.values))
        assert [y for _, y in dots] == [0, -1, -2]
        assert set(dots) < set(joined.points)


# -- noise and gaps --------------------------------------------------------------------------------


@given(tables(max_rows=30), st.floats(0, 0.5), st.floats(0, 0.5))
@settings(deadline=None)
def test_noise_turns_over_just_so_many_labels_and_more_noise_the_same(table, one, other):
    if len(table.classes) == 1:
        return
    less, more = sorted((one, other))
    before, after = (turned_labels(table, noise, seed=3).labels for noise in (less, more))
    changed = before != table.labels
    assert changed.sum() == round(less * table.n_rows)
    assert np.array_equal(after[changed], before[changed])


@given(tables(max_rows=20).filter(lambda t: t.attributes), st.floats(0, 0.4))
@settings(deadline=None)
def test_values_are_taken_away_and_no_column_is_emptied(table, share):
    gappy = without(table, share, seed=1)
    cells = table.n_rows * len(table.attributes)
    gone = 0
    for name in (a.name for a in table.attributes):
        pairs = list(zip(gappy.column(name), table.column(name), strict=True))
        assert all(new in (None, old) for new, old in pairs)
        assert any(new is not None for new, _ in pairs)
        gone += sum(new is None for new, _ in pairs)
    assert round(share * cells) - len(table.attributes) <= gone <= round(share * cells)


def test_the_estimates_are_the_librarys_and_their_distance_is_from_the_truth():
    state = finished(start(WAVE, {"trees": 5, "gaps": 0.2}))
    gappy = without(WAVE, 0.2, seed=0)
    given_ = {"rounds": ROUNDS, "n_trees": TREES, "m": state.settings.m, "seed": 0}
    filled = dt.fill_by_proximity(gappy, **given_)
    rows = {row[0]: row for row in part(state, "by-attribute").rows}
    for name in ("x1", "x2"):
        truth, first = np.array(WAVE.column(name)), gappy.column(name)
        gap = np.array([v is None for v in first])
        off = np.abs(np.array(filled.column(name)) - truth)[gap].mean()
        rough = np.abs(np.median([v for v in first if v is not None]) - truth)[gap].mean()
        assert rows[name][1] == str(gap.sum())
        for told, expected in zip(rows[name][2:], (rough, off), strict=True):
            assert float(told.split()[2]) == pytest.approx(expected, rel=1e-3)


# -- work ------------------------------------------------------------------------------------------


def test_work_cut_anywhere_goes_on_to_the_same():
    asked = {"trees": 40, "gaps": 0.2}
    whole, state = finished(start(TAX, asked)), start(TAX, asked)
    row = 0
    while state.growing or state.permuted is None:
        ((state, _),) = islice(work(state), 1)
        row = (row + 1) % 10
        state = update(state, Set("row", row + 1))  # an action ends the work
    state = finished(state)
    same(state.forest, whole.forest)
    assert state.filling.last.fills == whole.filling.last.fills
    assert np.array_equal(state.permuted.values, whole.permuted.values)


def test_the_picture_grows_and_says_how_far_it_is():
    state = start(TAX, {"trees": 40})
    seen = [view(state), *(view(one) for one, _ in work(state))]
    counts = [int(v.status.split()[0]) for v in seen if v.status.endswith("of 40 trees grown")]
    assert counts == sorted(set(counts))
    assert len(counts) > 2
    assert [v.progress for v in seen][: len(counts)] == [n / 40 for n in counts]
    assert seen[-1].progress is None
    assert seen[-1].status == ""
    assert " of 40 trees say " in seen[-1].result


def test_another_forest_ends_the_old_work():
    state = start(TAX, {"trees": 40})
    ((state, _),) = islice(work(state), 1)
    state = finished(update(state, Set("m", 3)))
    same(state.forest, dt.random_forest(TAX, n_trees=40, m=3))


def test_fewer_trees_are_the_first_ones_and_more_go_on():
    state = finished(start(TAX, {"trees": 20}))
    fewer = update(state, Set("trees", 5))
    assert not fewer.growing
    same(fewer.forest, dt.random_forest(TAX, n_trees=5))
    more = finished(update(fewer, Set("trees", 30)))
    assert more.growth.members[:20] == state.growth.members
    same(more.forest, dt.random_forest(TAX, n_trees=30))


def test_on_many_rows_few_trees_are_permuted_and_that_is_said():
    state = finished(start(wave().sample(5000), {"trees": 40}))
    used = permuted_trees(state.growth, 40)
    assert used < 40
    assert f"from the first {used} trees" in part(state, "importances").heading
    forest = dt.random_forest(state.table, n_trees=used)
    assert np.array_equal(state.permuted.values, forest.permutation_importance(state.table).values)
    filled = update(state, Set("gaps", 0.05))
    filled = next(islice(work(filled), 0, None))[0]
    assert any(f"first {MOST_ROWS} rows" in line for line in part(filled, "filled").lines)


# -- actions and states ----------------------------------------------------------------------------


def test_one_more_is_a_tree_that_is_shown():
    state = finished(update(finished(start(TAX, {"trees": 3})), Press("more")))
    assert (state.settings.trees, state.shown) == (4, 3)


def test_a_lecturers_keys_come_from_one_tree_to_five_to_fifty_to_all():
    states = [start(TAX, {"trees": 1})]
    while states[-1].settings.trees < 200:
        states.append(update(states[-1], Press("next")))
    assert [state.settings.trees for state in states] == [1, 5, 50, 200]
    assert {state.shown for state in states} == {0}
    assert update(start(TAX, {"trees": 7}), Press("next")).settings.trees == 50


@pytest.mark.parametrize("press", ["more", "next"])
def test_of_the_most_trees_there_are_no_more(press):
    with pytest.raises(NotPossibleError, match="the most that can be grown"):
        update(start(TAX, {"trees": 200}), Press(press))


def test_a_click_into_the_errors_chooses_the_nearest_tree():
    state = finished(start(TAX, {"trees": 10}))
    assert update(state, Point("errors", 6.7, 0.1)).shown == 6
    assert update(state, Point("errors", 0.0, 0.1)).shown == 0
    assert update(state, Point("errors", 99.0, 0.1)).shown == 9


@each(
    ("action", "why"),
    [
        (Set("trees", 201), "between 1 and 200"),
        (Set("m", 4), "between 1 and 3"),
        (Set("noise", 0.6), "from 0 to 0.5"),
        (Set("gaps", True), "from 0 to 0.4"),  # noqa: FBT003 - what a browser could send
        (Set("row", 11), "between 1 and 10"),
        (Set("tree", 0), "between 1 and 5"),
        (Set("colour", "red"), "cannot be set"),
        (Select("tree", (9, 9)), "no such node"),
        (Press("fly"), "nothing here"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(action, why):
    with pytest.raises(NotPossibleError, match=why):
        update(start(TAX, {"trees": 5}), action)


@pytest.mark.parametrize(
    ("table", "asked", "why"),
    [
        (TAX, {"trees": 0}, "trees=0"),
        (TAX, {"m": 4}, "at most 3"),
        (TAX, {"noise": 0.7}, "from 0 to 0.5"),
        (TAX.take([0]), {"row": 1}, "at most 0"),
        (
            dt.Table.from_columns({"a": [1, 2], "y": ["n", "n"]}, "y"),
            {"noise": 0.1},
            "single class",
        ),
        (dt.Table.from_columns({"a": [1, 2], "y": [0.5, 1.5]}, "y"), {}, "continuous"),
    ],
)
def test_what_cannot_begin_is_refused_in_words(table, asked, why):
    with pytest.raises(ValueError, match=why):
        start(table, asked)


def acts():
    return st.lists(
        st.one_of(
            st.integers(1, 12).map(lambda v: Set("trees", v)),
            st.integers(1, 4).map(lambda v: Set("m", v)),
            st.integers(1, 15).map(lambda v: Set("row", v)),
            st.integers(1, 12).map(lambda v: Set("tree", v)),
            st.sampled_from([0, 0.1, 0.5]).map(lambda v: Set("noise", v)),
            st.sampled_from([0, 0.1, 0.4]).map(lambda v: Set("gaps", v)),
            st.sampled_from([(), (0,), (1,), (0, 1)]).map(lambda v: Select("tree", v)),
            st.integers(0, 5).map(lambda v: Pick("near", v)),
            st.integers(0, 5).map(lambda v: Pick("doubtful", v)),
            st.integers(0, 5).map(lambda v: Pick("wall", v)),
            st.sampled_from(["errors", "tree", "worth"]).map(lambda v: Set("beside", v)),
            st.sampled_from(["more", "again", "reset"]).map(Press),
        ),
        max_size=5,
    )


@given(tables(max_rows=12).filter(lambda t: t.attributes), acts(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_actions_leave_a_state_that_its_text_recreates(table, actions, finish):
    state = start(table, {"trees": 3})
    for action in actions:
        try:
            state = update(state, action)
        except ValueError:
            continue
        assert len(json.dumps(view(state).json())) < 64_000
        state = finished(state) if finish else state
    again, state = finished(model.load(model.dump(state), table)), finished(state)
    assert (again.settings, again.row, again.tree, again.node) == (
        state.settings,
        state.row,
        state.tree,
        state.node,
    )
    same(again.forest, state.forest)
    shown = [[part.json() for part in view(one).parts] for one in (again, state)]
    assert shown[0] == shown[1]


def test_a_text_of_something_else_is_refused():
    kept = model.dump(start(TAX, {}))
    with pytest.raises(ValueError, match="made on another table"):
        model.load(kept, WAVE)
    with pytest.raises(ValueError, match="damaged"):
        model.load(kept.replace('"tree":0', '"tree":"x"'), TAX)
    with pytest.raises(ValueError, match="no node"):
        model.load(kept.replace('"node":null', '"node":"x.9"'), TAX)
    lost = model.load(kept.replace('"node":null', '"node":"9.9"'), TAX)
    assert part(lost, "tree").selected == lost.way


def test_a_large_view_with_long_names_stays_small():
    rng = np.random.default_rng(0)
    columns = {f"{name} {i}": rng.random(120).tolist() for i in range(4) for name in HOSTILE}
    columns |= {f"w {name}": [HOSTILE[k] for k in rng.integers(0, 5, 120)] for name in HOSTILE}
    labels = [f"{HOSTILE[k % 5]}{k}" for k in rng.integers(0, 40, 120)]
    table = dt.Table.from_columns({**columns, "y" * 300: labels}, target="y" * 300)
    state = finished(start(table, {"trees": 3, "gaps": 0.2, "noise": 0.3}))
    assert len(json.dumps(view(state).json())) < 64_000


# -- the widget ------------------------------------------------------------------------------------


def test_the_widget_takes_what_it_says():
    lab = dt.ForestLab(WAVE, trees=12, m=2, noise=0.1, seed=4)
    same(lab.forest, dt.random_forest(lab.table, n_trees=12, m=2, seed=4))
    assert (lab.table.labels != WAVE.labels).sum() == 6
    again = dt.ForestLab(WAVE, state=lab.state)
    same(again.forest, lab.forest)
    own = dt.ForestLab(trees=2)
    assert list(own.table.rows()) == list(ringed().rows())
    assert dt.ForestLab(state=own.state).state == own.state


def test_a_text_of_the_labs_table_of_once_still_loads():
    """Without a table it was the tax returns."""
    text = dt.ForestLab(TAX, trees=3).state
    again = dt.ForestLab(state=text)
    assert list(again.table.rows()) == list(TAX.rows())
    assert again.state == text


def test_of_a_very_large_table_some_rows_are_used():
    large = wave().sample(10_001)
    state = start(large, {"trees": 1})
    assert state.table.n_rows == 10_000
    assert any(
        "Of the table's 10,001 rows 10,000 were drawn" in s for s in part(state, "about").lines
    )
    same(state.forest, dt.random_forest(state.table, n_trees=1))
    kept = model.load(model.dump(state), large)
    same(kept.forest, state.forest)


def test_growth_in_any_portions_is_one_forest():
    growth = ForestGrowth.of(TAX, 2, 0.0, 0)
    for portion in (1, 4, 2, 3):
        before = growth
        growth = growth.more(portion)
        assert len(before.members) + portion == len(growth.members)
        assert len(before.out_of_bag.counted().errors) == len(before.members)
    theirs = dt.random_forest(TAX, n_trees=10, m=2)
    assert np.array_equal(error_curve(growth.out_of_bag, 10), theirs.oob_errors, equal_nan=True)


def test_the_errors_keep_their_axis_as_trees_are_added():
    for seed in some(range(4), every=2):
        heights, named = set(), []
        for n in (1, 5, 50):
            lab = dt.ForestLab(trees=n, seed=seed)
            (errors,) = [part for part in lab.view["parts"] if part["id"] == "errors"]
            heights.add(errors["frame"]["y"][1])
            named.append("one tree, on average" in json.dumps(errors["element"]))
        assert len(heights) == 1
        # Of one tree its error is the forest's.
        assert named == [False, True, True]
