"""Lesson 6: limits and pruning on other draws of the lesson's noisy wave."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import numpy as np

import dtree_lab as dt
from claims.harness import claim

WAVE = dt.populations.wave(noise=0.15)
NEARLY_EVERY_TIME = (
    "On other draws, cost-complexity, pessimistic pruning and a limit by cross-validation beat the"
    " full tree nearly every time"
)


def points(n: int, seed: int) -> dt.Table:
    """So many points with two decimals, as the lesson draws them."""
    drawn = WAVE.sample(n, seed=seed)
    columns = {name: [round(x, 2) for x in drawn.column(name)] for name in drawn.names}
    return dt.Table.from_columns({**columns, "side": drawn.column("side")}, target="side")


@cache
def drawn(seed: int) -> tuple[dt.Table, dt.Table, dt.Tree]:
    """Rows to grow on, new rows, and the full tree."""
    rows = points(240, 1000 + seed)
    return rows, points(2000, 2000 + seed), dt.id3(rows)


@cache
def withheld(seed: int) -> tuple[dt.Tree, dt.Table]:
    """The full tree of two thirds of the rows, and the third that was withheld."""
    to_grow_on, third = dt.evaluate.holdout(drawn(seed)[0], seed=seed)
    return dt.id3(to_grow_on), third


def better(tree: dt.Tree, seed: int) -> bool:
    """Whether a tree beats the full one on the new rows, with less than half of its nodes."""
    _, new, full = drawn(seed)
    return bool(tree.error(new) < full.error(new) and 2 * tree.n_nodes < full.n_nodes)


@claim(
    "pruning/training-error",
    "The training error never rises.",
    true=200,
)
def training_never_rises(seed: int) -> bool:
    """Training errors of trees that grow best first, from one leaf to all."""
    rows, _, full = drawn(seed)
    sizes = [1, 2, 3, 5, 8, 13, 20, 30, 42, full.n_leaves]
    errors = [dt.id3(rows, max_leaves=most).error(rows) for most in sizes]
    return all(after <= before for before, after in pairwise(errors))


@claim(
    "pruning/valley",
    "On the left the tree is too small for the wave",
    true=200,
)
def a_valley(seed: int) -> bool:
    """A tree of 4 to 16 leaves is better on new rows than a leaf and than the full tree."""
    rows, new, full = drawn(seed)
    between = min(dt.id3(rows, max_leaves=most).error(new) for most in (4, 6, 8, 12, 16))
    return bool(between < full.error(new) and between < dt.id3(rows, max_leaves=1).error(new))


@claim(
    "pruning/price",
    NEARLY_EVERY_TIME,
    true=200,
)
def price_beats_full(seed: int) -> bool:
    """CART's pruning with a price chosen by cross-validation."""
    rows, _, _ = drawn(seed)
    alpha = dt.prune.choose_alpha(dt.cart, rows).value
    return better(dt.prune.cost_complexity(dt.cart(rows), alpha), seed)


@claim(
    "pruning/pessimistic",
    NEARLY_EVERY_TIME,
    true=198,
)
def pessimistic_beats_full(seed: int) -> bool:
    """C4.5's pruning of the full tree."""
    return better(dt.prune.pessimistic(drawn(seed)[2]), seed)


@cache
def limit(seed: int) -> int:
    """The limit of leaves that cross-validation chooses."""
    sizes = [1, 2, 4, 8, 16, 32]
    return dt.evaluate.choose(dt.id3, drawn(seed)[0], "max_leaves", sizes).value


@claim(
    "pruning/cross-validation",
    NEARLY_EVERY_TIME,
    true=196,
)
def limit_beats_full(seed: int) -> bool:
    """With the limit of leaves that cross-validation chooses."""
    return better(dt.id3(drawn(seed)[0], max_leaves=limit(seed)), seed)


@claim("pruning/four-leaves", "which is 4 leaves in less than half of the draws", true=88)
def four_leaves(seed: int) -> bool:
    """What cross-validation chooses of 1, 2, 4, 8, 16 and 32."""
    return limit(seed) == 4


@claim(
    "pruning/reduced-error",
    "reduced-error pruning with its 160 rows nine times in ten",
    true=182,
)
def reduced_error_beats_full(seed: int) -> bool:
    """Grown on 160 rows and pruned with 80, against the tree that was grown on all 240."""
    return better(dt.prune.reduced_error(*withheld(seed)), seed)


def bound(tree: dt.Tree, rows: dt.Table) -> float:
    """The lesson's bound, in a language of 398 questions."""
    bits = (tree.n_nodes + 1) * math.log2(398 + 3)
    return dt.theory.description_bound(tree.error(rows), bits, len(rows))


def least_bound(rows: dt.Table, most: int = 12) -> dt.Tree:
    """The tree with the least bound."""
    grown = [dt.id3(rows, max_leaves=limit) for limit in range(1, most + 1)]
    return min(grown, key=lambda tree: bound(tree, rows))


@claim(
    "pruning/description",
    "description length, so careful with 240 rows, four times in five",
    true=159,
)
def description_beats_full(seed: int) -> bool:
    """The tree with the least bound."""
    return better(least_bound(drawn(seed)[0]), seed)


