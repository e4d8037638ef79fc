"""What can be said about trees: how many there are, what they can say, and how far to trust them.

Counting concepts and trees, all trees that fit a small table and ID3's place among them, derived
attributes, shattering and the VC dimension, the description-length bound, and the dangers of
forests.
"""

from __future__ import annotations

from dtree_lab.theory.consistent import (
    Size,
    all_trees,
    count_consistent,
    preference,
    size_of,
    smallest,
    spectrum,
)
from dtree_lab.theory.counting import (
    concept_of,
    count_boolean_concepts,
    count_concepts,
    count_trees,
    derived,
    effect_of,
    written_trees,
)
from dtree_lab.theory.dangers import ManyLevels, NoisyLabels, many_levels, noisy_labels
from dtree_lab.theory.description import choose_by_mdl, description_bound, description_length
from dtree_lab.theory.shattering import shatters, vc_dimension

__all__ = [
    "ManyLevels",
    "NoisyLabels",
    "Size",
    "all_trees",
    "choose_by_mdl",
    "concept_of",
    "count_boolean_concepts",
    "count_concepts",
    "count_consistent",
    "count_trees",
    "derived",
    "description_bound",
    "description_length",
    "effect_of",
    "many_levels",
    "noisy_labels",
    "preference",
    "shatters",
    "size_of",
    "smallest",
    "spectrum",
    "vc_dimension",
    "written_trees",
]
__dir__ = __all__.copy  # what is public, and nothing else
