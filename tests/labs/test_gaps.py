"""Every lab takes a table with gaps, and says what it leaves out; and any other odd table."""

from __future__ import annotations

import csv
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from cases import each
from effort import some

import dtree_lab as dt
from dtree_lab.labs.catalogue import LABS
from dtree_lab.labs.kit.inspecting import Follow
from dtree_lab.labs.kit.taking import MOST_LISTED, measured_with, notes, position, row_number, taken
from dtree_lab.table.table import Table
from labs.test_labs import MEASURING

MOST_BYTES = 62_000
NAMES = sorted({lab.cls for lab in LABS})
FEW = {"BiasVarianceLab": {"resamples": 2}, "ForestLab": {"trees": 2}}
PENGUINS = dt.datasets.penguins()
# Counted by hand in data/penguins.csv: rows 4 and 272 were never measured; of nine more only the
# sex is not known.
MEASURES = "bill_length_mm, bill_depth_mm, flipper_length_mm, body_mass_g"
BY_HAND = dict.fromkeys((4, 9, 10, 11, 12, 48, 179, 219, 257, 269, 272), "sex")
BY_HAND |= dict.fromkeys((4, 272), f"{MEASURES}, sex")
WHOLE = "333 of 344 rows; 11 have gaps and are left out."
# A lab that asks of some attributes leaves out only the rows with gaps in these.
SAID = {
    "ThresholdLab": "342 of 344 rows; 2 have gaps in bill_length_mm and are left out.",
    "PlaneLab": "342 of 344 rows; 2 have gaps in bill_length_mm or bill_depth_mm and are left out.",
}


def made(name, table, **keywords):
    return getattr(dt, name)(table, **FEW.get(name, {}), **keywords)


def folded(lab):
    return [part for part in lab.view["parts"] if part["kind"] == "folded"]


def without_notes(lab):
    """The view but for what is said of gaps. BiasVarianceLab names the rows in another way."""
    told = lab.view
    told["parts"] = [part for part in told["parts"] if part["kind"] != "folded"]
    return json.dumps(told).replace("lab.population", "table")


def table_of(rows, names, **keywords):
    return dt.Table.from_rows(rows, names[-1], names=names, missing="keep", **keywords)


# -- the penguins ----------------------------------------------------------------------------------


def test_what_was_counted_by_hand_is_in_the_file():
    path = Path(dt.datasets.__file__).with_name("data") / "penguins.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    gaps = {n: [k for k in row if row[k] == "NA"] for n, row in enumerate(rows, start=1)}
    assert len(rows) == 344
    assert {n: ", ".join(names) for n, names in gaps.items() if names} == BY_HAND


@each("name", NAMES)
def test_every_lab_takes_the_penguins_and_says_so(name):
    lab = made(name, PENGUINS)
    (note,) = folded(lab)
    said = SAID.get(name, WHOLE)
    assert note["note"] == said
    asked = said.partition(" gaps in ")[2].removesuffix(" and are left out.").split(" or ")
    expected = [[str(n), lacks] for n, lacks in BY_HAND.items()]
    if asked != [""]:
        expected = [[n, ", ".join(asked)] for n, lacks in expected if asked[0] in lacks]
    assert note["rows"] == expected
    # Without a kernel too, as a page and as text; and it comes back from its state.
    text, page = lab._bundle()
    assert said in text
    assert said in page
    assert f"4: {expected[0][1]}" in text
    again = made(name, PENGUINS, state=lab.state)
    assert again.state == lab.state
    assert folded(again) == folded(lab)
    other = PENGUINS.take(np.arange(343))
    with pytest.raises(ValueError, match="on another table"):
        made(name, other, state=lab.state)


