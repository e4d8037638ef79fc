"""The criterion of docs/new-criterion.md: what the page says of it, and what holds of it."""

from __future__ import annotations

import doctest
import json
import re
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice, product
from math import isqrt, sqrt
from pathlib import Path
from unittest.mock import patch

import matplotlib as mpl
import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import recipes, tables, weights

import dtree_lab as dt
from dtree_lab.criteria.classes import CRITERIA, ClassCriterion
from dtree_lab.ensemble.adaboost import in_ticks
from dtree_lab.ensemble.random_forest import forest_events
from dtree_lab.grow.engine import packed, thresholds
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.grow.textbook import finish, grow_by_recipe
from dtree_lab.sklearn import AdaBoostStumpClassifier, ForestClassifier, TreeClassifier
from dtree_lab.tree.tree import flatten, walk

PAGE = Path(__file__).parents[1] / "docs/new-criterion.md"
TEXT = PAGE.read_text(encoding="utf-8")
SORTED = patch.multiple(thresholds, _FEW_CELLS=0, _CELLS_PER_ROW=0)
TAX = dt.datasets.tax_fraud()


def block(language):
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return found


@pytest.fixture(scope="module", autouse=True)
def names():
    """What the page's code defines. The registry is as it was when these tests are over."""
    space = {"__name__": "__main__"}
    with patch.dict(CRITERIA):
        exec(compile(block("python"), str(PAGE), "exec", dont_inherit=True), space)  # noqa: S102 - the page's own code
        yield space


def by_km(asked):
    return replace(asked, criterion=CRITERIA["kearns-mansour"])


def formula(counts):
    """By its definition, in the words of the page."""
    n = sum(counts)
    return sum(sqrt(c / n * (1 - c / n)) for c in counts)


# -- the page --------------------------------------------------------------------------------------


def test_the_page_keeps_its_word(names):
    """One class and one line; and its examples print what they say."""
    *_, line = block("python").strip().splitlines()
    assert line.startswith("CRITERIA[")
    test = doctest.DocTestParser().get_doctest(block("pycon"), names, "page", str(PAGE), 0)
    assert doctest.DocTestRunner(verbose=False).run(test) == (0, len(test.examples))
    for name in re.findall(r"`((?:criteria|tests)/\w+\.py)`", TEXT):
        assert any((PAGE.parents[1] / at / name).is_file() for at in ("", "dtree_lab")), name


def test_of_two_classes_it_is_that_of_kearns_and_mansour():
    km = CRITERIA["kearns-mansour"]
    for counts in ([3, 7], [1, 999], [5, 5], [8, 0]):
        p = counts[0] / sum(counts)
        assert km.impurity(np.array([p, 1 - p])) == pytest.approx(2 * sqrt(p * (1 - p)))


@given(st.lists(st.integers(0, 60), min_size=1, max_size=12).filter(any))
def test_its_ticks_are_its_formula(counts):
    km, n = CRITERIA["kearns-mansour"], sum(counts)
    assert km.per_row(km.cost(np.array(counts)), n) == pytest.approx(formula(counts), abs=1e-9)
    assert (km.cost(np.array(counts)) == 0) == (max(counts) == n) == km.pure(np.array(counts))


# -- the law ---------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(tables(gaps=True), recipes(), st.data())
def test_textbook_and_engine_grow_the_same_tree(table, asked, data):
    asked = by_km(asked)
    assert flatten(finish(grow_by_recipe(table, asked)), table.attributes) == grow_tree(
        table, asked
    )
    times = data.draw(weights(len(table)))
    repeated = table.take(np.repeat(np.arange(len(table)), times))
    slow = flatten(finish(grow_by_recipe(repeated, asked)), table.attributes)
    assert slow == grow_tree(table, asked, times)
    with SORTED:
        assert slow == grow_tree(table, asked, times)


@dataclass(frozen=True)
class FloatEntropy(ClassCriterion):
    """Entropy without its exact ticks: sums of logarithms, rounded as they come."""

    name: str = "float-entropy"
    title: str = "entropy in floats"

    def impurity(self, shares):
        return -(shares * np.log2(np.maximum(shares, 1e-300))).sum(axis=-1)


