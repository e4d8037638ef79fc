"""A round of AdaBoost, its vote, a row that gets heavy; a round of gradient boosting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Goal
from dtree_lab.course.tasks.code import gives, where
from dtree_lab.course.tasks.do import misses
from dtree_lab.datasets import tax_fraud
from dtree_lab.ensemble.adaboost import Reweighted, Weighed
from dtree_lab.labs.stepthrough.model import State as Walk
from dtree_lab.labs.stepthrough.model import WalkSettings as Asked
from dtree_lab.labs.stepthrough.model import dump, load, start


def offers(
    xs: Sequence[float], labels: Sequence[int], weights: Sequence[float]
) -> list[tuple[float, float, int]]:
    """Every stump: the weight of the rows that it gets wrong, the cut, and what it says below."""
    found = []
    for cut in [(low + high) / 2 for low, high in pairwise(sorted(set(xs)))]:
        for below in (1, -1):
            said = [below if x < cut else -below for x in xs]
            wrong = sum(w for s, y, w in zip(said, labels, weights, strict=True) if s != y)
            found.append((wrong, cut, below))
    return found


_BEST = page(__file__, "best-stump")
_THREE, _CLOSE = 3, 1e-6


def _read(function: Callable[..., Any], xs: list[float], *rest: list[Any]) -> Any:
    """What the stump says of each row, and its error: cuts that part the rows alike are alike."""
    found = function(xs, *rest)
    if found is None:
        return None
    if not isinstance(found, tuple | list) or len(found) != _THREE:
        raise ValueError("three things are to come back: the cut, the label below it, the error")
    cut, below, error = found
    if isinstance(cut, str) or isinstance(below, str) or below not in (1, -1):
        raise ValueError("the second thing is to be the label below the cut: the number 1 or -1")
    # Of the middles of neighbours, as the task asks; another place within the gap is as good.
    return tuple(below if x < cut else -below for x in xs), error


def _stump_case(xs: Sequence[float], labels: Sequence[int], weights: Sequence[float]) -> Case:
    all_of_them = offers(xs, labels, weights)
    least = min(all_of_them)[0]
    wants = tuple(
        (tuple(below if x < cut else -below for x in xs), least)
        for error, cut, below in all_of_them
        if error <= least + 1e-9
    )
    shown = ", ".join(str(list(part)) for part in (xs, labels, weights))
    said = " or ".join(f"{error:.3g}, with the labels {list(s)}" for s, error in wants[:2])
    return Case(
        (list(xs), list(labels), list(weights)),
        wants,
        shown,
        wanted=f"error {said},",
        via=_read,
        behaviour=_shows(xs, weights),
    )


def _shows(xs: Sequence[float], weights: Sequence[float]) -> str:
    if list(xs) != sorted(set(xs)):
        return "rows in any order, some with equal values"
    alike = len(set(weights)) == 1
    return "rows that weigh the same" if alike else "rows that do not weigh the same"


def _fresh_stumps(rng: np.random.Generator) -> Iterator[Case]:
    for n, sort, alike in (
        (5, True, True),
        (8, True, True),
        (8, True, False),
        (12, True, False),
        (5, False, False),
        (12, False, False),
    ):
        xs = [int(x) for x in rng.permutation(30)[:n]]
        labels = [1, -1, *(int(y) for y in rng.choice([1, -1], n - 2))]
        parts = np.ones(n) if alike else np.array([1, 9, *rng.integers(1, 9, n - 2)])
        # Out of order for certain, and the last two rows of one value.
        xs = sorted(xs) if sort else [30, *xs[: n - 3], 0, 0]
        yield _stump_case(xs, labels, [float(p) for p in parts / parts.sum()])


def _told(outcomes: tuple[Outcome, ...], says: Callable[..., tuple[float, ...]]) -> list[int]:
    """The cases whose error is one of those that a mistake would give.

    Not the stump is compared: of several that are equally wrong a learner may take any.
    """
    found = []
    for i, (rows, outcome) in enumerate(zip(_BEST.cases, outcomes, strict=False)):
        if outcome.kind == "values":
            given = outcome.value[1]
            found += [i] if any(abs(given - e) < _CLOSE for e in says(*rows)) else []
    return found


def _counts(xs: list[float], labels: list[int], weights: list[float]) -> tuple[float, ...]:
    if len(set(weights)) == 1:
        return ()  # to count and to weigh come to the same
    wrong = min(offers(xs, labels, [1.0] * len(xs)))[0]
    return wrong, wrong / len(xs)


def _when(says: Callable[..., tuple[float, ...]], least: int) -> Callable[..., list[int]]:
    """Recognises a mistake by its errors, seen in so many cases at least."""

    def recognise(outcomes: tuple[Outcome, ...]) -> list[int]:
        found = _told(outcomes, says)
        return found if len(found) >= least else []

    return recognise


def _wrong(outcomes: tuple[Outcome, ...]) -> list[int]:
    lines = BEST_STUMP.task.judge(outcomes[: len(_BEST.cases)])  # hidden ones tell the same
    return [i for i, line in enumerate(lines) if not line.passed]


def _only_out_of_order(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases that are wrong, if all of those have rows that do not come in order.

    Where it says the same of all rows, it goes wrong by another mistake.
    """
    alike = [o.kind == "values" and len({*o.value[0]}) == 1 for o in outcomes]
    found = [i for i in _wrong(outcomes) if not alike[i]]
    ordered = [xs == sorted(xs) for xs, *_ in _BEST.cases]
    return [] if any(i >= len(ordered) or ordered[i] for i in found) else found


