"""Exercises on the vote, and on how near two rows are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

_SPECIES = ("Adelie", "Chinstrap", "Gentoo")


def _most(votes: Sequence[str]) -> tuple[str, ...]:
    """Every label that no other has more votes than."""
    top = max(votes.count(one) for one in votes)
    return tuple(dict.fromkeys(one for one in votes if votes.count(one) == top))


def _vote_case(votes: Sequence[str]) -> Case:
    return Case((list(votes),), _most(votes), behaviour=_shows(votes))


def _shows(votes: Sequence[str]) -> str:
    most = _most(votes)
    if len(most) > 1:
        return "a tie"
    half = len(votes) / 2
    return f"a winner with {'more than' if votes.count(most[0]) > half else 'at most'} half"


def _fresh_votes(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(_vote_case([str(one) for one in rng.choice(_SPECIES, n)]) for n in (5, 8, 9, 16))


def _by_hand(votes: list[str]) -> str:
    """Counts runs of equal votes, as if they were sorted."""
    best = current = 1
    label = votes[0]
    for i in range(1, len(votes)):
        current = current + 1 if votes[i] == votes[i - 1] else 1
        if current > best:
            best, label = current, votes[i]
    return label


def _place(votes: list[str]) -> int:
    labels = sorted(set(votes))
    return max(range(len(labels)), key=lambda i: votes.count(labels[i]))


MAJORITY = Exercise(
    id="forests/majority-vote",
    title="The vote of the trees",
    points=1,
    heading="the vote",
    text="""Write `majority_vote(votes)`: it gets a list of what the trees say, and returns the
label that most of them say. In a tie any of the tied labels will do.""",
    stub="""def majority_vote(votes):
    # your lines, in place of the dots
    ...""",
    answer="majority_vote",
    task=Code(
        "majority_vote",
        (
            _vote_case(["Adelie", "Gentoo", "Gentoo"]),
            _vote_case(["Gentoo", "Adelie", "Chinstrap", "Adelie"]),
            _vote_case(["Chinstrap", "Adelie", "Chinstrap", "Adelie", "Chinstrap", "Gentoo"]),
            _vote_case(["Adelie"]),
            _vote_case(["No", "Yes"]),
            _vote_case(
                ["Gentoo", "Adelie", "Chinstrap", "Adelie", "Gentoo", "Chinstrap", "Adelie"]
            ),
            _vote_case(["Adelie", "Gentoo", "Adelie", "Gentoo", "Gentoo", "Adelie", "Adelie"]),
            _vote_case(["Chinstrap", "Gentoo", "Gentoo", "Chinstrap", "Adelie"]),
            _vote_case(["Gentoo", "Adelie", "Chinstrap", "Adelie", "Chinstrap"]),
            _vote_case(["Yes", "No", "No", "Yes", "No", "No", "Yes"]),
            _vote_case(["Gentoo", "Adelie", "Chinstrap", "Gentoo", "Adelie"]),
            _vote_case(
                ["Adelie", "Gentoo", "Chinstrap", "Chinstrap", "Gentoo", "Adelie", "Chinstrap"]
            ),
            _vote_case(["Yes", "No", "Adelie", "Gentoo", "Adelie", "Gentoo"]),
        ),
        fresh=_fresh_votes,
    ),
    mistakes=(
        Mistake(
            lambda votes: max(votes.count(one) for one in votes),
            "It says how many votes the winner has. Asked for is who that is.",
        ),
        Mistake(
            max,
            "``max`` of the votes compares their letters and gives the last in the alphabet. What"
            " is it that should be largest?",
        ),
        Mistake(
            min,
            "``min`` of the votes compares their letters and gives the first in the alphabet. Who"
            " has the most votes?",
        ),
        Mistake(
            lambda votes: sorted(votes)[len(votes) // 2],
            "It takes the middle one of the sorted votes. In the middle of the alphabet may stand a"
            " label that hardly anybody says: count the votes of each.",
        ),
        Mistake(
            lambda votes: Counter(votes).most_common()[-1][0],
            "It gives the label with the *fewest* votes.",
        ),
        Mistake(
            lambda votes: min(votes, key=votes.count),
            "It gives the label with the *fewest* votes.",
        ),
        Mistake(
            lambda votes: _most(votes)[0] if len(_most(votes)) == 1 else None,
            "Where labels tie it names none of them. Any of those that tie will do.",
        ),
        Mistake(
            lambda votes: _most(votes)[0] if len(_most(votes)) == 1 else "tie",
            "Where labels tie it says so. One of the labels is asked for: any of those will do.",
        ),
        Mistake(lambda votes: votes[0], "It gives the first tree's vote, whatever the others say."),
        Mistake(lambda votes: votes[-1], "It gives the last tree's vote, whatever the others say."),
        Mistake(
            lambda votes: Counter(votes).most_common(1)[0],
            "It gives a pair, the label and its count. Only the label is asked for.",
        ),
        Mistake(
            lambda votes: Counter(votes).most_common(1),
            "It gives a list with a pair in it, the label and its count. Only the label is asked"
            " for.",
        ),
        Mistake(
            lambda votes: "Yes" if votes.count("Yes") > votes.count("No") else "No",
            "It knows of Yes and No only. The labels may be any, penguins, too, and more than two.",
        ),
        Mistake(
            _by_hand,
            "It looks for the longest run of equal votes. They come in any order: count each"
            " label's votes, wherever they stand.",
        ),
        Mistake(
            lambda votes: next((one for one in votes if 2 * votes.count(one) > len(votes)), None),
            "It asks for more than half of all votes. The label with the most of them wins, however"
            " many that are.",
        ),
        Mistake(Counter, "It counts the votes. Which label has the most?"),
        Mistake(
            lambda votes: max((votes.count(one), one) for one in votes),
            "It gives a pair, the count and its label. Only the label is asked for.",
        ),
        Mistake(
            lambda votes: [_most(votes)[0]],
            "The label is in a list. It is asked for by itself.",
        ),
        Mistake(
            lambda votes: max(votes.count(one) for one in votes) / len(votes),
            "It says which share of the votes the winner has. Asked for is who that is.",
        ),
        Mistake(
            _place,
            "It gives a number: the place at which the label stands. Which label is it?",
        ),
    ),
    more="``votes.count(label)`` counts one label. ``max(things, key=f)`` gives the thing for which"
    " ``f`` is largest.",
    solution="""def majority_vote(votes):
    return max(votes, key=votes.count)
