"""How good a model is, against scikit-learn, SciPy, counting by hand, and the laws of intervals."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn import metrics
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab import evaluate as e
from dtree_lab.sklearn import ForestClassifier, TreeClassifier

Z = NormalDist().inv_cdf(0.975)


@pytest.fixture(scope="module")
def halves():
    rows = dt.datasets.penguins()
    return e.holdout(rows, 0.4, seed=3)


def small_tree(table):
    return dt.cart(table, max_depth=2)


def weighed(table, times):
    """The table with weights, and the table with its rows repeated."""
    names = [*table.names, table.target.name]
    columns = {name: table.column(name) for name in names}
    one = dt.Table.from_columns(
        columns | {"n": times}, target=names[-1], weights="n", missing="keep"
    )
    return one, table.take(np.repeat(np.arange(table.n_rows), times))


@settings(max_examples=60, deadline=None)
@given(tables(gaps=True), st.integers(0, 9))
def test_a_confusion_counts_rows_by_true_and_predicted_class(table, seed):
    tree = small_tree(table.take(np.random.default_rng(seed).permutation(table.n_rows)[: 1 + seed]))
    found = e.confusion(tree, table)
    said = tree.predict(table).tolist()
    counted = Counter(zip(table.column(table.target.name), said, strict=True))
    assert found.classes == table.classes
    for i, true in enumerate(found.classes):
        for j, predicted in enumerate(found.classes):
            assert found.counts[i, j] == counted[true, predicted]
    assert float(found.accuracy) == pytest.approx(1 - tree.error(table))


def test_precision_and_recall_are_those_of_scikit_learn(halves):
    tree = small_tree(halves[0])
    true, said = halves[1].column("species"), tree.predict(halves[1]).tolist()
    for ours, theirs in ((e.precision, metrics.precision_score), (e.recall, metrics.recall_score)):
        expected = theirs(true, said, average=None, labels=list(tree.classes))
        assert [float(one) for one in ours(tree, halves[1])] == pytest.approx(expected.tolist())
    assert float(e.accuracy(tree, halves[1])) == metrics.accuracy_score(true, said)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_ends_where_the_share_is_z_standard_errors_away(hits_of):
    hits, n = hits_of
    table = dt.Table.from_columns(
        {"x": ["a"] * n, "y": ["no"] * hits + ["yes"] * (n - hits)}, target="y"
    )
    no = dt.Tree.of(
        dt.Table.from_columns({"x": ["a", "a"], "y": ["no", "no"]}, target="y"), dt.Leaf((2,))
    )
    found = e.accuracy(no, table)
    assert found.value == hits / n
    for end, outermost in ((found.low, hits == 0), (found.high, hits == n)):
        far = Z * sqrt(end * (1 - end) / n)
        assert abs(found.value - end) == (0 if outermost else pytest.approx(far, abs=1e-12))
    narrow = e.accuracy(no, table, confidence=0.5)
    assert found.low <= narrow.low <= narrow.value <= narrow.high <= found.high


@settings(max_examples=60, deadline=None)
@given(tables(gaps=True, max_classes=3), st.integers(0, 3), st.booleans())
def test_a_curve_is_that_of_scikit_learn(table, depth, forest):
    model = (
        dt.random_forest(table, n_trees=5, max_depth=depth)
        if forest
        else dt.cart(table, max_depth=depth)
    )
    for k, positive in enumerate(table.classes):
        true = np.array(table.column(table.target.name), dtype=object) == positive
        if true.all() or not true.any():
            with pytest.raises(ValueError, match="a curve needs rows of"):
                e.roc(model, table, positive)
            continue
        shares = model.shares(table)[:, k]
        found = e.roc(model, table, positive)
        false, hit, cuts = metrics.roc_curve(true, shares, drop_intermediate=False)
        assert found.false_positives == pytest.approx(false)
        assert found.true_positives == pytest.approx(hit)
        assert found.thresholds == pytest.approx(cuts)
        assert float(found.area) == pytest.approx(metrics.roc_auc_score(true, shares))


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_an_area_s_interval_ends_where_it_is_z_standard_errors_away(halves, confidence):
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    for tree in (small_tree(halves[0]), dt.cart(halves[0])):
        area = e.roc(tree, halves[1], "Chinstrap", confidence=confidence).area
        n = halves[1].column("species").count("Chinstrap")
        m = halves[1].n_rows - n
        for end in (area.low, area.high):
            # Hanley and McNeil (1982), with their two probabilities.
            both, twice = end / (2 - end), 2 * end**2 / (1 + end)
            spread = end * (1 - end) + (n - 1) * (both - end**2) + (m - 1) * (twice - end**2)
            assert abs(area.value - end) == pytest.approx(z * sqrt(spread / (n * m)), abs=1e-9)
        assert 0 < area.low < area.value < area.high < 1


def test_an_area_of_one_is_not_told_as_certain():
    table = dt.Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]}, target="y")
    area = e.roc(dt.cart(table), table, "a").area
    assert (area.value, area.high) == (1.0, 1.0)
    assert area.low < 0.9


@settings(max_examples=40, deadline=None)
@given(tables(max_classes=3), st.integers(1, 12))
def test_calibration_groups_rows_by_what_is_said(table, bins):
    tree = small_tree(table)
    positive = table.classes[0]
    shares = tree.shares(table)[:, 0]
    true = [v == positive for v in table.column(table.target.name)]
    found = e.calibration(tree, table, positive, bins=bins)
    assert found.brier == pytest.approx(float(np.mean((shares - np.array(true)) ** 2)))
    few = len(set(shares.tolist())) <= bins
    groups: dict[float, list[int]] = {}
    for i, share in enumerate(shares.tolist()):
        groups.setdefault(share if few else min(int(share * bins), bins - 1), []).append(i)
    assert len(found.groups) == len(groups)
    for group, (_, rows) in zip(found.groups, sorted(groups.items()), strict=True):
        assert group.happened.rows == len(rows)
        assert group.predicted == pytest.approx(float(np.mean(shares[rows])))
        happened = float(np.mean([true[i] for i in rows]))
        assert group.happened.value == pytest.approx(happened)
        assert group.happened.low <= group.happened.value <= group.happened.high


def test_two_trees_on_the_same_rows_by_hand():
    # Of 10 rows the second is right and the first wrong on 4, the other way round on 1.
    rows = {"x": list("aaaabccccc"), "y": list("nnnnyyyyyy")}
    table = dt.Table.from_columns(rows, target="y")
    first = dt.by_hand(table, {(): ("x", [["a", "c"], ["b"]])})
    second = dt.by_hand(table, {(): ("x", [["a", "b"], ["c"]])})
    found = e.paired(first, second, table)
    assert (found.better, found.worse) == (4, 1)
    assert float(found.difference) == pytest.approx(0.3)
    assert found.p_value == pytest.approx(2 * (1 + 5) / 2**5)  # none or one of five, twice
    # With half a row more in each of the four cells: 4.5 and 1.5 of 12.
    half = Z * sqrt(4.5 + 1.5 - 3**2 / 12) / 12
    assert (found.difference.low, found.difference.high) == pytest.approx(
        (0.25 - half, 0.25 + half)
    )


@settings(max_examples=40, deadline=None)
@given(tables(gaps=True))
def test_p_is_that_of_the_sign_test(table):
    found = e.paired(dt.stump(table), small_tree(table), table)
    n = round(found.better + found.worse)
    if n:
        assert found.p_value == pytest.approx(binomtest(round(found.better), n).pvalue)
    else:
        assert np.isnan(found.p_value)
    errors = dt.stump(table).error(table) - small_tree(table).error(table)
    assert float(found.difference) == pytest.approx(errors)
    assert found.difference.low <= found.difference.value <= found.difference.high


@settings(max_examples=40, deadline=None)
@given(number_tables(gaps=True))
def test_of_numbers_the_difference_is_of_squares(table):
    one, other = dt.stump(table), small_tree(table)
    off = [np.square(m.predict(table) - table.labels) for m in (one, other)]
    found = e.paired(one, other, table)
    assert float(found.difference) == pytest.approx(float(np.mean(off[0] - off[1])))
    if table.n_rows > 1:
        error = float(np.std(off[0] - off[1], ddof=1)) / sqrt(table.n_rows)
        assert found.difference.high - found.difference.low == pytest.approx(2 * Z * error)


@settings(max_examples=40, deadline=None)
@given(tables(max_classes=3), st.data())
def test_a_row_that_weighs_n_counts_as_n_rows(table, data):
    times = data.draw(st.lists(st.integers(1, 3), min_size=table.n_rows, max_size=table.n_rows))
    heavy, repeated = weighed(table, times)
    tree, other = small_tree(table), dt.stump(table)
    one, many = (e.confusion(tree, t) for t in (heavy, repeated))
    assert np.array_equal(one.counts, many.counts)
    assert [repr(m) for m in one.recall] == [repr(m) for m in many.recall]
    assert repr(e.paired(tree, other, heavy)) == repr(e.paired(tree, other, repeated))
    positive = table.classes[0]
    assert repr(e.calibration(tree, heavy, positive)) == repr(
        e.calibration(tree, repeated, positive)
    )
    if 0 < repeated.labels.tolist().count(0) < repeated.n_rows:
        assert repr(e.roc(tree, heavy, positive)) == repr(e.roc(tree, repeated, positive))


def test_whatever_the_library_grows_can_be_measured(halves):
    train, test = halves
    grown = [
        dt.id3(train, max_depth=3),
        dt.random_forest(train, n_trees=7),
        dt.adaboost(train, n_stumps=7),
        dt.bagged(dt.cart, 5)(train),
    ]
    for model in grown:
        assert float(e.accuracy(model, test)) == pytest.approx(1 - model.error(test))
        assert 0.5 < float(e.roc(model, test, "Adelie").area) <= 1
        assert sum(g.happened.rows for g in e.calibration(model, test, "Adelie").groups) == len(
            test
        )
    iris = {"x": [1, 2, 3, 4, 5, 6], "y": ["a", "a", "b", "b", "b", "a"]}
    table = dt.Table.from_columns(iris, target="y")
    x, y = np.array(iris["x"], dtype=float).reshape(-1, 1), iris["y"]
    for estimator in (TreeClassifier(), ForestClassifier(n_estimators=5, random_state=0)):
        fitted = estimator.fit(x, y)
        name = fitted._grown().attributes[0].name
        renamed = dt.Table.from_columns({name: iris["x"], "y": y}, target="y")
        said = fitted.predict(x).tolist()
        assert float(e.accuracy(fitted, renamed)) == metrics.accuracy_score(y, said)
    assert float(e.accuracy(dt.cart(table), table)) == 1


def test_what_cannot_be_measured_is_said(halves):
    table = dt.datasets.tax_fraud()
    tree = dt.id3(table)
    numbers = dt.Table.from_columns({"x": [1, 2], "y": [0.5, 1.5]}, target="y")
    for wrong, error, words in (
        (lambda: e.confusion(3, table), TypeError, r"model must have a predict\(table\)"),
        (lambda: e.confusion(tree, "rows.csv"), TypeError, "must be a dt.Table"),
        (lambda: e.confusion(tree, halves[0]), ValueError, "the model predicts 'Cheat'"),
        (lambda: e.confusion(dt.cart(numbers), numbers), ValueError, "'y' is continuous"),
        (lambda: e.accuracy(tree, table, confidence=95), ValueError, "between 0 and 1"),
        (lambda: e.roc(tree, table, "Maybe"), ValueError, "positive='Maybe' must be a class"),
        (lambda: e.calibration(tree, table, "Yes", bins=0), ValueError, "bins=0"),
        (lambda: e.precision(tree, table)["Maybe"], KeyError, "there are 'No', 'Yes'"),
    ):
        with pytest.raises(error, match=words):
            wrong()


def test_each_has_a_picture_and_its_numbers_as_text(halves):
    train, test = halves
    tree, forest = small_tree(train), dt.random_forest(train, n_trees=9)
    shown = {
        "accuracy": e.accuracy(tree, test),
        "95 % intervals": e.recall(tree, test),
        "Looking for Gentoo": e.roc(forest, test, "Gentoo"),
        "How often it is Gentoo": e.calibration(forest, test, "Gentoo"),
        "Two models on the same rows": e.paired(tree, forest, test),
        "cross-validated error": dt.prune.choose_alpha(dt.cart, test, folds=3),
    }
    for words, one in shown.items():
        bundle = one._repr_mimebundle_()
        assert words in bundle["text/plain"]
        assert "data:image/svg+xml" in bundle["text/html"]
        assert words in bundle["text/html"]
    page = e.confusion(tree, test)._repr_mimebundle_()["text/html"]
    assert page.count("color-mix") == 9
    assert "said Gentoo" in page


def test_the_path_is_the_table_that_rpart_prints():
    # R 4.2.2, rpart 4.1.19, on the 333 penguins without gaps: rpart(species ~ ., d, control =
    # rpart.control(cp=0, minsplit=20, minbucket=7, xval=0))$cptable, columns CP, nsplit, rel error.
    printed = [
        (0.6203208556150, 0, 1.0),
        (0.2887700534759, 1, 0.3796791443850),
        (0.0267379679144, 2, 0.0909090909091),
        (0.0, 3, 0.0641711229947),
    ]
    rows = dt.datasets.penguins()
    whole = [i for i, row in enumerate(rows.rows()) if None not in row.values()]
    choice = dt.prune.choose_alpha(dt.cart, rows.take(whole), min_rows=20, min_leaf=7)
    path = choice.path
    root = path.costs[-1]
    found = zip(path.alphas / root, path.n_leaves - 1, path.costs / root, strict=True)
    assert len(whole) == 333
    for ours, theirs in zip(reversed(list(found)), printed, strict=True):
        assert ours == pytest.approx(theirs)
    lines = repr(choice).splitlines()
    assert [line.split()[1] for line in lines[2:]] == ["1", "2", "3", "4"]
    assert sum("lowest" in line for line in lines) == 1
    with pytest.raises(ValueError, match="a leaf, as the choice's"):
        dt.prune.cost_complexity(path.tree, choice)
    by_gini = dt.prune.choose_alpha(dt.cart, rows.take(whole[:99]), measure="gini", folds=3)
    assert "training gini" in repr(by_gini)


def test_within_one_standard_error_is_the_smallest_that_is():
    errors, spread = (0.5, 0.33, 0.31, 0.25, 0.25), (0.1, 0.07, 0.07, 0.07, 0.07)
    choice = e.Choice("k", 1, (1, 2, 3, 4, 5), errors, spread, (1, 2, 3, 4, 5))
    assert choice.values[choice.lowest] == 4
    assert choice.values[choice.within_one_se] == 3
