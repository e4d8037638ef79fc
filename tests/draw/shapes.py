"""Random trees for the pictures, and names as nasty as people's data can be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.table.table import Attribute
from dtree_lab.tree.splits import ByValue, Intervals
from dtree_lab.tree.tree import Branch, Leaf

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"quo\'tes" \\ and \\n `back` ${ticks} {braces} %s',
    "line\nbreak\ttab",
    "*/ ]]> --> \"\"\" ''' &amp; & $x^2$",
    "שם המשתנה",
    "\u202eoverride\u2066",
    "🌲🌳 emoji 👩\u200d👩\u200d👧",
    "日本語の属性名はとても長い",
    "W" * 300,
    "a" + "\u0301" * 40,
    "\x00\x1b[31m",
    "",
    " ",
)
PLAIN = ("Refund", "Marital Status", "x", "Taxable Income", "a fairly long name for a column")
NAMES = st.sampled_from(HOSTILE + PLAIN)

# A tree's shape: the shapes of its children.
SHAPES = st.recursive(
    st.just(()), lambda below: st.lists(below, min_size=2, max_size=4).map(tuple), max_leaves=24
)


def grow(shape, pick):
    """Nodes of a shape; `pick` makes the leaves' counts and chooses the attribute of a question.

    Attributes 0 to 2 are discrete, 3 is continuous.
    """
    if not shape:
        return Leaf(pick("counts"))
    children = tuple(grow(below, pick) for below in shape)
    counts = tuple(map(sum, zip(*(child.counts for child in children), strict=True)))
    i = pick("attribute")
    if i < 3:
        split = ByValue(i, tuple((code,) for code in range(len(shape))))
    else:
        split = Intervals(i, tuple(10.5 * c for c in range(1, len(shape))))
    return Branch(counts, split, children)


@st.composite
def drawn(draw, shapes=SHAPES):
    """A root, its attributes and its target."""
    k = draw(st.integers(1, 12))
    classes = [draw(NAMES) + (str(i) if i else "") for i in range(k)]
    values = [draw(NAMES) + (str(i) if i else "") for i in range(4)]
    attributes = [Attribute(draw(NAMES), tuple(values)) for _ in range(3)] + [
        Attribute(draw(NAMES))
    ]
    rows = st.lists(st.integers(0, 30), min_size=k, max_size=k).filter(any).map(tuple)
    picks = {"counts": rows, "attribute": st.integers(0, 3)}
    root = grow(draw(shapes), lambda what: draw(picks[what]))
    return root, tuple(attributes), Attribute(draw(NAMES), tuple(classes))


# Numbers of every size, some of them exact in few digits and some the same but for rounding.
ANSWERS = st.one_of(
    st.integers(-40, 400).map(float),
    st.integers(-4000, 4000).map(lambda i: i / 30),
    st.sampled_from([0.0, 0.1 + 0.2, 0.3, 1 / 3, -2 / 3, 1e12 + 0.25, 1e12, 12345.678]),
    st.floats(-1e3, 1e3),
    st.floats(-1e-9, 1e-9),
    st.floats(-1e25, 1e25),
)


def answering(node, pick, resting):
    """The nodes of a regression tree: all rows in one count, some at rest, `pick` makes values."""
    rows = sum(node.counts)
    if isinstance(node, Leaf):
        return Leaf((rows,), pick())
    children = tuple(answering(child, pick, resting) for child in node.children)
    rows = sum(child.counts[0] for child in children) + resting()
    return Branch((rows,), node.split, children, pick())


@st.composite
def answered(draw, shapes=SHAPES):
    """A root of a regression tree with gaps, its attributes and its target; lines or not."""
    root, attributes, target = draw(drawn(shapes))
    numbers = [draw(NAMES), *(a.name for a in attributes if a.values is None)]
    attributes = (*attributes, Attribute(numbers[0]))
    some = draw(st.sampled_from([ANSWERS, st.integers(-40, 400).map(lambda i: i / 7)]))
    spread = st.one_of(st.just(0.0), st.floats(0, 1e4), st.floats(0, 1e-20))
    slopes = st.one_of(st.just(0.0), st.floats(-1e6, 1e6), st.floats(-1e-3, 1e-3))
    lines = 2 * draw(st.integers(0, 1))  # none, or a slope and a mean for both continuous ones
    rest = st.lists(slopes, min_size=2 * lines, max_size=2 * lines)
    root = answering(
        root,
        lambda: (draw(some), draw(spread), *draw(rest)),
        lambda: draw(st.sampled_from([0, 0, 1, 1234])),
    )
    return root, attributes, Attribute(target.name)


def mirrored(node):
    """The mirror image: children and answers the other way around. For discrete questions."""
    if isinstance(node, Leaf):
        return node
    split = ByValue(node.split.attribute, node.split.groups[::-1])
    return Branch(node.counts, split, tuple(map(mirrored, node.children[::-1])), node.values)


def nasty_tree(*, numbers=False, **how):
    """A tree of a table in which every name and value is hostile; with gaps, of numbers."""
    import dtree_lab as dt

    rows = [
        (HOSTILE[i % 13], HOSTILE[(i * 5) % 13], float(i % 7), HOSTILE[(i * i + i // 13) % 13])
        for i in range(78)
    ]
    names = [HOSTILE[0], HOSTILE[1], HOSTILE[4], HOSTILE[3]]
    if numbers:
        rows = [(a if i % 5 else None, b, c, i * i / 7) for i, (a, b, c, _) in enumerate(rows)]
    table = dt.Table.from_rows(rows, target=HOSTILE[3], names=names, missing="keep")
    return dt.id3(table, max_depth=3, **how)


@st.composite
def sided(draw, tree):
    """The tree with a branch for rows without a value at some of its questions, or at none."""
    widths = tree.flat.width.tolist()
    sides = [draw(st.integers(-1, width - 1)) if width else -1 for width in widths]
    if draw(st.booleans()):
        return tree
    return tree.with_nodes(replace(tree.flat, gaps=np.array(sides, dtype=np.int32)))


def by_sides():
    """Trees that ask a number or a word, with a side or none, rows, and what each is answered."""
    numbers = dt.Table.from_columns({"x": [1, 6, 9, 9], "y": [*"abcc"]}, "y")
    words = dt.Table.from_columns(
        {"w": [*"pqqq"], "y": [*"abbc"]}, "y", kinds={"w": ("p", "q", "left out")}
    )
    for side, lacks in ((-1, "c"), (0, "a"), (1, "b"), (2, "c")):
        asks = ("x", [5, 8]) if side < 0 else ("x", [5, 8], side)
        yield dt.by_hand(numbers, {(): asks}), {None: lacks, 1.0: "a", 6.0: "b", 9.0: "c"}
    for side, lacks in ((-1, "b"), (0, "a"), (1, "b")):
        asks = ("w", [["p"], ["q"]]) if side < 0 else ("w", [["p"], ["q"]], side)
        said = {None: lacks, "never seen": lacks, "p": "a", "q": "b", "left out": "b"}
        yield dt.by_hand(words, {(): asks}), said
