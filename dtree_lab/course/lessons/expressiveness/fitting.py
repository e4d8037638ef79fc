"""Exercises on trees that fit some rows, and on the smallest of them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.expressiveness import trees
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    import numpy as np

    from dtree_lab.course.calls import Outcome
    from dtree_lab.course.lessons.expressiveness.trees import Rows, Written

# -- does it fit? ----------------------------------------------------------------------------------

_AND: Written = ("a1", "F", ("a2", "F", "T"))
_XOR: Written = ("a2", ("a1", "F", "T"), ("a1", "T", "F"))


def table_of(labels: str, names: int = 2) -> Rows:
    """The rows of a truth table with these labels, in order; a dot leaves a row out."""
    keys = [f"a{i}" for i in range(1, names + 1)]
    given = zip(product("FT", repeat=names), labels, strict=True)
    return [dict(zip(keys, row, strict=True)) | {"y": y} for row, y in given if y != "."]


def _fits(tree: Written, rows: Rows, says: str) -> Case:
    return Case((tree, rows), (trees.consistent(tree, rows),), says)


def _fresh_fits(rng: np.random.Generator) -> tuple[Case, ...]:
    found = []
    for _ in range(6):
        labels = list("FFFT" if rng.random() < 0.5 else "FTTF")  # noqa: PLR2004 - half of them
        if rng.random() < 0.5:  # noqa: PLR2004
            at = int(rng.integers(4))
            labels[at] = "F" if labels[at] == "T" else "T"
        shown = "".join(labels)
        tree = _AND if rng.random() < 0.5 else _XOR  # noqa: PLR2004
        found.append(_fits(tree, table_of(shown), f"{_name(tree)}, the rows {shown}"))
    return tuple(found)


def _name(tree: Written) -> str:
    return "and_tree" if tree == _AND else "a tree for XOR"


CONSISTENT = Exercise(
    id="expressiveness/consistent",
    title="Does a tree fit some rows?",
    points=2,
    answer="is_consistent",
    task=Code(
        "is_consistent",
        (
            _fits(_AND, table_of("FFFT"), "and_tree, the four rows of AND"),
            _fits(_AND, table_of("FFFF"), "and_tree, four rows labelled F: the last is wrong"),
            _fits(_AND, table_of("TFFT"), "and_tree, the rows of AND, but the first labelled T"),
            _fits(_AND, table_of("TTTF"), "and_tree, the rows of AND with all labels turned over"),
            _fits(_XOR, table_of("FTTF"), "a tree for XOR, the four rows of XOR"),
            _fits(_XOR, table_of("FFFT"), "a tree for XOR, the four rows of AND"),
            _fits("F", table_of("FFF."), '"F", three rows labelled F'),
            _fits("F", table_of("F.FT"), '"F", two rows labelled F and one T'),
        ),
        fresh=_fresh_fits,
    ),
    mistakes=(
        Mistake(
            lambda tree, rows: trees.says(tree, rows[0]) == rows[0]["y"],
            "It looks at the first row only. A ``return`` in the loop ends the function at once:"
            " when may it say True, and when False?",
        ),
        Mistake(
            lambda tree, rows: trees.says(tree, rows[-1]) == rows[-1]["y"],
            "Only the last row counts: each turn of the loop overwrites what the rows before have"
            " shown.",
        ),
        Mistake(
            lambda tree, rows: any(trees.says(tree, row) == row["y"] for row in rows),
            "One row that is right is enough for it. Every one of them must be.",
        ),
        Mistake(
            lambda tree, rows: not trees.consistent(tree, rows),
            "It is the wrong way round: it says True where the tree does not fit.",
        ),
        Mistake(
            lambda tree, rows: sum(trees.says(tree, row) != row["y"] for row in rows),
            "It gives a number. Asked for is whether the tree fits: a truth value.",
            when=lambda outcomes: [i for i, o in enumerate(outcomes) if o.kind == "number"],
        ),
        Mistake(
            lambda tree, rows: str(trees.consistent(tree, rows)),
            "It gives a text. ``True`` and ``False`` are written without quotes.",
            when=lambda outcomes: [i for i, o in enumerate(outcomes) if o.kind == "text"],
        ),
        Mistake(
            lambda tree, rows: any(trees.says(tree, row) != row["y"] for row in rows[:1]),
            "It says True if the first row is wrong. Which way round is it, and what about the"
            " other rows?",
        ),
        Mistake(
            lambda tree, rows: all(trees.says(tree, row) == "T" for row in rows if row["y"] == "T"),
            "It checks the rows labelled T and no others. A tree can be wrong about the F rows,"
            " too.",
        ),
    ),
    more="Go through the rows. The first one whose label is not what ``says(tree, row)`` gives"
    " settles it. What if there was none such when the loop has ended?",
    solution="""def is_consistent(tree, rows):
    for row in rows:
        if says(tree, row) != row["y"]:
            return False
    return True
""",
    why="One wrong row settles it; only after the last row is it sure that there was none. The same"
    ' in one line: all(says(tree, row) == row["y"] for row in rows).',
)


# -- the smallest of all ---------------------------------------------------------------------------


def _needs(labels: str, says: str, names: int = 3) -> Case:
    rows, keys = table_of(labels, names), [f"a{i}" for i in range(1, names + 1)]
    return Case((rows, keys), (trees.fewest_questions(rows, keys),), f"{says}, {keys}")


def _fresh_needs(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = ["".join(rng.choice(list("FT."), size=8, p=[0.4, 0.4, 0.2])) for _ in range(5)]
    return tuple(_needs(labels, f"the rows {labels}") for labels in drawn)


def _stopped(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if (o.kind, o.value) == ("raised", "ValueError")]


def _endless(outcomes: tuple[Outcome, ...]) -> list[int]:
    raised = ("raised", "RecursionError")
    return [i for i, o in enumerate(outcomes) if (o.kind, o.value) == raised]


def _beyond(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases with more questions than a full tree over three attributes has."""
    return [i for i, o in enumerate(outcomes) if o.kind == "number" and o.value > _FULL]


_FULL = 7
_WORST = "It keeps the worst attribute of each node. Which end do you want?"
_EVERY_PATH = "It asks every attribute on every path. Stop where all labels of the heap agree."

FEWEST = Exercise(
    id="expressiveness/fewest",
    title="The smallest tree of all",
    points=4,
    answer="fewest",
    task=Code(
        "fewest",
        (
            _needs("FTTT", "OR", 2),
            _needs("FTTF", "XOR", 2),
            _needs("FTTTTTTT", "OR"),
            _needs("FTTFTFFT", "XOR"),
            _needs("FTFTFTFT", "the label is a3"),
            _needs("FTFTFFTT", "if a1 then a2, else a3"),
            _needs("TTTTTTTT", "always T"),
            _needs("FT......", "two rows that differ in a3"),
        ),
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
            "It takes the larger of the two heaps, which gives the depth. The tree has to ask the"
            " questions of both.",
        ),
        Mistake(trees.most, _WORST),
        Mistake(trees.most_in_vain, _WORST),
        Mistake(
            lambda rows, names: 0 * len(rows) * len(names),
            "It never counts the question that it asks: the attribute at the root is one, too.",
        ),
        Mistake(
            trees.forgets_empty_heaps,
            "``min`` stops where there is nothing to choose from. A heap can be empty: how many"
            " questions does it need?",
            when=_stopped,
        ),
        Mistake(
            trees.asks_again,
            "It never comes to an end: the attribute that was asked is still among the names, and"
            " is asked again below. Hand on the other names only.",
            when=_endless,
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
