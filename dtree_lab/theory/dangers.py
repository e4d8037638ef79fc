"""The two dangers of random forests that the lecture warns of, as evidence that anyone can produce.

- :func:`noisy_labels`: fully grown forests can overfit when labels are noisy.
- :func:`many_levels`: the impurity importance favours attributes with many values.

Each repeats a small experiment on data of its own making, whose truth is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.parallel import parallel_map
from dtree_lab.base.random import key_of, subkey, uniform
from dtree_lab.base.terminal import terminal
from dtree_lab.base.types import Floats
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.populations import wave
from dtree_lab.table.table import Attribute, Table

_TEST_ROWS = 2000


@dataclass(frozen=True, eq=False)
class NoisyLabels:
    """What noise in the labels does to forests.

    Attributes
    ----------
    noise
        The share of labels turned over, which is also the least error possible; ``(n_noises,)``.
    training, test, oob
        Of fully grown forests, in each repeat: the error on the training rows, on fresh ones, and
        out of bag; ``(repeats, n_noises)``.
    limited
        The error on fresh rows of forests of small trees.
    """

    noise: Floats
    training: Floats
    test: Floats
    oob: Floats
    limited: Floats

    @property
    def overfitting(self) -> Floats:
        """How much worse fully grown forests do on fresh rows than those of small trees."""
        return self.test - self.limited

    @terminal
    def __str__(self) -> str:
        head = f"{'noise':>6}  {'training':>8}  {'test':>6}  {'small trees':>11}  overfitting"
        lines = [head]
        for i, noise in enumerate(self.noise):
            mean, error = mean_and_error(self.overfitting[:, i])
            lines.append(
                f"{noise:6.2f}  {self.training[:, i].mean():8.3f}  {self.test[:, i].mean():6.3f}"
                f"  {self.limited[:, i].mean():11.3f}  {mean:z.3f} ± {error:.3f}"
            )
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class ManyLevels:
    """The importances of attributes that say nothing, by how many values they have.

    Attributes
    ----------
    levels
        How many values each attribute has; ``(n_attributes,)``.
    impurity, permutation
        Both importances in each repeat; ``(repeats, n_attributes)``.
    """

    levels: tuple[int, ...]
    impurity: Floats
    permutation: Floats

    @terminal
    def __str__(self) -> str:
        lines = [f"{'values':>6}  {'by impurity':>15}  by permutation"]
        for i, levels in enumerate(self.levels):
            one, other = mean_and_error(self.impurity[:, i]), mean_and_error(self.permutation[:, i])
            lines.append(
                f"{levels:6}  {one[0]:z7.3f} ± {one[1]:.3f}  {other[0]:z7.3f} ± {other[1]:.3f}"
            )
        return "\n".join(lines)


def mean_and_error(repeats: Floats) -> tuple[float, float]:
    """The mean of some repeats, and its standard error."""
    return float(repeats.mean()), float(repeats.std(ddof=1) / np.sqrt(len(repeats)))


def noisy_labels(  # noqa: PLR0913 - what is varied, sizes, and how often
    noise: Sequence[float] = (0.0, 0.1, 0.2, 0.3),
    *,
    n_rows: int = 200,
    n_trees: int = 50,
    max_leaves: int = 8,
    repeats: int = 10,
    seed: int = 0,
) -> NoisyLabels:
    """Grow forests on ever noisier labels, of full trees and of small ones, and test both.

    Two classes lie on either side of a wave (:func:`dtree_lab.populations.wave`), and a share of
    the labels is turned over. Fully grown trees learn the noise by heart: the training error is
    next to nothing, however noisy the labels. Voting takes some of it out again, but not all:
    small trees, which cannot learn it, do better as the noise grows.

    Parameters
    ----------
    noise
        Shares of labels to turn over, from 0 to 0.5.
    n_rows, n_trees
        Of each forest.
    max_leaves
        Of a small tree.
    repeats
        How many training sets, at least 2.
    seed
        The same seed makes the same evidence.

    Returns
    -------
    NoisyLabels

    Raises
    ------
    ValueError
        For a number out of range.

    Notes
    -----
    Segal (2004), Machine learning benchmarks and random forest regression, shows forests overfit
    noisy data; Hastie, Tibshirani and Friedman (2009), The Elements of Statistical Learning,
    15.3.4, discuss when small trees help.

    Examples
    --------
    >>> found = noisy_labels([0.0, 0.3], n_rows=60, n_trees=10, repeats=2)
    >>> found.test.shape
    (2, 2)
    """
    checked_whole("repeats", repeats, 2)
    shares = np.array(noise, dtype=np.float64)
    if not shares.size or not ((shares >= 0) & (shares <= 0.5)).all():  # noqa: PLR2004
        raise ValueError(f"noise={list(noise)!r} must be some shares of labels, each from 0 to 0.5")
    tasks = [(float(share), seed, r) for r in range(repeats) for share in shares]
    what = "growing forests on noisy labels"
    measured = parallel_map(_noisy, tasks, what=what, common=((n_rows, n_trees, max_leaves),))
    each = np.array(measured).reshape(repeats, len(shares), 4)
    return NoisyLabels(shares, *np.moveaxis(each, 2, 0))


def _noisy(sizes: tuple[int, int, int], noise: float, seed: int, repeat: int) -> tuple[float, ...]:
    """Training, test and out-of-bag error of a full forest, and the test error of a small one."""
    n_rows, n_trees, max_leaves = sizes
    place = int(key_of(seed, repeat)[0] >> np.uint64(1))
    source = wave(noise=noise)
    table = source.sample(n_rows, seed=place)
    test = source.sample(_TEST_ROWS, seed=place + 1)
    full = random_forest(table, n_trees=n_trees, seed=place)
    small = random_forest(table, n_trees=n_trees, max_leaves=max_leaves, seed=place)
    return full.error(table), full.error(test), full.oob_error, small.error(test)


def many_levels(
    levels: Sequence[int] = (2, 4, 8, 16, 32),
    *,
    n_rows: int = 150,
    n_trees: int = 50,
    repeats: int = 10,
    seed: int = 0,
) -> ManyLevels:
    """Grow forests on attributes that say nothing, and ask what each is worth.

    Labels are coins, and so are the attributes, with ever more sides. None says anything about
    the label, so none is worth anything. But of many values some split the rows at hand well by
    chance, so trees use such an attribute more, and its impurity importance, counted on the rows
    that the tree was grown on, is higher. Permuting an attribute in the out-of-bag rows measures
    what it is worth on others, and finds nothing.

    Parameters
    ----------
    levels
        How many values each attribute has, each at least 2.
    n_rows, n_trees, repeats, seed
        As in :func:`noisy_labels`.

    Returns
    -------
    ManyLevels

    Raises
    ------
    ValueError
        For a number out of range.

    Notes
    -----
    Strobl, Boulesteix, Zeileis and Hothorn (2007), Bias in random forest variable importance
    measures, BMC Bioinformatics 8, 25.

    Examples
    --------
    >>> found = many_levels([2, 20], n_rows=60, n_trees=10, repeats=2)
    >>> found.impurity.shape
    (2, 2)
    """
    checked_whole("repeats", repeats, 2)
    sides = tuple(levels)
    if not sides or not all(isinstance(s, int) and s > 1 for s in sides):
        raise ValueError(f"levels={list(levels)!r} must be some whole numbers, each at least 2")
    tasks = [(sides, n_rows, n_trees, seed, r) for r in range(repeats)]
    measured = parallel_map(_worthless, tasks, what="growing forests on coins")
    impurity, permutation = map(np.array, zip(*measured, strict=True))
    return ManyLevels(sides, impurity, permutation)


def _worthless(
    sides: tuple[int, ...], n_rows: int, n_trees: int, seed: int, repeat: int
) -> tuple[Floats, Floats]:
    table = coins(sides, n_rows, seed=int(key_of(seed, repeat)[0] >> np.uint64(1)))
    forest = random_forest(table, n_trees=n_trees, seed=seed)
    return forest.impurity_importance().values, forest.permutation_importance(table).values


def coins(sides: Sequence[int], n_rows: int, *, seed: int = 0) -> Table:
    """A table of fair dice with so many sides each, and a coin for a label."""

    def thrown(n: int, place: int) -> NDArray[Any]:
        drawn = uniform(subkey(key_of(seed, place), np.arange(n_rows)))
        return (drawn * n).astype(np.int32)

    named = [(n, f"{n} values") for n in sides]
    attributes = tuple(Attribute(name, tuple(f"v{i:02}" for i in range(n))) for n, name in named)
    columns = tuple(thrown(n, i) for i, n in enumerate(sides, start=1))
    return Table(attributes, Attribute("coin", ("heads", "tails")), columns, thrown(2, 0))
