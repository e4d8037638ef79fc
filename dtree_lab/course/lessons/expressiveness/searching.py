"""The exercise to search for the smallest tree of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.expressiveness import trees
from dtree_lab.course.lessons.expressiveness.fitting import table_of
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    import numpy as np

    from dtree_lab.course.calls import Outcome

    Outcomes: TypeAlias = tuple[Outcome, ...]


_EVERY, _FIRST = "OR and XOR", "which attribute is asked first"
_FEW = "rows that are few, or agree"


def _needs(behaviour: str, labels: str, says: str, names: int = 3) -> Case:
    rows, keys = table_of(labels, names), [f"a{i}" for i in range(1, names + 1)]
    want = trees.fewest_questions(rows, keys)
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
    return [i for i in stops("TypeError")(outcomes) if "NoneType" in outcomes[i].says]


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
            trees.in_order,
            "It always asks the names in their order. Another attribute may make a smaller tree:"
            " try each as the first one.",
        ),
        Mistake(
            trees.greedy,
            "It follows the gain, as ID3 does, and asks only the best attribute of each node. Here"
            " every attribute must be tried.",
        ),
        Mistake(
            lambda rows, names: 2 * trees.fewest_questions(rows, names) + 1,
            "It counts all nodes, leaves included. Asked for are the questions: a leaf counts"
            " nothing.",
        ),
        Mistake(
            lambda rows, names: trees.fewest_questions(rows, names) + 1,
            "It counts leaves, or has one too many. Where all labels agree, how many questions are"
            " needed?",
        ),
        Mistake(
            trees.shallowest,
            "At each node it counts the questions of one heap only. (Those of the larger one would"
            " give the depth.) The tree has to ask the questions of both.",
        ),
        Mistake(trees.most, _WORST),
        Mistake(trees.most_in_vain, _WORST),
        Mistake(
            lambda rows, names: 0 * len(rows) * len(names),
            "It always gives 0. The attribute at the root is a question, too, and counts 1. Or does"
            " the search for the least begin with 0? Nothing is less than that.",
        ),
        Mistake(
            trees.forgets_empty_heaps,
            "``min`` stops where there is nothing to choose from. A heap can be empty: how many"
            " questions does it need?",
            when=_of_empty_heaps,
        ),
        Mistake(
            trees.runs_out_of_names,
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
            trees.one_list,
            "It takes names out of the very list that it goes through, so some are passed over; to"
            " put them back comes too late. Make a new list of the others for each name.",
        ),
        Mistake(
            trees.until_single,
            "It stops at a single row, or at none. A heap needs no question as soon as all its"
            " labels agree, however many rows it has.",
        ),
        Mistake(
            trees.all_added,
            "It adds up what all the names would cost. Only one of them is asked: the best.",
        ),
        Mistake(
            trees.asks_again,
            "It never comes to an end: the attribute that was asked is still among the names, and"
            " is asked again below. Pass on the other names only.",
            when=stops("RecursionError"),
        ),
        Mistake(
            lambda rows, names: 99 if trees.fewest_questions(rows, names) else 0,
            "More questions than any tree over these attributes has: somewhere no name was left to"
            " try. Does it take names out of the very list that it goes through, or that other"
            " heaps still need? Make a new list of the others.",
            when=_beyond,
        ),
        Mistake(trees.never_stops, _EVERY_PATH),
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
