"""Stepping through an algorithm: the same events as dt.steps, a cursor, and honest numbers."""

from __future__ import annotations

import json
from functools import reduce

import ipywidgets
import numpy as np
import pytest
import traitlets
from cases import each
from effort import some
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import number_tables, stops, tables

import dtree_lab as dt
from dtree_lab.base.text import bits
from dtree_lab.continuous.thresholds import Ordered, ThresholdFound, Tried
from dtree_lab.draw.chart import Bar
from dtree_lab.ensemble.adaboost import Chose
from dtree_lab.ensemble.textbook import Added, Drew, InTree, Sampled
from dtree_lab.grow.recipe import recipe
from dtree_lab.grow.textbook import Considered, Opened, grow_by_recipe
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Press, Select, Set
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.model import still_html, still_text
from dtree_lab.labs.kit.parts import Bars, Grid, Picture, TreeView, Words
from dtree_lab.labs.stepthrough import model
from dtree_lab.labs.stepthrough.growing import TreeGrowth
from dtree_lab.labs.stepthrough.model import WalkSettings, algorithms, start, update, work
from dtree_lab.labs.stepthrough.view import view
from dtree_lab.prune.pruned import Measured, Pruned
from dtree_lab.tree.splits import branch_rows
from dtree_lab.tree.tree import Branch, Leaf, walk

TAX = dt.datasets.tax_fraud()
GROWERS = {"id3": dt.id3, "c45": dt.c45, "cart": dt.cart}
FLATS = dt.Table.from_columns(
    {"m2": [30, 40, 50, 70, 100], "rent": [6, 8, 9, 13, 19]}, target="rent"
)
WITHHELD = dt.evaluate.holdout(TAX, seed=10)
FORWARD, BACK = Press("next"), Press("back")


def walked(algorithm="id3", table=TAX, level="event", **more):
    names = {"validation", "seed", "attribute"}
    own = {k: v for k, v in more.items() if k in names}
    keywords = {k: v for k, v in more.items() if k not in names}
    return start(WalkSettings(table, algorithm=algorithm, keywords=keywords, **own), level)


def fold(state, *actions):
    return reduce(update, actions, state)


def to(state, cursor):
    """The state with so many events done."""
    return fold(state, *[FORWARD] * cursor)


def part(state, kind, id_):
    found = [p for p in view(state).parts if isinstance(p, kind) and p.id == id_]
    return found[0] if found else None


def offered(state):
    """The algorithms that can be chosen."""
    settings = next(p for p in view(state).parts if p.id == "settings")
    return list(dict(settings.controls[0].options))


def told(state):
    words = part(state, Words, "told")
    return " ".join([words.heading, *words.lines])


def rows_at(table, root, path):
    """The rows of a node, question by question: the slow way."""
    node = root
    for branch in path:
        table = table.take(branch_rows(node.split, table)[branch])
        node = node.children[branch]
    return table


# -- the events are those of dt.steps ------------------------------------------------------------


def same(mine, theirs):
    """Equality of lists of events; some hold arrays and have no equality of their own."""
    assert [type(e) for e in mine] == [type(e) for e in theirs]
    assert list(map(repr, mine)) == list(map(repr, theirs))


@pytest.mark.parametrize("algorithm", GROWERS)
def test_growing_tells_the_events_of_dt_steps(algorithm):
    state = walked(algorithm)
    same(state.story.events, dt.steps(GROWERS[algorithm], TAX))
    assert state.story.tree(state.story.end) == GROWERS[algorithm](TAX)


def test_the_other_algorithms_tell_theirs():
    same(walked("threshold").story.events, dt.steps(dt.sorted_search, TAX))
    same(
        walked("random_forest", n_trees=3, seed=4).story.events,
        dt.steps(dt.random_forest, TAX, n_trees=3, seed=4),
    )
    same(walked("adaboost").story.events, dt.steps(dt.adaboost, TAX, n_stumps=5))
    for given_ in (TAX, FLATS):
        same(
            walked("gradient_boosting", given_, validation=given_, rate=0.5).story.events,
            dt.steps(dt.gradient_boosting, given_, withheld=given_, rounds=5, rate=0.5),
        )
    training, validation = WITHHELD
    tree = dt.id3(training)
    story = walked("reduced_error", training, validation=validation).story
    same(story.events, dt.steps(dt.prune.reduced_error, tree, validation))
    assert story.tree(0) == tree
    assert story.tree(story.end) == dt.prune.reduced_error(tree, validation)


def test_without_validation_rows_a_third_is_withheld():
    training, validation = dt.evaluate.holdout(TAX, seed=10)
    given_, by_itself = (
        walked("reduced_error", training, validation=validation),
        walked("reduced_error", seed=10),
    )
    same(by_itself.story.events, given_.story.events)
    assert "A third of the rows" in still_text(view(by_itself))


