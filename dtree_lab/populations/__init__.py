"""Where training sets come from, again and again, with the truth known: for measuring a grower.

- :func:`wave`, :func:`diagonal`, :func:`circle`, :func:`checkerboard`, :func:`two_gaussians`, or
  any :func:`plane`: points with two classes, and P(Y | x) at each.
- :func:`sine`, or any :func:`curve`: a number to predict, with E[y | x] and the noise variance.
- :func:`finite`: the rows of a table are all there is, such as a truth table with noise.
- :func:`resampled`: the rows of a table stand for a population that nobody knows.

``population.sample(n_rows, seed=…)`` is a table, ``population.truth(table)`` what is true of it.
"""

from __future__ import annotations

from dtree_lab.populations.base import Chances, Numbers, Population, Truth
from dtree_lab.populations.curve import Curve, curve, sine
from dtree_lab.populations.finite import Finite, Pool, finite, resampled
from dtree_lab.populations.planes import (
    Gaussians,
    Plane,
    checkerboard,
    circle,
    diagonal,
    plane,
    two_gaussians,
    wave,
)

__all__ = [
    "Chances",
    "Curve",
    "Finite",
    "Gaussians",
    "Numbers",
    "Plane",
    "Pool",
    "Population",
    "Truth",
    "checkerboard",
    "circle",
    "curve",
    "diagonal",
    "finite",
    "plane",
    "resampled",
    "sine",
    "two_gaussians",
    "wave",
]
__dir__ = __all__.copy  # what is public, and nothing else
