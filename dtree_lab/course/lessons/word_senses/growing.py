"""Trees that are grown: by a function of one's own, and by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from dtree_lab.corpus import Sentence, features, sentences
from dtree_lab.course.calls import NotPlainError, Outcome, plain_data
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.lessons.word_senses.rows import (
    ALIKE,
    SENSE,
    Row,
    drawn_rows,
    gain,
    highest,
    most_frequent,
    of_table,
)
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Grow, Handed, Steps
from dtree_lab.course.tasks.code import gives, provided, stops, where
from dtree_lab.course.tasks.do import grown_by, misses, n_wrong, nodes_at_most, wrong_at_most
from dtree_lab.datasets import word_sense
from dtree_lab.grow.api import by_hand, id3
from dtree_lab.table.table import Table

GIVES_UP = "a leaf, though its rows disagree and a question is left"
AS_ID3 = "a tree as ID3 grows it"
SPOILT = "; and names are gone from the list that it was given"


def read_tree(id3: Callable[..., Any], rows: list[Row], attributes: list[str]) -> Any:
    """What there is to say of the tree that a function grows: AS_ID3, or its first fault."""
    names = list(attributes)
    tree = id3(deepcopy(rows), names)
    if tree is None:
        return None
    try:
        fault = _fault(plain_data(tree), rows, tuple(attributes), "at the root")
        spoilt = SPOILT if len(names) < len(attributes) else ""
        return fault + spoilt if fault else AS_ID3
    except NotPlainError:
        return f"at the root: a {type(tree).__name__}, which is neither a label nor a dictionary"


def _fault(tree: Any, rows: Sequence[Row], left: tuple[str, ...], where: str) -> str:
    """The first fault of a tree, by rows that come to it and attributes that are left."""
    agree = len({row[SENSE] for row in rows}) == 1
    if not isinstance(tree, dict):
        return _leaf_fault(tree, rows, () if agree else left, where)
    if len(tree) != 1:
        return f"{where}: a dictionary with {len(tree)} names, where one attribute is asked"
    ((name, branches),) = tree.items()
    if name not in left:
        return f"{where}: asks {name!r}, which may not be asked there"
    if agree:
        return f"{where}: asks {name}, though all rows agree"
    if name not in highest(left, lambda question: gain(rows, question)):
        return f"{where}: asks {name}, and another gains more"
    if not isinstance(branches, dict):
        return f"{where}: below {name} stands no dictionary of its values"
    rest = tuple(one for one in left if one != name)
    return _branch_fault(branches, rows, rest, name)


def _leaf_fault(leaf: Any, rows: Sequence[Row], left: tuple[str, ...], where: str) -> str:
    """The fault of a leaf; a name may be left that all its rows have in one value."""
    telling = [name for name in left if len({row[name] for row in rows}) > 1]
    if not isinstance(leaf, str):
        kind = _kind(leaf)
        if isinstance(leaf, tuple) and telling:
            return f"{where}: {kind}, where a dictionary with a question is wanted"
        return f"{where}: {kind}, which is neither a label nor a dictionary"
    if any(gain(rows, name) > ALIKE for name in telling):
        return f"{where}: a leaf, where a question would still gain"
    if telling:
        return f"{where}: {GIVES_UP}"
    if leaf not in most_frequent(rows):
        return f"{where}: a leaf that says {leaf!r}, which is not the majority there"
    return ""


def _kind(leaf: Any) -> str:
    """What stands for a label; a list and a set come here as tuples, and so all have one name."""
    if isinstance(leaf, tuple):
        return "several values"
    return "nothing" if leaf is None else f"a {type(leaf).__name__}"


def _branch_fault(
    branches: dict[Any, Any], rows: Sequence[Row], rest: tuple[str, ...], name: str
) -> str:
    """The first fault below a question; a branch that none of the rows takes is let be."""
    for value in dict.fromkeys(row[name] for row in rows):
        there = f"below {name} {value}"
        if value not in branches:
            others = " and others do have one" if len(branches) > 1 else ""
            return f"{there}: no branch, though rows go there{others}"
        part = [row for row in rows if row[name] == value]
        fault = _fault(branches[value], part, rest, there)
        if fault:
            return fault
    return ""


# The cases of the exercise in which pos is not asked; then those in which attributes run out, and
# those at whose root the gain ratio takes another than the gain.
_VERBS, _NO_NAMES = 1, 2
_RUN_OUT = [2, 6, 9, 10]
_BY_RATIO = {9: "asks near(lamp)", 10: "asks near(mayor)"}


def _endless(outcome: Outcome) -> bool:
    """Whether it called itself until Python, or our patience, was at an end."""
    return outcome.kind == "hung" or (outcome.kind, outcome.value) == ("raised", "RecursionError")


def _lone_branch(outcome: Outcome) -> bool:
    """Whether a question has one branch, and rows with other values."""
    end = ": no branch, though rows go there"
    return outcome.kind == "text" and outcome.value.endswith(end)


# Who looked up what ``best`` gave back and was nothing.
_NAMELESS = where(lambda o: o.kind == "raised" and o.says in ("KeyError: None", "KeyError: ''"))


def _by_ratio(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases that give away who divides; how their ties are broken elsewhere is rounding."""
    at_root = {i: f"at the root: {asks}, and" for i, asks in _BY_RATIO.items()}
    return [*at_root] if all(asks in str(outcomes[i].value) for i, asks in at_root.items()) else []


