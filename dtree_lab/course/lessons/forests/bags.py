"""The exercise on votes out of the bag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

Bags = Sequence[Sequence[int]]
Answers = Sequence[Sequence[str]]

_LABELS = ("No", "Yes")


def votes_of(bags: Bags, answers: Answers, row: int) -> list[str]:
    """What the trees say of a row that they were not grown on, in the order of the trees."""
    pairs = zip(bags, answers, strict=True)
    return [said[row] for bag, said in pairs if row not in bag]


def _case(bags: Bags, answers: Answers, row: int) -> Case:
    given = [list(bag) for bag in bags], [list(said) for said in answers], row
    votes = votes_of(bags, answers, row)
    shows = "a row that some trees have seen"
    if len(votes) in (0, len(bags)):
        shows = "a row that all trees have seen, and one that none has"
    return Case(given, (votes,), behaviour=shows)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in (4, 6):
        bags = [[int(i) for i in rng.integers(0, n, n)] for _ in range(5)]
        answers = [[str(one) for one in rng.choice(_LABELS, n)] for _ in range(5)]
        cases += [_case(bags, answers, row) for row in (0, n - 1)]
    return tuple(cases)


_BAGS = ((0, 0, 2, 3), (1, 2, 2, 1), (1, 3, 3, 1), (0, 1, 1, 0))
_SAYS = (
    ("Yes", "No", "No", "Yes"),
    ("Yes", "Yes", "No", "Yes"),
    ("No", "Yes", "No", "Yes"),
    ("Yes", "Yes", "No", "No"),
)
_THREE = ((0, 2, 2), (1, 1, 1), (2, 0, 0), (0, 0, 0), (2, 2, 1))
_LETTERS = (("a", "c", "b"), ("b", "b", "a"), ("a", "a", "b"), ("a", "c", "c"), ("c", "b", "b"))


def _one_early(bags: Bags, answers: Answers, row: int) -> list[str]:
    return [said[row - 1] for bag, said in zip(bags, answers, strict=True) if row not in bag]


def _tree_in_row(bags: Bags, answers: Answers, row: int) -> list[str]:
    return [said[row] for t, said in enumerate(answers) if t not in bags[row]]


OOB_VOTES = Exercise(
    id="forests/oob-votes",
    title="Who may vote on a row",
    points=3,
    heading="who may vote",
    text="""Write `oob_votes(bags, answers, row)`. `bags` has a list for each tree: the positions of