def test_each_tree_of_a_forest_ends_as_the_forest_has_it():
    state = walked("random_forest", n_trees=4, seed=1)
    forest = dt.random_forest(TAX, n_trees=4, seed=1)
    ends = [i for i, e in enumerate(state.story.events, 1) if isinstance(e, Added)]
    assert [state.story.tree(end) for end in ends] == list(forest.trees)
    errors = [e.oob_error for e in state.story.events if isinstance(e, Added)]
    assert errors == pytest.approx(forest.out_of_bag.errors.tolist())


@settings(max_examples=40, deadline=None)
@given(tables(max_rows=20), st.sampled_from(["entropy", "gini"]))
def test_the_search_told_is_the_search_made(table, criterion):
    """The narrated search ends where both searches end, ties and operations included."""
    numbers = zip(table.attributes, table.columns, strict=True)
    if not any(a.values is None and np.ptp(c) for a, c in numbers):
        with pytest.raises(ValueError, match="no threshold to search for"):
            dt.steps(dt.sorted_search, table, criterion=criterion)
        return
    events = dt.steps(dt.sorted_search, table, criterion=criterion)
    made = dt.sorted_search(table, criterion=criterion)
    found = events[-1].search
    assert found == made == dt.naive_search(table, criterion=criterion)
    assert (found.ticks, found.operations) == (made.ticks, made.operations)
    for tried in (e for e in events if isinstance(e, Tried)):
        column = table.columns[table.index(tried.attribute)]
        below = np.bincount(table.labels[column < tried.cut], minlength=len(table.classes))
        assert tried.below == tuple(below)
        assert np.add(tried.below, tried.above).tolist() == table.counts().tolist()
    assert [e.best for e in events if isinstance(e, Tried)].count(True) >= 1
    assert sum(isinstance(e, Ordered) for e in events) <= len(table.attributes)


# -- trees in between ------------------------------------------------------------------------------


def is_prefix(small, large):
    """Whether a tree is another one with some nodes not yet opened."""
    if small.counts != large.counts:
        return False
    if isinstance(small, Leaf):
        return True
    if not isinstance(large, Branch) or small.split != large.split:
        return False
    return all(map(is_prefix, small.children, large.children))


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from(list(GROWERS)), stops())
def test_each_tree_in_between_is_a_prefix_of_the_next(table, algorithm, stop):
    keywords = {k: v for k, v in vars(stop).items() if v is not None}
    story = walked(algorithm, table, **keywords).story
    final = GROWERS[algorithm](table, **keywords)
    trees = [story.tree(cursor) for cursor in range(story.end + 1)]
    assert trees[0].n_nodes == 1
    assert trees[-1] == final
    for i, tree in enumerate(trees[1:]):
        assert is_prefix(trees[i].root, tree.root)
        event = story.events[i]
        asks = node_at(tree.root, event.path)
        assert isinstance(asks, Branch) == isinstance(event, Opened)
        opened = sum(isinstance(e, Opened) for e in story.events[: i + 1])
        assert sum(isinstance(node, Branch) for _, node in walk(tree.root)) == opened


def test_the_picture_shows_what_waits():
    asked = part(to(walked(), 2), TreeView, "tree")
    assert asked.faded == {(0,), (1,), (2,)}
    assert asked.tags[()] == "here"
    state = to(walked(), 3)
    picture = part(state, TreeView, "tree")
    assert picture.tags == {
        (0,): "here",
        (1,): "not looked at yet",
        (2,): "not looked at yet",
    }
    assert picture.faded == {(1,), (2,)}
    assert picture.selected == (0,)
    assert part(to(state, 17), TreeView, "tree").faded == frozenset()


def test_best_first_nodes_stay_open_until_their_turn():
    state = to(walked(max_leaves=4), 5)
    assert [type(e).__name__ for e in state.story.events[:6]] == [
        "Considered",
        "Opened",
        "Considered",
        "Considered",
        "Closed",
        "Considered",
    ]
    assert part(state, TreeView, "tree").tags[(0,)] == "open"


# -- back is the cursor less one -------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", algorithms())
def test_forward_then_back_is_the_identity(algorithm):
    state = walked(algorithm)
    for level, _ in state.story.levels:
        at = fold(walked(algorithm), Set("level", level))
        n = len(at.story.stops(level)) - 1
        seen = [view(at).json()]
        for _ in range(n):
            at = update(at, FORWARD)
            seen.append(view(at).json())
        assert at.cursor == at.story.end
        with pytest.raises(NotPossibleError, match="last step"):
            update(at, FORWARD)
        for before in reversed(seen[:-1]):
            at = update(at, BACK)
            assert view(at).json() == before
        with pytest.raises(NotPossibleError, match="before the first step"):
            update(at, BACK)


