"""Populations: what they draw against what they say is true, and both against the book."""

from __future__ import annotations

import pickle
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab import populations as pop

CLASSES = {
    "wave": pop.wave(),
    "diagonal": pop.diagonal(noise=0.2),
    "circle": pop.circle(noise=0.0),
    "checkerboard": pop.checkerboard(squares=3),
    "two_gaussians": pop.two_gaussians(distance=1.5, angle=30),
    "finite": pop.finite(dt.datasets.truth_table("majority", 3), noise=0.25),
    "three classes": pop.finite(dt.datasets.word_sense(), noise=0.3),
}
NUMBERS = {
    "sine": pop.sine(),
    "curve": pop.curve(np.exp, noise=2.0, low=-1, high=3),
    "finite": pop.finite(
        dt.Table.from_columns({"x": ["a", "a", "b"], "y": [1.0, 4.0, 2.0]}, target="y"), noise=0.5
    ),
}
EVERY = [*CLASSES.values(), *NUMBERS.values(), pop.resampled(dt.datasets.tax_fraud())]


def same(one, other):
    columns = zip((*one.columns, one.labels), (*other.columns, other.labels), strict=True)
    return one.attributes == other.attributes and all(np.array_equal(a, b) for a, b in columns)


@pytest.mark.parametrize("population", EVERY, ids=lambda p: type(p).__name__)
def test_a_seed_draws_the_same_rows_anywhere(population):
    drawn = population.sample(40, seed=3)
    assert len(drawn) == 40
    assert same(drawn, pickle.loads(pickle.dumps(population)).sample(40, seed=3))  # noqa: S301
    assert same(drawn, population.sample(40, seed=np.random.default_rng(3)))
    assert not same(drawn, population.sample(40, seed=4))


@pytest.mark.parametrize("name", CLASSES)
def test_classes_come_as_often_as_is_said(name):
    """Drawn labels minus P(Y | x) have mean 0 wherever one looks, within 5 standard errors."""
    population = CLASSES[name]
    table = population.sample(20_000, seed=1)
    p = population.truth(table).p
    assert np.allclose(p.sum(axis=1), 1)
    seen = np.eye(p.shape[1])[table.labels] - p
    places = [np.ones(len(table)), *(np.asarray(c) - np.mean(c) for c in table.columns)]
    for where in places:
        off, var = where @ seen, (where**2) @ (p * (1 - p))
        assert (np.abs(off) <= 5 * np.sqrt(var) + 1e-9).all()


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_scatter_as_is_said(name):
    population = NUMBERS[name]
    table = population.sample(20_000, seed=1)
    truth = population.truth(table)
    z = (table.labels - truth.mean) / np.sqrt(truth.variance)
    squares = z**2
    assert abs(z.mean()) < 5 / np.sqrt(len(z))
    assert abs(squares.mean() - 1) < 5 * squares.std() / np.sqrt(len(z))


@each("population", [*CLASSES.values(), *NUMBERS.values()])
def test_best_labels_and_weights(population):
    _, truth = population.parted(seed=2)
    assert truth.known
    assert truth.weights.sum() == pytest.approx(1)
    if isinstance(truth, pop.Chances):
        assert np.array_equal(truth.table.labels, truth.p.argmax(axis=1))
        drawn = truth.weights @ (1 - truth.p[np.arange(len(truth.p)), truth.table.labels])
    else:
        assert np.array_equal(truth.table.labels, truth.mean)
        drawn = truth.weights @ truth.variance
    assert truth.least_loss == pytest.approx(drawn)
    if not isinstance(population, pop.Gaussians):  # its error differs from row to row
        assert population.least_loss == pytest.approx(drawn)