def test_gains_are_those_of_the_rows_without_gaps():
    best = dt.compare(dt.datasets.penguins("drop")).best
    builder = dt.TreeBuilder(PENGUINS)
    (bars,) = [part["bars"] for part in builder.view["parts"] if part["kind"] == "questions"]
    assert [bars[0]["plain"], bars[0]["gain"]] == [best.attribute.name, f"{best.gain:.3f}"]
    builder.act({"do": "finish", "recipe": "ID3"})
    assert builder.tree == dt.id3(dt.datasets.penguins("drop"))
    entropy = dt.EntropyLab(PENGUINS)
    assert entropy.comparison.best.gain == best.gain
    # Two penguins have no bill, and only these are missing here.
    lab = dt.ThresholdLab(PENGUINS, "bill_length_mm")
    lab.act({"do": "best"})
    measured = PENGUINS.take([i for i in range(344) if i not in (3, 271)])
    alone = Table(measured.attributes[1:2], measured.target, measured.columns[1:2], measured.labels)
    assert lab.gain == pytest.approx(dt.compare(alone).best.gain, abs=1e-9)
    assert [part["note"] for part in folded(lab)] == [SAID["ThresholdLab"]]
    lab.act({"do": "set", "control": "attribute", "value": "2"})
    assert "bill_depth_mm" in folded(lab)[0]["note"]


# -- laws ------------------------------------------------------------------------------------------


def gappy_at_the_end(n=40):
    """Rows with all their values, then five with gaps; and the same without these."""
    rng = np.random.default_rng(5)
    names = ["colour", "x", "z", "kind"]
    rows = [
        ["red" if a else "blue", float(x), float(z), "yes" if x + z > 10 else "no"]
        for a, x, z in zip(
            rng.integers(0, 2, n), rng.integers(0, 12, n), rng.integers(0, 9, n), strict=True
        )
    ]
    gaps = [[None, 1.0, 2.0], ["red", None, None], ["blue", None, 1.0], [None, None, None]]
    more = [[*gap, "yes"] for gap in gaps]
    return table_of([*rows, *more], names), table_of(rows, names)


@each("name", NAMES)
def test_a_lab_shows_what_it_shows_of_the_rows_without_gaps(name):
    gappy, clean = gappy_at_the_end()
    if name in ("ThresholdLab", "PlaneLab"):  # where a row may lack its colour
        gappy = gappy.take([*range(40), 41, 42, 43])
    one, other = made(name, gappy), made(name, clean)
    for message in (None, {"do": "next"}, {"do": "next"}, {"do": "best"}, {"do": "reset"}):
        if message is not None:
            one.act(message)
            other.act(message)
        assert without_notes(one) == without_notes(other), message
        assert len(folded(one)) == 1
        assert not folded(other)


def numbered_rows(lab):
    """What a lab shows of single rows: the number of each, and its texts."""
    of_node = [part for part in lab.view["parts"] if part["id"] == "node-rows"]
    if of_node:
        return [(row[0], row[1:]) for row in of_node[0]["rows"]]
    grids = [part for part in lab.view["parts"] if part["kind"] == "grid"]
    rows = [row for grid in grids if grid["head"][0] in ("row", "point") for row in grid["rows"]]
    return [(row[0], row[1:]) for row in rows]


def test_row_7_is_row_7_everywhere():
    """Each row that is shown with a number has the class that it has in the given table."""
    rng = np.random.default_rng(2)
    names = ["x", "z", "kind"]
    rows = [[float(i), float(rng.integers(0, 5)), f"class {i % 13}"] for i in range(60)]
    for i in (0, 1, 5, 6, 30, 59):
        rows[i][int(rng.integers(0, 2))] = None
    table = table_of(rows, names)
    for name in ("TreeBuilder", "ForestLab", "PlaneLab", "Practice", "ExpressivenessLab"):
        shown = numbered_rows(made(name, table))
        assert len(shown) > 5, name
        for number, texts in shown:
            assert rows[int(number) - 1][2] in texts, (name, number, texts)
            assert None not in rows[int(number) - 1], (name, number)
    builder = dt.TreeBuilder(table)
    builder.act({"do": "set", "control": "follow", "value": "one training"})
    for asked, found in ((8, 8), (7, 5), (6, 8), (9, 9), (31, 32), (60, 59), (1, 3)):
        builder.act({"do": "set", "control": "follow-row", "value": asked})
        words = next(p for p in builder.view["parts"] if p["id"] == "follow-way")["lines"]
        assert words[0].startswith(f"Row {found} of the training rows: x = {found - 1}"), asked
        assert json.loads(builder.state)["beside"]["follow"] == ["one training", found - 1]
        again = dt.TreeBuilder(table, state=builder.state)
        assert again.view["parts"] == builder.view["parts"]
    forest = made("ForestLab", table)
    forest.act({"do": "set", "control": "row", "value": 9})
    assert json.loads(forest.state)["row"] == 8
    assert folded(made("ForestLab", table, state=forest.state)) == folded(forest)
    plane = dt.PlaneLab(table)
    plane.act({"do": "point", "part": "plane", "x": 3.0, "y": 2.0})
    assert numbered_rows(plane)[0][0] == "61"


