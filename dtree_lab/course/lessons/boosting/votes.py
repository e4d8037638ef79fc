"""The vote of the stumps, and a row that gets heavy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code, Do, Goal, when
from dtree_lab.datasets import tax_fraud
from dtree_lab.ensemble.adaboost import Reweighted, Weighed
from dtree_lab.labs.stepthrough.model import State as Walk
from dtree_lab.labs.stepthrough.model import WalkSettings as Asked
from dtree_lab.labs.stepthrough.model import dump, load, start

_VOTE = page(__file__, "vote")


def _heads(answers: Sequence[int]) -> int:
    return 1 if sum(answers) > 0 else -1


def _vote_case(answers: Sequence[int], alphas: Sequence[float]) -> Case:
    label = _VOTE.right()(answers, alphas)
    if min(alphas) < 0:
        shows = "a negative alpha"
    elif label != _heads(answers) or not sum(answers):
        shows = "a few stumps that outweigh the others"
    else:
        shows = "a majority that also weighs more"
    return Case((list(answers), list(alphas)), (label,), behaviour=shows)


def _fresh_votes(rng: np.random.Generator) -> tuple[Case, ...]:
    """Two of each behaviour, one for either label; none is a tie."""
    found: dict[tuple[str, Any], Case] = {}
    while len(found) < 6:  # noqa: PLR2004 - three behaviours, two labels
        n = int(rng.integers(3, 9))
        alphas = rng.integers(1, 90, n) * rng.choice([1, 1, 1, -1], n)
        one = [int(s) for s in rng.choice([1, -1], n)], [int(a) / 50 for a in alphas]
        if abs(np.dot(*one)) > 1e-6:  # noqa: PLR2004
            case = _vote_case(*one)
            found.setdefault((case.behaviour, case.wants[0]), case)
    return tuple(found.values())


def _texts(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, outcome in enumerate(outcomes) if outcome.kind == "text"]


VOTE = _VOTE.exercise(
    Code(
        "vote",
        (
            _vote_case([1, -1, 1], [0.69, 0.73, 0.72]),
            _vote_case([1, -1, -1], [0.69, 0.73, 0.72]),
            _vote_case([1, -1, -1], [2.0, 0.4, 0.5]),
            _vote_case([-1, 1, 1, 1], [1.5, 0.3, 0.4, 0.2]),
            _vote_case([-1], [0.3]),
            _vote_case([1, -1], [0.9, 0.4]),
            _vote_case([1, 1, -1], [0.3, 0.4, 0.5]),
            _vote_case([-1, 1, 1], [0.5, 0.4, 0.3]),
            _vote_case([-1, -1, 1], [0.3, 0.4, 0.5]),
            _vote_case([1, 1, -1], [0.2, 0.3, 0.9]),
            _vote_case([-1, -1, 1], [0.2, 0.3, 0.9]),
            _vote_case([1, 1, 1, -1], [0.4, 0.3, 0.6, 0.8]),
            _vote_case([1, -1, 1], [-0.8, 0.3, 0.2]),
            _vote_case([-1, -1, 1], [-0.6, 0.4, 0.1]),
            _vote_case([-1, 1], [-0.5, -0.3]),
            _vote_case([1, 1, 1], [-0.2, 0.3, 0.4]),
            _vote_case([-1, -1, 1], [-0.2, 0.9, 0.3]),
        ),
        fresh=_fresh_votes,
    ),
    seen={"texts": _texts},
)


_HEAVY, _STUMPS = 0.3, 6


def walk_at(cursor: int, algorithm: str = "adaboost") -> str:
    """The state of a walk on the ten tax returns after so many events."""
    keywords = {"n_stumps": _STUMPS} if algorithm == "adaboost" else {}
    state = start(Asked(tax_fraud(), keywords=keywords, algorithm=algorithm))
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


HEAVY_ROW = page(__file__, "heavy-row").exercise(
    Do(
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
    seen={
        "not yet": Mistake(
            walk_at(3), when=when(lambda w: _boosts(w) and not _heavy(w) and not _passed(w), 1, 2)
        ),
        "gone past": Mistake(
            walk_at(12), when=when(lambda w: _boosts(w) and not _heavy(w) and _passed(w), 1, 2)
        ),
        "heavy again": Mistake(
            walk_at(18),
            when=when(lambda w: _heavy(w) and not _first(w), 2),
        ),
        "another algorithm": Mistake(
            walk_at(2, "id3"), when=when(lambda w: not _boosts(w), 0, 1, 2)
        ),
    },
)
