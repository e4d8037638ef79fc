"""The steps that grow a tree by hand; a state keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from dtree_lab.tree import Path


@dataclass(frozen=True)
class Ask:
    """Split a node by an attribute; `how` is a cut, groups of values, or None for each value."""

    at: Path
    attribute: str
    how: Any = None


@dataclass(frozen=True)
class Best:
    """Split a node by what ID3 would ask there."""

    at: Path


@dataclass(frozen=True)
class CutBack:
    """Turn a node back into a leaf."""

    at: Path


@dataclass(frozen=True)
class Lock:
    """Protect a node and all below it from changes, or no longer."""

    at: Path


@dataclass(frozen=True)
class Finish:
    """Grow every leaf that is not locked to its end."""

    recipe: str


@dataclass(frozen=True)
class Reset:
    """Start over with a single leaf."""


Step: TypeAlias = Ask | Best | CutBack | Lock | Finish | Reset