def test_withheld_rows_keep_their_numbers():
    lab = dt.PruningLab(PENGUINS, seed=1)
    for i in range(len(lab.validation)):
        number = row_number(lab.validation, i)
        assert lab.validation.row(i) == PENGUINS.row(number - 1)


def test_states_of_before_still_load():
    """Texts from the labs as they were when they refused gaps, on the penguins without any."""
    clean = dt.datasets.penguins("drop")
    for name, text in OLD.items():
        assert made(name, clean, state=text).state == text
    large = dt.Table.from_columns(
        {"x": [i % 7 for i in range(10_001)], "y": (["a", "b", "b"] * 3334)[:10_001]}, "y"
    )
    text = json.loads(dt.ForestLab(large, trees=1).state)
    assert text["table"] == "e8b3003b"  # of the 10,000 rows that were drawn


def _old(name, rest):
    return f'{{"format":"dtree_lab.{name}/1","table":"eb53b496",{rest}}}'


OLD = {
    name: _old(name, rest)
    for name, rest in {
        "TreeBuilder": '"reveal":"always","steps":[["finish","ID3"]],"selected":[],'
        '"beside":{"follow":["one training",6]}',
        "EntropyLab": '"p":0.5,"offered":[0,5,1,2,3,4],"named":2,"shown":[0,5],"rows":"all",'
        '"by_gain":true,"hidden":false,"picked":0',
        "StepThrough": '"algorithm":"id3","attribute":null,"seed":0,"keywords":{},"level":"event",'
        '"speed":"medium","cursor":1,"validation":null',
        "PruningLab": '"validation":"b9717068","seed":0,"method":"reduced_error","cf":0.25,'
        '"on":true,"faded":true,"at":0,"row":null,"cuts":[]',
        "ThresholdLab": '"attribute":"body_mass_g","cut":4325.0,"equal":false,"priors":"rows",'
        '"tau":0.0',
        "PlaneLab": '"axes":["bill_length_mm","bill_depth_mm"],"edits":[],"method":"CART",'
        '"depth":2,"min_rows":2,"derived":"none","click":"0","at":[49.6,18.2],"selected":[1,1],'
        '"chosen":330',
        "BiasVarianceLab": '"source":"sample","depth":3,"n_rows":222,"noise":null,"resamples":3,'
        '"bagging":false,"method":"kohavi-wolpert","seed":0',
        "ForestLab": '"trees":2,"m":2,"noise":0.0,"gaps":0.0,"seed":0,"row":6,"tree":0,"node":null',
        "Practice": '"at":[],"attribute":"island","seed":0,"number":0,"typed":{},"shown":[]',
        "ExpressivenessLab": '"function":"own","n":3,"begun":["own",3],"feature":"none",'
        '"scale":"log","selected":"0.0.0.1","row":6',
    }.items()
}


# -- rows to measure with --------------------------------------------------------------------------


def test_validation_rows_with_gaps_rest_and_it_is_said():
    training, held = dt.evaluate.holdout(PENGUINS, seed=1)
    gaps = sum(None in row.values() for row in held.rows())
    assert gaps
    said = (
        f"Validation: {gaps} of 115 rows have gaps; where such a row is asked what it lacks, that"
        " node answers."
    )
    for name in ("TreeBuilder", "PruningLab", "StepThrough"):
        lab = made(name, training, validation=held)
        note = folded(lab)[-1]
        assert note["note"] == said, name
        assert len(note["rows"]) == gaps, name
        assert made(name, training, validation=held, state=lab.state).state == lab.state
    pruning = dt.PruningLab(training, held)
    wrong = round(pruning.full.error(held) * 115)
    lines = next(part for part in pruning.view["parts"] if part["id"] == "now")["lines"]
    assert f"Validation: {wrong} of 115 rows wrong" in lines[2]