the rows that were drawn for it. `answers` has a list for each tree, too: what it says of row 0, row
1, and so on. Return a list of what is said of `row` by the trees that **do not** have it in their
bag, in the order of the trees. It may be empty.""",
    stub="""def oob_votes(bags, answers, row):
    # your lines, in place of the dots
    ...""",
    answer="oob_votes",
    task=Code(
        "oob_votes",
        (
            _case(_BAGS, _SAYS, 0),
            _case(_BAGS, _SAYS, 1),
            _case(_BAGS, _SAYS, 2),
            _case(_BAGS, _SAYS, 3),
            _case(((0, 1), (1, 0)), (("No", "Yes"), ("Yes", "No")), 1),
            _case(((0, 2, 2), (2, 2, 0)), (("No", "Yes", "No"), ("No", "No", "Yes")), 1),
            _case(_THREE, _LETTERS, 1),
            _case(_THREE, _LETTERS, 2),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda _, answers, row: [said[row] for said in answers],
            "All trees vote, also those that were grown on the row. These have seen its label, so"
            " their votes say nothing about rows that are new.",
        ),
        Mistake(
            lambda bags, answers, row: [
                said[row] for bag, said in zip(bags, answers, strict=True) if row in bag
            ],
            "It is the other way round: those vote that were grown on the row. Asked for are the"
            " trees that have *not* seen it.",
        ),
        Mistake(
            lambda bags, answers, row: len(votes_of(bags, answers, row)),
            "It says how many trees vote. Asked for is what they say, as a list.",
        ),
        Mistake(
            lambda bags, answers, row: [
                said for bag, said in zip(bags, answers, strict=True) if row not in bag
            ],
            "It gives all that a tree says of all rows. Of each list only the row's own place is"
            " asked for.",
        ),
        Mistake(
            lambda bags, _, row: [i for i, bag in enumerate(bags) if row not in bag],
            "It gives the trees' numbers. What do these trees *say* of the row?",
        ),
        Mistake(
            lambda bags, answers, row: (
                Counter(votes_of(bags, answers, row)).most_common(1)[0][0]
                if votes_of(bags, answers, row)
                else None
            ),
            "It counts the vote already. Here the list of the votes is asked for; who wins comes"
            " next.",
        ),
        Mistake(
            lambda bags, answers, row: [
                answers[row][t] for t, bag in enumerate(bags) if row not in bag
            ],
            "Row and tree have changed places: ``answers`` has a list for each *tree*, and in it"
            " there is a place for each row.",
        ),
        Mistake(
            lambda bags, answers, row: [
                None if row in bag else said[row] for bag, said in zip(bags, answers, strict=True)
            ],
            "It keeps a place for trees that may not vote. These are to be left out of the list.",
        ),
        Mistake(
            lambda *given: set(votes_of(*given)),
            "It gives a set, and in a set two equal votes become one. Every tree has a vote of its"
            " own: make a list.",
        ),
        Mistake(
            lambda *given: sorted(votes_of(*given)),
            "It sorts the votes. They are to stand in the order of the trees.",
        ),
        Mistake(
            lambda *given: Counter(votes_of(*given)),
            "It counts the votes already. Here they are asked for one by one, as a list.",
        ),
        Mistake(
            lambda *given: (vote for vote in votes_of(*given)),
            "It gives a generator, which makes its values only when they are asked for. Square"
            " brackets instead of round ones make a list.",
        ),
        Mistake(
            lambda *given: votes_of(*given) or None,
            "Where no tree may vote it gives nothing. An empty list is asked for there.",
        ),
        Mistake(
            lambda *given: votes_of(*given)[-1:],
            "Only the last of them is in the list. Does each round *append* its vote, or does it"
            " begin the list anew?",
        ),
        Mistake(
            lambda bags, answers, row: votes_of(bags[:1], answers[:1], row),
            "Only the first tree is asked. Where does ``return`` stand? Indented like the lines of"
            " the loop, it ends the loop in its first round.",
        ),
        Mistake(
            _one_early,
            "It looks up the row before. Rows are counted from 0 here, as the places of a list"
            " are.",
        ),
        Mistake(
            lambda bags, answers, row: [
                said[row + 1] for bag, said in zip(bags, answers, strict=True) if row not in bag
            ],
            "It looks up the row after. Rows are counted from 0 here, as the places of a list are.",
        ),
        Mistake(
            lambda bags, answers, row: [
                said[row] for bag, said in zip(bags, answers, strict=True) if row + 1 not in bag
            ],
            "It looks for another row in the bags. They count from 0, as ``row`` does: is ``row``"
            " itself in the bag?",
        ),
        Mistake(
            lambda bags, answers, row: votes_of(bags[:-1], answers[:-1], row),
            "The last tree is never asked. ``range(n)`` ends before n already.",
        ),
        Mistake(
            lambda *given: votes_of(*given)[::-1],
            "The votes come from the last tree to the first. They are to stand in the order of the"
            " trees.",
        ),
        Mistake(
            lambda *given: [letter for vote in votes_of(*given) for letter in vote],
            "It takes the labels apart into letters. ``+=`` adds the things of which a text is"
            " made; ``append`` adds the text as a whole.",
        ),
        Mistake(
            lambda bags, answers, row: {
                t: answers[t][row] for t, bag in enumerate(bags) if row not in bag
            },
            "It gives a dict. Asked for are the votes alone, as a list.",
        ),
        Mistake(
            lambda bags, answers, row: [
                said[row]
                for bag, said in zip(bags, answers, strict=True)
                for drawn in bag
                if drawn != row
            ],
            "It adds a vote for every other row of a bag. A tree has one vote, or none: look"
            " whether ``row`` is anywhere in the whole bag.",
        ),
        Mistake(
            lambda bags, answers, row: [
                said[row]
                for bag, said in zip(bags, answers, strict=True)
                if bag.count(row) < 2  # noqa: PLR2004
            ],
            "Trees vote that have the row in their bag once. Once is enough to know its label.",
        ),
        Mistake(
            lambda bags, answers, row: [answers[t][row] for t in range(len(bags)) if t != row],
            "It leaves out the tree with the row's number. What counts is whether the row is in the"
            " tree's bag.",
        ),
        Mistake(
            _tree_in_row,
            "It looks for the tree's number in ``bags[row]``. But ``bags`` has a list for each"
            " *tree*: is the row in it?",
        ),
    ),
    more="Walk through the trees, ``zip(bags, answers)``. If ``row`` is not in the tree's bag, what"
    " it says of that row joins the list.",
    solution="""def oob_votes(bags, answers, row):
    return [said[row] for bag, said in zip(bags, answers) if row not in bag]
""",
    why="A tree that has not seen the row is as good as new to it, and so is a vote of such trees."
    " The list may be empty: then all trees have seen the row.",
)
