"""From a sentence to a row: whether a word is near, and all the features."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import Recogniser, gives, stops, where

_NEAR, _FEATURES = page(__file__, "near"), page(__file__, "features")


def _not_in_list(*, form: bool) -> Recogniser:
    """Recognises a search in vain for the word between the stars, or for the other one."""
    return where(
        lambda o: (
            (o.kind, o.value) == ("raised", "ValueError")
            and "is not in list" in o.says
            and ("'*" in o.says) == form
        )
    )


def _near_case(behaviour: str, sentence: str, word: str, window: int) -> Case:
    want = _NEAR.right()(sentence, word, window)
    return Case((sentence, word, window), (want,), behaviour=behaviour)


MILL = "the river *ran* past the mill"
_FAR, _WHOLE = "how far away a word stands", "whole words, and no others"
_ENDS = "the words at either end of a sentence"
_CASES = (
    (_FAR, MILL, "river", 1),
    (_FAR, MILL, "mill", 2),
    (_FAR, MILL, "mill", 3),
    (_FAR, "we *ran* to the old race track", "race", 4),
    (_WHOLE, "they *run* a race there", "race", 3),
    (_ENDS, "tears *ran* down her face", "tears", 3),
    (_ENDS, "tears *ran* down her face", "face", 1),
    (_WHOLE, "she said that her bracelet *ran* down her arm", "race", 3),
    (_FAR, "where the river is wide a river *runs* to the sea", "river", 2),
    (_WHOLE, "that was a long *run* of luck", "run", 2),
    (_FAR, "the race that they *ran* was long", "race", 3),
    (_FAR, "the race that they *ran* was long", "race", 2),
    (_ENDS, "the stockings have a *run*", "stockings", 9),
    (_WHOLE, "a *run* of luck", "race", 3),
    # Out of every window, of so many words or of so many letters.
    (_FAR, "a race that nobody remembers nowadays was *run* here", "race", 3),
)


def _fresh_near(rng: np.random.Generator) -> tuple[Case, ...]:
    found = []
    for _ in range(8):
        words = rng.choice(["the", "river", "race", "old", "traces"], 9).tolist()
        words[int(rng.integers(9))] = "*ran*"
        found.append(_near_case(_FAR, " ".join(words), "race", int(rng.integers(1, 5))))
    return tuple(found)


NEAR = _NEAR.exercise(
    Code("near", tuple(_near_case(*case) for case in _CASES), fresh=_fresh_near),
    seen={
        "no truth value": gives("text", "number", "values"),
        "one form": _not_in_list(form=True),
        "not in it": _not_in_list(form=False),
        "beyond the end": stops("IndexError"),
    },
)


_YES_NO = ("yes", "no")


def _has_entry(strange: Callable[[Any, Any], bool]) -> Recogniser:
    """Recognises rows in which some name and its value are strange."""
    return where(
        lambda o: isinstance(o.value, dict) and any(strange(k, v) for k, v in o.value.items())
    )


def _another_name(name: Any, _: Any) -> bool:
    return str(name).startswith("near") and not re.fullmatch(r"near\([^()\s]+\)", str(name))


_WINDOW, _WORDS = "the window", "the words that are looked for"


def _row_case(behaviour: str, sentence: str, pos: str, words: list[str], window: int) -> Case:
    want = _FEATURES.right()(sentence, pos, words, window)
    return Case((sentence, pos, words, window), (want,), behaviour=behaviour)


def _fresh_rows(rng: np.random.Generator) -> tuple[Case, ...]:
    found = []
    for _ in range(5):
        words = rng.choice(["the", "river", "race", "luck", "new"], 8).tolist()
        words[int(rng.integers(8))] = "*run*"
        looked_for = rng.permutation(["river", "race", "luck", "tights"])[:3].tolist()
        pos = str(rng.choice(["noun", "verb"]))
        found.append(_row_case(_WORDS, " ".join(words), pos, looked_for, int(rng.integers(1, 4))))
    return tuple(found)


FEATURES = _FEATURES.exercise(
    Code(
        "features",
        (
            _row_case(_WINDOW, MILL, "verb", ["river", "mill"], 2),
            _row_case(_WINDOW, MILL, "verb", ["river", "mill"], 3),
            _row_case(_WORDS, "a *run* of bad luck", "noun", ["luck", "race"], 5),
            _row_case(_WORDS, "we *ran* the race", "verb", ["river"], 2),
            _row_case(_WORDS, "we *ran* home", "verb", [], 2),
        ),
        fresh=_fresh_rows,
    ),
    seen={
        "truth values": _has_entry(lambda _, value: isinstance(value, bool | int | float)),
        "another name": _has_entry(_another_name),
        "braces": _has_entry(lambda name, _: name in ("near({w})", "near({word})", "near(word)")),
        "no dictionary": where(lambda o: o.kind != "raised" and isinstance(o.value, tuple | str)),
        "capitals": _has_entry(
            lambda _, value: str(value).lower() in _YES_NO and value not in _YES_NO
        ),
    },
)