""",
    why="Each tree has one vote, and the label with most votes wins. In a tie any of them will do:"
    " this takes the one that comes first.",
)


# -- proximity ------------------------------------------------------------------------------------


def _share(one: Sequence[int], other: Sequence[int]) -> float:
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def _near_case(one: Sequence[int], other: Sequence[int]) -> Case:
    share = _share(one, other)
    shows = "rows that meet in some of the trees"
    if share in (0, 1):
        shows = "rows that always meet, and rows that never do"
    elif len(set(one) & set(other)) != sum(a == b for a, b in zip(one, other, strict=True)):
        shows = "equal numbers in different trees"
    return Case((list(one), list(other)), (share,), behaviour=shows)


def _fresh_leaves(rng: np.random.Generator) -> tuple[Case, ...]:
    pairs = [(rng.integers(1, 4, n), rng.integers(1, 4, n)) for n in (4, 9, 25)]
    apart = [int(i) for i in rng.permutation(9)]
    some = [n if rng.random() < 0.5 else n + 10 for n in apart]  # noqa: PLR2004 - half of them
    return (
        *(_near_case([int(i) for i in a], [int(i) for i in b]) for a, b in pairs),
        _near_case(apart, some),
        _near_case(apart, [*apart[1:], apart[0]]),
    )


_NAMES = (
    "It reckons with the leaves' numbers. They are only names: leaf 3 is no nearer to leaf 4 than"
    " to leaf 9. Two rows end in the same leaf, or they do not."
)


def _of_a_truth(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where a single truth value is used as if it were an array, or a list."""
    used = all(o.kind == "raised" and "'bool' object" in o.says for o in outcomes)
    return list(range(len(outcomes))) if used else []


