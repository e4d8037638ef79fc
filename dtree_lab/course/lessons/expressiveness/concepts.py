"""How many concepts there are, how many trees say the same, and what ID3 prefers."""

from __future__ import annotations

from math import prod

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code, Number

AND_TREES_WANTED = 4
# The bits of numpy's whole numbers: of so many instances they cannot count the concepts.
_MANY = 64


def _case(values: list[int], labels: int) -> Case:
    concepts = 1
    for _ in range(prod(values)):  # one choice of a label for each instance
        concepts *= labels
    return Case((values, labels), (concepts,), behaviour=_shown(values, labels))


def _shown(values: list[int], labels: int) -> str:
    if prod(values) >= _MANY:
        return "very many concepts"
    if labels > 2:  # noqa: PLR2004
        return "more labels than two"
    two = set(values) == {2}
    return "attributes with two values" if two else "attributes with more values"


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(2, 5 if n < 3 else 4, size=n) for n in (1, 2, 3, 2)]  # noqa: PLR2004
    cases = [_case([int(v) for v in values], int(rng.integers(2, 4))) for values in drawn]
    return (*cases, _case([4, 4, int(rng.integers(4, 7))], 2))


_ALIKE = (
    "It counts as if all attributes had as many values as one of them. They may differ: multiply"
    " what each of them has."
)


COUNT_CONCEPTS = Exercise(
    id="expressiveness/count-concepts",
    title="How many concepts",
    points=2,
    heading="counting concepts",
    text="""Write `count_concepts(values, labels)`: `values` lists how many values each attribute
has, `labels` is the number of labels. `count_concepts([2, 2], 2)` is 16. Refund and Marital Status
of Lesson 1 have 2 and 3 values: `count_concepts([2, 3], 2)` is 64.""",
    stub="""def count_concepts(values, labels):
    # your lines, in place of the dots
    ...""",
    answer="count_concepts",
    task=Code(
        "count_concepts",
        (
            _case([2, 2], 2),
            _case([2, 3], 2),
            _case([2], 2),
            _case([2, 2, 2], 2),
            _case([3], 5),
            _case([2, 3], 3),
            _case([3, 4], 2),
            _case([2, 4, 2, 4], 2),
            _case([3, 3, 3, 3], 2),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda values, labels: labels ** sum(values),
            "It adds the numbers of values (to multiply powers comes to the same). Each value of"
            " one attribute goes with each value of the next: how many combinations are there?",
        ),
        Mistake(
            lambda values, labels: prod(values) ** labels,
            "Base and exponent have changed places. How many independent choices are made, and"
            " among how many labels?",
        ),
        Mistake(
            lambda values, labels: prod(values) * labels,
            "It multiplies instances with labels: that is one choice of an instance and a label. A"
            " concept chooses a label for *every* instance.",
        ),
        Mistake(
            lambda values, labels: prod(values) if labels else 0,
            "It counts the instances. A concept gives each of them a label.",
        ),
        Mistake(
            lambda values, labels: 2 ** prod(values) if labels else 0,
            "It always counts with two labels. There may be more: see the second argument.",
        ),
        Mistake(
            lambda values, labels: 2 ** (2 ** len(values)) if labels else 0,
            "That is the formula for attributes with two values each, and for two labels. Here both"
            " may be others: go through the three steps again.",
        ),
        Mistake(
            lambda values, labels: labels ** (2 ** len(values)),
            "It counts as if every attribute were binary. An attribute may have three values, or"
            " four.",
        ),
        Mistake(lambda values, labels: labels ** (values[0] ** len(values)), _ALIKE),
        Mistake(lambda values, labels: labels ** (max(values) ** len(values)), _ALIKE),
        Mistake(
            lambda values, labels: labels ** values[0],
            "It looks at the first attribute and no further. Does a ``return`` stand inside the"
            " loop?",
        ),
        Mistake(
            lambda values, labels: 1 if values and labels else 0,
            "It always gives 1. A product that begins with 0 stays 0: with which number does it"
            " have to begin?",
        ),
        Mistake(
            lambda values, labels: labels ^ prod(values),
            "In Python ``^`` is not a power (it is an XOR of two numbers, bit by bit). A power is"
            " written with two stars.",
        ),
        Mistake(
            lambda values, labels: int(np.power(labels, np.prod(values))),
            "numpy's whole numbers end before 2^64, and beyond it they come to 0 or to anything,"
            " without a word. Python's own have no end: ``int(...)`` makes one of numpy's into one"
            " of those, before the power is taken.",
        ),
        Mistake(
            lambda values, labels: labels ** len(values),
            "It makes one choice per attribute. A concept makes one per instance.",
        ),
    ),
    more="Two steps: first the number of different instances, a product over the attributes"
    " (``math.prod`` multiplies a list, or use a loop). Then one free choice of a label for each of"
    " them.",
    solution="""def count_concepts(values, labels):
    instances = 1
    for many in values:
        instances *= many
    return labels**instances
""",
    why="The instances multiply over the attributes, and the concepts over the instances. For"
    " binary attributes and two labels this is 2^(2^n).",
)

AND_TREES = Exercise(
    id="expressiveness/and-trees",
    title="Several trees for AND",
    points=2,
    heading="how many trees say AND?",
    text="""Over *two* attributes there are 74 such trees for the 16 concepts. How many of the 74
say **AND**, the answers `FFFT`? Count in your head, or let Python go through
`dt.theory.written_trees(2)`.""",
    stub="and_trees = ...",
    answer="and_trees",
    task=Number(AND_TREES_WANTED, tolerance=0.1),
    mistakes=(
        Mistake(
            1,
            "There is more than one. AND does not mind which of its attributes is asked first.",
        ),
        Mistake(
            2,
            "These are the trees that stop as soon as the answer is sure. A tree may also go on"
            " asking and then give the same label either way.",
        ),
        Mistake(
            3,
            "Close. Some trees ask in vain, and give the same label either way. Whatever can be"
            " done with a1 at the root can be done with a2 there.",
        ),
        Mistake(
            16,
            "That is the number of concepts. Asked for is how many trees say one of them.",
        ),
        Mistake(
            74,
            "These are all the trees, whatever they say. How many of them answer FFFT?",
        ),
        Mistake(
            8,
            "That is too many. Did you count the trees of OR as well, or trees that ask the same"
            " attribute twice on a path?",
        ),
        Mistake(
            74 / 16,
            "That is the average number of trees per concept. Some concepts have more trees than"
            " others; how many has this one?",
        ),
    ),
    more="``dt.theory.concept_of(tree, 2)`` gives the four answers of a written tree. Go through"
    " all of them and count those whose answers are FFFT.",
    solution="""and_trees = 0
for one in dt.theory.written_trees(2):
    if dt.theory.concept_of(one, 2) == "FFFT":
        and_trees += 1
""",
    why="Either attribute may stand at the root, and where it is F the tree may stop with F or ask"
    " the other attribute in vain: 2 · 2 = 4 trees, one concept.",
)
