"""What a person does in a tree builder: the steps, undoing and redoing them, and the state as text.

The text is JSON: the steps in order, each a list such as ``["ask", [0], "Taxable Income", 80]``,
the selected node, and a check sum of the table that they were made on. What the tree is inspected
by is there if it was used: whom to follow, what to compare with, the steps of a tree that was kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, assert_never

from dtree_lab.base.text import bits, plural
from dtree_lab.grow.api import make_split, refilled
from dtree_lab.grow.recipe import recipe
from dtree_lab.grow.textbook import weigh
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit import planes
from dtree_lab.labs.kit.actions import NotPossibleError
from dtree_lab.labs.kit.boxes import sides
from dtree_lab.labs.kit.settings import Settings
from dtree_lab.labs.kit.taking import row_number
from dtree_lab.labs.treebuilder.nodes import BuiltNode, check_depth, planted, present
from dtree_lab.labs.treebuilder.state import (
    ROOT,
    Ask,
    AskBest,
    CutBack,
    Finish,
    Inspection,
    Lock,
    Open,
    OtherTree,
    Reset,
    State,
    Step,
    changed,
    error_text,
    name_of,
    pair_of,
    start,
    tables,
)
from dtree_lab.table.table import Table, Value
from dtree_lab.tree.questions import as_tree, questions_of
from dtree_lab.tree.splits import Split, question
from dtree_lab.tree.tree import Path

RECIPES: dict[str, Literal["id3", "c45", "cart"]] = {"ID3": "id3", "C4.5": "c45", "CART": "cart"}


def applied(state: State, step: Step) -> State:
    """The state after a step; a ValueError says why one cannot be made."""
    match step:
        case Ask(at, attribute, how):
            return _asked(state, at, make_split(_open(state, at).part, (attribute, how)))
        case AskBest(at):
            return _best(state, at)
        case CutBack(at):
            return _cut(state, at)
        case Lock(at):
            return _lock(state, at)
        case Finish(name):
            return _finished(state, name)
        case Reset():
            return _reset(state)
        case Open(questions, criterion):
            return _opened(state, questions, criterion)
        case _:
            assert_never(step)


def _node(state: State, at: Path) -> BuiltNode:
    node = state.root.at(at)
    if node is None:
        raise NotPossibleError(f"There is no node at {list(at)}.")
    return node


def _free(state: State, at: Path) -> BuiltNode:
    """The node of a path, if nothing at, above or below it is locked."""
    node = _node(state, at)
    locked = state.lock_on(at)
    if locked is None:
        locked = state.lock_below(at)
    if locked is not None:
        what = "This node is" if locked == at else f"The node {name_of(state, locked)} is"
        raise NotPossibleError(f"{what} locked; unlock it first.")
    return node


def _open(state: State, at: Path) -> BuiltNode:
    """The node of a path, if it is free and has something to ask."""
    node = _free(state, at)
    if node.pure:
        raise NotPossibleError("All rows here have one class: there is nothing left to ask.")
    return node


def _best(state: State, at: Path) -> State:
    best = _open(state, at).best
    if best is None:
        raise NotPossibleError("These rows are alike in every attribute: no question parts them.")
    return _asked(state, at, best.split)


def _reset(state: State) -> State:
    return replace(
        state,
        root=planted(state.table),
        locked=frozenset(),
        selected=ROOT,
        verdict="",
        status="Started over with one leaf.",
    )


def opened(state: State, tree: Any) -> State:
    """The state in which a tree is asked, or that of a model."""
    tree = as_tree(tree, state.table)
    if tree.target.values is None:
        raise ValueError(
            "tree: it predicts numbers; a tree builder grows trees that predict classes"
        )
    try:
        return update(state, Open(tuple(questions_of(tree)), tree.criterion))
    except ValueError as error:
        raise ValueError(f"this table's rows do not fill the tree: {error}") from None


def _opened(state: State, questions: tuple[Any, ...], criterion: str) -> State:
    tree = refilled(questions, state.table, criterion)
    check_depth(tree.depth)
    root = planted(state.table).like(tree.root).told_by(criterion)
    size = plural(tree.n_nodes, "node")
    status = f"Opened a tree of {size}. Training error: {error_text(root)}."
    return replace(_reset(state), root=root, status=status)


def _asked(state: State, at: Path, split: Split) -> State:
    node = _node(state, at)
    asks = question(split, state.table.attributes[split.attribute])
    if node.split == split:  # asking again would only throw away what has grown below
        raise NotPossibleError(f"This node asks {asks} already.")
    check_depth(len(at) + 1)
    root = state.root.edited(at, lambda old: old.asking(split)).told_by("entropy")
    branches = plural(split.n_branches, "branch", "branches")
    after = replace(state, root=root, selected=at, revealed=state.revealed | {at})
    return replace(
        after,
        verdict=judged(node, split),
        status=f"Asked {asks}: {branches}. Training error: {error_text(root)}.",
    )


def _cut(state: State, at: Path) -> State:
    node = _free(state, at)
    if node.split is None:
        raise NotPossibleError("This node is a leaf already.")
    gone = node.tree.n_nodes - 1
    root = state.root.edited(at, BuiltNode.leaf)
    status = f"Cut back to a leaf: {plural(gone, 'node')} gone. Training error: {error_text(root)}."
    return replace(state, root=root, selected=at, verdict="", status=status)


def _lock(state: State, at: Path) -> State:
    _node(state, at)
    if at in state.locked:
        status = "Unlocked."
    elif state.lock_on(at) is not None:
        raise NotPossibleError("A node above this one is locked, which locks this one too.")
    else:
        status = "Locked: this node and all below it stay as they are."
    return replace(state, locked=state.locked ^ {at}, selected=at, verdict="", status=status)


def _finished(state: State, name: str) -> State:
    if name not in RECIPES:
        raise NotPossibleError(f"There is no recipe {name!r}; there are {', '.join(RECIPES)}.")
    how = recipe(RECIPES[name])
    root = state.root.finished(how, state.locked).told_by(how.criterion.name)
    more = root.tree.n_nodes - state.root.tree.n_nodes
    if not more:
        msg = "Nothing is left to grow: every leaf is pure, cannot be parted, or is locked."
        raise NotPossibleError(msg)
    status = (
        f"Finished with {name}: {plural(more, 'node')} more. Training error: {error_text(root)}."
    )
    return replace(state, root=root, verdict="", status=status)


def judged(node: BuiltNode, split: Split) -> str:
    """What a split was worth at a node, beside the best one there."""
    best = node.best
    if best is None:
        return ""
    chosen, attributes = weigh(node.part, split), node.table.attributes
    mine = question(split, attributes[split.attribute])
    theirs = question(best.split, attributes[best.split.attribute])
    if chosen.settled <= best.settled:
        same = "" if mine == theirs else f" {theirs} would have gained as much."
        return f"{mine} gains {bits(chosen.gain)} bits: no question gains more.{same}"
    cost = bits(best.gain - chosen.gain)
    return (
        f"{mine} gains {bits(chosen.gain)} bits. {theirs} would have gained {bits(best.gain)}:"
        f" your choice cost {cost} bits."
    )


def update(state: State, action: kit.Action | Step) -> State:
    """The state after an action; a ValueError says why one cannot be done."""
    match action:
        case Ask() | AskBest() | CutBack() | Lock() | Finish() | Reset() | Open():
            return replace(_stepped(state, action), undone=())
        case kit.Select(kit.TREE, at):
            return _selected(state, at)
        case kit.Draft():
            return _drafted(state, action)
        case kit.Split(_, attribute, cut, at):
            where, name = state.selected if at is None else at, _attribute(state, attribute)
            return update(state, Ask(where, name, _how(state, where, name, cut)))
        case kit.Press(tool) if tool in _TOOLS:
            return _TOOLS[tool](state, state.selected)
        case kit.Use():
            return _used(state, action)
        case kit.Point(planes.PLANE, x, y):
            pair = pair_of(state)
            two = pair and sides(state.table, pair, state.validation)
            return _selected(state, planes.pointed_at(state.root.tree, two, x, y))
        case _:
            return changed(state, action)


def _used(state: State, action: kit.Use) -> State:
    """The state after a tool that acts on another node, or in one of several ways."""
    if action.tool == "finish" and action.option is not None:
        return update(state, Finish(action.option))
    if action.tool not in _TOOLS:
        return changed(state, action)
    return _TOOLS[action.tool](state, state.selected if action.at is None else action.at)


# -- questions as the browser sends them -----------------------------------------------------------


def _drafted(state: State, draft: kit.Draft) -> State:
    name = _attribute(state, draft.attribute)
    discrete = state.table.attributes[draft.attribute].values is not None
    groups = discrete and isinstance(draft.branches, list)
    how = _groups(state, name, draft.branches) if groups else _number(name, draft.cut)
    return _tried(state, name, how)


def _tried(state: State, attribute: str, how: Any) -> State:
    """The state with a cut or groups of values being tried at the selected node."""
    make_split(state.node.part, (attribute, how))
    drafts = {**state.drafts, (state.selected, attribute): how}
    return replace(state, drafts=drafts)


def _how(state: State, at: Path, attribute: str, cut: Any) -> Any:
    """The cut that a message has, or the groups of values that are being tried there."""
    if cut is not None:
        return _number(attribute, cut)
    draft = state.drafts.get((at, attribute))
    return draft if isinstance(draft, list) and any(len(group) > 1 for group in draft) else None


def _groups(state: State, attribute: str, branches: list[Any]) -> list[list[Value]]:
    """Groups of the values that rows here have, given the branch of each, in their order."""
    values = present(state.node, attribute)
    if len(branches) != len(values) or not all(type(branch) is int for branch in branches):
        msg = f"{attribute!r} has {len(values)} values here, each of which needs a branch."
        raise NotPossibleError(msg)
    groups: dict[int, list[Value]] = {}
    for v, branch in zip(values, branches, strict=True):
        groups.setdefault(branch, []).append(v)
    if len(groups) < 2:  # noqa: PLR2004 - one branch would be no question
        raise NotPossibleError(f"All values of {attribute!r} in one branch would be no question.")
    return list(groups.values())


def _attribute(state: State, i: Any) -> str:
    """The name of an attribute, which the view knows by its position."""
    names = state.table.names
    if type(i) is not int or not 0 <= i < len(names):
        msg = f"There is no attribute {i!r}; there are {len(names)}, counted from 0."
        raise NotPossibleError(msg)
    return names[i]


def _number(attribute: str, cut: Any) -> float:
    try:
        return kit.finite_number(cut)
    except (NotPossibleError, TypeError):
        raise NotPossibleError(f"The cut of {attribute!r} must be a number.") from None


# -- looking, undoing, redoing ---------------------------------------------------------------------


def _selected(state: State, at: Path) -> State:
    _node(state, at)
    return replace(state, selected=at, verdict="", status="")


def _next_leaf(state: State) -> Path:
    """The selected node, or the first that can grow where this one cannot."""
    leaves = [(state.selected, state.node), *state.root.leaves()]
    for path, leaf in leaves:
        if leaf.split is None and not leaf.pure and leaf.best and state.lock_on(path) is None:
            return path
    raise NotPossibleError("The tree is grown: every leaf is pure, cannot be parted, or is locked.")


def _undone(state: State) -> State:
    if not state.past:
        raise NotPossibleError("There is nothing to undo.")
    before, last = state.past[-1], state.steps[-1]
    selected = before.root.nearest(state.selected)
    return replace(
        before,
        selected=selected,
        undone=(last, *state.undone),
        revealed=state.revealed,
        drafts=state.drafts,
        inspection=state.inspection,
        verdict="",
        status=f"Undone: {described(last, before)}.",
    )


def _redone(state: State) -> State:
    if not state.undone:
        raise NotPossibleError("There is nothing to redo.")
    first, *rest = state.undone
    return replace(_stepped(state, first), undone=tuple(rest))


def _stepped(state: State, step: Step) -> State:
    after = applied(state, step)
    return replace(after, steps=(*state.steps, step), past=(*state.past, state))


_TOOLS: dict[str, Callable[[State, Path], State]] = {
    "undo": lambda state, _: _undone(state),
    "redo": lambda state, _: _redone(state),
    "next": lambda state, _: update(state, AskBest(_next_leaf(state))),
    "reset": lambda state, _: update(state, Reset()),
    "best": lambda state, at: update(state, AskBest(at)),
    "cut": lambda state, at: update(state, CutBack(at)),
    "lock": lambda state, at: update(state, Lock(at)),
}


def described(step: Step, state: State) -> str:
    """A step in a few words, given the state before it."""
    if isinstance(step, Lock) and step.at in state.locked:
        return "unlocking"
    return step.phrase.format(**vars(step))


def _dump_beside(state: State) -> dict[str, Any]:
    inspection = state.inspection
    used: dict[str, Any] = {}
    if inspection.follow.whom:
        row = row_number(tables(state)[inspection.follow.which], inspection.follow.row)
        used["follow"] = [inspection.follow.whom, row - 1]
    if inspection.kept is not None:
        used["kept"] = [_dump(step) for step in inspection.kept.steps]
    if inspection.against or inspection.rows != Inspection.rows:
        used["compare"] = [inspection.against, inspection.rows]
    if inspection.against and inspection.at:
        used["compare-at"] = list(inspection.at)
    if inspection.pair is not None:
        used["plane"] = [state.table.names[i] for i in inspection.pair]
    if not inspection.plane:
        used["no-plane"] = []
    drafts = [
        [list(at), name, how] for (at, name), how in state.drafts.items() if _lasts(state, at, name)
    ]
    return used | ({"drafts": drafts} if drafts else {})


def _lasts(state: State, at: Path, attribute: str) -> bool:
    """Whether what was tried at a node can still be tried: it may be gone, or have other rows."""
    node = state.root.at(at)
    try:
        return bool(node and make_split(node.part, (attribute, state.drafts[at, attribute])))
    except ValueError:
        return False


def _fresh(state: State) -> State:
    """The state before the first step."""
    return State(state.table, state.validation, (*state.past, state)[0].root, state.reveal)


def _made(state: State, steps: list[Any]) -> State:
    for number, raw in enumerate(steps, start=1):
        try:
            state = update(state, _load(raw))
        except ValueError as error:
            raise ValueError(f"step {number}, {raw!r}, cannot be made: {error}") from None
    return state


def _load_beside(state: State, raw: Any) -> State:
    state = replace(state, inspection=Inspection(), drafts={})
    match raw:
        case {"kept": list(steps)}:
            then = _made(_fresh(state), steps)
            kept = OtherTree(then.root.tree, then.steps)
            state = replace(state, inspection=Inspection(kept=kept))
    try:
        for action in _actions(raw, state.table):
            state = update(state, action)
        for at, attribute, how in _drafts(raw):
            there = update(state, kit.Select(kit.TREE, _path(at)))
            state = replace(_tried(there, attribute, how), selected=state.selected)
    except ValueError as error:
        raise ValueError(f"what stood beside the tree cannot be made again: {error}") from None
    return state


def _actions(raw: Any, table: Table) -> list[kit.Set | kit.Select]:
    """What a person would do to have the same beside the tree."""
    actions: list[kit.Set | kit.Select] = []
    for key, one in raw.items() if isinstance(raw, dict) else [("", raw)]:
        match key, one:
            case "follow", [str(whom), int(row)]:
                actions += [kit.Set("follow", whom), kit.Set("follow-row", row + 1)]
            case "compare", [str(against), str(rows)]:
                actions += [kit.Set("compare-on", rows), kit.Set("compare", against)]
            case "plane", [str(across), str(up)]:
                actions += [kit.Set(planes.ACROSS, str(table.index(across)))]
                actions += [kit.Set(planes.UP, str(table.index(up)))]
            case "no-plane", []:
                actions += [kit.Set(planes.SHOWN, value=False)]
            case "compare-at", list(at):
                actions += [kit.Select("compare-other", _path(at))]
            case (("kept" | "drafts"), list()):
                pass  # made before these, and after
            case _:
                raise ValueError(f"it is of the wrong sort: {key} {one!r}")
    return actions


def _drafts(raw: Any) -> list[tuple[list[int], str, Any]]:
    """What was tried without being asked: where, which attribute, and how."""
    found = []
    for one in raw.get("drafts", []):
        match one:
            case [list(at), str(attribute), float() | int() | list() as how]:
                found.append((at, attribute, how))
            case _:
                raise ValueError(f"it is of the wrong sort: drafts {one!r}")
    return found


def _dump(step: Step) -> list[Any]:
    taken = (v for v in vars(step).values() if v is not None)
    return [step.word, *(list(v) if isinstance(v, tuple) else v for v in taken)]


def _load(raw: Any) -> Step:
    match raw:
        case ["ask", list(at), str(attribute), *how] if len(how) <= 1:
            return Ask(_path(at), attribute, *how)
        case ["best" | "cut" | "lock" as word, list(at)]:
            at_node = {kind.word: kind for kind in (AskBest, CutBack, Lock)}
            return at_node[word](_path(at))
        case ["finish", str(recipe)]:
            return Finish(recipe)
        case ["reset"]:
            return Reset()
        case ["open", list(questions), str(criterion)]:
            return Open(tuple(questions), criterion)
    raise ValueError(f"the state is damaged: {raw!r} is no step")


def _path(raw: Any) -> Path:
    if not all(type(branch) is int for branch in raw):
        raise ValueError(f"the state is damaged: {raw!r} is no path")
    return tuple(raw)


SETTINGS = Settings(
    "TreeBuilder",
    State,
    tells={"steps": lambda state: [_dump(step) for step in state.steps], "beside": _dump_beside},
    loads={
        "steps": lambda state, raw: _made(_fresh(state), raw),
        "selected": lambda state, raw: _selected(state, _path(raw)),
        "beside": _load_beside,
    },
    begun=["reveal"],
)
dump = SETTINGS.dump


def load(text: str, table: Table, *, validation: Table | None = None) -> State:
    """The state of a text, by making its steps again."""

    def begin(data: dict[str, Any]) -> State:
        return start(table, validation=validation, reveal=data["reveal"])

    return SETTINGS.load(text, table, begin)
