"""The exercise on the row that a sentence becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from dtree_lab.course.calls import Outcome


from dtree_lab.course.lessons.word_senses.near import MILL, near_by_steps


def _row(sentence: str, pos: str, words: list[str], window: int) -> dict[str, str]:
    found = {word: near_by_steps(sentence, word, window) for word in words}
    return {"pos": pos, **{f"near({w})": "yes" if is_ else "no" for w, is_ in found.items()}}


def _renamed(change: Callable[[str], str]) -> Callable[..., dict[str, str]]:
    return lambda *args: {change(key): value for key, value in _row(*args).items()}


def _turned(*args: Any) -> dict[str, str]:
    turn = {"yes": "no", "no": "yes"}
    return {key: turn.get(value, value) for key, value in _row(*args).items()}


def _truths(outcomes: tuple[Outcome, ...]) -> list[int]:
    values = [o.value if isinstance(o.value, dict) else {} for o in outcomes]
    return [i for i, v in enumerate(values) if any(isinstance(x, bool) for x in v.values())]


def _last_word(sentence: str, pos: str, words: list[str], window: int) -> dict[str, str]:
    return _row(sentence, pos, words[-1:], window)


def _row_case(sentence: str, pos: str, words: list[str], window: int) -> Case:
    return Case((sentence, pos, words, window), (_row(sentence, pos, words, window),))


def _fresh_rows(rng: np.random.Generator) -> tuple[Case, ...]:
    found = []
    for _ in range(5):
        words = rng.choice(["the", "river", "race", "luck", "new"], 8).tolist()
        words[int(rng.integers(8))] = "*run*"
        looked_for = rng.permutation(["river", "race", "luck", "tights"])[:3].tolist()
        pos = str(rng.choice(["noun", "verb"]))
        found.append(_row_case(" ".join(words), pos, looked_for, int(rng.integers(1, 4))))
    return tuple(found)


FEATURES = Exercise(
    id="word-senses/features",
    title="From a sentence to a row",
    points=3,
    answer="features",
    task=Code(
        "features",
        (
            _row_case(MILL, "verb", ["river", "mill"], 2),
            _row_case(MILL, "verb", ["river", "mill"], 3),
            _row_case("a *run* of bad luck", "noun", ["luck", "race", "bad"], 5),
            _row_case("we *ran* the race", "verb", ["river"], 2),
            _row_case("we *ran* home", "verb", [], 2),
        ),
        fresh=_fresh_rows,
    ),
    mistakes=(
        Mistake(
            lambda s, p, ws, n: {"pos": p, **{f"near({w})": near_by_steps(s, w, n) for w in ws}},
            "The values are truth values. In the table they are texts, ``yes`` and ``no``.",
            when=_truths,
        ),
        Mistake(
            _renamed(lambda key: key.removeprefix("near(").rstrip(")")),
            "The names are the bare words. In the table the column of *river* is called"
            " near(river).",
        ),
        Mistake(
            _renamed(lambda key: key.replace("near(", "near (")),
            "The names are spelt a little differently. There is no space in near(river).",
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
            "It gives a list of values. Asked for is a dictionary, with the name of each column.",
        ),
        Mistake(
            lambda s, p, ws, _: _row(s, p, ws, 99),
            "Each word is looked for in the whole sentence. The window is given: hand it on.",
        ),
        Mistake(
            _last_word,
            "Only the last word is in it. Is the dictionary made anew in every round of the loop,"
            " or does ``return`` stand inside it?",
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
