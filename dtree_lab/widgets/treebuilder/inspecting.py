"""What stands beside the tree: rows on their way through it, and a second tree to compare with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from dtree_lab.learn.api import c45, cart, id3
from dtree_lab.learn.differences import differences
from dtree_lab.shown import plural
from dtree_lab.widgets.kit import actions as kit
from dtree_lab.widgets.kit import comparing, following
from dtree_lab.widgets.kit.cards import node_at
from dtree_lab.widgets.kit.controls import Button, Choice
from dtree_lab.widgets.kit.following import Follow
from dtree_lab.widgets.kit.leftout import notes
from dtree_lab.widgets.kit.parts import Controls

if TYPE_CHECKING:
    from dtree_lab.learn.differences import Differences
    from dtree_lab.table import Table
    from dtree_lab.tree import Path, Tree
    from dtree_lab.widgets.kit.controls import Control
    from dtree_lab.widgets.kit.parts import Part, TreePicture
    from dtree_lab.widgets.treebuilder.actions import Step
    from dtree_lab.widgets.treebuilder.grown import Grown
    from dtree_lab.widgets.treebuilder.state import State

_GROWERS = {"ID3": id3, "C4.5": c45, "CART": cart}
KEPT = "kept"


@dataclass(frozen=True, eq=False)
class OtherTree:
    """A tree to compare with; `steps` made it, if a person did."""

    tree: Tree
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Inspection:
    """What stands beside the tree; at first nothing.

    Attributes
    ----------
    follow
        Whose way through the tree is shown.
    against
        What the tree is compared with: ``""`` for nothing, an algorithm, or the kept tree.
    rows
        The name of the table whose rows are answered by both.
    kept
        The tree that was kept for comparing.
    at
        The node of the other tree that is looked at.
    """

    follow: Follow = field(default_factory=Follow)
    against: str = ""
    rows: str = "training"
    kept: OtherTree | None = None
    at: Path = ()

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
def _found(root: Grown, against: OtherTree, rows: Table) -> Differences:
    return differences(root.tree, against.tree, rows)


def names(state: State) -> tuple[str, str]:
    """What the two trees are called within a sentence."""
    against = state.inspection.against
    return "your tree", "the kept tree" if against == KEPT else f"{against}'s tree"


# -- what a person does ----------------------------------------------------------------------------


def changed(state: State, action: kit.Action) -> State:
    """The state after an action on what stands beside the tree.

    Raises
    ------
    NotPossibleError
        For an action that cannot be done.
    """
    inspection, rows, tree = state.inspection, tables(state), state.root.tree
    said = replace(state, problem=None, verdict=None, status="")
    follow = following.changed(inspection.follow, action, rows, tree)
    if follow is not None:
        return replace(said, inspection=replace(inspection, follow=follow))
    selected = following.picked(inspection.follow, action, rows, tree)
    if selected is not None:
        return replace(said, selected=selected)
    return _compared(said, action)


def _compared(state: State, action: kit.Action) -> State:
    inspection = state.inspection
    match action:
        case kit.Set("compare", str(against)):
            _check(against, [key for key, _ in _against(inspection)])
            return replace(state, inspection=replace(inspection, against=against, at=()))
        case kit.Set("compare-on", str(rows)):
            _check(rows, list(tables(state)))
            return replace(state, inspection=replace(inspection, rows=rows))
        case kit.Press("compare-keep"):
            kept = OtherTree(state.root.tree, state.steps)
            status = f"Kept a tree of {plural(kept.tree.n_nodes, 'node')}: go on, and compare."
            return replace(
                state, status=status, inspection=replace(inspection, kept=kept, against=KEPT, at=())
            )
        case kit.Select("compare-other", at):
            shown = other(state)
            if shown is None or node_at(shown.tree.root, at) is None:
                msg = f"The other tree has no node at {list(at)}."
                raise kit.NotPossibleError(msg)
            return replace(state, inspection=replace(inspection, at=at))
        case kit.Pick("compare-rows"):
            return _followed(state, action)
        case kit.Press(control) | kit.Use(control):
            raise kit.unreadable({"do": control})
        case kit.Point():
            raise kit.unreadable({"do": "point", **vars(action)})
    msg = f"Nothing beside the tree does this: {action}"
    raise kit.NotPossibleError(msg)


def _check(key: str, known: list[str]) -> None:
    if key not in known:
        msg = f"There is no {key!r} to choose; there are {', '.join(filter(None, known))}."
        raise kit.NotPossibleError(msg)


def _followed(state: State, action: kit.Action) -> State:
    """Follow a row that is answered differently."""
    found, inspection = _differences(state), state.inspection
    row = None if found is None else comparing.row_picked(found, action)
    if row is None:
        msg = "There is nothing to compare with yet."
        raise kit.NotPossibleError(msg)
    return replace(state, inspection=replace(inspection, follow=Follow(f"one {inspection.rows}", row)))


def _differences(state: State) -> Differences | None:
    against = other(state)
    if against is None:
        return None
    return _found(state.root, against, tables(state)[state.inspection.rows])


# -- what is shown ---------------------------------------------------------------------------------


class InspectionView(NamedTuple):
    """What is shown of it: tags and a lit path for the tree, and the parts, the other tree one."""

    tags: dict[Path, str]
    lit: Path | None
    parts: list[Part]
    other: TreePicture | None


def inspected(state: State) -> InspectionView:
    """What is shown of all that stands beside the tree."""
    rows, inspection = tables(state), state.inspection
    tags, lit, followed = following.parts(state.root.tree, rows, inspection.follow)
    parts: list[Part] = [*notes(state.table, state.validation), *followed]
    all_tags = [dict.fromkeys(state.locked, "locked"), tags]
    against, found = other(state), _differences(state)
    picture = None
    parts.append(_controls(state))
    if against is not None and found is not None:
        shown = comparing.parts(found, names(state))
        whom = inspection.follow
        way = following.way(against.tree, rows[whom.which], whom.row) if whom.one else None
        picture = comparing.picture(shown, 1, inspection.at, way)
        parts += [shown.parts[0], picture, *shown.parts[1:]]
        all_tags.append(shown.tags[0])
    return InspectionView(_joined(all_tags), lit, parts, picture)


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
        Choice("compare", "Compare with", inspection.against, _against(inspection)),
        Button("compare-keep", "Keep this tree for comparing"),
    ]
    if inspection.against and len(rows) > 1:
        options = [(name, f"{name} rows") for name in rows]
        controls.insert(1, Choice("compare-on", "on", inspection.rows, options))
    return Controls("compare", "Compare with another tree", controls)
