"""Bias and variance against their definitions, enumerated training sets and closed forms."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from math import comb, sqrt

import joblib
import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import dtree_lab as dt
from dtree_lab import populations as pop
from dtree_lab.base.random import bootstrap_rows, key_of
from dtree_lab.ensemble.bagging import bagged
from dtree_lab.evaluate import Decomposed, Resampled, bias_variance
from dtree_lab.evaluate.decomposition import domingos, kohavi_wolpert, squared

# -- what is grown ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Says:
    """Predicts the same for every row."""

    answer: object

    def predict(self, table):
        return np.full(len(table), self.answer)


def mean_of(table):
    return Says(table.labels.mean())


def majority_of(table):
    return Says(table.classes[table.counts().argmax()])


@dataclass(frozen=True)
class Nearest:
    """Predicts what the nearest training row had; the first of several nearest."""

    x: np.ndarray
    y: np.ndarray

    def predict(self, table):
        far = np.abs(table.columns[0][:, None] - self.x)
        return self.y[far.argmin(axis=1)]


def nearest(table):
    return Nearest(table.columns[0], table.labels)


@dataclass(frozen=True)
class Coin:
    """Predicts a class by chance alone, and remembers what chance."""

    seed: int
    classes: tuple

    def predict(self, table):
        rng = np.random.default_rng(self.seed)
        return np.array(self.classes)[rng.integers(len(self.classes), size=len(table))]


class OneTooFew:
    """Predicts one answer too few."""

    def predict(self, table):
        return np.zeros(len(table) - 1)


def coin(table, *, seed=0):
    return Coin(seed, table.classes)


# -- the laws --------------------------------------------------------------------------------------


@st.composite
def guesses(draw):
    """Predicted codes of some rows by some training sets, and P(Y | x) of those rows."""
    k, n, rows = draw(st.integers(2, 4)), draw(st.integers(2, 7)), draw(st.integers(1, 4))
    codes = draw(hnp.arrays(np.int32, (n, rows), elements=st.integers(0, k - 1)))
    p = draw(hnp.arrays(np.float64, (rows, k), elements=st.integers(0, 5).map(float)))
    p[:, 0] += p.sum(axis=1) == 0
    return codes, truth_of(p / p.sum(axis=1, keepdims=True))


def truth_of(p, weights=None):
    rows, k = p.shape
    kinds = {"y": [f"c{c}" for c in range(k)]}
    labels = [f"c{c}" for c in p.argmax(axis=1)]
    table = dt.Table.from_columns({"i": range(rows), "y": labels}, target="y", kinds=kinds)
    return pop.Chances(table, np.full(rows, 1 / rows) if weights is None else weights, p)


def add_up(terms):
    return terms.net_noise + terms.bias + terms.net_variance


def by_theorem(said, p):
    """Theorem 3, every probability counted one prediction and one label at a time."""
    k = len(p)
    pairs = [(y, t, p[t] / len(said)) for y in said for t in range(k)]  # independent

    def prob(event, given=lambda y, t: True):
        below = sum(w for y, t, w in pairs if given(y, t))
        return sum(w for y, t, w in pairs if given(y, t) and event(y, t)) / below

    best = max(range(k), key=lambda c: p[c])
    main = max(range(k), key=said.count)
    noise, variance = prob(lambda y, t: t != best), prob(lambda y, t: y != main)
    hit = prob(lambda y, t: y == best)
    c1, c2 = hit, 1.0
    if noise and hit < 1:
        c1 -= (1 - hit) * prob(lambda y, t: y == t, lambda y, t: best not in (y, t))
    if main != best:
        c2 = -prob(lambda y, t: y == best, lambda y, t: y != main) if variance else 0.0
    return {
        "loss": prob(lambda y, t: y != t),
        "noise": noise,
        "bias": float(main != best),
        "variance": variance,
        "net_noise": c1 * noise,
        "net_variance": c2 * variance,
        "two-class net_noise": (2 * hit - 1) * noise,
        "two-class net_variance": variance if main == best else -variance,
    }


@settings(max_examples=200)
@given(guesses())
def test_domingos_by_his_theorem(given_):
    codes, truth = given_
    terms = domingos(codes, truth)
    for x, p in enumerate(truth.p):
        expected = by_theorem(codes[:, x].tolist(), p)
        for name in ("loss", "noise", "bias", "variance", "net_noise", "net_variance"):
            assert getattr(terms, name)[x] == pytest.approx(expected[name], abs=1e-12), name
        if len(p) == 2:  # theorem 2
            for name in ("net_noise", "net_variance"):
                assert expected[f"two-class {name}"] == pytest.approx(expected[name], abs=1e-12)


@settings(max_examples=200)
@given(guesses())
def test_terms_add_up_to_the_loss_for_classes(given_):
    codes, truth = given_
    loss = [np.mean([1 - p[c] for c in said]) for said, p in zip(codes.T, truth.p, strict=True)]
    for decompose in (domingos, kohavi_wolpert):
        terms = decompose(codes, truth)
        assert terms.loss == pytest.approx(loss)
        assert add_up(terms) == pytest.approx(loss)


numbers = st.floats(-100, 100)


@settings(max_examples=200)
@given(
    st.integers(2, 6).flatmap(lambda n: hnp.arrays(float, (n, 3), elements=numbers)),
    hnp.arrays(float, 3, elements=numbers),
    hnp.arrays(float, 3, elements=st.floats(0, 100)),
)
def test_terms_add_up_to_the_loss_for_numbers(said, mean, variance):
    table = dt.Table.from_columns({"i": range(3), "y": mean}, target="y", target_kind="continuous")
    terms = squared(said, pop.Numbers(table, np.full(3, 1 / 3), mean, variance))
    loss = variance + np.mean([(row - mean) ** 2 for row in said], axis=0)
    assert terms.loss == pytest.approx(loss)
    assert add_up(terms) == pytest.approx(loss, abs=1e-9)
    assert terms.variance == pytest.approx(np.var(said, axis=0, ddof=1), abs=1e-9)
    assert terms.main == pytest.approx(said.mean(axis=0))


@settings(max_examples=100)
@given(guesses())
def test_kohavi_and_wolpert_is_squared_error_of_indicators(given_):
    """Each class as a column of 0 and 1: half the sum of their squared-error terms."""
    codes, truth = given_
    terms = kohavi_wolpert(codes, truth)
    halves = []
    for c in range(truth.p.shape[1]):
        p = truth.p[:, c]
        numbers = pop.Numbers(truth.table, truth.weights, p, p * (1 - p))
        halves.append(squared((codes == c).astype(float), numbers))
    for name in ("noise", "bias", "variance"):
        assert getattr(terms, name) == pytest.approx(
            sum(getattr(half, name) for half in halves) / 2, abs=1e-12
        )


# -- all training sets of a tiny population --------------------------------------------------------

SPAM = pop.finite(
    dt.Table.from_columns(
        {"link": ["yes", "yes", "no", "no", "no"], "y": ["spam", "ham", "ham", "ham", "spam"]},
        target="y",
    )
)
LENGTHS = pop.finite(
    dt.Table.from_columns({"x": [0.0, 1.0, 1.0, 3.0], "y": [0.0, 2.0, 5.0, 1.0]}, target="y")
)


def every_training_set(population, n_rows):
    """All ways to draw rows from a finite population, each as probable as the other."""
    rows = range(len(population.table))
    return [population.table.take(list(drawn)) for drawn in product(rows, repeat=n_rows)]


def all_codes(population, n_rows, grower):
    """What each of these training sets leads to, for all rows of the population."""
    truth = population.everything
    code = truth.table.target.code
    said = [grower(t).predict(truth.table) for t in every_training_set(population, n_rows)]
    return np.array([[code(v) for v in one.tolist()] for one in said]), truth


def exactly(truth, codes):
    """Kohavi and Wolpert's terms by their definition, no estimate."""
    q = np.stack([(codes == c).mean(axis=0) for c in range(truth.p.shape[1])], axis=1)
    w = truth.weights
    return {
        "noise": w @ (1 - (truth.p**2).sum(axis=1)) / 2,
        "bias": w @ ((truth.p - q) ** 2).sum(axis=1) / 2,
        "variance": w @ (1 - (q**2).sum(axis=1)) / 2,
    }


