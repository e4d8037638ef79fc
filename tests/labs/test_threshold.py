"""The threshold lab's model: gains against brute force, crossings against their equation."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import reduce
from itertools import pairwise
from math import e, isclose, log2, pi, sqrt
from statistics import fmean, pstdev

import numpy as np
import pytest
from cases import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Press, Set, typed
from dtree_lab.labs.kit.controls import short_text
from dtree_lab.labs.threshold import model, pictures
from dtree_lab.labs.threshold.model import rated_cuts, start, update
from dtree_lab.labs.threshold.view import view

TAX = dt.datasets.tax_fraud()
CLOUDS = dt.populations.two_gaussians().sample(400, seed=3)


def fold(actions, state=None):
    return reduce(update, actions, state or start(TAX))


def part(state, id_):
    return next(one for one in view(state).parts if one.id == id_)


def size(state):
    return len(json.dumps(view(state).json(), ensure_ascii=False).encode())


def entropy(labels):
    """H of a list of labels, from the definition."""
    shares = [labels.count(k) / len(labels) for k in set(labels)]
    return -sum(p * log2(p) for p in shares)


def gain(xs, ys, cuts):
    """H(Y) - H(Y|X) of a question with some cuts, from the definition."""
    parts = {}
    for x, y in zip(xs, ys, strict=True):
        parts.setdefault(sum(x >= cut for cut in cuts), []).append(y)
    return entropy(ys) - sum(len(p) / len(ys) * entropy(p) for p in parts.values())


@st.composite
def with_numbers(draw, **keywords):
    table = draw(tables(**keywords))
    assume(any(a.values is None for a in table.attributes))
    return table


# -- the gain of every cut -------------------------------------------------------------------------


@given(with_numbers(max_rows=20))
@settings(max_examples=60, deadline=None)
def test_every_midpoint_gains_what_brute_force_says(table):
    curve = start(table).curve
    xs, ys = table.column(curve.attribute.name), table.column(table.target.name)
    values = sorted(set(xs))
    middles = [(a + b) / 2 for a, b in pairwise(values)]
    assert curve.midpoints.tolist() == pytest.approx(middles)
    for cut, found in zip(curve.midpoints.tolist(), curve.gains.tolist(), strict=True):
        assert isclose(found, gain(xs, ys, [cut]), abs_tol=1e-6)
        assert found == dt.information_gain(table, curve.attribute.name, cut)
        assert curve.at(cut).gain == found
        assert curve.at(cut).remaining == dt.conditional_entropy(table, curve.attribute.name, cut)


@given(with_numbers(max_rows=20))
@settings(max_examples=60, deadline=None)
def test_the_best_cut_is_the_librarys(table):
    state = start(table)
    candidate = dt.compare(table)[state.curve.attribute.name].candidate
    if candidate is None:
        assert state.curve.best is None
        with pytest.raises(NotPossibleError, match="no cut"):
            update(state, Press("best"))
    else:
        assert update(state, Press("best")).cut == candidate.split.cuts[0] == state.curve.best


def test_the_lectures_table_by_hand():
    """Below 97.5 stand 3 Yes and 3 No, above it 4 No: 0.6 bits are left of 0.881."""
    state = fold([Press("best")])
    assert state.cut == 97.5
    parted = state.curve.at(97.5)
    assert (parted.below, parted.above) == ((3, 3), (4, 0))
    assert parted.remaining == pytest.approx(0.6)
    assert parted.wrong == 3
    words = part(state, "worked").lines
    assert words[0] == "H(Cheat | X) = 6/10·1.000 + 4/10·0.000 = 0.600 bits"
    assert words[1] == "gain = H(Cheat) - H(Cheat | X) = 0.881 - 0.600 = 0.281 bits"
    assert part(state, "sides").rows == [
        ["● No", "3", "4", "7"],
        ["▲ Yes", "3", "0", "3"],
        ["all classes", "6", "4", "10"],
        ["share", "6/10", "4/10", "10/10"],
        ["entropy", "1.000", "0.000", "0.881"],
    ]
    assert part(state, "rule").lines[-1] == "No other cut gains more."


def test_any_cut_between_two_values_asks_the_same():
    curve = start(TAX).curve
    assert curve.at(95.1) == curve.at(97.5) == curve.at(100)
    assert curve.at(95) != curve.at(95.1)
    assert curve.neighbours(97.5) == (95, 100)


def test_beyond_all_rows_nothing_is_gained():
    for cut in (55, 60, 225):
        state = fold([Set("cut", cut)])
        assert state.curve.at(cut).gain == 0
        assert "All rows lie on one side" in part(state, "rule").lines[1]
    above = [row[2] for row in part(fold([Set("cut", 225)]), "sides").rows]
    assert above == ["0", "0", "0", "0/10", "none"]


def test_the_drawn_curve_is_thin_and_keeps_the_best_cut():
    curve = start(dt.populations.two_gaussians().sample(5000, seed=1)).curve
    assert len(curve.gains) > 4000
    assert len(curve.steps) <= 241
    heights = dict(zip(curve.values[:-1].tolist(), curve.gains.tolist(), strict=True))
    *inner, last = curve.steps
    assert last == (curve.values[-1], 0)
    assert all(heights[x] == y for x, y in inner)
    assert max(y for _, y in inner) == curve.gains.max()
    assert [x for x, _ in inner] == sorted({x for x, _ in inner})


def test_a_small_curve_is_drawn_whole():
    curve = start(TAX).curve
    assert [y for _, y in curve.steps] == [*curve.gains.tolist(), 0]


# -- the bell curves -------------------------------------------------------------------------------


def log_joint(xs, x, prior, sd):
    """The logarithm of P(x | class) P(class), in bits."""
    return log2(prior / (sd * sqrt(2 * pi))) - ((x - fmean(xs)) / sd) ** 2 / 2 * log2(e)


@each("table", [TAX, CLOUDS], ids=["tax", "clouds"])
@each("equal", [True, False])
@each("priors", ["rows", "equal"])
@each("log_tau", [-1, 0, 1.5])
def test_at_each_crossing_the_ratio_is_tau(table, equal, priors, log_tau):
    state = start(table)
    actions = [Set("equal", equal), Set("priors", priors), Set("tau", log_tau)]
    state = fold(actions, state)
    name = state.curve.attribute.name
    labels = np.array(table.column(table.target.name))
    groups = [np.array(table.column(name))[labels == c].tolist() for c in table.classes]
    shares = [len(g) / table.n_rows if priors == "rows" else 0.5 for g in groups]
    spreads = [pstdev(g) for g in groups]
    if equal:
        squares = sum(len(g) * sd**2 for g, sd in zip(groups, spreads, strict=True))
        spreads = [sqrt(squares / table.n_rows)] * 2
    assert len(state.fit.crossings) <= (1 if equal else 2)
    for x in state.fit.crossings:
        other, positive = (
            log_joint(g, x, p, sd) for g, p, sd in zip(groups, shares, spreads, strict=True)
        )
        assert positive - other == pytest.approx(log_tau, abs=1e-6)


def test_the_lectures_table_has_two_crossings_around_yes():
    """The three Yes lie close together: unequal variances find the interval that one cut cannot."""
    state = start(TAX)
    assert [winner for _, _, winner in state.fit.regions] == ["No", "Yes", "No"]
    both = rated_cuts(state)[-1]
    xs, ys = TAX.column("Taxable Income"), TAX.column("Cheat")
    assert both.name == "both crossings"
    assert both.gain == pytest.approx(gain(xs, ys, state.fit.crossings), abs=1e-6)
    assert both.wrong == 0
    assert len(fold([Set("equal", value=True)]).fit.crossings) == 1


def test_of_several_classes_the_highest_curve_wins():
    rng = np.random.default_rng(5)
    k = rng.integers(0, 4, 300)
    columns = {"x": rng.normal(size=300) * (k + 1) + 4 * k, "y": [f"c{i}" for i in k]}
    state = start(dt.Table.from_columns(columns, "y"))
    assert len(state.fit.crossings) >= 3
    for low, high, winner in state.fit.regions:
        x = np.clip((max(low, -50) + min(high, 90)) / 2, -50, 90)
        heights = {bell.value: bell.prior * float(bell.density(x)) for bell in state.fit.bells}
        assert max(heights, key=heights.get) == winner
    with pytest.raises(NotPossibleError, match="two classes"):
        update(state, Set("tau", 1.0))
    assert all(control.id != "tau" for control in part(state, "modelling").controls)


def test_without_a_spread_the_lab_says_so():
    state = start(dt.Table.from_columns({"x": [1, 1, 3], "y": ["a", "a", "b"]}, "y"))
    assert state.fit.crossings == (2,)
    assert "no curve to draw" in part(state, "fit").more
    assert part(state, "winners").figure.height < 150  # there is no ratio, only who wins


def test_the_cuts_are_compared_and_can_be_chosen():
    state = start(TAX)
    rows = rated_cuts(state)
    xs, ys = TAX.column("Taxable Income"), TAX.column("Cheat")
    for one in rows:
        assert one.gain == pytest.approx(gain(xs, ys, one.cuts), abs=1e-6)
    at = [one.name for one in rows].index("crossing 1")
    assert update(state, Pick("cuts", at)).cut == state.fit.crossings[0]
    with pytest.raises(NotPossibleError, match="several cuts"):
        update(state, Pick("cuts", len(rows) - 1))


# -- what a person does ----------------------------------------------------------------------------


def test_next_goes_through_every_midpoint():
    state = fold([Set("cut", 55)])
    seen = []
    for _ in state.curve.midpoints:
        state = update(state, Press("next"))
        seen.append(state.cut)
    assert seen == state.curve.midpoints.tolist()
    with pytest.raises(NotPossibleError, match="no midpoint above"):
        update(state, Press("next"))
    back = reduce(update, [Press("lower")] * (len(seen) - 1), state)
    assert back.cut == seen[0]
    with pytest.raises(NotPossibleError, match="no midpoint below"):
        update(back, Press("lower"))


@pytest.mark.parametrize(
    ("said", "number"),
    [("97.5", 97.5), ("97,5", 97.5), (" 1 0 0 ", 100.0), ("\N{MINUS SIGN}.5e1", -5.0), (3, 3.0)],
)
def test_numbers_are_read_as_people_type_them(said, number):
    assert typed(said, "A cut") == number


@each("said", ["", "abc", "1,2,3", "1e999", "nan", "--1", True, None, float("inf")])
def test_what_is_no_number_is_refused(said):
    with pytest.raises(NotPossibleError):
        typed(said, "A cut")


@each(
    "action",
    [
        Set("cut", 1e6),
        Set("cut", "about 80"),
        Set("attribute", "0"),
        Set("attribute", "9"),
        Set("attribute", "x"),
        Set("tau", 99),
        Set("priors", "some"),
        Set("equal", "yes"),
        Set("nothing", 1),
        Press("nothing"),
        Pick("cuts", 99),
        Pick("cuts", -1),
        Pick("sides", 0),
    ],
)
def test_what_cannot_be_done_is_refused(action):
    with pytest.raises(NotPossibleError):
        fold([action])


numbers = st.floats(-10, 10)
ACTIONS = st.one_of(
    st.builds(Set, st.just("cut"), numbers),
    st.builds(Set, st.just("tau"), st.floats(-6, 6)),
    st.builds(Set, st.just("equal"), st.booleans()),
    st.builds(Set, st.just("priors"), st.sampled_from(["rows", "equal"])),
    st.builds(Set, st.just("attribute"), st.sampled_from("0123")),
    st.builds(Press, st.sampled_from(["best", "next", "lower", "reset"])),
    st.builds(Pick, st.just("cuts"), st.integers(0, 5)),
)


@given(with_numbers(), st.lists(ACTIONS, max_size=8))
@settings(max_examples=80, deadline=None)
def test_whatever_is_done_the_text_recreates_it(table, actions):
    state = start(table)
    for action in actions:
        with suppress(NotPossibleError):
            state = update(state, action)
    again = model.load(model.dump(state), table)
    shown, shown_again = view(state).json(), view(again).json()
    assert {**shown, "status": ""} == shown_again
    assert model.dump(again) == model.dump(state)
    axis = pictures.span(state.curve)
    assert axis.low <= state.cut <= axis.high
    assert axis.low <= state.curve.values[0]
    assert axis.high >= state.curve.values[-1]


# -- what is shown ---------------------------------------------------------------------------------


def test_in_a_demo_rows_then_gains_then_bells_then_winners():
    stages = {one.id: one.stage for one in view(start(TAX)).parts}
    order = ["points", "gains", "bells", "winners"]
    assert [stages[id_] for id_ in order] == [0, 1, 2, 3]
    assert stages["worked"] == stages["gains"]
    assert stages["cuts"] == stages["winners"]


def test_all_figures_stand_over_one_axis():
    frames = [part(start(TAX), id_).figure.frame for id_ in ("points", "gains", "bells", "winners")]
    assert len({(f.left, f.right, f.x) for f in frames}) == 1


def test_many_rows_are_counted_in_bars():
    state = start(CLOUDS)
    assert "more than 200" in part(state, "points").text[3]
    few = start(CLOUDS.take(range(200)))
    assert "bars" not in " ".join(part(few, "points").text)


def test_many_classes_are_told_but_not_all_drawn():
    rng = np.random.default_rng(0)
    y = [f"class {min(i, 29)}" for i in rng.geometric(0.1, 2000)]
    state = start(dt.Table.from_columns({"x": rng.normal(size=2000), "y": y}, "y"))
    more = part(state, "sides").more
    assert more.startswith("Drawn are the 8 classes with the most rows;")
    assert len(part(state, "fit").rows) == 8


def test_the_message_stays_small_whatever_the_table():
    rng = np.random.default_rng(0)
    n = 3000
    names = [f"{i}{'🌳' * 300}" for i in range(60)]
    wide = {name: rng.normal(size=n) for name in names}
    many = dt.Table.from_columns({**wide, "y": [names[i] for i in rng.integers(0, 30, n)]}, "y")
    ids = dt.Table.from_columns({"x": rng.normal(size=900), "y": [f"{i}" for i in range(900)]}, "y")
    for table in (many, ids, dt.populations.two_gaussians().sample(20_000)):
        state = start(table)
        assert size(state) < 60_000
        assert size(update(state, Set("priors", "equal"))) < 60_000


# -- tables that do not fit ------------------------------------------------------------------------


def test_a_table_without_numbers_is_refused_saying_what_would_be_right():
    with pytest.raises(ValueError, match=r"needs a continuous attribute.*kinds=.*continuous"):
        start(dt.datasets.two_attributes())


def test_an_attribute_that_does_not_fit_is_refused_by_name():
    with pytest.raises(ValueError, match=r"'Refund' is discrete.*'Taxable Income'"):
        start(TAX, "Refund")
    with pytest.raises(ValueError, match=r"no attribute 'Income'.*Did you mean"):
        start(TAX, "Income")


def test_numbers_too_large_for_their_squares_are_refused():
    with pytest.raises(ValueError, match="divide them"):
        start(dt.Table.from_columns({"x": [0, 1e200], "y": ["a", "b"]}, "y"))


def test_numbers_of_any_size_are_drawn():
    for xs in ([1e16, 1e16 + 2], [1e-300, 3e-300], [-1e149, 1e149], [5.0, 5.0]):
        state = start(dt.Table.from_columns({"x": xs, "y": ["a", "b"]}, "y"))
        shown = json.dumps(view(state).json())
        assert "NaN" not in shown
        assert "Infinity" not in shown


def test_the_widget_keeps_its_state_and_gives_what_the_next_cell_needs():
    lab = dt.ThresholdLab()
    lab.act({"do": "best"})
    assert (lab.table.names, lab.attribute, lab.cut) == (TAX.names, "Taxable Income", 97.5)
    assert lab.gain == dt.information_gain(TAX, "Taxable Income", 97.5)
    assert lab.fit.crossings == dt.gaussian_thresholds(TAX, "Taxable Income").crossings
    assert dt.ThresholdLab(state=lab.state).cut == 97.5
    lab.act({"do": "set", "control": "cut", "value": "here"})
    assert "must be a number" in lab.view["problem"]
    with pytest.raises(ValueError, match="another table"):
        dt.ThresholdLab(CLOUDS, state=lab.state)


def test_names_in_another_direction_do_not_turn_the_sentence_around_them():
    assert short_text("\u202eabc") == "\u2068\u202eabc\u2069"
    assert short_text("\u05e9\u05dc\u05d5\u05dd", 3) == "\u2068\u05e9\u05dc…\u2069"
    assert short_text("Refund") == "Refund"
