"""Which part is the trouble, and what to do about it: choices, and things to do in the lab."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.labs.biasvariance import model
from dtree_lab.labs.biasvariance.model import State, start, work
from dtree_lab.labs.biasvariance.trial import DEPTHS

_REASONS = ("1", "2", "3", "4")


_DEEP, _SETS = 6, 30
_BAG_DEEP, _BAG_SETS = 8, 20
_CLOSE = 1e-9


def load(state: str) -> State:
    """The lab's state, of a population of the course."""
    return model.load(state, None)


def at(**asked: object) -> str:
    """The state's text of a lab with some settings."""
    return model.dump(start(None, asked))


def _losses(state: State, *, bagging: bool) -> list[float]:
    """The error at each depth; of bagged trees from no more training sets than are asked for."""
    sets = min(state.asked.resamples, _BAG_SETS) if bagging else state.asked.resamples
    return _measured(model.dump(_with(state, sets, bagging=bagging)))


def _with(state: State, sets: int, *, bagging: bool) -> State:
    return replace(state, asked=replace(state.asked, resamples=sets, bagging=bagging))


@lru_cache(maxsize=16)
def _measured(asked: str) -> list[float]:
    """What is measured once for all goals: the lab itself measures while it is looked at."""
    state = load(asked)
    for measured, _ in work(state) or iter(()):
        state = measured
    return [float(loss) for loss in state.result.loss]


def _first(state: State) -> State:
    """With as many training sets as are bagged: the same for single and bagged trees."""
    return _with(state, min(state.asked.resamples, _BAG_SETS), bagging=False)


def _best(losses: list[float]) -> list[int]:
    """The depths at which the error is least."""
    return [d for d, loss in zip(DEPTHS, losses, strict=True) if loss - min(losses) <= _CLOSE]


def _deepest_best(state: State) -> int:
    return _best(_losses(state, bagging=False))[-1]


def _stands_there(state: State) -> bool:
    asked = state.asked.depth
    return asked >= _DEEP and asked in _best(_losses(state, bagging=False))


# With the sine, and so much noise or less, it is for lack of rows that a deep tree is not best.
_LITTLE_NOISE = 0.1


def _noisy(state: State) -> bool:
    return _deepest_best(state) < _DEEP and (state.asked.noise or 0) > _LITTLE_NOISE


def _few_rows(state: State) -> bool:
    return _deepest_best(state) < _DEEP and not _noisy(state)


DEEP_BEST = Exercise(
    id="bias-variance/deep-best",
    title="Where a deep tree is best",
    points=3,
    heading="where a deep tree is best",
    text="""In the lab below, choose the noise and the number of rows so that the error of *single*
trees is least at **depth 6 or deeper**, from at least 30 training sets. Set the depth to that one.
Then run the check.""",
    stub="""deep_lab = dt.BiasVarianceLab(population="sine", resamples=30)
deep_lab""",
    answer="deep_lab",
    task=Do(
        load,
        (
            Goal(
                lambda state: _deepest_best(state) >= _DEEP,
                lambda state: f"single trees: the error is least at depth {_deepest_best(state)}",
                f"depth {_DEEP} or deeper",
            ),
            Goal(
                _stands_there,
                lambda state: f"the depth slider stands at {state.asked.depth}",
                f"the depth of the least error, {_DEEP} or deeper,",
            ),
            Goal(
                lambda state: state.asked.resamples >= _SETS,
                lambda state: f"training sets: {state.asked.resamples}",
                f"at least {_SETS}",
            ),
        ),
        blank=lambda s: s.asked == start(None, {"source": "sine", "resamples": _SETS}).asked,
    ),
    mistakes=(
        Mistake(
            at(source="sine", depth=6, noise=0.3, n_rows=500),
            "A deep tree learns the noise in its rows by heart. As long as there is so much noise,"
            " that costs more than its fine steps bring.",
            when=when(_noisy, 0, 1),
        ),
        Mistake(
            at(source="sine", depth=6, noise=0.08, n_rows=20),
            "The noise is small now, but so are the training sets: deep down, each leaf has hardly"
            " a row to rest on. What would give the leaves more?",
            when=when(_few_rows, 0, 1),
        ),
        Mistake(
            at(source="sine", depth=3, noise=0.0, n_rows=400),
            "The world is right. But the depth slider stands elsewhere than where its error is"
            " least: the lab says in words where that is.",
            when=when(lambda s: _deepest_best(s) >= _DEEP and not _stands_there(s), 1),
        ),
        Mistake(
            at(source="sine", depth=10, noise=0.0, n_rows=400, resamples=10),
            "With so few training sets the curves still jump about: draw more.",
            when=when(lambda state: state.asked.resamples < _SETS, 2),
        ),
    ),
    more="Past the best depth it is variance that makes the error grow again. What two things feed"
    " it? Take both away, and more depth goes on paying.",
    solution="""deep_lab = dt.BiasVarianceLab(
    population="sine", depth=10, n=200, noise=0, resamples=30
)
""",
    why="Without noise there is nothing to learn by heart, and with enough rows each leaf of a deep"
    " tree has some to rest on. Little variance is left to pay for less bias, so the deepest trees"
    " are best. The best depth is a fact about a world and a number of rows, not about trees.",
)


