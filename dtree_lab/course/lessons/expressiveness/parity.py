"""XOR as a function, what parity costs, and the vote of three."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, personal
from dtree_lab.course.tasks import Case, Code, Do, Goal, Number, when
from dtree_lab.course.tasks.code import gives, stops
from dtree_lab.labs.expressiveness.model import State, dump, load, start, update
from dtree_lab.labs.kit.actions import Set

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
            when=stops("TypeError", "operand", "'str'", "string"),
        ),
        Mistake(
            lambda row: row.values().count("T"),
            "``row.values()`` cannot count, and its values have no places, as those of a list have."
            " Make a list of it first, or go through it in a loop.",
            when=stops(("AttributeError", "TypeError"), "'dict_values'", "'dict'"),
        ),
        Mistake(
            lambda row: str(_odd(row)),
            "It gives another text than asked for: one of two letters, both capitals.",
            when=_other_texts,
        ),
        Mistake(
            _odd,
            "It gives a truth value. Asked for is a text, as in the table: one of two letters.",
            when=gives("truth"),
        ),
        Mistake(
            lambda row: int(_odd(row)),
            "It gives a number. The remainder is on the right way; the answer is a text, as in the"
            " table.",
            when=gives("number"),
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


_LEAST_N, _MOST_N = 7, 13
_VOTERS = 5


# -- what parity costs -----------------------------------------------------------------------------


_ONE_OFF = (
    "That is one off. Does the sum 1 + 2 + 4 + … reach the next power of 2, or stop just short of"
    " it? And does OR need its last question?"
)
_SHORT = (
    "Your full tree is one level short: how many levels of questions has a tree that asks about all"
    " n attributes? (Or is this n from before you put in your name? Then run that cell again.)"
)
_NO_POWER = (
    "In Python ``^`` is not a power: it is an XOR itself, of two whole numbers, bit by bit. A power"
    " is written with two stars."
)


def _more(rng: np.random.Generator) -> Exercise:
    n = int(rng.integers(_LEAST_N, _MOST_N + 1))
    full = 2**n - 1
    return Exercise(
        id="expressiveness/more",
        title="What parity costs",
        points=2,
        heading="what parity costs",
        text="""This one has a number of your own (put your name in at the top, if you like):

```python
mine = dt.course.data("expressiveness/more", me)
print(f"your n: {mine['n']}")
```

With that many attributes, how many **internal nodes** does XOR need **more** than OR? (A whole
number.)""",
        stub="more = ...",
        answer="more",
        data={"n": n},
        task=Number(full - n, tolerance=0.1),
        mistakes=(
            Mistake(full, "That is what XOR needs. OR needs some questions, too: take them off."),
            Mistake(full + 1 - n, _ONE_OFF),
            Mistake(full - 1 - n, _ONE_OFF),
            Mistake(
                full + 1,
                "That is the number of rows of the table, and of XOR's leaves. Count the questions,"
                " and take off those of OR.",
            ),
            Mistake(
                2 * (full - n),
                "You counted all nodes, leaves included. Asked for are internal nodes only.",
            ),
            Mistake(
                2 * full + 1 - n,
                "You took all of XOR's nodes, leaves included. Asked for are internal nodes only.",
            ),
            Mistake(2 ** (n - 1) - 1 - n, _SHORT),
            Mistake(2 ** (n - 1) - n, _SHORT),
            Mistake(
                full / n,
                "That is how many *times* as many XOR needs. Asked for is the difference.",
            ),
            Mistake(n - full, "The other way round: how many does XOR need more than OR?"),
            Mistake(-3, _NO_POWER),
            Mistake(1, _NO_POWER),
            Mistake(
                n,
                "That is OR's own number. How many internal nodes does XOR need?",
            ),
        ),
        more="How many internal nodes has a line of n questions? And a full tree with n levels of"
        " them? The second is the sum 1 + 2 + 4 + … with n terms.",
        solution='n = mine["n"]\nmore = (2**n - 1) - n',
        why=f"XOR over {n} attributes needs 2^{n} - 1 = {full} internal nodes and OR needs {n}."
        " Each further attribute costs OR one more question; for XOR it doubles the tree.",
    )


MORE = personal(_more)


# -- the vote --------------------------------------------------------------------------------------


def vote_of(n: int, feature: str = "none", function: str = "majority") -> str:
    """The lab's state when n, the function and the derived attribute have been set."""
    state = start(n=3, function="majority")
    for control, given in (("function", function), ("n", n), ("feature", feature)):
        state = update(state, Set(control, given))
    return dump(state)


def _shown(state: State) -> bool:
    return state.function == "majority" and state.n >= _VOTERS


def _one(state: State) -> bool:
    return state.grown.internal == 1


def _asks(state: State) -> str:
    n = state.grown.internal
    return f"internal nodes: {n}"


def _untouched(state: Any) -> bool:
    return (state.function, state.n, state.feature) == (*state.begun, "none")


VOTE = Exercise(
    id="expressiveness/vote",
    title="The majority in one question",
    points=2,
    heading="the vote",
    text="""Five people vote, and the majority decides: the function *majority*. Set the lab below
so that it shows majority over **at least 5** attributes, in a tree that asks **a single question**.
When you have it, run the check.""",
    stub="""vote = dt.ExpressivenessLab(n=3, function="majority")
vote""",
    answer="vote",
    task=Do(
        load,
        (
            Goal(
                _shown,
                lambda state: f"the function: {state.function} of {state.n}",
                f"majority of at least {_VOTERS}",
            ),
            Goal(_one, _asks, "1"),
        ),
        blank=_untouched,
    ),
    mistakes=(
        Mistake(
            vote_of(5, "parity"),
            "Odd or even says little about who has won the vote: both 1 of 5 and 5 of 5 are odd."
            " What would you want to be told about the votes?",
            when=when(lambda s: _shown(s) and s.feature == "parity", 1),
        ),
        Mistake(
            vote_of(5),
            "From single votes alone a majority needs a large tree. Give the tree an attribute"
            " that is derived from all of them.",
            when=when(lambda s: _shown(s) and s.feature == "none" and not _one(s), 1),
        ),
        Mistake(
            vote_of(5, "parity", "xor"),
            "One question it is, but of another function. Set Function to majority.",
            when=when(lambda s: s.function != "majority" and _one(s), 0),
        ),
        Mistake(
            vote_of(5, "none", "xor"),
            "That is another function. Set Function to majority, and then see how many questions"
            " its tree asks.",
            when=when(lambda s: s.function != "majority" and not _one(s), 0, 1),
        ),
        Mistake(
            vote_of(3, "sum"),
            "The attribute is the right one; there are too few voters. Raise n.",
            when=when(lambda s: s.function == "majority" and s.n < _VOTERS and _one(s), 0),
        ),
    ),
    more='Two things of the lab are to be set: n, and "Derived attribute". Think of how a returning'
    " officer finds out who has won.",
    solution='vote = dt.ExpressivenessLab(n=3, function="majority", state=\''
    + vote_of(5, "sum")
    + "')",
    why="The sum counts the votes, and one cut, at half of them, decides. Sum mod 2 is the right"
    " attribute for XOR and of no use here: which derived attribute helps depends on the concept.",
)
