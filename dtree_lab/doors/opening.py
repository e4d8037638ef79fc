"""A model's tree as one of ours: which reader takes it, and a table's rows fill its nodes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import listing, plural
from dtree_lab.doors.estimators import (
    checked_member,
    is_estimator,
    tree_of_booster,
    tree_of_estimator,
)
from dtree_lab.doors.modelnodes import ModelNode, ModelTree
from dtree_lab.doors.texts import tree_of_j48, tree_of_rpart
from dtree_lab.grow.api import refilled
from dtree_lab.grow.leaf_values import answered
from dtree_lab.grow.prepare import check_table
from dtree_lab.table.doubts import TableWarning
from dtree_lab.table.table import Attribute, Table, missing_of
from dtree_lab.tree import splits as s
from dtree_lab.tree.arrays import from_splits
from dtree_lab.tree.parts import Stops
from dtree_lab.tree.questions import questions_of
from dtree_lab.tree.splits import Intervals
from dtree_lab.tree.subtrees import path_to, resting, summed_up
from dtree_lab.tree.tree import Tree, own_columns


def tree_from_model(model: Any, table: Table, member: int | None, cuts: str) -> Tree:
    """See :meth:`dtree_lab.Tree.from_model`."""
    check_table(table)
    if cuts not in ("exact", "middle"):
        raise ValueError(f"cuts={cuts!r} must be 'exact' or 'middle'")
    inner = getattr(model, "tree_", model)
    if isinstance(inner, Tree):
        asked = zip(questions_of(inner), inner.flat.gaps.tolist(), strict=True)
        questions = [[*one, "parts"] if gaps == s.IN_PARTS else one for one, gaps in asked]
        tree = refilled(questions, table, inner.criterion)
    else:
        tree = _filled(_read(model, table, member), _drawn(model, table, member))
    return _in_the_middle(tree, table) if cuts == "middle" else tree


def _read(model: Any, table: Table, member: int | None) -> ModelTree:
    """The tree of a model, whoever made it."""
    if isinstance(model, str):
        return _written(model, table)
    if is_estimator(model):
        return tree_of_estimator(model, table)
    if hasattr(model, "estimators_"):
        several = np.ravel(np.array(model.estimators_, dtype=object))
        chosen = several[checked_member(len(several), member)]
        if is_estimator(chosen):
            names = getattr(model, "feature_names_in_", None)
            return tree_of_estimator(chosen, table, names, _classes(model, chosen))
    if tree := tree_of_booster(model, table, member):
        return tree
    raise TypeError(
        "a tree must be a dt.Tree, a fitted tree of scikit-learn, what LightGBM or XGBoost"
        f" have fitted, or the text that rpart or J48 writes; got {model!r:.60}"
    )


def _written(text: str, table: Table) -> ModelTree:
    """The tree of a text, known by its look."""
    if tree := tree_of_rpart(text, table) or tree_of_j48(text, table):
        return tree
    raise ValueError(
        "the text is no tree that can be read: rpart's has the line 'node), split, n, …' in it, as"
        f" print(fit) writes it, and Weka's the line 'J48 pruned tree'; got {text!r:.60}"
    )


def _classes(model: Any, member: Any) -> Any:
    """The classes of one tree of several, which may have numbers for them."""
    classes, own = getattr(model, "classes_", None), getattr(member, "classes_", None)
    if classes is None or own is None or set(own.tolist()) <= set(classes.tolist()):
        return own
    return classes[own.astype(np.intp)]


def _drawn(model: Any, table: Table, member: int | None) -> Table:
    """The rows that one tree of several was grown on, as often as they were drawn."""
    samples = getattr(model, "estimators_samples_", None)
    if samples is None or member is None or max(map(np.max, samples)) >= table.n_rows:
        return table
    return table.take(np.sort(samples[member]))


# -- a table's rows in it --------------------------------------------------------------------------


def _filled(model: ModelTree, table: Table) -> Tree:
    if model.classes is not None:
        _ = table.classes  # raises where the target is continuous
    # What adds to a score is no class: the numbers of its tree are its own answers.
    scores = model.adds or (model.classes is None and table.target.values is not None)
    given = _scored(table, np.zeros(table.n_rows)) if scores else table
    pairs = zip(table.attributes, table.columns, strict=True)
    lacking = {a.name for a, column in pairs if missing_of(column).any()}
    try:
        questions = [_question(node, lacking) for node in model.nodes]
        tree = refilled(questions, given, model.criterion)
    except ValueError as error:
        raise ValueError(f"the table's rows do not fill the {model.name}: {error}") from None
    if model.classes is not None:
        tree = _with_classes(tree, model)
    elif model.own_answers:
        values = tree.flat.values.copy()
        values[:, 0] = [0 if node.answer is None else node.answer for node in model.nodes]
        tree = tree.with_nodes(replace(tree.flat, values=values))
    if scores:
        # So that each node has the mean of what its rows are answered, and how far it spreads.
        given = _scored(table, tree.predict(given))
        tree = answered(given, tree.flat)
    _warn_of_differences(tree, model, given)
    return tree


def _question(node: ModelNode, lacking: set[str]) -> Any:
    """What a node asks, and where it sends rows without a value, if the table has any."""
    if node.question and node.parts_gaps and lacking:
        return [*node.question, "parts"]
    if node.gaps < 0 or node.question[0] not in lacking:
        return node.question and list(node.question)
    return [*node.question, node.gaps]


def _scored(table: Table, scores: NDArray[np.float64]) -> Table:
    """The table with numbers to answer in place of its own target."""
    return replace(table, target=Attribute(f"{table.target.name}: score"), labels=scores)


def _with_classes(tree: Tree, model: ModelTree) -> Tree:
    """The tree with its classes in the model's order, so that ties are answered alike."""
    target, classes, there = tree.target, list(model.classes or ()), list(tree.classes)
    codes = [target.named(c) for c in classes]
    if max(codes) < 0:
        raise ValueError(
            f"the {model.name} answers {listing(classes)}, and {target.name!r} is {listing(there)}"
        )
    rest = [code for code in range(target.n_values) if code not in codes]
    values = [there[code] if code >= 0 else c for code, c in zip(codes, classes, strict=True)]
    values += [there[code] for code in rest]
    counts = np.column_stack([tree.flat.counts, np.zeros(tree.n_nodes, dtype=np.int64)])
    flat = replace(tree.flat, counts=counts[:, codes + rest])  # -1 finds the zeros
    return replace(tree, target=Attribute(target.name, tuple(values)), flat=flat)