def test_two_training_sets_suffice_on_average_for_kohavi_and_wolpert():
    """The estimate from two training sets, averaged over all pairs of them, is exact."""
    codes, truth = all_codes(SPAM, 2, dt.id3)
    each = [kohavi_wolpert(codes[[i, j]], truth) for i, j in product(range(len(codes)), repeat=2)]
    expected = exactly(truth, codes)
    for name, value in expected.items():
        mean = truth.weights @ np.mean([getattr(one, name) for one in each], axis=0)
        assert mean == pytest.approx(value), name
    assert expected["bias"] > 0.01
    assert expected["variance"] > 0.01


def test_two_training_sets_suffice_on_average_for_squared_error():
    truth = LENGTHS.everything
    said = np.array([nearest(t).predict(truth.table) for t in every_training_set(LENGTHS, 2)])
    each = [squared(said[[i, j]], truth) for i, j in product(range(len(said)), repeat=2)]
    bias, variance = (
        np.mean([getattr(one, t) for one in each], axis=0) for t in ("bias", "variance")
    )
    assert variance == pytest.approx(said.var(axis=0))
    assert bias == pytest.approx((said.mean(axis=0) - [0, 3.5, 1]) ** 2)


def in_batches(measure, batches=12):
    """The mean of a measure over independent seeds, and the standard error of that mean."""
    found = np.array([measure(seed) for seed in range(batches)])
    return found.mean(axis=0), found.std(axis=0, ddof=1) / sqrt(batches)


