"""The exercise on near(word)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from dtree_lab.course.calls import Outcome


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
