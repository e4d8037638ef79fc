"""The smallest tree of all, where ID3 finds a larger one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.expressiveness import fitting
from dtree_lab.course.lessons.expressiveness.fitting import (
    Rows,
    fewest_questions,
    greedy,
    most,
    table_of,
)
from dtree_lab.course.tasks import Case, Code, Do, Goal, Grow, when
from dtree_lab.course.tasks.code import stops
from dtree_lab.grow.api import by_hand, id3, stump
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Branch, Tree

Outcomes: TypeAlias = tuple[Outcome, ...]

_EVERY, _FIRST = "OR and XOR", "which attribute is asked first"
_FEW = "rows that are few, or agree"


def _needs(behaviour: str, labels: str, says: str, names: int = 3) -> Case:
    rows, keys = table_of(labels, names), [f"a{i}" for i in range(1, names + 1)]
    want = fitting.fewest_questions(rows, keys)
    return Case((rows, keys), (want,), f"{says}, {keys}", behaviour=behaviour)


def _fresh_needs(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = ["".join(rng.choice(list("FT."), size=8, p=[0.4, 0.4, 0.2])) for _ in range(5)]
    return tuple(_needs(_FEW, labels, f"the rows {labels}") for labels in drawn)


def _full_table(i: int) -> bool:
    """Whether a case has all the rows that there are: then no heap is empty on the way."""
    return i < len(_CASES) and len(_CASES[i].args[0]) == 2 ** len(_CASES[i].args[1])


def _of_empty_heaps(outcomes: Outcomes) -> list[int]:
    found = stops("ValueError")(outcomes)
    return [] if any(map(_full_table, found)) else found


def _of_mixed_heaps(outcomes: Outcomes) -> list[int]:
    found = stops("ValueError")(outcomes)
    return found if any(map(_full_table, found)) else []


def _none_left(outcomes: Outcomes) -> list[int]:
    """The cases in which the names that are left are None."""
    none = stops("TypeError", "NoneType")(outcomes)
    return [i for i in none if "not supported between" not in outcomes[i].says]


def _least_of_none(rows: Rows, names: list[str]) -> int:
    best: Any = None
    least: int = min(best, len(rows) + len(names))
    return least


def _beyond(outcomes: Outcomes) -> list[int]:
    """The cases that got the number with which a search for the least begins."""
    return [i for i, o in enumerate(outcomes) if o.kind == "number" and o.value > _BEGUN]


_CASES = (
    _needs(_EVERY, "FTTT", "OR", 2),
    _needs(_EVERY, "FTTF", "XOR", 2),
    _needs(_EVERY, "FTTTTTTT", "OR"),
    _needs(_EVERY, "FTTFTFFT", "XOR"),
    _needs(_FIRST, "FTFTFTFT", "the label is a3"),
    _needs(_FIRST, "FTFTFFTT", "if a1 then a2, else a3"),
    _needs(_FEW, "TTTTTTTT", "always T"),
    _needs(_FEW, "FT......", "two rows that differ in a3"),
)
# No faulty count of three attributes comes as far; who looks for a least begins at 99, or higher.
_BEGUN = 80
_WORST = "It keeps the worst attribute of each node. Which end do you want?"
_EVERY_PATH = "It asks every attribute on every path. Stop where all labels of the heap agree."

FEWEST = Exercise(
    id="expressiveness/fewest",
    title="The smallest tree of all",
    points=4,
    heading="the smallest of all",
    text="""How many internal nodes does the **smallest** tree need that fits some rows? Not ID3's:
the smallest of all. Write `fewest(rows, names)`, with rows as in Exercise 7 and the names of the
attributes that may still be asked.

