"""What heaps have of entropy, a point on its curve, and a gain worked out on paper."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Done, Goal
from dtree_lab.course.tasks.code import Recogniser, fails_at
from dtree_lab.course.tasks.do import misses
from dtree_lab.criteria.classes import entropy
from dtree_lab.datasets import tax_fraud, truth_table, two_attributes, word_sense
from dtree_lab.labs.entropy import model as curve
from dtree_lab.labs.entropy.model import State as Curve
from dtree_lab.labs.entropy.model import start as begun
from dtree_lab.labs.kit.actions import Set
from dtree_lab.labs.practice.exercise import named
from dtree_lab.labs.practice.model import State, dump, load, start, update

Heaps: TypeAlias = list[list[int]]
Rows: TypeAlias = list[dict[str, Any]]
_NEAR = 1e-3


def _drawn_heaps(rng: np.random.Generator, shapes: list[list[int]]) -> list[Heaps]:
    """Heaps by chance, none of them empty, so many each time and of so many labels."""
    drawn = []
    for n_heaps, n_labels in shapes:
        heaps = rng.integers(0, 9, (n_heaps, n_labels))
        heaps[:, 0] += heaps.sum(axis=1) == 0
        drawn.append(heaps.tolist())
    return drawn


_LEFT = page(__file__, "conditional")
# Those in which some label is missing from some heap.
_WITH_ZERO = [i for i, (heaps,) in enumerate(_LEFT.cases) if any(0 in heap for heap in heaps)]
_WITHOUT = [i for i in range(len(_LEFT.cases)) if i not in _WITH_ZERO]


def _unpacked(of: Callable[[Heaps], int]) -> Recogniser:
    """Recognises the cases with something else than two, where all of these fail to be unpacked."""
    others = [i for i, (heaps,) in enumerate(_LEFT.cases) if of(heaps) != 2]  # noqa: PLR2004

    def recognise(outcomes: tuple[Outcome, ...]) -> list[int]:
        failing = {i for i, o in enumerate(outcomes) if "unpack" in o.says}
        return others if failing.issuperset(others) else []

    return recognise


def _left_case(heaps: Heaps) -> Case:
    behaviour = "two heaps" if len(heaps) == 2 else "any other number of heaps"  # noqa: PLR2004
    if any(0 in heap for heap in heaps):
        behaviour = "a label that is missing from a heap"
    return _LEFT.case(behaviour, heaps)


def _fresh_left(rng: np.random.Generator) -> tuple[Case, ...]:
    shapes = rng.integers((1, 2), (6, 5), (6, 2)).tolist()
    return tuple(map(_left_case, _drawn_heaps(rng, shapes)))


CONDITIONAL = _LEFT.function(
    _left_case,
    _fresh_left,
    {
        "a label that is missing": fails_at(_WITH_ZERO, but_not=_WITHOUT),
        "two heaps": _unpacked(len),
        "two labels": _unpacked(lambda heaps: len(heaps[0])),
    },
)


_GAIN = page(__file__, "gain")
_TABLES: dict[str, Rows] = {
    "the eight rows": list(two_attributes().rows()),
    "the ten tax returns": list(tax_fraud().rows()),
    "seven rows with four labels": list(word_sense().rows()),
    "the four rows of XOR": list(truth_table("xor", 2).rows()),
    "three rows with one value": [{"X": "a", "Y": label} for label in ("T", "T", "F")],
}


def _gain_case(name: str, attribute: str, target: str, own: Rows | None = None) -> Case:
    rows = own or _TABLES[name]
    values, labels = ({row[key] for row in rows} for key in (attribute, target))
    shows = "other values and labels"
    if values | labels <= {"T", "F"}:
        shows = "values and labels T and F"
    elif len(values) != 2:  # noqa: PLR2004
        shows = "one value, or more than two"
    says = f"{name}, {attribute!r}, {target!r}"
    return _GAIN.case(shows, rows, attribute, target, says=says)


def _fresh_gain(rng: np.random.Generator) -> Iterator[Case]:
    """Tables by chance, with other names and values than those of the lesson."""
    for n, n_values, n_labels in rng.integers((6, 1, 2), (30, 6, 5), (5, 3)).tolist():
        drawn = zip(rng.integers(0, n_values, n), rng.integers(0, n_labels, n), strict=True)
        rows = [{"shape": f"v{x}", "colour": f"c{y}"} for x, y in drawn]
        yield _gain_case(f"{n} other rows", "shape", "colour", rows)


def _entropy_of(labels: list[Any]) -> float:
    return entropy(list(Counter(labels).values()))


def _one_heap(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where just one heap is taken off: which one, is a matter of the order of a set."""
    found, taken = [], 0
    for i, (name, attribute, target) in enumerate(_GAIN.cases):
        rows = _TABLES[name]
        gave, right = outcomes[i], _GAIN.right()(rows, attribute, target)
        if gave.kind != "number" or abs(gave.value - right) < _NEAR:
            continue
        before = _entropy_of([row[target] for row in rows])
        values = {row[attribute] for row in rows}
        heaps = [[row[target] for row in rows if row[attribute] == value] for value in values]
        ways = [before - len(heap) / len(rows) * _entropy_of(heap) for heap in heaps]
        if not any(abs(gave.value - way) < _NEAR for way in ways):
            return []
        found.append(i)
        taken += abs(gave.value - before) > _NEAR
    # One number may be so by chance: two heaps of two questions can be alike.
    return found if taken > 1 else []


