"""The recurrences against lists of everything that they count."""

from __future__ import annotations

from itertools import product

import pytest

import dtree_lab as dt
from dtree_lab import theory


@pytest.mark.parametrize("n", [0, 1, 2])
def test_concepts_are_all_functions(n):
    instances = list(product("FT", repeat=n))
    concepts = set(product("FT", repeat=len(instances)))
    assert theory.count_boolean_concepts(n) == theory.count_concepts(len(instances))
    assert theory.count_boolean_concepts(n) == len(concepts)


def test_more_labels_and_values():
    assert theory.count_concepts(3**2, labels=4) == 4**9
    assert theory.count_boolean_concepts(6) == 2**64


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_the_recurrences_count_the_listed_trees(n):
    trees = list(theory.written_trees(n))
    assert len(trees) == len(set(trees)) == theory.count_trees(n)
    said = {theory.concept_of(tree, n) for tree in trees}
    assert len(said) == theory.count_boolean_concepts(n)  # trees can say everything


def test_four_attributes_add_up():
    """Two leaves, or one of four attributes with one of 16430 trees in each branch."""
    assert theory.count_trees(4) == 2 + 4 * 16_430**2


def test_a_concept_is_a_truth_tables_column():
    tree = ("a1", ("a2", "F", "T"), "T")
    assert theory.concept_of(tree, 2) == "".join(dt.datasets.truth_table("or", 2).column("or"))


def test_general_recurrence_by_hand():
    """One attribute of three values, four labels: 4 leaves and 4³ questions."""
    assert theory.count_trees(1, labels=4, values=3) == 4 + 4**3


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: theory.count_boolean_concepts(-1), "n=-1 must be a whole number from 0 to 24"),
        (lambda: theory.count_boolean_concepts(2.0), "n=2.0"),
        (lambda: theory.count_trees(n=True), "n=True"),
        (lambda: theory.count_trees(20, values=10), "more than ten million bits"),
        (lambda: theory.count_concepts(4, labels=0), "labels=0"),
        (lambda: theory.written_trees(5), "n=5 must be a whole number from 0 to 4"),
    ],
)
def test_numbers_out_of_range(call, said):
    with pytest.raises(ValueError, match=said):
        call()
