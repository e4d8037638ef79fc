"""What is seen: the controls, the algorithm's own pictures, and the step in words."""

from __future__ import annotations

from dataclasses import replace

from dtree_lab.labs.kit.controls import Button, Control, Dropdown, Slider, Toggle
from dtree_lab.labs.kit.parts import Controls, Part, Picture, TreeView, View, Words
from dtree_lab.labs.kit.planes import SHOWN, PlaneSight, axis_menus, plane
from dtree_lab.labs.kit.rowwords import row_words
from dtree_lab.labs.kit.taking import notes
from dtree_lab.labs.stepthrough.model import (
    ALL,
    N_TREES,
    SPEEDS,
    State,
    algorithms,
    continuous,
    plane_of,
)
from dtree_lab.labs.stepthrough.story import short

MOST_OPTIONS, MOST_IN_LEGEND = 40, 100


def view(state: State) -> View:
    """All that is shown of a state."""
    story, level, target = state.story, state.fitting, state.table.target
    told = story.told(state.cursor)
    stops, code = story.stops(level), story.code_part(state.cursor)
    step = story.step(state.cursor, level)
    where = f"Step {step} of {len(stops) - 1}"
    words = Words(
        id="told", heading=f"{where}: {told.headline}", lines=list(told.lines), area="side"
    )
    own = [_placed(part) for part in story.parts(state.cursor, state.looked)]
    drawn = [Words(id="notes", area="below", lines=story.notes)] if story.notes else []
    return View(
        title=f"Step through {algorithms()[state.algorithm][0]}",
        target=target if target.n_values <= MOST_IN_LEGEND else None,
        rows=row_words(state.table),
        parts=[
            *notes(state.table, state.validation),
            *(part for part in own if part.area == "hero"),
            *_plane(state),
            _player(state, step, len(stops) - 1),
            _settings(state),
            words,
            *(part for part in own if part.area != "hero"),
            *drawn,
            replace(code, area="main", heading="", drawer=code.heading),
        ],
        status=f"{where}. {told.headline}.",
        progress=state.cursor / story.end if state.playing else None,
    )


def _placed(part: Part) -> Part:
    """What an algorithm draws is on the stage, what it counts stands at its side."""
    return replace(part, area="hero" if isinstance(part, TreeView | Picture) else "side")


def _plane(state: State) -> list[Part]:
    """The plane beside it, with menus for its attributes."""
    found = plane_of(state)
    if found is None or not state.plane:
        return []
    seen, pair = found
    shown = plane(seen.tree, seen.table, pair, PlaneSight(seen.selected), seen.test)
    return [*axis_menus(seen.table, pair), *shown]


def _settings(state: State) -> Controls:
    options = [(name, title) for name, (title, _) in algorithms().items()]
    controls: list[Control] = [Dropdown("algorithm", "Algorithm", state.algorithm, options)]
    match state.algorithm:
        case "threshold":
            controls.append(_attributes(state))
        case "id3" | "c45" | "cart":
            controls.append(_depths(state))
        case "random_forest":
            controls.extend(_forest(state))
    levels = [(level, words) for level, words in state.story.levels]
    controls.append(Dropdown("level", "A step is", state.fitting, levels))
    if plane_of(state) is not None:
        controls.append(Toggle(SHOWN, "Plane", state.plane))
    return Controls(id="settings", area="act", label="What to step through", controls=controls)


def _attributes(state: State) -> Dropdown:
    names = continuous(state.table)
    options = [(str(i), short(name)) for i, name in enumerate(names)][:MOST_OPTIONS]
    value = ALL if state.attribute is None else str(names.index(state.attribute))
    if value not in (ALL, *(key for key, _ in options)):
        options.append((value, short(state.attribute)))
    return Dropdown("attribute", "Attribute", value, [(ALL, "each in turn"), *options])


def _depths(state: State) -> Dropdown:
    depth = state.keywords.get("max_depth")
    depths = sorted({1, 2, 3, 4, *([] if depth is None else [int(depth)])})
    options = [("none", "no limit"), *((str(d), str(d)) for d in depths)]
    return Dropdown("max_depth", "Deepest", "none" if depth is None else str(depth), options)


def _forest(state: State) -> list[Control]:
    n_trees = int(state.keywords.get("n_trees", N_TREES))
    sizes = sorted({1, 3, N_TREES, 10, 25, n_trees})
    m = state.story.result.plan.m
    drawn = sorted({*range(1, min(len(state.table.attributes), MOST_OPTIONS) + 1), m})
    return [
        Dropdown("n_trees", "Trees", str(n_trees), [(str(n), str(n)) for n in sizes]),
        Dropdown("m", "Attributes drawn, m", str(m), [(str(n), str(n)) for n in drawn]),
    ]


def _player(state: State, step: int, steps: int) -> Controls:
    more, less = state.cursor < state.story.end, state.cursor > 0
    controls: list[Control] = [
        Button("first", "First", enabled=less),
        Button("back", "Back", enabled=less),
        Button("next", "Forward", enabled=more, main=True),
        Button("last", "Last", enabled=more),
        Button("play", "Pause" if state.playing else "Play"),
        Dropdown(
            "speed",
            "Speed",
            state.speed,
            [(s, s) for s in SPEEDS],
            told=False,
        ),
        Slider("step", "Step", step, 0, steps, said=f"{step} of {steps}", told=False),
    ]
    return Controls(id="player", area="act", label="Steps", controls=controls)
