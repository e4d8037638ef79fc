"""The decision lab's model and view, against rows that are counted one by one."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache, reduce

import pytest
import traitlets
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.labs.decisions.model import by_group, load, start, update
from dtree_lab.labs.decisions.view import view
from dtree_lab.labs.decisions.widget import MODEL
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Press, Select, Set
from dtree_lab.labs.kit.model import still_text
from dtree_lab.stage.opening import OpenLab
from dtree_lab.stage.reading import parse
from labs.hostile import hostile

NEXT, ANSWER = Press("next"), Press("answer")
LESSON = {"thresholds": [0.5, 0.25, 0.1], "group": "Marital Status"}
TABLES = {
    "returns": lambda: dt.datasets.tax_returns(300, seed=4),
    "penguins": dt.datasets.penguins,
    "hostile": hostile,
}
SHARES, PRICES = st.floats(0, 1), st.integers(1, 50)


@cache
def begun(name):
    return start(TABLES[name]())


@cache
def own():
    return start(**LESSON)


def do(state, *actions):
    return reduce(update, actions, state)


def part(state, id_):
    return next(one for one in view(state).parts if getattr(one, "id", None) == id_)


def share_by_hand(state, stop):
    """Of the training rows that come to a node, the share of the class."""
    data, there = state.data, []
    for at, label in zip(data.full.apply(data.training), data.training.labels, strict=True):
        node = at
        while node > stop:  # children stand after their parents
            node = data.full.flat.parent[node]
        if node == stop:
            there.append(label == state.code)
    return Fraction(sum(there), len(there))


@cache
def counted(name):
    """Each withheld row: the share where it stops, and whether it is of the class."""
    state = begun(name)
    rows = state.data.validation
    names = [str(rows.classes[label]) for label in rows.labels]
    stops = state.data.full.apply(rows).tolist()
    shares = {stop: share_by_hand(state, stop) for stop in set(stops)}
    return [(shares[stop], name == state.positive) for stop, name in zip(stops, names, strict=True)]


@each("name", list(TABLES))
@settings(max_examples=20)
@given(SHARES, PRICES, PRICES)
def test_mistakes_and_their_cost_are_those_of_the_rows_one_by_one(name, threshold, alarm, miss):
    state = do(begun(name), Set("alarm", alarm), Set("miss", miss))
    missed = alarms = 0
    for share, is_hit in counted(name):
        above = float(share) > threshold
        missed += is_hit and not above
        alarms += above and not is_hit
    assert state.mistakes(threshold) == (missed, alarms)
    assert state.cost(threshold) == miss * missed + alarm * alarms


@each("name", list(TABLES))
def test_only_at_its_steps_does_a_decision_change(name):
    state = begun(name)
    steps = state.steps
    assert steps == sorted({0.0, *(float(share) for share, _ in counted(name))})
    for low, high in zip(steps, [*steps[1:], 1.0], strict=True):
        assert state.mistakes(low) == state.mistakes((low + high) / 2 if high > low else low)


@given(PRICES, PRICES, SHARES)
def test_on_the_rows_of_its_shares_nothing_costs_less_than_the_threshold_of_the_prices(a, m, t):
    """There each leaf gives the answer that is cheaper for its own rows."""
    table = dt.datasets.tax_returns(400, seed=7)
    state = start(table, table, alarm=a, miss=m)
    leaves = state.data.full.leaves()
    by_leaf = 0
    for leaf in leaves:
        honest, fraud = state.data.full.flat.counts[leaf.node].tolist()
        by_leaf += min(m * fraud, a * honest)
    assert state.cost(state.fair) == by_leaf <= state.cost(t)


def test_what_the_lesson_says_of_its_office_is_what_the_lab_shows():
    """Counted as the lesson's page once did, by the library's shares."""
    old, fresh = (dt.datasets.tax_returns(3000, seed=seed) for seed in (1, 2))
    office = dt.cart(old, min_leaf=100, max_leaves=8)
    assert own().data.full == office
    lab = dt.DecisionLab(old, fresh, tree=office, **LESSON)
    fraud = fresh.labels == 1
    for at, threshold in enumerate(LESSON["thresholds"]):
        audited = office.shares(fresh)[:, 1] > threshold
        lab.at = at
        assert lab.threshold == threshold
        assert lab.cost == 9 * (fraud & ~audited).sum() + (audited & ~fraud).sum()


# -- asked before it is told -----------------------------------------------------------------------


def test_no_cost_is_told_before_the_answer_and_all_are_after_it():
    state = do(own(), NEXT, NEXT)
    assert [row[-1] for row in part(state, "thresholds").rows] == ["?", "?", "?"]
    assert "prices" not in still_text(view(state)).replace("The prices", "")
    assert view(state).result.endswith("so that it costs least?")
    after = do(state, ANSWER)
    costs = [after.cost(t) for t in after.thresholds]
    assert [row[-1] for row in part(after, "thresholds").rows] == [f"{c:,}" for c in costs]
    said = view(after).result
    assert f"Your 0.1 costs {costs[2]:,}. The prices say 1 / (1 + 9) = 0.1, which" in said
    assert part(after, "curve").figure.plot.y.label == "cost"


@each("control, value", [("alarm", 3), ("miss", 4), ("positive", "No")])
def test_another_price_or_class_is_another_question(control, value):
    answered = do(own(), ANSWER)
    anew = do(answered, Set(control, value))
    assert anew.answer is None
    assert [row[-1] for row in part(anew, "thresholds").rows] == ["?", "?", "?"]
    with pytest.raises(NotPossibleError):
        do(answered, ANSWER)


@each("name", list(TABLES))
def test_the_least_that_is_told_is_the_least_of_all_thresholds(name):
    state = do(begun(name), Set("threshold", 1), ANSWER)
    tried = [state.cost(k / 997) for k in range(998)]
    said = view(state).result
    if state.cost(state.fair) == min(tried):
        assert said.endswith("No threshold costs less on these rows.")
    else:
        assert f"The least on these rows is {min(tried):,}, from" in said


def test_the_key_goes_through_the_thresholds_then_tells_costs_and_whom_they_hit():
    state = own()
    for hand in (0.25, 0.1):
        state = do(state, NEXT)
        assert (state.hand, state.answer) == (hand, None)
    state = do(state, NEXT)
    assert (state.answer, state.hit) == (0.1, None)
    state = do(state, NEXT)
    assert state.hit == -1
    with pytest.raises(NotPossibleError, match="All thresholds were seen"):
        do(state, NEXT)


# -- what is seen ----------------------------------------------------------------------------------


@each("name", list(TABLES))
@each("threshold", [0.0, 0.1, 0.5, 1.0])
def test_each_leaf_has_its_share_and_stands_back_unless_it_is_above(name, threshold):
    state = do(begun(name), Set("threshold", threshold))
    tree, (yes, _) = state.data.full, state.words
    shown = part(state, "tree")
    leaves = {leaf.where: leaf for leaf in tree.leaves()}
    assert len(shown.tags) == len(leaves) == tree.n_leaves
    for path, tag in shown.tags.items():
        counts = node(tree, path).counts
        share = counts[state.code] / sum(counts)
        assert float(tag.split(":")[0]) == pytest.approx(share, rel=0.01)
        assert (path in shown.faded) == (share <= threshold)
        assert tag.endswith(f": {yes}") == (share > threshold)


def node(tree, path):
    return reduce(lambda at, branch: at.children[branch], path, tree.root)


def test_a_row_of_the_table_is_taken_in_hand_and_dragged():
    state = do(own(), Pick("thresholds", 1), Set("threshold", 0.4))
    assert state.thresholds == (0.5, 0.4, 0.1)
    assert part(state, "thresholds").current == 1
    missed, alarms = state.mistakes(0.4)
    assert state.status == f"Above 0.4: {missed} missed, {alarms} false alarms."
    with pytest.raises(NotPossibleError):
        do(state, Pick("thresholds", 3))


@each("threshold", [0.05, 0.1, 0.2])
def test_false_alarms_are_counted_in_each_group_and_asked_first(threshold):
    state = do(own(), Set("threshold", threshold))
    rows, shares = state.data.validation, state.data.full.shares(state.data.validation)[:, 1]
    counts = {}
    for i in range(rows.n_rows):
        row = rows.row(i)
        if rows.classes[rows.labels[i]] == "No":
            hit, n = counts.get(row["Marital Status"], (0, 0))
            counts[row["Marital Status"]] = hit + (shares[i] > threshold), n + 1
    assert {name: (hit, n) for name, hit, n in by_group(state)} == counts
    assert {bar.value for bar in part(state, "groups").bars} == {"?"}
    after = do(state, Pick("groups", 1))
    bars = part(after, "groups").bars
    assert [bar.rest for bar in bars] == [f"{a:,} of {n:,}" for _, a, n in by_group(after)]
    most = max(counts, key=lambda name: counts[name][0] / counts[name][1])
    (line,) = part(after, "whom").lines
    share = counts[most][0] / counts[most][1]
    assert line == (
        f"Above {threshold}, {share:.0%} of {most} who are No, the largest share, are taken for"
        " Yes. You said Married."
    )


# -- what it is made of, and its text --------------------------------------------------------------


def test_everything_comes_back_from_its_text():
    state = do(
        own(),
        *(NEXT, Set("threshold", 0.3), Set("miss", 20), ANSWER),
        *(Pick("groups", 2), Select("tree", (0, 1))),
    )
    text = MODEL.dump(state)
    again = load(text)
    assert MODEL.dump(again) == text
    assert view(again).json() == {**view(state).json(), "status": view(again).status}
    with pytest.raises(ValueError, match="other validation rows"):
        load(text, dt.datasets.tax_returns(seed=1), dt.datasets.tax_returns(seed=3))


def test_a_tree_of_ones_own_decides_and_comes_back():
    table = dt.datasets.tax_returns(600, seed=3)
    tree = dt.id3(table, max_depth=2)
    lab = dt.DecisionLab(table, table, tree=tree)
    assert lab.full.shares(table).tolist() == tree.shares(table).tolist()
    again = dt.DecisionLab(table, table, state=lab.state)
    assert (again.full, again.state) == (lab.full, lab.state)


def test_of_many_classes_one_is_looked_for_and_the_others_are_as_one():
    state = begun("penguins")
    assert state.words == ("Chinstrap", "not Chinstrap")
    gentoo = do(state, Set("positive", "Gentoo"))
    assert gentoo.words == ("Gentoo", "not Gentoo")
    assert int(gentoo.hits.sum()) == gentoo.data.validation.counts()[2]


@each(
    "wrong, says",
    [
        ({"thresholds": []}, "thresholds must be one to three shares"),
        ({"thresholds": [0.1, 0.2, 0.3, 0.4]}, "thresholds must be one to three shares"),
        ({"thresholds": [1.5]}, "from 0 to 1"),
        ({"thresholds": "0.5"}, "thresholds must be"),
        ({"alarm": 0}, "price of a false alarm must lie between 1 and 50; got 0"),
        ({"miss": 2.5}, "price of a miss must be a whole number"),
        ({"positive": "Maybe"}, "positive='Maybe' must be one of No, Yes"),
        ({"group": "Taxable Income"}, "group='Taxable Income' must be one of"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_name(wrong, says):
    with pytest.raises(ValueError, match=says):
        dt.DecisionLab(**wrong)


def test_a_tree_of_numbers_is_refused():
    table = dt.Table.from_columns({"x": [1.5, 2.5, 3.5], "y": [0.5, 1.5, 9.5]}, target="y")
    with pytest.raises(ValueError, match="this lab takes trees that predict classes"):
        dt.DecisionLab(tree=dt.cart(table))


def test_its_settings_are_observed_and_set_as_by_hand():
    lab, heard = dt.DecisionLab(**LESSON), []
    lab.observe(lambda change: heard.append(change.new), "threshold")
    lab.act({"do": "answer"})
    lab.threshold = 0.2
    lab.alarm = 2
    assert (heard, json.loads(lab.state)["answer"]) == ([0.2], None)
    lab.at = 2
    lab.thresholds = [0.7]
    assert (lab.at, lab.threshold) == (0, 0.7)
    with pytest.raises(traitlets.TraitError, match="threshold must be a number from 0 to 1"):
        lab.threshold = 2


# -- before a class --------------------------------------------------------------------------------

SCENE = """---
title: Prices
---
---
lab: decisions
settings: {thresholds: [0.5, 0.25, 0.1], group: Marital Status}
reveal: [[curve, thresholds]]
steps: all
---
# One tree at three thresholds
"""


def test_a_lecture_shows_the_thresholds_one_by_one_then_the_costs():
    scene = next(one for one in parse(SCENE).scenes if one.lab is not None)
    lab, hands = OpenLab(scene), []
    for step in range(9):
        if not lab.go_on(step):
            break
        state = json.loads(lab.shown().state)
        hands.append((state["thresholds"][state["at"]], state["answer"], state["hit"]))
    told = [(0.5, None), (0.25, None), (0.1, None), (0.1, 0.1), (0.1, 0.1)]
    assert hands == [(*one, hit) for one, hit in zip(told, [None] * 4 + [-1], strict=True)]
