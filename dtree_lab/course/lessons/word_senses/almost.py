"""ID3 as learners write it when something goes wrong on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from dtree_lab.course.calls import NotPlainError, plain
from dtree_lab.course.lessons.word_senses.best import if_any_gains
from dtree_lab.course.lessons.word_senses.gains import (
    ALIKE,
    SENSE,
    Row,
    best_of,
    gain,
    highest,
    majority,
)

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
        fault = _fault(plain(tree), rows, tuple(attributes), "at the root")
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
    if name not in highest(left, lambda one: gain(rows, one)):
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
    if leaf not in majority(rows):
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


def endlessly(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Call oneself with the same rows and attributes."""
    return endlessly(rows, attributes)


def first_best(rows: Sequence[Row], attributes: Sequence[str]) -> str:
    """The one that gains most; of several, the first."""
    return best_of(rows, attributes)[0]


def grown(
    rows: Sequence[Row],
    attributes: Sequence[str],
    choose: Callable[[Sequence[Row], Sequence[str]], str] = first_best,
    leaf: Callable[[Sequence[Row]], Any] = lambda rows: majority(rows)[0],
) -> Any:
    """ID3, with one part or another exchanged."""
    if len({row[SENSE] for row in rows}) == 1:
        return rows[0][SENSE]
    if not attributes:
        return leaf(rows)
    name = choose(rows, attributes)
    rest = [other for other in attributes if other != name]
    return {name: {v: grown(p, rest, choose, leaf) for v, p in heaps_of(rows, name)}}


def heaps_of(rows: Sequence[Row], name: str) -> list[tuple[Any, list[Row]]]:
    """Each value that some row has, with its rows."""
    values = dict.fromkeys(row[name] for row in rows)
    return [(v, [row for row in rows if row[name] == v]) for v in values]


def one_floor(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """A stump."""
    if len({row[SENSE] for row in rows}) == 1 or not attributes:
        return majority(rows)[0]
    name = best_of(rows, attributes)[0]
    return {name: {v: majority(part)[0] for v, part in heaps_of(rows, name)}}


def never_pure(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Ask until no attribute is left."""
    if not attributes:
        return majority(rows)[0]
    name = best_of(rows, attributes)[0]
    rest = [other for other in attributes if other != name]
    return {name: {v: never_pure(part, rest) for v, part in heaps_of(rows, name)}}


def shared_list(rows: Sequence[Row], attributes: list[str]) -> Any:
    """Every branch takes its attribute out of one and the same list."""
    if len({row[SENSE] for row in rows}) == 1 or not attributes:
        return majority(rows)[0]
    name = best_of(rows, attributes)[0]
    attributes.remove(name)
    return {name: {v: shared_list(part, attributes) for v, part in heaps_of(rows, name)}}


def not_sorted(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """All rows go down every branch."""
    if len({row[SENSE] for row in rows}) == 1 or not attributes:
        return majority(rows)[0]
    name = best_of(rows, attributes)[0]
    rest = [other for other in attributes if other != name]
    return {name: {v: not_sorted(rows, rest) for v, _ in heaps_of(rows, name)}}


def root_ranking(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Ask in the order of the gains at the root."""
    order = sorted(attributes, key=lambda name: -gain(rows, name))
    return grown(rows, order, choose=lambda _, names: names[0])


def fixed_values(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Branches for the values of the seven rows, whatever the rows are."""
    if not rows:
        return None
    if len({row[SENSE] for row in rows}) == 1 or not attributes:
        return majority(rows)[0]
    name = first_best(rows, attributes)
    rest = [other for other in attributes if other != name]
    values = ("noun", "verb") if name == "pos" else ("no", "yes")
    parts = {v: [row for row in rows if row[name] == v] for v in values}
    return {name: {v: fixed_values(part, rest) for v, part in parts.items()}}


def in_empty_branches(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """A branch for yes and one for no, and in each the first row is looked at."""
    if not attributes or all(row[SENSE] == rows[0][SENSE] for row in rows):
        return Counter(row[SENSE] for row in rows).most_common(1)[0][0]
    name = first_best(rows, attributes)
    rest = [other for other in attributes if other != name]
    parts = {v: [row for row in rows if row[name] == v] for v in ("no", "yes")}
    return {name: {v: in_empty_branches(part, rest) for v, part in parts.items()}}


def drops_the_first(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Hand on all attributes but the first, whichever was asked."""
    if len({row[SENSE] for row in rows}) == 1 or not attributes:
        return majority(rows)[0]
    name = first_best(rows, attributes)
    parts = heaps_of(rows, name)
    return {name: {v: drops_the_first(part, attributes[1:]) for v, part in parts}}


def by_majority(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Stop where more than half of the rows agree."""
    (label, most), *_ = Counter(row[SENSE] for row in rows).most_common(1)
    if not attributes or 2 * most > len(rows):
        return label
    name = first_best(rows, attributes)
    rest = [other for other in attributes if other != name]
    return {name: {v: by_majority(part, rest) for v, part in heaps_of(rows, name)}}


def of_nothing(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Ask a function for the best that gives back nothing."""
    if len({row[SENSE] for row in rows}) == 1 or not attributes:
        return majority(rows)[0]
    return {None: {row[None]: row for row in rows}}  # type: ignore[index]


def if_it_gains(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Ask what gains most, found by a search that begins with 0: there may be none."""
    if len({row[SENSE] for row in rows}) == 1 or not attributes:
        return majority(rows)[0]
    name: Any = if_any_gains(rows, attributes)
    rest = [other for other in attributes if other != name]
    return {name: {v: if_it_gains(part, rest) for v, part in heaps_of(rows, name)}}


def gives_up(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Make a leaf where nothing gains."""
    if len({row[SENSE] for row in rows}) == 1 or not attributes:
        return majority(rows)[0]
    name = if_any_gains(rows, attributes)
    if name is None:
        return majority(rows)[0]
    rest = [other for other in attributes if other != name]
    return {name: {v: gives_up(part, rest) for v, part in heaps_of(rows, name)}}


def paired(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """A pair of the name and the branches, in place of a dictionary."""
    tree = grown(rows, attributes)
    return tuple(*tree.items()) if isinstance(tree, dict) else tree


def in_a_list(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """The branches in a list, each a dictionary of its own."""
    tree = grown(rows, attributes)
    if not isinstance(tree, dict):
        return tree
    return {name: [{v: part} for v, part in branches.items()] for name, branches in tree.items()}


def without_name(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """The branches alone, without the attribute that they belong to."""
    tree = grown(rows, attributes)
    return _bare(tree) if isinstance(tree, dict) else tree


def _bare(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    ((_, branches),) = tree.items()
    return {value: _bare(child) for value, child in branches.items()}


def one_branch(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """``return`` inside the loop over the values."""
    if len({row[SENSE] for row in rows}) == 1 or not attributes:
        return majority(rows)[0]
    name = first_best(rows, attributes)
    rest = [other for other in attributes if other != name]
    value, part = heaps_of(rows, name)[0]
    return {name: {value: one_branch(part, rest)}}


def never_out(rows: Sequence[Row], attributes: Sequence[str]) -> Any:
    """Look for the best of no attributes."""
    if len({row[SENSE] for row in rows}) == 1:
        return rows[0][SENSE]
    name = max(attributes, key=lambda one: gain(rows, one))
    rest = [other for other in attributes if other != name]
    return {name: {v: never_out(part, rest) for v, part in heaps_of(rows, name)}}