@pytest.mark.parametrize("distance", [0.0, 0.7, 2.0, 5.0])
def test_the_bayes_error_of_two_gaussians_is_their_overlap(distance):
    """Half of the integral over the lower of the two densities, by the rectangle rule."""
    x, step = np.linspace(-15, 15, 200_001, retstep=True)
    density = [np.exp(-((x - at) ** 2) / 2) / np.sqrt(2 * np.pi) for at in (0, distance)]
    overlap = np.minimum(*density).sum() * step / 2
    assert pop.two_gaussians(distance=distance).least_loss == pytest.approx(overlap, abs=1e-6)


@given(st.floats(0, 6), st.floats(-180, 180), st.floats(-5, 5), st.floats(-5, 5))
def test_the_chance_of_a_cloud_is_the_ratio_of_densities(distance, angle, x1, x2):
    turn = np.radians(angle)
    middle = np.array([np.cos(turn), np.sin(turn)]) * distance / 2
    first, second = (
        np.exp(-(((np.array([x1, x2]) - m) ** 2).sum()) / 2) for m in (-middle, middle)
    )
    found = pop.two_gaussians(distance=distance, angle=angle).chance(np.array([x1]), np.array([x2]))
    assert found[0] == pytest.approx(second / (first + second), abs=1e-9)


@pytest.mark.parametrize(
    ("population", "inside"),
    [
        (pop.diagonal(noise=0), lambda a, b: a + b > 1),
        (pop.wave(height=0.1, noise=0), lambda a, b: b > 0.5 + 0.1 * np.sin(2 * np.pi * a)),
        (pop.circle(radius=0.3, noise=0), lambda a, b: (a - 0.5) ** 2 + (b - 0.5) ** 2 < 0.09),
        (pop.checkerboard(noise=0), lambda a, b: (a > 0.5) != (b > 0.5)),
    ],
)
def test_forms(population, inside):
    table = population.sample(500, seed=5)
    x1, x2 = table.columns
    assert ((x1 >= 0) & (x1 < 1) & (x2 >= 0) & (x2 < 1)).all()
    assert np.array_equal(table.labels == 1, inside(x1, x2))


def test_half_of_the_square_is_in_the_usual_circle():
    assert pop.circle().grid(400).labels.mean() == pytest.approx(0.5, abs=0.002)


def test_a_grid_reads_from_the_bottom_left():
    grid = pop.plane(lambda x1, x2: (x1 > 0.5) & (x2 < 0.5), noise=0.3).grid(2)
    assert grid.column("x1") == [0.25, 0.75, 0.25, 0.75]
    assert grid.column("x2") == [0.25, 0.25, 0.75, 0.75]
    assert grid.column("class") == ["-", "+", "-", "-"]
    clouds = pop.two_gaussians(distance=4).grid(9)
    assert (min(clouds.column("x1")), max(clouds.column("x1"))) == pytest.approx((-32 / 9, 32 / 9))


def test_the_curve_is_what_it_is_of():
    x = np.array([0.0, 0.25, 0.5, 0.75])
    table = dt.Table.from_columns({"x": x, "y": np.zeros(4)}, target="y", target_kind="continuous")
    assert pop.sine().truth(table).mean == pytest.approx([0, 1, 0, -1])
    constant = pop.curve(lambda x: 7.0, noise=0.0)
    assert set(constant.sample(5).column("y")) == {7.0}


def shares(table):
    """For each different row, how often each label comes with it, by the dozen."""
    cells = defaultdict(Counter)
    for row in table.rows():
        label = row.pop(table.target.name)
        cells[tuple(row.values())][label] += 1
    return cells


@settings(max_examples=60)
@given(tables(max_rows=15), st.sampled_from([0.0, 0.1, 0.5]))
def test_a_finite_population_by_counting(table, noise):
    k = len(table.classes)
    noise = noise if k > 1 else 0.0
    every = pop.finite(table, noise=noise).everything
    cells = shares(table)
    assert len(every.table) == len(cells)
    for i, row in enumerate(every.table.rows()):
        row.pop("y")
        labels = cells.pop(tuple(row.values()))
        n = labels.total()
        assert every.weights[i] == pytest.approx(Fraction(n, len(table)))
        for c, p in zip(table.classes, every.p[i], strict=True):
            others = (n - labels[c]) / n
            expected = labels[c] / n * (1 - noise) + (others * noise / (k - 1) if k > 1 else 0)
            assert p == pytest.approx(expected)


