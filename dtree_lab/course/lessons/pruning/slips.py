"""What goes wrong in the rounds of reduced-error pruning: functions with one mistake each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dtree_lab.course.lessons.pruning.examples import (
    WITHHELD,
    Node,
    Path,
    Row,
    askers,
    cut,
    leaf,
    wrong,
    wrong_as_leaf,
)

Rows = list[Row]


def best(tree: Node, rows: Rows, least: int = 1) -> Node:
    """A round as it should be; cuts that bring at least so much."""
    found = [(brings, path) for path, brings in askers(tree, rows)]
    most = max((brings for brings, _ in found), default=least - 1)
    return cut(tree, next(p for b, p in found if b == most)) if most >= least else tree


def first_found(tree: Node, rows: Rows) -> Node:
    """Cuts the first node that brings something."""
    return cut_or_not(tree, [path for path, brings in askers(tree, rows) if brings > 0][:1])


def last_found(tree: Node, rows: Rows) -> Node:
    """Cuts the last node that brings something."""
    return cut_or_not(tree, [path for path, brings in askers(tree, rows) if brings > 0][-1:])


def as_good_once(tree: Node, rows: Rows) -> Node:
    """Cuts where nothing gets worse."""
    return best(tree, rows, least=0)


def all_at_once(tree: Node, rows: Rows) -> Node:
    """Makes all cuts that bring something, measured once."""
    return cut_or_not(tree, [path for path, brings in askers(tree, rows) if brings > 0])


def worst_first(tree: Node, rows: Rows) -> Node:
    """Cuts where least is to be had, or most is lost."""
    found = [(brings, path) for path, brings in askers(tree, rows)]
    return cut(tree, min(found)[1]) if found and min(found)[0] < 0 else tree


def on_all_rows(tree: Node, rows: Rows) -> Node:
    """Compares every node on all rows, whether they come to it or not."""
    brings = [(wrong(n, rows) - wrong_as_leaf(n, rows), path) for path, n in _inner(tree)]
    most = max((one for one, _ in brings), default=0)
    return cut_or_not(tree, [path for one, path in brings if one == most > 0][:1])


def on_all_rows_last(tree: Node, rows: Rows) -> Node:
    """The same; of several that bring most it takes the last."""
    brings = [(wrong(n, rows) - wrong_as_leaf(n, rows), path) for path, n in _inner(tree)]
    most = max((one for one, _ in brings), default=0)
    return cut_or_not(tree, [path for one, path in brings if one == most > 0][-1:])


def below_on_all_rows(tree: Node, rows: Rows) -> Node:
    """Counts the errors below on all rows, and those as a leaf on the node's own."""
    return _best_of(tree, rows, lambda n, here: wrong(n, rows) - wrong_as_leaf(n, here))


def leaf_on_all_rows(tree: Node, rows: Rows) -> Node:
    """Counts the errors as a leaf on all rows, and those below on the node's own."""
    return _best_of(tree, rows, lambda n, here: wrong(n, here) - wrong_as_leaf(n, rows))


def own_majority(tree: Node, rows: Rows) -> Node:
    """Counts the errors of a leaf with the label that most of the withheld rows have."""

    def brings(node: Node, here: Rows) -> int:
        labels = [row["Ferry"] for row in here]
        most = max((labels.count(label) for label in set(labels)), default=0)
        return wrong(node, here) - (len(here) - most)

    return _best_of(tree, rows, brings)


def deepest(tree: Node, rows: Rows) -> Node:
    """Cuts the deepest node that brings something, the first of several."""
    found = [path for path, brings in askers(tree, rows) if brings > 0]
    return cut(tree, max(found, key=len)) if found else tree


def not_the_root(tree: Node, rows: Rows) -> Node:
    """Looks for the highest reduction among all nodes but the root."""
    found = [(brings, path) for path, brings in askers(tree, rows) if path and brings > 0]
    return cut(tree, max(found, key=lambda one: one[0])[1]) if found else tree


def no_nodes(tree: Node, rows: Rows) -> Node:
    """Takes the most of nothing, where no node asks."""
    brings, path = max(((b, p) for p, b in askers(tree, rows)), key=lambda one: one[0])
    return cut(tree, path) if brings > 0 else tree


def root_missed(tree: Node, rows: Rows) -> Node:
    """Takes the root's path, which is empty, for none."""
    return cut(tree, path) if (path := the_path(tree, rows)) else tree


def root_if_none(tree: Node, rows: Rows) -> Node:
    """Takes the root's path for none, and cuts there."""
    return cut(tree, the_path(tree, rows) or ())


def always(tree: Node, rows: Rows) -> Node:
    """Cuts where most is to be had, even if that is nothing or less."""
    return best(tree, rows, least=-len(rows))


def the_path(tree: Node, rows: Rows) -> Path | None:
    """Where the cut of a round would be."""
    found = [(brings, path) for path, brings in askers(tree, rows) if brings > 0]
    return max(found, key=lambda one: one[0])[1] if found else None


def the_node_alone(tree: Node, rows: Rows) -> Node:
    """Returns the node that was cut."""
    path = the_path(tree, rows)
    if path is None:
        return tree
    for value in path:
        tree = tree["then"][value]
    return leaf(tree["says"])


