"""ID3, written as a function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.word_senses.almost import (
    AS_ID3,
    GIVES_UP,
    SPOILT,
    by_majority,
    drops_the_first,
    endlessly,
    fixed_values,
    gives_up,
    grown,
    if_it_gains,
    in_a_list,
    in_empty_branches,
    never_out,
    never_pure,
    not_sorted,
    of_nothing,
    one_branch,
    one_floor,
    paired,
    read_tree,
    root_ranking,
    shared_list,
    without_name,
)
from dtree_lab.course.lessons.word_senses.best import (
    ALIKE_ROWS,
    BY_GAIN_ALONE,
    FORM_NAMES,
    FORM_TELLS,
    NOTHING_GAINS,
    NOTHING_GAINS_BELOW,
    OTHER_ORDER,
    RATIO,
    THREE_VALUES,
    by,
    impurity_left,
    ratio,
    unweighted,
)
from dtree_lab.course.lessons.word_senses.gains import (
    NAMES,
    SENSE,
    SEVEN,
    VERBS,
    Row,
    drawn_rows,
    gain,
    majority,
)
from dtree_lab.course.tasks import Case, Code
from dtree_lab.datasets import word_sense
from dtree_lab.grow.api import id3 as library_id3

# The cases of the exercise in which pos is not asked; then those in which attributes run out, and
# those at whose root the gain ratio takes another than the gain.
_VERBS, _NO_NAMES = 1, 2
_RUN_OUT = [2, 6, 9, 10]
_BY_RATIO = {9: "asks near(lamp)", 10: "asks near(mayor)"}


def endless(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which it called itself until Python, or our patience, was at an end."""
    too_deep = ("raised", "RecursionError")
    return [i for i, o in enumerate(outcomes) if o.kind == "hung" or (o.kind, o.value) == too_deep]


