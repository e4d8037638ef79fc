"""The entropy lab's model and view, without Jupyter."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import log2

import numpy as np
import pytest
from cases import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.labs.entropy import model
from dtree_lab.labs.entropy import view as curve
from dtree_lab.labs.entropy.model import MOST_OFFERED, MOST_SHOWN, probability, start, update
from dtree_lab.labs.entropy.view import view
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Point, Press, Set

TAX = dt.datasets.tax_fraud()
ON, OFF = True, False


def fold(state, *actions):
    return reduce(update, actions, state)


def part(state, id_):
    return next(one for one in view(state).parts if one.id == id_)


def names(state):
    return [bar.name for bar in part(state, "bars").bars]


def bar(state, name):
    return next(one for one in part(state, "bars").bars if one.name.startswith(name))


def oracle(labels):
    """H of some labels in bits, from exact shares."""
    shares = [Fraction(n, len(labels)) for n in Counter(labels).values()]
    return -sum(float(p) * log2(p) for p in shares)


def left(groups):
    """H(Y|X) of the labels in each group."""
    total = sum(len(labels) for labels in groups)
    return sum(len(labels) / total * oracle(labels) for labels in groups if labels)


# -- the curve -------------------------------------------------------------------------------------


@given(st.floats(0, 1))
def test_the_curve_is_minus_p_log_p_and_symmetric(p):
    expected = -sum(q * log2(q) for q in (p, 1 - p) if q > 0)
    assert curve.height(p) == pytest.approx(expected, abs=1e-9)
    assert curve.height(1 - p) == pytest.approx(curve.height(p), abs=1e-9)


def test_the_sum_is_worked_out_as_by_hand():
    """log2(10/3) = 1.737 and log2(10/7) = 0.515, so 0.3·1.737 = 0.521 and 0.7·0.515 = 0.360."""
    assert curve.entropy_worked(0.3) == [
        "H(0.3) = -0.3·log2(0.3) - 0.7·log2(0.7)",
        "= 0.3·1.737 + 0.7·0.515",
        "= 0.521 + 0.360 = 0.881 bits",
    ]
    assert curve.entropy_worked(0.25)[1:] == [
        "= 0.25·2.000 + 0.75·0.415",
        "= 0.500 + 0.311 = 0.811 bits",
    ]


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_at_the_ends_nothing_is_divided_by_zero(p):
    lines = part(update(start(TAX), Set("p", p)), "worked").lines
    assert lines[-2] == f"H({p:g}) = 0.000 bits"
    assert "certain" in lines[-1]


def test_a_sum_of_rounded_parts_is_called_near_when_it_is():
    near = [p / 1000 for p in range(1, 1000) if "≈" in curve.entropy_worked(p / 1000)[2]]
    for p in near:
        parts = round(-p * log2(p), 3) + round(-(1 - p) * log2(1 - p), 3)
        assert round(parts, 3) != round(curve.height(p), 3)
    assert 0 < len(near) < 500


def test_the_point_begins_at_the_share_of_the_rows():
    """3 of 10 cheat, so H(p) is H(Y)."""
    state = start(TAX)
    assert state.p == pytest.approx(0.3)
    assert "H(0.3) = 0.881" in json.dumps(part(state, "curve").json())
    moved = fold(state, Set("p", 0.9), Set("rows", "0=1"), Press("share"))
    assert moved.p == pytest.approx(3 / 7)


@pytest.mark.parametrize(
    ("written", "p"),
    [
        ("0.3", 0.3),
        (" 3/10 ", 0.3),
        ("30%", 0.3),
        ("30 %", 0.3),
        ("0,5", 0.5),
        ("1", 1),
        (".25", 0.25),
    ],
)
def test_a_probability_can_be_typed_as_people_write_it(written, p):
    assert probability(written) == pytest.approx(p)
    state = update(start(TAX), Set("typed", written))
    assert state.p == pytest.approx(p)
    assert part(state, "point").controls[0].wrong is None


@each("written", ["", "x", "1.5", "-0.1", "1/0", "3/2", "150%", "1e999", "nan", "0x1"])
def test_what_is_no_probability_stays_in_its_field_with_the_reason(written):
    before = start(TAX)
    after = update(before, Set("typed", written))
    field = part(after, "point").controls[0]
    assert (field.value, after.p) == (written, before.p)
    assert "0 and 1" in field.wrong or "0 to 1" in field.wrong
    assert part(update(after, Set("p", 0.5)), "point").controls[0].wrong is None


@pytest.mark.parametrize("p", [-0.01, 1.01])
def test_the_point_stays_on_the_curve(p):
    with pytest.raises(NotPossibleError, match="between 0 and 1"):
        update(start(TAX), Set("p", p))


def test_three_classes_have_no_place_on_a_curve_of_two():
    table = dt.Table.from_columns({"x": ["u", "v", "w"], "y": ["a", "b", "c"]}, "y")
    state = update(start(table), Pick("bars", 0))
    assert "log2(3) = 1.585 bits" in part(state, "classes").lines[0]
    assert [c.id for c in part(state, "point").controls] == ["typed", "hidden"]
    with pytest.raises(NotPossibleError, match="two classes"):
        update(state, Press("share"))


def test_an_attributes_branches_lie_on_the_curve_and_their_mean_is_below_by_the_gain():
    """Refund: Yes has 0 of 3 cheats, No 3 of 7, where H is 0.985."""
    state = start(TAX)
    chosen = update(state, Pick("bars", names(state).index("Refund")))
    lines = part(chosen, "curve").text
    assert "Yes: 3 rows, p = 0, H = 0.000 bits" in lines
    assert "No: 7 rows, p = 0.4286, H = 0.985 bits" in lines
    assert lines[-1].endswith(
        "The weighted mean of all, 0.690 bits, lies beneath the rows' 0.881; the gap, 0.192, is the"
        " gain."
    )
    assert part(chosen, "branches").lines == lines[-1:]
    assert update(chosen, Pick("bars", names(chosen).index("Refund"))).picked is None


# -- attributes side by side -----------------------------------------------------------------------


def test_every_sum_is_worked_out_line_by_line():
    """By hand: 7/10·0.985 = 0.690, and 0.881 - 0.690 = 0.191 is 0.192 before rounding."""
    shown = bar(start(TAX), "Refund")
    assert (shown.value, shown.rest) == ("gain 0.192", "H(Cheat | Refund) = 0.690")
    assert shown.table == (
        ["", "No", "Yes", "rows", "H in bits"],
        [
            ["Yes", "3", "0", "3", "0.000"],
            ["No", "4", "3", "7", "0.985"],
            ["all", "7", "3", "10", "0.881"],
        ],
    )
    of_no = "4/7·log2(7/4) + 3/7·log2(7/3) = 4/7·0.807 + 3/7·1.222 = 0.985 bits"
    assert shown.detail == [
        "H(Cheat | Refund is Yes) = 3/3·log2(3/3) = 3/3·0.000 = 0.000 bits",
        f"H(Cheat | Refund is No) = {of_no}",
        "H(Cheat | Refund) = 3/10·0.000 + 7/10·0.985 = 0.690 bits",
        "gain = H(Cheat) - H(Cheat | Refund) = 0.881 - 0.690 ≈ 0.192 bits",
    ]


def test_a_continuous_attribute_stands_with_its_best_cut():
    shown = bar(start(TAX), "Taxable Income")
    assert shown.name == "Taxable Income < 97.5"
    assert [row[0] for row in shown.table[1]] == ["< 97.5", "≥ 97.5", "all"]


def parted(table, position):
    """Each way of parting the rows by an attribute: the labels of each branch."""
    attribute, column = table.attributes[position], table.columns[position].tolist()
    rows = list(zip(column, table.column("y"), strict=True))
    values = sorted(set(column))
    if attribute.values is not None:
        return [[[y for x, y in rows if x == v] for v in values]]
    cuts = [(a + b) / 2 for a, b in pairwise(values)] or [values[0]]
    return [[[y for x, y in rows if (x < cut) == low] for low in (ON, OFF)] for cut in cuts]


@settings(max_examples=60)
@given(tables(max_rows=20))
def test_bars_agree_with_counting_by_hand(table):
    assume(table.attributes)
    state, before = start(table), oracle(table.column("y"))
    bars, gains = part(state, "bars").bars, []
    for one, position in zip(bars, state.order, strict=True):
        expected = min(left(groups) for groups in parted(table, position))
        gains.append(before - expected)
        assert float(one.value.removeprefix("gain ")) == pytest.approx(gains[-1], abs=6e-4)
        assert float(one.rest.split(" = ")[-1]) == pytest.approx(expected, abs=6e-4)
        assert one.share == pytest.approx(gains[-1] / before if before else 0, abs=1e-6)
    assert gains == pytest.approx(sorted(gains, reverse=True))
    most = max(gains)
    assert [one.best for one in bars] == [g > 1e-9 and g > most - 1e-9 for g in gains]


def test_the_tables_order_is_kept_when_asked_for():
    state = start(TAX)
    assert names(state) == ["Marital Status", "Taxable Income < 97.5", "Refund"]
    assert names(update(state, Set("order", "table")))[0] == "Refund"


def test_rows_can_be_narrowed_to_one_value_of_an_attribute():
    """What ID3 sees at a node: of the 4 single people 2 cheat."""
    state = update(start(TAX), Set("rows", "1=0"))
    single = [row for row in TAX.rows() if row["Marital Status"] == "Single"]
    assert state.status.startswith(f"{len(single)} rows")
    assert "H(Cheat) = 1.000 bits" in state.status
    groups = [[r["Cheat"] for r in single if r["Refund"] == v] for v in ("Yes", "No")]
    assert bar(state, "Refund").rest == f"H(Cheat | Refund) = {left(groups):.3f}"
    alike = bar(state, "Marital Status")
    assert (alike.value, alike.share) == ("gain 0.000", 0.0)
    assert "same Marital Status" in alike.detail[0]
    assert names(update(state, Set("rows", "all"))) == names(start(TAX))
    for key in ("9=0", "2=0", "0=7", "x", "0=0=0"):
        with pytest.raises(NotPossibleError, match="no such rows"):
            update(state, Set("rows", key))


def test_hidden_gains_are_nowhere_until_one_is_chosen():
    """Refund gains 0.19163, Marital Status 0.28129: choosing Refund costs 0.090 bits."""
    state = update(start(TAX), Set("hidden", ON))
    told = json.dumps([one.json() for one in view(state).parts if one.id in ("bars", "verdict")])
    assert not any(number in told for number in ("0.281", "0.192", "0.600", "0.690", "0.985"))
    assert names(state)[0] == "Refund"  # the table's order gives nothing away
    chosen = update(state, Pick("bars", 0))
    assert chosen.status == (
        "Refund gains 0.192 bits. Marital Status gains 0.281: 0.090 bits more."
    )
    assert bar(chosen, "Refund").value == "gain 0.192"
    best = update(state, Pick("bars", 1))
    assert best.status == "Marital Status gains 0.281 bits: none of these gains more."


def test_what_is_not_shown_is_not_compared_with():
    """Taxable Income gains as much as Marital Status; both are away."""
    state = fold(start(TAX, ["Refund"]), Set("hidden", ON), Pick("bars", 0))
    assert state.status == "Refund gains 0.192 bits: none of these gains more."


def test_the_next_thing_is_the_gains_and_then_one_branching_after_the_other():
    state = fold(start(TAX), Set("hidden", ON), Press("next"))
    assert not state.hidden
    seen = []
    for _ in range(3):
        state = update(state, Press("next"))
        seen.append(TAX.attributes[state.picked].name)
    assert seen == ["Marital Status", "Taxable Income", "Refund"]
    with pytest.raises(NotPossibleError, match="Each attribute"):
        update(state, Press("next"))
    assert update(state, Press("reset")).picked is None


def test_attributes_are_chosen_by_name_and_one_stays():
    state = start(TAX, ["Refund", "Marital Status"])
    assert set(names(state)) == {"Refund", "Marital Status"}
    alone = update(state, Set("with 1", OFF))
    assert names(alone) == ["Refund"]
    assert "It is not among those shown" in part(alone, "verdict").lines[0]
    with pytest.raises(NotPossibleError, match="has to stay"):
        update(alone, Set("with 0", OFF))
    assert len(names(fold(alone, Set("with 2", ON), Set("with 1", ON)))) == 3
    assert set(names(fold(alone, Press("reset")))) == {"Refund", "Marital Status"}


def wide(n, rows=6):
    columns = {f"x{i}": [f"v{(i + r) % 3}" for r in range(rows)] for i in range(n)}
    return dt.Table.from_columns({**columns, "y": ["a", "b"] * (rows // 2)}, "y")


def test_limits_are_stated_and_kept():
    state = start(wide(40), ["x39"])
    assert len(part(state, "beside").controls) == MOST_OFFERED
    assert "24 of 40 attributes" in part(state, "before").lines[-1]
    for i in range(MOST_SHOWN - 1):
        state = update(state, Set(f"with {i}", ON))
    with pytest.raises(NotPossibleError, match="At most 8"):
        update(state, Set("with 10", ON))
    assert "At most 8 of 9 attributes" in part(start(wide(9)), "before").lines[-1]


def test_many_branches_and_classes_are_taken_together():
    n = 200
    columns = {"id": [f"r{i}" for i in range(n)], "y": [f"c{i % 20}" for i in range(n)]}
    table = dt.Table.from_columns(columns, "y", kinds={"id": "discrete"})
    state = update(start(table), Pick("bars", 0))
    shown = bar(state, "id")
    assert shown.value == f"gain {log2(20):.3f}"
    head, rows = shown.table
    assert head[-3:] == ["14 others", "rows", "H in bits"]
    assert rows[-2][0] == "192 more values"
    assert sum(int(row[-2]) for row in rows[:-1]) == int(rows[-1][-2]) == n
    assert "over 20 classes = 4.322 bits" in part(state, "before").lines[1]


def test_the_message_stays_small_with_any_names():
    long = "\N{EVERGREEN TREE}" * 300
    rng = np.random.default_rng(0)
    columns = {f"{long}{i}": [f"{long}{v}" for v in rng.integers(0, 20, 400)] for i in range(30)}
    table = dt.Table.from_columns(
        {**columns, "": [f"{long}{v}" for v in rng.integers(0, 2, 400)]}, ""
    )
    state = start(table)
    for i in range(MOST_SHOWN):
        chosen = update(state, Pick("bars", i))
        assert len(json.dumps(view(chosen).json(), ensure_ascii=False).encode()) < 62_000


def steady(model):
    """Whether signs that turn a text stand in a frame, and each frame is closed."""
    depth = 0
    for char in model:
        depth += (char == "\u2068") - (char == "\u2069")
        if char == "\u202e" and not depth:
            return False
    return depth == 0


def test_a_name_in_another_direction_does_not_turn_the_numbers_around_it():
    turning = "\u05e9\u05dc \u202e abc"
    columns = {turning: [0.5, 1.5, 2.5, 3.5], turning * 9: [turning, "b", turning, "c"]}
    table = dt.Table.from_columns(
        {**columns, "y" + turning: [turning, "v", "v", "v"]}, "y" + turning
    )
    state = update(start(table), Pick("bars", 0))
    texts = [
        line for bar_ in part(state, "bars").bars for line in (bar_.name, bar_.rest, *bar_.detail)
    ]
    texts += [line for id_ in ("before", "branches", "verdict") for line in part(state, id_).lines]
    texts += [*part(state, "curve").text, update(state, Set("rows", "1=0")).status]
    assert len(texts) > 15
    assert [model for model in texts if not steady(model)] == []


def test_tables_that_cannot_be_shown_are_refused():
    numbers = dt.Table.from_columns({"x": ["a", "b"], "y": [1.0, 2.0]}, "y")
    alone = dt.Table.from_columns({"y": ["u", "v"]}, "y")
    for table, why in ((numbers, "continuous"), (alone, "no attribute")):
        with pytest.raises(ValueError, match=why):
            start(table)
    with pytest.raises(ValueError, match="Did you mean 'Refund'"):
        start(TAX, ["refund"])
    with pytest.raises(ValueError, match="list of names"):
        start(TAX, "Refund")
    with pytest.raises(ValueError, match="1 to 8"):
        start(wide(9), [f"x{i}" for i in range(9)])


def test_one_class_leaves_nothing_to_learn():
    table = dt.Table.from_columns({"x": ["a", "b"], "y": ["u", "u"]}, "y")
    state = start(table)
    assert bar(state, "x").value == "gain 0.000"
    assert not bar(state, "x").best
    assert "all gains are 0" in part(state, "verdict").lines[0]


# -- states ----------------------------------------------------------------------------------------

ACTIONS = st.one_of(
    st.builds(Set, st.just("p"), st.floats(-0.2, 1.2)),
    st.builds(Set, st.just("typed"), st.sampled_from(["0.3", "1/3", "7", "", "x"])),
    st.builds(Set, st.just("rows"), st.sampled_from(["all", "0=0", "0=1", "1=0", "1=2", "3=0"])),
    st.builds(Set, st.just("order"), st.sampled_from(["gain", "table", "size"])),
    st.builds(Set, st.just("hidden"), st.booleans()),
    st.builds(Set, st.integers(0, 4).map(lambda i: f"with {i}"), st.booleans()),
    st.builds(Pick, st.just("bars"), st.integers(-1, 5)),
    st.builds(Press, st.sampled_from(["next", "back", "reset", "share"])),
    st.builds(Point, st.just("curve"), st.just(0.5), st.just(0.5)),
)


@settings(max_examples=80)
@given(tables(max_rows=12), st.lists(ACTIONS, max_size=12))
def test_whatever_is_done_the_text_recreates_it(table, actions):
    assume(table.attributes)
    state = start(table)
    for action in actions:
        with suppress(NotPossibleError):
            state = update(state, action)
        shown = view(state).json()
        assert 1 <= len(part(state, "bars").bars) <= MOST_SHOWN
        assert json.loads(json.dumps(shown)) == shown
    again = model.load(model.dump(state), table)
    assert model.dump(again) == model.dump(state)
    kept = (again.p, again.order, again.picked, again.hidden, again.rows.within)
    assert kept == (state.p, state.order, state.picked, state.hidden, state.rows.within)


@each(
    "change",
    [
        {"p": 2},
        {"p": "x"},
        {"offered": []},
        {"offered": [0, 0]},
        {"offered": [7]},
        {"named": 0},
        {"shown": []},
        {"shown": [9]},
        {"rows": "9=9"},
        {"picked": 9},
        {"picked": True},
        {"hidden": 1},
    ],
)
def test_a_damaged_text_is_refused(change):
    data = {**json.loads(model.dump(start(TAX))), **change}
    with pytest.raises(ValueError, match=r"damaged|between 0 and 1|no such rows"):
        model.load(json.dumps(data), TAX)


def test_the_widget_answers_messages_and_can_be_read_in_the_next_cell():
    lab = dt.EntropyLab(TAX, ["Refund", "Marital Status"])
    lab.act({"do": "set", "control": "p", "value": 0.5})
    lab.act({"do": "set", "control": "rows", "value": "0=1"})
    assert lab.p == 0.5
    assert lab.rows.n_rows == 7
    assert lab.comparison["Refund"].gain == 0
    assert dt.EntropyLab(TAX, state=lab.state).state == lab.state
    lab.act({"do": "set", "control": "p", "value": 3})
    assert "between 0 and 1" in lab.view["problem"]