PROXIMITY = Exercise(
    id="forests/proximity",
    title="How near two rows are",
    points=2,
    heading="proximity",
    text="""Write `proximity(leaves_a, leaves_b)`. Each list says in which leaf a row ends: in the
first tree, in the second, and so on. Return the share of trees in which both end in the same
leaf.""",
    stub="""def proximity(leaves_a, leaves_b):
    # your lines, in place of the dots
    ...""",
    answer="proximity",
    task=Code(
        "proximity",
        (
            _near_case([3, 5, 2, 7], [3, 1, 2, 4]),
            _near_case([1, 1, 1, 1, 1], [1, 1, 1, 1, 1]),
            _near_case([2, 3, 4], [3, 4, 2]),
            _near_case([6, 2, 9, 4, 4, 1, 3, 3], [6, 8, 9, 4, 5, 2, 3, 3]),
            _near_case([5, 5, 2], [4, 5, 5]),
            _near_case([2, 2, 2, 8], [2, 2, 2, 1]),
            _near_case([2, 3, 4, 4], [3, 3, 2, 4]),
            _near_case([1, 6, 8], [4, 6, 9]),
        ),
        fresh=_fresh_leaves,
    ),
    mistakes=(
        Mistake(
            lambda one, other: sum(a == b for a, b in zip(one, other, strict=True)),
            "It gives the number of trees. A share is asked for, from 0 to 1: of how many trees?",
        ),
        Mistake(
            lambda one, other: len(set(one) & set(other)) / len(one),
            "It looks for numbers that occur in both lists. Leaf 3 of one tree has nothing to do"
            " with leaf 3 of another: compare tree by tree.",
        ),
        Mistake(
            lambda one, other: 1 - _share(one, other),
            "It says how far apart the two rows are. Rows that always end in the same leaf are to"
            " have proximity 1.",
        ),
        Mistake(
            lambda one, other: one == other,
            "It asks whether they meet in *every* tree. Asked for is in which share of the trees.",
        ),
        Mistake(
            lambda one, other: sum(a in other for a in one) / len(one),
            "It asks whether a leaf's number stands anywhere in the other list. Compare the two"
            " lists place by place: each place is a tree.",
        ),
        Mistake(
            lambda one, other: len(set(one) & set(other)) / len(set(one) | set(other)),
            "It compares two sets of numbers. In a set there are no places, and each place is a"
            " tree: leaf 3 of one tree has nothing to do with leaf 3 of another.",
        ),
        Mistake(
            lambda one, other: sum(a == b for a in one for b in other) / len(one),
            "It compares each leaf with *every* leaf of the other list. ``zip`` walks through both"
            " at once, tree by tree.",
        ),
        Mistake(
            lambda one, other: 100 * _share(one, other),
            "That is in per cent. A share lies between 0 and 1.",
        ),
        Mistake(
            lambda one, other: _share(one, other) / 2,
            "It divides by the length of both lists together. How many trees are there?",
        ),
        Mistake(
            lambda one, other: (one[0] == other[0]) / len(one),
            "Only the first tree counts. Where does ``return`` stand? Indented like the lines of"
            " the loop, it ends the loop in its first round.",
        ),
        Mistake(
            lambda one, other: _share(one[:-1], other[:-1]) * (len(one) - 1) / len(one),
            "It never looks at the last tree. ``range(n)`` ends before n already.",
        ),
        Mistake(
            lambda one, other: _share(one[1:], other[1:]) * (len(one) - 1) / len(one),
            "It never looks at the first tree: places are counted from 0.",
        ),
        Mistake(
            lambda one, other: _share(sorted(one), sorted(other)),
            "It sorts the lists first, and then their places are no trees any more. Compare them in"
            " the order that they come in.",
        ),
        Mistake(
            lambda one, other: sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one),
            _NAMES,
        ),
        Mistake(
            lambda one, other: 1 / (1 + sum(abs(a - b) for a, b in zip(one, other, strict=True))),
            _NAMES,
        ),
        Mistake(
            lambda one, other: (_share(one, other) > 0) / len(one),
            "However often they meet, it counts one tree. Is it ``=+ 1``? That sets the count to"
            " plus one; ``+= 1`` adds one to it.",
        ),
        Mistake(
            lambda one, other: int(_share(one, other)),
            "It cuts off the decimals. ``//`` divides whole numbers; ``/`` keeps the share.",
        ),
        Mistake(
            lambda one, other: len(one) * (1 - _share(one, other)),
            "It gives the number of trees in which they part. Asked for is the share of those in"
            " which they meet.",
        ),
        Mistake(
            lambda one, other: _share(one, other) * len(one) / len(set(one)),
            "It divides by the number of *different* leaves. How many trees are there?",
        ),
        Mistake(
            lambda one, other: _share(one, other) / (2 - _share(one, other)),
            "It divides by the leaves of both lists together, as for sets. Divide by the number of"
            " trees.",
        ),
        Mistake(
            lambda one, other: (one == other).mean(),
            "Between two lists ``==`` asks whether they are equal as a whole. Compare them place by"
            " place, or make arrays of them.",
            when=_of_a_truth,
        ),
    ),
    more="``zip(one, other)`` walks through both lists at once. Count the trees in which the two"
    " leaves are the same, and divide by the number of trees.",
    solution="""def proximity(leaves_a, leaves_b):
    together = sum(a == b for a, b in zip(leaves_a, leaves_b))
    return together / len(leaves_a)
""",
    why="In each tree two rows either end in the same leaf or they do not; the proximity is the"
    " share of trees in which they do.",
)