def test_rows_without_a_label_are_left_out():
    """Such a table is made by no door of the library, but it can be put together."""
    tax = dt.datasets.tax_fraud()
    age = (dt.Attribute("age"), np.arange(10.0))  # PlaneLab needs two columns of numbers
    tax = Table((*tax.attributes, age[0]), tax.target, (*tax.columns, age[1]), tax.labels)
    labels = tax.labels.copy()
    labels[[2, 7]] = -1
    bare = Table(tax.attributes, tax.target, tax.columns, labels)
    clean = tax.take([i for i in range(10) if i not in (2, 7)])
    for name in NAMES:
        lab = made(name, bare)
        (note,) = folded(lab)
        assert note["rows"] == [["3", "Cheat"], ["8", "Cheat"]], name
        assert note["note"].startswith("8 of 10 rows; 2 have gaps"), name
    assert dt.TreeBuilder(bare).tree.root.counts == tuple(clean.counts().tolist())
    builder = dt.TreeBuilder(tax, validation=bare)
    (foot,) = [part for part in builder.view["parts"] if part["id"] == "foot"]
    assert "Validation error: 2 of 8 rows wrong" in foot["line"]  # "No" for rows 5 and 10
    assert "Validation: 8 of 10 rows; 2 have gaps in Cheat" in folded(builder)[0]["note"]
    none = Table(tax.attributes, tax.target, tax.columns, np.full_like(labels, -1))
    for name in NAMES:
        with pytest.raises(ValueError, match=r"no row has a label: the column 'Cheat' is empty"):
            made(name, none)


# -- columns of gaps -------------------------------------------------------------------------------


def columns_of_gaps():
    n = 24
    x, z = [float(i) for i in range(n)], [float(i * 7 % 5) for i in range(n)]
    y = ["a", "b", "b"] * 8
    own = {"kinds": {"void": ("u", "v")}, "missing": "keep"}
    one = {"void": [None] * n, "x": x, "z": z, "c": ["p", "q"] * 12, "y": y}
    # No row has all values: one of c and d is always missing, d more often.
    c, d = ["p", None, "q", "p"] * 6, [None, "q", None, None] * 6
    two = {"d": d, "x": x, "z": z, "c": c, "y": y}
    return dt.Table.from_columns(one, "y", **own), dt.Table.from_columns(two, "y", missing="keep")


def test_a_column_without_values_is_left_out_and_it_is_said():
    void, torn = columns_of_gaps()
    count = "18 of 24 rows; 6 have gaps and are left out."
    said_of = {
        "void": (void, "The column void has no values and is left out."),
        "d": (torn, f"{count} The column d would leave no row without gaps and is left out."),
    }
    for column, (table, said) in said_of.items():
        for name in NAMES:
            lab = made(name, table)
            if name in ("ThresholdLab", "PlaneLab"):  # neither is continuous
                assert not folded(lab), name
                continue
            assert [part["note"] for part in folded(lab)] == [said], name
            assert made(name, table, state=lab.state).state == lab.state, name
        assert column not in dt.TreeBuilder(table).tree.target.name
        assert column not in [a.name for a in dt.TreeBuilder(table).tree.attributes]
    empty = dt.Table.from_columns(
        {"e": [None, None], "x": [1.0, 2.0], "y": ["a", "b"]},
        "y",
        missing="keep",
        kinds={"e": ("u",)},
    )
    number = Table(
        (dt.Attribute("e"), empty.attributes[1]),
        empty.target,
        (np.full(2, np.nan), empty.columns[1]),
        empty.labels,
    )
    assert dt.ThresholdLab(number).attribute == "x"
    for make in (dt.ThresholdLab, lambda table, name: dt.PlaneLab(table, name, "x")):
        with pytest.raises(ValueError, match=r"'e'.* (Fill|ask about other)"):
            make(number, "e")
    with pytest.raises(ValueError, match=r"with 'e' no row has a value.* name other attributes"):
        dt.EntropyLab(number, ["e"])
    nothing = Table(number.attributes[:1], number.target, number.columns[:1], number.labels)
    with pytest.raises(ValueError, match=r"nothing to ask about: no row has a value in 'e'"):
        dt.TreeBuilder(nothing)


