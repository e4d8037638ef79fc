"""What a person can do in a tree builder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from dtree_lab.widgets.kit import actions as kit

if TYPE_CHECKING:
    from dtree_lab.tree import Path


@dataclass(frozen=True)
class Select:
    """Look at a node."""

    at: Path


@dataclass(frozen=True)
class Draft:
    """Try a cut or groups of values at the selected node, without splitting it."""

    attribute: str
    how: Any


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
class Cut:
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


@dataclass(frozen=True)
class Undo:
    """Take the last step back."""


@dataclass(frozen=True)
class Redo:
    """Make it again."""


@dataclass(frozen=True)
class Next:
    """Go on as a lecture does: the best split at the selected leaf, or else at the next one."""


Step: TypeAlias = Ask | Best | Cut | Lock | Finish | Reset
# What is done to the parts beside the tree.
Aside: TypeAlias = kit.Set | kit.Press | kit.Pick | kit.Select
Action: TypeAlias = Select | Draft | Step | Undo | Redo | Next | Aside
