"""Which problem is regression, what a leaf answers, and the best depth."""

from __future__ import annotations

from typing import Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.labs.biasvariance.model import State, dump, load, start

_REASONS = ("1", "2", "3", "4")


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


DEPTH = Exercise(
    id="regression/depth",
    title="The best depth for little noise",
    points=2,
    heading="less noise, more questions",
    text="""Set the **noise to 0.1** and the **rows to 200**. Then choose the **depth** with the
smallest error (one at most 8 % above the smallest will do), and leave it so. (*Keep in this cell*
writes it into the cell, so that it is still there tomorrow.)""",
    stub="""curves = dt.BiasVarianceLab(population="sine")
curves""",
    answer="curves",
    task=Do(
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
    mistakes=(
        Mistake(
            dump(_begun(noise=NOISE, n_rows=ROWS, depth=6, bagging=True)),
            "Bagging is switched on. What is asked for is the best depth of a single tree.",
            when=when(lambda state: state.asked.bagging, 0),
        ),
        Mistake(
            dump(start(None, {"source": "wave", "noise": NOISE, "n_rows": ROWS, "depth": 6})),
            "That is another population, one with classes. Choose the numbers again, the sine.",
            when=when(lambda state: state.asked.source != "sine", 0),
        ),
        Mistake(
            dump(_begun(n_rows=ROWS, depth=6)),
            "The noise is not the one asked for. It decides how deep a tree may go: set it first.",
            when=when(lambda state: state.asked.source == "sine" and _noise_is_off(state), 0),
        ),
        Mistake(
            dump(_begun(noise=NOISE, depth=6)),
            "The number of rows is not the one asked for.",
            when=when(lambda state: state.asked.n_rows != ROWS, 0),
        ),
        Mistake(
            dump(_begun(noise=NOISE, n_rows=ROWS, depth=4)),
            "Too shallow: the steps of the staircase are still too wide for the curve. With more"
            " noise this would have been deep enough.",
            when=when(lambda state: _set(state) and state.asked.depth < BEST_DEPTHS[0], 1),
        ),
        Mistake(
            dump(_begun(noise=NOISE, n_rows=ROWS, depth=10)),
            "Too deep: the error has passed its lowest point. From there on each further question"
            " only follows the noise.",
            when=when(lambda state: _set(state) and state.asked.depth > BEST_DEPTHS[-1], 1),
        ),
    ),
    more="Let the lab finish drawing its training sets, and read the curve of the whole error, not"
    " that of one of its parts. Where is its lowest point?",
    solution='curves = dt.BiasVarianceLab(population="sine", noise=0.1, n=200, depth=6)\ncurves',
    why="With a noise of 0.3 and 100 rows the best depth was 3 or 4. With less noise and more rows"
    " a leaf can be smaller before it follows the noise, and so the tree may be deeper: 5 to 7.",
)