def test_drawn_training_sets_come_to_the_enumerated_terms():
    codes, truth = all_codes(SPAM, 3, dt.id3)
    expected = exactly(truth, codes)

    def measure(seed):
        result = bias_variance(
            SPAM, dt.id3, n_rows=3, repeats=40, seed=seed, decomposition="kohavi-wolpert"
        )
        assert result.noise == pytest.approx(expected["noise"])
        assert result.losses.mean() == pytest.approx(result.loss)  # rows of unequal weight
        return result.bias, result.variance

    mean, error = in_batches(measure)
    assert (np.abs(mean - [expected["bias"], expected["variance"]]) < 5 * error).all()


def test_drawn_training_sets_come_to_the_enumerated_main_predictions():
    """Domingos's terms need the share of training sets that predict each class, and no more."""
    codes, truth = all_codes(SPAM, 3, dt.id3)
    whole = domingos(codes, truth)
    n = 800
    result = bias_variance(SPAM, dt.id3, n_rows=3, repeats=n)
    shares = np.stack([(codes == c).mean(axis=0) for c in (0, 1)])
    assert (np.abs(shares - 0.5) > 5 * sqrt(0.25 / n)).all(), "too near a tie to be told apart"
    assert np.array_equal(result.by_row.main, whole.main)
    assert result.bias == pytest.approx(truth.weights @ whole.bias)
    assert result.noise == pytest.approx(truth.weights @ whole.noise)
    assert (np.abs(result.by_row.variance - whole.variance) < 5 * sqrt(0.25 / n)).all()


# -- closed forms ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_rows", [1, 4, 7])
def test_the_majority_of_coins(n_rows):
    """Heads in 3 of 5 throws: how often n throws have a majority of tails is a binomial sum."""
    coins = pop.finite(dt.Table.from_columns({"y": [*"HHHTT"]}, target="y"))
    tails = sum(  # the first class, heads, wins a tie
        comb(n_rows, t) * 0.4**t * 0.6 ** (n_rows - t) for t in range(n_rows + 1) if t > n_rows - t
    )
    n = 1000
    result = bias_variance(coins, majority_of, n_rows=n_rows, repeats=n)
    assert result.noise == pytest.approx(0.4)
    assert result.bias == 0
    assert result.net_noise == pytest.approx((1 - 2 * result.variance) * 0.4)
    assert abs(result.variance - tails) < 5 * sqrt(tails * (1 - tails) / n)
    assert result.net_variance == pytest.approx(result.unbiased_variance)