def test_levels_are_coarser_and_end_alike():
    story = walked("random_forest").story
    events, nodes, trees = (story.stops(level) for level, _ in story.levels)
    assert set(trees) <= set(nodes) <= set(events)
    assert events == list(range(story.end + 1))
    ends = [i for i, e in enumerate(story.events, 1) if isinstance(e, Added)]
    assert trees == [0, *ends]
    settles = [
        i
        for i, e in enumerate(story.events, 1)
        if isinstance(e, Added | Sampled)
        or (isinstance(e, InTree) and not isinstance(e.event, Considered))
    ]
    assert nodes == [0, *settles]


def test_a_round_of_the_search_is_an_attribute():
    table = dt.Table.from_columns(
        {"a": [1, 2, 3, 4], "b": [4, 1, 3, 2], "y": list("ppqq")}, target="y"
    )
    story = walked("threshold", table).story
    assert [len(story.stops(level)) for level in ("event", "node", "round")] == [10, 4, 4]
    # by hand: a is cut at 1.5, 2.5 (pure) and 3.5; the cuts of b are worse
    best = [e.cut for e in story.events if isinstance(e, Tried) and e.best]
    assert best == [1.5, 2.5]
    assert story.stops("round") == [0, 4, 8, 9]


def test_a_step_of_a_coarser_level_is_completed():
    state = to(walked(), 1)
    assert update(state, Set("level", "node")).cursor == 2
    assert update(to(state, 1), Set("level", "node")).cursor == 2


def test_the_slider_counts_steps_of_the_level():
    state = fold(walked(), Set("level", "node"), Set("step", 2))
    assert state.cursor == 4
    assert "Step 2 of 10" in told(state)
    with pytest.raises(NotPossibleError, match="between 0 and 10"):
        update(state, Set("step", 11))
    assert fold(state, Press("last")).cursor == state.story.end
    assert fold(state, Press("last"), Press("first")).cursor == 0
    assert fold(state, Press("reset")).cursor == 0


# -- the numbers -----------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(tables())
def test_the_bars_are_those_of_dt_compare(table):
    state = walked("id3", table)
    final = dt.id3(table)
    for cursor, event in enumerate(state.story.events, 1):
        state = update(state, FORWARD)
        bars = part(state, Bars, "bars")
        if not isinstance(event, Considered):
            continue
        if not event.candidates:
            assert bars is None
            continue
        compared = dt.compare(rows_at(table, final.root, event.path))
        assert state.cursor == cursor
        for bar, attribute in zip(bars.bars, table.attributes, strict=True):
            one = compared[attribute.name]
            if one.candidate is None:
                assert bar.value == "cannot part these rows"
                continue
            assert bar.name == one.question
            assert bar.value == f"gain {bits(one.gain)} bits"
            assert bar.rest == f"{bits(one.conditional_entropy)} left"
            assert bar.share == pytest.approx(one.gain / compared.entropy)
            assert not bar.best


def test_the_root_of_the_tax_table_by_hand():
    """H(3/10) = 0.881; Marital Status leaves 4/10·1 + 4/10·0 + 2/10·1 = 0.6, Refund 7/10·0.985."""
    state = to(walked(), 1)
    bars = {bar.name: bar for bar in part(state, Bars, "bars").bars}
    assert bars["Marital Status"].detail == [
        "left: 4/10·1.000 + 4/10·0.000 + 2/10·1.000 = 0.600 bits",
        "gain: 0.881 \N{MINUS SIGN} 0.600 = 0.281 bits",
    ]
    assert bars["Refund"].table == (
        ["Branch", "Rows", "Entropy"],
        [["Yes", "3 No", "0.000"], ["No", "4 No, 3 Yes", "0.985"]],
    )
    assert "10 rows (7 No, 3 Yes). Entropy 0.881 bits." in told(state)
    asked = update(state, FORWARD)
    assert "Ask Marital Status" in told(asked)
    assert "It gains most: 0.281 bits." in told(asked)
    assert "Taxable Income < 97.5 would do as well: the first column wins a tie." in told(asked)
    assert [bar.name for bar in part(asked, Bars, "bars").bars if bar.best] == ["Marital Status"]


def test_c45_and_cart_say_what_they_go_by():
    asked = to(walked("c45"), 2)
    assert "Its gain ratio, 0.290, is the highest" in told(
        asked
    )  # 0.2813 / H(4/10) = 0.2813 / 0.9710
    looked = to(walked("cart"), 1)
    assert "Gini impurity 0.420" in told(looked)  # 1 - 0.49 - 0.09
    assert "bits" not in told(looked)


