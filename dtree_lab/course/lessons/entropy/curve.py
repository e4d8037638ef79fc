"""The exercise of placing a point on the entropy curve."""

from __future__ import annotations

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Do, Goal, when
from dtree_lab.datasets import tax_fraud
from dtree_lab.widgets.entropy.model import dump, load, update
from dtree_lab.widgets.entropy.state import State, start
from dtree_lab.widgets.kit.actions import Set

_WITHIN = 0.01


def _height(state: State) -> float:
    return entropy_of([state.p, 1 - state.p])


def _placed(p: float) -> str:
    """The lab's state with the point somewhere."""
    return dump(update(start(tax_fraud()), Set("p", p)))


def _near(state: State, *places: float) -> bool:
    return any(abs(state.p - place) < 1e-3 for place in places)  # noqa: PLR2004


HALF_A_BIT = Exercise(
    id="entropy/half-a-bit",
    title="A point on the curve",
    points=2,
    answer="half",
    task=Do(
        lambda text: load(text, tax_fraud()),
        (
            Goal(
                lambda state: abs(_height(state) - 1 / 2) <= _WITHIN,
                lambda state: f"at p = {state.p:.3g} the entropy is {_height(state):.3f} bits",
                f"half a bit, to within {_WITHIN}",
            ),
        ),
        blank=lambda state: state.p == start(tax_fraud()).p,
    ),
    mistakes=(
        Mistake(
            _placed(1 / 4),
            "That is half-way to the middle along the axis of p. What is to be half as large is the"
            " height of the curve.",
            when=when(lambda state: _near(state, 1 / 4, 3 / 4), 0),
        ),
        Mistake(
            _placed(1 / 2),
            "That is a share of one half, and the top of the curve. What is to be one half is the"
            " entropy.",
            when=when(lambda state: _near(state, 1 / 2), 0),
        ),
        Mistake(
            _placed(0),
            "At either end you are certain of the label: the entropy is 0.",
            when=when(lambda state: _near(state, 0, 1), 0),
        ),
        Mistake(
            _placed(0.2),
            "That is too uncertain. Move away from the middle, where the curve is steeper: a small"
            " step goes a long way there.",
            when=when(
                lambda state: _height(state) > 1 / 2 + _WITHIN and not _near(state, 1 / 4, 1 / 2),
                0,
            ),
        ),
        Mistake(
            _placed(0.05),
            "That is too certain. Move towards the middle, in small steps: the curve is steep"
            " here.",
            when=when(lambda state: _height(state) < 1 / 2 - _WITHIN and not _near(state, 0, 1), 0),
        ),
    ),
    more="Type numbers for p and watch the sum beneath: try a tenth, see on which side of half a"
    " bit you are, and go on from there in hundredths. There are two such places.",
    solution="half = dt.EntropyLab()\n"
    'half.act({"do": "set", "control": "typed", "value": "0.11"})  # as if typed into the field\n'
    "half",
    why="At p = 0.11 the entropy is 0.11 · 3.184 + 0.89 · 0.168 = 0.500 bits; 0.89 is just as good,"
    " for the names of the labels play no part. So one dissenting row in nine already takes half"
    " of what a coin toss takes.",
)