def at_a_loss(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which the best of no attributes was looked for."""
    failed = [i for i, o in enumerate(outcomes) if o.kind == "raised"]
    return failed if failed == _RUN_OUT else []


def told(words: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises a tree by its fault."""
    return lambda outcomes: [
        i for i, o in enumerate(outcomes) if o.kind == "text" and words in o.value
    ]


def lone_branch(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which a question has one branch, and rows with other values."""
    end = ": no branch, though rows go there"
    return [i for i, o in enumerate(outcomes) if o.kind == "text" and o.value.endswith(end)]


def nameless(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which it looked up what ``best`` gave back, and that was never anything."""
    found = _of_nothing(outcomes)
    return found if 0 in found else []


def nameless_where_nothing_gains(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The same of a ``best`` that does give back a name where one gains."""
    found = _of_nothing(outcomes)
    return [] if 0 in found else found


def by_ratio(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases that give away who divides; how their ties are broken elsewhere is rounding."""
    at_root = {i: f"at the root: {asks}, and" for i, asks in _BY_RATIO.items()}
    return [*at_root] if all(asks in str(outcomes[i].value) for i, asks in at_root.items()) else []


def _of_nothing(outcomes: tuple[Outcome, ...]) -> list[int]:
    said = ("KeyError: None", "KeyError: ''")
    return [i for i, o in enumerate(outcomes) if o.kind == "raised" and o.says in said]


def empty(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which it tripped over no rows; where all have yes and no, it does not."""
    kinds = ("IndexError", "ZeroDivisionError", "ValueError", "StopIteration")
    failed = [i for i, o in enumerate(outcomes) if o.kind == "raised" and o.value in kinds]
    return failed if 0 in failed and not {_VERBS, _NO_NAMES} & set(failed) else []


_ALONE = ["near(sea)", "near(lamp)", "near(fog)"]
_SEA = ["pos", "near(fog)", "near(sea)", "near(lamp)"]


_ASKS, _STOPS, _NO_GAIN = "what it asks", "where it stops", "a node at which nothing gains"


def _tree_case(behaviour: str, rows: list[Row], names: list[str], says: str) -> Case:
    return Case((rows, names), (AS_ID3,), says, via=read_tree, behaviour=behaviour)


def _fresh_trees(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(
        _tree_case(_ASKS, drawn_rows(rng, 12), _SEA, "twelve drawn rows, 4 names") for _ in "123"
    )


ID3 = Exercise(
    id="word-senses/id3",
    title="ID3",
    points=5,
    heading="ID3",
    text="""You have all the parts. Write `id3(rows, attributes)`, with rows and attributes as in
Exercise 4. Return either

- a label such as `"run4"`, which is a leaf, or
- a dictionary with one attribute, and for each of its values a tree: `{"pos": {"noun": "run4",
  "verb": {…}}}`.

Where attributes run out, the leaf is a majority label. The check reads your tree node by node, with
the rows that come there; any tie is as good as another.""",
    stub="""def id3(rows, attributes):
    # your lines, in place of the dots
    ...""",
    answer="id3",
    task=Code(
        "id3",
        (
            _tree_case(_ASKS, SEVEN, NAMES, "the seven rows, all 4 names"),
            _tree_case(_ASKS, VERBS, NAMES[1:], "the five verbs, the 3 near(…)"),
            _tree_case(_STOPS, VERBS, [], "the five verbs, no names"),
            _tree_case(_STOPS, SEVEN[:1], NAMES, "a single row, all 4 names"),
            _tree_case(_ASKS, THREE_VALUES, _SEA, "11 rows, 4 names, one of 3 values"),
            _tree_case(_ASKS, OTHER_ORDER, _SEA, "9 rows, 4 names"),
            _tree_case(
                _STOPS, ALIKE_ROWS, ["near(sea)", "pos"], "8 rows, of which some look alike"
            ),
            _tree_case(
                _NO_GAIN,
                NOTHING_GAINS,
                ["near(sea)", "near(fog)"],
                "4 rows, both names gain 0 bits",
            ),
            _tree_case(
                _NO_GAIN,
                NOTHING_GAINS_BELOW,
                ["near(sea)", "near(fog)", "pos"],
                "7 rows, both names gain 0 bits below a question",
            ),
            _tree_case(_ASKS, BY_GAIN_ALONE, _ALONE, "8 rows about light, 3 names"),
            _tree_case(_ASKS, FORM_TELLS, FORM_NAMES, "8 rows about run, one of 3 values"),
        ),
        fresh=_fresh_trees,
    ),
    mistakes=(
        Mistake(
            one_floor,
            "It asks one question and stops: that is a stump. What is to happen with the rows of"
            " each branch?",
        ),
        Mistake(
            lambda rows, names: grown(rows, names, choose=lambda _, left: left[0]),
            "It asks the attributes in the order in which they are given. At each node ID3 takes"
            " the one that gains most.",
        ),
        Mistake(
            root_ranking,
            "It ranks the attributes once, at the root, and keeps that order below. Gains are to be"
            " computed afresh, from the rows of each node.",
        ),
        Mistake(
            shared_list,
            "All branches take attributes out of one and the same list, so that what one branch has"
            " asked is missing in the next. Make a new list for each node.",
            when=told(SPOILT),
        ),
        Mistake(
            not_sorted,
            "All rows go down every branch. Step 4 is missing: a branch gets the rows that have its"
            " value.",
        ),
        Mistake(
            lambda rows, names: grown(rows, names, leaf=lambda part: part[0][SENSE]),
            "Some leaf does not say what most of its rows do. The first label is not the majority,"
            " nor is the last, or the largest one in the alphabet.",
            when=told("which is not the majority"),
        ),
        Mistake(
            lambda rows, names: grown(rows, names, leaf=lambda _: None),
            "Where attributes run out and the rows do not agree, there is no label. What does the"
            " lecture say that a leaf is assigned?",
        ),
        Mistake(
            lambda rows, names: grown(rows, names, leaf=lambda part: (majority(part)[0], 2)),
            "Where a label is wanted there stand several values: a pair, a list or a set. (Pairs of"
            " a label and its count are what ``Counter.most_common`` gives.) Take out the label.",
            when=told(": several values, which is neither"),
        ),
        Mistake(
            without_name,
            "Its dictionaries hold the values, and not the attribute that was asked. Where does the"
            " name of the attribute stand in ``{attribute: {value: subtree}}``?",
            when=told(" names, where one attribute is asked"),
        ),
        Mistake(
            one_branch,
            "Some values have no branch. Does ``return`` stand inside the loop over the values, or"
            " is the dictionary made anew in every round?",
            when=lone_branch,
        ),
        Mistake(
            fixed_values,
            "Some values have a branch and others have none. Are the values written into the"
            " function? They differ from table to table: take them from the rows.",
            when=told("and others do have one"),
        ),
        Mistake(
            in_empty_branches,
            "It stops with an error in a branch that gets no rows. A branch is made for a value"
            " that some row has: take the values from the rows.",
            when=empty,
        ),
        Mistake(
            if_it_gains,
            "Where the rows disagree and no attribute gains anything, it has no name to ask: there"
            " your ``best`` gives back nothing. To gain 0 bits is no reason to stop, and one that"
            " gains 0 can be the best.",
            when=nameless_where_nothing_gains,
        ),
        Mistake(
            gives_up,
            "It makes a leaf where nothing gains. The lecture knows two reasons to stop: the rows"
            " agree, or no attribute is left. Two questions that gain nothing one by one may tell"
            " everything together.",
            when=told(GIVES_UP),
        ),
        Mistake(
            lambda rows, names: grown(rows, names, choose=by(ratio)),
            RATIO,
            when=by_ratio,
        ),
        Mistake(
            lambda rows, names: grown(rows, names, choose=by(unweighted)),
            "It averages the heaps of a question as if they were equally large. Count each heap by"
            " its share of the rows.",
        ),
        Mistake(
            lambda rows, names: grown(rows, names, choose=by(impurity_left)),
            "It goes by the Gini impurity, as CART does. The gain is counted in bits, with"
            " logarithms.",
        ),
        Mistake(
            of_nothing,
            "It has no name to ask: your ``best`` gives back nothing. Is Exercise 4 done, and has"
            " its cell been run?",
            when=nameless,
        ),
        Mistake(
            lambda rows, names: library_id3(word_sense()),  # noqa: ARG005
            "It gives back a tree of the library's. Here your own is asked for, made of"
            " dictionaries and labels.",
            when=told(": a Tree, which is neither"),
        ),
        Mistake(
            paired,
            "A question is a dictionary with one name in it: no pair, no list.",
            when=told("where a dictionary with a question is wanted"),
        ),
        Mistake(
            in_a_list,
            "The branches stand in a list. One dictionary holds all of them: each value, and its"
            " tree.",
            when=told("stands no dictionary of its values"),
        ),
        Mistake(
            drops_the_first,
            "It passes on all attributes but the first. Which one has been asked?",
        ),
        Mistake(
            by_majority,
            "It makes a leaf as soon as more than half of the rows agree. ID3 goes on while a"
            " question is left.",
        ),
        Mistake(
            never_out,
            "It stops with an error where no attributes are left and the rows do not agree. That is"
            " the second reason to stop: it comes before the search for the best.",
            when=at_a_loss,
        ),
        Mistake(
            lambda rows, names: grown(
                rows,
                names,
                choose=lambda part, left: min(left, key=lambda name: gain(part, name)),
            ),
            "It asks what gains least. Is it the smallest gain that is taken, or the smallest"
            " entropy left?",
        ),
        Mistake(
            endlessly,
            "It never comes to an end. Is an attribute that has been asked taken from the list, and"
            " do the two reasons to stop come before the question?",
            when=endless,
        ),
        Mistake(
            never_pure,
            "It goes on asking where all rows agree. When is there nothing left to find out?",
            when=told("though all rows agree"),
        ),
    ),
    more="Three parts, in this order: if all labels are equal, return it; if no attributes are"
    " left, return a majority label; else ask your ``best`` for a name, and for each of its values"
    " call ``id3`` with the rows that have it and the other attributes.",
    solution="""def id3(rows, attributes):
    labels = [row["sense"] for row in rows]
    if len(set(labels)) == 1:
        return labels[0]
    if not attributes:
        return max(labels, key=labels.count)
    name = best(rows, attributes)
    others = [other for other in attributes if other != name]
    branches = {}
    for row in rows:
        value = row[name]
        if value not in branches:
            part = [one for one in rows if one[name] == value]
            branches[value] = id3(part, others)
    return {name: branches}
""",
    why="The loop of the lecture is a function that calls itself. Both reasons to stop come first;"
    " a branch is made only for a value that some row has, so there is never an empty heap.",
)
