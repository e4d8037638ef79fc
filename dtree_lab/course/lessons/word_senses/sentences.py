"""From a sentence to a row: whether a word is near, and all the features."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code


def near_by_steps(sentence: str, word: str, window: int) -> bool:
    """Whether a word is near: every word is asked how many steps away it stands."""
    words = sentence.split()
    at = _at(words)
    return any(w == word and 1 <= abs(i - at) <= window for i, w in enumerate(words))


def _at(words: list[str]) -> int:
    return next(i for i, word in enumerate(words) if word.startswith("*"))


def _sliced(sentence: str, before: int, after: int) -> list[str]:
    words = sentence.split()
    at = _at(words)
    return words[max(at - before, 0) : at] + words[at + 1 : at + 1 + max(after, 0)]


def _whole_sentence(sentence: str, word: str, window: int) -> bool:  # noqa: ARG001
    return word in sentence.split()


def _wraps(sentence: str, word: str, window: int) -> bool:
    words = sentence.split()
    at = _at(words)
    return word in words[at - window : at] + words[at + 1 : at + 1 + window]


def _first_only(sentence: str, word: str, window: int) -> bool:
    words = sentence.split()
    return word in words and abs(words.index(word) - _at(words)) <= window


def _with_the_word_itself(sentence: str, word: str, window: int) -> bool:
    words = sentence.split()
    at = _at(words)
    return any(w.strip("*") == word for w in words[max(at - window, 0) : at + window + 1])


def _letters(sentence: str, word: str, window: int) -> bool:
    first, last = sentence.index("*"), sentence.rindex("*")
    return word in sentence[max(first - window, 0) : last + 1 + window]


def _first_word_decides(sentence: str, word: str, window: int) -> bool:
    words = sentence.split()
    return words[0] == word and _at(words) <= window


def _last_word_decides(sentence: str, word: str, window: int) -> bool:
    words = sentence.split()
    return words[-1] == word and len(words) - 1 - _at(words) <= window


def _beyond_the_end(sentence: str, word: str, window: int) -> bool:
    words = sentence.split()
    at = _at(words)
    return any(words[i] == word for i in range(max(at - window, 0), at + window + 1))


def _any_way(sentence: str, word: str, window: int, sign: int) -> bool:
    """A difference below the window is enough, however far below."""
    words = sentence.split()
    return any(w == word and sign * (i - _at(words)) <= window for i, w in enumerate(words))


def _no_truths(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind in ("text", "number", "values")]


def _stopped(kind: str, *words: str, without: str = "\0") -> Callable[..., list[int]]:
    """Recognises an answer that stops with an error of some words."""
    return lambda outcomes: [
        i
        for i, o in enumerate(outcomes)
        if (o.kind, o.value) == ("raised", kind)
        and all(word in o.says for word in words)
        and without not in o.says
    ]


def _case(behaviour: str, sentence: str, word: str, window: int) -> Case:
    want = near_by_steps(sentence, word, window)
    return Case((sentence, word, window), (want,), behaviour=behaviour)


_ANY_WAY = (
    "On one side, a word counts as near however far away it is. The difference of two places may be"
    " negative: how does a distance come of it?"
)
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
        found.append(_case(_FAR, " ".join(words), "race", int(rng.integers(1, 5))))
    return tuple(found)


NEAR = Exercise(
    id="word-senses/near",
    title="near(word) as a function",
    points=3,
    heading="near",
    text="""Write `near(sentence, word, window)`: `True` if the word stands at most `window` words
