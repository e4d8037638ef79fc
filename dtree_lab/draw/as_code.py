"""A tree as code: Graphviz's DOT, and a Python function that needs nothing.

Every name and value in it is data, written as a literal of the language that it lands in.
"""

from __future__ import annotations

from keyword import iskeyword
from typing import TYPE_CHECKING

from dtree_lab import escape
from dtree_lab.draw import words
from dtree_lab.draw.style import COLOURS, hue
from dtree_lab.shown import bits, plural
from dtree_lab.splits import Intervals
from dtree_lab.tree import Branch, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dtree_lab.tree import Node, Tree

# Python allows a hundred levels of indentation; nobody reads so many.
_DEEPEST = 20


# -- Graphviz ------------------------------------------------------------------------------------


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
    nodes = [node for _, node in walk(tree.root)]
    lines = [f"  n{i} [{_dot_node(tree, node)}]" for i, node in enumerate(nodes)]
    child = 1
    for i, node in enumerate(nodes):
        if isinstance(node, Branch):
            for b in range(len(node.children)):
                value = escape.dot(words.answer(node.split, tree.attributes, b))
                lines.append(f'  n{i} -> n{child} [label="{value}"]')
                child += 1
    looks = [
        f'  graph [tooltip="{escape.dot(words.heading(tree))}"]',
        '  node [shape=box, style=rounded, fontname="sans-serif"]',
        '  edge [fontname="sans-serif"]',
    ]
    return "\n".join(["digraph tree {", *looks, *lines, "}"])


def _dot_node(tree: Tree, node: Node) -> str:
    title = " ".join(words.headline(node, tree.attributes, tree.target)).rstrip()
    (entropy,) = words.entropies([node.counts])
    rows = f"{plural(sum(node.counts), 'row')} · {bits(entropy)} bits"
    label = f'label="{escape.dot(title)}\\n{rows}"'
    if isinstance(node, Branch):
        return label
    return f'{label}, color="{COLOURS[hue(words.majority(node.counts))]}", penwidth=2'


# -- Python --------------------------------------------------------------------------------------


def python(tree: Tree, name: str = "predict") -> str:
    """A tree as a Python function that takes a row and imports nothing.

    It answers as ``tree.predict`` does, also for a missing value (``None`` or NaN) and for one
    that no training row had: the majority of the node where the row stops. A deep tree becomes a
    table and a loop, because Python's blocks nest only so far.

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
    about = f"The {words.plain(tree.target.name)} of a row, a mapping of attribute to value."
    body = _nested(tree) if tree.depth <= _DEEPEST else _looped(tree)
    return "\n".join([f"def {name}(row):", f"    {escape.python(about)}", *body])


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
        yield f"{space}value = row[{escape.python(tree.attributes[node.split.attribute].name)}]"
        waiting.extend(reversed(_asked(tree, node, space, stop)))


def _asked(tree: Tree, node: Branch, space: str, stop: str) -> list[str | tuple[Node, str]]:
    """A question's ifs, and the nodes that stand in them."""
    inner = space + "    "
    parts: list[str | tuple[Node, str]] = []
    match node.split:
        case Intervals(cuts=cuts):
            parts += [f"{space}if value is None or value != value:", f"    {stop}"]
            for cut, child in zip(cuts, node.children, strict=False):
                parts += [f"{space}if value < {cut!r}:", (child, inner)]
            parts.append((node.children[-1], space))
        case by_value:
            values = tree.attributes[by_value.attribute].values or ()
            for codes, child in zip(by_value.groups, node.children, strict=True):
                said = [escape.python(values[c]) for c in codes]
                test = f"== {said[0]}" if len(said) == 1 else f"in ({', '.join(said)})"
                parts += [f"{space}if value {test}:", (child, inner)]
            parts.append(stop)
    return parts


def _answer(tree: Tree, node: Node) -> str:
    return escape.python(tree.classes[words.majority(node.counts)])


def _looped(tree: Tree) -> Iterator[str]:
    """A tree as a table of nodes and a loop that walks down it."""
    yield "    # Each node: its answer, the attribute it asks, its cuts or values, its first child."
    yield "    nodes = ("
    child = 1
    for _, node in walk(tree.root):
        answer = _answer(tree, node)
        if not isinstance(node, Branch):
            yield f"        ({answer}, None, None, 0),"
            continue
        attribute = tree.attributes[node.split.attribute]
        name, asked = escape.python(attribute.name), _routes(tree, node)
        yield f"        ({answer}, {name}, {asked}, {child}),"
        child += len(node.children)
    yield from _LOOP


def _routes(tree: Tree, node: Branch) -> str:
    """Cuts as a tuple, or a dictionary from value to branch."""
    match node.split:
        case Intervals(cuts=cuts):
            return escape.python(cuts)
        case by_value:
            values = tree.attributes[by_value.attribute].values or ()
            return escape.python({values[c]: b for b, g in enumerate(by_value.groups) for c in g})


_LOOP = """\
    )
    here = 0
    while True:
        answer, name, asked, child = nodes[here]
        if name is None:
            return answer
        value = row[name]
        if isinstance(asked, dict):
            branch = asked.get(value)
        elif value is None or value != value:
            branch = None
        else:
            branch = sum(value >= cut for cut in asked)
        if branch is None:
            return answer
        here = child + branch
""".splitlines()