def test_the_mean_of_a_sine():
    """Its bias is the sine itself; its variance that of y, 1/2 + 0.3**2, over the rows."""
    n, n_rows = 400, 25
    result = bias_variance(pop.sine(noise=0.3), mean_of, n_rows=n_rows, repeats=n, test=200)
    f = np.sin(2 * np.pi * result.truth.table.columns[0])
    variance = (1 / 2 + 0.3**2) / n_rows
    assert result.noise == pytest.approx(0.3**2)
    assert abs(result.variance - variance) < 5 * variance * sqrt(2 / (n - 1))
    slack = 5 * (2 * abs(f.mean()) * sqrt(variance / n) + 2 * variance / n)
    assert abs(result.bias - (f**2).mean()) < slack
    assert np.ptp(result.by_row.variance) < 1e-12, "it predicts the same everywhere"


def test_the_mean_of_every_training_set_is_exact():
    """Over all samples of n rows, the mean varies by the population's variance over n."""
    truth = LENGTHS.everything
    said = np.array([mean_of(t).predict(truth.table) for t in every_training_set(LENGTHS, 3)])
    terms = squared(said, truth)
    n = len(said)
    assert terms.variance * (n - 1) / n == pytest.approx(np.full(3, np.var([0, 2, 5, 1]) / 3))


def test_the_nearest_row_of_pure_noise_is_as_noisy_as_a_label():
    """Where there is nothing but noise, it repeats the noise: variance = noise, bias 0."""
    flat = pop.curve(lambda x: 0.0, noise=2.0)

    def measure(seed):
        result = bias_variance(flat, nearest, n_rows=5, repeats=60, test=20, seed=seed)
        return result.bias, result.variance, result.loss

    mean, error = in_batches(measure)
    assert (np.abs(mean - [0, 4, 8]) < 5 * error).all()


# -- the whole of it -------------------------------------------------------------------------------


@pytest.mark.parametrize("decomposition", ["domingos", "kohavi-wolpert"])
@pytest.mark.parametrize(
    "source",
    [
        pop.circle(),
        pop.finite(dt.datasets.word_sense(), noise=0.2),
        dt.datasets.truth_table("xor", 4),
        pop.resampled(dt.datasets.truth_table("majority", 5), replace=False),
    ],
    ids=["circle", "finite", "table", "halves"],
)
def test_a_slow_double_loop_finds_the_same(source, decomposition):
    """Each tree asked for each row by itself; each label of the row weighed by its chance."""
    result = bias_variance(
        source, dt.id3, repeats=9, keep=True, max_depth=3, test=11, decomposition=decomposition
    )
    truth = result.truth
    losses, codes = [], []
    for tree in result.grown:
        said = [tree.predict(row) for row in truth.table.rows()]
        codes.append([truth.table.target.code(v) for v in said])
        losses.append(
            sum(
                w * p[c]
                for w, p, y in zip(truth.weights, truth.p, said, strict=True)
                for c, t in enumerate(truth.table.classes)
                if t != y
            )
        )
    assert len(result.grown) == 9
    assert result.predictions.tolist() == codes
    assert result.losses == pytest.approx(losses)
    assert result.loss == pytest.approx(np.mean(losses))
    assert result.net_noise + result.bias + result.net_variance == pytest.approx(np.mean(losses))
    assert truth.known == isinstance(source, pop.Plane | pop.Finite)
    if not truth.known:
        assert result.noise == 0
        assert result.loss == pytest.approx(np.mean([t.error(truth.table) for t in result.grown]))