before or after the ambiguous one, else `False`. To keep it simple, the sentence is a text in small
letters without punctuation, and the ambiguous word stands between stars: `"the river *ran* past the
mill"`. There, *river* is 1 word away, and *mill* 3.""",
    stub="""def near(sentence, word, window):
    # your lines, in place of the dots
    ...""",
    answer="near",
    task=Code("near", tuple(_case(*case) for case in _CASES), fresh=_fresh_near),
    mistakes=(
        Mistake(
            _whole_sentence,
            "It finds the word anywhere in the sentence. How far away may it stand?",
        ),
        Mistake(
            lambda s, w, n: w in " ".join(_sliced(s, n, n)),
            "It looks for the letters, and finds them inside longer words too: there is a *race* in"
            " a bracelet. Compare whole words, with ``sentence.split()``.",
        ),
        Mistake(
            _letters,
            "The window is counted in letters. Split the sentence into words first; then count"
            " those.",
        ),
        Mistake(
            lambda s, w, n: w in _sliced(s, 0, n),
            "It looks after the ambiguous word only. What about those before it?",
        ),
        Mistake(
            lambda s, w, n: w in _sliced(s, n, 0),
            "It looks before the ambiguous word only. What about those after it?",
        ),
        Mistake(
            lambda s, w, n: w in _sliced(s, n, n - 1),
            "The window is one word too short at its end. Where does a slice stop: at its last"
            " index, or before it?",
        ),
        Mistake(
            lambda s, w, n: w in _sliced(s, n - 1, n - 1),
            "A word that stands exactly at the edge of the window is near. Is it ``<`` or ``<=``?",
        ),
        Mistake(
            lambda s, w, n: w in _sliced(s, n + 1, n + 1),
            "The window is one word too wide on both sides. A word next to the ambiguous one is 1"
            " word away, not 0.",
        ),
        Mistake(
            _wraps,
            "It goes wrong where there are fewer words before the ambiguous one than the window is"
            " wide. What does Python make of a slice that starts at a negative index?",
        ),
        Mistake(
            _first_only,
            "It looks at the first place where the word stands. If it stands there twice, the"
            " second may be near.",
        ),
        Mistake(
            _with_the_word_itself,
            "It counts the ambiguous word as standing near itself. Leave it out.",
        ),
        Mistake(
            lambda s, w, n: False,  # noqa: ARG005
            "It says False to every word. Must the word stand on both sides at once (``and``)? Or"
            " is it looked for among single letters, and not among words?",
        ),
        Mistake(
            _first_word_decides,
            "It has made up its mind after the first word of the sentence. Does the loop go on when"
            " a word is not the one?",
        ),
        Mistake(
            _last_word_decides,
            "The last word of the sentence decides alone: what was found before it is overwritten.",
        ),
        *(
            Mistake(lambda s, w, n, sign=sign: _any_way(s, w, n, sign), _ANY_WAY)
            for sign in (1, -1)
        ),
        Mistake(
            lambda s, w, n: "yes" if near_by_steps(s, w, n) else "no",
            "Asked for is a truth value, ``True`` or ``False``: no text, no number and no list of"
            " what was found.",
            when=_no_truths,
        ),
        Mistake(
            lambda s, w, n: s.split().index("*ran*") + n > len(w),
            "It looks for one form of the ambiguous word. The forms differ from sentence to"
            " sentence: only the stars are always there.",
            when=_stopped("ValueError", "'*", "is not in list"),
        ),
        Mistake(
            lambda s, w, n: s.split().index(w) <= n,
            "The word need not be in the sentence at all; ``index`` stops with an error then.",
            when=_stopped("ValueError", "is not in list", without="'*"),
        ),
        Mistake(
            _beyond_the_end,
            "It asks for words beyond the end of the sentence. How many places are there?",
            when=_stopped("IndexError"),
        ),
    ),
    more="``words = sentence.split()`` gives the words. Find the place of the one that begins with"
    " a star; then go through ``enumerate(words)`` and ask how far each is from that place.",
    solution="""def near(sentence, word, window):
    words = sentence.split()
    place = [i for i, w in enumerate(words) if w.startswith("*")][0]
    for i, w in enumerate(words):
        if w == word and abs(i - place) <= window:
            return True
    return False
""",
    why="The distance of two words is the difference of their places, whichever comes first:"
    " ``abs`` takes care of that. The ambiguous word has stars on, so it never equals the word that"
    " is looked for.",
)


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
