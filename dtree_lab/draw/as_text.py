"""Tables, comparisons, differences and trees as text, where a picture cannot go.

That is a terminal, a screen reader, a log. :func:`grid` has what a table shows, cells, kinds and
alignment, before it is text here or HTML in :mod:`dtree_lab.draw.as_html`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dtree_lab.base.terminal import Text
from dtree_lab.base.text import ShownTable, amount, bits, plural, printable
from dtree_lab.draw import words
from dtree_lab.draw.measure import shortened, terminal_columns
from dtree_lab.draw.words import CountText, NodeText, joined, stopping_words
from dtree_lab.grow.compare import Comparison
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree import splits as s
from dtree_lab.tree.differences import Differences
from dtree_lab.tree.explanation import term
from dtree_lab.tree.tree import Branch, Node, Tree, walk


@dataclass(frozen=True, slots=True)
class TextGrid:
    """A table's columns as they are shown; the last column is the target."""

    caption: str  # how large the table is, and what is to be predicted
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    numeric: tuple[bool, ...]  # whether a column holds numbers, which are aligned to the right
    rows: tuple[tuple[str, ...], ...]  # the cells of the rows that are shown
    codes: tuple[int, ...]  # the class of each of these rows; empty for a continuous target
    hidden: int  # how many rows are not shown


def grid(table: Table, most: int | None) -> TextGrid:
    """The first `most` rows of a table, or all of them."""
    shown = table.n_rows if most is None else min(most, table.n_rows)
    part = table.take(range(shown))
    columns = (*table.attributes, table.target)
    cells = [[words.plain(v) for v in part.column(a.name)] for a in columns]
    codes = () if table.target.values is None else tuple(part.labels.tolist())
    what = "number" if table.target.values is None else "class"
    target = f"{what} to predict: {words.plain(table.target.name)}"
    n = len(table.attributes)
    by = "" if table.weights is None else f" weighted by {words.plain(table.weight_name)}"
    return TextGrid(
        f"{plural(table.n_rows, 'row')}{by}, {plural(n, 'attribute')}; {target}",
        tuple(words.plain(a.name) for a in columns),
        (*(a.kind for a in table.attributes), "target"),
        tuple(_numeric(a) for a in columns),
        tuple(zip(*cells, strict=True)),
        codes,
        table.n_rows - shown,
    )


def _numeric(attribute: Attribute) -> bool:
    values = attribute.values
    return values is None or not any(isinstance(v, str | bool) for v in values)


def more_rows(hidden: int) -> str:
    """What stands for the rows that are not shown, or nothing."""
    return f"… {plural(hidden, 'more row')}" if hidden else ""


_WIDEST_COLUMN, _WIDEST_CELL, _BAR = 32, 100, 24
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def _cell(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - terminal_columns(text))
    return space + text if right else text + space


def _aligned(
    rows: Sequence[Sequence[str]], right: Sequence[bool], widest: int = _WIDEST_COLUMN
) -> list[str]:
    """Rows of cells as lines, each column as wide as its widest cell."""
    short = [[shortened(cell, widest) for cell in row] for row in rows]
    widths = [max(map(terminal_columns, column)) for column in zip(*short, strict=True)]
    return [
        "  ".join(_cell(c, w, right=r) for c, w, r in zip(row, widths, right, strict=True)).rstrip()
        for row in short
    ]


def table_text(table: Table, most: int | None = 10) -> str:
    """The first rows of a table, counted from 1, with the kinds of its columns."""
    shown = grid(table, most)
    numbered = [(f"{i:,}", *row) for i, row in enumerate(shown.rows, start=1)]
    head = [("", *shown.names), ("", *shown.kinds)]
    lines = _aligned([*head, *numbered], (True, *shown.numeric))
    end = [more_rows(shown.hidden)] if shown.hidden else []
    return "\n".join([shown.caption, *lines, *end])


