"""What Lesson 10 says of forests, over twenty seeds."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np

import dtree_lab as dt
from claims.harness import claim

BIRDS = dt.datasets.penguins("drop")
SPECIES = np.array(BIRDS.column("species"))
LENGTHS = np.array(BIRDS.column("bill_length_mm"))
N = len(BIRDS)


def new_errors(forest, rows):
    """The error on new rows with one tree, with two, and so on; of two classes."""
    said = np.array([tree.predict(rows) for tree in forest.trees]) == rows.classes[1]
    share = np.cumsum(said, axis=0) / np.arange(1, forest.n_trees + 1)[:, None]
    return ((share > 0.5) != (rows.labels == 1)).mean(axis=1)


@cache
def on_the_wave(seed):
    """A forest on 200 points of a noisy wave, and 2,000 new points."""
    wave = dt.populations.wave(noise=0.1)
    points, new = wave.sample(200, seed=seed), wave.sample(2000, seed=1000 + seed)
    return points, new, dt.random_forest(points, n_trees=60, m=1, seed=seed)


# -- the error as the forest grows ----------------------------------------------------------------


@claim(
    "forests/out-of-bag",
    "The out-of-bag error came close, and it cost no row.",
    true=200,
)
def out_of_bag(seed: int) -> bool:
    """Within three standard errors of the error on new points; the training error is not."""
    points, new, forest = on_the_wave(seed)
    true = forest.error(new)
    near = 3 * np.sqrt(true * (1 - true) / 200)
    return bool(abs(forest.oob_error - true) < near < true - forest.error(points))


@claim(
    "forests/wobbles",
    "it wobbles more than the error on new points",
    true=198,
)
def wobbles(seed: int) -> bool:
    """The way that the curves go up and down from 10 trees on."""
    _, new, forest = on_the_wave(seed)
    out, true = forest.oob_errors[9:], new_errors(forest, new)[9:]
    return bool(abs(np.diff(out)).sum() > abs(np.diff(true)).sum())


@claim(
    "forests/more-trees",
    "falls, runs level, and does not climb again",
    true=196,
)
def more_trees(seed: int) -> bool:
    """With 60 trees it is below that of one, and hardly above the least."""
    _, new, forest = on_the_wave(seed)
    errors = new_errors(forest, new)
    return bool(errors[-1] < errors[0] and errors[-1] <= errors.min() + 0.015)


@claim(
    "forests/twins",
    "a row out of the bag mostly has its twin in it",
    true=200,
)
def twins(seed: int) -> bool:
    """Each point twice: next to no error out of the bag, a large one on new points."""
    points, new, _ = on_the_wave(seed)
    forest = dt.random_forest(points.take([*range(200)] * 2), n_trees=60, m=1, seed=seed)
    return bool(forest.oob_error < 0.03 and forest.error(new) > 0.1)


@claim(
    "forests/numbers",
    "Nobody had to prune or choose a size.",
    true=194,
)
def numbers(seed: int) -> bool:
    """A hundred trees are far better than one grown to the end, and as good as one of 8 leaves."""
    columns = {name: BIRDS.column(name) for name in (*BIRDS.names, "species")}
    table = dt.Table.from_columns(columns, target="body_mass_g")
    known, unseen = dt.evaluate.holdout(table, seed=seed)
    many = dt.random_forest(known, n_trees=100, m=2).error(unseen)
    full, eight = (dt.cart(known, max_leaves=most).error(unseen) for most in (None, 8))
    return bool(many < 0.75 * full and many < 1.1 * eight)


# -- why a node may not see everything ------------------------------------------------------------


@cache
def alone(m, seed):
    """The mean error out of the bag of 40 trees, each by itself."""
    forest = dt.random_forest(BIRDS, n_trees=40, m=m, seed=seed)
    wrong = np.array([tree.predict(BIRDS) for tree in forest.trees]) != SPECIES
    out = np.array([forest.rows_drawn(t) == 0 for t in range(40)])
    return float(np.mean([one[some].mean() for one, some in zip(wrong, out, strict=True)]))


@claim(
    "forests/single-trees",
    "**at $m = 2$ they are worse than at $m = 6$**",
    true=200,
)
def single_trees(seed: int) -> bool:
    """Their mean errors."""
    return alone(2, seed) > alone(6, seed)


@claim(
    "forests/hardly-differ",
    "From $m = 4$ to $6$ the single trees hardly differ.",
    true=200,
)
def hardly_differ(seed: int) -> bool:
    """Their mean errors, by less than one of a hundred."""
    return abs(alone(4, seed) - alone(6, seed)) < 0.01


@claim(
    "forests/fewer-attributes",
    "From $m = 6$ down to $2$ the forest gets better.",
    true=200,
)
def fewer_attributes(seed: int) -> bool:
    """The out-of-bag error, the mean of five forests as in the lesson, for m = 6, 4 and 2."""
    seeds = range(5 * seed, 5 * seed + 5)
    six, four, two = (
        np.mean([dt.random_forest(BIRDS, n_trees=40, m=m, seed=s).oob_error for s in seeds])
        for m in (6, 4, 2)
    )
    return bool(six > four > two)


@cache
def over_training_sets(m, seed):
    """A tree's variance over 20 training sets, two trees' correlation, a vote of ten others."""
    rng = np.random.default_rng(seed)
    mixed = rng.permutation(N)
    kept, others = mixed[:222], BIRDS.take(mixed[222:])
    right = []
    for i in range(20):
        some = BIRDS.take(rng.choice(kept, 111, replace=False))
        trees = dt.random_forest(some, n_trees=20, m=m, seed=100 * seed + i).trees
        right.append([np.equal(tree.predict(others), SPECIES[mixed[222:]]) for tree in trees])
    off = np.array(right, dtype=float) - np.mean(right, axis=0)
    one = (off**2).mean()
    two = np.mean([(off[:, s] * off[:, t]).mean() for s, t in combinations(range(10), 2)])
    return one, two / one, (off[:, 10:].mean(axis=1) ** 2).mean()


@claim(
    "forests/less-alike",
    "A smaller $m$ makes each tree less certain and the trees less alike. $\\sigma^2$ rises, but"
    " the more trees there are, the more $\\rho\\,\\sigma^2$ alone counts, and **that falls**.",
    true=200,
)
def less_alike(seed: int) -> bool:
    """From m = 6 to m = 2 the variance rises; the correlation falls, and what no number lowers."""
    (sigma2, rho, _), (sigma2_all, rho_all, _) = (over_training_sets(m, seed) for m in (2, 6))
    return bool(sigma2 > sigma2_all and rho < rho_all and rho * sigma2 < rho_all * sigma2_all)


@claim(
    "forests/foretold",
    "It does, within a third.",
    true=198,
)
def foretold(seed: int) -> bool:
    """The formula's variance of a vote of ten, and the one measured on ten other trees."""
    for m in (2, 6):
        sigma2, rho, ten = over_training_sets(m, seed)
        if abs(rho * sigma2 + (1 - rho) * sigma2 / 10 - ten) > ten / 3:
            return False
    return True