def test_a_slow_loop_over_regression_trees_finds_the_same():
    """Each tree's squared distance from the sine itself, and the noise on top of it."""
    result = bias_variance(
        pop.sine(noise=0.5), dt.cart, max_leaves=5, repeats=8, n_rows=40, test=15, keep=True
    )
    rows = list(result.truth.table.rows())
    f = [np.sin(2 * np.pi * row["x"]) for row in rows]
    said = [[tree.predict(row) for row in rows] for tree in result.grown]
    losses = [0.25 + np.mean([(a - b) ** 2 for a, b in zip(f, one, strict=True)]) for one in said]
    assert result.losses == pytest.approx(losses)
    assert result.loss == pytest.approx(np.mean(losses))
    assert result.noise + result.bias + result.variance == pytest.approx(np.mean(losses))
    assert result.variance == pytest.approx(np.var(said, axis=0, ddof=1).mean())
    assert {tree.n_leaves for tree in result.grown} == {5}


def test_of_a_table_of_numbers_the_noise_counts_as_bias():
    """The mean predictor on a table: the bias is its distance from the labels as they came."""
    x = np.arange(60.0)
    table = dt.Table.from_columns({"x": x, "y": x % 2}, target="y", target_kind="continuous")
    result = bias_variance(table, mean_of, repeats=30)
    labels = result.truth.table.labels
    variance = result.by_row.variance[0]
    off = (result.by_row.main - labels) ** 2 - variance / 30
    assert (result.noise, result.truth.known) == (0, False)
    assert result.bias == pytest.approx(off.mean())
    assert "noise in the table is not known" in str(result)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_joblib_says_where_and_not_what(backend):
    asked = {"parameter": "max_depth", "values": [1, 3], "repeats": 6, "bagged": 3, "test": 50}
    alone = bias_variance(pop.wave(), dt.cart, **asked)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        shared = bias_variance(pop.wave(), dt.cart, **asked)
    for one, other in zip(alone.points, shared.points, strict=True):
        assert np.array_equal(one.predictions, other.predictions)
        assert np.array_equal(one.training_losses, other.training_losses)


def test_steps_tell_what_was_done():
    source = pop.diagonal()
    asked = {"parameter": "max_depth", "values": [0, 2], "repeats": 3, "n_rows": 30, "test": 40}
    events = dt.steps(bias_variance, source, dt.id3, keep=True, **asked)
    *drawn, last, deepest = events
    assert [(e.repeat, e.value) for e in drawn] == list(product(range(3), [0, 2]))
    assert all(isinstance(e, Resampled) for e in drawn)
    for shallow, deep in zip(drawn[::2], drawn[1::2], strict=True):
        assert shallow.training is deep.training, "all values see the same training sets"
        assert len(deep.training) == 30
        for event in (shallow, deep):
            assert event.tree == dt.id3(event.training, max_depth=event.value)
            assert event.training_loss == event.tree.error(event.training)
    sets = [e.training.column("x1") for e in drawn[::2]]
    assert all(one != other for one, other in pairwise(sets))
    result = bias_variance(source, dt.id3, **asked)
    for event, point in zip((last, deepest), result.points, strict=True):
        assert isinstance(event, Decomposed)
        assert np.array_equal(event.decomposition.predictions, point.predictions)
        assert event.value == event.decomposition.value == point.value
    assert event.decomposition.grown == tuple(e.tree for e in drawn[1::2])
    assert str(result.points[0]) == str(last.decomposition)


def test_a_seed_gives_the_same_and_another_does_not():
    one, again, other = (
        bias_variance(pop.wave(), dt.id3, repeats=3, seed=seed, test=30) for seed in (1, 1, 2)
    )
    assert np.array_equal(one.predictions, again.predictions)
    assert not np.array_equal(one.truth.table.columns[0], other.truth.table.columns[0])