GAIN = _GAIN.function(_gain_case, _fresh_gain, {"one heap": _one_heap})


_RATIO = page(__file__, "ratio")
_ONE_HEAP = len(_RATIO.cases) - 1


def _only_one_heap(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where a number comes back for one heap, and all is right but that."""
    *others, one = outcomes[: _ONE_HEAP + 1]
    right = all(
        o.kind == "number" and abs(o.value - _RATIO.right()(*heaps)) < _NEAR
        for o, heaps in zip(others, _RATIO.cases, strict=False)
    )
    wrong = one.kind == "number" and math.isfinite(one.value) and abs(one.value) > _NEAR
    return [_ONE_HEAP] if right and wrong else []


def _ratio_case(heaps: Heaps) -> Case:
    behaviour = "two heaps" if len(heaps) == 2 else "one heap, or more than two"  # noqa: PLR2004
    if len(heaps[0]) > 2:  # noqa: PLR2004
        behaviour = "three labels"
    return _RATIO.case(behaviour, heaps)


def _fresh_ratio(rng: np.random.Generator) -> tuple[Case, ...]:
    shapes = rng.integers((2, 2), (7, 4), (6, 2)).tolist()
    return tuple(map(_ratio_case, _drawn_heaps(rng, shapes)))


RATIO = _RATIO.function(
    _ratio_case,
    _fresh_ratio,
    {
        "nothing to divide by": fails_at([_ONE_HEAP], but_not=[0, 1]),
        "only one heap": _only_one_heap,
    },
)


_HALF, _WITHIN = 1 / 2, 0.01


def _height(state: Curve) -> float:
    return entropy_of([state.p, 1 - state.p])


def _placed(p: float) -> str:
    """The lab's state with the point somewhere."""
    return curve.dump(curve.update(begun(tax_fraud()), Set("p", p)))


def _at(state: Curve, *places: float) -> bool:
    return any(abs(state.p - place) < 1e-3 for place in places)  # noqa: PLR2004


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
        "half way": misses(_placed(1 / 4), lambda s: _at(s, 1 / 4, 3 / 4), 0),
        "one half": misses(_placed(1 / 2), lambda s: _at(s, 1 / 2), 0),
        "an end": misses(_placed(0), lambda s: _at(s, 0, 1), 0),
        "too uncertain": misses(
            _placed(0.2), lambda s: _height(s) > _HALF + _WITHIN and not _at(s, 1 / 4, 1 / 2), 0
        ),
        "too certain": misses(
            _placed(0.05), lambda s: _height(s) < _HALF - _WITHIN and not _at(s, 0, 1), 0
        ),
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
            when=_unmet(
                lambda state: (
                    _same(state)
                    and not state.shown
                    and len(state.typed) < len(state.exercise.fields)
                )
            ),
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
