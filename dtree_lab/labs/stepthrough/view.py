"""What is seen: the controls, the algorithm's own pictures, and the step in words."""

from __future__ import annotations

from dataclasses import replace

from dtree_lab.labs.kit.controls import Button, Control, Dropdown
from dtree_lab.labs.kit.parts import Controls, Part, Picture, TreeView, View, Words, legend_target
from dtree_lab.labs.kit.planes import PlaneSight, axis_menus, plane_parts
from dtree_lab.labs.kit.taking import notes, row_words
from dtree_lab.labs.stepthrough.growing import GROWERS
from dtree_lab.labs.stepthrough.model import NONE, SETTINGS, State, algorithms, plane_of

MOST_IN_LEGEND = 100


def view(state: State) -> View:
    """All that is shown of a state."""
    story, level = state.story, state.fitting
    told = story.step_text(state.cursor)
    stops, code = story.stops(level), story.code_part(state.cursor)
    step = story.step(state.cursor, level)
    where = f"Step {step} of {len(stops) - 1}"
    words = Words("told", list(told.lines), f"{where}: {told.headline}", area="side")
    own = [_placed(part) for part in story.parts(state.cursor, state.looked)]
    drawn = [Words(id="notes", area="below", lines=story.notes)] if story.notes else []
    return View(
        title=f"Step through {algorithms()[state.algorithm][0]}",
        target=legend_target(state.table.target, MOST_IN_LEGEND),
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
    found = plane_of(state)
    if found is None or state.hidden:
        return []
    seen, pair = found
    shown = plane_parts(seen.tree, seen.table, pair, PlaneSight(seen.selected), seen.test)
    return [*axis_menus(seen.table, pair), *shown]


def _settings(state: State) -> Controls:
    own = {
        "threshold": ["attribute"],
        **{grower: ["max_depth"] for grower in GROWERS},
        "random_forest": ["n_trees", "m"],
    }
    plane = ["hidden"] if plane_of(state) is not None else []
    names = ["algorithm", *own.get(state.algorithm, []), "level", *plane]
    controls = [_control(state, name) for name in names]
    return Controls(id="settings", area="act", label="What to step through", controls=controls)


def _control(state: State, name: str) -> Control:
    control: Control = SETTINGS.control(state, name)
    if not isinstance(control, Dropdown):
        return control
    return replace(control, value=NONE if control.value is None else str(control.value))


def _player(state: State, step: int, steps: int) -> Controls:
    more, less = state.cursor < state.story.end, state.cursor > 0
    controls: list[Control] = [
        Button("first", "First", enabled=less),
        Button("back", "Back", enabled=less),
        Button("next", "Forward", enabled=more, main=True),
        Button("last", "Last", enabled=more),
        Button("play", "Pause" if state.playing else "Play"),
        SETTINGS.control(state, "speed", worded=False),
        SETTINGS.control(state, "step", words=f"{step} of {steps}", worded=False),
    ]
    return Controls(id="player", area="act", label="Steps", controls=controls)
