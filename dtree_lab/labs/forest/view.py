"""What the forest lab shows, from its errors as trees are added to how gaps are filled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any

import numpy as np

from dtree_lab.base.text import bits, plural
from dtree_lab.base.types import Floats
from dtree_lab.draw.chart import Axis, Dash, Layer, Line, Plot, Rule, figure
from dtree_lab.draw.measure import shortened
from dtree_lab.ensemble.imputation import Fill
from dtree_lab.labs.forest import growth as f
from dtree_lab.labs.forest.growth import (
    Filling,
    alone,
    best_alone,
    by_impurity,
    error_curve,
    permuted_trees,
)
from dtree_lab.labs.forest.model import (
    BESIDE,
    MOST_TREES,
    SETTINGS,
    State,
    cell,
    short_class,
    usual_m,
)
from dtree_lab.labs.forest.voting import row_name, row_parts, vote_result, voted_row, wall
from dtree_lab.labs.kit.controls import Button, Control, near
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
from dtree_lab.labs.kit.taking import drawn_note, notes, row_number
from dtree_lab.tree.importance import Importance

MOST_BARS, MOST_GRID, MOST_EXAMPLES = 10, 10, 6
GROWN = "How the trees are grown"
# Where all about missing values stands.
_GAPS: dict[str, Any] = {"drawer": "Missing values", "stage": 4}
_NAME = 20
# The message with a wall of large trees has room for so many cards of one of them, or fewer.
_CARDS = (32, 20, 12, 6)
# A few trees that vote seldom err more often than so many times as often as the first one.
_FEW = 2


# -- importances -----------------------------------------------------------------------------------


def importances(state: State) -> Picture:
    """Both importances on one scale: what the permutation takes back is as long as a line."""
    impurity = None if state.growing else by_impurity(state.growth, state.n)
    names = [attribute.name for attribute in state.table.attributes]
    order = list(range(len(names)))
    if impurity is not None:
        order = sorted(order, key=lambda i: -impurity.values[i])
    some, left = order[:MOST_BARS], len(names) - MOST_BARS
    used = permuted_trees(state.growth, state.settings.trees)
    told = [
        f"{short_class(names[i])}: {_worth(impurity, i)}, {_worth(state.permuted, i)}" for i in some
    ]
    heading = "Importance, as a share of the largest"
    if used != state.settings.trees:
        heading += f"; by permutation from the first {plural(used, 'tree')}"
    if left > 0:
        heading += f" ({plural(left, 'attribute')} that matter less not shown)"
    ticks = [(-float(k), shortened(names[i], _NAME)) for k, i in enumerate(some)]
    layers = [*taken_back(some, impurity, state.permuted)]
    shares = [x for layer in layers for x, _ in filter(None, layer.points)]
    low = min(0.0, *shares) if shares else 0.0
    plot = Plot(
        "What each attribute is worth by impurity and by permutation, as a share of the largest",
        Axis("share of the largest importance", low - 0.03, 1.04),
        Axis("", 0.6 - len(some), 0.6, tuple(ticks)),
        layers,
        width=470,
        height=max(200, 90 + 30 * len(some)),
    )
    told.append(
        "By impurity all shares add up to 1; by permutation it is accuracy lost, ±"
        " a standard error over trees, not over tables."
    )
    place = _place(state, "worth")
    return Picture("importances", figure(plot), heading=heading, text=told, **place)


def taken_back(
    some: list[int], impurity: Importance | None, permuted: Importance | None
) -> Iterator[Line]:
    """Of each attribute two dots and the line between them; nothing that is not known."""
    dots = [_shares(found, some) for found in (impurity, permuted)]
    if impurity is not None and dots[1]:
        pairs = zip(*dots, strict=True)
        yield Line([p for one, other in pairs for p in (one, other, None)], faint=True)
    looks = ("by impurity", None, ""), ("by permutation", 4, "long")
    for points, (name, hue, dash) in zip(dots, looks, strict=True):
        if points:
            apart = [place for point in points for place in (point, None)]
            yield Line(apart, name, hue, dash, dots=True)  # type: ignore[arg-type]


def _shares(importance: Importance | None, some: list[int]) -> list[tuple[float, float]]:
    if importance is None or np.isnan(importance.values).any():
        return []
    most = max(float(importance.values.max()), 1e-12)
    return [(max(-1.0, float(importance.values[i]) / most), -float(k)) for k, i in enumerate(some)]


def _worth(importance: Importance | None, i: int) -> str:
    """An importance in words, with what kind it is."""
    if importance is None:
        return "not worked out yet"
    if np.isnan(importance.values).any():
        return "by permutation not known: no row is out of bag"
    if importance.errors is None:
        return f"by impurity {bits(float(importance.values[i]))}"
    said, error = f"by permutation {bits(float(importance.values[i]))}", importance.errors[i]
    return said if np.isnan(error) else f"{said} ± {bits(float(error))}"


def _place(state: State, key: str) -> dict[str, Any]:
    """Beside the wall, or in a drawer."""
    if state.beside == key:
        return {"area": "beside"}
    return {"drawer": BESIDE[key], "stage": 3 if key == "worth" else 2}


# -- missing values --------------------------------------------------------------------------------


def missing_values(state: State) -> list[Part]:
    """A slider that takes values away, and how near the estimates come."""
    gaps = state.settings.gaps
    slider = SETTINGS.control(state, "gaps", words=f"{100 * gaps:.3g} %")
    controls = Controls("gaps", "Missing values", [slider], **_GAPS)
    filling = state.filling
    if filling is None:
        line = (
            "Take some values away. Each gap first gets its column's median or most frequent"
            " value; then forests say which rows are near, and their values are taken instead."
        )
        return [controls, Words("filled", [line], **_GAPS)]
    words = Words("filled", _filling_lines(state, filling), **_GAPS)
    if filling.first is None or filling.last is None or not filling.last.fills:
        return [controls, words]
    rough, late = filling.first.fills, filling.last.fills
    return [controls, words, _by_attribute(filling, rough, late), _examples(filling, rough, late)]


def _filling_lines(state: State, filling: Filling) -> list[str]:
    if filling.last is None:
        return ["The values are being estimated."]
    gaps = len(filling.last.fills)
    if not gaps:
        return ["So few values leave none to take away: each column keeps one at least."]
    rounds = plural(filling.last.round, "round")
    lines = [f"{plural(gaps, 'value')} taken away; {rounds} of proximity with {f.TREES} trees."]
    if state.table.n_rows > f.MOST_ROWS:
        lines.append(
            f"Only the first {f.MOST_ROWS} rows take part: each is compared with every other."
        )
    return lines


def _by_attribute(filling: Filling, rough: Sequence[Fill], late: Sequence[Fill]) -> Grid:
    """How far rough values and estimates are off, attribute by attribute."""
    rows = []
    names = list(dict.fromkeys(fill.name for fill in late))
    for name in names[:MOST_GRID]:
        own = [[fill for fill in fills if fill.name == name] for fills in (rough, late)]
        off = [_off(filling, name, some) for some in own]
        rows.append([short_class(name), str(len(own[1])), *off])
    left = len(names) - MOST_GRID
    return Grid(
        "by-attribute",
        "How near the estimates come to the values taken away",
        ["attribute", "gaps", "median or most frequent", "by proximity"],
        rows,
        more=f"{plural(left, 'other attribute')} with gaps not shown." if left > 0 else "",
        **_GAPS,
    )


def _off(filling: Filling, name: str, fills: list[Fill]) -> str:
    off = [filling.off(fill) for fill in fills]
    if filling.truth.attribute(name).values is None:
        return f"off by {near(sum(off) / len(off))} on average"
    return f"{off.count(0.0)} of {len(off)} right"


def _examples(filling: Filling, rough: Sequence[Fill], late: Sequence[Fill]) -> Grid:
    pairs = list(zip(rough, late, strict=True))
    step = max(1, len(pairs) // MOST_EXAMPLES)
    rows = [
        [
            f"row {row_number(filling.truth, last.row)}",
            short_class(last.name),
            *(cell(v) for v in (filling.true(last), first.value, last.value)),
        ]
        for first, last in pairs[::step][:MOST_EXAMPLES]
    ]
    left = len(pairs) - len(rows)
    return Grid(
        "examples",
        "Some values taken away, and their estimates",
        ["row", "attribute", "truth", "at first", "by proximity"],
        rows,
        more=f"{plural(left, 'other gap')} not shown." if left else "",
        **_GAPS,
    )


_TOLD = (1, 2, 5, 10, 20, 50, 100, 200)


def view(state: State) -> View:
    """Everything that is shown, with as many cards of a large tree as a message has room for."""
    for cards in _CARDS:
        shown = _view(state, cards)
        if state.member.tree.n_nodes <= cards or shown.fits:
            break
    return shown


def _view(state: State, cards: int) -> View:
    table = state.table
    return View(
        "A random forest",
        [
            *notes(state.clean),
            wall(state),
            _errors(state),
            *_tree(state, cards),
            importances(state),
            _controls(state),
            voted_row(state),
            *row_parts(state),
            *_growing(state),
            *missing_values(state),
        ],
        target=legend_target(table.target),
        status=state.status or _status(state),
        result=f"{vote_result(state)} {_compared(state)}",
        progress=len(state.growth.members) / state.settings.trees if state.growing else None,
    )


def _controls(state: State) -> Controls:
    settings = state.settings
    controls: list[Control] = [
        SETTINGS.control(state, "trees"),
        Button("more", "One more tree", enabled=settings.trees < MOST_TREES, main=True),
        SETTINGS.control(state, "row"),
        SETTINGS.control(state, "beside", worded=False),
        Button("reset", "Start over"),
    ]
    return Controls(area="act", id="forest", label="The forest", controls=controls)


def _growing(state: State) -> list[Part]:
    """What else a forest is grown by, and its errors in words."""
    settings, most = state.settings, len(state.table.attributes)
    m_said = f"{settings.m} of {most}" + (" (usual)" if settings.m == usual_m(state.table) else "")
    controls: list[Control] = [SETTINGS.control(state, "m", words=m_said)]
    if len(state.table.classes) > 1:
        n = len(state.table)
        said = f"{round(settings.noise * n):,} of {n:,} labels"
        step = max(1 / n, 0.01)  # a label at a time, where there are few
        controls.append(SETTINGS.control(state, "noise", step=step, words=said))
    controls.append(Button("again", "Other chance"))
    return [
        Controls("growing", "How the trees are grown", controls, drawer=GROWN),
        *_first(state),
        Words("verdict", _verdict(state), drawer=GROWN),
        Words("about", _about(state), drawer=GROWN),
    ]


# -- the errors as trees are added -----------------------------------------------------------------


def _errors(state: State) -> Picture:
    growth, n = state.growth, state.n
    votes = {"out of bag": growth.out_of_bag, "training rows": growth.training}
    if state.settings.noise:
        votes["against true labels"] = growth.against_clean
    lines = {name: error_curve(one, n) for name, one in votes.items()}
    looks: tuple[tuple[int | None, Dash], ...] = ((None, ""), (0, "dots"), (4, "long"))
    layers: list[Layer] = [Rule(state.shown + 1, name=f"tree {state.shown + 1}", accent=True)]
    for (name, line), look in zip(lines.items(), looks, strict=False):
        layers.append(Line(_real(line), name, *look, dots=n == 1))
    single = alone(growth, n)
    # Of one tree it is the forest's own.
    if n > 1 and not isnan(single):
        layers.append(Rule(single, "y", name="one tree, on average", dash="short"))
    known = [y for one in lines.values() for _, y in _real(one)]
    # Room for few trees from the first on, so that the axis stays as trees are added.
    known += [min(_FEW * y, 0.5) for _, y in _real(lines["out of bag"][:1])]
    high = max([*known, 0.0 if isnan(single) else single])
    plot = Plot(
        f"Error as trees are added, up to {n}: out of bag, each row judged by the trees that did"
        f" not see it, it is {_error_told(float(lines['out of bag'][-1]))}",
        Axis("trees", 0, max(state.settings.trees, 2) + 0.5),
        Axis("share of wrong predictions", 0, max(0.1, -(-high // 0.1) * 0.1) * 1.02),
        layers,
        width=520,
        height=310,
        direct=True,
    )
    text = [
        f"{plural(t, 'tree')}: "
        + ", ".join(f"{name} {_error_told(float(one[t - 1]))}" for name, one in lines.items())
        for t in sorted({*_TOLD, n})
        if t <= n
    ]
    text.append(f"a single tree, on rows out of its bag: {_error_told(single)}")
    return Picture("errors", figure(plot), click=True, text=text, **_place(state, "errors"))


def _real(errors: Floats) -> list[tuple[float, float]]:
    """Where the error is known: at first no row may have been out of bag."""
    return [(float(t), y) for t, y in enumerate(errors.tolist(), start=1) if not isnan(y)]


def _error_told(x: float) -> str:
    return "not known yet" if isnan(x) else bits(x)


def _verdict(state: State) -> list[str]:
    forest, n = state.forest, state.n
    out = forest.oob_error
    training = float(error_curve(state.growth.training, n)[-1])
    lines = [
        (
            f"{plural(n, 'tree')}: out-of-bag error {_error_told(out)}, training error"
            f" {bits(training)}. The training error flatters: fully grown trees know their rows by"
            " heart."
        )
    ]
    if state.settings.noise:
        turned = int((state.table.labels != state.clean.labels).sum())
        clean = float(error_curve(state.growth.against_clean, n)[-1])
        lines.append(
            f"{plural(turned, 'label')} of {len(state.table):,} turned over by noise. Against the"
            f" labels before that the out-of-bag error is {_error_told(clean)}."
        )
    return lines


def _tree(state: State, cards: int) -> list[Part]:
    member, way = state.member, state.way
    times = int(state.forest.rows_drawn(state.shown)[state.row])
    drawn = len(state.table) - len(member.out_of_bag.rows)
    bag = {0: "is out of its bag", 1: "was drawn once"}.get(times, f"was drawn {times} times")
    line = (
        f"Grown on a bootstrap sample with {drawn:,} of the {plural(len(state.table), 'row')};"
        f" {row_name(state)} {bag}. The lit path is the row's."
    )
    choose = SETTINGS.control(state, "tree")
    place = _place(state, "tree")
    return [
        Controls("tree-choice", "The tree that is shown", [choose], **place),
        TreeView(
            "tree",
            member.tree,
            state.looked_at,
            tags={way: row_name(state)},
            lit=way,
            most=cards,
            label=f"Tree {state.shown + 1}",
            **place,
        ),
        Words("bag", [line], **place),
    ]


def _status(state: State) -> str:
    settings = state.settings
    if state.growing:
        return f"{len(state.growth.members)} of {settings.trees} trees grown"
    if state.permuted is None:
        return f"{plural(settings.trees, 'tree')} grown; the importances are being worked out"
    if state.filling is not None and not state.filling.done:
        return "The values taken away are being estimated"
    return ""


def _compared(state: State) -> str:
    """The forest beside a single tree."""
    out, single = state.forest.oob_error, alone(state.growth, state.n)
    if isnan(out) or isnan(single):
        return ""
    if state.settings.roots and not state.growing:
        best = _percent(best_alone(state.growth, state.n))
        return (
            f"Out of bag the forest of the class errs on {_percent(out)}, one of its trees on"
            f" {_percent(single)}, a tree that asks the best question each time on {best}."
        )
    return f"Out of bag the forest errs on {_percent(out)}, one tree on {_percent(single)}."


def _first(state: State) -> list[Part]:
    """What a class's trees ask first, and how good their vote is."""
    roots = [state.table.attributes[i].name for i in state.settings.roots]
    counts = Counter(roots).most_common()
    asked = ", ".join(f"{short_class(name)} {n}" for name, n in counts)
    lines = [f"They ask first: {asked}.", _compared(state)]
    return [Words("first", [*filter(None, lines)], drawer=GROWN)] if roots else []


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _about(state: State) -> list[str]:
    settings = state.settings
    return [
        (
            "Each tree is grown on a bootstrap sample, the best of the attributes drawn is asked at"
            " each node, and nothing is pruned; the class with most votes wins. The forest is"
            " lab.forest, its rows are lab.table: dt.random_forest(lab.table,"
            f" n_trees={settings.trees}, m={settings.m}, seed={settings.seed}) grows the same"
            f"{', but that here the class has said what is asked first' if settings.roots else ''}."
        ),
        *drawn_note(state.own_rows, len(state.clean)),
    ]
