"""What a plane lab shows. In a demo: points and regions, then the tree, then the list."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import number, plural
from dtree_lab.base.types import Floats
from dtree_lab.draw.chart import Dots, Figure, Layer, Line, Plot, Shapes, figure
from dtree_lab.draw.chart.layers import lines_as_one
from dtree_lab.labs.kit.controls import Button, Control, Field, Slider, Thumbnails, near, pictured
from dtree_lab.labs.kit.parts import Controls, Grid, Part, Picture, TreeView, View, Words
from dtree_lab.labs.kit.taking import notes
from dtree_lab.labs.plane import model as words
from dtree_lab.labs.plane.data import (
    LEAST_POINTS,
    MOST_POINTS,
    NO_LIMIT,
    PRESETS,
    PlaneTree,
    boundary,
    class_legend,
    drawable,
)
from dtree_lab.labs.plane.model import LOOK, SETTINGS, State
from dtree_lab.tree.tree import Path

# So many marks and regions are drawn; the tree is grown on all points.
MOST_MARKS, MOST_REGIONS = 600, 80
_TREE, _LIST = 1, 2
_POINTS, _HOW, _WHAT = "The points", "How the tree is grown", "What the boundary costs"


def view(state: State) -> View:
    """The whole lab."""
    rows = state.rows
    x, y = (axis.label for axis in state.axes)
    left_out = [] if state.source is None else notes(state.source)
    return View(
        title=f"A tree's regions in the plane of {x} and {y}",
        parts=[*left_out, *_stage(state), *_drawers(state)],
        target=class_legend(rows),
        status=state.status,
        result=words.result(state),
        undo=bool(state.edits),
        rows=_told(state),
        absent=[k for k in range(rows.target.n_values) if k not in rows.labels],
    )


def _told(state: State) -> dict[str, Any] | None:
    """What is said of a point that is pointed at."""
    rows = state.rows
    if not 0 < len(rows) <= MOST_MARKS:
        return None
    numbers = [rows.number(i) for i in range(len(rows))]
    axes = [[float(f"{v:.4g}") for v in column.tolist()] for column in (rows.x, rows.y)]
    classes = list(class_legend(rows).values or ())
    return {
        "word": "Point",
        "names": [*(axis.label for axis in state.axes), "class"],
        "columns": [*([None, one] for one in axes), [classes, rows.labels.tolist()]],
        "numbers": numbers,
        "keys": numbers,
    }


def _stage(state: State) -> list[Part]:
    """The plane, the tree beside it, and under them how deep it is grown."""
    made = state.grown
    text = [
        words.result(state),
        *words.costs(state),
        words.selected_node_words(state),
        *_thinned(state),
    ]
    found: list[Part] = [
        Picture(
            "plane",
            _figure(state, made),
            click=True,
            text=[line for line in [*text, *_leaves(state, made)] if line],
            area="hero",
        )
    ]
    if made is not None:
        tags = {} if state.chosen is None else {made.leaf_of(state.chosen): "chosen point"}
        tree = TreeView("tree", made.drawn, state.selected, tags=tags, area="beside", stage=_TREE)
        found.append(tree)
    clicks = [*_source(state), SETTINGS.control(state, "click", worded=False)]
    return [
        *found,
        Words("where", [words.selected_node_words(state)], area="beside", stage=_TREE, room=3),
        Controls("growing", "Growing the tree", _deepening(state), area="act"),
        Controls("from", "Points and clicks", clicks, area="act"),
    ]


def _drawers(state: State) -> list[Part]:
    choosing = [Button("remove", "Remove the chosen point", state.chosen is not None)]
    costs = [*words.costs(state), *_thinned(state)]
    growing = [SETTINGS.control(state, name) for name in ("method", "min_rows", "derived")]
    return [
        Controls("points-from", "The points", _drawing(state), drawer=_POINTS),
        Controls("placing", "Placing a point", _placing(state), drawer=_POINTS),
        _grid(state),
        Controls("choosing", "The chosen point", choosing, drawer=_POINTS, stage=_LIST),
        Controls("how", "How the tree is grown", growing, drawer=_HOW),
        Words("costs", costs, drawer=_WHAT),
    ]


# -- the controls ----------------------------------------------------------------------------------


def _source(state: State) -> list[Control]:
    if state.source is not None:
        return []
    options = [(key, said) for key, (said, _) in PRESETS.items()]
    pictures = [pictured(population) for _, population in PRESETS.values()]
    preset = state.rows.preset
    return [
        Thumbnails("preset", "Points from", preset, options, pictures=pictures),
        Button("sample", "New sample", bool(preset)),
    ]


def _drawing(state: State) -> list[Control]:
    controls: list[Control] = []
    if state.source is None:
        n, said = drawable(state.rows), f"{len(state.rows)}"
        controls.append(Slider("number", "Points", n, LEAST_POINTS, MOST_POINTS, 10, said))
    return [*controls, Button("clear", "Clear", len(state.rows) > 0), Button("reset", "Start over")]


def _placing(state: State) -> list[Control]:
    x, y = state.axes
    looks = state.click == LOOK
    return [
        Field("x", x.label, number(state.at[0]), width=6),
        Field("y", y.label, number(state.at[1]), width=6),
        Button("place", "Show the region" if looks else "Add point"),
    ]


def _deepening(state: State) -> list[Control]:
    depth = state.recipe.depth
    said = "no limit" if depth == NO_LIMIT else f"{depth}"
    return [
        SETTINGS.control(state, "depth", words=said),
        Button("deeper", "One question deeper", state.grown is not None, main=True),
    ]


# -- the plane -------------------------------------------------------------------------------------


def _figure(state: State, plane: PlaneTree | None) -> Figure:
    x, y = state.axes
    points = plural(len(state.rows), "point")
    regions = f" and the {plural(plane.tree.n_leaves, 'region')} of the tree" if plane else ""
    title = f"{points} in the plane{regions}."
    layers: list[Layer] = []
    if plane is not None:
        layers += [*_regions(plane), *_unlike(plane), *_outline(state, plane)]
        if plane.unlike_truth is not None:
            title += f" The tree answers unlike the true boundary on {_share(plane)} of it."
    layers += [*_truth(state), _dots(state)]
    return figure(Plot(title, x, y, layers, 420.0, 360.0))


def _share(plane: PlaneTree) -> str:
    return f"{100 * (plane.unlike_truth or 0.0):.1f} %"


def _truth(state: State) -> list[Line]:
    """The boundary that the points were drawn from."""
    points = lines_as_one(boundary(state.rows))
    return [Line(points, "the true boundary", hue=4)] if points else []


def _unlike(plane: PlaneTree) -> list[Line]:
    """Level lines over the places where the tree answers unlike that boundary."""
    if plane.unlike_truth is None:
        return []
    points = lines_as_one(plane.unlike) or [None]
    return [Line(points, f"wrong: {_share(plane)}", faint=True)]


def _regions(plane: PlaneTree) -> list[Shapes]:
    by_class: dict[int, list[Path]] = {}
    for path, k in plane.leaves[:MOST_REGIONS]:
        by_class.setdefault(k, []).append(path)
    return [Shapes([plane.areas[p] for p in paths], k) for k, paths in sorted(by_class.items())]


def _outline(state: State, plane: PlaneTree) -> list[Line]:
    """The region of the selected node, unless it is the whole plane."""
    area = plane.areas.get(state.selected, ())
    return [Line([*area, area[0]])] if state.selected and area else []


def _dots(state: State) -> Dots:
    """All points; where they are too many to be told apart, grains that stand for some each."""
    rows, chosen = state.rows, state.chosen
    if len(rows) > MOST_MARKS:
        places, classes, _ = _grains(rows.x, rows.y, rows.labels, MOST_MARKS)
        if chosen is None:
            return Dots(places, classes, 4.5)
        places.append((float(rows.x[chosen]), float(rows.y[chosen])))
        classes.append(int(rows.labels[chosen]))
        return Dots(places, classes, 4.5, ringed=frozenset({len(places) - 1}))
    ringed = frozenset() if chosen is None else frozenset({chosen})
    places = list(zip(rows.x.tolist(), rows.y.tolist(), strict=True))
    keys = [rows.number(i) for i in range(len(rows))]
    return Dots(places, rows.labels.tolist(), 4.5, ringed=ringed, keys=keys)


def _grains(
    x: Floats, y: Floats, classes: NDArray[Any], most: int
) -> tuple[list[tuple[float, float]], list[int], int]:
    """At most about `most` marks for points of a plane, and how many points each stands for.

    Points of a class that lie together share a mark, in their middle; none is left out. So there
    may be one mark more for each class, whose last may stand for fewer.
    """
    each = -(-len(x) // most)
    places: list[tuple[float, float]] = []
    found: list[int] = []
    for cls in np.unique(classes).tolist():
        own = np.flatnonzero(classes == cls)
        # Through upright strips, up and down by turns: neighbours on the way lie together.
        own = own[np.argsort(x[own], kind="stable")]
        strips = np.array_split(own, max(1, round(float(np.sqrt(len(own) / each)))))
        turns = (1, -1) * len(strips)
        way = np.concatenate(
            [
                strip[np.argsort(y[strip], kind="stable")][::turn]
                for strip, turn in zip(strips, turns, strict=False)
            ]
        )
        for begin in range(0, len(way), each):
            some = way[begin : begin + each]
            places.append((float(x[some].mean()), float(y[some].mean())))
            found.append(cls)
    return places, found, each


def _thinned(state: State) -> list[str]:
    """What a mark stands for, and what is not drawn."""
    found = []
    if len(state.rows) > MOST_MARKS:
        _, _, each = _grains(state.rows.x, state.rows.y, state.rows.labels, MOST_MARKS)
        found.append(
            f"A mark stands for up to {plural(each, 'point')} of a class that lie together."
        )
    made = state.grown
    if made is not None and made.tree.n_leaves > MOST_REGIONS:
        found.append(f"The {MOST_REGIONS} largest of {made.tree.n_leaves:,} regions are drawn.")
    return found


def _leaves(state: State, plane: PlaneTree | None) -> list[str]:
    """The largest regions in words."""
    if plane is None:
        return []
    return [
        f"{words.class_of_points(state.rows, k)} where"
        f" {' and '.join(words.conditions(plane.tree, path)) or 'nothing is asked'}"
        for path, k in plane.leaves[:8]
    ]


# -- the list --------------------------------------------------------------------------------------


def _grid(state: State) -> Grid:
    rows, listed = state.rows, words.listed(state)
    x, y = (axis.label for axis in state.axes)
    lines = [
        [
            f"{rows.number(i)}",
            near(float(rows.x[i])),
            near(float(rows.y[i])),
            words.class_of_points(rows, int(rows.labels[i])),
        ]
        for i in listed
    ]
    left = len(rows) - len(listed)
    return Grid(
        "points",
        "The points, the newest first",
        ["point", x, y, "class"],
        lines,
        classes=3,
        pick=True,
        current=listed.index(state.chosen) if state.chosen in listed else None,
        keys=[rows.number(i) for i in listed],
        more=f"{plural(left, 'point')} more are not listed." if left else "",
        drawer=_POINTS,
        stage=_LIST,
    )