def shown_text(shown: ShownTable, most: int | None = None) -> str:
    """A small table, of at most so many rows."""
    head = [shown.names] if any(shown.names) else []
    rows = [list(map(printable, row)) for row in (*head, *shown.rows[:most])]
    hidden = len(shown.rows[most:]) if most else 0
    lines = _aligned(rows, shown.numeric, _WIDEST_CELL)
    end = [more_rows(hidden)] if hidden else []
    for name, told, code in shown.notes[:most]:
        end += [printable(f"{name}: {told}" if name else told)]
        end += [f"    {printable(code)}"] if code else []
    return "\n".join([printable(shown.caption), *lines, *end])


def comparison_text(comparison: Comparison) -> str:
    """Every attribute with its gain as a bar, and H(Y|X) and the gain ratio as numbers."""
    top = max((one.gain for one in comparison.ranked), default=0.0)
    rows = [
        (
            words.plain(one.question),
            bits(one.gain),
            _bar(one.gain / top if top else 0.0),
            bits(one.conditional_entropy),
            bits(one.gain_ratio),
        )
        for one in comparison.ranked
    ]
    head = ("attribute", "gain", "", "H(Y|X)", "gain ratio")
    lines = _aligned([head, *rows], (False, True, False, True, True))
    whole = f"{plural(sum(comparison.counts), 'row')}, H(Y) = {bits(comparison.entropy)} bits"
    return "\n".join([whole, *lines])


def _bar(share: float) -> str:
    """A bar of up to 24 columns, to an eighth of one."""
    full, rest = divmod(round(share * _BAR * 8), 8)
    return ("█" * full + _EIGHTHS[rest]).rstrip()


# So many rows that two trees answer differently are told.
DIFFERING = 20


def differing(differences: Differences, most: int | None = DIFFERING) -> list[tuple[str, ...]]:
    """The rows that two trees answer differently, a line each, with a head."""
    target = words.plain(differences.table.target.name)
    rows = [
        (f"{one.row + 1:,}", *(words.plain(v) for v in (one.one, one.other, one.truth)))
        for one in differences.some(most)
    ]
    return [("row", "first", "second", target), *rows]


def places(differences: Differences, most: int | None) -> list[str]:
    """The first places where two trees part, and how many more there are."""
    shown = differences.places[:most]
    hidden = len(differences.places) - len(shown)
    more = [f"… {plural(hidden, 'more place')}"] if hidden else []
    return [*(words.plain(place.told()) for place in shown), *more]


