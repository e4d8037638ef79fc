"""The forest lab: its table, its state, what an action does, the growing in between, its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from time import perf_counter
from typing import Any

import numpy as np

from dtree_lab.base.random import checked_seed
from dtree_lab.base.text import did_you_mean, value
from dtree_lab.datasets import penguins
from dtree_lab.draw.measure import shortened
from dtree_lab.ensemble.forest import Forest
from dtree_lab.labs.forest.growth import (
    Filling,
    ForestGrowth,
    ForestMember,
    by_permutation,
    forest_of,
    permuted_trees,
    proximities,
)
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.controls import near
from dtree_lab.labs.kit.keeping import settings_of
from dtree_lab.labs.kit.settings import Settings, choice, nested, remembered, slider
from dtree_lab.labs.kit.taking import (
    MOST_GROWN,
    check_few_classes,
    classified,
    ends,
    given,
    origin,
    position,
    row_found,
    row_kept,
    row_number,
    some_of,
)
from dtree_lab.populations.base import between, whole
from dtree_lab.table.table import Table
from dtree_lab.tree.importance import Importance
from dtree_lab.tree.tree import Path

MOST_TREES, MOST_ROWS, MOST_NOISE, MOST_GAPS = 200, 10_000, 0.5, 0.4
# Of very many classes a tree would take longer than a person waits: rows times classes.
MANY_CLASSES, MOST_CELLS = 100, 50_000
# What there is room for beside the wall; the others lie in drawers of these names.
BESIDE = {
    "errors": "The error as trees are added",
    "tree": "One of the trees",
    "worth": "What the attributes are worth",
}
# So many trees grow at once with an action, so that there is always something to see.
FIRST = 1
# To so many a lecturer's keys come, one after the other.
KEYS = (5, 50, MOST_TREES)


def _one_class(state: State, noise: float) -> float:
    if noise and len(state.table.classes) == 1:
        msg = "All rows have one class, so there is no other to turn a label over to."
        raise kit.NotPossibleError(msg)
    return noise


@dataclass(frozen=True)
class ForestLabSettings:
    """What a person chooses about the forest: `m` is how many attributes a node draws."""

    trees: int = slider(1, MOST_TREES, "Trees", what="The number of trees")
    m: int = slider(
        1,
        lambda state: len(state.table.attributes),
        "Attributes drawn at a node",
        what="The number of attributes drawn",
    )
    noise: float = slider(0, MOST_NOISE, "Noise", step=0.01, also=_one_class)
    gaps: float = slider(
        0, MOST_GAPS, "Values taken away", step=0.05, what="The share of values taken away"
    )
    seed: int = remembered(int)
    # What a class's trees ask first, by the attributes' positions.
    roots: tuple[int, ...] = remembered(list, tuple, default=(), optional=True)


def _row(state: State, given_: object) -> int:
    at = kit.whole_number(given_, 1, given(state.clean).n_rows, "The row")
    return position(state.clean, at, state.row)


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the lab is; `start` makes the first one.

    Of the `own_rows` of the table that was given those of `growth.clean` are used. `settings` and
    `first` are what is chosen now, and was in the beginning; `home` is the row of then. The row and
    the tree that are looked at count from 0; `node` is None for the one where the row stops.
    """

    own_rows: int
    first: ForestLabSettings
    growth: ForestGrowth
    settings: ForestLabSettings = nested(ForestLabSettings)
    filling: Filling | None = None
    permuted: Importance | None = None
    row: int = slider(
        lambda state: ends(state.clean)[0],
        lambda state: ends(state.clean)[1],
        "Row",
        default=0,
        check=_row,
    )
    tree: int = slider(
        1,
        lambda state: state.settings.trees,
        "Tree",
        default=0,
        trait="shown",
        check=lambda state, n: kit.whole_number(n, 1, state.settings.trees, "The tree") - 1,
    )
    home: int = 0
    node: Path | None = remembered(str, type(None), default=None)
    beside: str = choice(
        BESIDE,
        "Beside",
        default="errors",
        optional=True,
        words=f"beside the wall can stand {', '.join(map(repr, BESIDE))}; got {{value!r}}",
    )
    status: str = ""

    @property
    def clean(self) -> Table:
        """The rows with the labels that they came with."""
        return self.growth.clean

    @property
    def table(self) -> Table:
        """The rows that the forest is grown on, some labels turned over."""
        return self.growth.table

    @property
    def n(self) -> int:
        """How many trees there are so far, of those that are asked for."""
        return min(len(self.growth.members), self.settings.trees)

    @property
    def growing(self) -> bool:
        """Whether trees are still to be grown."""
        return len(self.growth.members) < self.settings.trees

    @property
    def forest(self) -> Forest:
        """The trees so far, as ``dt.random_forest`` gives them."""
        return forest_of(self.growth, self.n)

    @property
    def shown(self) -> int:
        """The tree that is shown: the chosen one, if it has grown."""
        return min(self.tree, self.n - 1)

    @property
    def member(self) -> ForestMember:
        """The tree that is shown, and what it says."""
        return self.growth.members[self.shown]

    @property
    def way(self) -> Path:
        """Where the row stops in the tree that is shown."""
        return self.member.way(self.row)

    @property
    def looked_at(self) -> Path:
        """The chosen node, if the tree that is shown has it; else where the row stops."""
        known = self.node is not None and node_at(self.member.tree.root, self.node) is not None
        return self.node if known and self.node is not None else self.way


