"""The model of :class:`dtree_lab.TreeBuilder`: a frozen state, actions, and ``update``.

No Jupyter here. A widget is ``update(state, action)`` for every action that comes up from the
browser and ``view(state)`` (in :mod:`.view`) going down. Undoing is a step back in a tuple.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, assert_never

from dtree_lab.learn.api import check_growable, make_split
from dtree_lab.learn.candidates import weigh
from dtree_lab.learn.recipe import recipe
from dtree_lab.shown import bits, plural
from dtree_lab.splits import question
from dtree_lab.widgets.treebuilder.grown import Grown, planted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.splits import Split
    from dtree_lab.table import Table
    from dtree_lab.tree import Path

Reveal: TypeAlias = Literal["always", "after"]
RECIPES: dict[str, Literal["id3", "c45", "cart"]] = {"ID3": "id3", "C4.5": "c45", "CART": "cart"}
ROOT: Path = ()


# -- actions: what a person can do ---------------------------------------------------------------


@dataclass(frozen=True)
class Select:
    """Look at a node."""

    at: Path


@dataclass(frozen=True)
class Draft:
    """Try a cut of a continuous attribute at the selected node, without making it."""

    attribute: str
    cut: float


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


Step: TypeAlias = Ask | Best | Cut | Lock | Finish | Reset
Action: TypeAlias = Select | Draft | Step | Undo | Redo


# -- the state -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
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
        The cuts being tried, by path and attribute.
    verdict, problem, status
        What to say: about the choice, about an action that could not be done, about what changed.
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
    drafts: Mapping[tuple[Path, str], float] = field(default_factory=dict)
    verdict: Verdict | None = None
    problem: str | None = None
    status: str = ""

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
        For a table that no classification tree can be grown on, a validation table that does not
        fit it, or another `reveal`.
    """
    check_growable(table)
    if reveal not in ("always", "after"):
        msg = f"reveal={reveal!r} must be 'always' or 'after'"
        raise ValueError(msg)
    root = planted(table)
    if validation is not None:
        root.tree.error(validation)  # raises, naming what does not fit
    return State(table, validation, reveal, root)


# -- update --------------------------------------------------------------------------------------


class NotPossibleError(ValueError):
    """An action that cannot be done; its text says why and what would be right."""


def update(state: State, action: Action) -> State:
    """The state after an action. One that cannot be done changes nothing but `problem`."""
    try:
        return done(state, action)
    except (NotPossibleError, ValueError) as error:
        return replace(state, problem=str(error), status="")


def done(state: State, action: Action) -> State:
    """As :func:`update`, but an action that cannot be done raises a ValueError."""
    match action:
        case Select(at):
            return _selected(state, at)
        case Draft(attribute, cut):
            make_split(state.node.part, (attribute, cut))
            drafts = {**state.drafts, (state.selected, attribute): cut}
            return replace(state, drafts=drafts, problem=None)
        case Undo():
            return _undone(state)
        case Redo():
            if not state.undone:
                msg = "There is nothing to redo."
                raise NotPossibleError(msg)
            first, *rest = state.undone
            return replace(_stepped(state, first), undone=tuple(rest))
        case Ask() | Best() | Cut() | Lock() | Finish() | Reset():
            return replace(_stepped(state, action), undone=())
        case _:
            assert_never(action)


def _selected(state: State, at: Path) -> State:
    if state.root.at(at) is None:
        msg = f"There is no node at {list(at)}."
        raise NotPossibleError(msg)
    return replace(state, selected=at, problem=None, verdict=None, status="")


def _undone(state: State) -> State:
    if not state.past:
        msg = "There is nothing to undo."
        raise NotPossibleError(msg)
    before, last = state.past[-1], state.steps[-1]
    selected = before.root.nearest(state.selected)
    return replace(
        before,
        selected=selected,
        undone=(last, *state.undone),
        revealed=state.revealed,
        drafts=state.drafts,
        verdict=None,
        problem=None,
        status=f"Undone: {described(last, before)}.",
    )


def _stepped(state: State, step: Step) -> State:
    after = _applied(state, step)
    return replace(after, steps=(*state.steps, step), past=(*state.past, state), problem=None)


def _applied(state: State, step: Step) -> State:
    match step:
        case Ask(at, attribute, how):
            return _asked(state, at, make_split(_open(state, at).part, (attribute, how)))
        case Best(at):
            return _best(state, at)
        case Cut(at):
            return _cut(state, at)
        case Lock(at):
            return _lock(state, at)
        case Finish(name):
            return _finished(state, name)
        case Reset():
            return _reset(state)
        case _:
            assert_never(step)


def _node(state: State, at: Path) -> Grown:
    node = state.root.at(at)
    if node is None:
        msg = f"There is no node at {list(at)}."
        raise NotPossibleError(msg)
    return node