@claim(
    "forests/first-question",
    "With $m = 6$ most agree from their first question on",
    true=200,
)
def first_question(seed: int) -> bool:
    """Of 100 roots 60 or more ask about one attribute if they see all, and fewer if they see 2."""
    most = {}
    for m in (2, 6):
        trees = dt.random_forest(BIRDS, n_trees=100, m=m, seed=seed).trees
        roots = Counter(tree.root.split.attribute for tree in trees)
        most[m] = max(roots.values())
    return most[2] < 60 <= most[6]


@claim(
    "forests/useless",
    "a small $m$ makes the trees too weak",
    true=200,
)
def useless(seed: int) -> bool:
    """2 good attributes and 100 useless ones: m = 102 is better than √102, and that than 1."""
    numbers = np.random.default_rng(seed).random((200, 102))
    columns = {f"x{k}": numbers[:, k] for k in range(102)}
    columns["y"] = np.where(numbers[:, 0] + numbers[:, 1] > 1, "a", "b")
    table = dt.Table.from_columns(columns, target="y")
    one, root, all_ = (
        dt.random_forest(table, n_trees=50, m=m, seed=seed).oob_error for m in (1, 10, 102)
    )
    return bool(all_ < root < one)


@claim(
    "forests/once",
    "Then a tree never sees the others",
    true=200,
)
def once(seed: int) -> bool:
    """Attributes drawn once for each tree: trees and forest are worse."""
    chance, votes = np.random.default_rng(seed), [[] for _ in range(N)]
    for t in range(40):
        bag = dt.bootstrap(BIRDS, seed=seed, tree=t)
        kept = chance.choice(BIRDS.names, 2, replace=False)
        part = {name: BIRDS.column(name) for name in (*kept, "species")}
        table = dt.Table.from_columns(part, target="species")
        said = dt.cart(table.take(bag.rows)).predict(table)
        for i in bag.out_of_bag:
            votes[i].append(said[i])
    judged = [(some, y) for some, y in zip(votes, SPECIES, strict=True) if some]
    wrong = np.mean([Counter(some).most_common(1)[0][0] != y for some, y in judged])
    return bool(wrong > dt.random_forest(BIRDS, n_trees=40, m=2, seed=seed).oob_error)


# -- which attributes matter ----------------------------------------------------------------------


def with_column(name, values):
    """The penguins with one more column."""
    columns = {one: BIRDS.column(one) for one in BIRDS.names}
    return dt.Table.from_columns(
        columns | {name: values, "species": SPECIES.tolist()}, target="species"
    )


