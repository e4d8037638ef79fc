"""A tree as code: Graphviz's DOT, and a Python function that needs nothing.

Every name and value in it is data, written as a literal of the language that it lands in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from keyword import iskeyword
from typing import Any

from dtree_lab.base import text
from dtree_lab.base.terminal import Source, Text
from dtree_lab.draw import words
from dtree_lab.draw.style import COLOURS, hue
from dtree_lab.draw.words import CardText, NodeText, heading
from dtree_lab.tree.explanation import slopes, term
from dtree_lab.tree.parts import check_no_parts
from dtree_lab.tree.splits import Intervals
from dtree_lab.tree.tree import Branch, Node, Tree, majority, walk

_LACKS = "if value is None or value != value:"
# Python allows a hundred levels of indentation; nobody reads so many.
_DEEPEST = 20


def dot(tree: Tree) -> str:
    r"""A tree in DOT, the language of Graphviz.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> print(dot(dt.stump(dt.datasets.two_attributes())))
    digraph tree {
      graph [tooltip="Decision tree for Y: 3 nodes, 2 of them leaves, depth 1"]
      node [shape=box, style=rounded, fontname="sans-serif"]
      edge [fontname="sans-serif"]
      n0 [label="X1?\n8 rows · 0.954 bits"]
      n1 [label="Y = T\n4 rows · 0.000 bits", color="#0072b2", penwidth=2]
      n2 [label="Y = F\n4 rows · 0.811 bits", color="#e69f00", penwidth=2]
      n0 -> n1 [label="T"]
      n0 -> n2 [label="F"]
    }
    """
    words.need_tree(tree)
    telling = NodeText.of_tree(tree)
    nodes = [node for _, node in walk(words.root_of(tree))]
    said = [telling.say(*one) for one in zip(nodes, telling.spreads(nodes), strict=True)]
    labels = map(_dot_node, nodes, said)
    lines = [f"  n{i} [{label}]" for i, label in enumerate(labels)]
    child = 1
    for i, node in enumerate(nodes):
        if isinstance(node, Branch):
            for b in range(len(node.children)):
                value = text.dot_quoted(words.branch_answer(node.split, tree.attributes, b))
                lines.append(f'  n{i} -> n{child} [label="{value}"]')
                child += 1
    looks = [
        f'  graph [tooltip="{text.dot_quoted(heading(tree))}"]',
        '  node [shape=box, style=rounded, fontname="sans-serif"]',
        '  edge [fontname="sans-serif"]',
    ]
    return Text("\n".join(["digraph tree {", *looks, *lines, "}"]))


def _dot_node(node: Node, says: CardText) -> str:
    title = f"{says.name} {says.condition}".rstrip()
    lines = [title, *(term(*one) for one in says.terms), says.note, says.detail]
    broken = r"\n".join(text.dot_quoted(line) for line in lines if line)
    label = f'label="{broken}"'
    if isinstance(node, Branch):
        return label
    colour = f'color="{COLOURS[hue(says.cls)]}", ' if says.cls >= 0 else ""
    return f"{label}, {colour}penwidth=2"


def python(tree: Tree, name: str = "predict") -> str:
    """A tree as a Python function that takes a row and imports nothing.

    It answers as ``tree.predict`` does, also for a missing value (``None`` or NaN) and for one
    that no training row had: what the rows of the node answer at which the row stops, unless a tree
    of others sends rows without a value on. A deep tree becomes a table and a loop, because
    Python's blocks nest only so far.

    Parameters
    ----------
    tree
        What to write.
    name
        The function's name.

    Raises
    ------
    ValueError
        For a name that no function can have.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> print(python(dt.stump(dt.datasets.two_attributes())))
    def predict(row):
        'The Y of a row, a mapping of attribute to value.'
        value = row['X1']
        if value == 'T':
            return 'T'
        if value == 'F':
            return 'F'
        return 'T'
    """
    words.need_tree(tree)
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
        msg = f"name={name!r} must be a name that a Python function can have, such as 'predict'"
        raise ValueError(msg)
    check_no_parts(tree.flat, tree.attributes, "Python as text")
    about = f"The {words.plain(tree.target.name)} of a row, a mapping of attribute to value."
    body: Iterable[str] = _nested(tree) if tree.depth <= _DEEPEST else _looped(tree)
    if _has_lines(tree):
        body = chain(_LINE, body)
    return Source("\n".join([f"def {name}(row):", f"    {text.python_literal(about)}", *body]))


def _has_lines(tree: Tree) -> bool:
    """Whether any node answers a line rather than a number."""
    numbers = tree.target.values is None
    return numbers and any(slopes(n.values, tree.attributes) for n in words.every(tree.root))


def _nested(tree: Tree) -> Iterator[str]:
    """A tree as ifs within ifs: what is still to be written waits on a stack."""
    waiting: list[str | tuple[Node, str]] = [(tree.root, "    ")]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
            continue
        node, space = one
        stop = f"{space}return {_answer(tree, node)}"
        if not isinstance(node, Branch):
            yield stop
            continue
        asks = text.python_literal(tree.attributes[node.split.attribute].name)
        yield f"{space}value = row[{asks}]"
        waiting.extend(reversed(_asked(tree, node, space, stop)))


def _asked(tree: Tree, node: Branch, space: str, stop: str) -> list[str | tuple[Node, str]]:
    """A question's ifs, and the nodes that stand in them."""
    inner = space + "    "
    parts: list[str | tuple[Node, str]] = []
    match node.split:
        case Intervals(cuts=cuts):
            # Where such rows go on, a number of their branch stands in for what they lack.
            low = ("float('-inf')", *map(repr, cuts))[node.split.gaps]
            parts.append(f"{space}{_LACKS}")
            parts.append(f"    {stop}" if node.split.gaps < 0 else f"{inner}value = {low}")
            for cut, child in zip(cuts, node.children, strict=False):
                parts += [f"{space}if value < {cut!r}:", (child, inner)]
            parts.append((node.children[-1], space))
        case by_value:
            attribute, gaps = tree.attributes[by_value.attribute], by_value.gaps
            for b, child in enumerate(node.children):
                if b != gaps:
                    values = [(attribute.values or ())[c] for c in by_value.groups[b]]
                    parts += [f"{space}if {_among(values)}:", (child, inner)]
            if gaps >= 0 and (others := by_value.left_out(attribute)):
                parts += [f"{space}if {_among(others)}:", f"    {stop}"]
            parts.append(stop if gaps < 0 else (node.children[gaps], space))
    return parts


