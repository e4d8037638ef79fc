"""The vote of the stumps, and a row that gets heavy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code, Do, Goal, when
from dtree_lab.datasets import tax_fraud
from dtree_lab.ensemble.adaboost import Reweighted, Weighed
from dtree_lab.labs.stepthrough.model import State as Walk
from dtree_lab.labs.stepthrough.model import WalkSettings as Asked
from dtree_lab.labs.stepthrough.model import dump, load, start


def _sum(answers: Sequence[int], alphas: Sequence[float]) -> float:
    return sum(s * a for s, a in zip(answers, alphas, strict=True))


def _vote(answers: Sequence[int], alphas: Sequence[float]) -> int:
    return 1 if _sum(answers, alphas) > 0 else -1


def _heads(answers: Sequence[int]) -> int:
    return 1 if sum(answers) > 0 else -1


def _vote_case(answers: Sequence[int], alphas: Sequence[float]) -> Case:
    label = _vote(answers, alphas)
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
        if abs(_sum(*one)) > 1e-6:  # noqa: PLR2004
            case = _vote_case(*one)
            found.setdefault((case.behaviour, case.wants[0]), case)
    return tuple(found.values())


def _texts(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, outcome in enumerate(outcomes) if outcome.kind == "text"]


_HALF = 0.5
_HEADS = (
    "It counts heads. Each stump's answer weighs as much as its alpha, so one good stump may"
    " overrule two poor ones."
)
_BORDER = (
    "The border is in the wrong place. The labels are 1 and -1, so those that say 1 weigh more than"
    " the others just when the sum is above 0; neither ½ nor 1 is of any importance."
)

_FIRST = (
    "It gives what the first stump says. Does a ``return`` stand inside the loop, and end it in its"
    " first round?"
)
_LAST = "It gives what the last stump says. Is the sum set back to 0 in each round of the loop?"
_WHATEVER = (
    "It decides without what the stumps say. It is their answers, 1 or -1, that are weighed: do"
    " they get into the sum?"
)
_SIGN = (
    "Look at a negative alpha. Its stump was wrong more often than right, so it counts against what"
    " it says: the sign belongs to the sum."
)

VOTE = Exercise(
    id="boosting/vote",
    title="The vote",
    points=2,
    heading="the vote",
    text="""Write `vote(answers, alphas)` for one row: `answers` are what the stumps say, 1 or −1,
and `alphas` what they weigh; an α may be negative. Return 1 or −1. (In a tie either will do.)""",
    stub="""def vote(answers, alphas):
    # your lines, in place of the dots
    ...""",
    answer="vote",
    task=Code(
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
    mistakes=(
        Mistake(lambda answers, _: 1 if sum(answers) > 0 else -1, _HEADS),
        Mistake(lambda answers, _: 1 if sum(answers) >= 0 else -1, _HEADS),
        Mistake(
            lambda answers, alphas: 1 if _sum(answers, alphas) > sum(alphas) / 2 else -1, _BORDER
        ),
        Mistake(lambda answers, alphas: 1 if _sum(answers, alphas) >= 1 else -1, _BORDER),
        Mistake(lambda answers, alphas: 1 if _sum(answers, alphas) > _HALF else -1, _BORDER),
        Mistake(
            lambda answers, alphas: (
                1 if sum(a for s, a in zip(answers, alphas, strict=True) if s > 0) > 0 else -1
            ),
            "It adds up those that say 1 alone. Those that say -1 speak against them: theirs is"
            " taken off.",
        ),
        Mistake(
            lambda answers, alphas: (
                1 if sum(a for s, a in zip(answers, alphas, strict=True) if s > 0) > _HALF else -1
            ),
            _BORDER,
        ),
        Mistake(
            _sum,
            "It gives the sum itself. How sure the vote is would be worth knowing; asked for is the"
            " label, 1 or -1.",
        ),
        Mistake(
            lambda answers, alphas: answers[alphas.index(max(alphas))],
            "It listens to the stump with the largest alpha alone. Together the others may weigh"
            " more.",
        ),
        Mistake(
            lambda answers, alphas: _sum(answers, alphas) > 0,
            "It gives a truth value. Asked for is the label: the number 1 or the number -1.",
        ),
        Mistake(
            lambda answers, alphas: max(_vote(answers, alphas), 0),
            "It gives 0 where the other label wins. The two labels are 1 and -1.",
        ),
        Mistake(
            lambda answers, alphas: str(_vote(answers, alphas)),
            "It gives a text. The labels are numbers here, without quotes: 1 and -1.",
            when=_texts,
        ),
        Mistake(
            lambda answers, _: answers[0],
            _FIRST,
        ),
        Mistake(lambda answers, alphas: _vote(answers[:1], alphas[:1]), _FIRST),
        Mistake(
            lambda answers, _: answers[-1],
            _LAST,
        ),
        Mistake(lambda answers, alphas: _vote(answers[-1:], alphas[-1:]), _LAST),
        Mistake(
            lambda answers, _: 1 if answers else -1,
            _WHATEVER,
        ),
        Mistake(lambda _, alphas: 1 if sum(alphas) > 0 else -1, _WHATEVER),
        Mistake(
            lambda answers, alphas: _vote(answers, [abs(a) for a in alphas]),
            _SIGN,
        ),
        Mistake(
            lambda answers, alphas: _vote(answers, [max(a, 0.0) for a in alphas]),
            _SIGN,
        ),
        Mistake(
            lambda answers, alphas: -_vote(answers, alphas),
            "It gives the label that loses the vote. A positive sum means 1.",
        ),
    ),
    more="Multiply each answer, 1 or -1, by its alpha and add them all up. The sign of the sum is"
    " the label.",
    solution="""def vote(answers, alphas):
    total = sum(says * alpha for says, alpha in zip(answers, alphas))
    return 1 if total > 0 else -1
""",
    why="Since the labels are 1 and -1, the weighted sum is positive exactly when those that say 1"
    " weigh more.",
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


HEAVY_ROW = Exercise(
    id="boosting/heavy-row",
    title="A row gets heavy",
    points=2,
    heading="a row gets heavy",
    text="""Now ten tax returns: who cheats? A return that one stump after another gets wrong
becomes heavier and heavier. Go to the **first** step at which a single row has **more than 0.3** of
all weight, and leave the lab there. (Running the cell once more starts afresh; *Keep in this cell*
writes what you have done into it.)

```python
tax = dt.datasets.tax_fraud()
```""",
    stub="""walk = dt.StepThrough(tax, "adaboost", n_stumps=6)
walk""",
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