@cache
def ringed(seed):
    """Importances of a table with rings by lot: by impurity, and by permutation."""
    colours = np.random.default_rng(seed).integers(1, 41, N)
    table = with_column("ring", [f"colour {i:02}" for i in colours])
    forest = dt.random_forest(table, n_trees=50, m=2, seed=0)
    return forest.impurity_importance(), forest.permutation_importance(table)


@claim(
    "forests/importance-order",
    "Both put the length of the bill first and the sex last",
    true=198,
)
def importance_order(seed: int) -> bool:
    """With other forests."""
    forest = dt.random_forest(BIRDS, n_trees=50, m=2, seed=seed)
    orders = [
        [name for name, _ in found.ranked()]
        for found in (forest.impurity_importance(), forest.permutation_importance(BIRDS))
    ]
    return all((order[0], order[-1]) == ("bill_length_mm", "sex") for order in orders)


@claim(
    "forests/ring-by-impurity",
    "many times as much as the sex of the bird",
    true=200,
)
def ring_by_impurity(seed: int) -> bool:
    """At least five times."""
    by_impurity, _ = ringed(seed)
    return bool(by_impurity["ring"] > 5 * by_impurity["sex"])


@claim(
    "forests/ring-by-permutation",
    "on average a ring gets next to nothing",
    true=200,
)
def ring_by_permutation(seed: int) -> bool:
    """Five rings by lot: their mean is no tenth of what the mass gets, the least of the others."""
    found = [ringed(1000 + 5 * seed + i)[1] for i in range(5)]
    rings, masses = (np.mean([one[name] for one in found]) for name in ("ring", "body_mass_g"))
    return bool(abs(rings) < masses / 10)


@cache
def largest_by_lot():
    """The most that one of the lesson's thirty rings by lot gets."""
    return max(ringed(i)[1]["ring"] for i in range(100, 130))


@claim(
    "forests/sex-and-rings",
    "The sex of the bird, in the table with rings, is not larger.",
    true=200,
)
def sex_and_rings(seed: int) -> bool:
    """In another table with rings: no more than the largest ring of the lesson's thirty."""
    return bool(ringed(seed)[1]["sex"] <= largest_by_lot())


@claim(
    "forests/copy",
    "a mere copy looks important only because of the original",
    true=199,
)
def copy(seed: int) -> bool:
    """The bill with other slips of a millimetre gets more than the mass, and helps no one."""
    careless = LENGTHS + np.random.default_rng(seed).normal(0, 1, N)
    table = with_column("careless", careless)
    forest = dt.random_forest(table, n_trees=50, m=2, seed=0)
    worth = forest.permutation_importance(table)
    without = dt.random_forest(BIRDS, n_trees=50, m=2, seed=0).oob_error
    return bool(worth["careless"] > worth["body_mass_g"] and forest.oob_error > without - 0.004)


@claim(
    "forests/dropped",
    "Without the copy nothing is lost.",
    true=199,
)
def dropped(seed: int) -> bool:
    """The error out of the bag does not rise by half a bird of a hundred, the mean of five."""
    careless = LENGTHS + np.random.default_rng(seed).normal(0, 1, N)
    table = with_column("careless", careless)
    seeds = range(5 * seed, 5 * seed + 5)
    have, lack = (
        np.mean([dt.random_forest(one, n_trees=50, m=2, seed=s).oob_error for s in seeds])
        for one in (table, BIRDS)
    )
    return bool(lack < have + 0.005)


# -- near rows, and gaps --------------------------------------------------------------------------


@cache
def filled(seed):
    """How far off the length of the bill is on average, by how 56 gaps by lot were filled."""
    gone = np.zeros(N, dtype=bool)
    gone[np.random.default_rng(seed).choice(N, 56, replace=False)] = True
    holes = [None if hole else one for hole, one in zip(gone, LENGTHS.tolist(), strict=True)]
    known = {name: BIRDS.column(name) for name in (*BIRDS.names, "species")}
    table = dt.Table.from_columns(
        known | {"bill_length_mm": holes}, target="species", missing="keep"
    )
    near = dt.fill_by_proximity(table, rounds=2, n_trees=25, seed=seed).column("bill_length_mm")
    fills = {"near": np.array(near)}
    kinds = {"all": np.zeros(N), "own": SPECIES, "sex": np.char.add(SPECIES, BIRDS.column("sex"))}
    for name, kind in kinds.items():
        fills[name] = np.array([np.median(LENGTHS[~gone & (kind == one)]) for one in kind])
    return {name: float(abs(fill - LENGTHS)[gone].mean()) for name, fill in fills.items()}


