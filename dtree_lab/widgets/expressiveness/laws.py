"""How many internal nodes the smallest tree for a function of n binary attributes has."""

from __future__ import annotations

from math import comb

FUNCTIONS = {
    "or": "OR: any is T",
    "and": "AND: all are T",
    "xor": "XOR: an odd number is T (odd parity)",
    "majority": "majority: more than half are T",
}
LAWS = {
    "or": "n",
    "and": "n",
    "xor": "2^n - 1",
    "majority": "C(n + 1, ⌊n/2⌋ + 1) - 1",
}
MOST_N = 8


def fewest(function: str, n: int) -> int:
    """The fewest internal nodes.

    OR is known as soon as one T is met, AND with the first F. XOR is never known before the last
    attribute. A majority is known at the k-th T, k being ⌊n/2⌋ + 1, or at the F that makes k
    impossible: there are C(n + 1, k) such ways to the end, and a binary tree with so many leaves
    has one internal node fewer.

    Examples
    --------
    >>> [fewest(function, 4) for function in FUNCTIONS]
    [4, 4, 15, 9]
    """
    if function == "xor":
        return int(2**n - 1)
    return n if function != "majority" else comb(n + 1, n // 2 + 1) - 1


def worked(function: str, n: int) -> str:
    """The law with n filled in: ``2^3 - 1 = 7``."""
    found = fewest(function, n)
    match function:
        case "xor":
            return f"2^{n} - 1 = {found}"
        case "majority":
            return f"C({n + 1}, {n // 2 + 1}) - 1 = {found}"
    return f"n = {found}"