def _free(state: State, at: Path) -> Grown:
    """The node of a path, if nothing at, above or below it is locked."""
    node = _node(state, at)
    locked = state.lock_on(at)
    if locked is None:
        locked = state.lock_below(at)
    if locked is not None:
        what = "This node is" if locked == at else f"The node {name_of(state, locked)} is"
        msg = f"{what} locked; unlock it first."
        raise NotPossibleError(msg)
    return node


def _open(state: State, at: Path) -> Grown:
    """The node of a path, if it is free and has something to ask."""
    node = _free(state, at)
    if node.pure:
        msg = "All rows here have one class: there is nothing left to ask."
        raise NotPossibleError(msg)
    return node


def _best(state: State, at: Path) -> State:
    best = _open(state, at).best
    if best is None:
        msg = "These rows are alike in every attribute: no question parts them."
        raise NotPossibleError(msg)
    return _asked(state, at, best.split)


def _reset(state: State) -> State:
    return replace(
        state,
        root=planted(state.table),
        locked=frozenset(),
        selected=ROOT,
        verdict=None,
        status="Started over with one leaf.",
    )


def _asked(state: State, at: Path, split: Split) -> State:
    node = _node(state, at)
    root = state.root.edited(at, lambda old: old.asking(split))
    said = question(split, state.table.attributes[split.attribute])
    branches = plural(split.n_branches, "branch").replace("branchs", "branches")
    after = replace(state, root=root, selected=at, revealed=state.revealed | {at})
    return replace(
        after,
        verdict=judged(node, split),
        status=f"Asked {said}: {branches}. Training error: {error_text(root)}.",
    )


def _cut(state: State, at: Path) -> State:
    node = _free(state, at)
    if node.split is None:
        msg = "This node is a leaf already."
        raise NotPossibleError(msg)
    gone = node.tree.n_nodes - 1
    root = state.root.edited(at, Grown.leaf)
    status = f"Cut back to a leaf: {plural(gone, 'node')} gone. Training error: {error_text(root)}."
    return replace(state, root=root, selected=at, verdict=None, status=status)


def _lock(state: State, at: Path) -> State:
    _node(state, at)
    if at in state.locked:
        status = "Unlocked."
    elif state.lock_on(at) is not None:
        msg = "A node above this one is locked, which locks this one too."
        raise NotPossibleError(msg)
    else:
        status = "Locked: this node and all below it stay as they are."
    return replace(state, locked=state.locked ^ {at}, selected=at, verdict=None, status=status)


def _finished(state: State, name: str) -> State:
    if name not in RECIPES:
        msg = f"There is no recipe {name!r}; there are {', '.join(RECIPES)}."
        raise NotPossibleError(msg)
    root = state.root.finished(recipe(RECIPES[name]), state.locked)
    more = root.tree.n_nodes - state.root.tree.n_nodes
    if not more:
        msg = "Nothing is left to grow: every leaf is pure, cannot be parted, or is locked."
        raise NotPossibleError(msg)
    status = (
        f"Finished with {name}: {plural(more, 'node')} more. Training error: {error_text(root)}."
    )
    return replace(state, root=root, verdict=None, status=status)


# -- in words ------------------------------------------------------------------------------------


def judged(node: Grown, split: Split) -> Verdict | None:
    """What a split was worth at a node, beside the best one there."""
    best = node.best
    if best is None:
        return None
    chosen, attributes = weigh(node.part, split), node.table.attributes
    mine = question(split, attributes[split.attribute])
    theirs = question(best.split, attributes[best.split.attribute])
    if chosen.settled <= best.settled:
        same = "" if mine == theirs else f" {theirs} would have gained as much."
        text = f"{mine} gains {bits(chosen.gain)} bits: no question gains more.{same}"
        return Verdict(good=True, text=text)
    cost = bits(best.gain - chosen.gain)
    text = (
        f"{mine} gains {bits(chosen.gain)} bits. {theirs} would have gained {bits(best.gain)}:"
        f" your choice cost {cost} bits."
    )
    return Verdict(good=False, text=text)


def error_text(root: Grown) -> str:
    """``3 of 10 rows wrong``."""
    return f"{root.wrong:,} of {plural(len(root.rows), 'row')} wrong"


def name_of(state: State, path: Path) -> str:
    """A node in words: what holds for its rows."""
    return ", ".join(state.root.where(path)) or "at the root"


def described(step: Step, state: State) -> str:
    """A step in a few words, given the state before it."""
    match step:
        case Ask(_, attribute, _):
            return f"asking {attribute}"
        case Best():
            return "the best split"
        case Cut():
            return "cutting back to a leaf"
        case Lock(at):
            return "unlocking" if at in state.locked else "locking"
        case Finish(name):
            return f"finishing with {name}"
        case Reset():
            return "starting over"
        case _:
            assert_never(step)