# Of the birds each third, so that the trees are small enough to be seen whole.
_EACH = 3
# A large female's position: trees that saw her know her by heart, nearly all others say male.
MISTAKEN = 36


def ringed(seed: int = 0) -> Table:
    """Is it a male? Of 111 penguins, each with a ring, whose number was drawn by lot.

    The sexes are hard to tell apart by one measure alone, so a single tree is often wrong; and the
    ring, which means nothing, shows what importances are worth.
    """
    birds = penguins("drop")
    names = [name for name in ("species", *birds.names) if name != "sex"]
    columns = {name: birds.column(name) for name in dict.fromkeys(names)}
    rings = 1 + np.random.default_rng(seed).permutation(birds.n_rows)
    whole = Table.from_columns(
        {**columns, "ring": rings.tolist(), "sex": birds.column("sex")}, target="sex"
    )
    return whole.take(np.arange(0, birds.n_rows, _EACH))


def whole_of(table: Table) -> Table:
    """The rows of a table that a forest can be grown on: those without gaps."""
    rows = classified(table)
    check_few_classes(rows.target, MOST_GROWN)
    if not rows.attributes:
        raise ValueError("a forest needs at least one attribute to ask about; this table has none")
    return rows


def usable(table: Table) -> Table:
    """Those that are used: of a very large table, some drawn at random. Raises as above."""
    rows = whole_of(table)
    many = len(rows.classes) > MANY_CLASSES
    most = MOST_CELLS // len(rows.classes) if many else MOST_ROWS
    return some_of(rows, most)


def start(table: Table, keywords: Mapping[str, Any]) -> State:
    """The state before anything was done."""
    rows = usable(table)
    said = {name: value for name, value in keywords.items() if value is not None}
    settings = _checked(rows, said)
    row = row_found(rows, whole("row", said.get("row", 0), 0, origin(rows).n_rows - 1))
    tree = whole("tree", said.get("tree", 0), 0, MOST_TREES - 1)
    growth, filling = _begun(rows, settings)
    n = whole_of(table).n_rows
    return State(n, settings, growth, settings, filling, row=row, tree=tree, home=row)


def usual_m(table: Table) -> int:
    """Breiman's: the square root of the number of attributes."""
    return max(1, round(sqrt(len(table.attributes))))


def _checked(table: Table, given: Mapping[str, Any]) -> ForestLabSettings:
    noise = between("noise", given.get("noise", 0.0), 0, MOST_NOISE)
    if noise and len(table.classes) == 1:
        msg = "noise turns labels over to other classes, but the target has a single class"
        raise ValueError(msg)
    return ForestLabSettings(
        whole("trees", given.get("trees", 50), 1, MOST_TREES),
        whole("m", given.get("m", usual_m(table)), 1, len(table.attributes)),
        noise,
        between("gaps", given.get("gaps", 0.0), 0, MOST_GAPS),
        int(checked_seed(given.get("seed", 0))),
        tuple(whole("root", i, 0, len(table.attributes) - 1) for i in given.get("roots", ())),
    )


