"""The best depth for little noise."""

from __future__ import annotations

from typing import Any

from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.labs.biasvariance.model import State, dump, load, start

NOISE, ROWS = 0.1, 200
# With this noise and so many rows, those at most 8 % above the smallest error, for any seed.
BEST_DEPTHS = (5, 6, 7)


def _begun(**asked: Any) -> State:
    return start(None, {"source": "sine", **asked})


def _set(state: State) -> bool:
    asked = state.asked
    return (
        asked.source == "sine"
        and asked.noise is not None
        and abs(asked.noise - NOISE) < 1e-6  # noqa: PLR2004 - as near as a slider gets
        and asked.n_rows == ROWS
        and not asked.bagging
    )


def _settings(state: State) -> str:
    asked = state.asked
    bagging = ", bagged trees" if asked.bagging else ""
    return f"source {asked.source}, noise {asked.noise:g}, {asked.n_rows} rows{bagging}"


def _noise_is_off(state: State) -> bool:
    return state.asked.noise is None or abs(state.asked.noise - NOISE) >= 1e-6  # noqa: PLR2004


DEPTH = page(__file__, "depth").exercise(
    Do(
        lambda text: load(text, None),
        (
            Goal(_set, _settings, f"sine, noise {NOISE}, {ROWS} rows, single trees"),
            Goal(
                lambda state: _set(state) and state.asked.depth in BEST_DEPTHS,
                lambda state: f"depth {state.asked.depth}",
                "with these settings, the depth with the smallest error",
            ),
        ),
        blank=lambda state: state.asked == _begun().asked,
    ),
    seen={
        "bagging": Mistake(
            dump(_begun(noise=NOISE, n_rows=ROWS, depth=6, bagging=True)),
            when=when(lambda state: state.asked.bagging, 0),
        ),
        "another population": Mistake(
            dump(_begun(source="wave", noise=NOISE, n_rows=ROWS, depth=6)),
            when=when(lambda state: state.asked.source != "sine", 0),
        ),
        "noise": Mistake(
            dump(_begun(n_rows=ROWS, depth=6)),
            when=when(lambda state: state.asked.source == "sine" and _noise_is_off(state), 0),
        ),
        "rows": Mistake(
            dump(_begun(noise=NOISE, depth=6)),
            when=when(lambda state: state.asked.n_rows != ROWS, 0),
        ),
        "too shallow": Mistake(
            dump(_begun(noise=NOISE, n_rows=ROWS, depth=4)),
            when=when(lambda state: _set(state) and state.asked.depth < BEST_DEPTHS[0], 1),
        ),
        "too deep": Mistake(
            dump(_begun(noise=NOISE, n_rows=ROWS, depth=10)),
            when=when(lambda state: _set(state) and state.asked.depth > BEST_DEPTHS[-1], 1),
        ),
    },
)
