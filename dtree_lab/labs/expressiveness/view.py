"""What the expressiveness lab shows, and its sentences."""

from __future__ import annotations

from math import log2, log10

from dtree_lab.base.text import plural, power, value
from dtree_lab.draw.chart import Axis, Dots, Layer, Line, Plot, Rule, figure
from dtree_lab.labs.expressiveness.model import (
    FUNCTIONS,
    LAWS,
    MOST_LISTED,
    MOST_N,
    NONE,
    OWN,
    SETTINGS,
    Concept,
    State,
    fewest,
    way,
    worked,
)
from dtree_lab.labs.kit.cards import MOST_CARDS
from dtree_lab.labs.kit.controls import Button, Control, label, unshown
from dtree_lab.labs.kit.marks import TreeRows
from dtree_lab.labs.kit.parts import (
    Controls,
    Grid,
    Part,
    Picture,
    TreeView,
    View,
    Words,
    legend_target,
)
from dtree_lab.labs.kit.taking import notes, row_number, row_words
from dtree_lab.theory.counting import count_boolean_concepts, count_concepts, count_trees

# Larger numbers are told roughly; the trees for one function are counted up to so many attributes.
_EXACT, _MOST_COUNTED, _MOST_BITS, _NAMED = 10**12, 5, 1 << 14, 6


def big(n: int) -> str:
    """A whole number of any length: exact while one can read it."""
    if n < _EXACT:
        return f"{n:,}"
    digits = n.bit_length() * log10(2) if n.bit_length() > 4096 else log10(n)  # noqa: PLR2004
    return f"about {10 ** (digits % 1):.1f} · {power(10, int(digits))}"


# -- the size of the tree --------------------------------------------------------------------------