def _begun(clean: Table, settings: ForestLabSettings) -> tuple[ForestGrowth, Filling | None]:
    """The first trees of a forest, and gaps that nothing has been put into."""
    asked = settings.m, settings.noise, settings.seed, settings.roots
    growth = ForestGrowth.of(clean, *asked).more(min(FIRST, settings.trees))
    return growth, emptied(growth.table, settings)


def emptied(table: Table, settings: ForestLabSettings) -> Filling | None:
    """The table with the gaps that are asked for, if there are any."""
    return Filling.of(table, settings.gaps, settings.m, settings.seed) if settings.gaps else None


def asking(state: State, settings: ForestLabSettings) -> State:
    """The state with other settings; what was worked out is kept where it still holds."""
    if settings == state.settings:
        return state
    before = state.settings
    now = replace(state, settings=settings, permuted=None, status="")
    if replace(settings, trees=before.trees, gaps=before.gaps) != before:
        growth, filling = _begun(state.clean, settings)
        return replace(now, growth=growth, filling=filling, node=None)
    if settings.gaps != before.gaps:
        kept = state.permuted if settings.trees == before.trees else None
        return replace(now, filling=emptied(state.table, settings), permuted=kept)
    tree = min(state.tree, settings.trees - 1)
    return replace(now, tree=tree, node=state.node if tree == state.tree else None)


MOST_NEAR, WIDE = 6, 40


def nearest(state: State) -> list[int]:
    """The chosen row, and those that share a leaf with it in most trees; the first win a tie."""
    proximity = proximities(state.growth, state.n, state.row).copy()
    proximity[state.row] = np.inf
    order: list[int] = np.argsort(-proximity, kind="stable")[: MOST_NEAR + 1].tolist()
    return order


def doubtful(state: State) -> list[int]:
    """The rows, those that the forest doubts most first: by their margin, out of bag."""
    order: list[int] = np.argsort(state.forest.margins(), kind="stable")[:MOST_DOUBTFUL].tolist()
    return order


MOST_DOUBTFUL = 30


def short_class(v: object) -> str:
    """A class or a name, cut where it is long."""
    return shortened(value(v), WIDE)


def cell(v: object) -> str:
    """A value of an attribute; a number with six digits."""
    return near(v, 6) if isinstance(v, float) else short_class(v)


# Seconds that a step of the work takes: trees are grown by more or fewer at a time.
_SHORT, _LONG = 0.015, 0.04


def update(state: State, action: kit.Action) -> State:
    """The state after an action; a `NotPossibleError` says why it cannot be done."""
    state = replace(state, status="")
    match action:
        case kit.Set():
            return SETTINGS.set(state, action)
        case kit.Point("errors", x, _):
            tree = min(max(round(kit.finite_number(x)), 1), state.settings.trees)
            return replace(state, tree=tree - 1, node=None)
        case kit.Pick(part, place) if part in ("near", "doubtful", "wall"):
            return _picked(state, part, place)
        case kit.Select("tree", at):
            return _selected(state, at)
        case kit.Take(answers):
            return _of_class(state, answers)
        case kit.Press("more" | "next" | "again" | "reset" as press):
            return _pressed(state, press)
    raise SETTINGS.refusal(action)


def _pressed(state: State, press: str) -> State:
    match press:
        case "again":
            seed = (state.settings.seed + 1) % (1 << 32)
            return asking(state, replace(state.settings, seed=seed))
        case "reset":
            begun = asking(state, state.first)
            return replace(begun, row=state.home, tree=0, node=None, beside="errors")
    return _grown(state, by_key=press == "next")


def _picked(state: State, part: str, place: int) -> State:
    """A tile of the wall, which then stands large beside it, or a row of a list."""
    if part == "wall":
        tree = kit.whole_number(place + 1, 1, state.n, "The tree") - 1
        return replace(state, tree=tree, node=None, beside="tree")
    rows = nearest(state) if part == "near" else doubtful(state)
    if not 0 <= place < len(rows):
        raise kit.NotPossibleError(f"There is no row at place {place + 1} of the list.")
    return replace(state, row=rows[place], node=None)


