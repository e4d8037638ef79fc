"""Estimators' parameters, checked, and as the growers' keywords."""

from __future__ import annotations

from math import ceil, isqrt, log2
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.shown import listing

if TYPE_CHECKING:
    from collections.abc import Mapping


def _is_whole(given: Any, least: int) -> bool:
    whole = isinstance(given, int | np.integer) and not isinstance(given, bool)
    return whole and bool(given >= least)


def _is_share(given: Any) -> bool:
    return isinstance(given, float | np.floating) and bool(0 < given <= 1)


def whole(name: str, given: Any, least: int) -> int:
    """A whole number; raises a ValueError for anything else, naming the parameter."""
    if not _is_whole(given, least):
        msg = f"{name}={given!r} must be a whole number, at least {least}"
        raise ValueError(msg)
    return int(given)


def one_of(name: str, given: Any, known: tuple[Any, ...]) -> Any:
    """One of some values; raises a ValueError for any other."""
    if not any(type(given) is type(one) and given == one for one in known):
        msg = f"{name}={given!r} must be one of {listing(known)}"
        raise ValueError(msg)
    return given


def truth(name: str, given: Any) -> bool:
    """True or False; raises a ValueError for anything else."""
    if not isinstance(given, bool | np.bool_):
        msg = f"{name}={given!r} must be True or False"
        raise ValueError(msg)  # noqa: TRY004 - one error for all parameters
    return bool(given)


def limits(given: Mapping[str, Any], n_rows: int) -> dict[str, Any]:
    """The growers' keywords for where to stop, from parameters with scikit-learn's names.

    The growers themselves check what has the same name there.
    """
    depth, leaves = given["max_depth"], given["max_leaf_nodes"]
    same = {name: given[name] for name in ("min_gain", "max_error") if name in given}
    return {
        "max_depth": None if depth is None else whole("max_depth", depth, 0),
        "max_leaves": None if leaves is None else whole("max_leaf_nodes", leaves, 1),
        "min_rows": least_rows("min_samples_split", given["min_samples_split"], 2, n_rows),
        "min_leaf": least_rows("min_samples_leaf", given["min_samples_leaf"], 1, n_rows),
        **same,
    }


def least_rows(name: str, given: Any, least: int, n_rows: int) -> int:
    """A number of rows, or a share of all, rounded up."""
    if _is_whole(given, least):
        return int(given)
    if _is_share(given):
        return max(least, ceil(float(given) * n_rows))
    msg = (
        f"{name}={given!r} must be a whole number of rows, at least {least}, or a share of"
        " all rows, above 0.0 and up to 1.0"
    )
    raise ValueError(msg)


def n_drawn(given: Any, n_features: int) -> int:
    """`max_features`: how many attributes are drawn at each node, out of so many."""
    if given is None:
        return n_features
    if isinstance(given, str) and given in ("sqrt", "log2"):
        return max(1, isqrt(n_features) if given == "sqrt" else int(log2(n_features)))
    if _is_whole(given, 1):
        return min(int(given), n_features)
    if _is_share(given):
        return max(1, int(float(given) * n_features))
    msg = (
        f"max_features={given!r} must be None, 'sqrt', 'log2', a whole number of columns, at least"
        " 1, or a share of them, above 0.0 and up to 1.0"
    )
    raise ValueError(msg)