@claim(
    "forests/own-species",
    "the median of the own species is mostly nearer than the near rows",
    true=160,
)
def own_species(seed: int) -> bool:
    """And both are nearer than the median of all birds."""
    off = filled(seed)
    return off["own"] < off["near"] < off["all"]


@claim(
    "forests/and-sex",
    "that of species *and sex* is much nearer than both",
    true=197,
)
def and_sex(seed: int) -> bool:
    """By more than a tenth."""
    off = filled(seed)
    return off["sex"] < 0.9 * min(off["own"], off["near"])


def own_medians(columns, labels):
    """Each gap filled with the median, or the most frequent value, of its own class."""
    full = {}
    for name, values in columns.items():
        typical = {}
        for label in set(labels):
            known = [
                value
                for value, one in zip(values, labels, strict=True)
                if one == label and value is not None
            ]
            text = isinstance(known[0], str)
            typical[label] = (
                Counter(known).most_common(1)[0][0] if text else float(np.median(known))
            )
        full[name] = [
            typical[one] if value is None else value
            for value, one in zip(values, labels, strict=True)
        ]
    return full


@cache
def with_much_missing(seed, how):
    """40% of all values of 222 birds away: errors on new birds, and out of the bag."""
    chance = np.random.default_rng(seed)
    mixed = chance.permutation(N)
    lacks = chance.random((N, 6)) < 0.4
    columns = {
        name: [None if lacks[i, k] else BIRDS.column(name)[i] for i in mixed[:222]]
        for k, name in enumerate(BIRDS.names)
    }
    labels = {"species": SPECIES[mixed[:222]].tolist()}
    if how == "near":
        gaps = dt.Table.from_columns(columns | labels, target="species", missing="keep")
        full = dt.fill_by_proximity(gaps, rounds=2, n_trees=25)
    else:
        full = dt.Table.from_columns(
            own_medians(columns, labels["species"]) | labels, target="species"
        )
    forest = dt.random_forest(full, n_trees=50)
    return forest.error(BIRDS.take(mixed[222:])), forest.oob_error


@claim(
    "forests/much-missing",
    "So it is true here; but mostly the species' own medians would have done as well.",
    true=179,
)
def much_missing(seed: int) -> bool:
    """Right about 95 new birds of 100; with the medians wrong about two of 111 more at most."""
    near, own = (with_much_missing(seed, how)[0] for how in ("near", "own"))
    return bool(near < 0.05 and own <= near + 2.5 / 111)


@claim(
    "forests/filled-out-of-bag",
    "the out-of-bag error is **no** estimate",
    true=198,
)
def filled_out_of_bag(seed: int) -> bool:
    """It is larger than the error on whole new birds."""
    error, out_of_the_bag = with_much_missing(seed, "near")
    return bool(out_of_the_bag > error)


@claim(
    "forests/near-rows",
    "Near rows are mostly of one species",
    true=200,
)
def near_rows(seed: int) -> bool:
    """The mean proximity within a species, and between two."""
    forest = dt.random_forest(BIRDS, n_trees=50, m=2, seed=seed)
    near = forest.proximities(BIRDS)
    same = SPECIES[:, None] == SPECIES
    return bool(near[same].mean() > 10 * near[~same].mean())


# -- dangers --------------------------------------------------------------------------------------


@claim(
    "forests/small-trees",
    "a forest of *small* trees does better",
    true=200,
)
def small_trees(seed: int) -> bool:
    """With three labels of ten turned over."""
    found = dt.theory.noisy_labels([0.3], n_rows=150, n_trees=15, repeats=6, seed=seed)
    return bool(found.overfitting.mean() > 0)


@claim(
    "forests/levels",
    "The more values, the higher the importance by impurity",
    true=200,
)
def levels(seed: int) -> bool:
    """From 2 to 32 values, of attributes that are all worthless."""
    found = dt.theory.many_levels(n_rows=100, n_trees=25, repeats=4, seed=seed)
    return bool(np.all(np.diff(found.impurity.mean(axis=0)) > 0))


@claim(
    "forests/coins",
    "By permutation all are worth about nothing.",
    true=194,
)
def coins(seed: int) -> bool:
    """At most three of a hundred, on average over four tables."""
    found = dt.theory.many_levels(n_rows=100, n_trees=25, repeats=4, seed=seed)
    return bool(np.all(np.abs(found.permutation.mean(axis=0)) < 0.03))


@claim(
    "forests/biased",
    "On clean labels a small tree is biased",
    true=200,
)
def biased(seed: int) -> bool:
    """Trees of three leaves against fully grown ones."""
    clean = dt.populations.wave(noise=0).sample(200, seed=seed)
    small, full = (
        dt.random_forest(clean, n_trees=30, m=1, max_leaves=leaves, seed=1).oob_error
        for leaves in (3, None)
    )
    return bool(small > full)