Think like this. If all rows have the same label (or there are none), nothing need be asked.
Otherwise *some* attribute must be asked first: try each of them, add up what its two heaps need,
with the other names left, and keep the best. (No two rows contradict each other, so names are left
as long as labels differ.)""",
    stub="""def fewest(rows, names):
    # your lines, in place of the dots
    ...""",
    answer="fewest",
    task=Code(
        "fewest",
        _CASES,
        fresh=_fresh_needs,
    ),
    mistakes=(
        Mistake(
            fitting.in_order,
            "It always asks the names in their order. Another attribute may make a smaller tree:"
            " try each as the first one.",
        ),
        Mistake(
            fitting.greedy,
            "It follows the gain, as ID3 does, and asks only the best attribute of each node. Here"
            " every attribute must be tried.",
        ),
        Mistake(
            lambda rows, names: 2 * fitting.fewest_questions(rows, names) + 1,
            "It counts all nodes, leaves included. Asked for are the questions: a leaf counts"
            " nothing.",
        ),
        Mistake(
            lambda rows, names: fitting.fewest_questions(rows, names) + 1,
            "It counts leaves, or has one too many. Where all labels agree, how many questions are"
            " needed?",
        ),
        Mistake(
            fitting.shallowest,
            "At each node it counts the questions of one heap only. (Those of the larger one would"
            " give the depth.) The tree has to ask the questions of both.",
        ),
        Mistake(fitting.most, _WORST),
        Mistake(fitting.most_in_vain, _WORST),
        Mistake(
            lambda rows, names: 0 * len(rows) * len(names),
            "It always gives 0. The attribute at the root is a question, too, and counts 1. Or does"
            " the search for the least begin with 0? Nothing is less than that.",
        ),
        Mistake(
            fitting.forgets_empty_heaps,
            "``min`` stops where there is nothing to choose from. A heap can be empty: how many"
            " questions does it need?",
            when=_of_empty_heaps,
        ),
        Mistake(
            fitting.runs_out_of_names,
            "``min`` stops where there is nothing to choose from: some heap was left without a name"
            " to try. Either its labels agree, and it should have stopped there; or names got lost,"
            " which the loop or another heap still needs. Make a new list of the others each time.",
            when=_of_mixed_heaps,
        ),
        Mistake(
            lambda rows, names: 1 + len(rows) + len(names.remove(names[0])),
            "A function that it calls gives back nothing. ``names.remove(…)`` changes the list and"
            " returns None; and does ``fewest`` return something at each of its ends?",
            when=_none_left,
        ),
        Mistake(
            _least_of_none,
            "It compares a number with None. Does the search for the least begin with None? Then"
            " ask ``best is None or …`` first. Or does ``fewest`` end somewhere without a"
            " ``return``?",
            when=stops("TypeError", "'NoneType' and 'int'", "'int' and 'NoneType'"),
        ),
        Mistake(
            fitting.one_list,
            "It takes names out of the very list that it goes through, so some are passed over; to"
            " put them back comes too late. Make a new list of the others for each name.",
        ),
        Mistake(
            fitting.until_single,
            "It stops at a single row, or at none. A heap needs no question as soon as all its"
            " labels agree, however many rows it has.",
        ),
        Mistake(
            fitting.all_added,
            "It adds up what all the names would cost. Only one of them is asked: the best.",
        ),
        Mistake(
            fitting.asks_again,
            "It never comes to an end: the attribute that was asked is still among the names, and"
            " is asked again below. Pass on the other names only.",
            when=stops("RecursionError"),
        ),
        Mistake(
            lambda rows, names: 99 if fitting.fewest_questions(rows, names) else 0,
            "More questions than any tree over these attributes has: somewhere no name was left to"
            " try. Does it take names out of the very list that it goes through, or that other"
            " heaps still need? Make a new list of the others.",
            when=_beyond,
        ),
        Mistake(fitting.never_stops, _EVERY_PATH),
        Mistake(lambda rows, names: 2 ** len(names) - 1 if rows else 0, _EVERY_PATH),
    ),
    more='For one name: ``low = [row for row in rows if row[name] == "F"]``, and ``high`` likewise;'
    " ``others`` are the names without it. Then this attribute costs 1, and what ``fewest`` says of"
    " the two heaps. Keep the least over all names.",
    solution="""def fewest(rows, names):
    if len({row["y"] for row in rows}) <= 1:
        return 0
    found = []
    for name in names:
        others = [other for other in names if other != name]
        low = [row for row in rows if row[name] == "F"]
        high = [row for row in rows if row[name] == "T"]
        found.append(1 + fewest(low, others) + fewest(high, others))
    return min(found)
