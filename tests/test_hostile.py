"""Texts from elsewhere: a tree's JSON and a lab's state, changed at random, never break it inside.

Whatever is refused is refused by a ValueError; whatever is read does all that a tree or lab does.
"""

from __future__ import annotations

import copy
import json
import random
from contextlib import contextmanager, suppress

import numpy as np
import pytest
from effort import scaled, some

import dtree_lab as dt
from dtree_lab.ensemble.forest import Forest
from dtree_lab.labs.catalogue import LABS

TAX = dt.datasets.tax_fraud()
NUMBERS = dt.Table.from_columns(
    {"x": [1.0, 2, 3, 4, 5, 6], "c": list("aabbab"), "y": [1.0, 2, 3.5, 4, 7, 9]}, "y"
)
TREES = (dt.id3(TAX), dt.cart(TAX), dt.cart(NUMBERS), dt.cart(NUMBERS, leaf="line"))
ODD = (
    *(None, True, False, 0, -1, 1, 1.5, 2**31, 2**63, -(2**63), 2**64 + 1, 10**400, 1e308, -1e308),
    *(float("nan"), float("inf"), "", "a", "a\0", "\ud800", "9", "nan", "1e999", "x" * 500, "own"),
    *([], {}, [[]], [None], {"a": 1}, [2**63], [0.5], [0, 0], ["Yes", "No"], "Refund"),
    *(["ask", [], "Refund"], ["ask", [], "Taxable Income", 10**400], ["best", [0]], ["finish", []]),
)


def places(value, path=()):
    yield path
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in pairs:
            yield from places(one, (*path, key))


def changed(rng, data):
    """A copy in which up to three values are left out, doubled, or something else."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        *above, last = rng.choice([path for path in places(data) if path])
        within = data
        for key in above:
            within = within[key]
        kind = rng.random()
        if kind < 0.15:
            del within[last]
        elif kind < 0.25 and isinstance(within, list):
            within.insert(last, copy.deepcopy(within[last]))
        else:
            within[last] = copy.deepcopy(rng.choice(ODD))
        if not data:
            break
    return data


@contextmanager
def told(case):
    """Say with an error that comes up which case it is."""
    try:
        yield
    except Exception as error:
        error.add_note(case)
        raise


def use(tree, rng):
    """All that a tree does, for a row that it may be asked about."""
    row = {a.name: rng.choice((*(a.values or (1.0, 80, 1e308)), None)) for a in tree.attributes}
    said = tree.predict(row)
    assert tree.predict([row, row]).tolist() == [said, said]
    assert tree.explain(row).prediction == said
    if tree.classes:
        assert (type(said), said) in [(type(c), c) for c in tree.classes]
    assert dt.Tree.from_json(tree.to_json()) == tree
    for shown in (tree.explain(row), tree):
        assert str(shown)
    tree._repr_mimebundle_()
    for write in (dt.draw.dot, dt.draw.rules, dt.draw.python, dt.draw.alt_text):
        assert write(tree)


def test_a_changed_tree_is_refused_or_works():
    rng, read = random.Random(20), 0  # noqa: S311 - no secret
    originals = [json.loads(tree.to_json()) for tree in TREES]
    changes = scaled(1_500)
    for i in range(changes):
        text = json.dumps(changed(rng, rng.choice(originals)))
        with told(f"change {i}: {text}"):
            try:
                tree = dt.Tree.from_json(text)
            except ValueError:
                continue
            use(tree, rng)
        read += 1
    assert changes / 50 < read < 2 * changes / 3  # both happen


def use_many(many, rng):
    """What a forest, or a vote, does for a row that it may be asked about; and how it is kept."""
    row = {a.name: rng.choice((*(a.values or (1.0, 80, 1e308)), None)) for a in many.attributes}
    answer = many.predict(row)
    assert many.predict([row, row]).tolist() == [answer, answer]
    if many.classes:
        assert (type(answer), answer) in [(type(c), c) for c in many.classes]
    assert str(many)
    text = many.to_json()
    assert type(many).from_json(text).to_json() == text
    if isinstance(many, Forest):
        assert len(many.oob_predictions) == many.n_rows
        many.rows_drawn(0)
        many.impurity_importance()
    else:
        many.after(1).scores(row)


def test_changed_forests_and_votes_are_refused_or_work():
    rng, read = random.Random(21), 0  # noqa: S311 - no secret
    grown = [
        dt.random_forest(TAX, n_trees=2),
        dt.random_forest(NUMBERS, n_trees=2, bootstrap=False),
        dt.adaboost(TAX, n_stumps=2),
    ]
    changes = scaled(1_500)
    for i in range(changes):
        many = rng.choice(grown)
        text = json.dumps(changed(rng, json.loads(many.to_json())))
        with told(f"change {i}: {text}"):
            try:
                again = type(many).from_json(text)
            except ValueError:
                continue
            with np.errstate(over="ignore", invalid="ignore"):  # sums of numbers like 1e308
                use_many(again, rng)
        read += 1
    assert changes / 50 < read < 2 * changes / 3  # both happen


def edited(path, value, tree=TREES[0]):
    """A tree's JSON with something else at one place."""
    data = json.loads(tree.to_json())
    within = data
    for key in path[:-1]:
        within = within[key]
    within[path[-1]] = value
    return json.dumps(data)