def differences_text(differences: Differences, most: int | None = 60) -> str:
    """Where two trees part, place by place, and the rows that they answer differently."""
    rows = differing(differences, most and min(most, DIFFERING))
    lines = _aligned(rows, (True, False, False, False)) if len(differences.rows) else []
    more = len(differences.rows) - len(rows) + 1
    end = [more_rows(more)] if more > 0 else []
    return "\n".join([differences.told(), *places(differences, most and most // 2), *lines, *end])


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
    """A tree, one node to a line, of about `most` lines.

    The deepest levels of a larger tree are left out, questions with very many answers are cut
    short, and what is missing is counted. ``None`` writes it all.
    """
    telling = NodeText.of_tree(tree)
    depth, breadth = _limits(tree, most)
    widest = _WIDEST if most is not None else sys.maxsize
    lines = []
    waiting = [_Waiting("", "", "", words.root_of(tree), 0)]
    while waiting:
        one = waiting.pop()
        lead = one.before + one.elbow
        if isinstance(one.node, str):
            lines.append(lead + one.node)
            continue
        line = lead + (f"{shortened(one.value, widest)}: " if one.value else "")
        line += _said(telling, one.node, widest)
        if isinstance(one.node, Branch) and one.depth == depth:
            line += f" · … {plural(words.subtree_size(one.node) - 1, 'node')} below"
        elif isinstance(one.node, Branch):
            waiting.extend(_below(tree, one, one.node, breadth))
        lines.append(line)
    return "\n".join(lines)


def _below(tree: Tree, above: _Waiting, node: Branch, breadth: int) -> Iterator[_Waiting]:
    """The lines below a node, the last of them first."""
    before = above.before + {"": "", "├── ": "│   ", "└── ": "    "}[above.elbow]
    rest = node.children[breadth:]
    if rest:
        hidden = plural(sum(map(words.subtree_size, rest)), "node")
        yield _Waiting(before, "└── ", "", f"… {len(rest):,} more answers, {hidden}", 0)
    shown = node.children[:breadth]
    for b in range(len(shown) - 1, -1, -1):
        elbow = "├── " if rest or b < len(shown) - 1 else "└── "
        value = words.branch_answer(node.split, tree.attributes, b)
        yield _Waiting(before, elbow, value, shown[b], above.depth + 1)


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


def _said(telling: NodeText, node: Node, widest: int) -> str:
    title = " ".join(shortened(half, widest) for half in telling.headline(node)).rstrip()
    if not isinstance(node, Branch):
        title = " ".join([title, *_terms(telling.terms(node), widest)])
    (spread,) = telling.spreads([node])
    stay = words.resting_rows(node)
    rows = _rows(telling, node, widest)
    return joined(title, rows, spread.short, stopping_words(stay) if stay else "")


def _terms(terms: Sequence[CountText], widest: int) -> Iterator[str]:
    """What a line adds; where a tree may take only so many lines, not all of it."""
    most = _CLASSES if widest < sys.maxsize else len(terms)
    for name, slope, mean in terms[:most]:
        yield term(shortened(name, widest), slope, mean)
    if terms[most:]:
        yield f"+ {plural(len(terms) - most, 'more term')}"


def _rows(telling: NodeText, node: Node, widest: int) -> str:
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
    some = [
        f"{amount(n)} {shortened(words.class_name(target, -k), widest)}" for n, k in held[:_CLASSES]
    ]
    if rest := sum(n for n, _ in held[_CLASSES:]):
        some.append(f"{amount(rest)} of other classes")
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
    telling = NodeText.of_tree(tree)
    gaps = any(map(words.resting_rows, words.every(words.root_of(tree))))
    return Text("\n".join(_rule(telling, *one) for one in _endings(tree, stops_too=gaps)))


def _rule(telling: NodeText, conditions: tuple[str, ...], node: Node) -> str:
    when = f"if {' and '.join(conditions)} then " if conditions else ""
    rows, stay = plural(sum(node.counts), "training row"), words.resting_rows(node)
    if telling.figures:
        (spread,) = telling.spreads([node])
        why = [rows, spread.short]
    else:
        why = [f"{amount(max(node.counts))} of {rows}"]
    why.append(f"{amount(stay)} of them stop{'s' * (stay == 1)} here" if stay else "")
    return f"{when}{telling.conclusion(node)} ({', '.join(filter(None, why))})"


def _endings(tree: Tree, *, stops_too: bool) -> Iterator[tuple[tuple[str, ...], Node]]:
    """Every leaf from left to right with what leads to it; or also where rows stop above leaves."""
    waiting: list[tuple[tuple[str, ...], Node, bool]] = [((), words.root_of(tree), False)]
    while waiting:
        conditions, node, ended = waiting.pop()
        if ended or not isinstance(node, Branch):
            yield conditions, node
            continue
        attribute = tree.attributes[node.split.attribute]
        if stops_too:
            unknown = s.unanswered(node.split, attribute).replace("another value", "anything else")
            why = f"{words.plain(attribute.name)} is {unknown}"
            if unknown:
                waiting.append(((*conditions, why), node, True))
        for b in range(len(node.children) - 1, -1, -1):
            why = words.plain(s.reason(node.split, attribute, b))
            why = s.with_gaps(why, node.split, b, s.BESIDE_OTHERS)
            waiting.append(((*conditions, why), node.children[b], False))
