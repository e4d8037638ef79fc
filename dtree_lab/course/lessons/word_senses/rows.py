"""The exercise on the row that a sentence becomes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.word_senses.near import MILL, near_by_steps
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from dtree_lab.course.calls import Outcome


_YES_NO = ("yes", "no")


def _row(sentence: str, pos: str, words: list[str], window: int) -> dict[str, str]:
    found = {word: near_by_steps(sentence, word, window) for word in words}
    return {"pos": pos, **{f"near({w})": "yes" if is_ else "no" for w, is_ in found.items()}}


def _renamed(change: Callable[[str], str]) -> Callable[..., dict[str, str]]:
    return lambda *args: {change(key): value for key, value in _row(*args).items()}


def _turned(*args: Any) -> dict[str, str]:
    turn = {"yes": "no", "no": "yes"}
    return {key: turn.get(value, value) for key, value in _row(*args).items()}


def _where(strange: Callable[[Any, Any], bool]) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises rows in which some name and its value are strange."""
    return lambda outcomes: [
        i
        for i, o in enumerate(outcomes)
        if isinstance(o.value, dict) and any(strange(k, v) for k, v in o.value.items())
    ]


def _no_dictionary(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [
        i for i, o in enumerate(outcomes) if o.kind != "raised" and isinstance(o.value, tuple | str)
    ]


def _another_name(name: Any, _: Any) -> bool:
    return str(name).startswith("near") and not re.fullmatch(r"near\([^()\s]+\)", str(name))


def _last_word(sentence: str, pos: str, words: list[str], window: int) -> dict[str, str]:
    return _row(sentence, pos, words[-1:], window)


def _first_word(sentence: str, pos: str, words: list[str], window: int) -> dict[str, str] | None:
    return _row(sentence, pos, words[:1], window) if words else None


def _own_words(sentence: str, pos: str, words: list[str], window: int) -> dict[str, str]:  # noqa: ARG001
    return _row(sentence, pos, sentence.split(), window)


def _never_near(*args: Any) -> dict[str, str]:
    return {key: "no" if key.startswith("near") else value for key, value in _row(*args).items()}


def _braces(sentence: str, pos: str, words: list[str], window: int) -> dict[str, str]:
    found = _row(sentence, pos, words[-1:], window)
    return {"near({w})" if key != "pos" else key: value for key, value in found.items()}


_WINDOW, _WORDS = "the window", "the words that are looked for"


def _row_case(behaviour: str, sentence: str, pos: str, words: list[str], window: int) -> Case:
    want = _row(sentence, pos, words, window)
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


FEATURES = Exercise(
    id="word-senses/features",
    title="From a sentence to a row",
    points=3,
    heading="from a sentence to a row",
    text="""Write `features(sentence, pos, words, window)`: a dictionary with `"pos"`, and
`"near(river)"` for *river* and so on, each `"yes"` or `"no"`. Sentences are written as in Exercise
1, and you may call your `near`.""",
    stub="""def features(sentence, pos, words, window):
    # your lines, in place of the dots
    ...""",
    answer="features",
    task=Code(
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
    mistakes=(
        Mistake(
            lambda s, p, ws, n: {"pos": p, **{f"near({w})": near_by_steps(s, w, n) for w in ws}},
            "The values are truth values, or numbers. In the table they are texts, ``yes`` and"
            " ``no``.",
            when=_where(lambda _, value: isinstance(value, bool | int | float)),
        ),
        Mistake(
            _renamed(lambda key: key.removeprefix("near(").rstrip(")")),
            "The names are the bare words. In the table the column of *river* is called"
            " near(river).",
        ),
        Mistake(
            _renamed(lambda key: key.replace("near(", "near (")),
            "The names are spelt a little differently. In the table it is near(river), with two"
            " brackets and without a space.",
            when=_where(_another_name),
        ),
        Mistake(
            _braces,
            "The name is the same for every word. Between the brackets goes the word itself: in a"
            " text, braces are filled in only if an ``f`` stands before the quotes.",
            when=_where(lambda name, _: name in ("near({w})", "near({word})", "near(word)")),
        ),
        Mistake(
            lambda s, _, ws, n: _row(s, "pos", ws, n),
            "The text ``pos`` is the column's name, and what the variable ``pos`` holds is its"
            " value. Which of the two has quotes?",
        ),
        Mistake(
            lambda s, p, ws, n: {
                p if key == "pos" else key: v for key, v in _row(s, p, ws, n).items()
            },
            "The text ``pos`` is the column's name, and what the variable ``pos`` holds is its"
            " value. Which of the two has quotes?",
        ),
        Mistake(
            lambda *args: {k: v for k, v in _row(*args).items() if k != "pos"},
            "The part of speech is missing. It is given, and goes in under the name ``pos``.",
        ),
        Mistake(
            lambda *args: {k: v for k, v in _row(*args).items() if v != "no"},
            "Words that are not near are left out. A row has a value in every column, and *no* is"
            " one.",
        ),
        Mistake(
            _turned,
            "Yes and no have changed places.",
        ),
        Mistake(
            lambda *args: list(_row(*args).values()),
            "Asked for is one dictionary, with the name of each column and its value: no list, no"
            " text.",
            when=_no_dictionary,
        ),
        Mistake(
            lambda *args: {
                k: v.capitalize() if v in _YES_NO else v for k, v in _row(*args).items()
            },
            "In the table *yes* and *no* are written in small letters.",
            when=_where(lambda _, value: str(value).lower() in _YES_NO and value not in _YES_NO),
        ),
        Mistake(
            lambda s, p, ws, _: _row(s, p, ws, 99),
            "Words that stand too far away count as near. The window is given: pass it on.",
        ),
        Mistake(
            _last_word,
            "Only the last word is in it. Is the dictionary made anew in every round of the loop?",
        ),
        Mistake(
            _first_word,
            "Only the first word is in it. Does ``return`` stand inside the loop?",
        ),
        Mistake(
            _own_words,
            "It goes through the words of the sentence. The columns are those of ``words``, which"
            " are looked for in every sentence.",
        ),
        Mistake(
            _never_near,
            "It says no to every word. Does your ``near`` give back True when it should? (One that"
            " is not written yet gives back nothing, which counts as false.) Or is each *yes*"
            " overwritten?",
        ),
    ),
    more='Begin with ``row = {"pos": pos}``. Then go through the words; the name of a column is'
    ' ``f"near({word})"``.',
    solution="""def features(sentence, pos, words, window):
    row = {"pos": pos}
    for word in words:
        row[f"near({word})"] = "yes" if near(sentence, word, window) else "no"
    return row
""",
    why="One column for each word that is looked for, whether it is there or not: so all sentences"
    " give rows of the same shape, and a tree can be asked about any of them.",
)
