"""The exercise to write XOR as a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from dtree_lab.course.calls import Outcome

    Row: TypeAlias = dict[str, str]
    Outcomes: TypeAlias = tuple[Outcome, ...]


def _case(values: str) -> Case:
    row = {f"a{i}": value for i, value in enumerate(values, start=1)}
    behaviour = "two values" if len(values) == 2 else "any other number of values"  # noqa: PLR2004
    return Case((row,), ("FT"[values.count("T") % 2],), behaviour=behaviour)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(2, 9, size=6)
    return tuple(_case("".join(rng.choice(["F", "T"], size=n))) for n in sizes)


def _answer(*, true: bool) -> str:
    return "T" if true else "F"


def _odd(row: Row) -> bool:
    return list(row.values()).count("T") % 2 == 1


def _of_kind(*kinds: str) -> Callable[[Outcomes], list[int]]:
    return lambda outcomes: [i for i, o in enumerate(outcomes) if o.kind in kinds]


def _other_texts(outcomes: Outcomes) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind == "text" and o.value not in ("T", "F")]


XOR = Exercise(
    id="expressiveness/xor",
    title="XOR as a function",
    points=2,
    heading="XOR as a function",
    text="""Write `xor(row)`. It gets a row such as `{"a1": "T", "a2": "F", "a3": "T"}`, with any
number of attributes, and returns the text `"T"` or `"F"`.

When you are stuck: `dt.course.hint("expressiveness/xor")`, and then
`dt.course.solution("expressiveness/xor", give_up=True)`.""",
    stub="""def xor(row):
    # your lines, in place of the dots
    ...""",
    answer="xor",
    task=Code(
        "xor",
        tuple(map(_case, ("T", "FF", "TF", "TT", "TFT", "TTT", "FTTFT", "FFTTTT"))),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda row: _answer(true="T" in row.values()),
            "It says T as soon as any value is T: that is OR. What if two of them are?",
        ),
        Mistake(
            lambda row: _answer(true=list(row.values()).count("T") == 1),
            "It says T if exactly one value is T. Other numbers are odd as well.",
        ),
        Mistake(
            lambda row: _answer(true=not _odd(row)),
            "It is the wrong way round: it says T where the number of T values is even.",
        ),
        Mistake(
            lambda row: _answer(true=row["a1"] != row["a2"]),
            "It compares a1 with a2 and looks no further. A row may have more attributes, or fewer:"
            " go through all that it has.",
        ),
        Mistake(
            lambda row: _answer(true=row["a1"] != row["a2"] != row["a3"]),
            "``a != b != c`` does not mean what it seems to: Python reads it as ``a != b and b !="
            " c``. And a row may have more attributes than three, or fewer: go through all that it"
            " has.",
        ),
        Mistake(
            lambda row: _answer(true=len(set(row.values())) > 1),
            "It says T where the values are not all alike. That is right for two attributes, and"
            " only for two.",
        ),
        Mistake(
            lambda row: "F" if row else "T",
            "It says F of every row. Does the loop go through the *names* of the attributes, a1, a2"
            " and so on? And the values are texts: none of them is ``True``.",
        ),
        Mistake(
            lambda row: next(iter(row.values())),
            "It goes by the first value alone. Does a ``return`` stand inside the loop, and end it"
            " in its first round?",
        ),
        Mistake(
            lambda row: _answer(true=set(row.values()) == {"T"}),
            "It says T only if all values are T: that is AND.",
        ),
        Mistake(
            lambda row: _answer(true=list(row.values()).count("F") % 2 == 1),
            "It counts the F values. An odd number of T is asked for.",
        ),
        Mistake(
            lambda row: _answer(true=len(row) % 2 == 1),
            "It counts all values, F as well. (A text that is not empty is as good as true in an"
            " ``if``, whatever it says.) Compare each value with one of the two letters.",
        ),
        Mistake(
            lambda row: row["a1"] + row["a99"],
            "It asks for an attribute by name, and not every row has that one. Go through all that"
            " the row has.",
            when=stops("KeyError"),
        ),
        Mistake(
            lambda row: sum(row.values()),
            "The values are texts, and cannot be added up or put into a formula. Count those that"
            " are equal to one of the two letters.",
            when=stops("TypeError"),
        ),
        Mistake(
            lambda row: row.values().count("T"),
            "``row.values()`` cannot count. Make a list of it first, or go through it in a loop.",
            when=stops("AttributeError"),
        ),
        Mistake(
            lambda row: str(_odd(row)),
            "It gives another text than asked for: one of two letters, both capitals.",
            when=_other_texts,
        ),
        Mistake(
            _odd,
            "It gives a truth value. Asked for is a text, as in the table: one of two letters.",
            when=_of_kind("truth"),
        ),
        Mistake(
            lambda row: int(_odd(row)),
            "It gives a number. The remainder is on the right way; the answer is a text, as in the"
            " table.",
            when=_of_kind("number"),
        ),
    ),
    more="``row.values()`` are the values, and ``list(row.values())`` is a list of them, which can"
    " count. ``k % 2`` is the remainder of k after division by 2. Or start with F and turn the"
    " answer over at each T.",
    solution="""def xor(row):
    trues = list(row.values()).count("T")
    return "T" if trues % 2 == 1 else "F"
""",
    why="Add in integers mod 2: the remainder is 1 exactly if the number of T values is odd. A"
    " program needs one line for it; a tree, which can only ask one value at a time, needs a"
    " question for every way that leads there.",
)
