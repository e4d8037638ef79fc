"""What a tree builder remembers: the tree, the steps that made it, and what it is inspected by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias

from dtree_lab.base.text import plural
from dtree_lab.grow.api import c45, cart, id3
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit import inspecting
from dtree_lab.labs.kit.boxes import asked_in, chosen_pair
from dtree_lab.labs.kit.cards import node_at, reasons
from dtree_lab.labs.kit.controls import Button, Control, Dropdown
from dtree_lab.labs.kit.inspecting import Follow, Followed
from dtree_lab.labs.kit.parts import Controls, Part
from dtree_lab.labs.kit.planes import ACROSS, SHOWN, UP, turned
from dtree_lab.labs.kit.settings import remembered
from dtree_lab.labs.kit.taking import check_few_classes, classified, measured_with, notes
from dtree_lab.labs.treebuilder.nodes import BuiltNode, planted
from dtree_lab.table.table import Table
from dtree_lab.tree.differences import Differences, differences
from dtree_lab.tree.tree import Path, Tree

# Each step has the word that it is called by in the text, and a phrase for what it did.


@dataclass(frozen=True)
class Ask:
    """Split a node by an attribute; `how` is a cut, groups of values, or None for each value."""

    word, phrase = "ask", "asking {attribute}"
    at: Path
    attribute: str
    how: Any = None


@dataclass(frozen=True)
class AskBest:
    """Split a node by what ID3 would ask there."""

    word, phrase = "best", "the best split"
    at: Path


@dataclass(frozen=True)
class CutBack:
    """Turn a node back into a leaf."""

    word, phrase = "cut", "cutting back to a leaf"
    at: Path


@dataclass(frozen=True)
class Lock:
    """Protect a node and all below it from changes, or no longer."""

    word, phrase = "lock", "locking"
    at: Path


@dataclass(frozen=True)
class Finish:
    """Grow every leaf that is not locked to its end."""

    word, phrase = "finish", "finishing with {recipe}"
    recipe: str


@dataclass(frozen=True)
class Reset:
    """Start over with a single leaf."""

    word, phrase = "reset", "starting over"


@dataclass(frozen=True)
class Open:
    """Ask what a whole tree asks, in place of what stands; `questions` are breadth first."""

    word, phrase = "open", "opening a tree"
    questions: tuple[Any, ...]
    criterion: str


Step: TypeAlias = Ask | AskBest | CutBack | Lock | Finish | Reset | Open


_GROWERS = {"ID3": id3, "C4.5": c45, "CART": cart}
KEPT = "kept"


@dataclass(frozen=True, eq=False)
class OtherTree:
    """A tree to compare with; `steps` made it, if a person did."""

    tree: Tree
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Inspection:
    """What stands beside the tree; at first nothing."""

    follow: Follow = field(default_factory=Follow)  # whose way through the tree is shown
    # What the tree is compared with: ``""`` for nothing, an algorithm, or the kept tree.
    against: str = ""
    rows: str = "training"  # the name of the table whose rows are answered by both
    kept: OtherTree | None = None  # the tree that was kept for comparing
    at: Path = ()  # the node of the other tree that is looked at
    # Whether the plane of two attributes is seen, and which two were chosen, across and up.
    plane: bool = True
    pair: tuple[int, int] | None = None

    @property
    def used(self) -> bool:
        """Whether there is anything to see."""
        return bool(self.follow.whom or self.against)


def tables(state: State) -> dict[str, Table]:
    """The rows that can be followed and compared on."""
    found = {"training": state.table}
    return found if state.validation is None else {**found, "validation": state.validation}


def other(state: State) -> OtherTree | None:
    """The tree to compare with."""
    against = state.inspection.against
    return state.inspection.kept if against == KEPT else _grown(against, state.table)


@lru_cache(maxsize=6)
def _grown(name: str, table: Table) -> OtherTree | None:
    return OtherTree(_GROWERS[name](table)) if name in _GROWERS else None


@lru_cache(maxsize=4)
def _found(root: BuiltNode, against: OtherTree, rows: Table) -> Differences:
    return differences(root.tree, against.tree, rows)


# -- what a person does ----------------------------------------------------------------------------


def changed(state: State, action: kit.Action) -> State:
    """The state after an action on what stands beside the tree."""
    inspection, rows, tree = state.inspection, tables(state), state.root.tree
    said = replace(state, verdict="", status="")
    match action:
        case kit.Set(control, value) if control in (SHOWN, ACROSS, UP):
            return _with_plane(said, control, value)
    follow = inspecting.next_follow(inspection.follow, action, rows, tree)
    if follow is not None:
        return _inspecting(said, follow=follow)
    selected = inspecting.picked(inspection.follow, action, rows, tree)
    if selected is not None:
        return replace(said, selected=selected)
    return _compared(said, action)


def _inspecting(state: State, **changes: Any) -> State:
    return replace(state, inspection=replace(state.inspection, **changes))


def _compared(state: State, action: kit.Action) -> State:
    match action:
        case kit.Set("compare", str(against)):
            _check(against, [key for key, _ in _against(state.inspection)])
            return _inspecting(state, against=against, at=())
        case kit.Set("compare-on", str(rows)):
            _check(rows, list(tables(state)))
            return _inspecting(state, rows=rows)
        case kit.Press("compare-keep"):
            kept = OtherTree(state.root.tree, state.steps)
            status = f"Kept a tree of {plural(kept.tree.n_nodes, 'node')}: go on, and compare."
            return _inspecting(replace(state, status=status), kept=kept, against=KEPT, at=())
        case kit.Select("compare-other", at):
            shown = other(state)
            if shown is None or node_at(shown.tree.root, at) is None:
                raise kit.NotPossibleError(f"The other tree has no node at {list(at)}.")
            return _inspecting(state, at=at)
        case kit.Pick("compare-rows"):
            return _followed(state, action)
    raise _strange(action)


def _strange(action: kit.Action) -> kit.NotPossibleError:
    match action:
        case kit.Press(name) | kit.Use(name):
            return kit.unreadable({"do": name})
        case kit.Point():
            return kit.unreadable({"do": "point", **vars(action)})
    return kit.NotPossibleError(f"Nothing beside the tree does this: {action}")


def _check(key: str, known: list[str]) -> None:
    if key not in known:
        msg = f"There is no {key!r} to choose; there are {', '.join(filter(None, known))}."
        raise kit.NotPossibleError(msg)


def _followed(state: State, action: kit.Action) -> State:
    """Follow a row that is answered differently."""
    found = _differences(state)
    row = None if found is None else inspecting.row_picked(found, action)
    if row is None:
        raise kit.NotPossibleError("There is nothing to compare with yet.")
    return _inspecting(state, follow=Follow(f"one {state.inspection.rows}", row))


def _differences(state: State) -> Differences | None:
    against = other(state)
    if against is None:
        return None
    return _found(state.root, against, tables(state)[state.inspection.rows])


# -- what is shown ---------------------------------------------------------------------------------


def inspected(state: State) -> Followed:
    """What is shown of all that stands beside the tree; of its parts one may be the other tree."""
    rows, inspection = tables(state), state.inspection
    tags, lit, followed = inspecting.follow_parts(state.root.tree, rows, inspection.follow)
    parts: list[Part] = [*notes(state.table, state.validation), *followed]
    all_tags = [dict.fromkeys(state.locked, "locked"), tags]
    against, found = other(state), _differences(state)
    parts.append(_controls(state))
    if against is not None and found is not None:
        names = "your tree", dict(_against(inspection))[inspection.against]
        shown = inspecting.comparison_of(found, names, second=inspection.rows != "training")
        whom = inspection.follow
        way: Path | None = None
        if whom.is_one:
            way = inspecting.stopping_path(against.tree, rows[whom.which], whom.row)
        picture = inspecting.compared_picture(shown, 1, inspection.at, way)
        parts += [shown.parts[0], picture, *shown.parts[1:]]
        all_tags.append(shown.tags[0])
    return Followed(_joined(all_tags), lit, parts)


def _joined(tags: list[dict[Path, str]]) -> dict[Path, str]:
    """What several have to say under the same cards."""
    found: dict[Path, list[str]] = {}
    for path, tag in (pair for some in tags for pair in some.items()):
        found.setdefault(path, []).append(tag)
    return {path: " · ".join(said) for path, said in found.items()}


def _against(inspection: Inspection) -> list[tuple[str, str]]:
    """What one can compare with, with its words."""
    kept = [] if inspection.kept is None else [(KEPT, "the kept tree")]
    return [("", "nothing"), *((name, f"{name}'s tree") for name in _GROWERS), *kept]


def _controls(state: State) -> Controls:
    inspection, rows = state.inspection, list(tables(state))
    controls: list[Control] = [
        Dropdown("compare", "Compare with", inspection.against, _against(inspection)),
        Button("compare-keep", "Keep this tree for comparing"),
    ]
    if inspection.against and len(rows) > 1:
        options = [(name, f"{name} rows") for name in rows]
        controls.insert(1, Dropdown("compare-on", "on", inspection.rows, options))
    return Controls("compare", "Compare with another tree", controls)


# -- the plane -------------------------------------------------------------------------------------


def pair_of(state: State) -> tuple[int, int] | None:
    """The attributes of the plane; None for a table that has no two to show.

    Of those that nobody has chosen, one is what the root asks for, so that they seldom change as
    the tree grows; then come those that gain most. Where gains are told after a choice, nothing is
    ranked by them.
    """
    if state.inspection.pair is not None:
        return state.inspection.pair
    ranked = [*asked_in(state.root.tree)[:1]]
    if state.reveal == "always":
        offers = [offer for offer in state.root.offers if offer]
        ranked += [o.split.attribute for o in sorted(offers, key=lambda o: -o.gain_ticks)]
    return chosen_pair(state.table, ranked)


def _with_plane(state: State, control: str, value: object) -> State:
    """The state with another attribute in the plane, or with the plane seen or not."""
    pair = pair_of(state)
    if control == SHOWN and isinstance(value, bool) and pair is not None:
        return _inspecting(state, plane=value)
    return _inspecting(state, pair=turned(pair, control, value, state.table))


# -- the state -------------------------------------------------------------------------------------

Reveal: TypeAlias = Literal["always", "after"]
ROOT: Path = ()
MOST_CLASSES = 100


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one."""

    table: Table
    validation: Table | None
    root: BuiltNode
    reveal: Reveal = remembered(str, trait="reveals")
    locked: frozenset[Path] = frozenset()
    steps: tuple[Step, ...] = remembered(list, default=())
    past: tuple[State, ...] = ()  # the state before each step
    undone: tuple[Step, ...] = ()  # the last one first to be made again
    selected: Path = remembered(list, tuple, default=ROOT)
    # The nodes where the learner has chosen, so that the gains may be seen.
    revealed: frozenset[Path] = frozenset()
    # The cuts and groups of values being tried, by path and attribute.
    drafts: Mapping[tuple[Path, str], Any] = field(default_factory=dict)
    verdict: str = ""  # what a choice was worth beside the best one
    status: str = ""  # about what changed
    inspection: Inspection = field(default_factory=Inspection)
    # What is inspected and tried; what is wrong with it is said as it is made again.
    beside = remembered(object, bool, default={}, optional=True)

    @cached_property
    def node(self) -> BuiltNode:
        """The selected node."""
        node = self.root.at(self.selected)
        assert node is not None  # noqa: S101 - update keeps it so
        return node

    @cached_property
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


def start(table: Table, validation: Table | None = None, reveal: Reveal = "always") -> State:
    """The state before anything was done."""
    table = classified(table)
    if reveal not in ("always", "after"):
        raise ValueError(f"reveal={reveal!r} must be 'always' or 'after'")
    check_few_classes(table.target, MOST_CLASSES)
    root = planted(table)
    if validation is not None:
        validation = measured_with(validation)
        root.tree.error(validation)  # raises, naming what does not fit
    return State(table, validation, root, reveal)


def error_text(root: BuiltNode) -> str:
    """``3 of 10 rows wrong``."""
    return f"{root.wrong:,} of {plural(len(root.rows), 'row')} wrong"


def name_of(state: State, path: Path) -> str:
    """A node in words: what holds for its rows."""
    return ", ".join(reasons(state.root.node, state.table.attributes, path)) or "at the root"