""",
    why="This is exhaustive search: every attribute is tried at every node. ID3 is the same"
    " function with one change: it tries a single attribute, the one that gains most.",
)


MOST_NODES = 7


def switch() -> Table:
    """All eight rows of: if a1 is true, a2, otherwise a3."""
    return Table.from_rows(table_of("FTFTFFTT", 3), target="y")


def _wrong_rows(tree: Tree) -> int:
    table = switch()
    return round(tree.error(table) * table.n_rows)


def _when(holds: Callable[[Tree], bool], *goals: int) -> Callable[[Outcomes], tuple[int, ...]]:
    return when(lambda handed: holds(handed.tree), *goals)


def _large(tree: Tree) -> bool:
    return tree.n_nodes > MOST_NODES


def _misled(tree: Tree) -> bool:
    """Whether the root asks one of the two attributes with the longest bars."""
    return isinstance(tree.root, Branch) and tree.root.split.attribute != 0


def _full() -> Tree:
    """Every attribute on every path, the right one first."""
    asked: dict[tuple[int, ...], str] = {(): "a1", (0,): "a2", (1,): "a3"}
    asked |= {(i, j): asked[1 - i,] for i in (0, 1) for j in (0, 1)}
    return by_hand(switch(), asked)


def _unfinished() -> Tree:
    return by_hand(switch(), {(): "a1", (0,): "a2", (1,): "a2"})


SWITCH = Exercise(
    id="expressiveness/switch",
    title="Smaller than ID3",
    points=3,
    heading="grow it small",
    text="""Grow a tree for this rule with **at most 7 nodes**, leaves included, and no row wrong.
The bars show what each question gains. Would you follow them?""",
    stub="""small = dt.TreeBuilder(switch)
small""",
    answer="small",
    task=Grow(
        switch,
        (
            Goal(
                lambda handed: _wrong_rows(handed.tree) == 0,
                lambda handed: f"rows wrong: {_wrong_rows(handed.tree)} of 8",
                "0",
            ),
            Goal(
                lambda handed: not _large(handed.tree),
                lambda handed: f"nodes, leaves included: {handed.tree.n_nodes}",
                f"at most {MOST_NODES}",
            ),
        ),
    ),
    mistakes=(
        Mistake(
            id3(switch()),
            "You followed the longest bar, or let ID3 do so. The longest bar at the root leads to a"
            " large tree here. Think of the rule in words: what would you want to know first?",
            when=_when(lambda tree: _large(tree) and _misled(tree), 1),
        ),
        Mistake(
            stump(switch()),
            "Some leaf still holds rows of both labels. Look for a leaf whose entropy is above 0"
            " and ask something there.",
            when=_when(lambda tree: _wrong_rows(tree) > 0 and tree.n_nodes < MOST_NODES, 0),
        ),
        Mistake(
            _unfinished(),
            "The size is right, and a heap is still mixed: on one side a question was asked that"
            " does not matter there. Read the rule again: which attribute counts on which side?",
            when=_when(lambda tree: _wrong_rows(tree) > 0 and tree.n_nodes == MOST_NODES, 0),
        ),
        Mistake(
            _full(),
            "The root is well chosen, and further down something is asked in vain: a question after"
            " which both heaps are as mixed as before. Which attribute counts on that side?",
            when=_when(lambda tree: _large(tree) and not _misled(tree), 1),
        ),
    ),
    more="Say the rule aloud: if … is true, the answer is …, otherwise it is …. Its first word asks"
    " for an attribute. Ask it first, whatever its bar says, and see what the bars say then.",
    solution="""small = dt.by_hand(switch, {(): "a1", (0,): "a3", (1,): "a2"})