def test_a_leaf_says_why():
    state = to(walked(max_depth=1), 4)
    assert "A leaf: Cheat = No" in told(state)
    assert "The depth of 1 is reached." in told(state)
    assert "4 rows (2 No, 2 Yes)" in told(state)
    assert "The majority of its rows answers." in told(state)
    end = fold(state, Press("last"))
    assert "4 nodes, 3 of them leaves, depth 1; it gets 3 of 10 training rows wrong" in told(end)


def test_the_threshold_search_shows_its_best_so_far():
    """By hand: below 80 lie 3 No; what is left is 7/10·H(3/7) = 0.690, and below 87.5 more."""
    state = fold(walked("threshold", attribute="Taxable Income"), Set("step", 5))
    assert "Try Taxable Income < 87.5" in told(state)
    assert "Taxable Income < 80 gains 0.192 bits and stays the best so far." in told(state)
    assert part(state, Grid, "sides").rows == [
        ["< 87.5", "4", "3", "1", "0.811"],
        ["≥ 87.5", "6", "4", "2", "0.918"],
    ]
    assert "4 of 9 cuts tried." in part(state, Picture, "curve").text
    end = fold(state, Press("last"))
    assert isinstance(end.story.events[-1], ThresholdFound)
    assert "Found: ask Taxable Income < 97.5" in told(end)
    assert "more than any other" in told(end)


def test_equal_cuts_are_said_to_be_equal():
    table = dt.Table.from_columns({"x": [1, 2, 3], "y": list("pqp")}, target="y")
    assert "the first of the best is taken" in told(fold(walked("threshold", table), Press("last")))


def test_pruning_shows_its_candidates_and_errors():
    training, validation = WITHHELD
    tree = dt.id3(training)
    state = walked("reduced_error", training, validation=validation)
    for event in state.story.events:
        state = update(state, FORWARD)
        if isinstance(event, Measured) and event.candidates:
            rows = part(state, Grid, "candidates").rows
            best = max(event.candidates, key=lambda cut: cut.reduction)
            assert [int(row[1]) - int(row[2]) for row in rows] == sorted(
                (cut.reduction for cut in event.candidates), reverse=True
            )
            assert float(rows[0][1]) - float(rows[0][2]) == best.reduction
        if isinstance(event, Pruned):
            now = state.story.tree(state.cursor)
            wrong = round(now.error(validation) * validation.n_rows)
            assert f"The whole tree now gets {wrong} of {validation.n_rows}" in told(state)
            assert part(state, TreeView, "tree").tags == {event.cut.path: "cut here"}
    text_ = part(state, Picture, "errors").text
    assert text_[0] == f"After 0 cuts: {round(tree.error(validation) * validation.n_rows)} wrong."


def test_the_forest_shows_sample_and_draws():
    state = to(walked("random_forest", n_trees=2, seed=3), 1)
    sampled = state.story.events[0]
    grid = part(state, Grid, "sample")
    for row, drawn, label in grid.rows:
        times = sampled.rows.count(int(row) - 1)
        assert drawn == {0: "out of bag", 1: "once", 2: "twice"}.get(times, f"{times} times")
        assert label == TAX.column("Cheat")[int(row) - 1]
    assert f"hit {10 - len(sampled.out_of_bag)} of 10 rows" in told(state)
    drew = update(state, FORWARD)
    drawn_now = drew.story.events[1]
    assert isinstance(drawn_now, Drew)
    bars = part(update(drew, FORWARD), Bars, "bars").bars
    outside = {i for i, bar in enumerate(bars) if bar.value == "not drawn"}
    assert outside == set(range(3)) - set(drawn_now.attributes)


def test_boosting_shows_weights_and_votes():
    state = walked("adaboost", n_stumps=3)
    for event in state.story.events:
        state = update(state, FORWARD)
        if isinstance(event, Chose):
            assert f"{int(event.wrong.sum())} rows wrong" in told(state)
            lines = part(state, Picture, "weights").text
            assert sum("wrong" in line for line in lines) == event.wrong.sum()
    votes = part(state, Grid, "votes").rows
    boosted = dt.adaboost(TAX, n_stumps=3)
    assert [float(row[3]) for row in votes] == pytest.approx(boosted.weights, abs=5e-4)
    assert [float(row[2]) for row in votes] == pytest.approx(boosted.errors, abs=5e-4)