def test_a_grower_with_chance_in_it_throws_other_dice_each_time():
    asked = {"n_rows": 5, "repeats": 6, "test": 50, "keep": True}
    thrown = bias_variance(pop.wave(), coin, **asked).grown
    assert len({c.seed for c in thrown}) == 6
    assert bias_variance(pop.wave(), coin, **asked).grown == thrown
    fixed = bias_variance(pop.wave(), partial(coin, seed=7), **asked)
    assert {c.seed for c in fixed.grown} == {7}
    assert fixed.variance == 0, "the training set has no say in it"
    members = bias_variance(pop.wave(), coin, bagged=4, **asked).grown
    assert len({c.seed for committee in members for c in committee.trees}) == 24


def test_rows_and_trees_can_be_varied_too():
    source = pop.finite(dt.datasets.truth_table("or", 3), noise=0.1)
    rows = bias_variance(source, dt.id3, repeats=4, parameter="n_rows", values=(5, 20), keep=True)
    assert [point.n_rows for point in rows.points] == [5, 20]
    assert [tree.flat.counts[0].sum() for point in rows.points for tree in point.grown] == (
        [5] * 4 + [20] * 4
    )
    trees = bias_variance(
        source, dt.id3, repeats=4, parameter="bagged", values=[None, 3], keep=True, max_depth=1
    )
    single, together = (point.grown for point in trees.points)
    assert {tree.depth for tree in single} == {1}
    assert {len(committee.trees) for committee in together} == {3}
    assert {tree.depth for committee in together for tree in committee.trees} <= {0, 1}


def test_a_grid_makes_a_picture():
    """The best labels and the main predictions, square by square, in the form of the plane."""
    source = pop.checkerboard(noise=0.0)
    result = bias_variance(source, dt.cart, repeats=5, n_rows=300, test=source.grid(4))
    assert result.by_row.best.reshape(4, 4).tolist() == [[0, 0, 1, 1]] * 2 + [[1, 1, 0, 0]] * 2
    assert result.by_row.bias.shape == (16,)


@dataclass(frozen=True)
class TwoUrns(pop.Population):
    """A population that somebody else wrote: it needs two methods."""

    share: float

    def sample(self, n_rows=None, *, seed=0):
        rng = np.random.default_rng(seed)
        n = n_rows or 10
        red = rng.random(n) < self.share
        return dt.Table.from_columns(
            {"urn": rng.choice(["a", "b"], n), "ball": np.where(red, "red", "white")},
            target="ball",
            kinds={"urn": ["a", "b"], "ball": ["red", "white"]},
        )

    def truth(self, table):
        n = len(table)
        return pop.Chances(table, np.full(n, 1 / n), np.tile([self.share, 1 - self.share], (n, 1)))


def test_a_population_of_ones_own():
    result = bias_variance(TwoUrns(0.9), dt.id3, repeats=10)
    assert result.noise == pytest.approx(0.1)
    assert result.n_rows == 10


def test_domingos_and_the_others_know_different_variances():
    """Two classes: unbiased less biased variance; the others do not tell them apart."""
    result = bias_variance(pop.circle(), dt.cart, repeats=12, parameter="max_depth", values=[1, 4])
    assert result.net_variance == pytest.approx(result.unbiased_variance - result.biased_variance)
    assert result.variance == pytest.approx(result.unbiased_variance + result.biased_variance)
    other = bias_variance(pop.circle(), dt.cart, repeats=3, decomposition="kohavi-wolpert")
    with pytest.raises(AttributeError, match="only Domingos's"):
        _ = other.biased_variance
    assert (other.net_noise, other.net_variance) == (other.noise, other.variance)


def test_arrays_of_a_sweep_are_its_points():
    result = bias_variance(pop.wave(), dt.id3, repeats=4, parameter="max_depth", values=range(1, 4))
    names = ("loss", "noise", "bias", "variance", "net_noise", "training_loss")
    for name in names:
        assert getattr(result, name).tolist() == [getattr(p, name) for p in result.points]
    assert result.values == (1, 2, 3)
    assert result.at(2) is result.points[1]
    leaves = [np.mean(point.n_leaves) for point in result.points]
    assert result.n_leaves.tolist() == leaves == sorted(leaves)
    with pytest.raises(ValueError, match=r"max_depth=9 was not tried; the values are \[1, 2, 3\]"):
        result.at(9)


