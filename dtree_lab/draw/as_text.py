"""Trees as text: for a terminal, for a screen reader, for wherever a picture cannot go."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from dtree_lab import splits as s
from dtree_lab.draw import words
from dtree_lab.draw.measure import shortened
from dtree_lab.draw.telling import Telling, joined, stops
from dtree_lab.shown import plural
from dtree_lab.terminal import Text
from dtree_lab.tree import Branch, term, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dtree_lab.draw.telling import Term
    from dtree_lab.tree import Node, Tree

# Lines that a tree may take where it is shown without being asked for.
MOST = 60
_CLASSES = 4  # named at a node, and terms of a line; the others are summed up
_WIDEST = 60  # columns of a name or value, where a tree may take only so many lines


class _Waiting(NamedTuple):
    """A line still to be written: what stands before it, and its node or its words."""

    before: str
    elbow: str
    value: str
    node: Node | str
    depth: int


def tree_text(tree: Tree, most: int | None = MOST) -> str:
    """A tree, one node to a line.

    Parameters
    ----------
    tree
        What to write.
    most
        About how many lines. The deepest levels of a larger tree are left out, questions with
        very many answers are cut short, and what is missing is counted. ``None`` writes it all.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> print(tree_text(dt.stump(dt.datasets.two_attributes())))
    X1? · 8 rows (5 T, 3 F) · 0.954 bits
    ├── T: Y = T · 4 rows · 0.000 bits
    └── F: Y = F · 4 rows (3 F, 1 T) · 0.811 bits
    """
    telling = Telling.of_tree(tree)
    depth, breadth = _limits(tree, most)
    widest = _WIDEST if most is not None else sys.maxsize
    lines = []
    waiting = [_Waiting("", "", "", tree.root, 0)]
    while waiting:
        one = waiting.pop()
        lead = one.before + one.elbow
        if isinstance(one.node, str):
            lines.append(lead + one.node)
            continue
        line = lead + (f"{shortened(one.value, widest)}: " if one.value else "")
        line += _said(telling, one.node, widest)
        if isinstance(one.node, Branch) and one.depth == depth:
            line += f" · … {plural(words.size(one.node) - 1, 'node')} below"
        elif isinstance(one.node, Branch):
            waiting.extend(_below(tree, one, one.node, breadth))
        lines.append(line)
    return "\n".join(lines)


def _below(tree: Tree, one: _Waiting, node: Branch, breadth: int) -> Iterator[_Waiting]:
    """The lines below a node, the last of them first."""
    before = one.before + {"": "", "├── ": "│   ", "└── ": "    "}[one.elbow]
    rest = node.children[breadth:]
    if rest:
        hidden = plural(sum(map(words.size, rest)), "node")
        yield _Waiting(before, "└── ", "", f"… {len(rest):,} more answers, {hidden}", 0)
    shown = node.children[:breadth]
    for b in range(len(shown) - 1, -1, -1):
        elbow = "├── " if rest or b < len(shown) - 1 else "└── "
        value = words.answer(node.split, tree.attributes, b)
        yield _Waiting(before, elbow, value, shown[b], one.depth + 1)


def _limits(tree: Tree, most: int | None) -> tuple[int, int]:
    """How many levels are written, and how many answers to one question."""
    if most is None or tree.n_nodes <= most:
        return tree.n_nodes, tree.n_nodes
    breadth = max(most // 3, 2)
    lines = [0] * (tree.depth + 1)
    for path, node in walk(tree.root):
        if all(b < breadth for b in path):
            lines[len(path)] += 1
            if isinstance(node, Branch) and len(node.children) > breadth:
                lines[len(path) + 1] += 1  # it says how many answers are left out
    depth, taken = 1, lines[0] + lines[1]
    while depth < tree.depth and taken + lines[depth + 1] <= most:
        depth += 1
        taken += lines[depth]
    return depth, breadth


def _said(telling: Telling, node: Node, widest: int) -> str:
    title = " ".join(shortened(half, widest) for half in telling.headline(node)).rstrip()
    if not isinstance(node, Branch):
        title = " ".join([title, *_terms(telling.terms(node), widest)])
    (spread,) = telling.spreads([node])
    stay = words.resting(node)
    rows = _rows(telling, node, widest)
    return joined(title, rows, spread.short, stops(stay) if stay else "")


def _terms(terms: Sequence[Term], widest: int) -> Iterator[str]:
    """What a line adds; where a tree may take only so many lines, not all of it."""
    most = _CLASSES if widest < sys.maxsize else len(terms)
    for name, slope, mean in terms[:most]:
        yield term(shortened(name, widest), slope, mean)
    if terms[most:]:
        yield f"+ {plural(len(terms) - most, 'more term')}"


def _rows(telling: Telling, node: Node, widest: int) -> str:
    """How many rows a node has, and what they are: ``10 rows (7 No, 3 Yes)``."""
    rows = plural(sum(node.counts), "row")
    if telling.figures:
        # A leaf has said it already.
        around = isinstance(node, Branch) and node.values
        return f"{rows} around {telling.answer(node)}" if around else rows
    held = sorted(((n, -k) for k, n in enumerate(node.counts) if n), reverse=True)
    if len(held) <= 1:
        return rows
    target = telling.target
    some = [f"{n:,} {shortened(words.class_name(target, -k), widest)}" for n, k in held[:_CLASSES]]
    if rest := sum(n for n, _ in held[_CLASSES:]):
        some.append(f"{rest:,} of other classes")
    return f"{rows} ({', '.join(some)})"


def rules(tree: Tree) -> str:
    """A tree as rules, one for each leaf, in the order of the leaves.

    Where training rows lacked values, each question has a rule of its own for the rows that stop
    at it.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> print(rules(dt.stump(dt.datasets.two_attributes())))
    if X1 is T then Y = T (4 of 4 training rows)
    if X1 is F then Y = F (3 of 4 training rows)
    """
    words.need_tree(tree)
    telling = Telling.of_tree(tree)
    gaps = any(map(words.resting, words.every(tree.root)))
    return Text("\n".join(_rule(telling, *one) for one in _endings(tree, stops_too=gaps)))


def _rule(telling: Telling, conditions: tuple[str, ...], node: Node) -> str:
    when = f"if {' and '.join(conditions)} then " if conditions else ""
    rows, stay = plural(sum(node.counts), "training row"), words.resting(node)
    if telling.figures:
        (spread,) = telling.spreads([node])
        why = [rows, spread.short]
    else:
        why = [f"{max(node.counts):,} of {rows}"]
    why.append(f"{stay:,} of them stop{'s' * (stay == 1)} here" if stay else "")
    return f"{when}{telling.conclusion(node)} ({', '.join(filter(None, why))})"


def _endings(tree: Tree, *, stops_too: bool) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Every leaf from left to right, with the conditions that lead to it.

    With `stops_too`, behind the leaves below a question the question itself, with what makes a row
    stop there.
    """
    waiting: list[tuple[tuple[str, ...], Node, bool]] = [((), tree.root, False)]
    while waiting:
        conditions, node, ended = waiting.pop()
        if ended or not isinstance(node, Branch):
            yield conditions, node
            continue
        attribute = tree.attributes[node.split.attribute]
        if stops_too:
            unknown = "missing" if attribute.values is None else "missing or anything else"
            why = f"{words.plain(attribute.name)} is {unknown}"
            waiting.append(((*conditions, why), node, True))
        for b in range(len(node.children) - 1, -1, -1):
            why = words.plain(s.reason(node.split, attribute, b))
            waiting.append(((*conditions, why), node.children[b], False))