def test_gradient_boosting_shows_what_is_left_of_five_flats():
    """By hand: the mean is 11. Below 60 m² a stump says -10/3, else 5; half of it is added."""
    state = walked("gradient_boosting", FLATS, rounds=2, rate=0.5, max_depth=1)
    assert "the mean, 11." in told(state)
    state = update(state, FORWARD)
    assert "Row 5 has most left: 8." in told(state)
    assert part(state, TreeView, "tree") is None
    state = update(state, FORWARD)
    assert "asks m2 < 60 first" in told(state)
    # 28/3 is now said of the first three, 27/2 of the others: 174/4 is the sum of squares.
    assert (
        "0.5 of what it says is added to each answer. The mean squared error is now 8.7."
        in told(state)
    )
    picture = part(state, Picture, "left")
    assert picture.text == [
        "Row 5, 19: 8 left, 2.5 added.",
        "Row 1, 6: -5 left, -1.667 added.",
        "Row 2, 8: -3 left, -1.667 added.",
        "Row 3, 9: -2 left, -1.667 added.",
        "Row 4, 13: 2 left, 2.5 added.",
    ]
    bars = [layer for layer in picture.figure.plot.layers if isinstance(layer, Bar)]
    assert [bar.low + bar.high for bar in bars] == [-5, -3, -2, 2, 8]
    assert [bar.low * bar.high for bar in bars] == [0] * 5
    assert part(state, TreeView, "tree").tree == state.story.result.trees[0]
    assert part(state, Grid, "trees").rows == [["1", "m2 < 60", "8.7"]]
    looked = update(state, Select("tree", (1,)))
    assert part(looked, TreeView, "tree").selected == (1,)
    state = fold(state, FORWARD, FORWARD, FORWARD)
    assert "2 trees added up All rounds are done." in told(state)
    assert len(part(state, Grid, "trees").rows) == 2


def test_gradient_boosting_of_classes_begins_with_their_odds_and_may_withhold_rows():
    state = walked("gradient_boosting", validation=TAX)
    assert f"the logarithm of the odds of the second class, {np.log(3 / 7):.4g}." in told(state)
    state = to(state, 2)
    lines = part(state, Picture, "left").text
    assert lines[:3] == [f"Row {row}, Yes: 0.7 left." for row in (5, 8, 10)]
    assert lines[3:] == [f"Row {row}, No: -0.3 left." for row in (1, 2, 3, 4, 6, 7, 9)]
    *_, loss, withheld = part(state, Grid, "trees").rows[0]
    assert loss == withheld == f"{state.story.result.staged_loss(TAX)[0]:.4g}"


def test_of_numbers_gradient_boosting_alone_is_offered():
    state = walked("gradient_boosting", FLATS)
    assert offered(state) == ["gradient_boosting"]
    with pytest.raises(NotPossibleError, match="no algorithm 'id3'; there are gradient boosting"):
        update(state, Set("algorithm", "id3"))
    seen = view(to(state, 2)).json()["parts"]
    cards = next(one["tree"]["cards"] for one in seen if one["kind"] == "tree")
    assert {card["cls"] for card in cards} == {-1}
    assert not any(card["counts"] for card in cards)


# -- what a person does ----------------------------------------------------------------------------


def test_playing_goes_to_the_end_and_any_action_ends_it():
    state = fold(walked(), Press("play"))
    assert state.playing
    assert view(state).progress == 0.0
    played = list(work(state))
    cursors = [s.cursor for s, _ in played]
    assert cursors == list(range(1, 21))
    assert [s.playing for s, _ in played] == [True] * 19 + [False]
    assert {pause for s, pause in played if s.playing} == {1.0}
    fast = update(state, Set("speed", "fast"))
    assert fast.playing
    assert next(work(fast))[1] == 0.3
    for action in (Press("play"), FORWARD, Set("step", 3), Press("last"), Select("tree", ())):
        assert work(update(state, action)) is None
    again = update(played[-1][0], Press("play"))
    assert (again.cursor, again.playing) == (0, True)


def test_a_chosen_node_is_looked_at_without_moving():
    state = fold(to(walked(), 5), Select("tree", ()))
    assert state.cursor == 5
    assert part(state, Bars, "bars").heading.endswith("the root")
    chosen = part(state, Words, "looked")
    assert chosen.lines[0] == "Ask Marital Status."
    waits = part(update(state, Select("tree", (1,))), Words, "looked")
    assert "It has not been looked at yet" in waits.lines[1]
    assert part(update(state, FORWARD), Words, "looked") is None
    with pytest.raises(NotPossibleError, match="no such node"):
        update(state, Select("tree", (7,)))
    with pytest.raises(NotPossibleError, match="no such node"):
        update(walked("threshold"), Select("tree", ()))