@settings(max_examples=200)
@given(tables(), recipes())
def test_logarithms_in_floats_keep_the_law_too(table, asked):
    asked = replace(asked, criterion=FloatEntropy())
    slow = flatten(finish(grow_by_recipe(table, asked)), table.attributes)
    assert slow == grow_tree(table, asked)
    with SORTED:
        assert slow == grow_tree(table, asked)


@settings(max_examples=80, deadline=None)
@given(tables(), st.integers(0, 9), st.booleans())
def test_textbook_and_engine_grow_the_same_forest(table, seed, by_table):
    """Costs of few rows are looked up, or all are worked out."""
    asked = {"n_trees": 2, "seed": seed, "criterion": "kearns-mansour"}
    with nullcontext() if by_table else patch.object(packed, "digits_base", lambda _: 0):
        fast = dt.random_forest(table, **asked)
    slow = finish(forest_events(table, **asked))
    assert fast.trees == slow.trees


def parts(x):
    """The square root of a whole number as (whole, square-free): sqrt(18) is (3, 2)."""
    whole = next(r for r in range(isqrt(x) or 1, 0, -1) if x % (r * r) == 0)
    return whole, x // (whole * whole)


def cost_on_paper(sides):
    """The cost of some sides of two classes, exactly: how often which square root."""
    total = {}
    for p, q in sides:
        whole, root = parts(p * q)
        total[root] = total.get(root, 0) + whole * bool(p * q)
    return {root: times for root, times in total.items() if times}


def tied_on_paper():
    """Pairs of splits whose costs are equal by definition, and not in floats: rows of each side."""
    for p, q in product(range(2, 13), repeat=2):
        by_cost = {}
        for a, b in product(range(p + 1), range(q + 1)):
            sides = (a, b), (p - a, q - b)
            if 0 < a + b < p + q:
                by_cost.setdefault(frozenset(cost_on_paper(sides).items()), []).append(sides)
        for first, *others in by_cost.values():
            for other in others:
                one, two = (sum(sum(side) * formula(side) for side in s) for s in (first, other))
                if one != two:
                    yield first, other


def column(sides, p, q):
    """The side of each row, those of the first class before those of the second."""
    (a, b), _ = sides
    return [*"l" * a, *"r" * (p - a), *"l" * b, *"r" * (q - b)]


def test_what_is_equal_on_paper_is_a_tie_whatever_floats_make_of_it():
    """By definition 2 * sqrt(pq) a side: the first attribute wins, whichever it is."""
    pairs = list(islice(tied_on_paper(), 0, None, 4))
    assert len(pairs) > 20
    for pair in pairs:
        p, q = (sum(rows) for rows in zip(*pair[0], strict=True))
        columns = [("one", column(pair[0], p, q)), ("two", column(pair[1], p, q))]
        for order in (columns, columns[::-1]):
            table = dt.Table.from_columns({**dict(order), "y": [*"x" * p, *"y" * q]}, target="y")
            tree = dt.id3(table, criterion="kearns-mansour", max_depth=1)
            assert tree.root.split.attribute == 0


# -- all that reads the registry -------------------------------------------------------------------


def test_its_trees_are_saved_and_read_back():
    tree = dt.c45(dt.datasets.penguins(missing="drop"), criterion="kearns-mansour")
    again = dt.Tree.from_json(tree.to_json())
    assert (again, again.criterion, str(again)) == (tree, "kearns-mansour", str(tree))
    with pytest.raises(ValueError, match="must be 'entropy' or 'gini' or 'kearns-mansour', not"):
        dt.Tree.from_json(tree.to_json().replace("kearns-mansour", "kearns"))