""",
    why="Which attribute matters depends on a1. So a1 belongs at the root although it gains nothing"
    " there: after it, one question on each side is enough. Gain cannot see a question that pays"
    " only together with the next one.",
)


NAMES = ("a1", "a2", "a3")
MOST_ROWS = 6
_LONGEST = 2_000


def rows_of(text: str) -> Rows:
    """The rows of a text, one on each line.

    Raises
    ------
    ValueError
        For a line that is no row, too many rows, none, or two that contradict each other.
    """
    lines = [line.split("#")[0].replace(",", " ") for line in text[:_LONGEST].splitlines()]
    rows = [_row(line) for line in lines if line.strip()]
    if not rows:
        raise ValueError("there is no row in it")
    if len(rows) > MOST_ROWS:
        raise ValueError(f"these are {len(rows)} rows; at most {MOST_ROWS} are asked for")
    labels: dict[tuple[str, ...], str] = {}
    for row in rows:
        at = tuple(row[name] for name in NAMES)
        if labels.setdefault(at, row["y"]) != row["y"]:
            raise ValueError(f"two rows {' '.join(at)} have different labels; no tree fits both")
    return rows


def _row(line: str) -> dict[str, str]:
    values = list("".join(line.split()).upper())
    if len(values) != len(NAMES) + 1 or not set(values) <= {"F", "T"}:
        raise ValueError(
            f"{line.strip()[:40]!r} is no row: give three values and the label, F or T"
        )
    return dict(zip((*NAMES, "y"), values, strict=True))


def _least(rows: Rows) -> int:
    return 2 * fewest_questions(rows, NAMES) + 1


def _most(rows: Rows) -> int:
    return 2 * most(rows, NAMES) + 1


def _id3(rows: Rows) -> int:
    """How many nodes ID3's tree has when its ties are broken in the best way."""
    return 2 * greedy(rows, NAMES) + 1


def _unlucky(rows: Rows) -> int:
    """How many nodes ID3's tree has when its ties are broken in the worst way."""
    return 2 * greedy(rows, NAMES, max) + 1


def _choice(rows: Rows) -> bool:
    return _most(rows) > _least(rows)


def _missed(rows: Rows) -> bool:
    return _id3(rows) > _least(rows)


def _by_ties(rows: Rows) -> bool:
    return not _missed(rows) and _unlucky(rows) > _least(rows)


TRAP = Exercise(
    id="expressiveness/trap",
    title="A table on which ID3 is not the best",
    points=4,
    heading="your own trap",
    text='''Find **at most 6 rows** over a1, a2, a3 on which ID3 grows **more nodes than it must**,
*however* it breaks ties. Hand them in as a text between three quotes, one row per line: the values
of a1, a2, a3, then the label. Like this, with two rows:

```text
trap = """
F F T  T
T F T  F
"""
```

The check searches all trees, and tells you how many nodes the smallest has and how many ID3's.''',
    stub="trap = ...",
    answer="trap",
    task=Do(
        rows_of,
        (
            Goal(
                _choice,
                lambda rows: f"trees that fit have from {_least(rows)} to {_most(rows)} nodes",
                "some that are larger than others",
            ),
            Goal(
                _missed,
                lambda rows: f"the smallest tree has {_least(rows)} nodes, ID3's {_id3(rows)}",
                "more for ID3, however its ties are broken",
            ),
        ),
        form="the rows as one text, between three quotes, one row on each line",
    ),
    mistakes=(
        Mistake(
            "FFF T\nTTT T",
            "All labels are the same, so nothing need be asked at all.",
            when=when(lambda rows: _most(rows) == 1, 0, 1),
        ),
        Mistake(
            "FFF F\nFTF T\nTFF T\nTTF F",
            "All trees that fit these rows have the same size, so ID3 cannot miss a smaller one."
            " There must be an attribute that need not be asked, and that ID3 asks all the same.",
            when=when(lambda rows: not _choice(rows) and _most(rows) > 1, 0, 1),
        ),
        Mistake(
            "FFF F\nFFT F\nFTF F\nTTF T",
            "There are smaller and larger trees, and ID3 takes a smallest. What it asks first is a"
            " good choice here. Make the good first question look bad, and another look better.",
            when=when(lambda rows: _choice(rows) and _unlucky(rows) == _least(rows), 1),
        ),
        Mistake(
            "FFF F\nFFT F\nFTF T\nTFF T",
            "ID3 misses the smallest tree here only if a tie is broken badly. Make the bad question"
            " gain strictly more than the good one, by one row more or less.",
            when=when(_by_ties, 1),
        ),
    ),
    more="You know a rule whose attributes gain nothing one at a time. Take it over two of the"
    " attributes. Then add a row in which the third attribute has a value of its own, so that this"
    " one, though useless, gains a little.",
    solution='''trap = """
F F F  F
F F T  T
F T F  T
F T T  F
T F F  F
"""
''',
    why="The first four rows are XOR of a2 and a3, and the last agrees with it: two attributes, 7"
    " nodes. But a1 parts off a pure row and so gains 0.171 bits, a2 and a3 only 0.020 each. ID3"
    " asks a1 and has all of XOR still before it: 9 nodes. No table of fewer rows will do.",
)