@claim(
    "pruning/grows",
    "its choice grows with the table, as it should",
    true=193,
)
def the_choice_grows(seed: int) -> bool:
    """The leaves that the least bound chooses with 240 rows and with 4,000."""
    few = least_bound(drawn(seed)[0], most=8)
    return few.n_leaves < least_bound(points(4000, 1000 + seed), most=8).n_leaves


@claim(
    "pruning/far-above",
    "The bound is far above the truth",
    true=200,
)
def the_bound_holds(seed: int) -> bool:
    """The chosen tree's bound is above its error on new rows, by more than a tenth."""
    rows, new, _ = drawn(seed)
    tree = least_bound(rows)
    return bound(tree, rows) > tree.error(new) + 0.1


@claim(
    "pruning/changes",
    "it changes from draw to draw",
    true=197,
)
def no_method_is_always_best(seed: int) -> bool:
    """Of five draws it is not always the same method that is best."""
    best = set()
    for other in range(5 * seed, 5 * seed + 5):
        rows, new, full = drawn(other)
        tried = {
            "limit": dt.id3(rows, max_leaves=4),
            "pessimistic": dt.prune.pessimistic(full),
            "reduced": dt.prune.reduced_error(*withheld(other), no_worse=True),
        }
        best.add(min(tried, key=lambda name: tried[name].error(new)))
    return len(best) > 1


@claim("pruning/used-up", "four times in five it has this sign", true=167)
def used_up_rows_flatter(seed: int) -> bool:
    """The error on the 80 rows that chose the cuts is below that on new rows."""
    _, new, full = drawn(seed)
    chose = points(80, 3000 + seed)
    fitted = dt.prune.reduced_error(full, chose)
    return bool(fitted.error(chose) < fitted.error(new))


def worse(n: int, seed: int) -> int:
    """How often of twenty times a tree of 2n rows gets worse that is pruned with n."""
    _, new, _ = drawn(seed)
    found = 0
    for k in range(20):
        before = dt.id3(points(2 * n, 100 * seed + k))
        after = dt.prune.reduced_error(before, points(n, 100 * seed + 50 + k))
        found += after.error(new) > before.error(new)
    return found


@claim("pruning/few-rows", "9 rows hurt more often than 80 nineteen times in twenty", true=187)
def few_rows_hurt_more_often(seed: int) -> bool:
    """Pruning with 9 rows makes a tree worse more often than pruning with 80."""
    return worse(9, seed) > worse(80, seed)


@cache
def office(seed: int) -> tuple[dt.Table, dt.Table, dt.Tree]:
    """Old returns, new ones, and the lesson's tree of the old."""
    old, fresh = (dt.datasets.tax_returns(3000, seed=k + seed) for k in (500, 900))
    tree = dt.cart(old, min_leaf=100, max_leaves=8)
    return old, fresh, tree


@claim(
    "pruning/about-right",
    "on new returns they are about right on average",
    true=197,
)
def shares_are_about_right(seed: int) -> bool:
    """The shares at the leaves are off by three of a hundred on average, or less."""
    _, fresh, tree = office(seed)
    share, fraud = tree.shares(fresh)[:, 1], fresh.labels == 1
    leaves = [share == one for one in np.unique(share)]
    off = sum(abs(share[leaf].sum() - fraud[leaf].sum()) for leaf in leaves)
    return bool(off <= 0.03 * len(fresh))


@claim(
    "pruning/bootstrap",
    "The **bootstrap** says it without a formula",
    true=200,
)
def bootstrap_as_the_formula(seed: int) -> bool:
    """The standard error of an error from 240 rows, to within a tenth."""
    _, fresh, tree = office(seed)
    few = fresh.take(range(240))
    wrong = tree.predict(few) != few.target.array[few.labels]
    rng = np.random.default_rng(seed)
    drawn_error = np.std([rng.choice(wrong, 240).mean() for _ in range(2000)])
    return bool(abs(drawn_error / math.sqrt(wrong.mean() * (1 - wrong.mean()) / 240) - 1) < 0.1)


@claim(
    "pruning/cheapest",
    "prices choose one",
    true=193,
)
def the_threshold_of_the_prices_costs_least(seed: int) -> bool:
    """Of the three thresholds."""
    _, fresh, tree = office(seed)
    share, fraud = tree.shares(fresh)[:, 1], fresh.labels == 1
    cost = [
        9 * (fraud & (share <= t)).sum() + (~fraud & (share > t)).sum() for t in (0.5, 0.25, 0.1)
    ]
    return bool(cost[2] < min(cost[:2]))


@claim(
    "pruning/whom",
    "and nothing that they cost the honest",
    true=197,
)
def the_honest_who_are_not_married_are_audited_most(seed: int) -> bool:
    """More of them than of the married."""
    _, fresh, tree = office(seed)
    audited, honest = tree.shares(fresh)[:, 1] > 0.1, fresh.labels == 0
    married = np.array(fresh.column("Marital Status")) == "Married"
    hit = [audited[honest & some].mean() for some in (married, ~married)]
    return bool(hit[1] > hit[0])
