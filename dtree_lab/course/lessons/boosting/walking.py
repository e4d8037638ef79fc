"""The exercise on a row that gets heavy, in StepThrough."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.datasets import tax_fraud
from dtree_lab.learn.boost.rounds import Reweighted, Weighed
from dtree_lab.widgets.stepthrough.model import WalkSettings, dump, load, start

if TYPE_CHECKING:
    from dtree_lab.widgets.stepthrough.model import State as Walk

_HEAVY, _STUMPS = 0.3, 6


def walk_at(cursor: int, algorithm: str = "adaboost") -> str:
    """The state of a walk on the ten tax returns after so many events."""
    keywords = {"n_stumps": _STUMPS} if algorithm == "adaboost" else {}
    state = start(WalkSettings(tax_fraud(), keywords=keywords, algorithm=algorithm))
    return dump(replace(state, cursor=cursor))


def _boosts(walk: Walk) -> bool:
    return walk.algorithm == "adaboost"


def _heaviest(walk: Walk) -> float:
    """What the heaviest row weighs where the walk stands; 0 before any weight is shown."""
    seen = [e for e in walk.story.events[: walk.cursor] if isinstance(e, Weighed | Reweighted)]
    return float(seen[-1].weights.max()) if seen and _boosts(walk) else 0.0


def _heavy(walk: Walk) -> bool:
    return _heaviest(walk) > _HEAVY


def _first(walk: Walk) -> bool:
    """Whether no earlier round had a row so heavy; a new round shows the last one's weights."""
    told = [e for e in walk.story.events[: walk.cursor] if isinstance(e, Reweighted)]
    return _heavy(walk) and not any(e.weights.max() > _HEAVY for e in told[:-1])


def _passed(walk: Walk) -> bool:
    told = [e for e in walk.story.events[: walk.cursor] if isinstance(e, Reweighted)]
    return any(e.weights.max() > _HEAVY for e in told)


HEAVY_ROW = Exercise(
    id="boosting/heavy-row",
    title="A row gets heavy",
    points=2,
    answer="walk",
    task=Do(
        lambda text: load(text, tax_fraud()),
        (
            Goal(_boosts, lambda walk: f"algorithm: {walk.algorithm}", "AdaBoost"),
            Goal(
                _heavy,
                lambda walk: f"the heaviest row weighs {_heaviest(walk):.3f}",
                f"more than {_HEAVY}",
            ),
            Goal(
                _first,
                lambda walk: "for the first time" if _first(walk) else "not the first time",
                "the first time that a row is so heavy",
            ),
        ),
        blank=lambda walk: walk.cursor == 0 and _boosts(walk),
    ),
    mistakes=(
        Mistake(
            walk_at(3),
            "Here no row is heavy enough yet. Go on; the scale beside the bars says what a row"
            " weighs.",
            when=when(lambda w: _boosts(w) and not _heavy(w) and not _passed(w), 1, 2),
        ),
        Mistake(
            walk_at(12),
            "You have gone past it: the row was got right once more, and is lighter again. Step"
            " back.",
            when=when(lambda w: _boosts(w) and not _heavy(w) and _passed(w), 1, 2),
        ),
        Mistake(
            walk_at(18),
            "A row is heavy enough here, but it was so once before. Step back to the first time.",
            when=when(lambda w: _heavy(w) and not _first(w), 2),
        ),
        Mistake(
            walk_at(2, "id3"),
            "That is another algorithm. In the list of algorithms, choose AdaBoost.",
            when=when(lambda w: not _boosts(w), 0, 1, 2),
        ),
    ),
    more="Choose *one round at a time*. A row gets heavy when stump after stump gets it wrong:"
    " look for the bar that stands far above all others.",
    solution=f"""walk = dt.StepThrough(tax, "adaboost", n_stumps={_STUMPS})
walk = walk.state.replace('"cursor":0', '"cursor":9')
""",
    why="After the third round row 3, single and honest with an income of 70, has 0.324 of all"
    " weight. The first stump says No of everybody, but the second and the third took it for a"
    " cheat. The fourth stump cannot afford to get it wrong, and does not.",
)
