"""What a plane lab shows. In a demo: points and regions, then the tree, then the list."""

from __future__ import annotations

import numpy as np

from dtree_lab.base.text import number, plural
from dtree_lab.draw.chart import Dots, Figure, Layer, Line, Plot, Shapes, figure
from dtree_lab.labs.kit.controls import Button, Control, Dropdown, Field, Slider
from dtree_lab.labs.kit.parts import Controls, Grid, Part, Picture, TreeView, View, Words
from dtree_lab.labs.kit.taking import notes
from dtree_lab.labs.plane import state as words
from dtree_lab.labs.plane.data import (
    GROWERS,
    LEAST_POINTS,
    MOST_MIN_ROWS,
    MOST_POINTS,
    NO_LIMIT,
    PRESETS,
    PlaneTree,
    leaf_at,
    legend,
)
from dtree_lab.labs.plane.state import LOOK, State
from dtree_lab.tree.tree import Path

# So many points and regions are drawn; the tree is grown on all points.
MOST_DRAWN, MOST_REGIONS = 150, 80
_TREE, _LIST = 1, 2


def view(state: State) -> View:
    """The whole lab."""
    rows = state.rows
    x, y = (axis.label for axis in state.axes)
    return View(
        title=f"A tree's regions in the plane of {x} and {y}",
        parts=[*_left_out(state), *_main(state), *_side(state), *_list(state)],
        target=legend(rows),
        status=state.status,
    )


def _left_out(state: State) -> list[Part]:
    return [] if state.source is None else [*notes(state.source)]


def _main(state: State) -> list[Part]:
    made = state.grown
    text = [words.result(state), *words.costs(state), words.where(state), _thinned(state)]
    return [
        Controls("points-from", "The points", _drawing(state)),
        Controls("placing", "Placing a point", _placing(state)),
        Picture(
            "plane",
            _figure(state, made),
            "Points and regions",
            click=True,
            text=[line for line in [*text, *_leaves(state, made)] if line],
        ),
        Controls("growing", "Growing the tree", _growing(state), "Growing the tree"),
    ]


def _side(state: State) -> list[Part]:
    made = state.grown
    found: list[Part] = [
        Words("result", [words.result(state)], strong=True, area="side"),
        Words("costs", [*words.costs(state), _thinned(state)], area="side"),
    ]
    if made is not None:
        tags = {} if state.chosen is None else {_leaf_of(state, made, state.chosen): "chosen point"}
        tree = TreeView(
            "tree", made.drawn, state.selected, "The tree", tags=tags, area="side", stage=_TREE
        )
        here = words.where(state)
        found += [tree, Words("where", [here], "The node", area="side", stage=_TREE)]
    return found


def _list(state: State) -> list[Part]:
    choosing = [Button("remove", "Remove the chosen point", state.chosen is not None)]
    return [
        _grid(state),
        Controls("choosing", "The chosen point", choosing, area="below", stage=_LIST),
    ]


# -- the controls ----------------------------------------------------------------------------------


def _drawing(state: State) -> list[Control]:
    controls: list[Control] = []
    if state.source is None:
        options = [(key, said) for key, (said, _) in PRESETS.items()]
        preset = state.rows.preset
        if not preset:
            options = [("", "your own points"), *options]
        n = min(max(len(state.rows), LEAST_POINTS), MOST_POINTS)
        controls += [
            Dropdown("preset", "Points from", preset, options),
            Slider("number", "Points", n, LEAST_POINTS, MOST_POINTS, 10, f"{len(state.rows)}"),
            Button("sample", "New sample", bool(preset)),
        ]
    return [
        *controls,
        Button("undo", "Undo", bool(state.edits)),
        Button("clear", "Clear", len(state.rows) > 0),
        Button("reset", "Start over"),
    ]


def _placing(state: State) -> list[Control]:
    x, y = state.axes
    classes = range(state.rows.target.n_values)
    options = [(str(k), f"adds {words.marked(state.rows, k)}") for k in classes]
    looks = state.click == LOOK
    return [
        Dropdown(
            "click",
            "A click",
            state.click,
            [*options, (LOOK, "shows the region's leaf")],
            told=False,
        ),
        Field("x", x.label, number(state.at[0]), width=6),
        Field("y", y.label, number(state.at[1]), width=6),
        Button("place", "Show the region" if looks else "Add point"),
    ]


