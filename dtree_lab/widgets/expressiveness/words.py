"""What an expressiveness lab says: sizes, the law, and how much trees can say."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

from dtree_lab.shown import plural, value
from dtree_lab.theory.counting import count_boolean_concepts, count_concepts, count_trees
from dtree_lab.widgets.expressiveness.concept import NONE
from dtree_lab.widgets.expressiveness.laws import LAWS, fewest, worked
from dtree_lab.widgets.expressiveness.state import OWN
from dtree_lab.widgets.kit.names import label

if TYPE_CHECKING:
    from dtree_lab.widgets.expressiveness.concept import Concept
    from dtree_lab.widgets.expressiveness.state import State

# Larger numbers are told roughly; the trees for one function are counted up to so many attributes.
_EXACT, _MOST_COUNTED, _MOST_BITS, _NAMED = 10**12, 5, 1 << 14, 6


def big(n: int) -> str:
    """A whole number of any length: exact while one can read it."""
    if n < _EXACT:
        return f"{n:,}"
    digits = n.bit_length() * log10(2) if n.bit_length() > 4096 else log10(n)  # noqa: PLR2004
    return f"about {10 ** (digits % 1):.1f} · 10^{int(digits)}"


# -- the size of the tree --------------------------------------------------------------------------


def sizes(state: State) -> tuple[list[str], list[list[str]]]:
    """A head and rows: the tree with and without the derived attribute, and the smallest one."""
    head = ["", "internal nodes", "leaves", "nodes", "depth"]
    concept = state.concept
    shown = {NONE: "ID3's tree"} if state.feature == NONE else {NONE: "without it"}
    if state.feature != NONE:
        shown[state.feature] = f"with {label(concept.name_of(state.feature))}"
    rows = []
    for feature, name in shown.items():
        grown = concept.grown(feature)
        counted = (grown.internal, grown.tree.n_leaves, grown.tree.n_nodes, grown.tree.depth)
        rows.append([name, *(f"{count:,}" for count in counted)])
    if state.function != OWN:
        least = fewest(state.function, state.n)
        counted = (least, least + 1, 2 * least + 1, state.n)
        least_of = "the smallest possible" if state.feature == NONE else "the smallest without it"
        rows.append([least_of, *(f"{count:,}" for count in counted)])
    return head, rows


def verdict(state: State) -> list[str]:
    """The size beside its law, and what the derived attribute did to it."""
    found = []
    if state.function != OWN:
        name = state.function if state.function == "majority" else state.function.upper()
        law, here = LAWS[state.function], worked(state.function, state.n)
        said = here if law == "n" else f"{law} (here {here})"
        found.append(f"{name} of n attributes needs {said} internal nodes, in any order of asking.")
    if state.feature != NONE:
        found.append(_effect(state))
    return found


def _effect(state: State) -> str:
    concept = state.concept
    name, before = label(concept.name_of(state.feature)), concept.plain.internal
    now = state.grown.internal
    if now >= before:
        size = plural(now, "internal node")
        return f"{name} does not help here, {size} as before: what helps depends on the function."
    if now == 1:
        return f"With {name} one question is enough, in place of {before}: the tree collapses."
    return f"With {name} the tree needs {now} internal nodes in place of {before}."


# -- how much can be said --------------------------------------------------------------------------


def concepts(state: State) -> list[str]:
    """Instances, concepts, trees; and how many trees say this one."""
    if state.function == OWN:
        return _of_table(state.concept)
    n, trees = state.n, big(count_trees(state.n))
    many = f"2^(2^{n}) = 2^{2**n} = {big(count_boolean_concepts(n))}"
    lines = [
        f"{plural(n, 'binary attribute')} can describe 2^{n} = {2**n} instances.",
        f"Each labelled T or F, that makes {many} concepts, and trees can say every one.",
        f"Trees that ask nothing twice on a path: {trees}. So many trees are one classifier.",
    ]
    if n <= _MOST_COUNTED:
        same = state.concept.consistent
        who = "One of them says" if same == 1 else f"{same:,} of them say"
        stop = "stops" if same == 1 else "stop"
        lines.append(f"{who} this very function and {stop} as soon as the label is certain.")
    return lines


def _of_table(concept: Concept) -> list[str]:
    """What can be counted of a given table, and what cannot."""
    table, instances = concept.table, concept.instances
    seen, torn = concept.seen
    lines = []
    if concept.left_out:
        lines.append(f"The first {table.n_rows:,} rows are used, {concept.left_out:,} are not.")
    if instances is None:
        lines.append(
            "An attribute of many numbers describes no fixed number of instances, so the concepts"
            " cannot be counted; the tree and its size are those of the rows."
        )
    else:
        can = f"The attributes can describe {big(instances)} instances"
        lines.append(f"{can}; the rows show {seen:,} of them.")
        lines.append(_possible(instances, len(table.classes)))
    if torn:
        who = "1 instance comes" if torn == 1 else f"{torn:,} instances come"
        lines.append(f"{who} with several labels: no function of these attributes fits all rows.")
    return [*lines, _counts(concept)]


def _counts(concept: Concept) -> str:
    """What the derived attributes count."""
    if concept.trues is None:
        return "The sum is offered where each attribute has two values; here one has not."
    counted = [f"{label(name)} = {label(value(true))}" for name, true in concept.trues.items()]
    rest = f" and {len(counted) - _NAMED} more" if len(counted) > _NAMED else ""
    return f"The sum counts how many of these hold: {', '.join(counted[:_NAMED])}{rest}."


def _possible(instances: int, labels: int) -> str:
    if instances * labels.bit_length() > _MOST_BITS:
        return f"Over them there are {labels}^({big(instances)}) concepts; trees can say every one."
    found = big(count_concepts(instances, labels))
    return f"Over them there are {labels}^{instances} = {found} concepts; trees can say every one."