# -- ids of large tables ---------------------------------------------------------------------------


def large(ids, **more):
    n = len(ids)
    columns = {"c": [f"c{i % 5}" for i in range(n)], "x": [float(i % 77) for i in range(n)]}
    labels = ["a" if i % 3 else "b" for i in range(n)]
    names = {"id": [f"P{i}" for i in ids]}
    return dt.Table.from_columns(
        {**names, **columns, **more, "y": labels}, "y", kinds={"id": "discrete"}, missing="keep"
    )


@each("name", ["TreeBuilder", "PruningLab", "StepThrough", "BiasVarianceLab"])
def test_a_column_with_as_many_values_as_rows_is_left_out_of_a_large_table_and_it_is_said(name):
    n = 2_400
    table = large(range(n))
    h = np.log2(3) - 2 / 3  # of a third and two thirds
    gains = f"it would gain {h:.3f} of {h:.3f} bits (gain ratio {h / np.log2(n):.3f})"
    said = f"has as many values as 2,400 rows and is left out: {gains}, but a new row has another."
    lab = made(name, table)
    assert [part["note"] for part in folded(lab)] == [f"The column id {said}"]
    assert made(name, table, state=lab.state).state == lab.state
    without = dt.Table(table.attributes[1:], table.target, table.columns[1:], table.labels)
    assert without_notes(lab) == without_notes(made(name, without))