def _other_stump(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases whose error is right and does not belong to the stump that came with it."""
    right = _told(outcomes, lambda *rows: (min(offers(*rows))[0],))
    found = [i for i in _wrong(outcomes) if i in right]
    return found if len(found) >= 2 else []  # noqa: PLR2004 - once may be chance


def _not_three_things(outcome: Outcome) -> bool:
    """Whether not three things came back, or the second is no label."""
    words = ("three things are to come back", "the second thing is to be the label")
    return any(one in outcome.says for one in words)


BEST_STUMP = _BEST.function(
    _stump_case,
    _fresh_stumps,
    {
        "shape": where(_not_three_things),
        "counted": _when(_counts, 3),
        "out of order": _only_out_of_order,
        "another stump": _other_stump,
        "worst": _when(lambda *rows: (max(offers(*rows))[0],), 4),
    },
)


_ROUND = page(__file__, "round")


def _round_case(weights: Sequence[float], wrong: Sequence[bool]) -> Case:
    alpha, new = _ROUND.right()(weights, wrong)
    wanted = f"alpha {alpha:.4f} with the weights {', '.join(f'{w:.3g}' for w in new)}"
    alike = max(weights) - min(weights) < 1e-9  # noqa: PLR2004
    shows = "rows that weigh the same" if alike else "rows that do not weigh the same"
    return Case((list(weights), list(wrong)), ((alpha, new),), wanted=wanted, behaviour=shows)


def _fresh_rounds(rng: np.random.Generator) -> Iterator[Case]:
    for n, alike in ((4, False), (7, True), (7, False), (10, True), (10, False)):
        parts = np.ones(n) if alike else np.array([1, 9, *rng.integers(1, 9, n - 2)])
        wrong = [bool(i == rng.integers(n) or i == 1) for i in range(n)]
        yield _round_case([float(p) for p in parts / parts.sum()], wrong)


def _not_two_things(outcome: Outcome) -> bool:
    """Whether not a number and a list came back, in this order."""
    if outcome.kind != "values":
        return outcome.kind == "number"
    return len(outcome.value) != 2 or not isinstance(outcome.value[1], tuple)  # noqa: PLR2004


ROUND = _ROUND.function(_round_case, _fresh_rounds, {"shape": where(_not_two_things)})


_VOTE = page(__file__, "vote")


def _vote_case(answers: Sequence[int], alphas: Sequence[float]) -> Case:
    label = _VOTE.right()(answers, alphas)
    if min(alphas) < 0:
        shows = "a negative alpha"
    elif label * sum(answers) <= 0:  # a majority for the other label, or none
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


VOTE = _VOTE.function(_vote_case, _fresh_votes)


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


def _heavy_rounds(walk: Walk) -> list[bool]:
    """Whether a row became so heavy, for each round up to where the walk stands."""
    rounds = [e for e in walk.story.events[: walk.cursor] if isinstance(e, Reweighted)]
    return [bool(e.weights.max() > _HEAVY) for e in rounds]


def _for_the_first_time(walk: Walk) -> bool:
    """Whether no earlier round had a row so heavy; a new round shows the last one's weights."""
    return _heavy(walk) and not any(_heavy_rounds(walk)[:-1])


def _not_heavy(walk: Walk) -> bool:
    return _boosts(walk) and not _heavy(walk)


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
                _for_the_first_time,
                lambda walk: (
                    "for the first time" if _for_the_first_time(walk) else "not the first time"
                ),
                "the first time that a row is so heavy",
            ),
        ),
        blank=lambda walk: walk.cursor == 0 and _boosts(walk),
    ),
    seen={
        "not yet": misses(walk_at(3), lambda w: _not_heavy(w) and not any(_heavy_rounds(w)), 1, 2),
        "gone past": misses(walk_at(12), lambda w: _not_heavy(w) and any(_heavy_rounds(w)), 1, 2),
        "heavy again": misses(walk_at(18), lambda w: _heavy(w) and not _for_the_first_time(w), 2),
        "another algorithm": misses(walk_at(2, "id3"), lambda w: not _boosts(w), 0, 1, 2),
    },
)


_LEFT_OVER = page(__file__, "left-over")


def _left_case(sizes: Sequence[int], left: Sequence[float], rate: float) -> Case:
    shows = "all of the answer is added" if rate == 1 else "a part of the answer is added"
    return _LEFT_OVER.case(shows, [*sizes], [*left], rate)


def _fresh_left(rng: np.random.Generator) -> Iterator[Case]:
    for n, rate in ((4, 1), (7, 1), (4, 0.5), (6, 0.25), (9, 0.1)):
        sizes = np.sort(rng.permutation(100)[:n] + 20).tolist()
        yield _left_case(sizes, rng.integers(-40, 40, n).tolist(), rate)


LEFT_OVER = _LEFT_OVER.function(_left_case, _fresh_left, {"no list": gives("number", "text")})