def _among(values: Sequence[Any]) -> str:
    said = [text.python_literal(v) for v in values]
    return f"value == {said[0]}" if len(said) == 1 else f"value in ({', '.join(said)})"


def _answer(tree: Tree, node: Node) -> str:
    """A class, a number, or a line through a call."""
    said = _parts(tree, node)
    return said[0] if len(said) == 1 else f"line(row, {', '.join(said)})"


def _parts(tree: Tree, node: Node) -> list[str]:
    """A class or a number, and the terms of a line."""
    if tree.target.values is not None:
        return [text.python_literal(tree.classes[majority(node.counts)])]
    terms = slopes(node.values, tree.attributes)
    said = (f"({text.python_literal(a.name)}, {slope!r}, {mean!r})" for a, slope, mean in terms)
    return [text.python_literal(node.values[0] if node.values else None), *said]


# A value that is missing adds nothing.
_LINE = """\
    def line(row, answer, *terms):
        for name, slope, mean in terms:
            value = row[name]
            if value is not None and value == value:
                answer += slope * (float(value) - mean)
        return answer
""".splitlines()


def _looped(tree: Tree) -> Iterator[str]:
    """A tree as a table of nodes and a loop that walks down it."""
    yield "    # Each node: its answer, the attribute it asks, its cuts or values, its first child,"
    yield "    # and the branch of rows without a value, which stop there otherwise."
    yield "    nodes = ("
    lines, child = _has_lines(tree), 1
    for _, node in walk(tree.root):
        said = _parts(tree, node)
        answer = f"({', '.join(said)},)" if lines else said[0]
        if not isinstance(node, Branch):
            yield f"        ({answer}, None, None, 0, None),"
            continue
        attribute = tree.attributes[node.split.attribute]
        name, asked = text.python_literal(attribute.name), _routes(tree, node)
        gaps = node.split.gaps if node.split.gaps >= 0 else None
        yield f"        ({answer}, {name}, {asked}, {child}, {gaps}),"
        child += len(node.children)
    answered = "return line(row, *answer)" if lines else "return answer"
    yield from (line.replace("return answer", answered) for line in _LOOP)


def _routes(tree: Tree, node: Branch) -> str:
    """Cuts as a tuple, or a dictionary from value to branch."""
    match node.split:
        case Intervals(cuts=cuts):
            return text.python_literal(cuts)
        case by_value:
            attribute = tree.attributes[by_value.attribute]
            values = attribute.values or ()
            routes = {values[c]: b for b, g in enumerate(by_value.groups) for c in g}
            others = by_value.left_out(attribute) if by_value.gaps >= 0 else ()
            return text.python_literal(routes | dict.fromkeys(others))


_LOOP = """\
    )
    here = 0
    while True:
        answer, name, asked, child, gaps = nodes[here]
        if name is None:
            return answer
        value = row[name]
        if isinstance(asked, dict):
            branch = asked.get(value, gaps)
        elif value is None or value != value:
            branch = gaps
        else:
            branch = sum(value >= cut for cut in asked)
        if branch is None:
            return answer
        here = child + branch
""".splitlines()