def _gain(state: State) -> float:
    """By how much bagged trees of the depth that is looked at beat the best single trees."""
    together = _losses(state, bagging=True)[state.asked.depth - 1]
    return min(_losses(_first(state), bagging=False)) - together


def _bagged_says(state: State) -> str:
    together = _losses(state, bagging=True)[state.asked.depth - 1]
    alone = min(_losses(_first(state), bagging=False))
    return (
        f"error at depth {state.asked.depth}, bagged: {together:.3f}; of the best single trees:"
        f" {alone:.3f}"
    )


BAG_BEST = Exercise(
    id="bias-variance/bag-best",
    title="Better than any single tree",
    points=3,
    heading="better than any single tree",
    text="""In the lab, with *Bagging* on: find a world in which ten bagged trees of **depth 8 or
more** have a smaller error than single trees of *any* depth. The population is yours to choose. At
least 20 training sets.""",
    stub="""bag_lab = dt.BiasVarianceLab(population="sine", resamples=20)
bag_lab""",
    answer="bag_lab",
    task=Do(
        load,
        (
            Goal(
                lambda state: state.asked.bagging,
                lambda state: f"bagging is {'on' if state.asked.bagging else 'off'}",
                "on",
            ),
            Goal(
                lambda state: state.asked.depth >= _BAG_DEEP,
                lambda state: f"depth {state.asked.depth}",
                f"{_BAG_DEEP} or deeper",
            ),
            Goal(
                lambda state: state.asked.resamples >= _BAG_SETS,
                lambda state: f"training sets: {state.asked.resamples}",
                f"at least {_BAG_SETS}",
            ),
            Goal(
                lambda state: state.asked.depth >= _BAG_DEEP and _gain(state) > _CLOSE,
                _bagged_says,
                f"less than any single tree's, at depth {_BAG_DEEP} or deeper,",
            ),
        ),
        blank=lambda s: s.asked == start(None, {"source": "sine", "resamples": _BAG_SETS}).asked,
    ),
    mistakes=(
        Mistake(
            at(source="wave", depth=8, resamples=20, bagging=False),
            "Bagging is off: what you see are single trees. There is a switch for it.",
            when=when(lambda state: not state.asked.bagging, 0),
        ),
        Mistake(
            at(source="wave", depth=3, resamples=20, bagging=True),
            "Those are shallow trees. Bagging works on variance: which trees have the most of it?",
            when=when(lambda state: state.asked.depth < _BAG_DEEP, 1, 3),
        ),
        Mistake(
            at(source="wave", depth=8, resamples=5, bagging=True),
            "With so few training sets the curves still jump about: draw more.",
            when=when(lambda state: state.asked.resamples < _BAG_SETS, 2),
        ),
        Mistake(
            at(source="sine", depth=8, resamples=20, bagging=True),
            "In this world a single tree of the right depth has little variance left, so bagging"
            " has little to win. Look for a world whose truth is harder to follow with a few"
            " straight cuts, so that even the best single trees vary much.",
            when=when(lambda s: s.asked.depth >= _BAG_DEEP and _gain(s) <= _CLOSE, 3),
        ),
    ),
    more="Go through the populations, with bagging on and the depth at 8 or more. The thin line is"
    " the error of single trees: is its lowest point above what the bagged trees have at your"
    " depth?",
    solution=f"""bag_lab = dt.BiasVarianceLab(
    state='{at(source="wave", depth=10, resamples=20, bagging=True)}',
)
""",
    why="A wave, a circle, a checkerboard: deep trees can follow all of these, and vary much while"
    " they do so. Ten of them together keep the low bias and lose much of the variance, and no"
    " single tree has both. On the sine with much noise a single tree of depth 3 is hard to beat.",
)