def test_what_a_tree_cannot_be_is_said():
    for path, value, words in [
        (("nodes", 0, "counts"), [2**63, 3], "63 bits"),
        (("nodes", 0, "counts"), [2**62, 2**62], "63 bits"),
        (("target", "values"), ["No", float("nan")], "an attribute is a name and a list"),
        (("target", "values"), ["No", "No"], "'Cheat' has a value twice"),
        (("attributes", 0, "values"), [1, 1.0], "'Refund' has a value twice"),
    ]:
        with pytest.raises(ValueError, match=words):
            dt.Tree.from_json(edited(path, value))
    for value in ([10**400, 1.0], [1.0, -1.0]):
        with pytest.raises(ValueError, match="needs an answer and a variance"):
            dt.Tree.from_json(edited(("nodes", 0, "values"), value, TREES[2]))
    node = next(i for i, n in enumerate(json.loads(TREES[0].to_json())["nodes"]) if "cuts" in n)
    with pytest.raises(ValueError, match="must be finite"):
        dt.Tree.from_json(edited(("nodes", node, "cuts"), [10**400]))


def test_a_deep_tree_is_read_and_used():
    """A chain deeper than Python's own stack."""
    n = 1_500
    nodes = [{"counts": [n, 1], "ask": "x", "cuts": [0.0]}]
    for i in range(1, n):
        nodes += [{"counts": [1, 0]}, {"counts": [n - i, 1], "ask": "x", "cuts": [float(i)]}]
    nodes += [{"counts": [1, 0]}, {"counts": [0, 1]}]
    data = json.loads(TREES[0].to_json()) | {
        "target": {"name": "y", "values": ["a", "b"]},
        "attributes": [{"name": "x", "values": None}],
        "nodes": nodes,
    }
    tree = dt.Tree.from_json(json.dumps(data))
    assert tree.depth == n
    assert tree.predict([{"x": -1}, {"x": n}]).tolist() == ["a", "b"]
    assert "1500 questions" not in str(tree)
    assert len(tree.explain({"x": n}).steps) == n


def test_classes_come_back_as_they_are():
    """Whatever numpy would make of them: large beside small, text that ends in a NUL, two sorts."""
    large = (2**63 + 1, -1), (2**70, 2**71), (2**53 + 1, 0.5)
    for classes in (*large, ("a", "a\0"), (True, False)):
        columns = {"x": [1.0, 2.0, 8.0, 9.0], "y": [classes[0]] * 2 + [classes[1]] * 2}
        table = dt.Table.from_columns(columns, "y", kinds={"y": "discrete"})
        for model in (
            dt.id3(table),
            dt.Tree.from_json(dt.id3(table).to_json()),
            dt.bagged(dt.id3, 15)(table, seed=0),
            dt.adaboost(table),
            dt.random_forest(table, n_trees=15, seed=0),
        ):
            for x, wanted in zip(columns["x"], columns["y"], strict=True):
                one, (many,) = model.predict({"x": x}), model.predict([{"x": x}]).tolist()
                for got in (one, many):
                    case = f"{type(model).__name__} of {classes!r}: {got!r} for {wanted!r}"
                    assert (type(got), got) == (type(wanted), wanted), case
    mixed = dt.Tree.from_json(edited(("target", "values"), ["No", 7]))
    poor = {"Refund": "No", "Marital Status": "Single", "Taxable Income": 85}
    assert (mixed.predict(poor), mixed.explain(poor).prediction) == (7, 7)


def test_a_number_beyond_all_floats_is_named():
    with pytest.raises(ValueError, match=r"'Taxable Income' is beyond the largest float"):
        TREES[0].predict({"Refund": "No", "Marital Status": "Single", "Taxable Income": 10**400})
    assert np.isfinite(TREES[2].predict({"x": 10**300, "c": "a"}))


# -- states ----------------------------------------------------------------------------------------


def states():
    """For each lab, what makes it from a state, and states with something in every setting."""
    for lab in LABS:
        cls = lab.load()
        given = () if lab.name == "plane" else (TAX,)

        def make(state=None, cls=cls, given=given):
            return cls(*given, state=state)

        texts = [make().state]
        if lab.name == "tree":
            used = {
                "steps": [["ask", [], "Refund"], ["best", [1]], ["lock", [0]], ["finish", "CART"]],
                "beside": {"follow": ["one training", 3], "kept": [["best", []]]},
            }
            texts.append(make(json.dumps(json.loads(texts[0]) | used)).state)
        yield lab.name, make, texts


def test_a_changed_state_is_refused_or_shows():
    for name, make, texts in states():
        rng, read = random.Random(f"10 {name}"), 0  # noqa: S311 - no secret
        measures = name == "bias-variance"  # for long
        for i in range(scaled(15, fewest=8) if measures else scaled(120)):
            original = json.loads(rng.choice(texts))
            data = changed(rng, original)
            if rng.random() < 0.9:  # else nearly all are refused for this
                data |= {key: original[key] for key in ("format", "table") if key in original}
            text = json.dumps(data)
            with told(f"{name}, change {i}: {text}"):
                try:
                    lab = make(text)
                    assert lab.state
                    assert str(lab)
                except ValueError:
                    continue
            read += 1
        assert read, name


def test_each_setting_of_each_state_left_out_or_wrong():
    """Also those that may be null, which once were a KeyError when they were absent."""
    for name, make, texts in states():
        original = json.loads(texts[-1])
        for key in original.keys() - {"beside", "table"}:
            absent = json.dumps({k: v for k, v in original.items() if k != key})
            with told(f"{name} without {key}"), pytest.raises(ValueError, match=r"state|damaged"):
                make(absent)
            for odd in some((10**400, float("inf"), "\ud800", [[]], {}), every=2):
                with told(f"{name}: {key} is {odd!r:.20}"), suppress(ValueError):
                    make(json.dumps(original | {key: odd}))


def test_what_is_no_state_at_all():
    for name, make, _ in states():
        for text in ("[" * 200_000, '{"a":' * 100_000, "null", "", "\0", "[1e999]"):
            with told(f"{name}: {text:.10}"), pytest.raises(ValueError, match="state must be a te"):
                make(text)