def test_another_algorithm_begins_anew():
    state = fold(to(walked(), 5), Set("algorithm", "random_forest"), Set("n_trees", "3"))
    assert (state.cursor, state.story.result.n_trees) == (0, 3)
    state = fold(state, Set("m", "3"))
    same(state.story.events, dt.steps(dt.random_forest, TAX, n_trees=3, m=3, seed=0))
    shallow = fold(state, Set("algorithm", "c45"), Set("max_depth", "1"))
    assert shallow.story.result == dt.c45(TAX, max_depth=1)
    assert update(shallow, Set("max_depth", "none")).story.result == dt.c45(TAX)
    search = fold(state, Set("algorithm", "threshold"), Set("attribute", "0"))
    assert search.attribute == "Taxable Income"
    assert update(search, Set("attribute", "*")).attribute is None


@each(
    ("action", "why"),
    [
        (Set("algorithm", "c50"), "no algorithm 'c50'"),
        (Set("level", "round"), "no steps 'round'"),
        (Set("attribute", "1"), "no continuous attribute '1'"),
        (Set("n_trees", "3"), "ID3 takes no n_trees"),
        (Set("max_depth", "x"), "whole number"),
        (Set("max_depth", "201"), "between 0 and 200"),
        (Set("step", 1.5), "whole number"),
        (Set("speed", "warp"), "nothing to do"),
        (Set("colour", "red"), "nothing to do"),
        (Press("dance"), "nothing to do"),
        (Pick("candidates", 0), "nothing to do"),
    ],
)
def test_what_cannot_be_done_is_said(action, why):
    with pytest.raises(NotPossibleError, match=why):
        update(walked(), action)


def test_a_forest_has_its_bounds():
    state = walked("random_forest")
    for action, why in ((Set("n_trees", "26"), "1 and 25"), (Set("m", "4"), "1 and 3")):
        with pytest.raises(NotPossibleError, match=why):
            update(state, action)


def test_an_algorithm_that_does_not_suit_says_so_and_changes_nothing():
    words = dt.datasets.word_sense()
    with pytest.raises(ValueError, match="no threshold to search for"):
        update(walked("id3", words), Set("algorithm", "threshold"))


@each(
    ("make", "why"),
    [
        (lambda: walked("c50"), "algorithm='c50' must be one of"),
        (lambda: walked(level="day"), "level='day' must be one of"),
        (lambda: walked(max_dept=3), "no keyword 'max_dept'.*Did you mean 'max_depth'"),
        (lambda: walked(n_trees=3), "no keyword 'n_trees'"),
        (lambda: walked("random_forest", n_trees=26), "at most 25"),
        (lambda: walked("adaboost", n_stumps=51), "at most 50"),
        (lambda: walked("gradient_boosting", rounds=51), "at most 50"),
        (
            lambda: walked("gradient_boosting", dt.datasets.word_sense()),
            "4 classes; this lab tells at most 2 apart",
        ),
        (lambda: walked("cart", FLATS), "this lab is about classes"),
        (lambda: walked("gradient_boosting", FLATS, validation=TAX), "the tree predicts 'rent'"),
        (lambda: walked(max_depth=-1), "max_depth=-1"),
        (lambda: walked("threshold", attribute="Refund"), "'Refund' is discrete"),
        (lambda: walked("threshold", attribute="Income"), "Income"),
        (lambda: walked("reduced_error", TAX.take([0])), "single row"),
        (lambda: walked(validation=dt.datasets.word_sense()), "Cheat"),
        (lambda: walked(seed=-1), "seed=-1"),
    ],
)
def test_arguments_are_checked(make, why):
    with pytest.raises(ValueError, match=why):
        make()


ACTIONS = st.one_of(
    st.sampled_from([FORWARD, BACK, *map(Press, ("first", "last", "reset", "play"))]),
    st.builds(Set, st.just("algorithm"), st.sampled_from(list(algorithms()))),
    st.builds(Set, st.just("level"), st.sampled_from(["event", "node", "round"])),
    st.builds(Set, st.just("step"), st.integers(0, 12)),
    st.builds(Set, st.just("attribute"), st.sampled_from("*012")),
    st.builds(Set, st.just("max_depth"), st.sampled_from(["none", "0", "1", "3"])),
    st.builds(Set, st.sampled_from(["n_trees", "m"]), st.sampled_from("123")),
    st.builds(Set, st.just("speed"), st.sampled_from(["slow", "fast"])),
    st.builds(Select, st.just("tree"), st.lists(st.integers(0, 2), max_size=3).map(tuple)),
)