def _warn_of_differences(tree: Tree, model: ModelTree, table: Table) -> None:
    """Tell where a table with other rows than the model's makes another tree of it."""
    flat = tree.flat
    stops = Stops.of(flat, tree.attributes, own_columns(tree.attributes, table))
    n_rest = int(resting(flat).sum() // tree.weight_unit)
    rests = f". {plural(n_rest, 'row')} that lack what a node asks rest there" * bool(n_rest)
    if model.classes is not None:
        answers = np.array([tree.target.named(node.answer) for node in model.nodes])
        others = (flat.majority != answers)[stops.node]
        wrong = len(np.unique(stops.row[others]))
        if wrong:
            _warn(
                f"{plural(wrong, 'row')} of {table.n_rows} would be answered otherwise by the"
                f" {model.name}: its nodes held other rows, or rows that weighed otherwise. Give"
                " the rows that it was fitted on, with their weights, for the same answers" + rests
            )
    here = summed_up(flat, np.bincount(stops.node, stops.share, flat.n_nodes)).round(9).tolist()
    there = [node.n_rows for node in model.nodes]
    if there[0] != here[0]:
        return
    other = [i for i, n in enumerate(there) if n is not None and abs(n - here[i]) >= 1]
    if other:
        _warn(
            f"of the {model.name} {plural(len(other), 'node')} held other numbers of rows, such as"
            f" the one at {path_to(flat, other[0])!r}: {there[other[0]]:g} and not"
            f" {here[other[0]]:g}. Its cuts may be rounded, or these are other rows{rests}"
        )


def _warn(message: str) -> None:
    warnings.warn(message, TableWarning, stacklevel=5)


def _in_the_middle(tree: Tree, table: Table) -> Tree:
    """The tree whose cuts are halfway between the values of the rows that they part."""
    rows = {0: np.arange(table.n_rows)}
    splits: list[s.Split | None] = []
    for i in range(tree.n_nodes):
        split, here = tree.flat.split(i, tree.attributes), rows.pop(i)
        if split is not None:
            column = table.columns[split.attribute][here]
            branch = split.branch(column)
            gaps = branch == s.IN_PARTS
            parts = [here[(branch == b) | gaps] for b in range(split.n_branches)]
            rows.update(enumerate(parts, start=int(tree.flat.first[i])))
            if isinstance(split, Intervals):
                known = ~np.isnan(column)
                numbers = [column[known & (branch == b)] for b in range(split.n_branches)]
                if all(map(len, numbers)):
                    split = replace(split, cuts=_between(numbers))
        splits.append(split)
    flat = from_splits(splits, tree.flat.counts, tree.attributes, tree.flat.values)
    return tree.with_nodes(flat)


def _between(parts: Sequence[NDArray[np.float64]]) -> tuple[float, ...]:
    low, high = np.array([p.max() for p in parts[:-1]]), np.array([p.min() for p in parts[1:]])
    return tuple(s.midpoint(low, high).tolist())