def test_text_holds_the_numbers():
    result = bias_variance(pop.sine(), mean_of, repeats=4, n_rows=1000, test=10)
    about, sizes, heads, numbers = str(result).splitlines()
    assert about == "Squared error: loss = noise + bias² + variance"
    assert sizes == "4 training sets of 1,000 rows, 10 test rows"
    assert heads.split() == ["loss", "noise", "bias²", "variance", "training"]
    found = [result.loss, result.noise, result.bias, result.variance, result.training_loss]
    assert [float(n) for n in numbers.split()] == pytest.approx(found, abs=6e-4)
    sweep = bias_variance(
        pop.wave(), dt.id3, repeats=3, parameter="bagged", values=[None, 2], n_rows=9, test=9
    )
    lines = repr(sweep).splitlines()
    assert lines[0].startswith("0-1 loss by Domingos")
    assert [line.split()[0] for line in lines[2:]] == ["bagged", "none", "2"]
    assert len({len(line) for line in lines[2:]}) == 1, "columns stand below one another"


def test_a_result_can_be_kept():
    result = bias_variance(pop.wave(), dt.id3, repeats=3, test=9)
    assert str(pickle.loads(pickle.dumps(result))) == str(result)  # noqa: S301


# -- the lecture's picture -------------------------------------------------------------------------


def paired(source, values, **asked):
    """What each term loses from the first value to the second, in standard errors over 8 seeds."""

    def measure(seed):
        result = bias_variance(source, dt.cart, values=values, seed=seed, **asked)
        return [np.subtract(*getattr(result, name)) for name in TERMS]

    mean, error = in_batches(measure, batches=8)
    return dict(zip(TERMS, mean / error, strict=True))


TERMS = ("loss", "bias", "net_variance", "training_loss")


@pytest.mark.parametrize(
    ("source", "shallow"),
    [(pop.wave(), 1), pytest.param(pop.sine(), 3, marks=pytest.mark.thorough)],
    ids=["wave", "sine"],
)
def test_deeper_trees_have_less_bias_and_more_variance(source, shallow):
    """The same training sets for both depths."""
    asked = {"parameter": "max_depth", "repeats": 15, "n_rows": 60, "test": 100}
    falls = paired(source, [shallow, 7], **asked)
    assert falls["bias"] > 3
    assert falls["net_variance"] < -3
    assert falls["training_loss"] > 3


@pytest.mark.parametrize(
    ("source", "n_rows", "trees"),
    [pytest.param(pop.wave(), 80, 15, marks=pytest.mark.thorough), (pop.sine(), 40, 6)],
    ids=["wave", "sine"],
)
def test_bagging_lowers_the_variance(source, n_rows, trees):
    """A single tree on all rows against a committee of trees on bootstrap samples of them."""
    asked = {"parameter": "bagged", "repeats": 8, "n_rows": n_rows, "test": 100}
    falls = paired(source, [None, trees], **asked)
    assert falls["net_variance"] > 3
    assert falls["loss"] > 3


# -- bagging ---------------------------------------------------------------------------------------


def test_a_committee_counts_votes():
    table = dt.datasets.word_sense()
    committee = bagged(dt.id3, 6)(table, seed=4, max_depth=2)
    assert committee.predict(table).tolist() == [committee.predict(r) for r in table.rows()]
    wrong = 0
    for i, row in enumerate(table.rows()):
        votes = Counter(tree.predict(row) for tree in committee.trees)
        assert committee.votes(table)[i].tolist() == [votes[c] for c in table.classes]
        most = max(table.classes, key=lambda c: votes[c])  # the first of them
        assert committee.predict(row) == most
        wrong += most != row["sense"]
    assert committee.error(table) == pytest.approx(wrong / len(table))
    assert committee.n_leaves == sum(tree.n_leaves for tree in committee.trees)
    assert all(tree.depth <= 2 for tree in committee.trees)


