"""Lesson 7: bias and variance on the sine and the wave, with other training sets."""

from __future__ import annotations

import statistics
from functools import cache

import numpy as np

import dtree_lab as dt
from claims.harness import claim

SINE = dt.populations.sine(noise=0.3)
WAVE = dt.populations.wave(noise=0.1)
GRID = SINE.grid(100)


@cache
def answers(seed: int, depth: int) -> tuple[float, ...]:
    """What trees of forty training sets say at x = 0.25, where 1 is right."""
    sets = (SINE.sample(100, seed=1000 * seed + k) for k in range(40))
    return tuple(dt.id3(rows, max_depth=depth).predict({"x": 0.25}) for rows in sets)


@claim(
    "bias-variance/scatter",
    "Now draw 100 training sets, and grow a stump and a deep tree on each.",
    true=200,
)
def deep_trees_scatter_more(seed: int) -> bool:
    """The range of the deep trees' answers against that of the stumps'."""
    stump, deep = answers(seed, 1), answers(seed, 8)
    return bool(max(deep) - min(deep) > max(stump) - min(stump))


@claim(
    "bias-variance/on-the-whole",
    "The stumps are alike and wrong in the same way; the deep trees are right on the whole",
    true=198,
)
def deep_trees_are_right_on_average(seed: int) -> bool:
    """The mean of the deep trees is near the truth, 1; that of the stumps is far from it."""
    stump, deep = (statistics.mean(answers(seed, depth)) for depth in (1, 8))
    return bool(abs(deep - 1) < 0.1 and abs(stump - 1) > 0.3)


@claim(
    "bias-variance/one-draw",
    "Each is one draw of bias *and* variance together.",
    true=200,
)
def squares_hold_the_variance(seed: int) -> bool:
    """The mean square of single trees' distances is far above the main prediction's square."""
    deep = answers(seed, 8)
    main = statistics.mean(deep)
    return bool(statistics.mean((y - 1) ** 2 for y in deep) > 2 * (main - 1) ** 2)


@cache
def by_depth(seed: int) -> dt.evaluate.BiasVariance:
    """The lesson's curves, with fewer test rows."""
    return dt.evaluate.bias_variance(
        SINE, dt.id3, repeats=20, parameter="max_depth", values=range(1, 9), test=GRID, seed=seed
    )


@claim(
    "bias-variance/best-depth",
    "luck decides between 3 and 4",
    true=200,
)
def three_or_four(seed: int) -> bool:
    """The depth of the least error."""
    return int(by_depth(seed).loss.argmin()) + 1 in (3, 4)


@claim(
    "bias-variance/deeper",
    "**Deeper** trees have less bias and, as a rule, more variance",
    true=200,
)
def deeper_trees(seed: int) -> bool:
    """Depth 8 against a stump: bias² all but gone, and a larger variance."""
    curves = by_depth(seed)
    return bool(curves.bias[-1] < curves.bias[0] / 5 and curves.variance[-1] > curves.variance[0])


@cache
def by_size(seed: int, depth: int) -> dt.evaluate.BiasVariance:
    """Training sets of 25 and of 400 rows."""
    asked = {"parameter": "n_rows", "values": [25, 400], "test": GRID, "seed": seed}
    repeats = 60 if depth == 1 else 15
    return dt.evaluate.bias_variance(SINE, dt.id3, max_depth=depth, repeats=repeats, **asked)


@claim(
    "bias-variance/more-rows",
    "at depth 8, 400 rows leave about half of the variance that 25 rows have",
    true=193,
)
def half_of_the_variance(seed: int) -> bool:
    """What is left of it: between two fifths and three fifths."""
    few, many = by_size(seed, 8).variance
    return bool(0.4 < many / few < 0.6)


@claim(
    "bias-variance/stump-rows",
    "its bias² even grows a little",
    true=200,
)
def a_stumps_bias_grows(seed: int) -> bool:
    """A stump's bias² with 25 rows and with 400; and its variance falls."""
    its = by_size(seed, 1)
    return bool(its.bias[0] < its.bias[1] < 2 * its.bias[0] and its.variance[1] < its.variance[0])


@claim(
    "bias-variance/afford",
    "With more rows one can afford more depth",
    true=192,
)
def more_rows_more_depth(seed: int) -> bool:
    """The depth of the least error with 25 rows and with 400."""
    asked = {"parameter": "max_depth", "values": range(1, 7), "repeats": 20, "seed": seed}
    few, many = (
        dt.evaluate.bias_variance(SINE, dt.id3, n_rows=n, test=GRID, **asked) for n in (25, 400)
    )
    return bool(few.loss.argmin() < many.loss.argmin())


