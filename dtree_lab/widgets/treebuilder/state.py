"""The state of a tree builder: everything that the widget is, frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from dtree_lab.shown import plural
from dtree_lab.widgets.kit.taking import check_few_classes, classified, measured_with
from dtree_lab.widgets.treebuilder.inspecting import Inspection
from dtree_lab.widgets.treebuilder.grown import Grown, planted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.table import Table
    from dtree_lab.tree import Path
    from dtree_lab.widgets.treebuilder.actions import Step

Reveal: TypeAlias = Literal["always", "after"]
ROOT: Path = ()
MOST_CLASSES = 100


@dataclass(frozen=True)
class SplitVerdict:
    """What a choice was worth beside the best one."""

    good: bool
    text: str


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one.

    Attributes
    ----------
    root, locked
        The tree, and the paths that are protected.
    steps
        What was done, in order; `past` holds the state before each step.
    undone
        What was taken back, the last one first to be made again.
    selected
        The path of the node that is looked at.
    revealed
        The nodes where the learner has chosen, so that the gains may be seen.
    drafts
        The cuts and groups of values being tried, by path and attribute.
    verdict, problem, status
        What to say: about the choice, about an action that could not be done, about what changed.
    inspection
        Rows that are followed, and another tree.
    """

    table: Table
    validation: Table | None
    reveal: Reveal
    root: Grown
    locked: frozenset[Path] = frozenset()
    steps: tuple[Step, ...] = ()
    past: tuple[State, ...] = ()
    undone: tuple[Step, ...] = ()
    selected: Path = ROOT
    revealed: frozenset[Path] = frozenset()
    drafts: Mapping[tuple[Path, str], Any] = field(default_factory=dict)
    verdict: SplitVerdict | None = None
    problem: str | None = None
    status: str = ""
    inspection: Inspection = field(default_factory=Inspection)

    @property
    def node(self) -> Grown:
        """The selected node."""
        node = self.root.at(self.selected)
        assert node is not None  # noqa: S101 - update keeps it so
        return node

    @property
    def hidden(self) -> bool:
        """Whether the gains at the selected node are not to be seen yet."""
        return self.reveal == "after" and self.selected not in self.revealed

    def lock_on(self, path: Path) -> Path | None:
        """The locked node that protects a path: itself or one above it."""
        above = (path[:n] for n in range(len(path) + 1))
        return next((p for p in above if p in self.locked), None)

    def lock_below(self, path: Path) -> Path | None:
        """A locked node below a path."""
        return next((p for p in sorted(self.locked) if p[: len(path)] == path), None)


def start(table: Table, *, validation: Table | None = None, reveal: Reveal = "always") -> State:
    """The state before anything was done.

    Raises
    ------
    ValueError
        For a table that no classification tree can be grown on or that has more classes than can be
        told apart, a validation table that does not fit it, or another `reveal`.
    """
    table = classified(table)
    if reveal not in ("always", "after"):
        msg = f"reveal={reveal!r} must be 'always' or 'after'"
        raise ValueError(msg)
    check_few_classes(table.target, MOST_CLASSES)
    root = planted(table)
    if validation is not None:
        validation = measured_with(validation)
        root.tree.error(validation)  # raises, naming what does not fit
    return State(table, validation, reveal, root)


def error_text(root: Grown) -> str:
    """``3 of 10 rows wrong``."""
    return f"{root.wrong:,} of {plural(len(root.rows), 'row')} wrong"


def name_of(state: State, path: Path) -> str:
    """A node in words: what holds for its rows."""
    return ", ".join(state.root.where(path)) or "at the root"