def _growing(state: State) -> list[Control]:
    recipe, rows = state.recipe, state.rows
    said = "no limit" if recipe.depth == NO_LIMIT else f"{recipe.depth}"
    features = [
        ("none", "none"),
        ("sum", words.feature(rows, "sum")),
        ("difference", words.feature(rows, "difference")),
    ]
    return [
        Dropdown("method", "Grown by", recipe.method, [(name, name) for name in GROWERS]),
        Button("deeper", "One question deeper", state.grown is not None, main=True),
        Slider("depth", "Most questions deep", recipe.depth, 0, NO_LIMIT, 1, said),
        Slider("min_rows", "Fewest points to split", recipe.min_rows, 2, MOST_MIN_ROWS),
        Dropdown("derived", "Derived feature", recipe.derived, features),
    ]


# -- the plane -------------------------------------------------------------------------------------


def _figure(state: State, made: PlaneTree | None) -> Figure:
    x, y = state.axes
    points = plural(len(state.rows), "point")
    regions = f" and the {plural(made.tree.n_leaves, 'region')} of the tree" if made else ""
    layers: list[Layer] = []
    if made is not None:
        layers += [*_regions(made), *_outline(state, made)]
    layers.append(_dots(state))
    return figure(Plot(f"{points} in the plane{regions}.", x, y, layers, 560.0, 500.0))


def _regions(made: PlaneTree) -> list[Shapes]:
    by_class: dict[int, list[Path]] = {}
    for path, k in made.leaves[:MOST_REGIONS]:
        by_class.setdefault(k, []).append(path)
    return [Shapes([made.areas[p] for p in paths], k) for k, paths in sorted(by_class.items())]


def _outline(state: State, made: PlaneTree) -> list[Line]:
    """The region of the selected node, unless it is the whole plane."""
    area = made.areas.get(state.selected, ())
    return [Line([*area, area[0]])] if state.selected and area else []


def _shown_points(state: State) -> list[int]:
    """The points that are drawn: all, or evenly through the rows, and the chosen one."""
    n = len(state.rows)
    if n <= MOST_DRAWN:
        return list(range(n))
    chosen = [] if state.chosen is None else [state.chosen]
    return sorted({*np.linspace(0, n - 1, MOST_DRAWN).astype(int).tolist(), *chosen})


def _dots(state: State) -> Dots:
    rows, drawn = state.rows, _shown_points(state)
    ringed = frozenset() if state.chosen is None else frozenset({drawn.index(state.chosen)})
    places = list(zip(rows.x[drawn].tolist(), rows.y[drawn].tolist(), strict=True))
    return Dots(places, rows.labels[drawn].tolist(), 4.5, ringed=ringed)


def _thinned(state: State) -> str:
    """What is not drawn, or nothing."""
    left = []
    if len(state.rows) > MOST_DRAWN:
        left.append(
            f"{MOST_DRAWN} of {len(state.rows):,} points are drawn, evenly through the rows"
        )
    made = state.grown
    if made is not None and made.tree.n_leaves > MOST_REGIONS:
        left.append(f"the {MOST_REGIONS} largest of {made.tree.n_leaves:,} regions are drawn")
    said = "; ".join(left)
    return f"{said[:1].upper()}{said[1:]}; the tree is grown on all points." if said else ""


def _leaves(state: State, made: PlaneTree | None) -> list[str]:
    """The largest regions in words."""
    if made is None:
        return []
    return [
        f"{words.class_name(state.rows, k)} where"
        f" {' and '.join(words.conditions(made.tree, path)) or 'nothing is asked'}"
        for path, k in made.leaves[:8]
    ]


# -- the list --------------------------------------------------------------------------------------


def _leaf_of(state: State, made: PlaneTree, row: int) -> Path:
    at = float(state.rows.x[row]), float(state.rows.y[row])
    return leaf_at(made.tree, at, state.recipe.derived)


def _grid(state: State) -> Grid:
    rows, listed = state.rows, words.listed(state)
    x, y = (axis.label for axis in state.axes)
    lines = [
        [
            f"{rows.number(i)}",
            words.near(float(rows.x[i])),
            words.near(float(rows.y[i])),
            words.class_name(rows, int(rows.labels[i])),
        ]
        for i in listed
    ]
    left = len(rows) - len(listed)
    return Grid(
        "points",
        "The points, the newest first",
        ["point", x, y, "class"],
        lines,
        "The points",
        classes=3,
        pick=True,
        current=listed.index(state.chosen) if state.chosen in listed else None,
        more=f"{plural(left, 'point')} more are not listed." if left else "",
        area="below",
        stage=_LIST,
    )
