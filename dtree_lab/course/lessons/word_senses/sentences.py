"""From a sentence to a row: whether a word is near, and all the features."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case
from dtree_lab.course.tasks.code import Recogniser, where

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


_FAR, _WHOLE = "how far away a word stands", "whole words, and no others"
_ENDS = "the words at either end of a sentence"


def _fresh_near(rng: np.random.Generator) -> tuple[Case, ...]:
    found = []
    for _ in range(8):
        words = rng.choice(["the", "river", "race", "old", "traces"], 9).tolist()
        words[int(rng.integers(9))] = "*ran*"
        found.append(_near_case(_FAR, " ".join(words), "race", int(rng.integers(1, 5))))
    return tuple(found)


NEAR = _NEAR.function(
    _near_case,
    _fresh_near,
    {"one form": _not_in_list(form=True), "not in it": _not_in_list(form=False)},
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


FEATURES = _FEATURES.function(
    _row_case,
    _fresh_rows,
    {
        "truth values": _has_entry(lambda _, value: isinstance(value, bool | int | float)),
        "another name": _has_entry(_another_name),
        "braces": _has_entry(lambda name, _: name in ("near({w})", "near({word})", "near(word)")),
        "capitals": _has_entry(
            lambda _, value: str(value).lower() in _YES_NO and value not in _YES_NO
        ),
    },
)