@claim(
    "bias-variance/by-heart",
    "a deep tree learns the noise by heart",
    true=200,
)
def a_deep_tree_learns_noise(seed: int) -> bool:
    """Without noise less than half of a deep tree's variance is left."""
    quiet, loud = (
        dt.evaluate.bias_variance(
            dt.populations.sine(noise=noise), dt.id3, max_depth=8, repeats=20, test=GRID, seed=seed
        )
        for noise in (0, 0.3)
    )
    return bool(quiet.variance < loud.variance / 2)


@claim(
    "bias-variance/helps",
    "Deep trees have far less left to help with.",
    true=197,
)
def less_to_help_with(seed: int) -> bool:
    """The variance on rows whose main prediction is wrong: depth 8 has less than half of it."""
    its = dt.evaluate.bias_variance(
        WAVE, dt.id3, repeats=40, parameter="max_depth", values=[1, 8], seed=seed
    )
    stump, deep = its.points
    return bool(deep.biased_variance < stump.biased_variance / 2)


# -- bagging ---------------------------------------------------------------------------------------


@cache
def bagged(seed: int, depth: int, n_trees: int) -> dt.evaluate.Decomposition:
    """So many bagged trees, from thirty training sets."""
    return dt.evaluate.bias_variance(
        SINE, dt.id3, max_depth=depth, repeats=30, bagged=n_trees, test=GRID, seed=seed
    )


@cache
def resemblance(seed: int, depth: int) -> tuple[float, float]:
    """The correlation and the variance of the two trees of sixty bags, as in the lesson."""
    grower = dt.bagged(dt.id3, 2)
    said = []
    for k in range(60):
        rows = SINE.sample(100, seed=1000 * seed + k)
        said.append([t.predict(GRID) for t in grower(rows, max_depth=depth, seed=k).trees])
    one, two = np.moveaxis(np.array(said), 1, 0)
    sigma2 = (one.var(axis=0, ddof=1).mean() + two.var(axis=0, ddof=1).mean()) / 2
    shared = ((one - one.mean(axis=0)) * (two - two.mean(axis=0))).sum(axis=0).mean() / 59
    return float(shared / sigma2), float(sigma2)


def foretold(rho: float, sigma2: float, n_trees: int) -> float:
    """The variance of an average, by the lesson's formula."""
    return rho * sigma2 + (1 - rho) * sigma2 / n_trees


@claim(
    "bias-variance/foretold",
    "For ten deep trees the two agree to within a sixth, nearly whichever training sets are drawn",
    true=198,
)
def the_formula_foretells(seed: int) -> bool:
    """The measured variance of ten bagged trees over the one foretold; about half of one tree's."""
    measured, (rho, sigma2) = bagged(seed, 8, 10).variance, resemblance(seed, 8)
    about_half = 0.4 < measured / sigma2 < 0.6
    return bool(about_half and 5 / 6 < measured / foretold(rho, sigma2, 10) < 7 / 6)


@claim(
    "bias-variance/roughly",
    "for stumps only roughly",
    true=199,
)
def for_stumps_roughly(seed: int) -> bool:
    """The same with stumps: right but for a factor of two."""
    ratio = bagged(seed, 1, 10).variance / foretold(*resemblance(seed, 1), 10)
    return bool(1 / 2 < ratio < 2)


@claim(
    "bias-variance/alike",
    "the stumps of a bag mostly resemble each other a little less than deep trees do",
    true=185,
)
def stumps_are_less_alike(seed: int) -> bool:
    """The correlation of two stumps of a bag against that of two deep trees."""
    return resemblance(seed, 1)[0] < resemblance(seed, 8)[0]


@claim(
    "bias-variance/stumps-variance",
    "bagging takes about half of their variance, or more",
    true=197,
)
def bagging_takes_half_of_a_stumps_variance(seed: int) -> bool:
    """What ten bagged stumps leave of the variance of one."""
    return bool(bagged(seed, 1, 10).variance / resemblance(seed, 1)[1] < 0.6)


@claim(
    "bias-variance/these-stay",
    "most of a stump's error is bias² and noise, and these stay",
    true=200,
)
def a_stumps_bias_stays(seed: int) -> bool:
    """Bias² and noise are most of the error before; after, bias² is there to a tenth or so."""
    alone, ten = bagged(seed, 1, 1), bagged(seed, 1, 10)
    most = alone.bias + alone.noise > alone.loss / 2
    return bool(most and 0.8 < ten.bias / alone.bias < 1.25)
