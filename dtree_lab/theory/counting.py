"""How much trees can say: concepts, trees, and several trees for one concept.

Everything is counted in whole numbers of any length. (Python refuses to *print* a number of more
than 4,300 digits, such as 2^(2^14); ``n.bit_length()`` says how long it is.)
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

# "F" or "T", or an attribute's name with the trees for F and for T.
Written: TypeAlias = "str | tuple[str, Written, Written]"

_MOST_INSTANCES = 1 << 24  # 2^(2^24) has five million digits
_MOST_ATTRIBUTES = 20
_MOST_LISTED = 4
_MOST_BITS = 10_000_000


def whole(name: str, given: object, least: int, most: int) -> int:
    """A whole number in range; a ValueError names the argument otherwise."""
    right = isinstance(given, int | np.integer) and not isinstance(given, bool)
    if not right or not least <= given <= most:  # type: ignore[operator]
        msg = f"{name}={given!r} must be a whole number from {least} to {most:,}"
        raise ValueError(msg)
    return int(given)  # type: ignore[call-overload, no-any-return]


def count_instances(n: int, *, values: int = 2) -> int:
    """How many instances n attributes can describe: values^n.

    Examples
    --------
    >>> count_instances(4)
    16
    """
    n, values = whole("n", n, 0, 1_000), whole("values", values, 1, 1_000_000)
    return int(values**n)


def count_concepts(instances: int, labels: int = 2) -> int:
    """How many concepts there are, functions from instances to labels: labels^instances.

    Examples
    --------
    >>> count_concepts(count_instances(3))
    256
    """
    instances = whole("instances", instances, 0, _MOST_INSTANCES)
    labels = whole("labels", labels, 1, 1_000_000)
    return int(labels**instances)


def count_boolean_concepts(n: int) -> int:
    """How many concepts there are over n binary attributes: 2^(2^n).

    Parameters
    ----------
    n
        From 0 to 24.

    Examples
    --------
    >>> [count_boolean_concepts(n) for n in range(5)]
    [2, 4, 16, 256, 65536]
    """
    return 1 << (1 << whole("n", n, 0, 24))


def count_trees(n: int, *, labels: int = 2, values: int = 2) -> int:
    r"""How many different trees n attributes allow, no attribute asked twice on a path.

    .. math:: T(0) = L, \qquad T(n) = L + n\, T(n-1)^v

    A tree is a leaf with one of L labels, or asks one of n attributes and has for each of its v
    values a tree over the n - 1 others. Trees that say the same in different ways all count.

    Parameters
    ----------
    n
        From 0 to 20. T(n) has about v times the digits of T(n - 1).
    labels, values
        How many labels, and values of each attribute (1 to 100, 2 to 10).

    Raises
    ------
    ValueError
        For a number out of range, or when the result would have more than ten million bits.

    Examples
    --------
    >>> [count_trees(n) for n in range(5)]
    [2, 6, 74, 16430, 1079779602]
    """
    n = whole("n", n, 0, _MOST_ATTRIBUTES)
    labels, values = whole("labels", labels, 1, 100), whole("values", values, 2, 10)
    trees = labels
    for i in range(1, n + 1):
        if trees.bit_length() * values > _MOST_BITS:
            msg = f"the number of trees over n={n} attributes has more than ten million bits"
            raise ValueError(msg)
        trees = labels + i * trees**values
    return trees


def written_trees(n: int) -> Iterator[Written]:
    """Every tree over n binary attributes a1 … an, as nested tuples, one after the other.

    Parameters
    ----------
    n
        From 0 to 4; :func:`count_trees` says how many come (a thousand million for 4).

    Examples
    --------
    >>> list(written_trees(1))[:4]
    ['F', 'T', ('a1', 'F', 'F'), ('a1', 'F', 'T')]
    """
    names = [f"a{i}" for i in range(1, whole("n", n, 0, _MOST_LISTED) + 1)]
    return _written(tuple(names))


def _written(names: tuple[str, ...]) -> Iterator[Written]:
    yield "F"
    yield "T"
    for name in names:
        others = tuple(other for other in names if other != name)
        for low in _written(others):
            for high in _written(others):
                yield name, low, high


def concept_of(tree: Written, n: int) -> str:
    """The concept of a written tree: its answers to all 2^n rows of a truth table, in order.

    Examples
    --------
    >>> concept_of(("a1", "F", ("a2", "F", "T")), 2)  # and
    'FFFT'
    """
    names = [f"a{i}" for i in range(1, whole("n", n, 0, _MOST_LISTED) + 1)]
    answers = []
    for row in product("FT", repeat=n):
        here, node = dict(zip(names, row, strict=True)), tree
        while not isinstance(node, str):
            name, low, high = node
            node = high if here[name] == "T" else low
        answers.append(node)
    return "".join(answers)


def trees_per_concept(n: int) -> dict[str, int]:
    r"""How many of the trees over n binary attributes say each concept.

    .. math:: N(f) = [f \text{ is constant}] + \sum_i N(f|_{a_i = F})\, N(f|_{a_i = T})

    Parameters
    ----------
    n
        From 0 to 4.

    Returns
    -------
    dict
        From a concept, its answers to the rows of :func:`dtree_lab.datasets.truth_table` in order,
        to the number of trees. All 2^(2^n) concepts are in it: trees can say anything. The numbers
        add up to :func:`count_trees`.

    Examples
    --------
    Two binary attributes: 74 trees for 16 concepts; XOR can be said in two ways.

    >>> found = trees_per_concept(2)
    >>> len(found), sum(found.values()), found["FTTF"], found["FFFF"]
    (16, 74, 2, 9)
    """
    rows = 1 << whole("n", n, 0, _MOST_LISTED)
    return {"".join(answers): _ways("".join(answers)) for answers in product("FT", repeat=rows)}


@lru_cache(maxsize=1 << 17)
def _ways(concept: str) -> int:
    """N(f): how many trees say a concept, over just the attributes of its truth table."""
    found = int(len(set(concept)) == 1)
    run = len(concept) // 2  # how many rows in a row have the same value of the attribute
    while run:
        halves = ["", ""]
        for begin in range(0, len(concept), run):
            halves[begin // run % 2] += concept[begin : begin + run]
        found += _ways(halves[0]) * _ways(halves[1])
        run //= 2
    return found