def test_each_tree_has_a_bootstrap_sample_of_its_own():
    table = dt.datasets.tax_fraud()
    committee = bagged(dt.id3, 4)(table, seed=5)
    for t, (tree, sample) in enumerate(zip(committee.trees, committee.samples, strict=True)):
        assert np.array_equal(sample, bootstrap_rows(key_of(5, t), 10))
        assert tree == dt.id3(table.take(sample))
    assert len({tuple(sample) for sample in committee.samples}) == 4
    more = bagged(dt.id3, 6)(table, seed=5)
    assert more.trees[:4] == committee.trees, "a larger committee begins with the smaller one"


def test_a_committee_takes_the_mean_of_numbers():
    table = pop.sine().sample(30)
    committee = bagged(nearest, 5)(table)
    each = [tree.predict(table) for tree in committee.trees]
    said = np.mean(each, axis=0)
    assert committee.predict(table) == pytest.approx(said)
    assert committee.error(table) == pytest.approx(np.mean((said - table.labels) ** 2))
    assert np.isnan(committee.n_leaves)
    with pytest.raises(ValueError, match="averaged, not counted"):
        committee.votes(table)


def test_a_committee_measures_only_its_own_target():
    committee = bagged(dt.id3, 2)(dt.datasets.tax_fraud())
    with pytest.raises(ValueError, match="predicts 'Cheat'"):
        committee.error(dt.datasets.word_sense())
    with pytest.raises(TypeError, match=r"must be a dt\.Table"):
        committee.error([])
    with pytest.raises(ValueError, match="n_trees=0"):
        bagged(dt.id3, 0)
    with pytest.raises(TypeError, match="grower must be a function"):
        bagged(3)


# -- what it does not take -------------------------------------------------------------------------


@each(
    ("asked", "match"),
    [
        ({"repeats": 1}, "repeats=1 must be a whole number, at least 2"),
        ({"n_rows": 0}, "n_rows=0"),
        ({"bagged": 0}, "bagged=0"),
        ({"test": 0}, "test=0"),
        ({"seed": -1}, "seed=-1"),
        ({"parameter": "max_depth"}, "needs values="),
        ({"values": [1]}, "needs parameter="),
        ({"parameter": "max_depth", "values": []}, "values is empty"),
        (
            {"parameter": "max_depth", "values": [1], "max_depth": 2},
            "cannot be given as max_depth=",
        ),
        ({"parameter": "n_rows", "values": [5], "n_rows": 2}, "cannot be given as n_rows="),
        ({"decomposition": "squared"}, "must be 'domingos' or 'kohavi-wolpert'"),
    ],
)
def test_what_is_asked_wrongly_is_said(asked, match):
    with pytest.raises(ValueError, match=match):
        bias_variance(pop.wave(), dt.id3, **asked)


def test_what_it_does_not_take():
    with pytest.raises(TypeError, match=r"source must be a population, .* got a list"):
        bias_variance([1, 2], dt.id3)
    with pytest.raises(TypeError, match="grower must be a function"):
        bias_variance(pop.wave(), "id3")
    with pytest.raises(TypeError, match="it gave a int"):
        bias_variance(pop.wave(), len)
    with pytest.raises(ValueError, match="must be 'squared', as the target 'y' is continuous"):
        bias_variance(pop.sine(), mean_of, decomposition="domingos")
    with pytest.raises(ValueError, match="'blue', which is none of the classes of 'side'"):
        bias_variance(pop.wave(), lambda table: Says("blue"), repeats=2)
    with pytest.raises(ValueError, match="said nan of row 1"):
        bias_variance(pop.sine(), lambda table: Says(np.nan), repeats=2)
    with pytest.raises(ValueError, match=r"answers of shape \(7,\) for 8 rows"):
        bias_variance(pop.sine(), lambda table: OneTooFew(), repeats=2, test=8)
