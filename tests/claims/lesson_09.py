"""What lesson 9 says of stumps, votes and averages, over twenty draws of the tables."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import dtree_lab as dt
from claims.harness import claim

if TYPE_CHECKING:
    from collections.abc import Callable

WAVE = dt.populations.wave(noise=0.1)
BOOSTED = partial(dt.adaboost, n_stumps=10)
GROWERS: dict[str, Callable[..., Any]] = {
    "full": dt.id3,
    "ten full": dt.bagged(dt.id3, 10),
    "stump": dt.stump,
    "ten stumps": dt.bagged(dt.stump, 10),
    "boosted": BOOSTED,
}


@cache
def parts(name: str, seed: int) -> Any:
    """The lesson's own measurement, from other training sets."""
    return dt.evaluate.bias_variance(
        WAVE, GROWERS[name], n_rows=100, repeats=40, test=500,
        decomposition="kohavi-wolpert", seed=seed,
    )  # fmt: skip


def fallen(one: str, other: str, seed: int) -> float:
    """The share of the variance that the second lacks."""
    return 1 - parts(other, seed).variance / parts(one, seed).variance


class Looked(NamedTuple):
    """Trees on samples of one table, over 40 tables."""

    rho: float
    average: float
    vote: float
    divided: float


@cache
def looked(name: str, seed: int) -> Looked:
    """As the lesson looks into them, from other tables."""
    rows = WAVE.sample(500, seed=10_000 + seed)
    tables = [WAVE.sample(100, seed=100 * seed + s) for s in range(40)]
    ten = dt.bagged(GROWERS[name], 10)
    votes = [ten(one, seed=s).votes(rows) for s, one in enumerate(tables)]
    share = np.array(votes)[:, :, 0] / 10
    p = share.mean(axis=0)
    one, average = p * (1 - p), share.var(axis=0).mean()
    vote = (share >= 0.5).var(axis=0).mean()
    divided = one[np.minimum(p, 1 - p) >= 0.3].sum() / one.sum()
    rho = (10 * average / one.mean() - 1) / 9
    return Looked(rho, average / one.mean(), vote / one.mean(), divided)


@claim(
    "boosting/full-trees",
    "on other draws by a sixth to two fifths",
    true=200,
)
def full_trees(seed: int) -> bool:
    """Ten full trees vote: between a sixth and two fifths of the variance goes."""
    return 1 / 6 < fallen("full", "ten full", seed) < 2 / 5


@claim(
    "boosting/bias-stays",
    "the bias has hardly moved",
    true=200,
)
def bias_stays(seed: int) -> bool:
    """By less than a tenth of what the variance has."""
    moved = abs(parts("ten full", seed).bias - parts("full", seed).bias)
    return moved < 0.25 * (parts("full", seed).variance - parts("ten full", seed).variance)


@claim("boosting/stumps-that-vote", "voting takes little of either", true=195)
def stumps_that_vote(seed: int) -> bool:
    """Less than a twelfth of the loss that is no noise, and less of the variance than of trees."""
    alone, voting = parts("stump", seed), parts("ten stumps", seed)
    little = alone.loss - voting.loss < (alone.loss - alone.noise) / 8
    return little and fallen("stump", "ten stumps", seed) < fallen("full", "ten full", seed)


@claim(
    "boosting/rho",
    "No: $\\rho$ is about ¼ for both",
    true=199,
)
def rho(seed: int) -> bool:
    """Within a tenth of it, of stumps as of full trees: far from 1."""
    return all(abs(looked(name, seed).rho - 0.25) < 0.1 for name in ("full", "stump"))


@claim(
    "boosting/average",
    "keeps less than half of the variance of one",
    true=200,
)
def average(seed: int) -> bool:
    """The average of ten, of stumps as of full trees; the vote keeps half as much again."""
    both = [looked(name, seed) for name in ("full", "stump")]
    return all(one.average < 0.5 and one.vote > 1.5 * one.average for one in both)


@claim(
    "boosting/divided",
    "Such rows hold about half of a stump's variance, between the places to which its cut wanders,"
    " and a smaller part of a full tree's.",
    true=200,
)
def divided(seed: int) -> bool:
    """From a quarter to three quarters of the stump's, and less of the full tree's."""
    stump, full = looked("stump", seed).divided, looked("full", seed).divided
    return bool(1 / 4 < stump < 3 / 4 and full < stump)


@claim("boosting/little-left", "mostly between nothing and a fifth", true=165)
def little_is_left(seed: int) -> bool:
    """Of the variance of one stump that is what the vote of ten takes, to within 0.02."""
    return -0.02 < fallen("stump", "ten stumps", seed) < 0.22


@claim(
    "boosting/as-large",
    "a stump's variance is about as large as its bias²",
    true=200,
)
def as_large(seed: int) -> bool:
    """Neither is more than twice the other."""
    return 0.5 < parts("stump", seed).variance / parts("stump", seed).bias < 2


