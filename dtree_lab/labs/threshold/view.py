"""What a threshold lab shows. In a demo: rows, gains, bell curves, crossings, one by one."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from dtree_lab.base.text import bits, number, plural
from dtree_lab.labs.kit.controls import Button, Control, Field, Slider, near, short_text
from dtree_lab.labs.kit.parts import Controls, Grid, Picture, View, Words, legend_target
from dtree_lab.labs.kit.taking import notes, row_words
from dtree_lab.labs.threshold import pictures
from dtree_lab.labs.threshold.model import (
    MOST_CROSSINGS,
    SETTINGS,
    State,
    attribute_name,
    continuous,
    rated_cuts,
)
from dtree_lab.table.table import Attribute

_GAIN, _BELLS, _WINNERS = 1, 2, 3
# Where the bell curves stand, and which class they make win.
_MODEL = "A bell curve for each class"
_CURVES: dict[str, Any] = {"drawer": _MODEL, "stage": _BELLS}
_WINNING: dict[str, Any] = {"drawer": _MODEL, "stage": _WINNERS}


def view(state: State) -> View:
    """The whole lab."""
    curve = state.curve
    return View(
        title=f"A threshold on {attribute_name(curve)}",
        parts=[*notes(curve.table), *_cut_parts(state), *_side(state), *_modelled(state)],
        target=_legend(curve.table.target),
        status=state.status,
        result=pictures.rule(state)[0],
        rows=row_words(curve.table),
    )


@lru_cache(maxsize=8)
def _legend(target: Attribute) -> Attribute | None:
    """The target, long names shortened."""
    names = tuple(map(short_text, target.values or ()))
    return legend_target(target) and Attribute(target.name, names)


def _cut_parts(state: State) -> list[Controls | Picture]:
    return [
        Picture(
            "points",
            pictures.points(state),
            area="hero",
            slider=_dragged(state, "Cut"),
            text=_points_text(state),
        ),
        Picture(
            "gains",
            pictures.gains(state),
            area="hero",
            slider=_dragged(state, "Cut on the gain curve"),
            text=[*pictures.rule(state), *pictures.arithmetic(state)],
            stage=_GAIN,
        ),
        Controls("cutting", "The cut", _cutting(state), area="act"),
    ]


def _modelled(state: State) -> list[Controls | Picture | Words | Grid]:
    told = pictures.told_winners(state)
    return [
        Controls("modelling", "The bell curves", _modelling(state), **_CURVES),
        Picture(
            "bells",
            pictures.bells(state),
            "A bell curve for each class",
            slider=_dragged(state, "Cut on the bell curves"),
            text=_bells_text(state),
            **_CURVES,
        ),
        _bell_grid(state),
        Picture("winners", pictures.winners(state), "Which class wins", text=told, **_WINNING),
        Words("winning", told, "Where the winner changes", **_WINNING),
        _cut_grid(state),
    ]


def _side(state: State) -> list[Words | Grid]:
    curve = state.curve
    head, rows = pictures.side_rows(state)
    left = pictures.not_shown(curve)
    return [
        Grid("sides", "The two sides", head, rows, "The two sides", more=left, area="side"),
        Words("rule", pictures.rule(state), "The question", strong=True, area="side", stage=_GAIN),
        Words(
            "worked",
            [*pictures.gain_worked(state), pictures.same_question(state)],
            drawer="The arithmetic",
            stage=_GAIN,
        ),
    ]


def _cutting(state: State) -> list[Control]:
    curve = state.curve
    attribute = SETTINGS.control(state, "attribute")
    more = len(continuous(curve.table)) - len(attribute.options)
    label = f"Attribute ({more} more: attribute=…)" if more > 0 else "Attribute"
    several = len(curve.midpoints) > 0
    return [
        *([replace(attribute, label=label)] if len(attribute.options) > 1 else []),
        Field("cut", "Cut at", number(state.cut), width=9),
        Button("best", "Best cut", several, main=True),
        Button("lower", "Previous midpoint", several),
        Button("higher", "Next midpoint", several),
        Button("reset", "Start over"),
    ]


def _dragged(state: State, label: str) -> Slider:
    said = f"{number(state.cut)}, gain {bits(state.curve.at(state.cut).gain)} bits"
    dragged: Slider = SETTINGS.control(state, "cut", label=label, words=said)
    return dragged


def _modelling(state: State) -> list[Control]:
    controls = [SETTINGS.control(state, name) for name in ("equal", "priors")]
    if state.binary:
        said = f"τ = {near(2.0**state.log_tau)}"
        controls.append(SETTINGS.control(state, "log_tau", words=said))
    return controls


def _bell_grid(state: State) -> Grid:
    rows = [
        [
            pictures.marked(state.curve, k),
            f"{bell.rows:,}",
            near(bell.mean),
            near(bell.sd) + (" (shared)" if bell.pooled else ""),
            f"{bell.prior:.3f}",
        ]
        for k, bell in pictures.bells_shown(state)
    ]
    head = ["class", "rows", "mean", "standard deviation", "prior"]
    more = "" if all(bell.sd for bell in state.fit.bells) else _NO_SPREAD
    return Grid("fit", "The bell curves", head, rows, "The bell curves", more=more, **_CURVES)


_NO_SPREAD = "No class has a spread, so there is no curve to draw: the nearest mean wins."


def _cut_grid(state: State) -> Grid:
    n = state.curve.table.n_rows
    rows = [
        [one.name, ", ".join(map(near, one.cuts[:3])), bits(one.gain), f"{one.wrong}/{n}"]
        for one in rated_cuts(state)
    ]
    left = len(state.fit.crossings) - MOST_CROSSINGS
    more = "Wrong: rows that are not of their side's most frequent class. Choose a cut to go there."
    if left > 0:
        more = f"{plural(left, 'crossing')} more are not listed. {more}"
    return Grid(
        "cuts",
        "Cuts compared",
        ["cut", "at", "gain", "wrong"],
        rows,
        pick=True,
        more=more,
        drawer="Cuts compared",
        stage=_WINNERS,
    )


def _points_text(state: State) -> list[str]:
    head, rows = pictures.side_rows(state)
    lines = []
    for side, *found in zip(head[1:], *(row[1:] for row in rows), strict=True):
        named = zip([row[0] for row in rows], found, strict=True)
        lines.append(f"{side} - {', '.join(f'{name}: {said}' for name, said in named)}")
    if state.curve.table.n_rows > pictures.MOST_MARKS:
        n = plural(state.curve.table.n_rows, "row")
        lines.append(
            f"{n}: more than {pictures.MOST_MARKS}, so bars count them, each class's in its lane."
        )
    return [*lines, pictures.not_shown(state.curve)]


def _bells_text(state: State) -> list[str]:
    return [
        f"{pictures.class_of_curve(state.curve, k)}: mean {near(bell.mean)}, standard"
        f" deviation {near(bell.sd)}, prior {bell.prior:.3f}"
        for k, bell in pictures.bells_shown(state)
    ]