def test_what_an_id_would_gain_is_the_definition_and_gaps_are_told_beside():
    ids = [i // 2 for i in range(4_600)]
    (note,) = notes(taken(large(ids)))
    gain, ratio = (f(large(ids), "id") for f in (dt.information_gain, dt.gain_ratio))
    h = np.log2(3) - 2 / 3
    assert "2,300 values in 4,600 rows" in note.note
    assert f"gain {gain:.3f} of {h:.3f} bits (gain ratio {ratio:.3f})" in note.note
    table = large(range(2_400), g=[None, *"u" * 2_399])
    (note,) = notes(taken(table))
    assert note.note.startswith("2,399 of 2,400 rows; 1 has gaps and is left out. The column id ")
    assert taken(table).names == ("c", "x", "g")
    assert [row_number(taken(table), row) for row in (0, 2_398)] == [2, 2_400]


def test_only_what_parts_a_large_table_into_very_many_is_left_out():
    for ids in (range(2_000), [i % 2_001 for i in range(20_010)], [i % 50 for i in range(3_000)]):
        table = large(ids)
        assert taken(table) is table
    whole = large(range(2_400))
    alone = dt.Table(whole.attributes[:1], whole.target, whole.columns[:1], whole.labels)
    assert taken(alone) is alone
    assert taken(whole, [0]) is whole  # a lab that is told what to show


def test_a_tree_that_asks_for_such_a_column_does_not_open_and_it_is_said_why():
    table = large(range(2_400))
    with pytest.raises(ValueError, match="the column 'id' is left out of this lab"):
        dt.TreeBuilder(table, tree=dt.stump(table))
    assert dt.TreeBuilder(table, tree=dt.by_hand(table, {(): "c"})).tree.n_leaves == 5


# -- the mechanism ---------------------------------------------------------------------------------


def test_a_table_without_gaps_is_taken_as_it_is():
    table = dt.datasets.tax_fraud()
    assert taken(table) is table
    assert measured_with(table) is table
    assert notes(table, table) == []
    shown = dt.TreeBuilder(PENGUINS)._state.table
    # What a lab has shown is a table like any other, whose rows have numbers of their own.
    again = taken(shown)
    assert [row_number(again, i) for i in (0, 3, 332)] == [1, 4, 333]
    assert notes(again) == []
    assert not folded(dt.ForestLab(shown, trees=1))


def test_a_number_that_was_left_out_is_passed_over_whichever_way():
    """Beside the slow way to see it: the nearest row that is there, on the side one moves to."""
    table = taken(PENGUINS)
    there = [n for n in range(1, 345) if n not in BY_HAND]
    for before in (0, 5, 40, 332):
        for number in range(1, 345):
            up = number > there[before]
            beyond = [n for n in there if (n >= number if up else n <= number)]
            nearest = (min(beyond) if up else max(beyond)) if beyond else there[-1 if up else 0]
            found = position(table, number, before)
            assert row_number(table, found) == nearest, (before, number)
    assert Follow().row == 0


def test_long_lists_are_cut_and_it_is_said():
    n = MOST_LISTED + 5
    names = [f"{i} {'long' * 80}" for i in range(12)]
    columns = {name: [None] * n + [1.0, 2.0] for name in names}
    table = dt.Table.from_columns({**columns, "y": ["a"] * (n + 1) + ["b"]}, "y", missing="keep")
    (note,) = notes(taken(table))
    assert len(note.rows) == MOST_LISTED
    assert note.more == "… and 5 more rows."
    assert note.rows[0][1].endswith("and 4 more")
    assert len(json.dumps(note.json()).encode()) < MOST_BYTES / 3
    for name in NAMES:
        assert len(json.dumps(made(name, table).view).encode()) <= MOST_BYTES, name


# -- any other table -------------------------------------------------------------------------------


@cache
def odd_tables():
    rng = np.random.default_rng(0)

    def numbers(n, columns, y):
        found = {f"a{i}": rng.integers(0, 9, n).astype(float).tolist() for i in range(columns)}
        return dt.Table.from_columns({**found, "y": y}, "y")

    toss = [str(v) for v in rng.integers(0, 2, 600)]
    x = rng.normal(size=600)
    two = {"x": x.tolist(), "z": (x**2).tolist()}
    text = dt.Table.from_columns
    long = "n" * 300
    return {
        "10,000 rows": numbers(10_000, 4, [f"c{v}" for v in rng.integers(0, 3, 10_000)]),
        "60 attributes": numbers(120, 60, toss[:120]),
        "120 classes": numbers(480, 2, [f"c{i % 120}" for i in range(480)]),
        "an id as target": numbers(1_200, 2, [f"p{i}" for i in range(1_200)]),
        "an id": text(
            {"id": [f"p{i}" for i in range(600)], **two, "y": toss}, "y", kinds={"id": "discrete"}
        ),
        "300 values": text({"v": [f"v{i % 300}" for i in range(600)], **two, "y": toss}, "y"),
        "a constant": text({"c": ["a"] * 600, "k": [1.0] * 600, **two, "y": toss}, "y"),
        "constants": text({"c": ["a"] * 9, "k": [1.0] * 9, "l": [2.0] * 9, "y": toss[:9]}, "y"),
        "one row": text({"c": ["a"], "x": [1.0], "z": [2.0], "y": ["a"]}, "y"),
        "one class": numbers(20, 3, ["a"] * 20),
        "long names": text(
            {
                f"{long}1": [long, "b"] * 9,
                f"{long}x": list(range(18)),
                f"{long}z": list(range(18)),
                f"{long}y": [f"{long}q", "r"] * 9,
            },
            f"{long}y",
        ),
        "numbers to predict": text({**two, "y": x.tolist()}, "y"),
        "nothing to ask": text({"y": ["a", "b"] * 4}, "y"),
    }


_CLASSES = r"'y' has {} classes; this lab tells at most {} apart\. If 'y' only names the rows"

# What is refused, with what is said to do.
REFUSED = {
    ("120 classes", "TreeBuilder"): _CLASSES.format(120, 100),
    ("120 classes", "PruningLab"): _CLASSES.format(120, 100),
    ("120 classes", "DecisionLab"): _CLASSES.format(120, 100),
    ("120 classes", "PlaneLab"): _CLASSES.format(120, 20),
    **{("an id as target", name): _CLASSES.format("1,200", r"\S+") for name in NAMES},
    ("constants", "Practice"): "nothing can be practised",
    ("one row", "DecisionLab"): "it needs at least two",
    ("one row", "PruningLab"): "it needs at least two",
    ("one row", "BiasVarianceLab"): "at least 2 rows",
    ("one row", "Practice"): "all rows here have one class",
    ("one class", "Practice"): "all rows here have one class",
    **{
        ("numbers to predict", name): "target_kind='discrete'"
        for name in NAMES
        if name != "BiasVarianceLab"
    },
    ("nothing to ask", "EntropyLab"): "no attribute to compare",
    ("nothing to ask", "ThresholdLab"): "needs a continuous attribute",
    ("nothing to ask", "PlaneLab"): "needs two continuous attributes",
    ("nothing to ask", "ForestLab"): "needs at least one attribute",
    ("nothing to ask", "Practice"): "no attribute to ask",
}


@each("name", NAMES)
def test_any_table_is_shown_or_refused_with_what_to_do(name):
    """Of those that are shown, every third in a lab that measures them, by ``make test``."""
    shown = some(odd_tables(), every=3 if name in MEASURING else 1)
    for what, table in odd_tables().items():
        why = REFUSED.get((what, name))
        if why is not None:
            with pytest.raises(ValueError, match=why):
                made(name, table)
            continue
        if what not in shown:
            continue
        lab = made(name, table)
        assert len(lab.told.encode()) <= MOST_BYTES, what
        assert made(name, table, state=lab.state).state == lab.state, what
        assert not folded(lab), what


def test_what_is_advised_for_numbers_to_predict_works():
    columns = {"x": list(range(12)), "z": [5, 1, 4] * 4, "y": [1.0, 2.0, 2.0, 4.0] * 3}
    table = dt.Table.from_columns(columns, "y", target_kind="continuous")
    for name in NAMES:
        if name == "BiasVarianceLab":  # which is about numbers as well
            made(name, table)
            continue
        with pytest.raises(ValueError, match="the target 'y' is continuous") as refused:
            made(name, table)
        kind, groups = re.search(
            r"target_kind='(\w+)';.*n_groups=(\d+)", str(refused.value)
        ).groups()
        again = dt.Table.from_columns(columns, "y", target_kind=kind)
        made(name, again)
        made(name, dt.grouped(table, n_groups=int(groups)).table)


def test_what_is_advised_for_many_classes_works():
    columns = {"x": list(range(150)), "z": list(range(150)), "year": list(range(1900, 2050))}
    years = dt.Table.from_columns(columns, "year", kinds={"year": "discrete"})
    for make in (dt.TreeBuilder, dt.PruningLab, dt.PlaneLab):
        with pytest.raises(ValueError, match="150 classes") as refused:
            make(years)
        kinds = re.search(r"kinds=(\{.*?\})", str(refused.value))[1]
        advised = re.search(r"dt\.grouped\(table, n_groups=(\d+)\)\.table", str(refused.value))
        again = dt.Table.from_columns(columns, "year", kinds=json.loads(kinds.replace("'", '"')))
        make(dt.grouped(again, n_groups=int(advised[1])).table)


def test_cards_have_no_strip_where_there_is_no_legend():
    """A strip takes its colours from the legend, which has no room for so many classes."""
    many = dt.Table.from_columns(
        {"x": list(range(90)), "y": [f"c{i % 45:02}" for i in range(90)]}, "y"
    )
    for name in ("PruningLab", "ForestLab", "ExpressivenessLab"):
        view = made(name, many).view
        assert view["classes"] == []
        trees = [part["tree"]["cards"] for part in view["parts"] if part["kind"] == "tree"]
        assert trees, name
        assert all(card["counts"] == [] for cards in trees for card in cards), name
    lines = next(p for p in dt.PruningLab(many).view["parts"] if p["id"] == "now")["lines"]
    assert lines[-1] == "45 classes are too many to be told apart by colours."
    # Of very many the names alone would be more than a message holds.
    columns = {"x": list(range(150)), "y": ["n" * 300 + str(i) for i in range(150)]}
    view = dt.StepThrough(dt.Table.from_columns(columns, "y")).view
    assert view["classes"] == []
    assert len(json.dumps(view).encode()) <= MOST_BYTES