def thrown_away(tree: Node, rows: Rows) -> Node:  # noqa: ARG001 - that is its mistake
    """Makes a cut and returns the tree as it was."""
    return tree


def most_wrong(tree: Node, rows: Rows) -> Node:
    """Cuts where most rows are wrong below, if any are."""
    return _where_most(tree, rows, lambda below, _, __: below)


def fewest_left(tree: Node, rows: Rows) -> Node:
    """Cuts where fewest rows are wrong as a leaf."""
    return _where_most(tree, rows, lambda _, as_leaf, __: len(rows) + 1 - as_leaf)


def per_row(tree: Node, rows: Rows) -> Node:
    """Divides the reduction by the number of rows at the node."""
    return _where_most(tree, rows, lambda below, as_leaf, n: (below - as_leaf) / max(n, 1))


def _where_most(tree: Node, rows: Rows, worth: Callable[[int, int, int], float]) -> Node:
    """Cuts where something is most, if it is above 0."""
    found = [
        (worth(wrong(n, here), wrong_as_leaf(n, here), len(here)), path)
        for path, n, here in _visited(tree, rows)
    ]
    most = max((one for one, _ in found), default=0)
    return cut_or_not(tree, [path for one, path in found if one == most > 0][:1])


def _best_of(tree: Node, rows: Rows, brings: Callable[[Node, Rows], int]) -> Node:
    """Cuts where so counted most is to be had, the first of several."""
    found = [(brings(n, here), path) for path, n, here in _visited(tree, rows)]
    most = max((one for one, _ in found), default=0)
    return cut_or_not(tree, [path for one, path in found if one == most > 0][:1])


def _visited(node: Node, rows: Rows, path: Path = ()) -> Iterator[tuple[Path, Node, Rows]]:
    if "asks" in node:
        yield path, node, rows
        for value, child in node["then"].items():
            here = [row for row in rows if row[node["asks"]] == value]
            yield from _visited(child, here, (*path, value))


def in_place(tree: Node, rows: Rows) -> Node:
    """Makes a leaf of a node where it stands."""
    path = the_path(tree, rows)
    if path is not None:
        at = tree
        for value in path:
            at = at["then"][value]
        del at["asks"], at["then"]
    return tree


def in_place_to_the_end(tree: Node, rows: Rows) -> Node:
    """Goes on while the tree differs from the one before, which is the same tree."""
    return _again(in_place, tree, rows)


def on_the_ten(tree: Node, rows: Rows) -> Node:  # noqa: ARG001 - that is its mistake
    """Uses the lesson's withheld rows, whatever it is given."""
    return best(tree, WITHHELD)


def while_looking(tree: Node, rows: Rows) -> Node:
    """Cuts from the top as it goes, and comes to nodes that are gone."""
    for path, brings in list(askers(tree, rows)):
        if brings > 0:
            at = tree
            for value in path:
                at = at["then"][value]
            tree = cut(tree, path)
    return tree


def _inner(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    if "asks" in node:
        yield path, node
        for value, child in node["then"].items():
            yield from _inner(child, (*path, value))


def cut_or_not(tree: Node, paths: list[Path]) -> Node:
    """The tree with some cuts, each as far as there still is something to cut."""
    for path in sorted(paths, key=len, reverse=True):
        tree = cut(tree, path)
    return tree


def one_round(tree: Node, rows: Rows) -> Node:
    """Stops after a round."""
    return best(tree, rows)


def two_rounds(tree: Node, rows: Rows) -> Node:
    """Stops after two rounds."""
    return best(best(tree, rows), rows)


def three_rounds(tree: Node, rows: Rows) -> Node:
    """Stops after three rounds."""
    return best(two_rounds(tree, rows), rows)


def as_good(tree: Node, rows: Rows) -> Node:
    """Goes on while nothing gets worse."""
    while (smaller := best(tree, rows, least=0)) != tree:
        tree = smaller
    return tree


def not_anew(tree: Node, rows: Rows) -> Node:
    """Measures once and makes all cuts that looked good; from the top, anew, comes to the same."""
    return all_at_once(tree, rows)


def from_below(tree: Node, rows: Rows) -> Node:
    """From the leaves up: a node becomes a leaf where that is better than what is left below."""
    if "asks" not in tree:
        return tree
    then = {
        value: from_below(child, [row for row in rows if row[tree["asks"]] == value])
        for value, child in tree["then"].items()
    }
    grown = {**tree, "then": then}
    return leaf(tree["says"]) if wrong_as_leaf(tree, rows) < wrong(grown, rows) else grown


def to_the_end(tree: Node, rows: Rows) -> Node:
    """Round after round, as it should be in the end."""
    return _again(best, tree, rows)


def never_the_root(tree: Node, rows: Rows) -> Node:
    """Round after round, and the root never."""
    return _again(root_missed, tree, rows)


def to_the_end_on_the_ten(tree: Node, rows: Rows) -> Node:
    """Round after round with the lesson's withheld rows."""
    return _again(on_the_ten, tree, rows)


def _again(once: Callable[[Node, Rows], Node], tree: Node, rows: Rows) -> Node:
    while (smaller := once(tree, rows)) != tree:
        tree = smaller
    return tree


def to_the_root(tree: Node, rows: Rows) -> Node:  # noqa: ARG001 - that is its mistake
    """Cuts everything."""
    return leaf(tree["says"])