@claim(
    "boosting/boosted",
    "About half of the bias² has gone.",
    true=200,
)
def boosted(seed: int) -> bool:
    """From a third to two thirds of it, and the loss is well below that of the vote."""
    gone = 1 - parts("boosted", seed).bias / parts("stump", seed).bias
    better = parts("boosted", seed).loss < 0.95 * parts("ten stumps", seed).loss
    return 1 / 3 < gone < 2 / 3 and better


@cache
def noisy(seed: int) -> tuple[Any, Any]:
    """The training error and that on new rows, after each of 300 stumps."""
    rows, fresh = WAVE.sample(200, seed=2 * seed), WAVE.sample(2000, seed=2 * seed + 1)
    many = dt.adaboost(rows, n_stumps=300)
    return many.staged_error(rows), many.staged_error(fresh)


@claim(
    "boosting/apart",
    "nearly always the two errors draw apart",
    true=197,
)
def apart(seed: int) -> bool:
    """From 20 stumps to 300 the training error falls further than the error on new rows."""
    train, test = noisy(seed)
    return bool(train[19] - train[299] > test[19] - test[299] and train[299] < train[19])


@claim(
    "boosting/falls-further",
    "four times in ten that error falls a little further",
    true=87,
)
def falls_further(seed: int) -> bool:
    """The error on new rows is no larger with 300 stumps than with 20."""
    test = noisy(seed)[1]
    return bool(test[299] <= test[19])


@claim("boosting/clean", "On clean labels it often does not, for a long time.", true=132)
def clean_labels(seed: int) -> bool:
    """From 20 stumps to 300 the error on new rows does not rise."""
    calm = dt.populations.wave(noise=0)
    rows, fresh = calm.sample(200, seed=2 * seed), calm.sample(2000, seed=2 * seed + 1)
    test = dt.adaboost(rows, n_stumps=300).staged_error(fresh)
    return bool(test[299] <= test[19])


@claim(
    "boosting/test-rows",
    "Their error then looks far too good",
    true=200,
)
def test_rows_in_the_bag(seed: int) -> bool:
    """At most a third of the error on new rows."""
    rows, fresh = WAVE.sample(200, seed=2 * seed), WAVE.sample(2000, seed=2 * seed + 1)
    committee = dt.bagged(dt.id3, 25)(rows, seed=seed)
    return committee.error(rows) < committee.error(fresh) / 3


def rents(n: int, seed: int) -> dt.Table:
    """The lesson's flats."""
    rng = np.random.default_rng(seed)
    size, year = rng.uniform(20, 120, n).round(), rng.uniform(1900, 2020, n).round()
    floor, minutes = rng.integers(0, 8, n) + 0.0, rng.uniform(1, 40, n).round()
    rent = 3 + size / 6 + (year - 1960) ** 2 / 600 + floor / 2 - minutes / 5
    columns = {"size": size, "year": year, "floor": floor, "minutes": minutes}
    return dt.Table.from_columns({**columns, "rent": rent + rng.normal(0, 1.5, n)}, target="rent")


def boosting_wins(table: dt.Table, fresh: dt.Table, seed: int) -> bool:
    """As many rounds as withheld rows choose, on all rows, against a hundred trees."""
    part, others = dt.evaluate.holdout(table, seed=seed)
    stopped = dt.gradient_boosting(part, withheld=others, rounds=300, max_depth=2)
    best = dt.gradient_boosting(table, rounds=max(stopped.n_trees, 1), max_depth=2)
    return best.error(fresh) < dt.random_forest(table, n_trees=100).error(fresh)


@claim(
    "boosting/rents",
    "On twenty tables of rents boosting won every time",
    true=200,
)
def boosted_rents(seed: int) -> bool:
    """Two hundred flats, measured on two thousand."""
    return boosting_wins(rents(200, 2 * seed), rents(2000, 2 * seed + 1), seed)


@claim(
    "boosting/diagonals",
    "With diagonals the forest won four times in five",
    true=170,
)
def boosted_diagonals(seed: int) -> bool:
    """In 84 of the hundred seeds that the words come from; 14 is some two deviations below."""
    diagonal = dt.populations.diagonal(noise=0.1)
    table, fresh = (diagonal.sample(n, seed=2 * seed + k) for n, k in ((200, 0), (2000, 1)))
    return not boosting_wins(table, fresh, seed)


@cache
def by_rate(seed: int) -> list[Any]:
    """The errors on withheld rows in two hundred rounds, with each of the lesson's rates."""
    part, others = dt.evaluate.holdout(rents(200, 2 * seed), seed=seed)
    return [
        dt.gradient_boosting(part, rounds=200, rate=rate, max_depth=2).staged_error(others)
        for rate in (1.0, 0.3, 0.1)
    ]


@claim(
    "boosting/shrinkage",
    "With a rate of 1 it hardly ever gets as low as with the others",
    true=193,
)
def shrinkage(seed: int) -> bool:
    """The least error on withheld rows."""
    fast, *slow = (curve.min() for curve in by_rate(seed))
    return bool(fast > max(slow))


@claim(
    "boosting/more-rounds",
    "which mostly take more rounds",
    true=177,
)
def more_rounds(seed: int) -> bool:
    """Until the error is least."""
    fast, *slow = (curve.argmin() for curve in by_rate(seed))
    return bool(fast < min(slow))
