"""The exercise on growing the seven-row tree by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Steps
from dtree_lab.datasets import word_sense
from dtree_lab.learn.api import by_hand
from dtree_lab.widgets.treebuilder.model import dump, update
from dtree_lab.widgets.treebuilder.state import Finish, start

if TYPE_CHECKING:
    from dtree_lab.course.calls import Outcome


def _finished() -> str:
    """The builder's state after "Finish with ID3" as the only step."""
    return dump(update(start(word_sense()), Finish("ID3")))


def _recipe(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind == "truth" and not o.value]


def _open_leaves(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind == "number" and "not finished" in o.says]


def _at_root(outcomes: tuple[Outcome, ...]) -> list[int]:
    first = outcomes[0]
    lost = first.kind == "number" and first.value > 0 and "at the root, " in first.says
    return [0] if lost else []


def _below(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [
        i
        for i, o in enumerate(outcomes)
        if i and o.kind == "number" and o.value > 0 and "not finished" not in o.says
    ]


SEVEN_TREE = Exercise(
    id="word-senses/seven-tree",
    title="ID3 by hand, on seven rows",
    points=4,
    answer="grown",
    task=Steps(word_sense),
    mistakes=(
        Mistake(
            _finished(),
            '"Finish" grew it for you. Undo that, and ask each question yourself.',
            when=_recipe,
        ),
        Mistake(
            by_hand(
                word_sense(),
                {
                    (): "near(river)",
                    (0,): "pos",
                    (1,): "pos",
                    (1, 1): "near(race)",
                },
            ),
            "The first question is not the one that gains most. You have worked out all four gains"
            " at the root: which is the highest?",
            when=_at_root,
        ),
        Mistake(
            by_hand(
                word_sense(),
                {
                    (): "pos",
                    (1,): "near(race)",
                    (1, 0): "near(river)",
                },
            ),
            "The root is right, and further down a question gains less than another would. The"
            " ranking at the root does not hold there: count the senses of that node's rows.",
            when=_below,
        ),
        Mistake(
            by_hand(word_sense(), {(): "pos", (1,): "near(river)"}),
            "Some leaf still holds rows of several senses, and a question would gain something"
            " there. ID3 goes on until the rows of each leaf agree.",
            when=_open_leaves,
        ),
    ),
    more="Choose a leaf whose entropy is above 0, look at its rows, and take the question whose"
    " heaps are purest. The ranking appears once you have split. Do this until no such leaf is"
    " left; the whole tree has three questions.",
    solution="""grown = dt.by_hand(
    table,
    {(): "pos", (1,): "near(river)", (1, 1): "near(race)"},
)
""",
    why="pos gains 0.863 bits and makes the nouns pure. Among the five verbs near(river) gains"
    " 0.971, more than any question at the root. Three rows are left, and near(race) takes all"
    " 0.918 bits that they had.",
)
