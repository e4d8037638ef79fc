"""What is done in the labs: a point on the curve, and a gain worked out on paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Do, Done, Goal, when
from dtree_lab.course.tasks.code import Recogniser
from dtree_lab.datasets import tax_fraud
from dtree_lab.labs.entropy import model as curve
from dtree_lab.labs.entropy.model import State as Curve
from dtree_lab.labs.entropy.model import start as begun
from dtree_lab.labs.kit.actions import Set
from dtree_lab.labs.practice.exercise import named
from dtree_lab.labs.practice.model import State, dump, load, start, update

_HALF, _WITHIN = 1 / 2, 0.01


def _height(state: Curve) -> float:
    return entropy_of([state.p, 1 - state.p])


def _placed(p: float) -> str:
    """The lab's state with the point somewhere."""
    return curve.dump(curve.update(begun(tax_fraud()), Set("p", p)))


def _at(state: Curve, *places: float) -> bool:
    return any(abs(state.p - place) < 1e-3 for place in places)  # noqa: PLR2004


def _uncertain(state: Curve) -> bool:
    return _height(state) > _HALF + _WITHIN and not _at(state, 1 / 4, 1 / 2)


def _certain(state: Curve) -> bool:
    return _height(state) < _HALF - _WITHIN and not _at(state, 0, 1)


HALF_A_BIT = page(__file__, "half-a-bit").exercise(
    Do(
        lambda text: curve.load(text, tax_fraud()),
        (
            Goal(
                lambda state: abs(_height(state) - _HALF) <= _WITHIN,
                lambda state: f"at p = {state.p:.3g} the entropy is {_height(state):.3f} bits",
                f"half a bit, to within {_WITHIN}",
            ),
        ),
        blank=lambda state: state.p == begun(tax_fraud()).p,
    ),
    seen={
        "half way": Mistake(_placed(1 / 4), when=when(lambda s: _at(s, 1 / 4, 3 / 4), 0)),
        "one half": Mistake(_placed(1 / 2), when=when(lambda s: _at(s, 1 / 2), 0)),
        "an end": Mistake(_placed(0), when=when(lambda s: _at(s, 0, 1), 0)),
        "too uncertain": Mistake(_placed(0.2), when=when(_uncertain, 0)),
        "too certain": Mistake(_placed(0.05), when=when(_certain, 0)),
    },
)


ATTRIBUTE, NODE = "Marital Status", {"Refund": "No"}


def _begun() -> State:
    return start(tax_fraud(), ATTRIBUTE, at=NODE)


def _same(state: State) -> bool:
    mine, asked = state.exercise, _begun().exercise
    return mine.attribute == ATTRIBUTE and named(mine.node) == named(asked.node)


def _right(state: State, *kinds: str) -> tuple[int, int]:
    """How many fields of some kinds were typed in rightly, and how many there are."""
    keys = [key for key in _begun().exercise.fields if key.split()[0] in kinds]
    verdicts = state.verdicts if _same(state) else {}
    return sum(key in verdicts and verdicts[key].right for key in keys), len(keys)


def _fields(name: str, *kinds: str) -> Goal[State]:
    def met(state: State) -> bool:
        right, of = _right(state, *kinds)
        return right == of

    def says(state: State) -> str:
        right, of = _right(state, *kinds)
        shown = [key for key in state.shown if key.split()[0] in kinds] if _same(state) else []
        return f"{name}: {right} of {of} right" + (f", {len(shown)} shown" if shown else "")

    return Goal(met, says, "all of them, filled in by you,")


def _filled(changes: Mapping[str, str], attribute: str = ATTRIBUTE) -> str:
    """The lab's state with every field filled in, some of them in another way."""
    state = start(tax_fraud(), attribute, at=NODE)
    for key, field in state.exercise.fields.items():
        text = changes.get(key, field.shown)
        state = update(state, Set(key, text)) if text else state
    return dump(state)


def _unmet(holds: Callable[[State], bool]) -> Recogniser:
    """Recognises a sheet with some property, in the goals that it does not meet."""

    def recognise(outcomes: tuple[Outcome, ...]) -> list[int]:
        done = outcomes[0].value
        if not isinstance(done, Done) or not holds(done.value):
            return []
        return [i for i, goal in enumerate(_GOALS) if not goal.met(done.value)]

    return recognise


def _empty(state: State) -> bool:
    return not state.shown and len(state.typed) < len(state.exercise.fields)


def _has(name: str) -> Recogniser:
    """Recognises a sheet of which a field was marked with some mistake."""
    return _unmet(lambda state: any(verdict.name == name for verdict in state.verdicts.values()))


_GOALS = (
    _fields("counts and fractions", "n", "p"),
    _fields("entropies of the branches", "h"),
    _fields("H(Y), H(Y|X) and the gain", "before", "left", "gain"),
)

PRACTICE = page(__file__, "practice").exercise(
    Do(
        lambda text: load(text, tax_fraud()),
        _GOALS,
        blank=lambda state: not state.typed and not state.shown,
    ),
    seen={
        "another sheet": Mistake(
            _filled({}, "Taxable Income"), when=_unmet(lambda state: not _same(state))
        ),
        "shown": Mistake(
            _filled({"gain": "?"}), when=_unmet(lambda state: _same(state) and bool(state.shown))
        ),
        "empty": Mistake(
            _filled({"left": "", "gain": ""}),
            when=_unmet(lambda state: _same(state) and _empty(state)),
        ),
        "nats": Mistake(
            _filled({"h 0": "0.637", "before": "0.683"}), when=_has("natural logarithm")
        ),
        "unweighted": Mistake(_filled({"left": "0.306"}), when=_has("unweighted mean")),
        "the whole table": Mistake(
            _filled({"p 0": "3/10", "p 1": "3/10", "p 2": "1/10"}),
            when=_has("share of the whole table"),
        ),
    },
)
