"""From a sentence to a row; what an attribute gains, which gains most, and one level of a tree.

What is right is written apart from the library's own, so that each checks the other.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case
from dtree_lab.course.tasks.code import Recogniser, comes_to, provided, where
from dtree_lab.datasets import word_sense

Row: TypeAlias = "dict[str, Any]"
ALIKE = 1e-9  # bits
SENSE = "sense"
SEVEN: list[Row] = list(word_sense().rows())
NAMES = ["pos", "near(race)", "near(river)", "near(stockings)"]
VERBS = [row for row in SEVEN if row["pos"] == "verb"]


def _bits(labels: Iterable[Any]) -> float:
    """The entropy of some labels."""
    return entropy_of(Counter(labels).values())


def heaps(rows: Sequence[Row], name: str) -> list[list[Any]]:
    """The labels of the rows with each value of an attribute."""
    values = dict.fromkeys(row[name] for row in rows)
    return [[row[SENSE] for row in rows if row[name] == value] for value in values]


def remains(rows: Sequence[Row], name: str) -> float:
    """The entropy that is left after asking an attribute."""
    return math.fsum(len(heap) / len(rows) * _bits(heap) for heap in heaps(rows, name))


def gain(rows: Sequence[Row], name: str) -> float:
    """The information gain of an attribute."""
    return _bits(row[SENSE] for row in rows) - remains(rows, name)


def highest(names: Sequence[str], score: Callable[[str], float]) -> tuple[str, ...]:
    """The names with the highest score, in order; several in a tie."""
    most = max(map(score, names))
    return tuple(name for name in names if score(name) >= most - ALIKE)


def best_of(rows: Sequence[Row], attributes: Sequence[str]) -> tuple[str, ...]:
    """The attributes that gain most, by the names given."""
    return highest(attributes, lambda name: gain(rows, name))


def most_frequent(rows: Sequence[Row]) -> tuple[Any, ...]:
    """The labels that most rows have."""
    counts = Counter(row[SENSE] for row in rows)
    return tuple(label for label, n in counts.items() if n == max(counts.values()))


def _tables() -> dict[str, list[Row]]:
    """The tables of ``rows.txt`` by their names: each has the columns' names and a line a row."""
    text = Path(__file__).with_name("rows.txt").read_text(encoding="utf-8")
    tables = {}
    for title, lines in re.findall(r"^\[(.+)\]\n((?:[^#\n].*\n)+)", text, re.MULTILINE):
        names, *rows = map(str.split, lines.splitlines())
        tables[title] = [dict(zip(names, row, strict=True)) for row in rows]
    return tables


def drawn_rows(rng: np.random.Generator, n_rows: int) -> list[Row]:
    """Rows with four attributes and a sense that goes with two of them, more or less."""
    found: list[Row] = []
    for _ in range(n_rows):
        pos = str(rng.choice(["noun", "verb", "adjective"]))
        near = {f"near({word})": str(rng.choice(["no", "yes"])) for word in ("sea", "fog", "lamp")}
        told = ("light1" if pos == "noun" else "light4") if near["near(sea)"] == "no" else "light2"
        sense = told if rng.random() < 0.8 else str(rng.choice(["light1", "light2", "light3"]))  # noqa: PLR2004
        found.append({"pos": pos, **near, SENSE: sense})
    return found


TABLES: dict[str, list[Row]] = {
    **_tables(),
    "the seven rows": SEVEN,
    "the five verbs": VERBS,
    "the two nouns": [row for row in SEVEN if row["pos"] == "noun"],
    "three verbs": [row for row in VERBS if row["near(river)"] == "yes"],
    "two rows": SEVEN[1:3],
    "a single row": SEVEN[:1],
}


def of_table(case: Callable[..., Case]) -> Callable[..., Case]:
    """What makes a case of the name of a table, in place of its rows; the last are its words."""
    return lambda shows, table, *rest: case(shows, TABLES[table], *rest[:-1], says=rest[-1])


def _best_case(behaviour: str, rows: list[Row], names: list[str], says: str) -> Case:
    most = best_of(rows, names)
    return Case((rows, names), most, says, behaviour="a tie" if len(most) > 1 else behaviour)


def _fresh_best(rng: np.random.Generator) -> tuple[Case, ...]:
    names, shows = ["pos", "near(sea)", "near(fog)", "near(lamp)"], "heaps of different sizes"
    return tuple(
        _best_case(shows, drawn_rows(rng, 9), names, "nine drawn rows, 4 names") for _ in "1234"
    )


BEST = page(__file__, "best").function(
    of_table(_best_case),
    _fresh_best,
    {
        "the label": comes_to(SENSE),
        "no name now and then": provided(  # which it does find for the seven rows
            where(lambda o: o.kind == "nothing" or o.value == ""), lambda cases: 0 not in cases
        ),
    },
)


# Two rungs on the way to ID3: where it stops, and one level of the tree.
_STOPS, _LEVEL = page(__file__, "stops"), page(__file__, "level")


def _fresh_stops(rng: np.random.Generator) -> tuple[Case, ...]:
    rows = drawn_rows(rng, 9)
    agree, left = "rows that agree, and rows that do not", "names that are left, or none"
    return (
        _STOPS.case(agree, rows[:1], NAMES, says="a drawn row, 4 names"),
        _STOPS.case(left, rows + SEVEN, [], says="many rows, no names"),
    )


def _fresh_levels(rng: np.random.Generator) -> tuple[Case, ...]:
    rows = drawn_rows(rng, 9)
    return (
        _LEVEL.case("values yes and no", rows, "near(fog)", says="nine drawn rows, near(fog)"),
        _LEVEL.case("other values", rows, "pos", says="nine drawn rows, pos"),
    )


STOPS = _STOPS.function(of_table(_STOPS.case), _fresh_stops)
LEVEL = _LEVEL.function(of_table(_LEVEL.case), _fresh_levels)


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


_FAR = "how far away a word stands"


def _fresh_near(rng: np.random.Generator) -> Iterator[Case]:
    for _ in range(8):
        words = rng.choice(["the", "river", "race", "old", "traces"], 9).tolist()
        words[int(rng.integers(9))] = "*ran*"
        yield _NEAR.case(_FAR, " ".join(words), "race", int(rng.integers(1, 5)))


NEAR = _NEAR.function(
    _NEAR.case,
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


_WORDS = "the words that are looked for"


def _fresh_rows(rng: np.random.Generator) -> Iterator[Case]:
    for _ in range(5):
        words = rng.choice(["the", "river", "race", "luck", "new"], 8).tolist()
        words[int(rng.integers(8))] = "*run*"
        looked_for = rng.permutation(["river", "race", "luck", "tights"])[:3].tolist()
        pos = str(rng.choice(["noun", "verb"]))
        yield _FEATURES.case(_WORDS, " ".join(words), pos, looked_for, int(rng.integers(1, 4)))


FEATURES = _FEATURES.function(
    _FEATURES.case,
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