def _selected(state: State, at: Path) -> State:
    if node_at(state.member.tree.root, at) is None:
        raise kit.NotPossibleError(f"Tree {state.shown + 1} has no such node.")
    return replace(state, node=at)


def _grown(state: State, *, by_key: bool) -> State:
    """With more trees, as many as a lecturer's key brings; or one, which is then looked at."""
    have = state.settings.trees
    trees = next((n for n in KEYS if n > have), have + 1) if by_key else have + 1
    if trees > MOST_TREES:
        msg = f"The forest has {MOST_TREES} trees, the most that can be grown here."
        raise kit.NotPossibleError(msg)
    grown = asking(state, replace(state.settings, trees=trees))
    return grown if by_key else replace(grown, tree=have, node=None)


def _of_class(state: State, answers: Sequence[object]) -> State:
    """A tree for each answer, or for some of very many, which asks first what was chosen there."""
    names = [attribute.name for attribute in state.table.attributes]
    wrong = [one for one in answers if one not in names]
    if wrong or not answers:
        near = did_you_mean(str(*wrong[:1]), names)
        told = "Each answer of the class must be an attribute of the table"
        raise kit.NotPossibleError(f"{told}; got {wrong[:1] or 'none'}.{near}")
    roots = sorted(names.index(f"{one}") for one in answers)
    n = min(len(roots), MOST_TREES)
    some = tuple(roots[i * len(roots) // n] for i in range(n))
    after = asking(state, replace(state.settings, trees=n, roots=some))
    return replace(after, tree=0, node=None)


def work(state: State) -> Iterator[tuple[State, float]] | None:
    """Grow the trees that are still to be grown, then what comes after; None if all is done."""
    unfilled = state.filling is not None and not state.filling.done
    if state.growing or state.permuted is None or unfilled:
        return _work(state)
    return None


def _work(state: State) -> Iterator[tuple[State, float]]:
    some = 2
    while state.growing:
        begun = perf_counter()
        lacking = state.settings.trees - len(state.growth.members)
        state = replace(state, growth=state.growth.more(min(some, lacking)))
        took = perf_counter() - begun
        some = some * 2 if took < _SHORT else max(1, some // 2) if took > _LONG else some
        yield state, 0.0
    if state.permuted is None:
        n = permuted_trees(state.growth, state.settings.trees)
        state = replace(state, permuted=by_permutation(state.growth, n))
        yield state, 0.0
    if state.filling is not None and not state.filling.done:
        for filling in state.filling.rounds():
            state = replace(state, filling=filling)
            yield state, 0.0


SETTINGS = Settings(
    "ForestLab",
    State,
    sets={
        "settings": asking,
        "row": lambda state, row: replace(state, row=row, node=None),
        "tree": lambda state, tree: replace(state, tree=tree, node=None),
    },
    shows={
        "row": lambda state: row_number(state.clean, state.row),
        "tree": lambda state: state.shown + 1,
    },
    tells={
        "row": lambda state: row_kept(state.clean, state.row),
        "node": lambda state: None if state.node is None else kit.node_id(state.node),
    },
    loads={
        "node": lambda state, id_: replace(state, node=None if id_ is None else kit.path_of(id_))
    },
    begun=["trees", "m", "noise", "gaps", "seed", "roots", "row", "tree"],
    table=lambda state: state.clean,
    unknown="There is nothing here that {action!r} could act on.",
    unset="{control!r} cannot be set to {value!r}.",
)
dump = SETTINGS.dump


def load(text: str, table: Table) -> State:
    """The state of a text; its forest grows again. A ValueError says why a text is none."""
    return SETTINGS.load(text, usable(table), lambda data: start(table, data))


def is_of(text: str, table: Table) -> bool:
    """Whether a text is that of a forest on a table."""
    try:
        settings_of(text, SETTINGS.lab, table, {})
    except ValueError:
        return False
    return True