@settings(max_examples=60, deadline=None)
@given(st.one_of(tables(max_rows=12), number_tables()), st.lists(ACTIONS, max_size=12))
def test_any_actions_leave_a_state_that_its_text_recreates(table, actions):
    state = walked("gradient_boosting" if table.target.values is None else "id3", table)
    for action in actions:
        try:
            state = update(state, action)
        except ValueError:
            continue
        seen = view(state)
        assert 0 <= state.cursor <= state.story.end
        assert len(json.dumps(seen.json())) < 64_000
        assert seen.title in still_text(seen)
        assert "dtl" in still_html(seen)
    again = model.load(model.dump(state), table)
    assert model.dump(again) == model.dump(state)
    assert (again.cursor, again.fitting) == (state.cursor, state.fitting)
    same(again.story.events, state.story.events)


def test_a_text_of_something_else_is_refused():
    kept = model.dump(to(walked(max_depth=np.int64(2)), 3))
    assert model.load(kept, TAX).cursor == 3
    with pytest.raises(ValueError, match="made on another table"):
        model.load(kept, dt.datasets.word_sense())
    with pytest.raises(ValueError, match="other validation rows"):
        model.load(kept, TAX, TAX)
    for wrong in ({"cursor": 99}, {"speed": "warp"}, {"cursor": -1}):
        with pytest.raises(ValueError, match="damaged"):
            model.load(json.dumps(json.loads(kept) | wrong), TAX)


# -- large and strange tables ----------------------------------------------------------------------


def noisy(n, d, classes=2):
    rng = np.random.default_rng(0)
    made = {f"x{i}": rng.normal(size=n).round(2).tolist() for i in range(d)}
    made["y"] = rng.choice([f"c{i}" for i in range(classes)], n).tolist()
    return dt.Table.from_columns(made, target="y")


def small_enough(state, cursors):
    for cursor in cursors:
        at = fold(state, Set("step", cursor))
        assert len(json.dumps(view(at).json())) < 64_000


def test_a_large_table_is_sampled_and_says_so():
    state = walked("cart", noisy(3000, 20))
    assert state.story.table.n_rows == 500
    assert "The table has 3,000 rows: 500 of them, drawn at random" in still_text(view(state))
    assert state.story.result == dt.cart(state.story.table)
    small_enough(state, range(0, state.story.end, 50))