def sizes(state: State) -> tuple[list[str], list[list[str]]]:
    """A head and rows: the tree with and without the derived attribute, and the smallest one."""
    head = ["", "internal nodes", "leaves", "nodes", "depth"]
    concept, feature = state.concept, state.feature
    shown = {NONE: "ID3's tree"}
    if feature != NONE:
        shown = {NONE: "without it", feature: f"with {label(concept.name_of(feature))}"}
    trees = [(name, concept.grown(one)) for one, name in shown.items()]
    rows = [(name, g.internal, g.tree.n_leaves, g.tree.n_nodes, g.tree.depth) for name, g in trees]
    if state.function != OWN:
        least = fewest(state.function, state.n)
        name = "the smallest possible" if feature == NONE else "the smallest without it"
        rows.append((name, least, least + 1, 2 * least + 1, state.n))
    return head, [[name, *(f"{count:,}" for count in counts)] for name, *counts in rows]


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
    name, before = label(concept.name_of(state.feature)), concept.grown().internal
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
    many = f"2^({power(2, n)}) = {power(2, 2**n)} = {big(count_boolean_concepts(n))}"
    lines = [
        f"{plural(n, 'binary attribute')} can describe {power(2, n)} = {2**n} instances.",
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
    if concept.trues is None:
        return "The sum is offered where each attribute has two values; here one has not."
    counted = [f"{label(name)} = {label(value(true))}" for name, true in concept.trues.items()]
    rest = f" and {len(counted) - _NAMED} more" if len(counted) > _NAMED else ""
    return f"The sum counts how many of these hold: {', '.join(counted[:_NAMED])}{rest}."


def _possible(instances: int, labels: int) -> str:
    many = power(labels, big(instances))
    if instances * labels.bit_length() <= _MOST_BITS:
        many = f"{power(labels, instances)} = {big(count_concepts(instances, labels))}"
    return f"Over them there are {many} concepts; trees can say every one."


# Attributes in the list of rows.
_MOST_COLUMNS = 12
_GROWTH = "How the tree grows with n"
_WALK = "Arrow keys walk the nodes around the chosen one; choose one further away to come to it."
# Cards of a tree: all nodes of XOR with n = 5; of a given table, so many bytes of names.
_FULL, _FEWEST, _TEXT = 63, 10, 960


def view(state: State) -> View:
    """Everything that is shown."""
    table = state.grown.table
    own = state.table if state.function == OWN else None
    said = Words("concepts", concepts(state), drawer="How much can be said", stage=4)
    return View(
        title="What a tree can say, and how large it becomes",
        parts=[
            *([] if own is None else notes(own)),
            *_above(state),
            *_sizes(state),
            _rows(state),
            said,
        ],
        target=legend_target(table.target),
        status=state.status,
        result=_result(state),
        rows=row_words(table),
    )


def _result(state: State) -> str:
    grown, tree = state.grown, state.grown.tree
    questions = plural(grown.internal, "internal node")
    leaves = plural(tree.n_leaves, "leaf", "leaves")
    return f"{_name(state)}: {questions}, {leaves}, depth {tree.depth}."


def _above(state: State) -> list[Part]:
    lit = None if state.row is None else way(state, state.row)
    return [
        TreeView(
            "tree",
            state.grown.tree,
            state.selected,
            label=f"The tree that ID3 grows for {_name(state)}",
            lit=lit,
            most=_most_cards(state),
            table=state.grown.table,
            rows=TreeRows.of(state.grown.tree, state.grown.table),
            area="hero",
            stage=1,
        ),
        Controls("function", "The function", _controls(state), area="act"),
    ]


def _sizes(state: State) -> list[Part]:
    head, rows = sizes(state)
    scale = SETTINGS.control(state, "scale")
    drawer = "The size of the tree"
    folded = state.grown.tree.n_nodes > _most_cards(state)
    return [
        Words("verdict", verdict(state), strong=True, stage=2),
        Grid("sizes", drawer, head, rows, more=_WALK if folded else "", drawer=drawer, stage=2),
        growth(state),
        Controls("scales", "The scale of the figure", [scale], drawer=_GROWTH, stage=3),
    ]


def _most_cards(state: State) -> int:
    """How many cards of a tree are drawn: each holds its names, and one message holds all."""
    if state.function != OWN:
        return _FULL
    return max(_FEWEST, min(MOST_CARDS, _TEXT // state.concept.longest))


def _name(state: State) -> str:
    if state.function == OWN:
        return label(state.concept.table.target.name)
    name = state.function if state.function == "majority" else state.function.upper()
    return f"{name} of {plural(state.n, 'attribute')}"


def _controls(state: State) -> list[Control]:
    names = ["function"]
    names += ["n"] if state.function != OWN else []
    names += ["feature"] if state.concept.trues is not None else []
    return [*(SETTINGS.control(state, name) for name in names), Button("reset", "Start over")]


def _rows(state: State) -> Grid:
    table = state.grown.table
    names = list(table.names)
    last = [] if state.feature == NONE else [names.pop()]  # the derived one is always there
    kept = [*names[:_MOST_COLUMNS], *last]
    listed = table.take(range(min(table.n_rows, MOST_LISTED)))
    columns = [[label(value(v), 16) for v in listed.column(name)] for name in kept]
    labels = [label(value(v), 40) for v in listed.column(table.target.name)]
    numbers = (str(row_number(state.concept.table, i)) for i in range(len(labels)))
    rows = zip(numbers, *columns, labels, strict=True)
    left = table.n_rows - MOST_LISTED, len(names) - _MOST_COLUMNS
    more = ", ".join(unshown(left, ("more row", "more attribute")))
    return Grid(
        "rows",
        "Rows; choose one to follow it through the tree",
        ["row", *(label(name, 16) for name in kept), label(table.target.name, 16)],
        [list(row) for row in rows],
        classes=len(kept) + 1,
        pick=True,
        current=state.row,
        keys=range(len(labels)),
        more=f"… {more}" if more else "",
        drawer="Truth table" if state.function != OWN else "Rows",
    )


def growth(state: State) -> Picture:
    """Internal nodes against n for the functions, and where this tree stands."""
    grown, own = state.grown, state.function == OWN
    n, every = len(state.concept.table.attributes), range(1, MOST_N + 1)
    layers: list[Layer] = [
        Line(_law("xor", state), f"XOR: {power(2, 'n')} - 1", hue=4, dots=True),
        Line(_law("majority", state), "majority", hue=2, dash="short", dots=True),
        Line(_law("or", state), "OR, AND: n", hue=0, dash="long", dots=True),
    ]
    if 1 <= n <= MOST_N:
        layers.append(Rule(n, name=f"n = {n}: {grown.internal}", accent=True))
        layers.append(Dots([(n, _high(grown.internal, state))], [3], size=6, ringed=frozenset([0])))
    title = f"Internal nodes against n; the tree shown has {grown.internal} with n = {n}"
    top = _high(fewest("xor", MOST_N), state)
    ticks = tuple((float(i), f"{2**i}") for i in range(0, MOST_N + 1, 2))
    y = Axis("internal nodes", _high(0, state), top, ticks if state.scale == "log" else None)
    x = Axis("n, attributes", 1, MOST_N, tuple((i, f"{i}") for i in every))
    lines = [
        f"n = {i}: {', '.join(f'{name} {fewest(name, i)}' for name in FUNCTIONS)}" for i in every
    ]
    said = f"n = {n}, {plural(grown.internal, 'internal node')}"
    return Picture(
        id="growth own" if own else "growth",
        figure=figure(Plot(title, x, y, layers, 560, 300, direct=True)),
        drawer=_GROWTH,
        slider=None if own else SETTINGS.control(state, "n", label="n", value=n, words=said),
        text=[f"{title}.", *lines],
        stage=3,
    )


def _high(internal: int, state: State) -> float:
    """Where a number of internal nodes stands; a tree without any, at the foot of the frame."""
    if state.scale == "log":
        return log2(internal) if internal else -0.5
    return float(internal)


def _law(function: str, state: State) -> list[tuple[float, float]]:
    return [(n, _high(fewest(function, n), state)) for n in range(1, MOST_N + 1)]