def test_every_picture_says_it():
    mpl.use("agg")
    tree = dt.cart(TAX, criterion="kearns-mansour")
    axes = dt.draw.plot(tree)
    plotted = " ".join(text.get_text() for text in axes.findobj(mpl.text.Text))
    mpl.pyplot.close(axes.figure)
    for text in (str(tree), dt.draw.svg(tree), dt.draw.dot(tree), plotted):
        assert "bits" not in text
        assert "Gini" not in text
        for _, node in walk(tree.root):
            assert f"KM {formula(node.counts):.3f}" in text
    scene = dt.draw.layout(tree.root, tree.attributes, tree.target, criterion=tree.criterion)
    assert scene.cards[0].label.endswith("10 rows, Kearns-Mansour impurity 0.917")


def test_it_can_be_boosted():
    table = dt.datasets.penguins(missing="drop")
    boosted = dt.adaboost(table, n_stumps=8, criterion="kearns-mansour")
    assert {tree.criterion for tree in boosted.stumps} == {"kearns-mansour"}
    assert boosted.error(table) < boosted.after(1).error(table)
    # A stump is the best of all cuts of the weighted rows, by the definition.
    km = CRITERIA["kearns-mansour"]
    ticks = in_ticks(np.full(len(table), 1 / len(table)), km)
    split, labels = boosted.stumps[0].root.split, table.labels

    def left(branch):
        sides = [[ticks[(branch == b) & (labels == c)].sum() for c in range(3)] for b in (0, 1)]
        return sum(sum(side) * formula(side) for side in sides)

    best = left(split.branch(table.columns[split.attribute]))
    for column in table.columns:
        if column.dtype == float:
            for cut in np.unique(column)[1:]:
                assert best <= left((column >= cut).astype(int)) * (1 + 1e-9)
    with pytest.raises(ValueError, match="one of 'gini', 'entropy', 'kearns-mansour', 'error'"):
        dt.adaboost(table, criterion="kearns")


def words(lab):
    return json.dumps(lab.view, ensure_ascii=False)


@each(
    "algorithm", ["id3", "c45", "cart", "threshold", "random_forest", "adaboost", "reduced_error"]
)
def test_it_can_be_stepped_through(algorithm):
    lab = dt.StepThrough(TAX, algorithm, criterion="kearns-mansour")
    said = ""
    while lab.cursor < len(lab.events):
        lab.act({"do": "next"})
        said += words(lab)
    assert " bits" not in said
    assert "Gini" not in said
    assert ("Kearns-Mansour impurity" in said) == (algorithm != "adaboost") or "KM 0." in said
    again = dt.StepThrough(TAX, state=lab.state)
    assert again.state == lab.state


def test_estimators_and_cost_complexity_pruning_take_it():
    data = np.arange(12.0)[:, None], np.array([*"aabbaabbbbab"])
    for estimator in (TreeClassifier, ForestClassifier, AdaBoostStumpClassifier):
        model = estimator(criterion="kearns-mansour").fit(*data)
        assert model.feature_importances_.tolist() == [1.0]
    tree = dt.cart(TAX, criterion="kearns-mansour")
    path = dt.prune.cost_complexity_path(tree, measure="kearns-mansour")
    assert path.costs[-1] == pytest.approx(formula((7, 3)))
    assert path[0].criterion == "kearns-mansour"


def test_where_it_is_not_registered_it_is_refused():
    text = dt.cart(TAX, criterion="kearns-mansour").to_json()
    with patch.dict(CRITERIA):
        del CRITERIA["kearns-mansour"]
        with pytest.raises(ValueError, match="must be one of 'entropy', 'gini', because"):
            dt.cart(TAX, criterion="kearns-mansour")
        with pytest.raises(ValueError, match="must be 'entropy' or 'gini', not"):
            dt.Tree.from_json(text)


def test_more_rows_than_its_ticks_can_hold_are_refused():
    km = CRITERIA["kearns-mansour"]
    with pytest.raises(ValueError, match="are too many: their Kearns-Mansour impurity"):
        km.cost(np.array([2**26, 2**26]))
    assert km.cost(np.array([2**25 - 1, 2**25 - 1])) == ((1 << 26) - 2) << 36