def test_a_tree_deeper_than_python_can_follow_is_cut_off():
    n = 900
    table = dt.Table.from_columns({"x": range(n), "y": ["pq"[i % 2] for i in range(n)]}, "y")
    state = walked("id3", table)
    assert state.story.result == dt.id3(table, max_depth=200)
    assert "cut off where it is 200 questions deep" in still_text(view(state))
    last = fold(state, Press("last"))
    small_enough(state, [state.story.end // 2, state.story.end])
    picture = part(last, TreeView, "tree")
    assert "questions above" in picture.heading
    # A node of the piece is named from there.
    chosen = update(last, Select("tree", picture.selected))
    here = last.story.here(last.cursor)
    assert chosen.looked == here
    assert node_at(picture.tree.root, picture.selected) == node_at(
        last.story.tree(last.cursor).root, here
    )


def test_a_question_of_very_many_branches_is_not_drawn():
    columns = {"id": [f"v{i}" for i in range(400)], "y": ["pq"[i % 2] for i in range(400)]}
    table = dt.Table.from_columns(columns, "y", kinds={"id": "discrete"})
    state = to(walked("id3", table), 2)
    picture = part(state, TreeView, "tree")
    assert picture.tree.n_nodes == 1
    assert picture.tags == {(): "its 400 branches are not drawn"}
    small_enough(state, [2, 3, state.story.end])


def test_hostile_names_and_many_classes_stay_small_and_escaped():
    names = [
        "<img src=x onerror=alert(1)>",
        "\"q\" & 'r'",
        "\u202eright to left",
        "🌳",
        "x" * 300,
        "",
    ]
    rng = np.random.default_rng(1)
    made = {name: rng.choice(["", "<b>", "y" * 300], 60).tolist() for name in names}
    made["n" * 300] = rng.normal(size=60).tolist()
    made["</script>"] = [f"<i>{k}</i>" for k in rng.integers(0, 20, 60)]
    table = dt.Table.from_columns(made, target="</script>")
    for algorithm in offered(walked("id3", table)):
        state = walked(algorithm, table)
        small_enough(state, some(range(0, state.story.end, 5), every=5))
        page = still_html(view(fold(state, Press("last"))))
        assert "<img src" not in page
        assert "<b>" not in page
        assert "<i>" not in page


@pytest.mark.parametrize("algorithm", [a for a in algorithms() if a != "threshold"])
def test_a_table_without_attributes_or_with_one_class_can_be_walked(algorithm):
    for table in (
        dt.Table.from_columns({"y": list("ppq")}, target="y"),
        dt.Table.from_columns({"a": [1, 2, 3], "y": list("ppp")}, target="y"),
    ):
        try:
            state = walked(algorithm, table)
        except ValueError:
            # The one has no m to draw, the other no two classes to tell apart.
            assert algorithm in ("random_forest", "gradient_boosting")
            continue
        for _ in state.story.events:
            state = update(state, FORWARD)
            assert told(state)


def test_growth_knows_its_nodes():
    """The events of a grower that limits the whole tree come in another order."""
    how = recipe("id3")
    told_ = list(enumerate(grow_by_recipe(TAX, how), 1))
    grown = TreeGrowth(TAX, dt.id3(TAX), how, told_)
    assert set(grown.looked_at) == {path for path, _ in walk(grown.tree.root)}
    assert grown.where((0, 1)) == "the node where Marital Status is Single and Refund is No"


def test_the_widget():
    walk_ = dt.StepThrough(TAX, "cart", level="node", max_depth=2)
    walk_.act({"do": "next"})
    walk_.act({"do": "next"})
    assert walk_.cursor == 4
    same(walk_.events, dt.steps(dt.cart, TAX, max_depth=2))
    assert walk_.result == dt.cart(TAX, max_depth=2)
    assert walk_.tree.n_nodes == 5
    again = dt.StepThrough(TAX, state=walk_.state)
    assert (again.cursor, again.state) == (4, walk_.state)
    walk_.act({"do": "play"})
    assert walk_.cursor == len(walk_.events)
    same(dt.StepThrough().events, dt.steps(dt.id3, TAX))
    with pytest.raises(ValueError, match="continuous"):
        dt.StepThrough(dt.Table.from_columns({"a": [1, 2], "y": [1.5, 2.5]}, target="y"))


def test_a_walk_is_observed_linked_and_set():
    walk_ = dt.StepThrough(TAX, "random_forest", n_trees=2)
    slider, heard = ipywidgets.IntSlider(3, min=1, max=25), []
    traitlets.link((slider, "value"), (walk_, "n_trees"))
    assert walk_.result.trees == dt.random_forest(TAX, n_trees=3, seed=0).trees
    walk_.observe(lambda change: heard.append((change.old, change.new)), "cursor")
    walk_.level = "round"
    walk_.step = 2  # two trees of three
    ends = [i for i, e in enumerate(walk_.events, 1) if isinstance(e, Added)]
    assert heard == [(0, ends[1])]
    walk_.cursor = 1  # within the first tree
    assert (walk_.step, heard[-1]) == (1, (ends[1], 1))
    walk_.seed = 4
    assert walk_.cursor == 0
    same(walk_.events, dt.steps(dt.random_forest, TAX, n_trees=3, seed=4))
    walk_.keywords = {"m": 2, "n_trees": 1}
    assert (walk_.m, slider.value) == (2, 1)
    walk_.algorithm = "threshold"
    walk_.attribute = "Taxable Income"
    income = TAX.index("Taxable Income")
    alone = dt.Table((TAX.attributes[income],), TAX.target, (TAX.columns[income],), TAX.labels)
    same(walk_.events, dt.steps(dt.sorted_search, alone))
    again = dt.StepThrough(TAX)
    again.state = walk_.state
    assert again.value == walk_.value


def test_a_walk_set_anew_keeps_the_table_that_was_given():
    """Rows with gaps are left out of it; its text has the check sum of the whole."""
    penguins = dt.datasets.penguins()
    walk_ = dt.StepThrough(penguins, "cart", max_depth=1)
    walk_.seed = 3
    walk_.max_depth = 2
    again = dt.StepThrough(penguins, state=walk_.state)
    assert again.value == walk_.value
    assert again.view["parts"][0] == walk_.view["parts"][0]  # which rows are left out


@each(
    ("name", "wrong", "why"),
    [
        ("attribute", "Refund", "'Refund' is discrete"),
        ("attribute", "Income", "Income"),
        ("cursor", 21, "There is no step 21; there are 20."),
        ("seed", -1, "seed=-1"),
        ("keywords", {"max_dept": 3}, "Did you mean 'max_depth'"),
        ("pair", ["Refund", "Refund"], "no plane of 'Refund' and 'Refund'"),
        ("pair", ["Refund"], "'plane' does not fit"),
        ("validation_sum", "1234", "is chosen when the lab is made"),
        ("m", 2, "ID3 takes no m"),
    ],
)
def test_what_a_walk_is_not_set_to(name, wrong, why):
    walk_ = dt.StepThrough(TAX)
    before = walk_.state
    with pytest.raises(traitlets.TraitError, match=why):
        setattr(walk_, name, wrong)
    assert walk_.state == before