@settings(max_examples=60)
@given(number_tables(max_rows=15))
def test_a_finite_population_of_numbers_by_counting(table):
    every = pop.finite(table, noise=2.0).everything
    cells = shares(table)
    for i, row in enumerate(every.table.rows()):
        row.pop("y")
        labels = list(cells.pop(tuple(row.values())).elements())
        assert every.weights[i] == pytest.approx(len(labels) / len(table))
        assert every.mean[i] == pytest.approx(np.mean(labels))
        largest = max(map(abs, labels)) ** 2
        assert every.variance[i] == pytest.approx(np.var(labels) + 4, abs=1e-9 * largest)
    assert not cells


@settings(max_examples=30)
@given(tables(max_rows=10).filter(lambda t: len(t.classes) > 1))
def test_the_truth_of_some_rows_is_that_of_all(table):
    population = pop.finite(table, noise=0.2)
    drawn = population.sample(7, seed=1)
    truth, every = population.truth(drawn), population.everything
    rows = [tuple(c[i] for c in every.table.columns) for i in range(len(every.table))]
    for i in range(7):
        at = rows.index(tuple(c[i] for c in drawn.columns))
        assert np.array_equal(truth.p[i], every.p[at])


def numbered(n):
    return dt.Table.from_columns({"i": range(n), "y": ["H", "T"] * (n // 2)}, target="y")


@given(st.integers(2, 20), st.integers(0, 9), st.booleans())
def test_a_pool_keeps_its_test_rows_apart(pairs, seed, replace):
    n = 2 * pairs
    pool, held = pop.resampled(numbered(n), replace=replace).parted(seed=seed)
    inside, outside = pool.table.column("i"), held.table.column("i")
    assert sorted(inside + outside) == list(range(n))
    assert abs(len(outside) - n / 3) <= 0.5
    assert not held.known
    drawn = pool.sample(seed=seed).column("i")
    assert set(drawn) <= set(inside)
    assert len(drawn) == (len(inside) if replace else (len(inside) + 1) // 2)
    if not replace:
        assert len(set(drawn)) == len(drawn)


def test_a_pool_draws_every_row_alike():
    """Each of 6 rows comes 1,000 times on average, spread as a binomial count."""
    pool = pop.resampled(numbered(6))
    counts = Counter(i for seed in range(1000) for i in pool.sample(seed=seed).column("i"))
    assert all(abs(counts[i] - 1000) < 5 * np.sqrt(6000 * 1 / 6 * 5 / 6) for i in range(6))


def test_labels_of_other_rows_are_read_by_name():
    pool = pop.resampled(numbered(4))
    other = dt.Table.from_columns(
        {"i": [9, 8], "y": ["T", "H"]}, target="y", kinds={"y": ("T", "H")}
    )
    same_pool, truth = pool.parted(other)
    assert same_pool is pool
    assert truth.p.tolist() == [[0, 1], [1, 0]]
    assert truth.table.column("y") == ["T", "H"]
    assert truth.least_loss == 0


@each(
    ("make", "match"),
    [
        (lambda: pop.diagonal(noise=0.6), r"noise=0\.6 must be a number from 0 to 0\.5"),
        (lambda: pop.circle(radius=0.7), "radius="),
        (lambda: pop.wave(height="tall"), "height='tall'"),
        (lambda: pop.checkerboard(squares=0), "squares=0"),
        (lambda: pop.two_gaussians(distance=-1), "distance=-1 must be a number from 0 up"),
        (lambda: pop.two_gaussians(distance=float("inf")), "finite"),
        (lambda: pop.sine(noise=-1), "noise=-1"),
        (lambda: pop.sine(noise=float("nan")), "noise=nan"),
        (lambda: pop.curve(np.abs, low=1, high=1), "low=1 must be below high=1"),
        (
            lambda: pop.curve(lambda x: np.where(x < 0.5, x, np.inf)).sample(9),
            "not finite at x = 0",
        ),
        (lambda: pop.plane(np.less, classes=("a", "a")), "two different"),
        (lambda: pop.sine().sample(0), "n_rows=0 must be a whole number, at least 1"),
        (lambda: pop.diagonal().sample(2.5), r"n_rows=2\.5"),
        (lambda: pop.sine().parted(0), "test=0"),
        (lambda: pop.finite(numbered(4), noise=2), "noise=2"),
        (lambda: pop.finite(numbered(4)).truth(numbered(6)), "test row 5 is none"),
        (lambda: pop.resampled(numbered(4)).parted(4), "test=4 leaves none"),
        (
            lambda: pop.resampled(numbered(4), replace=False).sample(5),
            "n_rows=5 is more than the 4",
        ),
        (
            lambda: pop.resampled(numbered(4)).truth(dt.datasets.tax_fraud()),
            "the test rows' target is 'Cheat'",
        ),
        (
            lambda: pop.resampled(numbered(4)).truth(
                dt.Table.from_columns({"i": [1], "y": ["E"]}, target="y")
            ),
            "label 'E'",
        ),
    ],
)
def test_what_is_out_of_range_is_said(make, match):
    with pytest.raises(ValueError, match=match):
        make()


def test_what_is_no_function_or_table():
    with pytest.raises(TypeError, match="rule must be a function"):
        pop.plane("x1 > x2")
    with pytest.raises(TypeError, match="function must be a function"):
        pop.curve(3)
    for make in (pop.finite, pop.resampled):
        with pytest.raises(TypeError, match=r"made from a dt\.Table; got a list"):
            make([1, 2])


def test_gaps_and_single_classes_have_no_truth():
    gappy = dt.Table.from_columns({"x": [1, None], "y": ["a", "b"]}, "y", missing="keep")
    with pytest.raises(ValueError, match="missing='drop'"):
        pop.finite(gappy)
    alone = dt.Table.from_columns({"x": [1, 2], "y": ["a", "a"]}, target="y")
    assert pop.finite(alone).sample(3).column("y") == ["a", "a", "a"]
    with pytest.raises(ValueError, match="single class"):
        pop.finite(alone, noise=0.1)


def test_a_population_is_made_of_rows_that_count_alike():
    table = dt.Table.from_columns({"x": [1, 2], "y": ["a", "b"], "w": [1, 3]}, "y", weights="w")
    for make in (pop.finite, pop.resampled, lambda rows: dt.evaluate.bias_variance(rows, dt.id3)):
        with pytest.raises(ValueError, match=r"weigh 'w'; .*dt\.bootstrap\(table\)\.sample"):
            make(table)
    assert pop.finite(dt.bootstrap(table).sample).sample().n_rows == 4


def test_test_rows_count_as_they_weigh():
    ends = {"x1": [0.1, 0.9], "x2": [0.1, 0.9], "side": ["below", "above"]}
    light = dt.Table.from_columns(ends, "side", weights=[1, 3])
    long = light.take(np.array([0, 1, 1, 1]))
    long = dt.Table(long.attributes, long.target, long.columns, long.labels)
    for population in (pop.diagonal(noise=0.2), pop.resampled(long), pop.finite(long)):
        one, other = (population.truth(rows) for rows in (light, long))
        assert one.weights.tolist() == [0.25, 0.75]
        assert one.least_loss == pytest.approx(other.least_loss)
    weighed = (
        dt.evaluate.bias_variance(pop.diagonal(), dt.id3, test=t, repeats=10) for t in (light, long)
    )
    assert len({round(found.loss, 12) for found in weighed}) == 1
