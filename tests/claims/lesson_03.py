"""What lesson 3 says that rests on chance: on which sentences were put where."""

from __future__ import annotations

from functools import cache

import numpy as np

import dtree_lab as dt
from claims.harness import claim

_MIXES = 2
# Other mixes than the twenty that the lesson itself averages over.
_FIRST = 100


@cache
def _mixed(mix: int) -> dict[str, float]:
    """Nodes and errors of a large tree, of a pruned one, and of one that may ask all words."""
    sentences = dt.corpus.sentences("run")
    order = np.random.default_rng(mix).permutation(len(sentences))
    shuffled = [sentences[i] for i in order]
    parts = shuffled[:114], shuffled[114:164], shuffled[164:]
    words = dt.corpus.context_words(parts[0])
    training, pruning, unseen = (dt.corpus.features(part, words) for part in parts)
    large = dt.id3(training)
    pruned = dt.prune.reduced_error(large, pruning, no_worse=True)
    return {
        "kept": pruned.n_nodes / large.n_nodes,
        "unseen": large.error(unseen),
        "pruned": pruned.error(unseen),
    }


def _mean(seed: int, name: str) -> float:
    first = _FIRST + _MIXES * seed
    return float(np.mean([_mixed(mix)[name] for mix in range(first, first + _MIXES)]))


@claim(
    "word-senses/half-of-the-tree",
    "On average pruning takes away half of the tree",
    true=200,
)
def half_of_the_tree(seed: int) -> bool:
    """Over two mixes from a fifth to four fifths of the nodes are left; over all, half of them."""
    return 0.2 < _mean(seed, "kept") < 0.8


@claim(
    "word-senses/little-of-the-error",
    "and a point or two of the error",
    true=196,
)
def little_of_the_error(seed: int) -> bool:
    """Over two mixes the error on unseen sentences goes up or down by less than ten points."""
    return abs(_mean(seed, "pruned") - _mean(seed, "unseen")) < 0.1


@claim(
    "word-senses/training-is-no-measure",
    "On its training sentences this tree looks perfect. On new ones it is no better than before.",
    true=200,
)
def training_is_no_measure(seed: int) -> bool:
    """A tree that may ask all words is perfect in training, and wrong about one new one in four."""
    sentences = dt.corpus.sentences("run")
    order = np.random.default_rng(_FIRST + seed).permutation(len(sentences))
    training, unseen = ([sentences[i] for i in part] for part in (order[:114], order[164:]))
    every = sorted({word for one in training for word in one.window(5)} - {"run", "ran"})
    tree = dt.id3(dt.corpus.features(training, every))
    on_training, on_unseen = (
        tree.error(dt.corpus.features(part, every)) for part in (training, unseen)
    )
    return bool(on_training == 0 and on_unseen > 0.25)