def _tree_case(behaviour: str, rows: list[Row], names: list[str], says: str) -> Case:
    return Case((rows, names), (AS_ID3,), says, via=read_tree, behaviour=behaviour)


def _fresh_trees(rng: np.random.Generator) -> tuple[Case, ...]:
    names, says = ["pos", "near(fog)", "near(sea)", "near(lamp)"], "twelve drawn rows, 4 names"
    return tuple(_tree_case("what it asks", drawn_rows(rng, 12), names, says) for _ in "123")


ID3 = page(__file__, "id3").function(
    of_table(_tree_case),
    _fresh_trees,
    {
        "one branch": where(_lone_branch),
        # It trips over no rows; where all have yes and no, it does not.
        "empty branches": provided(
            stops(("IndexError", "ZeroDivisionError", "ValueError", "StopIteration")),
            lambda cases: 0 in cases and not {_VERBS, _NO_NAMES}.intersection(cases),
        ),
        "no name where nothing gains": provided(_NAMELESS, lambda cases: 0 not in cases),
        "by ratio": _by_ratio,
        "no name": provided(_NAMELESS, lambda cases: 0 in cases),
        # The best of no attributes was looked for.
        "at a loss": provided(gives("raised"), lambda cases: cases == _RUN_OUT),
        "endless": where(_endless),
    },
)


NINE = ["race", "river", "stockings", "tights", "water", "engine", "company", "mayor", "marathon"]
MOST_NODES, MOST_WRONG = 13, 25
_SEED, _TRAINING, _PRUNING = 20, 114, 50


def _parted() -> tuple[list[Sentence], list[Sentence]]:
    """The training sentences and those to prune with, as in the lesson."""
    found = sentences("run")
    mixed = [found[i] for i in np.random.default_rng(_SEED).permutation(len(found))]
    return mixed[:_TRAINING], mixed[_TRAINING : _TRAINING + _PRUNING]


def training() -> Table:
    """The table that the tree is grown on."""
    return features(_parted()[0], NINE)


def held() -> Table:
    """The table that the tree is measured on."""
    return features(_parted()[1], NINE)


def _poor(handed: Handed) -> bool:
    return n_wrong(handed.tree, held()) > MOST_WRONG


def _id3_itself(handed: Handed) -> bool:
    return handed.tree == id3(training(), max_leaves=7)


CORPUS_TREE = page(__file__, "corpus-tree").exercise(
    Grow(
        training,
        (
            nodes_at_most(MOST_NODES),
            wrong_at_most(MOST_WRONG, held, "sentences of the pruning set"),
        ),
    ),
    seen={
        "as grown": misses(id3(training(), max_leaves=7), _id3_itself, 1),
        "too large": misses(id3(training()), lambda h: h.tree.n_nodes > MOST_NODES, 0),
        "too small": misses(
            by_hand(training(), {(): "pos", (1,): "near(race)"}),
            lambda h: _poor(h) and h.tree.n_nodes < MOST_NODES,
            1,
        ),
        "too poor": misses(
            by_hand(
                training(),
                {
                    (): "near(tights)",
                    (0,): "near(mayor)",
                    (0, 0): "near(company)",
                    (0, 0, 0): "near(engine)",
                    (0, 0, 0, 0): "near(river)",
                    (0, 0, 0, 0, 0): "near(stockings)",
                },
            ),
            lambda h: _poor(h) and h.tree.n_nodes == MOST_NODES and not _id3_itself(h),
            1,
        ),
    },
)


def _open_leaf(outcome: Outcome) -> bool:
    return outcome.kind == "number" and "not finished" in outcome.says


def _at_root(outcomes: tuple[Outcome, ...]) -> list[int]:
    first = outcomes[0]
    lost = first.kind == "number" and first.value > 0 and "at the root, " in first.says
    return [0] if lost else []


def _below(outcomes: tuple[Outcome, ...]) -> list[int]:
    lost = where(lambda o: o.kind == "number" and o.value > 0 and not _open_leaf(o))(outcomes)
    return [i for i in lost if i]


SEVEN_TREE = page(__file__, "seven-tree").exercise(
    Steps(word_sense),
    seen={
        "finished": Mistake(
            grown_by("ID3", word_sense()),
            when=where(lambda outcome: outcome.kind == "truth" and not outcome.value),
        ),
        "at the root": Mistake(
            by_hand(
                word_sense(),
                {
                    (): "near(river)",
                    (0,): "pos",
                    (1,): "pos",
                    (1, 1): "near(race)",
                },
            ),
            when=_at_root,
        ),
        "below": Mistake(
            by_hand(
                word_sense(),
                {
                    (): "pos",
                    (1,): "near(race)",
                    (1, 0): "near(river)",
                },
            ),
            when=_below,
        ),
        "open leaves": Mistake(
            by_hand(word_sense(), {(): "pos", (1,): "near(river)"}), when=where(_open_leaf)
        ),
    },
)
